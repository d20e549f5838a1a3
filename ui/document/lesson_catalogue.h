// The lessons that are compiled in, in the order in which they are taught.
#pragma once

#include "core/formats/session/session.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace headlight::ui {

/// The ids: "bank", "sentence", …; the first is what the program opens with.
const QStringList &lessonIds();

/// The id of the encoder-decoder that New session offers: a lesson as well, but of no list.
QString translationExample();

/// Models that learned here (resources/models): lessons without steps, of no list either.
const QStringList &modelIds();

/// One of all these.
bool isBuiltIn(const QString &id);

/// Errors: no such lesson; the remedy names the closest one. A seed replaces those of the file's
/// random numbers.
core::Result<core::Session> readLesson(const QString &id, std::optional<quint64> seed = {});

/// The file of a lesson as it was compiled in.
QByteArray lessonFile(const QString &id);

} // namespace headlight::ui
