// Decoders for tokens that are text.
#include "core/tokenizers/decoders/decoder.h"
#include "core/tokenizers/text/piece.h"

#include <algorithm>
#include <utility>

namespace headlight::core {

namespace {

void replaceIn(std::string &text, std::string_view what, std::string_view with) {
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

/// Makes the same replacements as Hugging Face's library, in the same order.
void cleanUp(std::string &token) {
    constexpr std::pair<std::string_view, std::string_view> all[] = {
        {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
        {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
        {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto &[what, with] : all)
        replaceIn(token, what, with);
}

/// Decodes each token independently with `change(token, place, isLast)`.
template <typename Change>
class TokenwiseDecoder : public Decoder {
  public:
    explicit TokenwiseDecoder(Change change) : m_change(std::move(change)) {}

    Result<std::vector<std::string>> decoded(std::vector<std::string> tokens,
                                             StopCheck &stop) const override {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            stop.throwIfRequested();
            m_change(tokens[i], i, i + 1 == tokens.size());
        }
        return tokens;
    }

  private:
    Change m_change;
};

template <typename Change>
DecoderPointer changing(Change change) {
    return std::make_shared<TokenwiseDecoder<Change>>(std::move(change));
}

class ReplaceDecoder : public Decoder {
  public:
    ReplaceDecoder(Pattern pattern, std::string with)
        : m_pattern(std::move(pattern)), m_with(std::move(with)) {}

    Result<std::vector<std::string>> decoded(std::vector<std::string> tokens,
                                             StopCheck &stop) const override {
        std::size_t size = 0;
        for (std::string &token : tokens) {
            const auto matches = m_pattern.split(token, stop);
            if (!matches)
                return matches.error();
            size += replacedSize(*matches, m_with);
            if (size > kMaxPieceBytes)
                return tooLongPiece();
            std::string made;
            for (const Match &match : *matches)
                made += match.fits ? m_with : token.substr(match.begin, match.end - match.begin);
            token = std::move(made);
        }
        return tokens;
    }

  private:
    Pattern m_pattern;
    std::string m_with;
};

class FuseDecoder : public Decoder {
  public:
    Result<std::vector<std::string>> decoded(std::vector<std::string> tokens,
                                             StopCheck &) const override {
        std::string all;
        for (const std::string &token : tokens)
            all += token;
        return std::vector<std::string>{std::move(all)};
    }
};

class StripDecoder : public Decoder {
  public:
    StripDecoder(char32_t character, std::size_t atBegin, std::size_t atEnd)
        : m_atBegin(atBegin), m_atEnd(atEnd) {
        appendUtf8(m_character, character);
    }

    Result<std::vector<std::string>> decoded(std::vector<std::string> tokens,
                                             StopCheck &stop) const override {
        for (std::string &token : tokens) {
            stop.throwIfRequested();
            std::string_view left = token;
            for (std::size_t i = 0; i < m_atBegin && left.starts_with(m_character); ++i)
                left.remove_prefix(m_character.size());
            for (std::size_t i = 0; i < m_atEnd && left.ends_with(m_character); ++i)
                left.remove_suffix(m_character.size());
            token = std::string(left);
        }
        return tokens;
    }

  private:
    std::string m_character;
    std::size_t m_atBegin, m_atEnd;
};

class CtcDecoder : public Decoder {
  public:
    explicit CtcDecoder(CtcRules rules) : m_rules(std::move(rules)) {}

    Result<std::vector<std::string>> decoded(std::vector<std::string> tokens,
                                             StopCheck &stop) const override {
        tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
        for (std::string &token : tokens) {
            stop.throwIfRequested();
            if (!m_rules.padding.empty())
                replaceIn(token, m_rules.padding, "");
            if (m_rules.cleansUp) {
                cleanUp(token);
                if (!m_rules.betweenText.empty())
                    replaceIn(token, m_rules.betweenText, " ");
            }
        }
        return tokens;
    }

  private:
    CtcRules m_rules;
};

class DecoderSequence : public Decoder {
  public:
    explicit DecoderSequence(std::vector<DecoderPointer> decoders)
        : m_decoders(std::move(decoders)) {}

    Result<std::vector<std::string>> decoded(std::vector<std::string> tokens,
                                             StopCheck &stop) const override {
        Result<std::vector<std::string>> made = std::move(tokens);
        for (const DecoderPointer &decoder : m_decoders) {
            made = decoder->decoded(std::move(*made), stop);
            if (!made)
                return made;
        }
        return made;
    }

  private:
    std::vector<DecoderPointer> m_decoders;
};

} // namespace

DecoderPointer wordPieceDecoder(std::string prefix, bool cleansUp) {
    return changing(
        [prefix = std::move(prefix), cleansUp](std::string &token, std::size_t place, bool) {
            if (place > 0 && token.starts_with(prefix))
                token.erase(0, prefix.size());
            else if (place > 0)
                token.insert(0, " ");
            if (cleansUp)
                cleanUp(token);
        });
}

DecoderPointer metaspaceDecoder(char32_t replacement, bool wasPrepended) {
    std::string sign;
    appendUtf8(sign, replacement);
    return changing(
        [sign = std::move(sign), wasPrepended](std::string &token, std::size_t place, bool) {
            replaceIn(token, sign, place == 0 && wasPrepended ? "" : " ");
        });
}

DecoderPointer bpeDecoder(std::string suffix) {
    return changing([suffix = std::move(suffix)](std::string &token, std::size_t, bool isLast) {
        replaceIn(token, suffix, isLast ? "" : " ");
    });
}

DecoderPointer spacedDecoder() {
    return changing([](std::string &token, std::size_t place, bool) {
        if (place > 0)
            token.insert(0, " ");
    });
}

DecoderPointer replaceDecoder(Pattern pattern, std::string with) {
    return std::make_shared<ReplaceDecoder>(std::move(pattern), std::move(with));
}

DecoderPointer fuseDecoder() {
    return std::make_shared<FuseDecoder>();
}

DecoderPointer stripDecoder(char32_t character, std::size_t atBegin, std::size_t atEnd) {
    return std::make_shared<StripDecoder>(character, atBegin, atEnd);
}

DecoderPointer ctcDecoder(CtcRules rules) {
    return std::make_shared<CtcDecoder>(std::move(rules));
}

DecoderPointer sequenceOf(std::vector<DecoderPointer> decoders) {
    return std::make_shared<DecoderSequence>(std::move(decoders));
}

} // namespace headlight::core
