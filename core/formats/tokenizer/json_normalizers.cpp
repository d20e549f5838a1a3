#include "core/formats/encodings/base64.h"
#include "core/formats/tokenizer/json_parts.h"

#include <array>

namespace headlight::core {

namespace {

constexpr std::array<std::string_view, 14> kNormalizers{
    "NFC",     "NFD",     "NFKC",           "NFKD", "Lowercase",   "StripAccents", "Strip",
    "Replace", "Prepend", "BertNormalizer", "Nmt",  "Precompiled", "ByteLevel",    "Sequence"};

NormalizerPointer readBert(const Field &field) {
    BertNormalization what;
    what.cleans = readFlag(field.member("clean_text"), true);
    what.partsChinese = readFlag(field.member("handle_chinese_chars"), true);
    what.lowers = readFlag(field.member("lowercase"), true);
    what.stripsAccents = readFlag(field.member("strip_accents"), what.lowers);
    return bertNormalizer(what);
}

NormalizerPointer readPrecompiled(const Field &field) {
    const Field table = field.member("precompiled_charsmap");
    if (table.is(JsonValue::Kind::Null))
        return nullptr; // no replacements
    const auto text = table.text();
    if (!text || text->empty())
        return nullptr;
    const auto bytes = bytesFromBase64(*text);
    if (!bytes) {
        table.expected("base64");
        return nullptr;
    }
    auto made = precompiledNormalizer(*bytes);
    if (!made) {
        table.fail(made.error().what, made.error().remedy);
        return nullptr;
    }
    return *made;
}

NormalizerPointer readReplace(const Field &field) {
    auto pattern = readPattern(field.member("pattern"));
    const auto with = field.member("content").text();
    if (!pattern || !with)
        return nullptr;
    return replaceNormalizer(std::move(*pattern), *with);
}

NormalizerPointer readNormalizers(const Field &list) {
    std::vector<NormalizerPointer> parts;
    if (!list.isArray())
        return nullptr;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (NormalizerPointer part = readNormalizer(list.element(i)))
            parts.push_back(std::move(part));
    return sequenceOf(std::move(parts));
}

} // namespace

NormalizerPointer readNormalizer(const Field &field) {
    if (!field.present() || field.is(JsonValue::Kind::Null) || !field.isObject())
        return nullptr;
    const auto type = field.member("type").word(kNormalizers);
    const std::string_view name = type ? kNormalizers[*type] : "";
    if (name == "NFC")
        return unicodeNormalizer(UnicodeForm::Nfc);
    if (name == "NFD")
        return unicodeNormalizer(UnicodeForm::Nfd);
    if (name == "NFKC")
        return unicodeNormalizer(UnicodeForm::Nfkc);
    if (name == "NFKD")
        return unicodeNormalizer(UnicodeForm::Nfkd);
    if (name == "Lowercase")
        return lowercaseNormalizer();
    if (name == "StripAccents")
        return stripAccentsNormalizer();
    if (name == "Strip")
        return stripNormalizer(readFlag(field.member("strip_left"), true),
                               readFlag(field.member("strip_right"), true));
    if (name == "Replace")
        return readReplace(field);
    if (name == "Prepend") {
        const auto text = field.member("prepend").text();
        return text ? prependNormalizer(*text) : nullptr;
    }
    if (name == "BertNormalizer")
        return readBert(field);
    if (name == "Nmt")
        return nmtNormalizer();
    if (name == "Precompiled")
        return readPrecompiled(field);
    if (name == "ByteLevel")
        return byteLevelNormalizer();
    return name == "Sequence" ? readNormalizers(field.member("normalizers")) : nullptr;
}

} // namespace headlight::core
