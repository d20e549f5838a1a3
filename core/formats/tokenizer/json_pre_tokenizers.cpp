#include "core/formats/tokenizer/json_parts.h"

#include <array>

namespace headlight::core {

namespace {

constexpr std::array<std::string_view, 12> kPreTokenizers{
    "ByteLevel",          "BertPreTokenizer", "Whitespace",
    "WhitespaceSplit",    "Metaspace",        "Split",
    "CharDelimiterSplit", "Punctuation",      "Digits",
    "UnicodeScripts",     "FixedLength",      "Sequence"};

/// Names in the order of SplitBehavior.
constexpr std::array<std::string_view, 5> kBehaviors{"Removed", "Isolated", "MergedWithPrevious",
                                                     "MergedWithNext", "Contiguous"};

SplitBehavior readBehavior(const Field &field, SplitBehavior otherwise) {
    if (!field.present())
        return otherwise;
    const auto word = field.word(kBehaviors);
    return word ? static_cast<SplitBehavior>(*word) : otherwise;
}

PreTokenizerPointer readSplit(const Field &field) {
    auto pattern = readPattern(field.member("pattern"));
    const auto behavior = field.member("behavior").word(kBehaviors);
    if (!pattern || !behavior)
        return nullptr;
    return splitPreTokenizer(std::move(*pattern), static_cast<SplitBehavior>(*behavior),
                             readFlag(field.member("invert"), false));
}

} // namespace

Metaspace readMetaspace(const Field &field) {
    Metaspace what;
    const Field replacement = field.member("replacement");
    what.replacement = readCharacter(replacement).value_or(what.replacement);
    if (const Field scheme = field.member("prepend_scheme"); scheme.present()) {
        if (const auto word = scheme.word({"always", "never", "first"}))
            what.prepend = static_cast<PrependScheme>(*word);
    } else if (!readFlag(field.member("add_prefix_space"), true)) {
        what.prepend = PrependScheme::Never;
    }
    what.splits = readFlag(field.member("split"), true);
    return what;
}

PreTokenizerPointer readPreTokenizer(const Field &field) {
    if (!field.present() || field.is(JsonValue::Kind::Null) || !field.isObject())
        return nullptr;
    const auto type = field.member("type").word(kPreTokenizers);
    const std::string_view name = type ? kPreTokenizers[*type] : "";
    if (name == "ByteLevel")
        return byteLevelPreTokenizer(readFlag(field.member("add_prefix_space"), true),
                                     readFlag(field.member("use_regex"), true));
    if (name == "BertPreTokenizer")
        return bertPreTokenizer();
    if (name == "Whitespace")
        return whitespacePreTokenizer();
    if (name == "WhitespaceSplit")
        return whitespaceSplitPreTokenizer();
    if (name == "Metaspace")
        return metaspacePreTokenizer(readMetaspace(field));
    if (name == "Split")
        return readSplit(field);
    if (name == "CharDelimiterSplit") {
        const auto delimiter = readCharacter(field.member("delimiter"));
        return delimiter ? delimiterPreTokenizer(*delimiter) : nullptr;
    }
    if (name == "Punctuation")
        return punctuationPreTokenizer(
            readBehavior(field.member("behavior"), SplitBehavior::Isolated));
    if (name == "Digits")
        return digitsPreTokenizer(readFlag(field.member("individual_digits"), false));
    if (name == "UnicodeScripts")
        return scriptsPreTokenizer();
    if (name == "FixedLength") {
        const Field length = field.member("length");
        const auto count = length.present() ? length.whole(1, kMaxTokens) : Index(5);
        return count ? fixedLengthPreTokenizer(static_cast<std::size_t>(*count)) : nullptr;
    }
    if (name != "Sequence")
        return nullptr;
    const Field list = field.member("pretokenizers");
    if (!list.isArray())
        return nullptr;
    std::vector<PreTokenizerPointer> parts;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (PreTokenizerPointer part = readPreTokenizer(list.element(i)))
            parts.push_back(std::move(part));
    return sequenceOf(std::move(parts));
}

} // namespace headlight::core
