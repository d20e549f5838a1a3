#include "ui/window/saving/new_session_memory.h"

#include <QSettings>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr const auto &kWords = core::Words<NewKind>::all;

QString wordOf(NewKind kind) {
    return QString::fromStdString(std::string(core::wordFor(kind)));
}

} // namespace

NewKind rememberedKind() {
    const std::string word = QSettings().value("newSession/kind").toString().toStdString();
    const auto found = std::ranges::find(kWords, word);
    return found == std::end(kWords) ? NewKind() : static_cast<NewKind>(found - std::begin(kWords));
}

NewSession rememberedSession(NewKind kind) {
    NewSession session = usualSession(kind);
    QSettings settings;
    settings.beginGroup("newSession/" + wordOf(kind));
    for (const auto &row : core::Fields<NewSession>::table().rows)
        if (const QVariant word = settings.value(row.name.c_str()); word.isValid())
            (void)core::readWord(row, word.toString().toStdString(), session);
    return session;
}

void rememberSession(const NewSession &made) {
    QSettings settings;
    settings.setValue("newSession/kind", wordOf(made.kind));
    settings.beginGroup("newSession/" + wordOf(made.kind));
    for (const auto &row : core::Fields<NewSession>::table().rows)
        settings.setValue(row.name.c_str(), QString::fromStdString(core::wordOf(row, made)));
}

} // namespace headlight::ui
