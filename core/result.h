// The result of an operation that can fail: its value, or an error. Functions that read files,
// shapes or user input return a Result; programming errors are asserts.
#pragma once

#include "core/message.h"

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace headlight::core {

/// An error: what is wrong, where (a file, a field, an option) and what to do about it. The last
/// two may be empty.
struct Error {
    Message what;
    std::string where;
    Message remedy;

    /// Returns one line for the user: "where: what; remedy".
    std::string text() const {
        std::string line = where.empty() ? what.text() : where + ": " + what.text();
        if (!remedy.empty())
            line += "; " + remedy.text();
        return line;
    }
};

template <typename T>
class [[nodiscard]] Result {
  public:
    Result(T value) : m_content(std::move(value)) {}
    Result(Error error) : m_content(std::move(error)) {}

    bool ok() const { return std::holds_alternative<T>(m_content); }
    explicit operator bool() const { return ok(); }

    const T &value() const & {
        assert(ok());
        return std::get<T>(m_content);
    }
    T &value() & {
        assert(ok());
        return std::get<T>(m_content);
    }
    T &&value() && {
        assert(ok());
        return std::get<T>(std::move(m_content));
    }
    const T &operator*() const & { return value(); }
    T &operator*() & { return value(); }
    T &&operator*() && { return std::move(*this).value(); }
    const T *operator->() const { return &value(); }
    T *operator->() { return &value(); }

    const Error &error() const {
        assert(!ok());
        return std::get<Error>(m_content);
    }

  private:
    std::variant<T, Error> m_content;
};

/// The value of a successful operation that has no result.
struct Done {};
using Outcome = Result<Done>;

} // namespace headlight::core
