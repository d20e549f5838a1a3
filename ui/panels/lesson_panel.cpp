#include "ui/panels/lesson_panel.h"

#include "core/formats/step_text.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

QPushButton *buttonFor(QAction *action, const char *name) {
    auto *button = new QPushButton(action->text());
    button->setObjectName(name);
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    const auto follow = [button, action] {
        button->setEnabled(action->isEnabled());
        button->setVisible(action->isVisible());
        button->setToolTip(action->toolTip());
    };
    QObject::connect(action, &QAction::changed, button, follow);
    follow();
    return button;
}

} // namespace

LessonPanel::LessonPanel(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_where(new QLabel),
      m_text(new QTextBrowser),
      m_back(new QAction(tr("‹ Back"), this)),
      m_next(new QAction(tr("Next ›"), this)),
      m_reset(new QAction(tr("Reset"), this)) {
    setObjectName("lessonPanel");
    m_where->setObjectName("eyebrow");
    m_text->setObjectName("lessonText");
    m_text->setAccessibleName(tr("Lesson text"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_back->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Left));
    m_next->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Right));
    m_back->setToolTip(tr("The lesson's previous step (Alt+Left)"));
    m_next->setToolTip(tr("The lesson's next step (Alt+Right)"));
    m_reset->setToolTip(tr("Take back what you changed of this step"));
    connect(m_back, &QAction::triggered, this,
            [this] { (void)m_document.goToStep(m_document.state().lessonStep - 1).ok(); });
    connect(m_next, &QAction::triggered, this,
            [this] { (void)m_document.goToStep(m_document.state().lessonStep + 1).ok(); });
    connect(m_reset, &QAction::triggered, this, [this] { (void)m_document.resetEdits().ok(); });

    auto *buttons = new QHBoxLayout;
    buttons->addWidget(buttonFor(m_back, "lessonBack"));
    m_nextButton = buttonFor(m_next, "lessonNext");
    buttons->addWidget(m_nextButton, 1);
    buttons->addWidget(buttonFor(m_reset, "lessonReset"));

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(m_where);
    layout->addWidget(m_text, 1);
    layout->addLayout(buttons);
    connect(&document, &Document::changed, this, &LessonPanel::documentChanged);
    showStep();
}

void LessonPanel::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        showStep();
    QWidget::changeEvent(event);
}

void LessonPanel::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event) || is<StateChanged>(event) || is<TraceChanged>(event))
        showStep();
}

QString LessonPanel::html() const {
    const core::Session &session = m_document.session();
    if (!session.lesson)
        return QString("<h3>%1</h3><p>%2</p>")
            .arg(QString::fromStdString(session.title).toHtmlEscaped(),
                 tr("This session has no lesson text. Choose a lesson at the top left to read "
                    "one."));
    const core::LessonStep &step =
        session.lesson->steps[static_cast<std::size_t>(m_document.state().lessonStep)];
    const core::Trace *trace = m_document.trace().get();
    const auto paragraph = [trace](const std::string &text) {
        return QString::fromStdString(core::stepTextToHtml(text, trace));
    };
    QString html = QString("<h3>%1</h3>").arg(QString::fromStdString(step.title).toHtmlEscaped());
    for (const std::string &text : step.text)
        html += QString("<p style='line-height:150%'>%1</p>").arg(paragraph(text));
    if (!step.tryIt.empty()) {
        QColor box = palette().color(QPalette::Highlight);
        box.setAlpha(26);
        html +=
            QString(
                "<table width='100%' cellpadding='12' style='margin-top:8px'><tr>"
                "<td style='background-color:%1;line-height:150%'><b>%2</b> %3</td></tr></table>")
                .arg(QString("rgba(%1,%2,%3,0.12)").arg(box.red()).arg(box.green()).arg(box.blue()),
                     tr("Try it."), paragraph(step.tryIt));
    }
    return html;
}

void LessonPanel::showStep() {
    const core::Session &session = m_document.session();
    const core::Index step = m_document.state().lessonStep;
    const core::Index count =
        session.lesson ? static_cast<core::Index>(session.lesson->steps.size()) : 0;
    m_where->setText(session.lesson ? tr("LESSON · STEP %1 OF %2").arg(step + 1).arg(count)
                                    : tr("SESSION"));
    m_where->setToolTip(session.lesson ? tr("On the command line: --step %1").arg(step)
                                       : QString());
    // A text that only has new numbers in it stays where it was scrolled to.
    const QString text = html();
    if (text != m_text->property("shown").toString()) {
        const int scrolled = m_text->verticalScrollBar()->value();
        const bool sameStep = m_text->property("step").toLongLong() == step;
        m_text->setHtml(text);
        m_text->setProperty("shown", text);
        m_text->setProperty("step", static_cast<qlonglong>(step));
        if (sameStep)
            m_text->verticalScrollBar()->setValue(scrolled);
    }
    const bool hasNext = step + 1 < count;
    m_nextButton->setText(
        hasNext ? tr("Next: %1 ›")
                      .arg(fontMetrics().elidedText(
                          QString::fromStdString(
                              session.lesson->steps[static_cast<std::size_t>(step + 1)].title),
                          Qt::ElideRight, 120))
                : tr("Next ›"));
    m_back->setEnabled(step > 0);
    m_next->setEnabled(hasNext);
    m_reset->setEnabled(m_document.isEdited());
}

} // namespace headlight::ui
