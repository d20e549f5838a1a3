#include "ui/figures/geometry/space_plane.h"

#include "core/analysis/attention_contribution.h"
#include "core/analysis/attention_row_properties.h"
#include "core/analysis/row_measures.h"
#include "core/format_number.h"
#include "ui/figures/geometry/plane_projection.h"
#include "ui/figures/geometry/plane_titles.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/step_number.h"
#include "ui/text/token_names.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using core::Index;
using core::PlanePoint;
using core::SequenceHeadId;
using core::Stage;
using core::VectorSpace;

constexpr double kThickest = 6; // px: width of a line for weight 1

double lengthOf(const PlanePoint &point) {
    return std::hypot(point.x, point.y);
}

/// Rounds down, because the text states the share exactly. Keeps one significant digit, or two if
/// the first is 1.
double roundShare(double share) {
    if (share >= 1 || !(share > 0))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(share)));
    const double step = share < 2 * power ? power / 10 : power;
    return std::floor(share / step * (1 + 1e-9)) * step;
}

/// True if the plane of the residual stream shows where attention moves the words. At the
/// embeddings, it shows only the words, unless one is selected.
bool showsShift(const core::Selection &selection, const PlaneOptions &options) {
    return selection.query || options.gravity > 0 ||
           core::infoOf(selection.stage).part != core::Part::Embedding;
}

/// Adds the vectors of a space to its plane.
class Plane {
  public:
    Plane(const core::TracePointer &trace, const core::Selection &selection,
          const FigureStyle &style, const PlaneOptions &options, std::optional<double> share,
          SpacePlane &plane)
        : m_trace(*trace),
          m_selection(selection),
          m_style(style),
          m_options(options),
          m_share(share),
          m_plane(plane),
          m_queries(queryTokens(*trace, selection)),
          m_keys(keyTokens(*trace, selection)),
          m_zero(plane.projection.of(
              std::vector<float>(static_cast<std::size_t>(plane.projection.width()), 0.0f))),
          m_hasOrigin(plane.projection.kind != core::Projection::Kind::Principal) {}

    void residual();
    void queryKey();
    void valueContext();

  private:
    using Numbers = std::span<const float>;

    PlanePoint at(Numbers numbers) const { return m_plane.projection.of(numbers); }
    PlanePoint at(const std::vector<double> &numbers) const {
        return m_plane.projection.of(std::vector<float>(numbers.begin(), numbers.end()));
    }
    PlaneVector &add(const VectorSource &place, PlanePoint point, const QString &name,
                     const QColor &colour) {
        PlaneVector vector;
        vector.at = point;
        vector.from = m_zero;
        vector.mark = markOf(place.stage);
        vector.name = name;
        vector.colour = colour;
        m_plane.content.vectors.push_back(std::move(vector));
        m_plane.places.push_back(place);
        return m_plane.content.vectors.back();
    }
    bool isQuery(Index sequence, Index token) const {
        return sequence == m_selection.sequence && m_selection.query == token;
    }
    bool isHidden(Index query, Index key) const {
        const core::Mask &mask = m_trace.mask(m_selection.sequence, m_selection.attention());
        return mask.hidesAnything() && mask.hidden(query, key);
    }
    PlanePoint fromZero(const PlanePoint &point) const {
        return {point.x - m_zero.x, point.y - m_zero.y};
    }
    double shareOfQueries(const std::vector<core::SpaceVector> &vectors) const;
    QString lengthText(Numbers query) const;
    void pullLines(const core::AttentionShift &gravity, Index sequence, Index query);
    void gravityOf(Index sequence, bool several);

    const core::Trace &m_trace;
    const core::Selection &m_selection;
    const FigureStyle &m_style;
    const PlaneOptions &m_options;
    std::optional<double> m_share; ///< pinned share of the queries' lengths, if any
    SpacePlane &m_plane;
    QStringList m_queries, m_keys;
    PlanePoint m_zero;
    bool m_hasOrigin;
};

PlanePoint between(const PlanePoint &from, const PlanePoint &to, double share) {
    return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
}

/// Adds a line from the query word's current position to each word that it attends to. The line's
/// width shows the weight.
void Plane::pullLines(const core::AttentionShift &gravity, Index sequence, Index query) {
    const core::SharedMatrix weights = m_trace.matrix(
        Stage::AttentionWeights, m_selection.attention(), sequence, m_selection.head);
    // The keys of cross-attention belong to another residual stream and are not in this plane.
    if (weights.empty() || m_selection.block == core::Block::CrossAttention ||
        !core::weightsMakeContext(m_trace, m_selection.attention(), m_selection.head))
        return;
    const auto row = weights.row(query);
    const PlanePoint now = between(at(gravity.from.view().row(query)),
                                   at(gravity.to.view().row(query)), m_options.gravity);
    for (Index key = 0; key < m_trace.keys(m_selection.attention())[sequence].length; ++key) {
        const double weight = std::abs(static_cast<double>(row[static_cast<std::size_t>(key)]));
        if (key == query || weight < 0.005)
            continue;
        m_plane.content.lines.push_back(
            {now, at(gravity.from.view().row(key)),
             faint(m_style.accent, m_style.surface, 0.35 + 0.65 * std::min(1.0, weight)),
             std::clamp(kThickest * weight, 0.8, kThickest), false, false});
    }
}

void Plane::gravityOf(Index sequence, bool several) {
    const auto gravity = core::attentionShiftOf(m_trace, sequence, m_selection.attention());
    const core::Batch &batch = m_trace.queries(m_selection.attention());
    const Index length = batch[sequence].length;
    const QStringList tokens = tokensOf(batch, sequence);
    const QColor colour = sequence == m_selection.sequence ? m_style.text : m_style.mutedText;
    const auto named = [&](Index token) {
        const QString word = tokens.value(token);
        return several ? QStringLiteral("%1 (%2)").arg(word).arg(stepNumber(sequence)) : word;
    };
    if (!gravity) { // show only the start positions
        for (const core::SpaceVector &vector : core::vectorsOf(
                 m_trace, VectorSpace::Residual,
                 {sequence, m_selection.layer, 0, m_selection.block, m_selection.stack}))
            if (vector.stage == Stage::Positioned && vector.token < length)
                add({vector.stage, sequence, vector.token}, at(vector.numbers), named(vector.token),
                    colour)
                    .selected = isQuery(sequence, vector.token);
        return;
    }
    if (sequence == m_selection.sequence && m_selection.query && *m_selection.query < length)
        pullLines(*gravity, sequence, *m_selection.query);
    const Stage end = gravity->toContext ? Stage::Concatenated : Stage::Output;
    const double share = m_options.gravity;
    const bool hasPath = showsShift(m_selection, m_options);
    for (Index token = 0; token < length; ++token) {
        const PlanePoint from = at(gravity->from.view().row(token));
        const PlanePoint to = at(gravity->to.view().row(token));
        // Draw the word at its current position, and the start and end of its path faintly.
        if (share > 0)
            add({Stage::Positioned, sequence, token}, from, {}, colour).faint = true;
        if (hasPath) {
            m_plane.content.lines.push_back(
                {from, to, faint(m_style.context, m_style.surface, 0.7), 1.2, true, share < 1});
            PlaneVector &ending = add({end, sequence, token}, to, {}, m_style.context);
            ending.mark = PlaneMark::Ring;
            ending.faint = share < 1;
        }
        PlaneVector &word = add({share > 0 ? end : Stage::Positioned, sequence, token},
                                between(from, to, share), named(token), colour);
        word.mark = PlaneMark::Dot;
        word.selected = isQuery(sequence, token);
        word.arrow = m_hasOrigin && share == 0;
        word.thickness = 1;
    }
}

void Plane::residual() {
    const std::vector<Index> sequences = sequencesOf(m_trace, m_selection, m_options);
    for (const Index sequence : sequences)
        gravityOf(sequence, sequences.size() > 1);
}

/// Returns the drawn share of the queries' lengths. It makes the selected query, or the longest
/// one, at most as long as the longest key, because the keys define the plane.
double Plane::shareOfQueries(const std::vector<core::SpaceVector> &vectors) const {
    const bool hasQuery = std::ranges::any_of(vectors, [&](const core::SpaceVector &vector) {
        return vector.stage == Stage::Query && m_selection.query == vector.token;
    });
    double key = 0, query = 0;
    for (const core::SpaceVector &vector : vectors) {
        const PlanePoint point = at(vector.numbers);
        if (vector.stage != Stage::Query)
            key = std::max(key, lengthOf(m_hasOrigin ? fromZero(point) : point));
        else if (!hasQuery || m_selection.query == vector.token)
            query = std::max(query, lengthOf(fromZero(point)));
    }
    return key > 0 && query > key ? roundShare(key / query) : 1;
}

/// Returns the length of the selected query and how much of it is drawn, as text.
QString Plane::lengthText(Numbers query) const {
    const QString share = QString::fromStdString(core::exact(static_cast<float>(m_plane.share)));
    const bool isWhole = m_plane.share == 1;
    if (query.empty() && m_hasOrigin)
        return isWhole ? QString()
                       : SpacePlaneText::tr("queries are drawn at %1 of their length").arg(share);
    if (query.empty())
        return isWhole
                   ? SpacePlaneText::tr("queries are directions from the keys' mean")
                   : SpacePlaneText::tr(
                         "queries are directions from the keys' mean, drawn at %1 of their length")
                         .arg(share);
    const QString name = m_queries.value(*m_selection.query);
    const QString length = numberText(core::normOf(query), 2);
    if (isWhole)
        return SpacePlaneText::tr("q %1: length %2").arg(name, length);
    // The text mentions the projected part if the plane does not contain the whole query.
    return (m_hasOrigin ? SpacePlaneText::tr("q %1: length %2, drawn at %3 of it")
                        : SpacePlaneText::tr(
                              "q %1: length %2, its part in this plane drawn at %3 of its length"))
        .arg(name, length, share);
}

void Plane::queryKey() {
    const auto vectors = realVectors(m_trace, VectorSpace::QueryKey, placeOf(m_selection));
    const std::optional<Index> chosen = m_selection.query;
    const double share = m_plane.share = m_share.value_or(shareOfQueries(vectors));
    Numbers query;
    bool hasQueries = false;
    for (const core::SpaceVector &vector : vectors) {
        hasQueries = hasQueries || vector.stage == Stage::Query;
        if (vector.stage == Stage::Query && chosen == vector.token)
            query = vector.numbers;
    }
    if (hasQueries)
        m_plane.content.note = lengthText(query);
    m_plane.content.noteColour = m_style.query;
    for (const core::SpaceVector &vector : vectors) {
        const bool isQueryVector = vector.stage == Stage::Query;
        const bool isChosen = isQueryVector && chosen == vector.token;
        const QString token = (isQueryVector ? m_queries : m_keys).value(vector.token);
        const bool named = !chosen || isChosen || !isQueryVector;
        PlaneVector &shown =
            add({vector.stage, m_selection.sequence, vector.token}, at(vector.numbers),
                !named ? QString()
                       : (isQueryVector ? SpacePlaneText::tr("q %1") : SpacePlaneText::tr("k %1"))
                             .arg(token),
                isQueryVector ? m_style.query : m_style.key);
        shown.arrow = named && (m_hasOrigin || isChosen);
        if (isQueryVector) {
            // With PCA, the plane's centre is the mean of its vectors, and queries start there.
            const PlanePoint along = fromZero(shown.at);
            shown.from = m_hasOrigin ? m_zero : PlanePoint{};
            shown.share = share;
            shown.drawn =
                PlanePoint{shown.from.x + along.x * share, shown.from.y + along.y * share};
            shown.isFramed = named;
        }
        shown.faint = (isQueryVector && chosen && !isChosen) ||
                      (!isQueryVector && chosen && isHidden(*chosen, vector.token));
        shown.selected = isChosen || (!isQueryVector && m_selection.key == vector.token);
        shown.thickness = shown.selected ? 2.4 : 1.6;
        // The projection onto the query's direction is the score ÷ ‖q‖, but only if the plane
        // preserves dot products.
        if (isQueryVector || query.empty() || !m_hasOrigin)
            continue;
        const core::VectorPair pair = core::comparedVectors(query, vector.numbers);
        if (!(pair.lengthA > 0))
            continue;
        const PlanePoint tip = at(query);
        const double along = pair.projection / pair.lengthA;
        const PlanePoint foot{tip.x * along, tip.y * along};
        const QColor colour = faint(m_style.key, m_style.surface, shown.selected ? 0.9 : 0.4);
        m_plane.content.lines.push_back({shown.at, foot, colour, 1, true, false});
        if (shown.selected)
            m_plane.content.lines.push_back({{0, 0}, foot, m_style.key, 3.5, false, false, true});
    }
}

void Plane::valueContext() {
    const SequenceHeadId place = placeOf(m_selection);
    const bool chosen =
        m_selection.query &&
        *m_selection.query < m_trace.queries(place.attention())[place.sequence].length;
    for (const core::SpaceVector &vector : realVectors(m_trace, VectorSpace::ValueContext, place)) {
        const bool isContext = vector.stage == Stage::Context;
        const bool isChosen = isContext && chosen && m_selection.query == vector.token;
        if (isContext && chosen && !isChosen)
            continue;
        const QString token = (isContext ? m_queries : m_keys).value(vector.token);
        PlaneVector &shown =
            add({vector.stage, place.sequence, vector.token}, at(vector.numbers),
                (isContext ? SpacePlaneText::tr("z %1") : SpacePlaneText::tr("v %1")).arg(token),
                isContext ? m_style.context : m_style.value);
        shown.arrow = isChosen || (!isContext && chosen);
        shown.selected = isChosen || (!isContext && m_selection.key == vector.token);
        shown.faint = chosen && !isContext && isHidden(*m_selection.query, vector.token);
        shown.thickness = isChosen ? 3 : 1;
    }
    if (!chosen)
        return;
    for (const core::ValueContribution &pull :
         core::valueContributionsOf(m_trace, place, *m_selection.query)) {
        const bool selected = m_selection.key == pull.key;
        m_plane.content.lines.push_back(
            {at(pull.from), at(pull.to),
             selected && !m_style.isPaper ? m_style.selection : m_style.value,
             std::clamp(kThickest * std::abs(static_cast<double>(pull.weight)), 1.2, kThickest),
             false, true});
    }
}

} // namespace

SpacePlane planeOf(const core::TracePointer &trace, const core::Selection &selection,
                   VectorSpace space, const FigureStyle &style, const PlaneOptions &options,
                   const PinnedPlane *held) {
    SpacePlane plane;
    plane.space = space;
    plane.content.title = spaceTitle(space, *trace, selection);
    const bool isHeld = held && held->projection.width() == widthOf(*trace, selection, space);
    if (isHeld) {
        plane.projection = held->projection;
    } else {
        core::Result<core::Projection> made = projectionOf(*trace, selection, space, options);
        if (!made) {
            plane.content.nothing = translated(made.error().what);
            return plane;
        }
        plane.projection = *std::move(made);
    }
    const QString query =
        selection.query ? queryTokens(*trace, selection).value(*selection.query) : QString();
    plane.content.xName = axisName(plane.projection, 0, query);
    plane.content.yName = axisName(plane.projection, 1, query);
    plane.content.showsOrigin = plane.projection.kind != core::Projection::Kind::Principal;
    Plane vectors(trace, selection, style, options, isHeld ? held->share : std::nullopt, plane);
    switch (space) {
    case VectorSpace::Residual:
        vectors.residual();
        break;
    case VectorSpace::QueryKey:
        vectors.queryKey();
        break;
    case VectorSpace::ValueContext:
        vectors.valueContext();
        break;
    }
    plane.content.subtitle = QStringLiteral("%1 · %2").arg(
        legendOf(space, *trace, selection, showsShift(selection, options)), axesText(plane, query));
    return plane;
}

} // namespace headlight::ui
