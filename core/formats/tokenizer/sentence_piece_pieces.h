// A SentencePiece model made from a list of its pieces, for files that hold these instead of the
// model itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// As numbered in sentencepiece_model.proto and in GGUF.
enum class PieceKind { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

struct ScoredPiece {
    std::string_view text;
    float score = 0;
    PieceKind kind = PieceKind::Normal;
};

/// Returns the bytes of a model for loadSentencePiece(): it merges the neighbouring pieces whose
/// union has the highest score, and splits what has no piece into the pieces of its bytes, if there
/// are some. `prependsSpace` puts a space before every text.
std::string sentencePieceBytes(const std::vector<ScoredPiece> &pieces, bool prependsSpace);

} // namespace headlight::core
