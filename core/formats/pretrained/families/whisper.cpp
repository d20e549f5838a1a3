// Whisper (modeling_whisper.py of transformers): BART's stack with pre-norm and keys without a
// bias. The encoder reads frames of audio through two convolutions.
#include "core/formats/pretrained/families/bart_stack.h"
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/whisper_transcript.h"

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

FamilyModel readWhisper(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = bartStack(fields, {.place = NormPosition::Before,
                                           .hasFixedPositions = false,
                                           .start = 50257,
                                           .positionsField = "max_target_positions"});
    fields.mustBe("scale_embedding", false); // transformers reads the field, but does not scale
    model.config.soundBands = fields.size("num_mel_bins", kMaxSoundBands, 80);
    model.encoderPositions = fields.size("max_source_positions", kMaxPositions);
    std::ranges::copy(startOfTranscript(fields), std::back_inserter(model.decoderStart));
    if (!fields.isSound())
        return model;
    tensors.read(model, kWhisperConvolutions);
    readStoredPositions(tensors, model);
    readBartParameters(fields, tensors, model, "proj_out.weight", false);
    return model;
}

/// Fields that determine the start of a transcript.
constexpr std::string_view kTranscriptFields[] = {"language",
                                                  "task",
                                                  "forced_decoder_ids",
                                                  "lang_to_id",
                                                  "task_to_id",
                                                  "return_timestamps",
                                                  "no_timestamps_token_id"};
constexpr std::string_view kWhisperTypes[] = {"whisper"};

} // namespace

const Family kWhisper{
    .name = "Whisper",
    .paper = "Radford et al. 2022, Robust Speech Recognition via Large-Scale Weak Supervision",
    .notes = "Whisper, in every size: [audio](#audio). `transformers` never generates some tokens "
             "(`suppress_tokens`, `begin_suppress_tokens`); Headlight may",
    .modelTypes = kWhisperTypes,
    .prefix = "model.",
    .unusedFields = kUnusedOfWhisper,
    .unusedTensors = kBartStackDuplicates,
    .generationFields = kTranscriptFields,
    .read = readWhisper,
};

} // namespace headlight::core
