// Reads `lesson` in a session file.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/reading/parts.h"

namespace headlight::core {

Lesson readLesson(const Field &field, const Session &base) {
    Lesson lesson;
    field.reading().base = &base;
    readInto(field, lesson);
    field.reading().base = nullptr;
    return lesson;
}

} // namespace headlight::core
