// Which matrix of a document's state an editor shows and edits: an identity that outlives every
// edit, with its present numbers, its labels and its name.
#pragma once

#include "ui/document/document_state.h"

#include <QStringList>

#include <optional>

namespace headlight::ui {

struct MatrixId {
    enum class Kind { Parameter, Embeddings };
    Kind kind = Kind::Parameter;
    core::ParameterId parameter;     ///< for Kind::Parameter
    std::optional<core::Index> head; ///< of the parameter; none: all heads
    core::Index sequence = 0;        ///< for Kind::Embeddings
    bool operator==(const MatrixId &) const = default;
};

/// Numbers and whoever keeps them alive.
struct MatrixNumbers {
    std::shared_ptr<const void> owner;
    core::MatrixView view;
    bool exists() const { return owner != nullptr; }
};

/// W_Q, W_K, W_V: the head's columns [C, d]; W_O: its rows [d, C]; biases: its columns [1, d], but
/// all of W_O's [1, C]. Embeddings: the sequence's own, or its words' [T, C]. What the model does
/// not have, or what has no such layer, head or sequence, does not exist.
MatrixNumbers numbersOf(const DocumentState &state, const MatrixId &id);

/// True where the sequence has vectors of its own: editing a row changes that row alone. Else it
/// changes the word's vector, wherever the word stands.
bool hasOwnEmbeddings(const DocumentState &state, const MatrixId &id);

/// Where the head's part of a parameter begins in the whole.
struct HeadPart {
    core::Index row = 0, column = 0, rows = 0, columns = 0;
};
/// The parameter must exist.
HeadPart headPart(const DocumentState &state, const MatrixId &id);

/// A bias, or W_O's: what a model may do without.
bool isBias(core::ParameterKind which);

/// "W_K", "b_K", "embeddings".
QString symbolOf(const MatrixId &id);
/// "W_K head 1", "W_O", "b_Q head 0, layer 2" where there are several layers, "embeddings of
/// sequence 1" where there are several sequences.
QString nameOf(const MatrixId &id, const DocumentState &state);
/// "bank" for embeddings, else the number of a dimension. The matrix must exist.
QString rowLabel(const DocumentState &state, const MatrixId &id, core::Index row);

/// Every matrix of the layer and the sequence, that a model may have: all heads' parts and the
/// wholes.
std::vector<MatrixId> matricesOf(const DocumentState &state, core::Index layer, core::Index head,
                                 core::Index sequence);

} // namespace headlight::ui
