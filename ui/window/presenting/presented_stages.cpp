#include "ui/window/presenting/presented_stages.h"

#include "ui/figures/text/symbol_spans.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kStageSide = 16; // px before scaling, at the ends of the line
constexpr double kStageAir = 7;   // px at each side of a name
constexpr double kStageRow = 8;   // px above and below a name, together
const QString kStagesLeftOut = QStringLiteral("…");

} // namespace

PresentedStages::PresentedStages(Document &document, const Filmstrip &filmstrip, QWidget *parent)
    : ItemListWidget(parent),
      m_document(document),
      m_filmstrip(filmstrip),
      m_style(FigureStyle::light()) {
    setObjectName("presentedStages");
    setAccessibleName(tr("Stages"));
    setFocusPolicy(Qt::NoFocus); // keys step through the lesson
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

void PresentedStages::setStyle(const FigureStyle &style) {
    m_style = style;
    place();
    updateGeometry();
}

void PresentedStages::showStages() {
    m_names = m_filmstrip.stageNames();
    m_layer = m_filmstrip.layerName();
    m_current = static_cast<int>(m_filmstrip.currentIndex());
    setAccessibleDescription(m_layer);
    place();
    announceItems();
}

QString PresentedStages::itemName(int index) const {
    return m_names[static_cast<std::size_t>(index)].title;
}

QRect PresentedStages::itemRect(int index) const {
    return m_rects[static_cast<std::size_t>(index)].toRect();
}

void PresentedStages::pressItem(int index) {
    m_document.select(atStage(m_document.selection(), m_names[static_cast<std::size_t>(index)].at));
}

QFont PresentedStages::font(bool isCurrent) const {
    return m_style.font(FigureStyle::Text::Label, isCurrent);
}

Spans PresentedStages::spansOf(int index) const {
    const Filmstrip::StageName &name = m_names[static_cast<std::size_t>(index)];
    const core::Role role = core::infoOf(name.at.stage).role;
    const bool hasColour = role == core::Role::Query || role == core::Role::Key ||
                           role == core::Role::Value || role == core::Role::Context;
    const QColor colour = hasColour            ? m_style.colourOf(role)
                          : index == m_current ? m_style.text
                                               : m_style.mutedText;
    return symbolSpans(name.symbol, colour, index == m_current);
}

double PresentedStages::widthOf(int index) const {
    return std::ceil(spansWidth(spansOf(index), font(index == m_current))) +
           2 * m_style.scaled(kStageAir);
}

QSize PresentedStages::sizeHint() const {
    return {200, static_cast<int>(lineHeight(font()) + m_style.scaled(kStageRow))};
}

void PresentedStages::place() {
    const int count = itemCount();
    m_rects.assign(m_names.size(), QRectF());
    m_before = m_after = m_layerRect = QRectF();
    update();
    if (count == 0)
        return;
    const double side = m_style.scaled(kStageSide), air = m_style.scaled(kStageAir);
    double x = side - air;
    if (!m_layer.isEmpty()) {
        const double width =
            std::min(std::ceil(textWidth(m_layer, font())), std::floor(0.2 * this->width()));
        m_layerRect = QRectF(side, 0, width, height());
        x = m_layerRect.right() + side - air;
    }
    const double right = width() - side;
    const double more = std::ceil(textWidth(kStagesLeftOut, font())) + 2 * air;
    const int current = std::clamp(m_current, 0, count - 1);
    int first = 0, last = count - 1;
    double length = 0;
    for (int i = 0; i < count; ++i)
        length += widthOf(i);
    if (length > right - x) {
        // Add names on both sides of the current one.
        first = last = current;
        length = widthOf(current) + 2 * more;
        for (bool grows = true; grows;) {
            grows = false;
            for (int *end : {&last, &first}) {
                const int next = end == &last ? last + 1 : first - 1;
                if (next < 0 || next >= count || length + widthOf(next) > right - x)
                    continue;
                length += widthOf(next);
                *end = next;
                grows = true;
            }
        }
    }
    if (first > 0) {
        m_before = QRectF(x, 0, more, height());
        x = m_before.right();
    }
    for (int i = first; i <= last; ++i) {
        const double width = widthOf(i);
        m_rects[static_cast<std::size_t>(i)] = QRectF(x, 0, width, height());
        x += width;
    }
    if (last + 1 < count)
        m_after = QRectF(x, 0, more, height());
}

void PresentedStages::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), m_style.surface);
    painter.setPen(QPen(m_style.border, 1));
    painter.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
    drawLine(painter, m_layerRect, Qt::AlignLeft, m_layer, font(), m_style.mutedText);
    for (const QRectF &place : {m_before, m_after})
        if (!place.isEmpty())
            drawLine(painter, place, Qt::AlignHCenter, kStagesLeftOut, font(), m_style.mutedText);
    const double air = m_style.scaled(kStageAir);
    for (int i = 0; i < itemCount(); ++i) {
        const QRectF &place = m_rects[static_cast<std::size_t>(i)];
        if (place.isEmpty())
            continue;
        if (i == m_current) {
            painter.setPen(QPen(m_style.accent, 1.5));
            painter.setBrush(mixed(m_style.accent, m_style.surface, 0.12));
            painter.drawRoundedRect(place.adjusted(2, 4, -2, -3), 6, 6);
        }
        drawSpans(painter, place.adjusted(air, 1, air, 0), spansOf(i), font(i == m_current));
    }
}

void PresentedStages::mouseReleaseEvent(QMouseEvent *event) {
    for (int i = 0; i < itemCount(); ++i)
        if (m_rects[static_cast<std::size_t>(i)].contains(event->position()))
            return pressItem(i);
}

void PresentedStages::resizeEvent(QResizeEvent *event) {
    ItemListWidget::resizeEvent(event);
    place();
}

} // namespace headlight::ui
