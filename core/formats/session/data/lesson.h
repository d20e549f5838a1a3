// A lesson: steps of text with something to see, try, answer or solve. docs/session-file.md
// describes every field; core/lesson/ evaluates the marks and conditions in its texts.
#pragma once

#include "core/formats/session/data/state_patch.h"
#include "core/selection/view_options.h"
#include "core/training/recipe/ablation.h"
#include "core/training/recipe/recipe.h"

#include <array>

namespace headlight::core {

// Limits of a lesson in a file, in bytes and list elements, which its field table uses. Marked
// texts are limited because matching their marks may take quadratic time. Conditions are limited
// because they are evaluated after every change.
inline constexpr std::size_t kMaxMarkedBytes = 16384;
inline constexpr std::size_t kMaxAnswerCondition = 1024, kMaxGoalCondition = 4096;
inline constexpr std::size_t kMinAnswers = 2, kMaxAnswers = 6;
inline constexpr std::size_t kMaxGoals = 12, kMaxHints = 8;
inline constexpr std::size_t kMaxNeeds = 16, kMaxIdBytes = 64;
inline constexpr int kMaxMinutes = 600;
inline constexpr std::size_t kMaxDifficulties = 8;
inline constexpr std::size_t kMaxHandoutBytes = 1024; // for each text of the handout

/// An answer to a question. It is correct if its condition holds (core/lesson/step_condition.h).
struct Answer {
    std::string text;
    std::string condition;
    std::string because; ///< explanation shown once the answer is chosen; may be empty
    bool operator==(const Answer &) const = default;
};

/// The question shown before a step's text and view.
struct Question {
    std::string text;
    std::vector<Answer> answers; ///< 2 to 6, one of them correct
    /// The view during the question, without softmax settings; unset: the view is empty.
    std::optional<SelectionPatch> show;
    bool operator==(const Question &) const = default;
};

/// A condition that an exercise requires.
struct Goal {
    std::string text;
    std::string condition;
    bool operator==(const Goal &) const = default;
};

/// A task: the user changes the model until all goals hold.
struct Exercise {
    std::string text;
    std::vector<Goal> goals; ///< 1 to 12
    std::vector<std::string> hints;
    StatePatch solution; ///< changes to the step that meet all goals
    bool byHand = false; ///< accepts edited scores and ablated heads as a solution
    bool operator==(const Exercise &) const = default;
};

/// A training run that the user can start at a step.
struct LessonRun {
    Recipe recipe;
    std::optional<Ablation> ablation; ///< ablation of a second run, for comparison
    bool operator==(const LessonRun &) const = default;
};

/// Panels of the window that a step can show or hide.
enum class Panel { Inspector, Editor, HistoryList, Formula };
inline constexpr std::size_t kPanels = 4;
/// Visibility of each panel, in enumeration order; unset: unchanged.
using PanelPatch = std::array<std::optional<bool>, kPanels>;

/// Texts can contain marks: *emphasis*, **strong**, and {weights 0 0 1 0}. The last one is the
/// trace's value at [b, h, t, s] with two decimals; {weights 0 0 1 0 : 4} has four. `text` has one
/// entry per paragraph.
struct LessonStep {
    std::string title;
    std::vector<std::string> text;
    std::string tryIt; ///< a suggested activity, in its own box; may be empty
    SelectionPatch show;
    ViewOptions look{}; ///< in files, these are members of `show`
    StatePatch set;
    std::string mistake{}; ///< a common misconception, in its own box; may be empty
    PanelPatch panels{};
    std::optional<Question> question{};
    std::optional<Exercise> exercise{};
    std::optional<LessonRun> run{};
    /// Index of the original step in the document, whose unknown fields are kept when writing; −1:
    /// a new step.
    Index documentStep = -1;
    bool operator==(const LessonStep &) const = default;
};

struct Lesson {
    std::string summary; ///< the content of the lesson, in one sentence
    std::vector<LessonStep> steps;
    Index minutes = 0;                ///< duration in minutes; 0: not set
    std::vector<std::string> needs{}; ///< ids of required lessons
    // For the teacher's handout; neither has marks.
    std::string aim{};                       ///< the skill that a student takes away; may be empty
    std::vector<std::string> difficulties{}; ///< problems to expect in class, at most 8
};

/// Checks that the lesson can be written to a file, except for its changes to the session. Errors:
/// the first field outside its limits.
Outcome checkSizes(const Lesson &lesson);

} // namespace headlight::core
