#include "ui/document/figure_caption.h"

#include "core/formats/capture/capture.h"
#include "ui/text/attention_names.h"
#include "ui/text/mask_text.h"
#include "ui/text/one_line.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("FigureCaption", text);
}

QString textOf(const core::Sequence &sequence) {
    if (!sequence.text.empty())
        return QString::fromStdString(sequence.text).simplified();
    QStringList words;
    for (core::Index t = 0; t < sequence.length; ++t)
        words << QString::fromStdString(sequence[t].text);
    // Subword tokens already contain their spaces.
    const bool areSpaced = std::any_of(words.begin(), words.end(),
                                       [](const QString &word) { return word.startsWith(' '); });
    return areSpaced ? words.join(QString()).simplified() : words.join(' ');
}

QStringList mechanismOf(const DocumentState &state, const core::Selection &selection) {
    // A capture does not record how it was computed.
    if (state.model.isCaptured())
        return {};
    QStringList parts;
    for (const core::MaskLayer &layer :
         core::maskLayersOf(state.model.config, state.input, selection.attention()))
        parts << maskName(layer);
    if (parts.isEmpty())
        parts << tr("no mask");
    const core::Config &config = state.model.config;
    if (config.scale.kind == core::Scale::Kind::Off)
        parts << tr("scores not divided by √d");
    if (config.scale.kind == core::Scale::Kind::Number)
        parts << tr("scores divided by %1").arg(static_cast<double>(config.scale.number));
    if (config.scoreCap.isOn())
        parts << tr("scores capped at %1").arg(static_cast<double>(config.scoreCap.limit));
    if (config.positions == core::Positions::Sinusoidal)
        parts << tr("sinusoidal positions");
    if (config.temperature != 1)
        parts << tr("temperature %1").arg(static_cast<double>(config.temperature));
    // Lists heads of all layers, because earlier layers affect the displayed one.
    QStringList silenced, replaced;
    for (const core::HeadIntervention &each : state.input.interventions.heads)
        (each.state == core::HeadState::Zero ? silenced : replaced)
            << tr("%1.%2").arg(each.layer).arg(each.head);
    if (!silenced.isEmpty())
        parts << tr("silenced heads: %1").arg(listed(silenced));
    if (!replaced.isEmpty())
        parts << tr("replaced heads: %1").arg(listed(replaced));
    if (!state.input.interventions.scores.empty())
        parts << tr("overridden scores");
    return parts;
}

} // namespace

QString suggestedCaption(const core::Session &session, const DocumentState &state,
                         const core::Selection &selection) {
    QStringList place{titleOf(selection.stage)};
    const core::Part part = core::infoOf(selection.stage).part;
    if (const QString where = attentionName(state.model, selection.attention());
        !where.isEmpty() && part != core::Part::OutputLayer)
        place << where;
    if (core::infoOf(selection.stage).perHead)
        place << tr("head %1").arg(selection.head);
    const QString what = enumerated(place + mechanismOf(state, selection));
    const bool isNamed = !session.capture || !session.capture->content->countsTokens;
    QString text;
    if (isNamed)
        text = tr("“%1”").arg(textOf((*state.input.batch)[selection.sequence]));
    if (isNamed && state.input.source) // the text with the queries, and the text attended to
        text = tr("%1, attending to “%2”")
                   .arg(text, textOf((*state.input.source)[selection.sequence]));
    const QString title = oneLine(session.title);
    // A title may end in a question mark.
    return sentences({ended(title), ended(text), ended(what.left(1).toUpper() + what.mid(1))});
}

QString withComparison(const QString &caption, const Compared &compared) {
    const QString side = captionOf(compared);
    return side.isEmpty() ? caption
                          : tr("%1 %2.").arg(caption, side.left(1).toUpper() + side.mid(1));
}

} // namespace headlight::ui
