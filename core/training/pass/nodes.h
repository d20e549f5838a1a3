// The operations that training supports, one per file of this folder.
#pragma once

#include "core/operations/activation.h"
#include "core/operations/distance_bias.h"
#include "core/operations/mask_layers.h"
#include "core/operations/pooling.h"
#include "core/operations/rotary.h"
#include "core/training/pass/node.h"

#include <optional>

namespace headlight::core {

/// Looks up each token's row of the matrix.
NodePointer lookUpNode(const FlatParameter &matrix, const Buffer &out, bool ofSource);

/// Computes x + fixed rows [T, C], which all sequences share.
NodePointer addRowsNode(const NodeRead &x, const Buffer &out, const Matrix &rows);
/// Computes x + rows first … first + T − 1 of a matrix or, with `sameRow`, row `first` for each
/// token.
NodePointer addLearnedRowsNode(const NodeRead &x, const Buffer &out, const FlatParameter &matrix,
                               Index first, bool sameRow);

/// Computes x · W + b, or x · Wᵀ + b if `transposed`.
NodePointer linearNode(const NodeRead &x, const Buffer &out, const FlatParameter &matrix,
                       const FlatParameter *bias, bool transposed);

struct NormNumbers {
    const FlatParameter *gain = nullptr;
    const FlatParameter *bias = nullptr;
    bool centred = true;
    float epsilon = 0;
    Index extras = 0; ///< offset in the extras, which hold two numbers per row and block
};
/// Normalises every block of every row.
NodePointer normNode(const NodeRead &x, const Buffer &out, const NormNumbers &numbers);

/// Applies rotary positions to every block of every row.
NodePointer rotateNode(const NodeRead &x, const Buffer &out, const RotaryTable &table);

NodePointer addNode(const NodeRead &a, const NodeRead &b, const Buffer &out);
NodePointer scaleNode(const NodeRead &x, const Buffer &out, float factor);
NodePointer activateNode(const NodeRead &x, const Buffer &out, Activation activation);
/// Computes activation(gate) ⊙ hidden.
NodePointer gateNode(const NodeRead &gate, const NodeRead &hidden, const Buffer &out,
                     Activation activation);
NodePointer tanhNode(const NodeRead &x, const Buffer &out);
/// Reduces each sequence to one row.
NodePointer poolNode(const NodeRead &x, const Buffer &out, Pooling pooling, bool ofSource);

/// A mask that is the same for every sequence, apart from padding.
struct AttentionMask {
    MaskLayers layers{}; ///< must not contain a CellMask
    float value = 0;     ///< value for hidden scores, −∞ or finite
};
struct AttentionBias {
    DistanceBias of{};
    std::optional<FlatParameter> table{}; ///< [buckets, H] if the bias is learned
};
struct AttentionOffsets {
    NodeRead query, key, value;
    Buffer context{};
    Index extras = 0; ///< offset of the attention weights: heads · T · padded(S) per sequence
    bool keysOfSource = false;
    float scale = 1;
    float temperature = 1;
};
/// Computes softmax(Q·Kᵀ · scale + bias + mask)·V for every head.
NodePointer attentionNode(const AttentionOffsets &places, const AttentionMask &mask,
                          const std::optional<AttentionBias> &bias);
/// Returns the size of the scratch buffer of attentionNode().
Index attentionScratch(const AttentionOffsets &places);

} // namespace headlight::core
