#include "ui/widgets/field_form.h"

#include "core/format_number.h"
#include "ui/text/mechanism_text.h"
#include "ui/widgets/eyebrow.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QWidget>

#include <algorithm>

namespace headlight::ui {

namespace {

/// Returns a word as a number, clamped to the range of a spin box.
int wholeOf(const QString &word) {
    using Limits = std::numeric_limits<int>;
    return static_cast<int>(std::clamp(word.toDouble(), 0.0 + Limits::min(), 0.0 + Limits::max()));
}

/// Returns "FeedForward" for "feed_forward".
QString capitalised(const QString &name) {
    QString words;
    for (const QString &word : name.split('_'))
        words += word.left(1).toUpper() + word.mid(1);
    return words;
}

} // namespace

std::vector<FieldChoice> positionsChoices() {
    std::vector<FieldChoice> choices;
    for (const PositionsText &text : positionsTexts())
        choices.emplace_back(text.positions, text.name, text.meaning);
    return choices;
}

void FieldWidgets::setNames(const char *name, const FieldText &text, QWidget *widget) const {
    widget->setObjectName(m_prefix + capitalised(name));
    widget->setAccessibleName(text.accessibleName.isEmpty() ? QString(text.label).remove('&')
                                                            : text.accessibleName);
    widget->setToolTip(text.toolTip);
}

void FieldWidgets::add(const char *name, const FieldText &text, QWidget *widget) {
    setNames(name, text, widget);
    m_layout->addRow(text.label, widget);
}

template <typename Widget, typename Signal>
void FieldWidgets::bind(const char *field, Widget *widget, Signal changed,
                        std::function<QString()> word, std::function<void(const QString &)> show) {
    QObject::connect(widget, changed, widget, [this] { tell(); });
    m_bound.push_back({field, widget, std::move(word), std::move(show)});
}

QSpinBox *FieldWidgets::addWhole(const char *field, const FieldText &text, int most) {
    const core::ValidValues &valid = infoOf(field).valid;
    most = static_cast<int>(std::min<double>(valid.most, most));
    auto *box = new QSpinBox;
    box->setRange(static_cast<int>(valid.least), most);
    box->setSpecialValueText(text.none);
    add(field, text, box);
    bind(
        field, box, &QSpinBox::valueChanged, [box] { return QString::number(box->value()); },
        [box, most](const QString &word) {
            const int number = wholeOf(word);
            box->setMaximum(std::max(most, number));
            box->setValue(number);
        });
    return box;
}

QDoubleSpinBox *FieldWidgets::addNumber(const char *field, const FieldText &text) {
    const core::ValidValues &valid = infoOf(field).valid;
    auto *box = new QDoubleSpinBox;
    box->setRange(valid.least, valid.most);
    box->setSpecialValueText(text.none);
    add(field, text, box);
    bind(
        field, box, &QDoubleSpinBox::valueChanged,
        [box] { return QString::fromStdString(core::exact(static_cast<float>(box->value()))); },
        [box](const QString &word) { box->setValue(word.toDouble()); });
    return box;
}

QComboBox *FieldWidgets::addChoice(const char *field, const FieldText &text,
                                   const std::vector<FieldChoice> &choices) {
    auto *box = new QComboBox;
    for (const FieldChoice &choice : choices) {
        box->addItem(choice.name, choice.word);
        box->setItemData(box->count() - 1, choice.meaning, Qt::ToolTipRole);
    }
    add(field, text, box);
    bind(
        field, box, &QComboBox::currentIndexChanged,
        [box] { return box->currentData().toString(); },
        [box](const QString &word) {
            if (box->findData(word) < 0)
                box->addItem(word, word);
            box->setCurrentIndex(box->findData(word));
        });
    return box;
}

QCheckBox *FieldWidgets::addFlag(const char *field, const FieldText &text, bool isAmongLabels) {
    auto *box = new QCheckBox(text.label);
    setNames(field, text, box);
    if (isAmongLabels)
        m_layout->addRow(box);
    else
        m_layout->addRow(QString(), box);
    bind(
        field, box, &QCheckBox::toggled, [box] { return QVariant(box->isChecked()).toString(); },
        [box](const QString &word) { box->setChecked(word == "true"); });
    return box;
}

QLineEdit *FieldWidgets::addLine(const char *field, const FieldText &text) {
    auto *line = new QLineEdit;
    line->setPlaceholderText(text.none);
    add(field, text, line);
    bind(
        field, line, &QLineEdit::textChanged, [line] { return line->text(); },
        [line](const QString &word) { line->setText(word); });
    return line;
}

void FieldWidgets::setEnabled(const char *field, bool isEnabled) {
    for (const Bound &each : m_bound)
        if (each.field == std::string_view(field))
            each.widget->setEnabled(isEnabled);
}

std::pair<QWidget *, QFormLayout *> titledForm(const QString &title, const QString &name) {
    auto *widget = new QWidget;
    widget->setAccessibleName(name.isEmpty() ? title : name);
    auto *layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(eyebrow(title));
    auto *form = new QFormLayout;
    form->setSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    layout->addLayout(form);
    layout->addStretch();
    return {widget, form};
}

} // namespace headlight::ui
