// The fields of `view`, of `show` in lesson steps, and of the softmax and birth views.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/reading/parts.h"
#include "core/formats/session/writing/text.h"
#include "core/in_quotes.h"
#include "core/selection/view.h"

namespace headlight::core {

namespace {

/// An index. Its upper limit is larger than any valid index; the session's sizes are checked later.
Codec<Index> index() {
    return whole(0, kMaxBatchTokens);
}

Codec<std::uint64_t> seed() {
    return {[](const Field &field, std::uint64_t &into) {
                const auto read = readSeed(field);
                into = read.value_or(into);
                return read.has_value();
            },
            [](const std::uint64_t &value, const std::string &) { return seedText(value); },
            schemaReference("seed"), "whole number of at least 0, or its digits as a text"};
}

/// Returns the row for a query, key, dimension or distance. Null clears all four.
FieldRow<SelectionPatch> clearable(const char *name, std::optional<Index> SelectionPatch::*member,
                                   const char *words) {
    const Codec<Index> codec = index();
    return ownField<SelectionPatch>(
        name,
        [=, read = codec.read](const Field &field, SelectionPatch &into) {
            if (field.is(JsonValue::Kind::Null)) {
                into.clearsCell = true;
                return true;
            }
            Index value = 0;
            if (!read(field, value))
                return false;
            into.*member = value;
            return true;
        },
        [=](const SelectionPatch &patch) { return patch.clearsCell || patch.*member; },
        [=](const SelectionPatch &patch, const std::string &) {
            return patch.*member ? std::to_string(*(patch.*member)) : "null";
        },
        jsonObject({{"oneOf", jsonArray({jsonObject({{"type", "\"null\""}}), codec.schema})}}),
        "index or null", words);
}

/// The distance, which only files of version 2 have.
FieldRow<SelectionPatch> distance() {
    const Codec<Index> codec = index();
    return field("distance", &SelectionPatch::distance, codec,
                 "row or column of the stages of disentangled attention that have one for each "
                 "distance")
        .since(2);
}

/// The name of a stage of the attention module that the preceding fields select.
FieldRow<SelectionPatch> stage(const char *words) {
    return ownField<SelectionPatch>(
        "stage",
        [](const Field &field, SelectionPatch &into) {
            const auto name = field.text();
            if (!name)
                return false;
            into.stage =
                findStage(*name, {into.layer.value_or(0), into.block.value_or(Block::SelfAttention),
                                  into.stack.value_or(Stack::Main)});
            if (!into.stage)
                field.fail({"%1 is not a stage", inQuotes(*name)},
                           "use a name such as \"query\", \"scores\" or \"weights\"");
            return into.stage.has_value();
        },
        [](const SelectionPatch &patch) { return patch.stage.has_value(); },
        [](const SelectionPatch &patch, const std::string &) {
            return jsonText(infoOf(*patch.stage).name);
        },
        text().schema, "text", words);
}

/// The id of a view. Reads former ids as the current ones.
Codec<std::string> tab() {
    static const std::vector<std::string_view> ids = [] {
        std::vector<std::string_view> all(kTabIds.begin(), kTabIds.end());
        all.push_back(kFormerWholeId);
        return all;
    }();
    Codec<std::string> codec = text();
    codec.read = [](const Field &field, std::string &into) {
        const auto word = field.word(ids);
        if (word)
            into = idOf(*findView(ids[*word]));
        return word.has_value();
    };
    codec.schema = schemaOfWords(ids);
    codec.limits = limitsOfWords(kTabIds);
    return codec;
}

/// The form of the arithmetic: "line" or "opened".
Codec<bool> arithmetic() {
    return oneOf<bool>(Words<Arithmetic>::all);
}

} // namespace

template <>
const FieldTable<SoftmaxLook> &Fields<SoftmaxLook>::table() {
    using L = SoftmaxLook;
    static const FieldTable<L> table{
        "softmax",
        Written::Changed,
        {field("part", &L::part, oneOf<SoftmaxPart>(),
               "a row of logits, or the distribution of sampled dot products"),
         field(
             "logits", &L::logits,
             listOf<float>(number().from(-kLargestOwnLogit).to(kLargestOwnLogit), 1, kMaxOwnLogits),
             "the user's own logits; without them, the row of the selected query"),
         field("times", &L::times, number().above(0).to(kMaxTimes), "multiplier of `logits`"),
         field("temperature", &L::temperature,
               number().from(kMinOwnTemperature).to(kMaxOwnTemperature),
               "divisor after the multiplication; the model's row has the model's `temperature`"),
         field("d_k", &L::headSize, whole(1, kMaxDrawnHeadSize),
               "number of components of the sampled queries and keys"),
         field("seed", &L::seed, seed(), "seed of the samples")}};
    return table;
}

template <>
const FieldTable<BirthState> &Fields<BirthState>::table() {
    using B = BirthState;
    const auto example = [] { return whole(0, kMaxBirthExamples - 1); };
    static const FieldTable<B> table{
        "replay",
        Written::Changed,
        {field("step", &B::step, whole(0, kMaxSteps),
               "the step of the run at which the replay stands. The nearest recorded step is shown")
             .since(2),
         field("example", &B::example, example(),
               "index of the example, modulo the number of examples of the run")
             .since(2),
         field("answer", &B::answer, whole(0, kBirthPictures - 1),
               "index of the picture that the user chose before the replay; without it, the "
               "question is still open")
             .since(2),
         field("question_example", &B::questionExample, example(),
               "index of the example in the pictures of the answered question")
             .since(2)}};
    return table;
}

template <>
const FieldTable<ModelViewState> &Fields<ModelViewState>::table() {
    using M = ModelViewState;
    static const FieldTable<M> table{
        "modelView",
        Written::Changed,
        {field("pinned", &M::pinned,
               listOf(nameUpTo(kMaxHeadNameBytes, "a head such as 9.6, of at most %1 bytes"), 0,
                      kMaxPinnedHeads),
               "the pinned heads as *layer.head*; with an encoder also `encoder.0.3` or "
               "`cross.1.2`. Heads that the model does not have are left out")
             .since(2),
         field("measure", &M::measure,
               nameUpTo(kMaxHeadNameBytes, "the name of a measure, of at most %1 bytes"),
               "the measure that sorts the list of heads, as `headlight measures` names it")
             .since(2),
         field("colours", &M::asColours, flag(),
               "the measure is shown as coloured cells in place of the thumbnails")
             .since(2),
         field("loss", &M::ofLoss, flag(),
               "silencing every head shows the change of the loss instead of a logit")
             .since(2),
         field("mean", &M::byMean, flag(),
               "a silenced head is replaced by its mean over the text instead of zeros")
             .since(2),
         field("token", &M::token,
               nameUpTo(kMaxTokenBytes, "a token of the vocabulary, of at most %1 bytes"),
               "the token whose logit is measured; without it, the predicted one")
             .since(2)}};
    return table;
}

template <>
const FieldTable<SelectionPatch> &Fields<SelectionPatch>::table() {
    using S = SelectionPatch;
    static const FieldTable<S> table{
        "selection",
        Written::Changed,
        {field("view", &S::view, tab(),
               "the tab; close-up, whole, training, softmax, words, birth, model, lines, text and "
               "query-key are new in version 2. `\"flow\"` is the former name of whole"),
         field("sequence", &S::sequence, index(), "index"),
         field("stack", &S::stack, oneOf<Stack>(),
               "`\"encoder\"` or `\"decoder\"` (default) of an encoder-decoder; `\"source\"`: the "
               "second sequence without an encoder"),
         field("layer", &S::layer, index(), "index"),
         field("block", &S::block, oneOf<Block>(), "default: `\"self\"` if the layer has it"),
         field("head", &S::head, index(), "index"), stage("the name of a stage that the model has"),
         clearable("query", &S::query, "the row"), clearable("key", &S::key, "the column"),
         clearable("dimension", &S::dimension, "the dimension of a vector"), distance(),
         field("arithmetic", &S::opened, arithmetic(),
               "the arithmetic of a number is in the line below *Close-up* (default), or large in "
               "the picture. A lesson step without it uses the session's")
             .since(2),
         field("softmax", &S::softmax, objectOf<SoftmaxLook>(),
               "the settings of the softmax view. A lesson step without it that does "
               "not show that view leaves them unchanged")
             .since(2)}};
    return table;
}

template <>
const FieldTable<ViewOptions> &Fields<ViewOptions>::table() {
    using O = ViewOptions;
    static const FieldTable<O> table{
        "viewOptions",
        Written::Changed,
        {field("granularity", &O::granularity, oneOf<Granularity>(),
               "the size of a step of the computation. By row and by cell, what follows the "
               "selected one is not computed yet"),
         field("axes", &O::axes, oneOf<PlaneAxes>(), "axes of the planes in `\"geometry\"`"),
         field("spaces", &O::spaces, oneOf<ShownSpaces>(), "the planes shown"),
         field("writing", &O::writing, oneOf<ShownEncoding>(),
               "the card of `\"words\"` that the step explains: the view shows it alone")
             .since(2)}};
    return table;
}

} // namespace headlight::core
