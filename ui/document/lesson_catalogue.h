// The built-in lessons, in teaching order.
#pragma once

#include "core/formats/session/data/session.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace headlight::ui {

/// Returns the lesson ids: "words", "bank", ….
const QStringList &lessonIds();

/// Returns the lesson that the program opens first. It needs no prior knowledge.
QString openingLesson();

/// Returns the id of the encoder-decoder example in New session. It is a lesson that no list
/// shows.
QString translationExample();

/// Returns the ids of the trained models (resources/models). They are lessons without steps that
/// no list shows.
const QStringList &modelIds();

/// True for any of the ids above.
bool isBuiltIn(const QString &id);

/// Reads a built-in lesson. `seed` replaces the seeds in the file. Errors: no such lesson; the
/// remedy names the closest one.
core::Result<core::Session> readLesson(const QString &id, std::optional<quint64> seed = {});

/// Returns the lesson's file. A lesson about a trained model includes that model.
QByteArray lessonFile(const QString &id);

/// A lesson's entry in lists, read without its model.
struct LessonInfo {
    QString id, title, summary;
    int minutes = 0; ///< 0 if not set
    QStringList needs;
    int steps = 0;
};
/// Returns the lessons in the order of lessonIds().
const QList<LessonInfo> &lessonInfos();

/// Returns the title of any built-in id, read without its model.
QString lessonTitle(const QString &id);

} // namespace headlight::ui
