#include "ui/figures/formula/formula_strip.h"

#include "ui/figures/text/line_spans.h"
#include "ui/text/sentences.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kBetweenFormulas = 34; // px at the usual text size
constexpr double kBehindPlace = 16;
constexpr double kAirAbove = 5;     // px above and below a line
constexpr double kTintShare = 0.08; // symbols on the tint keep a contrast of 3 : 1
constexpr double kUnderline = 2.5;

} // namespace

std::vector<QRectF> FormulaStripGeometry::rectsOf(const core::PieceRange &range) const {
    std::vector<QRectF> rects;
    for (std::size_t i = range.first; i < std::min(range.end, pieces.size()); ++i) {
        if (!rects.empty() && rects.back().top() == pieces[i].top())
            rects.back() |= pieces[i];
        else
            rects.push_back(pieces[i]);
    }
    return rects;
}

int FormulaStripGeometry::lineCount() const {
    return pieces.empty() ? 0 : static_cast<int>(std::lround(height / pieces.front().height()));
}

FormulaStrip::FormulaStrip(core::WholeFormula formula, const QString &place,
                           const FigureStyle &style)
    : m_formula(std::move(formula)), m_place(place), m_style(style) {
    for (std::size_t i = 0; i < m_formula.line.size(); ++i) {
        Spans spans = spansOf({m_formula.line[i]}, {{}, {}, QStringLiteral("%1")}, style);
        if (isOfMissing(i))
            for (Span &span : spans)
                span.colour = style.mutedText;
        m_spans.push_back(std::move(spans));
    }
}

/// True if the piece is a symbol of a stage that was not captured.
bool FormulaStrip::isOfMissing(std::size_t piece) const {
    bool isMissing = false;
    for (const core::FormulaPart &part : m_formula.parts)
        if (part.link.contains(piece))
            isMissing = !part.isThere;
    return isMissing;
}

QFont FormulaStrip::font() const {
    return m_style.font(FigureStyle::Text::Title);
}

double FormulaStrip::placeWidth() const {
    return m_place.isEmpty() ? 0
                             : textWidth(m_place, m_style.font(FigureStyle::Text::Label)) +
                                   m_style.scaled(kBehindPlace);
}

FormulaStripGeometry FormulaStrip::geometry(double width) const {
    FormulaStripGeometry places;
    places.pieces.resize(m_spans.size());
    const QFont font = this->font();
    const double high = lineHeight(font) + 2 * m_style.scaled(kAirAbove);
    std::vector<double> widths;
    for (const Spans &spans : m_spans)
        widths.push_back(spansWidth(spans, font));
    double x = std::min(placeWidth(), width / 2), y = 0;
    if (!m_place.isEmpty())
        places.place = QRectF(0, 0, x, high);
    const double left = x;
    bool isFirst = true;
    for (const core::PieceRange &part : {m_formula.head, m_formula.heads, m_formula.notes}) {
        double all = 0;
        for (std::size_t i = part.first; i < part.end; ++i)
            all += widths[i];
        if (part.isEmpty())
            continue;
        if (!isFirst && x + m_style.scaled(kBetweenFormulas) + all > width) {
            x = left;
            y += high;
        } else if (!isFirst) {
            x += m_style.scaled(kBetweenFormulas);
        }
        isFirst = false;
        for (std::size_t i = part.first; i < part.end; ++i) {
            // Do not break the line between a symbol and its subscript.
            const bool isBeneath = m_formula.line[i].kind == core::Piece::Kind::Beneath;
            if (x > left && x + widths[i] > width && !isBeneath) {
                x = left;
                y += high;
            }
            places.pieces[i] = QRectF(x, y, std::min(widths[i], std::max(0.0, width - x)), high);
            x += widths[i];
        }
    }
    places.height = y + high;
    return places;
}

void FormulaStrip::paint(QPainter &painter, const FormulaStripGeometry &places,
                         const std::vector<core::FormulaPart> &lit,
                         const std::vector<core::FormulaPart> &pointedAt) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    const double air = m_style.scaled(1.5);
    const auto behind = [&](const core::FormulaPart &part) {
        for (const QRectF &rect : places.rectsOf(part.whole))
            painter.drawRoundedRect(rect.adjusted(0.5, air, -0.5, -air), 4, 4);
    };
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(m_style.accent, m_style.surface, kTintShare));
    for (const core::FormulaPart &part : lit) {
        behind(part);
        for (const QRectF &rect : places.rectsOf(part.whole))
            painter.fillRect(QRectF(rect.left() + 1, rect.bottom() - air - kUnderline,
                                    rect.width() - 2, kUnderline),
                             m_style.accent);
    }
    painter.setPen(QPen(m_style.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    for (const core::FormulaPart &part : pointedAt)
        behind(part);
    drawLine(painter, places.place, Qt::AlignLeft, m_place, m_style.font(FigureStyle::Text::Label),
             m_style.mutedText);
    const QFont font = this->font();
    for (std::size_t i = 0; i < m_spans.size(); ++i)
        drawSpans(painter, places.pieces[i], m_spans[i], font);
    painter.restore();
}

QString FormulaStrip::text(const core::PieceRange &range) const {
    QString text;
    for (std::size_t i = range.first; i < std::min(range.end, m_spans.size()); ++i)
        text += plainText(m_spans[i]);
    return text.trimmed();
}

QString FormulaStrip::description() const {
    QStringList texts{text(m_formula.head), text(m_formula.heads), text(m_formula.notes)};
    texts.removeAll(QString());
    return enumerated(texts);
}

} // namespace headlight::ui
