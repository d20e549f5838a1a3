#include "ui/panels/lesson_editor/text_page.h"

#include "ui/panels/lesson_editor/marked_field.h"
#include "ui/panels/lesson_editor/typing.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace headlight::ui {

TextPage::TextPage(Document &document, QWidget *parent)
    : StepPage(parent),
      m_document(document),
      m_title(new QLineEdit),
      m_text(new MarkedField("stepText",
                             {tr("Text"),
                              tr("The text of this step. An empty line starts a new paragraph."),
                              tr("*emphasis*, **strong**, {weights 0 0 bank money} for a number, "
                                 "and claims: {if … > …}text if true{else}text if false{end}")},
                             MarkedField::Holds::Paragraphs, 7)),
      m_tryIt(
          new MarkedField("stepTryIt",
                          {tr("Try it"), tr("A suggested activity, in its own box"),
                           tr("A suggested activity, in its own box. Leave it empty for no box")},
                          MarkedField::Holds::One, 3)),
      m_mistake(new MarkedField(
          "stepMistake",
          {tr("A common mistake"), tr("A common misconception, and why it is wrong"),
           tr("A common misconception, in its own box. Leave it empty for no box")},
          MarkedField::Holds::One, 3)) {
    auto *name = new QLabel(tr("Title of the step"));
    name->setBuddy(m_title);
    m_title->setObjectName("stepTitle");
    m_title->setAccessibleName(name->text());
    m_title->setPlaceholderText(tr("What the step is about"));
    m_title->setToolTip(tr("Shown above the text, and in the list of steps"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    layout->addWidget(name);
    layout->addWidget(m_title);
    for (MarkedField *field : {m_text, m_tryIt, m_mistake})
        layout->addWidget(field);
    layout->addStretch(1);
    connect(m_title, &QLineEdit::textChanged, this, [this](const QString &title) {
        emit edited(tr("Title of a step"),
                    [title](core::LessonStep &step) { step.title = title.toStdString(); });
    });
    connect(m_text, &MarkedField::edited, this, [this] {
        emit edited(tr("Text of a step"),
                    [texts = m_text->texts()](core::LessonStep &step) { step.text = texts; });
    });
    connect(m_tryIt, &MarkedField::edited, this, [this] {
        emit edited(tr("What to try"),
                    [text = m_tryIt->text()](core::LessonStep &step) { step.tryIt = text; });
    });
    connect(m_mistake, &MarkedField::edited, this, [this] {
        emit edited(tr("A common mistake"),
                    [text = m_mistake->text()](core::LessonStep &step) { step.mistake = text; });
    });
}

void TextPage::showStep(const core::LessonStep &step) {
    showLine(*m_title, QString::fromStdString(step.title));
    m_text->setTexts(step.text);
    m_tryIt->setText(step.tryIt);
    m_mistake->setText(step.mistake);
}

void TextPage::showNumbers() {
    const core::Trace *const trace = m_document.trace().get();
    for (MarkedField *field : {m_text, m_tryIt, m_mistake})
        field->check(trace);
}

QWidget *TextPage::firstField() const {
    return m_text->field();
}

void TextPage::goTo(const QString &place) {
    if (place.startsWith("try_it"))
        m_tryIt->takeFocus();
    else if (place.startsWith("mistake"))
        m_mistake->takeFocus();
    else if (place.startsWith("title"))
        m_title->setFocus(Qt::OtherFocusReason);
    else
        m_text->takeFocus();
}

} // namespace headlight::ui
