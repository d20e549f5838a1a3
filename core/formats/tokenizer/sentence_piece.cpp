#include "core/formats/tokenizer/sentence_piece.h"

#include "core/cancelled.h"
#include "core/tokenizers/models/token_list.h"

#include <algorithm>
#include <sentencepiece_processor.h>

namespace headlight::core {

namespace {

class SentencePieceTokenizer : public Tokenizer {
  public:
    SentencePieceTokenizer(std::unique_ptr<sentencepiece::SentencePieceProcessor> library,
                           SentencePieceSettings settings)
        : m_library(std::move(library)) {
        const auto find = [this](const char *piece) -> std::optional<Index> {
            const int id = m_library->PieceToId(piece);
            return m_library->IdToPiece(id) == piece ? std::optional<Index>(id) : std::nullopt;
        };
        const auto cls = find("[CLS]"), sep = find("[SEP]");
        if (cls && sep) {
            m_before = cls;
            m_after = sep;
            return;
        }
        if (settings.begins)
            m_before = find("<s>");
        if (settings.ends)
            m_after = find("</s>");
    }

    Result<std::vector<Token>> encode(std::string_view text, SpecialTokens special,
                                      std::stop_token stop) const override {
        if (stop.stop_requested())
            return cancelled();
        if (const Outcome good = checkText(text); !good)
            return good.error();
        const auto made = m_library->EncodeAsImmutableProto({text.data(), text.size()});
        std::vector<Token> tokens;
        tokens.reserve(made.pieces_size() + 2);
        if (special == SpecialTokens::Added && m_before)
            tokens.push_back({textOf(*m_before), *m_before});
        for (std::size_t i = 0; i < made.pieces_size(); ++i) {
            const auto piece = made.pieces(static_cast<int>(i));
            const auto id = static_cast<Index>(piece.id());
            tokens.push_back({textOf(id), id, // of what is unknown, <unk>, and not what it reads
                              withinCharacters(piece.begin(), piece.end(), text)});
        }
        if (special == SpecialTokens::Added && m_after)
            tokens.push_back({textOf(*m_after), *m_after});
        return tokens;
    }

    Index size() const override { return m_library->GetPieceSize(); }

    std::string textOf(Index id) const override {
        return id >= 0 && id < size() ? m_library->IdToPiece(static_cast<int>(id)) : std::string();
    }

  private:
    /// A piece that is one byte of a character is from all of it.
    static TextSpan withinCharacters(std::size_t begin, std::size_t end, std::string_view text) {
        const auto isInside = [text](std::size_t at) {
            return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
        };
        begin = std::min(begin, text.size());
        end = std::clamp(end, begin, text.size());
        while (begin > 0 && isInside(begin))
            --begin;
        while (isInside(end))
            ++end;
        return {static_cast<Index>(begin), static_cast<Index>(end)};
    }

    std::unique_ptr<sentencepiece::SentencePieceProcessor> m_library;
    std::optional<Index> m_before, m_after;
};

} // namespace

Result<TokenizerPointer> readSentencePiece(std::string_view model, SentencePieceSettings settings) {
    auto library = std::make_unique<sentencepiece::SentencePieceProcessor>();
    const auto status = library->LoadFromSerializedProto({model.data(), model.size()});
    if (!status.ok() || library->GetPieceSize() == 0)
        return Error{"it is not a SentencePiece model, or it is damaged", "", "get it again"};
    if (library->GetPieceSize() > kMaximumTokens)
        return Error{{"it has more than %1 tokens", kMaximumTokens}, "", ""};
    return TokenizerPointer(std::make_shared<SentencePieceTokenizer>(std::move(library), settings));
}

} // namespace headlight::core
