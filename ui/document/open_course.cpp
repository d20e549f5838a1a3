#include "ui/document/open_course.h"

#include "core/cancelled.h"
#include "ui/text/file_path.h"
#include "ui/text/one_line.h"

#include <algorithm>
#include <filesystem>

namespace headlight::ui {

namespace {

QString textOf(std::string_view ascii) {
    return QString::fromLatin1(ascii.data(), static_cast<qsizetype>(ascii.size()));
}

LessonInfo infoFrom(const core::CourseLesson &lesson, const QString &source) {
    LessonInfo info{source,
                    oneLine(lesson.title),
                    QString::fromStdString(lesson.summary),
                    static_cast<int>(lesson.minutes),
                    {},
                    static_cast<int>(lesson.steps)};
    for (const std::string &need : lesson.needs)
        info.needs << QString::fromStdString(need);
    return info;
}

} // namespace

std::optional<LessonInFile> lessonInFile(const QString &source) {
    const QString middle = textOf(core::kCourseEnding) + '/';
    const qsizetype at = source.lastIndexOf(middle);
    const qsizetype end = at + middle.size();
    if (at < 0 || end == source.size() || source.indexOf('/', end) >= 0)
        return std::nullopt;
    return LessonInFile{source.left(end - 1), source.mid(end)};
}

qsizetype OpenCourse::indexOf(const QString &source) const {
    for (qsizetype i = 0; i < lessons.size(); ++i)
        if (lessons[i].id == source || absolutePath(lessons[i].id) == absolutePath(source))
            return i;
    return -1;
}

QString OpenCourse::after(const QString &source) const {
    const qsizetype now = indexOf(source);
    return now < 0 || now + 1 == lessons.size() ? QString() : lessons[now + 1].id;
}

core::Result<OpenCoursePointer> openCourse(const QString &path, std::stop_token stop) {
    const bool isInFolder = isFolder(path);
    const core::Result<core::CoursePointer> read =
        isInFolder ? core::readCourseFolder(bytesOf(path), std::move(stop))
                   : core::readCourseFile(bytesOf(path), std::move(stop));
    if (!read)
        return read.error();
    auto course = std::make_shared<OpenCourse>();
    course->path = path;
    course->title = oneLine((*read)->title);
    course->content = *read;
    for (const core::CourseLesson &lesson : (*read)->lessons) {
        const QString name = pathOf(lesson.id);
        const QString before = path.endsWith('/') ? path : path + '/';
        course->lessons << infoFrom(lesson, isInFolder ? before + name + textOf(core::kLessonEnding)
                                                       : before + name);
    }
    return OpenCoursePointer(std::move(course));
}

OpenCoursePointer courseAround(const QString &file, std::stop_token stop) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(bytesOf(absolutePath(file))).parent_path();
    std::error_code none;
    if (!fs::exists(folder / core::kCourseOrder, none))
        return nullptr;
    const core::Result<OpenCoursePointer> course =
        openCourse(pathOf(folder.string()), std::move(stop));
    return course && (*course)->indexOf(file) >= 0 ? *course : nullptr;
}

core::Result<core::Session> readLessonOf(const OpenCourse &course, const QString &source,
                                         std::optional<quint64> seed, std::stop_token stop) {
    const std::optional<LessonInFile> place = lessonInFile(source);
    const core::CourseLesson *lesson = place ? course.content->find(bytesOf(place->id)) : nullptr;
    if (!lesson)
        return core::Error{"the course has no lesson of this name", bytesOf(source),
                           "open the course itself"};
    core::Result<core::Session> session =
        core::readSession(lesson->document, seed, std::move(stop));
    if (!session && !core::isCancelled(session.error()))
        return core::Error{session.error().what, bytesOf(source) + ": " + session.error().where,
                           session.error().remedy};
    return session;
}

} // namespace headlight::ui
