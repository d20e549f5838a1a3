// Reads arbitrary bytes as a course file. Expects an error with a message, or lessons that can be
// read or give an error.
#include "core/formats/course/course.h"
#include "core/formats/session/data/session.h"
#include "tests/fuzz/bytes_as_file.h"

using namespace headlight::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto course = readCourseFile(bytesAsFile(data, size, ".headlight-course"));
    if (!course) {
        if (course.error().what.empty())
            std::abort();
        return 0;
    }
    if ((*course)->lessons.empty() || (*course)->title.empty())
        std::abort();
    for (const CourseLesson &lesson : (*course)->lessons)
        if (const auto session = readSession(lesson.document);
            !session && session.error().what.empty())
            std::abort();
    (void)courseFile(**course);
    return 0;
}
