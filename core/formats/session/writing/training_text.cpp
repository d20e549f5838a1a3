// Writes `training` in the form that reading/training.cpp reads: matrices as base64, curves with as
// many digits as needed.
#include "core/formats/encodings/base64.h"
#include "core/formats/session/data/words.h"
#include "core/formats/session/writing/text.h"
#include "core/training/tasks/own_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headlight::core {

namespace {

using Members = std::vector<JsonMemberText>;

/// Returns the shortest text that is read as the same number.
std::string doubleText(double number) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return {digits.data(), end};
}

template <typename List, typename TextOf>
std::string listText(const List &list, TextOf text) {
    std::string all = "[";
    for (const auto &entry : list)
        all += (all.size() > 1 ? ", " : "") + text(entry);
    return all + "]";
}

std::string architectureText(const Architecture &said) {
    return jsonObject({{"layers", std::to_string(said.layers)},
                       {"heads", std::to_string(said.heads)},
                       {"width", std::to_string(said.width)},
                       {"feed_forward", std::to_string(said.feedForward)},
                       {"activation", jsonText(wordFor(said.activation))},
                       {"positions", jsonText(wordFor(said.positions))},
                       {"norm", jsonText(wordFor(said.norm))},
                       {"residual", textOf(said.residual)},
                       {"scaled", textOf(said.scaled)},
                       {"masked", textOf(said.masked)}});
}

std::string optimizerText(const OptimizerSettings &said) {
    return jsonObject({{"kind", jsonText(wordFor(said.kind))},
                       {"learning_rate", jsonNumber(said.learningRate)},
                       {"beta1", jsonNumber(said.beta1)},
                       {"beta2", jsonNumber(said.beta2)},
                       {"epsilon", jsonNumber(said.epsilon)},
                       {"momentum", jsonNumber(said.momentum)},
                       {"weight_decay", jsonNumber(said.weightDecay)},
                       {"clip", jsonNumber(said.clip)},
                       {"warm_up", std::to_string(said.warmUp)},
                       {"cosine", textOf(said.cosine)}});
}

/// Returns an empty text if there are none.
std::string numbersText(const ModelParameters &weights, const std::string &separator) {
    Members members;
    for (const ParameterId &id : allParameters(weights))
        if (const Parameter &parameter = parameterOf(weights, id))
            members.push_back({nameOf(id), base64Text(*parameter)});
    return members.empty() ? std::string() : jsonObject(members, separator);
}

std::string measuresText(const HeadMeasures &head) {
    std::string text;
    for (const auto member : kHeadMeasures) {
        text += text.empty() ? "[" : ", ";
        text += head.*member ? doubleText(*(head.*member)) : "null";
    }
    return text + "]";
}

/// Writes one list per curve. Omits points with a NaN or infinite number.
std::string historyText(const History &history, const std::string &separator) {
    std::vector<const HistoryPoint *> points, heldOut, heads;
    for (const HistoryPoint &point : history) {
        if (!std::isfinite(point.loss) || !std::isfinite(point.gradientLength))
            continue;
        if (point.isStep)
            points.push_back(&point);
        if (point.heldOut && std::isfinite(point.heldOut->loss))
            heldOut.push_back(&point);
        if (!point.heads.empty())
            heads.push_back(&point);
    }
    const auto steps = [](const std::vector<const HistoryPoint *> &list) {
        return JsonMemberText{"step", listText(list, [](const HistoryPoint *point) {
                                  return std::to_string(point->step);
                              })};
    };
    const auto curve = [](const char *name, const std::vector<const HistoryPoint *> &list,
                          auto numberOf) {
        return JsonMemberText{name, listText(list, [&](const HistoryPoint *point) {
                                  return doubleText(numberOf(*point));
                              })};
    };
    Members members{
        steps(points), curve("loss", points, [](const HistoryPoint &point) { return point.loss; }),
        curve("accuracy", points, [](const HistoryPoint &point) { return point.accuracy; }),
        curve("learning_rate", points,
              [](const HistoryPoint &point) { return point.learningRate; }),
        curve("gradient_length", points,
              [](const HistoryPoint &point) { return point.gradientLength; })};
    if (!heldOut.empty()) {
        Members curves{
            steps(heldOut),
            curve("loss", heldOut, [](const HistoryPoint &point) { return point.heldOut->loss; }),
            curve("accuracy", heldOut,
                  [](const HistoryPoint &point) { return point.heldOut->accuracy; })};
        const auto writes = [](const HistoryPoint *point) {
            return point->heldOut->written.has_value();
        };
        if (std::ranges::all_of(heldOut, writes))
            curves.push_back(curve("written", heldOut, [](const HistoryPoint &point) {
                return *point.heldOut->written;
            }));
        members.push_back({"held_out", jsonObject(curves)});
    }
    if (!heads.empty())
        members.push_back(
            {"heads", jsonObject({steps(heads),
                                  {"measures", listText(heads, [](const HistoryPoint *point) {
                                       return listText(point->heads, [](const auto &attention) {
                                           return listText(attention, measuresText);
                                       });
                                   })}})});
    return jsonObject(members, separator);
}

/// Adds one level of indentation, if the text is indented.
std::string withinLines(const std::string &separator) {
    return separator.empty() ? separator : separator + "  ";
}

/// Writes the progress that both a run and its ablated run have.
template <typename Run>
void addProgress(Members &members, const Run &run, const std::string &lines) {
    members.push_back({"step", std::to_string(run.step)});
    if (const std::string text = numbersText(run.firstMoment, lines); !text.empty())
        members.push_back({"first_moment", text});
    if (const std::string text = numbersText(run.secondMoment, lines); !text.empty())
        members.push_back({"second_moment", text});
    if (!run.history.empty())
        members.push_back({"history", historyText(run.history, lines)});
}

std::string ablatedText(const AblatedRun &ablated, const std::string &separator) {
    const std::string lines = withinLines(separator);
    Members members{{"switch", jsonText(std::string(idOf(ablated.ablation)))},
                    {"parameters", numbersText(ablated.state.model.parameters, lines)}};
    addProgress(members, ablated.state, lines);
    return jsonObject(members, separator);
}

} // namespace

std::string textOf(const Recipe &recipe) {
    return jsonObject({{"task", jsonText(recipe.task)},
                       {"architecture", architectureText(recipe.architecture)},
                       {"optimizer", optimizerText(recipe.optimizer)},
                       {"batch", std::to_string(recipe.batch)},
                       {"steps", std::to_string(recipe.steps)},
                       {"seed", seedText(recipe.seed)}});
}

std::string textOf(const TrainingRun &run, const std::string &separator) {
    const std::string lines = withinLines(separator);
    Members members{{"recipe", textOf(run.recipe)}};
    if (const std::string *text = run.ownText ? keptTextOf(*run.ownText) : nullptr)
        members.push_back({"text", jsonText(*text)});
    addProgress(members, run, lines);
    if (run.ablated)
        members.push_back({"rival", ablatedText(*run.ablated, lines)});
    return jsonObject(members, separator);
}

} // namespace headlight::core
