#include "ui/views/figure_view.h"

#include "core/selection/selected.h"
#include "ui/compare/nearest_selectable.h"
#include "ui/document/fitting_selection.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/compared_heatmap.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/model/model_figure.h"
#include "ui/text/glossary/term_html.h"
#include "ui/text/sentences.h"
#include "ui/views/cell_text.h"
#include "ui/views/colour_bar_button.h"
#include "ui/views/heatmap_table.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kWheelRest = 100; // ms without a step until the wheel rests

} // namespace

FigureView::FigureView(core::View view, Document &document, QWidget *parent)
    : QWidget(parent),
      m_info(infoOf(view)),
      m_document(document),
      m_style(FigureStyle::light()),
      m_wheelRest(new QTimer(this)) {
    setObjectName(idOf(m_info) + "View");
    setAccessibleName(titleOf(m_info));
    restoreOptions();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    makeScrollBars();
    m_wheelRest->setObjectName("wheelRest");
    m_wheelRest->setSingleShot(true);
    m_wheelRest->setInterval(kWheelRest);
    connect(m_wheelRest, &QTimer::timeout, this, [this] {
        if (m_isCoarse)
            update();
    });
    if (m_info.has(Choice::Range)) {
        m_colourBar = new ColourBarButton(*this);
        connect(m_colourBar, &ColourBarButton::visibilityChanged, this,
                &FigureView::colourBarChanged);
    }
    installHeatmapTables();
    connect(&document, &Document::changed, this, &FigureView::documentChanged);
    connect(&document.slowPass(), &SlowPass::changed, this, [this] {
        describe();
        update();
    });
}

void FigureView::remake() {
    m_outdated = true;
    update();
}

void FigureView::setStyle(const FigureStyle &style) {
    m_style = style;
    m_seeks = Seek::Everything;
    applyMaps();
    remake();
}

FigureInput FigureView::input() {
    return {m_document.trace(),
            m_document.selectionInTrace(),
            m_style,
            optionsOfFigure(),
            &m_kept,
            {},
            {},
            m_document.state().training,
            m_document.state().softmax};
}

std::unique_ptr<Figure> FigureView::makeFigure(const FigureInput &input) const {
    return m_info.makeFigure(input);
}

core::Selection FigureView::shownSelection() const {
    return m_document.trace() ? m_info.shown(*m_document.trace(), m_document.selectionInTrace())
                              : m_document.selection();
}

core::Stage FigureView::captionedStage() const {
    return m_document.trace()
               ? m_info.captioned(*m_document.trace(), m_document.selectionInTrace(), m_options)
               : core::Stage::AttentionWeights;
}

const Figure *FigureView::figure() {
    if (m_outdated && m_document.trace()) {
        m_kept.beginFigure();
        m_figure = makeFigure(input());
        m_outdated = false;
        m_whole = {};
        setPan(m_pan); // clamps the pan to the new size
        m_description = m_figure ? m_figure->description() : QString();
        describe();
    }
    if (m_figure && m_mustFollow)
        followSelection();
    if (m_figure && m_seeks != Seek::Nothing)
        seek();
    return m_figure.get();
}

/// Describes the figure for screen readers, after the notice that is painted over it.
void FigureView::describe() {
    if (!m_figure)
        return;
    const QString notice = m_document.changedFile()
                               ? tr("Out of date, because a file was changed on disk.")
                               : ended(noticeText());
    if (const QString words = sentences({notice, m_description}); words != accessibleDescription())
        setAccessibleDescription(words);
}

void FigureView::documentChanged(const ChangeEvent &event) {
    if (changesOnlyLesson(event))
        return;
    // StateChanged keeps the figure, because the old trace stays until the new one is computed.
    // Only the notice changes.
    if (is<SessionChanged>(event)) {
        m_figure.reset();
        m_origin.reset();
        if (!m_document.session().lesson && m_lessonLook)
            restoreLook();
        m_lessonLook = m_document.session().lesson.has_value();
        m_pan = m_zoom == 1 ? QPointF() : m_pan;
    }
    if (const auto *step = std::get_if<StepShown>(&event))
        showLook(step->look);
    if (is<SessionChanged>(event) || is<TraceChanged>(event) || is<ComparisonChanged>(event))
        // Clear the cache now, not at the next paint, because a hidden view would keep the unused
        // memory until then.
        m_kept.clear();
    if (const auto *selected = std::get_if<SelectionChanged>(&event)) {
        const core::Selection &now = m_document.selection();
        if (selected->before.stage != now.stage)
            m_origin.reset(); // the figure shows another matrix
        const bool isSame = selected->before.stage == now.stage &&
                            selected->before.attention() == now.attention() &&
                            selected->before.head == now.head;
        m_seeks = isSame && m_seeks != Seek::Everything ? Seek::Cell : Seek::Everything;
    }
    if (is<SessionChanged>(event) || is<TraceChanged>(event) || is<SelectionChanged>(event) ||
        is<ComparisonChanged>(event))
        m_outdated = m_mustFollow = true;
    m_outdated |= is<FilesChanged>(event);
    if (is<SessionChanged>(event) || is<TraceChanged>(event))
        m_seeks = Seek::Everything;
    if (is<ComparisonChanged>(event) && isVisible())
        emit hovered({}); // the status text described the other side
    announceChange(*this, event);
    describe(); // for the notice, which may change without a new figure
    update();
}

void FigureView::followSelection() {
    m_mustFollow = false;
    const std::optional<HeatmapGeometry> large = largeGeometry();
    if (!large || !large->isWindow)
        return;
    Cell origin = large->origin;
    const auto follow = [](core::Index &first, core::Index count,
                           const std::optional<core::Index> &selected) {
        if (selected && *selected < first)
            first = *selected;
        else if (selected && *selected >= first + count)
            first = *selected - count + 1;
    };
    follow(origin.row, large->rows, shownRow());
    follow(origin.column, large->columns, shownColumn());
    m_origin = origin;
}

QString FigureView::wordsOfShown(Cell cell) {
    const ShownHeatmap shown = shownHeatmap();
    if (!shown.content || !m_document.trace())
        return {};
    core::Selection selection = m_document.selection();
    selection.stage = shown.stage;
    return cellText(*m_document.trace(), selection, m_document.comparison().compared(), cell.row,
                    cell.column);
}

void FigureView::selectCell(Cell cell) {
    const Compared compared = m_document.comparison().compared();
    core::Selection selection = onShownSide(compared, m_document.selection());
    selection.stage = shownHeatmap().stage;
    selection.query = cell.row;
    if (core::infoOf(selection.stage).overKeys())
        selection.key = cell.column;
    else
        selection.dimension = cell.column;
    m_document.select(onCurrentSide(compared, selection));
}

QString FigureView::wordsOfSink(core::Index row) {
    HitTestResult place{m_document.selection(), {}};
    place.selection.stage = shownHeatmap().stage;
    place.sinkRow = row;
    return wordsOf(place);
}

void FigureView::selectSinkRow(core::Index row) {
    HitTestResult place{m_document.selection(), {}};
    place.selection.stage = shownHeatmap().stage;
    place.sinkRow = row;
    m_document.select(selectionOf(place));
}

std::unique_ptr<Figure> FigureView::figureIn(const FigureStyle &style) {
    return m_document.trace() ? makeFigure(inputIn(style)) : nullptr;
}

FigureInput FigureView::inputIn(const FigureStyle &style) {
    FigureInput from = input();
    from.style = withMaps(style);
    from.kept = nullptr; // the cache is for the screen's figure
    return from;
}

void FigureView::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    if (!figure()) {
        painter.fillRect(rect(), m_style.background);
        painter.setPen(m_style.mutedText);
        painter.setFont(m_style.font(FigureStyle::Text::Body));
        painter.drawText(rect(), Qt::AlignCenter, tr("Computing…"));
        return;
    }
    const double factor = shrink();
    painter.save();
    if (factor < 1)
        painter.scale(factor, factor);
    paintFigure(painter);
    painter.restore();
    // Queued, because a child must not move while its parent is painted.
    QMetaObject::invokeMethod(this, &FigureView::placeControls, Qt::QueuedConnection);
    if (m_document.changedFile())
        paintOutOfDate(painter);
    else
        paintNotice(painter);
    if (hasFocus()) {
        painter.setPen(QPen(faint(m_style.accent, m_style.background, 0.6), 1));
        painter.drawRect(QRectF(QPointF(), figureSize()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (wantsNeighbours())
        m_document.wantNeighbours();
}

void FigureView::hideEvent(QHideEvent *event) {
    QWidget::hideEvent(event);
    m_document.dropNeighbours();
}

/// Paints a translucent veil and a notice over the last picture.
void FigureView::paintOutOfDate(QPainter &painter) const {
    painter.save();
    QColor veil = m_style.background;
    veil.setAlphaF(0.45F);
    painter.fillRect(rect(), veil);
    const QString words = tr("Out of date: a file was changed on disk");
    const QFont font = m_style.font(FigureStyle::Text::Label, true);
    const QRectF text = QFontMetricsF(font).boundingRect(words);
    const QRectF plate(rect().right() - text.width() - 32, rect().top() + 8, text.width() + 20,
                       text.height() + 8);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_style.selection);
    painter.drawRoundedRect(plate, 4, 4);
    painter.setFont(font);
    painter.setPen(m_style.background);
    painter.drawText(plate, Qt::AlignCenter, words);
    painter.restore();
}

QString FigureView::olderNumbersText() const {
    const Comparison &comparison = m_document.comparison();
    const bool ofAnotherRun = comparison.shown() == ComparisonSide::A &&
                              !comparison.followsDocument() && !comparison.isAblated() &&
                              !comparison.sequence(); // edits do not change this A
    const core::SoftmaxLook &softmax = m_document.state().softmax;
    const bool ofOwnNumbers = m_info.view == core::View::Softmax &&
                              (softmax.part == core::SoftmaxPart::Spread || softmax.isOwn());
    if (!showsText(m_info.view) || ofAnotherRun || ofOwnNumbers || !m_document.trace() ||
        !m_document.traceIsStale())
        return {};
    if (m_document.failure())
        return tr("Out of date: the last change was not computed");
    const core::Selection shown = shownSelection();
    return m_document.slowPass().mayChange({shown.stage, shown.attention()})
               ? tr("Computing… These numbers are from before the change")
               : QString();
}

QString FigureView::preparationText() const {
    if (!m_document.slowPass().isPreparing() || !m_document.trace())
        return {};
    const core::Selection &wanted = m_document.requestedSelection();
    return core::infoOf(wanted.stage).part == core::Part::OutputLayer
               ? tr("Computing…") // a row of the output layer belongs to no head
               : tr("Computing %1…")
                     .arg(headNameOf(m_document.trace()->model(),
                                     {wanted.attention(), wanted.head}));
}

/// Returns the notice for the margin, about numbers that the figure does not show yet; empty if
/// there are none.
QString FigureView::noticeText() const {
    const QString older = olderNumbersText();
    return older.isEmpty() ? preparationText() : older;
}

/// Paints a notice in the margin, where it covers no number.
void FigureView::paintNotice(QPainter &painter) const {
    const QString words = noticeText();
    if (words.isEmpty())
        return;
    QFont font = m_style.font(FigureStyle::Text::Label, true);
    constexpr int kLargest = 12; // px, the largest type that fits in the margin
    font.setPixelSize(std::max(std::min(font.pixelSize(), kLargest), m_style.minText));
    const double width = QFontMetricsF(font).horizontalAdvance(words) + 20;
    const QRectF plate(rect().right() - width - kFigureMargin, 1, width,
                       std::max<double>(kFigureMargin, font.pixelSize() + 4));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_style.accent);
    painter.drawRoundedRect(plate, 4, 4);
    painter.setFont(font);
    painter.setPen(m_style.background);
    painter.drawText(plate, Qt::AlignCenter, words);
    painter.restore();
}

QString FigureView::wordsOf(const HitTestResult &place) const {
    if (place.sinkRow && m_document.trace()) {
        core::Selection sink = place.selection;
        sink.stage = core::Stage::SinkWeights;
        return cellText(*m_document.trace(), sink, *place.sinkRow, 0);
    }
    if (!place.cell || !m_document.trace())
        return {};
    return cellText(*m_document.trace(), place.selection, m_document.comparison().compared(),
                    place.cell->row, place.cell->column);
}

core::Selection FigureView::selectionOf(const HitTestResult &place) const {
    if (place.sinkRow) // no key, because the sink is not a token
        return atCell(place.selection, place.sinkRow, std::nullopt);
    if (!place.cell)
        return place.selection;
    const Compared compared = m_document.comparison().compared();
    return onCurrentSide(compared, atCell(onShownSide(compared, place.selection), place.cell->row,
                                          place.cell->column));
}

/// Returns the full text of a label, which may be elided.
QString FigureView::labelAt(QPointF point) const {
    const std::vector<HeatmapGeometry> all = labelledGeometries();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const HeatmapGeometry &large = all[i];
        if (large.cell.isEmpty() || large.cells.contains(point))
            continue;
        const StageNames names = labelledNames(i);
        const bool named =
            core::infoOf(labelledSelection(i).stage).columns != core::Columns::Dimensions;
        if (point.x() < large.cells.left() &&
            point.x() >= large.cells.left() - large.rowLabelWidth - 6)
            if (const auto cell = large.cellAt({large.cells.left() + 0.5, point.y()}))
                return names.rows.value(cell->row);
        const double above = large.cells.top() - point.y();
        if (!named || above <= 0 || above > large.columnLabelWidth + large.lineHeight)
            continue;
        const double lean = large.slanted ? above : 0;
        if (const auto cell = large.cellAt({point.x() - lean, large.cells.top() + 0.5}))
            return names.columns.value(cell->column);
    }
    return {};
}

StageNames FigureView::labelledNames(std::size_t index) const {
    const core::Selection shown = labelledSelection(index);
    return shownNames(*m_document.trace(), shown, m_document.comparison().compared(),
                      core::sizeAt(*m_document.trace(), shown).columns);
}

std::optional<core::Index> FigureView::shownRow() const {
    return rowOf(onShownSide(m_document.comparison().compared(), shownSelection()));
}

std::optional<core::Index> FigureView::shownColumn() const {
    return columnOf(onShownSide(m_document.comparison().compared(), shownSelection()));
}

std::vector<HeatmapGeometry> FigureView::labelledGeometries() const {
    if (const auto large = largeGeometry())
        return {*large};
    return {};
}

bool FigureView::hasAllLabels() const {
    const QSizeF more = m_zoom == 1 && m_figure ? beyond() : QSizeF(0, 0);
    return more.width() <= 0 && more.height() <= 0 &&
           std::ranges::all_of(labelledGeometries(), [](const HeatmapGeometry &each) {
               return each.rowLabelStep == 1 && each.columnLabelStep == 1;
           });
}

std::optional<QRectF> FigureView::cellRectAt(QPointF point) const {
    const QPointF at = inFigure(point);
    for (const HeatmapGeometry &each : allGeometries()) {
        if (each.cell.isEmpty())
            continue;
        if (const auto cell = each.cellAt(at))
            return onScreen(each.cellRect(cell->row, cell->column));
        if (const auto row = each.besideRowAt(at))
            return onScreen(each.besideRect(*row));
    }
    return std::nullopt;
}

QString FigureView::wordsAt(QPointF point) const {
    if (!m_figure || !m_document.trace())
        return {};
    const QString words = wordsOf(placeAt(inFigure(point)));
    return words.isEmpty() ? labelAt(inFigure(point)) : words;
}

QString FigureView::termAt(QPointF point) const {
    const std::optional<HeatmapGeometry> large = m_figure ? largeGeometry() : std::nullopt;
    const bool isTitle = large && (large->title.contains(point) || large->subtitle.contains(point));
    return isTitle ? entryOf(shownSelection().stage).id : QString();
}

bool FigureView::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString words = wordsAt(help->pos());
        const auto entry = m_figure ? entryOfTerm(termAt(inFigure(help->pos()))) : std::nullopt;
        if (words.isEmpty() && !entry)
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), entry ? tipOf(*entry, words) : words, this);
        return true;
    }
    // While the mask is edited, Esc ends editing instead of reaching the window.
    if (event->type() == QEvent::ShortcutOverride && m_editsMask &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void FigureView::moveSelection(core::Index rows, core::Index columns) {
    const core::TracePointer &trace = m_document.trace();
    if (!trace)
        return;
    // If side A is shown, move over A's rows and columns.
    const Compared compared = m_document.comparison().compared();
    const core::Selection now = shownSelection();
    const bool isOfA = compared.shown == ComparisonSide::A &&
                       unavailableReason(*trace, now, compared, ComparisonSide::A).isEmpty();
    const ShownRun run = isOfA ? shownRun(trace, now, compared) : ShownRun{trace, now};
    const core::MatrixSize matrix = core::sizeAt(*run.trace, run.selection);
    if (matrix.rows == 0)
        return;
    const core::Selection selection = isOfA ? onShownSide(compared, now) : now;
    const auto movedTo = [&](core::Index row, core::Index column) {
        const core::Selection at = atCell(selection, row, column);
        return isOfA ? onCurrentSide(compared, at) : at;
    };
    // The first key press selects the first cell.
    const bool first = !cellOf(selection);
    const core::Index wantedRow = std::clamp<core::Index>(
        rowOf(selection).value_or(0) + (first ? 0 : rows), 0, matrix.rows - 1);
    const core::Index wantedColumn = std::clamp<core::Index>(
        columnOf(selection).value_or(0) + (first ? 0 : columns), 0, matrix.columns - 1);
    const auto row = nearestSelectable(wantedRow, rows, matrix.rows, [&](core::Index each) {
        return rowOf(movedTo(each, wantedColumn)).has_value();
    });
    const auto column =
        nearestSelectable(wantedColumn, columns, matrix.columns, [&](core::Index each) {
            return columnOf(movedTo(wantedRow, each)).has_value();
        });
    if (!row || !column)
        return;
    const HitTestResult place{now, Cell{*row, *column}};
    m_document.select(selectionOf(place));
    emit hovered(wordsOf(place));
}

void FigureView::moveToEnd(core::Index way, bool ofMatrix) {
    if (!m_document.trace())
        return;
    constexpr core::Index kAll = 1 << 30; // moveSelection() clamps it
    if (!shownRow() || !shownColumn()) // otherwise the first key would only select the first cell
        moveSelection(0, 0);
    moveSelection(ofMatrix ? way * kAll : 0, way * kAll);
}

} // namespace headlight::ui
