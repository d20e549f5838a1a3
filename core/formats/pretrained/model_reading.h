// Shared code of the readers of folders and GGUF files with pretrained models.
#pragma once

#include "core/formats/pretrained/pretrained_folder.h"

#include <functional>

namespace headlight::core {

/// A model's config and tensors, whatever files they are in.
struct PretrainedParts {
    const Family &family;
    const JsonValue &config; ///< as in config.json
    const TensorSource &tensors;
    /// Returns the place of a field of `config`, for messages.
    std::function<std::string(const std::string &field)> whereOf;
};

/// Fills the model of `folder` and what follows from its config. Without problems, the model is
/// complete except for its vocabulary.
void readParts(const PretrainedParts &parts, PretrainedFolder &folder, Findings &findings,
               const std::stop_token &stop);

/// Returns the vocabulary of a matrix of embeddings: null if there is none. `tokenizer` may be
/// null.
Result<VocabularyPointer> wordsFor(const Tokenizer *tokenizer, const Parameter &embeddings);

/// Adds a warning, unless there are kMaxProblems.
void addWarning(Findings &findings, Message what, std::string where);

/// FNV-1a (Fowler, Noll and Vo): detects another file, but not an attack.
class ModelHash {
  public:
    void add(std::string_view bytes) {
        for (const char byte : bytes)
            m_state = (m_state ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
    }
    std::string text() const;

  private:
    std::uint64_t m_state = 0xCBF29CE484222325u;
};

} // namespace headlight::core
