#include "core/tokenizers/models/token_model.h"
#include "core/tokenizers/text/piece.h"
#include "core/tokenizers/text/prefix_search.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// The score of an unknown character is this much lower than the lowest token score
/// (SentencePiece's kUnkPenalty).
constexpr double kUnknownPenalty = 10;

/// The best segmentation up to an offset of the text.
struct Way {
    double score = 0;
    Index id = 0;
    std::size_t from = 0;
    bool exists = false;
    bool isUnknown = false;
};

class Unigram : public TokenModel {
  public:
    Unigram(TokenList list, std::vector<double> scores, Unknowns unknowns)
        : TokenModel(std::move(list)), m_scores(std::move(scores)), m_unknowns(unknowns) {
        double worst = 0;
        if (!m_scores.empty())
            worst = *std::min_element(m_scores.begin(), m_scores.end());
        m_unknownScore = worst - kUnknownPenalty;
        std::vector<PrefixSearch::Entry> entries;
        for (Index id = 0; id < tokens().size(); ++id)
            if (const auto text = tokens().textOf(id); tokens().idOf(text) == id)
                entries.push_back({text, id});
        m_search = PrefixSearch(std::move(entries));
        if (m_unknowns.byBytes)
            m_bytes = byteTokensOf(tokens());
    }

    Result<std::vector<PieceToken>> tokenize(std::string_view text,
                                             StopCheck &stop) const override {
        const std::vector<Way> ways = bestWays(text, stop);
        std::vector<PieceToken> made; // tokens in reverse order
        bool lastIsUnknown = false;
        for (std::size_t end = text.size(); end > 0; end = ways[end].from) {
            const Way &way = ways[end];
            if (!way.isUnknown) {
                made.push_back({way.id, way.from, end});
            } else if (m_bytes) {
                for (std::size_t byte = end; byte-- > way.from;)
                    made.push_back(
                        {(*m_bytes)[static_cast<unsigned char>(text[byte])], byte, byte + 1});
            } else if (!m_unknowns.id) {
                return Error{{"there is no token for %1",
                              std::string(text.substr(way.from, end - way.from))},
                             "text",
                             ""};
            } else if (lastIsUnknown && m_unknowns.isFused) {
                made.back().begin = way.from;
            } else {
                made.push_back({*m_unknowns.id, way.from, end});
            }
            lastIsUnknown = way.isUnknown;
        }
        std::reverse(made.begin(), made.end());
        return made;
    }

  private:
    /// Returns an entry for each byte offset and for the end. Entries for offsets inside a
    /// character have `exists` = false.
    std::vector<Way> bestWays(std::string_view text, StopCheck &stop) const {
        std::vector<Way> ways(text.size() + 1);
        for (std::size_t begin = 0; begin < text.size();) {
            stop.throwIfRequested();
            const double before = ways[begin].score;
            const std::size_t size = characterAt(text, begin).size;
            bool isKnown = false;
            m_search.each(text.substr(begin), [&](const PrefixSearch::Entry &entry) {
                const double score = m_scores[static_cast<std::size_t>(entry.id)] + before;
                Way &way = ways[begin + entry.text.size()];
                if (!way.exists || score > way.score)
                    way = {score, entry.id, begin, true, m_unknowns.id == entry.id};
                isKnown = isKnown || entry.text.size() == size;
            });
            if (!isKnown) {
                const double score = m_unknownScore + before;
                Way &way = ways[begin + size];
                if (!way.exists || score > way.score)
                    way = {score, m_unknowns.id.value_or(0), begin, true, true};
            }
            begin += size;
        }
        return ways;
    }

    std::vector<double> m_scores;
    Unknowns m_unknowns;
    double m_unknownScore = 0;
    PrefixSearch m_search;
    std::optional<std::vector<Index>> m_bytes;
};

} // namespace

TokenModelPointer unigramModel(TokenList tokens, std::vector<double> scores, Unknowns unknowns) {
    return std::make_shared<Unigram>(std::move(tokens), std::move(scores), unknowns);
}

} // namespace headlight::core
