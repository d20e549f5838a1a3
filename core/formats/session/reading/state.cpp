// Reads patches in a session file: a lesson step's `set`, and `now`.
#include "core/formats/json/reader.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/data/state_fields.h"
#include "core/formats/session/reading/parts.h"
#include "core/in_quotes.h"
#include "core/transformer/plan/computable.h"

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
        const auto row = cell.element(0).whole(0, kMaxWidth);
        const auto column = cell.element(1).whole(0, kMaxWidth);
        const auto value = cell.element(2).number();
        if (row && column && value)
            cells.push_back({*row, *column, *value});
    }
    if (cells.size() != list.size() || !list.spend(1, static_cast<Index>(cells.size())))
        return std::nullopt;
    return cells;
}

/// True if the parameter can be removed. Without the embedding matrix, the model would look up
/// words in another way.
bool mayBeNone(ParameterKind kind) {
    return !infoOf(kind).isRequired && kind != ParameterKind::Embeddings;
}

/// Reads a whole parameter in the shape that the model requires; nullopt after a problem.
std::optional<Parameter> readWhole(const Field &field, const ParameterId &id, const Config &config,
                                   const Model &below) {
    if (field.is(Kind::Null)) {
        if (mayBeNone(id.which))
            return Parameter();
        field.expected("a matrix, which the model requires");
        return std::nullopt;
    }
    const Vocabulary *words = below.vocabularyOf(id.stack);
    Parameter read = readParameter(field, id, configFor(config, id), words ? words->size() : 0);
    return read ? std::optional(read) : std::nullopt;
}

std::optional<ParameterPatch> readPatch(const Field &field, const Config &config,
                                        const Model &below) {
    if (!field.isObject())
        return std::nullopt;
    const Field nameField = field.member("parameter");
    const auto name = nameField.text();
    if (!name)
        return std::nullopt;
    const auto id = findParameter(*name);
    if (!id || !hasPlaceFor(below.parameters, *id)) {
        nameField.fail({"there is no parameter %1", inQuotes(*name)},
                       "use a name such as \"layers.0.self_attention.query\"");
        return std::nullopt;
    }
    const Field cells = field.member("cells");
    const Field matrix = field.member("matrix");
    if (cells.present() == matrix.present()) {
        field.fail(cells.present() ? "it has both cells and a matrix" : "it has no numbers",
                   "use either \"cells\" or \"matrix\"");
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
    const auto whole = readWhole(matrix, *id, config, below);
    if (!whole)
        return std::nullopt;
    patch.whole = *whole;
    return patch;
}

/// Reads a text or a batch that replaces the state's sequences. Returns the batch for which masks
/// are valid; null if a text will be tokenized later.
const Batch *readSequences(const Field &set, const SequencesField &field, Stack stack,
                           const Session &below, StatePatch &patch) {
    const Field text = set.member(field.textName), batch = set.member(field.name);
    if (text.present() && batch.present())
        set.fail({"it has both %1 and %2", field.textName, field.name}, "use one of the two");
    if (text.present())
        patch.*field.text = text.text();
    auto &ownBatch = patch.*field.inPatch;
    if (batch.present())
        if (auto part = readBatch(batch, below.model, stack, below.*field.minimumLength);
            part.batch)
            ownBatch = std::move(part.batch);
    return ownBatch ? ownBatch->get() : text.present() ? nullptr : valueIn(below, field).get();
}

} // namespace

void checkSequences(const Field &field, const StatePatch &set, const Session &state) {
    const Model &model = state.model;
    if (set.batch || set.text)
        checkTokens(field.member(set.batch ? "batch" : "text"), *state.input.batch, model,
                    model.mainStack());
    if (set.source || set.sourceText)
        checkTokens(field.member(set.source ? "source" : "source_text"), *state.input.source, model,
                    model.sourceStack());
}

void reportWithin(const Field &set, const Error &error) {
    constexpr std::string_view kModel = "model.";
    const std::string where =
        error.where.starts_with(kModel) ? error.where.substr(kModel.size()) : error.where;
    const std::string first = where.substr(0, where.find_first_of(".["));
    // If the batch comes from a text, the error names the field of the text.
    const std::string text = first == "batch" ? "text" : first == "source" ? "source_text" : "";
    if (!first.empty() && set.member(first).present())
        set.reading().add({error.what, set.path() + "." + where, error.remedy});
    else if (!text.empty() && set.member(text).present())
        set.member(text).fail(error.what, error.remedy);
    else
        set.fail(where.empty() ? error.what : Message("%1: %2", error.what, error.where),
                 error.remedy);
}

StatePatch readState(const Field &field, const Session &below) {
    StatePatch patch;
    if (!field.isObject())
        return patch;
    Config config = below.model.config;
    const Index width = config.width > 0 ? config.tokenWidth() : 0;
    // Cells of masks must fit this batch.
    const Batch *batch = readSequences(field, kBatchField, below.model.mainStack(), below, patch);
    const Batch *source =
        readSequences(field, kSourceField, below.model.sourceStack(), below, patch);
    AttentionMasks masks = readMasks(field, below.model, batch, source);
    patch.masks = std::move(masks.self);
    patch.encoderMasks = std::move(masks.encoder);
    patch.crossMasks = std::move(masks.cross);
    forEachField(kSwitches, [&](const auto &each) {
        if (const Field member = field.member(each.name); member.present()) {
            readSwitch(field, each.name, config);
            patch.*each.inPatch = config.*each.place;
        }
    });
    const bool hasValue = readSwitch(field, "mask_value", config);
    if (readSwitch(field, "mask_after_softmax", config) || hasValue)
        patch.masking = config.masking;
    if (const Field interventions = field.member("interventions"); interventions.present())
        patch.interventions = readInterventions(interventions, below.model);
    if (config.width == 0)
        return patch; // the model's sizes are invalid
    if (const Field list = field.member("parameters"); list.present() && list.isArray())
        for (std::size_t index = 0; index < list.size(); ++index)
            if (auto parameter = readPatch(list.element(index), config, below.model))
                patch.parameters.push_back(std::move(*parameter));
    const Field words = field.member("words");
    if (words.present() && below.model.parameters.main.embeddings)
        words.fail("the model looks its words up in token_embeddings",
                   "change token_embeddings, under \"parameters\"");
    else if (words.present() && below.model.embeddings)
        patch.words = readWords(words, width, below.model.embeddings->ignoresCase());
    return patch;
}

SavedState readNow(const Field &field, std::optional<std::uint64_t> seed, const Session &session) {
    SavedState now;
    now.seed = seed;
    if (!field.isObject())
        return now;
    const Field stepField = field.member("step");
    const auto steps =
        session.lesson ? std::max<Index>(1, std::ssize(session.lesson->steps)) : Index(1);
    if (stepField.present()) {
        const auto step = stepField.whole(0, steps - 1);
        if (!step)
            return now;
        now.step = *step;
    }
    const bool whole = field.reading().problems.empty();
    const auto below = session.lesson && whole ? atStep(session, now.step)
                                               : Result<Session>(withoutLesson(session));
    if (!below)
        return now; // already reported
    const Field set = field.member("set");
    if (set.present())
        now.set = readState(set, *below);
    const Field show = field.member("show");
    if (show.present())
        now.show = readSelection(show.advice());
    if (const Field replay = field.member("replay"); replay.present())
        readInto(replay.advice(), now.birth);
    if (const Field model = field.member("model_view"); model.present())
        readInto(model.advice(), now.modelView);
    if (!field.reading().problems.empty())
        return now;
    const auto state = patched(*below, now.set);
    if (!state) {
        set.member(state.error().where).fail(state.error().what, state.error().remedy);
        return now;
    }
    checkInterventions(set.member("interventions"), *state);
    checkSequences(set, now.set, *state);
    if (!field.reading().problems.empty())
        return now;
    if (const Field training = field.member("training"); training.present())
        now.training = readTraining(training, state->model, session.training);
    Result<Computable> computable = Computable::of(state->model, state->input);
    if (!computable) {
        reportWithin(set, computable.error());
        return now;
    }
    now.computable = *std::move(computable);
    fitSelection(show.advice(), now.show, state->view, *state);
    return now;
}

} // namespace headlight::core
