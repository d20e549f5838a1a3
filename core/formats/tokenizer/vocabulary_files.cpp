#include "core/formats/tokenizer/vocabulary_files.h"

#include "core/formats/json/reader.h"
#include "core/formats/tokenizer/json_parts.h"
#include "core/in_quotes.h"

#include "core/tokenizers/text/unicode.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace headlight::core {

namespace {

/// Calls `take` for each line, without "\r". Skips an empty last line.
template <typename Take>
Outcome eachLine(std::string_view text, const std::stop_token &stop, const Take &take) {
    StopCheck check(stop);
    for (std::size_t number = 0; !text.empty(); ++number) {
        if (check.requested())
            return cancelled();
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (Outcome taken = take(number, line); !taken) {
            Error error = taken.error();
            error.where = "line " + std::to_string(number + 1);
            return error;
        }
    }
    return Done{};
}

Result<TokenList> tokensOfLines(std::string_view lines, const std::stop_token &stop) {
    if (const auto bad = firstInvalidByte(lines))
        return Error{{"it is not valid UTF-8 at byte %1", *bad}, "", "save it as UTF-8"};
    std::vector<std::pair<std::string, Index>> all;
    const Outcome read =
        eachLine(lines, stop, [&](std::size_t number, std::string_view line) -> Outcome {
            all.emplace_back(line, static_cast<Index>(number));
            return Done{};
        });
    if (!read)
        return read.error();
    if (all.empty())
        return Error{"it has no tokens", "", "get the file again"};
    return TokenList::from(std::move(all));
}

/// Returns added tokens for the texts that are in the list. Added tokens are matched before
/// normalisation.
std::vector<AddedToken> addedOf(const TokenList &tokens,
                                std::initializer_list<const char *> texts) {
    std::vector<AddedToken> added;
    for (const char *text : texts)
        if (const auto id = tokens.idOf(text)) {
            AddedToken token{text, *id};
            token.stripsLeft = std::string_view(text) == "<mask>";
            added.push_back(std::move(token));
        }
    return added;
}

/// Returns a template with both tokens around a text, if the list has them.
PostProcessing between(const TokenList &tokens, const char *first, const char *last,
                       PairStyle style) {
    const auto before = tokens.idOf(first), after = tokens.idOf(last);
    return before && after ? surrounding(before, after, style) : PostProcessing();
}

Result<TokenList> tokensOfJson(const JsonValue &document) {
    std::vector<std::pair<std::string, Index>> all;
    if (document.kind == JsonValue::Kind::Array) {
        for (const JsonValue &each : document.elements()) {
            if (each.kind != JsonValue::Kind::String)
                return Error{"expected text in quotes", "[" + std::to_string(all.size()) + "]", ""};
            all.emplace_back(each.text(), static_cast<Index>(all.size()));
        }
    } else if (document.kind == JsonValue::Kind::Object) {
        for (const JsonMember &member : document.members()) {
            const double id = member.value.number;
            const bool isId = member.value.kind == JsonValue::Kind::Number && id >= 0 &&
                              id < static_cast<double>(kMaxTokens) && id == std::floor(id);
            if (!isId)
                return Error{{"expected a whole number from %1 to %2", 0, kMaxTokens - 1},
                             "[" + inQuotes(member.name) + "]",
                             ""};
            all.emplace_back(member.name, static_cast<Index>(id));
        }
    }
    if (all.empty())
        return Error{"expected a list of tokens, or an object of their ids", "", ""};
    return TokenList::from(std::move(all));
}

bool isMarker(std::string_view text) {
    return text.size() > 2 && text.starts_with('<') && text.ends_with('>');
}

/// True if every token except those in < > is a single character.
bool isOfCharacters(const TokenList &tokens) {
    for (Index id = 0; id < tokens.size(); ++id) {
        const std::string_view text = tokens.textOf(id);
        if (!text.empty() && !isMarker(text) && characterAt(text, 0).size != text.size())
            return false;
    }
    return true;
}

/// Splits a text into its characters.
PreTokenizerPointer characterPreTokenizer() {
    auto any = Pattern::expression("(?s).");
    return any ? splitPreTokenizer(std::move(*any), SplitBehavior::Isolated, false) : nullptr;
}

/// Like GPT-2's pre-tokenizer, but isolates digits and groups line breaks (Qwen2Tokenizer).
PreTokenizerPointer qwen2PreTokenizer() {
    auto words =
        Pattern::expression(R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
                            R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
                            ExpressionSyntax::Oniguruma);
    if (!words)
        return nullptr;
    return sequenceOf({splitPreTokenizer(std::move(*words), SplitBehavior::Isolated, false),
                       byteLevelPreTokenizer(false, false)});
}

/// Splits a text into CLIP's words: groups of letters, single digits, and groups of other
/// characters. Drops white space (CLIPConverter in convert_slow_tokenizer.py of transformers).
PreTokenizerPointer clipPreTokenizer() {
    auto words = Pattern::expression(R"('s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)",
                                     ExpressionSyntax::Oniguruma);
    if (!words)
        return nullptr;
    return sequenceOf({splitPreTokenizer(std::move(*words), SplitBehavior::Removed, true),
                       byteLevelPreTokenizer(false, true)});
}

NormalizerPointer clipNormalizer() {
    auto spaces = Pattern::expression(R"(\s+)", ExpressionSyntax::Oniguruma);
    if (!spaces)
        return nullptr;
    return sequenceOf({unicodeNormalizer(UnicodeForm::Nfc),
                       replaceNormalizer(std::move(*spaces), " "), lowercaseNormalizer()});
}

constexpr const char *kClipStart = "<|startoftext|>", *kClipEnd = "<|endoftext|>",
                     *kWordEnd = "</w>";

/// Applies CLIP's differences from GPT-2.
void applyClip(const TokenList &tokens, PipelineParts &parts, BpeRules &rules) {
    rules.endSuffix = kWordEnd;
    rules.unknowns.id = tokens.idOf(kClipEnd);
    parts.added = addedOf(tokens, {kClipStart, kClipEnd});
    for (AddedToken &token : parts.added)
        token.isNormalized = true;
    parts.post = between(tokens, kClipStart, kClipEnd, {2, 0});
    parts.normalizer = clipNormalizer();
    parts.preTokenizer = clipPreTokenizer();
    parts.decoder = sequenceOf({byteLevelDecoder(), replaceDecoder(Pattern::literal(kWordEnd), " "),
                                stripDecoder(U' ', 0, 1)});
}

} // namespace

std::vector<AddedToken> withDeclared(std::vector<AddedToken> tokens,
                                     const std::vector<AddedToken> &declared) {
    std::unordered_set<Index> ids;
    for (const AddedToken &token : declared)
        ids.insert(token.id);
    std::erase_if(tokens, [&ids](const AddedToken &token) { return ids.contains(token.id); });
    tokens.insert(tokens.end(), declared.begin(), declared.end());
    return tokens;
}

Result<TokenList> readTokenList(std::string_view json, std::stop_token stop) {
    const Result<JsonValue> document = readJson(json, std::move(stop));
    return document ? tokensOfJson(*document) : Result<TokenList>(document.error());
}

Result<TokenizerPointer> readVocabularyAndMerges(std::string_view json, std::string_view merges,
                                                 const TokenizerSettings &settings,
                                                 std::stop_token stop) {
    auto tokens = readTokenList(json, stop);
    if (!tokens)
        return tokens.error();
    if (const auto bad = firstInvalidByte(merges))
        return Error{{"the merges are not valid UTF-8 at byte %1", *bad}, "", ""};
    BpeRules rules;
    const Outcome read =
        eachLine(merges, stop, [&](std::size_t number, std::string_view line) -> Outcome {
            if (line.empty() || (number == 0 && line.starts_with("#version")))
                return Done{};
            const std::size_t space = line.find(' ');
            if (space == std::string_view::npos)
                return Error{"expected two tokens with a space between them", "", ""};
            auto merge = mergeOf(line.substr(0, space), line.substr(space + 1), *tokens, "");
            if (!merge)
                return merge.error();
            rules.merges.push_back(*merge);
            return Done{};
        });
    if (!read)
        return read.error();
    PipelineParts parts;
    parts.added = addedOf(*tokens, {"<|endoftext|>", "<s>", "</s>", "<pad>", "<unk>", "<mask>"});
    parts.post = between(*tokens, "<s>", "</s>", {2, 0});
    parts.decoder = byteLevelDecoder();
    if (settings.isClip) {
        applyClip(*tokens, parts, rules);
    } else if (settings.isQwen2) {
        parts.normalizer = unicodeNormalizer(UnicodeForm::Nfc);
        parts.preTokenizer = qwen2PreTokenizer();
    } else {
        parts.preTokenizer = byteLevelPreTokenizer(settings.prependsSpace, true);
    }
    parts.added = withDeclared(std::move(parts.added), settings.added);
    parts.model = bpeModel(std::move(*tokens), std::move(rules));
    return makeTokenizer(std::move(parts));
}

Result<TokenizerPointer> readBertVocabulary(std::string_view lines,
                                            const TokenizerSettings &settings,
                                            std::stop_token stop) {
    auto tokens = tokensOfLines(lines, stop);
    if (!tokens)
        return tokens.error();
    const auto unknown = tokens->idOf("[UNK]");
    if (!unknown)
        return Error{"it has no token [UNK]", "", "use the vocabulary of a BERT model"};
    BertNormalization what;
    what.lowers = settings.lowers;
    what.partsChinese = settings.partsChinese;
    what.stripsAccents = settings.stripsAccents.value_or(settings.lowers);
    PipelineParts parts;
    parts.added = withDeclared(addedOf(*tokens, {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}),
                               settings.added);
    parts.post = between(*tokens, "[CLS]", "[SEP]", {1, 1});
    parts.normalizer = bertNormalizer(what);
    parts.preTokenizer = bertPreTokenizer();
    parts.decoder = wordPieceDecoder("##", true);
    WordPieceRules rules;
    rules.unknown = *unknown;
    parts.model = wordPieceModel(std::move(*tokens), std::move(rules));
    return makeTokenizer(std::move(parts));
}

Result<TokenizerPointer> readVocabularyByExpression(std::string_view lines,
                                                    std::string_view expression,
                                                    std::stop_token stop) {
    auto tokens = tokensOfLines(lines, stop);
    if (!tokens)
        return tokens.error();
    auto pattern = Pattern::expression(expression);
    if (!pattern)
        return pattern.error();
    PipelineParts parts;
    parts.added = addedOf(*tokens, {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"});
    parts.post = between(*tokens, "[CLS]", "[SEP]", {1, 1});
    parts.preTokenizer = splitPreTokenizer(std::move(*pattern), SplitBehavior::Removed, true);
    parts.decoder = fuseDecoder();
    const auto unknown = tokens->idOf("[UNK]");
    parts.model = wordLevelModel(std::move(*tokens), unknown);
    return makeTokenizer(std::move(parts));
}

Result<TokenizerPointer> readTokenListJson(std::string_view json, const TokenizerSettings &settings,
                                           std::stop_token stop) {
    auto tokens = readTokenList(json, stop);
    if (!tokens)
        return tokens.error();
    PipelineParts parts;
    const bool isByCharacters = isOfCharacters(*tokens);
    parts.preTokenizer = isByCharacters ? characterPreTokenizer() : whitespaceSplitPreTokenizer();
    parts.decoder = isByCharacters ? fuseDecoder() : spacedDecoder();
    const auto known = [&tokens](std::optional<Index> id) {
        return id && *id < tokens->size() ? id : std::nullopt;
    };
    const auto beginning = known(settings.beginning), end = known(settings.end);
    parts.post = surrounding(beginning, settings.isEncoderDecoder ? end : std::nullopt, {1, 0});
    for (const auto &id : {beginning, end, tokens->idOf("<s>"), tokens->idOf("</s>"),
                           tokens->idOf("<pad>"), tokens->idOf("<blank>")})
        if (id)
            parts.special.push_back(*id);
    const auto unknown = tokens->idOf("<unk>");
    parts.model = wordLevelModel(std::move(*tokens), unknown);
    return makeTokenizer(std::move(parts));
}

} // namespace headlight::core
