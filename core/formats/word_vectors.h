// Word vectors in the text format of word2vec and GloVe: each line has a word and its numbers.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

struct WordVectors {
    Index width = 0;
    std::map<std::string, std::vector<float>> words; ///< the requested vectors that were found
    std::vector<std::string> missing;                ///< requested words that are not in the file
};

/// Reads a file of any size line by line and keeps only the vectors of `wanted`. With `ignoreCase`,
/// "Bank" matches "bank", but the exact spelling has priority. Accepts and checks word2vec's header
/// line ("count width"). Calls `progress` about a hundred times with the fraction read, 0 … 1.
/// Errors name the line: a width that differs from the first line's, an invalid, NaN or infinite
/// number, a line longer than any vector, an incomplete vector at the end, no vector at all; a file
/// that cannot be read; "cancelled".
Result<WordVectors> readWordVectors(const std::string &path, const std::set<std::string> &wanted,
                                    bool ignoreCase,
                                    const std::function<void(double)> &progress = {},
                                    std::stop_token stop = {});

} // namespace headlight::core
