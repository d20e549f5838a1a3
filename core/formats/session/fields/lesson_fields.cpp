// The fields of a lesson and of its steps.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/reading/parts.h"
#include "core/formats/session/writing/text.h"

#include <utility>

namespace headlight::core {

namespace {

/// A text with marks. Its size is limited, because matching marks may take quadratic time.
Codec<std::string> marked() {
    return textUpTo(kMaxMarkedBytes, "the text is longer than %1 bytes",
                    "make it several paragraphs");
}

/// A text of the handout, without marks.
Codec<std::string> handoutText() {
    return textUpTo(kMaxHandoutBytes, "the text is longer than %1 bytes",
                    "the handout has one page; make it shorter");
}

/// A condition. Its size is limited, because it is evaluated after every change.
Codec<std::string> condition(std::size_t most) {
    return textUpTo(most, "the condition is longer than %1 bytes");
}

/// A question's view, whose problems are only warnings. It excludes softmax settings, because they
/// are part of the undoable state, which answering a question does not change.
Codec<SelectionPatch> questionView() {
    Codec<SelectionPatch> codec = objectOf<SelectionPatch>();
    codec.read = [](const Field &field, SelectionPatch &into) {
        const Field advice = field.advice();
        readInto(advice, into);
        if (std::exchange(into.softmax, std::nullopt))
            advice.member("softmax").fail("a question has the softmax settings of its step",
                                          "set them in the step's own `show`");
        return field.is(JsonValue::Kind::Object);
    };
    codec.schema =
        jsonObject({{"allOf", jsonArray({codec.schema, R"({"not": {"required": ["softmax"]}})"})}});
    return codec;
}

/// Changes to a step's state. See readState().
Codec<StatePatch> changes() {
    return {
        [](const Field &field, StatePatch &into) {
            if (const Session *base = field.reading().base)
                into = readState(field, *base);
            return field.is(JsonValue::Kind::Object);
        },
        [](const StatePatch &patch, const std::string &) { return jsonObject(membersOf(patch)); },
        schemaReference("set"), "object"};
}

/// Returns the row of `show`, which contains the fields of a selection and of ViewOptions.
FieldRow<LessonStep> show() {
    const auto members = [](const LessonStep &step) {
        std::vector<JsonMemberText> all = writtenMembers(step.show);
        const std::vector<JsonMemberText> options = writtenMembers(step.look);
        all.insert(all.end(), options.begin(), options.end());
        return all;
    };
    return ownField<LessonStep>(
        "show",
        [](const Field &field, LessonStep &into) {
            const Field advice = field.advice();
            if (advice.isObject()) {
                readInto(advice, into.show);
                readInto(advice, into.look);
            }
            return true;
        },
        [=](const LessonStep &step) { return !members(step).empty(); },
        [=](const LessonStep &step, const std::string &) { return jsonObject(members(step)); },
        jsonObject({{"allOf", jsonArray({schemaReference(Fields<SelectionPatch>::table().name),
                                         schemaReference(Fields<ViewOptions>::table().name)})}}),
        "as `view`, and the fields below",
        "applied to the session's `view`. After a change of the text, `query` and `key` are the "
        "rows and columns of the same words, if it still has them");
}

/// At least one step, each written on its own lines.
Codec<std::vector<LessonStep>> steps() {
    return {[](const Field &list, std::vector<LessonStep> &into) {
                if (!list.isArray())
                    return false;
                if (list.size() == 0)
                    list.expected("at least one step");
                for (std::size_t index = 0; index < list.size(); ++index) {
                    LessonStep step;
                    step.documentStep = static_cast<Index>(index);
                    readInto(list.element(index), step);
                    into.push_back(std::move(step));
                }
                return list.size() > 0;
            },
            [](const std::vector<LessonStep> &list, const std::string &lines) {
                std::vector<std::string> texts;
                for (const LessonStep &step : list)
                    texts.push_back(written(step, lines.empty() ? lines : lines + "  "));
                return jsonArray(texts, lines);
            },
            schemaOfList(schemaReference(Fields<LessonStep>::table().name), 1, kUnlimited),
            "list of at least one"};
}

} // namespace

template <>
const FieldTable<Answer> &Fields<Answer>::table() {
    static const FieldTable<Answer> table{
        "answer",
        Written::Changed,
        {field("text", &Answer::text, marked(), "").required(),
         field("if", &Answer::condition, condition(kMaxAnswerCondition),
               "a condition, as in a claim: the answer is right if it holds. Exactly one answer of "
               "a step is right")
             .required(),
         field("because", &Answer::because, marked(),
               "a sentence shown after this answer was chosen: why it is right, or why not")}};
    return table;
}

template <>
const FieldTable<Question> &Fields<Question>::table() {
    static const FieldTable<Question> table{
        "question",
        Written::Changed,
        {field("text", &Question::text, marked(), "the question, without the numbers to be found")
             .required(),
         field("answers", &Question::answers, listOf(objectOf<Answer>(), kMinAnswers, kMaxAnswers),
               "")
             .required()
             .onLines(),
         field("show", &Question::show, questionView(),
               "the view during the question; without it, nothing is shown. It uses the softmax "
               "settings of the step")}};
    return table;
}

template <>
const FieldTable<Goal> &Fields<Goal>::table() {
    static const FieldTable<Goal> table{
        "goal",
        Written::Changed,
        {field("text", &Goal::text, marked(), "").required(),
         field("if", &Goal::condition, condition(kMaxGoalCondition), "a condition").required()}};
    return table;
}

template <>
const FieldTable<Exercise> &Fields<Exercise>::table() {
    using E = Exercise;
    static const FieldTable<E> table{
        "exercise",
        Written::Changed,
        {field("text", &E::text, marked(), "the task").required(),
         field("goals", &E::goals, listOf(objectOf<Goal>(), 1, kMaxGoals),
               "each is ticked off while it holds")
             .required()
             .onLines(),
         field("hints", &E::hints, listOf(marked(), 0, kMaxHints), "shown one by one").onLines(),
         field("solution", &E::solution, changes(),
               "as `set`, applied to the step. All goals must hold with it, and not all of them "
               "without it")
             .required(),
         field("by_hand", &E::byHand, flag(),
               "true: edited scores and ablated heads count. Otherwise the exercise is not solved "
               "while there are any that the step did not start with")}};
    return table;
}

template <>
const FieldTable<LessonRun> &Fields<LessonRun>::table() {
    static const FieldTable<LessonRun> table{
        "run",
        Written::Changed,
        {field("recipe", &LessonRun::recipe, objectOf<Recipe>(), "as `training.recipe`").required(),
         field("race", &LessonRun::ablation, ablation(),
               "the ablation of a second run to compare with")}};
    return table;
}

template <>
const FieldTable<PanelPatch> &Fields<PanelPatch>::table() {
    static const FieldTable<PanelPatch> table = [] {
        FieldTable<PanelPatch> panels{"panels", Written::Changed, {}};
        for (std::size_t panel = 0; panel < kPanels; ++panel)
            panels.rows.push_back(optionalAt<PanelPatch, bool>(
                Words<Panel>::all[panel].data(),
                [panel](auto &patch) -> auto & { return patch[panel]; }, flag(),
                "true: shown, false: hidden"));
        return panels;
    }();
    return table;
}

template <>
const FieldTable<LessonStep> &Fields<LessonStep>::table() {
    using S = LessonStep;
    static const FieldTable<S> table{
        "lessonStep",
        Written::Changed,
        {field("title", &S::title, text(), "").required(),
         field("text", &S::text, listOf(marked(), 0, kUnlimited), "one per paragraph")
             .required()
             .onLines(),
         field("try_it", &S::tryIt, marked(), "a suggested activity, in its own box"),
         field("mistake", &S::mistake, marked(), "a common misconception, in its own box").since(2),
         show(), field("set", &S::set, changes(), "changes to the session").usually(""),
         field("panels", &S::panels, objectOf<PanelPatch>(),
               "the panels that the step shows or hides")
             .since(2)
             .usually(""),
         field("question", &S::question, objectOf<Question>(),
               "asked before the rest of the step is shown")
             .since(2)
             .onLines(),
         field("exercise", &S::exercise, objectOf<Exercise>(), "a goal to reach")
             .since(2)
             .onLines(),
         field("run", &S::run, objectOf<LessonRun>(),
               "a training run that can be started here, in its own window")
             .since(2)
             .onLines()}};
    return table;
}

template <>
const FieldTable<Lesson> &Fields<Lesson>::table() {
    using L = Lesson;
    static const FieldTable<L> table{
        "lesson",
        Written::Changed,
        {field("summary", &L::summary, text(), "one sentence, without marks").required(),
         field("minutes", &L::minutes, whole(1, kMaxMinutes), "duration").since(2).usually(""),
         field("needs", &L::needs,
               listOf(nameUpTo(kMaxIdBytes, "a lesson's name, of at most %1 bytes"), 0, kMaxNeeds),
               "lessons that it builds on: ids from `headlight lessons`, or names of files of the "
               "same "
               "course, without their ending")
             .since(2),
         field("aim", &L::aim, handoutText(),
               "for the [handout](handouts.md): what a student can do afterwards, without marks")
             .since(2),
         field("difficulties", &L::difficulties, listOf(handoutText(), 0, kMaxDifficulties),
               "for the handout: what goes wrong in class, without marks")
             .since(2)
             .onLines(),
         field("steps", &L::steps, steps(), "").required().onLines()}};
    return table;
}

Outcome checkSizes(const Lesson &lesson) {
    Lesson texts = lesson;
    for (LessonStep &step : texts.steps) { // changes depend on the session, so they are excluded
        step.set = {};
        if (step.exercise)
            step.exercise->solution = {};
    }
    return checkFields(texts, "lesson");
}

} // namespace headlight::core
