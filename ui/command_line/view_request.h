// A source, a position in it and how to show it: the options of a view or figure as a value.
#pragma once

#include "ui/command_line/codecs.h"
#include "ui/compare/compared.h"
#include "ui/document/source.h"
#include "ui/figures/files/figure_size.h"
#include "ui/figures/table/view_choices.h"

namespace headlight::ui {

enum class HeadChoice { One, All, Mean, Max };

struct ViewRequest {
    SourceRequest request;
    HeadChoice heads = HeadChoice::One;
    IndexList layers;             ///< figure: several layers, one figure each
    IndexList eachHead;           ///< figure: several heads, one figure each
    QString view;                 ///< empty: the source's default
    std::vector<HeadName> pinned; ///< figure: heads that the model view shows large
    /// figure: a measure of the training view, or of the model view, which shows it instead of
    /// thumbnails; empty: not set
    QString measure;
    /// figure: the model view shows the effect of silencing each head. True: on the loss; false: on
    /// a logit.
    std::optional<bool> effectOnLoss{};
    bool silencesByMean = false;      ///< with an effect: heads are replaced by their mean
    std::optional<std::string> token; ///< ablate, and with an effect: the token to watch
    QString stage;                    ///< a stage's name, or a pattern for `trace`; empty: not set
    QString theme;                    ///< "light", "dark" or empty
    ViewChoices choices;
    bool paper = false;       ///< like FigureStyle::paper()
    bool transparent = false; ///< only with paper
    bool textAsPaths = false;
    FigureSize size; ///< empty: the figure's natural size
    double scale = 1;
    double textScale = 1;
    QString caption; ///< "auto": describes the figure; empty: none
    QString title;
    SourceRequest compare; ///< figure: side A; an empty source means the same source
    std::vector<core::PairEdit> pairEdits; ///< pairs of a token of the text and a token of side A
    std::optional<ComparisonSide> shown;   ///< figure: the side shown; unset: no comparison
    bool session = true;                   ///< figure: embeds its session
};

} // namespace headlight::ui
