// A course: the lessons in a folder without subfolders, or in a zip file of such a folder. The zip
// is never unpacked to disk.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

struct CourseLesson {
    std::string id; ///< file name without ".headlight"
    std::string title, summary;
    Index minutes = 0; ///< 0: not set
    Index steps = 0;   ///< number of steps; 0: no lesson, only a session to explore
    std::vector<std::string> needs{};
    std::string document{}; ///< text of the file, unchanged
};

struct Course {
    std::string title; ///< from course.json, otherwise the name of the file or folder
    std::vector<CourseLesson> lessons; ///< at least one, in teaching order
    std::string order{};               ///< text of course.json; empty if there is none

    /// Returns null for an unknown id.
    const CourseLesson *find(std::string_view id) const;
};
using CoursePointer = std::shared_ptr<const Course>;

inline constexpr std::string_view kLessonEnding = ".headlight";
inline constexpr std::string_view kCourseEnding = ".headlight-course";
inline constexpr std::string_view kCourseOrder = "course.json";
inline constexpr std::size_t kMaxLessons = 200;
/// Size limit for all lessons together.
inline constexpr std::uint64_t kMaxCourseBytes = std::uint64_t(256) << 20;

/// Reads the lessons directly in the folder, sorted by name or as in course.json. Ignores other
/// files. Errors name the file: no lesson; too many lessons, or too large ones; a lesson that
/// course.json lists is missing; a lesson that is not JSON; "cancelled".
Result<CoursePointer> readCourseFolder(const std::string &folder, std::stop_token stop = {});

/// Reads a course from one file. Additional errors: those of a zip file (zip_directory.h); a path
/// instead of a file name; an entry that is not a lesson; an entry that expands too much; a lesson
/// whose model or capture is in another file.
Result<CoursePointer> readCourseFile(const std::string &path, std::stop_token stop = {});

/// Returns a course as one file. Equal courses result in equal bytes. Errors: a lesson whose model
/// or capture is in another file, which a course cannot contain.
Result<std::string> courseFile(const Course &course);

/// True if readCourseFolder() can read the folder: it contains a lesson and no model from another
/// program.
bool looksLikeCourse(const std::string &folder);

} // namespace headlight::core
