#include "ui/figures/heatmap/heatmap_cache.h"

#include "core/analysis/heads_of_trace.h"
#include "ui/figures/heatmap/painting_cache.h"

#include <algorithm>
#include <set>

namespace headlight::ui {

namespace {

constexpr qint64 kMaxBytes = 64 * 1024 * 1024; // for data not shared with the newest figure
constexpr qint64 kBytesOfLabel = 80;           // approximate
constexpr std::size_t kMaxLearned = 64;        // number of cached parameter matrices
constexpr std::size_t kMaxIntermediates = 8;   // a step has at most five

qint64 bytesWithoutNumbers(const HeatmapContent &content) {
    return kBytesOfLabel * (content.rowLabels.size() + content.columnLabels.size()) +
           content.keptPainting->bytes();
}

} // namespace

void HeatmapCache::clear() {
    m_trace.reset();
    m_heatmaps.clear();
    m_learned.clear();
    m_wholeLearned.reset();
    m_intermediates.clear();
    m_whole.reset();
    m_measures.reset();
    m_compared.reset();
}

void HeatmapCache::follow(const core::TracePointer &trace) {
    if (trace == m_trace)
        return;
    clear();
    m_trace = trace;
}

void HeatmapCache::beginFigure() {
    // Tensors shared with the newest figure need no extra memory.
    std::set<const void *> held;
    qint64 bytes = 0;
    auto oldest = m_heatmaps.end();
    while (oldest != m_heatmaps.begin() && bytes <= kMaxBytes) {
        const Heatmap &one = *--oldest;
        const bool isNew = held.insert(one.content.tensor.identity()).second;
        if (one.figure == m_figure)
            continue;
        bytes += bytesWithoutNumbers(one.content);
        if (isNew)
            bytes += static_cast<qint64>(one.content.tensor.values().size() * sizeof(float));
    }
    if (bytes > kMaxBytes)
        m_heatmaps.erase(m_heatmaps.begin(), oldest + 1);
    ++m_figure;
}

HeatmapContent HeatmapCache::content(const core::TracePointer &trace, const core::Selection &place,
                                     const FigureStyle &style, const FigureOptions &options,
                                     const std::function<HeatmapContent()> &make) {
    follow(trace);
    const auto kept = std::find_if(m_heatmaps.begin(), m_heatmaps.end(), [&](const Heatmap &one) {
        return one.place == place && one.options == options && one.style == style;
    });
    if (kept != m_heatmaps.end()) {
        kept->figure = m_figure;
        std::rotate(kept, kept + 1, m_heatmaps.end());
        return m_heatmaps.back().content;
    }
    HeatmapContent content = make();
    if (content.tensor.isNull() || !content.absence.isEmpty())
        return content; // not cached, because the matrix may become available later
    content.keptPainting = std::make_shared<PaintingCache>();
    m_heatmaps.push_back({place, style, options, content, m_figure});
    return content;
}

std::shared_ptr<const ParameterHeatmap>
HeatmapCache::learned(const core::TracePointer &trace, const core::Selection &place,
                      const FigureStyle &style, const FigureOptions &options,
                      const std::function<std::shared_ptr<const ParameterHeatmap>()> &make) {
    follow(trace);
    const auto kept = std::find_if(m_learned.begin(), m_learned.end(), [&](const Learned &one) {
        return one.place == place && one.options == options && one.style == style;
    });
    if (kept != m_learned.end()) {
        std::rotate(kept, kept + 1, m_learned.end());
        return m_learned.back().learned;
    }
    if (m_learned.size() == kMaxLearned)
        m_learned.erase(m_learned.begin());
    m_learned.push_back({place, style, options, make()});
    return m_learned.back().learned;
}

std::shared_ptr<const HeatmapContent>
HeatmapCache::wholeLearned(const core::TracePointer &trace, const core::Selection &place,
                           const FigureStyle &style, const FigureOptions &options,
                           const std::function<std::shared_ptr<const HeatmapContent>()> &make) {
    follow(trace);
    if (!m_wholeLearned || m_wholeLearned->place != place || m_wholeLearned->style != style ||
        m_wholeLearned->options != options)
        m_wholeLearned = {place, style, options, make()};
    return m_wholeLearned->content;
}

core::Tensor HeatmapCache::intermediate(const core::TracePointer &trace, const Intermediate &which,
                                        const std::function<core::Tensor()> &make) {
    follow(trace);
    const auto kept =
        std::ranges::find(m_intermediates, which, &std::pair<Intermediate, core::Tensor>::first);
    if (kept != m_intermediates.end()) {
        std::rotate(kept, kept + 1, m_intermediates.end());
        return m_intermediates.back().second;
    }
    core::Tensor made = make();
    if (made.isNull())
        return made;
    if (m_intermediates.size() == kMaxIntermediates)
        m_intermediates.erase(m_intermediates.begin());
    m_intermediates.emplace_back(which, made);
    return made;
}

std::shared_ptr<const Figure>
HeatmapCache::figure(const core::TracePointer &trace, const core::Selection &place,
                     const FigureStyle &style, const FigureOptions &options,
                     const std::function<std::shared_ptr<const Figure>()> &make) {
    follow(trace);
    if (!m_whole || m_whole->place != place || m_whole->style != style ||
        m_whole->options != options)
        m_whole = {place, style, options, make()};
    return m_whole->figure;
}

const std::vector<core::ComparedHead> &HeatmapCache::comparedHeads(const core::TracePointer &trace,
                                                                   const core::Selection &place,
                                                                   const Compared &compared) {
    follow(trace);
    const core::AttentionId attention = place.attention();
    if (m_compared && m_compared->attention == attention &&
        m_compared->sequence == place.sequence && m_compared->compared == compared)
        return m_compared->heads;
    const core::ComparedSide now{*trace, place.sequence},
        a{*compared.a, inA(compared, place).sequence};
    const core::TokenPartnersPointer partners = core::partnersOf(now, a, compared.partners);
    auto heads = core::comparedHeads(now, a, partners->texts(), attention);
    m_compared = {attention, place.sequence, compared,
                  heads ? *std::move(heads) : std::vector<core::ComparedHead>()};
    return m_compared->heads;
}

const std::vector<core::HeadMeasures> &HeatmapCache::measures(const core::TracePointer &trace,
                                                              const core::Selection &place) {
    follow(trace);
    const core::AttentionId attention = place.attention();
    if (!m_measures || m_measures->attention != attention ||
        m_measures->sequence != place.sequence) {
        m_measures = {attention, place.sequence,
                      core::headMeasures(trace->stage(core::Stage::AttentionWeights, attention),
                                         core::measuredTextOf(*trace, attention, place.sequence))};
    }
    return m_measures->heads;
}

} // namespace headlight::ui
