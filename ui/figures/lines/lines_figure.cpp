#include "ui/figures/lines/lines_figure.h"

#include "ui/figures/base/spacing.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/text.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr core::Index kNaturalTokens = 128; // more tokens than this do not make a file taller
constexpr double kNaturalWidth = 640;       // px
constexpr std::size_t kToldLines = 6;       // maximum number of lines in a description

} // namespace

LinesFigure::LinesFigure(std::shared_ptr<LinesContent> content, HeatmapContent table,
                         FigureStyle style)
    : m_content(std::move(content)),
      m_measures(LinesMeasures::of(*m_content, style)),
      m_table(std::move(table)),
      m_style(std::move(style)) {}

LinesFigure LinesFigure::fromTrace(const core::TracePointer &trace,
                                   const core::Selection &selection, const FigureStyle &style,
                                   const FigureOptions &options, HeatmapCache *kept) {
    core::Selection place = withoutCell(selection);
    place.stage = core::Stage::AttentionWeights;
    const auto make = [&] {
        auto content = std::make_shared<LinesContent>(linesContentOf(trace, place, options));
        HeatmapContent table = contentOf(trace, place, style, options, kept);
        return std::make_shared<LinesFigure>(
            LinesFigure(std::move(content), std::move(table), style));
    };
    LinesFigure figure =
        kept ? static_cast<const LinesFigure &>(*kept->figure(trace, place, style, options, make))
             : *make();
    figure.select(shownRun(trace, selection, options.compared).selection);
    return figure;
}

void LinesFigure::select(const core::Selection &selection) {
    m_table.select(selection.query, selection.key);
    const auto within = [](std::optional<core::Index> index, const QStringList &tokens) {
        return index && *index < tokens.size() ? index : std::nullopt;
    };
    m_query = within(selection.query, m_content->queries);
    m_key = within(selection.key, m_content->keys);
}

std::optional<LineToken> LinesFigure::pinned() const {
    if (m_query)
        return LineToken{LineToken::Side::Query, *m_query};
    if (m_key)
        return LineToken{LineToken::Side::Key, *m_key};
    return std::nullopt;
}

QSizeF LinesFigure::readableSize(const QSizeF &sight) const {
    return linesReadableSize(*m_content, m_measures, m_style, sight);
}

QSizeF LinesFigure::naturalSize() const {
    const QSizeF readable = readableSize({m_style.scaled(kNaturalWidth), m_style.scaled(240)});
    if (m_content->isAcross || !m_content->nothing.isEmpty())
        return readable.boundedTo({m_style.scaled(3000), readable.height()});
    const auto count = std::max(m_content->queries.size(), m_content->keys.size());
    const double share =
        std::min(1.0, static_cast<double>(kNaturalTokens) / static_cast<double>(count));
    return {readable.width(), std::ceil(readable.height() * share)};
}

double LinesFigure::heightFor(double) const {
    return naturalSize().height();
}

qint64 LinesFigure::cellCount() const {
    return std::min<qint64>(m_content->found(), kMaxVectorCells);
}

LinesGeometry LinesFigure::geometry(const QRectF &area) const {
    return linesGeometryOf(*m_content, m_measures, m_style, area);
}

std::vector<LinesFigure::Line> LinesFigure::linesOf(LineToken token) const {
    std::vector<Line> lines;
    for (std::size_t i = 0; i < m_content->heads.size(); ++i) {
        if (!m_content->strong[i])
            continue;
        const std::vector<core::StrongWeight> &all = m_content->strong[i]->weights;
        if (token.side == LineToken::Side::Query) { // uses that the weights are sorted by query
            const auto [first, last] =
                std::ranges::equal_range(all, token.index, {}, &core::StrongWeight::query);
            for (auto each = first; each != last; ++each)
                lines.push_back({m_content->heads[i], *each});
        } else {
            for (const core::StrongWeight &each : all)
                if (each.key == token.index)
                    lines.push_back({m_content->heads[i], each});
        }
    }
    std::ranges::stable_sort(lines, std::greater<>(),
                             [](const Line &line) { return std::abs(line.weight.weight); });
    return lines;
}

QString LinesFigure::words(LineToken token) const {
    const bool isQuery = token.side == LineToken::Side::Query;
    const QString name =
        isQuery ? tr("%1 (query %2)").arg(m_content->queries.value(token.index)).arg(token.index)
                : tr("%1 (key %2)").arg(m_content->keys.value(token.index)).arg(token.index);
    QStringList parts;
    const std::vector<Line> lines = linesOf(token);
    for (const Line &line : lines) {
        if (parts.size() == kToldLines) {
            parts << tr("and %n more", nullptr, static_cast<int>(lines.size() - kToldLines));
            break;
        }
        const QString other = isQuery ? m_content->keys.value(line.weight.key)
                                      : m_content->queries.value(line.weight.query);
        const QString number = numberText(static_cast<double>(line.weight.weight), 2);
        parts << (m_content->heads.size() > 1
                      ? tr("%1 %2 (head %3)").arg(other, number).arg(line.head)
                      : QStringLiteral("%1 %2").arg(other, number));
    }
    if (parts.isEmpty())
        return tr("%1: no weight reaches %2")
            .arg(name, fullText(static_cast<float>(m_content->threshold)));
    return isQuery ? tr("%1 attends to %2").arg(name, enumerated(parts))
                   : tr("%1 gets weight from %2").arg(name, enumerated(parts));
}

void LinesFigure::setStrong(core::Index head, std::shared_ptr<const core::StrongWeights> weights) {
    auto content = std::make_shared<LinesContent>(*m_content); // the cache shares the old content
    content->set(head, std::move(weights));
    m_content = std::move(content);
}

core::Outcome LinesFigure::findMissing(const std::stop_token &stop) {
    const std::vector<core::Index> missing = m_content->missing();
    if (missing.empty())
        return core::Done{};
    const core::Selection &place = m_content->place;
    const core::StrongWeightFinder finder(*m_content->trace, place.attention(), place.sequence);
    const std::size_t most = maxLinesOfHead(m_content->heads.size());
    for (const core::Index head : missing) {
        core::Result<core::StrongWeights> found = finder.of(head, m_content->threshold, most, stop);
        if (!found)
            return found.error();
        setStrong(head, std::make_shared<const core::StrongWeights>(std::move(*found)));
    }
    return core::Done{};
}

QString LinesFigure::description() const {
    if (!m_content->nothing.isEmpty())
        return labelled(m_content->title, m_content->nothing);
    QStringList heads;
    for (const core::Index head : m_content->heads)
        heads << QString::number(head);
    const QString what =
        labelled(m_content->title, heads.size() == 1 ? tr("head %1").arg(heads.first())
                                                     : tr("heads %1").arg(enumerated(heads)));
    const std::optional<LineToken> pinned = this->pinned();
    return sentences(
        {ended(what), pinned ? words(*pinned)
                             : tr("%n lines, for weights of at least %1.", nullptr,
                                  static_cast<int>(m_content->found()))
                                   .arg(fullText(static_cast<float>(m_content->threshold)))});
}

} // namespace headlight::ui
