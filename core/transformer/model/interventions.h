// What a person does to the mechanism itself, rather than to its numbers: heads that are silenced,
// scores that are set by hand.
#pragma once

#include "core/result.h"
#include "core/transformer/names/attention_id.h"

#include <optional>
#include <span>
#include <vector>

namespace headlight::core {

struct Model;
struct Input;

/// What a head gives instead of what it computes.
enum class HeadState {
    On,
    Zero,    ///< its context is zero
    Mean,    ///< every row of its context is the mean of its rows over the sequence's real tokens
    Uniform, ///< each query attends equally to every key that it may see
};

struct HeadIntervention {
    Index layer = 0;
    Index head = 0;
    HeadState state = HeadState::Zero; ///< never On: such a head is not in the list
    Block block = Block::SelfAttention;
    Stack stack = Stack::Main;
    AttentionId attention() const { return {layer, block, stack}; }
    bool operator==(const HeadIntervention &) const = default;
};

/// A score (of the stage "scores": QKᵀ before it is scaled) that stands for the computed one.
struct ScoreIntervention {
    Index sequence = 0;
    Index layer = 0;
    Index head = 0;
    Index query = 0;
    Index key = 0;
    float score = 0;
    Block block = Block::SelfAttention;
    Stack stack = Stack::Main;
    AttentionId attention() const { return {layer, block, stack}; }
    bool operator==(const ScoreIntervention &) const = default;
};

/// At most one entry a head, and one a score; both in the order of their indices, so that equal
/// interventions are equal lists.
struct Interventions {
    std::vector<HeadIntervention> heads;
    std::vector<ScoreIntervention> scores;
    bool operator==(const Interventions &) const = default;

    bool empty() const { return heads.empty() && scores.empty(); }
    HeadState stateOf(AttentionId attention, Index head) const;
    /// The score set by hand there; none where it is computed.
    std::optional<float> scoreAt(Index sequence, AttentionId attention, Index head, Index query,
                                 Index key) const;

    /// Those of one head on one sequence, in the order of query and key.
    std::span<const ScoreIntervention> scoresOf(Index sequence, AttentionId attention,
                                                Index head) const;

    /// On takes the entry away.
    void setHead(AttentionId attention, Index head, HeadState state);
    /// The place is that of `intervention`; an entry of the same place is replaced.
    void setScore(const ScoreIntervention &intervention);
    void removeScore(Index sequence, AttentionId attention, Index head, Index query, Index key);
};

/// Every head and every score exists in the model reading the input; else the error names the
/// field: "interventions.heads[2]".
Outcome validate(const Interventions &interventions, const Model &model, const Input &input);

} // namespace headlight::core
