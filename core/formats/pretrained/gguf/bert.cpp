// BERT without its output layers, which llama.cpp's converter drops.
#include "core/formats/pretrained/gguf/architecture.h"

namespace headlight::core {

namespace {

constexpr GgufField kBertKeys[] = {
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.layer_norm_epsilon", "layer_norm_eps", GgufField::Kind::Real},
};
constexpr std::string_view kBertUnusedKeys[] = {"vocab_size", "context_length", "pooling_type"};

constexpr GgufTensorName kBertTensorNames[] = {
    {"token_embd.weight", "bert.embeddings.word_embeddings.weight"},
    {"position_embd.weight", "bert.embeddings.position_embeddings.weight"},
    {"token_types.weight", "bert.embeddings.token_type_embeddings.weight"},
    {"token_embd_norm.weight", "bert.embeddings.LayerNorm.weight"},
    {"token_embd_norm.bias", "bert.embeddings.LayerNorm.bias"},
    {"blk.{}.attn_q.weight", "bert.encoder.layer.{}.attention.self.query.weight"},
    {"blk.{}.attn_q.bias", "bert.encoder.layer.{}.attention.self.query.bias"},
    {"blk.{}.attn_k.weight", "bert.encoder.layer.{}.attention.self.key.weight"},
    {"blk.{}.attn_k.bias", "bert.encoder.layer.{}.attention.self.key.bias"},
    {"blk.{}.attn_v.weight", "bert.encoder.layer.{}.attention.self.value.weight"},
    {"blk.{}.attn_v.bias", "bert.encoder.layer.{}.attention.self.value.bias"},
    {"blk.{}.attn_output.weight", "bert.encoder.layer.{}.attention.output.dense.weight"},
    {"blk.{}.attn_output.bias", "bert.encoder.layer.{}.attention.output.dense.bias"},
    {"blk.{}.attn_output_norm.weight", "bert.encoder.layer.{}.attention.output.LayerNorm.weight"},
    {"blk.{}.attn_output_norm.bias", "bert.encoder.layer.{}.attention.output.LayerNorm.bias"},
    {"blk.{}.ffn_up.weight", "bert.encoder.layer.{}.intermediate.dense.weight"},
    {"blk.{}.ffn_up.bias", "bert.encoder.layer.{}.intermediate.dense.bias"},
    {"blk.{}.ffn_down.weight", "bert.encoder.layer.{}.output.dense.weight"},
    {"blk.{}.ffn_down.bias", "bert.encoder.layer.{}.output.dense.bias"},
    {"blk.{}.layer_output_norm.weight", "bert.encoder.layer.{}.output.LayerNorm.weight"},
    {"blk.{}.layer_output_norm.bias", "bert.encoder.layer.{}.output.LayerNorm.bias"},
};

void addFieldsOfBert(GgufConfig &config) {
    addVocabularySize(config, "vocab_size");
    addPositionCount(config, "max_position_embeddings");
    config.place("type_vocab_size", "token_types.weight");
    if (const GgufTensor *types = config.file().find("token_types.weight"))
        config.set("type_vocab_size", static_cast<double>(types->shape[0]));
    if (config.flag("attention.causal").value_or(false))
        config.fail("attention.causal", "its queries would not see later keys",
                    "Headlight computes BERT without a causal mask");
    config.note("the file does not name its activation; Headlight computes the exact GELU, as in "
                "Hugging Face's BERT");
}

} // namespace

const GgufArchitecture kGgufBert{
    .name = "bert",
    .modelType = "bert",
    .notes = "BERT without its output layers, which the converter leaves out. The file does not "
             "name its activation: Headlight takes the exact GELU, as in Hugging Face's BERT, "
             "and says so in a warning; llama.cpp takes its tanh approximation",
    .fields = kBertKeys,
    .tensors = kBertTensorNames,
    .unusedTensors = {},
    .unusedKeys = kBertUnusedKeys,
    .addFields = addFieldsOfBert,
};

} // namespace headlight::core
