// The initial model is similar to GPT-2 (Radford et al. 2019): pre-norm, a final norm, and output
// matrices of blocks scaled down by the square root of the number of blocks. GPT-2's deviation of
// 0.02 suits a width of 768, about 1/√768. Here a matrix of n rows has deviation 1/√n (LeCun et al.
// 1998), which also works for a width of 8.
#include "core/random.h"
#include "core/training/recipe/architecture.h"
#include "core/training/recipe/character_reader.h"
#include "core/training/recipe/task_info.h"
#include "core/transformer/model/parameter_table.h"

#include <cmath>

namespace headlight::core {

namespace {

Config configFor(const TaskInfo &task, const Architecture &architecture) {
    Config config;
    config.width = architecture.width;
    config.heads = architecture.heads;
    config.headSize = architecture.width / architecture.heads;
    config.scale.kind = architecture.scaled ? Scale::Kind::SquareRoot : Scale::Kind::Off;
    config.positions = architecture.positions;
    config.norm.kind = architecture.norm;
    config.norm.final = architecture.norm != NormKind::None;
    config.residual = architecture.residual;
    config.feedForward = {architecture.feedForward, architecture.activation, false};
    if (task.asks == TargetPositions::Class) {
        // The class is read from the last token: in "on the river bank", the ambiguous word.
        config.outputLayer.kind = OutputLayerKind::Classifier;
        config.outputLayer.pooling = Pooling::Last;
        config.outputLayer.classes = static_cast<Index>(task.classes.size());
    } else {
        config.outputLayer.kind = OutputLayerKind::Language;
    }
    return config;
}

/// True if trained models have the parameter. Attention has no biases, as in the usual figures of
/// Q, K and V. It learns just as well without them.
bool isLearned(const ParameterId &id, const Model &model) {
    switch (id.which) {
    case ParameterKind::TokenTypes:
    case ParameterKind::QueryBias:
    case ParameterKind::KeyBias:
    case ParameterKind::ValueBias:
    case ParameterKind::OutputBias:
    case ParameterKind::Sinks:
    case ParameterKind::OutputMatrixBias:
    case ParameterKind::Pooler:
    case ParameterKind::PoolerBias:
    case ParameterKind::DistillationClassifier:
    case ParameterKind::DistillationClassifierBias:
    case ParameterKind::Projection:
        return false;
    default:
        break;
    }
    const bool crosses = partOf(id.which) == ParameterPart::Attention && //
                         id.block == Block::CrossAttention;
    if (crosses && (!model.hasEncoder() || id.stack == Stack::Encoder))
        return false;
    return hasPlaceFor(model.config, id);
}

/// Returns the standard deviation of a matrix. Other parameters are not random.
double deviationOf(const ParameterId &id, Index rows, const Model &model) {
    const Config &config = model.config;
    switch (id.which) {
    case ParameterKind::Embeddings:
    case ParameterKind::Positions:
        return 1 / std::sqrt(static_cast<double>(config.width)); // so that vectors have norm ≈ 1
    case ParameterKind::PositionBias:
        return 0.02;
    case ParameterKind::Output:
    case ParameterKind::FeedForwardOutput: {
        if (!config.residual)
            break;
        const bool crosses = model.hasEncoder() && id.stack != Stack::Encoder;
        const Index blocks = 1 + (crosses ? 1 : 0) + (config.feedForward.width > 0 ? 1 : 0);
        const Index layers = std::ssize(model.parameters.main.layers);
        return 1 / std::sqrt(static_cast<double>(rows * blocks * layers));
    }
    default:
        break;
    }
    return 1 / std::sqrt(static_cast<double>(rows));
}

struct Shape {
    Index rows = 0;
    Index columns = 0;
};

Shape shapeOf(const ParameterId &id, const TaskInfo &task, const Config &config) {
    const bool isSource = id.stack == Stack::Encoder;
    const auto words = static_cast<Index>((isSource ? task.sourceWords : task.words).size());
    const ParameterInfo &info = infoOf(id.which);
    if (id.which == ParameterKind::Positions)
        return {isSource ? task.sourceLength : task.length, info.columns(config, words)};
    return {info.rows(config, words), info.columns(config, words)};
}

/// Returns the initial values. They depend only on the parameter's name and the seed, not on other
/// parameters of the model.
Matrix firstNumbers(const ParameterId &id, const Shape &shape, const Model &model,
                    std::uint64_t seed) {
    Matrix matrix(shape.rows, shape.columns);
    const ParameterForm form = infoOf(id.which).form;
    const bool isDrawn = form == ParameterForm::Matrix;
    const double deviation = isDrawn ? deviationOf(id, shape.rows, model) : 0;
    Random random(seedFor(seed, nameOf(id)));
    for (Index row = 0; row < shape.rows; ++row)
        for (float &number : matrix.view().row(row))
            number = isDrawn ? static_cast<float>(random.normal() * deviation)
                     : form == ParameterForm::NormGain ? 1.0f
                                                       : 0.0f;
    return matrix;
}

} // namespace

Result<Model> initialModel(const TaskInfo &task, const Architecture &architecture,
                           std::uint64_t seed) {
    if (Outcome valid = validate(architecture); !valid)
        return valid.error();
    Model model;
    model.config = configFor(task, architecture);
    if (Outcome valid = validate(model.config); !valid)
        return valid.error();
    Embeddings::Given none;
    none.width = model.config.width;
    model.embeddings = std::make_shared<const Embeddings>(std::move(none));
    const auto layers = static_cast<std::size_t>(architecture.layers);
    model.parameters.main.layers.resize(layers);
    Result<VocabularyPointer> words = Vocabulary::create(task.words);
    if (!words)
        return words.error();
    model.vocabulary = *words;
    model.answersInPlace = task.answersInPlace;
    if (task.readsCharacters)
        model.reader = characterReader(model.vocabulary);
    if (task.asks == TargetPositions::Translation) {
        model.parameters.encoder.layers.resize(layers);
        words = Vocabulary::create(task.sourceWords);
        if (!words)
            return words.error();
        model.sourceVocabulary = *words;
    }

    std::vector<std::pair<ParameterId, Shape>> learned;
    Index numbers = 0;
    for (const ParameterId &id : allParameters(model.parameters))
        if (isLearned(id, model)) {
            learned.emplace_back(id, shapeOf(id, task, model.config));
            numbers += learned.back().second.rows * learned.back().second.columns;
        }
    if (numbers > kMaxLearnedNumbers)
        return Error{{"%1 parameters are too many to train here", numbers},
                     "recipe.architecture.width",
                     {"make it smaller: at most %1", kMaxLearnedNumbers}};
    for (const auto &[id, shape] : learned)
        parameterOf(model.parameters, id) = makeParameter(firstNumbers(id, shape, model, seed));
    return model;
}

} // namespace headlight::core
