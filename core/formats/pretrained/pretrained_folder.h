// A pretrained model: a folder in the format of Hugging Face's libraries, with config.json,
// safetensors and usually a tokenizer; or a GGUF file, the format of llama.cpp.
#pragma once

#include "core/formats/fields/words.h"
#include "core/formats/picture/picture_reading.h"
#include "core/formats/pretrained/family/family.h"
#include "core/formats/pretrained/sentence_transformer.h"
#include "core/formats/pretrained/tower.h"
#include "core/formats/sound/sound_reading.h"
#include "core/tokenizers/tokenizer.h"
#include "core/transformer/plan/computable.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

template <>
struct Words<Tower> {
    static constexpr std::string_view all[] = {"texts", "pictures"};
};

struct PretrainedFolder {
    std::string path; ///< path of the folder or the file
    const Family *family = nullptr;
    std::string modelType; ///< model_type in config.json, such as "gpt2"
    /// Its parameters stay in the files. The tokenizer provides its vocabulary and reads its texts.
    /// Without a tokenizer, words are ids, and a text is a list of ids.
    Model model{};
    MaskLayers masks{}, encoderMasks{}, crossMasks{}; ///< masks used in training
    std::vector<Index> decoderStart{};                ///< first token ids of every decoder text
    TokenizerPointer tokenizer{};                     ///< null: there is none
    std::optional<std::string> expression{}; ///< the user's regular expression for tokens, if set
    /// Names of the tensors that contain the embeddings and the output matrix. Equal if the
    /// matrices are tied; empty if there is none.
    std::string embeddingsTensor{}, outputTensor{};
    /// Maximum text length declared in config.json, even if texts of that length do not fit in
    /// memory. Unset if it is missing or unlimited.
    std::optional<Index> declaredPositions{};
    std::vector<std::string> numberTypes{}; ///< number types in the files: "F32", "Q4_K"
    std::uint64_t bytes = 0;                ///< total size of the tensor files
    /// Hash of the config and of the tensors' names, types, sizes and offsets. For a GGUF file,
    /// hash of the whole header.
    std::string hash;
    std::vector<Warning> warnings{}; ///< unknown fields and tensors
    /// Specifies how to compute one vector per text, or why that is impossible; unset if the folder
    /// has no modules.json.
    std::optional<Result<SentencePooling>> sentence{};
    std::optional<PicturePreparation> picture{}; ///< set if the model reads pictures, not texts
    /// The model that was read, if the folder has one for texts and one for pictures (CLIP).
    std::optional<Tower> tower{};
    std::optional<float> logitScale{};       ///< as FamilyModel::logitScale
    std::optional<SoundPreparation> sound{}; ///< set if the encoder reads audio, not texts
};
using PretrainedPointer = std::shared_ptr<const PretrainedFolder>;

/// Reads config, headers and tokenizer of a folder or a GGUF file, but no tensor values except
/// gains that are stored minus 1 (Gemma) and convolutions over audio. Reports the first error,
/// with its file and field or tensor; "cancelled" once `stop` is requested. `expression` is a
/// regular expression that matches the tokens, for a vocab.txt without a tokenizer
/// (formats/tokenizer/tokenizer_folder.h). `tower` selects the model if the folder has two.
Result<PretrainedPointer> readPretrained(const std::string &path, std::stop_token stop = {},
                                         std::optional<std::string> expression = {},
                                         Tower tower = Tower::Texts);

/// Like readPretrained(), but returns all problems and warnings.
Findings inspectPretrained(const std::string &path, std::stop_token stop = {});

/// Returns the model's input: one sequence, and a second one if the model has an encoder. The masks
/// are those used in training.
Result<Input> inputOf(const PretrainedFolder &folder, TokenizedText text,
                      std::optional<TokenizedText> source = {});

/// Returns the input of a model that reads pictures. Errors: see preparedPicture().
Result<Input> inputOf(const PretrainedFolder &folder, const Picture &picture,
                      const std::stop_token &stop = {});

/// Returns the input of a model whose encoder reads audio. `text`: the transcript so far; unset:
/// the start of one. Errors: "cancelled" once `stop` is requested.
Result<Input> inputOf(const PretrainedFolder &folder, const Sound &sound,
                      std::optional<TokenizedText> text = {}, const std::stop_token &stop = {});

/// Returns the model with a built-in picture, audio or sentence, or with the first tokens of the
/// vocabulary if it cannot read the sentence. Errors: see Computable::of(); "cancelled".
Result<Computable> firstComputable(const PretrainedFolder &folder, std::stop_token stop = {});

} // namespace headlight::core
