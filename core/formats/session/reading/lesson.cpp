// `lesson` in a session file: its texts, and what each step shows.
#include "core/formats/session/data/words.h"
#include "core/formats/session/reading/parts.h"

namespace headlight::core {

namespace {

/// Reads a text with marks. Limits its size, because matching marks may take quadratic time.
std::string readMarked(const Field &field) {
    auto text = field.text();
    if (text && text->size() > kMaximumMarkedBytes)
        field.fail({"the text is longer than %1 bytes", kMaximumMarkedBytes},
                   "make it several paragraphs");
    return std::move(text).value_or("");
}

/// Reads a word of an enumeration; ignores unknown words.
template <typename Choice>
void readLookWord(const Field &field, Choice &choice) {
    if (!field.present())
        return;
    if (const auto word = field.word(Words<Choice>::all))
        choice = static_cast<Choice>(*word);
}

ViewOptions readLook(const Field &field) {
    ViewOptions look;
    readLookWord(field.member("granularity"), look.granularity);
    readLookWord(field.member("axes"), look.axes);
    readLookWord(field.member("spaces"), look.spaces);
    readLookWord(field.member("writing"), look.writing);
    return look;
}

std::string readId(const Field &field) {
    auto id = field.text();
    if (id && (id->empty() || id->size() > kMaximumIdBytes))
        field.expected({"a lesson's name, of at most %1 letters", kMaximumIdBytes});
    return std::move(id).value_or("");
}

/// Reads a condition. Limits its size, because it is evaluated after every change.
std::string readCondition(const Field &field, std::size_t maximumBytes) {
    auto text = field.text();
    if (text && text->size() > maximumBytes)
        field.fail({"the condition is longer than %1 bytes", maximumBytes});
    return std::move(text).value_or("");
}

/// Returns the list's elements if it has `minimum` to `maximum`; empty after a problem.
std::vector<Field> elementsOf(const Field &list, std::size_t minimum, std::size_t maximum) {
    std::vector<Field> elements;
    if (!list.isArray())
        return elements;
    if (list.size() < minimum || list.size() > maximum) {
        list.expected({"a list of %1 to %2 elements", minimum, maximum});
        return elements;
    }
    for (std::size_t index = 0; index < list.size(); ++index)
        elements.push_back(list.element(index));
    return elements;
}

Question readQuestion(const Field &field) {
    Question question;
    if (!field.isObject())
        return question;
    question.text = readMarked(field.member("text"));
    for (const Field &answer :
         elementsOf(field.member("answers"), kMinimumAnswers, kMaximumAnswers))
        if (answer.isObject())
            question.answers.push_back(
                {readMarked(answer.member("text")),
                 readCondition(answer.member("if"), kMaximumAnswerCondition)});
    if (const Field show = field.member("show").advice(); show.present())
        question.show = readSelection(show);
    return question;
}

Exercise readExercise(const Field &field, const Session &base) {
    Exercise exercise;
    if (!field.isObject())
        return exercise;
    exercise.text = readMarked(field.member("text"));
    for (const Field &goal : elementsOf(field.member("goals"), 1, kMaximumGoals))
        if (goal.isObject())
            exercise.goals.push_back({readMarked(goal.member("text")),
                                      readCondition(goal.member("if"), kMaximumGoalCondition)});
    if (const Field hints = field.member("hints"); hints.present())
        for (const Field &hint : elementsOf(hints, 0, kMaximumHints))
            exercise.hints.push_back(readMarked(hint));
    const Field solution = field.member("solution");
    exercise.solution = readState(solution, base);
    if (const Field byHand = field.member("by_hand"); byHand.present())
        exercise.byHand = byHand.boolean().value_or(false);
    return exercise;
}

LessonRun readRun(const Field &field) {
    LessonRun run;
    if (!field.isObject())
        return run;
    run.recipe = readRecipe(field.member("recipe"));
    // Starting the run checks whether the model supports the ablation.
    if (const Field ablation = field.member("race"); ablation.present()) {
        run.ablation = findAblation(ablation.text().value_or(""));
        if (!run.ablation)
            ablation.expected("the name of a switch that a race can turn");
    }
    return run;
}

PanelPatch readPanels(const Field &field) {
    PanelPatch panels;
    if (!field.isObject())
        return panels;
    for (std::size_t panel = 0; panel < kPanels; ++panel)
        if (const Field shown = field.member(std::string(Words<Panel>::all[panel]));
            shown.present())
            panels[panel] = shown.boolean();
    return panels;
}

LessonStep readStep(const Field &field, const Session &base, Index index) {
    LessonStep step;
    step.documentStep = index;
    if (!field.isObject())
        return step;
    step.title = field.member("title").text().value_or("");
    if (const Field text = field.member("text"); text.isArray())
        for (std::size_t paragraph = 0; paragraph < text.size(); ++paragraph)
            step.text.push_back(readMarked(text.element(paragraph)));
    if (const Field tryIt = field.member("try_it"); tryIt.present())
        step.tryIt = readMarked(tryIt);
    if (const Field show = field.member("show").advice(); show.present()) {
        step.show = readSelection(show);
        step.look = readLook(show);
    }
    if (const Field set = field.member("set"); set.present())
        step.set = readState(set, base);
    if (const Field mistake = field.member("mistake"); mistake.present())
        step.mistake = readMarked(mistake);
    if (const Field panels = field.member("panels"); panels.present())
        step.panels = readPanels(panels);
    if (const Field question = field.member("question"); question.present())
        step.question = readQuestion(question);
    if (const Field exercise = field.member("exercise"); exercise.present())
        step.exercise = readExercise(exercise, base);
    if (const Field run = field.member("run"); run.present())
        step.run = readRun(run);
    return step;
}

} // namespace

Lesson readLesson(const Field &field, const Session &base) {
    Lesson lesson;
    if (!field.isObject())
        return lesson;
    lesson.summary = field.member("summary").text().value_or("");
    if (const Field minutes = field.member("minutes"); minutes.present())
        lesson.minutes = minutes.whole(1, kMaximumMinutes).value_or(0);
    if (const Field needs = field.member("needs"); needs.present())
        for (const Field &need : elementsOf(needs, 0, kMaximumNeeds))
            lesson.needs.push_back(readId(need));
    const Field steps = field.member("steps");
    if (!steps.isArray())
        return lesson;
    if (steps.size() == 0)
        steps.expected("at least one step");
    for (std::size_t index = 0; index < steps.size(); ++index)
        lesson.steps.push_back(readStep(steps.element(index), base, static_cast<Index>(index)));
    return lesson;
}

} // namespace headlight::core
