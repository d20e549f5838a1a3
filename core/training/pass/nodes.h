// The operations that training knows, each in a file of its own beside this.
#pragma once

#include "core/operations/activation.h"
#include "core/operations/mask_layers.h"
#include "core/operations/pooling.h"
#include "core/operations/relative_position.h"
#include "core/operations/rotary.h"
#include "core/training/pass/node.h"

#include <optional>

namespace headlight::core {

/// Each token's row of the matrix.
NodePointer lookUpNode(const FlatParameter &matrix, const Buffer &out, bool ofSource);

/// x + rows that are the same for every sequence: fixed numbers [T, C].
NodePointer addRowsNode(const NodeRead &x, const Buffer &out, const Matrix &rows);
/// x + rows first … first + T − 1 of a matrix; or with `sameRow` its row `first` for each.
NodePointer addLearnedRowsNode(const NodeRead &x, const Buffer &out, const FlatParameter &matrix,
                               Index first, bool sameRow);

/// x · W + b; or x · Wᵀ + b, of a matrix that stands the other way round.
NodePointer linearNode(const NodeRead &x, const Buffer &out, const FlatParameter &matrix,
                       const FlatParameter *bias, bool transposed);

struct NormNumbers {
    const FlatParameter *gain = nullptr;
    const FlatParameter *bias = nullptr;
    bool centred = true;
    float epsilon = 0;
    Index extras = 0; ///< where two numbers a row and block are kept
};
/// Of every block of every row by itself.
NodePointer normNode(const NodeRead &x, const Buffer &out, const NormNumbers &numbers);

/// Turns every block of every row.
NodePointer rotateNode(const NodeRead &x, const Buffer &out, const RotaryTable &table);

NodePointer addNode(const NodeRead &a, const NodeRead &b, const Buffer &out);
NodePointer scaleNode(const NodeRead &x, const Buffer &out, float factor);
NodePointer activateNode(const NodeRead &x, const Buffer &out, Activation activation);
/// activation(gate) ⊙ hidden
NodePointer gateNode(const NodeRead &gate, const NodeRead &hidden, const Buffer &out,
                     Activation activation);
NodePointer tanhNode(const NodeRead &x, const Buffer &out);
/// One row a sequence.
NodePointer poolNode(const NodeRead &x, const Buffer &out, Pooling pooling, bool ofSource);

/// Which keys the queries see, of every sequence the same, and which of them may be padding.
struct AttentionMask {
    MaskLayers layers{}; ///< no cells said by hand
    float value = 0;     ///< that stands for a hidden score, −∞ or finite
};
struct AttentionBias {
    std::vector<float> slopes{};             ///< ALiBi's, one a head; or none
    std::optional<FlatParameter> relative{}; ///< [buckets, H]
    RelativeConfig config{};
    bool bothWays = false;
};
struct AttentionOffsets {
    NodeRead query, key, value;
    Buffer context{};
    Index extras = 0; ///< where the weights are kept: heads · T · padded(S) a sequence
    bool keysOfSource = false;
    float scale = 1;
    float temperature = 1;
};
/// softmax(Q·Kᵀ · scale + bias + mask)·V, for every head.
NodePointer attentionNode(const AttentionOffsets &places, const AttentionMask &mask,
                          const AttentionBias &bias);
/// How much scratch it needs.
Index attentionScratch(const AttentionOffsets &places);

} // namespace headlight::core
