#include "ui/panels/lesson_editor/choice_rows.h"

#include "core/lesson/step_condition.h"
#include "core/lesson/step_text.h"
#include "ui/panels/lesson_editor/condition_builder.h"
#include "ui/panels/lesson_editor/marked_field.h"
#include "ui/panels/lesson_editor/typing.h"
#include "ui/text/core_message.h"
#include "ui/widgets/elided_button.h"
#include "ui/widgets/message_label.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kBuilderRow = 2; // row of an answer's grid, below its condition

QString textOf(std::string_view condition) {
    return QString::fromUtf8(condition.data(), static_cast<qsizetype>(condition.size()));
}

/// True if a row's condition is true for all numbers.
bool isAlwaysRight(const auto &fields) {
    return core::constantCondition(fields.condition->text().toStdString()).value_or(false);
}

} // namespace

ChoiceRows::ChoiceRows(const QString &name, Words words, std::size_t least, std::size_t most,
                       Document &document, QWidget *parent)
    : QWidget(parent),
      m_name(name),
      m_words(std::move(words)),
      m_least(least),
      m_column(new QVBoxLayout),
      m_add(new ElidedButton(m_words.add)),
      // A goal of an exercise does not hold before the student changes something.
      m_builder(new ConditionBuilder(name + "Builder",
                                     m_words.always.isEmpty() ? ConditionBuilder::Proposal::Goal
                                                              : ConditionBuilder::Proposal::Claim,
                                     document, this)) {
    m_add->setObjectName(name + "Add");
    m_add->setAccessibleName(m_words.add);
    m_add->setToolTip(m_words.add);
    m_builder->hide();
    m_column->setSpacing(8);
    for (std::size_t row = 0; row < most; ++row)
        m_rows.push_back(makeFields(row));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(m_column);
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    showCount(0);
    connect(m_builder, &ConditionBuilder::used, this, &ChoiceRows::takeCondition);
    connect(m_add, &QPushButton::clicked, this, [this] {
        const Fields &added = m_rows[m_count];
        const bool isDecided = std::ranges::any_of(
            shownRows(), [](const Fields &fields) { return isAlwaysRight(fields); });
        for (QLineEdit *line : {added.text, added.condition, added.because})
            showLine(*line, {});
        if (isDecided)
            showLine(*added.condition, textOf(core::kNeverHolds));
        showCount(m_count + 1);
        showConstants();
        added.text->setFocus();
        emit edited();
    });
}

void ChoiceRows::nameFields(const Fields &fields, std::size_t row) const {
    const auto index = static_cast<int>(row);
    const QString which = QString::number(index);
    const auto name = [&](QWidget *widget, const char *what, const QString &accessible,
                          const QString &toolTip) {
        widget->setObjectName(m_name + what + which);
        widget->setAccessibleName(accessible);
        widget->setToolTip(toolTip);
    };
    const QString condition = m_words.condition.arg(index + 1);
    name(fields.text, "Text", m_words.text.arg(index + 1),
         tr("Text with marks, like the step's text"));
    name(fields.condition, "If", condition,
         tr("Compare two numbers with <, > or =; join comparisons with &. "
            "The Insert number button adds the selected number"));
    fields.condition->setPlaceholderText(tr("weights 0 0 bank money > 0.5"));
    name(fields.build, "Build", tr("Build by clicking: %1").arg(condition),
         tr("Build the condition by clicking: a cell of the picture, > or <, and a number"));
    fields.build->setCheckable(true);
    name(fields.always, "Always",
         m_words.always.isEmpty() ? tr("Always") : m_words.always.arg(index + 1),
         tr("For a conceptual question, whose answer does not depend on the numbers"));
    name(fields.because, "Because",
         m_words.because.isEmpty() ? QString() : m_words.because.arg(index + 1),
         tr("One sentence with marks: why this answer is right, or why not"));
    fields.because->setPlaceholderText(tr("shown after the answer is chosen"));
    name(fields.remove, "Remove", m_words.remove.arg(index + 1), m_words.remove.arg(index + 1));
    setMarkPlace(fields.text, InsertionTarget::Text);
    setMarkPlace(fields.condition, InsertionTarget::Condition);
    setMarkPlace(fields.because, InsertionTarget::Text);
    // Goals of an exercise have no check box for "always", see Words::always.
    fields.conditionName->setText(m_words.always.isEmpty() ? tr("holds if") : tr("right if"));
    fields.holds->setObjectName(m_name + "Holds" + which);
}

/// Adds the fields in tab order. Labels are next to their fields, so that an answer, its condition
/// and its reason are visible together.
void ChoiceRows::layOut(const Fields &fields, const QString &name) {
    auto *grid = new QGridLayout(fields.all);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    const auto add = [&](int row, QLabel *label, QLineEdit *field, int columns) {
        label->setBuddy(field);
        grid->addWidget(field, row, 1, 1, columns);
        grid->addWidget(label, row, 0);
    };
    auto *because = new QLabel(tr("because"));
    auto *found = new QHBoxLayout;
    add(0, new QLabel(name), fields.text, 1);
    add(1, fields.conditionName, fields.condition, 1);
    grid->addWidget(fields.build, 1, 2);
    grid->addLayout(found, kBuilderRow + 1, 0, 1, 3);
    found->setSpacing(8);
    found->addWidget(fields.always, 0, Qt::AlignTop);
    found->addWidget(fields.holds, 1);
    add(kBuilderRow + 2, because, fields.because, 2);
    grid->addWidget(fields.remove, 0, 2);
    for (QWidget *widget : QList<QWidget *>{because, fields.because})
        widget->setVisible(!m_words.because.isEmpty());
    fields.always->setVisible(!m_words.always.isEmpty());
    m_column->addWidget(fields.all);
}

ChoiceRows::Fields ChoiceRows::makeFields(std::size_t row) {
    const auto index = static_cast<int>(row);
    const Fields fields{new QWidget,
                        new QLineEdit,
                        new QLineEdit,
                        new QLineEdit,
                        new QLabel,
                        new MessageLabel(kMessageLines),
                        new ElidedButton(tr("Build…")),
                        new ElidedButton(QStringLiteral("✕")),
                        new QCheckBox(tr("Always right"))};
    nameFields(fields, row);
    layOut(fields, m_words.text.arg(index + 1));
    connect(fields.text, &QLineEdit::textChanged, this, &ChoiceRows::edited);
    connect(fields.condition, &QLineEdit::textChanged, this, &ChoiceRows::edited);
    connect(fields.because, &QLineEdit::textChanged, this, &ChoiceRows::edited);
    connect(fields.remove, &QPushButton::clicked, this, [this, row] { removeRow(row); });
    connect(fields.build, &QPushButton::clicked, this,
            [this, row](bool opens) { build(row, opens); });
    connect(fields.always, &QCheckBox::clicked, this,
            [this, row](bool isAlways) { setAlways(row, isAlways); });
    return fields;
}

/// Sets whether an answer is always right. If so, all others become wrong.
void ChoiceRows::setAlways(std::size_t row, bool isAlways) {
    for (std::size_t each = 0; each < m_count; ++each) {
        QLineEdit &condition = *m_rows[each].condition;
        if (isAlways)
            showLine(condition, textOf(each == row ? core::kAlwaysHolds : core::kNeverHolds));
        else if (core::constantCondition(condition.text().toStdString()))
            showLine(condition, {});
    }
    build(m_built, false);
    showConstants();
    emit edited();
}

/// Shows a constant condition as a tick instead of a formula. The field stays visible while the
/// user types into it.
void ChoiceRows::showConstants() {
    if (m_words.always.isEmpty())
        return;
    for (const Fields &fields : shownRows()) {
        const auto constant = core::constantCondition(fields.condition->text().toStdString());
        const QSignalBlocker silent(fields.always);
        fields.always->setChecked(constant.value_or(false));
        const bool isHidden = constant && !fields.condition->hasFocus();
        for (QWidget *widget :
             QList<QWidget *>{fields.conditionName, fields.condition, fields.build})
            widget->setVisible(!isHidden);
    }
}

void ChoiceRows::build(std::size_t row, bool opens) {
    for (std::size_t each = 0; each < m_rows.size(); ++each)
        m_rows[each].build->setChecked(opens && each == row);
    m_builder->setVisible(false);
    m_built = row;
    if (!opens)
        return;
    qobject_cast<QGridLayout *>(m_rows[row].all->layout())
        ->addWidget(m_builder, kBuilderRow, 0, 1, 3);
    m_builder->begin(m_rows[row].condition->text());
    m_builder->show();
    // Queued, because the page must be laid out first.
    QMetaObject::invokeMethod(
        this,
        [this] {
            for (QWidget *widget = parentWidget(); widget; widget = widget->parentWidget())
                if (auto *area = qobject_cast<QScrollArea *>(widget))
                    area->ensureWidgetVisible(m_builder);
        },
        Qt::QueuedConnection);
}

void ChoiceRows::takeCondition(const QString &condition, bool joins) {
    QLineEdit &field = *m_rows[m_built].condition;
    const QString before = field.text().trimmed();
    showLine(field, joins && !before.isEmpty() ? before + " & " + condition : condition);
    if (!joins) {
        build(m_built, false);
        field.setFocus(Qt::OtherFocusReason);
    }
    emit edited();
}

/// Moves the contents of the following rows up. The fields stay in place.
void ChoiceRows::removeRow(std::size_t row) {
    build(m_built, false);
    std::vector<Row> left = rows();
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(row));
    setRows(left);
    emit edited();
}

void ChoiceRows::showCount(std::size_t count) {
    m_count = count;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        m_rows[row].all->setVisible(row < count);
        m_rows[row].remove->setEnabled(count > m_least);
    }
    m_add->setEnabled(count < m_rows.size());
}

void ChoiceRows::setRows(const std::vector<Row> &rows) {
    const std::size_t count = std::min(rows.size(), m_rows.size());
    for (std::size_t row = 0; row < count; ++row) {
        showLine(*m_rows[row].text, QString::fromStdString(rows[row].text));
        showLine(*m_rows[row].condition, QString::fromStdString(rows[row].condition));
        showLine(*m_rows[row].because, QString::fromStdString(rows[row].because));
    }
    showCount(count);
    showConstants();
}

std::vector<ChoiceRows::Row> ChoiceRows::rows() const {
    std::vector<Row> rows;
    for (const Fields &fields : shownRows())
        rows.push_back({fields.text->text().toStdString(), fields.condition->text().toStdString(),
                        fields.because->text().toStdString()});
    return rows;
}

void ChoiceRows::check(const core::Trace *trace) {
    for (const Fields &fields : shownRows()) {
        const std::string text = fields.text->text().toStdString();
        const std::string condition = fields.condition->text().toStdString();
        QStringList words; // the condition first, because only the first lines are visible
        const std::optional<bool> constant = core::constantCondition(condition);
        if (fields.condition->text().trimmed().isEmpty()) {
            words << tr("Missing condition");
        } else if (constant && !m_words.always.isEmpty()) {
            words << (*constant ? tr("✓ Right, whatever the numbers are")
                                : tr("✗ Wrong, whatever the numbers are"));
        } else if (trace) {
            const core::Result<bool> holds = core::conditionHolds(condition, *trace);
            words << (!holds   ? translated(holds.error())
                      : *holds ? tr("✓ The condition holds now")
                               : tr("✗ The condition does not hold now"));
        }
        if (fields.text->text().trimmed().isEmpty())
            words << tr("Missing text");
        else if (trace)
            for (const std::string &each : {text, fields.because->text().toStdString()})
                if (const core::Outcome checked = core::checkStepText(each, *trace); !checked)
                    words << translated(checked.error());
        fields.holds->showMessage(words.join('\n'));
        for (QLineEdit *line : {fields.text, fields.condition})
            line->setAccessibleDescription(fields.holds->text());
    }
}

void ChoiceRows::takeFocus(const QString &place) {
    const int row = place.section('[', 1).section(']', 0, 0).toInt();
    if (row < 0 || row >= static_cast<int>(m_count))
        return;
    const Fields &fields = m_rows[static_cast<std::size_t>(row)];
    QLineEdit *field = place.endsWith(".text")      ? fields.text
                       : place.endsWith(".because") ? fields.because
                                                    : fields.condition;
    field->setFocus(Qt::OtherFocusReason);
}

} // namespace headlight::ui
