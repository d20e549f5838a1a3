#include "ui/panels/lesson_editor/step_list.h"

#include "ui/panels/lesson_editor/step_line.h"
#include "ui/text/one_line.h"
#include "ui/text/step_number.h"
#include "ui/text/symbol_text.h"
#include "ui/widgets/elided_button.h"

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QMenu>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

// Number of visible rows. It is small, because the list is above every page, and fixed, so that no
// button moves when a step is added.
constexpr int kRows = 4;

} // namespace

StepList::StepList(QWidget *parent)
    : QWidget(parent),
      m_list(new QListWidget),
      m_add(makeButton("addStepBehind", QStringLiteral("+"), tr("Add a step"),
                       tr("Add a step after this one that shows the current view (Insert)"))),
      m_templates(makeButton("addFromTemplate", tr("Kind"), tr("Add a step of a certain kind"),
                             tr("Add a step with a first draft about the selected cell: a "
                                "question, a worked example or an exercise"))),
      m_duplicate(makeButton("duplicateStep", QStringLiteral("⧉"), tr("Duplicate the step"),
                             tr("Duplicate this step (Ctrl+D)"))),
      m_remove(makeButton("removeStep", QStringLiteral("✕"), tr("Remove the step"),
                          tr("Remove the step; Undo brings it back (Delete)"))),
      m_up(makeButton("moveStepUp", QStringLiteral("↑"), tr("Move earlier"),
                      tr("Move the step one place earlier (Alt+Up)"))),
      m_down(makeButton("moveStepDown", QStringLiteral("↓"), tr("Move later"),
                        tr("Move the step one place later (Alt+Down)"))),
      m_full(new QWidget),
      m_line(new StepLine) {
    m_list->setObjectName("lessonStepList");
    m_list->setAccessibleName(tr("Steps of the lesson"));
    m_list->setToolTip(tr("Drag a step to move it. Insert adds one, Ctrl+D duplicates it, Delete "
                          "removes it, Alt+Up and Alt+Down move it"));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setDefaultDropAction(Qt::MoveAction);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (QWidget *widget : QList<QWidget *>{m_list, m_line->box()})
        widget->installEventFilter(this);
    makeTemplates();
    makeLineMenu();
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    for (QPushButton *button : {m_add, m_templates, m_duplicate, m_up, m_down, m_remove})
        buttons->addWidget(button, button == m_templates ? 2 : 1);
    auto *full = new QVBoxLayout(m_full);
    full->setContentsMargins(0, 0, 0, 0);
    full->setSpacing(4);
    full->addWidget(m_list);
    full->addLayout(buttons);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_full);
    layout->addWidget(m_line);
    m_line->hide();
    connect(m_line, &StepLine::chosen, this, [this](int step) { emit chosen(step); });
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0)
            emit chosen(row);
    });
    // Queued, because the list must finish the drop before it is rebuilt from the changed lesson.
    connect(
        m_list->model(), &QAbstractItemModel::rowsMoved, this,
        [this](const QModelIndex &, int from, int, const QModelIndex &, int before) {
            emit moveRequested(from, before > from ? before - 1 : before);
        },
        Qt::QueuedConnection);
    connect(m_add, &QPushButton::clicked, this, &StepList::addRequested);
    connect(m_duplicate, &QPushButton::clicked, this, &StepList::duplicateRequested);
    connect(m_remove, &QPushButton::clicked, this, &StepList::removeRequested);
    connect(m_up, &QPushButton::clicked, this, [this] { moveBy(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveBy(1); });
}

void StepList::makeTemplates() {
    auto *menu = new QMenu(tr("Add a step of a certain kind"), m_templates);
    const auto add = [this, menu](const char *name, const QString &words, const QString &toolTip,
                                  edits::StepTemplate made) {
        QAction *action =
            menu->addAction(words, this, [this, made] { emit templateRequested(made); });
        action->setObjectName(name);
        action->setToolTip(toolTip);
    };
    using edits::StepTemplate;
    add("templatePredict", tr("&Predict and reveal"),
        tr("Ask about the selected row, with its words as answers"),
        StepTemplate::PredictAndReveal);
    add("templateExample", tr("&Worked example"),
        tr("Show the selected number, with its arithmetic expanded in the picture"),
        StepTemplate::WorkedExample);
    add("templateExercise", tr("&Exercise"),
        tr("Let the student change numbers until the selected cell reaches a goal"),
        StepTemplate::Exercise);
    menu->setToolTipsVisible(true);
    m_templates->setMenu(menu);
}

/// Fills the menu of the line with the commands of the list's buttons.
void StepList::makeLineMenu() {
    QMenu *menu = m_line->menu();
    for (QPushButton *button : {m_add, m_duplicate, m_up, m_down, m_remove}) {
        QAction *action =
            menu->addAction(button->accessibleName(), this, [button] { button->click(); });
        action->setObjectName(button->objectName() + "InMenu");
        action->setToolTip(button->toolTip());
        m_lineEntries.push_back({action, button});
        if (button == m_add)
            menu->addMenu(m_templates->menu());
    }
}

QPushButton *StepList::makeButton(const char *name, const QString &text, const QString &words,
                                  const QString &toolTip) {
    auto *button = new ElidedButton(text);
    button->setObjectName(name);
    button->setAccessibleName(words);
    button->setToolTip(toolTip);
    return button;
}

void StepList::showSteps(const core::Lesson &lesson, core::Index present) {
    const QSignalBlocker silent(m_list);
    const auto count = static_cast<int>(lesson.steps.size());
    while (m_list->count() > count)
        delete m_list->takeItem(m_list->count() - 1);
    while (m_list->count() < count)
        m_list->addItem(QString());
    QStringList titles;
    for (int row = 0; row < count; ++row) {
        const QString title =
            plainSymbols(oneLine(lesson.steps[static_cast<std::size_t>(row)].title));
        titles << (title.trimmed().isEmpty() ? tr("(no title)") : title);
        m_list->item(row)->setText(tr("%1. %2").arg(stepNumber(row)).arg(titles.back()));
    }
    m_list->setCurrentRow(static_cast<int>(present));
    m_remove->setEnabled(count > 1);
    m_up->setEnabled(present > 0);
    m_down->setEnabled(present + 1 < count);
    m_line->showSteps(titles, static_cast<int>(present));
    for (const LineEntry &entry : m_lineEntries)
        entry.action->setEnabled(entry.button->isEnabled());
    fitHeight();
}

void StepList::setInOneLine(bool isLine) {
    if (m_line->isHidden() != isLine)
        return;
    const bool hasFocus = isAncestorOf(QApplication::focusWidget());
    QWidget *const shown = isLine ? static_cast<QWidget *>(m_line) : m_full;
    shown->show();
    if (hasFocus)
        (isLine ? static_cast<QWidget *>(m_line->box()) : m_list)->setFocus(Qt::OtherFocusReason);
    (isLine ? m_full : static_cast<QWidget *>(m_line))->hide();
}

void StepList::fitHeight() {
    const int row =
        m_list->count() > 0 ? m_list->sizeHintForRow(0) : m_list->fontMetrics().height();
    m_list->setFixedHeight(kRows * row + 2 * m_list->frameWidth() + 4);
}

void StepList::moveBy(int by) {
    const int from = m_list->currentRow(), to = from + by;
    if (from >= 0 && to >= 0 && to < m_list->count())
        emit moveRequested(from, to);
}

bool StepList::eventFilter(QObject *object, QEvent *event) {
    if ((object != m_list && object != m_line->box()) || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(object, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const Qt::KeyboardModifiers with = key->modifiers() & ~Qt::KeypadModifier;
    if (with == Qt::NoModifier && key->key() == Qt::Key_Insert)
        emit addRequested();
    else if (with == Qt::ControlModifier && key->key() == Qt::Key_D)
        emit duplicateRequested();
    else if (with == Qt::NoModifier && key->key() == Qt::Key_Delete && m_list->count() > 1)
        emit removeRequested();
    else if (with == Qt::AltModifier && key->key() == Qt::Key_Up)
        moveBy(-1);
    else if (with == Qt::AltModifier && key->key() == Qt::Key_Down)
        moveBy(1);
    else
        return QWidget::eventFilter(object, event);
    return true;
}

void StepList::changeEvent(QEvent *event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        QTimer::singleShot(0, this, &StepList::fitHeight); // after the list has adopted the font
    QWidget::changeEvent(event);
}

} // namespace headlight::ui
