#include "ui/document/figure_caption.h"

#include "ui/document/mask_words.h"

#include "ui/figures/trace_heatmap.h"

#include <QCoreApplication>

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
        words << QString::fromStdString(sequence.tokens[static_cast<std::size_t>(t)]);
    return words.join(' ');
}

QStringList mechanismOf(const DocumentState &state) {
    QStringList parts;
    for (const core::MaskLayer &layer : state.input.masks)
        parts << maskName(layer);
    if (parts.isEmpty())
        parts << tr("no mask");
    const core::Config &config = state.model.config;
    if (config.scale.kind == core::Scale::Kind::Off)
        parts << tr("scores not divided by √d");
    if (config.scale.kind == core::Scale::Kind::Number)
        parts << tr("scores divided by %1").arg(static_cast<double>(config.scale.number));
    if (config.positions == core::Positions::Sinusoidal)
        parts << tr("sinusoidal positions");
    if (config.temperature != 1)
        parts << tr("temperature %1").arg(static_cast<double>(config.temperature));
    return parts;
}

} // namespace

QString suggestedCaption(const core::Session &session, const DocumentState &state,
                         const core::Selection &selection) {
    const core::Sequence &sequence =
        (*state.input.batch)[static_cast<core::Index>(selection.sequence)];
    QStringList place{titleOf(selection.stage)};
    if (state.model.weights.main.layers.size() > 1)
        place << tr("layer %1").arg(selection.layer);
    if (core::infoOf(selection.stage).perHead)
        place << tr("head %1").arg(selection.head);
    const QString what = (place + mechanismOf(state)).join(", ");
    const QString text = tr("“%1”").arg(textOf(sequence));
    const QString title = QString::fromStdString(session.title);
    // Sentences one after the other: title, text, what is shown.
    const QString words = what.left(1).toUpper() + what.mid(1) + '.';
    return title.isEmpty() ? text + ". " + words : title + ". " + text + ". " + words;
}

QString withComparison(const QString &caption, const Compared &compared) {
    const QString side = captionOf(compared);
    return side.isEmpty() ? caption
                          : tr("%1 %2.").arg(caption, side.left(1).toUpper() + side.mid(1));
}

} // namespace headlight::ui
