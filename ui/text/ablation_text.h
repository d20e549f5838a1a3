// Sentences about ablation studies: the two runs, the claims in the literature, and the results.
#pragma once

#include "core/training/run/ablation_result.h"

#include <QString>
#include <QStringList>

namespace headlight::ui {

/// Names the ablated run: "without ÷√d", "one head".
QString nameOf(core::Ablation ablation);
/// Names the main run: "with ÷√d", "2 heads".
QString runName(core::Ablation ablation, const core::Architecture &architecture);

/// Returns the claim as a sentence: "Articles say that …".
QString claimOf(core::Ablation ablation);

/// Returns the results so far and whether they match the claim, as sentences with the verdict
/// first.
QStringList outcomeOf(const core::AblationResult &result, core::Ablation ablation,
                      const core::Architecture &architecture);

} // namespace headlight::ui
