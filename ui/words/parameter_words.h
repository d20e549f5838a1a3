// What a model's parameters are called.
#pragma once

#include "core/transformer/model/model.h"
#include "core/transformer/model/parameter_id.h"

#include <QString>

namespace headlight::ui {

/// "WK", "bK", "W₁", "γ of the final norm".
QString symbolOf(core::ParameterKind which);
/// The same as symbolPieces() reads it: "W_K".
QString markedSymbolOf(core::ParameterKind which);
/// Where a parameter belongs, as far as there is more than one place: "cross-attention, layer 2".
QString whereOf(const core::ParameterId &id, const core::Model &model);

} // namespace headlight::ui
