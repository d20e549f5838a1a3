// The lessons that are compiled in, in the order in which they are taught.
#pragma once

#include "core/formats/session/data/session.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace headlight::ui {

/// The ids: "words", "bank", ….
const QStringList &lessonIds();

/// Those that the start page shows; a map has them all.
const QStringList &startLessonIds();

/// What the program opens with: one that a newcomer reads without having learned a word before.
QString openingLesson();

/// The id of the encoder-decoder that New session offers: a lesson as well, but of no list.
QString translationExample();

/// Models that learned here (resources/models): lessons without steps, of no list either.
const QStringList &modelIds();

/// One of all these.
bool isBuiltIn(const QString &id);

/// Errors: no such lesson; the remedy names the closest one. A seed replaces those of the file's
/// random numbers.
core::Result<core::Session> readLesson(const QString &id, std::optional<quint64> seed = {});

/// The document of a lesson; of one about a model that learned here with that model in it.
QByteArray lessonFile(const QString &id);

/// What a list of lessons says of one, read without its model.
struct LessonInfo {
    QString id, title, summary;
    int minutes = 0; ///< 0: not said
    QStringList needs;
    int steps = 0;
};
/// In the order of lessonIds().
const QList<LessonInfo> &lessonInfos();

} // namespace headlight::ui
