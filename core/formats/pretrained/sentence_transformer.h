// Folders of the library sentence-transformers, whose modules.json says how a text becomes one
// vector (Reimers and Gurevych 2019, Sentence-BERT).
#pragma once

#include "core/operations/pooling.h"
#include "core/result.h"

#include <optional>
#include <stop_token>
#include <string>

namespace headlight::core {

/// The vector of a text, from the rows of the last stage before the output layer.
struct SentencePooling {
    Pooling pooling = Pooling::Mean;
    bool isUnit = false;            ///< divided by its length
    std::optional<Index> longest{}; ///< max_seq_length, in tokens: the library cuts longer texts
};

bool isSentenceTransformer(const std::string &folder);

/// Reads modules.json and the files that it names. Errors name the file and the field. Modules
/// other than a transformer, pooling and normalisation are refused, and so are poolings other than
/// the first, the last or the mean of the tokens, texts in lower case, and prompts before a text.
Result<SentencePooling> readSentencePooling(const std::string &folder, std::stop_token stop = {});

} // namespace headlight::core
