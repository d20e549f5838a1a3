#include "ui/figures/birth/birth_painting.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

struct BirthPaintText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Birth)
};

QString answerText(const BirthAnswer &answer) {
    return answer.token.isEmpty() ? answer.given
                                  : BirthPaintText::tr("%1 → %2").arg(answer.token, answer.given);
}

} // namespace

QColor colourOf(BirthAnswer::State state, const FigureStyle &style) {
    switch (state) {
    case BirthAnswer::State::NotAsked:
        return style.mutedText;
    case BirthAnswer::State::Right:
        return style.value;
    case BirthAnswer::State::Wrong:
        return style.isPaper ? FigureStyle::light().selection : style.selection;
    }
    return style.text;
}

void paintChips(QPainter &painter, const BirthContent &content, const BirthGeometry &places,
                const FigureStyle &style) {
    drawLine(painter, places.answersTitle, Qt::AlignLeft | Qt::AlignVCenter, content.answersTitle,
             style.font(FigureStyle::Text::Body), style.mutedText);
    for (std::size_t i = 0; i < places.chips.size(); ++i) {
        const BirthChip &chip = places.chips[i];
        const BirthAnswer &answer = content.answers[places.firstChip + i];
        const QColor colour = colourOf(answer.state, style);
        // The outline also distinguishes right from wrong, for colour-blind users.
        const Qt::PenStyle line =
            answer.state == BirthAnswer::State::Wrong ? Qt::DashLine : Qt::SolidLine;
        const bool isAsked = answer.state != BirthAnswer::State::NotAsked;
        painter.setPen(QPen(isAsked ? colour : style.border, isAsked ? 1.5 : 1, line));
        painter.setBrush(style.surface);
        painter.drawRoundedRect(chip.rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        const auto write = [&](QPointF at, double width, const QString &text, const QFont &font,
                               const QColor &ink) {
            const double right = std::min(at.x() + width + 1, chip.rect.right() - 2);
            drawLine(painter, QRectF(at, QPointF(right, chip.rect.bottom())),
                     Qt::AlignLeft | Qt::AlignVCenter, text, font, ink);
        };
        write(chip.token, chip.tokenWidth, answer.token, answerFont(style), style.text);
        write(chip.given, chip.givenWidth, answer.given, answerFont(style, true), colour);
    }
}

void paintBirthCurve(QPainter &painter, const BirthContent &content, const CurvePlotGeometry &curve,
                     const std::vector<BirthMarkPlace> &marks, const FigureStyle &style) {
    if (content.curves.plots.empty())
        return;
    paintCurvePlot(painter, curve, content.curves, content.curves.plots.front(), style);
    const QColor colour = style.isPaper ? FigureStyle::light().selection : style.selection;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        painter.setPen(QPen(colour, 1.2, Qt::DashLine));
        painter.drawLine(QPointF(marks[i].x, curve.plot.top()),
                         QPointF(marks[i].x, curve.plot.bottom()));
        drawLine(painter, marks[i].label, Qt::AlignLeft, content.marks[i].words,
                 style.font(FigureStyle::Text::Label, true), colour);
    }
}

void paintPattern(QPainter &painter, const HeatmapGeometry &places, const HeatmapContent &content,
                  const FigureStyle &style, Device device) {
    paintCells(painter, places, content, style, style.surface, device);
    paintFrame(painter, places, style);
}

void paintNoBirth(QPainter &painter, const QRectF &area, const BirthContent &content,
                  const FigureStyle &style) {
    const QFont title = style.font(FigureStyle::Text::Title, true);
    const QRectF line(area.left() + kFigureMargin, area.top() + kFigureMargin,
                      area.width() - 2 * kFigureMargin, lineHeight(title));
    drawLine(painter, line, Qt::AlignLeft, content.title, title, style.text);
    drawWrapped(painter,
                QRectF(line.left(), line.bottom() + 8, std::min(line.width(), style.scaled(640)),
                       area.bottom() - line.bottom() - 8),
                Qt::AlignLeft, content.nothing, style.font(FigureStyle::Text::Body),
                style.mutedText);
}

QString stepText(const BirthContent &content) {
    return BirthPaintText::tr("step %1 of %2").arg(content.step).arg(content.steps);
}

QString progressText(const BirthContent &content) {
    return BirthPaintText::tr("loss %1 · %2 % right")
        .arg(lossText(content.loss), fixedText(100 * content.accuracy, 0));
}

QString describe(const BirthContent &content) {
    if (!content.nothing.isEmpty())
        return labelled(content.title, content.nothing);
    QStringList facts{ended(stepText(content)), ended(progressText(content))};
    for (const BirthHead &head : content.heads)
        facts << ended(labelled(head.name, head.isSilenced ? head.content.subtitle : head.looks));
    if (!content.noHeads.isEmpty())
        facts << content.noHeads;
    QStringList given;
    for (const BirthAnswer &answer : content.answers)
        if (answer.state != BirthAnswer::State::NotAsked)
            given << (answer.state == BirthAnswer::State::Right
                          ? BirthPaintText::tr("%1, right").arg(answerText(answer))
                          : BirthPaintText::tr("%1, wrong").arg(answerText(answer)));
    facts << ended(labelled(content.answersTitle, given.join(QStringLiteral("; "))));
    for (const BirthMark &mark : content.marks)
        facts << ended(mark.words);
    return labelled(content.title, sentences(facts));
}

} // namespace headlight::ui
