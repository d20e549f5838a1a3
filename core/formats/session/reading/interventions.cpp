// Reads `interventions` in a session file: changes to heads and scores.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/reading/parts.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Kind = JsonValue::Kind;

template <typename Entry>
std::optional<Entry> readEntry(const Field &field, const Model &model) {
    Entry entry;
    entry.stack = model.mainStack();
    return readInto(field, entry) ? std::optional(entry) : std::nullopt;
}

auto placeOf(const HeadIntervention &intervention) {
    return std::tuple(intervention.attention(), intervention.head);
}
auto placeOf(const ScoreIntervention &intervention) {
    return std::tuple(intervention.sequence, intervention.attention(), intervention.head,
                      intervention.query, intervention.key);
}

/// Reads the entries and sorts them by position. Reports entries with equal positions.
template <typename Entry>
std::vector<Entry> readEntries(const Field &list, const Model &model) {
    if (!list.present() || !list.isArray())
        return {};
    std::vector<std::pair<Entry, std::size_t>> entries; // each with its index in the file
    for (std::size_t index = 0; index < list.size(); ++index)
        if (const auto entry = readEntry<Entry>(list.element(index), model))
            entries.emplace_back(*entry, index);
    std::stable_sort(entries.begin(), entries.end(), [](const auto &a, const auto &b) {
        return placeOf(a.first) < placeOf(b.first);
    });
    std::vector<Entry> sorted;
    for (const auto &[entry, index] : entries) {
        if (!sorted.empty() && placeOf(sorted.back()) == placeOf(entry))
            list.element(index).fail("it has the same target as an earlier entry",
                                     "keep one of them");
        else
            sorted.push_back(entry);
    }
    return sorted;
}

void checkBelow(const Field &field, Index count, const char *things) {
    // Larger values and non-integers have already been reported while reading.
    constexpr auto kLargestIndex = static_cast<double>(kMaxBatchTokens);
    const double number = field.is(Kind::Number) ? field.value().number : -1;
    if (number >= static_cast<double>(count) && number < kLargestIndex)
        field.fail({"%1 is out of range", static_cast<Index>(number)},
                   {"there are %1 %2, counted from 0", count, things});
}

/// Reads the position of an entry of either kind. Returns false if the entry is invalid or the
/// model has no such stack.
bool knownPlace(const Field &entry, const Model &model, HeadIntervention &place) {
    if (!entry.is(Kind::Object))
        return false;
    Reading aside; // collects problems that have already been reported
    const Field again(&entry.value(), entry.path(), aside);
    place.stack = model.mainStack();
    for (const FieldRow<HeadIntervention> &row : Fields<HeadIntervention>::table().rows)
        if (row.name != "state")
            if (const Field field = again.member(row.name); field.present() || row.isRequired)
                row.read(field, place);
    if (!aside.problems.empty())
        return false;
    if (model.hasStack(place.stack) && place.stack != Stack::SourceEmbeddings)
        return true;
    entry.member("stack").fail("the model has no such stack",
                               model.hasEncoder() ? "it has \"encoder\" and \"decoder\""
                                                  : "it has only one, so leave the name out");
    return false;
}

} // namespace

Interventions readInterventions(const Field &field, const Model &model) {
    Interventions interventions;
    if (!field.isObject())
        return interventions;
    interventions.heads = readEntries<HeadIntervention>(field.member("heads"), model);
    interventions.scores = readEntries<ScoreIntervention>(field.member("scores"), model);
    return interventions;
}

void checkInterventions(const Field &field, const Session &session) {
    const Model &model = session.model;
    if (model.config.width == 0 || model.parameters.main.layers.empty() || !session.input.batch)
        return;
    for (const char *kind : {"heads", "scores"}) {
        const Field list = field.member(kind);
        for (std::size_t index = 0; list.is(Kind::Array) && index < list.size(); ++index) {
            const Field entry = list.element(index);
            HeadIntervention place;
            const std::size_t before = field.reading().problems.size();
            if (!knownPlace(entry, model, place))
                continue;
            checkBelow(entry.member("layer"), model.layerCount(place.stack), "layers");
            checkBelow(entry.member("head"), model.headsOf(place.stack), "heads");
            checkBelow(entry.member("sequence"), session.input.batch->count(), "sequences");
            if (field.reading().problems.size() > before)
                continue;
            if (!isGiven(model, place.attention())) {
                entry.member("block").fail("the layer has no such attention",
                                           "the blocks are \"self\" and \"cross\"");
                continue;
            }
            if (const Batch *queries = queriesOf(session.input, place.attention()))
                checkBelow(entry.member("query"), queries->length(), "tokens");
            if (const Batch *keys = keysOf(session.input, place.attention()))
                checkBelow(entry.member("key"), keys->length(), "tokens");
        }
    }
}

} // namespace headlight::core
