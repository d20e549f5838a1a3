// A normalizer that replaces each character independently.
#pragma once

#include "core/tokenizers/normalizers/normalizer.h"

namespace headlight::core {

/// Replaces characters. `replace(code)` returns a std::optional<std::string>; nullopt keeps the
/// character.
template <typename Replace>
TextPiece characterwise(const TextPiece &piece, StopCheck &stop, const Replace &replace) {
    TextPieceWriter writer(piece);
    std::size_t kept = 0; // text up to here is already written
    for (std::size_t at = 0; at < piece.size();) {
        stop.throwIfRequested();
        const Character character = characterAt(piece.text, at);
        if (const auto with = replace(character.code)) {
            writer.keep(kept, at);
            writer.put(*with, at, at + character.size);
            kept = at + character.size;
        }
        at += character.size;
    }
    writer.keep(kept, piece.size());
    return writer.take();
}

} // namespace headlight::core
