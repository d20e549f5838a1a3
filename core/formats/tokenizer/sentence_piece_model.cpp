#include "core/formats/tokenizer/sentence_piece_model.h"

#include "core/formats/tokenizer/sentence_piece_check.h"
#include "core/tokenizers/text/unicode.h"

#include <algorithm>
#include <new>
#include <sentencepiece_processor.h>

namespace headlight::core {

namespace {

Error damagedModel() {
    return {"it is not a SentencePiece model, or it is damaged", "", "get it again"};
}

class SentencePieceModel : public TokenModel {
  public:
    SentencePieceModel(SentencePieceLibrary library, TokenList tokens, std::vector<Index> ids)
        : TokenModel(std::move(tokens)), m_library(std::move(library)), m_ids(std::move(ids)) {}

    Result<std::vector<PieceToken>> tokenize(std::string_view text, StopCheck &) const override {
        const auto made = m_library->EncodeAsImmutableProto({text.data(), text.size()});
        std::vector<PieceToken> tokens;
        tokens.reserve(made.pieces_size());
        for (std::size_t i = 0; i < made.pieces_size(); ++i) {
            const auto piece = made.pieces(static_cast<int>(i));
            const std::size_t begin = std::min<std::size_t>(piece.begin(), text.size());
            const std::size_t end = std::clamp<std::size_t>(piece.end(), begin, text.size());
            tokens.push_back({m_ids[piece.id()], begin, end});
        }
        return tokens;
    }

  private:
    SentencePieceLibrary m_library;
    std::vector<Index> m_ids;
};

class SentencePieceDecoder : public Decoder {
  public:
    explicit SentencePieceDecoder(SentencePieceLibrary library) : m_library(std::move(library)) {}

    Result<std::vector<std::string>> decoded(std::vector<std::string> tokens,
                                             StopCheck &stop) const override {
        std::vector<std::string> made, run;
        const auto putRun = [&] {
            if (!run.empty())
                made.push_back(asUtf8(m_library->DecodePieces(run)));
            run.clear();
        };
        for (std::string &token : tokens) {
            stop.throwIfRequested();
            if (m_library->IsControl(m_library->PieceToId(token))) {
                putRun();
                made.push_back(std::move(token));
            } else {
                run.push_back(std::move(token));
            }
        }
        putRun();
        return made;
    }

  private:
    SentencePieceLibrary m_library;
};

} // namespace

Result<SentencePieceLibrary> loadSentencePiece(std::string_view model) try {
    if (!hasSoundTables(model))
        return damagedModel();
    auto library = std::make_shared<sentencepiece::SentencePieceProcessor>();
    const auto status = library->LoadFromSerializedProto({model.data(), model.size()});
    if (!status.ok() || library->GetPieceSize() == 0)
        return damagedModel();
    if (library->GetPieceSize() > kMaxTokens)
        return Error{{"it has more than %1 tokens", kMaxTokens}, "", ""};
    return SentencePieceLibrary(std::move(library));
} catch (const std::bad_alloc &) {
    throw;
} catch (const std::exception &) { // the library rejects a piece with a zero byte
    return damagedModel();
}

Index pieceCountOf(const SentencePieceLibrary &library) {
    return library->GetPieceSize();
}

std::string textOfPiece(const SentencePieceLibrary &library, Index piece) {
    return library->IdToPiece(static_cast<int>(piece));
}

bool isControlPiece(const SentencePieceLibrary &library, Index piece) {
    return library->IsControl(static_cast<int>(piece));
}

TokenModelPointer sentencePieceModel(SentencePieceLibrary library, TokenList tokens,
                                     std::vector<Index> ids) {
    return std::make_shared<SentencePieceModel>(std::move(library), std::move(tokens),
                                                std::move(ids));
}

DecoderPointer sentencePieceDecoder(SentencePieceLibrary library) {
    return std::make_shared<SentencePieceDecoder>(std::move(library));
}

} // namespace headlight::core
