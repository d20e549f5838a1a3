#include "ui/views/text_view.h"

#include "ui/compare/nearest_selectable.h"
#include "ui/text/glossary/glossary.h"
#include "ui/views/cell_text.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace headlight::ui {

TextView::TextView(Document &document, QWidget *parent)
    : FigureView(core::View::Text, document, parent) {
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        if (!changesOnlyLesson(event) && !is<SelectionChanged>(event)) {
            m_hovered.reset(); // the text may have fewer words now
            m_fixed.reset();
        }
    });
}

TintedTextGeometry TextView::geometry() const {
    return text()->geometry(figureArea());
}

void TextView::paintFigure(QPainter &painter) {
    text()->paintIn(painter, figureArea(), sight(), m_hovered);
}

/// The table's cells divide the area of the text evenly, because tokens are not drawn in rows of
/// a table.
ShownHeatmap TextView::shownHeatmap() {
    if (!figure() || !hasText())
        return {};
    const TintedTextGeometry places = geometry();
    const auto rows = std::ssize(text()->content().texts[text()->askingText()].words.words);
    const auto columns = std::ssize(text()->content().texts.front().words.words);
    HeatmapGeometry table;
    table.area = table.used = places.area;
    table.cells = QRectF(places.texts.front().origin, QPointF(places.title.right(), places.bottom));
    table.rows = rows;
    table.columns = columns;
    table.cell = {table.cells.width() / static_cast<double>(std::max<core::Index>(1, columns)),
                  table.cells.height() / static_cast<double>(std::max<core::Index>(1, rows))};
    return {&text()->table(), table, core::Stage::AttentionWeights};
}

QRectF TextView::colourBarRect() const {
    return hasText() ? geometry().colourBar : QRectF();
}

/// Returns the key if only the key was changed, for example by the bar that finds tokens.
/// Otherwise returns the query.
std::vector<QRectF> TextView::sought() const {
    if (!hasText())
        return {};
    const std::optional<core::Index> query = text()->query(), key = text()->key();
    if (const Tokens now{query, key}; now != m_tokens) {
        m_keyIsNew = query == m_tokens.first;
        m_tokens = now;
    }
    const TintedTextGeometry places = geometry();
    if (key && (m_keyIsNew || !query))
        return {places.word(0, *key)};
    if (query)
        return {places.word(text()->askingText(), *query)};
    return {};
}

// Mouse

void TextView::zoomBy(double factor, QPointF point) {
    const auto placeIn = [](const QRectF &rect, QPointF share) {
        return rect.topLeft() + QPointF(share.x() * rect.width(), share.y() * rect.height());
    };
    const bool goesOn = m_fixed && hasText() && m_fixed->point == point && m_fixed->pan == pan() &&
                        m_fixed->zoom == zoom();
    if (!goesOn) {
        m_fixed.reset();
        const QPointF at = inFigure(point);
        const auto word = hasText() ? text()->nearestWord(geometry(), at) : std::nullopt;
        if (!word)
            return FigureView::zoomBy(factor, point);
        // Returns how far along the word the point is, as a share of the word's size.
        const auto shareOf = [](double place, double first, double size) {
            return size > 0 ? std::clamp((place - first) / size, 0.0, 1.0) : 0.0;
        };
        const QRectF before = geometry().word(word->text, word->index);
        const QPointF share(shareOf(at.x(), before.left(), before.width()),
                            shareOf(at.y(), before.top(), before.height()));
        m_fixed = Fixed{*word, share, placeIn(before, share), {}, {}};
    }
    FigureView::zoomBy(factor, point);
    const QRectF after = geometry().word(m_fixed->word.text, m_fixed->word.index);
    setPan(pan() + placeIn(after, m_fixed->share) - m_fixed->place);
    m_fixed->point = point;
    m_fixed->pan = pan();
    m_fixed->zoom = zoom();
}

void TextView::setHovered(std::optional<TintedTextFigure::Word> word) {
    if (word == m_hovered)
        return;
    m_hovered = word;
    update();
}

void TextView::mouseMoveEvent(QMouseEvent *event) {
    setHovered(hasText() && !isMovingFigure()
                   ? text()->wordAt(geometry(), inFigure(event->position()))
                   : std::nullopt);
    FigureView::mouseMoveEvent(event);
}

void TextView::leaveEvent(QEvent *event) {
    setHovered(std::nullopt);
    FigureView::leaveEvent(event);
}

core::Selection TextView::atQuery(core::Index query) const {
    core::Selection at = shownSelection();
    at.dimension.reset();
    at.key.reset();
    at.query = query;
    return onCurrentSide(document().comparison().compared(), at);
}

/// A click on a word of the text with the queries selects its row. A click on a word of the other
/// text selects the key.
HitTestResult TextView::placeAt(QPointF point) const {
    const auto word = hasText() ? text()->wordAt(geometry(), point) : std::nullopt;
    if (!word)
        return {document().selection(), {}};
    if (text()->content().texts[word->text].isAsking)
        return {atQuery(word->index), {}};
    const Compared compared = document().comparison().compared();
    core::Selection at = onShownSide(compared, shownSelection());
    at.dimension.reset();
    at.key = word->index;
    return {onCurrentSide(compared, at), {}};
}

QString TextView::textOf(TintedTextFigure::Word word) const {
    const TintedTextContent &content = text()->content();
    const TintedTextContent::Text &of = content.texts[word.text];
    if (of.isRead && text()->query() && text()->weightOf(word))
        return cellText(*content.trace, content.place, *text()->query(), word.index);
    const QString name = of.words.words[static_cast<std::size_t>(word.index)].text;
    return of.isAsking ? tr("%1 (query %2)").arg(name).arg(word.index)
                       : tr("%1 (key %2)").arg(name).arg(word.index);
}

QString TextView::wordsAt(QPointF point) const {
    const auto word = hasText() ? text()->wordAt(geometry(), inFigure(point)) : std::nullopt;
    return word ? textOf(*word) : QString();
}

QString TextView::termAt(QPointF point) const {
    const bool isTitle = hasText() && geometry().title.contains(point);
    return isTitle ? entryOf(core::Stage::AttentionWeights).id : QString();
}

// Keys

void TextView::moveTo(core::Index query) {
    const std::size_t asking = text()->askingText();
    const core::Index last = std::ssize(text()->content().texts[asking].words.words) - 1;
    const core::Index step = text()->query() && query < *text()->query() ? -1 : 1;
    const auto to =
        nearestSelectable(std::clamp<core::Index>(query, 0, last), step, last + 1,
                          [this](core::Index each) { return atQuery(each).query.has_value(); });
    if (!to)
        return;
    document().select(atQuery(*to));
    if (figure())
        emit hovered(text()->description());
}

bool TextView::handleKey(QKeyEvent *event) {
    (void)figure(); // the last selection may not be painted yet
    if (!hasText() || event->modifiers() != Qt::NoModifier)
        return false;
    constexpr core::Index kEndOfText = 1 << 30;
    const TintedTextGeometry places = geometry();
    const StripLayout &layout = *places.texts[text()->askingText()].layout;
    const std::optional<core::Index> now = text()->query();
    const bool isRightToLeft = text()->content().texts[text()->askingText()].words.isRightToLeft;
    const core::Index right = isRightToLeft ? -1 : 1;
    switch (event->key()) {
    case Qt::Key_Left:
        return moveTo(now ? *now - right : 0), true;
    case Qt::Key_Right:
        return moveTo(now ? *now + right : 0), true;
    case Qt::Key_Up:
        return moveTo(now ? layout.wordAbove(*now, 1) : 0), true;
    case Qt::Key_Down:
        return moveTo(now ? layout.wordAbove(*now, -1) : 0), true;
    case Qt::Key_Home:
        return moveTo(0), true;
    case Qt::Key_End:
        return moveTo(kEndOfText), true;
    default:
        return false;
    }
}

} // namespace headlight::ui
