#include "ui/command_line/codecs.h"

#include "core/format_number.h"
#include "ui/text/file_path.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr const char *kWholeNumber =
    QT_TRANSLATE_NOOP("CommandLine", "a whole number of at least 0");

template <class Number>
Number within(const TypedValue &typed, const char *expected, bool (*isWithin)(Number)) {
    const Number number = parsedNumber<Number>(typed, expected);
    if (!isWithin(number))
        throw typed.wrong(CommandLineText::tr(expected));
    return number;
}

constexpr const char *kIndexList =
    QT_TRANSLATE_NOOP("CommandLine", "a whole number of at least 0, or several such as 0-3,5");

/// Reads one index of a list. Errors quote the whole list, because one part of it may be empty.
core::Index listedIndex(const TypedValue &typed, const QString &digits) try {
    const auto index = parsedNumber<core::Index>({typed.option, digits, {}}, kIndexList);
    if (index < 0)
        throw typed.wrong(CommandLineText::tr(kIndexList));
    return index;
} catch (const OptionError &) {
    throw typed.wrong(CommandLineText::tr(kIndexList));
}

} // namespace

const QString &TypedValue::text() const {
    if (const qsizetype byte = undecodedByte(word); byte >= 0)
        throw OptionError{CommandLineText::tr("--%1: not valid UTF-8 at byte %2")
                              .arg(option, QString::number(byte))};
    return word;
}

OptionError TypedValue::wrong(const QString &expected) const {
    return {CommandLineText::tr("--%1 %2: expected %3").arg(option, word, expected)};
}

Codec<QString> pathCodec() {
    return {[](const TypedValue &typed) { return typed.word; },
            [](const QString &path) { return path; }};
}

Codec<QString> textCodec() {
    return {[](const TypedValue &typed) { return typed.text(); },
            [](const QString &text) { return text; }};
}

Codec<std::string> utf8Codec() {
    return {[](const TypedValue &typed) { return typed.text().toStdString(); },
            [](const std::string &text) { return QString::fromStdString(text); }};
}

Codec<core::Index> indexCodec() {
    return indexCodec(kWholeNumber, [](core::Index index) { return index >= 0; });
}

Codec<core::Index> indexCodec(const char *expected, bool (*isWithin)(core::Index)) {
    return {[=](const TypedValue &typed) { return within(typed, expected, isWithin); },
            [](core::Index index) { return QString::number(index); }};
}

Codec<core::Index> indexOrNoneCodec() {
    const QString none = QStringLiteral("none");
    return {[none](const TypedValue &typed) {
                return typed.text() == none ? -1 : indexCodec().read(typed);
            },
            [none](core::Index index) { return index < 0 ? none : QString::number(index); },
            {none}};
}

Codec<quint64> seedCodec() {
    return {[](const TypedValue &typed) { return parsedNumber<quint64>(typed, kWholeNumber); },
            [](quint64 seed) { return QString::number(seed); }};
}

Codec<float> floatCodec(const char *expected, bool (*isWithin)(float)) {
    return {[=](const TypedValue &typed) { return within(typed, expected, isWithin); },
            [](float number) { return QString::fromStdString(core::exact(number)); }};
}

Codec<double> doubleCodec(const char *expected, bool (*isWithin)(double)) {
    return {[=](const TypedValue &typed) { return within(typed, expected, isWithin); },
            [](double number) { return QString::number(number); }};
}

Codec<double> positiveCodec() {
    return doubleCodec(QT_TRANSLATE_NOOP("CommandLine", "a number greater than 0"),
                       [](double number) { return std::isfinite(number) && number > 0; });
}

Codec<std::vector<core::Index>> idsCodec() {
    return {[](const TypedValue &typed) {
                std::vector<core::Index> ids;
                for (const QString &id : typed.text().split(','))
                    ids.push_back(parsedNumber<quint32>(
                        {typed.option, id, {}},
                        QT_TRANSLATE_NOOP("CommandLine", "whole numbers separated by commas")));
                return ids;
            },
            [](const std::vector<core::Index> &ids) {
                return eachOf(ids, [](core::Index id) { return QString::number(id); }).join(',');
            }};
}

Codec<QStringList> listOf(const QStringList &words) {
    return {[words](const TypedValue &typed) {
                QStringList list = typed.text().split(',');
                for (const QString &word : std::as_const(list))
                    if (!words.contains(word))
                        throw typed.wrong(words.join(", "));
                return list;
            },
            [](const QStringList &list) { return list.join(','); }};
}

Codec<std::vector<core::PairEdit>> pairEditsCodec() {
    static const char *const expected =
        QT_TRANSLATE_NOOP("CommandLine", "N=M, several separated by commas: token N of --text "
                                         "and token M of the other text, or none");
    return {[](const TypedValue &typed) {
                std::vector<core::PairEdit> edits;
                for (const QString &word : typed.text().split(',')) {
                    if (word.count('=') != 1)
                        throw typed.wrong(CommandLineText::tr(expected));
                    const auto number = [&](const QString &digits) {
                        return static_cast<core::Index>(
                            parsedNumber<quint32>({typed.option, digits, {}}, expected));
                    };
                    core::PairEdit edit{number(word.section('=', 0, 0))};
                    if (const QString other = word.section('=', 1); other != "none")
                        edit.a = number(other);
                    edits.push_back(edit);
                }
                return edits;
            },
            [](const std::vector<core::PairEdit> &edits) {
                return eachOf(edits,
                              [](const core::PairEdit &edit) {
                                  return QString("%1=%2").arg(edit.now).arg(
                                      edit.a ? QString::number(*edit.a) : QString("none"));
                              })
                    .join(',');
            }};
}

Codec<IndexList> indexListCodec() {
    return {
        [](const TypedValue &typed) {
            IndexList list;
            for (const QString &part : typed.text().split(',')) {
                const qsizetype dash = part.indexOf('-', 1); // a leading dash is a minus sign
                const core::Index first = listedIndex(typed, dash < 0 ? part : part.left(dash));
                const core::Index last = dash < 0 ? first : listedIndex(typed, part.mid(dash + 1));
                if (last < first ||
                    last - first >= static_cast<core::Index>(kMaxListed - list.indices.size()))
                    throw typed.wrong(CommandLineText::tr(kIndexList));
                for (core::Index offset = 0; offset <= last - first; ++offset)
                    if (std::ranges::count(list.indices, first + offset) == 0)
                        list.indices.push_back(first + offset);
            }
            return list;
        },
        [](const IndexList &list) {
            return eachOf(list.indices, [](core::Index index) { return QString::number(index); })
                .join(',');
        }};
}

} // namespace headlight::ui
