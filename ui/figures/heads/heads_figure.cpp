#include "ui/figures/heads/heads_figure.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/heatmap/beside_column.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/attention_names.h"
#include "ui/text/measure_text.h"
#include "ui/text/number_text.h"
#include "ui/text/symbol_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::ui {

namespace {

constexpr qsizetype kMaxTitleLines = 3; // in a narrow figure

} // namespace

HeadsFigure::HeadsFigure(std::vector<HeatmapContent> heads, HeatmapFigure enlarged,
                         core::Index selected, QString title, FigureStyle style)
    : m_heads(std::move(heads)),
      m_enlarged(std::move(enlarged)),
      m_selected(selected),
      m_title(std::move(title)),
      m_style(std::move(style)) {
    m_samples.resize(m_heads.size());
}

HeadsFigure HeadsFigure::fromTrace(const core::TracePointer &now, const core::Selection &selection,
                                   const FigureStyle &style, const FigureOptions &options,
                                   HeatmapCache *kept, const GivenCombination &combined,
                                   const std::optional<GivenHeadChanges> &changes) {
    core::Selection place = selection;
    if (!core::infoOf(place.stage).perHead)
        place.stage = core::Stage::AttentionWeights;
    // Side A may have another number of heads, in another order.
    const Compared &compared = options.compared;
    const bool ofA =
        compared.shown == ComparisonSide::A &&
        unavailableReason(*now, place, compared, ComparisonSide::A, Sought::EveryHead).isEmpty();
    const core::TracePointer &trace = ofA ? compared.a : now;
    if (ofA)
        place = inA(compared, place);
    FigureOptions partOptions = options;
    partOptions.title.clear();
    if (ofA)
        partOptions.compared.partners.reset(); // `place` already selects in A
    partOptions.combination = {};
    partOptions.headLines = {};
    // Heads that share keys and values show those of their group.
    const core::Index count =
        trace->has(place.stage, place.attention()) ? trace->model().headsOf(place.attention()) : 0;
    const bool isCombined =
        combines(options, place) && (compared.shown != ComparisonSide::A || ofA);
    const UnavailableReason unavailable = combinationUnavailableReason(compared.shown);
    const auto combination = isCombined && unavailable.isEmpty() ? combined.made : nullptr;
    FigureOptions combinedOptions = options;
    combinedOptions.title.clear();
    combinedOptions.compared = partOptions.compared;
    HeatmapContent large =
        combination  ? combinedContentOf(trace, place, *combination, style, combinedOptions, kept)
        : isCombined ? HeatmapContent()
                     : contentOf(trace, place, style, partOptions, kept);
    if (isCombined && !combination) {
        large.title = titleOf(options.combination.request(options.headLines.heads, count), count);
        large.absence = unavailable.isEmpty() ? combined.absence : unavailable.sentences();
    }
    if (!isCombined)
        addSinkColumn(large, trace, place, partOptions);
    HeatmapFigure enlarged(std::move(large), style);
    // If all heads share a colour range, compute the differences of all heads only once.
    const ColourScale scale = enlarged.content().scale;
    const bool shares = !isCombined && options.compared.shown == ComparisonSide::Difference &&
                        scale.range() == Range::AllHeads;
    FigureOptions tileOptions = partOptions;
    if (shares)
        tileOptions.range = Range::PerHead;
    std::vector<HeatmapContent> heads;
    for (core::Index head = 0; head < count; ++head) {
        core::Selection one = place;
        one.head = head;
        heads.push_back(contentOf(trace, one, style, tileOptions, kept));
        addSinkColumn(heads.back(), trace, one, tileOptions);
        if (shares)
            heads.back().scale = scale;
    }
    QString title = options.title;
    if (title.isEmpty()) {
        const QString where = attentionName(trace->model(), place.attention());
        title = tr("%1 of every head, %2")
                    .arg(titleOf(place.stage),
                         where.isEmpty() ? tr("layer %1").arg(place.layer) : where);
        // A comparison omits the symbol, because the attention weights have the symbol A.
        if (options.compared.shown == ComparisonSide::Now)
            title.prepend(symbolText(*trace, {place.stage, place.attention()}) +
                          QStringLiteral("  "));
    }
    core::Selection weights = place;
    weights.stage = core::Stage::AttentionWeights;
    const bool hasChanges =
        compared.shown == ComparisonSide::Difference &&
        unavailableReason(*now, weights, compared, ComparisonSide::Difference, Sought::EveryHead)
            .isEmpty();
    const bool isPending = hasChanges && changes && !*changes; // until then sorted by index
    if (options.order != core::HeadOrder::ByIndex && !isPending)
        title = QStringList{title,
                            (hasChanges ? tr("sorted by the change of the %1") : tr("sorted by %1"))
                                .arg(titleOf(options.order))}
                    .join(QStringLiteral(" · "));
    if (const QString side = captionOf(options.compared); !side.isEmpty())
        title += QStringLiteral(" · ") + side;
    HeadsFigure figure(std::move(heads), std::move(enlarged), place.head, std::move(title), style);
    if (isCombined) {
        figure.m_combination = options.combination.combination;
        figure.m_combined = combination;
        if (!combination)
            figure.m_combinedUnavailableReason = figure.m_enlarged.content().absence;
        figure.m_included = options.combination.request(options.headLines.heads, count).heads;
        if (static_cast<core::Index>(figure.m_included.size()) == count)
            figure.m_included.clear(); // do not mark any head if all are combined
    }
    HeatmapCache own;
    HeatmapCache &cache = kept ? *kept : own;
    if (options.order == core::HeadOrder::ByIndex || isPending)
        figure.orderBy(core::HeadOrder::ByIndex, {});
    else if (hasChanges)
        figure.orderByChange(options.order,
                             changes ? **changes : cache.comparedHeads(trace, place, compared));
    else
        figure.orderBy(options.order, cache.measures(trace, place));
    if (compared.shown != ComparisonSide::Now && !ofA && !hasChanges)
        figure.m_measures.clear(); // the measures are those of the current attention weights
    const core::Interventions &interventions = trace->input().interventions;
    for (core::Index head = 0; head < count; ++head)
        figure.m_states.append(stateText(interventions.stateOf(place.attention(), head)));
    figure.m_canSample = options.compared.shown == ComparisonSide::Now && !options.summary &&
                         trace->isByHead(place.stage, place.attention());
    figure.m_map = style.mapOf(colourRoleOf(*trace, place.stage));
    figure.m_range = options.range;
    figure.m_scaling = options.scaling;
    figure.m_isCloseUp = options.closeUp;
    return figure;
}

void HeadsFigure::setPyramid(std::shared_ptr<const core::MatrixPyramid> pyramid,
                             const QString &awaited) {
    if (m_combination == core::Combination::None && m_selected < headCount()) {
        HeatmapContent &tile = m_heads[static_cast<std::size_t>(m_selected)];
        tile.pyramid = pyramid;
        tile.awaited = awaited;
    }
    m_enlarged.setPyramid(std::move(pyramid), awaited);
}

void HeadsFigure::setSample(core::Index head, const core::HeadSample &sample,
                            std::shared_ptr<const core::Mask> hidden,
                            std::shared_ptr<PaintingCache> kept) {
    HeatmapContent content = this->head(head);
    content.absence.clear();
    content.beside.clear(); // the sample lacks some rows
    content.tensor = core::Tensor(sample.numbers);
    content.sequence = content.head = 0;
    content.scale = ColourScale::of(content.tensor, 0, 0, m_map, m_range, hidden.get());
    content.scale.toneDown(m_style.isDark);
    content.scale.setScaling(m_scaling);
    content.mask = std::move(hidden);
    content.numbers = false;
    content.keptPainting = std::move(kept);
    m_samples[static_cast<std::size_t>(head)] = std::move(content);
}

core::Outcome HeadsFigure::sampleMissing(const core::Trace &trace, const core::Selection &shown,
                                         const std::stop_token &stop) {
    std::optional<core::HeadSampler> sampler;
    for (core::Index head = 0; head < headCount(); ++head) {
        if (!lacks(head))
            continue;
        if (!sampler)
            sampler.emplace(trace, core::StageId{shown.stage, shown.attention()}, shown.sequence);
        const core::Result<core::HeadSample> sample = sampler->of(head, stop);
        if (!sample)
            return sample.error();
        setSample(head, *sample, sampler->hidden());
    }
    return core::Done{};
}

/// Without measures, such as for a capture without attention weights, sorts by index.
void HeadsFigure::orderBy(core::HeadOrder order, const std::vector<core::HeadMeasures> &measures) {
    m_order = core::headsInOrder(measures, order);
    if (m_order.size() != m_heads.size()) {
        m_order.resize(m_heads.size());
        std::iota(m_order.begin(), m_order.end(), core::Index(0));
        return;
    }
    for (const core::HeadMeasures &one : measures) {
        const std::optional<double> measure = core::measureOf(one, order);
        m_measures.append(measure ? numberText(*measure, 2) : QStringLiteral("—"));
    }
}

void HeadsFigure::orderByChange(core::HeadOrder order,
                                const std::vector<core::ComparedHead> &heads) {
    std::vector<std::optional<double>> changes(m_heads.size());
    for (std::size_t head = 0; head < std::min(heads.size(), changes.size()); ++head) {
        const auto now = core::measureOf(heads[head].now, order),
                   a = core::measureOf(heads[head].a, order);
        if (now && a)
            changes[head] = *now - *a;
    }
    m_order.resize(m_heads.size());
    std::iota(m_order.begin(), m_order.end(), core::Index(0));
    std::ranges::stable_sort(m_order, std::ranges::greater(), [&changes](core::Index head) {
        const auto &change = changes[static_cast<std::size_t>(head)];
        return change ? std::abs(*change) : -1; // heads without the measure come last
    });
    for (const std::optional<double> &change : changes) {
        const QString text = change ? numberText(*change, 2) : QStringLiteral("—");
        m_measures.append(change && *change > 0 ? QStringLiteral("+") + text : text);
    }
}

QString titleOf(core::HeadOrder order) {
    const auto titleFor = [](std::optional<double> core::HeadMeasures::*measure) {
        return titleOf(
            *std::ranges::find(core::kEveryMeasure, measure, &core::NamedMeasure::measure));
    };
    switch (order) {
    case core::HeadOrder::ByIndex:
        return HeadsFigure::tr("index");
    case core::HeadOrder::Entropy:
        return titleFor(&core::HeadMeasures::entropy);
    case core::HeadOrder::Distance:
        return titleFor(&core::HeadMeasures::distance);
    case core::HeadOrder::PreviousToken:
        return titleFor(&core::HeadMeasures::previousToken);
    case core::HeadOrder::Diagonal:
        return titleFor(&core::HeadMeasures::diagonal);
    case core::HeadOrder::FirstToken:
        return titleFor(&core::HeadMeasures::firstToken);
    case core::HeadOrder::Induction:
        return titleFor(&core::HeadMeasures::induction);
    }
    return {};
}

QSizeF HeadsFigure::naturalSize() const {
    const QSizeF one = m_enlarged.naturalSize();
    if (m_heads.size() <= 1)
        return QSizeF(std::max(480.0, one.width() + 32), std::max(360.0, one.height() + 56))
            .expandedTo(comfortableSize());
    return QSizeF(std::max(960.0, one.width() * 2), std::max(480.0, one.height() + 56))
        .expandedTo(comfortableSize());
}

QSizeF HeadsFigure::comfortableSize() const {
    // More heads need more space, up to the number at which their cells are only single pixels.
    const auto heads = static_cast<double>(std::min<std::size_t>(m_heads.size(), 64));
    return {m_style.scaled(320 + 4 * heads), m_style.scaled(240 + 2 * heads)};
}

QStringList HeadsFigure::titleLines(double width) const {
    const QFont font = m_style.font(FigureStyle::Text::Title, true);
    if (m_air == 1)
        return {m_title};
    QStringList lines = wrapped(m_title, font, width);
    if (lines.size() > kMaxTitleLines) // the last line ends in an ellipsis
        lines = lines.first(kMaxTitleLines - 1)
                << lines.mid(kMaxTitleLines - 1).join(QLatin1Char(' '));
    return lines;
}

QStringList HeadsFigure::tileNames(double width) const {
    const QFont font = m_style.font(FigureStyle::Text::Label, true);
    const QString number = QStringLiteral("%1");
    const QString words = tr("head %1");
    // The name of a head shows an intervention on it, as words or, if space is short, as a star.
    enum class StateLabel { Words, Star };
    const auto named = [&](const QString &head, StateLabel label, bool measured) {
        QStringList names;
        for (const core::Index tile : m_order) {
            QString name = head.arg(tile);
            if (const QString &state = m_states[tile]; !state.isEmpty())
                name += label == StateLabel::Words ? QStringLiteral(" · ") + state
                                                   : QStringLiteral("*");
            if (measured)
                name += QStringLiteral("  ") + m_measures[tile];
            names.append(name);
        }
        return names;
    };
    const auto fits = [&](const QStringList &names) {
        return std::all_of(names.begin(), names.end(),
                           [&](const QString &name) { return textWidth(name, font) <= width; });
    };
    for (const bool measured : {true, false})
        for (const StateLabel label : {StateLabel::Words, StateLabel::Star})
            for (const QString &head : {words, number}) {
                if (measured && m_measures.isEmpty())
                    continue;
                if (const QStringList names = named(head, label, measured); fits(names))
                    return names;
            }
    return named(number, StateLabel::Star, false);
}

bool HeadsFigure::isCrowded(const QRectF &area) const {
    const QSizeF cell = geometry(area).enlarged.cell;
    return !cell.isEmpty() && std::min(cell.width(), cell.height()) < kMinWholeCell;
}

HeadsRequest HeadsFigure::request(const QRectF &area, const FigureStyle &style,
                                  const HeatmapFigure &enlarged) const {
    core::SharedMatrix matrix; // a head's, because a combination may have words instead of tokens
    if (m_combination == core::Combination::None)
        matrix = enlarged.content().matrix();
    for (const HeatmapContent &head : m_heads) // side A may lack the selected head
        matrix = matrix.empty() ? head.matrix() : matrix;
    HeadsRequest request;
    request.area = area;
    request.heads = std::max<core::Index>(1, headCount());
    request.rows = std::max<core::Index>(1, matrix.rows);
    request.columns = std::max<core::Index>(1, matrix.columns);
    request.lineHeight = lineHeight(style.font(FigureStyle::Text::Label)) + 2;
    const double margins = 2 * kFigureMargin * m_air;
    request.titleHeight = lineHeight(style.font(FigureStyle::Text::Title, true)) *
                          static_cast<double>(titleLines(area.width() - margins).size());
    request.isNarrow = m_air < 1 && area.height() > area.width();
    request.air = m_air;
    request.enlarged = enlarged.request(QRectF());
    request.hasBeside =
        std::ranges::any_of(m_heads, [](const auto &head) { return !head.beside.empty(); });
    return request;
}

QSizeF HeadsFigure::readableSize(const QSizeF &sight) const {
    constexpr core::Index kMaxReadableSide = 30; // rows or columns; tiles with more may be small
    constexpr double kWellSeenTile = 60;         // px, side of a tile that is easy to see
    const FigureStyle usualStyle = m_style.withUsualText();
    const HeadsRequest usual = request(QRectF(QPointF(), sight), usualStyle,
                                       HeatmapFigure(m_enlarged.content(), usualStyle));
    HeatmapRequest enlarged = m_enlarged.request(QRectF());
    if (m_isCloseUp)
        enlarged.wordsWidths[kSubtitleWords] = 0;
    const HeadsGeometry before = HeadsGeometry::of(usual);
    const ColourScale &colours = m_enlarged.content().scale;
    const bool hadBar =
        before.colourBar.width() >= colourBarWidth(colours, usualStyle) - 3; // painting rounds it
    const double bar = hadBar ? colourBarWidth(colours, m_style) : 0;
    const bool isLarge = std::max(usual.rows, usual.columns) > kMaxReadableSide;
    const auto isSeen = [&](const HeadsGeometry &now) {
        return isLarge || now.matrices.empty() ||
               std::min(now.matrices.front().width(), now.matrices.front().height()) >=
                   kWellSeenTile;
    };
    const QSizeF start = sight.expandedTo(comfortableSize());
    return grownUntil(
               start, 3 * m_style.textScale,
               [&](const QSizeF &size) {
                   const HeadsGeometry now =
                       HeadsGeometry::of(request(QRectF(QPointF(), size), m_style, m_enlarged));
                   return isSeen(now) && (now.tiles.empty() || now.colourBar.width() >= bar) &&
                          showsNumbersOf(before.cell, now.cell) &&
                          showsAllOf(before.enlarged, usual.enlarged, now.enlarged, enlarged);
               })
        .value_or(start);
}

HeadsGeometry HeadsFigure::geometry(const QRectF &area, const HeadsViewport &sight) const {
    if (isNarrow(area.size()))
        return narrowed(area.size()).geometry(area, sight);
    HeadsRequest request = this->request(area, m_style, m_enlarged);
    const HeadsGeometry whole = HeadsGeometry::of(request);
    const QSizeF cell = whole.enlarged.cell;
    if (sight.zoom <= 1 || !(std::min(cell.width(), cell.height()) < kMinWholeCell))
        return whole;
    request.enlarged.window = true;
    request.enlarged.windowCell = std::min(cell.width(), cell.height()) * sight.zoom;
    request.enlarged.origin = sight.origin;
    return HeadsGeometry::of(request);
}

void HeadsFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    paintIn(painter, area, device, {});
}

void HeadsFigure::paintIn(QPainter &painter, const QRectF &area, Device device,
                          const HeadsViewport &sight) const {
    if (isNarrow(area.size()))
        return narrowed(area.size()).paintIn(painter, area, device, sight);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const HeadsGeometry geometry = this->geometry(area, sight);
    const QFont heading = m_style.font(FigureStyle::Text::Title, true);
    QRectF line(geometry.title.topLeft(), QSizeF(geometry.title.width(), lineHeight(heading)));
    for (const QString &words : titleLines(line.width())) {
        drawHeading(painter, line, words, heading, m_style.text);
        line.translate(0, line.height());
    }
    const Device cells = cellCount() > kMaxVectorCells ? Device::Raster : device;
    const bool isInset = m_heads.size() <= 1; // the tile is drawn over the enlarged matrix
    if (!isInset)
        paintTiles(painter, geometry, cells, sight.detail);
    if (!geometry.tiles.empty())
        paintColourBar(painter, geometry.colourBar, scaleOfTiles(), m_style);

    paintCard(painter, geometry.card.adjusted(0.75, 0.75, -0.75, -0.75), QPen(m_style.accent, 1.5),
              8, m_style);
    painter.setBrush(Qt::NoBrush);
    m_enlarged.paintContent(painter, geometry.enlarged, cells, sight.detail);
    if (isInset)
        paintTiles(painter, geometry, cells, sight.detail);
    painter.restore();
}

const ColourScale &HeadsFigure::scaleOfTiles() const {
    if (m_combination == core::Combination::None || m_order.empty())
        return m_enlarged.content().scale;
    return shownInTile(m_selected < headCount() ? m_selected : m_order.front()).scale;
}

HeatmapGeometry HeadsFigure::smallCells(const HeadsGeometry &geometry, std::size_t tile) const {
    HeatmapGeometry small = geometry.tileCells(static_cast<core::Index>(tile));
    const core::SharedMatrix matrix = shownInTile(m_order[tile]).matrix();
    if (!matrix.empty()) {
        small.rows = matrix.rows;
        small.columns = matrix.columns;
        small.cell = {small.cells.width() / static_cast<double>(matrix.columns),
                      small.cells.height() / static_cast<double>(matrix.rows)};
    }
    return small;
}

bool HeadsFigure::numbersFitInTiles(const HeadsGeometry &geometry) const {
    for (std::size_t tile = 0; tile < geometry.tiles.size(); ++tile)
        if (!numbersFit(smallCells(geometry, tile).cell, shownInTile(m_order[tile]), m_style))
            return false;
    return true;
}

void HeadsFigure::paintTiles(QPainter &painter, const HeadsGeometry &geometry, Device cells,
                             CellDetail detail) const {
    const QStringList names =
        geometry.titles.empty() ? QStringList() : tileNames(geometry.titles.front().width());
    const bool haveNumbers = numbersFitInTiles(geometry);
    for (std::size_t tile = 0; tile < geometry.tiles.size(); ++tile) {
        const core::Index head = m_order[tile];
        const HeatmapContent &content = shownInTile(head);
        const bool selected = head == m_selected && !m_style.isPaper;
        if (isIncluded(head) && !m_style.isPaper)
            paintOutline(painter, geometry.tiles[tile].adjusted(3, 1, -3, -1),
                         faint(m_style.accent, m_style.background, 0.5), 1);
        if (selected) {
            paintCard(painter, geometry.tiles[tile].adjusted(1, 1, -1, -1),
                      QPen(m_style.accent, 1.5), 6, m_style);
            painter.setBrush(Qt::NoBrush);
        }
        drawLine(painter, geometry.titles[tile], Qt::AlignLeft, names[static_cast<qsizetype>(tile)],
                 m_style.font(FigureStyle::Text::Label, selected),
                 selected ? m_style.text : m_style.mutedText);
        const HeatmapGeometry small = smallCells(geometry, tile);
        const QColor behind = selected ? m_style.surface : m_style.background;
        if (content.awaited.isEmpty())
            paintCells(painter, small, content, m_style, behind, cells, 1, detail);
        if (haveNumbers)
            paintNumbers(painter, small, content, m_style, behind);
        else
            paintHatch(painter, small, content, m_style, behind, std::nullopt);
        paintBeside(painter, small, content, m_style, behind, cells);
        paintRowMarks(painter, small, content, m_style);
        if (content.matrix().empty())
            paintAbsence(painter, small.cells, QStringLiteral("–"), m_style);
        paintSelection(painter, small, content, m_style, 1);
        paintSetByHand(painter, small, content, m_style);
        if (head == m_selected && geometry.enlarged.isWindow) {
            const QRectF frame = placeOfWindow(geometry, static_cast<core::Index>(tile));
            // Surround the frame with the surface colour, so that it is visible on dark cells.
            paintOutline(painter, frame.adjusted(-1, -1, 1, 1), m_style.surface, 4);
            paintOutline(painter, frame, m_style.accent, 2);
        }
    }
}

QRectF HeadsFigure::placeOfWindow(const HeadsGeometry &geometry, core::Index tile) const {
    const HeatmapGeometry &large = geometry.enlarged;
    Cell first = large.origin, end{large.endRow(), large.endColumn()};
    const auto tokens = [](const std::vector<core::TokenRange> &ranges, core::Index &from,
                           core::Index &to) {
        from = ranges[static_cast<std::size_t>(from)].begin;
        to = ranges[static_cast<std::size_t>(to - 1)].end;
    };
    if (m_combined) {
        tokens(m_combined->queries, first.row, end.row);
        tokens(m_combined->keys, first.column, end.column);
    }
    return geometry.windowInTile(tile, first, end);
}

qint64 HeadsFigure::cellCount() const {
    qint64 count = m_enlarged.cellCount();
    for (core::Index head = 0; head < headCount(); ++head) {
        const core::SharedMatrix matrix = shownInTile(head).matrix();
        count += matrix.rows * matrix.columns;
    }
    return count;
}

QString HeadsFigure::description() const {
    return tr("%1: %n heatmaps. Enlarged: %2", nullptr, static_cast<int>(m_heads.size()))
        .arg(plainSymbols(m_title), m_enlarged.description());
}

} // namespace headlight::ui
