#include "ui/figures/model/model_figure.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/base/visible_part.h"
#include "ui/figures/birth/birth_content.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/figures/text/text.h"
#include "ui/text/attention_names.h"
#include "ui/text/core_message.h"
#include "ui/text/sentences.h"
#include "ui/text/symbol_text.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr double kButtonSide = 22;   // px, side of the button that pins or unpins a head
constexpr double kWidestCell = 2.2;  // width ÷ height of a cell in a large head
constexpr double kOffFade = 0.3;     // colour share of a silenced head
constexpr double kHeadsPadding = 10; // px inside a card
constexpr double kOutlineReach = 6;  // px, maximum reach of an outline beyond its thumbnail

/// Returns one colour scale for all samples of a layer.
ColourScale commonScale(const core::HeadGlances &layer, ColourMap map) {
    const core::SharedMatrix &first = layer.heads.front().sample.numbers;
    std::vector<float> numbers;
    for (const core::HeadGlance &head : layer.heads)
        for (core::Index row = 0; row < first.rows; ++row)
            std::ranges::copy(head.sample.numbers.row(row), std::back_inserter(numbers));
    const core::Tensor all({1, std::ssize(layer.heads), first.rows, first.columns},
                           std::move(numbers));
    return ColourScale::of(all, 0, 0, map, Range::AllHeads, layer.hidden.get());
}

} // namespace

std::optional<ColourScale> commonScaleOf(const core::HeadGlances &layer, const core::Trace &trace,
                                         const FigureStyle &style, Range range) {
    if (range != Range::AllHeads || layer.heads.empty())
        return std::nullopt;
    return commonScale(layer, style.mapOf(colourRoleOf(trace, core::Stage::AttentionWeights)));
}

HeatmapContent sampledContent(const core::HeadGlances &layer, const core::HeadGlance &glance,
                              const core::Trace &trace, const FigureStyle &style, Range range,
                              const std::optional<ColourScale> &common) {
    HeatmapContent content;
    content.tensor = core::Tensor(glance.sample.numbers);
    const ColourMap map = style.mapOf(colourRoleOf(trace, core::Stage::AttentionWeights));
    content.scale =
        common ? *common : ColourScale::of(content.tensor, 0, 0, map, range, layer.hidden.get());
    content.scale.toneDown(style.isDark);
    content.mask = layer.hidden;
    content.numbers = false;
    return content;
}

QString headNameOf(const core::Model &model, const core::HeadId &place) {
    const QString name = headNameOf(place.attention, place.head);
    return placesOf(model).size() > 1
               ? ModelFigure::tr("%1, %2").arg(name, placeText(place.attention))
               : name;
}

core::Selection atHead(core::Selection selection, const core::HeadId &place) {
    selection = atStage(selection, {core::Stage::AttentionWeights, place.attention});
    selection.head = place.head;
    return selection;
}

ModelFigure ModelFigure::of(const core::TracePointer &now, const core::Selection &selection,
                            const FigureStyle &style, const FigureOptions &options,
                            const ModelLook &look, HeatmapCache *kept) {
    ModelFigure figure(style);
    figure.m_room = look.room;
    figure.m_hasControls = look.hasControls;
    const core::Selection place =
        atStage(selection, {core::Stage::AttentionWeights, selection.attention()});
    const bool isDifference = options.compared.shown == ComparisonSide::Difference;
    const UnavailableReason why =
        unavailableReason(*now, place, options.compared, options.compared.shown,
                          isDifference ? Sought::Matrix : Sought::Head);
    figure.m_title = options.title;
    if (figure.m_title.isEmpty())
        figure.m_title = look.effects   ? titleOf(*now, *look.effects)
                         : look.numbers ? titleOf(*look.numbers)
                         : isDifference ? tr("Changes of all heads")
                                        : tr("Attention weights of all heads");
    if (const QString side = captionOf(options.compared); !side.isEmpty())
        figure.m_title += QStringLiteral(" · ") + side;
    if (!why.isEmpty()) {
        figure.m_nothing = why.sentences();
        return figure;
    }
    const ShownRun run = shownRun(now, place, options.compared);
    const core::Trace &trace = *run.trace;
    figure.m_selected = {run.selection.attention(), run.selection.head};
    if (core::attentionsWithWeights(trace).empty()) {
        figure.m_nothing = tr("There are no attention weights: the capture does not contain them.");
        return figure;
    }
    if (look.glances && look.glances->error)
        figure.m_nothing = ended(translated(*look.glances->error));
    if (!figure.m_nothing.isEmpty())
        return figure;
    figure.addTiles(trace, options, look);
    figure.m_effects = look.effects;
    if (!look.effects)
        figure.m_numbers = look.numbers;
    figure.m_hasCells = look.effects || look.numbers || isDifference;
    if (look.effects && look.effects->found)
        figure.addCells(scaleOf(*look.effects, style.signedMap), options);
    else if (figure.m_numbers && !figure.m_numbers->values.empty())
        figure.addCells(scaleOf(*figure.m_numbers, style), options);
    std::vector<core::HeadId> large = look.pinned;
    std::erase_if(large, [&](const core::HeadId &head) {
        return std::ranges::find(figure.m_tiles, head, &Tile::place) == figure.m_tiles.end();
    });
    if (std::ranges::find(large, figure.m_selected) == large.end())
        large.insert(large.begin(), figure.m_selected);
    FigureOptions partOptions = options;
    partOptions.title.clear();
    if (options.compared.shown == ComparisonSide::A)
        partOptions.compared = {}; // `run` is already that of A
    for (const core::HeadId &head : large) {
        const bool isPinned = std::ranges::find(look.pinned, head) != look.pinned.end();
        core::Selection at = atHead(run.selection, head);
        if (head.attention != figure.m_selected.attention &&
            trace.queries(head.attention).length() !=
                trace.queries(figure.m_selected.attention).length())
            at.query = at.key = std::nullopt;
        // A layer other than the selected one may not be computed yet. In that case, its sample is
        // shown.
        const auto isReadyIn = [&head](const core::Trace &side, const core::Selection &there) {
            return side.isReady(core::Stage::AttentionWeights, head.attention, there.sequence,
                                head.head);
        };
        // A may lack the selected layer too.
        const bool isSelected = head == figure.m_selected;
        const bool isReadyInA =
            !isDifference || ((isSelected || options.compared.a->has(at.stage, head.attention)) &&
                              isReadyIn(*options.compared.a, inA(options.compared, at)));
        const bool isReadyInShown =
            (isSelected && options.compared.shown != ComparisonSide::A) || isReadyIn(trace, at);
        const bool isReady = !look.isUnfinished && isReadyInShown && isReadyInA;
        HeatmapContent content;
        if (isReady)
            content = HeatmapFigure::fromTrace(run.trace, at, style, partOptions, kept).content();
        else
            content.absence = look.isUnfinished || isSelected
                                  ? tr("Computing…")
                                  : tr("select the head to see its weights");
        content.beside.clear(); // cards have no space for the column beside the matrix
        const bool lacks = content.matrix().empty();
        content.title = symbolText(trace, {core::Stage::AttentionWeights, {}}) +
                        QStringLiteral("  ") + headNameOf(trace.model(), head);
        content.maximumAspect = kWidestCell;
        const auto tile = std::ranges::find(figure.m_tiles, head, &Tile::place);
        const bool isSample = lacks && !isDifference && tile != figure.m_tiles.end() &&
                              !tile->content.matrix().empty();
        if (isSample) {
            content.absence.clear(); // the sample is shown instead of the reason
            content.tensor = tile->content.tensor;
            content.sequence = content.head = 0;
            content.scale = tile->content.scale;
            content.mask = tile->content.mask;
            content.keptPainting = tile->content.keptPainting;
            content.numbers = false;
            content.rowLabels.clear();
            content.columnLabels.clear();
            content.selectedRow = content.selectedColumn = std::nullopt;
        }
        figure.m_cards.push_back(
            {head, HeatmapFigure(std::move(content), style), isPinned, isSample});
    }
    return figure;
}

void ModelFigure::addTiles(const core::Trace &trace, const FigureOptions &options,
                           const ModelLook &look) {
    const core::Model &model = trace.model();
    const std::vector<core::AttentionId> kinds = placesOf(model);
    std::vector<core::AttentionId> names; // one per group
    for (const core::AttentionId attention : core::attentionsWithWeights(trace)) {
        auto group = std::ranges::find_if(names, [&](core::AttentionId other) {
            return other.stack == attention.stack && other.block == attention.block;
        });
        if (group == names.end()) {
            names.push_back(attention);
            m_groupNames << (kinds.size() > 1 ? placeText(attention) : QString());
            m_groups.push_back({0, 1, kinds.size() > 1});
            group = names.end() - 1;
        }
        const auto index = static_cast<std::size_t>(group - names.begin());
        const core::Index heads = model.headsOf(attention);
        m_groups[index].heads = std::max(m_groups[index].heads, static_cast<int>(heads));
        const core::HeadGlances *layer = look.glances ? look.glances->of(attention) : nullptr;
        const std::optional<ColourScale> common =
            layer ? commonScaleOf(*layer, trace, m_style, options.range) : std::nullopt;
        for (core::Index head = 0; head < heads; ++head) {
            Tile tile{{attention, head}, index, m_groups[index].layers};
            if (layer) {
                tile.content = sampledContent(*layer, layer->heads[static_cast<std::size_t>(head)],
                                              trace, m_style, options.range, common);
                tile.content.scale.setScaling(options.scaling);
            }
            if (look.kept) {
                std::shared_ptr<PaintingCache> &cache = (*look.kept)[tile.place];
                if (!cache)
                    cache = std::make_shared<PaintingCache>();
                tile.content.keptPainting = cache;
            }
            const QString state = stateText(trace.input().interventions.stateOf(attention, head));
            tile.isOff = !state.isEmpty();
            tile.words = QStringList{headNameOf(model, tile.place), state}.join(
                state.isEmpty() ? QString() : QStringLiteral(", "));
            m_tiles.push_back(std::move(tile));
        }
        ++m_groups[index].layers;
    }
}

double ModelFigure::labelWidth() const {
    const QFont font = m_style.font(FigureStyle::Text::Label);
    return std::ceil(std::max(textWidth(tr("layer"), font), textWidth(QStringLiteral("00"), font)) +
                     8);
}

ModelGeometry ModelFigure::geometry(const QRectF &area) const {
    ModelRequest request;
    request.area = area;
    request.room = m_room;
    request.groups = m_groups;
    request.cards = static_cast<int>(m_cards.size());
    request.lineHeight = lineHeight(m_style.font(FigureStyle::Text::Label));
    request.titleHeight = lineHeight(m_style.font(FigureStyle::Text::Title, true)) + 2;
    request.labelWidth = labelWidth();
    if (!m_effectCells.empty())
        request.colourBar = {colourBarWidth(m_effectCells.front().scale, m_style),
                             lineHeight(m_style.font(FigureStyle::Text::Label))};
    return ModelGeometry::of(request);
}

HeatmapGeometry ModelFigure::cardGeometry(const ModelGeometry &places, std::size_t card) const {
    const double padding = kHeadsPadding;
    HeatmapRequest request = m_cards[card].figure.request(
        places.cards[card].adjusted(padding, padding, -padding, -padding));
    request.maximumCell =
        std::max(request.maximumCell,
                 0.2 * std::min(places.cards[card].width(), places.cards[card].height()));
    HeatmapGeometry geometry = HeatmapGeometry::of(request);
    geometry.setTextExtent(request.area.left(),
                           request.area.right() -
                               (pinButton(places, card).isEmpty() ? 0 : kButtonSide));
    return geometry;
}

QRectF ModelFigure::pinButton(const ModelGeometry &places, std::size_t card) const {
    if (!m_hasControls)
        return {};
    const double side = m_style.scaled(kButtonSide);
    const QRectF &frame = places.cards[card];
    return {frame.right() - side - 4, frame.top() + 6, side, side};
}

QRectF ModelFigure::picture(const ModelGeometry &places, const Tile &tile) const {
    const QRectF whole =
        places.groups[tile.group].tile(tile.layer, static_cast<int>(tile.place.head));
    if (!m_effectCells.empty())
        return whole;
    const QRectF inside = whole.adjusted(places.gap, places.gap, -places.gap, -places.gap);
    const core::SharedMatrix matrix = tile.content.matrix();
    if (matrix.empty() || matrix.rows == matrix.columns)
        return inside;
    // Keep the matrix's proportions, within limits.
    const double aspect = std::clamp(
        static_cast<double>(matrix.columns) / static_cast<double>(matrix.rows), 0.4, 2.5);
    const QSizeF size = aspect > 1 ? QSizeF(inside.width(), inside.height() / aspect)
                                   : QSizeF(inside.width() * aspect, inside.height());
    QRectF picture(QPointF(), size);
    picture.moveCenter(inside.center());
    return picture;
}

std::size_t ModelFigure::selectedCard() const {
    const auto found = std::ranges::find(m_cards, m_selected, &Card::place);
    return found == m_cards.end() ? 0 : static_cast<std::size_t>(found - m_cards.begin());
}

core::HeadId ModelFigure::neighbour(const core::HeadId &of, int layers, int heads) const {
    const auto from = std::ranges::find(m_tiles, of, &Tile::place);
    if (from == m_tiles.end())
        return m_tiles.empty() ? m_selected : m_tiles.front().place;
    const int row = from->layer + layers;
    const core::Index column = from->place.head + heads;
    const Tile *best = &*from;
    const auto distance = [&](const Tile &tile) {
        return 1000 * std::abs(tile.layer - row) +
               static_cast<int>(std::abs(tile.place.head - column));
    };
    for (const Tile &tile : m_tiles)
        if (tile.group == from->group && distance(tile) < distance(*best))
            best = &tile;
    return best->place;
}

QSizeF ModelFigure::naturalSize() const {
    return {m_room + 1040, 600};
}

QSizeF ModelFigure::minimumSize() const {
    return {m_room + m_style.scaled(240), m_style.scaled(180)};
}

qint64 ModelFigure::cellCount() const {
    qint64 count = 0;
    if (!m_effectCells.empty())
        count = std::ssize(m_tiles);
    else
        for (const Tile &tile : m_tiles)
            count += tile.content.matrix().rows * tile.content.matrix().columns;
    for (const Card &card : m_cards)
        count += card.figure.cellCount();
    return count;
}

QString ModelFigure::description() const {
    if (!m_nothing.isEmpty())
        return labelled(plainSymbols(m_title), m_nothing);
    const auto ready = std::ranges::count_if(
        m_tiles, [](const Tile &tile) { return !tile.content.matrix().empty(); });
    const QString count = m_tiles.size() == 1
                              ? tr("1 head")
                              : tr("%n heads", nullptr, static_cast<int>(m_tiles.size()));
    return sentences({ended(labelled(plainSymbols(m_title), count)), strongestWords(),
                      m_effectCells.empty() && ready < std::ssize(m_tiles)
                          ? tr("Computed so far: %1.").arg(static_cast<int>(ready))
                          : QString(),
                      m_cards.empty()
                          ? QString()
                          : tr("Enlarged: %1").arg(m_cards[selectedCard()].figure.description())});
}

void ModelFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    paintIn(painter, area, device, CellDetail::Full);
}

void ModelFigure::paintIn(QPainter &painter, const QRectF &area, Device device,
                          CellDetail detail) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const ModelGeometry places = geometry(area);
    drawHeading(painter, places.title, m_title, m_style.font(FigureStyle::Text::Title, true),
                m_style.text);
    if (!m_nothing.isEmpty()) {
        paintAbsence(painter, places.area.adjusted(0, places.title.height(), 0, 0), m_nothing,
                     m_style);
    } else {
        const Device cells = cellCount() > kMaxVectorCells ? Device::Raster : device;
        paintGroups(painter, places, cells, detail);
        paintCards(painter, places, cells, detail);
    }
    painter.restore();
}

void ModelFigure::paintGroups(QPainter &painter, const ModelGeometry &places, Device device,
                              CellDetail detail) const {
    const QFont label = m_style.font(FigureStyle::Text::Label);
    for (std::size_t index = 0; index < places.groups.size(); ++index) {
        const ModelGeometry::Group &group = places.groups[index];
        drawLine(painter, group.name, Qt::AlignLeft, m_groupNames[static_cast<qsizetype>(index)],
                 m_style.font(FigureStyle::Text::Label, true), m_style.text);
        drawLine(painter, group.corner, Qt::AlignLeft, tr("layer"), label, m_style.mutedText);
        const auto numbers = [&](const std::vector<QRectF> &at, double room, double needed,
                                 Qt::Alignment alignment) {
            const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(needed / room)));
            for (std::size_t i = 0; i < at.size(); i += step)
                drawLine(painter,
                         alignment == Qt::AlignHCenter
                             ? at[i].adjusted(-needed / 2, 0, needed / 2, 0)
                             : at[i].adjusted(0, -needed / 2, 0, needed / 2),
                         alignment, QString::number(i), label, m_style.mutedText);
        };
        numbers(group.heads, group.side, textWidth(QStringLiteral("00"), label) + 2,
                Qt::AlignHCenter);
        numbers(group.layers, group.side, lineHeight(label), Qt::AlignRight);
    }
    if (!m_effectCells.empty())
        paintEffects(painter, places, device);
    for (const Tile &tile : m_tiles) {
        const QRectF at = picture(places, tile);
        if (!mayBeVisible(
                painter, at.adjusted(-kOutlineReach, -kOutlineReach, kOutlineReach, kOutlineReach)))
            continue; // avoid making images that a zoomed figure does not show
        if (m_effectCells.empty())
            paintTile(painter, places, tile, device, detail);
        if (m_style.isPaper)
            continue;
        const bool isSelected = tile.place == m_selected;
        const bool isPinned = std::ranges::any_of(
            m_cards, [&](const Card &card) { return card.isPinned && card.place == tile.place; });
        if (isSelected || isPinned)
            paintOutline(painter, at.adjusted(-2, -2, 2, 2), m_style.accent, isSelected ? 2.5 : 1.5,
                         isSelected ? Qt::SolidLine : Qt::DashLine);
    }
}

void ModelFigure::paintTile(QPainter &painter, const ModelGeometry &places, const Tile &tile,
                            Device device, CellDetail detail) const {
    const QRectF at = picture(places, tile);
    const core::SharedMatrix matrix = tile.content.matrix();
    if (m_hasCells || matrix.empty()) { // the number is unknown, or the matrix is not computed yet
        painter.setPen(QPen(m_style.border, 1));
        painter.setBrush(m_style.isPaper ? QBrush(Qt::NoBrush) : QBrush(m_style.hidden));
        painter.drawRect(at.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setBrush(Qt::NoBrush);
        return;
    }
    HeatmapGeometry cells;
    cells.rows = matrix.rows;
    cells.columns = matrix.columns;
    cells.cells = at;
    cells.cell = {at.width() / static_cast<double>(matrix.columns),
                  at.height() / static_cast<double>(matrix.rows)};
    paintCells(painter, cells, tile.content, m_style, m_style.background, device,
               tile.isOff ? kOffFade : 1, detail);
}

void ModelFigure::paintCards(QPainter &painter, const ModelGeometry &places, Device device,
                             CellDetail detail) const {
    for (std::size_t card = 0; card < m_cards.size(); ++card) {
        if (!mayBeVisible(painter, places.cards[card]))
            continue;
        const bool isSelected = m_cards[card].place == m_selected;
        paintCard(painter, places.cards[card].adjusted(0.75, 0.75, -0.75, -0.75),
                  QPen(isSelected ? m_style.accent : m_style.border, 1.5), 8, m_style);
        painter.setBrush(Qt::NoBrush);
        m_cards[card].figure.paintContent(painter, cardGeometry(places, card), device, detail);
        const QRectF button = pinButton(places, card);
        if (button.isEmpty())
            continue;
        painter.setPen(QPen(m_style.mutedText, 1.5, Qt::SolidLine, Qt::RoundCap));
        const QRectF sign = button.adjusted(7, 7, -7, -7);
        if (m_cards[card].isPinned) {
            painter.drawLine(sign.topLeft(), sign.bottomRight());
            painter.drawLine(sign.topRight(), sign.bottomLeft());
        } else {
            painter.drawLine(QPointF(sign.left(), sign.center().y()),
                             QPointF(sign.right(), sign.center().y()));
            painter.drawLine(QPointF(sign.center().x(), sign.top()),
                             QPointF(sign.center().x(), sign.bottom()));
        }
    }
}

} // namespace headlight::ui
