// Reads the parameters of `model` in a session file, and determines their shapes.
#include "core/formats/session/reading/parts.h"

namespace headlight::core {

namespace {

using Kind = JsonValue::Kind;

/// Returns the number of rows: the length of a list, or the number that other forms declare.
Index rowsOf(const Field &field) {
    constexpr Index kMaxMatrixRows = kMaxPositions;
    const bool list = field.is(Kind::Array);
    if (list && field.size() >= 1 && field.size() <= static_cast<std::size_t>(kMaxMatrixRows))
        return static_cast<Index>(field.size());
    if (list || !field.is(Kind::Object)) {
        field.expected({"a matrix of 1 to %1 rows", kMaxMatrixRows});
        return 0;
    }
    return field.member("rows").whole(1, kMaxMatrixRows).value_or(0);
}

/// True for parameters that every attention module or feed-forward network needs. validate() checks
/// the others.
bool isNeeded(const ParameterInfo &info, const Config &config) {
    return isOfLayer(info.kind) && info.isRequired && info.hasPlace(config);
}

Index readCount(const Field &layers) {
    if (!layers.isArray())
        return 0;
    if (layers.size() < 1 || layers.size() > static_cast<std::size_t>(kMaxLayers)) {
        layers.expected({"a list of 1 to %1 layers", kMaxLayers});
        return 0;
    }
    return static_cast<Index>(layers.size());
}

void checkCount(const Field &stack, Index declared, Index own) {
    if (declared > 0 && own > declared)
        stack.member("layer_count")
            .fail({"%1 is less than the number of layers, %2", declared, own},
                  "use at least that number, or leave it out");
}

/// Checks that the layer's parts are objects and that it has an attention module.
void checkLayer(const Field &layer, const Config &config) {
    if (!layer.isObject())
        return;
    const Field self = layer.member("self_attention"), cross = layer.member("cross_attention");
    const Field feedForward = layer.member("feed_forward");
    if (self.present() || !cross.present())
        self.isObject();
    if (cross.present())
        cross.isObject();
    if (feedForward.present() || config.feedForward.width > 0)
        feedForward.isObject();
}

void readParameters(const Field &model, const Config &config, Index words, Index sourceWords,
                    ModelParameters &weights) {
    for (const ParameterId &id : allParameters(weights)) {
        const ParameterInfo &info = infoOf(id.which);
        const bool encoder = id.stack == Stack::Encoder;
        const Field stack = encoder ? model.member("encoder") : model;
        const Field owner = isOfLayer(id.which) ? stack.member("layers")
                                                      .element(static_cast<std::size_t>(id.layer))
                                                      .member(std::string(nameOfPart(id)))
                                                : stack;
        if (isOfLayer(id.which) && !owner.is(Kind::Object))
            continue;
        const Field field = owner.member(std::string(info.name));
        const Config own = configFor(config, id);
        if (field.present() || isNeeded(info, own))
            parameterOf(weights, id) = readParameter(field, id, own, encoder ? sourceWords : words);
    }
}

} // namespace

Parameter readParameter(const Field &field, const ParameterId &id, const Config &config,
                        Index words) {
    const ParameterInfo &info = infoOf(id.which);
    if (!info.hasPlace(config)) {
        field.fail("the model does not use this matrix", "remove it, or change the model's fields");
        return nullptr;
    }
    Index rows = info.rows(config, words);
    const Index columns = info.columns(config, words);
    if (rows == kAnyRows) {
        rows = rowsOf(field);
        if (rows == 0)
            return nullptr;
    }
    if (rows == 0 || columns == 0) {
        field.fail("the model has no words for these vectors", "give its \"vocabulary\"");
        return nullptr;
    }
    if (info.isRow())
        return readRow(field, columns);
    if (info.blocks != HeadBlocks::None)
        return readHeads(field, rows, columns, config, info.blocks);
    return readMatrix(field, rows, columns);
}

void readWeights(const Field &field, Index words, Index sourceWords, Model &model) {
    const Field layers = field.member("layers"), encoder = field.member("encoder");
    const Index count = readCount(layers);
    const bool hasEncoder = encoder.present() && encoder.isObject();
    const Index encoderCount = hasEncoder ? readCount(encoder.member("layers")) : 0;
    for (Index layer = 0; layer < count; ++layer)
        checkLayer(layers.element(static_cast<std::size_t>(layer)), model.config);
    for (Index layer = 0; layer < encoderCount; ++layer)
        checkLayer(encoder.member("layers").element(static_cast<std::size_t>(layer)), model.config);
    checkCount(field, model.config.layerCount, count);
    checkCount(encoder, model.config.encoderLayerCount, encoderCount);
    if (count == 0)
        return;
    model.parameters.main.layers.resize(static_cast<std::size_t>(count));
    model.parameters.encoder.layers.resize(static_cast<std::size_t>(encoderCount));
    readParameters(field, model.config, words, sourceWords, model.parameters);
}

} // namespace headlight::core
