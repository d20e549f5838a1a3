#include "ui/window/lessons/lesson_layout.h"

#include "ui/text/file_path.h"

#include <QMap>

#include <algorithm>

namespace headlight::ui {

QList<LessonMapPosition> placesOf(const QList<LessonInfo> &lessons) {
    QList<LessonMapPosition> places;
    QMap<QString, qsizetype> known; // lessons so far, by id; a later one cannot be a prerequisite
    QMap<int, int> rows;            // number of lessons in a column
    for (const LessonInfo &lesson : lessons) {
        LessonMapPosition place{lesson, {}, {}};
        int column = 0;
        for (const QString &need : lesson.needs)
            if (const auto found = known.constFind(need); found != known.constEnd()) {
                place.from << *found;
                column = std::max(column, places[*found].cell.x() + 1);
            }
        place.cell = {column, rows[column]++};
        known.insert(lesson.id, places.size());
        places << place;
    }
    return places;
}

QList<LessonInfo> lessonsOnMap(const OpenCourse &course) {
    QMap<QString, QString> sources; // key: the lesson's file name
    for (qsizetype at = 0; at < course.lessons.size(); ++at)
        sources.insert(pathOf(course.content->lessons[static_cast<std::size_t>(at)].id),
                       course.lessons[at].id);
    QList<LessonInfo> lessons = course.lessons;
    for (LessonInfo &lesson : lessons)
        for (QString &need : lesson.needs)
            need = sources.value(need, need);
    return lessons;
}

} // namespace headlight::ui
