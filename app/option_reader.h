// Reads the values of options that a command checks itself.
#pragma once

#include "app/options.h"

#include <QCommandLineParser>

#include <optional>

namespace headlight::app {

using ui::OptionError;

/// Reads the options of one command.
class OptionReader {
  public:
    OptionReader(const QCommandLineParser &parser, Command command)
        : m_parser(parser), m_command(command) {}

    bool isSet(const char *option) const { return m_parser.isSet(option); }

    ui::TypedValue typed(const char *option) const {
        return {option, m_parser.value(option), m_parser.values(option)};
    }

    /// Returns a file name, which may contain any bytes (ui::bytesOf()).
    std::optional<QString> path(const char *option) const {
        return isSet(option) ? std::optional(m_parser.value(option)) : std::nullopt;
    }

    std::optional<QString> word(const char *option) const {
        return isSet(option) ? std::optional(typed(option).text()) : std::nullopt;
    }

    /// Returns the values that the table of options allows.
    QStringList allowed(const char *option) const { return valuesOf(option, m_command); }

    /// Returns one of allowed(); empty if the option is not given.
    QString oneOf(const char *option) const {
        return isSet(option) ? ui::oneOf(allowed(option)).read(typed(option)) : QString();
    }

    template <typename Number>
    std::optional<Number> number(const char *option, const char *expected) const {
        if (!isSet(option))
            return std::nullopt;
        return ui::parsedNumber<Number>(typed(option), expected);
    }

    std::optional<core::Index> index(const char *option) const {
        return isSet(option) ? std::optional(ui::indexCodec().read(typed(option))) : std::nullopt;
    }

  private:
    const QCommandLineParser &m_parser;
    Command m_command;
};

} // namespace headlight::app
