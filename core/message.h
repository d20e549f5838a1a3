// A translatable message, stored as data. The core writes English; the window looks up
// translations.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace headlight::core {

/// A sentence with placeholders for its arguments, or a verbatim text. String literals are
/// sentences. A std::string (a name, a path, a system error) is verbatim. Example: Message{"%1
/// tokens are more than %2 can read", count, inQuotes(name)}
class Message {
  public:
    Message() = default;
    Message(const char *sentence) : m_code(sentence) {}
    template <typename... Arguments>
    requires(sizeof...(Arguments) > 0) Message(const char *sentence, const Arguments &...arguments)
        : m_code(sentence), m_arguments{argument(arguments)...} {}

    /// Returns a message that is never translated.
    static Message verbatim(std::string text);

    bool empty() const { return m_code.empty(); }
    bool isVerbatim() const { return m_isVerbatim; }

    /// Returns the translation key: the English sentence with %1 to %9 for its arguments, or the
    /// text of a verbatim message.
    const std::string &code() const { return m_code; }
    const std::vector<Message> &arguments() const { return m_arguments; }

    /// Returns the English text.
    std::string text() const;

    friend bool operator==(const Message &a, const Message &b) = default;
    friend bool operator==(const Message &a, const char *text) { return a.text() == text; }
    friend bool operator==(const Message &a, const std::string &text) { return a.text() == text; }
    friend std::ostream &operator<<(std::ostream &out, const Message &message);

  private:
    static Message argument(const Message &message) { return message; }
    static Message argument(const std::string &text) { return verbatim(text); }
    static Message argument(std::string_view text) { return verbatim(std::string(text)); }
    static Message argument(const char *sentence) { return sentence; }
    template <typename Integer>
    requires std::is_integral_v<Integer>
    static Message argument(Integer number) { return verbatim(std::to_string(number)); }

    std::string m_code;
    std::vector<Message> m_arguments;
    bool m_isVerbatim = false;
};

/// Replaces each %(i + 1) with `arguments[i]`, in one pass from left to right. A "%2" inside an
/// argument stays unchanged, as do placeholders without an argument.
std::string filled(std::string_view sentence, const std::vector<std::string> &arguments);

} // namespace headlight::core
