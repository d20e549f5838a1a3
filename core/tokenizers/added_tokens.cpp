#include "core/tokenizers/added_tokens.h"

#include "core/tokenizers/text/characters.h"

namespace headlight::core {

namespace {

/// Returns the character that ends before `at`, or nullopt at the start.
std::optional<Character> characterBefore(std::string_view text, std::size_t at) {
    if (at == 0)
        return std::nullopt;
    std::size_t begin = at - 1;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80)
        --begin;
    return characterAt(text, begin);
}

bool standsAlone(std::string_view text, std::size_t begin, std::size_t end) {
    const auto before = characterBefore(text, begin);
    return !(before && isWordCharacter(before->code)) &&
           !(end < text.size() && isWordCharacter(characterAt(text, end).code));
}

std::size_t withSpaceBefore(std::string_view text, std::size_t begin, std::size_t lowest) {
    while (begin > lowest) {
        const auto before = characterBefore(text, begin);
        if (!isWhiteSpace(before->code))
            break;
        begin -= before->size;
    }
    return begin;
}

std::size_t withSpaceBehind(std::string_view text, std::size_t end) {
    while (end < text.size()) {
        const Character next = characterAt(text, end);
        if (!isWhiteSpace(next.code))
            break;
        end += next.size;
    }
    return end;
}

} // namespace

Result<AddedTokens> AddedTokens::from(std::vector<AddedToken> tokens, const Normalizer *normalizer,
                                      StopCheck &stop) {
    AddedTokens added;
    added.m_tokens = std::move(tokens);
    std::vector<PrefixSearch::Entry> asTyped, normalized;
    std::size_t size = 0;
    for (std::size_t i = 0; i < added.m_tokens.size(); ++i) {
        const AddedToken &token = added.m_tokens[i];
        added.m_byId[token.id] = i;
        std::string text = token.text;
        if (token.isNormalized && normalizer) {
            auto made = normalizer->normalized(pieceOf(text), stop);
            if (!made)
                return made.error();
            text = made->text;
        }
        size += text.size();
        if (size > kMaxPieceBytes)
            return tooLongPiece();
        added.m_texts.push_back(std::move(text));
    }
    // Built after all texts have their final addresses, because PrefixSearch contains views.
    for (std::size_t i = 0; i < added.m_tokens.size(); ++i)
        (added.m_tokens[i].isNormalized ? normalized : asTyped)
            .push_back({added.m_texts[i], static_cast<Index>(i)});
    added.m_asTyped = PrefixSearch(std::move(asTyped));
    added.m_normalized = PrefixSearch(std::move(normalized));
    return added;
}

const AddedToken *AddedTokens::find(Index id) const {
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : &m_tokens[found->second];
}

std::vector<AddedTokens::Part> AddedTokens::split(TextPiece piece, bool isNormalized,
                                                  StopCheck &stop) const {
    std::vector<Part> parts;
    const PrefixSearch &search = isNormalized ? m_normalized : m_asTyped;
    if (search.empty()) {
        if (!piece.empty())
            parts.push_back({std::move(piece), std::nullopt});
        return parts;
    }
    const std::string_view text = piece.text;
    std::size_t done = 0; // `parts` contains the text up to here
    const auto putUntil = [&](std::size_t end) {
        if (done < end)
            parts.push_back({piece.part(done, end), std::nullopt});
        done = std::max(done, end);
    };
    for (std::size_t at = 0; at < text.size();) {
        stop.throwIfRequested();
        const AddedToken *token = nullptr;
        std::size_t end = at;
        search.each(text.substr(at), [&](const PrefixSearch::Entry &entry) {
            token = &m_tokens[static_cast<std::size_t>(entry.id)];
            end = at + entry.text.size();
        });
        if (!token) {
            ++at; // cannot match inside a character, because tokens are valid UTF-8
            continue;
        }
        const std::size_t begin = token->stripsLeft ? withSpaceBefore(text, at, done) : at;
        const bool isToken = !token->isWholeWord || standsAlone(text, at, end);
        at = end;
        if (!isToken)
            continue;
        if (token->stripsRight)
            end = withSpaceBehind(text, end);
        putUntil(begin);
        if (done < end)
            parts.push_back({piece.part(done, end), token->id});
        done = std::max(done, end);
        at = std::max(at, end);
    }
    putUntil(text.size());
    return parts;
}

} // namespace headlight::core
