// The tables that are not bound to a type. They describe fields whose readers are in reading/,
// because the fields depend on the model, the text, or the trace.
#include "core/formats/session/fields/document_fields.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "core/formats/session/data/curves.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/data/state_fields.h"
#include "core/formats/session/reading/parts.h"
#include "core/transformer/model/parameter_table.h"

namespace headlight::core {

namespace {

std::string listSchema(const char *definition, std::size_t most) {
    return schemaOfList(schemaReference(definition), 0, most);
}

FieldInfo required(FieldInfo row) {
    row.isRequired = true;
    return row;
}

FieldInfo since2(FieldInfo row) {
    row.version = 2;
    return row;
}

/// Returns a field whose value is described by another definition of the schema.
FieldInfo part(const char *name, const char *definition, const char *limits, const char *words) {
    return {name, words, schemaReference(definition), limits};
}

/// Adds rows for the parameters of a part of a model, with their names in files.
void addParameters(std::vector<FieldInfo> &rows, ParameterPart wanted) {
    for (const ParameterInfo &info : parametersOf(wanted)) {
        const char *definition = info.isRow()                      ? "row"
                                 : info.blocks != HeadBlocks::None ? "headMatrix"
                                                                   : "matrix";
        rows.push_back({std::string(info.name), "", schemaReference(definition), ""});
    }
}

TableInfo parameters(const char *name, ParameterPart wanted,
                     std::vector<JsonMemberText> constraints) {
    TableInfo table{name, {}, std::move(constraints)};
    addParameters(table.rows, wanted);
    return table;
}

/// Returns the table of the document: its version, its header, and the rest, which depends on the
/// model or the text.
TableInfo document() {
    TableInfo table = describedTable<SessionHeader>();
    table.rows.insert(
        table.rows.begin(),
        required({"headlight",
                  "the format version. Headlight writes 2 if the session uses something that "
                  "version 1 does not have, marked ² here",
                  R"({"enum": [1, 2]})", "1 or 2"}));
    table.rows.insert(
        table.rows.end(),
        {part("batch", "batch", "object", "the text; required, except with `capture`"),
         part("source", "batch", "as `batch`",
              "the second sequences, one for each of the batch: the input of an encoder, or "
              "without an encoder the keys of cross-attention. Required for a model with "
              "cross-attention, rejected for others"),
         part("model", "model", "object",
              "sizes, switches and parameters; required without `pretrained`"),
         since2(part("pretrained", "pretrained", "object",
                     "instead of `model`: a folder or a GGUF file")),
         since2(part("capture", "capture", "object",
                     "instead of `batch` and `model`: values computed by another program")),
         part("masks", "masks", "list", "the keys hidden from the batch's own attention"),
         part("encoder_masks", "masks", "list, default `[{\"kind\": \"padding\"}]`",
              "the keys hidden from the encoder's self-attention"),
         part("cross_masks", "masks", "list, default `[{\"kind\": \"padding\"}]`",
              "the keys hidden from the cross-attention"),
         part("interventions", "interventions", "object", "changes to heads and scores"),
         part("view", "selection", "object", "the selection when the session is opened"),
         part("lesson", "lesson", "object", "makes the session a lesson"),
         since2(part("training", "training", "object", "the run of the model's parameters")),
         part("now", "now", "object", "the user's changes and current view")});
    table.constraints = {
        {"anyOf", R"([{"required": ["batch", "model"]}, {"required": ["batch", "pretrained"]},
                           {"required": ["capture"]}])"}};
    return table;
}

TableInfo now() {
    return {"now",
            {{"step", "the lesson's step", whole(0, kMaxSteps).schema, "index, default 0"},
             part("set", "set", "object", "the user's changes since then, as in a step"),
             part("show", "selection", "as `view`", "the selection, applied to the step's `show`"),
             since2(part("training", "training", "object",
                         "the training since then, instead of the file's own `training`")),
             since2(part("replay", "replay", "object, see below",
                         "where the replay of the run in *Being born* stands. Without it, the "
                         "replay begins at the first step, with its question")),
             since2(part("model_view", "modelView", "object, see below",
                         "choices of the view *Model*")),
             part("seed", "seed", "whole number or text",
                  "mixed into all random numbers of the file, as with `--seed`")}};
}

TableInfo interventions() {
    return {"interventions",
            {{"heads", "", listSchema("headIntervention", kUnlimited), "list, see below"},
             {"scores", "", listSchema("scoreIntervention", kUnlimited), "list, see below"}}};
}

TableInfo history() {
    TableInfo table{"history",
                    {required(part("step", "steps", "list, increasing",
                                   "the recorded steps; the other lists have the same length"))}};
    for (const Curve &curve : kCurves)
        table.rows.push_back(required(part(curve.name, "curve", "list of numbers", curve.words)));
    table.rows.push_back(part(
        "held_out", "heldOut", "object",
        "`step`, `loss` and `accuracy` of held-out examples, before that step; for models without "
        "a mask also `written`, the accuracy of generation"));
    table.rows.push_back(
        part("heads", "headCurves", "object",
             "`step`, and `measures`: for each step a list of attention modules in the order of "
             "the computation, for each module a list of heads, and for each head `[entropy, "
             "distance, previous token, itself, first token, induction]`, null if undefined"));
    return table;
}

/// Returns the table of `set`, the changes that a step and the user can make.
TableInfo set() {
    TableInfo table{
        "set",
        {{"text", "a text that replaces the batch; `batch.length` still applies",
          R"({"type": "string", "minLength": 1})", "text"},
         part("batch", "batch", "object",
              "instead of `text`: a whole batch; without a `length`, the session's applies"),
         {"source_text", "as `text`, for the second sequences",
          R"({"type": "string", "minLength": 1})", "text"},
         part("source", "batch", "object", "as `batch`, for the second sequences"),
         part("masks", "masks", "list", ""),
         part("encoder_masks", "masks", "list", ""),
         part("cross_masks", "masks", "list", "")},
        {{"allOf", R"([{"not": {"required": ["text", "batch"]}},
                       {"not": {"required": ["source_text", "source"]}}])"}}};
    const FieldTable<Config> &config = Fields<Config>::table();
    const auto addSwitch = [&](const char *name) {
        FieldInfo row = config.row(name);
        row.usual.clear(); // the default is the session's own value
        table.rows.push_back(std::move(row));
    };
    forEachField(kSwitches, [&](const auto &each) { addSwitch(each.name); });
    addSwitch("mask_value");
    addSwitch("mask_after_softmax");
    table.rows.push_back(part("interventions", "interventions", "object", ""));
    table.rows.push_back({"parameters",
                          "changes to parameters, each applied to the result of those before it",
                          listSchema("parameterPatch", kUnlimited),
                          "list of `{\"parameter\", \"cells\"}` or `{\"parameter\", \"matrix\"}`"});
    table.rows.push_back(
        {"words", "as if they were in `model.embeddings`",
         R"({"type": "object", "additionalProperties": {"$ref": "#/$defs/vector"}})",
         "object: word → list of C numbers"});
    return table;
}

TableInfo model() {
    TableInfo table = describedTable<Config>();
    table.name = "model";
    table.rows.push_back(part("vocabulary", "vocabulary", "list of words, none empty",
                              "required for `token_embeddings` and for output layers that predict "
                              "words. Two words may be identical²"));
    table.rows.push_back(
        part("embeddings", "embeddings", "object", "the word vectors, without `token_embeddings`"));
    table.rows.push_back(required(part("layers", "layers", "1 to 256",
                                       "each with `self_attention`, `cross_attention` or both, "
                                       "and `feed_forward` if the model has one")));
    table.rows.push_back(part("encoder", "encoder", "object",
                              "makes the model an encoder-decoder; then `layers` are the "
                              "decoder's, and all of them need `cross_attention`"));
    table.constraints = {{"allOf", R"([{"not": {"required": ["embeddings", "token_embeddings"]}},
                      {"properties": {"norm": {"required": ["kind"]},
                                      "feed_forward": {"required": ["width"]},
                                      "head": {"required": ["kind"]}}}])"}};
    return table;
}

/// Returns the table with rows for parameters before `layers`. docs/session-file.md lists them by
/// shape.
TableInfo withParameters(TableInfo table) {
    std::vector<FieldInfo> rows;
    addParameters(rows, ParameterPart::Stack);
    if (table.name == "model")
        addParameters(rows, ParameterPart::OutputLayer);
    const auto layers = std::ranges::find(table.rows, "layers", &FieldInfo::name);
    table.rows.insert(layers, rows.begin(), rows.end());
    return table;
}

TableInfo encoder() {
    TableInfo table = describedTable<EncoderSizes>();
    table.name = "encoder";
    table.rows.push_back({"layer_count", "", whole(1, kMaxLayers).schema, "1 to 256"});
    table.rows.push_back(part("vocabulary", "vocabulary", "list of words",
                              "with its own `token_embeddings`; default: the decoder's"));
    table.rows.push_back(required(part("layers", "layers", "1 to 256", "")));
    return table;
}

/// Returns the schema of a mask layer: one alternative per kind.
std::string maskSchema() {
    const auto alternative = [](std::string_view kind, TableInfo table) {
        table.rows.insert(table.rows.begin(),
                          required({"kind", "", jsonObject({{"const", jsonText(kind)}}), ""}));
        return schemaOf(table);
    };
    const TableInfo cells{"cells",
                          {required({"cells", "", listSchema("maskCell", kUnlimited), "list"})}};
    const std::vector<TableInfo> tables{{},
                                        {},
                                        describedTable<WindowMask>(),
                                        cells,
                                        describedTable<PrefixMask>(),
                                        describedTable<BlockMask>(),
                                        {}};
    std::vector<std::string> alternatives;
    for (std::size_t kind = 0; kind < kMaskKinds.size(); ++kind)
        alternatives.push_back(alternative(kMaskKinds[kind], tables[kind]));
    return jsonObject({{"oneOf", jsonArray(alternatives)}});
}

} // namespace

template <>
const FieldTable<SessionHeader> &Fields<SessionHeader>::table() {
    static const FieldTable<SessionHeader> table{
        "document",
        Written::Changed,
        {field("title", &SessionHeader::title, text(), "").usually("")}};
    return table;
}

template <>
const FieldTable<CapturedFile> &Fields<CapturedFile>::table() {
    Codec<std::string> path = text();
    path.schema = R"({"type": "string", "minLength": 1})";
    path.read = [](const Field &field, std::string &into) {
        into = field.text().value_or("");
        if (field.present() && into.empty())
            field.expected("the name of a capture");
        return !into.empty();
    };
    static const FieldTable<CapturedFile> table{
        "capture",
        Written::All,
        {field("file", &CapturedFile::path, path,
               "a path, relative to the folder of the session, or absolute. Without the file the "
               "session cannot be opened")
             .required(),
         field("fingerprint", &CapturedFile::fingerprint, text(),
               "the file's size in bytes and the CRC-32 of its bytes, `\"20480-1c291ca3\"`; for a "
               "file of more than 16 MB, the CRC-32 of 256 evenly spaced pieces of 64 KB. If it "
               "differs, there is a warning")
             .usually("")}};
    return table;
}

template <>
const FieldTable<ModelReference> &Fields<ModelReference>::table() {
    using M = ModelReference;
    static const FieldTable<M> table{
        "pretrained",
        Written::Changed,
        {field("folder", &M::folder, text(),
               "a model as Hugging Face's libraries save it, or a GGUF file; a path relative to "
               "the folder of the session")
             .required(),
         field("hash", &M::hash, text(),
               "the hash of `config.json` and of the names, types, sizes and offsets of the "
               "tensors when the session was saved. If it differs, there is a warning"),
         field("expression", &M::expression, text(),
               "a regular expression whose matches are the tokens, as with `--expression`"),
         field("tower", &M::tower, oneOf<Tower>(),
               "the model of a folder that has one of texts and one of pictures (CLIP)")}};
    return table;
}

TableInfo documentTable() {
    return document();
}

std::vector<TableInfo> sessionTables() {
    return {describedTable<CapturedFile>(),
            describedTable<ModelReference>(),
            now(),
            describedTable<BirthState>(),
            describedTable<ModelViewState>(),
            describedTable<TrainingRun>(),
            describedTable<AblatedRun>(),
            history(),
            describedTable<Recipe>(),
            describedTable<Architecture>(),
            describedTable<OptimizerSettings>(),
            interventions(),
            describedTable<HeadIntervention>(),
            describedTable<ScoreIntervention>(),
            describedTable<MaskCell>(),
            set(),
            model(),
            describedTable<Norm>(),
            describedTable<FeedForward>(),
            describedTable<RotaryConfig>(),
            describedTable<RelativeConfig>(),
            describedTable<Disentangled>(),
            describedTable<LatentAttention>(),
            describedTable<PicturePatches>(),
            describedTable<OutputLayer>(),
            encoder(),
            parameters("attention", ParameterPart::Attention,
                       {{"required", R"(["query", "key", "value"])"},
                        {"dependentRequired", R"({"output_bias": ["output"]})"}}),
            parameters("feedForwardWeights", ParameterPart::FeedForward, {}),
            describedTable<SelectionPatch>(),
            describedTable<SoftmaxLook>(),
            describedTable<ViewOptions>(),
            describedTable<Lesson>(),
            describedTable<LessonStep>(),
            describedTable<PanelPatch>(),
            describedTable<Question>(),
            describedTable<Answer>(),
            describedTable<Exercise>(),
            describedTable<Goal>(),
            describedTable<LessonRun>()};
}

std::vector<JsonMemberText> sessionDefinitions() {
    std::vector<JsonMemberText> definitions;
    for (const TableInfo &table : sessionTables())
        definitions.push_back({table.name, schemaOf(table.name == "model" || table.name == "encoder"
                                                        ? withParameters(table)
                                                        : table)});
    definitions.push_back({"masks", schemaOfList(maskSchema(), 0, kMaxMaskLayers)});
    return definitions;
}

} // namespace headlight::core
