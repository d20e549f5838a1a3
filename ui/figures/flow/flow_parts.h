// The parts of a model that are drawn as one diagram each, in the order of the computation, and the
// stages of each: what a person goes through.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <vector>

namespace headlight::ui {

struct FlowPart {
    enum class Kind {
        Embedding, ///< of its own only where it has more than two stages; else the first layer's
        Attention,
        FeedForward,
        Head, ///< what is made of the last layer's output, its last norm included
    };
    Kind kind = Kind::Attention;
    core::AttentionId attention{}; ///< Embedding: layer 0; Head: the last one
    bool residual = false;         ///< what it reads is added to what it makes
    /// Of a layer whose blocks all read what the layer does; the last one shows the sum.
    bool parallel = false;
    bool operator==(const FlowPart &) const = default;
};

/// Where the stages of a trace are: those that it has, none that is another name for one before.
class FlowParts {
  public:
    /// `trace` must outlive it.
    explicit FlowParts(const core::Trace &trace);

    /// All of them. A trace that holds nothing has one, an attention without stages.
    const std::vector<FlowPart> &parts() const & { return m_parts; }
    const std::vector<FlowPart> &parts() const && = delete; // they would not outlive it
    /// What the part computes, in its order; a layer's first part begins with what the layer reads.
    std::vector<core::StageId> stagesOf(const FlowPart &part) const;
    /// What it reads of the parts before it, the second sequence last.
    std::vector<core::StageId> inputsOf(const FlowPart &part) const;
    /// Every part's stages.
    std::vector<core::StageId> stages() const;

    const FlowPart &partOf(const core::Selection &selection) const &;
    const FlowPart &partOf(const core::Selection &selection) const && = delete;
    /// The stage that is shown for the selection: its own, or where the trace has no such stage the
    /// one that it equals or that comes before it.
    core::StageId shown(const core::Selection &selection) const;

  private:
    bool has(core::Stage stage, core::AttentionId attention) const {
        return m_trace.has(stage, attention);
    }
    bool hasAny(core::Part part, core::AttentionId attention) const;
    bool joins() const;
    void addStack(core::Stack stack);
    std::vector<core::StageId> embeddingsOf(core::Stack stack) const;
    bool isJoined(core::Stack stack) const; ///< the embeddings are part of the first layer's
    std::vector<core::StageId> ownStages(const FlowPart &part) const;
    core::StageId resultOf(const FlowPart &part) const;
    std::vector<core::StageId> besideOf(const FlowPart &part) const;
    bool isSum(core::AttentionId attention)
        const; ///< the output of the layer, and no other name for a stage
    std::optional<core::StageId> memory() const;
    const FlowPart *firstOf(core::Stack stack, core::Index layer) const;
    const FlowPart *lastOf(core::Stack stack, core::Index layer) const;

    const core::Trace &m_trace;
    std::vector<FlowPart> m_parts;
};

/// The selection at a stage. What else it had stays, but for tokens of another sequence.
core::Selection atStage(core::Selection selection, core::StageId at);

} // namespace headlight::ui
