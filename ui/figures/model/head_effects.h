// Effects of silencing each head on a prediction. The model view shows them as coloured cells
// instead of thumbnails.
#pragma once

#include "core/analysis/head_ablation.h"
#include "core/analysis/head_glances.h"
#include "ui/figures/colours/colour_scale.h"

#include <QString>

#include <memory>
#include <optional>

namespace headlight::ui {

struct HeadEffects {
    core::OutputRowId output{};                        ///< the watched prediction
    core::HeadState state = core::HeadState::Zero;     ///< the intervention on each head
    bool isLoss = false;                               ///< measures the loss; false: the logit
    std::shared_ptr<const core::AblatedHeads> found{}; ///< null if not measured
    QString missing{};                                 ///< why there are no effects
    bool isOfSelected = true;                          ///< false if measured for another output row

    /// Returns the head's effect. Null for a head that was off, and therefore was not silenced.
    const core::HeadEffect *of(const core::HeadId &head) const;
    /// Returns the change of the logit, or of the loss in nats. Unset if the head was not silenced.
    std::optional<double> valueOf(const core::HeadId &head) const;
};

/// The effects that the user has chosen to measure.
struct ChosenEffects {
    bool isLoss = false;
    core::HeadState state = core::HeadState::Zero;
    std::optional<std::string> token{}; ///< watched token; unset: the most probable one
};

/// Returns the name of a word that the model predicts, or "class 1".
QString predictedName(const core::Model &model, core::Index word);

/// Returns "Change in the logit of “mat”: each head silenced · after “the” (4)".
QString titleOf(const core::Trace &trace, const HeadEffects &effects);

/// Returns one colour scale for all effects, symmetric about zero.
ColourScale scaleOf(const HeadEffects &effects, ColourMap signedMap);

/// Returns "change in the logit of “mat” −0.41, from 12.31 to 11.9", with the probabilities, and
/// with the loss if it is known. If there is no effect, returns the reason.
QString effectWords(const core::Model &model, const HeadEffects &effects, const core::HeadId &head);

/// Returns the effects as tab-separated lines, with the column names of `headlight ablate --csv`.
QString effectsTable(const core::Model &model, const core::AblatedHeads &found);

} // namespace headlight::ui
