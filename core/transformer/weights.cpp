#include "core/transformer/weights.h"

#include "core/tensor/shape.h"

#include <cstring>
#include <span>

namespace headlight::core {

namespace {

constexpr Index kAny = -1; // rows that the parameter itself decides

/// A parameter that may be there, must be there, or must not.
struct Expected {
    const Parameter &parameter;
    const char *name;
    Index rows, columns;
    enum Need { Optional, Required, Absent } need = Optional;
};

Outcome check(std::span<const Expected> all, const std::string &where) {
    for (const Expected &expected : all) {
        const std::string field = where + expected.name;
        if (!expected.parameter) {
            if (expected.need == Expected::Required)
                return Error{"the matrix is missing", field,
                             "give it, or change the model's fields"};
            continue;
        }
        if (expected.need == Expected::Absent)
            return Error{"the model has no place for this matrix", field,
                         "take it out, or change the model's fields"};
        const Index rows = expected.parameter->rows(), columns = expected.parameter->columns();
        if (rows < 1 || columns < 1)
            return Error{"the matrix is empty", field,
                         "give it a row and a column, or take it out"};
        const Index wanted = expected.rows == kAny ? rows : expected.rows;
        if (rows != wanted || columns != expected.columns)
            return Error{"the matrix is " + Shape{rows, columns}.text() + ", expected " +
                             Shape{wanted, expected.columns}.text(),
                         field,
                         "its sizes follow from the model's fields, such as width and heads"};
    }
    return Done{};
}

constexpr auto needed(bool condition) {
    return condition ? Expected::Required : Expected::Absent;
}
constexpr auto allowed(bool condition) {
    return condition ? Expected::Optional : Expected::Absent;
}

Outcome checkAttention(const AttentionWeights &a, const Config &config, const std::string &where) {
    const Index c = config.width, hd = config.concatenatedWidth();
    const Index gd = config.groups() * config.headSize;
    const Expected all[] = {
        {a.query, "query", c, hd, Expected::Required},
        {a.key, "key", c, gd, Expected::Required},
        {a.value, "value", c, gd, Expected::Required},
        {a.output, "output", hd, c},
        {a.queryBias, "query_bias", 1, hd},
        {a.keyBias, "key_bias", 1, gd},
        {a.valueBias, "value_bias", 1, gd},
        {a.outputBias, "output_bias", 1, c},
        {a.norm.gain, "norm_gain", 1, c, allowed(config.hasNorm())},
        {a.norm.bias, "norm_bias", 1, c, allowed(config.normHasBias())},
    };
    if (Outcome outcome = check(all, where); !outcome)
        return outcome;
    if (a.outputBias && !a.output)
        return Error{"a bias without its matrix", where + "output_bias",
                     "give output as well, or leave the bias out"};
    if (!a.output && hd != c &&
        (config.residual || config.normsAfter() || config.feedForward.width))
        return Error{"without an output matrix the heads give " + std::to_string(hd) +
                         " numbers a token, the residual stream has " + std::to_string(c),
                     where + "output", "give the matrix"};
    return Done{};
}

Outcome checkFeedForward(const FeedForwardWeights &w, const Config &config,
                         const std::string &where) {
    const Index c = config.width, f = config.feedForward.width;
    const bool has = f > 0, gated = has && config.feedForward.gated;
    const Expected all[] = {
        {w.gate, "gate", c, f, needed(gated)},
        {w.hidden, "hidden", c, f, needed(has)},
        {w.output, "output", f, c, needed(has)},
        {w.gateBias, "gate_bias", 1, f, allowed(gated)},
        {w.hiddenBias, "hidden_bias", 1, f, allowed(has)},
        {w.outputBias, "output_bias", 1, c, allowed(has)},
        {w.norm.gain, "norm_gain", 1, c, allowed(has && config.hasNorm())},
        {w.norm.bias, "norm_bias", 1, c, allowed(has && config.normHasBias())},
    };
    return check(all, where);
}

bool isEmpty(const AttentionWeights &weights) {
    return weights == AttentionWeights{};
}

Outcome checkLayers(const StackWeights &stack, const Config &config, bool isEncoder,
                    const std::string &where) {
    const bool crosses = !stack.layers.empty() && !isEmpty(stack.layers[0].crossAttention);
    for (std::size_t i = 0; i < stack.layers.size(); ++i) {
        const LayerWeights &layer = stack.layers[i];
        const std::string here = where + "layers[" + std::to_string(i) + "].";
        const bool cross = !isEmpty(layer.crossAttention);
        if (cross && isEncoder)
            return Error{"an encoder looks at no other sequence", here + "cross_attention",
                         "take it out"};
        if (cross != crosses)
            return Error{"some layers look at the second sequence, and some do not",
                         here + "cross_attention", "give it to every layer, or to none"};
        if (!cross || !isEmpty(layer.selfAttention))
            if (Outcome o = checkAttention(layer.selfAttention, config, here + "self_attention.");
                !o)
                return o;
        if (cross)
            if (Outcome o = checkAttention(layer.crossAttention, config, here + "cross_attention.");
                !o)
                return o;
        if (Outcome o = checkFeedForward(layer.feedForward, config, here + "feed_forward."); !o)
            return o;
    }
    return Done{};
}

Outcome checkStack(const StackWeights &s, const Config &config, bool isEncoder, Index vocabulary,
                   const std::string &where) {
    const Index c = config.width, e = config.tokenWidth();
    const bool normed = config.hasNorm();
    const bool learned = config.positions == Positions::Learned;
    const bool relative = config.positions == Positions::Relative;
    const Expected all[] = {
        {s.embeddings, "token_embeddings", vocabulary > 0 ? vocabulary : kAny, e},
        {s.positions, "position_embeddings", kAny, e, needed(learned)},
        {s.tokenTypes, "token_types", kAny, e},
        {s.embeddingNorm.gain, "embedding_norm_gain", 1, e,
         allowed(normed && config.norm.embedding)},
        {s.embeddingNorm.bias, "embedding_norm_bias", 1, e,
         allowed(config.normHasBias() && config.norm.embedding)},
        {s.embeddingProjection, "embedding_projection", e, c, needed(e != c)},
        {s.embeddingProjectionBias, "embedding_projection_bias", 1, c, allowed(e != c)},
        {s.positionBias, "position_bias", config.relative.buckets, config.heads, needed(relative)},
        {s.finalNorm.gain, "final_norm_gain", 1, c, allowed(normed && config.norm.final)},
        {s.finalNorm.bias, "final_norm_bias", 1, c,
         allowed(config.normHasBias() && config.norm.final)},
    };
    if (Outcome outcome = check(all, where); !outcome)
        return outcome;
    return checkLayers(s, config, isEncoder, where);
}

Outcome checkHead(const HeadWeights &h, const StackWeights &main, const Config &config,
                  Index vocabulary) {
    const Index c = config.width, e = config.tokenWidth();
    const HeadKind kind = config.head.kind;
    const bool masked = kind == HeadKind::MaskedLanguage, classes = kind == HeadKind::Classifier;
    const bool language = masked || kind == HeadKind::Language;
    const bool normed = masked && config.head.norm && config.hasNorm();
    const bool tied = language && !h.output;
    if (tied && !main.embeddings)
        return Error{"there is neither an output matrix nor a matrix of embeddings to tie it to",
                     "model.output_matrix", "give one of them"};
    if (tied && !masked && e != c)
        return Error{"the embeddings are " + std::to_string(e) + " wide, the last layer's output " +
                         std::to_string(c),
                     "model.output_matrix", "give the matrix"};
    const Index words = vocabulary > 0    ? vocabulary
                        : h.output        ? h.output->columns()
                        : main.embeddings ? main.embeddings->rows()
                                          : 0;
    const Expected all[] = {
        {h.transform, "head_transform", c, e, needed(masked)},
        {h.transformBias, "head_transform_bias", 1, e, allowed(masked)},
        {h.norm.gain, "head_norm_gain", 1, e, allowed(normed)},
        {h.norm.bias, "head_norm_bias", 1, e, allowed(normed && config.normHasBias())},
        {h.output, "output_matrix", masked ? e : c, words, allowed(language)},
        {h.outputBias, "output_bias", 1, words, allowed(language)},
        {h.pooler, "pooler", c, c, allowed(classes)},
        {h.poolerBias, "pooler_bias", 1, c, allowed(classes && h.pooler)},
        {h.classifier, "classifier", c, config.head.classes, needed(classes)},
        {h.classifierBias, "classifier_bias", 1, config.head.classes, allowed(classes)},
    };
    return check(all, "model.");
}

} // namespace

bool sameNumbers(const Parameter &a, const Parameter &b) {
    return a == b || (a && b && a->rows() == b->rows() && a->columns() == b->columns() &&
                      std::memcmp(a->values().data(), b->values().data(),
                                  a->values().size() * sizeof(float)) == 0);
}

Outcome validate(const Weights &weights, const Config &config, Index vocabulary,
                 Index sourceVocabulary) {
    if (Outcome o = checkStack(weights.main, config, false, vocabulary, "model."); !o)
        return o;
    if (weights.hasEncoder()) {
        const Index words = sourceVocabulary > 0 ? sourceVocabulary : vocabulary;
        if (Outcome o = checkStack(weights.encoder, config, true, words, "model.encoder."); !o)
            return o;
        if (weights.main.layers.empty() || isEmpty(weights.main.layers[0].crossAttention))
            return Error{"the decoder does not look at the encoder",
                         "model.layers[0].cross_attention",
                         "give every layer its cross_attention, or take the encoder out"};
    }
    return checkHead(weights.head, weights.main, config, vocabulary);
}

} // namespace headlight::core
