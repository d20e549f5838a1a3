// Folders of the library sentence-transformers, whose modules.json specifies how to compute one
// vector per text (Reimers and Gurevych 2019, Sentence-BERT).
#pragma once

#include "core/operations/pooling.h"
#include "core/result.h"

#include <optional>
#include <stop_token>
#include <string>

namespace headlight::core {

/// Specifies how to compute the vector of a text from the rows of the last stage before the output
/// layer.
struct SentencePooling {
    Pooling pooling = Pooling::Mean;
    bool isUnit = false;            ///< the vector is divided by its length
    std::optional<Index> longest{}; ///< max_seq_length in tokens; the library cuts longer texts
};

bool isSentenceTransformer(const std::string &folder);

/// Reads modules.json and the files that it names. Errors name the file and the field: modules
/// other than a transformer, pooling and normalisation; pooling other than the first token, the
/// last token or the mean; lower-casing; prompts before a text.
Result<SentencePooling> readSentencePooling(const std::string &folder, std::stop_token stop = {});

} // namespace headlight::core
