// What the figures of one view have in common from one selection to the next. A figure that is made
// with it looks like one that is made without, and sooner.
#pragma once

#include "core/analysis/head_measures.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/heatmap/heatmap_figure.h"

#include <functional>
#include <vector>

namespace headlight::ui {

struct FlowParameters;

class HeatmapCache {
  public:
    /// What is asked for from here on belongs to one figure. It is kept until the next one is made;
    /// of what earlier ones had, as much as takes little memory.
    void beginFigure();
    void clear();

    /// The heatmap at a place without query, key or dimension, with room for its painting. A
    /// heatmap that is not there yet is asked for every time.
    HeatmapContent content(const core::TracePointer &trace, const core::Selection &place,
                           const FigureStyle &style, const FigureOptions &options,
                           const std::function<HeatmapContent()> &make);
    /// The learned matrix that makes what is at a place; null: `make` found none.
    std::shared_ptr<const FlowParameters>
    learned(const core::TracePointer &trace, const core::Selection &place, const FigureStyle &style,
            const FigureOptions &options,
            const std::function<std::shared_ptr<const FlowParameters>()> &make);
    /// A whole figure of a place without query and key, of which there is one at a time.
    std::shared_ptr<const Figure>
    figure(const core::TracePointer &trace, const core::Selection &place, const FigureStyle &style,
           const FigureOptions &options,
           const std::function<std::shared_ptr<const Figure>()> &make);
    /// Those of the attention weights at the place.
    const std::vector<core::HeadMeasures> &measures(const core::TracePointer &trace,
                                                    const core::Selection &place);

    std::size_t count() const { return m_heatmaps.size(); }

  private:
    struct Heatmap {
        core::Selection place;
        FigureStyle style;
        FigureOptions options;
        HeatmapContent content;
        int figure = 0; ///< the last that asked for it
    };
    struct Learned {
        core::Selection place;
        FigureStyle style;
        FigureOptions options;
        std::shared_ptr<const FlowParameters> learned;
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
    void follow(const core::TracePointer &trace);

    core::TracePointer m_trace; // of everything here; held, so that no other one is taken for it
    std::vector<Heatmap> m_heatmaps; // the ones asked for last are at the end
    std::vector<Learned> m_learned;  // the same; small, for they are samples of large ones
    std::optional<Whole> m_whole;
    std::optional<Measures> m_measures;
    int m_figure = 0;
};

} // namespace headlight::ui
