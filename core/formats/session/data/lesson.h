// A lesson: steps of text, each with something to see, to try, to answer or to reach.
// docs/session-file.md describes it field by field; core/lesson/ reads what its texts say of
// numbers.
#pragma once

#include "core/formats/session/data/state_patch.h"
#include "core/selection/view_options.h"
#include "core/training/recipe/ablation.h"
#include "core/training/recipe/recipe.h"

#include <array>

namespace headlight::core {

// What a file may say of a lesson at most; reading/lesson.cpp refuses more, and checkSizes() says
// it before it is written. In bytes and in elements of lists.
inline constexpr std::size_t kMaximumMarkedBytes = 16384;
inline constexpr std::size_t kMaximumAnswerCondition = 1024, kMaximumGoalCondition = 4096;
inline constexpr std::size_t kMinimumAnswers = 2, kMaximumAnswers = 6;
inline constexpr std::size_t kMaximumGoals = 12, kMaximumHints = 8;
inline constexpr std::size_t kMaximumNeeds = 16, kMaximumIdBytes = 64;
inline constexpr int kMaximumMinutes = 600;

/// An answer that can be chosen; right where its condition holds (core/lesson/step_condition.h).
struct Answer {
    std::string text;
    std::string condition;
};

/// Asked before a step tells its text and shows its view.
struct Question {
    std::string text;
    std::vector<Answer> answers;        ///< 2 to 6, of which one is right
    std::optional<SelectionPatch> show; ///< what is seen while it is asked; none: nothing
};

/// One of the things that an exercise asks for.
struct Goal {
    std::string text;
    std::string condition;
};

/// What a person is to make of the model's numbers.
struct Exercise {
    std::string text;
    std::vector<Goal> goals; ///< 1 to 12
    std::vector<std::string> hints;
    StatePatch solution; ///< laid over the step: with it all goals hold
    bool byHand = false; ///< scores set by hand and heads turned off count
};

/// A training that can be begun at a step.
struct LessonRun {
    Recipe recipe;
    std::optional<Ablation> ablation; ///< against that rival
};

/// Panels of the window that a step can show or hide.
enum class Panel { Inspector, Editor, HistoryList, Formula };
inline constexpr std::size_t kPanels = 4;
/// What a step says of each of them, in the order of the values; none: it stays as it is.
using PanelPatch = std::array<std::optional<bool>, kPanels>;

/// Text marks: *emphasis*, **strong**, and {weights 0 0 1 0}: the trace's value at [b, h, t, s]
/// with two decimals, as {weights 0 0 1 0 : 4} with four. Paragraphs are entries.
struct LessonStep {
    std::string title;
    std::vector<std::string> text;
    std::string tryIt; ///< a thing to do, in its own box; may be empty
    SelectionPatch show;
    ViewOptions look{}; ///< in a file, members of `show`
    StatePatch set;
    std::string mistake{}; ///< what is often said wrongly, in its own box; may be empty
    PanelPatch panels{};
    std::optional<Question> question{};
    std::optional<Exercise> exercise{};
    std::optional<LessonRun> run{};
    /// Which step of the document that was read it was made of, whose unknown fields it keeps when
    /// it is written; −1: of none.
    Index documentStep = -1;
};

struct Lesson {
    std::string summary; ///< one sentence: what it teaches
    std::vector<LessonStep> steps;
    Index minutes = 0;                ///< how long it takes; 0: it is not said
    std::vector<std::string> needs{}; ///< ids of lessons that it builds on
};

/// A file may hold it. Errors: the first text or list that is too long, or too short, and where.
Outcome checkSizes(const Lesson &lesson);

} // namespace headlight::core
