#include "core/message.h"

#include <ostream>

namespace headlight::core {

Message Message::verbatim(std::string text) {
    Message message;
    message.m_code = std::move(text);
    message.m_isVerbatim = true;
    return message;
}

std::string Message::text() const {
    if (m_isVerbatim || m_arguments.empty())
        return m_code;
    std::vector<std::string> arguments;
    for (const Message &argument : m_arguments)
        arguments.push_back(argument.text());
    return filled(m_code, arguments);
}

std::ostream &operator<<(std::ostream &out, const Message &message) {
    return out << message.text();
}

std::string filled(std::string_view sentence, const std::vector<std::string> &arguments) {
    std::string text;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const bool isPlace = sentence[i] == '%' && i + 1 < sentence.size() &&
                             sentence[i + 1] >= '1' && sentence[i + 1] <= '9';
        const auto place = isPlace ? static_cast<std::size_t>(sentence[i + 1] - '1') : 0;
        if (!isPlace || place >= arguments.size()) {
            text += sentence[i];
            continue;
        }
        text += arguments[place];
        ++i;
    }
    return text;
}

} // namespace headlight::core
