// A place in a session file while it is read: its value, its path, and the list of what is wrong so
// far.
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

/// What all matrices and vectors of one session may hold together: 256 MiB of floats. A few bytes
/// of "random" or "identity" could otherwise ask for any amount.
inline constexpr Index kMaximumSessionNumbers = Index(1) << 26;
/// Tokens of all batches together, those of a lesson's steps included.
inline constexpr Index kMaximumSessionTokens = Index(1) << 23;

/// What one reading of a file gathers.
struct Reading {
    std::optional<std::uint64_t> seed; ///< mixed into those of the file, where given
    std::string folder{};              ///< from which the file names others; empty: the current one
    std::vector<Error> problems;       ///< at most kMaximumProblems, the first ones
    std::vector<Warning> warnings;     ///< the same of what is read all the same
    Index numbersLeft = kMaximumSessionNumbers;
    Index tokensLeft = kMaximumSessionTokens;
    AskedNames asked;
    StopCheck stop{{}}; ///< looked at for every field

    void add(Error problem);
    void warn(Warning warning);
};

/// Every reading function notes a problem and returns nothing where the value is not what it should
/// be.
class Field {
  public:
    Field(const JsonValue *value, std::string path, Reading &reading, bool isAdvice = false)
        : m_value(value), m_path(std::move(path)), m_reading(&reading), m_isAdvice(isAdvice) {}

    bool present() const { return m_value != nullptr; }
    bool is(JsonValue::Kind kind) const { return m_value && m_value->kind == kind; }
    const JsonValue &value() const { return *m_value; }
    const std::string &path() const { return m_path; }
    Reading &reading() const { return *m_reading; }

    Field member(const std::string &name) const; ///< "a.name"; absent if this is no object
    /// One of value().members(), whose name a person chose: a["name"].
    Field entry(const JsonMember &member) const;
    Field element(std::size_t index) const; ///< "a[index]"
    /// The same place; what is wrong there, or deeper, is a warning.
    Field advice() const;
    std::size_t size() const; ///< elements of an array or members of an object

    std::optional<std::string> text() const;
    std::optional<bool> boolean() const;
    std::optional<float> number() const;   ///< a finite float
    std::optional<float> positive() const; ///< and greater than 0
    std::optional<Index> whole(Index minimum, Index maximum) const;
    /// One of the words; the place in the list.
    std::optional<std::size_t> word(std::span<const std::string_view> words) const;
    std::optional<std::size_t> word(std::initializer_list<std::string_view> words) const {
        return word(std::span(words.begin(), words.size()));
    }
    bool isObject() const; ///< else notes a problem
    bool isArray() const;

    /// Notes "expected …, found …".
    void expected(const Message &what, const Message &remedy = {}) const;
    void fail(Message what, Message remedy = {}) const;
    /// Takes `count` numbers off the budget; false and a problem where it is used up. Before any
    /// allocation.
    bool spend(Index rows, Index columns) const;

  private:
    Message found() const;

    const JsonValue *m_value;
    std::string m_path;
    Reading *m_reading;
    bool m_isAdvice;
};

} // namespace headlight::core
