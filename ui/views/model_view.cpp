#include "ui/views/model_view.h"

#include "ui/document/fitting_selection.h"
#include "ui/figures/output/output_content.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/text/attention_names.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/token_names.h"
#include "ui/views/model_bar.h"
#include "ui/views/model_panel.h"

#include <QAction>
#include <QHelpEvent>
#include <QListView>
#include <QMouseEvent>
#include <QTimer>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <utility>

namespace headlight::ui {

namespace {

constexpr int kWidthForList = 560;  // px; a narrower view shows no list
constexpr int kFirstPassPause = 50; // ms between two polls of the first pass

} // namespace

ModelView::ModelView(Document &document, QWidget *parent)
    : FigureView(core::View::Model, document, parent),
      m_keptTiles(std::make_shared<decltype(m_keptTiles)::element_type>()),
      m_panel(new ModelPanel(this)),
      m_bar(new ModelBar(this)),
      m_ticks(new QTimer(this)),
      m_firstPass(new QTimer(this)) {
    makeBar();
    m_firstPass->setInterval(kFirstPassPause);
    connect(m_firstPass, &QTimer::timeout, this, &ModelView::followFirstPass);
    connect(&document, &Document::changed, this, &ModelView::documentChanged);
    connect(&m_glances, &ModelGlances::made, this, [this] {
        showList();
        remake();
        emit partComputed();
    });
    connect(&m_changes, &ModelChanges::made, this, [this] {
        showList();
        remake();
        emit partComputed();
    });
    connect(this, &FigureView::optionsChanged, this,
            [this] { m_panel->setColours(options().range, options().scaling); });
    connect(m_panel, &ModelPanel::sorted, this, [this] {
        if (model() && model()->numbers())
            remake();
    });
    connect(&m_silenced, &SilencedHead::made, this, &ModelView::showSilencing);
    connect(m_panel, &ModelPanel::headWanted, this, &ModelView::choose);
    connect(&m_similar, &SimilarHeads::made, this, &ModelView::showList);
    connect(m_panel, &ModelPanel::similarityWanted, this, &ModelView::compareWithChosen);
    connect(m_panel, &ModelPanel::definitionWanted, this, &ModelView::termRequested);
    connect(m_panel, &ModelPanel::openWanted, this, &ModelView::closeUpRequested);
    restoreChoices();
    connect(m_panel, &ModelPanel::sorted, this, &ModelView::keepChoices);
    makeActions();
    layOut();
}

void ModelView::makeActions() {
    const auto add = [this](const QString &text, const QString &tip, auto act) {
        auto *action = new QAction(text, this);
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, act);
        m_actions << action;
        return action;
    };
    add(tr("Pin or unpin the head"),
        tr("Keep this head enlarged beside the selected one (P in the model view)"),
        [this] { togglePin(chosen()); })
        ->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    add(tr("Unpin all heads"), tr("Enlarge only the chosen head in the model view"), [this] {
        m_pinned.clear();
        keepChoices();
        remake();
    });
    add(tr("Sort by similarity to the head"),
        tr("Sort the list of the model view by how similar each head's weights are to those of the "
           "chosen head"),
        [this] {
            if (!isVisible())
                emit wanted();
            m_panel->sortBySimilarity();
        });
    auto *colours =
        add(tr("Show the measure as colours"),
            tr("Show the list's measure as coloured cells instead of the thumbnails in the model "
               "view; not available for the similarity"),
            [this] {
                if (!isVisible())
                    emit wanted();
                showMeasure(!m_showsMeasure);
            });
    colours->setCheckable(true);
    colours->setChecked(m_showsMeasure);
    colours->setObjectName("measureAsColours");
}

void ModelView::compareWithChosen() {
    m_similarTo = chosen();
    want();
    showList();
}

ShownRun ModelView::run() const {
    return shownRun(document().trace(), document().selectionInTrace(),
                    document().comparison().comparedAsComputed());
}

void ModelView::documentChanged(const ChangeEvent &event) {
    followChanges(event);
    if (is<SessionChanged>(event)) {
        m_similarTo.reset();
        m_similar.forget();
        restoreChoices();
        m_glances.forget();
        m_changes.forget();
        m_silenced.forget();
        m_keptTiles->clear();
    }
    if (is<ComputationFailed>(event))
        m_panel->dropWanted();
    const bool isOther =
        is<SessionChanged>(event) || is<TraceChanged>(event) || is<ComparisonChanged>(event);
    if (isOther && document().trace()) {
        const ShownRun shown = run();
        if (!m_glances.of(*shown.trace, shown.selection.sequence)) {
            // The measures belong to another forward pass.
            m_glances.show(*shown.trace, shown.selection.sequence,
                           document().passGlancesOf(*shown.trace).get());
            m_similar.forget();
            m_panel->show(nullptr);
            m_keptTiles->clear();
        }
    }
    if (document().traceIsStale()) {
        if (!document().failure()) // a new trace is being computed
            m_glances.rest();
        m_similar.rest();
        m_changes.rest();
        m_silenced.forget();
    }
    if ((isOther || is<SelectionChanged>(event) || is<StateChanged>(event)) && isVisible()) {
        showList();
        showSilencing();
    }
    followFirstPass();
}

std::shared_ptr<const core::TraceGlances> ModelView::unfinished() const {
    if (document().trace() || document().failure() || !document().passGlances())
        return nullptr;
    return document().passGlances()->glances();
}

void ModelView::followFirstPass() {
    const bool isRunning = !document().trace() && !document().failure() && isVisible();
    if (!isRunning)
        m_firstPass->stop();
    else if (!m_firstPass->isActive())
        m_firstPass->start();
    auto heads = isRunning ? unfinished() : nullptr;
    if (std::exchange(m_shownUnfinished, heads) == heads)
        return;
    if (isVisible())
        showList();
    update();
}

void ModelView::paintEvent(QPaintEvent *event) {
    const std::shared_ptr<const core::TraceGlances> heads = unfinished();
    if (!heads)
        return FigureView::paintEvent(event);
    ModelLook look;
    look.glances = heads;
    look.pinned = m_pinned;
    look.room = controlsWidth();
    look.isUnfinished = true;
    FigureOptions options = optionsOfFigure();
    options.compared = {};
    const core::Trace &trace = *heads->trace;
    const ModelFigure figure = ModelFigure::of(
        heads->trace, fittingSelection(document().selection(), trace.model(), trace.input()),
        figureStyle(), options, look);
    QPainter painter(this);
    painter.fillRect(rect(), figureStyle().background);
    // Use the same scale and area as after the pass.
    const double factor = shrinkOf(figure.minSight(), figureSize());
    const QSizeF seen = figureSize() / factor;
    painter.scale(factor, factor);
    figure.paint(painter, QRectF(-pan(), figure.readableSize(seen).expandedTo(seen) * zoom()),
                 Device::Raster);
}

/// Requests nothing if the view is hidden.
void ModelView::want() {
    const bool isComingUp = document().traceIsStale() && !document().failure();
    if (!isVisible() || !document().trace() || isComingUp)
        return;
    const ShownRun shown = run();
    m_glances.want(shown.trace, shown.selection.sequence,
                   document().passGlancesOf(*shown.trace).get(), modulesInSight());
    if (!m_glances.isBusy())
        document().wantNeighbours(); // after the thumbnails, which the user sees
    if (const auto sides = comparedSides())
        m_changes.want(*sides);
    else
        m_changes.rest();
    if (document().comparison().shown() == ComparisonSide::Difference) {
        m_similar.rest(); // similarities have no changes to show
    } else if (m_panel->isBySimilarity()) {
        if (!m_similarTo)
            m_similarTo = chosen();
        m_similar.want(shown.trace, shown.selection.sequence, *m_similarTo);
    }
    const std::optional<core::Computable> &computable = document().computable();
    if (!computable || !cannotSilence().isEmpty())
        return m_silenced.forget();
    const core::OutputRowId output =
        core::outputPlaceOf(*document().trace(), document().selectionInTrace());
    if (m_silencedAll.exactly(*document().trace(), {output}))
        return m_silenced.forget(); // the effects of all heads include this one
    m_silenced.want(*computable, document().trace(), {chosen(), output});
}

void ModelView::showList() {
    m_panel->setStyle(figureStyle());
    m_panel->setColours(options().range, options().scaling);
    if (!document().trace()) {
        m_panel->showChanges(false, nullptr); // the changes belong to an earlier model
        return m_panel->show(unfinished());
    }
    const ShownRun shown = run();
    const auto sides = comparedSides();
    m_panel->showChanges(document().comparison().shown() == ComparisonSide::Difference,
                         sides ? m_changes.of(*sides) : nullptr);
    m_panel->show(m_glances.of(*shown.trace, shown.selection.sequence));
    const auto similar = m_similar.of(*shown.trace, shown.selection.sequence);
    m_panel->showSimilar(similar,
                         similar ? headNameOf(shown.trace->model(), similar->chosen) : QString());
    m_panel->select({shown.selection.attention(), shown.selection.head});
}

void ModelView::choose(const core::HeadId &head) {
    if (!document().trace() || document().traceIsStale())
        return; // the selection belongs to the state that is being computed
    const core::Selection &selection = document().selection();
    const core::Trace &trace = *document().trace();
    core::Selection at = atHead(selection, head);
    if (head.attention.stack != selection.stack || head.attention.block != selection.block) {
        // another kind of attention may have other queries or keys
        const bool sameQueries =
            &trace.queries(head.attention) == &trace.queries(selection.attention());
        const bool sameKeys = &trace.keys(head.attention) == &trace.keys(selection.attention());
        if (!sameQueries)
            at.query.reset();
        if (!sameKeys)
            at.key.reset();
    }
    document().select(at);
}

void ModelView::togglePin(const core::HeadId &head) {
    const auto found = std::ranges::find(m_pinned, head);
    if (found == m_pinned.end())
        m_pinned.push_back(head);
    else
        m_pinned.erase(found);
    keepChoices();
    remake();
}

std::unique_ptr<Figure> ModelView::makeFigure(const FigureInput &input) const {
    FigureInput with = input;
    // The overview needs no details of A. Only the large head waits for them.
    if (!input.options.compared.a)
        with.options.compared = document().comparison().comparedAsComputed();
    const ShownRun shown = shownRun(input.trace, input.selection, with.options.compared);
    with.model.glances = m_glances.of(*shown.trace, shown.selection.sequence);
    with.model.pinned = m_pinned;
    if (m_showsEffects && input.options.compared.shown == ComparisonSide::Now)
        with.model.effects = effects();
    if (input.kept) { // only figures for the screen have a cache
        with.model.room = controlsWidth();
        with.model.hasControls = true;
        with.model.kept = m_keptTiles;
    } else if (!m_glances.isBusy() && shown.trace->isWhole() &&
               (!with.model.glances || with.model.glances->next())) {
        // A file has thumbnails of all heads. The trace holds all weights, so this is fast.
        auto whole = std::make_shared<core::TraceGlances>(*shown.trace, shown.selection.sequence);
        while (const auto next = whole->next())
            whole->take(*next, whole->make(*next, shown.trace.get(), {}));
        with.model.glances = std::move(whole);
    }
    with.model.numbers = numbers(with.model.glances.get());
    return FigureView::makeFigure(with);
}

void ModelView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    model()->paintIn(painter, figureArea(), Device::Raster, detailForPaint());
    if (!std::exchange(m_isWanting, true)) // queued, because the results may be available at once
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_isWanting = false;
                want();
                showList();
                showSilencing();
            },
            Qt::QueuedConnection);
}

/// Sets the controls' text size to the figure's, which is larger in a presentation.
void ModelView::placeControls() {
    FigureView::placeControls();
    const int pixels = figureStyle().font(FigureStyle::Text::Body).pixelSize();
    const int width = controlsWidth();
    if (std::exchange(m_textPixels, pixels) != pixels)
        for (QWidget *controls : {static_cast<QWidget *>(m_panel), static_cast<QWidget *>(m_bar)}) {
            QFont font = controls->font();
            font.setPixelSize(pixels);
            controls->setFont(font);
        }
    layOut();
    if (width != controlsWidth())
        remake();
}

int ModelView::controlsWidth() const {
    const int wanted = ModelPanel::widthIn(figureStyle());
    return width() < std::max(kWidthForList, 2 * wanted) ? 0 : wanted;
}

void ModelView::layOut() {
    const int width = controlsWidth();
    const int bar = m_bar->isHidden() ? 0 : m_bar->sizeHint().height();
    m_panel->setGeometry(0, 0, width, height() - bar);
    m_panel->setVisible(width > 0);
    m_bar->setGeometry(0, height() - bar, this->width(), bar);
}

std::optional<std::size_t> ModelView::cardAt(QPointF point) const {
    const std::vector<QRectF> cards = geometry().cards;
    for (std::size_t card = 0; card < cards.size(); ++card)
        if (cards[card].contains(point))
            return card;
    return std::nullopt;
}

std::vector<core::AttentionId> ModelView::modulesInSight() const {
    std::vector<core::AttentionId> modules{run().selection.attention()};
    if (!model() || !model()->nothing().isEmpty())
        return modules;
    const ModelGeometry places = geometry();
    for (const ModelFigure::Tile &tile : model()->tiles())
        if (tile.place.attention != modules.back() &&
            model()->picture(places, tile).intersects(sight()))
            modules.push_back(tile.place.attention);
    return modules;
}

const ModelFigure::Tile *ModelView::tileAt(QPointF point) const {
    const ModelGeometry places = geometry();
    for (const ModelFigure::Tile &tile : model()->tiles())
        if (places.groups[tile.group]
                .tile(tile.layer, static_cast<int>(tile.place.head))
                .contains(point))
            return &tile;
    return nullptr;
}

HitTestResult ModelView::placeAt(QPointF point) const {
    HitTestResult place{document().selection(), {}};
    if (!model() || !model()->nothing().isEmpty())
        return place;
    if (const ModelFigure::Tile *tile = tileAt(point)) {
        place.selection = atHead(place.selection, tile->place);
    } else if (const auto card = cardAt(point)) {
        const ModelFigure::Card &large = model()->cards()[*card];
        place.selection = atHead(place.selection, large.place);
        const HeatmapGeometry cells = model()->cardGeometry(geometry(), *card);
        if (!large.isSample && !cells.cell.isEmpty())
            place.cell = cells.cellAt(point);
    }
    return place;
}

QString ModelView::wordsOfHead(const ModelFigure::Tile &tile, bool isLong) const {
    const ShownRun shown = run();
    const auto glances = m_glances.of(*shown.trace, shown.selection.sequence);
    const core::HeadGlance *glance = glances ? glances->of(tile.place) : nullptr;
    const QString effect = model()->effects()
                               ? effectWords(shown.trace->model(), *model()->effects(), tile.place)
                               : QString();
    if (!effect.isEmpty() && (!isLong || !glance))
        return labelled(tile.words, effect);
    if (model()->numbers() && model()->numbers()->isChange)
        return labelled(tile.words, numberWords(*model()->numbers(), tile.place));
    if (!glance)
        return tile.words;
    QStringList measures{!isLong            ? QString()
                         : effect.isEmpty() ? tile.words
                                            : labelled(tile.words, effect)};
    for (const core::NamedMeasure &measure : core::kNamedMeasures)
        if (const std::optional<double> &value = glance->measures.*measure.measure)
            measures << tr("%1 %2").arg(isLong ? titleOf(measure) : shortTitleOf(measure),
                                        measureText(value));
    return isLong ? measures.join(QLatin1Char('\n'))
                  : labelled(tile.words, enumerated(measures.mid(1)));
}

QString ModelView::wordsAt(QPointF point) const {
    if (!model() || !model()->nothing().isEmpty())
        return {};
    const QPointF at = inFigure(point);
    if (const ModelFigure::Tile *tile = tileAt(at))
        return wordsOfHead(*tile);
    const auto card = cardAt(at);
    if (card && model()->pinButton(geometry(), *card).contains(at))
        return model()->cards()[*card].isPinned
                   ? tr("Unpin the head (P)")
                   : tr("Pin the head: keep it large next to others (P)");
    return FigureView::wordsAt(point);
}

ShownHeatmap ModelView::shownHeatmap() {
    const auto *shown = static_cast<const ModelFigure *>(figure());
    if (!shown || shown->cards().empty() || shown->cards()[shown->selectedCard()].isSample)
        return {};
    return {&shown->cards()[shown->selectedCard()].figure.content(), *largeGeometry(),
            core::Stage::AttentionWeights};
}

std::optional<HeatmapGeometry> ModelView::largeGeometry() const {
    if (!model() || model()->cards().empty())
        return std::nullopt;
    return model()->cardGeometry(geometry(), model()->selectedCard());
}

std::vector<HeatmapGeometry> ModelView::labelledGeometries() const {
    std::vector<HeatmapGeometry> all;
    if (model())
        for (std::size_t card = 0; card < model()->cards().size(); ++card)
            all.push_back(model()->cardGeometry(geometry(), card));
    return all;
}

/// A pinned head may belong to another kind of attention, with other tokens than the selected one.
core::Selection ModelView::labelledSelection(std::size_t card) const {
    return atHead(shownSelection(), model()->cards()[card].place);
}

bool ModelView::isComplete() {
    const bool showsEffects =
        m_showsEffects && document().comparison().compared().shown == ComparisonSide::Now;
    if (!document().trace() || (showsEffects && m_silencedAll.isBusy()))
        return false;
    const Compared compared = document().comparison().compared();
    if (compared.shown != ComparisonSide::Now && !compared.a)
        return false; // A's large head is missing
    const ShownRun shown = run();
    if (core::attentionsWithWeights(*shown.trace).empty())
        return true; // the figure only explains why there are no heads
    if (const auto sides = comparedSides()) {
        const ModelChanges::FoundPointer found = m_changes.of(*sides);
        if (!found || (!found->isComplete && !found->error))
            return false;
    }
    const auto glances = m_glances.of(*shown.trace, shown.selection.sequence);
    return glances && !glances->next();
}

bool ModelView::handleKey(QKeyEvent *event) {
    if (event->modifiers() & ~Qt::KeypadModifier || !figure())
        return false;
    if (model()->tiles().empty()) {
        // Until A is available, the keys that choose a head must not move over tokens instead.
        const Compared compared = document().comparison().comparedAsComputed();
        constexpr std::array kMoves{Qt::Key_Left, Qt::Key_Right, Qt::Key_Up,
                                    Qt::Key_Down, Qt::Key_Home,  Qt::Key_End};
        return compared.shown != ComparisonSide::Now && !compared.a &&
               std::ranges::find(kMoves, event->key()) != kMoves.end();
    }
    const auto go = [this](int layers, int heads) {
        const core::Selection &from = document().requestedSelection();
        choose(model()->neighbour({from.attention(), from.head}, layers, heads));
        const auto tile = std::ranges::find(model()->tiles(), chosen(), &ModelFigure::Tile::place);
        if (tile != model()->tiles().end())
            emit hovered(wordsOfHead(*tile));
        return true;
    };
    constexpr int kFar = 1 << 20;
    switch (event->key()) {
    case Qt::Key_Left:
        return go(0, -1);
    case Qt::Key_Right:
        return go(0, 1);
    case Qt::Key_Up:
        return go(-1, 0);
    case Qt::Key_Down:
        return go(1, 0);
    case Qt::Key_Home:
        return go(0, -kFar);
    case Qt::Key_End:
        return go(0, kFar);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit closeUpRequested();
        return true;
    case Qt::Key_P:
        togglePin(chosen());
        return true;
    default:
        return false;
    }
}

void ModelView::mousePressEvent(QMouseEvent *event) {
    const auto card = figure() && event->button() == Qt::LeftButton && !isSpaceDown()
                          ? cardAt(inFigure(event->position()))
                          : std::nullopt;
    if (card && model()->pinButton(geometry(), *card).contains(inFigure(event->position())))
        return togglePin(model()->cards()[*card].place);
    FigureView::mousePressEvent(event);
}

void ModelView::mouseDoubleClickEvent(QMouseEvent *event) {
    const QPointF at = inFigure(event->position());
    if (event->button() != Qt::LeftButton || isMaskEditing() || !figure() ||
        (!tileAt(at) && !cardAt(at)))
        return FigureView::mouseDoubleClickEvent(event);
    emit closeUpRequested(); // the first click has selected the head
}

void ModelView::resizeEvent(QResizeEvent *event) {
    layOut();
    remake(); // the figure leaves room for the controls
    FigureView::resizeEvent(event);
}

void ModelView::showEvent(QShowEvent *event) {
    FigureView::showEvent(event);
    document().wantGlances();
    showList();
    showSilencing();
    followFirstPass();
    remake();
}

void ModelView::hideEvent(QHideEvent *event) {
    FigureView::hideEvent(event);
    m_glances.rest();
    m_changes.rest();
    m_similar.rest();
    m_silenced.forget();
    followFirstPass();
}

bool ModelView::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip && model() && model()->nothing().isEmpty()) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const ModelFigure::Tile *tile = tileAt(inFigure(help->pos()))) {
            QToolTip::showText(help->globalPos(), wordsOfHead(*tile, true), this);
            return true;
        }
    }
    // Takes P before the window, in which P hides padding.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_P && key->modifiers() == Qt::NoModifier) {
            event->accept();
            return true;
        }
    }
    return FigureView::event(event);
}

} // namespace headlight::ui
