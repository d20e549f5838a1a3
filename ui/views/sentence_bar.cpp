#include "ui/views/sentence_bar.h"

#include "ui/document/document.h"
#include "ui/widgets/bar_buttons.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

namespace headlight::ui {

SentenceBar::SentenceBar(Document &document, QWidget &view)
    : QWidget(&view), m_document(document), m_text(new QLineEdit), m_add(barButton("addSentence")) {
    setObjectName("sentenceBar");
    setAccessibleName(tr("A second sentence"));
    setAutoFillBackground(true);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(6);
    m_text->setObjectName("secondSentence");
    m_text->setPlaceholderText(tr("A second sentence"));
    m_text->setAccessibleName(tr("A second sentence to compare with the first"));
    m_text->setToolTip(tr("Enter a second sentence, which the model reads like the first; Undo "
                          "removes the sentence"));
    m_add->setText(tr("Add"));
    m_add->setAccessibleName(tr("Add the second sentence"));
    m_add->setToolTip(tr("Add the second sentence (Enter)"));
    m_add->setEnabled(false);
    row->addWidget(m_text, 1);
    row->addWidget(m_add);
    connect(m_text, &QLineEdit::textChanged, m_add,
            [this](const QString &text) { m_add->setEnabled(!text.simplified().isEmpty()); });
    connect(m_text, &QLineEdit::returnPressed, this, &SentenceBar::add);
    connect(m_add, &QToolButton::clicked, this, &SentenceBar::add);
}

bool SentenceBar::isOfUse() const {
    const core::Input &input = m_document.state().input;
    return input.batch && input.batch->count() == 1 && !input.source && !m_document.isCapture();
}

void SentenceBar::add() {
    if (m_text->text().simplified().isEmpty())
        return;
    const core::Outcome outcome = m_document.apply(
        edits::addText(m_document.state(), m_document.textId().minimumLength, m_text->text()));
    if (!outcome)
        return emit failed(outcome.error());
    m_text->clear();
}

} // namespace headlight::ui
