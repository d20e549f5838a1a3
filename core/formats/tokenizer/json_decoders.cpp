#include "core/formats/tokenizer/json_parts.h"

#include <array>

namespace headlight::core {

namespace {

constexpr std::array<std::string_view, 10> kDecoders{
    "BPEDecoder", "ByteLevel", "WordPiece", "Metaspace", "CTC",
    "Sequence",   "Replace",   "Fuse",      "Strip",     "ByteFallback"};

DecoderPointer readMetaspaceDecoder(const Field &field) {
    const Metaspace what = readMetaspace(field);
    return metaspaceDecoder(what.replacement, what.prepend != PrependScheme::Never);
}

DecoderPointer readReplaceDecoder(const Field &field) {
    auto pattern = readPattern(field.member("pattern"));
    const auto with = field.member("content").text();
    return pattern && with ? replaceDecoder(std::move(*pattern), *with) : nullptr;
}

DecoderPointer readStripDecoder(const Field &field) {
    const auto character = readCharacter(field.member("content"));
    const auto begin = field.member("start").whole(0, kMaxTokens);
    const auto end = field.member("stop").whole(0, kMaxTokens);
    if (!character || !begin || !end)
        return nullptr;
    return stripDecoder(*character, static_cast<std::size_t>(*begin),
                        static_cast<std::size_t>(*end));
}

DecoderPointer readBpeDecoder(const Field &field) {
    const Field suffix = field.member("suffix");
    const auto text = suffix.present() ? suffix.text() : "</w>";
    if (text && text->empty())
        return fuseDecoder(); // without a suffix, tokens are just concatenated
    return text ? bpeDecoder(*text) : nullptr;
}

DecoderPointer readCtcDecoder(const Field &field) {
    CtcRules rules;
    rules.padding = readOptionalText(field.member("pad_token")).value_or(rules.padding);
    rules.betweenText =
        readOptionalText(field.member("word_delimiter_token")).value_or(rules.betweenText);
    rules.cleansUp = readFlag(field.member("cleanup"), true);
    return ctcDecoder(std::move(rules));
}

DecoderPointer readDecoders(const Field &list) {
    std::vector<DecoderPointer> parts;
    if (!list.isArray())
        return nullptr;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (DecoderPointer part = readDecoder(list.element(i)))
            parts.push_back(std::move(part));
    return sequenceOf(std::move(parts));
}

} // namespace

DecoderPointer readDecoder(const Field &field) {
    if (!field.present() || field.is(JsonValue::Kind::Null) || !field.isObject())
        return nullptr;
    const auto type = field.member("type").word(kDecoders);
    const std::string_view name = type ? kDecoders[*type] : "";
    if (name == "BPEDecoder")
        return readBpeDecoder(field);
    if (name == "ByteLevel")
        return byteLevelDecoder();
    if (name == "WordPiece")
        return wordPieceDecoder(readOptionalText(field.member("prefix")).value_or("##"),
                                readFlag(field.member("cleanup"), true));
    if (name == "Metaspace")
        return readMetaspaceDecoder(field);
    if (name == "CTC")
        return readCtcDecoder(field);
    if (name == "Replace")
        return readReplaceDecoder(field);
    if (name == "Fuse")
        return fuseDecoder();
    if (name == "Strip")
        return readStripDecoder(field);
    if (name == "ByteFallback")
        return byteFallbackDecoder();
    return name == "Sequence" ? readDecoders(field.member("decoders")) : nullptr;
}

} // namespace headlight::core
