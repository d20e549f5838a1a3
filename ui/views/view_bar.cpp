#include "ui/views/view_bar.h"

#include "ui/figures/heads/heads_figure.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/views/combination_menu.h"
#include "ui/views/compare_bar.h"
#include "ui/views/figure_view.h"
#include "ui/views/heads_view.h"
#include "ui/views/option_choices.h"
#include "ui/widgets/bar_buttons.h"

#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>

namespace headlight::ui {

namespace {

QToolButton *namedMenuButton(const char *name, const QString &words) {
    QToolButton *button = menuButton(name);
    button->setAccessibleName(words);
    button->setToolTip(words);
    return button;
}

} // namespace

ViewBar::ViewBar(QTabWidget &tabs, MechanismActions *mechanism)
    : m_tabs(tabs),
      m_mechanism(mechanism),
      m_head(namedMenuButton("head", tr("Select another head ([ and ])"))),
      m_contextual(namedMenuButton("contextual", tr("Vectors to compare with the embeddings"))),
      m_combination(namedMenuButton("combination", tr("What the large picture shows: a head, or "
                                                      "several of them combined"))),
      m_order(namedMenuButton("headOrder", tr("The order of the heads"))),
      m_look(namedMenuButton("look", tr("Colours and their range"))),
      m_zoom(barButton("zoom")) {
    setObjectName("viewBar");
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 4, 8, 2);
    layout->setSpacing(4);
    if (view()) {
        Comparison &comparison = view()->document().comparison();
        m_compare = new CompareBar(comparison);
        connect(&comparison, &Comparison::changed, this, &ViewBar::showTexts);
        connect(&view()->document(), &Document::changed, this, [this](const ChangeEvent &event) {
            if (is<SessionChanged>(event) || is<SelectionChanged>(event))
                showTexts();
        });
        layout->addWidget(m_compare);
    }
    for (QToolButton *button : {m_head, m_contextual, m_combination, m_order, m_look, m_zoom})
        layout->addWidget(button);
    const auto fillBy = [this](QToolButton *button, void (ViewBar::*fill)(QMenu &)) {
        connect(button->menu(), &QMenu::aboutToShow, this, [this, button, fill] {
            button->menu()->clear();
            (this->*fill)(*button->menu());
        });
    };
    fillBy(m_head, &ViewBar::fillHead);
    fillBy(m_contextual, &ViewBar::fillContextual);
    fillBy(m_combination, &ViewBar::fillCombination);
    fillBy(m_order, &ViewBar::fillOrder);
    fillBy(m_look, &ViewBar::fillLook);
    makeZoom();
    connect(&tabs, &QTabWidget::currentChanged, this, [this] { show(view()); });
    tabs.installEventFilter(this);
    show(view());
}

FigureView *ViewBar::view() const {
    return qobject_cast<FigureView *>(m_tabs.currentWidget());
}

void ViewBar::makeZoom() {
    m_zoom->setAutoRaise(true);
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
        {QKeySequence(Qt::CTRL | Qt::Key_Equal)}, // Ctrl+Shift++ is Larger text; see FigureView
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
    connect(view, &FigureView::colourBarChanged, this, &ViewBar::showTexts);
    showTexts();
}

void ViewBar::showTexts() {
    if (!m_shown)
        return;
    showHead();
    const FigureOptions &options = m_shown->options();
    const QString percent = tr("%1 %").arg(qRound(100 * m_shown->zoom()));
    m_zoom->setText(percent);
    m_zoom->setAccessibleName(tr("Zoom: %1; press to fit").arg(percent));
    m_zoom->setToolTip(m_zoom->accessibleName());
    const OptionChoice &range = optionChoice("range");
    FigureOptions eachRow;
    eachRow.range = Range::PerRow;
    // Name the range in the tooltip, because users do not look for it under colours.
    m_look->setToolTip(m_shown->info().has(Choice::Range)
                           ? tr("Colours and their range: %1.\nWith “%2”, small weights of a long "
                                "text are visible too.")
                                 .arg(range.valueIn(options).title, range.valueIn(eachRow).title)
                           : m_look->accessibleName());
    m_look->setVisible(m_shown->info().has(Choice::Colours) && !m_shown->hasColourBar());
    m_contextual->setVisible(m_shown->info().has(Choice::Contextual));
    const auto *heads = qobject_cast<HeadsView *>(m_shown);
    const QString combined = heads ? combinationText(*heads) : QString();
    m_combination->setVisible(heads && heads->canCombine());
    m_combination->setToolTip(
        tr("What the large picture shows: a head, or several of them combined"));
    m_combination->setAccessibleName(tr("Large picture: %1").arg(combined));
    const bool hasMeasure = m_shown->info().has(Choice::Measure);
    m_order->setVisible(hasMeasure || m_shown->info().has(Choice::HeadOrder));
    m_order->setAccessibleName(hasMeasure ? tr("Measure of the heads")
                                          : tr("The order of the heads"));
    m_order->setToolTip(m_order->accessibleName());
    const auto setTexts = [&](bool isShort) {
        m_contextual->setText(isShort                                     ? QStringLiteral("Z")
                              : options.contextual == core::Stage::Output ? tr("output")
                                                                          : tr("context"));
        m_combination->setText(isShort ? QStringLiteral("Σ") : combined);
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
        const int tabs =
            std::max(m_tabs.tabBar()->sizeHint().width(), m_tabs.property(kPreferredWidth).toInt());
        return tabs + sizeHint().width() <= m_tabs.width();
    };
    if (m_compare) // without an A, only the menu offers a comparison
        m_compare->setVisible(view()->document().comparison().hasA());
    m_zoom->show();
    setTexts(false);
    if (fits())
        return;
    setTexts(true);
    if (!fits() && m_shown->zoom() == 1) // the menu also has zoom
        m_zoom->hide();
}

void ViewBar::showHead() {
    if (!m_shown)
        return;
    const core::Model &model = m_shown->document().state().model;
    const core::Selection &selection = m_shown->document().selection();
    const core::View view = m_shown->info().view;
    m_head->setText(tr("head %1").arg(selection.head));
    m_head->setAccessibleName(m_head->text());
    m_head->setVisible(m_mechanism && view != core::View::CloseUp && view != core::View::Heads &&
                       model.hasAttention(selection.attention()) &&
                       model.headsOf(selection.attention()) > 1);
}

void ViewBar::fillHead(QMenu &menu) {
    m_mechanism->fill(menu, MechanismActions::Setting::Head);
}

bool ViewBar::eventFilter(QObject *object, QEvent *event) {
    const bool isOtherWidth =
        event->type() == QEvent::DynamicPropertyChange &&
        static_cast<QDynamicPropertyChangeEvent *>(event)->propertyName() == kPreferredWidth;
    if (event->type() == QEvent::Resize || isOtherWidth)
        showTexts();
    return QWidget::eventFilter(object, event);
}

void ViewBar::fillContextual(QMenu &menu) {
    menu.addActions(makeActions(optionChoice("contextual"), *m_shown, &menu));
}

void ViewBar::fillCombination(QMenu &menu) {
    if (auto *heads = qobject_cast<HeadsView *>(m_shown))
        fillCombinationMenu(menu, *heads);
}

void ViewBar::fillOrder(QMenu &menu) {
    const bool hasMeasure = m_shown->info().has(Choice::Measure);
    menu.addActions(makeActions(optionChoice(hasMeasure ? "measure" : "order"), *m_shown, &menu));
}

void ViewBar::fillLook(QMenu &menu) {
    fillLookMenu(menu, *m_shown);
}

} // namespace headlight::ui
