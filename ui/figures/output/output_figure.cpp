#include "ui/figures/output/output_figure.h"

#include "core/selection/selected.h"
#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/text/text.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using LineText = FigureStyle::Text;

constexpr int kMaxLines = 6;        // lines of text if there is much space
constexpr double kTextShare = 0.36; // relative to the height
constexpr std::size_t kNaturalBars = 12;
constexpr std::size_t kMinBars = 3;
constexpr double kPartGap = 6;

QString likelyWords(const OutputContent::Bar &bar, bool hasChange) {
    const QString words =
        OutputFigure::tr("“%1” %2").arg(bar.name, percentText(double(bar.probability)));
    return hasChange && bar.before
               ? OutputFigure::tr("%1 (%2 points)")
                     .arg(words, pointsText(double(bar.probability) - double(*bar.before)))
               : words;
}

QString placeOf(core::Index rank, core::Index words) {
    return OutputFigure::tr("rank %1 of %2").arg(rank).arg(words);
}

} // namespace

OutputFigure OutputFigure::fromTrace(const core::TracePointer &trace,
                                     const core::Selection &selection, const FigureStyle &style,
                                     const FigureOptions &options,
                                     const std::optional<GivenOutput> &given) {
    OutputContent content = outputContentOf(trace, selection, options, given);
    const ShownRun run = shownRun(trace, selection, options.compared);
    const bool ofOutput = core::infoOf(selection.stage).part == core::Part::OutputLayer &&
                          haveSameWords(run.trace->model(), trace->model());
    return {std::move(content), ofOutput ? selection.dimension : std::nullopt, style};
}

QSizeF OutputFigure::naturalSize() const {
    const double text = outputTextHeight(m_style, 2) + 2 * kCardPadding;
    const std::size_t count = std::min(kNaturalBars, m_content.bars.size());
    const double bars = outputBarsHeight(m_content, m_style, count) + 2 * kCardPadding;
    const double titles = 2 * lineHeight(m_style.font(LineText::Title)) + 3 * kFigureMargin;
    return {std::max(720.0, m_style.scaled(640)),
            std::ceil(titles + text + bars + kFigureMargin + m_style.scaled(24))};
}

QSizeF OutputFigure::minimumSize() const {
    const double bars = outputBarsHeight(m_content, m_style, kMinBars) + 2 * kCardPadding;
    const double text = outputTextHeight(m_style, 1) + 2 * kCardPadding;
    return {m_style.scaled(180), std::ceil(text + bars + m_style.scaled(90) + 3 * kFigureMargin)};
}

bool OutputFigure::hasWritten() const {
    return std::ranges::any_of(m_content.chips, &OutputContent::Chip::isWritten);
}

QString OutputFigure::noteText() const {
    return hasWritten() ? tr("Underlined: written by the model.") : QString();
}

OutputGeometry OutputFigure::placed(const QRectF &area) const {
    OutputGeometry places;
    places.area = area;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    const double small = lineHeight(m_style.font(LineText::Label));
    places.title = QRectF(inner.left(), inner.top(), inner.width(),
                          lineHeight(m_style.font(LineText::Title, true)));
    places.subtitle = QRectF(inner.left(), places.title.bottom() + 2, inner.width(), small);
    if (!m_content.nothing.isEmpty())
        return places;
    double top = places.subtitle.bottom() + 10;
    const double textWidth = inner.width() - 2 * kCardPadding;
    const double oneLine = outputTextHeight(m_style, 1);
    const double eachLine = outputTextHeight(m_style, 2) - oneLine;
    const double note = noteText().isEmpty() ? 0 : small + m_style.scaled(kPartGap);
    const double least = outputBarsHeight(m_content, m_style, kMinBars) + 2 * kCardPadding;
    const double textRoom =
        std::min(kTextShare * inner.height(),
                 inner.bottom() - top - least - kFigureMargin - 2 * kCardPadding - note);
    const int lines =
        std::clamp(1 + static_cast<int>(std::floor((textRoom - oneLine) / eachLine)), 1, kMaxLines);
    places.text = outputTextGeometry(
        m_content, m_style, {inner.left() + kCardPadding, top + kCardPadding}, textWidth, lines);
    double bottom = places.text.area.bottom();
    if (note > 0) {
        places.note =
            QRectF(places.text.area.left(), bottom + m_style.scaled(kPartGap), textWidth, small);
        bottom = places.note.bottom();
    }
    places.textCard =
        QRectF(inner.left(), top, inner.width(), std::ceil(bottom + kCardPadding - top));
    top = places.textCard.bottom() + kFigureMargin;
    places.barsCard = QRectF(inner.left(), top, inner.width(), std::max(0.0, inner.bottom() - top));
    QRectF bars =
        places.barsCard.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding);
    if (!m_content.otherName.isEmpty()) {
        places.key = QRectF(bars.left(), bars.top(), bars.width(), small);
        bars.setTop(places.key.bottom() + m_style.scaled(kPartGap));
    }
    places.bars = outputBarsGeometry(m_content, m_style, bars);
    const double end =
        places.bars.rest.isNull() ? places.bars.plot.bottom() : places.bars.rest.bottom();
    if (!places.bars.rows.empty())
        places.barsCard.setBottom(std::min(inner.bottom(), std::ceil(end + kCardPadding)));
    return places;
}

void OutputFigure::paint(QPainter &painter, const QRectF &area, Device) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const OutputGeometry places = geometry(area);
    const QFont label = m_style.font(LineText::Label);
    drawLine(painter, places.title, Qt::AlignLeft, m_content.title,
             m_style.font(LineText::Title, true), m_style.text);
    if (!m_content.nothing.isEmpty()) {
        drawWrapped(painter,
                    QRectF(places.subtitle.left(), places.subtitle.top() + 8,
                           places.subtitle.width(), area.bottom() - places.subtitle.top()),
                    Qt::AlignLeft, m_content.nothing, m_style.font(LineText::Body),
                    m_style.mutedText);
        painter.restore();
        return;
    }
    drawLine(painter, places.subtitle, Qt::AlignLeft,
             firstParts(m_content.subtitle, label, places.subtitle.width()), label,
             m_style.mutedText);
    for (const QRectF &card : {places.textCard, places.barsCard})
        paintCard(painter, card.adjusted(0.5, 0.5, -0.5, -0.5), QPen(m_style.border, 1), 8,
                  m_style);
    paintOutputText(painter, places.text, m_content, m_style);
    if (!places.note.isNull())
        drawLine(painter, places.note, Qt::AlignLeft, noteText(), label, m_style.mutedText);
    if (!places.key.isNull())
        drawSpans(painter, places.key,
                  {{m_content.name, mixed(m_style.accent, m_style.text, 0.8), true},
                   {QStringLiteral(" · "), m_style.mutedText},
                   {m_content.otherName, m_style.mutedText, true},
                   {tr(" (thin)"), m_style.mutedText}},
                  label);
    paintOutputBars(painter, places.bars, m_content, m_style, m_selected);
    painter.restore();
}

void OutputFigure::completeWords(const std::vector<core::RestOfWord> &rests) {
    m_content.completeWords(rests);
    m_placed = {}; // place everything again, because the names may be wider
}

const OutputContent::Bar &OutputFigure::bar(const OutputGeometry &places, std::size_t row) const {
    return row < places.bars.rows.size() ? m_content.bars[row] : *m_content.stands;
}

QString OutputFigure::words(const OutputContent::Bar &bar) const {
    QStringList facts{
        tr("“%1”: probability %2").arg(bar.name, percentText(double(bar.probability))),
        tr("logit %1").arg(fullText(bar.logit)), placeOf(bar.rank, m_content.words)};
    if (bar.before)
        facts << labelled(m_content.otherName, percentText(double(*bar.before)));
    if (bar.isInText)
        facts << tr("the actual next token in the text");
    if (!bar.rest.isEmpty())
        facts << tr("most probably continued as “%1”").arg(bar.name + bar.rest);
    return enumerated(facts);
}

QString OutputFigure::words(core::Index chip) const {
    if (chip < 0 || chip > std::ssize(m_content.chips))
        return {};
    if (chip == std::ssize(m_content.chips))
        return tr("The token to be generated");
    const OutputContent::Chip &shown = m_content.chips[static_cast<std::size_t>(chip)];
    const QString what = shown.isWritten
                             ? tr("token %1, “%2”, written by the model").arg(chip).arg(shown.text)
                             : tr("token %1, “%2”").arg(chip).arg(shown.text);
    if (m_content.about == OutputContent::About::Class)
        return what;
    if (m_content.about == OutputContent::About::NextToken && chip == 0)
        return labelled(what, tr("the model starts with this token"));
    return labelled(what, shown.isWritten ? tr("click to see how this token was chosen")
                                          : tr("click to see the model's prediction here"));
}

QString OutputFigure::description() const {
    if (!m_content.nothing.isEmpty())
        return labelled(m_content.title, m_content.nothing);
    QStringList likely;
    for (std::size_t i = 0; i < std::min<std::size_t>(5, m_content.bars.size()); ++i)
        likely << likelyWords(m_content.bars[i], m_content.showsChanges);
    return labelled(labelled(m_content.title, m_content.subtitle), enumerated(likely));
}

} // namespace headlight::ui
