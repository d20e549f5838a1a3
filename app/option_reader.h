// Reads the values of command line options.
#pragma once

#include "app/options.h"
#include "app/words.h"
#include "core/tensor/tensor.h"
#include "ui/words/file_path.h"

#include <QCommandLineParser>

#include <charconv>
#include <cmath>
#include <optional>

namespace headlight::app {

/// An invalid value; parseArguments() catches it.
struct OptionError {
    QString text;
};

/// Reads the options of one command.
class OptionReader {
  public:
    OptionReader(const QCommandLineParser &parser, Command command)
        : m_parser(parser), m_command(command) {}

    /// Returns a file name, which may contain any bytes (ui::bytesOf()).
    std::optional<QString> path(const char *option) const {
        if (!m_parser.isSet(option))
            return std::nullopt;
        return m_parser.value(option);
    }

    std::optional<QString> word(const char *option) const {
        const std::optional<QString> value = path(option);
        if (const qsizetype byte = value ? ui::undecodedByte(*value) : -1; byte >= 0)
            throw OptionError{
                Words::tr("--%1: not valid UTF-8 at byte %2").arg(option, QString::number(byte))};
        return value;
    }

    bool isSet(const char *option) const { return m_parser.isSet(option); }

    /// For options that may be repeated.
    QStringList words(const char *option) const { return m_parser.values(option); }

    /// Returns the values that the table of options allows.
    QStringList allowed(const char *option) const { return valuesOf(option, m_command); }

    /// Returns one of allowed(), or `otherwise` if the option is not given.
    QString oneOf(const char *option, const QString &otherwise = {}) const {
        const std::optional<QString> value = word(option);
        if (!value)
            return otherwise;
        const QStringList allowed = this->allowed(option);
        if (!allowed.contains(*value))
            throw OptionError{
                Words::tr("--%1 %2: expected %3").arg(option, *value, allowed.join(", "))};
        return *value;
    }

    template <typename Number>
    std::optional<Number> number(const char *option, const char *expected) const {
        const std::optional<QString> value = word(option);
        if (!value)
            return std::nullopt;
        return parsed<Number>(option, *value, expected);
    }

    template <typename Number>
    static Number parsed(const char *option, const QString &value, const char *expected) {
        const std::string text = value.toStdString();
        Number number{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size())
            throw OptionError{
                Words::tr("--%1 %2: expected %3").arg(option, value, Words::tr(expected))};
        return number;
    }

    std::optional<core::Index> index(const char *option) const {
        const auto value = number<core::Index>(option, "a whole number from 0");
        if (value && *value < 0)
            throw OptionError{Words::tr("--%1 %2: expected %3")
                                  .arg(option, *word(option), Words::tr("a whole number from 0"))};
        return value;
    }

    /// Like index(), but "none" is −1.
    std::optional<core::Index> indexOrNone(const char *option) const {
        return word(option) == QStringLiteral("none") ? std::optional<core::Index>(-1)
                                                      : index(option);
    }

    double positive(const char *option) const {
        const char *expected = "a number greater than 0";
        const double value = number<double>(option, expected).value_or(1);
        if (!std::isfinite(value) || value <= 0)
            throw OptionError{
                Words::tr("--%1 %2: expected %3").arg(option, *word(option), Words::tr(expected))};
        return value;
    }

    std::optional<std::vector<core::Index>> ids(const char *option) const {
        const std::optional<QString> value = word(option);
        if (!value)
            return std::nullopt;
        std::vector<core::Index> numbers;
        for (const QString &id : value->split(','))
            numbers.push_back(
                parsed<quint32>(option, id, "whole numbers with commas between them"));
        return numbers;
    }

  private:
    const QCommandLineParser &m_parser;
    Command m_command;
};

} // namespace headlight::app
