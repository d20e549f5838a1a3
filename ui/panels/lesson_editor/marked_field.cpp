#include "ui/panels/lesson_editor/marked_field.h"

#include "core/lesson/step_text.h"
#include "ui/panels/lesson_editor/spelling.h"
#include "ui/panels/lesson_editor/typing.h"
#include "ui/text/core_message.h"
#include "ui/widgets/message_label.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QFocusEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr const char *kMarkPlace = "markPlace";
constexpr int kMaxLines = 14; // lines; a longer text scrolls

std::vector<std::string> paragraphsOf(const QString &text) {
    static const QRegularExpression emptyLine("\\n[ \\t]*\\n\\s*");
    std::vector<std::string> paragraphs;
    for (QString paragraph : text.split(emptyLine, Qt::SkipEmptyParts)) {
        while (paragraph.startsWith('\n'))
            paragraph.remove(0, 1);
        while (paragraph.endsWith('\n'))
            paragraph.chop(1);
        if (!paragraph.trimmed().isEmpty())
            paragraphs.push_back(paragraph.toStdString());
    }
    return paragraphs;
}

/// Returns the text with its non-breaking spaces, which toPlainText() would replace with spaces.
QString textIn(const QPlainTextEdit &field) {
    QString text = field.document()->toRawText();
    text.replace(QChar::ParagraphSeparator, u'\n');
    text.replace(QChar::LineSeparator, u'\n');
    return text;
}

/// Replaces only the text that differs. The cursor moves to the change, and the scroll position
/// does not change.
void replaceText(QPlainTextEdit &field, const QString &text) {
    const TextChange change = changeBetween(textIn(field), text);
    QTextCursor cursor(field.document());
    cursor.setPosition(change.at);
    cursor.setPosition(change.at + change.removed, QTextCursor::KeepAnchor);
    cursor.insertText(text.mid(change.at, change.added));
    field.setTextCursor(cursor);
}

} // namespace

void setMarkPlace(QWidget *field, InsertionTarget place) {
    field->setProperty(kMarkPlace, static_cast<int>(place));
}

std::optional<InsertionTarget> markPlaceOf(const QWidget *field) {
    const QVariant place = field ? field->property(kMarkPlace) : QVariant();
    return place.isValid() ? std::optional(static_cast<InsertionTarget>(place.toInt()))
                           : std::nullopt;
}

MessageLabel *makeProblemLabel(const char *objectName) {
    auto *label = new MessageLabel(kMessageLines);
    label->setObjectName(objectName);
    label->setProperty("problem", true);
    label->hide();
    return label;
}

void showProblemIn(MessageLabel *label, const QString &words) {
    label->showMessage(words);
    label->setVisible(!words.isEmpty());
}

MarkedField::MarkedField(const char *objectName, const Words &words, Holds holds, int lines,
                         QWidget *parent)
    : QWidget(parent),
      m_holds(holds),
      m_lines(lines),
      m_text(new QPlainTextEdit),
      m_problem(makeProblemLabel("fieldProblem")) {
    auto *name = new QLabel(words.name);
    name->setBuddy(m_text);
    m_text->setObjectName(objectName);
    m_text->setAccessibleName(words.name);
    m_text->setPlaceholderText(words.hint);
    m_text->setToolTip(words.toolTip);
    m_text->setTabChangesFocus(true);
    m_text->setUndoRedoEnabled(false); // the document undoes typing
    m_problem->setKeepsSpace(true);
    setMarkPlace(m_text, InsertionTarget::Text);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addWidget(name);
    layout->addWidget(m_text);
    layout->addWidget(m_problem);
    if (!installedDictionaries().isEmpty())
        new SpellingHighlighter(*m_text);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        const QString now = textIn(*m_text);
        if (std::exchange(m_known, now) == now)
            return;              // only the underlines of misspelt words have changed
        if (!m_text->hasFocus()) // nothing moves while the user types; a longer text scrolls
            fitHeight();
        emit edited();
    });
    m_text->installEventFilter(this); // a new width changes the line breaks
    fitHeight();
}

void MarkedField::setTexts(const std::vector<std::string> &wanted) {
    if (wanted == texts())
        return;
    QStringList all;
    for (const std::string &text : wanted)
        all << QString::fromStdString(text);
    const QSignalBlocker silent(m_text);
    replaceText(*m_text, all.join(QStringLiteral("\n\n")));
    m_known = textIn(*m_text);
    fitHeight();
}

std::vector<std::string> MarkedField::texts() const {
    const QString text = textIn(*m_text);
    return m_holds == Holds::One ? std::vector{text.toStdString()} : paragraphsOf(text);
}

std::string MarkedField::text() const {
    return textIn(*m_text).toStdString();
}

void MarkedField::check(const core::Trace *trace) {
    QStringList problems;
    if (trace)
        for (const std::string &text : texts())
            for (const core::Error &problem : core::stepTextProblems(text, *trace))
                problems << translated(problem);
    showProblemIn(m_problem, problems.join('\n'));
    m_text->setAccessibleDescription(m_problem->text());
}

void MarkedField::takeFocus() {
    m_text->setFocus(Qt::OtherFocusReason);
}

QWidget *MarkedField::field() const {
    return m_text;
}

void MarkedField::takesNoMarks() {
    m_text->setProperty(kMarkPlace, {});
    m_problem->setKeepsSpace(false); // a text without marks has no problems
}

/// Fits the height to the text, within limits.
void MarkedField::fitHeight() {
    int count = 0; // wrapped lines, even of text that was never visible
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        (void)m_text->document()->documentLayout()->blockBoundingRect(block);
        count += block.layout()->lineCount();
    }
    const int lines = std::clamp(count, m_lines, kMaxLines);
    const QFontMetrics metrics(m_text->font());
    // A scroll bar makes the text narrower, so even a bar that is shown briefly could make the text
    // long enough to need it.
    m_text->setVerticalScrollBarPolicy(count > kMaxLines ? Qt::ScrollBarAsNeeded
                                                         : Qt::ScrollBarAlwaysOff);
    m_text->setFixedHeight(lines * metrics.lineSpacing() + 18);
}

bool MarkedField::eventFilter(QObject *object, QEvent *event) {
    if (event->type() == QEvent::Resize)
        if (const auto *resize = static_cast<QResizeEvent *>(event);
            resize->size().width() != resize->oldSize().width())
            QMetaObject::invokeMethod(this, &MarkedField::fitHeight, Qt::QueuedConnection);
    // Only after Tab, because a button must not move while it is clicked.
    if (event->type() == QEvent::FocusOut)
        if (const Qt::FocusReason reason = static_cast<QFocusEvent *>(event)->reason();
            reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason)
            QMetaObject::invokeMethod(this, &MarkedField::fitHeight, Qt::QueuedConnection);
    return QWidget::eventFilter(object, event);
}

void MarkedField::changeEvent(QEvent *event) {
    if (event->type() == QEvent::FontChange)
        fitHeight();
    QWidget::changeEvent(event);
}

} // namespace headlight::ui
