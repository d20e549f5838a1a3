#include "ui/figures/worksheet/sheet_matrix.h"

#include "core/explain/symbols.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/text/attention_names.h"
#include "ui/text/number_text.h"
#include "ui/text/parameter_text.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"
#include "ui/text/symbol_text.h"
#include "ui/text/token_names.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kDecimals = 2; // like cells on screen
constexpr double kWidestLabel = 84, kWidestCell = 66, kLabelGap = 6;
constexpr QSizeF kPrintedCell{40, 22}, kWrittenCell{46, 31}; // a written cell is 12.2 mm × 8.2 mm

QStringList picked(const QStringList &names, const std::vector<core::Index> &which) {
    QStringList list;
    for (const core::Index index : which)
        list << names.value(index, QString::number(index));
    return list;
}

} // namespace

QColor answerColour() {
    return QColor(0xB3261E);
}

SheetMatrix::SheetMatrix(const core::WorksheetTask &task, const core::WorksheetMatrix &matrix,
                         const FigureStyle &style, double width)
    : m_matrix(matrix), m_style(style) {
    name(task);
    measure(width, kPrintedCell);
}

SheetMatrix::SheetMatrix(const core::WorksheetTask &task, bool answers, const FigureStyle &style,
                         double width)
    : m_matrix(task.asked), m_style(style), m_blank(task.blank), m_answers(answers) {
    name(task);
    measure(width, kWrittenCell);
}

void SheetMatrix::name(const core::WorksheetTask &task) {
    using Kind = core::WorksheetMatrix::Kind;
    const core::Trace &trace = *task.trace;
    core::Selection at = task.selection;
    at.stage = m_matrix.at.stage;
    at.setAttention(m_matrix.at.attention);
    QStringList title;
    switch (m_matrix.kind) {
    case Kind::Stage:
        m_symbol = QString::fromStdString(core::symbolOf(trace, m_matrix.at));
        title << titleOf(trace.model(), at.stage);
        if (at.attention() != task.selection.attention())
            title << attentionName(trace.model(), at.attention());
        if (core::infoOf(at.stage).perHead && trace.model().headsOf(at.attention()) > 1)
            title << tr("head %1").arg(m_matrix.head);
        title.removeAll(QString());
        break;
    case Kind::Learned:
        m_symbol = markedSymbolOf(m_matrix.id.which);
        title << tr("parameters");
        break;
    case Kind::Positions:
        m_symbol = QStringLiteral("P");
        title << tr("what each position adds");
        break;
    case Kind::TokenTypes:
        m_symbol = QStringLiteral("T");
        title << tr("what each token's type adds");
        break;
    case Kind::Mask:
        m_symbol = m_matrix.role == core::Role::Weights ? QString() : QStringLiteral("M");
        title << (m_symbol.isEmpty() ? tr("the mask: 1 where a key is visible") : tr("the mask"));
        break;
    }
    m_title = title.join(QStringLiteral(" · "));
    if (!m_matrix.isWhole())
        m_note = tr("%1 × %2 of %3 × %4 numbers")
                     .arg(m_matrix.rows.size())
                     .arg(m_matrix.columns.size())
                     .arg(m_matrix.allRows)
                     .arg(m_matrix.allColumns);
    const bool isLearned = m_matrix.kind == Kind::Learned;
    const bool ofWords = core::infoOf(at.stage).columns == core::Columns::Words;
    const auto counted = [](core::Index count) {
        QStringList names;
        for (core::Index i = 0; i < count; ++i)
            names << QString::number(i);
        return names;
    };
    const QStringList columns =
        columnNames(trace, at, m_matrix.transposed ? m_matrix.allRows : m_matrix.allColumns);
    if (!isLearned) {
        m_rows = picked(rowNames(trace, at), m_matrix.rows);
        m_columns = picked(columns, m_matrix.columns);
    } else if (m_matrix.transposed) {
        m_rows = picked(ofWords ? columns : counted(m_matrix.allRows), m_matrix.rows);
        m_columns = picked(counted(m_matrix.allColumns), m_matrix.columns);
    } else {
        m_rows = m_matrix.allRows == 1 ? QStringList{QString()}
                                       : picked(counted(m_matrix.allRows), m_matrix.rows);
        m_columns = picked(ofWords ? columns : counted(m_matrix.allColumns), m_matrix.columns);
    }
}

void SheetMatrix::measure(double width, QSizeF cell) {
    const QFont font = m_style.font(FigureStyle::Text::Label);
    for (const QString &row : m_rows)
        m_labels = std::max(m_labels, std::min(kWidestLabel, textWidth(row, font)));
    m_labels += kLabelGap;
    double widest = cell.width();
    for (const QString &column : m_columns)
        widest = std::max(widest, std::min(kWidestCell, textWidth(column, font) + 6));
    for (const float number : m_matrix.numbers)
        widest = std::max(widest, textWidth(numberText(number, kDecimals), font) + 8);
    const double available = (width - m_labels) / static_cast<double>(m_matrix.columns.size());
    m_cell = {std::min(widest, available), cell.height()};
}

QSizeF SheetMatrix::size() const {
    const QFont font = m_style.font(FigureStyle::Text::Label);
    const QFont body = m_style.font(FigureStyle::Text::Body, true);
    const double heading =
        textWidth(m_symbol, body) + textWidth(QStringLiteral("   ") + m_title, font);
    const double grid = m_labels + m_cell.width() * static_cast<double>(m_columns.size());
    const double lines = m_note.isEmpty() ? 1 : 2;
    return {std::max({grid, heading, textWidth(m_note, font)}) + 1,
            lineHeight(body) + lines * lineHeight(font) + 3 +
                m_cell.height() * static_cast<double>(m_rows.size())};
}

QString SheetMatrix::description() const {
    return tr("%1 %2, %3 by %4")
        .arg(plainSymbols(m_symbol), m_title)
        .arg(m_rows.size())
        .arg(m_columns.size());
}

void SheetMatrix::paintLabels(QPainter &painter, const QRectF &grid) const {
    const QFont font = m_style.font(FigureStyle::Text::Label);
    const double line = lineHeight(font);
    for (qsizetype column = 0; column < m_columns.size(); ++column)
        drawLine(painter,
                 {grid.left() + static_cast<double>(column) * m_cell.width() + 1,
                  grid.top() - line - 1, m_cell.width() - 2, line},
                 Qt::AlignHCenter, m_columns[column], font, m_style.mutedText);
    for (qsizetype row = 0; row < m_rows.size(); ++row)
        drawLine(painter,
                 {grid.left() - m_labels, grid.top() + static_cast<double>(row) * m_cell.height(),
                  m_labels - kLabelGap, m_cell.height()},
                 Qt::AlignRight, m_rows[row], font, m_style.mutedText);
}

void SheetMatrix::paintCells(QPainter &painter, const QRectF &grid) const {
    const QColor role = m_style.colourOf(m_matrix.role);
    const QColor printed = mixed(role, Qt::white, 0.09);
    const QFont font = m_style.font(FigureStyle::Text::Label);
    const QFont bold = m_style.font(FigureStyle::Text::Label, true);
    painter.setPen(QPen(QColor(0x9AA1AB), 0.6));
    for (std::size_t i = 0; i < m_matrix.numbers.size(); ++i) {
        const QRectF cell(
            grid.left() + static_cast<double>(i % m_matrix.columns.size()) * m_cell.width(),
            grid.top() + static_cast<double>(i / m_matrix.columns.size()) * m_cell.height(),
            m_cell.width(), m_cell.height());
        const bool blank = isBlank(i);
        painter.setPen(QPen(QColor(0x9AA1AB), 0.6));
        painter.setBrush(!blank      ? printed
                         : m_answers ? mixed(answerColour(), Qt::white, 0.07)
                                     : QColor(Qt::white));
        painter.drawRect(cell);
        if (!blank || m_answers)
            drawLine(painter, cell.adjusted(1, 0, -1, 0), Qt::AlignHCenter,
                     numberText(m_matrix.numbers[i], kDecimals), blank ? bold : font,
                     blank ? answerColour() : m_style.text);
    }
    painter.setPen(QPen(role, 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(grid);
}

void SheetMatrix::paint(QPainter &painter, const QPointF &place) const {
    const QFont font = m_style.font(FigureStyle::Text::Label);
    const QFont body = m_style.font(FigureStyle::Text::Body, true);
    double top = place.y();
    Spans heading = symbolSpans(m_symbol, m_style.colourOf(m_matrix.role), true);
    const double symbol = heading.isEmpty() ? 0 : spansWidth(heading, body) + 8;
    drawSpans(painter, {place.x(), top, size().width(), lineHeight(body)}, heading, body);
    drawLine(painter, {place.x() + symbol, top, size().width() - symbol, lineHeight(body)},
             Qt::AlignLeft, m_title, font, m_style.mutedText);
    top += lineHeight(body);
    if (!m_note.isEmpty()) {
        drawLine(painter, {place.x(), top, size().width(), lineHeight(font)}, Qt::AlignLeft, m_note,
                 font, m_style.mutedText);
        top += lineHeight(font);
    }
    top += lineHeight(font) + 2;
    const QRectF grid(place.x() + m_labels, top,
                      m_cell.width() * static_cast<double>(m_columns.size()),
                      m_cell.height() * static_cast<double>(m_rows.size()));
    paintLabels(painter, grid);
    paintCells(painter, grid);
}

} // namespace headlight::ui
