#include "ui/window/start/show/show_words.h"

#include "ui/figures/colours/colour_scale.h"
#include "ui/figures/text/text.h"
#include "ui/strip/strip_content.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kUsualWord = 20; // px of a word at text scale 1, as in strip_layout
constexpr double kMinWord = 16;   // px
constexpr double kScaleStepOfShow = 0.05;
constexpr double kArcHeadroom = 40, kMaxArcHeadroom = 90; // px at text scale 1
constexpr double kChipRadius = 6;
constexpr double kRing = 2.5; // px, pen of the ring at text scale 1
constexpr double kStrike = 3;
constexpr double kMaxArc = 8; // multiple of the headroom; a longer arc is not higher

} // namespace

ShowWords::ShowWords(ShowWordsContent content, bool dark, const QRectF &area, int lines,
                     double most)
    : m_content(std::move(content)) {
    const double headroom = m_content.weights.empty() ? 0 : kArcHeadroom;
    for (double scale = most / kUsualWord;; scale -= kScaleStepOfShow) {
        const bool isLast = scale * kUsualWord <= kMinWord;
        m_style = FigureStyle::presented(dark, isLast ? kMinWord / kUsualWord : scale);
        m_layout = layoutIn(area.width(), headroom);
        const bool fits = m_layout.lines <= lines && m_layout.content.height() <= area.height();
        if (fits || isLast)
            break;
    }
    const double spare = (area.height() - m_layout.content.height()) / m_style.textScale;
    if (headroom > 0 && m_layout.lines == 1 && spare > 1)
        m_layout = layoutIn(area.width(), std::min(kMaxArcHeadroom, headroom + spare - 1));
    m_rect = QRectF(area.topLeft(), m_layout.content);
}

StripLayout ShowWords::layoutIn(double width, double headroom) const {
    return stripLayoutOf(m_content.words, m_style,
                         {width, StripRoom::Lines, headroom, !m_content.weights.empty()});
}

double ShowWords::wordSize() const {
    return kUsualWord * m_style.textScale;
}

QRectF ShowWords::chip(core::Index word) const {
    return m_layout.chips[static_cast<std::size_t>(word)].rect.translated(m_rect.topLeft());
}

std::optional<core::Index> ShowWords::wordAt(QPointF point) const {
    return m_layout.wordAt(point - m_rect.topLeft());
}

std::vector<StripArc> ShowWords::arcs() const {
    std::vector<StripArc> arcs;
    if (!m_content.ringed || m_content.weights.empty())
        return arcs;
    const auto topOf = [this](core::Index word) {
        const QRectF rect = chip(word);
        return QPointF(rect.center().x(), rect.top());
    };
    for (std::size_t index = 0; index < m_content.weights.size(); ++index) {
        const auto word = static_cast<core::Index>(index);
        const auto weight = static_cast<double>(m_content.weights[index]);
        if (!(weight >= kMinArcWeight) || word == *m_content.ringed)
            continue;
        const QPointF from = topOf(*m_content.ringed), to = topOf(word);
        const double share =
            std::min(1.0, std::abs(to.x() - from.x()) / (kMaxArc * m_layout.headroom));
        arcs.push_back({from, to, weight, m_layout.headroom * (0.35 + 0.6 * share)});
    }
    return arcs;
}

void ShowWords::paint(QPainter &painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (core::Index word = 0; word < std::ssize(m_layout.chips); ++word)
        paintWord(painter, word);
    if (m_content.outlined)
        outline(painter, *m_content.outlined, QPen(m_style.accent, m_style.scaled(kRing)), 1);
    if (m_content.pointed)
        outline(painter, *m_content.pointed, QPen(m_style.key, m_style.scaled(kRing), Qt::DashLine),
                1);
    if (m_content.ringed)
        outline(painter, *m_content.ringed, QPen(m_style.selection, m_style.scaled(kRing)), 1);
    painter.restore();
}

void ShowWords::outline(QPainter &painter, core::Index word, const QPen &pen, double grow) const {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen);
    const double radius = m_style.scaled(kChipRadius) + grow;
    painter.drawRoundedRect(chip(word).adjusted(-grow, -grow, grow, grow), radius, radius);
}

void ShowWords::paintWord(QPainter &painter, core::Index word) const {
    const auto index = static_cast<std::size_t>(word);
    const QRectF rect = chip(word);
    const bool isTyped = m_content.typed == word;
    if (isTyped && m_content.typedShare <= 0)
        return;
    QColor fill = m_style.hidden, ink = m_style.text;
    const bool hasWeight = !m_content.weights.empty();
    if (hasWeight && !isShownAsZero(m_content.weights[index])) {
        ColourScale scale = ColourScale::between(m_style.weightsMap, 0, 1);
        scale.toneDown(m_style.isDark);
        fill = wordTint(static_cast<double>(m_content.weights[index]), scale, m_style);
        ink = wantsDarkText(fill.rgb()) ? QColor(Qt::black) : QColor(Qt::white);
    }
    const bool isStruck = m_content.struck == word && m_content.struckShare > 0;
    if (isStruck)
        ink = m_style.mutedText;
    QPainterPath path;
    path.addRoundedRect(rect, m_style.scaled(kChipRadius), m_style.scaled(kChipRadius));
    painter.fillPath(path, fill);
    QString text = m_content.words.words[index].text;
    if (isTyped)
        text = text.left(static_cast<qsizetype>(
            std::ceil(m_content.typedShare * static_cast<double>(text.size()))));
    const bool isBold = m_content.ringed == word || m_content.outlined == word || isTyped;
    const double around = std::min(m_layout.padding, rect.width() / 8);
    drawLine(painter, rect.adjusted(around, 0, -around, 0),
             isTyped ? Qt::AlignLeft : Qt::AlignHCenter, text, stripWordFont(m_style, isBold), ink,
             Qt::ElideMiddle);
    if (isStruck) {
        painter.setPen(QPen(m_style.selection, m_style.scaled(kStrike)));
        const double middle = rect.center().y();
        painter.drawLine(
            QPointF(rect.left() + around, middle),
            QPointF(rect.left() + around + m_content.struckShare * (rect.width() - 2 * around),
                    middle));
    }
    if (!hasWeight)
        return;
    const float weight = m_content.weights[index];
    const bool isStrong = weight >= 1 / static_cast<float>(m_content.weights.size());
    drawLine(painter, m_layout.number(word).translated(m_rect.topLeft()), Qt::AlignHCenter,
             weightText(weight), stripNumberFont(m_style, isStrong),
             isStrong ? m_style.text : m_style.mutedText);
}

} // namespace headlight::ui
