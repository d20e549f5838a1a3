// Tracks through the built-in lessons: selections for readers with different time and knowledge.
#pragma once

#include "ui/document/lesson_catalogue.h"

namespace headlight::ui {

struct LessonTrack {
    QString id;          ///< "minutes", "hour", "term" or "researcher"
    QString name;        ///< label of its button
    QString summary;     ///< one sentence: who it is for
    QStringList lessons; ///< ids in the order of lessonIds()
    int minutes = 0;     ///< sum of the lessons' minutes
};

/// Returns the four tracks, the shortest one first.
const QList<LessonTrack> &lessonTracks();

/// Returns the track with this id. Null if there is none.
const LessonTrack *trackOf(const QString &id);

} // namespace headlight::ui
