// Finds what makes a view hard to read: scrolling, omissions, and parts that are too small. Used
// for every step of every lesson, in the window and in present mode.
#pragma once

#include "tests/support/waiting.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/views/heads_view.h"
#include "ui/views/softmax_view.h"
#include "ui/views/training_view.h"
#include "ui/views/words_view.h"

namespace headlight::test {

constexpr double kMinPlot = 60;        // height of a plot, px
constexpr core::Index kFewWords = 12;  // up to this count, every name is shown
constexpr std::size_t kFewLogits = 12; // up to this count, every number is shown

/// True if cells have space for their numbers, and every row for its name.
inline bool isReadable(const ui::HeatmapFigure &figure, const ui::HeatmapGeometry &places,
                       const ui::FigureStyle &style) {
    const QSizeF least = ui::minCellOfNumbers(figure.content(), style);
    return places.rowLabelStep == 1 && places.cell.width() >= least.width() &&
           places.cell.height() >= least.height();
}

inline QStringList faultsOfSoftmax(ui::SoftmaxView &view) {
    (void)until([&] { return !view.isDrawing(); });
    (void)view.figure();
    const ui::SoftmaxContent &content = view.softmax()->content();
    const ui::SoftmaxGeometry places = view.geometry();
    QStringList faults;
    if (!content.nothing.isEmpty())
        faults << content.nothing;
    else if (content.part == core::SoftmaxPart::Spread) {
        if (!content.spread)
            faults << "nothing was drawn";
        if (places.spread.plot.height() < kMinPlot)
            faults << QString("the histogram has %1 px").arg(places.spread.plot.height());
        for (const ui::SoftmaxSpreadGeometry::Row &row : places.spread.rows)
            if (!places.spreadCard.contains(row.name.united(row.scaled)))
                faults << "the table is cut";
    } else {
        if (content.bars.size() <= kFewLogits && places.bars.logitNumbers.isNull())
            faults << "there is no room for the numbers of the bars";
        for (const QRectF &plot : {places.bars.logits, places.bars.probabilities})
            if (plot.height() < kMinPlot / 2)
                faults << QString("bars of %1 px").arg(plot.height());
        if (!places.jacobianCard.contains(places.jacobian.used))
            faults << "the Jacobian is cut";
    }
    return faults;
}

inline QStringList faultsOfWords(ui::WordsView &view) {
    (void)view.figure();
    const ui::WordsContent &content = view.words()->content();
    const ui::WordsGeometry places = view.geometry();
    if (!content.nothing.isEmpty())
        return {content.nothing};
    QStringList faults;
    const core::ShownEncoding spokenOf = view.document().lessonStep()->look.writing;
    const QRectF sight(QPointF(), QSizeF(view.size()) / view.shrink());
    for (std::size_t i = 0; i < places.cards.size(); ++i) {
        const ui::WordsCard &card = content.cards[i];
        const ui::WordsGeometry::Card &placed = places.cards[i];
        if (!places.area.contains(placed.rect))
            faults << card.title + " is cut";
        if (spokenOf != core::ShownEncoding::All && ui::isShown(card.way, spokenOf) &&
            !(sight.contains(placed.title) && sight.contains(placed.numbers.cells)))
            faults << card.title + " is not in sight";
        if (placed.numbers.rows > 0 && placed.numbers.rows <= kFewWords &&
            placed.numbers.rowLabelStep != 1)
            faults << card.title + " lacks words";
        if (view.figureStyle().isPresented()) // shows colours instead of small numbers
            continue;
        if (card.cosines && card.cosines->content().matrix().rows > 0 &&
            !isReadable(*card.cosines, placed.cosines, view.figureStyle()))
            faults << card.title + " lacks cosines";
    }
    return faults;
}

inline QStringList faultsOfTraining(ui::TrainingView &view) {
    (void)view.figure();
    const ui::TrainingGeometry places = view.geometry();
    QStringList faults;
    if (places.plots.empty())
        faults << "there is no curve";
    for (const ui::CurvePlotGeometry &plot : places.plots)
        if (!places.area.contains(plot.card) || plot.plot.height() < kMinPlot)
            faults << QString("a plot has %1 px").arg(plot.plot.height());
    if (!places.outcome.isNull() && !places.area.contains(places.outcome))
        faults << "what came out is cut";
    return faults;
}

inline QStringList faultsOfHeads(ui::HeadsView &view) {
    const auto *figure = static_cast<const ui::HeadsFigure *>(view.figure());
    const ui::HeatmapGeometry large = view.geometry().enlarged;
    if (large.rows <= kFewWords && !isReadable(figure->enlarged(), large, view.figureStyle()))
        return {"the enlarged head lacks numbers or words"};
    return {};
}

enum class Scrolls { Never, WhereLarge };

/// Returns the faults of the view; empty if there are none. Whole and Words may scroll with
/// Scrolls::WhereLarge.
inline QStringList faultsOf(ui::FigureView &view, Scrolls scrolls) {
    QStringList faults;
    if (!view.figure())
        return {"there is no figure"};
    const auto scrollBars = view.findChildren<QScrollBar *>(Qt::FindDirectChildrenOnly);
    const core::View shown = view.info().view;
    const bool mayScroll = scrolls == Scrolls::WhereLarge &&
                           (shown == core::View::Whole || shown == core::View::Words ||
                            shown == core::View::Output); // its ranking is a list
    if (!mayScroll &&
        std::ranges::any_of(scrollBars, [](const QScrollBar *bar) { return bar->isVisible(); }))
        faults << "it has to be scrolled";
    if (view.shrink() < 1)
        faults << QString("it is painted at %1 of its size").arg(view.shrink());
    if (auto *softmax = dynamic_cast<ui::SoftmaxView *>(&view))
        faults << faultsOfSoftmax(*softmax);
    if (auto *words = dynamic_cast<ui::WordsView *>(&view))
        faults << faultsOfWords(*words);
    if (auto *training = dynamic_cast<ui::TrainingView *>(&view))
        faults << faultsOfTraining(*training);
    if (auto *heads = dynamic_cast<ui::HeadsView *>(&view))
        faults << faultsOfHeads(*heads);
    return faults;
}

} // namespace headlight::test
