// The parts of a model in the order of the computation, each with a separate diagram, and the
// stages of each part. The user steps through these stages.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <vector>

namespace headlight::ui {

struct ModelPart {
    enum class Kind {
        Embedding, ///< with up to two stages, part of the first layer instead
        Attention,
        FeedForward,
        Head, ///< output layer, including the last norm of the last layer
    };
    Kind kind = Kind::Attention;
    core::AttentionId attention{}; ///< layer 0 for Embedding, the last layer for Head
    /// True for a layer whose blocks all read the layer input. Its last block shows their sum.
    bool parallel = false;
    bool operator==(const ModelPart &) const = default;
};

/// The stages of a computation in order, without missing stages and without aliases.
class ModelParts {
  public:
    /// `model` and `plan` must outlive this object.
    ModelParts(const core::Model &model, const core::Plan &plan);
    explicit ModelParts(const core::Trace &trace) : ModelParts(trace.model(), trace.plan()) {}

    /// Returns all parts. An empty plan has a single attention part without stages.
    const std::vector<ModelPart> &parts() const & { return m_parts; }
    const std::vector<ModelPart> &parts() const && = delete; // would dangle
    /// Returns the stages computed by the part, in order. The first part of a layer begins with the
    /// layer input.
    std::vector<core::StageId> stagesOf(const ModelPart &part) const;
    /// Returns the stages of all parts.
    std::vector<core::StageId> stages() const;

    const ModelPart &partOf(const core::Selection &selection) const &;
    const ModelPart &partOf(const core::Selection &selection) const && = delete;
    /// Returns the stage to show for the selection. This is the selected stage or, if the plan
    /// lacks it, one with the same values or an earlier one.
    core::StageId shown(const core::Selection &selection) const;

  private:
    bool has(core::Stage stage, core::AttentionId attention) const {
        return m_plan.find({stage, attention}).has_value();
    }
    bool hasAny(core::Part part, core::AttentionId attention) const;
    bool joins() const;
    void addStack(core::Stack stack);
    std::vector<core::StageId> embeddingsOf(core::Stack stack) const;
    bool isJoined(core::Stack stack) const; ///< true if the embeddings are part of the first layer
    std::vector<core::StageId> ownStages(const ModelPart &part) const;
    bool isSum(core::AttentionId attention)
        const; ///< true if the layer output is a separate stage and not an alias
    const ModelPart *firstOf(core::Stack stack, core::Index layer) const;
    const ModelPart *lastOf(core::Stack stack, core::Index layer) const;

    const core::Model &m_model;
    const core::Plan &m_plan;
    std::vector<ModelPart> m_parts;
};

/// Returns the selection at a stage. Other fields are kept, except tokens of another sequence.
core::Selection atStage(core::Selection selection, core::StageId at);

} // namespace headlight::ui
