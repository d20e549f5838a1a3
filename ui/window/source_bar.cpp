#include "ui/window/source_bar.h"

#include "core/tokenizers/word_tokenizer.h"
#include "ui/document/edits/text_edits.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/text/capture_text.h"
#include "ui/text/file_path.h"
#include "ui/text/one_line.h"
#include "ui/text/sentences.h"
#include "ui/text/token_names.h"
#include "ui/widgets/elided_combo_box.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>

#include <algorithm>

namespace headlight::ui {

namespace {

/// True if the change affects the bar.
bool concerns(const StateChanged &change) {
    using core::StatePart;
    constexpr StatePart kShown[] = {StatePart::Text, StatePart::Structure};
    return std::ranges::any_of(kShown, [&](StatePart part) { return change.parts.has(part); });
}

/// Describes a lesson: its subject, duration and prerequisites. Prerequisites in its course are
/// listed by title.
QString aboutLesson(const LessonInfo &lesson, const OpenCoursePointer &course) {
    QStringList lines{lesson.summary};
    if (lesson.minutes > 0)
        lines << SourceBar::tr("about %1 min").arg(lesson.minutes);
    QStringList needs;
    for (const QString &need : lesson.needs) {
        const core::CourseLesson *one = course ? course->content->find(bytesOf(need)) : nullptr;
        needs << (one ? oneLine(one->title) : need);
    }
    if (!needs.isEmpty())
        lines << SourceBar::tr("Builds on: %1").arg(enumerated(needs));
    lines.removeAll(QString());
    return lines.join('\n');
}

/// Text field that treats dropped text as typed. It leaves dropped files to the window, because
/// many file managers also provide the file's address as text.
class SentenceField : public QLineEdit {
  protected:
    void dragEnterEvent(QDragEnterEvent *event) override {
        if (event->mimeData()->hasUrls())
            event->ignore();
        else
            QLineEdit::dragEnterEvent(event);
    }
};

} // namespace

SourceBar::SourceBar(Document &document, MechanismActions &mechanism, QWidget *parent)
    : QToolBar(tr("Source and mask"), parent),
      m_document(document),
      m_typing(document.newGesture()),
      m_source(new ElidedComboBox),
      m_text(new SentenceField),
      m_sourceText(new SentenceField) {
    setObjectName("sourceBar");
    setMovable(false);

    m_source->setObjectName("source");
    m_source->setAccessibleName(tr("Lesson"));
    m_source->setToolTip(tr("The open lesson"));
    m_source->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_source->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    listLessons();
    addWidget(m_source);
    connect(m_source, &QComboBox::activated, this,
            [this](int index) { emit sourceChosen(m_source->itemData(index).toString()); });

    m_text->setObjectName("text");
    m_text->setAccessibleName(tr("Text"));
    m_text->setToolTip(tr("Type a sentence: attention follows as you type"));
    m_text->setPlaceholderText(tr("Type a sentence"));
    m_text->setMaxLength(static_cast<int>(core::kMaxTextBytes)); // Qt cuts silently at 32767
    m_text->setMinimumWidth(96);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    QAction *textAction = addWidget(m_text);
    connect(m_text, &QLineEdit::textEdited, this,
            [this](const QString &text) { typeText(text, InputSide::Own); });
    connect(m_text, &QLineEdit::editingFinished, this, [this] {
        m_typing = m_document.newGesture();
        showText();
    });

    m_sourceText->setObjectName("sourceText");
    m_sourceText->setAccessibleName(tr("Text of the second sequence"));
    m_sourceText->setToolTip(tr("The sequence that is attended to"));
    m_sourceText->setPlaceholderText(tr("Type the sequence to attend to"));
    m_sourceText->setMaxLength(static_cast<int>(core::kMaxTextBytes));
    m_sourceText->setMinimumWidth(96);
    m_sourceText->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_sourceTextAction = insertWidget(textAction, m_sourceText);
    connect(m_sourceText, &QLineEdit::textEdited, this,
            [this](const QString &text) { typeText(text, InputSide::Source); });
    connect(m_sourceText, &QLineEdit::editingFinished, this, [this] {
        m_typing = m_document.newGesture();
        showText();
    });

    auto *label = new QLabel(tr("Mask"));
    label->setObjectName("barLabel");
    m_maskLabel = addWidget(label);
    for (QAction *action : mechanism.maskActions())
        addSwitch(action);
    addSwitch(mechanism.maskEditingAction());
    connect(&document, &Document::changed, this, &SourceBar::documentChanged);
}

/// Adds a button for the action. The button's accessible name follows the action's text.
void SourceBar::addSwitch(QAction *action) {
    addAction(action);
    QWidget *button = widgetForAction(action);
    const auto follow = [button, action] {
        button->setAccessibleName(
            action->iconText().startsWith(QLatin1Char('+')) ? action->text() : action->iconText());
    };
    connect(action, &QAction::changed, button, follow);
    follow();
}

void SourceBar::focusText() {
    m_text->setFocus();
    m_text->selectAll();
}

void SourceBar::typeText(const QString &text, InputSide side) {
    // Dropped text is handled like typed text: if it is invalid, it stays for correction until the
    // field loses the focus.
    QLineEdit *edit = side == InputSide::Own ? m_text : m_sourceText;
    if (!edit->hasFocus())
        edit->setFocus(Qt::OtherFocusReason);
    m_isTyping = true;
    emit textRefused(
        !apply(edits::setText(m_document.state(), m_document.textId(side), text), m_typing));
    m_isTyping = false;
    m_known = textOf(InputSide::Own);
    m_knownSource = textOf(InputSide::Source);
}

bool SourceBar::apply(core::Result<Change> change, int gesture) {
    const core::Outcome outcome = m_document.apply(std::move(change), gesture);
    if (outcome)
        emit succeeded();
    else
        emit failed(outcome.error());
    return outcome.ok();
}

void SourceBar::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event) || is<SavedChanged>(event))
        showSource();
    const auto *state = std::get_if<StateChanged>(&event);
    if (is<SessionChanged>(event) || is<SelectionChanged>(event) || (state && concerns(*state)))
        showState();
    else if (state)
        showTextUnlessTyping();
}

/// Lists the open course's lessons, or the built-in ones.
void SourceBar::listLessons() {
    const OpenCoursePointer &course = m_document.course();
    if (m_course == course && m_source->count() > 0)
        return;
    m_course = course;
    m_source->clear();
    for (const LessonInfo &lesson : course ? course->lessons : lessonInfos()) {
        m_source->addItem(lesson.title, lesson.id);
        m_source->setItemData(m_source->count() - 1, aboutLesson(lesson, course), Qt::ToolTipRole);
    }
    m_listed = m_source->count();
    m_source->setAccessibleDescription(course ? tr("From the course %1").arg(course->title)
                                              : QString());
}

void SourceBar::showSource() {
    listLessons();
    int index = m_source->findData(m_document.source());
    const QString title = oneLine(m_document.session().title);
    // A session from a file gets its own entry after the lessons.
    while (m_source->count() > m_listed)
        m_source->removeItem(m_source->count() - 1);
    if (index < 0 || index >= m_source->count()) {
        m_source->addItem(title.isEmpty() ? m_document.source() : title, m_document.source());
        index = m_source->count() - 1;
    }
    m_source->setCurrentIndex(index);
    m_source->setToolTip(m_course ? tr("%1: %2").arg(m_course->title, m_source->currentText())
                                  : m_source->currentText());
    shareWidth();
}

void SourceBar::showState() {
    if (!m_document.state().input.batch)
        return;
    shareWidth();
    showTextUnlessTyping();
    showWhatCanBeChanged();
}

void SourceBar::showTextUnlessTyping() {
    if (m_isTyping)
        return;
    const bool own = !m_text->hasFocus() || textOf(InputSide::Own) != m_known;
    const bool source = !m_sourceText->hasFocus() || textOf(InputSide::Source) != m_knownSource;
    if (own && source)
        return showText();
    if (own)
        showTextIn(m_text, InputSide::Own);
    if (source)
        showTextIn(m_sourceText, InputSide::Source);
}

void SourceBar::showText() {
    const core::Input &input = m_document.state().input;
    if (!input.batch)
        return;
    m_sourceTextAction->setVisible(input.source != nullptr);
    showTextIn(m_text, InputSide::Own);
    showTextIn(m_sourceText, InputSide::Source);
    emit succeeded(); // the error about the typed text no longer applies
}

void SourceBar::showTextIn(QLineEdit *edit, InputSide side) {
    const std::optional<QString> text = textOf(side);
    (side == InputSide::Own ? m_known : m_knownSource) = text;
    emit textRefused(false);
    if (!text)
        return;
    if (edit->text() != *text)
        edit->setText(*text);
    if (!edit->hasFocus())
        edit->setCursorPosition(0); // show the beginning of a long sentence
}

void SourceBar::showExample(const QString &example) {
    if (m_example == example)
        return;
    m_example = example;
    showText();
    showWhatCanBeChanged();
}

std::optional<QString> SourceBar::textOf(InputSide side) const {
    if (side == InputSide::Own && !m_example.isEmpty())
        return m_example;
    const core::Input &input = m_document.state().input;
    const core::BatchPointer &batch = side == InputSide::Own ? input.batch : input.source;
    if (!batch)
        return {};
    const core::Sequence &sequence = (*batch)[m_document.selection().sequence];
    // A capture shows its original text, if the file contains it.
    return m_document.isCapture() ? QString::fromStdString(sequence.text) : shownTextOf(sequence);
}

/// Makes the texts of a capture and the example of Being born read-only.
void SourceBar::showWhatCanBeChanged() {
    const bool isFixed = m_document.isCapture();
    for (QLineEdit *edit : {m_text, m_sourceText}) {
        const bool isOwn = edit == m_text;
        const bool isExample = isOwn && !m_example.isEmpty();
        edit->setReadOnly(isFixed || isExample);
        edit->setToolTip(isExample ? tr("An example of the Being born view: N shows the next one. "
                                        "The other views show the session's text")
                         : isFixed ? readOnlyReason()
                         : isOwn   ? tr("Type a sentence: attention follows as you type")
                                   : tr("The sequence that is attended to"));
        const core::BatchPointer &batch =
            isOwn ? m_document.state().input.batch : m_document.state().input.source;
        edit->setPlaceholderText(
            isFixed
                ? (batch ? tr("%n tokens", nullptr, static_cast<int>(batch->length())) : QString())
            : isOwn ? tr("Type a sentence")
                    : tr("Type the sequence to attend to"));
    }
}

} // namespace headlight::ui
