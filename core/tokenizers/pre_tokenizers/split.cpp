#include "core/tokenizers/pre_tokenizers/split.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Appends each match to the text before it, unless that text is a match too.
std::vector<Match> mergedWithPrevious(const std::vector<Match> &matches) {
    std::vector<Match> merged;
    bool previousFits = false;
    for (const Match &match : matches) {
        if (match.fits && !previousFits && !merged.empty())
            merged.back().end = match.end;
        else
            merged.push_back({match.begin, match.end, false});
        previousFits = match.fits;
    }
    return merged;
}

std::vector<Match> mergedWithNext(const std::vector<Match> &matches) {
    std::vector<Match> merged; // in reverse order
    bool nextFits = false;
    for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
        if (match->fits && !nextFits && !merged.empty())
            merged.back().begin = match->begin;
        else
            merged.push_back({match->begin, match->end, false});
        nextFits = match->fits;
    }
    std::reverse(merged.begin(), merged.end());
    return merged;
}

std::vector<Match> contiguous(const std::vector<Match> &matches) {
    std::vector<Match> merged;
    for (const Match &match : matches)
        if (!merged.empty() && merged.back().fits == match.fits)
            merged.back().end = match.end;
        else
            merged.push_back(match);
    return merged;
}

} // namespace

std::vector<TextPiece> splitAt(const TextPiece &piece, std::vector<Match> matches,
                               SplitBehavior behavior) {
    switch (behavior) {
    case SplitBehavior::Removed:
        std::erase_if(matches, [](const Match &match) { return match.fits; });
        break;
    case SplitBehavior::Isolated:
        break;
    case SplitBehavior::MergedWithPrevious:
        matches = mergedWithPrevious(matches);
        break;
    case SplitBehavior::MergedWithNext:
        matches = mergedWithNext(matches);
        break;
    case SplitBehavior::Contiguous:
        matches = contiguous(matches);
        break;
    }
    std::vector<TextPiece> pieces;
    pieces.reserve(matches.size());
    for (const Match &match : matches)
        pieces.push_back(piece.part(match.begin, match.end));
    return pieces;
}

} // namespace headlight::core
