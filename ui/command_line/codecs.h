// Codecs between the values of options and their text on the command line.
#pragma once

#include "core/analysis/token_partners.h"
#include "core/formats/session/data/words.h"
#include "core/tensor/shape.h"

#include <QCoreApplication>
#include <QStringList>

#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::ui {

/// Translation context of the command line.
struct CommandLineText {
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

/// An invalid value or combination of options.
struct OptionError {
    QString text;
};

/// The value of an option as the user typed it.
struct TypedValue {
    const char *option;
    QString word;    ///< may contain any bytes (bytesOf()); the last word if the option is repeated
    QStringList all; ///< all words of a repeated option

    /// Returns the word. Throws OptionError if it is not valid UTF-8.
    const QString &text() const;
    /// Returns the error "--option word: expected …".
    OptionError wrong(const QString &expected) const;
};

template <class Value>
struct Codec {
    std::function<Value(const TypedValue &)> read; ///< throws OptionError
    std::function<QString(const Value &)> write;
    QStringList words = {}; ///< allowed values
};

/// Returns the number. `expected` is translated for the error.
template <class Number>
Number parsedNumber(const TypedValue &typed, const char *expected) {
    const std::string text = typed.text().toStdString();
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        throw typed.wrong(CommandLineText::tr(expected));
    return number;
}

/// Returns a codec for a file name.
Codec<QString> pathCodec();
Codec<QString> textCodec();
Codec<std::string> utf8Codec();
/// Returns a codec for a whole number of at least 0.
Codec<core::Index> indexCodec();
/// Returns a codec for a whole number for which `isWithin` is true. `expected` is translated for
/// the error.
Codec<core::Index> indexCodec(const char *expected, bool (*isWithin)(core::Index));
/// Like indexCodec(), but "none" is also valid and means −1.
Codec<core::Index> indexOrNoneCodec();
Codec<quint64> seedCodec();
/// Returns a codec for numbers for which `isWithin` is true.
Codec<float> floatCodec(const char *expected, bool (*isWithin)(float));
Codec<double> doubleCodec(const char *expected, bool (*isWithin)(double));
/// Returns a codec for a finite number greater than 0.
Codec<double> positiveCodec();
/// Returns a codec for ids separated by commas.
Codec<std::vector<core::Index>> idsCodec();

/// Returns a codec for pairs of tokens: "3=4" makes them partners, "3=none" leaves token 3 without
/// one.
Codec<std::vector<core::PairEdit>> pairEditsCodec();

inline QString asWord(const QString &name) {
    return name;
}

inline QString asWord(std::string_view name) {
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

/// Returns name(element) for each element of `all`.
template <typename All, typename Name>
QStringList eachOf(const All &all, Name name) {
    QStringList words;
    for (const auto &one : all)
        words << asWord(name(one));
    return words;
}

template <typename All>
QStringList eachOf(const All &all) {
    return eachOf(all, [](const auto &one) { return one; });
}

template <class Value>
struct NamedValue {
    QString word;
    Value value;
};

/// Returns a codec for one of the named values.
template <class Value>
Codec<Value> oneOf(std::vector<NamedValue<Value>> all) {
    QStringList words;
    for (const NamedValue<Value> &each : all)
        words << each.word;
    return {[all, words](const TypedValue &typed) {
                for (const NamedValue<Value> &each : all)
                    if (each.word == typed.text())
                        return each.value;
                throw typed.wrong(words.join(", "));
            },
            [all](const Value &value) {
                for (const NamedValue<Value> &each : all)
                    if (each.value == value)
                        return each.word;
                return QString(); // the value has no name
            },
            words};
}

/// Returns a codec for one of the values, by its name.
template <class All, class Name>
auto oneOf(const All &all, Name name) {
    using Value = std::remove_cvref_t<decltype(*std::begin(all))>;
    std::vector<NamedValue<Value>> named;
    for (const Value &value : all)
        named.push_back({asWord(name(value)), value});
    return oneOf(std::move(named));
}

/// Returns a codec for some of the words, separated by commas.
Codec<QStringList> listOf(const QStringList &words);

/// Returns a codec for one of the words.
inline Codec<QString> oneOf(const QStringList &words) {
    return oneOf(words, [](const QString &word) { return word; });
}

/// Several layers or heads, as the options --layer and --head name them: "0-3,5". Either all
/// indices, or some in the order in which they were typed, without repetitions.
struct IndexList {
    bool all = false;
    std::vector<core::Index> indices{};

    /// True for all indices, or for several.
    bool isSet() const { return all || indices.size() > 1; }
    bool operator==(const IndexList &) const = default;
};

/// Maximum number of indices in a list, far above the layers and heads of any model.
inline constexpr std::size_t kMaxListed = 4096;

/// Returns a codec for indices and ranges of them, separated by commas. A single index is valid
/// too. `all` is valid only if the caller reads it.
Codec<IndexList> indexListCodec();

} // namespace headlight::ui
