// Whisper (modeling_whisper.py of transformers): BART's stack with pre-norm and keys without a
// bias. The encoder reads frames of a sound through two convolutions.
#include "core/formats/pretrained/families/bart_stack.h"
#include "core/formats/pretrained/families/families.h"

#include <algorithm>
#include <iterator>

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kWhisperConvolutions[] = {
    {"encoder.conv1.weight", K::FrameConvolution, kOfEncoder},
    {"encoder.conv1.bias", K::FrameConvolutionBias, kOfEncoder},
    {"encoder.conv2.weight", K::EmbeddingProjection, kOfEncoder},
    {"encoder.conv2.bias", K::EmbeddingProjectionBias, kOfEncoder},
};
constexpr std::string_view kUnusedOfWhisper[] = {"init_std",
                                                 "encoder_layerdrop",
                                                 "decoder_layerdrop",
                                                 "num_hidden_layers",
                                                 "max_target_positions",
                                                 "apply_spec_augment",
                                                 "classifier_proj_size",
                                                 "use_weighted_layer_sum",
                                                 "mask_feature_length",
                                                 "mask_feature_min_masks",
                                                 "mask_feature_prob",
                                                 "mask_time_length",
                                                 "mask_time_min_masks",
                                                 "mask_time_prob",
                                                 "median_filter_width",
                                                 "alignment_heads",
                                                 "lang_to_id",
                                                 "task_to_id",
                                                 "no_timestamps_token_id",
                                                 "forced_decoder_ids"};

/// Returns the tokens that generate() puts before a transcript. In a model of several languages,
/// these are English and "transcribe"; others can declare forced_decoder_ids. The last one is "no
/// timestamps", if the model has it.
std::vector<Index> tokensOfTranscript(const FamilyFields &fields) {
    std::vector<Index> ids;
    const auto add = [&](const Field &field) {
        if (!field.present() || field.is(JsonValue::Kind::Null))
            return;
        if (const auto id = field.whole(0, kMaxVocabulary))
            ids.push_back(*id);
    };
    const auto addNamed = [&](const char *object, std::string_view name) {
        const Field named = fields.field(object);
        if (!fields.has(object) || !named.isObject())
            return;
        for (const JsonMember &member : named.value().members())
            if (member.name == name) // entry(), because the other names are known as well
                add(named.entry(member));
    };
    if (fields.has("lang_to_id")) {
        addNamed("lang_to_id", "<|en|>");
        addNamed("task_to_id", "transcribe");
    } else if (const Field forced = fields.field("forced_decoder_ids");
               fields.has("forced_decoder_ids") && forced.isArray()) {
        for (std::size_t i = 0; i < forced.size() && i < 16; ++i)
            if (const Field pair = forced.element(i); pair.isArray() && pair.size() == 2)
                add(pair.element(1));
    }
    add(fields.field("no_timestamps_token_id"));
    if (ids.size() > 1 && ids.back() == ids[ids.size() - 2]) // forced_decoder_ids has it as well
        ids.pop_back();
    return ids;
}

FamilyModel readWhisper(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = bartStack(fields, {.place = NormPosition::Before,
                                           .hasFixedPositions = false,
                                           .start = 50257,
                                           .positionsField = "max_target_positions"});
    fields.mustBe("scale_embedding", false); // transformers reads the field, but does not scale
    model.config.soundBands = fields.size("num_mel_bins", kMaxSoundBands, 80);
    model.encoderPositions = fields.size("max_source_positions", kMaxPositions);
    std::ranges::copy(tokensOfTranscript(fields), std::back_inserter(model.decoderStart));
    if (!fields.isSound())
        return model;
    tensors.read(model, kWhisperConvolutions);
    readStoredPositions(tensors, model);
    readBartParameters(fields, tensors, model, "proj_out.weight", false);
    return model;
}

/// How a transcript starts.
constexpr std::string_view kTranscriptFields[] = {"forced_decoder_ids", "lang_to_id", "task_to_id",
                                                  "no_timestamps_token_id"};
constexpr std::string_view kWhisperTypes[] = {"whisper"};

} // namespace

const Family kWhisper{
    .name = "Whisper",
    .paper = "Radford et al. 2022, Robust Speech Recognition via Large-Scale Weak Supervision",
    .notes =
        "Whisper, in every size: [sounds](#sounds). `transformers` never generates some tokens "
        "(`suppress_tokens`, `begin_suppress_tokens`); Headlight may",
    .modelTypes = kWhisperTypes,
    .prefix = "model.",
    .unusedFields = kUnusedOfWhisper,
    .unusedTensors = kBartStackDuplicates,
    .generationFields = kTranscriptFields,
    .read = readWhisper,
};

} // namespace headlight::core
