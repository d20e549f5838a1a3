#include "ui/window/presenting/presented_views.h"

#include "ui/views/make_view.h"

namespace headlight::ui {

namespace {

ViewChoices choicesOf(const FigureView &view) {
    const FigureOptions &options = view.options();
    ViewChoices choices;
    choices.range = options.range;
    choices.scaling = options.scaling;
    choices.blocks = options.blocks;
    choices.order = options.order;
    choices.measure = options.measure;
    choices.contextual = options.contextual;
    choices.learned = options.learned;
    choices.lines = options.lines;
    choices.lineHeads = options.headLines.heads;
    choices.threshold = options.headLines.threshold;
    choices.combination = options.combination.combination;
    choices.words = options.combination.words;
    choices.leftOut = options.combination.leftOut;
    choices.kept = options.combination.kept;
    choices.weightsMap = view.figureStyle().weightsMap;
    choices.signedMap = view.figureStyle().signedMap;
    choices.spaces = options.plane.spaces;
    choices.axes = options.plane.axes;
    choices.gravity = options.plane.gravity;
    choices.together = options.plane.together;
    return choices;
}

} // namespace

FigureView *presentedLike(const FigureView &view, QWidget *parent) {
    FigureView *made = makeView(view.info().view, view.document());
    if (!made)
        return nullptr;
    made->setParent(parent);
    made->setObjectName("presented-" + view.viewName());
    made->setContextMenuPolicy(Qt::NoContextMenu);
    made->choose(choicesOf(view));
    made->setGranularity(view.options().granularity);
    made->setShowGradients(view.wantsGradients());
    made->setCloseUp(true); // the presenter should not have to scroll
    made->setFocusPolicy(Qt::NoFocus);
    for (QWidget *child : made->findChildren<QWidget *>())
        child->setFocusPolicy(Qt::NoFocus); // keys step through the lesson
    return made;
}

} // namespace headlight::ui
