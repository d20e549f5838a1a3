#include "ui/panels/lesson_editor/step_line.h"

#include "ui/text/step_number.h"
#include "ui/widgets/elided_button.h"
#include "ui/widgets/elided_combo_box.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>

namespace headlight::ui {

namespace {

constexpr int kMinTitle = 6; // letters of the step that are visible in a narrow dock

} // namespace

StepLine::StepLine(QWidget *parent)
    : QWidget(parent),
      m_box(new ElidedComboBox),
      m_before(makeButton("editStepBefore", QStringLiteral("‹"), tr("Edit the previous step"),
                          tr("Go to the previous step"))),
      m_after(makeButton("editStepAfter", QStringLiteral("›"), tr("Edit the next step"),
                         tr("Go to the next step"))),
      m_more(makeButton("stepCommands", QStringLiteral("…"), tr("Commands for the step"),
                        tr("Add, duplicate, move or remove a step"))),
      m_menu(new QMenu(m_more)) {
    m_box->setObjectName("lessonStepLine");
    m_box->setAccessibleName(tr("Step of the lesson"));
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(kMinTitle);
    m_menu->setToolTipsVisible(true);
    m_more->setMenu(m_menu);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_before);
    layout->addWidget(m_box, 1);
    layout->addWidget(m_after);
    layout->addWidget(m_more);
    connect(m_box, &QComboBox::currentIndexChanged, this, [this](int step) {
        if (step >= 0)
            emit chosen(step);
    });
    connect(m_before, &QPushButton::clicked, this,
            [this] { emit chosen(m_box->currentIndex() - 1); });
    connect(m_after, &QPushButton::clicked, this,
            [this] { emit chosen(m_box->currentIndex() + 1); });
}

QPushButton *StepLine::makeButton(const char *name, const QString &text, const QString &words,
                                  const QString &toolTip) {
    auto *button = new ElidedButton(text);
    button->setObjectName(name);
    button->setAccessibleName(words);
    button->setToolTip(toolTip);
    return button;
}

void StepLine::showSteps(const QStringList &titles, int present) {
    const QSignalBlocker silent(m_box);
    const auto count = static_cast<int>(titles.size());
    while (m_box->count() > count)
        m_box->removeItem(m_box->count() - 1);
    while (m_box->count() < count)
        m_box->addItem(QString());
    for (int step = 0; step < count; ++step) {
        const QString words = tr("%1 of %2: %3").arg(stepNumber(step)).arg(count).arg(titles[step]);
        m_box->setItemText(step, words);
        m_box->setItemData(step, words, Qt::ToolTipRole);
    }
    m_box->setCurrentIndex(present);
    m_box->setToolTip(tr("%1\nInsert adds a step, Ctrl+D duplicates it, Delete removes it, Alt+Up "
                         "and Alt+Down move it")
                          .arg(m_box->currentText()));
    m_before->setEnabled(present > 0);
    m_after->setEnabled(present + 1 < count);
}

} // namespace headlight::ui
