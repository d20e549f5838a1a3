// Static embeddings: each word has one vector, independent of its context.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Given word vectors. The vector of any other word is derived from the seed and its spelling.
class Embeddings {
  public:
    struct Given {
        Index width = 0;                                 ///< C
        std::map<std::string, std::vector<float>> words; ///< vectors of `width` numbers
        std::uint64_t seed = 0;
        /// Standard deviation of the vectors derived from the seed. 0: these are zero.
        float deviation = 1;
        bool ignoreCase = false; ///< "Bank" and "bank" are one word
    };

    explicit Embeddings(Given given);
    /// Overrides or adds the vectors of some words of `below`. Takes time proportional to `words`
    /// only.
    Embeddings(std::shared_ptr<const Embeddings> below,
               std::map<std::string, std::vector<float>> words);

    /// Returns the word's vector. Ignores differences of Unicode composition, and of case if
    /// ignoresCase().
    std::vector<float> vectorOf(std::string_view word) const;
    /// True if the word's vector was given, not derived from the seed.
    bool isGiven(std::string_view word) const;
    /// True if both are spellings of the same word.
    bool isSameWord(std::string_view a, std::string_view b) const { return keyOf(a) == keyOf(b); }
    Index width() const { return m_width; }
    bool ignoresCase() const { return m_ignoreCase; }
    /// Returns all given vectors. If this overrides other embeddings, merges them on the first
    /// call.
    const Given &given() const;

  private:
    std::string keyOf(std::string_view word) const;
    const std::vector<float> *find(const std::string &key) const;
    void note(const std::map<std::string, std::vector<float>> &words);

    Index m_width;
    bool m_ignoreCase;
    std::shared_ptr<const Embeddings> m_below;                 // may be null
    std::map<std::string, std::vector<float>> m_over;          // overrides of m_below
    std::map<std::string, const std::vector<float> *> m_byKey; // pointers into m_over or m_given
    mutable std::once_flag m_together;
    mutable Given m_given; // merged on demand if m_below is set
};

using EmbeddingsPointer = std::shared_ptr<const Embeddings>;

} // namespace headlight::core
