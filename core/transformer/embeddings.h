// Static embeddings: a word's vector, the same wherever the word stands.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Words with given vectors; any other word gets one from the seed and its own spelling.
class Embeddings {
  public:
    struct Given {
        Index width = 0;                                 ///< C
        std::map<std::string, std::vector<float>> words; ///< each of `width` numbers
        std::uint64_t seed = 0;
        float deviation =
            1; ///< standard deviation of the vectors from the seed; 0: other words are zero
        bool ignoreCase = false; ///< "Bank" and "bank" are one word
    };

    explicit Embeddings(Given given);

    /// Words that differ only in how Unicode spells them (composed or not), or in case where that
    /// is ignored, are one.
    std::vector<float> vectorOf(std::string_view word) const;
    /// True where the word's vector was given, not made from the seed.
    bool isGiven(std::string_view word) const;
    /// True for two spellings of one word.
    bool isSameWord(std::string_view a, std::string_view b) const { return keyOf(a) == keyOf(b); }
    const Given &given() const { return m_given; }

  private:
    std::string keyOf(std::string_view word) const;

    Given m_given;
    std::map<std::string, std::vector<float>> m_byKey;
};

using EmbeddingsPointer = std::shared_ptr<const Embeddings>;

} // namespace headlight::core
