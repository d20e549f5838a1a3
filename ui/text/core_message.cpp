#include "ui/text/core_message.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

/// The translation context of the core's messages.
constexpr const char *kCore = "core";

} // namespace

QString translated(const core::Message &message) {
    if (message.isVerbatim() || message.empty())
        return QString::fromStdString(message.code());
    const QString sentence = QCoreApplication::translate(kCore, message.code().c_str());
    std::vector<std::string> arguments;
    for (const core::Message &argument : message.arguments())
        arguments.push_back(translated(argument).toStdString());
    return QString::fromStdString(core::filled(sentence.toStdString(), arguments));
}

QString translated(const core::Error &error) {
    return QString::fromStdString(core::Error{messageOf(translated(error.what)), error.where,
                                              messageOf(translated(error.remedy))}
                                      .text());
}

QString translated(const core::Warning &warning) {
    return translated(core::Error{warning.what, warning.where, warning.remedy});
}

core::Message messageOf(const QString &sentence) {
    return core::Message::verbatim(sentence.toStdString());
}

} // namespace headlight::ui
