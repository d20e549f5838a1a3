// Static embeddings: each word has one vector, independent of the context.
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

/// Word vectors. A word without a given vector has one that is derived from the seed and the
/// spelling.
class Embeddings {
  public:
    struct Given {
        Index width = 0;                                 ///< C
        std::map<std::string, std::vector<float>> words; ///< vectors of `width` values
        std::uint64_t seed = 0;
        /// Standard deviation of vectors that are derived from the seed. 0: these vectors are zero.
        float deviation = 1;
        bool ignoreCase = false; ///< true: "Bank" and "bank" are the same word
    };

    explicit Embeddings(Given given);
    /// Starts from `below`, and adds or replaces the vectors of `words`. Takes time proportional to
    /// the number of `words`.
    Embeddings(std::shared_ptr<const Embeddings> below,
               std::map<std::string, std::vector<float>> words);

    /// Returns the vector of the word. Ignores differences in Unicode composition, and in case if
    /// ignoresCase().
    std::vector<float> vectorOf(std::string_view word) const;
    /// True if the vector of the word was given, not derived from the seed.
    bool isGiven(std::string_view word) const;
    /// True if both are spellings of the same word.
    bool isSameWord(std::string_view a, std::string_view b) const { return keyOf(a) == keyOf(b); }
    Index width() const { return m_width; }
    bool ignoresCase() const { return m_ignoreCase; }
    /// Returns all given vectors. If these embeddings override others, merges both on the first
    /// call.
    const Given &given() const;

  private:
    std::string keyOf(std::string_view word) const;
    const std::vector<float> *find(const std::string &key) const;
    void note(const std::map<std::string, std::vector<float>> &words);

    Index m_width;
    bool m_ignoreCase;
    std::shared_ptr<const Embeddings> m_below;                 // may be null
    std::map<std::string, std::vector<float>> m_over;          // replaces vectors of m_below
    std::map<std::string, const std::vector<float> *> m_byKey; // pointers into m_over or m_given
    mutable std::once_flag m_together;
    mutable Given m_given; // merged on demand if m_below is set
};

using EmbeddingsPointer = std::shared_ptr<const Embeddings>;

} // namespace headlight::core
