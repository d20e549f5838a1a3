// Splits a piece at matches.
#pragma once

#include "core/tokenizers/text/pattern.h"
#include "core/tokenizers/text/piece.h"

namespace headlight::core {

/// The treatment of matches, named as in `tokenizer.json`.
enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

/// Returns non-empty pieces only. `matches` must cover the whole piece, as Pattern::split() returns
/// them.
std::vector<TextPiece> splitAt(const TextPiece &piece, std::vector<Match> matches,
                               SplitBehavior behavior);

/// Splits the piece into matches: one for each character that fits, and the stretches between them,
/// which do not fit.
template <typename Fits>
std::vector<Match> matchesOf(const TextPiece &piece, StopCheck &stop, const Fits &fits) {
    std::vector<Match> matches;
    std::size_t done = 0;
    for (std::size_t at = 0; at < piece.size();) {
        stop.throwIfRequested();
        const Character character = characterAt(piece.text, at);
        if (fits(character.code)) {
            if (done < at)
                matches.push_back({done, at, false});
            done = at + character.size;
            matches.push_back({at, done, true});
        }
        at += character.size;
    }
    if (done < piece.size())
        matches.push_back({done, piece.size(), false});
    return matches;
}

} // namespace headlight::core
