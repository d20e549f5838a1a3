#include "ui/views/view_bar.h"

#include "ui/figures/heads/heads_figure.h"
#include "ui/views/compare_bar.h"
#include "ui/views/figure_view.h"

#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

namespace headlight::ui {

QString titleOf(Range range) {
    switch (range) {
    case Range::Fixed:
        return ViewBar::tr("fixed, 0 to 1");
    case Range::PerRow:
        return ViewBar::tr("each row its own");
    case Range::PerHead:
        return ViewBar::tr("each head its own");
    case Range::AllHeads:
        return ViewBar::tr("all heads the same");
    }
    return {};
}

namespace {

/// Adds a menu choice to an exclusive group.
template <typename Chosen>
void addChoice(QMenu *menu, QActionGroup *group, const QString &text, bool checked, Chosen chosen) {
    QAction *action = menu->addAction(text);
    action->setCheckable(true);
    action->setChecked(checked);
    group->addAction(action);
    QObject::connect(action, &QAction::triggered, menu, chosen);
}

QToolButton *menuButton(const char *name, const QString &said) {
    auto *button = new QToolButton;
    button->setObjectName(name);
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(said);
    button->setToolTip(said);
    button->setMenu(new QMenu(button));
    return button;
}

} // namespace

ViewBar::ViewBar(QTabWidget &tabs)
    : m_tabs(tabs),
      m_contextual(menuButton("contextual", tr("Which vectors are compared with the embeddings"))),
      m_order(menuButton("headOrder", tr("The order of the heads"))),
      m_look(menuButton("look", tr("Colours and their range"))),
      m_zoom(new QToolButton) {
    setObjectName("viewBar");
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 4, 8, 2);
    layout->setSpacing(4);
    if (view()) {
        Comparison &comparison = view()->document().comparison();
        m_compare = new CompareBar(comparison);
        connect(&comparison, &Comparison::changed, this, &ViewBar::showTexts);
        layout->addWidget(m_compare);
    }
    for (QToolButton *button : {m_contextual, m_order, m_look, m_zoom})
        layout->addWidget(button);
    connect(m_contextual->menu(), &QMenu::aboutToShow, this, &ViewBar::fillContextual);
    connect(m_order->menu(), &QMenu::aboutToShow, this, &ViewBar::fillOrder);
    connect(m_look->menu(), &QMenu::aboutToShow, this, &ViewBar::fillLook);
    makeZoom();
    connect(&tabs, &QTabWidget::currentChanged, this, [this] { show(view()); });
    tabs.installEventFilter(this);
    show(view());
}

FigureView *ViewBar::view() const {
    return qobject_cast<FigureView *>(m_tabs.currentWidget());
}

void ViewBar::makeZoom() {
    m_zoom->setObjectName("zoom");
    m_zoom->setAutoRaise(true);
    m_zoom->setFocusPolicy(Qt::TabFocus);
    const auto add = [this](const QString &text, const QList<QKeySequence> &keys, auto act) {
        auto *action = new QAction(text, this);
        action->setShortcuts(keys);
        connect(action, &QAction::triggered, this, [this, act] {
            if (FigureView *shown = view())
                act(*shown);
        });
        m_zoomActions.append(action);
    };
    add(tr("Zoom &in"),
        {QKeySequence(Qt::CTRL |
                      Qt::Key_Equal)}, // Ctrl++ with Shift is Larger text: see FigureView
        [](FigureView &shown) { shown.zoomBy(1.25); });
    add(tr("Zoom &out"), {QKeySequence(Qt::CTRL | Qt::Key_Minus)},
        [](FigureView &shown) { shown.zoomBy(0.8); });
    add(tr("&Fit"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, [](FigureView &shown) { shown.fit(); });
    connect(m_zoom, &QToolButton::clicked, m_zoomActions.last(), &QAction::trigger);
}

void ViewBar::show(FigureView *view) {
    if (m_shown)
        disconnect(m_shown, nullptr, this, nullptr);
    m_shown = view;
    setVisible(view != nullptr);
    if (!view)
        return;
    if (m_compare)
        m_compare->setView(view->info());
    connect(view, &FigureView::optionsChanged, this, &ViewBar::showTexts);
    connect(view, &FigureView::zoomChanged, this, &ViewBar::showTexts);
    showTexts();
}

void ViewBar::showTexts() {
    if (!m_shown)
        return;
    const FigureOptions &options = m_shown->options();
    const QString percent = tr("%1 %").arg(qRound(100 * m_shown->zoom()));
    m_zoom->setText(percent);
    m_zoom->setAccessibleName(tr("Zoom: %1; press to fit").arg(percent));
    m_zoom->setToolTip(m_zoom->accessibleName());
    // Separate button for the range: users do not look for it under colours.
    m_look->setToolTip(m_shown->info().has(Choice::Range)
                           ? tr("Colours and their range, now: %1.\nWith “%2” small weights of a "
                                "long text show as well.")
                                 .arg(titleOf(options.range), titleOf(Range::PerRow))
                           : m_look->accessibleName());
    m_look->setVisible(m_shown->info().has(Choice::Colours));
    m_contextual->setVisible(m_shown->info().has(Choice::Contextual));
    const bool hasMeasure = m_shown->info().has(Choice::Measure);
    m_order->setVisible(hasMeasure || m_shown->info().has(Choice::HeadOrder));
    m_order->setAccessibleName(hasMeasure ? tr("What is measured of the heads")
                                          : tr("The order of the heads"));
    m_order->setToolTip(m_order->accessibleName());
    const auto setTexts = [&](bool isShort) {
        m_contextual->setText(isShort                                     ? QStringLiteral("Z")
                              : options.contextual == core::Stage::Output ? tr("output")
                                                                          : tr("context"));
        m_order->setText(isShort      ? QStringLiteral("⇅")
                         : hasMeasure ? options.measure == core::HeadOrder::ByIndex
                                            ? tr("Heads")
                                            : tr("Heads: %1").arg(titleOf(options.measure))
                         : options.order == core::HeadOrder::ByIndex
                             ? tr("by index")
                             : tr("by %1").arg(titleOf(options.order)));
        m_look->setText(isShort ? QStringLiteral("◑") : tr("Colours"));
        if (m_compare)
            m_compare->setShort(isShort);
    };
    const auto fits = [this] {
        return m_tabs.tabBar()->sizeHint().width() + sizeHint().width() <= m_tabs.width();
    };
    if (m_compare)
        m_compare->show();
    m_zoom->show();
    setTexts(false);
    if (fits())
        return;
    setTexts(true);
    if (m_compare && !fits()) // disabled controls are hidden first
        m_compare->setVisible(view()->document().comparison().hasA());
    if (!fits() && m_shown->zoom() == 1) // the menu also has zoom
        m_zoom->hide();
}

bool ViewBar::eventFilter(QObject *object, QEvent *event) {
    if (event->type() == QEvent::Resize)
        showTexts();
    return QWidget::eventFilter(object, event);
}

void ViewBar::fillContextual() {
    QMenu *menu = m_contextual->menu();
    menu->clear();
    auto *group = new QActionGroup(menu);
    const std::pair<core::Stage, QString> choices[] = {
        {core::Stage::Context, tr("the context of the selected head")},
        {core::Stage::Output, tr("the output of the layer")}};
    for (const auto &[stage, text] : choices)
        addChoice(menu, group, text, m_shown->options().contextual == stage,
                  [this, stage = stage] { m_shown->setContextual(stage); });
}

void ViewBar::fillOrder() {
    QMenu *menu = m_order->menu();
    menu->clear();
    auto *group = new QActionGroup(menu);
    if (m_shown->info().has(Choice::Measure)) {
        for (const core::HeadOrder measure : core::kHeadOrders)
            addChoice(menu, group,
                      measure == core::HeadOrder::ByIndex ? tr("induction, where there is any")
                                                          : titleOf(measure),
                      m_shown->options().measure == measure,
                      [this, measure] { m_shown->setMeasure(measure); });
        return;
    }
    for (const core::HeadOrder order : core::kHeadOrders)
        addChoice(menu, group, tr("by %1").arg(titleOf(order)), m_shown->options().order == order,
                  [this, order] { m_shown->setHeadOrder(order); });
}

void ViewBar::fillLook() {
    QMenu *menu = m_look->menu();
    menu->clear();
    if (m_shown->info().has(Choice::Range)) {
        menu->addSection(tr("Range"));
        auto *ranges = new QActionGroup(menu);
        for (const Range range : kRanges)
            addChoice(menu, ranges, titleOf(range), m_shown->options().range == range,
                      [this, range] { m_shown->setRange(range); });
    }
    for (const bool diverging : {false, true}) {
        if (!diverging && !m_shown->info().has(Choice::Range))
            continue; // the view shows signed values only
        menu->addSection(diverging ? tr("Signed values") : tr("Weights"));
        auto *maps = new QActionGroup(menu);
        const FigureStyle &style = m_shown->figureStyle();
        for (const ColourMap map : allColourMaps())
            if (isDiverging(map) == diverging)
                addChoice(menu, maps, titleOf(map),
                          map == (diverging ? style.signedMap : style.weightsMap),
                          [this, map] { m_shown->setColours(map); });
    }
}

} // namespace headlight::ui
