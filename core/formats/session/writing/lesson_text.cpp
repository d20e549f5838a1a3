// Writes `lesson` in the form that reading/reader.cpp reads, or updates the document's lesson.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/writing/text.h"
#include "core/formats/session/writing/writer.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Members = std::vector<JsonMemberText>;

/// Returns all members except the steps.
Members headMembers(const Lesson &lesson) {
    Members members = writtenMembers(lesson);
    std::erase_if(members, [](const JsonMemberText &member) { return member.name == "steps"; });
    return members;
}

/// Adds one level of indentation, if there is any.
std::string indentedMore(const std::string &lines) {
    return lines.empty() ? lines : lines + "  ";
}

/// Merges the changes into the original text of each step that comes from the document.
std::string mergedSteps(std::string_view typed, const Lesson &before, const Lesson &after,
                        const std::string &lines) {
    const std::vector<std::string_view> old = elementsOf(typed);
    const std::string deeper = indentedMore(lines);
    std::vector<std::string> steps;
    for (const LessonStep &step : after.steps) {
        const std::string text = written(step, indentedMore(deeper));
        const auto from = static_cast<std::size_t>(step.documentStep);
        const bool isKnown =
            step.documentStep >= 0 && from < old.size() && from < before.steps.size();
        steps.push_back(
            isKnown ? jsonMerged(old[from], written(before.steps[from], indentedMore(deeper)), text)
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

int formatVersionOf(const Lesson &lesson) {
    int version = versionOfFields(lesson);
    for (const LessonStep &step : lesson.steps)
        version = std::max({version, versionOfFields(step), versionOfFields(step.look),
                            formatVersionOf(step.set), formatVersionOf(step.show)});
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
                                              : written(lesson, inside)});
    if (formatVersionOf(lesson) > 1 && valueOf(json, "headlight") == "1")
        edits.push_back({"headlight", "2"});
    return spliced(json, edits);
}

} // namespace headlight::core
