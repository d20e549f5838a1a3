// Cache of the data that a view's figures share between selections. It changes the speed of a
// figure but not its appearance.
#pragma once

#include "core/analysis/head_measures.h"
#include "core/explain/meaning.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/heatmap/heatmap_figure.h"

#include <functional>
#include <utility>
#include <vector>

namespace headlight::ui {

struct ParameterHeatmap;

class HeatmapCache {
  public:
    /// Starts a new figure. Later requests belong to this figure, and their entries are kept until
    /// the next figure is finished. Entries of earlier figures are kept up to a memory limit.
    void beginFigure();
    void clear();

    /// Returns the heatmap of `place`, which has no query, key or dimension, with a painting cache.
    /// A heatmap without its matrix is not cached.
    HeatmapContent content(const core::TracePointer &trace, const core::Selection &place,
                           const FigureStyle &style, const FigureOptions &options,
                           const std::function<HeatmapContent()> &make);
    /// Returns the parameter matrix that produces the stage of `place`. Null if `make` returned
    /// null.
    std::shared_ptr<const ParameterHeatmap>
    learned(const core::TracePointer &trace, const core::Selection &place, const FigureStyle &style,
            const FigureOptions &options,
            const std::function<std::shared_ptr<const ParameterHeatmap>()> &make);
    /// Returns the heatmap of a complete parameter matrix. Null if `make` returned null. Only the
    /// last one is cached, because it is large.
    std::shared_ptr<const HeatmapContent>
    wholeLearned(const core::TracePointer &trace, const core::Selection &place,
                 const FigureStyle &style, const FigureOptions &options,
                 const std::function<std::shared_ptr<const HeatmapContent>()> &make);
    /// A named part of a step's expression, such as the exponentials of softmax.
    struct Intermediate {
        core::Slice of; ///< step and head
        core::Index sequence = 0;
        core::StepId step = 0; ///< step of the part, which may be an earlier one
        core::Quantity name{};
        bool operator==(const Intermediate &) const = default;
    };
    /// Returns the numbers of an intermediate result.
    core::Tensor intermediate(const core::TracePointer &trace, const Intermediate &which,
                              const std::function<core::Tensor()> &make);
    /// Returns an entire figure of `place`, which has no query or key. Caches only the last one.
    std::shared_ptr<const Figure>
    figure(const core::TracePointer &trace, const core::Selection &place, const FigureStyle &style,
           const FigureOptions &options,
           const std::function<std::shared_ptr<const Figure>()> &make);
    /// Returns the head measures of the attention weights of `place`.
    const std::vector<core::HeadMeasures> &measures(const core::TracePointer &trace,
                                                    const core::Selection &place);

    /// Compares the heads of `place` on both sides, using only queries with a partner. Empty if the
    /// heads cannot be read. The difference must be available.
    const std::vector<core::ComparedHead> &comparedHeads(const core::TracePointer &trace,
                                                         const core::Selection &place,
                                                         const Compared &compared);

    std::size_t count() const { return m_heatmaps.size(); }

  private:
    struct Heatmap {
        core::Selection place;
        FigureStyle style;
        FigureOptions options;
        HeatmapContent content;
        int figure = 0; ///< the last figure that requested the heatmap
    };
    struct Learned {
        core::Selection place;
        FigureStyle style;
        FigureOptions options;
        std::shared_ptr<const ParameterHeatmap> learned;
    };
    struct WholeLearned {
        core::Selection place;
        FigureStyle style;
        FigureOptions options;
        std::shared_ptr<const HeatmapContent> content;
    };
    struct Whole {
        core::Selection place;
        FigureStyle style;
        FigureOptions options;
        std::shared_ptr<const Figure> figure;
    };
    struct Measures {
        core::AttentionId attention;
        core::Index sequence = 0;
        std::vector<core::HeadMeasures> heads;
    };
    struct ComparedMeasures {
        core::AttentionId attention;
        core::Index sequence = 0;
        Compared compared;
        std::vector<core::ComparedHead> heads;
    };
    void follow(const core::TracePointer &trace);

    core::TracePointer
        m_trace; // trace of all entries; kept alive so that no other trace can have its address
    std::vector<Heatmap> m_heatmaps; // most recently used last
    std::vector<Learned>
        m_learned; // most recently used last; entries are small, because large matrices are sampled
    std::optional<WholeLearned> m_wholeLearned;
    std::vector<std::pair<Intermediate, core::Tensor>> m_intermediates; // most recently used last
    std::optional<Whole> m_whole;
    std::optional<Measures> m_measures;
    std::optional<ComparedMeasures> m_compared;
    int m_figure = 0;
};

} // namespace headlight::ui
