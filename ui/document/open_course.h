// A course that is open: what lists of its lessons say, and where each of them is opened from.
#pragma once

#include "core/formats/course/course.h"
#include "core/formats/session/data/session.h"
#include "ui/document/lesson_catalogue.h"

#include <memory>
#include <optional>

namespace headlight::ui {

/// "maths.headlight-course/scores": a lesson within the file of a course.
struct LessonInFile {
    QString course; ///< the file
    QString id;
};
/// None: the source is another.
std::optional<LessonInFile> lessonInFile(const QString &source);

struct OpenCourse {
    QString path; ///< a folder or a file
    QString title;
    QList<LessonInfo> lessons; ///< in the order in which they are taught; the id is the source
    core::CoursePointer content;

    /// Of the lesson that is opened from there; −1: it is none of these.
    qsizetype indexOf(const QString &source) const;
    /// The source of the lesson after that one; empty: there is none.
    QString after(const QString &source) const;
};
using OpenCoursePointer = std::shared_ptr<const OpenCourse>;

/// Errors: as core::readCourseFolder() and core::readCourseFile().
core::Result<OpenCoursePointer> openCourse(const QString &path, std::stop_token stop = {});

/// The course of the folder that the file lies in, where a course.json there names it. Null: none,
/// or one that cannot be read.
OpenCoursePointer courseAround(const QString &file, std::stop_token stop = {});

/// A lesson of the course's file. Errors name it.
core::Result<core::Session> readLessonOf(const OpenCourse &course, const QString &source,
                                         std::optional<quint64> seed, std::stop_token stop = {});

} // namespace headlight::ui
