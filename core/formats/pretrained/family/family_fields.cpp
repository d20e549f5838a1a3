#include "core/formats/pretrained/family/family_fields.h"

#include <algorithm>
#include <array>

namespace headlight::core {

namespace {

struct NamedActivation {
    std::string_view name;
    Activation activation;
};

/// Names from transformers' activations.py.
constexpr NamedActivation kActivationNames[] = {
    {"relu", Activation::Relu},
    {"gelu", Activation::Gelu},
    {"gelu_python", Activation::Gelu},
    {"gelu_new", Activation::GeluTanh},
    {"gelu_pytorch_tanh", Activation::GeluTanh},
    {"gelu_fast", Activation::GeluTanh}, // the same function, only computed in another order
    {"gelu_accurate", Activation::GeluTanh},
    {"quick_gelu", Activation::QuickGelu},
    {"silu", Activation::Silu},
    {"swish", Activation::Silu},
    {"relu2", Activation::SquaredRelu},
};

constexpr std::string_view kUnused[] = {"_name_or_path",
                                        "_commit_hash",
                                        "_attn_implementation_autoset",
                                        "architectures",
                                        "auto_map",
                                        "model_type",
                                        "transformers_version",
                                        "transformers.js_config",
                                        "torch_dtype",
                                        "dtype",
                                        "torchscript",
                                        "use_bfloat16",
                                        "use_cache",
                                        "return_dict",
                                        "output_attentions",
                                        "output_hidden_states",
                                        "output_past",
                                        "output_router_logits",
                                        "router_aux_loss_coef",
                                        "router_jitter_noise",
                                        "gradient_checkpointing",
                                        "initializer_range",
                                        "tf_legacy_loss",
                                        "license",
                                        "finetuning_task",
                                        "task_specific_params",
                                        "problem_type",
                                        "id2label",
                                        "label2id",
                                        "num_labels",
                                        "_num_labels",
                                        "bos_token_id",
                                        "eos_token_id",
                                        "eos_token_ids",
                                        "pad_token_id",
                                        "unk_token_id",
                                        "sep_token_id",
                                        "cls_token_id",
                                        "mask_token_id",
                                        "decoder_start_token_id",
                                        "forced_bos_token_id",
                                        "forced_eos_token_id",
                                        "is_encoder_decoder",
                                        "is_decoder",
                                        "tokenizer_class",
                                        "prefix",
                                        "max_length",
                                        "min_length",
                                        "do_sample",
                                        "early_stopping",
                                        "num_beams",
                                        "num_beam_groups",
                                        "diversity_penalty",
                                        "temperature",
                                        "top_k",
                                        "top_p",
                                        "typical_p",
                                        "repetition_penalty",
                                        "length_penalty",
                                        "no_repeat_ngram_size",
                                        "encoder_no_repeat_ngram_size",
                                        "bad_words_ids",
                                        "num_return_sequences",
                                        "chunk_size_feed_forward",
                                        "output_scores",
                                        "return_dict_in_generate",
                                        "remove_invalid_values",
                                        "exponential_decay_length_penalty",
                                        "suppress_tokens",
                                        "begin_suppress_tokens",
                                        "pretraining_tp",
                                        "attention_dropout",
                                        "hidden_dropout",
                                        "classifier_dropout",
                                        "embd_pdrop",
                                        "attn_pdrop",
                                        "resid_pdrop",
                                        "embed_dropout",
                                        "resid_dropout",
                                        "attention_probs_dropout_prob",
                                        "hidden_dropout_prob",
                                        "dropout",
                                        "activation_dropout",
                                        "layerdrop",
                                        "dropout_rate",
                                        "model_max_length",
                                        "quantization"};

} // namespace

const std::span<const std::string_view> kUnusedFields = kUnused;

Index FamilyFields::size(const char *name, Index maximum) const {
    return m_root.member(name).whole(1, maximum).value_or(1);
}

Index FamilyFields::size(const char *name, Index maximum, Index otherwise) const {
    return has(name) ? size(name, maximum) : otherwise;
}

Index FamilyFields::headSize(Index width, const char *headsField, Index heads) const {
    if (width % heads != 0)
        refuse(headsField, {"%1 dimensions cannot be divided among %2 heads", width, heads},
               "the width must be a multiple of it");
    return std::max<Index>(1, width / heads);
}

std::vector<Index> FamilyFields::windows(const char *name, Index layers, Index window,
                                         const std::function<bool(Index layer)> &hasWindow) const {
    const Field list = m_root.member(name);
    const bool isList = isSet(list) && list.isArray();
    if (isList && static_cast<Index>(list.size()) != layers)
        refuse(name, {"it has entries for %1 layers, but there are %2", list.size(), layers},
               "it must have one entry for each");
    std::vector<Index> windows;
    for (Index layer = 0; layer < layers; ++layer) {
        bool isWindowed = !isList && hasWindow(layer);
        if (isList && layer < static_cast<Index>(list.size())) {
            const Field word = list.element(static_cast<std::size_t>(layer));
            isWindowed = word.word({"full_attention", "sliding_attention"}) == 1;
            if (isWindowed && window == 0)
                word.fail("it has a window, but no field specifies its width",
                          "set use_sliding_window and sliding_window");
        }
        windows.push_back(isWindowed ? window : 0);
    }
    if (std::ranges::all_of(windows, [](Index width) { return width == 0; }))
        windows.clear();
    return windows;
}

std::optional<Index> FamilyFields::id(const char *name) const {
    return has(name) ? m_root.member(name).whole(0, kMaxVocabulary) : std::nullopt;
}

float FamilyFields::positive(const char *name, float otherwise) const {
    return has(name) ? m_root.member(name).positive().value_or(otherwise) : otherwise;
}

Softcap FamilyFields::softcap(const char *name, Softcap otherwise) const {
    if (!m_root.member(name).present())
        return otherwise;
    return {has(name) ? positive(name, 0) : 0};
}

bool FamilyFields::flag(const char *name, bool otherwise) const {
    return has(name) ? m_root.member(name).boolean().value_or(otherwise) : otherwise;
}

std::optional<bool> FamilyFields::optionalFlag(const char *name) const {
    return has(name) ? m_root.member(name).boolean() : std::nullopt;
}

std::string FamilyFields::text(const char *name, const char *otherwise) const {
    return has(name) ? m_root.member(name).text().value_or(otherwise) : otherwise;
}

Activation FamilyFields::activation(const char *name, const char *otherwise) const {
    const std::string word = text(name, otherwise);
    const auto found = std::ranges::find(kActivationNames, word, &NamedActivation::name);
    if (found != std::end(kActivationNames))
        return found->activation;
    std::array<std::string_view, std::size(kActivationNames)> names{};
    std::ranges::transform(kActivationNames, names.begin(), &NamedActivation::name);
    (void)m_root.member(name).word(names); // reports the valid names
    return Activation::Relu;
}

void FamilyFields::mustBe(const char *name, bool value) const {
    if (flag(name, value) != value)
        m_root.member(name).expected(value ? "true" : "false",
                                     "Headlight does not support other values");
}

void FamilyFields::mustBeOneOf(const char *name,
                               std::initializer_list<std::string_view> words) const {
    if (has(name))
        (void)m_root.member(name).word(words);
}

void FamilyFields::refusePrunedHeads() const {
    if (has("pruned_heads") && field("pruned_heads").size() > 0)
        refuse("pruned_heads", "some layers have pruned heads",
               "Headlight needs the same number of heads in every layer");
}

void FamilyFields::ignore(std::span<const std::string_view> names) const {
    for (const std::string_view name : names)
        (void)m_root.member(std::string(name));
}

} // namespace headlight::core
