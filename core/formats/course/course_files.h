// Builds a course from its files, whatever their source.
#pragma once

#include "core/formats/course/course.h"

namespace headlight::core {

struct CourseFile {
    std::string name;
    std::string bytes;
};

/// True for names such as "scores.headlight", without a folder.
bool isLessonName(std::string_view name);

/// `files` are lessons and at most one course.json. `where` is the folder or the file.
Result<CoursePointer> courseOf(std::vector<CourseFile> files, const std::string &where,
                               const std::stop_token &stop);

/// Errors: its model or capture is not in its document. Reading the lesson reports other problems.
Outcome carriesItsModel(const CourseLesson &lesson, const std::string &where);

} // namespace headlight::core
