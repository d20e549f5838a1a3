#include "core/formats/fields/fields.h"

#include "core/formats/json/reader.h"

#include <array>
#include <charconv>
#include <cmath>

namespace headlight::core {

void Reading::add(Error problem) {
    if (problems.size() < kMaxProblems)
        problems.push_back(std::move(problem));
}

void Reading::warn(Warning warning) {
    if (warnings.size() < kMaxProblems)
        warnings.push_back(std::move(warning));
}

Field Field::member(const std::string &name) const {
    m_reading->stop.throwIfRequested();
    if (is(JsonValue::Kind::Object))
        m_reading->asked.note(*m_value, name);
    return {m_value ? m_value->find(name) : nullptr, m_path.empty() ? name : m_path + "." + name,
            *m_reading, m_isAdvice};
}

Field Field::entry(const JsonMember &member) const {
    m_reading->stop.throwIfRequested();
    return {&member.value, m_path + "[" + inQuotes(member.name) + "]", *m_reading, m_isAdvice};
}

Field Field::element(std::size_t index) const {
    m_reading->stop.throwIfRequested();
    const bool there = is(JsonValue::Kind::Array) && index < m_value->elements().size();
    return {there ? &m_value->elements()[index] : nullptr,
            m_path + "[" + std::to_string(index) + "]", *m_reading, m_isAdvice};
}

Field Field::advice() const {
    return {m_value, m_path, *m_reading, true};
}

std::size_t Field::size() const {
    if (is(JsonValue::Kind::Array))
        return m_value->elements().size();
    return is(JsonValue::Kind::Object) ? m_value->members().size() : 0;
}

std::optional<std::string> Field::text() const {
    if (is(JsonValue::Kind::String))
        return m_value->text();
    expected("text in quotes");
    return std::nullopt;
}

std::optional<bool> Field::boolean() const {
    if (is(JsonValue::Kind::Boolean))
        return m_value->boolean;
    expected("true or false");
    return std::nullopt;
}

std::optional<float> Field::number() const {
    if (is(JsonValue::Kind::Number) && std::isfinite(m_value->single))
        return m_value->single;
    expected("a number that fits into 32 bits");
    return std::nullopt;
}

std::optional<float> Field::positive() const {
    if (is(JsonValue::Kind::Number) && std::isfinite(m_value->single) && m_value->single > 0)
        return m_value->single;
    expected("a number greater than 0");
    return std::nullopt;
}

std::optional<Index> Field::whole(Index minimum, Index maximum) const {
    if (is(JsonValue::Kind::Number)) {
        const double number = m_value->number;
        if (number >= static_cast<double>(minimum) && number <= static_cast<double>(maximum) &&
            std::floor(number) == number)
            return static_cast<Index>(number);
    }
    expected({"a whole number from %1 to %2", minimum, maximum});
    return std::nullopt;
}

std::optional<std::size_t> Field::word(std::span<const std::string_view> words) const {
    Message list;
    std::size_t index = 0;
    for (const std::string_view word : words) {
        if (is(JsonValue::Kind::String) && m_value->text() == word)
            return index;
        list = index == 0                  ? Message::verbatim(inQuotes(word))
               : index + 1 == words.size() ? Message("%1 or %2", list, inQuotes(word))
                                           : Message("%1, %2", list, inQuotes(word));
        ++index;
    }
    expected(list);
    return std::nullopt;
}

bool Field::isObject() const {
    if (is(JsonValue::Kind::Object))
        return true;
    expected("an object in { }");
    return false;
}

bool Field::isArray() const {
    if (is(JsonValue::Kind::Array))
        return true;
    expected("a list in [ ]");
    return false;
}

void Field::expected(const Message &what, const Message &remedy) const {
    fail({"expected %1, found %2", what, found()}, remedy);
}

void Field::fail(Message what, Message remedy) const {
    if (m_isAdvice)
        m_reading->warn({std::move(what), m_path, std::move(remedy), ""});
    else
        m_reading->add({std::move(what), m_path, std::move(remedy)});
}

bool Field::spend(Index rows, Index columns) const {
    // Divides instead of multiplying, because a product of sizes from a file may overflow.
    if (rows > 0 && columns > m_reading->numbersLeft / rows) {
        fail({"the values of this session would take more than %1 MB", kMaxSessionNumbers >> 18},
             "use a smaller model or text");
        return false;
    }
    m_reading->numbersLeft -= rows * columns;
    return true;
}

Message Field::found() const {
    if (!m_value)
        return "nothing";
    switch (m_value->kind) {
    case JsonValue::Kind::Null:
        return "null";
    case JsonValue::Kind::Boolean:
        return m_value->boolean ? "true" : "false";
    case JsonValue::Kind::Number: {
        std::array<char, 32> digits{};
        const auto end =
            std::to_chars(digits.data(), digits.data() + digits.size(), m_value->number).ptr;
        return Message::verbatim({digits.data(), end});
    }
    case JsonValue::Kind::String:
        return Message::verbatim(inQuotes(m_value->text()));
    case JsonValue::Kind::Array:
        return {"a list of %1", size()};
    case JsonValue::Kind::Object:
        return "an object";
    }
    return "nothing";
}

} // namespace headlight::core
