#include "ui/figures/flow/flow_figure.h"

#include "ui/figures/arithmetic/stage_arithmetic.h"
#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/flow/flow_boxes.h"
#include "ui/figures/flow/flow_sources.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/gradient_heatmap.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/text/sentences.h"
#include "ui/text/symbol_text.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr double kLaterShare = 0.38; // colour share of a matrix that is not computed yet

/// Returns both values of the selected cell in a comparison, or why there are none.
Spans comparedArithmetic(const core::Trace &trace, const core::Selection &current,
                         const FigureStyle &style, const Compared &compared) {
    const auto cell = cellOf(current);
    const auto both =
        cell ? comparedCell(trace, current, compared, cell->row, cell->column) : std::nullopt;
    const QString words = both   ? both->words()
                          : cell ? unavailableReason(trace, current, compared, compared.shown).why
                                 : QString();
    return words.isEmpty() ? Spans() : Spans{{words, style.text, false, {}}};
}

/// Turns the arrows from each result to its operands.
void turnArrows(FlowGeometry &geometry) {
    for (FlowArrow &arrow : geometry.arrows) {
        std::swap(arrow.from, arrow.to);
        arrow.tip = arrow.path.pointAtPercent(0);
        arrow.angle = 180 - arrow.path.angleAtPercent(0);
        arrow.path = arrow.path.toReversed();
    }
}

/// Returns the visible size of the diagram, between the map and the strip.
QSizeF sightOfDiagram(const QSizeF &view, double map, double strip) {
    return {view.width() - 2 * kFigureMargin,
            view.height() - map - strip - kFigureMargin - 2 * kFigureMargin};
}

} // namespace

FlowFigure::FlowFigure(std::vector<Part> parts, std::vector<FlowLink> links, core::StageId stage,
                       HeatmapFigure current, FlowMap map, ArithmeticStrip strip, FigureStyle style)
    : m_parts(std::move(parts)),
      m_links(std::move(links)),
      m_stage(stage),
      m_current(std::move(current)),
      m_map(std::move(map)),
      m_strip(std::move(strip)),
      m_style(std::move(style)) {}

core::Selection FlowFigure::shown(const core::Trace &trace, const core::Selection &selection) {
    return atStage(selection, ModelParts(trace).shown(selection));
}

FlowFigure FlowFigure::fromTrace(const core::TracePointer &now, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options,
                                 HeatmapCache *kept) {
    // Side A is a complete flow of A: its matrix sizes, formula and arithmetic.
    const Compared &compared = options.compared;
    const bool ofA =
        compared.shown == ComparisonSide::A &&
        unavailableReason(*now, shown(*now, selection), compared, ComparisonSide::A).isEmpty();
    return ofA ? made(compared.a, inA(compared, shown(*now, selection)), style, options, kept)
               : made(now, selection, style, options, kept);
}

FlowFigure FlowFigure::made(const core::TracePointer &trace, const core::Selection &selection,
                            const FigureStyle &style, const FigureOptions &options,
                            HeatmapCache *kept) {
    const Compared &compared = options.compared;
    const bool isOwn =
        compared.shown == ComparisonSide::Now ||
        (compared.shown == ComparisonSide::A && compared.a == trace); // no difference shown
    const ModelParts model(*trace);
    const core::StageId stage = model.shown(selection);
    core::Selection current = atStage(selection, stage);
    const core::BackwardPass *back = backwardOn(trace, options);
    const auto opened = current.opened && !back ? core::openedCell(*trace, current) : std::nullopt;
    current = opened.value_or(current); // one number of the selected row
    const ModelPart &part = model.partOf(current);
    const std::vector<core::StageId> stages = model.stagesOf(part);
    const FlowDiagram diagram = FlowDiagram::of(part, model.inputsOf(part), stages);
    const auto orderOf = [&stages](core::StageId at) {
        const auto found = std::ranges::find(stages, at);
        return found == stages.end() ? -1 : found - stages.begin();
    };
    FigureOptions partOptions = options;
    partOptions.title.clear();
    std::vector<Part> parts;
    for (const FlowCell &place : diagram.places) {
        const core::Stage named = namedStage(place.at.stage, place.at.attention.layer);
        // Paper shows all stages because it cannot be stepped through.
        const auto way = orderOf(place.at) - orderOf(stage);
        const bool isLater = !style.isPaper && (back ? way < 0 : way > 0);
        const QString symbol = symbolText(*trace, named);
        parts.push_back({place.at,
                         place,
                         isLater,
                         back ? briefGradientSymbol(symbol) : symbol,
                         titleOf(*trace, named),
                         contentOf(trace, atStage(current, place.at), style, partOptions, kept),
                         shapeOf(*trace, place.at.stage, place.at.attention),
                         {}});
        const core::Shape &shape = parts.back().shape;
        const bool perHead = core::infoOf(place.at.stage).perHead;
        parts.back().heads = perHead && shape.rank() == 4 ? shape[1] : 1;
        parts.back().sharing =
            std::max<core::Index>(1, trace->model().headsOf(place.at.attention) /
                                         std::max<core::Index>(1, parts.back().heads));
        parts.back().sequences = rowsAreSequences(place.at.stage) ? 1 : trace->batch().count();
        if (options.learned)
            parts.back().learned =
                ui::learnedOf(trace, atStage(current, place.at), style, options, kept);
    }
    const FlowSources sources(*trace, current, style);
    for (Part &one : parts) {
        if (back)
            break; // a gradient is computed from later stages
        one.content.marks = sources.marksAt(one.at);
        if (auto mark = one.learned ? sources.learnedMarkAt(one.at) : std::nullopt) {
            mark->column = one.learned->sample.sampledColumn(*mark->column);
            one.learned->content.marks = {*mark};
        }
    }
    HeatmapContent large = contentOf(trace, current, style, partOptions, kept);
    if (!back)
        large.computedTo = computedTo(current, options.granularity, large.matrix().columns);
    FlowFigure figure(
        std::move(parts), diagram.links, stage, HeatmapFigure(std::move(large), style),
        FlowMap(*trace, model, part, current),
        back ? ArithmeticStrip{formulaSpans(*back, current, style),
                               arithmeticOf(*back, current, style)}
             : ArithmeticStrip{formulaSpans(*trace, current, style),
                               isOwn ? arithmeticOf(*trace, current, style)
                                     : comparedArithmetic(*trace, current, style, compared)},
        style);
    figure.m_goesBack = back != nullptr;
    figure.m_head = current.head;
    figure.m_selection = current;
    if (opened) {
        ArithmeticTable table = isOwn ? ArithmeticTable(*trace, *opened, style)
                                      : ArithmeticTable(figure.m_strip.arithmetic, style);
        figure.m_strip.arithmetic.clear();
        figure.m_opened.emplace(FlowCloseUp(trace, *opened, style, partOptions, kept),
                                std::move(table), style);
    } else if (options.closeUp && !back) {
        figure.m_closeUp.emplace(trace, current, style, partOptions, kept);
    }
    if (options.lines && !opened && !back && options.compared.shown != ComparisonSide::Difference)
        figure.addLines();
    figure.m_request = figure.requestIn(style, figure.m_current);
    return figure;
}

/// Adds attention lines if each row of the current stage is a query.
void FlowFigure::addLines() {
    const core::StageInfo &info = core::infoOf(m_stage.stage);
    const Part *weights = part({core::Stage::AttentionWeights, m_stage.attention});
    if (!weights || weights->content.matrix().empty() || weights->content.columnLabels.isEmpty() ||
        !(info.overKeys() || m_stage.stage == core::Stage::Context))
        return;
    HeatmapContent content = weights->content;
    content.computedTo = m_stage.stage == core::Stage::AttentionWeights
                             ? m_current.content().computedTo
                             : std::nullopt;
    m_lines.emplace(std::move(content), m_style);
}

bool FlowFigure::hasAllWords(const FlowGeometry &geometry) const {
    if (geometry.opened.empty()) // the whole flow is shown
        return true;
    return m_opened
               ? m_opened->closeUp().hasAllWords(geometry, m_current, FlowCloseUp::Room::Shared)
               : !m_closeUp ||
                     m_closeUp->hasAllWords(geometry, m_current, FlowCloseUp::Room::Alone);
}

bool FlowFigure::isCloseUp(const QRectF &area, const FlowViewport &viewport) const {
    return m_closeUp && viewport.zoom == 1 &&
           (viewport.whole.width() > area.width() || viewport.whole.height() > area.height());
}

FlowGeometry FlowFigure::geometry(const QRectF &area, const FlowViewport &viewport) const {
    FlowRequest request = m_request;
    const double map = m_map.height(m_style);
    // Zooming enlarges the diagram. The text and the strip below it keep their size.
    const double fixed = request.formulaHeight;
    const bool isCloseUp = this->isCloseUp(area, viewport);
    const QSizeF whole = viewport.whole.isEmpty() || isCloseUp ? area.size() : viewport.whole;
    request.area = QRectF(area.left(), area.top() + map, whole.width() * viewport.zoom,
                          (whole.height() - map - fixed) * viewport.zoom + fixed);
    if (viewport.zoom == 1 && !viewport.whole.isEmpty())
        request.sight = sightOfDiagram(area.size(), map, fixed);
    request.large.origin = viewport.origin;
    FlowGeometry geometry;
    if (m_opened) {
        geometry =
            m_opened->geometry(request.area, request.formulaHeight, m_current, viewport.origin);
    } else if (isCloseUp) {
        m_closeUp->place(geometry,
                         request.area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin,
                                               -2 * kFigureMargin - fixed),
                         m_current, viewport.origin, FlowCloseUp::Room::Alone);
    } else {
        geometry = FlowGeometry::of(request);
        if (m_goesBack)
            turnArrows(geometry);
        placeStacks(geometry);
    }
    geometry.current = m_stage;
    geometry.beyond = QSizeF(std::max(0.0, request.area.width() - area.width()),
                             std::max(0.0, request.area.height() - (area.height() - map)));
    geometry.moveDiagram(-viewport.pan);
    geometry.formula = QRectF(area.left() + kFigureMargin, area.bottom() - fixed - kFigureMargin,
                              area.width() - 2 * kFigureMargin - viewport.besideStrip, fixed);
    geometry.sight = QRectF(QPointF(area.left(), area.top() + map),
                            QPointF(area.right(), geometry.formula.top() - 6));
    geometry.area = area;
    geometry.map = m_map.geometry(area, m_style);
    return geometry;
}

Spans FlowFigure::titleOfNode(const Part &part, const QString &rest) const {
    return symbolSpans(part.symbol, part.content.titleColour, !part.isLater) +
           Spans{{QStringLiteral("  ") + rest, m_style.mutedText, false, Span::Place::Line}};
}

const FlowFigure::Part *FlowFigure::part(core::StageId at) const & {
    const auto found = std::ranges::find(m_parts, at, &Part::at);
    return found == m_parts.end() ? nullptr : &*found;
}

bool FlowFigure::isLater(core::StageId at) const {
    const Part *found = part(at);
    return found && found->isLater;
}

const ParameterHeatmap *FlowFigure::learnedOf(core::StageId at) const & {
    if (m_opened)
        return at == m_stage ? m_opened->closeUp().learned() : nullptr;
    const Part *found = part(at);
    return found && found->learned ? &*found->learned : nullptr;
}

const HeatmapContent *FlowFigure::contentAt(core::StageId at) const & {
    if (at == m_stage)
        return &m_current.content();
    if (m_opened)
        return m_opened->closeUp().content(at);
    const Part *found = part(at);
    return found ? &found->content : nullptr;
}

void FlowFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    paintIn(painter, area, device, {});
}

void FlowFigure::paintIn(QPainter &painter, const QRectF &area, Device device,
                         const FlowViewport &viewport) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const FlowGeometry geometry = this->geometry(area, viewport);
    if (m_opened) {
        paintOpened(painter, geometry, device, !geometry.beyond.isNull());
        painter.restore();
        return;
    }
    if (isCloseUp(area, viewport)) {
        m_closeUp->paint(painter, geometry, m_current, device);
        paintStrip(painter, geometry, viewport);
        painter.restore();
        return;
    }
    painter.save();
    if (!geometry.beyond.isNull())
        painter.setClipRect(geometry.sight, Qt::IntersectClip);
    for (const FlowArrow &arrow : geometry.arrows)
        paintArrow(painter, arrow);
    const Device cells = cellCount() > kMaxVectorCells ? Device::Raster : device;
    for (const Part &part : m_parts) {
        paintStack(painter, geometry, part.at);
        if (const FlowNode *node = geometry.node(part.at))
            paintNode(painter, *node, part, cells);
        if (const FlowNode *node = geometry.learnedOf(part.at))
            paintLearned(painter, *node, part, cells);
    }
    for (const FlowOperator &sign : geometry.signs) {
        QRectF place(0, 0, m_style.scaled(16), m_style.scaled(18));
        place.moveCenter(sign.centre);
        drawLine(painter, place, Qt::AlignHCenter, QStringLiteral("="),
                 m_style.font(FigureStyle::Text::Body), m_style.mutedText);
    }

    paintCard(painter, geometry.card.adjusted(0.75, 0.75, -0.75, -0.75), QPen(m_style.accent, 1.5),
              8, m_style);
    m_current.paintContent(painter, geometry.large, cells);
    if (m_lines)
        m_lines->paint(painter, geometry.large, m_current.content().selectedRow,
                       core::infoOf(m_stage.stage).overKeys() ? m_current.content().selectedColumn
                                                              : std::nullopt);

    painter.restore();
    paintStrip(painter, geometry, viewport);
    painter.restore();
}

void FlowFigure::paintStrip(QPainter &painter, const FlowGeometry &geometry,
                            const FlowViewport &viewport) const {
    m_map.paint(painter, geometry.map, m_style);
    m_strip.paint(painter, geometry.formula, m_style, viewport.scroll);
    paintKey(painter, geometry.formula);
}

void FlowFigure::paintOpened(QPainter &painter, const FlowGeometry &geometry, Device device,
                             bool isZoomed) const {
    painter.save();
    if (isZoomed)
        painter.setClipRect(
            QRectF(QPointF(geometry.area.left(), geometry.area.top() + m_map.height(m_style)),
                   QPointF(geometry.area.right(), geometry.formula.top() - 6)),
            Qt::IntersectClip);
    m_opened->paint(painter, geometry, m_current, device);
    painter.restore();
    m_map.paint(painter, geometry.map, m_style);
    m_strip.paint(painter, geometry.formula, m_style, {});
}

void FlowFigure::paintWords(QPainter &painter, const FlowNode &node, const Spans &symbol,
                            const QString &name, const QString &shape) const {
    const QFont font = m_style.font(FigureStyle::Text::Body);
    const QFont label = m_style.font(FigureStyle::Text::Label);
    const Spans whole =
        symbol + Spans{{QStringLiteral("  ") + name, m_style.mutedText, false, Span::Place::Line}};
    // Show only the symbol if the rest does not fit.
    const bool fits = spansWidth(whole, font) <= node.title.width();
    const Spans &title = fits ? whole : symbol;
    drawSpans(painter, node.title, title, font);
    if (!node.compact)
        return drawLine(painter, node.subtitle, Qt::AlignLeft, shape, label, m_style.mutedText);
    const double used = spansWidth(title, font) + FlowText::kBetween;
    if (used + textWidth(shape, label) <= node.title.width() + 0.5)
        drawLine(painter, node.title.adjusted(used, 0, 1, 0), Qt::AlignLeft, shape, label,
                 m_style.mutedText);
}

void FlowFigure::paintNode(QPainter &painter, const FlowNode &node, const Part &part,
                           Device device) const {
    paintWords(painter, node, {titleOfNode(part, part.name).first()}, part.name,
               matrixShapeText(part, node.compact ? 0 : node.subtitle.width()));
    const HeatmapGeometry small = node.cells();
    const double fade = part.isLater ? kLaterShare : 1;
    paintCells(painter, small, part.content, m_style, m_style.background, device, fade);
    paintNumbers(painter, small, part.content, m_style, m_style.background, fade);
    paintFrame(painter, small, m_style);
    paintColumnGroups(painter, small, part.content, m_style);
    paintRowMarks(painter, small, part.content, m_style);
    paintMarks(painter, small, part.content, m_style);
    paintSetByHand(painter, small, part.content, m_style);
}

void FlowFigure::paintLearned(QPainter &painter, const FlowNode &node, const Part &part,
                              Device device) const {
    const ParameterHeatmap &learned = *part.learned;
    paintWords(painter, node, learned.symbol, ParameterHeatmap::name(),
               shapeText(learned.sample.rows, learned.sample.columns));
    const HeatmapGeometry small = node.cells();
    const double fade = part.isLater ? kLaterShare : 1;
    paintCells(painter, small, learned.content, m_style, m_style.background, device, fade);
    paintNumbers(painter, small, learned.content, m_style, m_style.background, fade);
    paintFrame(painter, small, m_style);
    paintHeadRows(painter, small, learned, m_style);
    paintMarks(painter, small, learned.content, m_style);
}

void FlowFigure::paintKey(QPainter &painter, const QRectF &strip) const {
    const HeatmapContent &large = m_current.content();
    bool direct = false, earlier = false;
    for (const Part &part : m_parts)
        for (const HeatmapMark &mark : part.content.marks)
            (mark.isFaint ? earlier : direct) = true;
    struct Meaning {
        bool occurs;
        QString words;
        QColor colour;
        double width;
        Qt::PenStyle line;
    };
    const Meaning meanings[] = {
        {large.selectedRow || large.selectedColumn, tr("selected"), m_style.selection, 2,
         Qt::SolidLine},
        {large.selectedRow && large.selectedColumn, tr("its row"), m_style.mutedText, 1,
         Qt::SolidLine},
        {direct, tr("computed from"), m_style.text, 2, Qt::SolidLine},
        {earlier, tr("computed from earlier"), m_style.mutedText, 1, Qt::DashLine}};
    const QFont font = m_style.font(FigureStyle::Text::Label);
    const double box = m_style.scaled(14), gap = m_style.scaled(12), inner = m_style.scaled(5);
    double width = 0;
    for (const Meaning &meaning : meanings)
        if (meaning.occurs)
            width += box + inner + textWidth(meaning.words, font) + gap;
    const QFont title = m_style.font(FigureStyle::Text::Title);
    const double room =
        strip.width() - 2 * kCardPadding - spansWidth(m_strip.formula, title) - 2 * gap;
    if (width == 0 || m_strip.arithmetic.isEmpty() || width > room)
        return;
    double x = strip.right() - kCardPadding - (width - gap);
    const QRectF line(x, strip.top() + m_style.scaled(6), width, lineHeight(title));
    for (const Meaning &meaning : meanings) {
        if (!meaning.occurs)
            continue;
        const double height = m_style.scaled(10);
        paintOutline(painter, QRectF(x, std::round(line.center().y() - height / 2), box, height),
                     meaning.colour, meaning.width, meaning.line);
        x += box + inner;
        const double text = textWidth(meaning.words, font);
        drawLine(painter, QRectF(x, line.top(), text + 1, line.height()), Qt::AlignLeft,
                 meaning.words, font, m_style.mutedText);
        x += text + gap;
    }
}

void FlowFigure::paintArrow(QPainter &painter, const FlowArrow &arrow) const {
    const core::Role role = core::infoOf(arrow.from.stage).role;
    // A stage without a role colour takes that of its successor.
    const auto isPlain = [](core::Role one) {
        return one == core::Role::Residual || one == core::Role::Scores ||
               one == core::Role::Hidden || one == core::Role::Logits;
    };
    QColor colour = m_style.colourOf(role);
    const core::Role to = core::infoOf(arrow.to.stage).role;
    if (isPlain(role))
        colour = isPlain(to) ? m_style.mutedText : m_style.colourOf(to);
    if (isLater(arrow.to))
        colour = mixed(colour, m_style.background, 0.45);
    QPen pen(colour, 1.5);
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(arrow.path);
    painter.save();
    painter.translate(arrow.tip);
    painter.rotate(arrow.angle);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF{{2, 0}, {-6, -4}, {-6, 4}});
    painter.restore();
}

qint64 FlowFigure::cellCount() const {
    qint64 count = 0;
    for (const Part &part : m_parts) {
        const core::SharedMatrix matrix = part.content.matrix();
        count += matrix.rows * matrix.columns;
        if (part.learned)
            count += part.learned->sample.numbers.rows * part.learned->sample.numbers.columns;
    }
    return count;
}

QString FlowFigure::description() const {
    QStringList symbols;
    for (const Part &part : m_parts)
        symbols.append(plainSymbols(part.symbol));
    const QString where = m_map.description();
    const QString lines =
        m_lines ? m_lines->description(m_current.content().selectedRow) : QString();
    const QString drawn =
        (where.isEmpty() ? tr("The computation of attention as matrices: %1. Large: %2 %3")
                         : tr("Its computation as matrices: %1. Large: %2 %3"))
            .arg(enumerated(symbols), ended(m_current.description()),
                 plainText(m_strip.formula).simplified());
    return sentences({ended(where), drawn})
        .append(m_opened                       ? QLatin1Char('\n') + m_opened->table().description()
                : m_strip.arithmetic.isEmpty() ? QString()
                                               : QLatin1Char('\n') + plainText(m_strip.arithmetic))
        .append(lines.isEmpty() ? QString() : QLatin1Char('\n') + lines);
}

} // namespace headlight::ui
