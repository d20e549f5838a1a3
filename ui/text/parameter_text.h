// Names of a model's parameters.
#pragma once

#include "core/transformer/model/model.h"
#include "core/transformer/model/parameter_id.h"

#include <QString>

namespace headlight::ui {

/// Returns "WK", "bK", "W₁" or "γ of the final norm".
QString symbolOf(core::ParameterKind which);
/// Returns the symbol in the notation of symbolPieces(): "W_K".
QString markedSymbolOf(core::ParameterKind which);
/// Returns the parameter's stack, layer and attention block, leaving out what is unambiguous:
/// "cross-attention, layer 2".
QString whereOf(const core::ParameterId &id, const core::Model &model);

} // namespace headlight::ui
