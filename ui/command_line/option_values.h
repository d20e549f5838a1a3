// Words that the values of options may be, from the names of core and ui.
#pragma once

#include "core/formats/session/data/words.h"

#include <QStringList>

#include <string_view>

namespace headlight::ui {

inline QString asWord(const QString &name) {
    return name;
}

inline QString asWord(std::string_view name) {
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

/// Returns `name` of each element of `all`.
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

/// Returns the words of session files.
template <typename Choice>
QStringList wordsOfFiles() {
    return eachOf(core::Words<Choice>::all);
}

} // namespace headlight::ui
