// Word vectors as word2vec and GloVe write them into text files: a word and its numbers on each
// line.
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
    std::map<std::string, std::vector<float>> words; ///< of those that were asked for
    std::vector<std::string> missing;                ///< asked for, and not in the file
};

/// Reads a file of any length line by line and keeps the vectors of `wanted` only; where
/// `ignoreCase` is set "Bank" finds "bank", and the spelling itself is preferred. word2vec's first
/// line ("count width") is allowed and checked. `progress` is told the share that has been read, 0
/// … 1, about a hundred times. Errors name the line: a width that differs from the first line's, a
/// number that is none or not finite, a line longer than any vector can be, a file that ends within
/// a vector, no vector at all; a file that cannot be read; "cancelled".
Result<WordVectors> readWordVectors(const std::string &path, const std::set<std::string> &wanted,
                                    bool ignoreCase,
                                    const std::function<void(double)> &progress = {},
                                    std::stop_token stop = {});

} // namespace headlight::core
