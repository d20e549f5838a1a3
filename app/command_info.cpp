#include "app/capture_source.h"
#include "app/commands.h"

#include "core/format_number.h"
#include "core/transformer/forward.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

namespace headlight::app {

namespace {

QString wordOf(core::Positions positions) {
    return positions == core::Positions::None ? "none" : "sinusoidal";
}

QString wordOf(const core::Scale &scale) {
    switch (scale.kind) {
    case core::Scale::Kind::SquareRoot:
        return "square_root";
    case core::Scale::Kind::Number:
        return QString::number(static_cast<double>(scale.number));
    case core::Scale::Kind::Off:
        return "off";
    }
    return {};
}

QString wordOf(core::HeadState state) {
    switch (state) {
    case core::HeadState::On:
        return "on";
    case core::HeadState::Zero:
        return "zero";
    case core::HeadState::Mean:
        return "mean";
    case core::HeadState::Uniform:
        return "uniform";
    }
    return {};
}

qint64 parametersOf(const core::Weights &weights) {
    qint64 count = 0;
    for (const core::LayerWeights &layer : weights.main.layers) {
        const core::AttentionWeights &a = layer.selfAttention;
        for (const core::Parameter &parameter :
             {a.query, a.key, a.value, a.output, a.queryBias, a.keyBias, a.valueBias, a.outputBias})
            if (parameter)
                count += parameter->rows() * parameter->columns();
    }
    return count;
}

template <typename Integer>
QJsonValue number(Integer value) {
    return QJsonValue(static_cast<qint64>(value));
}

QJsonArray lengthsOf(const core::Batch &batch) {
    QJsonArray lengths;
    for (const core::Sequence &sequence : batch.sequences())
        lengths.append(number(sequence.length));
    return lengths;
}

/// Name, value as JSON: the order in which they are printed.
QList<std::pair<QString, QJsonValue>> factsOf(const ui::OpenedSource &opened) {
    const core::Config &config = opened.state.model.config;
    const core::Batch &batch = *opened.state.input.batch;
    const auto &layers = opened.state.model.weights.main.layers;
    const bool projected = layers.front().selfAttention.output != nullptr;
    QJsonArray masks;
    for (const core::MaskLayer &layer : opened.state.input.masks)
        masks.append(QString::fromStdString(core::kindOf(layer)));
    QJsonArray interventions;
    for (const core::HeadIntervention &said : opened.state.input.interventions.heads)
        interventions.append(
            QString("layer %1 head %2 %3").arg(said.layer).arg(said.head).arg(wordOf(said.state)));
    for (const core::ScoreIntervention &said : opened.state.input.interventions.scores)
        interventions.append(QString("sequence %1 layer %2 head %3 score %4,%5 = %6")
                                 .arg(said.sequence)
                                 .arg(said.layer)
                                 .arg(said.head)
                                 .arg(said.query)
                                 .arg(said.key)
                                 .arg(QString::fromStdString(core::exact(said.score))));
    const auto &lesson = opened.session.lesson;
    return {
        {"source", opened.source},
        {"title", QString::fromStdString(opened.session.title)},
        {"kind", lesson ? "lesson" : "session"},
        {"steps", lesson ? number(lesson->steps.size()) : number(0)},
        {"architecture", "self-attention"},
        {"layers", number(layers.size())},
        {"heads", number(config.heads)},
        {"head_size", number(config.headSize)},
        {"width", number(config.width)},
        {"output_matrix", projected},
        {"positions", wordOf(config.positions)},
        {"scale", wordOf(config.scale)},
        {"temperature", static_cast<double>(config.temperature)},
        {"masks", masks},
        {"softmax", config.softmax},
        {"mask_value", std::isinf(config.masking.value)
                           ? QJsonValue("negative_infinity")
                           : QJsonValue(static_cast<double>(config.masking.value))},
        {"mask_after_softmax", config.masking.afterSoftmax},
        {"interventions", interventions},
        {"tokenizer", "words"},
        {"sequences", number(batch.count())},
        {"tokens", number(batch.length())},
        {"lengths", lengthsOf(batch)},
        {"parameters", parametersOf(opened.state.model.weights)},
        {"memory_bytes",
         number(core::traceBytes(opened.state.model, core::Extent(opened.state.input)))},
    };
}

QList<std::pair<QString, QJsonValue>> factsOf(const OpenedCapture &source) {
    const core::Config &config = source.trace->model().config;
    const core::Batch &batch = source.trace->batch();
    const bool isOurs = source.capture.metadata.contains("format") &&
                        source.capture.metadata.at("format") == "headlight-trace";
    QJsonArray stages, ignored, metadata;
    qint64 bytes = 0;
    for (const core::NamedTensor &stage : source.capture.stages) {
        stages.append(QString::fromStdString(stage.name));
        bytes += stage.tensor.shape().count() * static_cast<qint64>(sizeof(float));
    }
    for (const std::string &name : source.capture.ignored)
        ignored.append(QString::fromStdString(name));
    for (const auto &[name, value] : source.capture.metadata)
        if (name != "tokens" && name != "format")
            metadata.append(QString::fromStdString(name + ": " + value));
    return {
        {"source", source.opened.source},
        {"kind", isOurs ? "trace" : "capture"},
        {"metadata", metadata},
        {"architecture", "unknown"},
        {"layers", number(source.trace->model().weights.main.layers.size())},
        {"heads", number(config.heads)},
        {"head_size", config.headSize > 0 ? number(config.headSize) : QJsonValue("unknown")},
        {"width", config.width > 0 ? number(config.width) : QJsonValue("unknown")},
        {"tokenizer", "unknown"},
        {"sequences", number(batch.count())},
        {"tokens", number(batch.length())},
        {"lengths", lengthsOf(batch)},
        {"stages", stages},
        {"ignored", ignored},
        {"memory_bytes", bytes},
    };
}

QString plain(const QJsonValue &value) {
    if (value.isBool())
        return value.toBool() ? "yes" : "no";
    if (value.isArray()) {
        QStringList words;
        for (const QJsonValue &each : value.toArray())
            words << plain(each);
        return words.isEmpty() ? "none" : words.join(", ");
    }
    return value.toVariant().toString();
}

} // namespace

int runInfo(const Arguments &arguments) {
    QList<std::pair<QString, QJsonValue>> facts;
    if (isCapture(arguments)) {
        const core::Result<OpenedCapture> capture = openCapture(arguments);
        if (!capture)
            return fail(capture.error());
        facts = factsOf(*capture);
    } else {
        const core::Result<ui::OpenedSource> opened = openFor(arguments);
        if (!opened)
            return fail(opened.error());
        facts = factsOf(*opened);
    }
    if (arguments.json) {
        QJsonObject object;
        for (const auto &[name, value] : facts)
            object.insert(name, value);
        return writeOutput("-", QJsonDocument(object).toJson().toStdString());
    }
    std::string text;
    for (const auto &[name, value] : facts)
        text += oneLine(QString("%1 %2")
                            .arg(QString(name).replace('_', ' '), -16)
                            .arg(plain(value))
                            .toStdString()) +
                '\n';
    return writeOutput("-", text);
}

} // namespace headlight::app
