// A folder with a pretrained model, as Hugging Face's libraries write it: config.json, safetensors
// and, mostly, a tokenizer.
#pragma once

#include "core/formats/pretrained/family.h"
#include "core/tokenizers/tokenizer.h"
#include "core/transformer/model/model.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

struct PretrainedFolder {
    std::string path;
    const Family *family = nullptr;
    std::string modelType; ///< as config.json has it: "gpt2"
    /// Its parameters stay in the files. It knows the words of the tokenizer, or ids as words.
    Model model{};
    MaskLayers masks{}, encoderMasks{}, crossMasks{}; ///< that the model was trained with
    std::optional<Index> decoderStart{};              ///< what every text of a decoder begins with
    TokenizerPointer tokenizer{};                     ///< null: there is none
    TokenizerPointer targetTokenizer{}; ///< of a decoder with words of its own; null: the same
    std::uint64_t bytes = 0;            ///< of the files with tensors
    std::string hash; ///< of config.json and of the tensors' names, types, sizes and places
    std::vector<Warning> warnings{}; ///< fields and tensors that Headlight does not know

    /// Of the texts that the stack reads; null: ids alone can be given.
    const Tokenizer *tokenizerOf(Stack stack) const;
};
using PretrainedPointer = std::shared_ptr<const PretrainedFolder>;

/// A folder with a config.json, or with weights: not one with a tokenizer alone.
bool looksPretrained(const std::string &path);

/// Errors name the file and the field or tensor, the first of them. "cancelled" once `stop` is
/// requested. Takes as long as config, headers and tokenizer do: no number of a tensor is read.
Result<PretrainedPointer> readPretrained(const std::string &path, std::stop_token stop = {});

/// All that is wrong with it, and what is odd.
Findings inspectPretrained(const std::string &path, std::stop_token stop = {});

/// The tokens of a text that a stack reads, with those that its texts begin and end with; of a
/// decoder what it has written so far: its first token, then the text without an end. Errors: the
/// tokenizer's, or that there is none.
Result<TokenizedText> tokenized(const PretrainedFolder &folder, Stack stack, std::string_view text,
                                std::stop_token stop = {});

/// What the model reads: one sequence, and a second one where it has an encoder. Its masks are
/// those that it was trained with.
Result<Input> inputOf(const PretrainedFolder &folder, TokenizedText text,
                      std::optional<TokenizedText> source = {});

/// A sentence to begin with, or where that cannot be said in its tokens, its first few ones.
Result<Input> firstInput(const PretrainedFolder &folder, std::stop_token stop = {});

} // namespace headlight::core
