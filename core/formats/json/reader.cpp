#include "core/formats/json/reader.h"

#include "core/tokenizers/text/unicode.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <new>

// The library asserts that strtod reads the whole number, which fails in locales with a multi-byte
// decimal separator. The result of strtod is not used here.
#define JSON_ASSERT(condition) static_cast<void>(0)
#include <nlohmann/json.hpp>

namespace headlight::core {

namespace {

/// An iterator that records how far the library has read, because its events have no position.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char *;
    using reference = const char &;

    const char *at = nullptr;
    const char **furthest = nullptr;

    reference operator*() const { return *at; }
    CountingIterator &operator++() {
        ++at;
        if (furthest)
            *furthest = at;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator &other) const { return at == other.at; }
};

std::string placeOf(std::string_view text, std::size_t offset) {
    std::size_t line = 1;
    std::size_t column = 1;
    for (const char c : text.substr(0, std::min(offset, text.size()))) {
        if (c == '\n') {
            ++line;
            column = 1;
        } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) { // start of a character
            ++column;
        }
    }
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// Extracts the reason from "[json.exception.parse_error.101] parse error at line 1, column 3:
/// syntax error while parsing value - unexpected end of input; last read: '…'; expected …". Drops
/// the last part, which may end inside a character.
std::string reasonIn(std::string_view message) {
    if (const auto dash = message.find(" - "); dash != std::string_view::npos)
        message.remove_prefix(dash + 3);
    return std::string(message.substr(0, message.find("; last read")));
}

/// Requires a number outside the range of double. True if it is too close to 0, false if it is too
/// large.
bool isTiny(std::string_view number) {
    const std::size_t end = std::min(number.find_first_of("eE"), number.size());
    const std::string_view digits = number.substr(0, end);
    const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
    const auto first = static_cast<std::int64_t>(digits.find_first_of("123456789"));
    std::string_view text = number.substr(std::min(end + 1, number.size()));
    if (text.starts_with('+'))
        text.remove_prefix(1);
    std::int64_t exponent = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (read.ec == std::errc::result_out_of_range)
        return text.starts_with('-');
    return exponent < first - point; // compares the exponent with the position of the first digit
}

/// Builds the tree from the library's events and stops at the first error.
class TreeBuilder {
  public:
    using Json = nlohmann::json;

    TreeBuilder(std::string_view text, const char *const &furthest, std::stop_token stop)
        : m_text(text), m_furthest(furthest), m_stop(std::move(stop)) {}

    bool null() { return place(JsonValue()); }
    bool boolean(bool value) {
        JsonValue json(JsonValue::Kind::Boolean);
        json.boolean = value;
        return place(std::move(json));
    }
    bool number_integer(std::int64_t value) { return wholeNumber(value); }
    bool number_unsigned(std::uint64_t value) { return wholeNumber(value); }
    bool number_float(double, std::string raw) {
        // Parses the number again, because strtod depends on the locale. First restores the decimal
        // point in its text.
        for (char &c : raw)
            if (std::string_view("0123456789+-eE").find(c) == std::string_view::npos)
                c = '.';
        JsonValue json(JsonValue::Kind::Number);
        const char *end = raw.data() + raw.size();
        const auto read = std::from_chars(raw.data(), end, json.number);
        if (read.ec == std::errc::result_out_of_range && isTiny(raw))
            json.number = 0; // underflow is not an error
        else if (read.ec != std::errc() || read.ptr != end)
            return refuse({"%1 is out of range", inQuotes(raw)});
        const auto single = std::from_chars(raw.data(), end, json.single);
        if (single.ec != std::errc())
            json.single = rounded(json.number);
        return place(std::move(json));
    }
    bool string(std::string &value) {
        JsonValue json(JsonValue::Kind::String);
        json.content->text = std::move(value);
        return place(std::move(json));
    }
    bool binary(Json::binary_t &) { return refuse("binary data is not JSON"); }

    bool start_object(std::size_t) { return open(JsonValue::Kind::Object); }
    bool start_array(std::size_t) { return open(JsonValue::Kind::Array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string &name) {
        Frame &frame = m_open.back();
        const std::vector<JsonMember> &before = frame.value.content->members;
        if (before.size() >= kFewNames)
            frame.places.push_back(static_cast<std::uint32_t>(m_furthest - m_text.data()));
        else if (std::ranges::find(before, name, &JsonMember::name) != before.end())
            return refuse(isThereTwice(name));
        frame.nextName = std::move(name);
        return true;
    }
    template <typename Exception>
    bool parse_error(std::size_t position, const std::string &, const Exception &problem) {
        const bool overflow = problem.id == 406; // the library's error for a number out of range
        return refuseAt(position > 0 ? position - 1 : 0,
                        overflow ? Message("number out of range")
                                 : Message("it is not JSON: %1", reasonIn(problem.what())));
    }

    Result<JsonValue> result() && {
        if (m_error)
            return std::move(*m_error);
        return std::move(m_root);
    }

  private:
    struct Frame {
        JsonValue value;
        std::string nextName;
        /// Text positions of the names after the first kFewNames.
        std::vector<std::uint32_t> places;
    };

    /// Up to this count, names are compared while reading. Later names are compared after
    /// JsonValue::sortNames(), because a vocabulary may have a million names.
    static constexpr std::size_t kFewNames = 32;

    static Message isThereTwice(const std::string &name) {
        return {"the name %1 appears twice in one object", inQuotes(name)};
    }

    /// Returns the index of the first member whose name already occurred earlier in the object.
    /// Requires sortNames().
    static std::optional<std::size_t> firstRepeated(const JsonValue &object) {
        std::optional<std::size_t> first;
        const auto &places = object.content->byName;
        const auto &members = object.content->members;
        for (std::size_t i = 1; i < places.size(); ++i)
            if (members[places[i - 1]].name == members[places[i]].name) {
                const std::size_t later = std::max(places[i - 1], places[i]);
                first = std::min(first.value_or(later), later);
            }
        return first;
    }

    /// Returns the nearest float, or infinity outside its range.
    static float rounded(double number) {
        if (std::abs(number) > static_cast<double>(std::numeric_limits<float>::max()))
            return std::copysign(std::numeric_limits<float>::infinity(),
                                 static_cast<float>(std::copysign(1.0, number)));
        return static_cast<float>(number);
    }
    template <typename Integer>
    bool wholeNumber(Integer value) {
        JsonValue json(JsonValue::Kind::Number);
        json.number = static_cast<double>(value);
        json.single = static_cast<float>(value);
        return place(std::move(json));
    }
    bool refuseAt(std::size_t offset, Message what) {
        if (!m_error)
            m_error = Error{std::move(what), placeOf(m_text, offset), ""};
        return false;
    }
    bool refuse(Message what) {
        const auto read = static_cast<std::size_t>(m_furthest - m_text.data());
        return refuseAt(read > 0 ? read - 1 : 0, std::move(what));
    }
    bool place(JsonValue value) {
        m_stop.throwIfRequested();
        if (++m_values > kMaxJsonValues)
            return refuse({"the file holds more than %1 values; write large matrices as base64",
                           kMaxJsonValues});
        if (m_open.empty()) {
            m_root = std::move(value);
            return true;
        }
        Frame &frame = m_open.back();
        if (frame.value.kind == JsonValue::Kind::Array)
            frame.value.content->elements.push_back(std::move(value));
        else
            frame.value.content->members.push_back({std::move(frame.nextName), std::move(value)});
        return true;
    }
    bool open(JsonValue::Kind kind) {
        if (m_open.size() == kMaxJsonDepth)
            return refuse({"it is nested deeper than %1 levels", kMaxJsonDepth});
        m_open.push_back({JsonValue(kind), {}, {}});
        return true;
    }
    bool close() {
        JsonValue value = std::move(m_open.back().value);
        value.sortNames();
        if (const auto repeated = firstRepeated(value)) {
            const std::size_t end = m_open.back().places[*repeated - kFewNames];
            return refuseAt(end - 1, isThereTwice(value.content->members[*repeated].name));
        }
        m_open.pop_back();
        return place(std::move(value));
    }

    std::string_view m_text;
    const char *const &m_furthest;
    StopCheck m_stop;
    std::vector<Frame> m_open;
    JsonValue m_root;
    std::size_t m_values = 0;
    std::optional<Error> m_error;
};

} // namespace

Result<JsonValue> readJson(std::string_view text, std::stop_token stop) try {
    throwIfCancelled(stop);
    if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        return Error{"the document is larger than 2 GiB", "", ""};
    if (const auto bad = firstInvalidByte(text))
        return Error{"it is not valid UTF-8", placeOf(text, *bad), "save the file as UTF-8"};
    // The library treats a zero byte as the end of the input.
    if (const auto zero = text.find('\0'); zero != std::string_view::npos)
        return Error{"it is not JSON, because it contains a zero byte", placeOf(text, zero), ""};
    const char *furthest = text.data();
    TreeBuilder builder(text, furthest, std::move(stop));
    nlohmann::json::sax_parse(CountingIterator{text.data(), &furthest},
                              CountingIterator{text.data() + text.size(), nullptr}, &builder);
    return std::move(builder).result();
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory to read it", "", ""};
} catch (const std::exception &problem) {
    return Error{{"it cannot be read: %1", std::string(problem.what())}, "", ""};
}

} // namespace headlight::core
