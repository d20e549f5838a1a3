#include "ui/window/presenting/presented_views.h"

#include "ui/views/flow_view.h"
#include "ui/views/geometry_view.h"
#include "ui/views/heads_view.h"
#include "ui/views/similarity_view.h"

namespace headlight::ui {

namespace {

FigureView *ofKind(const QString &name, Document &document, QWidget *parent) {
    if (name == "flow")
        return new FlowView(document, parent);
    if (name == "heads")
        return new HeadsView(document, parent);
    if (name == "similarity")
        return new SimilarityView(document, parent);
    if (name == "geometry")
        return new GeometryView(document, parent);
    return nullptr;
}

ViewChoices choicesOf(const FigureView &view) {
    const FigureOptions &options = view.options();
    ViewChoices choices;
    choices.range = options.range;
    choices.order = options.order;
    choices.contextual = options.contextual;
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
    FigureView *made = ofKind(view.viewName(), view.document(), parent);
    if (!made)
        return nullptr;
    made->setObjectName("presented-" + view.viewName());
    made->setContextMenuPolicy(Qt::NoContextMenu);
    made->choose(choicesOf(view));
    made->setGranularity(view.options().granularity);
    made->setFocusPolicy(Qt::NoFocus);
    for (QWidget *child : made->findChildren<QWidget *>())
        child->setFocusPolicy(Qt::NoFocus); // the keys step
    return made;
}

} // namespace headlight::ui
