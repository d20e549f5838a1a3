// Reads a course from a folder.
#include "core/cancelled.h"
#include "core/formats/course/course_files.h"
#include "core/formats/files/io_error.h"
#include "core/formats/files/regular_file.h"

#include <algorithm>
#include <filesystem>
#include <new>

namespace headlight::core {

namespace {

namespace fs = std::filesystem;

Error tooManyLessons(const std::string &folder) {
    return {{"it has more than %1 lessons", kMaxLessons}, folder, "split it into several courses"};
}

/// Returns the names of all lessons in the folder, sorted, including any that course.json omits.
Result<std::vector<std::string>> lessonNamesIn(const std::string &folder) {
    std::error_code error;
    std::vector<std::string> names;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!isLessonName(name))
            continue;
        if (names.size() == kMaxLessons)
            return tooManyLessons(folder);
        names.push_back(name);
    }
    if (error)
        return ioError(error.value(), "it cannot be read", folder);
    std::ranges::sort(names);
    return names;
}

} // namespace

Result<CoursePointer> readCourseFolder(const std::string &folder, std::stop_token stop) try {
    Result<std::vector<std::string>> names = lessonNamesIn(folder);
    if (!names)
        return names.error();
    std::error_code none;
    if (fs::exists(fs::path(folder) / kCourseOrder, none))
        names->emplace_back(kCourseOrder);
    std::vector<CourseFile> files;
    std::uint64_t left = kMaxCourseBytes;
    for (std::string &name : *names) {
        const std::string path = (fs::path(folder) / name).string();
        Result<std::string> bytes = readRegularFile(
            path, left, {{"the course contains more than %1 MB", kMaxCourseBytes >> 20}, path, ""},
            stop);
        if (!bytes)
            return bytes.error();
        left -= bytes->size();
        files.push_back({std::move(name), *std::move(bytes)});
    }
    return courseOf(std::move(files), folder, stop);
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory to read it", folder, ""};
}

bool looksLikeCourse(const std::string &folder) {
    std::error_code none;
    if (fs::exists(fs::path(folder) / "config.json", none))
        return false;
    const Result<std::vector<std::string>> names = lessonNamesIn(folder);
    return !names || !names->empty();
}

} // namespace headlight::core
