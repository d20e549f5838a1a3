#include "ui/views/flow_view.h"

#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/words/glossary.h"
#include "ui/words/parameter_words.h"

#include <QMouseEvent>

#include <algorithm>

namespace headlight::ui {

namespace {

/// The glossary's entry of the part of a model that a stage belongs to.
QString termOfPart(core::StageAt at) {
    switch (core::infoOf(at.stage).part) {
    case core::Part::Attention:
        return at.site.block == core::Block::CrossAttention ? QStringLiteral("cross-attention")
                                                            : QStringLiteral("attention");
    case core::Part::FeedForward:
        return QStringLiteral("feed-forward");
    default:
        return entryOf(at.stage).id;
    }
}

} // namespace

FlowView::FlowView(Document &document, QWidget *parent)
    : FigureView(core::View::Flow, document, parent) {
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        const auto *selected = std::get_if<SelectionChanged>(&event);
        if (selected && (selected->before.stage != this->document().selection().stage ||
                         selected->before.site() != this->document().selection().site() ||
                         selected->before.query != this->document().selection().query))
            m_scroll = 0; // another line
    });
}

FlowViewport FlowView::viewport() const {
    return {zoom(), pan(), windowOrigin(), m_scroll};
}

FlowGeometry FlowView::geometry() const {
    return flow()->geometry(sight(), viewport());
}

void FlowView::paintFigure(QPainter &painter) {
    flow()->paintIn(painter, sight(), Device::Raster, viewport());
}

ShownHeatmap FlowView::shownHeatmap() {
    const auto *shown = static_cast<const FlowFigure *>(figure());
    if (!shown)
        return {};
    return {&shown->current().content(), geometry().large, shown->stage().stage};
}

std::optional<HeatmapGeometry> FlowView::largeGeometry() const {
    return flow() ? std::optional(geometry().large) : std::nullopt;
}

std::vector<HeatmapGeometry> FlowView::allGeometries() const {
    std::vector<HeatmapGeometry> all;
    if (!flow())
        return all;
    const FlowGeometry places = geometry();
    all.push_back(places.large);
    for (const FlowNode &node : places.nodes)
        all.push_back(node.cells());
    return all;
}

FigurePlace FlowView::placeAt(QPointF point) const {
    FigurePlace place{document().selection(), {}};
    if (!flow())
        return place;
    const FlowGeometry places = geometry();
    if (zoom() > 1 && point.y() >= places.formula.top() - 6)
        return place; // the strip lies over what is beneath it
    if (places.map.area.contains(point)) {
        if (const FlowMapBox *box = places.map.boxAt(point))
            place.selection = atStage(place.selection, box->goesTo);
        return place;
    }
    if (const FlowNode *learned = places.learnedAt(point)) {
        // Its columns are the dimensions of what it makes: the editor follows to the matrix.
        place.selection = atStage(place.selection, learned->at);
        if (const FlowLearned *shown = flow()->learnedOf(learned->at);
            shown && learned->matrix.contains(point))
            if (const auto cell = learned->cells().cellAt(point))
                place.selection.dimension = shown->sample.columnOf(cell->column);
        return place;
    }
    if (const auto at = places.stageAt(point))
        place.selection = atStage(place.selection, *at);
    place.cell = places.cellAt(point);
    return place;
}

QString FlowView::wordsOf(const FigurePlace &place) const {
    const QString words = FigureView::wordsOf(place);
    const core::Selection shown = shownSelection();
    const core::StageAt at{place.selection.stage, place.selection.site()};
    if (!words.isEmpty() || at == core::StageAt{shown.stage, shown.site()})
        return words;
    // Beside a small matrix: its name, which may not have had room.
    const core::Trace &trace = *document().trace();
    const core::MatrixSize matrix = sizeOf(trace, place.selection);
    if (matrix.rows == 0)
        return {};
    return QStringLiteral("%1, %2").arg(titleOf(trace, namedStage(at.stage, at.site.layer)),
                                        shapeText(matrix.rows, matrix.columns));
}

QString FlowView::learnedWordsAt(const FlowGeometry &places, QPointF point) const {
    const FlowNode *node = places.learnedAt(point);
    const FlowLearned *learned = node ? flow()->learnedOf(node->at) : nullptr;
    if (!learned || (zoom() > 1 && point.y() >= places.formula.top() - 6))
        return {};
    const auto cell = node->matrix.contains(point) ? node->cells().cellAt(point) : std::nullopt;
    return cell ? learned->wordsOf(*cell) : learned->words();
}

QString FlowView::wordsAt(QPointF point) const {
    if (flow()) {
        const FlowGeometry places = geometry();
        if (const FlowMapBox *box = places.map.boxAt(inFigure(point)))
            return box->name;
        if (const QString words = learnedWordsAt(places, inFigure(point)); !words.isEmpty())
            return words;
    }
    return FigureView::wordsAt(point);
}

QString FlowView::termInStrip(const FlowGeometry &places, QPointF point) const {
    const FlowStrip &strip = flow()->strip();
    const QRectF line = strip.formulaIn(places.formula, figureStyle());
    if (!line.contains(point))
        return {};
    const QString symbol = symbolAt(strip.formula, figureStyle().font(FigureStyle::Text::Title),
                                    point.x() - line.left());
    auto entry = entryOfSymbol(symbol);
    if (!entry && symbol.size() > 2) // a word of the note
        entry = entryOfTerm(symbol);
    return entry ? entry->id : QString();
}

QString FlowView::termAt(QPointF point) const {
    if (!flow())
        return {};
    const FlowGeometry places = geometry();
    if (places.formula.contains(point))
        return termInStrip(places, point);
    if (places.map.area.contains(point)) {
        const FlowMapBox *box = places.map.boxAt(point);
        return box ? termOfPart(box->goesTo) : QString();
    }
    const auto isTitleOf = [&](const FlowNode &node) {
        return node.title.contains(point) || node.subtitle.contains(point);
    };
    for (const FlowNode &node : places.learned)
        if (const FlowLearned *learned = flow()->learnedOf(node.at); learned && isTitleOf(node))
            return entryOfSymbol(markedSymbolOf(learned->matrix.id.which))
                .value_or(entryOf(node.at.stage))
                .id;
    for (const FlowNode &node : places.nodes)
        if (isTitleOf(node))
            return entryOf(namedStage(node.at.stage, node.at.site.layer)).id;
    const bool isTitle =
        places.large.title.contains(point) || places.large.subtitle.contains(point);
    return isTitle ? entryOf(shownSelection().stage).id : QString();
}

bool FlowView::isInStrip(QPointF point) const {
    return flow() && geometry().formula.contains(point) && !flow()->strip().arithmetic.isEmpty();
}

void FlowView::setScroll(double scroll) {
    if (!flow())
        return;
    const QRectF numbers = flow()->strip().numbersIn(geometry().formula, figureStyle());
    const double most = flow()->strip().length(figureStyle()) - numbers.width();
    m_scroll = std::clamp(scroll, 0.0, std::max(0.0, most));
    update();
}

bool FlowView::scrollAt(QPointF point, QPointF by) {
    if (!isInStrip(point))
        return false;
    setScroll(m_scroll + (by.x() == 0 ? by.y() : by.x()));
    return true;
}

bool FlowView::handleKey(QKeyEvent *event) {
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (!sideways || event->modifiers() != Qt::ShiftModifier)
        return false;
    setScroll(m_scroll + (event->key() == Qt::Key_Left ? -60 : 60));
    return true;
}

void FlowView::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && isInStrip(inFigure(event->position())))
        m_stripDrag = inFigure(event->position()).x();
    else
        FigureView::mousePressEvent(event);
}

void FlowView::mouseMoveEvent(QMouseEvent *event) {
    if (!m_stripDrag)
        return FigureView::mouseMoveEvent(event);
    const double x = inFigure(event->position()).x();
    setScroll(m_scroll + *m_stripDrag - x);
    m_stripDrag = x;
}

void FlowView::mouseReleaseEvent(QMouseEvent *event) {
    m_stripDrag.reset();
    FigureView::mouseReleaseEvent(event);
}

} // namespace headlight::ui
