#include "ui/views/head_list.h"

#include "ui/figures/heads/heads_figure.h"
#include "ui/figures/heatmap/thumbnail.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/model/model_figure.h"
#include "ui/figures/text/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kRowPicture = 40; // px
constexpr double kRowPadding = 6;

bool isAscending(const core::NamedMeasure &measure) {
    return measure.measure == &core::HeadMeasures::entropy ||
           measure.measure == &core::HeadMeasures::distance;
}

const core::NamedMeasure *measureNamed(std::string_view name) {
    return std::ranges::find(core::kEveryMeasure, name, &core::NamedMeasure::name);
}

} // namespace

HeadList::HeadList(QObject *parent)
    : QAbstractListModel(parent), m_measure(measureNamed("previous")) {}

void HeadList::show(std::shared_ptr<const core::TraceGlances> glances, const FigureStyle &style,
                    double pixelRatio) {
    if (glances == m_glances && style == m_style && pixelRatio == m_pixelRatio)
        return;
    const bool isOther = !glances || !m_glances || glances->trace != m_glances->trace ||
                         !(style == m_style) || pixelRatio != m_pixelRatio;
    if (isOther)
        m_pictures.clear();
    m_glances = std::move(glances);
    m_style = style;
    m_pixelRatio = pixelRatio;
    arrange();
}

void HeadList::setColours(Range range, Scaling scaling) {
    if (range == m_range && scaling == m_scaling)
        return;
    m_range = range;
    m_scaling = scaling;
    m_pictures.clear();
    if (rowCount() > 0)
        emit dataChanged(index(0), index(rowCount() - 1), {Picture});
}

void HeadList::showSimilar(std::shared_ptr<const SimilarHeads::Found> similar) {
    if (similar == m_similar)
        return;
    m_similar = std::move(similar);
    if (m_measure->measure == core::kSimilarity.measure)
        arrange();
}

void HeadList::showChanges(bool isOn, ModelChanges::FoundPointer changes) {
    if (isOn == m_isChange && changes == m_changes)
        return;
    m_isChange = isOn;
    m_changes = std::move(changes);
    arrange();
}

void HeadList::sortBy(const core::NamedMeasure &measure) {
    m_measure = &measure;
    arrange();
}

void HeadList::setReversed(bool isReversed) {
    m_isReversed = isReversed;
    arrange();
}

void HeadList::filterBy(const QString &words) {
    m_filter = words.trimmed();
    arrange();
}

std::optional<double> HeadList::valueOf(const core::HeadId &head) const {
    if (m_isChange) {
        const auto found = m_changed.values.find(head);
        return found == m_changed.values.end() ? std::nullopt : std::optional(found->second);
    }
    if (m_measure->measure == core::kSimilarity.measure) {
        if (!m_similar)
            return std::nullopt;
        const auto found = m_similar->values.find(head);
        return found != m_similar->values.end() ? found->second : std::nullopt;
    }
    const core::HeadGlance *glance = m_glances ? m_glances->of(head) : nullptr;
    return glance ? glance->measures.*m_measure->measure : std::nullopt;
}

bool HeadList::isWanted(const core::HeadId &head) const {
    if (m_filter.isEmpty())
        return true;
    const QChar sign = m_filter.front();
    if (sign == QLatin1Char('<') || sign == QLatin1Char('>')) {
        bool isNumber = false;
        const double limit = m_filter.mid(1).trimmed().toDouble(&isNumber);
        const std::optional<double> value = valueOf(head);
        return !isNumber || (value && (sign == QLatin1Char('<') ? *value < limit : *value > limit));
    }
    return headNameOf(m_glances->trace->model(), head).contains(m_filter, Qt::CaseInsensitive);
}

void HeadList::arrange() {
    beginResetModel();
    m_rows.clear();
    m_highest = 1e-9;
    m_changed = {};
    if (m_isChange && m_changes)
        m_changed = changesOf(*m_measure, m_changes->heads);
    if (m_glances)
        for (const auto &layer : m_glances->made)
            for (std::size_t head = 0; layer && head < layer->heads.size(); ++head) {
                const core::HeadId place{layer->attention, static_cast<core::Index>(head)};
                m_highest = std::max(m_highest, std::abs(valueOf(place).value_or(0)));
                if (isWanted(place))
                    m_rows.push_back(place);
            }
    if (!m_isChange &&
        !isAscending(*m_measure)) // the other measures are shares, so their bars always end at 1
        m_highest = 1;
    const bool isUp = (!m_isChange && isAscending(*m_measure)) != m_isReversed;
    std::ranges::stable_sort(m_rows, [this, isUp](const auto &a, const auto &b) {
        const std::optional<double> first = valueOf(a), second = valueOf(b);
        if (!first || !second)
            return first.has_value() && !second.has_value();
        const double left = m_isChange ? std::abs(*first) : *first;
        const double right = m_isChange ? std::abs(*second) : *second;
        return isUp ? left < right : left > right;
    });
    endResetModel();
}

int HeadList::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int HeadList::rowOf(const core::HeadId &head) const {
    const auto found = std::ranges::find(m_rows, head);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

QImage HeadList::pictureOf(const core::HeadId &head) const {
    const auto known = m_pictures.find(head);
    if (known != m_pictures.end())
        return known->second;
    const core::HeadGlances *layer = m_glances->of(head.attention);
    const core::HeadGlance *glance = m_glances->of(head);
    if (!glance)
        return {};
    const double side = m_style.scaled(kRowPicture);
    const core::Trace &trace = *m_glances->trace;
    HeatmapContent content = sampledContent(*layer, *glance, trace, m_style, m_range,
                                            commonScaleOf(*layer, trace, m_style, m_range));
    content.scale.setScaling(m_scaling);
    return m_pictures[head] = thumbnailOf(content, m_style, {side, side}, m_pixelRatio);
}

QVariant HeadList::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const core::HeadId &head = headAt(index.row());
    const std::optional<double> value = valueOf(head);
    const QString name = headNameOf(m_glances->trace->model(), head);
    switch (role) {
    case Qt::DisplayRole:
        return name;
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole:
        if (m_isChange)
            return tr("%1: change of the %2 %3")
                .arg(name, titleOf(*m_measure), changeOfMeasureText(value));
        return tr("%1: %2 %3").arg(name, titleOf(*m_measure), measureText(value));
    case Value:
        return m_isChange ? changeOfMeasureText(value) : measureText(value);
    case Share:
        return std::clamp(std::abs(value.value_or(0)) / m_highest, 0.0, 1.0);
    case Colour:
        // Changes have the colours of the cells that show them.
        return m_isChange ? QColor::fromRgb(ColourScale::between(m_style.signedMap, -1, 1)
                                                .colour(0, value.value_or(0) < 0 ? -0.7 : 0.7))
                          : faint(m_style.accent, m_style.surface, 0.5);
    case Picture:
        return pictureOf(head);
    default:
        return {};
    }
}

QSize HeadRowPainter::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const {
    return {100, qRound(m_style.scaled(kRowPicture) + 2 * kRowPadding + 4)};
}

void HeadRowPainter::paint(QPainter *painter, const QStyleOptionViewItem &option,
                           const QModelIndex &index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, true);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const QRectF frame = QRectF(option.rect).adjusted(1, 2, -1, -2);
    const bool hasFocus = option.state.testFlag(QStyle::State_HasFocus);
    painter->setPen(
        QPen(isSelected || hasFocus ? m_style.accent : m_style.border, hasFocus ? 2 : 1));
    painter->setBrush(isSelected ? mixed(m_style.accent, m_style.surface, 0.1)
                      : option.state.testFlag(QStyle::State_MouseOver)
                          ? mixed(m_style.text, m_style.surface, 0.04)
                          : m_style.surface);
    painter->drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const double side = m_style.scaled(kRowPicture);
    const QImage picture = index.data(HeadList::Picture).value<QImage>();
    QRectF place(frame.left() + kRowPadding, frame.center().y() - side / 2, side, side);
    if (!picture.isNull()) {
        QRectF at(QPointF(), picture.deviceIndependentSize());
        at.moveCenter(place.center());
        at.moveTopLeft({std::round(at.left()), std::round(at.top())});
        painter->drawImage(at, picture);
    }
    const QFont label = m_style.font(FigureStyle::Text::Label);
    const double left = place.right() + 10, right = frame.right() - 8;
    const double line = lineHeight(label);
    const QString value = index.data(HeadList::Value).toString();
    const double valueWidth = textWidth(QStringLiteral("00.00"), label) + 8;
    drawLine(*painter, QRectF(left, frame.center().y() - line - 1, right - left, line),
             Qt::AlignLeft, index.data(Qt::DisplayRole).toString(),
             m_style.font(FigureStyle::Text::Label, true), m_style.text);
    drawLine(*painter, QRectF(right - valueWidth, frame.center().y() + 1, valueWidth, line),
             Qt::AlignRight, value, label, m_style.mutedText);
    const double width = (right - valueWidth - left) * index.data(HeadList::Share).toDouble();
    if (width > 0) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(index.data(HeadList::Colour).value<QColor>());
        painter->drawRoundedRect(
            QRectF(left, frame.center().y() + 1 + line / 2 - 4, std::max(width, 2.0), 8), 3, 3);
    }
    painter->restore();
}

} // namespace headlight::ui
