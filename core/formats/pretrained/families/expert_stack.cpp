#include "core/formats/pretrained/families/expert_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kStackExperts[] = {
    {"model.layers.{}.mlp.gate.weight", K::Router},
    {"model.layers.{}.mlp.experts.{e}.gate_proj.weight", K::Gate},
    {"model.layers.{}.mlp.experts.{e}.up_proj.weight", K::Hidden},
    {"model.layers.{}.mlp.experts.{e}.down_proj.weight", K::FeedForwardOutput},
};

} // namespace

const std::span<const TensorRow> kMlpExperts = kStackExperts;

void readExperts(const FamilyFields &fields, const char *field, const UsualExperts &usual,
                 FamilyModel &model) {
    FeedForward &network = model.config.feedForward;
    network.experts = fields.size(field, kMaxExperts, usual.experts);
    network.chosen = fields.size("num_experts_per_tok", kMaxExperts, usual.chosen);
    if (network.chosen > network.experts)
        fields.refuse("num_experts_per_tok",
                      {"a token cannot choose %1 of %2 experts", network.chosen, network.experts},
                      {"it must be a whole number from 1 to %1", network.experts});
}

} // namespace headlight::core
