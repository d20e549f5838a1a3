#include "ui/panels/lesson_editor/choice_rows.h"

#include "core/lesson/step_condition.h"
#include "core/lesson/step_text.h"
#include "ui/panels/lesson_editor/marked_field.h"
#include "ui/panels/lesson_editor/typing.h"
#include "ui/text/core_message.h"
#include "ui/widgets/elided_button.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

ChoiceRows::ChoiceRows(const QString &name, Words words, std::size_t least, std::size_t most,
                       QWidget *parent)
    : QWidget(parent),
      m_name(name),
      m_words(std::move(words)),
      m_least(least),
      m_column(new QVBoxLayout),
      m_add(new ElidedButton(m_words.add)) {
    m_add->setObjectName(name + "Add");
    m_add->setAccessibleName(m_words.add);
    m_add->setToolTip(m_words.add);
    m_column->setSpacing(8);
    for (std::size_t row = 0; row < most; ++row)
        m_rows.push_back(makeFields(row));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(m_column);
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    showCount(0);
    connect(m_add, &QPushButton::clicked, this, [this] {
        const Fields &added = m_rows[m_count];
        for (QLineEdit *line : {added.text, added.condition, added.because})
            showLine(*line, {});
        showCount(m_count + 1);
        added.text->setFocus();
        emit edited();
    });
}

ChoiceRows::Fields ChoiceRows::makeFields(std::size_t row) {
    const auto index = static_cast<int>(row);
    const QString which = QString::number(index);
    const QString text = m_words.text.arg(index + 1), condition = m_words.condition.arg(index + 1);
    auto *name = new QLabel(text), *ifName = new QLabel(condition);
    for (QLabel *label : {name, ifName})
        label->setWordWrap(true);
    const Fields fields{new QWidget,   new QLineEdit, new QLineEdit,
                        new QLineEdit, new QLabel,    new ElidedButton(QStringLiteral("✕"))};
    fields.text->setObjectName(m_name + "Text" + which);
    fields.text->setAccessibleName(text);
    fields.text->setToolTip(tr("Text with marks, like the step's text"));
    setMarkPlace(fields.text, InsertionTarget::Text);
    name->setBuddy(fields.text);
    fields.condition->setObjectName(m_name + "If" + which);
    fields.condition->setAccessibleName(condition);
    fields.condition->setPlaceholderText(tr("weights 0 0 bank money > 0.5"));
    fields.condition->setToolTip(tr("Two numbers with <, > or = between them; join several with &. "
                                    "Insert number adds the selected one"));
    setMarkPlace(fields.condition, InsertionTarget::Condition);
    ifName->setBuddy(fields.condition);
    const QString because = m_words.because.isEmpty() ? QString() : m_words.because.arg(index + 1);
    auto *becauseName = new QLabel(because);
    becauseName->setWordWrap(true);
    becauseName->setBuddy(fields.because);
    fields.because->setObjectName(m_name + "Because" + which);
    fields.because->setAccessibleName(because);
    fields.because->setToolTip(tr("One sentence with marks: why this answer is right, or why not"));
    setMarkPlace(fields.because, InsertionTarget::Text);
    for (QWidget *widget : QList<QWidget *>{becauseName, fields.because})
        widget->setVisible(!because.isEmpty());
    fields.holds->setObjectName(m_name + "Holds" + which);
    fields.holds->setTextFormat(Qt::PlainText);
    fields.holds->setWordWrap(true);
    fields.remove->setObjectName(m_name + "Remove" + which);
    fields.remove->setAccessibleName(m_words.remove.arg(index + 1));
    fields.remove->setToolTip(m_words.remove.arg(index + 1));
    auto *column = new QVBoxLayout(fields.all);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addWidget(fields.text);
    column->addWidget(ifName);
    column->addWidget(fields.condition);
    column->addWidget(fields.holds);
    column->addWidget(becauseName);
    column->addWidget(fields.because);
    auto *head = new QHBoxLayout; // added last: Tab reaches the text first
    head->addWidget(name, 1);
    head->addWidget(fields.remove);
    column->insertLayout(0, head);
    m_column->addWidget(fields.all);
    connect(fields.text, &QLineEdit::textChanged, this, &ChoiceRows::edited);
    connect(fields.condition, &QLineEdit::textChanged, this, &ChoiceRows::edited);
    connect(fields.because, &QLineEdit::textChanged, this, &ChoiceRows::edited);
    connect(fields.remove, &QPushButton::clicked, this, [this, row] { removeRow(row); });
    return fields;
}

/// Moves the contents of the following rows up; the fields stay.
void ChoiceRows::removeRow(std::size_t row) {
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
        QStringList words;
        if (fields.text->text().trimmed().isEmpty())
            words << tr("Missing text");
        else if (trace)
            for (const std::string &each : {text, fields.because->text().toStdString()})
                if (const core::Outcome checked = core::checkStepText(each, *trace); !checked)
                    words << translated(checked.error());
        if (fields.condition->text().trimmed().isEmpty()) {
            words << tr("Missing condition");
        } else if (trace) {
            const core::Result<bool> holds = core::conditionHolds(condition, *trace);
            words << (!holds   ? translated(holds.error())
                      : *holds ? tr("✓ It holds now")
                               : tr("✗ It does not hold now"));
        }
        fields.holds->setText(words.join('\n'));
        fields.condition->setAccessibleDescription(fields.holds->text());
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
