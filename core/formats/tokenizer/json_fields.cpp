#include "core/formats/tokenizer/json_parts.h"

namespace headlight::core {

std::optional<Pattern> readPattern(const Field &field) {
    if (field.is(JsonValue::Kind::String)) {
        if (!field.value().text().empty())
            return Pattern::literal(field.value().text());
        field.expected("text that is not empty");
        return std::nullopt;
    }
    if (!field.isObject())
        return std::nullopt;
    if (const Field plain = field.member("String"); plain.present())
        return readPattern(plain);
    const Field expression = field.member("Regex");
    const auto text = expression.text();
    if (!text)
        return std::nullopt;
    auto pattern = Pattern::expression(*text, ExpressionSyntax::Oniguruma);
    if (!pattern) {
        expression.fail(pattern.error().what, pattern.error().remedy);
        return std::nullopt;
    }
    return std::move(*pattern);
}

std::optional<char32_t> readCharacter(const Field &field) {
    const auto text = field.text();
    if (!text)
        return std::nullopt;
    if (!text->empty())
        if (const Character first = characterAt(*text, 0); first.size == text->size())
            return first.code;
    field.expected("one character");
    return std::nullopt;
}

bool readFlag(const Field &field, bool otherwise) {
    if (!field.present() || field.is(JsonValue::Kind::Null))
        return otherwise;
    return field.boolean().value_or(otherwise);
}

std::optional<std::string> readOptionalText(const Field &field) {
    if (!field.present() || field.is(JsonValue::Kind::Null))
        return std::nullopt;
    return field.text();
}

} // namespace headlight::core
