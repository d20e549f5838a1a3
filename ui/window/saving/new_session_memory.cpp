#include "ui/window/saving/new_session_memory.h"

#include "core/formats/session/data/words.h"

#include <QSettings>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

QString wordOf(NewKind kind) {
    switch (kind) {
    case NewKind::AttentionOnly:
        break;
    case NewKind::Encoder:
        return QStringLiteral("encoder");
    case NewKind::Decoder:
        return QStringLiteral("decoder");
    case NewKind::EncoderDecoder:
        return QStringLiteral("encoder-decoder");
    case NewKind::CrossAttention:
        return QStringLiteral("cross-attention");
    }
    return QStringLiteral("attention-only");
}

template <typename Choice>
QString word(Choice choice) {
    const std::string_view word = core::wordFor(choice);
    return QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
}

/// Reads an enumerator. Keeps the old value if the setting is missing or unknown.
template <typename Choice>
void read(const QSettings &settings, const char *name, Choice &choice) {
    const std::string word = settings.value(name).toString().toStdString();
    const auto &all = core::Words<Choice>::all;
    if (const auto found = std::find(std::begin(all), std::end(all), word); found != std::end(all))
        choice = static_cast<Choice>(found - std::begin(all));
}

void read(const QSettings &settings, const char *name, bool &flag) {
    flag = settings.value(name, flag).toBool();
}

void read(const QSettings &settings, const char *name, core::Softcap &cap) {
    const float limit = settings.value(name, cap.limit).toFloat();
    if (std::isfinite(limit) && limit >= 0)
        cap.limit = limit;
}

template <typename Number>
void readNumber(const QSettings &settings, const char *name, Number &number) {
    bool isNumber = false;
    const qlonglong read = settings.value(name).toLongLong(&isNumber);
    if (isNumber && read >= 0)
        number = static_cast<Number>(read);
}

} // namespace

NewKind rememberedKind() {
    const QString word = QSettings().value("newSession/kind").toString();
    const auto found = std::find_if(kNewKinds.begin(), kNewKinds.end(),
                                    [&word](NewKind kind) { return wordOf(kind) == word; });
    return found == kNewKinds.end() ? NewKind::AttentionOnly : *found;
}

NewSession rememberedSession(NewKind kind) {
    NewSession session = usualSession(kind);
    QSettings settings;
    settings.beginGroup("newSession/" + wordOf(kind));
    readNumber(settings, "layers", session.layers);
    readNumber(settings, "width", session.width);
    readNumber(settings, "heads", session.heads);
    readNumber(settings, "keyValueHeads", session.keyValueHeads);
    readNumber(settings, "valueSize", session.valueSize);
    readNumber(settings, "seed", session.seed);
    readNumber(settings, "feedForward", session.feedForward.width);
    read(settings, "positions", session.positions);
    session.slopes = settings.value("slopes").toString();
    session.windows = settings.value("windows").toString();
    readNumber(settings, "encoderHeads", session.encoderHeads);
    readNumber(settings, "encoderFeedForward", session.encoderFeedForward);
    read(settings, "norm", session.norm);
    read(settings, "normPlace", session.normPlace);
    read(settings, "queryKeyNorm", session.queryKeyNorm);
    read(settings, "parallel", session.parallel);
    read(settings, "sharedNorm", session.sharedNorm);
    read(settings, "scoreCap", session.scoreCap);
    read(settings, "logitCap", session.logitCap);
    read(settings, "activation", session.feedForward.activation);
    read(settings, "gated", session.feedForward.gated);
    read(settings, "residual", session.residual);
    return session;
}

void rememberSession(const NewSession &made) {
    QSettings settings;
    settings.setValue("newSession/kind", wordOf(made.kind));
    settings.beginGroup("newSession/" + wordOf(made.kind));
    settings.setValue("layers", made.layers);
    settings.setValue("width", made.width);
    settings.setValue("heads", made.heads);
    settings.setValue("keyValueHeads", made.keyValueHeads);
    settings.setValue("valueSize", made.valueSize);
    settings.setValue("seed", made.seed);
    settings.setValue("feedForward", static_cast<qlonglong>(made.feedForward.width));
    settings.setValue("positions", word(made.positions));
    settings.setValue("slopes", made.slopes);
    settings.setValue("windows", made.windows);
    settings.setValue("encoderHeads", made.encoderHeads);
    settings.setValue("encoderFeedForward", made.encoderFeedForward);
    settings.setValue("norm", word(made.norm));
    settings.setValue("normPlace", word(made.normPlace));
    settings.setValue("queryKeyNorm", word(made.queryKeyNorm));
    settings.setValue("parallel", made.parallel);
    settings.setValue("sharedNorm", made.sharedNorm);
    settings.setValue("scoreCap", made.scoreCap.limit);
    settings.setValue("logitCap", made.logitCap.limit);
    settings.setValue("activation", word(made.feedForward.activation));
    settings.setValue("gated", made.feedForward.gated);
    settings.setValue("residual", made.residual);
}

} // namespace headlight::ui
