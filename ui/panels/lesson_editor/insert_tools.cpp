#include "ui/panels/lesson_editor/insert_tools.h"

#include "core/format_number.h"
#include "core/lesson/cell_mark.h"
#include "core/lesson/claim.h"
#include "ui/panels/lesson_editor/marked_field.h"
#include "ui/text/core_message.h"
#include "ui/text/parameter_text.h"
#include "ui/text/symbol_text.h"
#include "ui/widgets/elided_button.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr qsizetype kMaxSliders = 8; // maximum number of offered sliders
constexpr float kMinHalf = 3;        // smallest half length of a slider's range
constexpr int kMinTargetWidth = 160; // px, smallest width of the field's name

/// A number that the user has changed.
struct ChangedNumber {
    QString name, mark;
};

/// Returns the mark of a slider for one value of a parameter. The slider's range is symmetric
/// around 0 and contains the value.
QString sliderMarkOf(const core::ParameterId &id, const core::ParameterPatch::Cell &cell) {
    const float half = std::max(kMinHalf, std::ceil(std::abs(cell.value) * 1.5F));
    return QStringLiteral("slider parameter %1 %2 %3 %4 to %5")
        .arg(QString::fromStdString(core::nameOf(id)))
        .arg(cell.row)
        .arg(cell.column)
        .arg(QString::fromStdString(core::exact(-half)), QString::fromStdString(core::exact(half)));
}

QList<ChangedNumber> changedNumbers(const Document &document) {
    const auto begin = core::atStep(document.session(), document.state().lessonStep);
    if (!begin)
        return {};
    const core::StatePatch changes =
        core::differenceOf(*begin, document.state().model, document.state().input);
    QList<ChangedNumber> all;
    for (const core::ParameterPatch &patch : changes.parameters)
        for (const core::ParameterPatch::Cell &cell : patch.cells)
            if (all.size() < kMaxSliders)
                all << ChangedNumber{InsertTools::tr("%1, row %2, column %3")
                                         .arg(plainSymbols(markedSymbolOf(patch.id.which)))
                                         .arg(cell.row)
                                         .arg(cell.column),
                                     sliderMarkOf(patch.id, cell)};
    return all;
}

void insertInto(QWidget *field, const QString &words) {
    if (auto *text = qobject_cast<QPlainTextEdit *>(field))
        text->insertPlainText(words);
    else if (auto *line = qobject_cast<QLineEdit *>(field))
        line->insert(words);
}

/// Inserts `begin`, `words` and `end`, and selects `words`.
void insertAround(QWidget *field, const QString &begin, const QString &words, const QString &end) {
    const auto at = begin.size(), count = words.size();
    if (auto *text = qobject_cast<QPlainTextEdit *>(field)) {
        QTextCursor cursor = text->textCursor();
        const int first = cursor.selectionStart() + static_cast<int>(at);
        cursor.insertText(begin + words + end);
        cursor.setPosition(first);
        cursor.setPosition(first + static_cast<int>(count), QTextCursor::KeepAnchor);
        text->setTextCursor(cursor);
    } else if (auto *line = qobject_cast<QLineEdit *>(field)) {
        const int first = line->hasSelectedText() ? line->selectionStart() : line->cursorPosition();
        line->insert(begin + words + end);
        line->setSelection(first + static_cast<int>(at), static_cast<int>(count));
    }
}

QString selectedIn(const QWidget *field) {
    if (const auto *text = qobject_cast<const QPlainTextEdit *>(field))
        return text->textCursor().selectedText();
    const auto *line = qobject_cast<const QLineEdit *>(field);
    return line ? line->selectedText() : QString();
}

} // namespace

InsertTools::InsertTools(Document &document, MarkFields fields, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_fields(std::move(fields)),
      m_target(new QLabel),
      m_number(new ElidedButton(tr("Insert number"))),
      m_claim(new ElidedButton(tr("Insert claim"))),
      m_slider(new ElidedButton(tr("Slider"))),
      m_sliders(new QMenu(this)) {
    m_number->setObjectName("insertNumber");
    m_number->setAccessibleName(tr("Insert number"));
    m_claim->setObjectName("insertClaim");
    m_claim->setAccessibleName(tr("Insert claim"));
    m_slider->setObjectName("insertSlider");
    m_slider->setAccessibleName(tr("Insert a number with a slider"));
    m_slider->setToolTip(tr("Insert a number that the student can change in the text: the "
                            "temperature, or a number that you have changed"));
    m_sliders->setObjectName("insertSliders");
    m_slider->setMenu(m_sliders);
    for (QPushButton *button : {m_number, m_claim, m_slider})
        button->setFocusPolicy(Qt::TabFocus); // a click leaves the cursor in the field for marks
    m_target->setObjectName("insertTarget");
    m_target->setTextFormat(Qt::PlainText);
    m_target->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto *row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(m_number, 3);
    row->addWidget(m_claim, 3);
    row->addWidget(m_slider, 2);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 0, 12, 8);
    layout->setSpacing(3);
    layout->addWidget(m_target);
    layout->addLayout(row);
    connect(m_number, &QPushButton::clicked, this, &InsertTools::insertNumber);
    connect(m_claim, &QPushButton::clicked, this, &InsertTools::insertClaim);
    connect(m_sliders, &QMenu::aboutToShow, this, &InsertTools::showSliders);
    showSliders(); // tests and screen readers need the actions before the menu is shown
}

QString InsertTools::selectedMark() const {
    const core::TracePointer &trace = m_document.trace();
    return trace ? QString::fromStdString(core::cellMark(m_document.selectionInTrace(), *trace))
                 : QString();
}

/// Elides the name of the field for the new width.
void InsertTools::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    showMark();
}

void InsertTools::showMark() {
    const QString mark = selectedMark();
    const QWidget *const target = m_fields.target();
    const QString words = "{" + mark + "}";
    const QString where = target ? target->accessibleName() : QString();
    const QString into = mark.isEmpty() ? tr("Select a cell in the picture to insert its number")
                                        : tr("%1 → %2").arg(words, where);
    m_target->setText(m_target->fontMetrics().elidedText(
        into, Qt::ElideLeft, std::max(kMinTargetWidth, m_target->width())));
    m_target->setToolTip(into);
    m_number->setToolTip(mark.isEmpty() ? into
                                        : tr("Insert %1 into “%2” (Ctrl+M): the number of the "
                                             "selected cell, which follows the student's changes")
                                              .arg(words, where));
    m_claim->setToolTip(
        mark.isEmpty() ? into
                       : tr("Insert a claim about %1 into “%2” (Ctrl+Shift+M): its text is struck "
                            "out when it no longer holds")
                             .arg(words, where));
    for (QPushButton *button : {m_number, m_claim}) {
        button->setEnabled(!mark.isEmpty() && target);
        button->setAccessibleDescription(mark.isEmpty() ? QString() : into);
    }
}

void InsertTools::insertNumber() {
    const QString mark = selectedMark();
    QWidget *const field = mark.isEmpty() ? nullptr : m_fields.take();
    if (field)
        insertInto(field,
                   markPlaceOf(field) == InsertionTarget::Condition ? mark : "{" + mark + "}");
}

/// In the field of a condition, inserts only the condition. In a text, inserts a claim and selects
/// its text.
void InsertTools::insertClaim() {
    const QString mark = selectedMark();
    QWidget *const field = mark.isEmpty() ? nullptr : m_fields.take();
    if (!field)
        return;
    const core::Result<std::string> claim =
        core::claimAbout(mark.toStdString(), *m_document.trace());
    if (!claim)
        return emit failed(translated(claim.error()));
    const QString condition = QString::fromStdString(*claim);
    if (markPlaceOf(field) == InsertionTarget::Condition)
        return insertInto(field, condition);
    const QString selected = selectedIn(field);
    insertAround(field, QStringLiteral("{if %1}").arg(condition),
                 selected.isEmpty() ? tr("This is true.") : selected,
                 tr("{else}It is no longer true.{end}"));
}

void InsertTools::showSliders() {
    m_sliders->clear();
    const auto add = [this](const QString &name, const QString &mark) {
        m_sliders->addAction(name, this, [this, mark] { insertSlider(mark); })
            ->setToolTip("{" + mark + "}");
    };
    add(tr("Temperature of softmax"), QStringLiteral("slider temperature 0.25 to 4"));
    const QList<ChangedNumber> changed = changedNumbers(m_document);
    for (const ChangedNumber &number : changed)
        add(number.name, number.mark);
    if (changed.isEmpty())
        m_sliders->addAction(tr("To list another number, change it first"))->setEnabled(false);
    m_sliders->setToolTipsVisible(true);
}

void InsertTools::insertSlider(const QString &mark) {
    QWidget *const field = m_fields.take();
    if (field && markPlaceOf(field) != InsertionTarget::Condition)
        insertInto(field, "{" + mark + "}");
    else
        emit failed(tr("A condition cannot have a slider; put the cursor in a text field"));
}

} // namespace headlight::ui
