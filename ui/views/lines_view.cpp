#include "ui/views/lines_view.h"

#include "ui/compare/nearest_selectable.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/text/glossary/glossary.h"
#include "ui/views/cell_text.h"
#include "ui/views/lines_bar.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace headlight::ui {

LinesView::LinesView(Document &document, QWidget *parent)
    : FigureView(core::View::Lines, document, parent), m_bar(new LinesBar(*this)) {
    showBar();
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        if (!changesOnlyLesson(event) && !is<SelectionChanged>(event))
            m_hovered.reset(); // the text may have fewer tokens now
        if (is<SessionChanged>(event) || is<TraceChanged>(event) || is<ComparisonChanged>(event))
            forget();
    });
}

QList<QAction *> LinesView::actions() const {
    return m_bar->actions();
}

/// Caches the layout, because laying out thousands of tokens at each mouse move would be slow.
const LinesGeometry &LinesView::geometry() const {
    if (const QRectF area = figureArea(); !m_places || m_places->area != area)
        m_places = lines()->geometry(area);
    return *m_places;
}

bool LinesView::isComplete() {
    return figure() && (!hasLines() || m_hasFailed || lines()->content().missing().empty());
}

// Options

void LinesView::setHeads(LineHeads heads) {
    HeadLines chosen = options().headLines;
    chosen.heads = std::move(heads);
    setOption(&FigureOptions::headLines, chosen);
}

void LinesView::toggleHead(core::Index head) {
    if (!lines())
        return;
    std::vector<core::Index> heads = lines()->content().heads;
    if (const auto found = std::ranges::find(heads, head); found == heads.end())
        heads.insert(std::ranges::upper_bound(heads, head), head);
    else if (heads.size() > 1) // keep the lines of at least one head
        heads.erase(found);
    const bool isAll = std::ssize(heads) == lines()->content().headCount && heads.size() > 1;
    setHeads({isAll, isAll ? std::vector<core::Index>() : heads});
}

void LinesView::setThreshold(double threshold) {
    HeadLines chosen = options().headLines;
    chosen.threshold = std::clamp(threshold, 0.0, 1.0);
    setOption(&FigureOptions::headLines, chosen);
}

// Bar

QSizeF LinesView::figureSize() const {
    const int bar = m_bar->isHidden() ? 0 : m_bar->height();
    return {static_cast<double>(width()), std::max(1.0, static_cast<double>(height() - bar))};
}

void LinesView::showBar() {
    const int high = m_bar->sizeHint().height();
    m_bar->setGeometry(0, height() - high, width(), high);
}

void LinesView::resizeEvent(QResizeEvent *event) {
    showBar();
    FigureView::resizeEvent(event);
}

bool LinesView::event(QEvent *event) {
    if (event->type() == QEvent::LayoutRequest) // the bar's text size has changed
        showBar();
    return FigureView::event(event);
}

// Weights of heads that the trace does not hold

LinesView::SearchKey LinesView::soughtOf(const LinesContent &content) {
    return {content.trace ? std::shared_ptr<const core::Plan>(content.trace, &content.trace->plan())
                          : nullptr,
            content.place.attention(), content.place.sequence, content.threshold,
            content.heads.size()};
}

std::unique_ptr<Figure> LinesView::makeFigure(const FigureInput &input) const {
    m_places.reset();
    std::unique_ptr<Figure> figure = FigureView::makeFigure(input);
    auto *lines = static_cast<LinesFigure *>(figure.get());
    const std::vector<core::Index> missing = lines->content().missing();
    if (!missing.empty() && soughtOf(lines->content()) == m_sought)
        for (const core::Index head : missing)
            if (const auto found = m_found.find(head); found != m_found.end())
                lines->setStrong(head, found->second);
    return figure;
}

/// Stops the search and drops the weights of the earlier pass.
void LinesView::forget() {
    m_job.cancel();
    m_sought = {};
    m_found.clear();
    m_finding.reset();
    m_hasFailed = false;
    m_finder.reset();
}

/// Lets a worker find the weights of the next missing head.
void LinesView::findMissing() {
    const LinesContent &content = lines()->content();
    const std::vector<core::Index> missing = content.missing();
    const bool isComingUp = document().traceIsStale() && !document().failure();
    if (missing.empty() || isComingUp)
        return;
    if (const SearchKey sought = soughtOf(content); sought != m_sought) {
        forget();
        m_sought = sought;
        m_finder = std::make_shared<const core::StrongWeightFinder>(
            *content.trace, sought.attention, sought.sequence);
    }
    const core::Index head = missing.front();
    if (m_finding == head)
        return;
    m_finding = head;
    m_job.start([finder = m_finder, head, least = content.threshold,
                 most = maxLinesOfHead(content.heads.size())](
                    const std::stop_token &stop) { return finder->of(head, least, most, stop); },
                [this, head](core::Result<core::StrongWeights> found) {
                    if (!found) { // a retry would fail again
                        m_hasFailed = true;
                        emit failed(found.error());
                        emit partComputed();
                        return;
                    }
                    m_found[head] = std::make_shared<const core::StrongWeights>(std::move(*found));
                    remake();
                    emit partComputed();
                });
}

// Painting

void LinesView::paintFigure(QPainter &painter) {
    lines()->paintIn(painter, figureArea(), sight(), m_hovered, LinesFigure::Hint::Esc);
    if (hasLines())
        findMissing();
}

/// The table's cells divide the area of the lines evenly.
ShownHeatmap LinesView::shownHeatmap() {
    if (!figure() || !hasLines())
        return {};
    const LinesGeometry &places = geometry();
    HeatmapGeometry table;
    table.area = table.used = places.area;
    table.cells = places.lines;
    table.rows = std::ssize(places.queries);
    table.columns = std::ssize(places.keys);
    table.cell = {table.cells.width() /
                      static_cast<double>(std::max<core::Index>(1, table.columns)),
                  table.cells.height() / static_cast<double>(std::max<core::Index>(1, table.rows))};
    return {&lines()->table(), table, core::Stage::AttentionWeights};
}

std::vector<QRectF> LinesView::sought() const {
    std::vector<QRectF> wanted;
    if (!hasLines())
        return wanted;
    const LinesGeometry &places = geometry();
    const core::Selection now =
        onShownSide(document().comparison().compared(), document().selection());
    if (now.key && *now.key < std::ssize(places.keys))
        wanted.push_back(places.token({LineToken::Side::Key, *now.key}));
    if (now.query && *now.query < std::ssize(places.queries))
        wanted.push_back(places.token({LineToken::Side::Query, *now.query}));
    if (const Tokens tokens{now.query, now.key}; tokens != m_tokens) {
        m_keyIsNew = tokens.first == m_tokens.first;
        m_tokens = tokens;
    }
    if (m_keyIsNew)
        std::ranges::reverse(wanted);
    const QPointF seen = sight().center();
    for (QRectF &place : wanted) // scroll along the text only
        place = places.isAcross ? QRectF(place.left(), seen.y(), place.width(), 1)
                                : QRectF(seen.x(), place.top(), 1, place.height());
    return wanted;
}

/// The wheel scrolls along the text, even if the text is horizontal.
bool LinesView::scrollAt(QPointF, QPointF by) {
    if (!hasLines() || !lines()->content().isAcross || by.x() != 0 || isMovingFigure() ||
        beyond().width() <= 0 || beyond().height() > 0)
        return false;
    setPan(pan() + QPointF(by.y(), 0));
    return true;
}

// Mouse

void LinesView::setHovered(std::optional<LineToken> token) {
    if (token == m_hovered)
        return;
    m_hovered = token;
    update();
}

void LinesView::mouseMoveEvent(QMouseEvent *event) {
    setHovered(hasLines() && !isMovingFigure() ? geometry().tokenAt(inFigure(event->position()))
                                               : std::nullopt);
    FigureView::mouseMoveEvent(event);
}

void LinesView::leaveEvent(QEvent *event) {
    setHovered(std::nullopt);
    FigureView::leaveEvent(event);
}

/// A click on a query selects its row, and a second click deselects the row. A click on a key
/// selects the pair or, without a row, only the key.
core::Selection LinesView::atToken(LineToken token) const {
    const Compared compared = document().comparison().compared();
    core::Selection at = onShownSide(compared, shownSelection());
    at.dimension.reset();
    if (token.side == LineToken::Side::Query) {
        at.query = at.query == token.index ? std::nullopt : std::optional(token.index);
        at.key.reset();
    } else {
        at.key = at.key == token.index ? std::nullopt : std::optional(token.index);
    }
    return onCurrentSide(compared, at);
}

HitTestResult LinesView::placeAt(QPointF point) const {
    if (!hasLines())
        return {document().selection(), {}};
    const LinesGeometry &places = geometry();
    if (const auto token = places.tokenAt(point))
        return {atToken(*token), {}};
    if (const auto line = lines()->lineAt(places, point, m_hovered)) {
        core::Selection at = shownSelection();
        at.dimension.reset();
        at.query = line->weight.query;
        at.key = line->weight.key;
        at.head = line->head;
        return {onCurrentSide(document().comparison().compared(), at), {}};
    }
    return {document().selection(), {}};
}

QString LinesView::wordsAt(QPointF point) const {
    if (!hasLines())
        return {};
    const LinesGeometry &places = geometry();
    const QPointF at = inFigure(point);
    if (const auto token = places.tokenAt(at))
        return lines()->words(*token);
    const auto line = lines()->lineAt(places, at, m_hovered);
    if (!line)
        return {};
    const LinesContent &content = lines()->content();
    core::Selection place = content.place;
    place.head = line->head;
    return tr("head %1: %2")
        .arg(line->head)
        .arg(cellText(*content.trace, place, line->weight.query, line->weight.key));
}

QString LinesView::termAt(QPointF point) const {
    const bool isTitle = hasLines() && geometry().title.contains(point);
    return isTitle ? entryOf(core::Stage::AttentionWeights).id : QString();
}

// Keys

void LinesView::moveToken(LineToken::Side side, core::Index by) {
    const LinesContent &content = lines()->content();
    const core::Index last = content.tokens(side).size() - 1;
    const Compared compared = document().comparison().compared();
    core::Selection at = onShownSide(compared, shownSelection());
    at.dimension.reset();
    const auto which =
        side == LineToken::Side::Query ? &core::Selection::query : &core::Selection::key;
    std::optional<core::Index> &token = at.*which;
    const core::Index wanted = std::clamp<core::Index>(token    ? *token + by
                                                       : by > 1 ? last
                                                                : 0,
                                                       0, last);
    const auto canSelect = [&](core::Index each) {
        token = each;
        return (onCurrentSide(compared, at).*which).has_value();
    };
    token = nearestSelectable(wanted, by, last + 1, canSelect);
    if (!token)
        return;
    document().select(onCurrentSide(compared, at));
    if (const auto *shown = static_cast<const LinesFigure *>(figure()))
        emit hovered(shown->words({side, *token}));
}

/// The arrow keys along the text move the query, and the other two arrow keys move the key.
bool LinesView::handleKey(QKeyEvent *event) {
    (void)figure(); // the last selection may not be painted yet
    if (!hasLines() || event->modifiers() != Qt::NoModifier)
        return false;
    using Side = LineToken::Side;
    constexpr core::Index kAllTokens = 1 << 30;
    const bool isAcross = lines()->content().isAcross;
    const Side upDown = isAcross ? Side::Key : Side::Query;
    const Side leftRight = isAcross ? Side::Query : Side::Key;
    setHovered(std::nullopt); // a hovered token would hide the selected token's lines
    switch (event->key()) {
    case Qt::Key_Up:
        return moveToken(upDown, -1), true;
    case Qt::Key_Down:
        return moveToken(upDown, 1), true;
    case Qt::Key_Left:
        return moveToken(leftRight, -1), true;
    case Qt::Key_Right:
        return moveToken(leftRight, 1), true;
    case Qt::Key_Home:
        return moveToken(Side::Query, -kAllTokens), true;
    case Qt::Key_End:
        return moveToken(Side::Query, kAllTokens), true;
    default:
        return false;
    }
}

} // namespace headlight::ui
