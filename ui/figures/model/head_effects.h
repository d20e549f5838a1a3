// Effects of silencing each head on a prediction, for the coloured cells in place of the model
// view's thumbnails.
#pragma once

#include "core/analysis/head_ablation.h"
#include "core/analysis/head_glances.h"
#include "ui/figures/colours/colour_scale.h"

#include <QString>

#include <memory>
#include <optional>

namespace headlight::ui {

struct HeadEffects {
    core::OutputRowId output{};                    ///< the watched prediction
    core::HeadState state = core::HeadState::Zero; ///< the intervention on each head
    bool isLoss = false;                           ///< true: the loss is measured; false: the logit
    std::shared_ptr<const core::AblatedHeads> found{}; ///< null: not measured
    QString missing{};                                 ///< why there are no effects
    bool isOfSelected = true;                          ///< false: measured for another output row

    /// Returns null for a head that was off and so was not silenced.
    const core::HeadEffect *of(const core::HeadId &head) const;
    /// Returns the change of the logit, or of the loss in nats; none if the head was not silenced.
    std::optional<double> valueOf(const core::HeadId &head) const;
};

/// The effects as a user chooses them.
struct ChosenEffects {
    bool isLoss = false;
    core::HeadState state = core::HeadState::Zero;
    std::optional<std::string> token{}; ///< watched token; unset: the most probable one
};

/// Returns the name of a word that the model predicts, or "class 1".
QString predictedName(const core::Model &model, core::Index word);

/// Returns "Change of the logit of “mat”: each head silenced · after “the” (4)".
QString titleOf(const core::Trace &trace, const HeadEffects &effects);

/// Returns one colour scale for all effects, symmetric about zero.
ColourScale scaleOf(const HeadEffects &effects, ColourMap signedMap);

/// Returns "change in the logit of “mat” −0.41, from 12.31 to 11.9", with the probabilities and the
/// loss if it is known, or why there is no effect.
QString effectWords(const core::Model &model, const HeadEffects &effects, const core::HeadId &head);

/// Returns the effects as tab-separated lines. The columns have the names of `headlight ablate
/// --csv`.
QString effectsTable(const core::Model &model, const core::AblatedHeads &found);

} // namespace headlight::ui
