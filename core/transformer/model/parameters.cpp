#include "core/transformer/model/parameters.h"

#include "core/tensor/shape.h"
#include "core/transformer/model/parameter_table.h"

#include <tuple>

namespace headlight::core {

namespace {

/// Checks the parameters of one part. `id` selects layer, block and stack.
Outcome check(const ModelParameters &weights, ParameterPart part, ParameterId id,
              const Config &config, Index words, const std::string &where) {
    for (const ParameterInfo &info : parametersOf(part)) {
        id.which = info.kind;
        const Parameter &parameter = parameterOf(weights, id);
        const std::string field = where + std::string(info.name);
        if (!parameter) {
            if (info.isRequired && info.hasPlace(config))
                return Error{"the matrix is missing", field,
                             "give it, or change the model's fields"};
            continue;
        }
        if (!info.hasPlace(config))
            return Error{"the model does not use this matrix", field,
                         "remove it, or change the model's fields"};
        const Shape is{parameter->rows(), parameter->columns()};
        if (is[0] < 1 || is[1] < 1)
            return Error{"the matrix is empty", field,
                         "give it at least one row and column, or remove it"};
        const Index rows = info.rows(config, words);
        const Shape wanted{rows == kAnyRows ? is[0] : rows, info.columns(config, words)};
        if (is != wanted)
            return Error{{"the matrix is %1, expected %2", is.text(), wanted.text()},
                         field,
                         "its sizes follow from the model's fields, such as width and heads"};
    }
    return Done{};
}

bool isEmpty(const AttentionParameters &weights) {
    return weights == AttentionParameters{};
}

Outcome checkAttention(const ModelParameters &weights, const ParameterId &id, const Config &config,
                       const std::string &where) {
    if (Outcome outcome = check(weights, ParameterPart::Attention, id, config, 0, where); !outcome)
        return outcome;
    const Index c = config.width, hd = config.concatenatedWidth();
    const bool output =
        parameterOf(weights, {id.layer, ParameterKind::Output, id.block, id.stack}) != nullptr;
    if (parameterOf(weights, {id.layer, ParameterKind::OutputBias, id.block, id.stack}) && !output)
        return Error{"a bias without its matrix", where + "output_bias",
                     "give output as well, or leave the bias out"};
    if (!output && hd != c &&
        (config.residual || config.parallel || config.normsAfter() || config.normsOutput() ||
         config.feedForward.width))
        return Error{{"without an output matrix the heads output %1 dimensions, but the residual "
                      "stream has %2",
                      hd, c},
                     where + "output",
                     "give the matrix"};
    const bool isSelf = id.block == Block::SelfAttention;
    for (const auto &[which, name, isUsed] :
         {std::tuple(ParameterKind::PositionKey, "position_key", config.hasPositionKeys()),
          std::tuple(ParameterKind::PositionQuery, "position_query",
                     config.hasPositionQueries())}) {
        const bool isThere = parameterOf(weights, {id.layer, which, id.block, id.stack}) != nullptr;
        if (isThere && !isSelf)
            return Error{"distances exist in self-attention only", where + name, "remove it"};
        if (!isThere && isSelf && isUsed)
            return Error{"the matrix is missing", where + name,
                         "give it, or change the model's fields"};
    }
    return Done{};
}

Outcome checkLayers(const ModelParameters &weights, Stack which, const Config &config,
                    const std::string &where) {
    const bool isEncoder = which == Stack::Encoder;
    const std::vector<LayerParameters> &layers =
        (isEncoder ? weights.encoder : weights.main).layers;
    const bool crosses = !layers.empty() && !isEmpty(layers[0].crossAttention);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const std::string here = where + "layers[" + std::to_string(i) + "].";
        const bool cross = !isEmpty(layers[i].crossAttention);
        if (cross && isEncoder)
            return Error{"an encoder does not attend to another sequence", here + "cross_attention",
                         "remove it"};
        if (cross != crosses)
            return Error{"some layers attend to the second sequence, and some do not",
                         here + "cross_attention", "give every layer cross_attention, or none"};
        ParameterId id{static_cast<Index>(i), {}, Block::SelfAttention, which};
        if (!cross || !isEmpty(layers[i].selfAttention))
            if (Outcome o = checkAttention(weights, id, config, here + "self_attention."); !o)
                return o;
        id.block = Block::CrossAttention;
        if (cross)
            if (Outcome o = checkAttention(weights, id, config, here + "cross_attention."); !o)
                return o;
        if (Outcome o = check(weights, ParameterPart::FeedForward, id,
                              isEncoder ? config : config.ofLayer(static_cast<Index>(i)), 0,
                              here + "feed_forward.");
            !o)
            return o;
    }
    return Done{};
}

Outcome checkStack(const ModelParameters &weights, Stack which, const Config &config,
                   Index vocabulary, const std::string &where) {
    const Index words = vocabulary > 0 ? vocabulary : kAnyRows;
    if (Outcome outcome = check(weights, ParameterPart::Stack, {0, {}, Block::SelfAttention, which},
                                config, words, where);
        !outcome)
        return outcome;
    return checkLayers(weights, which, config, where);
}

Outcome checkOutputLayer(const ModelParameters &weights, const Config &config, Index vocabulary) {
    const Index c = config.width, e = config.tokenWidth();
    const OutputLayerKind kind = config.outputLayer.kind;
    const bool language =
        kind == OutputLayerKind::Language || kind == OutputLayerKind::MaskedLanguage;
    const bool tied = language && !weights.outputLayer.output;
    if (tied && !weights.main.embeddings)
        return Error{"there is neither an output matrix nor a matrix of embeddings to tie it to",
                     "model.output_matrix", "give one of them"};
    if (tied && kind == OutputLayerKind::Language && e != c)
        return Error{{"the embeddings are %1 wide, the last layer's output %2", e, c},
                     "model.output_matrix",
                     "give the matrix"};
    const Index words = vocabulary > 0 ? vocabulary : logitsOf(weights);
    if (Outcome outcome = check(weights, ParameterPart::OutputLayer, {}, config, words, "model.");
        !outcome)
        return outcome;
    if (weights.outputLayer.poolerBias && !weights.outputLayer.pooler)
        return Error{"the model does not use this matrix", "model.pooler_bias",
                     "remove it, or change the model's fields"};
    if (weights.outputLayer.distillationClassifierBias &&
        !weights.outputLayer.distillationClassifier)
        return Error{"a bias without its matrix", "model.distillation_classifier_bias",
                     "give distillation_classifier as well, or leave the bias out"};
    return Done{};
}

} // namespace

Index logitsOf(const ModelParameters &weights) {
    if (weights.outputLayer.output)
        return weights.outputLayer.output->columns();
    return weights.main.embeddings ? weights.main.embeddings->rows() : 0;
}

Outcome validate(const ModelParameters &weights, const Config &config, Index vocabulary,
                 Index sourceVocabulary) {
    if (Outcome o = checkStack(weights, Stack::Main, config, vocabulary, "model."); !o)
        return o;
    if (weights.hasEncoder()) {
        const Index words = sourceVocabulary > 0 ? sourceVocabulary : vocabulary;
        const Config encoder = config.ofEncoder();
        const Parameter &shared = weights.main.embeddings;
        if (sourceVocabulary > 0 && !weights.encoder.embeddings &&
            (!shared || shared->rows() != sourceVocabulary))
            return Error{{"it has %1 words, but the encoder's embedding matrix has %2 rows",
                          sourceVocabulary, shared ? shared->rows() : 0},
                         "model.encoder.vocabulary",
                         "give as many words as rows, or the encoder's own token_embeddings"};
        if (Outcome o = checkStack(weights, Stack::Encoder, encoder, words, "model.encoder."); !o)
            return o;
        if (weights.main.layers.empty() || isEmpty(weights.main.layers[0].crossAttention))
            return Error{"the decoder does not attend to the encoder",
                         "model.layers[0].cross_attention",
                         "give every layer its cross_attention, or remove the encoder"};
    }
    return checkOutputLayer(weights, config, vocabulary);
}

} // namespace headlight::core
