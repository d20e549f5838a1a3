// `view` and `lesson` of a session file: where to look, and what a teacher says there.
#include "core/formats/json_reader.h"
#include "core/formats/session_parts.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// More than any index can be; the session's own sizes are compared afterwards.
constexpr Index kMaximumIndex = kMaximumBatchTokens;

void readPlace(const Field &field, std::optional<Index> &place) {
    if (field.present())
        place = field.whole(0, kMaximumIndex);
}

/// A text with marks. Bounded, because looking for the marks' partners may take time with its
/// square.
std::string readMarked(const Field &field) {
    constexpr std::size_t kMaximumBytes = 16384;
    auto text = field.text();
    if (text && text->size() > kMaximumBytes)
        field.fail("the text is longer than " + std::to_string(kMaximumBytes) + " bytes",
                   "make it several paragraphs");
    return std::move(text).value_or("");
}

/// A number, or null: then nothing is selected there.
void readClearable(const Field &field, std::optional<Index> &place, bool &clears) {
    if (field.is(JsonValue::Kind::Null))
        clears = true;
    else
        readPlace(field, place);
}

LessonStep readStep(const Field &field, const Session &base) {
    LessonStep step;
    if (!field.isObject())
        return step;
    step.title = field.member("title").text().value_or("");
    if (const Field text = field.member("text"); text.isArray())
        for (std::size_t index = 0; index < text.size(); ++index)
            step.text.push_back(readMarked(text.element(index)));
    if (const Field tryIt = field.member("try_it"); tryIt.present())
        step.tryIt = readMarked(tryIt);
    if (const Field show = field.member("show"); show.present())
        step.show = readSelection(show);
    if (const Field set = field.member("set"); set.present())
        step.set = readState(set, base);
    return step;
}

void checkBelow(const Field &field, const std::optional<Index> &index, Index count,
                const char *things) {
    if (index && *index >= count)
        field.fail(std::to_string(*index) + " is out of range",
                   "there are " + std::to_string(count) + " " + things + ", counted from 0");
}

/// Why the model has no such stage; empty where it has it.
std::string missing(Stage stage, const Model &model, Index layer) {
    if (stage == Stage::EmbeddingSum && model.config.positions == Positions::None)
        return "this model adds no positions, so it has no such stage";
    if (stage == Stage::MaskedScores && model.config.masking.afterSoftmax)
        return "this model masks after softmax, so it has no such stage";
    if (stage == Stage::UnmaskedWeights && !model.config.masking.afterSoftmax)
        return "this model masks before softmax, so it has no such stage";
    const auto &layers = model.weights.main.layers;
    if (stage == Stage::Output && layer < static_cast<Index>(layers.size()) &&
        !layers[static_cast<std::size_t>(layer)].selfAttention.output)
        return "this layer has no output matrix, so it has no such stage";
    return {};
}

/// How many dimensions a vector of the stage has; of any stage where none is said.
Index dimensionsOf(const std::optional<Stage> &stage, const Config &config) {
    if (!stage)
        return std::max(config.width, config.concatenatedWidth());
    if (infoOf(*stage).perHead)
        return config.headSize;
    return *stage == Stage::Concatenated ? config.concatenatedWidth() : config.width;
}

} // namespace

SelectionPatch readSelection(const Field &field) {
    SelectionPatch patch;
    if (!field.isObject())
        return patch;
    readPlace(field.member("sequence"), patch.sequence);
    readPlace(field.member("layer"), patch.layer);
    readPlace(field.member("head"), patch.head);
    readClearable(field.member("query"), patch.query, patch.clearsCell);
    readClearable(field.member("key"), patch.key, patch.clearsCell);
    readClearable(field.member("dimension"), patch.dimension, patch.clearsCell);
    if (const Field view = field.member("view"); view.present())
        if (view.word({"flow", "heads", "similarity", "geometry"}))
            patch.view = view.value().text();
    if (const Field stage = field.member("stage"); stage.present())
        if (const auto name = stage.text()) {
            patch.stage = findStage(*name, patch.layer.value_or(0));
            if (!patch.stage)
                stage.fail(inQuotes(*name) + " is not a stage",
                           "use a name such as \"query\", \"scores\" or \"weights\"");
        }
    return patch;
}

void checkSelection(const Field &field, const SelectionPatch &selection, const Session &session) {
    if (const Batch *batch = session.input.batch.get()) {
        checkBelow(field.member("sequence"), selection.sequence, batch->count(), "sequences");
        checkBelow(field.member("query"), selection.query, batch->length(), "tokens");
        checkBelow(field.member("key"), selection.key, batch->length(), "tokens");
    }
    const Config &config = session.model.config;
    const auto layers = static_cast<Index>(session.model.weights.main.layers.size());
    if (config.width == 0 || layers == 0)
        return;
    checkBelow(field.member("layer"), selection.layer, layers, "layers");
    checkBelow(field.member("head"), selection.head, config.heads, "heads");
    checkBelow(field.member("dimension"), selection.dimension,
               dimensionsOf(selection.stage, config), "dimensions");
    if (selection.stage)
        if (auto why = missing(*selection.stage, session.model, selection.layer.value_or(0));
            !why.empty())
            field.member("stage").fail(std::move(why), "choose another stage");
}

Lesson readLesson(const Field &field, const Session &base) {
    Lesson lesson;
    if (!field.isObject())
        return lesson;
    lesson.summary = field.member("summary").text().value_or("");
    const Field steps = field.member("steps");
    if (!steps.isArray())
        return lesson;
    if (steps.size() == 0)
        steps.expected("at least one step");
    for (std::size_t index = 0; index < steps.size(); ++index)
        lesson.steps.push_back(readStep(steps.element(index), base));
    return lesson;
}

} // namespace headlight::core
