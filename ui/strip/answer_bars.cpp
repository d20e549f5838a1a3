#include "ui/strip/answer_bars.h"

#include "ui/figures/output/output_bars.h"
#include "ui/figures/text/text.h"
#include "ui/text/sentences.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using TextSize = FigureStyle::Text;

constexpr double kRow = 20; // px
constexpr double kTitleGap = 3;
constexpr double kBarHeight = 12;
// The line that marks the previous value, px. It stays thin in large text, because a long line
// would look like the bar.
constexpr double kLineHeight = 3, kThinLine = 1.5;
constexpr double kLineShare = 0.5; // share of the muted text's colour
constexpr double kColumnGap = 8;
constexpr double kNameShare = 0.36; // share of the width
constexpr double kBarShare = 0.62;  // share of the accent, as in the Output view
constexpr double kStaleShare = 0.35;

double rowHeight(const FigureStyle &style) {
    return std::max(std::round(style.scaled(kRow)),
                    std::ceil(lineHeight(style.font(TextSize::Body))));
}

double titleHeight(const FigureStyle &style) {
    return std::ceil(lineHeight(style.font(TextSize::Body))) + std::round(style.scaled(kTitleGap));
}

} // namespace

std::optional<std::size_t> AnswerGeometry::rowAt(QPointF point) const {
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (rows[row].rect.contains(point))
            return row;
    return std::nullopt;
}

double answerHeight(const FigureStyle &style, int bars) {
    return titleHeight(style) + bars * rowHeight(style);
}

AnswerGeometry answerGeometry(const AnswerContent &content, const FigureStyle &style,
                              const QSizeF &size) {
    AnswerGeometry geometry;
    const double top = titleHeight(style), step = rowHeight(style);
    geometry.title = QRectF(0, 0, size.width(), lineHeight(style.font(TextSize::Body)));
    const auto fitting =
        static_cast<std::size_t>(std::max(0.0, std::floor((size.height() - top) / step + 0.01)));
    const std::size_t count = std::min(content.bars.size(), fitting);
    double names = 0, numbers = 0;
    for (std::size_t row = 0; row < count; ++row) {
        const AnswerContent::Bar &bar = content.bars[row];
        names = std::max(names, textWidth(bar.name + bar.rest, style.font(TextSize::Body)));
        numbers = std::max(numbers, textWidth(bar.number, style.font(TextSize::Label)));
    }
    names = std::min(std::ceil(names), std::floor(kNameShare * size.width()));
    numbers = std::ceil(numbers) + 1;
    const double gap = style.scaled(kColumnGap);
    const double left = names + gap;
    const double wide = std::max(0.0, size.width() - left - numbers - gap);
    for (std::size_t row = 0; row < count; ++row) {
        AnswerGeometry::Row &place = geometry.rows.emplace_back();
        const AnswerContent::Bar &bar = content.bars[row];
        place.rect = QRectF(0, top + static_cast<double>(row) * step, size.width(), step);
        place.name = QRectF(0, place.rect.top(), names, step);
        place.number = QRectF(size.width() - numbers, place.rect.top(), numbers, step);
        const auto lengthOf = [&](double value) {
            return content.highest > 0 && value > 0
                       ? std::clamp(wide * value / content.highest, 1.0, wide)
                       : 0.0;
        };
        const double high = style.scaled(bar.before ? kBarHeight - kLineHeight : kBarHeight);
        const double line =
            std::clamp(kLineHeight, style.scaled(kThinLine),
                       std::max(style.scaled(kThinLine), style.scaled(kLineHeight)));
        const double above = std::round((step - high - (bar.before ? line + 1 : 0)) / 2);
        place.bar = QRectF(left, place.rect.top() + above, lengthOf(bar.value), high);
        if (bar.before)
            place.beforeBar = QRectF(left, place.bar.bottom() + 1, lengthOf(*bar.before), line);
    }
    geometry.notice = QRectF(0, top, size.width(), std::max(0.0, size.height() - top));
    return geometry;
}

AnswerBars::AnswerBars(QWidget *parent) : ItemListWidget(parent), m_style(FigureStyle::light()) {
    setObjectName("answer");
    setAccessibleName(tr("Answer"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void AnswerBars::setContent(const AnswerContent &content) {
    if (m_content == content)
        return;
    const bool isOther = m_content.kind != content.kind || m_content.subject != content.subject;
    m_content = content;
    if (isOther || m_current >= std::ssize(content.bars))
        m_current = -1;
    m_hovered = -1;
    setAccessibleDescription(content.notice.isEmpty()
                                 ? content.titleText()
                                 : labelled(content.titleText(), content.notice));
    announceItems();
    update();
}

void AnswerBars::setStyle(const FigureStyle &style) {
    m_style = style;
    update();
}

void AnswerBars::setStale(bool isStale) {
    m_isStale = isStale;
    update();
}

void AnswerBars::leaveFocusAlone() {
    setFocusPolicy(Qt::NoFocus);
}

AnswerGeometry AnswerBars::geometryNow() const {
    return answerGeometry(m_content, m_style, QSizeF(size()));
}

void AnswerBars::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_style.background);
    const AnswerGeometry places = geometryNow();
    const QFont body = m_style.font(TextSize::Body);
    Spans title;
    const QStringList around = m_content.title.split(QLatin1String("%1"));
    title.append({around.value(0), m_style.mutedText, false, Span::Place::Line});
    if (around.size() > 1) {
        title.append({m_content.subject, m_style.text, true, Span::Place::Line});
        title.append({around.value(1), m_style.mutedText, false, Span::Place::Line});
    }
    drawSpans(painter, places.title, title, body);
    if (m_content.bars.empty() && !m_content.notice.isEmpty()) {
        painter.setFont(body);
        painter.setPen(m_style.mutedText);
        painter.drawText(places.notice, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         m_content.notice);
    }
    const QColor accent = faint(m_style.accent, m_style.background, kBarShare);
    for (std::size_t row = 0; row < places.rows.size(); ++row) {
        const AnswerContent::Bar &bar = m_content.bars[row];
        const AnswerGeometry::Row &place = places.rows[row];
        const bool isCurrent = hasFocus() && m_current == static_cast<int>(row);
        if (isCurrent || m_hovered == static_cast<int>(row))
            painter.fillRect(place.rect, mixed(m_style.accent, m_style.background, 0.1));
        if (isCurrent) {
            painter.setPen(QPen(m_style.accent, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(place.rect.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        drawPredictedWord(painter, place.name, bar.name, bar.rest, body,
                          m_isStale ? m_style.mutedText : m_style.text, m_style.mutedText);
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_isStale ? mixed(accent, m_style.background, kStaleShare) : accent);
        const double radius = std::min(m_style.scaled(2), place.bar.width() / 2);
        painter.drawRoundedRect(place.bar, radius, radius);
        painter.setBrush(faint(m_style.mutedText, m_style.background, kLineShare));
        painter.drawRect(place.beforeBar);
        painter.setRenderHint(QPainter::Antialiasing, false);
        drawLine(painter, place.number, Qt::AlignRight, bar.number, m_style.font(TextSize::Label),
                 m_style.mutedText);
    }
    if (hasFocus()) {
        painter.setPen(QPen(faint(m_style.accent, m_style.background, 0.6), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

bool AnswerBars::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto row = geometryNow().rowAt(help->pos());
        if (row)
            QToolTip::showText(help->globalPos(), itemName(static_cast<int>(*row)), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void AnswerBars::mousePressEvent(QMouseEvent *event) {
    const auto row = geometryNow().rowAt(event->position());
    if (event->button() == Qt::LeftButton && row)
        pressItem(static_cast<int>(*row));
    else
        QWidget::mousePressEvent(event);
}

void AnswerBars::mouseMoveEvent(QMouseEvent *event) {
    const auto row = geometryNow().rowAt(event->position());
    const int index = row ? static_cast<int>(*row) : -1;
    if (index == m_hovered)
        return;
    m_hovered = index;
    update();
    emit hovered(itemName(index));
}

void AnswerBars::leaveEvent(QEvent *) {
    m_hovered = -1;
    update();
    emit hovered({});
}

void AnswerBars::setCurrent(int index) {
    const int last = static_cast<int>(std::ssize(geometryNow().rows)) - 1;
    m_current = std::clamp(index, last < 0 ? -1 : 0, last);
    announceCurrentItem();
    emit hovered(itemName(m_current));
    update();
}

void AnswerBars::keyPressEvent(QKeyEvent *event) {
    if (event->modifiers() & ~Qt::KeypadModifier)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Up:
        return setCurrent(m_current - 1);
    case Qt::Key_Down:
        return setCurrent(m_current + 1);
    case Qt::Key_Home:
        return setCurrent(0);
    case Qt::Key_End:
        return setCurrent(static_cast<int>(kMaxAnswerBars));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return pressItem(m_current);
    default:
        QWidget::keyPressEvent(event);
    }
}

void AnswerBars::focusInEvent(QFocusEvent *event) {
    QWidget::focusInEvent(event);
    if (m_current < 0)
        setCurrent(0);
    update();
}

void AnswerBars::focusOutEvent(QFocusEvent *event) {
    QWidget::focusOutEvent(event);
    update();
}

int AnswerBars::itemCount() const {
    return static_cast<int>(std::ssize(m_content.bars));
}

QString AnswerBars::itemName(int index) const {
    return index >= 0 && index < itemCount()
               ? m_content.bars[static_cast<std::size_t>(index)].description
               : QString();
}

QRect AnswerBars::itemRect(int index) const {
    const AnswerGeometry places = geometryNow();
    return index >= 0 && index < std::ssize(places.rows)
               ? places.rows[static_cast<std::size_t>(index)].rect.toAlignedRect()
               : QRect();
}

void AnswerBars::pressItem(int index) {
    if (index >= 0 && index < itemCount())
        emit chosen(index);
}

} // namespace headlight::ui
