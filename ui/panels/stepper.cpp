#include "ui/panels/stepper.h"

#include "ui/figures/flow_figure.h"
#include "ui/figures/trace_heatmap.h"
#include "ui/panels/step_icon.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QStyle>
#include <QTimer>
#include <QToolButton>

namespace headlight::ui {

QString chipText(core::Stage stage) {
    using enum core::Stage;
    switch (stage) {
    case Embeddings:
        return QStringLiteral("X");
    case EmbeddingSum:
    case Positioned:
        return QStringLiteral("X + P");
    case Query:
        return QStringLiteral("Q");
    case Key:
        return QStringLiteral("K");
    case Value:
        return QStringLiteral("V");
    case Scores:
        return QStringLiteral("QKᵀ");
    case ScaledScores:
        return QStringLiteral("÷√d");
    case MaskedScores:
        return Stepper::tr("mask");
    case Weights:
        return Stepper::tr("softmax");
    case Context:
        return QStringLiteral("A·V");
    case Concatenated:
        return Stepper::tr("concat");
    case Output:
        return QStringLiteral("W_O");
    }
    return {};
}

Stepper::Stepper(Document &document, QWidget *parent)
    : QToolBar(tr("Stepper"), parent),
      m_document(document),
      m_style(FigureStyle::light()),
      m_chips(new QWidget),
      m_chipLayout(new QHBoxLayout(m_chips)),
      m_group(new QButtonGroup(this)),
      m_timer(new QTimer(this)) {
    setObjectName("stepper");
    setMovable(false);
    setIconSize(QSize(16, 16));
    m_first = addAction(QString(), this, &Stepper::first);
    m_back = addAction(QString(), this, &Stepper::back);
    m_play = addAction(QString());
    m_next = addAction(QString(), this, &Stepper::next);
    m_last = addAction(QString(), this, &Stepper::last);
    struct Words {
        QAction *action;
        QString name;
        QKeySequence key;
    };
    const Words words[] = {{m_first, tr("First stage"), QKeySequence(Qt::CTRL | Qt::Key_PageUp)},
                           {m_back, tr("Previous stage"), QKeySequence(Qt::Key_PageUp)},
                           {m_play, tr("Play the stages"), QKeySequence()},
                           {m_next, tr("Next stage"), QKeySequence(Qt::Key_PageDown)},
                           {m_last, tr("Last stage"), QKeySequence(Qt::CTRL | Qt::Key_PageDown)}};
    for (const Words &word : words) {
        word.action->setText(word.name);
        word.action->setShortcut(word.key);
        word.action->setToolTip(
            word.key.isEmpty()
                ? word.name
                : QString("%1 (%2)").arg(word.name, word.key.toString(QKeySequence::NativeText)));
        if (auto *button = qobject_cast<QToolButton *>(widgetForAction(word.action)))
            button->setAccessibleName(word.name);
    }
    m_play->setCheckable(true);
    connect(m_play, &QAction::toggled, this, &Stepper::setPlaying);

    m_chipLayout->setContentsMargins(8, 0, 8, 0);
    m_chipLayout->setSpacing(8);
    auto *scroll = new QScrollArea; // many stages on a small screen can be scrolled to
    scroll->setWidget(m_chips);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    scroll->setFixedHeight(44);
    addWidget(scroll);

    m_timer->setInterval(1200);
    connect(m_timer, &QTimer::timeout, this, [this] {
        next();
        if (currentIndex() + 1 >= static_cast<qsizetype>(m_stages.size()))
            m_play->setChecked(false);
    });
    connect(m_group, &QButtonGroup::idClicked, this, [this](int id) { goTo(id); });
    connect(&document, &Document::changed, this, &Stepper::documentChanged);
}

QList<QAction *> Stepper::stepActions() const {
    return {m_first, m_back, m_play, m_next, m_last};
}

void Stepper::setStyle(const FigureStyle &style) {
    m_style = style;
    showIcons();
    m_stages.clear();
    documentChanged(TraceChanged{});
}

void Stepper::showIcons() {
    const QColor disabled = mixed(m_style.mutedText, m_style.surface, 0.4);
    const StepSymbol playing = m_play->isChecked() ? StepSymbol::Pause : StepSymbol::Play;
    const std::pair<QAction *, StepSymbol> symbols[] = {{m_first, StepSymbol::First},
                                                        {m_back, StepSymbol::Back},
                                                        {m_play, playing},
                                                        {m_next, StepSymbol::Next},
                                                        {m_last, StepSymbol::Last}};
    for (const auto &[action, symbol] : symbols)
        action->setIcon(stepIcon(
            symbol, action == m_play && m_play->isChecked() ? m_style.accent : m_style.text,
            disabled));
}

void Stepper::setPlaying(bool playing) {
    m_play->setChecked(playing);
    showIcons();
    if (!playing)
        return m_timer->stop();
    if (currentIndex() + 1 >= static_cast<qsizetype>(m_stages.size()))
        first();
    m_timer->start();
}

void Stepper::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event))
        m_play->setChecked(false);
    if (is<TraceChanged>(event) && m_document.trace()) {
        const auto stages = FlowFigure::stagesOf(*m_document.trace(), m_document.selection().layer);
        if (stages != m_stages) {
            m_stages = stages;
            rebuildChips();
        }
    }
    if (is<TraceChanged>(event) || is<SelectionChanged>(event))
        showCurrent();
}

void Stepper::rebuildChips() {
    for (QAbstractButton *button : m_group->buttons())
        delete button;
    while (QLayoutItem *item = m_chipLayout->takeAt(0))
        delete item;
    for (std::size_t index = 0; index < m_stages.size(); ++index) {
        const core::Stage stage = m_stages[index];
        auto *chip = new QToolButton;
        chip->setObjectName("chip");
        chip->setText(chipText(stage));
        chip->setCheckable(true);
        chip->setAutoRaise(false);
        chip->setFocusPolicy(Qt::TabFocus);
        chip->setToolTip(titleOf(stage));
        chip->setAccessibleName(titleOf(stage));
        const core::Role role = core::infoOf(stage).role;
        if (role == core::Role::Query || role == core::Role::Key || role == core::Role::Value)
            chip->setStyleSheet(
                QString("QToolButton:!checked{color:%1;}").arg(m_style.colourOf(role).name()));
        m_group->addButton(chip, static_cast<int>(index));
        m_chipLayout->addWidget(chip);
    }
    m_chipLayout->addStretch();
}

qsizetype Stepper::currentIndex() const {
    if (!m_document.trace())
        return 0;
    const core::Selection &selection = m_document.selection();
    const core::Stage shown =
        FlowFigure::shownStage(*m_document.trace(), selection.stage, selection.layer);
    const auto found = std::find(m_stages.begin(), m_stages.end(), shown);
    return found == m_stages.end() ? 0 : found - m_stages.begin();
}

void Stepper::showCurrent() {
    const qsizetype index = currentIndex();
    if (QAbstractButton *chip = m_group->button(static_cast<int>(index)))
        chip->setChecked(true);
    m_first->setEnabled(index > 0);
    m_back->setEnabled(index > 0);
    m_next->setEnabled(index + 1 < static_cast<qsizetype>(m_stages.size()));
    m_last->setEnabled(m_next->isEnabled());
    // What has been passed looks filled, what is to come does not.
    for (QAbstractButton *button : m_group->buttons())
        button->setProperty("passed", m_group->id(button) < index);
    for (QAbstractButton *button : m_group->buttons()) {
        button->style()->unpolish(button);
        button->style()->polish(button);
    }
}

void Stepper::goTo(qsizetype index) {
    if (index < 0 || index >= static_cast<qsizetype>(m_stages.size()))
        return;
    core::Selection selection = m_document.selection();
    selection.stage = m_stages[static_cast<std::size_t>(index)];
    m_document.select(selection);
    showCurrent(); // also where nothing changed: a click on the checked chip must not uncheck it
}

} // namespace headlight::ui
