// `lesson` of a session file: what a teacher says, and what each step shows.
#include "core/formats/session/reading/parts.h"
#include "core/formats/session/words.h"

namespace headlight::core {

namespace {

/// A text with marks. Bounded, because looking for the marks' partners may take time with its
/// square.
std::string readMarked(const Field &field) {
    constexpr std::size_t kMaximumBytes = 16384;
    auto text = field.text();
    if (text && text->size() > kMaximumBytes)
        field.fail({"the text is longer than %1 bytes", kMaximumBytes},
                   "make it several paragraphs");
    return std::move(text).value_or("");
}

/// One of the words of its enumeration; any other is as if nothing had been said.
template <typename Choice>
void readLookWord(const Field &field, Choice &choice) {
    if (!field.present())
        return;
    if (const auto word = field.word(Words<Choice>::all))
        choice = static_cast<Choice>(*word);
}

Look readLook(const Field &field) {
    Look look;
    readLookWord(field.member("granularity"), look.granularity);
    readLookWord(field.member("axes"), look.axes);
    readLookWord(field.member("spaces"), look.spaces);
    return look;
}

LessonStep readStep(const Field &field, const Session &base) {
    LessonStep step;
    if (!field.isObject())
        return step;
    step.title = field.member("title").text().value_or("");
    if (const Field text = field.member("text"); text.isArray())
        for (std::size_t index = 0; index < text.size(); ++index)
            step.text.push_back(readMarked(text.element(index)));
    if (const Field tryIt = field.member("try_it"); tryIt.present())
        step.tryIt = readMarked(tryIt);
    if (const Field show = field.member("show").advice(); show.present()) {
        step.show = readSelection(show);
        step.look = readLook(show);
    }
    if (const Field set = field.member("set"); set.present())
        step.set = readState(set, base);
    return step;
}

} // namespace

Lesson readLesson(const Field &field, const Session &base) {
    Lesson lesson;
    if (!field.isObject())
        return lesson;
    lesson.summary = field.member("summary").text().value_or("");
    const Field steps = field.member("steps");
    if (!steps.isArray())
        return lesson;
    if (steps.size() == 0)
        steps.expected("at least one step");
    for (std::size_t index = 0; index < steps.size(); ++index)
        lesson.steps.push_back(readStep(steps.element(index), base));
    return lesson;
}

} // namespace headlight::core
