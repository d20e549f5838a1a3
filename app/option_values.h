// What the values of the command line's options can be, as lists of words for the table of options.
// The words are those of core and ui wherever these name them.
#pragma once

#include "core/formats/session/data/words.h"

#include <QStringList>

#include <string_view>

namespace headlight::app {

inline QString asWord(const QString &name) {
    return name;
}

inline QString asWord(std::string_view name) {
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

/// What `name` calls each of `all`.
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

/// The words of session files.
template <typename Choice>
QStringList wordsOfFiles() {
    return eachOf(core::Words<Choice>::all);
}

} // namespace headlight::app
