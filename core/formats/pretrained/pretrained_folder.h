// A folder with a pretrained model, as Hugging Face's libraries write it: config.json, safetensors
// and, mostly, a tokenizer.
#pragma once

#include "core/formats/pretrained/family/family.h"
#include "core/tokenizers/tokenizer.h"
#include "core/transformer/model/model.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

struct PretrainedFolder {
    std::string path;
    const Family *family = nullptr;
    std::string modelType; ///< as config.json has it: "gpt2"
    /// Its parameters stay in the files. Its words are those of the tokenizer, which reads its
    /// texts; without one they are ids, and a text is a list of them.
    Model model{};
    MaskLayers masks{}, encoderMasks{}, crossMasks{}; ///< that the model was trained with
    std::vector<Index> decoderStart{};                ///< what every text of a decoder begins with
    TokenizerPointer tokenizer{};                     ///< null: there is none
    std::optional<std::string> expression{};          ///< what a token is, where somebody said it
    /// The tensors that the words' vectors and the output matrix are read from: the same one where
    /// they are tied, under the name that the file has. Empty: there is none.
    std::string embeddingsTensor{}, outputTensor{};
    /// How many tokens its config.json says that it reads at most, whatever fits into memory here;
    /// none: it says nothing, or a text may have any length.
    std::optional<Index> positionsSaid{};
    std::uint64_t bytes = 0; ///< of the files with tensors
    std::string hash;        ///< of config.json and of the tensors' names, types, sizes and places
    std::vector<Warning> warnings{}; ///< fields and tensors that Headlight does not know
};
using PretrainedPointer = std::shared_ptr<const PretrainedFolder>;

/// A folder with a config.json, or with weights: not one with a tokenizer alone.
bool looksPretrained(const std::string &path);

/// Errors name the file and the field or tensor, the first of them. "cancelled" once `stop` is
/// requested. Takes as long as config, headers and tokenizer do: no number of a tensor is read.
/// `expression`: a regular one whose matches are the tokens, for a vocab.txt that comes without its
/// tokenizer (formats/tokenizer/tokenizer_folder.h).
Result<PretrainedPointer> readPretrained(const std::string &path, std::stop_token stop = {},
                                         std::optional<std::string> expression = {});

/// All that is wrong with it, and what is odd.
Findings inspectPretrained(const std::string &path, std::stop_token stop = {});

/// What the model would read: one sequence, and a second one where it has an encoder. Its masks are
/// those that it was trained with.
Result<Input> inputOf(const PretrainedFolder &folder, TokenizedText text,
                      std::optional<TokenizedText> source = {});

/// A sentence to begin with, or where that cannot be said in its tokens, its first few ones.
Result<Input> firstInput(const PretrainedFolder &folder, std::stop_token stop = {});

} // namespace headlight::core
