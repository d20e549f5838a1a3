// Interventions in attention: silenced heads, and scores set by the user.
#pragma once

#include "core/result.h"
#include "core/transformer/names/attention_id.h"

#include <optional>
#include <span>
#include <vector>

namespace headlight::core {

struct Model;
struct Input;

/// The state of a head: On, or an intervention.
enum class HeadState {
    On,
    Zero,    ///< sets the context to zero
    Mean,    ///< sets every row of the context to the mean over the sequence's real tokens
    Uniform, ///< every query attends equally to all visible keys
};

struct HeadIntervention {
    Index layer = 0;
    Index head = 0;
    HeadState state = HeadState::Zero; ///< never On: heads that are on have no entry
    Block block = Block::SelfAttention;
    Stack stack = Stack::Main;
    AttentionId attention() const { return {layer, block, stack}; }
    bool operator==(const HeadIntervention &) const = default;
};

/// A score set by the user (stage "scores", which is QKᵀ before scaling).
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

/// At most one entry for each head and each score. Both lists are sorted by index, so that equal
/// interventions compare equal.
struct Interventions {
    std::vector<HeadIntervention> heads;
    std::vector<ScoreIntervention> scores;
    bool operator==(const Interventions &) const = default;

    bool empty() const { return heads.empty() && scores.empty(); }
    HeadState stateOf(AttentionId attention, Index head) const;
    /// Returns the score set by the user; nullopt if there is none.
    std::optional<float> scoreAt(Index sequence, AttentionId attention, Index head, Index query,
                                 Index key) const;

    /// Returns the entries for one head and sequence, sorted by query and key.
    std::span<const ScoreIntervention> scoresOf(Index sequence, AttentionId attention,
                                                Index head) const;

    /// Sets the state of a head. HeadState::On removes the entry.
    void setHead(AttentionId attention, Index head, HeadState state);
    /// Adds the entry, or replaces the entry with the same indices.
    void setScore(const ScoreIntervention &intervention);
    void removeScore(Index sequence, AttentionId attention, Index head, Index query, Index key);
};

/// Checks that all heads and scores exist in this model with this input, and that scores are
/// finite. The entries must be sorted, with at most one for each head and score. Lookups rely on
/// this order, which setHead() and setScore() ensure. Errors name the field, such as
/// "interventions.heads[2].layer".
Outcome validate(const Interventions &interventions, const Model &model, const Input &input);

} // namespace headlight::core
