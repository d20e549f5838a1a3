#include "core/tokenizers/pipeline.h"

#include "core/tokenizers/text/characters.h"
#include "core/tokenizers/text/piece.h"
#include "core/tokenizers/text/unicode.h"
#include "core/tokenizers/word_tokenizer.h"

#include <algorithm>
#include <new>
#include <unordered_set>

namespace headlight::core {

namespace {

using What = TemplatePart::What;

Error noMemory() {
    return {"there is not enough memory for it", "", "use a shorter text, or close other programs"};
}

class Pipeline : public Tokenizer {
  public:
    Pipeline(PipelineParts parts, AddedTokens added)
        : m_parts(std::move(parts)), m_added(std::move(added)) {
        m_special.insert(m_parts.special.begin(), m_parts.special.end());
        for (const AddedToken &token : m_added.all())
            if (token.isSpecial)
                m_special.insert(token.id);
    }

    Result<std::vector<Token>> encode(std::string_view text, SpecialTokens special,
                                      std::stop_token stop) const override try {
        StopCheck check(std::move(stop));
        Result<std::vector<Token>> tokens = tokensOfText(text, check);
        if (!tokens || special == SpecialTokens::LeftOut)
            return tokens;
        return arranged(m_parts.post.single, {&*tokens}, special).tokens;
    } catch (const Cancelled &) {
        return cancelled();
    } catch (const std::bad_alloc &) {
        return noMemory();
    }

    Result<TokenPair> encodePair(std::string_view first, std::string_view second,
                                 SpecialTokens special, std::stop_token stop) const override try {
        StopCheck check(std::move(stop));
        const auto firstTokens = tokensOfText(first, check);
        if (!firstTokens)
            return firstTokens.error();
        const auto secondTokens = tokensOfText(second, check);
        if (!secondTokens)
            return secondTokens.error();
        return arranged(m_parts.post.pair, {&*firstTokens, &*secondTokens}, special);
    } catch (const Cancelled &) {
        return cancelled();
    } catch (const std::bad_alloc &) {
        return noMemory();
    }

    std::vector<Index> betweenPair() const override {
        std::vector<Index> ids;
        bool isBehindFirst = false;
        for (const TemplatePart &part : m_parts.post.pair) {
            if (part.what == What::Second)
                return isBehindFirst ? ids : std::vector<Index>();
            if (part.what == What::First)
                isBehindFirst = true;
            else if (isBehindFirst)
                ids.push_back(part.id);
        }
        return {};
    }

    Result<std::string> decode(std::span<const Index> ids, SpecialTokens special,
                               std::stop_token stop) const override try {
        throwIfCancelled(stop);
        StopCheck check(std::move(stop));
        std::vector<std::string> tokens;
        std::size_t size = 0;
        for (const Index id : ids) {
            check.throwIfRequested();
            if (special == SpecialTokens::LeftOut && m_special.contains(id))
                continue;
            std::string text = textOf(id);
            size += text.size();
            if (size > kMaxPieceBytes)
                return tooLongPiece();
            if (!text.empty())
                tokens.push_back(std::move(text));
        }
        auto made = m_decoder->decoded(std::move(tokens), check);
        if (!made)
            return made.error();
        std::string text;
        for (const std::string &part : *made)
            text += part;
        return asUtf8(std::move(text)); // SentencePiece models may decode to invalid UTF-8
    } catch (const Cancelled &) {
        return cancelled();
    } catch (const std::bad_alloc &) {
        return noMemory();
    }

    Index size() const override {
        Index size = m_parts.model->tokens().size();
        for (const AddedToken &token : m_added.all())
            size = std::max(size, token.id + 1);
        return size;
    }

    std::string textOf(Index id) const override {
        if (const AddedToken *added = m_added.find(id))
            return added->text;
        return std::string(m_parts.model->tokens().textOf(id));
    }

  private:
    Result<std::vector<Token>> tokensOfText(std::string_view text, StopCheck &stop) const {
        throwIfCancelled(stop.token());
        if (const Outcome good = checkText(text); !good)
            return good.error();
        std::vector<Token> tokens;
        for (AddedTokens::Part &part : m_added.split(pieceOf(text), false, stop))
            if (const Outcome put = putPart(std::move(part), text, stop, tokens); !put)
                return put.error();
        return tokens;
    }

    TokenPair arranged(const Template &parts, std::vector<const std::vector<Token> *> texts,
                       SpecialTokens special) const {
        TokenPair made;
        const auto put = [&made](Token token, Index type, int text) {
            made.tokens.push_back(std::move(token));
            made.types.push_back(type);
            made.texts.push_back(text);
        };
        for (const TemplatePart &part : parts) {
            if (part.what == What::Special) {
                if (special == SpecialTokens::Added)
                    put({textOf(part.id), part.id}, part.type, -1);
                continue;
            }
            const int which = part.what == What::First ? 0 : 1;
            for (const Token &token : *texts[static_cast<std::size_t>(which)])
                put(token, part.type, which);
        }
        return made;
    }

    Outcome putPart(AddedTokens::Part part, std::string_view text, StopCheck &stop,
                    std::vector<Token> &tokens) const {
        if (part.id) {
            put(*part.id, part.piece, 0, part.piece.size(), text, tokens);
            return Done{};
        }
        Result<TextPiece> normal = std::move(part.piece);
        if (m_parts.normalizer)
            normal = m_parts.normalizer->normalized(std::move(*normal), stop);
        if (!normal)
            return normal.error();
        for (AddedTokens::Part &each : m_added.split(std::move(*normal), true, stop)) {
            if (each.id) {
                put(*each.id, each.piece, 0, each.piece.size(), text, tokens);
                continue;
            }
            if (const Outcome good = putText(std::move(each.piece), text, stop, tokens); !good)
                return good;
        }
        return Done{};
    }

    Outcome putText(TextPiece normal, std::string_view text, StopCheck &stop,
                    std::vector<Token> &tokens) const {
        std::vector<TextPiece> pieces;
        if (m_parts.preTokenizer) {
            auto cut = m_parts.preTokenizer->split(std::move(normal), stop);
            if (!cut)
                return cut.error();
            pieces = std::move(*cut);
        } else if (!normal.empty()) {
            pieces.push_back(std::move(normal));
        }
        for (const TextPiece &piece : pieces) {
            const auto made = m_parts.model->tokenize(piece.text, stop);
            if (!made)
                return made.error();
            for (const PieceToken &token : *made)
                put(token.id, piece, token.begin, token.end, text, tokens);
        }
        return Done{};
    }

    void put(Index id, const TextPiece &piece, std::size_t begin, std::size_t end,
             std::string_view text, std::vector<Token> &tokens) const {
        const Origin origin = piece.originOf(begin, end);
        TextSpan span{origin.begin, origin.end};
        if (m_parts.post.trimsPlaces)
            span = withoutSpace(span, text);
        tokens.push_back({textOf(id), id, span});
    }

    static TextSpan withoutSpace(TextSpan span, std::string_view text) {
        while (span.begin < span.end) {
            const Character first = characterAt(text, static_cast<std::size_t>(span.begin));
            if (!isWhiteSpace(first.code))
                break;
            span.begin += static_cast<Index>(first.size);
        }
        // Excludes only ASCII white space. Multi-byte white space is rare and stays in the span.
        while (span.end > span.begin &&
               isWhiteSpace(
                   static_cast<unsigned char>(text[static_cast<std::size_t>(span.end - 1)])) &&
               static_cast<unsigned char>(text[static_cast<std::size_t>(span.end - 1)]) < 0x80)
            --span.end;
        return span;
    }

    PipelineParts m_parts;
    AddedTokens m_added;
    std::unordered_set<Index> m_special;
    DecoderPointer m_decoder = m_parts.decoder ? m_parts.decoder : spacedDecoder();
};

} // namespace

Outcome checkText(std::string_view text) {
    if (text.size() > kMaxTextBytes)
        return Error{{"it is longer than %1 bytes", kMaxTextBytes}, "text", "use a shorter text"};
    if (const auto bad = firstInvalidByte(text))
        return Error{
            {"it is not valid UTF-8 at byte %1", *bad}, "text", "save or type it as UTF-8"};
    return Done{};
}

PostProcessing surrounding(std::optional<Index> first, std::optional<Index> last, PairStyle style) {
    const auto special = [](Index id, Index type) { return TemplatePart{What::Special, type, id}; };
    PostProcessing post;
    post.single.clear();
    post.pair.clear();
    for (Template *parts : {&post.single, &post.pair}) {
        if (first)
            parts->push_back(special(*first, 0));
        parts->push_back({});
    }
    if (last) {
        post.single.push_back(special(*last, 0));
        post.pair.insert(post.pair.end(), style.between, special(*last, 0));
    }
    post.pair.push_back({What::Second, style.secondType});
    if (last)
        post.pair.push_back(special(*last, style.secondType));
    return post;
}

Result<TokenizerPointer> makeTokenizer(PipelineParts parts, std::stop_token stop) {
    StopCheck check(std::move(stop));
    auto added = AddedTokens::from(std::move(parts.added), parts.normalizer.get(), check);
    if (!added)
        return added.error();
    return TokenizerPointer(std::make_shared<Pipeline>(std::move(parts), std::move(*added)));
}

} // namespace headlight::core
