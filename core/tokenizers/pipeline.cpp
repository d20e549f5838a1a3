#include "core/tokenizers/pipeline.h"

#include "core/tokenizers/text/characters.h"
#include "core/tokenizers/unicode.h"
#include "core/tokenizers/word_tokenizer.h"

#include <algorithm>

namespace headlight::core {

namespace {

class Pipeline : public Tokenizer {
  public:
    Pipeline(PipelineParts parts, AddedTokens added)
        : m_parts(std::move(parts)), m_added(std::move(added)) {}

    Result<std::vector<Token>> encode(std::string_view text, SpecialTokens special,
                                      std::stop_token stop) const override try {
        throwIfCancelled(stop);
        if (const Outcome good = checkText(text); !good)
            return good.error();
        StopCheck check(std::move(stop));
        std::vector<Token> tokens;
        if (special == SpecialTokens::Added)
            for (const Index id : m_parts.post.before)
                tokens.push_back({textOf(id), id});
        for (AddedTokens::Part &part : m_added.split(pieceOf(text), false, check))
            if (const Outcome put = putPart(std::move(part), text, check, tokens); !put)
                return put.error();
        if (special == SpecialTokens::Added)
            for (const Index id : m_parts.post.after)
                tokens.push_back({textOf(id), id});
        return tokens;
    } catch (const Cancelled &) {
        return cancelled();
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
        // White space of more than one byte is rare; it stays at a token's end.
        while (span.end > span.begin &&
               isWhiteSpace(
                   static_cast<unsigned char>(text[static_cast<std::size_t>(span.end - 1)])) &&
               static_cast<unsigned char>(text[static_cast<std::size_t>(span.end - 1)]) < 0x80)
            --span.end;
        return span;
    }

    PipelineParts m_parts;
    AddedTokens m_added;
};

} // namespace

Outcome checkText(std::string_view text) {
    if (text.size() > kMaximumTextBytes)
        return Error{
            {"it is longer than %1 bytes", kMaximumTextBytes}, "text", "use a shorter text"};
    if (const auto bad = firstInvalidByte(text))
        return Error{
            {"it is not valid UTF-8 at byte %1", *bad}, "text", "save or type it as UTF-8"};
    return Done{};
}

Result<TokenizerPointer> makeTokenizer(PipelineParts parts) {
    StopCheck never{{}};
    auto added = AddedTokens::from(std::move(parts.added), parts.normalizer.get(), never);
    if (!added)
        return added.error();
    return TokenizerPointer(std::make_shared<Pipeline>(std::move(parts), std::move(*added)));
}

} // namespace headlight::core
