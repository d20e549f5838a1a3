#include "ui/figures/whole/whole_figure.h"

#include "core/explain/gradients/gradient_lines.h"
#include "core/selection/selected.h"
#include "ui/figures/arithmetic/stage_arithmetic.h"
#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/heatmap/beside_column.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/gradient_heatmap.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/figures/whole/source_marks.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/symbol_text.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr double kLaterShare = 0.38; // colour share of a matrix that is not computed yet
constexpr core::Index kMaxSheetsBehind = 2;
constexpr double kSheet = 3; // px between sheets

QString secondLineOf(WholeTitle which, const QString &shape) {
    return which == WholeTitle::NameAndShape ? shape : QString();
}

Spans titleOf(WholeTitle which, const Spans &symbol, const QString &name, const QString &shape,
              const FigureStyle &style) {
    const QString rest = which == WholeTitle::NameAndShape     ? name
                         : which == WholeTitle::SymbolAndShape ? shape
                                                               : QString();
    if (rest.isEmpty())
        return symbol;
    return symbol + Spans{{QStringLiteral("  ") + rest, style.mutedText, false, Span::Place::Line}};
}

} // namespace

Spans WholeFigure::Part::title(WholeTitle which, const FigureStyle &style) const {
    return titleOf(which, symbolSpans(symbol, content.titleColour, !isLater), name, shapeText,
                   style);
}

QString WholeFigure::Part::secondLine(WholeTitle which) const {
    return secondLineOf(which, shapeText + place);
}

core::Selection WholeFigure::shown(const core::Trace &trace, const core::Selection &selection) {
    return atStage(selection, ModelParts(trace).shown(selection));
}

WholeFigure WholeFigure::fromTrace(const core::TracePointer &now, const core::Selection &selection,
                                   const FigureStyle &style, const FigureOptions &options,
                                   HeatmapCache *kept) {
    // The map of side A contains only data of A, including the matrix sizes.
    const Compared &compared = options.compared;
    const bool ofA =
        compared.shown == ComparisonSide::A &&
        unavailableReason(*now, shown(*now, selection), compared, ComparisonSide::A).isEmpty();
    if (!ofA)
        return made(now, selection, style, options, kept);
    FigureOptions optionsOfA = options;
    optionsOfA.compared.partners.reset(); // the selection is already in A
    return made(compared.a, inA(compared, shown(*now, selection)), style, optionsOfA, kept);
}

WholeFigure WholeFigure::made(const core::TracePointer &trace, const core::Selection &selection,
                              const FigureStyle &style, const FigureOptions &options,
                              HeatmapCache *kept) {
    const ModelParts model(*trace);
    const core::StageId stage = model.shown(selection);
    const core::Selection current = atStage(selection, stage);
    const core::BackwardPass *back = backwardOn(trace, options);
    WholeGraph graph = WholeGraph::of(*trace, model, model.partOf(current));
    const auto order = static_cast<std::ptrdiff_t>(graph.indexOf(stage));
    const SourceMarks sources(*trace, current, style);
    FigureOptions partOptions = options;
    partOptions.title.clear();
    std::vector<Part> parts;
    for (std::size_t i = 0; i < graph.stages.size(); ++i) {
        const core::StageId at = graph.stages[i].at;
        const core::Selection place = atStage(current, at);
        const core::Stage named = namedStage(at.stage, at.attention.layer);
        const QString symbol = symbolText(*trace, {named, at.attention});
        const auto way = static_cast<std::ptrdiff_t>(i) - order;
        Part part;
        part.at = at;
        part.symbol = back ? briefGradientSymbol(symbol) : symbol;
        part.name = ui::titleOf(trace->model(), named);
        part.content = contentOf(trace, place, style, partOptions, kept);
        addSinkColumn(part.content, trace, place, partOptions);
        const core::Shape shape = shapeOf(*trace, at.stage, at.attention);
        const core::SharedMatrix numbers = part.content.matrix();
        part.rows = numbers.empty() ? shape.last(1) : numbers.rows;
        part.columns = numbers.empty() ? shape.last(0) : numbers.columns;
        // On paper, no stage is faint, because the user cannot step through the stages.
        part.isLater = !style.isPaper && (back ? way < 0 : way > 0);
        const bool perHead = core::infoOf(at.stage).perHead && shape.rank() == 4;
        part.sheets = perHead                                   ? shape[1]
                      : !core::infoOf(at.stage).rowsAreTokens() ? 1
                                                                : trace->batch().count();
        part.shapeText = shapeText(part.rows, part.columns);
        if (perHead && part.sheets > 1) {
            const core::Index sharing =
                std::max<core::Index>(1, trace->model().headsOf(at.attention) / part.sheets);
            part.place = tr(" · head %1 of %2").arg(current.head / sharing).arg(part.sheets);
        }
        if (options.learned)
            part.learned = ui::learnedOf(trace, place, style, options, kept);
        if (!back) { // a gradient is computed from later stages
            part.content.marks = sources.marksAt(at);
            if (auto mark = part.learned ? sources.learnedMarkAt(at) : std::nullopt) {
                mark->column = part.learned->sample.sampledColumn(*mark->column);
                part.learned->content.marks = {*mark};
            }
        }
        parts.push_back(std::move(part));
    }
    WholeFigure figure(std::move(parts), std::move(graph), stage, style);
    figure.m_title = options.title;
    if (options.compared.shown != ComparisonSide::Now)
        figure.m_note = options.compared.shown == ComparisonSide::A
                            ? figure.contentAt(stage)->subtitle
                            : tr("current − A · %1").arg(figure.contentAt(stage)->subtitle);
    if (back) {
        figure.m_goesBack = true;
        figure.m_strip = {formulaSpans(*back, current, style), arithmeticOf(*back, current, style)};
    }
    return figure;
}

WholeFigure::WholeFigure(std::vector<Part> parts, WholeGraph graph, core::StageId stage,
                         FigureStyle style)
    : m_parts(std::move(parts)), m_stage(stage), m_style(std::move(style)) {
    m_request = measured(std::move(graph));
}

WholeRequest WholeFigure::measured(WholeGraph graph) const {
    const QFont font = m_style.font(FigureStyle::Text::Body); // must be the font of the titles
    const QFont label = m_style.font(FigureStyle::Text::Label);
    WholeRequest request;
    request.graph = std::move(graph);
    request.titleHeight = lineHeight(font) + 1;
    request.lineHeight = lineHeight(label);
    request.textScale = m_style.textScale;
    for (const Part &part : m_parts) {
        WholeMatrix matrix{.rows = part.rows, .columns = part.columns};
        if (!part.content.beside.empty()) {
            // The gap contains the sheets of other heads.
            matrix.besideWidth = besideWidth(part.content, m_style);
            matrix.besideLabel = {textWidth(part.content.besideLabel, label), request.lineHeight};
        }
        std::optional<WholeMatrix> learned;
        if (part.learned)
            learned = WholeMatrix{.rows = part.learned->sample.rows,
                                  .columns = part.learned->sample.columns};
        for (std::size_t i = 0; i < kWholeTitles; ++i) {
            const auto which = static_cast<WholeTitle>(i);
            matrix.titles[i] = std::max(spansWidth(part.title(which, m_style), font),
                                        textWidth(part.secondLine(which), label));
            if (!learned)
                continue;
            const QString shape = shapeText(learned->rows, learned->columns);
            learned->titles[i] =
                std::max(spansWidth(titleOf(which, part.learned->symbol, {}, shape, m_style), font),
                         textWidth(secondLineOf(which, shape), label));
        }
        request.matrices.push_back(matrix);
        request.learned.push_back(learned);
    }
    return request;
}

QSizeF WholeFigure::naturalSize() const {
    return {std::ceil(m_style.scaled(1108)), std::ceil(m_style.scaled(520))};
}

QSizeF WholeFigure::minimumSize() const {
    const double strip = m_goesBack ? ArithmeticStrip::heightFor(m_style) + 10 : 0;
    const double title = (m_title.isEmpty() ? 0 : m_request.titleHeight + 10) +
                         (m_note.isEmpty() ? 0 : m_request.lineHeight);
    return minimumWholeSize(m_request) +
           QSizeF(2 * kFigureMargin + 2 * kSheet, 2 * kFigureMargin + 2 * kSheet + strip + title);
}

QSizeF WholeFigure::readableSize(const QSizeF &sight) const {
    const QSizeF least = sight.expandedTo(minimumSize());
    return grownUntil(least, 6,
                      [this](const QSizeF &size) {
                          return places(QRectF(QPointF(), size)).map.isComplete;
                      })
        .value_or(least);
}

WholeFigure::Places WholeFigure::places(const QRectF &area) const {
    Places places;
    QRectF inner = area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    if (m_goesBack) {
        const double height = ArithmeticStrip::heightFor(m_style);
        places.strip = QRectF(inner.left(), inner.bottom() - height, inner.width(), height);
        inner.setBottom(places.strip.top() - 10);
    }
    if (!m_note.isEmpty()) {
        // Place the note in the margin. With it, both sides of a comparison have the same layout.
        const double height = m_request.lineHeight;
        places.note = QRectF(inner.left(), area.bottom() - height - 1, inner.width(), height);
        inner.setBottom(std::min(inner.bottom(), places.note.top()));
    }
    if (!m_title.isEmpty())
        inner.setTop(inner.top() + m_request.titleHeight + 10);
    WholeRequest request = m_request;
    request.area = inner.adjusted(0, 0, -2 * kSheet, -2 * kSheet);
    places.map = WholeGeometry::of(request);
    if (m_goesBack)
        for (WholeArrow &arrow : places.map.arrows) {
            std::swap(arrow.from, arrow.to);
            arrow.angle = 180 - arrow.path.angleAtPercent(0);
            arrow.path = arrow.path.toReversed();
        }
    return places;
}

const WholeFigure::Part *WholeFigure::part(core::StageId at) const & {
    const auto found = std::ranges::find(m_parts, at, &Part::at);
    return found == m_parts.end() ? nullptr : &*found;
}

const HeatmapContent *WholeFigure::contentAt(core::StageId at) const & {
    const Part *found = part(at);
    return found ? &found->content : nullptr;
}

const ParameterHeatmap *WholeFigure::learnedOf(core::StageId at) const & {
    const Part *found = part(at);
    return found && found->learned ? &*found->learned : nullptr;
}

void WholeFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const Places places = this->places(area);
    if (!m_title.isEmpty())
        drawHeading(painter,
                    QRectF(area.left() + kFigureMargin, area.top() + kFigureMargin,
                           area.width() - 2 * kFigureMargin, m_request.titleHeight),
                    m_title, m_style.font(FigureStyle::Text::Title, true), m_style.text);
    if (const QString why = absence(); !why.isEmpty()) {
        paintAbsence(painter, area, why, m_style);
        painter.restore();
        return;
    }
    for (const WholeArrow &arrow : places.map.arrows)
        paintArrow(painter, arrow);
    const Device cells = cellCount() > kMaxVectorCells ? Device::Raster : device;
    for (const Part &part : m_parts) {
        paintNode(painter, *places.map.node(part.at), part, places.map.title, cells);
        if (const WholeNode *node = places.map.learnedOf(part.at))
            paintWeights(painter, *node, part, places.map.title, cells);
    }
    for (const QRectF &sign : places.map.signs)
        drawLine(painter, sign, Qt::AlignHCenter, QStringLiteral("="),
                 m_style.font(FigureStyle::Text::Body), m_style.mutedText);
    drawLine(painter, places.note, Qt::AlignLeft, m_note, m_style.font(FigureStyle::Text::Label),
             m_style.mutedText);
    if (m_goesBack)
        m_strip.paint(painter, places.strip, m_style);
    painter.restore();
}

void WholeFigure::paintTitle(QPainter &painter, const WholeNode &node, const Spans &first,
                             const QString &second) const {
    QRectF line(node.title.topLeft(), QSizeF(node.title.width(), m_request.titleHeight));
    drawSpans(painter, line, first, m_style.font(FigureStyle::Text::Body));
    if (second.isEmpty())
        return;
    line.moveTop(line.bottom());
    line.setHeight(m_request.lineHeight);
    drawLine(painter, line, Qt::AlignLeft, second, m_style.font(FigureStyle::Text::Label),
             m_style.mutedText);
}

void WholeFigure::paintMatrix(QPainter &painter, const WholeNode &node,
                              const HeatmapContent &content, bool isLater, Device device) const {
    const HeatmapGeometry cells = node.cells();
    if (content.matrix().empty()) // not computed, or not comparable
        return paintFrame(painter, cells, m_style);
    const double fade = isLater ? kLaterShare : 1;
    paintCells(painter, cells, content, m_style, m_style.background, device, fade);
    paintNumbers(painter, cells, content, m_style, m_style.background, fade);
    paintFrame(painter, cells, m_style);
    paintBeside(painter, cells, content, m_style, m_style.background, device, fade);
    paintColumnGroups(painter, cells, content, m_style);
    paintRowMarks(painter, cells, content, m_style);
    paintMarks(painter, cells, content, m_style);
    paintSetByHand(painter, cells, content, m_style);
}

void WholeFigure::paintNode(QPainter &painter, const WholeNode &node, const Part &part,
                            WholeTitle title, Device device) const {
    painter.setBrush(m_style.surface);
    painter.setPen(QPen(faint(m_style.mutedText, m_style.background, 0.5), 1));
    for (core::Index i = std::min(part.sheets - 1, kMaxSheetsBehind); i > 0; --i)
        painter.drawRect(
            node.matrix.translated(kSheet * static_cast<double>(i), kSheet * static_cast<double>(i))
                .adjusted(0.5, 0.5, 0.5, 0.5));
    painter.setBrush(Qt::NoBrush);
    paintTitle(painter, node, part.title(title, m_style), part.secondLine(title));
    paintMatrix(painter, node, part.content, part.isLater, device);
    if (part.at == m_stage && !m_style.isPaper) {
        paintSelection(painter, node.cells(), part.content, m_style);
        paintOutline(painter, node.numbers().adjusted(-4, -4, 4, 4), m_style.accent, 2,
                     Qt::SolidLine);
    }
}

void WholeFigure::paintWeights(QPainter &painter, const WholeNode &node, const Part &part,
                               WholeTitle title, Device device) const {
    const ParameterHeatmap &learned = *part.learned;
    const QString shape = shapeText(learned.sample.rows, learned.sample.columns);
    paintTitle(painter, node, titleOf(title, learned.symbol, {}, shape, m_style),
               secondLineOf(title, shape));
    paintMatrix(painter, node, learned.content, part.isLater, device);
    paintHeadRows(painter, node.cells(), learned, m_style);
}

void WholeFigure::paintArrow(QPainter &painter, const WholeArrow &arrow) const {
    // If the colour of the first stage's role is plain, use that of the next stage.
    const auto isPlain = [](core::Role one) {
        return one == core::Role::Residual || one == core::Role::Scores ||
               one == core::Role::Hidden || one == core::Role::Logits;
    };
    const core::Role from = core::infoOf(arrow.from.stage).role;
    const core::Role to = core::infoOf(arrow.to.stage).role;
    QColor colour = m_style.colourOf(from);
    if (isPlain(from))
        colour = isPlain(to) ? m_style.mutedText : m_style.colourOf(to);
    if (const Part *target = part(arrow.to); target && target->isLater)
        colour = faint(colour, m_style.background, 0.45);
    QPen pen(colour, 1.5);
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(arrow.path);
    painter.save();
    painter.translate(arrow.path.currentPosition());
    painter.rotate(arrow.angle);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF{{2, 0}, {-6, -4}, {-6, 4}});
    painter.restore();
}

QString WholeFigure::absence() const {
    const HeatmapContent *current = contentAt(m_stage);
    return current && current->matrix().empty() ? current->absence : QString();
}

qint64 WholeFigure::cellCount() const {
    qint64 count = 0;
    for (const Part &part : m_parts) {
        const core::SharedMatrix matrix = part.content.matrix();
        count += matrix.rows * matrix.columns;
        if (part.learned)
            count += part.learned->sample.numbers.rows * part.learned->sample.numbers.columns;
    }
    return count;
}

QString WholeFigure::description() const {
    QStringList symbols;
    for (const Part &part : m_parts)
        symbols.append(plainSymbols(part.symbol));
    const Part *current = part(m_stage);
    QString text = tr("The computation as matrices: %1. Outlined: %2.")
                       .arg(enumerated(symbols), current ? current->name : QString());
    for (const Part &part : m_parts)
        if (!part.content.beside.empty())
            text = sentences({text, tr("A column next to %1 shows the %2.")
                                        .arg(plainSymbols(part.symbol), part.content.besideLabel)});
    if (const QString why = absence(); !why.isEmpty())
        text = why;
    if (m_goesBack)
        text += QLatin1Char('\n') + plainText(m_strip.formula).simplified();
    if (!m_strip.arithmetic.isEmpty())
        text += QLatin1Char('\n') + plainText(m_strip.arithmetic);
    return m_title.isEmpty() ? text : labelled(m_title, text);
}

} // namespace headlight::ui
