// The fields of a training run and of its ablated run. Parameter-sized values are read together
// with the model (reading/training.cpp), which determines their shapes.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/writing/text.h"
#include "core/training/tasks/own_text.h"

#include <algorithm>

namespace headlight::core {

namespace {

bool hasNumbers(const ModelParameters &numbers) {
    return std::ranges::any_of(allParameters(numbers), [&](const ParameterId &id) {
        return parameterOf(numbers, id) != nullptr;
    });
}

/// Returns a row for the values that `access` returns, which have the shapes of the parameters.
template <typename T, typename Access>
FieldRow<T> numbers(const char *name, Access access, const char *words) {
    return ownField<T>(
               name, nullptr, [=](const T &run) { return hasNumbers(access(run)); },
               [=](const T &run, const std::string &lines) { return textOf(access(run), lines); },
               schemaReference("moment"), "object: name → numbers", words)
        .onLines();
}

/// Returns `rows`, followed by rows for the progress that `access` returns.
template <typename T, typename Access>
std::vector<FieldRow<T>> withProgress(std::vector<FieldRow<T>> rows, Access access) {
    rows.push_back(fieldAt<T, Index>(
                       "step", [=](auto &run) -> auto & { return access(run).step; },
                       whole(0, kMaxSteps), "number of steps made")
                       .always());
    rows.push_back(numbers<T>(
        "first_moment", [=](const T &run) -> auto & { return access(run).firstMoment; },
        "m of AdamW, v of SGD, for every parameter: named as in `set.parameters`, in the model's "
        "shapes. Without it the optimizer starts again"));
    rows.push_back(numbers<T>(
        "second_moment", [=](const T &run) -> auto & { return access(run).secondMoment; },
        "v of AdamW, in the form of `first_moment`"));
    rows.push_back(ownField<T>(
                       "history", nullptr,
                       [=](const T &run) { return !access(run).history.empty(); },
                       [=](const T &run, const std::string &lines) {
                           return textOf(access(run).history, lines);
                       },
                       schemaReference("history"), "object of lists, see below",
                       "the curves, of at most 4000 different steps")
                       .onLines());
    return rows;
}

} // namespace

template <>
const FieldTable<TrainingRun> &Fields<TrainingRun>::table() {
    using R = TrainingRun;
    static const FieldTable<R> table = [] {
        const auto ownText = [](const R &run) {
            return run.ownText ? keptTextOf(*run.ownText) : nullptr;
        };
        FieldTable<R> training{
            "training",
            Written::Changed,
            withProgress<R>(
                {field("recipe", &R::recipe, objectOf<Recipe>(),
                       "the configuration of the run: the same recipe gives the same run")
                     .required(),
                 ownField<R>(
                     "text", nullptr, [=](const R &run) { return ownText(run) != nullptr; },
                     [=](const R &run, const std::string &) { return jsonText(*ownText(run)); },
                     jsonObject({{"type", "\"string\""},
                                 {"minLength", "1"},
                                 {"maxLength", std::to_string(kMaxKeptTextBytes)}}),
                     "text of at most 2 MB",
                     "the user's own text, for the tasks `characters` and `words`. A larger text "
                     "is not stored in the session, so Headlight asks for it. `now` omits it if "
                     "the file's own `training` has it. A text with other words than the model's "
                     "is left out with a warning")},
                [](auto &run) -> auto & { return run; }),
            {{"dependentRequired", R"({"second_moment": ["first_moment"]})"}}};
        training.rows.push_back(
            ownField<R>(
                "rival", nullptr, [](const R &run) { return run.ablated != nullptr; },
                [](const R &run, const std::string &lines) { return written(*run.ablated, lines); },
                schemaReference("rival"), "object, see below",
                "the ablated run: the same recipe with one switch of the model changed")
                .onLines());
        return training;
    }();
    return table;
}

template <>
const FieldTable<AblatedRun> &Fields<AblatedRun>::table() {
    using A = AblatedRun;
    static const FieldTable<A> table{
        "rival",
        Written::Changed,
        withProgress<A>(
            {field("switch", &A::ablation, ablation(),
                   "the changed setting. It is rejected if it has no effect on the recipe's model")
                 .required(),
             numbers<A>(
                 "parameters", [](const A &run) -> auto & { return run.state.model.parameters; },
                 "every parameter of the ablated model at its step. The recipe must describe the "
                 "session's model")
                 .required()},
            [](auto &run) -> auto & { return run.state; }),
        {{"dependentRequired", R"({"second_moment": ["first_moment"]})"}}};
    return table;
}

} // namespace headlight::core
