// A field of a session file while it is read: its value, its path, and the problems so far.
#pragma once

#include "core/cancelled.h"
#include "core/formats/fields/asked_names.h"
#include "core/formats/json/value.h"
#include "core/formats/warning.h"
#include "core/result.h"
#include "core/tensor/matrix.h"

#include <initializer_list>
#include <optional>
#include <span>

namespace headlight::core {

/// Limit on the values of all matrices and vectors of a session: 256 MiB of floats. Otherwise a few
/// bytes such as "random" or "identity" could request any amount.
inline constexpr Index kMaxSessionNumbers = Index(1) << 26;
/// Limit on the tokens in all batches together, including those of lesson steps.
inline constexpr Index kMaxSessionTokens = Index(1) << 23;

struct Session;

/// State of reading one file.
struct Reading {
    std::optional<std::uint64_t> seed; ///< mixed into the file's seeds, if set
    std::string folder{};              ///< base of relative file names; empty: the current folder
    std::vector<Error> problems;       ///< at most kMaxProblems
    std::vector<Warning> warnings;     ///< at most kMaxProblems
    Index numbersLeft = kMaxSessionNumbers;
    Index tokensLeft = kMaxSessionTokens;
    AskedNames asked;
    StopCheck stop{{}}; ///< stop requests are checked for every field
    const Session *base =
        nullptr; ///< in a lesson: the session that its steps change; null: unknown

    void add(Error problem);
    void warn(Warning warning);
};

/// A value with its path. Reading functions report a problem and return no value if it is invalid.
class Field {
  public:
    Field(const JsonValue *value, std::string path, Reading &reading, bool isAdvice = false)
        : m_value(value), m_path(std::move(path)), m_reading(&reading), m_isAdvice(isAdvice) {}

    bool present() const { return m_value != nullptr; }
    bool is(JsonValue::Kind kind) const { return m_value && m_value->kind == kind; }
    const JsonValue &value() const { return *m_value; }
    const std::string &path() const { return m_path; }
    Reading &reading() const { return *m_reading; }

    Field member(const std::string &name) const; ///< path "a.name"; absent if this is not an object
    /// Returns an element of value().members(), whose name the user chose: path a["name"].
    Field entry(const JsonMember &member) const;
    Field element(std::size_t index) const; ///< path "a[index]"
    /// Returns the same field, but its problems and those of its members become warnings.
    Field advice() const;
    std::size_t size() const; ///< number of elements of an array or members of an object

    std::optional<std::string> text() const;
    std::optional<bool> boolean() const;
    std::optional<float> number() const;   ///< a finite float
    std::optional<float> positive() const; ///< finite and greater than 0
    std::optional<Index> whole(Index minimum, Index maximum) const;
    /// Returns the index of the field's text in `words`.
    std::optional<std::size_t> word(std::span<const std::string_view> words) const;
    std::optional<std::size_t> word(std::initializer_list<std::string_view> words) const {
        return word(std::span(words.begin(), words.size()));
    }
    // Report a problem before returning false.
    bool isObject() const;
    bool isArray() const;

    /// Reports "expected …, found …".
    void expected(const Message &what, const Message &remedy = {}) const;
    void fail(Message what, Message remedy = {}) const;
    /// Subtracts rows × columns from the remaining limit. Returns false and reports a problem if it
    /// is exceeded. Call before allocating.
    bool spend(Index rows, Index columns) const;

  private:
    Message found() const;

    const JsonValue *m_value;
    std::string m_path;
    Reading *m_reading;
    bool m_isAdvice;
};

} // namespace headlight::core
