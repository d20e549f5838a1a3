// The forward passes for the show. Two sentences differ in their last word. The second sentence is
// also run without the heads that look at the noun.
#pragma once

#include "core/training/recipe/recipe.h"
#include "ui/document/state/document_state.h"

#include <QString>

#include <stop_token>

namespace headlight::ui {

struct ShowRuns {
    core::TracePointer first, second;
    core::TracePointer withoutHead;  ///< the second sentence with kShownHead silenced
    core::TracePointer withoutHeads; ///< the second sentence with all heads of that layer silenced
    /// recipe of the run that trained the model; with 0 steps it was not trained
    core::Recipe recipe{};
    core::Index trainedSteps = 0;
};

/// Layer and head that the show explains and silences. In the model of the start page, this head
/// looks at the noun. "Silence this head" and the lesson who-is-it silence the same head.
/// tst_show_moments checks this.
inline constexpr core::Index kShownLayer = 1;
inline constexpr core::Index kShownHead = 0;

/// The reason why the show uses its own sentence instead of the user's.
enum class ShowRefusal {
    None,
    UnknownWord, ///< the model cannot read the sentence
    NoIt,
    OtherAnswer, ///< the answer is not one of two nouns of the sentence
};

/// Runs the model on the two states, and on the second one without the heads. Errors: as forward().
core::Result<ShowRuns> showRunsOf(const DocumentState &first, const DocumentState &second,
                                  std::stop_token stop = {});

struct OpenedShow {
    ShowRuns runs;
    ShowRefusal refusal = ShowRefusal::None;
};

/// Reads the model of the start page and runs it on the text. If the text is empty or cannot be
/// shown, uses the show's own sentence. The second sentence has a different last word, one that
/// changes the answer if possible. Errors: as openSource() and forward().
core::Result<OpenedShow> openShow(const QString &text, std::stop_token stop = {});

} // namespace headlight::ui
