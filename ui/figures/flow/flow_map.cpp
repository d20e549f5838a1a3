#include "ui/figures/flow/flow_map.h"

#include "ui/figures/base/spacing.h"
#include "ui/figures/parts/part_titles.h"
#include "ui/figures/text/text.h"
#include "ui/text/stage_titles.h"

#include <algorithm>

namespace headlight::ui {

namespace {

using Kind = ModelPart::Kind;
using Time = FlowMapBox::Time;

/// Returns the most representative stage of a part, which a click on its box selects.
core::StageId tellingStage(const ModelParts &parts, const ModelPart &part) {
    const std::vector<core::StageId> stages = parts.stagesOf(part);
    if (stages.empty())
        return {core::Stage::AttentionWeights, part.attention};
    const core::Stage wanted =
        part.kind == Kind::FeedForward ? core::Stage::Activated : core::Stage::AttentionWeights;
    const bool inside = part.kind == Kind::Attention || part.kind == Kind::FeedForward;
    for (const core::StageId &at : stages)
        if (inside && at.stage == wanted)
            return at;
    return stages.back();
}

} // namespace

bool FlowMap::Group::isCurrent() const {
    return std::ranges::any_of(parts, [](const Part &part) { return part.time == Time::Current; });
}

FlowMap::FlowMap(const core::Trace &trace, const ModelParts &parts, const ModelPart &current,
                 const core::Selection &selection)
    : m_isShown(parts.parts().size() > 1) {
    Time time = Time::Passed;
    for (const ModelPart &part : parts.parts()) {
        if (m_rows.empty() || m_rows.back().stack != part.attention.stack)
            m_rows.push_back({part.attention.stack, titleOf(part.attention.stack), {}});
        std::vector<Group> &groups = m_rows.back().groups;
        const bool inLayer = part.kind == Kind::Attention || part.kind == Kind::FeedForward;
        const auto layer = inLayer ? std::optional(part.attention.layer) : std::nullopt;
        if (groups.empty() || !layer || groups.back().layer != layer) {
            core::Selection there = selection;
            there.layer = part.attention.layer;
            there.stack = part.attention.stack;
            groups.push_back({layer, {}, parts.shown(there)});
        }
        if (part == current)
            time = Time::Current;
        else if (time == Time::Current)
            time = Time::Later;
        groups.back().parts.push_back({part, titleOf(trace, part),
                                       time == Time::Current
                                           ? core::StageId{selection.stage, selection.attention()}
                                           : tellingStage(parts, part),
                                       time});
    }
}

QString FlowMap::nameOf(const Row &row, const Group &group, const QString &part) {
    QStringList names{row.title};
    if (group.layer)
        names.append(tr("layer %1").arg(*group.layer));
    names.append(part);
    names.removeAll(QString());
    return names.join(QStringLiteral(" · "));
}

QString FlowMap::description() const {
    if (m_isShown)
        for (const Row &row : m_rows)
            for (const Group &group : row.groups)
                for (const Part &part : group.parts)
                    if (part.time == Time::Current)
                        return nameOf(row, group, part.title);
    return {};
}

namespace {

constexpr double kTop = 10;
constexpr double kBoxPadding = 8; // inside a box, beside its text
constexpr double kFrame = 4;      // around the boxes of a layer
constexpr double kArrow = 14;     // between boxes
constexpr double kBoxRowGap = 14; // fits the path from the encoder to the decoder
constexpr double kHead = 5;

double boxHeight(const FigureStyle &style) {
    return lineHeight(style.font(FigureStyle::Text::Label)) + 6;
}
double rowHeight(const FigureStyle &style) {
    return boxHeight(style) + 2 * kFrame;
}

/// The level of detail of a row.
enum class Detail {
    Everything, ///< the parts of every layer
    OneLayer,   ///< the parts of the current layer, one box for each other layer
    Numbers,    ///< as OneLayer, with minimal boxes for the others
    Near,       ///< as Numbers, but only the nearest layers
};

/// A row with its boxes from left to right.
class RowLayout {
  public:
    RowLayout(const FlowMap::Row &row, const FigureStyle &style, QPointF start, double right)
        : m_row(row), m_style(style), m_start(start), m_right(right) {}

    void place(FlowMapGeometry &geometry) {
        for (const Detail detail :
             {Detail::Everything, Detail::OneLayer, Detail::Numbers, Detail::Near}) {
            FlowMapGeometry tried;
            const double end = placeAs(detail, tried, 0, m_row.groups.size());
            if (end <= m_right)
                return take(tried, geometry);
        }
        placeNear(geometry);
    }

  private:
    double textWidthOf(const QString &text) const {
        return std::ceil(textWidth(text, m_style.font(FigureStyle::Text::Label, true)));
    }
    static QString numberOf(const FlowMap::Group &group) {
        return QString::number(group.layer.value_or(0));
    }
    static void take(const FlowMapGeometry &from, FlowMapGeometry &to) {
        const auto append = [](auto &list, const auto &more) {
            list.insert(list.end(), more.begin(), more.end());
        };
        append(to.boxes, from.boxes);
        append(to.labels, from.labels);
        append(to.frames, from.frames);
        append(to.arrows, from.arrows);
    }
    double middle() const { return m_start.y() + rowHeight(m_style) / 2; }

    static bool reads(const FlowMap::Part &part) {
        return part.part.attention.block == core::Block::CrossAttention;
    }

    void arrow(FlowMapGeometry &geometry, double from, double to) const {
        QPainterPath path(QPointF(from + 2, middle()));
        path.lineTo(to - 2, middle());
        geometry.arrows.push_back({path, {to - 2, middle()}, 0});
    }
    double box(FlowMapGeometry &geometry, double x, const QString &text, const QString &name,
               core::StageId goesTo, Time time, bool readsMemory = false) const {
        const QRectF rect(x, m_start.y() + kFrame, textWidthOf(text) + 2 * kBoxPadding,
                          boxHeight(m_style));
        geometry.boxes.push_back({rect, text, name, goesTo, time, readsMemory});
        return rect.right();
    }
    /// Returns the right end of the group's last box.
    double group(FlowMapGeometry &geometry, double x, const FlowMap::Group &group,
                 Detail detail) const {
        const bool whole = !group.layer || detail == Detail::Everything || group.isCurrent();
        if (!whole) {
            const QString layer = FlowMap::tr("layer %1").arg(*group.layer);
            const bool isPassed = group.parts.back().time == Time::Passed;
            return box(geometry, x, detail == Detail::OneLayer ? layer : numberOf(group),
                       FlowMap::nameOf(m_row, group, {}), group.goesTo,
                       isPassed ? Time::Passed : Time::Later,
                       std::ranges::any_of(group.parts, reads));
        }
        const double left = x;
        const bool framed = group.layer && m_row.groups.size() > 1;
        if (framed) {
            const QString layer = FlowMap::tr("layer %1").arg(*group.layer);
            x += kBoxPadding;
            geometry.labels.push_back(
                {QRectF(x, m_start.y() + kFrame, textWidthOf(layer), boxHeight(m_style)), layer});
            x += textWidthOf(layer) + kBoxPadding;
        }
        for (std::size_t i = 0; i < group.parts.size(); ++i) {
            const FlowMap::Part &part = group.parts[i];
            if (i > 0) {
                arrow(geometry, x, x + kArrow);
                x += kArrow;
            }
            x = box(geometry, x, part.title, FlowMap::nameOf(m_row, group, part.title), part.goesTo,
                    part.time, reads(part));
        }
        if (!framed)
            return x;
        x += kFrame;
        geometry.frames.push_back(
            QRectF(QPointF(left, m_start.y()), QPointF(x, m_start.y() + rowHeight(m_style))));
        return x;
    }
    /// Places groups first … last − 1, and a box "…" for the others on either side.
    double placeAs(Detail detail, FlowMapGeometry &geometry, std::size_t first,
                   std::size_t last) const {
        double x = m_start.x();
        const auto hidden = [&](std::size_t index, Time time) {
            x = box(geometry, x, QStringLiteral("…"),
                    FlowMap::nameOf(m_row, m_row.groups[index], {}), m_row.groups[index].goesTo,
                    time);
        };
        const auto join = [&] {
            arrow(geometry, x, x + kArrow);
            x += kArrow;
        };
        if (first > 0) {
            hidden(first - 1, Time::Passed);
            join();
        }
        for (std::size_t i = first; i < last; ++i) {
            if (i > first)
                join();
            x = group(geometry, x, m_row.groups[i], detail);
        }
        if (last < m_row.groups.size()) {
            join();
            hidden(last, Time::Later);
        }
        return x;
    }
    /// Places as many neighbours of the current group as fit.
    void placeNear(FlowMapGeometry &geometry) const {
        std::size_t centre = 0;
        for (std::size_t i = 0; i < m_row.groups.size(); ++i)
            if (m_row.groups[i].isCurrent())
                centre = i;
        std::size_t first = centre, last = centre + 1;
        const auto fits = [&](std::size_t from, std::size_t to) {
            FlowMapGeometry tried;
            return placeAs(Detail::Near, tried, from, to) <= m_right;
        };
        for (bool grew = true; grew;) {
            grew = false;
            if (last < m_row.groups.size() && fits(first, last + 1)) {
                ++last;
                grew = true;
            }
            if (first > 0 && fits(first - 1, last)) {
                --first;
                grew = true;
            }
        }
        FlowMapGeometry placed;
        placeAs(Detail::Near, placed, first, last);
        take(placed, geometry);
    }

    const FlowMap::Row &m_row;
    const FigureStyle &m_style;
    QPointF m_start;
    double m_right;
};

/// Adds the path from the encoder's last box, between the rows, to each layer that reads it.
void addMemoryWay(FlowMapGeometry &geometry, const FlowMapBox &last, double y) {
    std::vector<QRectF> readers;
    for (const FlowMapBox &box : geometry.boxes)
        if (box.readsMemory)
            readers.push_back(box.rect);
    if (readers.empty())
        return;
    const double start = last.rect.center().x();
    double left = start, right = start;
    for (const QRectF &reader : readers) {
        left = std::min(left, reader.center().x());
        right = std::max(right, reader.center().x());
    }
    QPainterPath rail(QPointF(start, last.rect.bottom() + 1));
    rail.lineTo(start, y);
    rail.moveTo(left, y);
    rail.lineTo(right, y);
    geometry.arrows.push_back({rail, {}, -1});
    for (const QRectF &reader : readers) {
        QPainterPath path(QPointF(reader.center().x(), y));
        path.lineTo(reader.center().x(), reader.top() - 2);
        geometry.arrows.push_back({path, {reader.center().x(), reader.top() - 2}, 90});
    }
}

} // namespace

const FlowMapBox *FlowMapGeometry::boxAt(QPointF point) const & {
    const auto found = std::ranges::find_if(
        boxes, [point](const FlowMapBox &box) { return box.rect.contains(point); });
    return found == boxes.end() ? nullptr : &*found;
}

double FlowMap::height(const FigureStyle &style) const {
    if (!m_isShown)
        return 0;
    const auto rows = static_cast<double>(m_rows.size());
    return kTop + rows * rowHeight(style) + (rows - 1) * kBoxRowGap;
}

FlowMapGeometry FlowMap::geometry(const QRectF &area, const FigureStyle &style) const {
    FlowMapGeometry geometry;
    if (!m_isShown)
        return geometry;
    geometry.area = QRectF(area.left(), area.top(), area.width(), height(style));
    const QFont bold = style.font(FigureStyle::Text::Label, true);
    double titles = 0;
    for (const Row &row : m_rows)
        titles = std::max(titles, std::ceil(textWidth(row.title, bold)));
    const double left = std::ceil(area.left()) + kFigureMargin;
    const double start = left + (titles > 0 ? titles + 12 : 0);
    double y = std::ceil(area.top()) + kTop;
    std::size_t encoderBoxes = 0;
    for (const Row &row : m_rows) {
        if (!row.title.isEmpty())
            geometry.labels.push_back({QRectF(left, y, titles, rowHeight(style)), row.title});
        RowLayout(row, style, {start, y}, area.right() - kFigureMargin).place(geometry);
        if (row.stack == core::Stack::Encoder)
            encoderBoxes = geometry.boxes.size();
        y += rowHeight(style) + kBoxRowGap;
    }
    if (encoderBoxes > 0 && m_rows.size() > 1)
        addMemoryWay(geometry, geometry.boxes[encoderBoxes - 1],
                     std::ceil(area.top()) + kTop + rowHeight(style) + kBoxRowGap / 2 - 1);
    return geometry;
}

void FlowMap::paint(QPainter &painter, const FlowMapGeometry &geometry,
                    const FigureStyle &style) const {
    if (!m_isShown)
        return;
    const QFont font = style.font(FigureStyle::Text::Label);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style.border, 1));
    for (const QRectF &frame : geometry.frames)
        painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    for (const FlowMapLabel &label : geometry.labels)
        drawLine(painter, label.rect, Qt::AlignLeft | Qt::AlignVCenter, label.text, font,
                 style.mutedText);
    for (const FlowMapArrow &arrow : geometry.arrows) {
        painter.setPen(QPen(style.mutedText, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(arrow.path);
        if (arrow.angle < 0)
            continue;
        painter.save();
        painter.translate(arrow.tip);
        painter.rotate(arrow.angle);
        painter.setPen(Qt::NoPen);
        painter.setBrush(style.mutedText);
        painter.drawPolygon(QPolygonF{{1, 0}, {-kHead, -3}, {-kHead, 3}});
        painter.restore();
    }
    for (const FlowMapBox &box : geometry.boxes) {
        const bool current = box.time == Time::Current;
        painter.setPen(QPen(current ? style.accent : style.border, current ? 1.5 : 1));
        painter.setBrush(box.time == Time::Later ? style.background : style.surface);
        painter.drawRoundedRect(box.rect.adjusted(0.75, 0.75, -0.75, -0.75), 4, 4);
        drawLine(painter, box.rect.adjusted(kBoxPadding - 2, 0, 2 - kBoxPadding, 0),
                 Qt::AlignHCenter, box.text,
                 current ? style.font(FigureStyle::Text::Label, true) : font,
                 current                    ? style.accent
                 : box.time == Time::Passed ? style.text
                                            : style.mutedText);
    }
    painter.setBrush(Qt::NoBrush);
}

} // namespace headlight::ui
