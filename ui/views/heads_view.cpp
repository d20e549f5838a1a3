#include "ui/views/heads_view.h"

#include "ui/compute/stage_worker.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/painting_cache.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/text/core_message.h"
#include "ui/views/heatmap_table.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kLargestZoomedCell = 64; // px

/// Leaves out `where`, because it names an option of the command line.
QString reasonOf(const core::Error &error) {
    return translated(core::Error{error.what, "", error.remedy});
}

} // namespace

HeadsView::HeadsView(Document &document, QWidget *parent)
    : FigureView(core::View::Heads, document, parent) {
    connect(&m_samples, &HeadSamples::made, this, &HeadsView::remake);
    connect(&m_combinations, &HeadCombinations::made, this, [this] {
        remake();
        announceNewTable(*this);
        emit partComputed();
    });
    connect(&m_changes, &HeadChanges::made, this, &HeadsView::remake);
    connect(&m_pyramids, &MatrixPyramids::made, this, &HeadsView::remake);
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        if (is<SessionChanged>(event) || (is<StateChanged>(event) && !changesOnlyLesson(event))) {
            m_span.reset();
            m_samples.forget();
            m_pyramids.forget();
            m_changes.forget();
        }
        if (is<ComparisonChanged>(event) && !this->document().comparison().hasA())
            m_changes.forget();
    });
}

HeadsGeometry HeadsView::geometry() const {
    return heads()->geometry(figureArea(), shownPart());
}

double HeadsView::zoom() const {
    return isCrowded() ? m_cellZoom : FigureView::zoom();
}

void HeadsView::zoomBy(double factor, QPointF point) {
    if (!isCrowded())
        return FigureView::zoomBy(factor, point);
    double zoom = std::clamp(m_cellZoom * factor, 1.0, largestCellZoom());
    if (std::abs(zoom - 1) < 0.01)
        zoom = 1;
    if (zoom == m_cellZoom)
        return;
    const QPointF at = inFigure(point);
    const HeatmapGeometry before = geometry().enlarged;
    const std::optional<Cell> held = before.cellAt(at);
    m_cellZoom = zoom;
    if (!held && !before.isWindow)
        return showWindow(std::nullopt);
    // Keep the cell under the mouse fixed or, without one, the cell at the centre.
    const Cell cell = held.value_or(
        Cell{before.origin.row + before.rows / 2, before.origin.column + before.columns / 2});
    const HeatmapGeometry large = geometry().enlarged;
    const QPointF place = held && large.cells.contains(at) ? at : large.cells.center();
    const QPointF inside = place - large.cells.topLeft();
    const auto first = [](core::Index shown, double distance, double side) {
        return std::max<core::Index>(0, shown - static_cast<core::Index>(distance / side));
    };
    showWindow(Cell{first(cell.row, inside.y(), large.cell.height()),
                    first(cell.column, inside.x(), large.cell.width())});
}

double HeadsView::largestCellZoom() const {
    const QSizeF cell = heads()->geometry(figureArea()).enlarged.cell;
    return std::max(kMaxZoom, kLargestZoomedCell / std::min(cell.width(), cell.height()));
}

void HeadsView::fit() {
    FigureView::fit();
    if (m_cellZoom == 1)
        return;
    m_cellZoom = 1;
    showWindow(std::nullopt);
}

void HeadsView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    HeadsViewport sight = shownPart();
    sight.detail = detailForPaint();
    heads()->paintIn(painter, figureArea(), Device::Raster, sight);
    paintOver(painter);
    wantSamples();
    wantCombination();
    wantChanges();
    wantPyramid();
}

std::unique_ptr<Figure> HeadsView::makeFigure(const FigureInput &given) const {
    FigureInput input = given;
    if (const std::optional<ShownRun> run = combinedRun(input)) {
        const auto combined = m_combinations.of(run->trace, placeOfCombination(*run));
        input.combined.made = combined && combined->ok() ? **combined : nullptr;
        input.combined.absence = !combined        ? tr("Combining the heads…")
                                 : combined->ok() ? QString()
                                                  : reasonOf(combined->error());
    }
    const bool isForScreen = input.kept != nullptr;
    if (const auto place = isForScreen ? placeOfChanges(input) : std::nullopt)
        input.headChanges = m_changes.of(input.trace, *place);
    std::unique_ptr<Figure> figure = FigureView::makeFigure(input);
    auto *heads = static_cast<HeadsFigure *>(figure.get());
    if (const HeatmapContent &large = heads->enlarged().content();
        isForScreen && needsPyramid(large)) {
        const core::SharedMatrix matrix = large.matrix();
        const MatrixPyramids::Source source = pyramidOf(large);
        const auto pyramid = m_pyramids.of(source);
        heads->setPyramid(
            pyramid, pyramid || m_pyramids.hasFailed(source)
                         ? QString()
                         : tr("Reading %1 numbers…").arg(shapeText(matrix.rows, matrix.columns)));
    }
    const SampledHeads sampled = m_samples.of(
        *input.trace, placeOf(infoOf(core::View::Heads).shown(*input.trace, input.selection)));
    if (isForScreen) // free the images of other layers
        std::erase_if(m_keptSamples,
                      [&](const auto &one) { return !sampled.heads.contains(one.first); });
    for (const auto &[head, sample] : sampled.heads)
        if (heads && head < heads->headCount() && heads->lacks(head))
            heads->setSample(head, sample, sampled.hidden, isForScreen ? keptOf(head) : nullptr);
    return figure;
}

std::shared_ptr<PaintingCache> HeadsView::keptOf(core::Index sampledHead) const {
    std::shared_ptr<PaintingCache> &kept = m_keptSamples[sampledHead];
    if (!kept)
        kept = std::make_shared<PaintingCache>();
    return kept;
}

void HeadsView::wantSamples() {
    const core::TracePointer &trace = document().trace();
    const core::Selection shown = shownSelection();
    if (document().traceIsStale() || !isReady(*trace, DetailRequest::of(shown)))
        return m_samples.rest();
    const HeadsGeometry places = geometry();
    std::vector<core::Index> missing;
    for (const bool isInSight : {true, false})
        for (std::size_t tile = 0; tile < places.tiles.size(); ++tile) {
            const core::Index head = heads()->headOfTile(static_cast<core::Index>(tile));
            if (heads()->lacks(head) &&
                onScreen(places.tiles[tile]).intersects(sight()) == isInSight)
                missing.push_back(head);
        }
    if (!missing.empty())
        m_samples.want(*trace, placeOf(shown), std::move(missing));
}

void HeadsView::wantCombination() {
    if (!options().combination.isOn())
        return m_combinations.forget();
    const core::TracePointer &trace = document().trace();
    if (!trace || (document().traceIsStale() && !document().failure()) ||
        !isReady(*trace, DetailRequest::of(shownSelection())))
        return;
    if (const std::optional<ShownRun> run = combinedRun())
        m_combinations.want(run->trace, placeOfCombination(*run));
}

/// Returns the heads to compare if the view sorts them by how much they change.
std::optional<HeadChanges::Place> HeadsView::placeOfChanges(const FigureInput &input) const {
    const Compared &compared = input.options.compared;
    if (input.options.order == core::HeadOrder::ByIndex ||
        compared.shown != ComparisonSide::Difference)
        return std::nullopt;
    core::Selection at = infoOf(core::View::Heads).shown(*input.trace, input.selection);
    at.stage = core::Stage::AttentionWeights;
    if (!unavailableReason(*input.trace, at, compared, ComparisonSide::Difference,
                           Sought::EveryHead)
             .isEmpty())
        return std::nullopt;
    return HeadChanges::Place{at.attention(), at.sequence, inA(compared, at).sequence, compared.a,
                              compared.partners};
}

void HeadsView::wantChanges() {
    const core::TracePointer &trace = document().trace();
    if (!heads() || !trace || document().traceIsStale() ||
        !isReady(*trace, DetailRequest::of(shownSelection())))
        return;
    FigureInput input{.trace = trace, .selection = document().selectionInTrace()};
    input.options = optionsOfFigure();
    if (const auto place = placeOfChanges(input))
        m_changes.want(trace, *place);
}

bool HeadsView::needsPyramid(const HeatmapContent &large) {
    const core::SharedMatrix matrix = large.matrix();
    return matrix.rows * matrix.columns >= core::kMinPyramidCells;
}

MatrixPyramids::Source HeadsView::pyramidOf(const HeatmapContent &large) {
    return {large.tensor, large.sequence, large.head,
            large.mask,   large.blocks,   large.scale.range() == Range::PerRow};
}

void HeadsView::wantPyramid() {
    if (const HeatmapContent &large = heads()->enlarged().content(); needsPyramid(large))
        m_pyramids.want(pyramidOf(large));
    else
        m_pyramids.forget();
}

bool HeadsView::isComplete() {
    if (!figure())
        return false;
    const std::optional<ShownRun> run = combinedRun();
    if (!run || m_combinations.of(run->trace, placeOfCombination(*run)))
        return true;
    wantCombination();
    return false;
}

// Combination

std::optional<ShownRun> HeadsView::combinedRun(const FigureInput &input) const {
    const core::Selection shown = infoOf(core::View::Heads).shown(*input.trace, input.selection);
    const Compared &compared = input.options.compared;
    if (!combines(input.options, shown) || compared.shown == ComparisonSide::Difference ||
        !unavailableReason(*input.trace, shown, compared, compared.shown, Sought::EveryHead)
             .isEmpty())
        return std::nullopt;
    ShownRun run = shownRun(input.trace, shown, compared);
    if (!run.trace->has(core::Stage::AttentionWeights, run.selection.attention()))
        return std::nullopt;
    return run;
}

std::optional<ShownRun> HeadsView::combinedRun() const {
    FigureInput input{.trace = document().trace(), .selection = document().selectionInTrace()};
    input.options = optionsOfFigure();
    return input.trace ? combinedRun(input) : std::nullopt;
}

HeadCombinations::Place HeadsView::placeOfCombination(const ShownRun &run) const {
    core::AttentionId attention = run.selection.attention();
    const FigureOptions &chosen = options();
    if (core::isThroughLayers(chosen.combination.combination)) // the layer does not matter
        attention = {0, core::Block::SelfAttention, attention.stack};
    return {
        attention, run.selection.sequence,
        chosen.combination.request(chosen.headLines.heads, run.trace->model().headsOf(attention))};
}

core::Index HeadsView::headCount() const {
    const core::Model &model = document().state().model;
    const core::AttentionId attention = document().selection().attention();
    return model.hasAttention(attention) ? model.headsOf(attention) : 0;
}

std::vector<core::Index> HeadsView::combinedHeads() const {
    return options().combination.request(options().headLines.heads, headCount()).heads;
}

bool HeadsView::canCombine() const {
    return headCount() > 0 && shownSelection().stage == core::Stage::AttentionWeights;
}

void HeadsView::setCombination(HeadCombination combination) {
    setOption(&FigureOptions::combination, combination);
}

void HeadsView::setHeads(std::vector<core::Index> heads) {
    HeadLines chosen = options().headLines;
    chosen.heads = {false, std::move(heads)};
    setOption(&FigureOptions::headLines, chosen);
}

void HeadsView::toggleHead(core::Index head) {
    std::vector<core::Index> heads = combinedHeads();
    if (const auto found = std::ranges::find(heads, head); found == heads.end())
        heads.insert(std::ranges::upper_bound(heads, head), head);
    else if (heads.size() > 1)
        heads.erase(found);
    const bool isAll = std::ssize(heads) == headCount() && heads.size() > 1;
    setHeads(isAll ? std::vector<core::Index>() : heads);
}

Cell HeadsView::tokensOf(Cell cell) const {
    if (!combined())
        return cell;
    return {combined()->queries[static_cast<std::size_t>(cell.row)].begin,
            combined()->keys[static_cast<std::size_t>(cell.column)].begin};
}

std::optional<core::Index> HeadsView::shownRow() const {
    return combined() ? heads()->enlarged().content().selectedRow : FigureView::shownRow();
}

std::optional<core::Index> HeadsView::shownColumn() const {
    return combined() ? heads()->enlarged().content().selectedColumn : FigureView::shownColumn();
}

StageNames HeadsView::labelledNames(std::size_t index) const {
    if (!combined())
        return FigureView::labelledNames(index);
    const HeatmapContent &content = heads()->enlarged().content();
    return {content.rowLabels, content.columnLabels};
}

QString HeadsView::wordsOf(const HitTestResult &place) const {
    if (!place.isCombined || !place.cell || !combined())
        return FigureView::wordsOf(place);
    const auto row = core::CombinedAttention::placeOf(combined()->queries, place.cell->row);
    const auto column = core::CombinedAttention::placeOf(combined()->keys, place.cell->column);
    if (!row || !column)
        return {};
    return combinedCellText(heads()->enlarged().content(), *combined(), heads()->combination(),
                            {*row, *column});
}

QString HeadsView::wordsOfShown(Cell cell) {
    if (!figure() || !combined())
        return FigureView::wordsOfShown(cell);
    return combinedCellText(heads()->enlarged().content(), *combined(), heads()->combination(),
                            cell);
}

void HeadsView::selectCell(Cell cell) {
    const Cell tokens = figure() ? tokensOf(cell) : cell;
    if (combined() && core::isThroughLayers(heads()->combination())) {
        core::Selection selection = document().selection();
        selection.block = core::Block::SelfAttention; // self-attention's keys are the text's tokens
        document().select(selection);
    }
    FigureView::selectCell(tokens);
}

bool HeadsView::editsShownCells() const {
    return !heads() || heads()->combination() == core::Combination::None;
}

void HeadsView::moveSelection(core::Index rows, core::Index columns) {
    if (!figure() || !combined())
        return FigureView::moveSelection(rows, columns);
    const bool isFirst = !shownRow() || !shownColumn();
    const auto moved = [isFirst](std::optional<core::Index> from, core::Index by,
                                 core::Index count) {
        return std::clamp<core::Index>(from.value_or(0) + (isFirst ? 0 : by), 0, count - 1);
    };
    const core::SharedMatrix &weights = combined()->weights;
    const Cell cell{moved(shownRow(), rows, weights.rows),
                    moved(shownColumn(), columns, weights.columns)};
    selectCell(cell);
    emit hovered(wordsOfShown(cell));
}

// Positions

ShownHeatmap HeadsView::shownHeatmap() {
    const auto *shown = static_cast<const HeadsFigure *>(figure());
    if (!shown)
        return {};
    return {&shown->enlarged().content(), geometry().enlarged, shownSelection().stage};
}

std::optional<HeatmapGeometry> HeadsView::largeGeometry() const {
    return heads() ? std::optional(geometry().enlarged) : std::nullopt;
}

std::vector<HeatmapGeometry> HeadsView::allGeometries() const {
    std::vector<HeatmapGeometry> all;
    if (!heads())
        return all;
    const HeadsGeometry places = geometry();
    all.push_back(places.enlarged);
    for (std::size_t tile = 0; tile < places.tiles.size(); ++tile)
        all.push_back(places.tileCells(static_cast<core::Index>(tile)));
    return all;
}

HitTestResult HeadsView::placeAt(QPointF point) const {
    HitTestResult place{document().selection(), {}};
    if (!heads())
        return place;
    const HeadsGeometry places = geometry();
    place.cell = places.cellAt(point);
    place.sinkRow = places.enlarged.besideRowAt(point);
    if (place.cell && combined()) {
        place.cell = tokensOf(*place.cell);
        place.isCombined = true;
        if (core::isThroughLayers(heads()->combination()))
            place.selection.block = core::Block::SelfAttention;
    }
    if (const std::optional<core::Index> tile = places.tileAt(point)) {
        place.selection.head = heads()->headOfTile(*tile);
        place.selection.block = document().selection().block;
        place.cell = places.tileCellAt(point);
        place.sinkRow = places.tileBesideRowAt(point);
        place.isCombined = false;
    }
    // A click on a cell selects the shown stage.
    if (place.cell || place.sinkRow)
        place.selection.stage = shownSelection().stage;
    return place;
}

} // namespace headlight::ui
