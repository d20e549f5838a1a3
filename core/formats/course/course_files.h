// Builds a course from the contents of its files, which are in a folder or a zip file.
#pragma once

#include "core/formats/course/course.h"

namespace headlight::core {

struct CourseFile {
    std::string name;
    std::string bytes;
};

/// True for names such as "scores.headlight", without a folder.
bool isLessonName(std::string_view name);

/// `files`: the lessons and at most one course.json. `where`: the folder or the course file.
Result<CoursePointer> courseOf(std::vector<CourseFile> files, const std::string &where,
                               const std::stop_token &stop);

/// Checks that the lesson's document contains its model or capture. Other problems are reported
/// when the lesson is read.
Outcome carriesItsModel(const CourseLesson &lesson, const std::string &where);

} // namespace headlight::core
