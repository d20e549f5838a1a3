// A SentencePiece model as the model of a tokenizer.
#pragma once

#include "core/tokenizers/decoders/decoder.h"
#include "core/tokenizers/models/token_model.h"

#include <memory>

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace headlight::core {

using SentencePieceLibrary = std::shared_ptr<const sentencepiece::SentencePieceProcessor>;

/// Errors: the bytes are not a model.
Result<SentencePieceLibrary> loadSentencePiece(std::string_view model);

Index pieceCountOf(const SentencePieceLibrary &library);
std::string textOfPiece(const SentencePieceLibrary &library, Index piece);
bool isControlPiece(const SentencePieceLibrary &library, Index piece);

/// `ids`: the token id of each piece.
TokenModelPointer sentencePieceModel(SentencePieceLibrary library, TokenList tokens,
                                     std::vector<Index> ids);
/// Decodes control pieces to their names, unlike the library, which drops them.
DecoderPointer sentencePieceDecoder(SentencePieceLibrary library);

} // namespace headlight::core
