#include "core/formats/pretrained/gguf/gguf_config.h"

#include "core/tokenizers/text/unicode.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

JsonValue jsonNumber(double number) {
    JsonValue value(JsonValue::Kind::Number);
    value.number = number;
    value.single = static_cast<float>(number);
    return value;
}

} // namespace

std::string GgufConfig::fullKey(std::string_view key) const {
    return m_architecture + "." + std::string(key);
}

bool GgufConfig::has(std::string_view key) const {
    return m_file.metadata().find(fullKey(key)) != nullptr;
}

void GgufConfig::fail(std::string_view key, Message what, Message remedy) {
    if (m_problems.size() < kMaxProblems)
        m_problems.push_back(
            {std::move(what), m_file.path() + ": " + fullKey(key), std::move(remedy)});
}

void GgufConfig::failAt(const GgufTensor &tensor, Message what, Message remedy) {
    m_problems.push_back({std::move(what), m_file.whereOf(tensor), std::move(remedy)});
}

void GgufConfig::check(std::string_view key, bool isRead, const char *expected) {
    m_known.insert(fullKey(key));
    if (const GgufValue *value = m_file.metadata().find(fullKey(key)); value && !isRead)
        fail(key, {"expected %1, found %2", Message(expected), Message(nameOf(value->kind))},
             "get the file again");
}

std::optional<double> GgufConfig::whole(std::string_view key) {
    const GgufMetadata &metadata = m_file.metadata();
    std::optional<double> number = metadata.whole(fullKey(key));
    if (const auto list = metadata.wholes(fullKey(key)); list && !list->empty()) {
        number = list->front();
        if (std::ranges::count(*list, *number) != std::ssize(*list))
            fail(key, "the blocks have different numbers",
                 "Headlight needs the same number in every layer");
    }
    check(key, number.has_value(), "a whole number");
    return number;
}

std::optional<double> GgufConfig::real(std::string_view key) {
    const auto number = m_file.metadata().real(fullKey(key));
    check(key, number.has_value(), "a number");
    if (number && !std::isfinite(*number)) {
        fail(key, "the number is infinite or not a number", "get the file again");
        return std::nullopt;
    }
    return number;
}

std::optional<bool> GgufConfig::flag(std::string_view key) {
    const auto flag = m_file.metadata().flag(fullKey(key));
    check(key, flag.has_value(), "true or false");
    return flag;
}

std::optional<std::string> GgufConfig::text(std::string_view key) {
    const auto text = m_file.metadata().text(fullKey(key));
    check(key, text.has_value(), "a text");
    return text ? std::optional(asUtf8(std::string(*text))) : std::nullopt;
}

void GgufConfig::ignore(std::span<const std::string_view> keys) {
    for (const std::string_view key : keys)
        m_known.insert(fullKey(key));
}

void GgufConfig::place(const std::string &field, std::string_view key) {
    m_places[field] = fullKey(key);
}

void GgufConfig::set(const std::string &field, JsonValue value) {
    m_config.content->members.push_back({field, std::move(value)});
}

void GgufConfig::set(const std::string &field, double number) {
    set(field, jsonNumber(number));
}

void GgufConfig::set(const std::string &field, bool flag) {
    JsonValue value(JsonValue::Kind::Boolean);
    value.boolean = flag;
    set(field, std::move(value));
}

void GgufConfig::set(const std::string &field, const char *text) {
    JsonValue value(JsonValue::Kind::String);
    value.content->text = text;
    set(field, std::move(value));
}

std::string GgufConfig::whereOf(const std::string &field) const {
    const auto found = m_places.find(field);
    return m_file.path() + ": " + (found == m_places.end() ? field : found->second);
}

std::vector<std::string> GgufConfig::unknownKeys() const {
    std::vector<std::string> unknown;
    for (const auto &[key, value] : m_file.metadata().keys())
        if (key.starts_with(m_architecture + ".") && !m_known.contains(key))
            unknown.push_back(asUtf8(key));
    return unknown;
}

JsonValue GgufConfig::take() {
    m_config.sortNames();
    return std::move(m_config);
}

void GgufConfig::note(Message what) {
    m_notes.push_back({std::move(what), m_file.path(), "", ""});
}

namespace {

void addRows(GgufConfig &config, const std::string &field, const char *tensorName,
             const char *key) {
    config.place(field, key);
    if (const GgufTensor *tensor = config.file().find(tensorName))
        config.set(field, static_cast<double>(tensor->shape[0]));
    else if (const auto size = config.whole(key))
        config.set(field, *size);
}

} // namespace

void addVocabularySize(GgufConfig &config, const std::string &field) {
    addRows(config, field, "token_embd.weight", "vocab_size");
}

void addPositionCount(GgufConfig &config, const std::string &field) {
    addRows(config, field, "position_embd.weight", "context_length");
}

} // namespace headlight::core
