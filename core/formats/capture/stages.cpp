#include "core/formats/capture/stages.h"

#include <charconv>
#include <span>

namespace headlight::core {

namespace {

struct Known {
    std::string_view name;
    std::string_view axes;
};

constexpr Known kOutsideLayers[] = {
    {"embeddings", "BTE"},
    {"first_neighbours", "BTX"},
    {"first_frame", "BTC"},
    {"second_neighbours", "BTX"},
    {"second_frame", "BTC"},
    {"frame_neighbours", "BTX"},
    {"embedding_sum", "BTE"},
    {"positioned", "BTE"},
    {"embedding_projected", "BTC"},
    {"distance_embeddings", "1RC"},
    {"final_norm", "BTC"},
    {"head_input", "BTE"},
    {"uncapped_logits", "BTV"},
    {"logits", "BTV"},
    {"probabilities", "BTV"},
    {"pooled", "BC"},
    {"distillation_pooled", "BC"},
    {"cls_logits", "BK"},
    {"distillation_logits", "BK"},
    {"class_logits", "BK"},
    {"projected", "BK"},
};

constexpr Known kInLayer[] = {
    {"input", "BTC"},
    {"feed_forward.norm", "BTC"},
    {"feed_forward.router_logits", "BTN"},
    {"feed_forward.router_probabilities", "BTN"},
    {"feed_forward.router_scores", "BTN"},
    {"feed_forward.expert_weights", "BTN"},
    {"feed_forward.expert_inputs", "BTM"},
    {"feed_forward.gate", "BTF"},
    {"feed_forward.hidden", "BTF"},
    {"feed_forward.activated", "BTF"},
    {"feed_forward.expert_outputs", "BTM"},
    {"feed_forward.routed_output", "BTC"},
    {"feed_forward.shared_gate", "BTU"},
    {"feed_forward.shared_hidden", "BTU"},
    {"feed_forward.shared_activated", "BTU"},
    {"feed_forward.shared_output", "BTC"},
    {"feed_forward.output", "BTC"},
    {"feed_forward.output_norm", "BTC"},
    {"feed_forward.residual_sum", "BTC"},
    {"output", "BTC"},
};

constexpr Known kInAttention[] = {
    {"compressed_query", "BTq"},
    {"normed_compressed_query", "BTq"},
    {"compressed_key_value", "BSk"},
    {"normed_compressed_key_value", "BSk"},
    {"unrotated_shared_key", "BSs"},
    {"shared_key", "BSs"},
    {"own_key", "BGSo"},
    {"norm", "BTC"},
    {"projected_query", "BHTd"},
    {"projected_key", "BGSd"},
    {"unrotated_query", "BHTd"},
    {"unrotated_key", "BGSd"},
    {"rotated_query", "BHTd"},
    {"rotated_key", "BGSd"},
    {"untuned_query", "BHTd"},
    {"query", "BHTd"},
    {"key", "BGSd"},
    {"value", "BGSv"},
    {"scores", "BHTS"},
    {"scaled_scores", "BHTS"},
    {"capped_scores", "BHTS"},
    {"position_bias", "bHTS"},
    {"position_key", "1HRd"},
    {"position_query", "1HRd"},
    {"query_distances", "BHTR"},
    {"key_distances", "BGSR"},
    {"content_to_position", "BHTS"},
    {"position_to_content", "BHTS"},
    {"biased_scores", "BHTS"},
    {"masked_scores", "BHTS"},
    {"weights", "BHTS"},
    {"unmasked_weights", "BHTS"},
    {"sink_weights", "BHT1"},
    {"context", "BHTv"},
    {"concatenated", "BTD"},
    {"head_outputs", "BHTC"},
    {"output", "BTC"},
    {"output_norm", "BTC"},
    {"residual_sum", "BTC"},
    {"residual", "BTC"},
};

std::string_view axesOf(std::span<const Known> table, std::string_view name) {
    for (const Known &known : table)
        if (known.name == name)
            return known.axes;
    return {};
}

bool takePrefix(std::string_view &text, std::string_view prefix) {
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::optional<CaptureStage> shortName(std::string_view name, bool twoStacks) {
    struct Short {
        std::string_view prefix, before, after;
        Reads rows, columns;
    };
    const Short all[] = {
        {"attentions.", "", ".self_attention.weights", Reads::Target, Reads::Target},
        {"encoder_attentions.", "encoder.", ".self_attention.weights", Reads::Source,
         Reads::Source},
        {"decoder_attentions.", "decoder.", ".self_attention.weights", Reads::Target,
         Reads::Target},
        {"cross_attentions.", twoStacks ? "decoder." : "", ".cross_attention.weights",
         Reads::Target, Reads::Source},
    };
    for (const Short &one : all) {
        std::string_view rest = name;
        if (!takePrefix(rest, one.prefix))
            continue;
        const auto layer = takeLayer(rest);
        if (!layer || !rest.empty())
            return std::nullopt;
        return CaptureStage{std::string(one.before) + "layers." + std::to_string(*layer) +
                                std::string(one.after),
                            "BHTS",
                            one.rows,
                            one.columns,
                            *layer,
                            true,
                            {}};
    }
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> takeLayer(std::string_view &text) {
    std::int64_t layer = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), layer);
    const auto digits = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || text.front() == '-' || digits > 4 || (digits > 1 && text[0] == '0'))
        return std::nullopt;
    text.remove_prefix(digits);
    return layer;
}

bool isOfTwoStacks(std::string_view name) {
    return name.starts_with("encoder") || name.starts_with("decoder");
}

std::optional<CaptureStage> captureStage(std::string_view name, bool twoStacks) {
    if (auto stage = shortName(name, twoStacks))
        return stage;
    CaptureStage stage{std::string(name), {}, Reads::Target, Reads::Target, -1, false, {}};
    std::string_view rest = name;
    if (takePrefix(rest, "encoder.") || takePrefix(rest, "source."))
        stage.rows = stage.columns = Reads::Source;
    else
        takePrefix(rest, "decoder.");
    if (!takePrefix(rest, "layers.")) {
        stage.axes = axesOf(kOutsideLayers, rest);
    } else if (const auto layer = takeLayer(rest); layer && takePrefix(rest, ".")) {
        stage.layer = *layer;
        if (takePrefix(rest, "self_attention.")) {
            stage.axes = axesOf(kInAttention, rest);
        } else if (takePrefix(rest, "cross_attention.")) {
            stage.columns = Reads::Source;
            stage.axes = axesOf(kInAttention, rest);
        } else {
            stage.axes = axesOf(kInLayer, rest);
        }
    }
    if (stage.axes.empty())
        return std::nullopt;
    return stage;
}

} // namespace headlight::core
