// An open course: list entries of its lessons, and the source of each.
#pragma once

#include "core/formats/course/course.h"
#include "core/formats/session/data/session.h"
#include "ui/document/lesson_catalogue.h"

#include <memory>
#include <optional>

namespace headlight::ui {

/// A lesson in a course file: "maths.headlight-course/scores".
struct LessonInFile {
    QString course; ///< path of the course file
    QString id;
};
/// Parses the source of a lesson in a course file. Empty for any other source.
std::optional<LessonInFile> lessonInFile(const QString &source);

struct OpenCourse {
    QString path; ///< path of a folder or a file
    QString title;
    QList<LessonInfo> lessons; ///< in teaching order; the id is the source
    core::CoursePointer content;

    /// Returns the index of the lesson with this source, or −1.
    qsizetype indexOf(const QString &source) const;
    /// Returns the source of the next lesson, or an empty string.
    QString after(const QString &source) const;
};
using OpenCoursePointer = std::shared_ptr<const OpenCourse>;

/// Errors: as core::readCourseFolder() and core::readCourseFile().
core::Result<OpenCoursePointer> openCourse(const QString &path, std::stop_token stop = {});

/// Returns the course of the folder that contains the file, if the folder's course.json lists the
/// file. Null if there is no such course or it cannot be read.
OpenCoursePointer courseAround(const QString &file, std::stop_token stop = {});

/// Reads a lesson of a course file. Errors name the lesson.
core::Result<core::Session> readLessonOf(const OpenCourse &course, const QString &source,
                                         std::optional<quint64> seed, std::stop_token stop = {});

} // namespace headlight::ui
