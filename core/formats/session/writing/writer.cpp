#include "core/formats/session/writing/writer.h"

#include "core/formats/session/data/fields.h"
#include "core/formats/session/writing/text.h"
#include "core/training/tasks/own_text.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Members = std::vector<JsonMemberText>;

Members::const_iterator find(const Members &members, const std::string &name) {
    return std::find_if(members.begin(), members.end(),
                        [&name](const JsonMemberText &member) { return member.name == name; });
}

/// Returns the edits from `before` to `after`. They do not contain unchanged members, which
/// therefore keep their text.
JsonEdits editsBetween(const Members &before, const Members &after) {
    JsonEdits edits;
    for (const JsonMemberText &member : before)
        if (find(after, member.name) == after.end())
            edits.push_back({member.name, ""});
    for (const JsonMemberText &member : after) {
        const auto old = find(before, member.name);
        if (old == before.end() || old->value != member.value)
            edits.push_back(member);
    }
    return edits;
}

/// Returns the text of an object's member; empty if there is none.
std::string_view valueIn(std::string_view object, std::string_view name) {
    for (const JsonSpan &member : membersOf(object))
        if (member.name == name)
            return object.substr(member.value, member.end - member.value);
    return {};
}

/// Returns the lowest format version that can represent the session.
int versionOf(const Session &session, const SavedState &now) {
    const int version = std::max(
        {formatVersionOf(session.model), formatVersionOf(session.input), formatVersionOf(now.set),
         formatVersionOf(session.view), formatVersionOf(now.show),
         versionOfFields<SessionHeader>(session), versionOfFields(now.birth),
         versionOfFields(now.modelView),
         session.capture || session.pretrained || session.training || now.training ? 2 : 1});
    return session.lesson ? std::max(version, formatVersionOf(*session.lesson)) : version;
}

/// Returns an object in `now`: the old text with the differences, or a new object. Empty if it
/// would have no members.
std::string part(std::string_view old, const Members &before, const Members &after,
                 const std::string &separator) {
    if (old.empty())
        return after.empty() ? std::string() : jsonObject(after, separator);
    JsonEdits edits = editsBetween(before, after);
    // Another member or the step may have implied these members. They are written now, because the
    // implied value may have changed.
    for (const JsonMemberText &member : after)
        if (valueIn(old, member.name).empty() && find(edits, member.name) == edits.end())
            edits.push_back(member);
    std::string text = spliced(old, edits);
    return membersOf(text).empty() ? std::string() : text;
}

/// Adds one level of indentation, if there is any.
std::string deeper(const std::string &separator) {
    return separator.find('\n') == std::string::npos ? std::string() : separator + "  ";
}

Members simpleMembers(const SavedState &state) {
    Members members;
    if (state.seed)
        members.push_back({"seed", seedText(*state.seed)});
    if (state.step != 0)
        members.push_back({"step", std::to_string(state.step)});
    return members;
}

/// True if both runs are the same or are written as equal text.
bool isSame(const TrainingRunPointer &a, const TrainingRunPointer &b) {
    return a == b || (a && b && written(*a) == written(*b));
}

/// Returns `run` without the user's own text if `base`, which is in the same file, contains this
/// text.
TrainingRun withoutTextOf(const TrainingRunPointer &base, TrainingRun run) {
    if (!base || !base->ownText || !run.ownText)
        return run;
    const std::string *baseText = keptTextOf(*base->ownText), *own = keptTextOf(*run.ownText);
    if (base->recipe.task == run.recipe.task && baseText && own && *baseText == *own)
        run.ownText = nullptr;
    return run;
}

bool isSame(const SavedState &a, const SavedState &b) {
    return isSame(a.training, b.training) &&
           editsBetween(simpleMembers(a), simpleMembers(b)).empty() &&
           editsBetween(membersOf(a.set), membersOf(b.set)).empty() &&
           editsBetween(writtenMembers(a.show), writtenMembers(b.show)).empty() &&
           a.birth == b.birth && a.modelView == b.modelView;
}

} // namespace

std::string writeSession(const Session &session, const SavedState &now) {
    const SavedState before = session.now.value_or(SavedState());
    if (isSame(before, now))
        return session.json;
    const std::string_view old = session.now ? valueIn(session.json, "now") : std::string_view();
    const std::string lines = deeper(separatorOf(session.json));
    JsonEdits edits = editsBetween(simpleMembers(before), simpleMembers(now));
    const auto addPart = [&](const char *name, const Members &was, const Members &is) {
        const std::string_view oldPart = old.empty() ? std::string_view() : valueIn(old, name);
        if (!oldPart.empty() || !is.empty())
            edits.push_back({name, part(oldPart, was, is, deeper(lines))});
    };
    addPart("set", membersOf(before.set), membersOf(now.set));
    addPart("show", writtenMembers(before.show), writtenMembers(now.show));
    addPart("replay", writtenMembers(before.birth), writtenMembers(now.birth));
    addPart("model_view", writtenMembers(before.modelView), writtenMembers(now.modelView));
    if (!isSame(now.training, before.training))
        edits.push_back(
            {"training",
             now.training ? written(withoutTextOf(session.training, *now.training), deeper(lines))
                          : std::string()});
    std::string text;
    if (isSame(now, {})) // drops a "step": 0 that the document may contain
        edits.push_back({"step", ""});
    if (old.empty()) {
        std::erase_if(edits, [](const JsonMemberText &edit) { return edit.value.empty(); });
        text = jsonObject(edits, lines);
    } else {
        text = spliced(old, edits);
    }
    const bool saysNothing = membersOf(text).empty();
    JsonEdits whole{{"now", saysNothing ? std::string() : text}};
    if (const std::string version = std::to_string(versionOf(session, now));
        valueIn(session.json, "headlight") != version)
        whole.push_back({"headlight", version});
    return spliced(session.json, whole);
}

} // namespace headlight::core
