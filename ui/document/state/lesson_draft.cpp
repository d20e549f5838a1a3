#include "ui/document/state/lesson_draft.h"

namespace headlight::ui {

std::size_t bytesOf(const LessonDraftPointer &draft) {
    if (!draft)
        return 0;
    std::size_t bytes = sizeof(LessonDraft);
    for (const core::LessonStep &step : draft->lesson.steps) {
        bytes += sizeof(step) + step.title.size() + step.tryIt.size() + step.mistake.size();
        for (const std::string &text : step.text)
            bytes += text.size();
    }
    return bytes;
}

} // namespace headlight::ui
