// Code shared by the readers of folders and of GGUF files.
#pragma once

#include "core/formats/pretrained/pretrained_folder.h"

#include <functional>

namespace headlight::core {

/// A model's config and tensors, in any file format.
struct PretrainedParts {
    const Family &family;
    const JsonValue &config; ///< in the form of config.json
    const TensorSource &tensors;
    /// Returns the position of a field of `config` in the files, for messages.
    std::function<std::string(const std::string &field)> whereOf;
};

/// Fills the model of `folder` and everything that follows from its config. If there are no
/// problems, the model is complete except for its vocabulary.
void readParts(const PretrainedParts &parts, PretrainedFolder &folder, Findings &findings,
               const std::stop_token &stop);

/// Returns a vocabulary with a word for each row of the embeddings; null if there are no
/// embeddings. `tokenizer` may be null.
Result<VocabularyPointer> wordsFor(const Tokenizer *tokenizer, const Parameter &embeddings);

/// Adds a warning unless there are already kMaxProblems.
void addWarning(Findings &findings, Message what, std::string where);

/// FNV-1a (Fowler, Noll and Vo): detects changed files, but not deliberate collisions.
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
