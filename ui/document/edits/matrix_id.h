// Which matrix of a document's state an editor shows and edits: an identity that outlives every
// edit, with its present numbers, its labels and its name.
#pragma once

#include "core/selection/selection.h"
#include "ui/document/state/document_state.h"
#include "ui/words/parameter_words.h"

#include <QStringList>

#include <optional>

namespace headlight::ui {

struct MatrixId {
    enum class Kind { Parameter, Embeddings };
    Kind kind = Kind::Parameter;
    core::ParameterId parameter;           ///< for Kind::Parameter
    std::optional<core::Index> head;       ///< of the parameter; none: all heads
    core::Index sequence = 0;              ///< for Kind::Embeddings: the vectors of its tokens
    core::Stack stack = core::Stack::Main; ///< and of which sequences; Encoder, Source: the second
    bool operator==(const MatrixId &) const = default;
};

/// Numbers and who has them: the same owner, the same numbers.
struct MatrixNumbers {
    std::shared_ptr<const void> owner;
    core::ParameterBlock view;
    bool exists() const { return owner != nullptr; }
};

/// W_Q and its bias: the head's columns [C, d]; W_K, W_V and theirs: those of the head's group;
/// W_O: its rows [d, C]; everything else whole. Embeddings: the sequence's own, or its words' [T,
/// E]. What the model does not have, or what has no such layer, head or sequence, does not exist.
MatrixNumbers numbersOf(const DocumentState &state, const MatrixId &id);

/// Of Kind::Embeddings: the tokens whose vectors they are.
const core::Batch &batchOf(const core::Input &input, const MatrixId &id);

/// True where the sequence has vectors of its own: editing a row changes that row alone. Else it
/// changes the word's vector, wherever the word stands.
bool hasOwnEmbeddings(const DocumentState &state, const MatrixId &id);

/// Where the head's part of a parameter begins in the whole.
struct HeadPart {
    core::Index row = 0, column = 0, rows = 0, columns = 0;
};
/// The parameter must exist.
HeadPart headPart(const DocumentState &state, const MatrixId &id);

/// What a norm multiplies by: 1 where there is none.
bool isGain(core::ParameterKind which);
/// Laid out by heads.
bool isOfHeads(core::ParameterKind which);

QString symbolOf(const MatrixId &id);
/// "WK head 1", "WO", "bQ head 0, layer 2" where there are several layers, "WK heads 2–3" where
/// they share it, "embeddings of sequence 1" where there are several sequences; which layers change
/// together where layers share their weights.
QString nameOf(const MatrixId &id, const DocumentState &state);
/// "bank" for embeddings and the vocabulary's matrices, else the number of a dimension. The matrix
/// must exist.
QString rowLabel(const DocumentState &state, const MatrixId &id, core::Index row);
/// The word or the number of the dimension.
QString columnLabel(const DocumentState &state, const MatrixId &id, core::Index column);

/// Every parameter that the selection's stack, its layer and the head of the model may have, in the
/// order of the computation: those laid out by heads as all heads' parts, then as wholes.
std::vector<MatrixId> matricesOf(const DocumentState &state, const core::Selection &selection);

} // namespace headlight::ui
