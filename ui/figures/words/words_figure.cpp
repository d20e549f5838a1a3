#include "ui/figures/words/words_figure.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/sentences.h"

#include <algorithm>

namespace headlight::ui {

WordsFigure WordsFigure::fromTrace(const core::TracePointer &trace,
                                   const core::Selection &selection, const FigureStyle &style,
                                   const FigureOptions &options, HeatmapCache *kept) {
    const ShownRun run = shownRun(trace, selection, options.compared);
    // The content depends only on these two fields of the selection.
    core::Selection place;
    place.sequence = run.selection.sequence;
    place.stack = run.selection.stack;
    const auto make = [&] {
        return std::make_shared<WordsFigure>(
            WordsFigure(wordsContentOf(*run.trace, place, style, options), style));
    };
    const std::shared_ptr<const Figure> whole =
        kept ? kept->figure(trace, place, style, options, make) : make();
    WordsFigure figure = static_cast<const WordsFigure &>(*whole);
    figure.m_content.select(run.selection);
    return figure;
}

std::optional<WordsFigure::Place> WordsFigure::placeAt(const WordsGeometry &places, QPointF point) {
    for (std::size_t i = 0; i < places.cards.size(); ++i) {
        const WordsGeometry::Card &card = places.cards[i];
        // Also accept points on the labels to the left of the cells.
        for (const bool isCosine : {false, true}) {
            const HeatmapGeometry &each = isCosine ? card.cosines : card.numbers;
            if (each.cell.isEmpty())
                continue;
            QPointF within = point;
            const QRectF labels(card.rect.left(), each.cells.top(),
                                each.cells.left() - card.rect.left(), each.cells.height());
            if (labels.contains(point))
                within.setX(each.cells.left() + 0.5);
            if (const auto cell = each.cellAt(within))
                return Place{i, isCosine, *cell};
        }
    }
    return std::nullopt;
}

QString WordsFigure::words(const Place &place) const {
    const WordsCard &card = m_content.cards[place.card];
    return place.isCosine ? m_content.cosineText(place.cell) : m_content.words(card, place.cell);
}

void WordsFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const double share = shrinkIn(area.size());
    if (share < 1) {
        painter.translate(area.topLeft());
        painter.scale(share, share);
        paintAll(painter, QRectF(QPointF(), area.size() / share), device);
    } else {
        paintAll(painter, area, device);
    }
    painter.restore();
}

void WordsFigure::paintAll(QPainter &painter, const QRectF &area, Device device) const {
    const WordsGeometry places = geometry(area);
    const QFont body = m_style.font(FigureStyle::Text::Body);
    drawLine(painter, places.title, Qt::AlignLeft, m_content.title,
             m_style.font(FigureStyle::Text::Title, true), m_style.text);
    if (!m_content.nothing.isEmpty()) {
        drawWrapped(painter,
                    QRectF(places.title.left(), places.title.bottom() + 8, places.title.width(),
                           area.bottom() - places.title.bottom()),
                    Qt::AlignLeft, m_content.nothing, body, m_style.mutedText);
        return;
    }
    for (std::size_t i = 0; i < places.sentences.size(); ++i)
        drawLine(painter, places.sentences[i], Qt::AlignLeft,
                 m_content.sentences[static_cast<qsizetype>(i)], body, m_style.text);
    if (!places.notice.isNull())
        drawWrapped(painter, places.notice, Qt::AlignLeft, m_content.notice, body,
                    m_style.mutedText);
    for (std::size_t i = 0; i < places.cards.size(); ++i)
        paintCardOf(painter, places.cards[i], m_content.cards[i], device);
}

void WordsFigure::paintCardOf(QPainter &painter, const WordsGeometry::Card &places,
                              const WordsCard &card, Device device) const {
    paintCard(painter, places.rect.adjusted(0.5, 0.5, -0.5, -0.5), QPen(m_style.border, 1), 8,
              m_style);
    painter.setBrush(Qt::NoBrush);
    const QFont label = m_style.font(FigureStyle::Text::Label);
    drawLine(painter, places.title, Qt::AlignLeft, card.title,
             m_style.font(FigureStyle::Text::Title, true), m_style.text);
    drawWrapped(painter, places.explanation, Qt::AlignLeft, card.explanation, label,
                m_style.mutedText);
    card.numbers.paintContent(painter, places.numbers, device);
    if (card.cosines)
        card.cosines->paintContent(painter, places.cosines, device);
    drawLine(painter, places.textsCaption, Qt::AlignLeft, card.textsCaption, label,
             m_style.mutedText);
    const qsizetype equals = card.texts.indexOf(QStringLiteral(" = "));
    if (!card.texts.isEmpty())
        drawSpans(painter, places.texts,
                  {{card.texts.left(equals), m_style.accent, true},
                   {card.texts.mid(std::max<qsizetype>(0, equals)), m_style.text}},
                  m_style.font(FigureStyle::Text::Body));
}

qint64 WordsFigure::cellCount() const {
    qint64 count = 0;
    for (const WordsCard &card : m_content.cards)
        count += card.numbers.cellCount() + (card.cosines ? card.cosines->cellCount() : 0);
    return count;
}

QString WordsFigure::description() const {
    if (!m_content.nothing.isEmpty())
        return labelled(m_content.title, m_content.nothing);
    QStringList lines{labelled(m_content.title, enumerated(m_content.sentences)), m_content.notice};
    for (const WordsCard &card : m_content.cards) {
        QStringList texts{labelled(card.title, card.explanation)};
        if (!card.texts.isEmpty())
            texts << ended(labelled(card.textsCaption, card.texts));
        lines << sentences(texts);
    }
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

} // namespace headlight::ui
