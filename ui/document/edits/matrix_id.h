// Identifies a matrix that an editor shows and edits. The id stays valid across edits. Functions
// return the matrix's values, labels and name.
#pragma once

#include "core/selection/selection.h"
#include "ui/document/state/document_state.h"
#include "ui/text/parameter_text.h"

#include <QStringList>

#include <optional>

namespace headlight::ui {

struct MatrixId {
    enum class Kind { Parameter, Embeddings };
    Kind kind = Kind::Parameter;
    core::ParameterId parameter;           ///< for Kind::Parameter
    std::optional<core::Index> head;       ///< head's part of the parameter; unset: all heads
    core::Index sequence = 0;              ///< for Kind::Embeddings
    core::Stack stack = core::Stack::Main; ///< Encoder, SourceEmbeddings: source
    bool operator==(const MatrixId &) const = default;
};

/// Values and their owner. The same owner means the same values.
struct MatrixNumbers {
    std::shared_ptr<const void> owner;
    core::ParameterBlock view;
    bool exists() const { return owner != nullptr; }
};

/// Returns the values. W_Q and its bias: the head's columns [C, d]. W_K, W_V and their biases: the
/// columns of the head's group. W_O: the head's rows [d, C]. Others: the whole matrix. Embeddings:
/// the sequence's own or those of its words [T, E]. The values do not exist if the model lacks the
/// parameter, layer, head or sequence.
MatrixNumbers numbersOf(const DocumentState &state, const MatrixId &id);

/// For Kind::Embeddings: returns the tokens that the vectors belong to.
const core::Batch &batchOf(const core::Input &input, const MatrixId &id);

/// True if the sequence has its own vectors. An edit then changes only its row. Otherwise, it
/// changes the word's vector everywhere.
bool hasOwnEmbeddings(const DocumentState &state, const MatrixId &id);

/// The position and size of the head's part of a parameter.
struct HeadPart {
    core::Index row = 0, column = 0, rows = 0, columns = 0;
};
/// The parameter must exist.
HeadPart headPart(const DocumentState &state, const MatrixId &id);

/// True for a norm's gain, whose neutral value is 1.
bool isGain(core::ParameterKind which);
/// True if the parameter is laid out by heads.
bool isOfHeads(core::ParameterKind which);

QString symbolOf(const MatrixId &id);
/// Returns "WK head 1", "WO", "bQ head 0, layer 2" with several layers, "WK heads 2–3" with a
/// shared key, "embeddings of sentence 2" with several sequences. Names the layers that share the
/// parameter.
QString nameOf(const MatrixId &id, const DocumentState &state);
/// Returns "bank" for embeddings and vocabulary matrices, otherwise the dimension's number. The
/// matrix must exist.
QString rowLabel(const DocumentState &state, const MatrixId &id, core::Index row);
/// Returns the word or the dimension's number.
QString columnLabel(const DocumentState &state, const MatrixId &id, core::Index column);

/// Returns every parameter that the selected stack, its layer and the output layer may have, in
/// the order of computation. Parameters laid out by heads appear as the parts of all heads, then
/// as a whole.
std::vector<MatrixId> matricesOf(const DocumentState &state, const core::Selection &selection);

} // namespace headlight::ui
