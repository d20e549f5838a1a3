// Static embeddings: a word's vector, the same wherever the word stands.
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
    /// `below` with other vectors for some of its words, or for others. Takes the time of these
    /// alone.
    Embeddings(std::shared_ptr<const Embeddings> below,
               std::map<std::string, std::vector<float>> words);

    /// Words that differ only in how Unicode spells them (composed or not), or in case where that
    /// is ignored, are one.
    std::vector<float> vectorOf(std::string_view word) const;
    /// True where the word's vector was given, not made from the seed.
    bool isGiven(std::string_view word) const;
    /// True for two spellings of one word.
    bool isSameWord(std::string_view a, std::string_view b) const { return keyOf(a) == keyOf(b); }
    Index width() const { return m_width; }
    bool ignoresCase() const { return m_ignoreCase; }
    /// All together. Laid over others they are put together when it is first asked for.
    const Given &given() const;

  private:
    std::string keyOf(std::string_view word) const;
    const std::vector<float> *find(const std::string &key) const;
    void note(const std::map<std::string, std::vector<float>> &words);

    Index m_width;
    bool m_ignoreCase;
    std::shared_ptr<const Embeddings> m_below;                 // null: these are all
    std::map<std::string, std::vector<float>> m_over;          // the words that are laid over those
    std::map<std::string, const std::vector<float> *> m_byKey; // in m_over, or in m_given
    mutable std::once_flag m_together;
    mutable Given m_given; // where m_below is null; else put together once
};

using EmbeddingsPointer = std::shared_ptr<const Embeddings>;

} // namespace headlight::core
