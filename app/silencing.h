// Silencing each head, for `ablate` and for the model view of `figure`: the watched token, and the
// progress.
#pragma once

#include "core/analysis/computed_heads.h"

#include <QString>

namespace headlight::app {

/// Returns the id of the token of --token. Error: the model's vocabulary does not have it.
core::Result<core::Index> tokenNamed(const core::Model &model, const std::string &name);

/// Like core::ComputedHeads::effects(). Shows the progress on a terminal.
core::Result<std::shared_ptr<const core::AblatedHeads>>
ablatedHeads(core::ComputedHeads &computed, const core::Computable &computable,
             const core::TracePointer &trace, const core::AblationTarget &target,
             const std::stop_token &stop);

} // namespace headlight::app
