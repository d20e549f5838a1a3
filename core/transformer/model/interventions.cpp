#include "core/transformer/model/interventions.h"

#include "core/transformer/model/model.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace headlight::core {

namespace {

auto placeOf(const HeadIntervention &i) {
    return std::tuple(i.attention(), i.head);
}
auto placeOf(const ScoreIntervention &i) {
    return std::tuple(i.sequence, i.attention(), i.head, i.query, i.key);
}

/// Returns the first entry at or after `place`. The list must be sorted.
template <typename List, typename Place>
auto lowerBound(List &list, const Place &place) {
    return std::lower_bound(
        list.begin(), list.end(), place,
        [](const auto &entry, const Place &wanted) { return placeOf(entry) < wanted; });
}

template <typename List, typename Place>
auto find(List &list, const Place &place) {
    const auto found = lowerBound(list, place);
    return found != list.end() && placeOf(*found) == place ? found : list.end();
}

template <typename Entry>
void put(std::vector<Entry> &list, const Entry &entry) {
    const auto place = lowerBound(list, placeOf(entry));
    if (place != list.end() && placeOf(*place) == placeOf(entry))
        *place = entry;
    else
        list.insert(place, entry);
}

/// Checks that the entry is after the previous one, as the binary search requires.
template <typename Entry>
Outcome inOrder(const std::vector<Entry> &list, std::size_t i, const std::string &where) {
    if (i == 0 || placeOf(list[i - 1]) < placeOf(list[i]))
        return Done{};
    const bool isTwice = placeOf(list[i - 1]) == placeOf(list[i]);
    return Error{isTwice ? "it has the same target as the previous entry"
                         : "it is out of order: it belongs before the previous entry",
                 where,
                 isTwice ? "keep one of them" : "sort the entries by attention block and position"};
}

Outcome below(Index index, Index count, const char *what, const std::string &where) {
    if (index >= 0 && index < count)
        return Done{};
    return Error{{"there is no %1 %2", what, index}, where, {"use 0 to %1", count - 1}};
}

} // namespace

HeadState Interventions::stateOf(AttentionId attention, Index head) const {
    const auto found = find(heads, std::tuple(attention, head));
    return found == heads.end() ? HeadState::On : found->state;
}

std::optional<float> Interventions::scoreAt(Index sequence, AttentionId attention, Index head,
                                            Index query, Index key) const {
    const auto found = find(scores, std::tuple(sequence, attention, head, query, key));
    return found == scores.end() ? std::nullopt : std::optional(found->score);
}

std::span<const ScoreIntervention> Interventions::scoresOf(Index sequence, AttentionId attention,
                                                           Index head) const {
    // Keys are ≥ 0, so key −1 comes before the first entry of a head.
    const auto first =
        lowerBound(scores, std::tuple(sequence, attention, head, Index(-1), Index(-1)));
    const auto last =
        lowerBound(scores, std::tuple(sequence, attention, head + 1, Index(-1), Index(-1)));
    return {first, last};
}

void Interventions::setHead(AttentionId attention, Index head, HeadState state) {
    if (state != HeadState::On)
        return put(heads, {attention.layer, head, state, attention.block, attention.stack});
    if (const auto found = find(heads, std::tuple(attention, head)); found != heads.end())
        heads.erase(found);
}

void Interventions::setScore(const ScoreIntervention &intervention) {
    put(scores, intervention);
}

void Interventions::removeScore(Index sequence, AttentionId attention, Index head, Index query,
                                Index key) {
    const auto found = find(scores, std::tuple(sequence, attention, head, query, key));
    if (found != scores.end())
        scores.erase(found);
}

Outcome validate(const Interventions &interventions, const Model &model, const Input &input) {
    const auto checkAttention = [&](AttentionId attention, Index head,
                                    const std::string &where) -> Outcome {
        if (!model.hasStack(attention.stack))
            return Error{
                {"the model has no stack %1", wordOf(attention.stack)}, where + "stack", ""};
        if (Outcome outcome =
                below(attention.layer, model.layerCount(attention.stack), "layer", where + "layer");
            !outcome)
            return outcome;
        if (!model.hasAttention(attention))
            return Error{
                {"the layer has no %1 attention", wordOf(attention.block)}, where + "block", ""};
        return below(head, model.headsOf(attention.stack), "head", where + "head");
    };
    for (std::size_t i = 0; i < interventions.heads.size(); ++i) {
        const HeadIntervention &intervention = interventions.heads[i];
        const std::string entry = "interventions.heads[" + std::to_string(i) + "]";
        if (Outcome outcome =
                checkAttention(intervention.attention(), intervention.head, entry + ".");
            !outcome)
            return outcome;
        if (Outcome outcome = inOrder(interventions.heads, i, entry); !outcome)
            return outcome;
    }
    for (std::size_t i = 0; i < interventions.scores.size(); ++i) {
        const ScoreIntervention &intervention = interventions.scores[i];
        const std::string entry = "interventions.scores[" + std::to_string(i) + "]";
        const std::string where = entry + ".";
        if (Outcome outcome =
                below(intervention.sequence, input.batch->count(), "sequence", where + "sequence");
            !outcome)
            return outcome;
        if (Outcome outcome = checkAttention(intervention.attention(), intervention.head, where);
            !outcome)
            return outcome;
        const struct {
            Index index, count;
            const char *what;
        } indices[] = {
            {intervention.query, input.queries(intervention.attention()).length(), "query"},
            {intervention.key, input.keys(intervention.attention()).length(), "key"}};
        for (const auto &[index, count, what] : indices)
            if (Outcome outcome = below(index, count, what, where + what); !outcome)
                return outcome;
        if (!std::isfinite(intervention.score))
            return Error{"the score is not a finite number", where + "score",
                         "use a finite number"};
        if (Outcome outcome = inOrder(interventions.scores, i, entry); !outcome)
            return outcome;
    }
    return Done{};
}

} // namespace headlight::core
