#include "ui/panels/question_card.h"

#include "ui/panels/marked_html.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/wrapped_button.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QTabWidget>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

constexpr int kCardMargin = 24;
constexpr int kColumnMargin = 4; // margin in the column of the lesson's text
constexpr int kWidestText = 720; // px, widest text at the usual size; longer lines are hard to read

/// Returns the text without marks, as it is read aloud.
QString plainWords(const std::string &text, const core::Trace *trace, const QPalette &palette) {
    QTextDocument document;
    document.setHtml(markedHtml(text, trace, palette));
    return document.toPlainText();
}

/// True if the user can type text into the widget.
bool takesText(const QWidget *widget) {
    return widget && widget->testAttribute(Qt::WA_InputMethodEnabled);
}

} // namespace

QuestionCard::QuestionCard(Document &document, QWidget &covered)
    : QFrame(covered.parentWidget()),
      m_document(document),
      m_covered(covered),
      m_scroll(new QScrollArea),
      m_around(new QVBoxLayout),
      m_content(new QWidget),
      m_text(new QLabel),
      m_answers(new QVBoxLayout),
      m_tell(new QPushButton(tr("Skip question"))) {
    setObjectName("questionCard");
    setAccessibleName(tr("Question"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setFocusPolicy(Qt::StrongFocus);
    m_text->setObjectName("questionText");
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);
    m_tell->setObjectName("questionTell");
    m_tell->setAccessibleName(m_tell->text());
    m_tell->setToolTip(tr("Show the step and the right answer"));
    m_tell->setFlat(true);
    connect(m_tell, &QPushButton::clicked, this, [this] { m_document.answer({}); });
    m_content->setObjectName("questionContent");
    auto *inner = new QVBoxLayout(m_content);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(12);
    inner->addWidget(m_text);
    m_answers->setSpacing(8);
    inner->addLayout(m_answers);
    inner->addWidget(m_tell, 0, Qt::AlignLeft);
    auto *page = new QWidget;
    page->setLayout(m_around);
    m_around->addStretch(1);
    m_around->addWidget(m_content, 0, Qt::AlignHCenter);
    m_around->addStretch(2);
    m_scroll->setObjectName("questionScroll");
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus); // Tab scrolls to the answers
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidgetResizable(true);
    m_scroll->setWidget(page);
    page->setAutoFillBackground(false);
    m_scroll->viewport()->setAutoFillBackground(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_scroll);
    covered.installEventFilter(this);
    m_content->installEventFilter(this);
    connect(&document, &Document::changed, this, &QuestionCard::documentChanged);
    hide();
    showQuestion();
}

void QuestionCard::standIn(QWidget &column) {
    m_column = &column;
    column.installEventFilter(this);
    place();
}

bool QuestionCard::isBeside() const {
    const core::Question *const question = m_document.askedQuestion();
    return question && question->show && m_column && m_column->isVisible();
}

void QuestionCard::moveTo(QWidget &covered) {
    QWidget *const parent = covered.parentWidget();
    if (parentWidget() == parent)
        return;
    const bool wasShown = !isHidden();
    setParent(parent); // setParent() hides the card
    setVisible(wasShown);
    if (wasShown && m_focus != Qt::NoFocus && !takesText(QApplication::focusWidget()))
        setFocus(); // the column lost the focus when it was hidden
}

void QuestionCard::setTextSize(double pixels) {
    m_pixels = pixels;
    m_step.reset();
    showQuestion();
}

void QuestionCard::leaveFocusAlone() {
    m_focus = Qt::NoFocus;
    setFocusPolicy(m_focus);
    for (QPushButton *button : findChildren<QPushButton *>())
        button->setFocusPolicy(m_focus);
}

void QuestionCard::documentChanged(const ChangeEvent &event) {
    const auto *state = std::get_if<StateChanged>(&event);
    if (is<SessionChanged>(event) || (state && state->lesson))
        m_step.reset(); // the lesson may have another question now
    if (is<SessionChanged>(event) || is<AnswersChanged>(event) || is<TraceChanged>(event) ||
        (state && (state->step || state->lesson)))
        showQuestion();
}

void QuestionCard::showQuestion() {
    const core::Question *const question = m_document.askedQuestion();
    if (!question) {
        const bool hadFocus = hasFocus() || isAncestorOf(QApplication::focusWidget());
        hide();
        m_step.reset();
        // Move the focus to the picture, because on the tab bar the arrow keys would switch the
        // view.
        if (hadFocus) {
            const auto *tabs = qobject_cast<const QTabWidget *>(&m_covered);
            (tabs ? tabs->currentWidget() : &m_covered)->setFocus();
        }
        return;
    }
    if (m_step != m_document.state().lessonStep) {
        m_step = m_document.state().lessonStep;
        makeAnswers(*question);
    }
    showText();
    place();
    const bool takesFocus =
        isHidden() && m_focus != Qt::NoFocus && !takesText(QApplication::focusWidget());
    show();
    raise();
    if (takesFocus)
        setFocus();
}

double QuestionCard::textPixels() const {
    return m_pixels > 0 ? m_pixels : QFontInfo(m_covered.font()).pixelSize() * 1.15;
}

void QuestionCard::makeAnswers(const core::Question &question) {
    qDeleteAll(std::exchange(m_buttons, {}));
    // Set as a style sheet, because the window's style sheet would override a font.
    const QString size =
        QString("QLabel#questionText, QPushButton { font-size: %1px; }").arg(qRound(textPixels()));
    if (styleSheet() != size)
        setStyleSheet(size);
    for (std::size_t answer = 0; answer < question.answers.size(); ++answer) {
        const QString words =
            plainWords(question.answers[answer].text, m_document.trace().get(), palette());
        auto *button = new WrappedButton(tr("%1  %2").arg(answer + 1).arg(withAmpersands(words)));
        button->setObjectName(QString("questionAnswer%1").arg(answer));
        button->setAccessibleName(words);
        button->setToolTip(tr("Choose this answer (%1)").arg(answer + 1));
        button->setFocusPolicy(m_focus);
        QFont font = button->font(); // the button measures its lines with this font
        font.setPixelSize(qRound(textPixels()));
        button->setFont(font);
        connect(button, &QPushButton::clicked, this, [this, answer] { choose(answer); });
        m_answers->addWidget(button);
        button->show(); // a hidden button would not count for the height
        if (!m_buttons.isEmpty())
            setTabOrder(m_buttons.last(), button);
        m_buttons << button;
    }
    if (!m_buttons.isEmpty())
        setTabOrder(m_buttons.last(), m_tell);
}

/// Renders the text again, with numbers from the trace and a tint from the palette.
void QuestionCard::showText() {
    const core::Question *const question = m_document.askedQuestion();
    if (!question || !m_step)
        return;
    const core::Trace *const trace = m_document.trace().get();
    const QString text = markedHtml(question->text, trace, palette());
    m_text->setText(m_pixels > 0 ? withReadableScripts(text) : text);
    setAccessibleDescription(plainWords(question->text, trace, palette()));
}

void QuestionCard::place() {
    const core::Question *const question = m_document.askedQuestion();
    if (!question)
        return;
    const bool isBeside = this->isBeside();
    QWidget &covered = isBeside ? *m_column : m_covered;
    moveTo(covered);
    QRect place = covered.geometry();
    const double scale = std::max(1.0, textPixels() / 15);
    if (const bool isFramed = question->show && !isBeside;
        isFramed != (frameShape() == QFrame::StyledPanel)) {
        setFrameShape(isFramed ? QFrame::StyledPanel : QFrame::NoFrame);
        setProperty("isFramed", isFramed); // the style sheet colours the frame by this property
        style()->unpolish(this);
        style()->polish(this);
    }
    // The window's column has its own margin; a presentation's column has none.
    const int margin = isBeside && m_pixels == 0 ? kColumnMargin : kCardMargin;
    m_around->setContentsMargins(margin, margin, margin, margin);
    m_around->setStretch(0, isBeside ? 0 : 1); // in the column the card begins at the top
    const int around = 2 * (margin + frameWidth());
    const int width = std::min(place.width() - around, qRound(kWidestText * scale));
    for (QWidget *each : m_content->findChildren<QWidget *>())
        each->ensurePolished(); // applies the style sheet's font size
    const int height = std::max(1, m_content->layout()->heightForWidth(width));
    m_content->setFixedSize(width, height);
    if (question->show && !isBeside)
        place.setTop(std::max(place.top(), place.bottom() + 1 - height - around));
    setGeometry(place);
}

void QuestionCard::choose(std::size_t answer) {
    m_document.answer(answer);
}

bool QuestionCard::takesKey(int key) {
    const int answer = key - Qt::Key_1;
    if (answer < 0 || answer >= m_buttons.size() || !m_step)
        return false;
    choose(static_cast<std::size_t>(answer));
    return true;
}

void QuestionCard::keyPressEvent(QKeyEvent *event) {
    if (!takesKey(event->key()))
        QFrame::keyPressEvent(event);
}

void QuestionCard::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange)
        showText();
    QFrame::changeEvent(event);
}

/// Places the card once all of its text is styled, because its height is known only then.
void QuestionCard::placeLater() {
    QMetaObject::invokeMethod(this, &QuestionCard::place, Qt::QueuedConnection);
}

bool QuestionCard::event(QEvent *event) {
    const QEvent::Type type = event->type();
    if (type == QEvent::Show || type == QEvent::FontChange || type == QEvent::StyleChange)
        placeLater();
    return QFrame::event(event);
}

bool QuestionCard::eventFilter(QObject *object, QEvent *event) {
    if (object == m_content && event->type() == QEvent::LayoutRequest)
        placeLater();
    const QEvent::Type type = event->type();
    if ((object == &m_covered || object == m_column) &&
        (type == QEvent::Resize || type == QEvent::Move))
        place();
    if (object == m_column && (type == QEvent::Show || type == QEvent::Hide))
        placeLater();
    if (object == &m_covered && event->type() == QEvent::FontChange && m_step) {
        m_step.reset();
        // Queued, because no widget may be deleted while Qt applies the style to all widgets.
        QMetaObject::invokeMethod(this, &QuestionCard::showQuestion, Qt::QueuedConnection);
    }
    return QFrame::eventFilter(object, event);
}

} // namespace headlight::ui
