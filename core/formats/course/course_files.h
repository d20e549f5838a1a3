// From the files of a course to the course, wherever they were.
#pragma once

#include "core/formats/course/course.h"

namespace headlight::core {

struct CourseFile {
    std::string name;
    std::string bytes;
};

/// "scores.headlight": a name that stands for itself, in whatever folder it lies.
bool isLessonName(std::string_view name);

/// `files` are lessons, and at most one is course.json. `where` is the folder or the file.
Result<CoursePointer> courseOf(std::vector<CourseFile> files, const std::string &where,
                               const std::stop_token &stop);

/// Errors: its model or capture is not in its document. Others are left to who reads it.
Outcome carriesItsModel(const CourseLesson &lesson, const std::string &where);

} // namespace headlight::core
