// Byte-pair encoding (Sennrich et al. 2016, arXiv:1508.07909), as GPT-2 uses it.
#include "core/in_quotes.h"
#include "core/tokenizers/models/token_model.h"
#include "core/tokenizers/text/piece.h"

#include <mutex>
#include <queue>
#include <unordered_map>

namespace headlight::core {

namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
/// Limits of the cache of merged words, which exists because most words of a text repeat.
constexpr std::size_t kMaxKeptPieces = 20'000, kMaxKeptBytes = 64;

/// A token of a word during merging, in a doubly linked list in text order.
struct Symbol {
    Index id = 0;
    std::size_t begin = 0, end = 0;
    std::size_t previous = kNowhere, next = kNowhere;
    bool isGone = false;
};

struct Candidate {
    std::size_t rank = 0; ///< index of the merge
    std::size_t left = 0; ///< index of the left symbol
    Index made = 0;
    /// Orders candidates by the priority of their merge, then from left to right.
    bool operator<(const Candidate &other) const {
        return rank != other.rank ? rank > other.rank : left > other.left;
    }
};

class Bpe : public TokenModel {
  public:
    Bpe(TokenList tokens, BpeRules rules)
        : TokenModel(std::move(tokens)), m_rules(std::move(rules)) {
        m_ranks.reserve(m_rules.merges.size());
        for (std::size_t rank = 0; rank < m_rules.merges.size(); ++rank) {
            const Merge &merge = m_rules.merges[rank];
            m_ranks[keyOf(merge.left, merge.right)] = {rank, merge.made};
        }
        m_rules.merges = {};
        if (m_rules.unknowns.byBytes)
            m_bytes = byteTokensOf(this->tokens());
    }

    Result<std::vector<PieceToken>> tokenize(std::string_view text,
                                             StopCheck &stop) const override {
        if (m_rules.takesWholeWords)
            if (const auto id = tokens().idOf(text))
                return std::vector<PieceToken>{{*id, 0, text.size()}};
        const bool isKept = text.size() <= kMaxKeptBytes;
        if (isKept) {
            const std::lock_guard lock(m_keeping);
            if (const auto known = m_known.find(std::string(text)); known != m_known.end())
                return known->second;
        }
        std::vector<PieceToken> made = merged(symbolsOf(text), stop);
        if (isKept) {
            const std::lock_guard lock(m_keeping);
            if (m_known.size() < kMaxKeptPieces)
                m_known.emplace(text, made);
        }
        return made;
    }

  private:
    struct Rank {
        std::size_t rank = 0;
        Index made = 0;
    };

    static std::uint64_t keyOf(Index left, Index right) {
        return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint64_t>(right);
    }

    std::vector<Symbol> symbolsOf(std::string_view text) const {
        std::vector<Symbol> symbols;
        const auto add = [&symbols](Index id, std::size_t begin, std::size_t end) {
            const std::size_t at = symbols.size();
            symbols.push_back({id, begin, end, at == 0 ? kNowhere : at - 1, kNowhere});
            if (at > 0)
                symbols[at - 1].next = at;
        };
        std::optional<Symbol> unknown; // the current run of characters without tokens
        const auto putUnknown = [&] {
            if (unknown)
                add(unknown->id, unknown->begin, unknown->end);
            unknown.reset();
        };
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = at + characterAt(text, at).size;
            if (const auto id = idOf(text, at, end)) {
                putUnknown();
                add(*id, at, end);
            } else if (m_bytes) {
                putUnknown();
                for (std::size_t byte = at; byte < end; ++byte)
                    add((*m_bytes)[static_cast<unsigned char>(text[byte])], byte, byte + 1);
            } else if (m_rules.unknowns.id) {
                if (unknown && m_rules.unknowns.isFused) {
                    unknown->end = end;
                } else {
                    putUnknown();
                    unknown = Symbol{*m_rules.unknowns.id, at, end};
                }
            }
            at = end;
        }
        putUnknown();
        return symbols;
    }

    /// Returns the token of one character of a word, with the prefix or suffix that its position
    /// requires.
    std::optional<Index> idOf(std::string_view text, std::size_t begin, std::size_t end) const {
        const std::string_view character = text.substr(begin, end - begin);
        const bool isFirst = begin == 0, isLast = end == text.size();
        if ((isFirst || m_rules.continuingPrefix.empty()) && (!isLast || m_rules.endSuffix.empty()))
            return tokens().idOf(character);
        std::string whole = isFirst ? std::string() : m_rules.continuingPrefix;
        whole += character;
        return tokens().idOf(isLast ? whole + m_rules.endSuffix : whole);
    }

    std::optional<Candidate> candidate(const std::vector<Symbol> &symbols, std::size_t left) const {
        if (left == kNowhere || symbols[left].next == kNowhere)
            return std::nullopt;
        const auto rank = m_ranks.find(keyOf(symbols[left].id, symbols[symbols[left].next].id));
        if (rank == m_ranks.end())
            return std::nullopt;
        return Candidate{rank->second.rank, left, rank->second.made};
    }

    std::vector<PieceToken> merged(std::vector<Symbol> symbols, StopCheck &stop) const {
        std::priority_queue<Candidate> waiting;
        const auto wait = [&](std::size_t left) {
            if (const auto found = candidate(symbols, left))
                waiting.push(*found);
        };
        for (std::size_t at = 0; at + 1 < symbols.size(); ++at)
            wait(at);
        while (!waiting.empty()) {
            stop.throwIfRequested();
            const Candidate best = waiting.top();
            waiting.pop();
            // Skips the candidate if one of its symbols was merged after it was queued.
            if (symbols[best.left].isGone)
                continue;
            const auto now = candidate(symbols, best.left);
            if (!now || now->made != best.made)
                continue;
            Symbol &left = symbols[best.left];
            Symbol &right = symbols[left.next];
            left.id = best.made;
            left.end = right.end;
            left.next = right.next;
            right.isGone = true;
            if (left.next != kNowhere)
                symbols[left.next].previous = best.left;
            wait(left.previous);
            wait(best.left);
        }
        std::vector<PieceToken> made;
        for (const Symbol &symbol : symbols)
            if (!symbol.isGone)
                made.push_back({symbol.id, symbol.begin, symbol.end});
        return made;
    }

    BpeRules m_rules;
    std::unordered_map<std::uint64_t, Rank> m_ranks;
    std::optional<std::vector<Index>> m_bytes;
    mutable std::mutex m_keeping;
    mutable std::unordered_map<std::string, std::vector<PieceToken>> m_known;
};

} // namespace

Result<Merge> mergeOf(std::string_view left, std::string_view right, const TokenList &tokens,
                      std::string_view prefix) {
    std::string made(left);
    made += right.starts_with(prefix) ? right.substr(prefix.size()) : right;
    if (made == left || made == right)
        return Error{{"the merge of %1 and %2 yields %3 again, which never ends", inQuotes(left),
                      inQuotes(right), inQuotes(made)},
                     "",
                     "get the file again"};
    Merge merge;
    for (const auto &[text, id] : {std::pair(left, &merge.left), std::pair(right, &merge.right),
                                   std::pair(std::string_view(made), &merge.made)}) {
        const auto found = tokens.idOf(text);
        if (!found)
            return Error{{"the merge of %1 and %2 needs the token %3, which is missing",
                          inQuotes(left), inQuotes(right), inQuotes(text)},
                         "",
                         "the vocabulary and the merges belong to different tokenizers"};
        *id = *found;
    }
    return merge;
}

TokenModelPointer bpeModel(TokenList tokens, BpeRules rules) {
    return std::make_shared<Bpe>(std::move(tokens), std::move(rules));
}

} // namespace headlight::core
