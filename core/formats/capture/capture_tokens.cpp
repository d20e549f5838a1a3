#include "core/formats/capture/capture_tokens.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace headlight::core {

namespace {

using TokenJson = nlohmann::json;

constexpr const char *kTokensRemedy =
    "use a JSON list of strings, or a list of such lists, one per sequence and all of the same "
    "length; up to a million strings in total";

/// Parses the lists in one metadata field. Stops at lists nested more than two deep, before they
/// use memory.
std::optional<TokenLists> parseTokens(const std::string &text) {
    bool isRefused = false;
    Index values = 0;
    const TokenJson json = TokenJson::parse(
        text,
        [&](int depth, TokenJson::parse_event_t event, TokenJson &) {
            const bool starts = event == TokenJson::parse_event_t::array_start ||
                                event == TokenJson::parse_event_t::object_start;
            values += event == TokenJson::parse_event_t::value ? 1 : 0;
            isRefused = isRefused || (starts && depth >= 2) || values > kMaxCapturedTokens;
            return !isRefused;
        },
        false);
    if (isRefused || !json.is_array() || json.empty())
        return std::nullopt;
    TokenLists lists;
    const auto take = [&lists](const TokenJson &list) {
        if (!list.is_array() || list.empty() ||
            (!lists.empty() && list.size() != lists.front().size()))
            return false;
        std::vector<std::string> &tokens = lists.emplace_back();
        for (const TokenJson &token : list) {
            if (!token.is_string())
                return false;
            tokens.push_back(token.get<std::string>());
        }
        return true;
    };
    if (json.front().is_string() ? take(json) : std::ranges::all_of(json, take))
        return lists;
    return std::nullopt;
}

Outcome readField(const Metadata &metadata, const std::string &path, const char *field,
                  TokenLists &lists) {
    const auto found = metadata.find(field);
    const std::string where = path + ", metadata " + field;
    if (found == metadata.end())
        return Error{"the tokens are missing", where, kTokensRemedy};
    auto parsed = parseTokens(found->second);
    if (!parsed)
        return Error{"the tokens cannot be parsed", where, kTokensRemedy};
    lists = std::move(*parsed);
    return Done{};
}

} // namespace

Result<bool> readTokens(Capture &capture, const std::string &path) {
    const Metadata &metadata = capture.metadata;
    const bool hasTarget = metadata.contains("target_tokens");
    const bool hasSource = metadata.contains("source_tokens");
    if (!hasTarget && !hasSource && !metadata.contains("tokens"))
        return false;
    if (Outcome outcome =
            readField(metadata, path, hasTarget ? "target_tokens" : "tokens", capture.tokens);
        !outcome)
        return outcome.error();
    if (!hasTarget && !hasSource)
        return true;
    if (Outcome outcome = readField(metadata, path, "source_tokens", capture.sourceTokens);
        !outcome)
        return outcome.error();
    if (capture.sourceTokens.size() == capture.tokens.size())
        return true;
    return Error{{"there are %1 sequences of source tokens and %2 of target tokens",
                  capture.sourceTokens.size(), capture.tokens.size()},
                 path + ", metadata source_tokens",
                 "use the same number of each"};
}

TokenLists countedTokens(Index sequences, Index length) {
    std::vector<std::string> tokens;
    for (Index i = 0; i < length; ++i)
        tokens.push_back(std::to_string(i));
    return TokenLists(static_cast<std::size_t>(sequences), tokens);
}

} // namespace headlight::core
