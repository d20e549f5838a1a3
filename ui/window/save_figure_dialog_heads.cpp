// SaveFigureDialog: figures of several heads, saved in the background with progress and Cancel.
#include "ui/window/save_figure_dialog.h"

#include "ui/text/attention_names.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/text/one_line.h"
#include "ui/text/sentences.h"
#include "ui/views/figure_view.h"
#include "ui/window/saving/suggested_name.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTimer>

namespace headlight::ui {

namespace {

constexpr int kHeadsLength = 16; // letters; the list itself is as wide as it needs to be

struct SaveFigureText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SaveFigureDialog)
};

/// Returns the name of HeadSet::All, which has the heads of one kind of attention.
QString everyHeadText(const core::Model &model, core::AttentionId selected) {
    if (placesOf(model).size() <= 1)
        return SaveFigureText::tr("Every head");
    if (selected.block == core::Block::CrossAttention)
        return SaveFigureText::tr("Every head of the cross-attention");
    switch (selected.stack) {
    case core::Stack::Encoder:
        return SaveFigureText::tr("Every head of the encoder");
    case core::Stack::Decoder:
        return SaveFigureText::tr("Every head of the decoder's self-attention");
    case core::Stack::Main:
    case core::Stack::SourceEmbeddings:
        break;
    }
    return SaveFigureText::tr("Every head of the self-attention");
}

} // namespace

void SaveFigureDialog::offerHeads() {
    const ViewInfo *one = viewOfOneHead(m_view.info());
    if (one && !differsByHead(*one, m_view.captionedStage()))
        one = nullptr;
    m_heads->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_heads->setMinimumContentsLength(kHeadsLength);
    m_heads->addItem(tr("This head"), static_cast<int>(HeadSet::Selected));
    if (one) {
        const auto offer = [this](HeadSet set, const QString &words) {
            if (const auto heads = headsOf(m_view.document(), set, m_view.captionedStage());
                !heads.empty())
                m_heads->addItem(tr("%1 (%2)").arg(words).arg(heads.size()), static_cast<int>(set));
        };
        offer(HeadSet::Pinned, tr("Pinned heads"));
        offer(HeadSet::Layer, tr("Every head of this layer"));
        if (const core::TracePointer trace = m_view.document().trace())
            offer(HeadSet::All,
                  everyHeadText(trace->model(), m_view.document().selectionInTrace().attention()));
    }
    // A view that shows all heads shows the selected one among them.
    if (one && one->view != m_view.info().view)
        m_heads->setItemText(0, tr("The view as it is"));
    m_heads->setEnabled(m_heads->count() > 1);
    connect(m_heads, &QComboBox::currentIndexChanged, this, &SaveFigureDialog::showResult);
}

HeadSet SaveFigureDialog::headSet() const {
    return static_cast<HeadSet>(m_heads->currentData().toInt());
}

std::vector<core::HeadId> SaveFigureDialog::heads() const {
    const HeadSet set = headSet();
    return set == HeadSet::Selected ? std::vector<core::HeadId>()
                                    : headsOf(m_view.document(), set, m_view.captionedStage());
}

QString SaveFigureDialog::suggestedName() const {
    const FigureCommandLine wanted = recipe();
    QString base = QFileInfo(m_view.document().source()).completeBaseName();
    if (base.isEmpty()) // the session is not saved in a file yet
        base = ui::suggestedName(oneLine(m_view.document().session().title));
    if (base.isEmpty())
        base = tr("figure");
    if (!wanted.heads.empty()) // %l and %h are patterns, so escape other % signs
        base.replace(QStringLiteral("%"), QStringLiteral("%%"));
    const QString each = wanted.output.isEmpty() ? QString() : QStringLiteral("-%l-%h");
    return base + '-' + wanted.view + each + '.' + suffix();
}

QString SaveFigureDialog::savedText() const {
    return m_set.all() > 1 ? tr("Saved %n figures: %1", nullptr, m_set.all()).arg(m_savedPath)
                           : tr("Saved %1").arg(m_savedPath);
}

bool SaveFigureDialog::mayOverwrite(const QString &path) {
    const auto files = filesOf(withSuffix(path), heads(), format());
    if (!files) // saveTo() shows the error
        return true;
    QStringList existing;
    for (const FileOfHeads &file : *files)
        if (file.path != path && pathExists(file.path)) // the file dialog has asked about `path`
            existing << QFileInfo(file.path).fileName();
    if (existing.isEmpty())
        return true;
    constexpr qsizetype kNamed = 5;
    const QString names = listed(existing.mid(0, kNamed)) +
                          (existing.size() > kNamed ? QStringLiteral(" …") : QString());
    const auto count = static_cast<int>(existing.size());
    const QString words = count == 1
                              ? tr("%1 exists already.\nOverwrite it?")
                              : tr("%n files exist already: %1\nOverwrite them?", nullptr, count);
    QMessageBox box(QMessageBox::Question, tr("Save figure"), words.arg(names),
                    QMessageBox::Yes | QMessageBox::No, this);
    box.setTextFormat(Qt::PlainText); // a file name may look like a tag
    return box.exec() == QMessageBox::Yes;
}

void SaveFigureDialog::saveSet(const QString &path) {
    const FigureCommandLine wanted = recipe();
    core::Result<std::vector<FileOfHeads>> files = filesOf(path, wanted.heads, wanted.format);
    if (!files)
        return showProblem(files.error());
    m_problem->hide();
    if (const core::Outcome started = m_set.start(wanted, *std::move(files)); !started)
        return showProblem(started.error());
    m_savedPath = path;
    rememberChoices();
    QSettings().setValue("figures/folder", QFileInfo(path).absolutePath());
    m_ticks->start();
    showProgress();
}

void SaveFigureDialog::showProgress() {
    const bool isBusy = isSaving();
    if (!isBusy)
        m_ticks->stop();
    m_controls->setEnabled(!isBusy);
    if (auto *save = findChild<QPushButton *>("saveButton"))
        save->setEnabled(!isBusy);
    m_progress->setVisible(isBusy);
    m_progress->setRange(0, m_set.all());
    m_progress->setValue(m_set.made());
    m_progress->setFormat(tr("%1 of %2 figures").arg(m_set.made()).arg(m_set.all()));
    if (auto *cancel = findChild<QPushButton *>("cancelButton"))
        cancel->setToolTip(isBusy ? tr("Stop saving (Esc)") : tr("Close without saving (Esc)"));
}

void SaveFigureDialog::setFailed(const core::Error &error) {
    m_savedPath.clear();
    showProgress();
    showResult();
    showProblem(error);
}

void SaveFigureDialog::reject() {
    if (!isSaving())
        return QDialog::reject();
    m_set.cancel();
    const int saved = m_set.savedFiles();
    setFailed({messageOf(tr("saving was stopped")), "",
               saved == 0   ? messageOf(tr("no file was written"))
               : saved == 1 ? messageOf(tr("1 file was saved"))
                            : messageOf(tr("%n files were saved", nullptr, saved))});
}

} // namespace headlight::ui
