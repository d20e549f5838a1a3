#include "ui/figures/birth/birth_moments_figure.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/birth/birth_painting.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/sentences.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using MomentsType = FigureStyle::Text;

constexpr double kMomentGap = 14;         // px between pictures
constexpr double kMomentsCurve = 150;     // px, height of the curve
constexpr double kMinPicture = 76;        // px
constexpr qsizetype kShortLabel = 2;      // maximum length of a label next to a small picture
constexpr double kCellsBesideWords = 0.5; // smallest share of a picture's width for its cells

HeatmapContent pictureOf(HeatmapContent content) {
    content.title.clear();
    content.subtitle.clear();
    content.numbers = false;
    return content;
}

/// True if the labels are letters, which fit beside small pictures.
bool hasShortLabels(const HeatmapContent &content) {
    const auto isShort = [](const QString &label) { return label.size() <= kShortLabel; };
    return std::ranges::all_of(content.rowLabels, isShort) &&
           std::ranges::all_of(content.columnLabels, isShort);
}

/// Returns the picture labelled with the positions of the words instead of the words.
HeatmapContent numbered(HeatmapContent content) {
    for (QStringList *labels : {&content.rowLabels, &content.columnLabels})
        for (qsizetype word = 0; word < labels->size(); ++word)
            (*labels)[word] = QString::number(word);
    content.columnsAreTokens = false; // slanted labels would take space from the cells
    return content;
}

HeatmapRequest pictureRequest(const HeatmapContent &content, const FigureStyle &style,
                              const QRectF &square) {
    HeatmapRequest request = HeatmapFigure(content, style).request(square);
    request.colourBar = false;
    request.rowAxis = request.columnAxis = false;
    return request;
}

/// True if no label is truncated and the cells keep enough of the square.
bool wordsFit(const HeatmapContent &content, const FigureStyle &style, const QRectF &square) {
    const HeatmapRequest request = pictureRequest(content, style, square);
    const HeatmapGeometry picture = HeatmapGeometry::of(request);
    return picture.rowLabelStep == 1 && picture.columnLabelStep == 1 &&
           picture.rowLabelWidth >= request.rowLabelWidth &&
           picture.columnLabelWidth >= request.columnLabelWidth &&
           picture.cells.width() >= kCellsBesideWords * square.width();
}

} // namespace

BirthMomentsFigure BirthMomentsFigure::of(const core::RecordedRunPointer &run,
                                          const FigureStyle &style, const FigureOptions &options,
                                          std::size_t example) {
    const QString &title = options.title;
    if (options.compared.shown != ComparisonSide::Now)
        return {{noBirthContent(title, sentences({ended(tr("Only the current run is replayed")),
                                                  ended(tr("Choose Current"))}))},
                style};
    if (!run)
        return {{noBirthContent(title,
                                tr("The run has not been recorded yet. Start it in the window"))},
                style};
    MomentCache cache(run, example);
    std::vector<BirthContent> moments;
    for (const std::size_t snapshot : run->spread(run->snapshots.size() - 1, kMoments)) {
        moments.push_back(birthContentOf(cache, snapshot, style, 0));
        if (!title.isEmpty())
            moments.back().title = title;
        if (!moments.back().nothing.isEmpty())
            return {{moments.back()}, style};
        for (BirthHead &head : moments.back().heads)
            head.content = pictureOf(std::move(head.content));
        if (!moments.back().heads.empty() && !hasShortLabels(moments.back().heads[0].content))
            moments.back().learned =
                sentences({moments.back().learned, tr("Example: %1. Its words do not all fit, so "
                                                      "their positions are shown, counted from 0.")
                                                       .arg(moments.back().example)});
    }
    return {std::move(moments), style};
}

double BirthMomentsFigure::columnWidth(double width) const {
    const auto count = static_cast<double>(m_moments.size());
    return (width - 2 * kFigureMargin - (count - 1) * kMomentGap) / count;
}

double BirthMomentsFigure::textHeight(double width) const {
    const double label = lineHeight(m_style.font(MomentsType::Label));
    const double body = lineHeight(m_style.font(MomentsType::Body, true));
    const double learned = wrappedHeight(m_moments.back().learned, m_style.font(MomentsType::Body),
                                         width - 2 * kFigureMargin);
    const auto heads = static_cast<double>(m_moments.back().heads.size());
    return std::ceil(2 * kFigureMargin + lineHeight(m_style.font(MomentsType::Title, true)) + 4 +
                     learned + kMomentGap + body + label + heads * (body + 4 + kMomentGap) +
                     kMomentGap / 2 + lineHeight(answerFont(m_style)) + kMomentGap +
                     m_style.scaled(kMomentsCurve));
}

QSizeF BirthMomentsFigure::naturalSize() const {
    const double width = std::max(1080.0, m_style.scaled(1080));
    return {width, heightFor(width)};
}

QSizeF BirthMomentsFigure::minimumSize() const {
    if (!nothing().isEmpty())
        return {m_style.scaled(240), m_style.scaled(120)};
    const double width = m_style.scaled(560);
    const auto heads = static_cast<double>(m_moments.back().heads.size());
    return {width, std::ceil(textHeight(width) + heads * m_style.scaled(kMinPicture))};
}

double BirthMomentsFigure::heightFor(double width) const {
    const auto heads = static_cast<double>(m_moments.back().heads.size());
    return std::ceil(
        std::max(textHeight(width) + heads * columnWidth(width), minimumSize().height()));
}

BirthMomentsGeometry BirthMomentsFigure::geometry(const QRectF &area) const {
    BirthMomentsGeometry places;
    places.area = area;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    const double label = lineHeight(m_style.font(MomentsType::Label));
    const double body = lineHeight(m_style.font(MomentsType::Body, true));
    const auto heads = static_cast<double>(m_moments.back().heads.size());
    const double wide = columnWidth(area.width());
    const double side =
        std::min(wide, (area.height() - textHeight(area.width())) / std::max(1.0, heads));
    places.title = QRectF(inner.left(), inner.top(), inner.width(),
                          lineHeight(m_style.font(MomentsType::Title, true)));
    places.learned = QRectF(
        inner.left(), places.title.bottom() + 4, inner.width(),
        wrappedHeight(m_moments.back().learned, m_style.font(MomentsType::Body), inner.width()));
    double top = places.learned.bottom() + kMomentGap;
    const auto column = [&](std::size_t i, double height) {
        return QRectF(inner.left() + static_cast<double>(i) * (wide + kMomentGap), top, wide,
                      height);
    };
    if (const auto &shown = m_moments.back().heads; !shown.empty()) {
        const HeatmapContent &labels = shown.front().content;
        places.hasWords = hasShortLabels(labels) ||
                          wordsFit(labels, m_style, QRectF(inner.topLeft(), QSizeF(side, side)));
    }
    for (std::size_t i = 0; i < m_moments.size(); ++i)
        places.headings.push_back(column(i, body + label));
    top += body + label;
    for (std::size_t head = 0; head < m_moments.back().heads.size(); ++head) {
        top += kMomentGap;
        places.headTitles.emplace_back(inner.left(), top, inner.width(), body);
        top += body + 4;
        places.pictures.emplace_back();
        for (std::size_t i = 0; i < m_moments.size(); ++i)
            places.pictures.back().push_back(HeatmapGeometry::of(
                pictureRequest(picture(i, head, places.hasWords), m_style,
                               QRectF(column(i, side).topLeft(), QSizeF(side, side)))));
        top += side;
    }
    top += kMomentGap / 2;
    for (std::size_t i = 0; i < m_moments.size(); ++i)
        places.answers.push_back(column(i, lineHeight(answerFont(m_style))));
    top += lineHeight(answerFont(m_style)) + kMomentGap;
    const BirthContent &last = m_moments.back();
    if (last.curves.plots.empty())
        return places;
    places.curve =
        curvePlotGeometry(last.curves, last.curves.plots.front(), m_style,
                          QRectF(inner.left(), top, inner.width(),
                                 std::max(m_style.scaled(kMomentsCurve), inner.bottom() - top)));
    places.marks = markPlaces(last.marks, places.curve, m_style);
    return places;
}

HeatmapContent BirthMomentsFigure::picture(std::size_t moment, std::size_t head,
                                           bool hasWords) const {
    const HeatmapContent &content = m_moments[moment].heads[head].content;
    return hasWords ? content : numbered(content);
}

Spans BirthMomentsFigure::answerSpans(const BirthContent &content) const {
    Spans spans;
    for (const BirthAnswer &answer : content.answers) {
        if (!spans.isEmpty())
            spans << Span{QStringLiteral(" "), m_style.text};
        const bool isLetter = content.answers.size() > 1;
        if (!isLetter && !answer.token.isEmpty())
            spans << Span{tr("%1 → ").arg(answer.token), m_style.text};
        spans << Span{answer.given, colourOf(answer.state, m_style),
                      answer.state != BirthAnswer::State::NotAsked};
    }
    return spans;
}

void BirthMomentsFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const BirthContent &last = m_moments.back();
    if (!nothing().isEmpty()) {
        paintNoBirth(painter, area, last, m_style);
        painter.restore();
        return;
    }
    const BirthMomentsGeometry places = geometry(area);
    const QFont body = m_style.font(MomentsType::Body);
    drawLine(painter, places.title, Qt::AlignLeft, last.title,
             m_style.font(MomentsType::Title, true), m_style.text);
    drawWrapped(painter, places.learned, Qt::AlignLeft, last.learned, body, m_style.mutedText);
    const double line = lineHeight(m_style.font(MomentsType::Body, true));
    for (std::size_t i = 0; i < m_moments.size(); ++i) {
        const QRectF &heading = places.headings[i];
        drawLine(painter, QRectF(heading.topLeft(), QSizeF(heading.width(), line)), Qt::AlignLeft,
                 tr("step %1").arg(m_moments[i].step), m_style.font(MomentsType::Body, true),
                 m_style.text);
        drawLine(painter, heading.adjusted(0, line, 0, 0), Qt::AlignLeft,
                 progressText(m_moments[i]), m_style.font(MomentsType::Label), m_style.mutedText);
        const Spans answers = answerSpans(m_moments[i]);
        drawSpans(painter, places.answers[i], answers,
                  fittedFont(answers, answerFont(m_style), places.answers[i].width()));
    }
    for (std::size_t head = 0; head < places.pictures.size(); ++head) {
        drawSpans(painter, places.headTitles[head],
                  {{last.heads[head].name, m_style.text, true},
                   {QStringLiteral("   ") + last.heads[head].looks, m_style.mutedText}},
                  body);
        for (std::size_t i = 0; i < m_moments.size(); ++i)
            HeatmapFigure(picture(i, head, places.hasWords), m_style)
                .paintContent(painter, places.pictures[head][i], device);
    }
    paintBirthCurve(painter, last, places.curve, places.marks, m_style);
    painter.restore();
}

qint64 BirthMomentsFigure::cellCount() const {
    qint64 count = 0;
    for (const BirthContent &moment : m_moments)
        for (const BirthHead &head : moment.heads)
            count += head.content.matrix().rows * head.content.matrix().columns;
    return count;
}

QString BirthMomentsFigure::description() const {
    const BirthContent &last = m_moments.back();
    if (!nothing().isEmpty())
        return describe(last);
    QStringList steps;
    for (const BirthContent &moment : m_moments)
        steps << QString::number(moment.step);
    return sentences({describe(last), tr("Steps %1.").arg(enumerated(steps))});
}

} // namespace headlight::ui
