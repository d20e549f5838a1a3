#include "core/transformer/interventions.h"

#include "core/transformer/batch.h"
#include "core/transformer/config.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace headlight::core {

namespace {

auto placeOf(const HeadIntervention &i) {
    return std::tuple(i.layer, i.head);
}
auto placeOf(const ScoreIntervention &i) {
    return std::tuple(i.sequence, i.layer, i.head, i.query, i.key);
}

/// The first entry that is not before `place`; the list is in the order of the places.
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

Outcome below(Index index, Index count, const char *what, const std::string &where) {
    if (index >= 0 && index < count)
        return Done{};
    return Error{"there is no " + std::string(what) + " " + std::to_string(index), where,
                 "they are 0 to " + std::to_string(count - 1)};
}

} // namespace

HeadState Interventions::stateOf(Index layer, Index head) const {
    const auto found = find(heads, std::tuple(layer, head));
    return found == heads.end() ? HeadState::On : found->state;
}

std::optional<float> Interventions::scoreAt(Index sequence, Index layer, Index head, Index query,
                                            Index key) const {
    const auto found = find(scores, std::tuple(sequence, layer, head, query, key));
    return found == scores.end() ? std::nullopt : std::optional(found->score);
}

std::span<const ScoreIntervention> Interventions::scoresOf(Index sequence, Index layer,
                                                           Index head) const {
    // No key is below 0, so these are the places just before the head's first and the next one's.
    const auto first = lowerBound(scores, std::tuple(sequence, layer, head, Index(-1), Index(-1)));
    const auto last =
        lowerBound(scores, std::tuple(sequence, layer, head + 1, Index(-1), Index(-1)));
    return {first, last};
}

void Interventions::setHead(Index layer, Index head, HeadState state) {
    if (state != HeadState::On)
        return put(heads, {layer, head, state});
    if (const auto found = find(heads, std::tuple(layer, head)); found != heads.end())
        heads.erase(found);
}

void Interventions::setScore(const ScoreIntervention &intervention) {
    put(scores, intervention);
}

void Interventions::removeScore(Index sequence, Index layer, Index head, Index query, Index key) {
    const auto found = find(scores, std::tuple(sequence, layer, head, query, key));
    if (found != scores.end())
        scores.erase(found);
}

Outcome validate(const Interventions &interventions, const Config &config, Index layers,
                 const Batch &batch) {
    for (std::size_t i = 0; i < interventions.heads.size(); ++i) {
        const HeadIntervention &said = interventions.heads[i];
        const std::string where = "interventions.heads[" + std::to_string(i) + "].";
        if (Outcome outcome = below(said.layer, layers, "layer", where + "layer"); !outcome)
            return outcome;
        if (Outcome outcome = below(said.head, config.heads, "head", where + "head"); !outcome)
            return outcome;
    }
    for (std::size_t i = 0; i < interventions.scores.size(); ++i) {
        const ScoreIntervention &said = interventions.scores[i];
        const std::string where = "interventions.scores[" + std::to_string(i) + "].";
        const struct {
            Index index, count;
            const char *what;
        } indices[] = {{said.sequence, batch.count(), "sequence"},
                       {said.layer, layers, "layer"},
                       {said.head, config.heads, "head"},
                       {said.query, batch.length(), "query"},
                       {said.key, batch.length(), "key"}};
        for (const auto &[index, count, what] : indices)
            if (Outcome outcome = below(index, count, what, where + what); !outcome)
                return outcome;
        if (!std::isfinite(said.score))
            return Error{"the score is not a finite number", where + "score", "give a number"};
    }
    return Done{};
}

} // namespace headlight::core
