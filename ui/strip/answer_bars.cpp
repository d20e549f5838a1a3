#include "ui/strip/answer_bars.h"

#include "ui/figures/output/output_bars.h"
#include "ui/figures/text/text.h"
#include "ui/text/sentences.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

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

std::optional<std::size_t> AnswerGeometry::barAt(QPointF point) const {
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (rows[row].rect.contains(point))
            return first + row;
    return std::nullopt;
}

/// Returns "3 more" for hidden bars. If some words have no bar, returns how many words have one.
static QString moreText(const AnswerContent &content, std::size_t shown) {
    if (content.omitted > 0)
        return content.omittedText();
    return AnswerBars::tr("%n more", "bars", static_cast<int>(content.bars.size() - shown));
}

/// Returns the tooltip of moreText().
static QString moreWords(const AnswerContent &content) {
    const QString scroll = AnswerBars::tr("Scroll here for the other bars (↑ ↓)");
    if (content.omitted == 0)
        return scroll;
    return sentences({AnswerBars::tr("Only the %n words whose cosine rises most have a bar.",
                                     nullptr, static_cast<int>(content.bars.size())),
                      ended(scroll)});
}

double answerHeight(const FigureStyle &style, int bars) {
    return titleHeight(style) + bars * rowHeight(style);
}

AnswerGeometry answerGeometry(const AnswerContent &content, const FigureStyle &style,
                              const QSizeF &size, std::size_t first) {
    AnswerGeometry geometry;
    const double top = titleHeight(style), step = rowHeight(style);
    geometry.title = QRectF(0, 0, size.width(), lineHeight(style.font(TextSize::Body)));
    const auto fitting =
        static_cast<std::size_t>(std::max(0.0, std::floor((size.height() - top) / step + 0.01)));
    const std::size_t count = std::min(content.bars.size(), fitting);
    geometry.first = std::min(first, content.bars.size() - count);
    // Predicted words are only a part of the vocabulary, so the number of remaining words would be
    // meaningless.
    const bool isPart = count < content.bars.size() || content.omitted > 0;
    if (count > 0 && isPart && content.kind != AnswerContent::Kind::Words) {
        const double wide =
            std::ceil(textWidth(moreText(content, count), style.font(TextSize::Label)));
        geometry.more = geometry.title;
        geometry.more.setLeft(std::max(0.0, size.width() - wide));
        geometry.title.setRight(std::max(0.0, geometry.more.left() - style.scaled(kColumnGap)));
    }
    double names = 0, numbers = 0;
    for (std::size_t row = 0; row < count; ++row) {
        const AnswerContent::Bar &bar = content.bars[geometry.first + row];
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
        const AnswerContent::Bar &bar = content.bars[geometry.first + row];
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
    if (isOther)
        m_first = 0;
    m_hovered = -1;
    const QString said = content.notice.isEmpty() ? content.omittedText() : content.notice;
    setAccessibleDescription(said.isEmpty() ? content.titleText()
                                            : labelled(content.titleText(), said));
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
    return answerGeometry(m_content, m_style, QSizeF(size()), m_first);
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
    if (!places.more.isEmpty())
        drawLine(painter, places.more, Qt::AlignRight, moreText(m_content, places.rows.size()),
                 m_style.font(TextSize::Label), m_style.mutedText);
    if (m_content.bars.empty() && !m_content.notice.isEmpty()) {
        painter.setFont(body);
        painter.setPen(m_style.mutedText);
        painter.drawText(places.notice, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         m_content.notice);
    }
    const QColor accent = faint(m_style.accent, m_style.background, kBarShare);
    for (std::size_t row = 0; row < places.rows.size(); ++row) {
        const std::size_t index = places.first + row;
        const AnswerContent::Bar &bar = m_content.bars[index];
        const AnswerGeometry::Row &place = places.rows[row];
        const bool isCurrent = hasFocus() && m_current == static_cast<int>(index);
        if (isCurrent || m_hovered == static_cast<int>(index))
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
        const AnswerGeometry places = geometryNow();
        if (const auto bar = places.barAt(help->pos()))
            QToolTip::showText(help->globalPos(), itemName(static_cast<int>(*bar)), this);
        else if (places.more.contains(help->pos()))
            QToolTip::showText(help->globalPos(), moreWords(m_content), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void AnswerBars::mousePressEvent(QMouseEvent *event) {
    const auto bar = geometryNow().barAt(event->position());
    if (event->button() == Qt::LeftButton && bar)
        pressItem(static_cast<int>(*bar));
    else
        QWidget::mousePressEvent(event);
}

void AnswerBars::mouseMoveEvent(QMouseEvent *event) {
    const auto bar = geometryNow().barAt(event->position());
    const int index = bar ? static_cast<int>(*bar) : -1;
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
    const AnswerGeometry places = geometryNow();
    const int last = places.rows.empty() ? -1 : itemCount() - 1;
    m_current = std::clamp(index, last < 0 ? -1 : 0, last);
    if (const auto bar = static_cast<std::size_t>(std::max(m_current, 0)); bar < places.first)
        scrollTo(bar);
    else if (bar >= places.first + places.rows.size())
        scrollTo(bar + 1 - places.rows.size());
    announceCurrentItem();
    emit hovered(itemName(m_current));
    update();
}

/// Scrolls to the bar `first`, or to the last bars if too few follow.
void AnswerBars::scrollTo(std::size_t first) {
    m_first = answerGeometry(m_content, m_style, QSizeF(size()), first).first;
    m_hovered = -1;
    update();
}

void AnswerBars::wheelEvent(QWheelEvent *event) {
    const AnswerGeometry places = geometryNow();
    if (places.rows.size() == m_content.bars.size())
        return QWidget::wheelEvent(event);
    constexpr int kStep = QWheelEvent::DefaultDeltasPerStep;
    m_wheel += event->angleDelta().y();
    const int bars = m_wheel / kStep; // a positive angle scrolls up
    m_wheel -= bars * kStep;
    scrollTo(static_cast<std::size_t>(std::max(0, static_cast<int>(places.first) - bars)));
    event->accept();
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
        return setCurrent(itemCount() - 1);
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
    const auto row = static_cast<std::size_t>(std::max(index, 0)) - places.first;
    return index >= 0 && row < places.rows.size() ? places.rows[row].rect.toAlignedRect() : QRect();
}

void AnswerBars::pressItem(int index) {
    if (index >= 0 && index < itemCount())
        emit chosen(index);
}

} // namespace headlight::ui
