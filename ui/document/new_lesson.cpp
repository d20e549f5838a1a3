#include "ui/document/new_lesson.h"

#include "core/formats/json/text.h"
#include "core/formats/session/writing/writer.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/text/core_message.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct NewLessonText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::NewLesson)
};

core::LessonStep firstStep(const edits::WindowState &seen) {
    core::LessonStep step;
    step.title = NewLessonText::tr("First step").toStdString();
    step.show = seen.place;
    step.look = seen.look;
    return step;
}

/// True if a session file can contain the whole model.
bool canBeWritten(const core::Session &session, const DocumentState &state) {
    return !session.pretrained && state.model.embeddings &&
           !state.model.parameters.main.layers.empty();
}

/// Creates a session from the model and input of the state, without a lesson.
core::Session presentSession(const core::Session &session, const DocumentState &state) {
    core::Session fresh;
    fresh.model = state.model;
    fresh.input = state.input;
    fresh.minimumLength = session.minimumLength;
    fresh.sourceMinimumLength = session.sourceMinimumLength;
    fresh.training = state.training;
    fresh.json = core::writeNewSession({}, fresh.model, fresh.input, fresh.minimumLength, {},
                                       fresh.sourceMinimumLength, fresh.training.get());
    return fresh;
}

/// Returns the session as read, without the saved user state and without the lesson.
core::Session withoutPresent(const core::Session &read) {
    core::Session bare = read;
    bare.json = core::spliced(read.json, {{"now", ""}, {"lesson", ""}});
    bare.now.reset();
    bare.lesson.reset();
    return bare;
}

} // namespace

core::Result<OpenedSource> newLesson(const Document &document, const edits::WindowState &seen) {
    const core::Session &session = document.session();
    const DocumentState &state = document.state();
    if (session.capture)
        return core::Error{messageOf(NewLessonText::tr(
                               "a capture has no model, so a lesson could not change anything")),
                           "", messageOf(NewLessonText::tr("open the model itself"))};
    const bool isWhole = canBeWritten(session, state);
    core::Session base =
        isWhole ? presentSession(session, state) : withoutPresent(document.sessionAsRead());
    core::LessonStep step = firstStep(seen);
    if (!isWhole)
        step.set = core::differenceOf(base, state.model, state.input);
    const std::string title = NewLessonText::tr("New lesson").toStdString();
    core::Lesson lesson;
    lesson.steps.push_back(std::move(step));
    lesson.steps.front().documentStep = 0;
    base.json = core::withLesson(base, title, lesson);
    base.title = title;
    base.lesson = std::move(lesson);
    OpenedSource opened;
    opened.session = std::move(base);
    opened.selection = document.selection();
    if (!isWhole)
        opened.seed = document.seed();
    opened.state = {state.model, state.input, 0, {}, state.training, {}, state.softmax};
    opened.view = QString::fromStdString(seen.place.view.value_or(""));
    opened.computable = document.computable();
    return opened;
}

OpenedSource copyOf(const Document &document, const QString &view) {
    OpenedSource copy;
    copy.session = document.sessionAsRead();
    copy.state = document.state();
    copy.computable = document.computable();
    copy.state.lesson.reset();
    copy.selection = document.selection();
    copy.view = view;
    copy.seed = document.seed();
    return copy;
}

bool newLessonTakesAll(const Document &document) {
    if (document.state().lesson)
        return false;
    return !document.session().lesson || isBuiltIn(document.source());
}

} // namespace headlight::ui
