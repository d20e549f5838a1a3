// LinesFigure: paints the visible part, in batches of one colour and thickness.
#include "ui/figures/base/card.h"
#include "ui/figures/base/head_colours.h"
#include "ui/figures/lines/line_batches.h"
#include "ui/figures/lines/lines_figure.h"
#include "ui/figures/text/text.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace headlight::ui {

namespace {

constexpr double kThinnestLine = 0.75;    // px
constexpr double kThickestLine = 7;       // px, for weight 1
constexpr double kMaxShareOfToken = 0.5;  // thickest line ÷ distance between two tokens
constexpr double kPalestLine = 0.22;      // colour share of the palest line
constexpr std::size_t kWeightLevels = 24; // lines of a level have one thickness and colour
constexpr std::size_t kMaxPainted = 5000; // visible lines; the weakest are left out
constexpr double kHitDistance = 4;        // px between the mouse and a line

std::size_t levelOf(double weight, double largest) {
    const double share = std::min(std::abs(weight) / largest, 1.0);
    return std::min(kWeightLevels - 1,
                    static_cast<std::size_t>(share * static_cast<double>(kWeightLevels)));
}

double shareOfLevel(std::size_t level) {
    return level + 1 == kWeightLevels
               ? 1
               : (static_cast<double>(level) + 0.5) / static_cast<double>(kWeightLevels);
}

/// Cuts the line to its visible part, because its ends may be thousands of pixels away in a long
/// text. Empty if no part is visible.
std::optional<QLineF> cut(const QLineF &line, const QRectF &sight, bool isAcross) {
    const double low = isAcross ? sight.left() : sight.top();
    const double high = isAcross ? sight.right() : sight.bottom();
    const double from = isAcross ? line.x1() : line.y1();
    const double to = isAcross ? line.x2() : line.y2();
    if (std::max(from, to) < low || std::min(from, to) > high)
        return std::nullopt;
    if (std::min(from, to) >= low && std::max(from, to) <= high)
        return line;
    double first = (low - from) / (to - from), last = (high - from) / (to - from);
    if (first > last)
        std::swap(first, last);
    return QLineF(line.pointAt(std::max(0.0, first)), line.pointAt(std::min(1.0, last)));
}

} // namespace

double LinesFigure::lineWidth(double weight, const LinesGeometry &places) const {
    const double step = places.isAcross || places.step <= 0 ? m_style.scaled(20) : places.step;
    const double thickest = std::min(m_style.scaled(kThickestLine), kMaxShareOfToken * step);
    const double thinnest = std::min(kThinnestLine, thickest);
    return thinnest + (thickest - thinnest) * shareOfLevel(levelOf(weight, m_content->largest()));
}

LinesFigure::Painted LinesFigure::paintLines(QPainter &painter, const LinesGeometry &places,
                                             const QRectF &sight,
                                             std::optional<LineToken> focus) const {
    struct Visible {
        QLineF line;
        float weight;
        std::size_t head;
    };
    std::vector<Visible> visible;
    const std::size_t heads = m_content->heads.size();
    // Half of a thick line may be visible even if its middle is not.
    const QRectF seen =
        sight.adjusted(-kThickestLine, -kThickestLine, kThickestLine, kThickestLine);
    const auto add = [&](std::size_t head, const core::StrongWeight &each) {
        if (const auto line = cut(places.line(each.query, each.key, head), seen, places.isAcross))
            visible.push_back({*line, each.weight, head});
    };
    for (std::size_t head = 0; head < heads; ++head) {
        if (!m_content->strong[head])
            continue;
        const std::vector<core::StrongWeight> &all = m_content->strong[head]->weights;
        for (const core::StrongWeight &each : all)
            if (!focus || (focus->side == LineToken::Side::Query ? each.query : each.key) ==
                              static_cast<std::int32_t>(focus->index))
                add(head, each);
    }
    Painted count{.lines = std::min(visible.size(), kMaxPainted)};
    count.leftOut = visible.size() - count.lines;
    if (count.leftOut > 0) {
        std::ranges::nth_element(visible, visible.begin() + kMaxPainted, std::greater(),
                                 [](const Visible &each) { return std::abs(each.weight); });
        visible.resize(kMaxPainted);
    }
    struct Batch {
        QList<QLineF> lines, negative;
    };
    std::vector<Batch> batches(kWeightLevels * heads);
    const double largest = m_content->largest();
    for (const Visible &each : visible) {
        Batch &batch =
            batches[levelOf(static_cast<double>(each.weight), largest) * heads + each.head];
        (each.weight < 0 ? batch.negative : batch.lines).append(each.line);
    }
    std::vector<LineBatch> painted;
    for (std::size_t level = 0; level < kWeightLevels; ++level) { // the strongest on top
        const double share = shareOfLevel(level);
        const double width = lineWidth(share * largest, places);
        for (std::size_t head = 0; head < heads; ++head) {
            const Batch &batch = batches[level * heads + head];
            if (batch.lines.isEmpty() && batch.negative.isEmpty())
                continue;
            // Smaller weights are paler, but still legible. Colours are mixed, because vector
            // formats render transparency inconsistently.
            const QColor colour =
                faint(headColour(m_content->heads[head], m_style), m_style.background,
                      std::min(0.999, kPalestLine + (1 - kPalestLine) * std::sqrt(share)));
            QPen pen(colour, width);
            pen.setCapStyle(Qt::FlatCap);
            if (!batch.lines.isEmpty())
                painted.push_back({pen, batch.lines});
            if (batch.negative.isEmpty())
                continue;
            pen.setStyle(Qt::DashLine);
            painted.push_back({pen, batch.negative});
        }
    }
    paintLineBatches(painter, painted, sight,
                     m_style.isTransparent ? QColor() : m_style.background);
    return count;
}

void LinesFigure::paintTokens(QPainter &painter, const LinesGeometry &places, const QRectF &sight,
                              std::optional<LineToken> focus) const {
    // For queries and for keys, true for each token that a line connects with the focus.
    std::array<std::vector<bool>, 2> reached;
    if (focus) {
        reached[0].resize(static_cast<std::size_t>(m_content->queries.size()));
        reached[1].resize(static_cast<std::size_t>(m_content->keys.size()));
        for (const Line &line : linesOf(*focus)) {
            reached[0][static_cast<std::size_t>(line.weight.query)] = true;
            reached[1][static_cast<std::size_t>(line.weight.key)] = true;
        }
    }
    for (const LineToken::Side side : {LineToken::Side::Query, LineToken::Side::Key}) {
        const bool isQuery = side == LineToken::Side::Query;
        const auto &isReached = reached[isQuery ? 0 : 1];
        const auto [first, end] = places.tokensIn(side, sight);
        const std::optional<core::Index> selected = isQuery ? m_query : m_key;
        for (core::Index i = first; i < end; ++i) {
            const LineToken token{side, i};
            const bool isFocus = focus == token;
            const bool isNear =
                (selected && std::abs(*selected - i) < places.labelStep) ||
                (focus && focus->side == side && std::abs(focus->index - i) < places.labelStep);
            if (!isFocus && selected != i && (i % places.labelStep != 0 || isNear))
                continue;
            QRectF rect = places.token(token);
            const double least = lineHeight(lineTokenFont(m_style, true));
            // Only every n-th label is shown, so its rectangle may be taller than the row.
            if (!places.isAcross && rect.height() < least)
                rect.adjust(0, (rect.height() - least) / 2, 0, (least - rect.height()) / 2);
            const bool isWeak = focus && !isFocus && !isReached[static_cast<std::size_t>(i)];
            if ((selected == i || isFocus) && !m_style.isPaper) {
                const QRectF frame = rect.adjusted(-3.5, 0.5, 3.5, -0.5);
                painter.setBrush(m_style.surface);
                const bool isPinnedKey = !isQuery && m_query && selected == i;
                painter.setPen(selected != i ? QPen(m_style.mutedText, 1)
                               : isPinnedKey ? QPen(m_style.key, 1.5, Qt::DashLine)
                                             : QPen(m_style.selection, 1.5));
                painter.drawRoundedRect(frame, 4, 4);
            }
            drawLine(painter, rect,
                     places.isAcross ? Qt::AlignHCenter
                     : isQuery       ? Qt::AlignRight
                                     : Qt::AlignLeft,
                     m_content->tokens(side)[i], lineTokenFont(m_style, isFocus || selected == i),
                     isWeak ? m_style.mutedText : m_style.text, Qt::ElideMiddle);
        }
    }
}

void LinesFigure::paintNumbers(QPainter &painter, const LinesGeometry &places, const QRectF &sight,
                               LineToken focus) const {
    const bool isQuery = focus.side == LineToken::Side::Query;
    const LineToken::Side side = isQuery ? LineToken::Side::Key : LineToken::Side::Query;
    const auto [first, end] = places.tokensIn(side, sight);
    std::map<core::Index, std::vector<Line>> byToken;
    for (const Line &line : linesOf(focus)) {
        const core::Index other = isQuery ? line.weight.key : line.weight.query;
        if (other >= first && other < end)
            byToken[other].push_back(line);
    }
    const QFont font = lineNumberFont(m_style);
    const double high = lineHeight(font);
    for (const auto &[other, lines] : byToken) {
        if (other % places.labelStep != 0)
            continue;
        const QRectF rect = places.numbers({side, other});
        Spans spans;
        QRectF line(rect.left() - 4, isQuery ? rect.top() : rect.bottom() - high, rect.width() + 8,
                    high);
        std::size_t count = 0;
        for (const Line &each : lines) {
            const bool isLast = ++count > static_cast<std::size_t>(kMaxNumbers);
            QString number = isLast ? QStringLiteral("…")
                                    : numberText(static_cast<double>(each.weight.weight), 2);
            const QColor colour = isLast ? m_style.mutedText : headTextColour(each.head, m_style);
            if (places.isAcross) { // stacked weights have no leading zero
                if (isLast)
                    break;
                if (number.startsWith(QLatin1String("0.")))
                    number.remove(0, 1);
                drawLine(painter, line, Qt::AlignHCenter, number, font, colour);
                line.translate(0, isQuery ? high : -high);
            } else {
                spans << Span{spans.isEmpty() ? number : QStringLiteral(" ") + number, colour};
                if (isLast)
                    break;
            }
        }
        if (places.isAcross)
            continue;
        QRectF at = rect;
        if (!isQuery) // right-aligned, so that the weights end next to the token
            at.setLeft(std::max(rect.left(), rect.right() - spansWidth(spans, font) - 2));
        drawSpans(painter, at, spans, font);
    }
}

void LinesFigure::paintLegend(QPainter &painter, const LinesGeometry &places) const {
    if (places.legend.isEmpty())
        return;
    Spans spans{{m_content->heads.size() == 1 ? tr("head") : tr("heads"), m_style.mutedText}};
    for (const core::Index head : m_content->heads)
        spans << Span{QStringLiteral("  ▬ "), headColour(head, m_style)}
              << Span{QString::number(head), headTextColour(head, m_style), true};
    drawSpans(painter, places.legend, spans, m_style.font(FigureStyle::Text::Label));
}

QString LinesFigure::subtitle(const Painted &painted, std::optional<LineToken> focus,
                              Hint hint) const {
    QStringList parts;
    if (m_content->heads.size() == 1)
        parts << tr("head %1").arg(m_content->heads.front());
    if (const auto missing = m_content->missing().size(); missing > 0)
        parts << tr("computing %n heads…", nullptr, static_cast<int>(missing));
    if (focus) {
        const QString token = m_content->tokens(focus->side).value(focus->index);
        parts << (hint == Hint::None ? tr("lines of “%1” only").arg(token)
                                     : tr("lines of “%1” only (Esc shows all)").arg(token));
    }
    parts << tr("weights of at least %1").arg(fullText(static_cast<float>(m_content->threshold)));
    if (!focus)
        parts << tr("%n lines", nullptr, static_cast<int>(m_content->found()));
    if (painted.leftOut > 0)
        parts << tr("the strongest %n are drawn here", nullptr, static_cast<int>(painted.lines));
    return parts.join(QStringLiteral(" · "));
}

void LinesFigure::paint(QPainter &painter, const QRectF &area, Device) const {
    paintIn(painter, area, area, std::nullopt, Hint::None);
}

void LinesFigure::paintIn(QPainter &painter, const QRectF &area, const QRectF &sight,
                          std::optional<LineToken> hovered, Hint hint) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, sight, m_style.background, m_style);
    const LinesGeometry places = geometry(area);
    const QFont label = m_style.font(FigureStyle::Text::Label);
    if (!m_content->nothing.isEmpty()) {
        drawLine(painter, places.title, Qt::AlignLeft, m_content->title,
                 m_style.font(FigureStyle::Text::Title, true), m_style.text);
        drawWrapped(painter,
                    QRectF(places.subtitle.left(), places.subtitle.top() + 8,
                           places.subtitle.width(), area.bottom() - places.subtitle.top()),
                    Qt::AlignLeft, m_content->nothing, m_style.font(FigureStyle::Text::Body),
                    m_style.mutedText);
        painter.restore();
        return;
    }
    const std::optional<LineToken> focus = hovered ? hovered : pinned();
    const Painted painted = paintLines(painter, places, sight, focus);
    paintTokens(painter, places, sight, focus);
    if (focus)
        paintNumbers(painter, places, sight, *focus);
    if (m_content->found() == 0 && m_content->missing().empty())
        drawWrapped(painter, places.lines.adjusted(8, 12, -8, 0), Qt::AlignLeft,
                    tr("No weight reaches %1. Lower the threshold to see lines.")
                        .arg(fullText(static_cast<float>(m_content->threshold))),
                    m_style.font(FigureStyle::Text::Body), m_style.mutedText);
    // Keep the titles visible when the tokens scroll horizontally.
    const double along = places.isAcross ? std::max(0.0, sight.left() - area.left()) : 0;
    const double width =
        std::min(places.title.width(), sight.width() - 2 * (places.title.left() - area.left()));
    const auto shown = [&](const QRectF &rect) {
        return QRectF(rect.left() + along, rect.top(), width, rect.height());
    };
    if (places.lines.top() >= sight.top()) {
        drawLine(painter, shown(places.title), Qt::AlignLeft, m_content->title,
                 m_style.font(FigureStyle::Text::Title, true), m_style.text);
        drawLine(painter, shown(places.subtitle), Qt::AlignLeft,
                 firstParts(subtitle(painted, focus, hint), label, width), label,
                 m_style.mutedText);
        LinesGeometry moved = places;
        if (!moved.legend.isEmpty())
            moved.legend = shown(moved.legend);
        paintLegend(painter, moved);
        const bool isAcross = places.isAcross;
        drawLine(painter, isAcross ? shown(places.queryTitle) : places.queryTitle,
                 isAcross ? Qt::AlignLeft : Qt::AlignRight, m_content->queryTitle, label,
                 m_style.query);
        drawLine(painter, isAcross ? shown(places.keyTitle) : places.keyTitle, Qt::AlignLeft,
                 m_content->keyTitle, label, m_style.key);
    }
    painter.restore();
}

std::optional<LinesFigure::Line> LinesFigure::lineAt(const LinesGeometry &places, QPointF point,
                                                     std::optional<LineToken> hovered) const {
    if (!places.lines.contains(point))
        return std::nullopt;
    const std::optional<LineToken> focus = hovered ? hovered : pinned();
    // The share of a line's length at which it reaches the point's y or, if the tokens are in
    // columns, the point's x.
    const double along = places.isAcross ? (point.y() - places.lines.top()) / places.lines.height()
                                         : (point.x() - places.lines.left()) / places.lines.width();
    std::optional<Line> nearest;
    for (std::size_t i = 0; i < m_content->heads.size(); ++i) {
        if (!m_content->strong[i])
            continue;
        for (const core::StrongWeight &each : m_content->strong[i]->weights) {
            if (focus && (focus->side == LineToken::Side::Query ? each.query : each.key) !=
                             static_cast<std::int32_t>(focus->index))
                continue;
            if (nearest && std::abs(each.weight) <= std::abs(nearest->weight.weight))
                continue;
            const QLineF line = places.line(each.query, each.key, i);
            const QPointF on = line.pointAt(along);
            const double away =
                places.isAcross ? std::abs(on.x() - point.x()) : std::abs(on.y() - point.y());
            const double slope = places.isAcross ? std::abs(line.dy()) : std::abs(line.dx());
            const double distance = away * slope / std::max(1.0, line.length());
            if (distance <= kHitDistance)
                nearest = Line{m_content->heads[i], each};
        }
    }
    return nearest;
}

} // namespace headlight::ui
