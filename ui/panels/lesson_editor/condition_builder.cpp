#include "ui/panels/lesson_editor/condition_builder.h"

#include "core/format_number.h"
#include "core/lesson/cell_mark.h"
#include "core/lesson/claim.h"
#include "core/lesson/step_condition.h"
#include "core/lesson/step_number.h"
#include "ui/text/core_message.h"
#include "ui/widgets/message_label.h"
#include "ui/widgets/wrapped_button.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

constexpr double kMaxBuiltNumber = 1e6;
constexpr int kCellLines = 2, kBuiltLines = 3; // lines of text
enum Comparison { More, Less, Equal, Largest };

} // namespace

ConditionBuilder::ConditionBuilder(const QString &name, Proposal proposal, Document &document,
                                   QWidget *parent)
    : QFrame(parent),
      m_document(document),
      m_proposal(proposal),
      m_cell(new MessageLabel(kCellLines)),
      m_words(new MessageLabel(kBuiltLines)),
      m_comparison(new QComboBox),
      m_number(new QDoubleSpinBox),
      m_other(makeButton(name + "Other", tr("Compare with another cell"),
                         tr("Keep this cell, then click the other one in the picture"))),
      m_use(makeButton(name + "Use", tr("Use"), tr("Use this comparison as the condition"))),
      m_join(makeButton(name + "Join", tr("And"),
                        tr("Add this comparison to the condition; both must hold"))) {
    setObjectName(name);
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Build the condition"));
    m_cell->setObjectName(name + "Cell");
    m_words->setObjectName(name + "Words");
    m_comparison->setObjectName(name + "Comparison");
    m_comparison->setAccessibleName(tr("Comparison"));
    m_comparison->setToolTip(tr("How the cell is compared"));
    m_comparison->addItems({tr("is more than"), tr("is less than"), tr("is equal to"),
                            tr("is the largest of its row")});
    m_number->setObjectName(name + "Number");
    m_number->setAccessibleName(tr("Number to compare with"));
    m_number->setToolTip(tr("The number that the cell is compared with"));
    m_number->setRange(-kMaxBuiltNumber, kMaxBuiltNumber);
    m_number->setSingleStep(0.1);
    m_number->setLocale(QLocale::c()); // conditions have a decimal point
    m_other->setCheckable(true);
    auto *choice = new QHBoxLayout;
    choice->setSpacing(6);
    choice->addWidget(m_comparison, 1);
    choice->addWidget(m_number);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    buttons->addWidget(m_use, 1);
    buttons->addWidget(m_join, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(4);
    layout->addWidget(m_cell);
    layout->addLayout(choice);
    layout->addWidget(m_other);
    layout->addWidget(m_words);
    layout->addLayout(buttons);
    connect(m_comparison, &QComboBox::currentIndexChanged, this, &ConditionBuilder::showCondition);
    connect(m_number, &QDoubleSpinBox::valueChanged, this, &ConditionBuilder::showCondition);
    connect(m_other, &QPushButton::clicked, this, &ConditionBuilder::keepCell);
    connect(m_use, &QPushButton::clicked, this, [this] { emit used(condition(), false); });
    connect(m_join, &QPushButton::clicked, this, [this] { emit used(condition(), true); });
    connect(&document, &Document::changed, this, &ConditionBuilder::documentChanged);
}

QPushButton *ConditionBuilder::makeButton(const QString &name, const QString &text,
                                          const QString &toolTip) {
    auto *button = new WrappedButton(text);
    button->setObjectName(name);
    button->setAccessibleName(text);
    button->setToolTip(toolTip);
    return button;
}

void ConditionBuilder::begin(const QString &condition) {
    m_first.clear();
    m_mark.clear();
    m_other->setChecked(false);
    m_isGiven = takeCondition(condition);
    if (m_isGiven)
        showCondition();
    else
        takeCell();
}

void ConditionBuilder::showEvent(QShowEvent *event) {
    if (!m_isGiven)
        takeCell();
    QFrame::showEvent(event);
}

void ConditionBuilder::documentChanged(const ChangeEvent &event) {
    if (!isVisible() || !(is<SelectionChanged>(event) || is<TraceChanged>(event)))
        return;
    m_isGiven = m_isGiven && is<TraceChanged>(event);
    if (m_isGiven)
        showCondition();
    else
        takeCell();
}

/// Takes the selected cell and proposes a comparison of its value with a number.
void ConditionBuilder::takeCell() {
    const core::TracePointer &trace = m_document.trace();
    const QString before = m_mark;
    const bool isWhole = m_document.selection().key || m_document.selection().dimension;
    m_mark = trace && isWhole
                 ? QString::fromStdString(core::cellMark(m_document.selectionInTrace(), *trace))
                 : QString();
    if (!m_mark.isEmpty() && m_mark != before && m_first.isEmpty() &&
        m_comparison->currentIndex() != Largest) {
        const auto propose = m_proposal == Proposal::Goal ? core::goalAbout : core::claimAbout;
        if (const core::Result<std::string> proposed = propose(m_mark.toStdString(), *trace))
            takeCondition(QString::fromStdString(*proposed));
    }
    showCondition();
}

/// Takes the cell, the comparison and the number from a condition. Returns false for any other kind
/// of condition.
bool ConditionBuilder::takeCondition(const QString &condition) {
    // The field for the number has two decimals.
    static const QRegularExpression comparison(
        R"(^(?!not )([^&<>=]+) ([<>=]) (-?\d{1,6}(\.\d{1,2})?)$)");
    const QRegularExpressionMatch parts = comparison.match(condition.trimmed());
    if (!parts.hasMatch())
        return false;
    const QSignalBlocker silent(m_number), silentToo(m_comparison);
    m_mark = parts.captured(1);
    m_comparison->setCurrentIndex(
        static_cast<int>(QStringLiteral("><=").indexOf(parts.captured(2))));
    m_number->setValue(parts.captured(3).toDouble());
    return true;
}

void ConditionBuilder::keepCell(bool keeps) {
    m_first = keeps ? m_mark : QString();
    showCondition();
}

QString ConditionBuilder::condition() const {
    const QString left = m_first.isEmpty() ? m_mark : m_first;
    if (left.isEmpty())
        return {};
    const int comparison = m_comparison->currentIndex();
    if (comparison == Largest)
        return QStringLiteral("most %1").arg(left);
    const QString sign = comparison == More ? ">" : comparison == Less ? "<" : "=";
    QString right = m_mark;
    if (m_first.isEmpty())
        right = QString::fromStdString(core::exact(static_cast<float>(m_number->value())));
    else if (m_mark == m_first)
        return {}; // the user has not selected another cell yet
    return QStringLiteral("%1 %2 %3").arg(left, sign, right);
}

void ConditionBuilder::showCondition() {
    const core::TracePointer &trace = m_document.trace();
    const bool isLargest = m_comparison->currentIndex() == Largest;
    m_number->setVisible(!isLargest && m_first.isEmpty());
    m_other->setEnabled(!isLargest && (!m_mark.isEmpty() || !m_first.isEmpty()));
    const QString left = m_first.isEmpty() ? m_mark : m_first;
    if (left.isEmpty()) {
        m_cell->showMessage(tr("Click a cell in the picture."));
    } else {
        const core::Result<core::StepNumber> number =
            trace ? core::numberOf(left.toStdString(), *trace)
                  : core::Result<core::StepNumber>(core::StepNumber{0, "…"});
        m_cell->showMessage(number ? tr("%1 is %2").arg(left, QString::fromStdString(number->text))
                                   : translated(number.error()));
    }
    const QString built = condition();
    for (QPushButton *button : {m_use, m_join})
        button->setEnabled(!built.isEmpty());
    if (built.isEmpty() || !trace)
        return m_words->showMessage(m_first.isEmpty() ? QString()
                                                      : tr("Click the other cell in the picture."));
    const core::Result<bool> holds = core::conditionHolds(built.toStdString(), *trace);
    m_words->showMessage(!holds   ? translated(holds.error())
                         : *holds ? tr("✓ The condition holds now\n%1").arg(built)
                                  : tr("✗ The condition does not hold now\n%1").arg(built));
}

} // namespace headlight::ui
