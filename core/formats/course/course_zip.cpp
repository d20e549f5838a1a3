// Reads and writes a course as one zip file.
#include "core/cancelled.h"
#include "core/formats/course/course_files.h"
#include "core/formats/zip/zip_directory.h"
#include "core/formats/zip/zip_writer.h"
#include "core/in_quotes.h"

#include <new>

namespace headlight::core {

namespace {

constexpr ZipKind kCourseZip{"lesson", "get it again, or make it with `headlight course`",
                             kMaxLessons + 1};
/// Maximum compression ratio. Higher ratios are probably an attack, because JSON rarely compresses
/// to less than a hundredth. Entries of up to kFreeBytes are exempt.
constexpr std::uint64_t kMaxRatio = 300, kFreeBytes = 1 << 20;

class CourseZip {
  public:
    CourseZip(const NumberFile &file, std::stop_token stop)
        : m_file(file), m_stop(std::move(stop)) {}

    Result<CoursePointer> read() {
        const Result<std::vector<ZipEntry>> entries = readZipDirectory(m_file, kCourseZip, m_stop);
        if (!entries)
            return entries.error();
        // Checks all entries before any is inflated.
        std::uint64_t whole = 0;
        for (const ZipEntry &entry : *entries) {
            if (!isLessonName(entry.name) && entry.name != kCourseOrder)
                return wrong("it is not a lesson in the same folder as the others", entry);
            if (entry.size > kMaxCourseBytes - whole)
                return Error{{"the course contains more than %1 MB", kMaxCourseBytes >> 20},
                             m_file.path,
                             ""};
            whole += entry.size;
            if (entry.size > kFreeBytes && entry.size / kMaxRatio > entry.packedSize)
                return wrong({"its %1 bytes claim to expand to %2", entry.packedSize, entry.size},
                             entry);
        }
        std::vector<CourseFile> files;
        for (const ZipEntry &entry : *entries) {
            if (m_stop.stop_requested())
                return cancelled();
            Result<std::string> bytes = readZipEntry(m_file, entry, kMaxCourseBytes, m_stop);
            if (!bytes)
                return isCancelled(bytes.error()) ? bytes.error()
                                                  : wrong(bytes.error().what, entry);
            files.push_back({entry.name, *std::move(bytes)});
        }
        Result<CoursePointer> course = courseOf(std::move(files), m_file.path, m_stop);
        if (course)
            for (const CourseLesson &lesson : (*course)->lessons)
                if (const Outcome carries = carriesItsModel(lesson, m_file.path); !carries)
                    return carries.error();
        return course;
    }

  private:
    Error wrong(Message what, const ZipEntry &entry) const {
        return {std::move(what), m_file.path + ", lesson " + inQuotes(entry.name),
                kCourseZip.remedy};
    }

    const NumberFile &m_file;
    std::stop_token m_stop;
};

} // namespace

Result<CoursePointer> readCourseFile(const std::string &path, std::stop_token stop) try {
    const Result<std::shared_ptr<const NumberFile>> file = openNumberFile(path);
    if (!file)
        return file.error();
    return CourseZip(**file, std::move(stop)).read();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory to read it", path, ""};
}

Result<std::string> courseFile(const Course &course) {
    std::vector<ZipMember> members;
    if (!course.order.empty())
        members.push_back({std::string(kCourseOrder), course.order});
    for (const CourseLesson &lesson : course.lessons) {
        if (const Outcome carries = carriesItsModel(lesson, course.title); !carries)
            return carries.error();
        members.push_back({lesson.id + std::string(kLessonEnding), lesson.document});
    }
    return zipOf(members);
}

} // namespace headlight::core
