// Builds a SentencePiece model from a list of its pieces, for files that contain only the pieces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Values as in sentencepiece_model.proto and in GGUF.
enum class PieceKind { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

struct ScoredPiece {
    std::string_view text;
    float score = 0;
    PieceKind kind = PieceKind::Normal;
};

/// Returns a serialised BPE model for loadSentencePiece(). The model merges the adjacent pieces
/// whose concatenation has the highest score. Byte fallback is on if `pieces` has byte pieces.
/// `prependsSpace`: the model puts a space before every text.
std::string sentencePieceBytes(const std::vector<ScoredPiece> &pieces, bool prependsSpace);

} // namespace headlight::core
