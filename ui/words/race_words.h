// Races in words: who runs, what articles say of the switch, and what came out here.
#pragma once

#include "core/training/run/race_result.h"

#include <QString>
#include <QStringList>

namespace headlight::ui {

/// The rival: "without ÷√d", "one head".
QString nameOf(core::RaceSwitch turned);
/// The run that it races against: "with ÷√d", "2 heads".
QString runName(core::RaceSwitch turned, const core::Architecture &architecture);

/// "Articles say that …": a sentence.
QString claimOf(core::RaceSwitch turned);

/// What was measured so far, and whether it is what articles say: whole sentences, the verdict
/// first.
QStringList outcomeOf(const core::RaceResult &result, core::RaceSwitch turned,
                      const core::Architecture &architecture);

} // namespace headlight::ui
