#include "app/commands.h"

#include "core/format_number.h"
#include "core/formats/capture/capture.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "core/formats/session/data/state_fields.h"
#include "core/formats/session/data/words.h"
#include "core/formats/session/writing/text.h"
#include "core/in_quotes.h"
#include "core/transformer/model/parameter_summary.h"
#include "core/transformer/plan/trace_bytes.h"
#include "ui/text/core_message.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <set>

namespace headlight::app {

namespace {

/// Returns the choice's name in session files.
template <typename Choice>
requires std::is_enum_v<Choice> QString wordOf(Choice choice) {
    const std::string_view word = core::wordFor(choice);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

/// Returns, for example, "mean, unit length"; null if the vector of a text cannot be computed.
QJsonValue sentenceOf(const core::Result<core::SentencePooling> &sentence) {
    if (!sentence)
        return {};
    return wordOf(sentence->pooling) + (sentence->isUnit ? ", unit length" : "");
}

QString normOf(const core::Norm &norm) {
    if (norm.kind == core::NormKind::None)
        return "none";
    QString words = wordOf(norm.kind) + ' ' + wordOf(norm.place);
    if (norm.embedding)
        words += ", of the embeddings";
    if (norm.final)
        words += ", final";
    if (norm.skipsFirst)
        words += ", not before the first attention";
    return words;
}

QString feedForwardOf(const core::FeedForward &network) {
    if (network.width == 0)
        return "none";
    const QString experts =
        network.hasExperts()
            ? QString(", %1 of %2 experts").arg(network.chosen).arg(network.experts) +
                  (network.hasShared()
                       ? QString(" and a shared network of %1").arg(network.sharedWidth)
                       : QString())
            : QString();
    const QString limit =
        network.limit > 0
            ? QString(" limited to %1").arg(QString::fromStdString(core::exact(network.limit)))
            : QString();
    return QString("%1 %2%3%4")
        .arg(network.width)
        .arg(wordOf(network.activation), (network.gated ? QString(" gated") : QString()) + limit,
             experts);
}

QString architectureOf(const core::Model &model) {
    if (model.hasEncoder())
        return "encoder-decoder";
    const core::Config &config = model.config;
    const bool isWhole = config.feedForward.width > 0 || config.hasNorm() || config.residual;
    if (model.hasCrossAttention())
        return isWhole ? "transformer with cross-attention" : "cross-attention";
    return isWhole ? "transformer" : "self-attention";
}

/// Counts the vocabulary entries whose text is not unique.
core::Index wordsAlike(const core::Model &model) {
    core::Index count = 0;
    for (core::Index id = 0; model.vocabulary && id < model.vocabulary->size(); ++id)
        count += model.vocabulary->readsLikeAnother(id);
    return count;
}

QJsonArray kindsOf(const core::MaskLayers &layers) {
    QJsonArray kinds;
    for (const core::MaskLayer &layer : layers)
        kinds.append(QString::fromStdString(core::kindOf(layer)));
    return kinds;
}

QString wordOf(const core::Scale &scale) {
    switch (scale.kind) {
    case core::Scale::Kind::SquareRoot:
        return "square_root";
    case core::Scale::Kind::Number:
        return QString::fromStdString(core::exact(scale.number));
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

/// Returns a prefix such as "decoder cross layer 1 " or "layer 1 ".
QString placeOf(core::AttentionId attention) {
    QString words;
    if (attention.stack != core::Stack::Main)
        words += ui::asWord(core::wordOf(attention.stack)) + ' ';
    if (attention.block == core::Block::CrossAttention)
        words += "cross ";
    return words + QString("layer %1").arg(attention.layer);
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

QJsonArray textsOf(const std::vector<core::Warning> &warnings) {
    QJsonArray texts;
    for (const core::Warning &warning : warnings)
        texts.append(ui::translated(warning));
    return texts;
}

/// Names and JSON values, in print order.
using Facts = QList<std::pair<QString, QJsonValue>>;

/// Adds every switch that is not in `facts` and differs from its default, with its name in session
/// files.
void addOtherSwitches(Facts &facts, const core::Config &config) {
    const core::Config usual;
    core::forEachField(core::kSwitches, [&](const auto &field) {
        const bool isSet = std::ranges::any_of(
            facts, [&field](const auto &fact) { return fact.first == field.name; });
        if (isSet || config.*field.place == usual.*field.place)
            return;
        const std::string value = "[" + core::textOfSwitch(config, field.name) + "]";
        facts << std::pair{QString(field.name),
                           QJsonDocument::fromJson(QByteArray::fromStdString(value)).array()[0]};
    });
}

Facts sizesOfHeads(const core::Config &config, const QString &prefix) {
    Facts facts{
        {prefix + "heads", number(config.heads)},
        {prefix + "key_value_heads", number(config.groups())},
        {prefix + "head_size", number(config.headSize)},
    };
    if (config.valueWidth() != config.headSize)
        facts << std::pair{prefix + "value_size", number(config.valueWidth())};
    return facts;
}

QString tokenizerOf(const core::Session &session) {
    if (!session.pretrained)
        return "words";
    if (session.pretrained->picture)
        return "none: it reads pictures";
    if (session.pretrained->sound && session.model.reader)
        return "the folder's own, for transcripts; it reads audio";
    if (!session.model.reader)
        return "none: tokens are their ids";
    return core::isNoFolder(session.pretrained->path) ? "the file's own" : "the folder's own";
}

/// Returns the facts of a model in a folder or a GGUF file.
Facts folderFacts(const core::PretrainedFolder &folder) {
    const auto textOf = [](std::string_view text) {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    };
    QJsonArray memory, types;
    const core::Model &model = folder.model;
    for (const std::string &type : folder.numberTypes)
        types.append(textOf(type));
    const core::Index most = core::maxTokens(model);
    const auto say = [&](core::Index tokens) {
        const core::Extent extent(1, tokens, model.hasCrossAttention() ? tokens : 0);
        memory.append(QJsonObject{{"tokens", number(tokens)},
                                  {"bytes", number(core::heldBytes(model, extent))}});
    };
    for (core::Index tokens = 16; tokens < most; tokens *= 8)
        say(tokens);
    if (most > 0)
        say(most);
    QJsonArray windows; // without duplicates; a layer without a window sees all positions
    for (const core::Index window :
         std::set(model.config.windows.begin(), model.config.windows.end()))
        if (window > 0)
            windows.append(number(window));
    return {
        {"family", textOf(folder.family->name)},
        {"paper", textOf(folder.family->paper)},
        {"model_type", QString::fromStdString(folder.modelType)},
        {"numbers", types},
        {"embeddings_tensor", textOf(folder.embeddingsTensor)},
        {"output_tensor", folder.outputTensor.empty() ? QJsonValue(QJsonValue::Null)
                                                      : QJsonValue(textOf(folder.outputTensor))},
        {"file_bytes", number(folder.bytes)},
        {"longest_text", number(most)},
        {"longest_text_by_config",
         folder.declaredPositions ? number(*folder.declaredPositions) : QJsonValue()},
        {"sliding_window",
         model.config.chunkedWindows || windows.isEmpty() ? QJsonValue() : QJsonValue(windows)},
        {"attention_chunk",
         !model.config.chunkedWindows || windows.isEmpty() ? QJsonValue() : QJsonValue(windows)},
        {"memory_of_texts", memory},
    };
}

Facts factsOf(const ui::OpenedSource &opened) {
    const core::Model &model = opened.state.model;
    const core::Config &config = model.config;
    const core::Input &input = opened.state.input;
    const core::Batch &batch = *input.batch;
    const std::vector<core::AttentionId> attentions = model.attentions();
    const bool projected =
        !attentions.empty() && model.attentionParameters(attentions.front()).output != nullptr;
    QJsonArray interventions;
    for (const core::HeadIntervention &intervention : opened.state.input.interventions.heads)
        interventions.append(QString("%1 head %2 %3")
                                 .arg(placeOf(intervention.attention()))
                                 .arg(intervention.head)
                                 .arg(wordOf(intervention.state)));
    for (const core::ScoreIntervention &intervention : opened.state.input.interventions.scores)
        interventions.append(QString("sequence %1 %2 head %3 score %4,%5 = %6")
                                 .arg(intervention.sequence)
                                 .arg(placeOf(intervention.attention()))
                                 .arg(intervention.head)
                                 .arg(intervention.query)
                                 .arg(intervention.key)
                                 .arg(QString::fromStdString(core::exact(intervention.score))));
    const auto &lesson = opened.session.lesson;
    Facts facts{
        {"source", opened.source},
        {"title", QString::fromStdString(opened.session.title)},
        {"kind", lesson                      ? "lesson"
                 : opened.session.pretrained ? "pretrained model"
                                             : "session"},
        {"steps", lesson ? number(lesson->steps.size()) : number(0)},
        {"architecture", architectureOf(model)},
        {"layers", number(model.layerCount())},
        {"own_layers", number(model.parameters.main.layers.size())},
    };
    if (model.hasEncoder())
        facts << std::pair{QString("encoder_layers"),
                           number(model.layerCount(core::Stack::Encoder))};
    facts += sizesOfHeads(config, QString());
    if (config.encoder != core::EncoderSizes{}) {
        const core::Config encoder = config.ofEncoder();
        facts += sizesOfHeads(encoder, "encoder_");
        facts << std::pair{QString("encoder_feed_forward"), feedForwardOf(encoder.feedForward)};
    }
    facts += Facts{
        {"width", number(config.width)},
        {"embedding_width", number(config.tokenWidth())},
        {"attention_output_matrix", projected}, // true if the model has W_O
        {"norm", normOf(config.norm)},
        {"residual", config.residual},
        {"feed_forward", feedForwardOf(config.feedForward)},
        {"positions", wordOf(config.positions)},
        {"scale", wordOf(config.scale)},
        {"temperature", static_cast<double>(config.temperature)},
        {"masks", kindsOf(input.masks)},
    };
    if (model.hasEncoder())
        facts << std::pair{QString("encoder_masks"), QJsonValue(kindsOf(input.encoderMasks))};
    if (model.hasCrossAttention())
        facts << std::pair{QString("cross_masks"), QJsonValue(kindsOf(input.crossMasks))};
    facts += Facts{
        {"softmax", config.softmax},
        {"sinks",
         std::ranges::any_of(
             attentions, [&](core::AttentionId attention) { return model.hasSinks(attention); })},
        {"distances", number(config.disentangled.table.rows())},
        {"short_vector", number(config.latent.keyValueSize)},
        {"mask_value", std::isinf(config.masking.value)
                           ? QJsonValue("negative_infinity")
                           : QJsonValue(static_cast<double>(config.masking.value))},
        {"mask_after_softmax", config.masking.afterSoftmax},
        {"interventions", interventions},
        {"tokenizer", tokenizerOf(opened.session)},
        {"vocabulary", model.vocabulary ? number(model.vocabulary->size()) : QJsonValue("none")},
        {"words_alike", number(wordsAlike(model))},
        {"head", wordOf(config.outputLayer.kind)},
        {"sequences", number(batch.count())},
        {"tokens", number(batch.length())},
        {"lengths", lengthsOf(batch)},
    };
    addOtherSwitches(facts, config);
    if (opened.session.pretrained)
        facts += folderFacts(*opened.session.pretrained);
    if (opened.session.pretrained && opened.session.pretrained->tower)
        facts << std::pair{QString("tower"), QJsonValue(wordOf(*opened.session.pretrained->tower))};
    if (opened.session.pretrained && opened.session.pretrained->sentence)
        facts << std::pair{QString("sentence_vector"),
                           sentenceOf(*opened.session.pretrained->sentence)};
    if (input.source)
        facts += Facts{
            {"source_tokens", number(input.source->length())},
            {"source_lengths", lengthsOf(*input.source)},
        };
    facts += Facts{
        {"parameters", number(core::parameterCount(model.parameters))},
        {"memory_bytes", number(core::heldBytes(model, core::Extent(input)))},
        {"warnings", textsOf(opened.session.warnings)},
    };
    return facts;
}

/// Returns the distinct head counts of a capture's attention modules: "8, 12".
QJsonValue headsOf(const core::Model &model) {
    std::set<core::Index> counts;
    for (const core::AttentionId attention : model.attentions())
        counts.insert(model.headsOf(attention));
    if (counts.size() == 1)
        return number(*counts.begin());
    QJsonArray all;
    for (const core::Index count : counts)
        all.append(number(count));
    return counts.empty() ? QJsonValue("unknown") : QJsonValue(all);
}

Facts captureFacts(const ui::OpenedSource &opened) {
    const core::Capture &capture = *opened.session.capture->content;
    const core::Trace &trace = *opened.session.capture->trace;
    const core::Model &model = trace.model();
    const core::Config &config = model.config;
    const core::Batch &batch = trace.batch();
    const bool isOurs =
        capture.metadata.contains("format") && capture.metadata.at("format") == "headlight-trace";
    QJsonArray stages, ignored, metadata, types;
    for (const core::CapturedStage &stage : capture.stages)
        stages.append(QString::fromStdString(stage.name));
    for (const std::string &name : capture.ignored)
        ignored.append(
            QString::fromStdString(name).left(static_cast<qsizetype>(core::kTensorNameShown)));
    for (const std::string &type : capture.types())
        types.append(QString::fromStdString(type));
    for (const auto &[name, value] : capture.metadata)
        if (name != "tokens" && name != "format" && name != "source_tokens" &&
            name != "target_tokens")
            metadata.append(QString::fromStdString(name + ": " + value));
    return {
        {"source", opened.source},
        {"kind", isOurs ? "trace" : "capture"},
        {"metadata", metadata},
        {"architecture", "unknown"},
        {"layers", number(model.parameters.main.layers.size())},
        {"encoder_layers", number(model.parameters.encoder.layers.size())},
        {"heads", headsOf(model)},
        {"key_value_heads", number(config.groups())},
        {"head_size", config.headSize > 0 ? number(config.headSize) : QJsonValue("unknown")},
        {"width", config.width > 0 ? number(config.width) : QJsonValue("unknown")},
        {"tokenizer", capture.countsTokens ? "none: the tokens are numbers" : "unknown"},
        {"sequences", number(batch.count())},
        {"tokens", number(batch.length())},
        {"lengths", lengthsOf(batch)},
        {"source_tokens", number(trace.input().source ? trace.input().source->length() : 0)},
        {"numbers", types},
        {"stages", stages},
        {"ignored", ignored},
        {"memory_bytes", number(capture.bytes())},
        {"is_read_in_parts", trace.source() != nullptr},
        {"numbers_checked", trace.source() == nullptr},
        {"warnings", textsOf(opened.session.warnings)},
    };
}

/// Formats a value for people. `between` separates the members of an object.
QString plain(const QJsonValue &value, const QString &between = ", ") {
    if (value.isNull())
        return QString::fromUtf8(core::kNoNumber.data(), qsizetype(core::kNoNumber.size()));
    if (value.isBool())
        return value.toBool() ? "yes" : "no";
    if (value.isArray()) {
        QStringList words;
        for (const QJsonValue &each : value.toArray())
            words << plain(each, " ");
        return words.isEmpty() ? "none" : words.join(", ");
    }
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        QStringList words;
        for (const QString &name : object.keys())
            words << QString("%1 %2").arg(QString(name).replace('_', ' '), plain(object[name]));
        return words.join(between);
    }
    return value.toVariant().toString();
}

} // namespace

int runInfo(const Arguments &arguments) {
    const core::Result<ui::OpenedSource> opened = openFor(arguments);
    if (!opened)
        return fail(opened.error());
    const Facts facts = opened->session.capture ? captureFacts(*opened) : factsOf(*opened);
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
