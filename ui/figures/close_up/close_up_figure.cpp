#include "ui/figures/close_up/close_up_figure.h"

#include "core/selection/selected.h"
#include "ui/compare/compared.h"
#include "ui/figures/arithmetic/stage_arithmetic.h"
#include "ui/figures/base/card.h"
#include "ui/figures/heatmap/beside_column.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/text/head_text.h"
#include "ui/text/sentences.h"
#include "ui/text/symbol_text.h"
#include "ui/text/token_names.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using Placed = CloseUpGeometry::Placed;

constexpr core::Index kMaxNumberedRows = 100; // maximum rows of a result with numbers
constexpr core::Index kMaxPart = 16;          // number of columns in the longest part that is tried
constexpr int kMinTitle = 9;                  // px, type of a title wider than its matrix
constexpr int kPresentedTitle = 18;           // px, larger than the controls beside a title
constexpr double kRecomputedLine = 3;         // px, height of the line above a title
constexpr int kDigits = 13;                   // px, smallest type of the numbers
constexpr qsizetype kNoteLine = 22;           // characters per line of the name beside a result
constexpr qsizetype kShortNoteLine = 11;      // like kNoteLine, in a narrow picture

double widestOf(const QStringList &labels, const QFont &font) {
    double width = 0;
    for (const QString &label : labels)
        width = std::max(width, textWidth(label, font));
    return std::ceil(width);
}

/// Returns the widths of the column labels. If there are many, measures only those near the focus.
std::vector<double> columnWidths(const HeatmapContent &content, core::Index focus,
                                 const FigureStyle &style) {
    std::vector<double> widths(static_cast<std::size_t>(content.columnLabels.size()), 0);
    for (core::Index i = 0; i < content.columnLabels.size(); ++i)
        if (std::ssize(widths) <= kMaxNumberedRows || std::abs(i - focus) <= kMaxPart) {
            const QFont font = style.font(FigureStyle::Text::Label, i == content.selectedColumn);
            widths[static_cast<std::size_t>(i)] =
                std::ceil(textWidth(content.columnLabels[i], font));
        }
    return widths;
}

/// Returns the numbers of the selected cell on both sides of a comparison, or why there are none.
Spans comparedNumbers(const core::Trace &trace, const core::Selection &current,
                      const FigureStyle &style, const Compared &compared) {
    const auto cell = cellOf(current);
    const auto both =
        cell ? comparedCell(trace, current, compared, cell->row, cell->column) : std::nullopt;
    const QString words = both   ? both->words()
                          : cell ? unavailableReason(trace, current, compared, compared.shown).why
                                 : QString();
    return words.isEmpty() ? Spans() : Spans{{words, style.text, false, {}}};
}

/// Returns the lines below the symbol to the right of the result: its name and its size. Lines of
/// the name have at most `length` characters, unless a word is longer.
QStringList notesOf(const CloseUpPart &part, qsizetype length) {
    QStringList lines;
    for (const QString &word : part.name.split(QLatin1Char(' ')))
        if (!lines.isEmpty() && lines.last().size() + 1 + word.size() <= length)
            lines.last() += QLatin1Char(' ') + word;
        else
            lines << word;
    return lines << shapeText(part.rows(), part.columns());
}

} // namespace

core::Selection CloseUpFigure::shown(const core::Trace &trace, const core::Selection &selection) {
    return atStage(selection, ModelParts(trace).shown(selection));
}

CloseUpFigure CloseUpFigure::fromTrace(const core::TracePointer &now,
                                       const core::Selection &selection, const FigureStyle &style,
                                       const FigureOptions &options, HeatmapCache *kept) {
    const Compared &compared = options.compared;
    const bool ofA =
        compared.shown == ComparisonSide::A &&
        unavailableReason(*now, shown(*now, selection), compared, ComparisonSide::A).isEmpty();
    const core::TracePointer &trace = ofA ? compared.a : now;
    core::Selection current = ofA ? inA(compared, shown(*now, selection)) : shown(*now, selection);
    const bool isOwn = compared.shown == ComparisonSide::Now || ofA;
    FigureOptions partOptions = options;
    partOptions.title.clear();
    if (ofA)
        partOptions.compared.partners.reset(); // `current` already selects in A
    // There is no arithmetic until a row is selected.
    const auto cell = current.opened || core::selectedRow(current)
                          ? core::openedCell(*trace, current)
                          : std::nullopt;
    if (current.opened && cell)
        current = *cell; // select the number that the open arithmetic explains
    ArithmeticStrip strip{formulaSpans(*trace, current, style),
                          isOwn ? arithmeticOf(*trace, current, style)
                                : comparedNumbers(*trace, current, style, compared)};
    ArithmeticTable table = isOwn && cell ? ArithmeticTable(*trace, *cell, style)
                                          : ArithmeticTable(strip.arithmetic, style);
    CloseUpFigure figure(CloseUpParts::of(trace, current, style, partOptions, kept),
                         std::move(strip), std::move(table), current, options.title, style);
    if (options.lines && compared.shown != ComparisonSide::Difference)
        figure.addLines(trace, partOptions, kept);
    if (isOwn)
        figure.addRow(*trace);
    if (compared.shown == ComparisonSide::Now && !style.isPaper) // paper has no cards
        figure.m_sheets = sheetsOf(trace, current, style, partOptions, kept);
    return figure;
}

/// If the rows are computed one at a time, there is no matrix. Adds bars of the selected row, or of
/// the last one.
void CloseUpFigure::addRow(const core::Trace &trace) {
    const core::Stage stage = m_selection.stage;
    const core::Index sequence = m_selection.sequence;
    if (!trace.isByRow(stage) || sequence >= trace.batch().count())
        return;
    const core::Index row = m_selection.query.value_or(trace.batch()[sequence].length - 1);
    if (!trace.isRowReady(stage, sequence, row)) // the row is still being computed
        return;
    const core::SharedMatrix numbers = core::rowAt(trace, m_selection, row);
    if (numbers.empty())
        return;
    m_bars = WordBars::ofRow(numbers.row(0), row, rowLabels(trace, m_selection).value(row),
                             m_selection.dimension, m_parts.result.content.titleColour,
                             [&trace](core::Index word) { return wordName(trace.model(), word); });
}

/// Adds lines if each row of the result is a query.
void CloseUpFigure::addLines(const core::TracePointer &trace, const FigureOptions &options,
                             HeatmapCache *kept) {
    const core::Stage stage = m_selection.stage;
    const core::StageId weights{core::Stage::AttentionWeights, m_selection.attention()};
    if (!(core::infoOf(stage).overKeys() || stage == core::Stage::Context) ||
        !trace->has(weights.stage, weights.attention))
        return;
    HeatmapContent content =
        contentOf(trace, atStage(m_selection, weights), m_style, options, kept);
    if (content.matrix().empty() || content.columnLabels.isEmpty())
        return;
    if (stage == weights.stage)
        content.computedTo = m_parts.result.content.computedTo;
    m_lines.emplace(std::move(content), m_style);
}

CloseUpFigure::CloseUpFigure(CloseUpParts parts, ArithmeticStrip strip, ArithmeticTable table,
                             const core::Selection &selection, QString title, FigureStyle style)
    : m_parts(std::move(parts)),
      m_strip(std::move(strip)),
      m_table(std::move(table)),
      m_selection(selection),
      m_title(std::move(title)),
      m_style(std::move(style)) {
    if (core::infoOf(m_selection.stage).columns == core::Columns::Words &&
        !m_parts.result.content.matrix().empty())
        m_bars = WordBars::of(m_parts.result.content);
    measure();
}

int CloseUpFigure::digits() const {
    // In a presentation, the smallest legible numbers are better than colours only.
    return m_style.isPresented() ? m_style.minText
                                 : static_cast<int>(std::lround(m_style.scaled(kDigits)));
}

QString CloseUpFigure::facts(bool showsHead) const {
    const CloseUpPart &result = m_parts.result;
    QStringList facts = result.content.subtitle.split(QStringLiteral(" · "));
    for (const QString &note : {result.name, shapeText(result.rows(), result.columns())})
        facts.removeAll(note);
    if (showsHead)
        facts.removeAll(headText(m_selection.head));
    return facts.join(QStringLiteral(" · "));
}

QFont CloseUpFigure::titleFont(bool bold) const {
    QFont font = m_style.font(FigureStyle::Text::Title, bold);
    if (m_style.isPresented())
        font.setPixelSize(std::max(font.pixelSize(), kPresentedTitle));
    return font;
}

CloseUpShape CloseUpFigure::measured(const CloseUpPart &part, bool hasRowLabels) const {
    const HeatmapContent &content = part.content;
    const core::SharedMatrix matrix = content.matrix();
    const QFont label = m_style.font(FigureStyle::Text::Label, true);
    CloseUpShape made;
    made.rows = matrix.rows;
    made.columns = matrix.columns;
    made.shares = part.shares;
    made.isSummed = part.isSummed;
    made.isBlock = part.isBlock;
    made.isSampled = part.isSampled;
    made.isOfHead = part.isOfHead;
    made.firstColumn = part.firstColumn;
    made.summedColumns = part.summedColumns;
    if (content.numbers && !matrix.empty() && !part.isSampled &&
        m_parts.result.rows() <= kMaxNumberedRows) // no screen shows more rows with numbers
        made.numberCell = cellOfNumbers(content, m_style, digits());
    for (int detail = 0; detail < 3; ++detail)
        made.titles[static_cast<std::size_t>(detail)] =
            std::ceil(spansWidth(part.title(detail, m_style), titleFont()));
    if (hasRowLabels)
        made.rowLabels = widestOf(content.rowLabels, label);
    made.columnLabels = widestOf(content.columnLabels, label);
    made.focusRow = part.isSummed && part.isAbove() ? m_parts.largestTerm
                    : part.isBlock                  ? m_parts.result.content.selectedRow
                                                    : content.selectedRow;
    made.focusColumn = content.selectedColumn;
    if (part.isSummed && !part.isAbove()) {
        made.focusColumn = m_parts.largestTerm;
        if (made.focusColumn && part.summedColumns)
            *made.focusColumn += part.summedColumns->first;
    } else if (!made.focusColumn) {
        made.focusColumn = m_parts.largestColumn;
    }
    return made;
}

void CloseUpFigure::measure() {
    m_request.scale = m_style.textScale;
    m_request.titleHeight = lineHeight(titleFont(true)) + 2;
    m_request.labelHeight = lineHeight(m_style.font(FigureStyle::Text::Label));
    m_request.colourBar = colourBarWidth(m_parts.result.content.scale, m_style);
    for (const CloseUpPart &part : m_parts.left)
        m_request.left.push_back(measured(part, &part == &m_parts.left.front()));
    for (const CloseUpPart &part : m_parts.above)
        m_request.above.push_back(measured(part, !part.learned));
    m_request.result = measured(m_parts.result, m_parts.left.empty());
    const auto notesIn = [&](qsizetype length) {
        const QStringList lines = notesOf(m_parts.result, length);
        return Notes{std::max(widestOf(lines, m_style.font(FigureStyle::Text::Label)),
                              m_request.result.titles[0]),
                     static_cast<int>(lines.size())};
    };
    const Notes notes = notesIn(kNoteLine);
    m_request.result.notes = notes.width;
    m_request.result.noteLines = notes.lines;
    m_shortNotes = notesIn(kShortNoteLine);
    m_request.hidesColumns = core::infoOf(m_selection.stage).columns == core::Columns::Dimensions ||
                             core::infoOf(m_selection.stage).columns == core::Columns::Words;
    m_request.hidesRows = m_style.isPresented();
    // Show the column labels only once, above everything.
    for (std::size_t i = 1; i < m_request.above.size(); ++i)
        if (!m_request.above[i].isBlock)
            m_request.above[i].columnLabels = 0;
    m_request.result.columnWidths =
        columnWidths(m_parts.result.content, m_request.result.focusColumn.value_or(0), m_style);
    if (!m_request.above.empty() && m_request.above.front().isSampled)
        m_request.above.front().columnLabels = 0; // its columns are not those of the result
    else if (!m_request.above.empty() && !m_request.above.front().isBlock)
        m_request.above.front().columnLabels =
            std::max(m_request.above.front().columnLabels, m_request.result.columnLabels);
}

QSizeF CloseUpFigure::naturalSize() const {
    return {std::ceil(m_style.scaled(920)), std::ceil(m_style.scaled(440))};
}

QSizeF CloseUpFigure::minimumSize() const {
    return {120 + m_style.scaled(220), 100 + m_style.scaled(180)};
}

bool CloseUpFigure::isWhole(const Places &places) const {
    bool isWhole = places.picture.form == CloseUpGeometry::Form::Numbers;
    forEachPart(places.picture, [&](const CloseUpPart &, const Placed &placed) {
        isWhole = isWhole && placed.hasNumbers && !placed.cells.isWindow && placed.detail > 0;
    });
    return isWhole;
}

std::optional<CloseUpFigure::Hit> CloseUpFigure::cellAt(const Places &places, QPointF point) const {
    std::optional<Hit> hit;
    forEachPart(places.picture, [&](const CloseUpPart &part, const Placed &placed) {
        if (const auto cell = placed.cells.cellAt(point))
            hit = Hit{&part, *cell, placed.cells.cellRect(cell->row, cell->column)};
    });
    if (const auto bar = places.bars.rowAt(point)) {
        const WordBars::Row &row = places.bars.rows[*bar];
        hit = Hit{&m_parts.result, row.cell, row.rect};
    }
    return hit;
}

const CloseUpPart *CloseUpFigure::titleAt(const Places &places, QPointF point) const {
    const CloseUpPart *found = nullptr;
    forEachPart(places.picture, [&](const CloseUpPart &part, const Placed &placed) {
        const auto detail = static_cast<std::size_t>(placed.detail);
        QRectF title = placed.title;
        if (!placed.isNoted)
            title.setWidth(
                std::min(title.width(),
                         spansWidth(part.title(static_cast<int>(detail), m_style), titleFont())));
        if (title.contains(point))
            found = &part;
    });
    return found;
}

void CloseUpFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    paintIn(painter, area, device, {});
}

void CloseUpFigure::paintIn(QPainter &painter, const QRectF &area, Device device,
                            const CloseUpViewport &viewport) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const Places places = this->places(area, viewport);
    if (!places.title.isEmpty())
        drawHeading(painter, places.title, m_title, m_style.font(FigureStyle::Text::Title, true),
                    m_style.text);
    const Device cells = cellCount() > kMaxVectorCells ? Device::Raster : device;
    if (m_parts.result.content.matrix().empty()) {
        const HeatmapContent &content = m_parts.result.content;
        const double right = places.bars.rows.empty() ? area.right() : places.card.left();
        if (places.table.isEmpty())
            paintAbsence(painter, QRectF(area.topLeft(), QPointF(right, places.strip.top())),
                         content.absence.isEmpty() ? content.subtitle : content.absence, m_style);
    } else {
        paintSheets(painter, places.picture, m_sheets, m_style, cells);
        paintCard(painter, places.picture.card.adjusted(0.75, 0.75, -0.75, -0.75),
                  QPen(m_style.accent, 1.5), 8, m_style);
        forEachPart(places.picture, [&](const CloseUpPart &part, const Placed &placed) {
            paintPart(painter, part, placed, cells);
            if (part.at && std::ranges::binary_search(viewport.recomputed, *part.at))
                paintRecomputed(painter, part, placed);
        });
        if (const HeatmapContent &content = m_parts.result.content; m_lines)
            m_lines->paint(painter, places.picture.result.cells, content.selectedRow,
                           core::infoOf(m_selection.stage).overKeys() ? content.selectedColumn
                                                                      : std::nullopt);
        for (std::size_t i = 0; i < places.picture.signs.size(); ++i) {
            const bool isLast = i + 1 == places.picture.signs.size();
            const QString sign = !isLast                  ? m_parts.sign
                                 : !m_parts.above.empty() ? QString()
                                 : m_parts.sign.isEmpty() ? QStringLiteral("→")
                                                          : QStringLiteral("=");
            drawLine(painter, places.picture.signs[i], Qt::AlignHCenter, sign,
                     m_style.font(FigureStyle::Text::Title, true), m_style.mutedText);
        }
        paintColourBar(painter, places.picture.result.cells.colourBar, m_parts.result.content.scale,
                       m_style, facts(showsHead(places.picture, viewport)));
    }
    if (!places.table.isEmpty()) {
        paintCard(painter, places.table.adjusted(0.5, 0.5, -0.5, -0.5), QPen(m_style.border, 1), 6,
                  m_style);
        m_table.paint(painter, places.inTable(), places.tableScroll);
    }
    if (!places.bars.rows.empty()) {
        paintCard(painter, places.card.adjusted(0.5, 0.5, -0.5, -0.5), QPen(m_style.border, 1), 6,
                  m_style);
        m_bars->paint(painter, places.bars, m_style);
    }
    ArithmeticStrip strip = m_strip;
    if (!places.stripHasNumbers)
        strip.arithmetic.clear(); // the table shows the arithmetic
    strip.paint(painter, places.strip, m_style);
    painter.restore();
}

void CloseUpFigure::paintPart(QPainter &painter, const CloseUpPart &part, const Placed &placed,
                              Device device) const {
    HeatmapContent content = part.content;
    content.minDigits = digits();
    content.numbers = content.numbers && placed.hasNumbers;
    const HeatmapGeometry &cells = placed.cells;
    if (cells.cells.isEmpty()) // an attached head whose columns are left out
        return;
    FigureStyle style = m_style;
    if (part.isMask && !content.numbers) // without numbers, 0 and masked cells look almost the same
        style.hidden = style.hiddenLine;
    paintCells(painter, cells, content, style, style.surface, device);
    paintFrame(painter, cells, m_style);
    // Paint the numbers after the outlines, so that no digit is covered.
    if (content.marks.empty() && &part == &m_parts.result)
        paintSelection(painter, cells, content, m_style);
    paintMarks(painter, cells, content, m_style);
    paintNumbers(painter, cells, content, m_style, m_style.surface);
    paintBeside(painter, cells, content, m_style, m_style.surface, device);
    if (!cells.isWindow)
        paintColumnGroups(painter, cells, content, m_style);
    paintRowMarks(painter, cells, content, m_style);
    paintLabels(painter, cells, content, m_style);
    paintSetByHand(painter, cells, content, m_style);
    if (part.learned && !cells.isWindow && part.isSampled)
        paintHeadRows(painter, cells, *part.learned, m_style);
    paintMore(painter, placed);
    paintTitle(painter, part, placed);
}

/// Paints a line above the title, like the one above a frame of the filmstrip.
void CloseUpFigure::paintRecomputed(QPainter &painter, const CloseUpPart &part,
                                    const Placed &placed) const {
    const Spans title = placed.isNoted ? part.symbol : part.title(placed.detail, m_style);
    const double width = std::min(placed.title.width(), spansWidth(title, titleFont()));
    const double height = m_style.scaled(kRecomputedLine);
    painter.fillRect(QRectF(placed.title.left(), std::round(placed.title.top() - height), width,
                            std::round(height)),
                     m_style.accent);
}

/// Paints "…" where rows or columns are left out.
void CloseUpFigure::paintMore(QPainter &painter, const Placed &placed) const {
    const QRectF &cells = placed.cells.cells;
    const double side = placed.cells.rowLabelDistance, height = placed.cells.columnLabelDistance;
    const double line = m_style.scaled(14);
    const QFont font = m_style.font(FigureStyle::Text::Body, true);
    const auto draw = [&](bool isThere, const QRectF &place, const QString &text) {
        if (isThere)
            drawLine(painter, place, Qt::AlignHCenter, text, font, m_style.mutedText);
    };
    const double middle = cells.center().y() - line / 2;
    draw(placed.hasMoreLeft, {cells.left() - side, middle, side, line}, QStringLiteral("…"));
    draw(placed.hasMoreRight, {cells.right(), middle, side, line}, QStringLiteral("…"));
    const double centre = cells.center().x() - line / 2;
    draw(placed.hasMoreAbove, {centre, cells.top() - height, line, height}, QStringLiteral("⋮"));
    draw(placed.hasMoreBelow, {centre, cells.bottom(), line, height}, QStringLiteral("⋮"));
}

void CloseUpFigure::paintTitle(QPainter &painter, const CloseUpPart &part,
                               const Placed &placed) const {
    const Spans title = placed.isNoted ? part.symbol : part.title(placed.detail, m_style);
    // A symbol that is wider than its matrix is drawn smaller instead of being cut.
    const QFont font =
        fittedFont(title, titleFont(), placed.title.width(), std::max(kMinTitle, m_style.minText));
    if (!placed.isNoted)
        return drawSpans(painter, placed.title, title, font);
    // To the right of the card: symbol, name and size, one below the other.
    const QFont label = m_style.font(FigureStyle::Text::Label);
    QRectF line(placed.title.topLeft(), QSizeF(placed.title.width(), m_request.titleHeight));
    drawSpans(painter, line, part.symbol, font);
    line.moveTop(line.bottom());
    line.setHeight(m_request.labelHeight + 1);
    const bool isShort = placed.title.width() < m_request.result.notes;
    for (const QString &text : notesOf(part, isShort ? kShortNoteLine : kNoteLine)) {
        if (line.bottom() > placed.title.bottom())
            return;
        drawLine(painter, line, Qt::AlignLeft, text, label, m_style.mutedText);
        line.moveTop(line.bottom());
    }
}

qint64 CloseUpFigure::cellCount() const {
    qint64 cells = m_parts.result.rows() * m_parts.result.columns();
    for (const auto *parts : {&m_parts.left, &m_parts.above})
        for (const CloseUpPart &part : *parts)
            cells += part.rows() * part.columns();
    return cells;
}

QString CloseUpFigure::description() const {
    const auto nameOf = [this](const CloseUpPart &part) {
        return plainText(part.title(2, m_style)).simplified();
    };
    const HeatmapContent &content = m_parts.result.content;
    if (content.matrix().empty()) {
        const QString why = content.absence.isEmpty() ? content.subtitle : content.absence;
        return m_bars ? ui::sentences({ended(why), ended(m_bars->description())}) : why;
    }
    QStringList sentences{tr("Close-up of %1.").arg(nameOf(m_parts.result))};
    for (const CloseUpPart &part : m_parts.left)
        sentences << (part.shares == CloseUpPart::Shares::Nothing
                          ? tr("To the left: %1.").arg(nameOf(part))
                          : tr("To the left: %1, with the same rows.").arg(nameOf(part)));
    for (const CloseUpPart &part : m_parts.above)
        sentences << tr("Above: %1, with the same columns.").arg(nameOf(part));
    if (!content.beside.empty())
        sentences << content.besideWords();
    for (const CloseUpSheet &sheet : m_sheets)
        sentences << tr("Behind: %1.").arg(sheet.name);
    sentences << plainText(m_strip.formula).simplified();
    if (isOpened())
        sentences << m_table.description();
    else if (!m_strip.arithmetic.isEmpty())
        sentences << plainText(m_strip.arithmetic).simplified();
    if (m_bars && !isOpened())
        sentences << m_bars->description();
    if (m_lines)
        if (const QString lines = m_lines->description(content.selectedRow); !lines.isEmpty())
            sentences << lines;
    const QString all = sentences.join(QLatin1Char(' '));
    return m_title.isEmpty() ? all : labelled(m_title, all);
}

} // namespace headlight::ui
