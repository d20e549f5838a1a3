// A course: lessons that belong together, in a folder or in one file, a zip of that folder. Their
// files lie side by side; nothing of the zip is ever unpacked to a disk.
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
    std::string id; ///< its file's name without ".headlight"
    std::string title, summary;
    Index minutes = 0; ///< 0: not said
    Index steps = 0;   ///< 0: a session that is no lesson, such as a model to try
    std::vector<std::string> needs{};
    std::string document{}; ///< its file's text, as it was found
};

struct Course {
    std::string title;                 ///< never empty: that of course.json, else the file's name
    std::vector<CourseLesson> lessons; ///< at least one, in the order in which they are taught
    std::string order{};               ///< the text of course.json; empty: there is none

    /// Null: none of this id.
    const CourseLesson *find(std::string_view id) const;
};
using CoursePointer = std::shared_ptr<const Course>;

inline constexpr std::string_view kLessonEnding = ".headlight";
inline constexpr std::string_view kCourseEnding = ".headlight-course";
inline constexpr std::string_view kCourseOrder = "course.json";
inline constexpr std::size_t kMostLessons = 200;
/// Of all lessons together.
inline constexpr std::uint64_t kMaximumCourseBytes = std::uint64_t(256) << 20;

/// The lessons that lie in the folder itself, by their names, or in the order that course.json
/// says. Its other files are nobody's business. Errors name the file: there is no lesson; too many,
/// or too large; course.json names what is not there; a lesson that is no JSON; "cancelled".
Result<CoursePointer> readCourseFolder(const std::string &folder, std::stop_token stop = {});

/// The same of one file. Errors also: all that is wrong with a zip (zip_directory.h); a name that
/// is none of a file beside the others; what is not a lesson; what holds much more than its bytes
/// say; a lesson whose model or capture lies elsewhere.
Result<CoursePointer> readCourseFile(const std::string &path, std::stop_token stop = {});

/// The file of a course: the same lessons give the same bytes. Errors: a lesson whose model or
/// capture is a file of its own, which no course carries.
Result<std::string> courseFile(const Course &course);

/// A folder that readCourseFolder() may read: it has a lesson, and no model of another program.
bool looksLikeCourse(const std::string &folder);

} // namespace headlight::core
