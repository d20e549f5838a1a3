// Writes `lesson` in the form that reading/lesson.cpp reads, or replaces the document's.
#include "core/formats/session/data/words.h"
#include "core/formats/session/writing/text.h"
#include "core/formats/session/writing/writer.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Members = std::vector<JsonMemberText>;

/// Adds one level of indentation, if the text is indented.
std::string indentedMore(const std::string &lines) {
    return lines.empty() ? lines : lines + "  ";
}

template <typename List, typename TextOfOne>
std::string listedText(const List &list, TextOfOne textOfOne, const std::string &lines) {
    std::vector<std::string> texts;
    for (const auto &entry : list)
        texts.push_back(textOfOne(entry));
    return jsonArray(texts, lines);
}

std::string textsText(const std::vector<std::string> &texts, const std::string &lines) {
    return listedText(
        texts, [](const std::string &text) { return jsonText(text); }, lines);
}

/// Writes answers or goals.
template <typename Choice>
std::string choicesText(const std::vector<Choice> &choices, const std::string &lines) {
    return listedText(
        choices,
        [](const Choice &choice) {
            return jsonObject(
                {{"text", jsonText(choice.text)}, {"if", jsonText(choice.condition)}});
        },
        lines);
}

std::string questionText(const Question &question, const std::string &lines) {
    Members members{{"text", jsonText(question.text)},
                    {"answers", choicesText(question.answers, indentedMore(lines))}};
    if (question.show)
        members.push_back({"show", jsonObject(membersOf(*question.show))});
    return jsonObject(members, lines);
}

std::string exerciseText(const Exercise &exercise, const std::string &lines) {
    Members members{{"text", jsonText(exercise.text)},
                    {"goals", choicesText(exercise.goals, indentedMore(lines))}};
    if (!exercise.hints.empty())
        members.push_back({"hints", textsText(exercise.hints, indentedMore(lines))});
    members.push_back({"solution", jsonObject(membersOf(exercise.solution))});
    if (exercise.byHand)
        members.push_back({"by_hand", textOf(true)});
    return jsonObject(members, lines);
}

std::string runText(const LessonRun &run, const std::string &lines) {
    Members members{{"recipe", textOf(run.recipe)}};
    if (run.ablation)
        members.push_back({"race", jsonText(idOf(*run.ablation))});
    return jsonObject(members, lines);
}

std::string panelsText(const PanelPatch &panels) {
    Members members;
    for (std::size_t panel = 0; panel < kPanels; ++panel)
        if (panels[panel])
            members.push_back({std::string(Words<Panel>::all[panel]), textOf(*panels[panel])});
    return jsonObject(members);
}

Members showMembers(const LessonStep &step) {
    Members members = membersOf(step.show);
    const ViewOptions usual;
    if (step.look.granularity != usual.granularity)
        members.push_back({"granularity", jsonText(wordFor(step.look.granularity))});
    if (step.look.axes != usual.axes)
        members.push_back({"axes", jsonText(wordFor(step.look.axes))});
    if (step.look.spaces != usual.spaces)
        members.push_back({"spaces", jsonText(wordFor(step.look.spaces))});
    if (step.look.writing != usual.writing)
        members.push_back({"writing", jsonText(wordFor(step.look.writing))});
    return members;
}

std::string stepText(const LessonStep &step, const std::string &lines) {
    const std::string deeper = indentedMore(lines);
    Members members{{"title", jsonText(step.title)}, {"text", textsText(step.text, deeper)}};
    const auto add = [&members](const char *name, const std::string &marked) {
        if (!marked.empty())
            members.push_back({name, jsonText(marked)});
    };
    add("try_it", step.tryIt);
    add("mistake", step.mistake);
    if (const Members show = showMembers(step); !show.empty())
        members.push_back({"show", jsonObject(show)});
    if (const Members set = membersOf(step.set); !set.empty())
        members.push_back({"set", jsonObject(set)});
    if (step.panels != PanelPatch())
        members.push_back({"panels", panelsText(step.panels)});
    if (step.question)
        members.push_back({"question", questionText(*step.question, deeper)});
    if (step.exercise)
        members.push_back({"exercise", exerciseText(*step.exercise, deeper)});
    if (step.run)
        members.push_back({"run", runText(*step.run, deeper)});
    return jsonObject(members, lines);
}

/// Returns all members except the steps.
Members headMembers(const Lesson &lesson) {
    Members members{{"summary", jsonText(lesson.summary)}};
    if (lesson.minutes > 0)
        members.push_back({"minutes", std::to_string(lesson.minutes)});
    if (!lesson.needs.empty())
        members.push_back({"needs", textsText(lesson.needs, {})});
    return members;
}

std::string stepsText(const Lesson &lesson, const std::string &lines) {
    const std::string deeper = indentedMore(lines);
    return listedText(
        lesson.steps,
        [&deeper](const LessonStep &step) { return stepText(step, indentedMore(deeper)); }, deeper);
}

/// Keeps the original text of each step that comes from the document.
std::string mergedSteps(std::string_view typed, const Lesson &before, const Lesson &after,
                        const std::string &lines) {
    const std::vector<std::string_view> old = elementsOf(typed);
    const std::string deeper = indentedMore(lines);
    std::vector<std::string> steps;
    for (const LessonStep &step : after.steps) {
        const std::string text = stepText(step, indentedMore(deeper));
        const auto from = static_cast<std::size_t>(step.documentStep);
        const bool isKnown =
            step.documentStep >= 0 && from < old.size() && from < before.steps.size();
        steps.push_back(
            isKnown
                ? jsonMerged(old[from], stepText(before.steps[from], indentedMore(deeper)), text)
                : text);
    }
    const bool isSame = std::ranges::equal(steps, old);
    return isSame ? std::string(typed) : jsonArray(steps, deeper);
}

std::string_view valueOf(std::string_view object, std::string_view name) {
    for (const JsonSpan &member : membersOf(object))
        if (member.name == name)
            return object.substr(member.value, member.end - member.value);
    return {};
}

std::string mergedLesson(std::string_view typed, const Lesson &before, const Lesson &after,
                         const std::string &lines) {
    const std::string head =
        jsonMerged(typed, jsonObject(headMembers(before)), jsonObject(headMembers(after)));
    return spliced(head, {{"steps", mergedSteps(valueOf(typed, "steps"), before, after, lines)}});
}

} // namespace

std::string textOf(const Lesson &lesson, const std::string &separator) {
    Members members = headMembers(lesson);
    members.push_back({"steps", stepsText(lesson, separator)});
    return jsonObject(members, separator);
}

int formatVersionOf(const Lesson &lesson) {
    int version = lesson.minutes > 0 || !lesson.needs.empty() ? 2 : 1;
    for (const LessonStep &step : lesson.steps) {
        const bool isNew = !step.mistake.empty() || step.panels != PanelPatch() || step.question ||
                           step.exercise || step.run || step.look.writing != ShownEncoding::All;
        version = std::max(
            {version, isNew ? 2 : 1, formatVersionOf(step.set), formatVersionOf(step.show)});
    }
    return version;
}

std::string withLesson(const Session &session, const std::string &title, const Lesson &lesson) {
    const std::string &json = session.json;
    const std::string lines = separatorOf(json);
    const std::string inside = lines.find('\n') == std::string::npos ? std::string() : lines + "  ";
    JsonEdits edits;
    if (title != session.title)
        edits.push_back({"title", title.empty() ? std::string() : jsonText(title)});
    edits.push_back({"lesson", session.lesson ? mergedLesson(valueOf(json, "lesson"),
                                                             *session.lesson, lesson, inside)
                                              : textOf(lesson, inside)});
    if (formatVersionOf(lesson) > 1 && valueOf(json, "headlight") == "1")
        edits.push_back({"headlight", "2"});
    return spliced(json, edits);
}

} // namespace headlight::core
