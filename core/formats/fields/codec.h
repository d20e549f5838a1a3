// Codecs: read, write and describe one kind of value in a JSON document.
#pragma once

#include "core/formats/fields/fields.h"
#include "core/formats/json/text.h"

#include <functional>
#include <limits>

namespace headlight::core {

/// The valid values of a number or of a choice.
struct ValidValues {
    double least = std::numeric_limits<double>::lowest();
    double most = std::numeric_limits<double>::max();
    std::span<const std::string_view> words{}; ///< empty: not a choice
};

template <typename Value>
struct Codec {
    /// Reads a value that is present. Reports a problem and returns false if it is invalid.
    std::function<bool(const Field &, Value &into)> read;
    /// Returns JSON. `lines` separates the members of an object or list, as in jsonObject().
    std::function<std::string(const Value &, const std::string &lines)> write;
    std::string schema; ///< JSON Schema of the value
    std::string limits; ///< valid values as text for the documentation: "1 to 256"
    ValidValues valid{};
};

/// A codec of finite 32-bit numbers. Limits are set by the functions below.
class NumberCodec {
  public:
    NumberCodec from(float least) const;
    NumberCodec above(float bound) const;
    NumberCodec to(float most) const;
    NumberCodec below(float bound) const;
    operator Codec<float>() const;

  private:
    bool contains(float number) const;
    Message expected() const;
    std::string limits() const;
    std::string schema() const;

    float m_least = std::numeric_limits<float>::lowest();
    float m_most = std::numeric_limits<float>::max();
    bool m_isAbove = false, m_isBelow = false; // true: m_least or m_most itself is invalid
};

inline NumberCodec number() {
    return {};
}

Codec<Index> whole(Index least, Index most);
/// Seeds range from 0 to 2⁵³. Up to this limit, a double represents every integer exactly.
inline constexpr Index kLargestSeed = Index(1) << 53;
Codec<std::uint64_t> wholeSeed(Index most = kLargestSeed);
Codec<bool> flag();
Codec<std::string> text();
/// A text of at most `most` bytes. `tooLong` and `remedy` are the error for a longer text.
Codec<std::string> textUpTo(std::size_t most, const char *tooLong, const char *remedy = "");
/// A name of 1 to `most` bytes. `expected` is the error's description of the name, with %1 for
/// `most`.
Codec<std::string> nameUpTo(std::size_t most, const char *expected);

/// Returns the JSON values that a word, such as one from the command line, can mean. The string is
/// first, followed by the number or Boolean with the same spelling.
std::vector<JsonValue> jsonValuesOf(const std::string &word);
/// Returns the word for a JSON string, number or Boolean.
std::string wordOfJson(const std::string &json);

/// Returns {"enum": […]}.
std::string schemaOfWords(std::span<const std::string_view> words);
/// Returns `"a"`, `"b"` or `"c"` in Markdown.
std::string limitsOfWords(std::span<const std::string_view> words);

/// One of `words`, which are in the order of the enumeration and start with the word of `first`.
template <typename Choice>
Codec<Choice> oneOf(std::span<const std::string_view> words, Choice first = {}) {
    const auto before = static_cast<std::size_t>(first);
    return {[words, before](const Field &field, Choice &into) {
                const auto word = field.word(words);
                if (word)
                    into = static_cast<Choice>(before + *word);
                return word.has_value();
            },
            [words, before](const Choice &choice, const std::string &) {
                return jsonText(words[static_cast<std::size_t>(choice) - before]);
            },
            schemaOfWords(words),
            limitsOfWords(words),
            {.words = words}};
}

/// Maximum length of a list without a limit.
inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

/// Returns true if the field is a list of `least` to `most` elements, otherwise reports a problem.
bool isListOf(const Field &list, std::size_t least, std::size_t most);
std::string schemaOfList(const std::string &element, std::size_t least, std::size_t most);
/// `element`: the limits of one element, as text.
std::string limitsOfList(const std::string &element, std::size_t least, std::size_t most);

/// A list. Keeps the old value if an element is invalid.
template <typename Value>
Codec<std::vector<Value>> listOf(Codec<Value> element, std::size_t least, std::size_t most) {
    const std::string schema = schemaOfList(element.schema, least, most);
    return {[element, least, most](const Field &list, std::vector<Value> &into) {
                if (!isListOf(list, least, most))
                    return false;
                bool isGood = true;
                std::vector<Value> read(list.size());
                for (std::size_t index = 0; index < read.size(); ++index)
                    isGood &= element.read(list.element(index), read[index]);
                if (isGood)
                    into = std::move(read);
                return isGood;
            },
            [write = element.write](const std::vector<Value> &list, const std::string &lines) {
                std::vector<std::string> elements;
                for (const Value &value : list)
                    elements.push_back(write(value, {}));
                return jsonArray(elements, lines);
            },
            schema, limitsOfList(element.limits, least, most)};
}

} // namespace headlight::core
