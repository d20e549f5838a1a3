// WordPiece as implemented by BERT (github.com/google-research/bert, tokenization.py).
#include "core/tokenizers/models/token_model.h"
#include "core/tokenizers/text/piece.h"

#include <algorithm>

namespace headlight::core {

namespace {

class WordPiece : public TokenModel {
  public:
    WordPiece(TokenList list, WordPieceRules rules)
        : TokenModel(std::move(list)), m_rules(std::move(rules)) {
        for (Index id = 0; id < tokens().size(); ++id)
            m_longest = std::max(m_longest, tokens().textOf(id).size());
    }

    Result<std::vector<PieceToken>> tokenize(std::string_view text,
                                             StopCheck &stop) const override {
        const std::vector<PieceToken> unknown{{m_rules.unknown, 0, text.size()}};
        const auto isFirstByte = [](char byte) {
            return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
        };
        if (static_cast<std::size_t>(std::count_if(text.begin(), text.end(), isFirstByte)) >
            m_rules.longestWord)
            return unknown;
        std::vector<PieceToken> made;
        for (std::size_t begin = 0; begin < text.size();) {
            const auto token = longestFrom(text, begin, stop);
            if (!token)
                return unknown;
            made.push_back(*token);
            begin = token->end;
        }
        return made;
    }

  private:
    std::optional<PieceToken> longestFrom(std::string_view text, std::size_t begin,
                                          StopCheck &stop) const {
        std::size_t end = std::min(text.size(), begin + m_longest);
        for (; end > begin; --end) {
            stop.throwIfRequested();
            if (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
                continue; // `end` is inside a character
            std::string token = begin == 0 ? std::string() : m_rules.continuingPrefix;
            token += text.substr(begin, end - begin);
            if (const auto id = tokens().idOf(token))
                return PieceToken{*id, begin, end};
        }
        return std::nullopt;
    }

    WordPieceRules m_rules;
    std::size_t m_longest = 0; ///< length of the longest token in bytes
};

class WordLevel : public TokenModel {
  public:
    WordLevel(TokenList tokens, std::optional<Index> unknown)
        : TokenModel(std::move(tokens)), m_unknown(unknown) {}

    Result<std::vector<PieceToken>> tokenize(std::string_view text, StopCheck &) const override {
        const auto id = tokens().idOf(text);
        if (!id && !m_unknown)
            return Error{
                {"there is no token for %1", std::string(text.substr(0, 100))}, "text", ""};
        return std::vector<PieceToken>{{id ? *id : *m_unknown, 0, text.size()}};
    }

  private:
    std::optional<Index> m_unknown;
};

} // namespace

TokenModelPointer wordPieceModel(TokenList tokens, WordPieceRules rules) {
    return std::make_shared<WordPiece>(std::move(tokens), std::move(rules));
}

TokenModelPointer wordLevelModel(TokenList tokens, std::optional<Index> unknown) {
    return std::make_shared<WordLevel>(std::move(tokens), unknown);
}

} // namespace headlight::core
