// Reads arbitrary bytes as a file of word vectors. Expects an error with a message, or vectors of
// one width for some words and the names of the missing ones.
#include "core/formats/word_vectors.h"
#include "tests/fuzz/bytes_as_file.h"

#include <cmath>

using namespace headlight::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::set<std::string> wanted{"cat", "Mat", "the", "\xC3\xA9"};
    for (const bool ignoreCase : {false, true}) {
        const auto read = readWordVectors(bytesAsFile(data, size), wanted, ignoreCase);
        if (!read) {
            if (read.error().what.empty())
                std::abort();
            continue;
        }
        if (read->width <= 0 || read->words.size() + read->missing.size() != wanted.size())
            std::abort();
        for (const auto &[word, vector] : read->words) {
            if (!wanted.contains(word) || static_cast<Index>(vector.size()) != read->width)
                std::abort();
            for (const float number : vector)
                if (!std::isfinite(number))
                    std::abort();
        }
    }
    return 0;
}
