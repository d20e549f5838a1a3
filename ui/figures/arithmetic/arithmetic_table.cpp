#include "ui/figures/arithmetic/arithmetic_table.h"

#include "ui/figures/text/line_spans.h"
#include "ui/text/token_names.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kMeasuredPixels = 40;  // type size at which widths are measured
constexpr double kLargestShare = 0.028; // maximum type size as a share of the width
constexpr double kResultShare = 1.2;    // type size of a result relative to the other numbers
constexpr double kMinTypeSize = 13;     // px, smallest type
constexpr double kBoxPadding = 0.6; // on both sides of a boxed number, relative to the type size

QString fromCore(const std::string &text) {
    return QString::fromStdString(text);
}

} // namespace

ArithmeticTable::ArithmeticTable(const core::Trace &trace, const core::Selection &cell,
                                 FigureStyle style)
    : m_opened(core::openedArithmetic(trace, cell)), m_style(std::move(style)) {
    const QStringList rows = rowNames(trace, cell);
    const QStringList keys = keyTokens(trace, cell);
    const bool ofWords = core::infoOf(cell.stage).columns == core::Columns::Words;
    LineNames names;
    names.note = QStringLiteral("%1");
    names.row = [&rows](core::Index row) { return rows.value(row); };
    names.column = [&](core::Index column) {
        return ofWords ? wordName(trace.model(), column) : keys.value(column);
    };
    for (const core::OpenedRow &row : m_opened.rows)
        m_names.push_back(spansOf(row.name, names, m_style));
    m_decimals = core::decimalsOf(m_opened);
    if (m_opened.columns != core::Piece::Kind::Plain)
        for (core::Index i = 0; i < m_opened.columnCount(); ++i)
            m_columns << (m_opened.columns == core::Piece::Kind::RowName
                              ? names.row
                              : names.column)(m_opened.firstColumn + i);
    QStringList notes;
    for (const core::Line &line : m_opened.lines) {
        Parts parts;
        for (const core::Piece &piece : line) {
            const Spans spans = spansOf({piece}, names, m_style);
            if (piece.isAside && piece.kind == core::Piece::Kind::Words)
                notes << plainText(spans);
            else if (!spans.isEmpty())
                parts.push_back(
                    {spans.first(), piece.kind == core::Piece::Kind::Number   ? Part::Box::Number
                                    : piece.kind == core::Piece::Kind::Result ? Part::Box::Result
                                                                              : Part::Box::None});
        }
        m_lines.push_back(std::move(parts));
    }
    m_note = notes.join(QStringLiteral(" · "));
    measure();
}

ArithmeticTable::ArithmeticTable(Spans line, FigureStyle style) : m_style(std::move(style)) {
    Parts parts;
    for (Span &span : line)
        parts.push_back({std::move(span), Part::Box::None});
    m_lines.push_back(std::move(parts));
    measure();
}

void ArithmeticTable::setTextScale(double scale) {
    m_style.textScale = scale;
    measure();
}

QFont ArithmeticTable::monospace(double pixels, bool bold) const {
    QFont font = m_style.monospace();
    font.setPixelSize(std::max(1, static_cast<int>(pixels)));
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

QFont ArithmeticTable::nameFont(double pixels) const {
    QFont font = m_style.font(FigureStyle::Text::Title, true);
    font.setPixelSize(std::max(1, static_cast<int>(pixels)));
    return font;
}

QFont ArithmeticTable::fontOf(const Part &part, double pixels) const {
    const bool isResult = part.box == Part::Box::Result;
    return monospace(isResult ? kResultShare * pixels : pixels, isResult);
}

double ArithmeticTable::widthOf(const Parts &line, double pixels) const {
    double width = 0;
    for (const Part &part : line)
        width += spansWidth({part.span}, fontOf(part, pixels)) +
                 (part.box == Part::Box::None ? 0 : 2 * kBoxPadding * pixels);
    return width;
}

QString ArithmeticTable::numberAt(std::size_t row, core::Index column) const {
    return fromCore(core::decimalText(m_opened.rows[row].numbers[static_cast<std::size_t>(column)],
                                      m_decimals[row]));
}

void ArithmeticTable::measure() {
    ArithmeticRequest &request = m_measured;
    request = {};
    request.columns = m_opened.columnCount();
    request.rows = m_opened.rows.size();
    request.stressed = m_opened.stressed;
    request.adds = m_opened.adds;
    request.hasNote = !m_note.isEmpty();
    request.least = std::max({kMinTypeSize, m_style.scaled(8), double(m_style.minText)});
    request.minLabel = std::max(kMinTypeSize, double(m_style.minText));
    const QFont name = nameFont(kMeasuredPixels), number = monospace(kMeasuredPixels, true);
    for (const Spans &each : m_names)
        request.name = std::max(request.name, spansWidth(each, name) / kMeasuredPixels);
    for (std::size_t row = 0; row < m_opened.rows.size(); ++row)
        for (core::Index i = 0; i < request.columns; ++i)
            m_longest = std::max(m_longest, numberAt(row, i).size());
    if (m_opened.adds && request.columns > 0) { // leave space for a sum of columns without decimals
        double most = 0;
        for (const double term : m_opened.rows.back().numbers)
            most += std::abs(term);
        if (std::isfinite(most))
            m_longest = std::max(m_longest, fromCore(core::decimalText(-most, 0)).size());
    }
    // All digits have the same width.
    request.number = textWidth(QString(m_longest, QLatin1Char('0')), number) / kMeasuredPixels;
    for (const Parts &line : m_lines)
        request.lines.push_back(widthOf(line, kMeasuredPixels) / kMeasuredPixels);
    // In a sum, the columns with the largest numbers are most important. Otherwise, those closest
    // to the stressed column are.
    for (core::Index i = 0; i < request.columns; ++i) {
        const core::Index distance = i - m_opened.stressed.value_or(0);
        const double value = m_opened.rows.back().numbers[static_cast<std::size_t>(i)];
        request.importance.push_back(m_opened.stressed == i ? HUGE_VAL
                                     : m_opened.adds        ? std::abs(value)
                                                     : -std::abs(static_cast<double>(distance)));
    }
}

std::vector<ArithmeticTable::Parts> ArithmeticTable::linesIn(double width) const {
    if (m_names.empty())
        return m_lines;
    std::vector<Parts> lines;
    for (const Parts &line : m_lines) {
        auto begin = line.begin(), place = line.begin(); // the last possible break
        double used = 0;
        for (auto at = line.begin(); at != line.end(); ++at) {
            if (at->box == Part::Box::None && at != begin)
                place = at;
            const double wide = widthOf({*at}, m_measured.least);
            if (used + wide > width && place != begin) {
                lines.emplace_back(begin, place);
                begin = place;
                used = widthOf(Parts(begin, at), m_measured.least);
            }
            used += wide;
        }
        lines.emplace_back(begin, line.end());
    }
    return lines;
}

ArithmeticLayout ArithmeticTable::layout(const QRectF &area, const Scroll &scroll) const {
    ArithmeticRequest request = m_measured;
    request.area = area;
    request.scroll = scroll;
    request.lines.clear();
    for (const Parts &line : linesIn(area.width()))
        request.lines.push_back(widthOf(line, kMeasuredPixels) / kMeasuredPixels);
    request.most = std::max(m_style.scaled(26), kLargestShare * area.width());
    return ArithmeticLayout::of(request);
}

double ArithmeticTable::heightFor(double width, double most, const Scroll &scroll) const {
    return std::min(most, layout(QRectF(0, 0, width, most), scroll).used.height());
}

QString ArithmeticTable::textAt(const ArithmeticLayout &layout,
                                const ArithmeticLayout::Place &place, std::size_t row) const {
    if (place.column)
        return numberAt(row, *place.column);
    if (!m_opened.adds || row + 1 < m_opened.rows.size())
        return QStringLiteral("…");
    double together = 0;
    for (std::size_t i = 0; i < layout.isShown.size(); ++i)
        together += layout.isShown[i] ? 0 : m_opened.rows[row].numbers[i];
    // The sum of many numbers can have more digits than each of them.
    int decimals = m_decimals[row];
    while (decimals > 0 && fromCore(core::decimalText(together, decimals)).size() > m_longest)
        --decimals;
    return fromCore(core::decimalText(together, decimals));
}

QString ArithmeticTable::headerOf(const ArithmeticLayout::Place &place) const {
    if (!place.column)
        return tr("%n more", nullptr, static_cast<int>(place.hidden));
    return m_columns.isEmpty() ? QString::number(m_opened.firstColumn + *place.column)
                               : m_columns.value(*place.column);
}

void ArithmeticTable::paint(QPainter &painter, const QRectF &area, const Scroll &scroll) const {
    const ArithmeticLayout layout = this->layout(area, scroll);
    const std::vector<Parts> lines = linesIn(area.width());
    painter.save();
    if (!layout.window.isEmpty())
        painter.setClipRect(layout.window.adjusted(-1, -1, 1, 0), Qt::IntersectClip);
    for (const ArithmeticLayout::Block &block : layout.blocks)
        paintBlock(painter, layout, block);
    painter.restore();
    painter.save();
    if (!layout.rule.isNull()) {
        painter.setPen(QPen(m_style.mutedText, std::max(1.0, std::round(layout.pixels / 14))));
        painter.drawLine(layout.rule);
    }
    for (std::size_t i = 0; i < layout.lines.size(); ++i)
        paintLine(painter, layout.lines[i], lines[i],
                  std::max<double>(m_style.minText, layout.linePixels[i]));
    if (!m_note.isEmpty() && !layout.note.isEmpty()) {
        QFont font = m_style.font(FigureStyle::Text::Label);
        font.setPixelSize(static_cast<int>(std::max(m_measured.minLabel, 0.6 * layout.pixels)));
        drawLine(painter, layout.note, Qt::AlignHCenter, m_note, font, m_style.mutedText);
    }
    painter.restore();
}

void ArithmeticTable::paintBlock(QPainter &painter, const ArithmeticLayout &layout,
                                 const ArithmeticLayout::Block &block) const {
    const double p = layout.pixels;
    const QFont plain = monospace(p), bold = nameFont(p);
    for (std::size_t row = 0; row < block.names.size(); ++row) {
        const QRectF &name = block.names[row];
        drawSpans(painter, name, m_names[row],
                  fittedFont(m_names[row], bold, name.width(), std::max(9, m_style.minText)));
        const QString sign = fromCore(m_opened.rows[row].sign);
        drawLine(painter, QRectF(name.right(), name.top(), std::round(1.1 * p), name.height()),
                 Qt::AlignHCenter, sign, plain, m_style.mutedText);
    }
    QFont header = m_style.font(FigureStyle::Text::Label);
    header.setPixelSize(static_cast<int>(std::max(m_measured.minLabel, 0.62 * p)));
    for (std::size_t i = 0; i < block.places.size(); ++i) {
        const ArithmeticLayout::Place &place = block.places[i];
        const bool isStressed = place.column && place.column == m_opened.stressed;
        header.setWeight(isStressed ? QFont::DemiBold : QFont::Normal);
        drawLine(painter, place.header, Qt::AlignHCenter, headerOf(place), header,
                 isStressed ? m_style.text : m_style.mutedText);
        for (std::size_t row = 0; row < place.cells.size(); ++row)
            paintCell(painter, place.cells[row], textAt(layout, place, row), row, isStressed,
                      place.column ? p : -p);
        const bool goesOn = i + 1 < block.places.size() || !block.isLast;
        if (m_opened.adds && goesOn)
            drawLine(painter,
                     QRectF(place.cells.back().right(), place.cells.back().top(), layout.gap,
                            place.cells.back().height()),
                     Qt::AlignHCenter, QStringLiteral("+"), plain, m_style.mutedText);
    }
}

/// Paints an input number in a box of its role colour and a computed number without a box. The
/// number being explained is in the selection colour. `pixels` is negative for the text that
/// represents columns that do not fit.
void ArithmeticTable::paintCell(QPainter &painter, const QRectF &cell, const QString &text,
                                std::size_t row, bool isStressed, double pixels) const {
    const core::OpenedRow &of = m_opened.rows[row];
    const double p = std::abs(pixels);
    const bool isOwn = isStressed && row + 1 == m_opened.rows.size() && !m_opened.adds;
    const bool isBoxed = (!of.isMade || isOwn) && pixels > 0;
    if (isBoxed) {
        const double line = std::max(1.0, std::round(p / 12)) * (isStressed ? 1.6 : 1);
        painter.setPen(QPen(isOwn ? m_style.selection : m_style.colourOf(of.role), line));
        painter.setBrush(m_style.surface);
        painter.drawRoundedRect(cell.adjusted(line / 2, line / 2, -line / 2, -line / 2), p / 5,
                                p / 5);
        painter.setBrush(Qt::NoBrush);
    }
    if (of.isMade && m_opened.adds && pixels > 0 && row > 0 && !m_opened.rows[row - 1].isMade) {
        painter.setPen(QPen(mixed(m_style.mutedText, m_style.surface, 0.7), 1));
        const double x = std::round(cell.center().x()) + 0.5;
        painter.drawLine(QPointF(x, cell.top() - 0.25 * p), QPointF(x, cell.top() + 0.12 * p));
    }
    drawLine(painter, cell, Qt::AlignHCenter, text, monospace(p, of.isMade),
             isOwn ? m_style.selection : m_style.text);
}

void ArithmeticTable::paintLine(QPainter &painter, const QRectF &rect, const Parts &line,
                                double pixels) const {
    double x = rect.left();
    for (const Part &part : line) {
        const QFont font = fontOf(part, pixels);
        const double padding = part.box == Part::Box::None ? 0 : kBoxPadding * pixels;
        const double width = spansWidth({part.span}, font);
        // The part does not fit even at the smallest type.
        if (x + width + 2 * padding > rect.right() + pixels) {
            drawLine(painter, QRectF(x, rect.top(), 2 * pixels, rect.height()), Qt::AlignLeft,
                     QStringLiteral("…"), font, m_style.mutedText);
            return;
        }
        if (part.box != Part::Box::None) {
            const bool isResult = part.box == Part::Box::Result;
            const double height = std::min(rect.height(), (isResult ? 2.0 : 1.6) * pixels);
            const double pen = std::max(1.0, std::round(pixels / 12)) * (isResult ? 1.6 : 1);
            QRectF box(x, rect.center().y() - height / 2, width + 2 * padding, height);
            box.adjust(0.15 * pixels + pen / 2, pen / 2, -0.15 * pixels - pen / 2, -pen / 2);
            painter.setPen(QPen(part.span.colour, pen));
            painter.setBrush(m_style.surface);
            painter.drawRoundedRect(box, pixels / 5, pixels / 5);
            painter.setBrush(Qt::NoBrush);
        }
        Span span = part.span;
        if (part.box == Part::Box::Number)
            span.colour = m_style.text;
        drawSpans(painter, QRectF(x + padding, rect.top(), width + 4, rect.height()), {span}, font);
        x += width + 2 * padding;
    }
}

QString ArithmeticTable::description() const {
    QStringList lines;
    for (std::size_t row = 0; row < m_opened.rows.size(); ++row) {
        QStringList numbers;
        for (core::Index i = 0; i < m_opened.columnCount(); ++i)
            numbers << numberAt(row, i);
        lines << QStringList{fromCore(m_opened.rows[row].sign), plainText(m_names[row]),
                             numbers.join(QLatin1Char(' '))}
                     .join(QLatin1Char(' '))
                     .simplified();
    }
    for (const Parts &line : m_lines) {
        QString words;
        for (const Part &part : line)
            words += part.span.text;
        lines << words.simplified();
    }
    if (!m_note.isEmpty())
        lines << m_note;
    return lines.join(QLatin1Char('\n'));
}

} // namespace headlight::ui
