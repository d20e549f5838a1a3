// GPT-J (modeling_gptj.py of transformers): parallel blocks that share one norm. Adjacent
// dimensions are rotated as a pair, so the rows of W_Q and W_K are read in another order.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/gpt_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kGptjParameters[] = {
    {"transformer.h.{}.ln_1.weight", K::NormGain},
    {"transformer.h.{}.ln_1.bias", K::NormBias},
    {"transformer.h.{}.attn.q_proj.weight", K::Query, Stack::Main, Block::SelfAttention,
     HeadRows::NeighbourPairs},
    {"transformer.h.{}.attn.k_proj.weight", K::Key, Stack::Main, Block::SelfAttention,
     HeadRows::NeighbourPairs},
    {"transformer.h.{}.attn.v_proj.weight", K::Value},
    {"transformer.h.{}.attn.out_proj.weight", K::Output},
    {"transformer.h.{}.mlp.fc_in.weight", K::Hidden},
    {"transformer.h.{}.mlp.fc_in.bias", K::HiddenBias},
    {"transformer.h.{}.mlp.fc_out.weight", K::FeedForwardOutput},
    {"transformer.h.{}.mlp.fc_out.bias", K::FeedForwardOutputBias},
    {"transformer.ln_f.weight", K::FinalNormGain},
    {"transformer.ln_f.bias", K::FinalNormBias},
};
constexpr TensorRow kGptjOutputBias[] = {{"lm_head.bias", K::OutputMatrixBias}};

FamilyModel readGptj(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model =
        gptStack(fields, {.width = "n_embd", .heads = "n_head", .layers = "n_layer"});
    Config &config = model.config;
    fields.mustBe("scale_attn_weights", true);
    config.positions = Positions::Rotary;
    if (fields.field("rotary_dim").is(JsonValue::Kind::Null))
        fields.refuse("rotary_dim", "it is null", "use the number of rotated dimensions of a head");
    config.rotary.width = fields.size("rotary_dim", kMaxWidth, 64);
    config.norm = {NormKind::Layer, NormPosition::Before,
                   fields.positive("layer_norm_epsilon", 1e-5f), true, false};
    config.parallel = config.sharedNorm = true;
    config.feedForward = {fields.size("n_inner", kMaxFeedForwardWidth, 4 * config.width),
                          fields.activation("activation_function", "gelu_new"), false};
    if (!fields.isSound())
        return model;

    const bool isTied =
        readGptWords(fields, tensors, model, {"transformer.wte.weight", "lm_head.weight"}, false);
    tensors.read(model, kGptjParameters);
    tensors.read(model, kGptjOutputBias, isTied ? Presence::Optional : Presence::All);
    return model;
}

constexpr std::string_view kGptjTypes[] = {"gptj"};
constexpr std::string_view kGptjUnused[] = {
    "n_ctx",        "n_positions",           "rotary",           "summary_activation",
    "summary_type", "summary_first_dropout", "summary_use_proj", "summary_proj_to_labels",
};
constexpr std::string_view kGptjStored[] = {"transformer.h.*.attn.bias",
                                            "transformer.h.*.attn.masked_bias",
                                            "transformer.h.*.attn.embed_positions"};

} // namespace

const Family kGptj{
    .name = "GPT-J",
    .paper = "Wang and Komatsuzaki 2021, GPT-J-6B: A 6 Billion Parameter Autoregressive Language "
             "Model",
    .notes = "GPT-J. Its neighbouring dimensions 2i and 2i + 1 rotate together; Headlight shows "
             "them as dimensions i and i + r/2 of queries and keys",
    .modelTypes = kGptjTypes,
    .prefix = "transformer.",
    .unusedFields = kGptjUnused,
    .unusedTensors = kGptjStored,
    .read = readGptj,
};

} // namespace headlight::core
