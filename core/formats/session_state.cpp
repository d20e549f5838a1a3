// What a session file lays over its own base: a lesson's `set`, and `now`.
#include "core/formats/json_reader.h"
#include "core/formats/session_parts.h"
#include "core/transformer/forward.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Kind = JsonValue::Kind;

std::optional<std::vector<ParameterPatch::Cell>> readCells(const Field &list) {
    if (!list.isArray())
        return std::nullopt;
    if (list.size() == 0) {
        list.expected("at least one cell");
        return std::nullopt;
    }
    std::vector<ParameterPatch::Cell> cells;
    for (std::size_t index = 0; index < list.size(); ++index) {
        const Field cell = list.element(index);
        if (cell.size() != 3 || !cell.is(Kind::Array)) {
            cell.expected("a cell: [row, column, number]");
            continue;
        }
        const auto row = cell.element(0).whole(0, kMaximumWidth);
        const auto column = cell.element(1).whole(0, kMaximumWidth);
        const auto value = cell.element(2).number();
        if (row && column && value)
            cells.push_back({*row, *column, *value});
    }
    if (cells.size() != list.size() || !list.spend(1, static_cast<Index>(cells.size())))
        return std::nullopt;
    return cells;
}

/// All of a parameter, in the shape that the model asks for; nothing after a problem.
std::optional<Parameter> readWhole(const Field &field, ParameterKind which, const Config &config) {
    const Index c = config.width;
    const Index hd = config.concatenatedWidth();
    const bool bias = which >= ParameterKind::QueryBias;
    if (field.is(Kind::Null)) {
        if (bias)
            return Parameter();
        field.expected("a matrix: only a bias can be taken away");
        return std::nullopt;
    }
    Parameter read;
    if (bias)
        read = readBias(field, which == ParameterKind::OutputBias ? c : hd);
    else if (which == ParameterKind::Output)
        read = readHeads(field, hd, c, config.heads, HeadLayout::Stacked);
    else
        read = readHeads(field, c, hd, config.heads, HeadLayout::SideBySide);
    return read ? std::optional(read) : std::nullopt;
}

std::optional<ParameterPatch> readParameter(const Field &field, const Session &below) {
    if (!field.isObject())
        return std::nullopt;
    const Field nameField = field.member("parameter");
    const auto name = nameField.text();
    if (!name)
        return std::nullopt;
    const auto id = findParameter(*name);
    if (!id || id->layer >= static_cast<Index>(below.model.weights.main.layers.size())) {
        nameField.fail("there is no parameter " + inQuotes(*name),
                       "use a name such as \"layers.0.self_attention.query\"");
        return std::nullopt;
    }
    const Field cells = field.member("cells");
    const Field matrix = field.member("matrix");
    if (cells.present() == matrix.present()) {
        field.fail(cells.present() ? "it has both cells and a matrix" : "it has no numbers",
                   "give either \"cells\" or \"matrix\"");
        return std::nullopt;
    }
    ParameterPatch patch{*id, {}, nullptr};
    if (cells.present()) {
        auto read = readCells(cells);
        if (!read)
            return std::nullopt;
        patch.cells = std::move(*read);
        return patch;
    }
    const auto whole = readWhole(matrix, id->which, below.model.config);
    if (!whole)
        return std::nullopt;
    patch.whole = *whole;
    return patch;
}

/// Of one object, the indices that the two kinds of interventions share.
bool readHead(const Field &field, Index &layer, Index &head) {
    const auto inLayer = field.member("layer").whole(0, kMaximumLayers - 1);
    const auto inHead = field.member("head").whole(0, kMaximumHeads - 1);
    layer = inLayer.value_or(0);
    head = inHead.value_or(0);
    return inLayer && inHead;
}

std::optional<HeadIntervention> readHeadIntervention(const Field &field) {
    constexpr HeadState kStates[] = {HeadState::Zero, HeadState::Mean, HeadState::Uniform};
    HeadIntervention said;
    if (!field.isObject())
        return std::nullopt;
    const bool there = readHead(field, said.layer, said.head);
    const auto state = field.member("state").word({"zero", "mean", "uniform"});
    if (!there || !state)
        return std::nullopt;
    said.state = kStates[*state];
    return said;
}

std::optional<ScoreIntervention> readScoreIntervention(const Field &field) {
    ScoreIntervention said;
    if (!field.isObject())
        return std::nullopt;
    const auto sequence = field.member("sequence").whole(0, kMaximumSequences - 1);
    const bool there = readHead(field, said.layer, said.head);
    const auto query = field.member("query").whole(0, kMaximumBatchTokens - 1);
    const auto key = field.member("key").whole(0, kMaximumBatchTokens - 1);
    const auto score = field.member("score").number();
    if (!sequence || !there || !query || !key || !score)
        return std::nullopt;
    said.sequence = *sequence;
    said.query = *query;
    said.key = *key;
    said.score = *score;
    return said;
}

auto placeOf(const HeadIntervention &said) {
    return std::tuple(said.layer, said.head);
}
auto placeOf(const ScoreIntervention &said) {
    return std::tuple(said.sequence, said.layer, said.head, said.query, said.key);
}

/// The entries of a list, in their order; two for one place are a problem.
template <typename Entry>
std::vector<Entry> readEntries(const Field &list, std::optional<Entry> (*read)(const Field &)) {
    if (!list.present() || !list.isArray())
        return {};
    std::vector<std::pair<Entry, std::size_t>> entries; // with their places in the file
    for (std::size_t index = 0; index < list.size(); ++index)
        if (const auto entry = read(list.element(index)))
            entries.emplace_back(*entry, index);
    std::stable_sort(entries.begin(), entries.end(), [](const auto &a, const auto &b) {
        return placeOf(a.first) < placeOf(b.first);
    });
    std::vector<Entry> sorted;
    for (const auto &[entry, index] : entries) {
        if (!sorted.empty() && placeOf(sorted.back()) == placeOf(entry))
            list.element(index).fail("the same place as an entry before it", "keep one of them");
        else
            sorted.push_back(entry);
    }
    return sorted;
}

void checkBelow(const Field &field, Index count, const char *things) {
    // What is no index anywhere has been said when it was read.
    constexpr auto kLargestIndex = static_cast<double>(kMaximumBatchTokens);
    const double number = field.is(Kind::Number) ? field.value().number : -1;
    if (number >= static_cast<double>(count) && number < kLargestIndex)
        field.fail(std::to_string(static_cast<Index>(number)) + " is out of range",
                   "there are " + std::to_string(count) + " " + things + ", counted from 0");
}

} // namespace

Interventions readInterventions(const Field &field) {
    Interventions interventions;
    if (!field.isObject())
        return interventions;
    interventions.heads = readEntries(field.member("heads"), readHeadIntervention);
    interventions.scores = readEntries(field.member("scores"), readScoreIntervention);
    return interventions;
}

void checkInterventions(const Field &field, const Session &session) {
    const auto layers = static_cast<Index>(session.model.weights.main.layers.size());
    if (session.model.config.width == 0 || layers == 0 || !session.input.batch)
        return;
    for (const char *kind : {"heads", "scores"}) {
        const Field list = field.member(kind);
        for (std::size_t index = 0; list.is(Kind::Array) && index < list.size(); ++index) {
            const Field entry = list.element(index);
            checkBelow(entry.member("layer"), layers, "layers");
            checkBelow(entry.member("head"), session.model.config.heads, "heads");
            checkBelow(entry.member("sequence"), session.input.batch->count(), "sequences");
            checkBelow(entry.member("query"), session.input.batch->length(), "tokens");
            checkBelow(entry.member("key"), session.input.batch->length(), "tokens");
        }
    }
}

StatePatch readState(const Field &field, const Session &below) {
    StatePatch patch;
    if (!field.isObject())
        return patch;
    const Config &config = below.model.config;
    const Field text = field.member("text");
    const Field batch = field.member("batch");
    if (text.present() && batch.present())
        field.fail("it has both text and batch", "give either text or batch");
    if (text.present())
        patch.text = text.text();
    if (batch.present())
        if (auto part = readBatch(batch, config.width, below.minimumLength); part.batch)
            patch.batch = std::move(part.batch);
    // Cells are compared with the batch that they are laid over; a text's is made later.
    const Batch *masked = patch.batch      ? patch.batch->get()
                          : text.present() ? nullptr
                                           : below.input.batch.get();
    if (const Field masks = field.member("masks"); masks.present())
        patch.masks = readMasks(masks, masked);
    if (const Field positions = field.member("positions"); positions.present())
        patch.positions = readPositions(positions);
    if (const Field scale = field.member("scale"); scale.present())
        patch.scale = readScale(scale);
    if (const Field temperature = field.member("temperature"); temperature.present())
        patch.temperature = temperature.positive();
    if (const Field softmax = field.member("softmax"); softmax.present())
        patch.softmax = softmax.boolean();
    if (field.member("mask_value").present() || field.member("mask_after_softmax").present())
        patch.masking = readMasking(field, config.masking);
    if (const Field interventions = field.member("interventions"); interventions.present())
        patch.interventions = readInterventions(interventions);
    if (config.width == 0)
        return patch; // the model's sizes are no use
    if (const Field list = field.member("parameters"); list.present() && list.isArray())
        for (std::size_t index = 0; index < list.size(); ++index)
            if (auto parameter = readParameter(list.element(index), below))
                patch.parameters.push_back(std::move(*parameter));
    if (const Field words = field.member("words"); words.present() && below.model.embeddings)
        patch.words = readWords(words, config.width, below.model.embeddings->given().ignoreCase);
    return patch;
}

SavedState readNow(const Field &field, std::optional<std::uint64_t> seed, const Session &session) {
    SavedState now;
    now.seed = seed;
    if (!field.isObject())
        return now;
    const Field stepField = field.member("step");
    const auto steps = session.lesson ? static_cast<Index>(session.lesson->steps.size()) : Index(1);
    if (stepField.present()) {
        const auto step = stepField.whole(0, steps - 1);
        if (!step)
            return now;
        now.step = *step;
    }
    const auto below = session.lesson ? atStep(session, now.step) : Result<Session>(session);
    if (!below)
        return now; // said already
    const Field set = field.member("set");
    if (set.present())
        now.set = readState(set, *below);
    const Field show = field.member("show");
    if (show.present())
        now.show = readSelection(show);
    if (!field.reading().problems.empty())
        return now;
    const auto state = patched(*below, now.set);
    if (!state) {
        set.member(state.error().where).fail(state.error().what, state.error().remedy);
        return now;
    }
    checkInterventions(set.member("interventions"), *state);
    checkSelection(show, now.show, *state);
    if (!field.reading().problems.empty())
        return now;
    if (const Outcome outcome = fits(state->model, state->input); !outcome)
        set.fail(outcome.error().what, outcome.error().remedy);
    return now;
}

} // namespace headlight::core
