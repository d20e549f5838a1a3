// Races in words: who runs, what articles say of the switch, and what came out here.
#pragma once

#include "core/training/run/ablation_result.h"

#include <QString>
#include <QStringList>

namespace headlight::ui {

/// The rival: "without ÷√d", "one head".
QString nameOf(core::Ablation ablation);
/// The run that it races against: "with ÷√d", "2 heads".
QString runName(core::Ablation ablation, const core::Architecture &architecture);

/// "Articles say that …": a sentence.
QString claimOf(core::Ablation ablation);

/// What was measured so far, and whether it is what articles say: whole sentences, the verdict
/// first.
QStringList outcomeOf(const core::AblationResult &result, core::Ablation ablation,
                      const core::Architecture &architecture);

} // namespace headlight::ui
