#include "app/commands.h"

#include "core/transformer/forward.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

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

qint64 parametersOf(const core::Weights &weights) {
    qint64 count = 0;
    for (const core::LayerWeights &layer : weights.layers) {
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

/// Name, value as JSON: the order in which they are printed.
QList<std::pair<QString, QJsonValue>> factsOf(const ui::OpenedSource &opened) {
    const core::Config &config = opened.state.model.config;
    const core::Batch &batch = *opened.state.input.batch;
    const auto &layers = opened.state.model.weights.layers;
    const bool projected = layers.front().selfAttention.output != nullptr;
    QJsonArray lengths;
    for (const core::Sequence &sequence : batch.sequences())
        lengths.append(number(sequence.length));
    QJsonArray masks;
    for (const core::MaskLayer &layer : opened.state.input.masks)
        masks.append(QString::fromStdString(core::kindOf(layer)));
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
        {"tokenizer", "words"},
        {"sequences", number(batch.count())},
        {"tokens", number(batch.length())},
        {"lengths", lengths},
        {"parameters", parametersOf(opened.state.model.weights)},
        {"memory_bytes", number(core::traceBytes(config, projected, batch.count(), batch.length(),
                                                 static_cast<core::Index>(layers.size())))},
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
    const core::Result<ui::OpenedSource> opened = openFor(arguments);
    if (!opened)
        return fail(opened.error());
    const auto facts = factsOf(*opened);
    if (arguments.json) {
        QJsonObject object;
        for (const auto &[name, value] : facts)
            object.insert(name, value);
        return writeOutput("-", QJsonDocument(object).toJson().toStdString());
    }
    QString text;
    for (const auto &[name, value] : facts)
        text += QString("%1 %2\n").arg(QString(name).replace('_', ' '), -16).arg(plain(value));
    return writeOutput("-", text.toStdString());
}

} // namespace headlight::app
