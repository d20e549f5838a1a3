// TransformerLens' names of the stages.
// https://transformerlensorg.github.io/TransformerLens/generated/code/transformer_lens.components.html
#include "core/formats/capture/stages.h"

namespace headlight::core {

namespace {

struct Hook {
    std::string_view name; ///< name after "blocks.0."
    std::string_view stage, axes, fileAxes;
    /// If the file also has this hook in the block, `name` means `thenStage` instead.
    std::string_view beside{}, thenStage{};
};

// In queries, keys, values and contexts, the head axis follows the token axis. Scores are hooked
// after scaling and masking.
constexpr Hook kHooks[] = {
    {"hook_resid_pre", "input", "BTC", "BTC"},
    {"attn.hook_q", "self_attention.query", "BHTd", "BTHd", "attn.hook_rot_q",
     "self_attention.unrotated_query"},
    {"attn.hook_k", "self_attention.key", "BGSd", "BSGd", "attn.hook_rot_k",
     "self_attention.unrotated_key"},
    {"attn.hook_rot_q", "self_attention.query", "BHTd", "BTHd"},
    {"attn.hook_rot_k", "self_attention.key", "BGSd", "BSGd"},
    {"attn.hook_v", "self_attention.value", "BGSv", "BSGv"},
    {"attn.hook_attn_scores", "self_attention.masked_scores", "BHTS", "BHTS"},
    {"attn.hook_pattern", "self_attention.weights", "BHTS", "BHTS"},
    {"attn.hook_z", "self_attention.context", "BHTv", "BTHv"},
    {"attn.hook_result", "self_attention.head_outputs", "BHTC", "BTHC"},
    {"hook_attn_out", "self_attention.output", "BTC", "BTC", "ln1_post.hook_normalized",
     "self_attention.output_norm"},
    {"hook_resid_mid", "self_attention.residual", "BTC", "BTC", "hook_normalized_resid_post",
     "self_attention.residual_sum"},
    {"mlp.hook_pre", "feed_forward.hidden", "BTF", "BTF", "mlp.hook_pre_linear",
     "feed_forward.gate"},
    {"mlp.hook_pre_linear", "feed_forward.hidden", "BTF", "BTF"},
    {"mlp.hook_post", "feed_forward.activated", "BTF", "BTF"},
    {"hook_mlp_out", "feed_forward.output", "BTC", "BTC", "ln2_post.hook_normalized",
     "feed_forward.output_norm"},
    {"hook_resid_post", "output", "BTC", "BTC", "hook_normalized_resid_post",
     "feed_forward.residual_sum"},
    {"hook_normalized_resid_post", "output", "BTC", "BTC"},
};

} // namespace

std::optional<CaptureStage> transformerLensStage(std::string_view name, const HasName &has) {
    if (name == "hook_embed")
        return CaptureStage{"embeddings", "BTE", Reads::Target, Reads::Target, -1, true, "BTE"};
    constexpr std::string_view kBlocks = "blocks.";
    std::string_view rest = name;
    if (!rest.starts_with(kBlocks))
        return std::nullopt;
    rest.remove_prefix(kBlocks.size());
    const auto layer = rest.empty() ? std::nullopt : takeLayer(rest);
    if (!layer || !rest.starts_with('.'))
        return std::nullopt;
    rest.remove_prefix(1);
    const std::string number = std::to_string(*layer);
    for (const Hook &hook : kHooks) {
        if (hook.name != rest)
            continue;
        const bool isOther = !hook.beside.empty() &&
                             has(std::string(kBlocks) + number + "." + std::string(hook.beside));
        return CaptureStage{"layers." + number + "." +
                                std::string(isOther ? hook.thenStage : hook.stage),
                            hook.axes,
                            Reads::Target,
                            Reads::Target,
                            *layer,
                            true,
                            hook.fileAxes};
    }
    return std::nullopt;
}

} // namespace headlight::core
