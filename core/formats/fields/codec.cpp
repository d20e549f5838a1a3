#include "core/formats/fields/codec.h"

#include "core/formats/json/reader.h"

#include <array>
#include <charconv>
#include <cmath>

namespace headlight::core {

namespace {

/// Returns the shortest digits, such as "1000000". Only numbers above 10¹⁵ get an exponent.
std::string digitsOf(float number) {
    std::array<char, 64> digits{};
    const auto format =
        std::abs(number) > 1e15f ? std::chars_format::general : std::chars_format::fixed;
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, format).ptr;
    return {digits.data(), end};
}

/// Like digitsOf(), with the minus sign of displayed text (U+2212).
std::string shownDigitsOf(float number) {
    return number < 0 ? "−" + digitsOf(-number) : digitsOf(number);
}

} // namespace

NumberCodec NumberCodec::from(float least) const {
    NumberCodec codec = *this;
    codec.m_least = least;
    return codec;
}

NumberCodec NumberCodec::above(float bound) const {
    NumberCodec codec = from(bound);
    codec.m_isAbove = true;
    return codec;
}

NumberCodec NumberCodec::to(float most) const {
    NumberCodec codec = *this;
    codec.m_most = most;
    return codec;
}

NumberCodec NumberCodec::below(float bound) const {
    NumberCodec codec = to(bound);
    codec.m_isBelow = true;
    return codec;
}

bool NumberCodec::contains(float number) const {
    return std::isfinite(number) && (m_isAbove ? number > m_least : number >= m_least) &&
           (m_isBelow ? number < m_most : number <= m_most);
}

Message NumberCodec::expected() const {
    const bool hasLeast = m_least > std::numeric_limits<float>::lowest();
    const bool hasMost = m_most < std::numeric_limits<float>::max();
    const std::string least = shownDigitsOf(m_least), most = shownDigitsOf(m_most);
    if (!hasLeast && !hasMost)
        return "a number that fits into 32 bits";
    if (!hasLeast)
        return m_isBelow ? Message("a number less than %1", most)
                         : Message("a number of at most %1", most);
    if (!hasMost)
        return m_isAbove ? Message("a number greater than %1", least)
                         : Message("a number of at least %1", least);
    if (m_isAbove)
        return m_isBelow ? Message("a number greater than %1 and less than %2", least, most)
                         : Message("a number greater than %1 and at most %2", least, most);
    return m_isBelow ? Message("a number of at least %1 and less than %2", least, most)
                     : Message("a number from %1 to %2", least, most);
}

std::string NumberCodec::limits() const {
    const bool hasLeast = m_least > std::numeric_limits<float>::lowest();
    const bool hasMost = m_most < std::numeric_limits<float>::max();
    if (hasLeast && hasMost && !m_isAbove && !m_isBelow)
        return shownDigitsOf(m_least) + " to " + shownDigitsOf(m_most);
    std::string text = "number";
    if (hasLeast)
        text += (m_isAbove ? " > " : " ≥ ") + shownDigitsOf(m_least);
    if (hasMost)
        text += (hasLeast ? " and" : "") + std::string(m_isBelow ? " < " : " ≤ ") +
                shownDigitsOf(m_most);
    return text;
}

std::string NumberCodec::schema() const {
    return jsonObject({{"type", "\"number\""},
                       {m_isAbove ? "exclusiveMinimum" : "minimum", digitsOf(m_least)},
                       {m_isBelow ? "exclusiveMaximum" : "maximum", digitsOf(m_most)}});
}

NumberCodec::operator Codec<float>() const {
    return {[codec = *this](const Field &field, float &into) {
                if (field.is(JsonValue::Kind::Number) && codec.contains(field.value().single)) {
                    into = field.value().single;
                    return true;
                }
                field.expected(codec.expected());
                return false;
            },
            [](const float &number, const std::string &) {
                // JSON has no NaN and no infinity, so they are written as a string, which readers
                // reject.
                const std::string digits = jsonNumber(number);
                return std::isfinite(number) ? digits : jsonText(digits);
            },
            schema(),
            limits(),
            {m_least, m_most}};
}

Codec<Index> whole(Index least, Index most) {
    return {[least, most](const Field &field, Index &into) {
                const auto number = field.whole(least, most);
                into = number.value_or(into);
                return number.has_value();
            },
            [](const Index &number, const std::string &) { return std::to_string(number); },
            jsonObject({{"type", "\"integer\""},
                        {"minimum", std::to_string(least)},
                        {"maximum", std::to_string(most)}}),
            std::to_string(least) + " to " + std::to_string(most),
            {static_cast<double>(least), static_cast<double>(most)}};
}

Codec<std::uint64_t> wholeSeed(Index most) {
    const Codec<Index> number = whole(0, most);
    return {[read = number.read](const Field &field, std::uint64_t &into) {
                Index seed = 0;
                if (!read(field, seed))
                    return false;
                into = static_cast<std::uint64_t>(seed);
                return true;
            },
            [](const std::uint64_t &seed, const std::string &) {
                // Recipes have no seed above kLargestSeed. Such a seed is written as a string,
                // because a number would lose digits.
                const std::string digits = std::to_string(seed);
                return seed > std::uint64_t(kLargestSeed) ? jsonText(digits) : digits;
            },
            number.schema, most == kLargestSeed ? "0 to 2⁵³" : number.limits, number.valid};
}

Codec<bool> flag() {
    return {[](const Field &field, bool &into) {
                const auto read = field.boolean();
                into = read.value_or(into);
                return read.has_value();
            },
            [](const bool &value, const std::string &) { return value ? "true" : "false"; },
            jsonObject({{"type", "\"boolean\""}}), "true or false"};
}

Codec<std::string> text() {
    return {[](const Field &field, std::string &into) {
                auto read = field.text();
                if (!read)
                    return false;
                into = *std::move(read);
                return true;
            },
            [](const std::string &value, const std::string &) { return jsonText(value); },
            jsonObject({{"type", "\"string\""}}), "text"};
}

Codec<std::string> textUpTo(std::size_t most, const char *tooLong, const char *remedy) {
    Codec<std::string> codec = text();
    codec.read = [=, readText = text().read](const Field &field, std::string &into) {
        std::string read;
        if (!readText(field, read))
            return false;
        if (read.size() > most) {
            field.fail({tooLong, most}, remedy);
            return false;
        }
        into = std::move(read);
        return true;
    };
    codec.schema = jsonObject({{"type", "\"string\""}, {"maxLength", std::to_string(most)}});
    codec.limits = "text of at most " + std::to_string(most) + " bytes";
    return codec;
}

Codec<std::string> nameUpTo(std::size_t most, const char *expected) {
    Codec<std::string> codec = text();
    codec.read = [=, readText = text().read](const Field &field, std::string &into) {
        std::string name;
        if (!readText(field, name))
            return false;
        if (name.empty() || name.size() > most) {
            field.expected({expected, most});
            return false;
        }
        into = std::move(name);
        return true;
    };
    codec.schema = jsonObject(
        {{"type", "\"string\""}, {"minLength", "1"}, {"maxLength", std::to_string(most)}});
    codec.limits = "name of at most " + std::to_string(most) + " bytes";
    return codec;
}

std::string schemaOfWords(std::span<const std::string_view> words) {
    std::vector<std::string> quoted;
    for (const std::string_view word : words)
        quoted.push_back(jsonText(word));
    return jsonObject({{"enum", jsonArray(quoted)}});
}

std::string limitsOfWords(std::span<const std::string_view> words) {
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i)
        list += std::string(i == 0                  ? ""
                            : i + 1 == words.size() ? " or "
                                                    : ", ") +
                "`" + jsonText(words[i]) + "`";
    return list;
}

std::vector<JsonValue> jsonValuesOf(const std::string &word) {
    std::vector<JsonValue> values;
    values.emplace_back(JsonValue::Kind::String).content->text = word;
    const auto parsed = [&word](auto &number) {
        const char *end = word.data() + word.size();
        return std::from_chars(word.data(), end, number) == std::from_chars_result{end, {}};
    };
    JsonValue number(JsonValue::Kind::Number);
    std::int64_t whole = 0; // detects integers that a double would round
    if (parsed(number.number) && std::isfinite(number.number) && parsed(number.single) &&
        (!parsed(whole) || static_cast<long double>(whole) == number.number))
        values.push_back(std::move(number));
    if (word == "true" || word == "false")
        values.emplace_back(JsonValue::Kind::Boolean).boolean = word == "true";
    return values;
}

std::string wordOfJson(const std::string &json) {
    const Result<JsonValue> value = readJson(json);
    return value && value->kind == JsonValue::Kind::String ? value->text() : json;
}

bool isListOf(const Field &list, std::size_t least, std::size_t most) {
    if (!list.isArray())
        return false;
    if (list.size() >= least && list.size() <= most)
        return true;
    list.expected(least == 0 ? Message("a list of at most %1 elements", most)
                             : Message("a list of %1 to %2 elements", least, most));
    return false;
}

std::string schemaOfList(const std::string &element, std::size_t least, std::size_t most) {
    std::vector<JsonMemberText> members{{"type", "\"array\""}};
    if (least > 0)
        members.push_back({"minItems", std::to_string(least)});
    if (most < kUnlimited)
        members.push_back({"maxItems", std::to_string(most)});
    members.push_back({"items", element});
    return jsonObject(members);
}

std::string limitsOfList(const std::string &element, std::size_t least, std::size_t most) {
    constexpr std::string_view kObject = "object";
    const std::string length = most == kUnlimited ? ""
                               : least == 0
                                   ? " of at most " + std::to_string(most)
                                   : " of " + std::to_string(least) + " to " + std::to_string(most);
    return element.starts_with(kObject) ? "list" + (length.empty() ? " of" : length) + " objects" +
                                              element.substr(kObject.size())
                                        : "list" + length + ": " + element;
}

} // namespace headlight::core
