// Writes a model's switches, and determines the format version that they need.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/data/state_fields.h"
#include "core/formats/session/writing/text.h"

namespace headlight::core {

namespace {

/// True for parameters of version 2 that no field of the config requires.
bool isNewOptional(ParameterKind kind) {
    return kind == ParameterKind::Sinks || kind == ParameterKind::RouterChoiceBias ||
           kind == ParameterKind::DistillationClassifier ||
           kind == ParameterKind::DistillationClassifierBias;
}

} // namespace

std::string textOfSwitch(const Config &config, std::string_view name) {
    return Fields<Config>::table().row(name).write(config, {});
}

int formatVersionOf(const Config &config) {
    const auto isNew = [](Activation activation) { return activation > Activation::Silu; };
    const bool hasNewWord =
        config.norm.place > NormPosition::After || isNew(config.feedForward.activation) ||
        isNew(config.outputLayer.activation) || config.outputLayer.pooling > Pooling::Mean ||
        config.outputLayer.kind > OutputLayerKind::Classifier;
    return hasNewWord
               ? 2
               : std::max({versionOfFields(config), versionOfFields(config.encoder),
                           versionOfFields(config.feedForward), versionOfFields(config.rotary),
                           versionOfFields(config.norm), versionOfFields(config.outputLayer)});
}

int formatVersionOf(const Model &model) {
    for (const VocabularyPointer &words : {model.vocabulary, model.sourceVocabulary})
        if (words && words->hasWordsAlike())
            return 2;
    for (const ParameterId &id : allParameters(model.parameters))
        if (isNewOptional(id.which) && parameterOf(model.parameters, id))
            return 2;
    return formatVersionOf(model.config);
}

int formatVersionOf(const Input &input) {
    int version = 1;
    for (const BatchPointer &batch : {input.batch, input.source})
        if (batch)
            version = std::max(version, formatVersionOf(*batch));
    return version;
}

int formatVersionOf(const StatePatch &patch) {
    Config config; // version 1 has these fields, but not all of their values
    config.norm = patch.norm.value_or(config.norm);
    config.feedForward = patch.feedForward.value_or(config.feedForward);
    config.outputLayer = patch.head.value_or(config.outputLayer);
    config.rotary = patch.rotary.value_or(config.rotary);
    int version = formatVersionOf(config);
    forEachField(kSwitches, [&](const auto &field) {
        if (isSet(patch, field))
            version = std::max(version, Fields<Config>::table().row(field.name).version);
    });
    for (const ParameterPatch &parameter : patch.parameters)
        if (isNewOptional(parameter.id.which))
            version = std::max(version, 2);
    for (const auto &batch : {patch.batch, patch.source})
        if (batch)
            version = std::max(version, formatVersionOf(**batch));
    return version;
}

} // namespace headlight::core
