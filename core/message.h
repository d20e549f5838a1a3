// A sentence for a person, kept as data, so that a window can say it in another language: the core
// speaks English and knows no translation.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace headlight::core {

/// A sentence with places for its arguments, or a text that stays as it is. From a literal it is a
/// sentence; what is in a std::string (a name, a path, what the system said) is not:
///     Message{"%1 tokens are more than %2 can read", count, inQuotes(name)}
class Message {
  public:
    Message() = default;
    Message(const char *sentence) : m_code(sentence) {}
    template <typename... Arguments>
    requires(sizeof...(Arguments) > 0) Message(const char *sentence, const Arguments &...arguments)
        : m_code(sentence), m_arguments{argument(arguments)...} {}

    /// A text that is shown as it is, in every language.
    static Message verbatim(std::string text);

    bool empty() const { return m_code.empty(); }
    bool isVerbatim() const { return m_isVerbatim; }

    /// What names the sentence, and what a translation is looked up by: the sentence in English,
    /// with %1 to %9 where its arguments stand. Of a verbatim message, its text.
    const std::string &code() const { return m_code; }
    const std::vector<Message> &arguments() const { return m_arguments; }

    /// In English.
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

/// A sentence's places filled: `argument(i)` stands for %(i + 1). Once, from left to right: a "%2"
/// within an argument stays what it is. A place without an argument stays as well.
std::string filled(std::string_view sentence, const std::vector<std::string> &arguments);

} // namespace headlight::core
