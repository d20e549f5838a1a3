#include "ui/window/lessons/lesson_progress.h"

#include "ui/document/lesson_catalogue.h"
#include "ui/text/file_path.h"

#include <QSettings>
#include <QUrl>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr const char *kLastLesson = "lessons/last";

/// Returns the settings key. Encodes paths, because "/" would start a group.
QString keyOf(const QString &lesson, const char *what) {
    const QString name = isBuiltIn(lesson)
                             ? lesson
                             : QString::fromLatin1(QUrl::toPercentEncoding(absolutePath(lesson)));
    return QString("lessons/%1/%2").arg(name, QLatin1String(what));
}

} // namespace

LessonProgress progressOf(const QString &lesson) {
    const QSettings settings;
    return {std::max(0, settings.value(keyOf(lesson, "step"), 0).toInt()),
            settings.value(keyOf(lesson, "furthest"), -1).toInt()};
}

QString lastLesson() {
    return QSettings().value(kLastLesson).toString();
}

void rememberStep(const QString &lesson, int step) {
    QSettings settings;
    const int furthest = settings.value(keyOf(lesson, "furthest"), -1).toInt();
    settings.setValue(kLastLesson, lesson);
    settings.setValue(keyOf(lesson, "step"), step);
    settings.setValue(keyOf(lesson, "furthest"), std::max(step, furthest));
}

} // namespace headlight::ui
