// Writes the values in `training`: matrices as base64, curves with as many digits as needed.
#include "core/formats/encodings/base64.h"
#include "core/formats/session/data/curves.h"
#include "core/formats/session/writing/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headlight::core {

namespace {

using Members = std::vector<JsonMemberText>;

/// Returns the shortest text that is parsed as the same number.
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

std::string measuresText(const HeadMeasures &head) {
    std::string text;
    for (const auto member : kHeadMeasures) {
        text += text.empty() ? "[" : ", ";
        text += head.*member ? doubleText(*(head.*member)) : "null";
    }
    return text + "]";
}

} // namespace

std::string textOf(const ModelParameters &numbers, const std::string &separator) {
    Members members;
    for (const ParameterId &id : allParameters(numbers))
        if (const Parameter &parameter = parameterOf(numbers, id))
            members.push_back({nameOf(id), base64Text(*parameter)});
    return jsonObject(members, separator);
}

std::string textOf(const History &history, const std::string &separator) {
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
    Members members{steps(points)};
    for (const Curve &row : kCurves)
        members.push_back(curve(row.name, points,
                                [&row](const HistoryPoint &point) { return point.*row.number; }));
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

} // namespace headlight::core
