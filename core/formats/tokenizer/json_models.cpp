#include "core/formats/tokenizer/json_parts.h"
#include "core/in_quotes.h"

#include <array>
#include <cmath>

namespace headlight::core {

namespace {

constexpr std::array<std::string_view, 4> kModels{"BPE", "WordPiece", "Unigram", "WordLevel"};
enum class ModelType { Bpe, WordPiece, Unigram, WordLevel };

/// Reads the model type. Files from before 2021 may lack the type. It is then determined by the
/// fields that exist.
std::optional<ModelType> readType(const Field &field) {
    if (const Field type = field.member("type"); type.present()) {
        const auto word = type.word(kModels);
        return word ? std::optional(static_cast<ModelType>(*word)) : std::nullopt;
    }
    if (field.member("merges").present())
        return ModelType::Bpe;
    if (field.member("vocab").is(JsonValue::Kind::Array))
        return ModelType::Unigram;
    return field.member("max_input_chars_per_word").present() ? ModelType::WordPiece
                                                              : ModelType::WordLevel;
}

std::optional<TokenList> listed(const Field &field,
                                std::vector<std::pair<std::string, Index>> all) {
    auto tokens = TokenList::from(std::move(all));
    if (!tokens) {
        field.fail(tokens.error().what, tokens.error().remedy);
        return std::nullopt;
    }
    return std::move(*tokens);
}

/// Reads {"text": id, …}.
std::optional<TokenList> readVocabulary(const Field &field) {
    if (!field.isObject())
        return std::nullopt;
    std::vector<std::pair<std::string, Index>> all;
    all.reserve(field.size());
    for (const JsonMember &member : field.value().members()) {
        const double id = member.value.number;
        if (member.value.kind != JsonValue::Kind::Number || id != std::floor(id) || id < 0 ||
            id >= static_cast<double>(kMaxTokens)) {
            field.entry(member).expected({"a whole number from %1 to %2", 0, kMaxTokens - 1});
            return std::nullopt;
        }
        all.emplace_back(member.name, static_cast<Index>(id));
    }
    return listed(field, std::move(all));
}

/// Gemma's tokenizer has 514,906 merges, the most of any published one.
constexpr std::size_t kMaxMerges = 800'000;
/// Maximum length in bytes of affixes such as "##" or "</w>", which are added to parts of every
/// word.
constexpr std::size_t kMaxAffix = 256;

/// Checks the number of merges. Called before reading the vocabulary, which takes longer.
bool haveBoundedCount(const Field &merges) {
    if (!merges.is(JsonValue::Kind::Array) || merges.size() <= kMaxMerges)
        return true;
    merges.fail({"it has %1 merges; at most %2 are read", merges.size(), kMaxMerges},
                "use a tokenizer that you trust");
    return false;
}

std::string readAffix(const Field &field, std::string otherwise) {
    std::string text = readOptionalText(field).value_or(std::move(otherwise));
    if (text.size() <= kMaxAffix)
        return text;
    field.fail({"it is longer than %1 bytes", kMaxAffix}, "use a tokenizer that you trust");
    return {};
}

/// Reads a token's text and returns its id; nullopt if the vocabulary does not have it.
std::optional<Index> readToken(const Field &field, const TokenList &tokens) {
    const auto text = readOptionalText(field);
    if (!text)
        return std::nullopt;
    const auto id = tokens.idOf(*text);
    if (!id)
        field.fail({"%1 is not in the vocabulary", inQuotes(*text)}, "");
    return id;
}

/// Parses "a b" or ["a", "b"].
std::optional<std::pair<std::string_view, std::string_view>> pairOf(const JsonValue &value) {
    if (value.kind == JsonValue::Kind::String) {
        const std::string_view text = value.text();
        const std::size_t space = text.find(' ');
        if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos)
            return std::nullopt;
        return std::pair(text.substr(0, space), text.substr(space + 1));
    }
    if (value.kind != JsonValue::Kind::Array || value.elements().size() != 2 ||
        value.elements()[0].kind != JsonValue::Kind::String ||
        value.elements()[1].kind != JsonValue::Kind::String)
        return std::nullopt;
    return std::pair<std::string_view, std::string_view>(value.elements()[0].text(),
                                                         value.elements()[1].text());
}

bool readMerges(const Field &field, const TokenList &tokens, const std::string &prefix,
                std::vector<Merge> &merges) {
    if (!field.isArray())
        return false;
    const auto &elements = field.value().elements();
    merges.reserve(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto pair = pairOf(elements[i]);
        if (!pair) {
            field.element(i).expected("two tokens with a space between them");
            return false;
        }
        const auto merge = mergeOf(pair->first, pair->second, tokens, prefix);
        if (!merge) {
            field.element(i).fail(merge.error().what, merge.error().remedy);
            return false;
        }
        merges.push_back(*merge);
    }
    return true;
}

TokenModelPointer readBpe(const Field &field) {
    if (!haveBoundedCount(field.member("merges")))
        return nullptr;
    auto tokens = readVocabulary(field.member("vocab"));
    if (!tokens)
        return nullptr;
    BpeRules rules;
    rules.continuingPrefix = readAffix(field.member("continuing_subword_prefix"), "");
    rules.endSuffix = readAffix(field.member("end_of_word_suffix"), "");
    rules.takesWholeWords = readFlag(field.member("ignore_merges"), false);
    rules.unknowns.id = readToken(field.member("unk_token"), *tokens);
    rules.unknowns.isFused = readFlag(field.member("fuse_unk"), false);
    rules.unknowns.byBytes = readFlag(field.member("byte_fallback"), false);
    if (!readMerges(field.member("merges"), *tokens, rules.continuingPrefix, rules.merges))
        return nullptr;
    return bpeModel(std::move(*tokens), std::move(rules));
}

TokenModelPointer readWordPiece(const Field &field) {
    auto tokens = readVocabulary(field.member("vocab"));
    if (!tokens)
        return nullptr;
    WordPieceRules rules;
    const Field unknown = field.member("unk_token");
    const auto id = unknown.present() ? readToken(unknown, *tokens) : tokens->idOf("[UNK]");
    if (!id) {
        unknown.expected("a token of the vocabulary");
        return nullptr;
    }
    rules.unknown = *id;
    rules.continuingPrefix = readAffix(field.member("continuing_subword_prefix"), "##");
    if (const Field longest = field.member("max_input_chars_per_word"); longest.present())
        rules.longestWord = static_cast<std::size_t>(longest.whole(0, 1'000'000).value_or(100));
    return wordPieceModel(std::move(*tokens), std::move(rules));
}

/// Reads [["text", score], …], where the id is the index.
TokenModelPointer readUnigram(const Field &field) {
    const Field list = field.member("vocab");
    if (!list.isArray())
        return nullptr;
    std::vector<std::pair<std::string, Index>> all;
    std::vector<double> scores;
    for (const JsonValue &each : list.value().elements()) {
        const bool isEntry = each.kind == JsonValue::Kind::Array && each.elements().size() == 2 &&
                             each.elements()[0].kind == JsonValue::Kind::String &&
                             each.elements()[1].kind == JsonValue::Kind::Number;
        if (!isEntry) {
            list.element(all.size()).expected("a token and its score");
            return nullptr;
        }
        all.emplace_back(each.elements()[0].text(), static_cast<Index>(all.size()));
        scores.push_back(each.elements()[1].number);
    }
    const auto count = static_cast<Index>(all.size());
    auto tokens = listed(list, std::move(all));
    if (!tokens)
        return nullptr;
    Unknowns unknowns;
    if (const Field unknown = field.member("unk_id");
        unknown.present() && !unknown.is(JsonValue::Kind::Null))
        unknowns.id = unknown.whole(0, std::max<Index>(0, count - 1));
    unknowns.byBytes = readFlag(field.member("byte_fallback"), false);
    return unigramModel(std::move(*tokens), std::move(scores), unknowns);
}

TokenModelPointer readWordLevel(const Field &field) {
    auto tokens = readVocabulary(field.member("vocab"));
    if (!tokens)
        return nullptr;
    const auto unknown = readToken(field.member("unk_token"), *tokens);
    return wordLevelModel(std::move(*tokens), unknown);
}

} // namespace

TokenModelPointer readTokenModel(const Field &field) {
    if (!field.isObject())
        return nullptr;
    const auto type = readType(field);
    if (!type)
        return nullptr;
    switch (*type) {
    case ModelType::Bpe:
        return readBpe(field);
    case ModelType::WordPiece:
        return readWordPiece(field);
    case ModelType::Unigram:
        return readUnigram(field);
    case ModelType::WordLevel:
        return readWordLevel(field);
    }
    return nullptr;
}

} // namespace headlight::core
