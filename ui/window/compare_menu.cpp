#include "ui/window/compare_menu.h"

#include "ui/document/lesson_catalogue.h"
#include "ui/text/capture_text.h"
#include "ui/text/step_number.h"
#include "ui/text/token_names.h"
#include "ui/views/compare_bar.h"
#include "ui/widgets/plain_text.h"
#include "ui/window/start/learned_models_menu.h"

#include <QActionGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

namespace headlight::ui {

CompareMenu::CompareMenu(Document &document, SourceReader &reader, QWidget *parent)
    : QMenu(tr("&Compare"), parent), m_document(document), m_reader(reader) {
    Comparison &comparison = document.comparison();
    addAction(tr("&Pin as A"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A), this, [this] {
        m_document.comparison().pin();
        emit statusMessage(
            tr("Pinned as A: %1. Change something, then look at the difference (Ctrl+3)")
                .arg(m_document.comparison().compared().name));
    })->setToolTip(tr("Keep the current state as A, to compare with your next changes"));
    m_text =
        addAction(tr("Compare with another &text…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_X),
                  this, &CompareMenu::textWanted);
    makeSources();
    m_sameText = addAction(tr("A &reads the current text"), this, &CompareMenu::readCurrentText);
    m_sequences = addMenu(tr("Compare with &sequence"));
    connect(m_sequences, &QMenu::aboutToShow, this, &CompareMenu::fillSequences);
    m_unpin = addAction(tr("&Unpin A"), &comparison, &Comparison::unpin);
    addSeparator();
    auto *group = new QActionGroup(this);
    for (std::size_t i = 0; i < kShown.size(); ++i) {
        const ComparisonSide shown = kShown[i];
        QAction *action = addAction(tr("Show &%1").arg(titleOf(shown)),
                                    QKeySequence(Qt::CTRL | (Qt::Key_1 + static_cast<int>(i))),
                                    this, [this, shown] { m_document.comparison().show(shown); });
        action->setCheckable(true);
        group->addAction(action);
        m_shown << action;
    }
    connect(&comparison, &Comparison::failed, this, &CompareMenu::failed);
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        const auto *state = std::get_if<StateChanged>(&event);
        if (is<SessionChanged>(event) || is<ComparisonChanged>(event) ||
            (state && state->parts.has(core::StatePart::Text)))
            showState();
    });
    showState();
}

void CompareMenu::makeSources() {
    QMenu *sources = addMenu(tr("Compare &with"));
    for (const LessonInfo &lesson : lessonInfos())
        sources->addAction(withAmpersands(lesson.title), this,
                           [this, id = lesson.id] { compareWith(id); });
    sources->addSeparator();
    auto *learned = new LearnedModelsMenu(sources);
    sources->addMenu(learned);
    connect(learned, &LearnedModelsMenu::chosen, this, &CompareMenu::compareWith);
    sources->addAction(tr("&File…"), this, &CompareMenu::chooseFile);
    sources->addAction(tr("Model f&older…"), this, &CompareMenu::chooseFolder)
        ->setObjectName("compareFolder");
}

void CompareMenu::compareWith(const QString &source) {
    SourceRequest request;
    request.source = source;
    m_reader.read(request, [this](const core::Result<OpenedSource> &opened) {
        if (!opened)
            emit failed(opened.error());
        else
            m_document.comparison().compareWith(*opened);
    });
}

/// Sets the text of A, which is another model, to the document's current text.
void CompareMenu::readCurrentText() {
    const core::Input &input = m_document.state().input;
    const core::Batch &batch = input.source ? *input.source : *input.batch;
    const core::Index sequence = m_document.selection().sequence;
    if (const core::Outcome taken =
            m_document.comparison().setTextOfA(shownTextOf(batch[sequence]));
        !taken)
        emit failed(taken.error());
}

void CompareMenu::chooseFile() {
    QSettings settings;
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Compare with a session, a capture or a model"),
                                     settings.value("sessions/folder").toString(),
                                     tr("Sessions, captures and models (*.headlight *.safetensors "
                                        "*.safetensors.index.json *.npz "
                                        "*.gguf);;All files (*)"));
    if (!path.isEmpty())
        compareWith(path);
}

void CompareMenu::chooseFolder() {
    QSettings settings;
    const QString path =
        QFileDialog::getExistingDirectory(this, tr("Compare with a folder with a pretrained model"),
                                          settings.value("models/folder").toString());
    if (path.isEmpty())
        return;
    settings.setValue("models/folder", QFileInfo(path).absolutePath());
    compareWith(path);
}

void CompareMenu::fillSequences() {
    m_sequences->clear();
    const core::Batch &batch = *m_document.state().input.batch;
    for (core::Index i = 0; i < batch.count(); ++i) {
        const QString text = QString::fromStdString(batch[i].text).simplified().left(60);
        QAction *action =
            m_sequences->addAction(tr("%1  %2").arg(stepNumber(i)).arg(withAmpersands(text)), this,
                                   [this, i] { m_document.comparison().compareWithSequence(i); });
        action->setEnabled(i != m_document.selection().sequence);
    }
}

void CompareMenu::showState() {
    const Comparison &comparison = m_document.comparison();
    const core::BatchPointer &batch = m_document.state().input.batch;
    m_sequences->setEnabled(batch && batch->count() > 1);
    const bool isCapture = m_document.isCapture();
    m_text->setEnabled(!isCapture);
    m_text->setToolTip(isCapture ? readOnlyReason()
                                 : tr("Compare with what the model computes for another text"));
    const std::optional<SideA> &a = comparison.a();
    m_sameText->setEnabled(a && !a->session.capture && !comparison.followsDocument() &&
                           !comparison.isAblated() && batch);
    m_sameText->setToolTip(tr("Compare two models on one text"));
    m_unpin->setEnabled(comparison.hasA());
    for (qsizetype i = 0; i < m_shown.size(); ++i) {
        const ComparisonSide shown = kShown[static_cast<std::size_t>(i)];
        m_shown[i]->setEnabled(shown == ComparisonSide::Now || comparison.hasA());
        m_shown[i]->setChecked(shown == comparison.shown());
    }
}

} // namespace headlight::ui
