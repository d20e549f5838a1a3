// Inspector actions that copy or save values, terms, matrices and scripts.
#include "core/explain/numpy_script.h"
#include "core/format_number.h"
#include "core/formats/files/atomic_file.h"
#include "core/selection/selected.h"
#include "ui/document/files_read.h"
#include "ui/panels/inspector.h"
#include "ui/panels/inspector_copy.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QSettings>

namespace headlight::ui {

namespace {

constexpr core::Index kMaxCopied = 4'000'000; // numbers; more would fail in most clipboards
constexpr const char *kShowTerms = "inspector/showTerms";
constexpr const char *kShowText = "inspector/showText";

} // namespace

void Inspector::makeActions() {
    const auto action = [this](const QString &text, const QString &tip, auto &&work) {
        auto *made = new QAction(text, this);
        made->setToolTip(tip);
        made->setStatusTip(tip);
        connect(made, &QAction::triggered, this, work);
        return made;
    };
    m_copyValue = action(tr("Copy &value"), tr("The selected number with all its digits"),
                         [this] { copyValue(); });
    m_copyTerms = action(tr("Copy all &terms"), tr("The whole content of the inspector, as text"),
                         [this] { toClipboard(content().allTerms(), tr("all terms")); });
    m_copyCsv = action(tr("Copy matrix as &CSV"), tr("The stage's matrix with its tokens"),
                       [this] { copyMatrix(','); });
    m_copyTabs = action(tr("Copy matrix for a &spreadsheet"),
                        tr("The stage's matrix, separated by tabs, to paste into a spreadsheet"),
                        [this] { copyMatrix('\t'); });
    m_saveCsv = action(tr("Save &matrix as CSV…"), tr("The stage's matrix as a file"),
                       [this] { askWhereToSave(); });
    m_copyNumpy = action(tr("Copy as &NumPy"), tr("A short Python script that computes the number"),
                         [this] { copyNumpy(); });
    m_showTerms = new QAction(tr("Show terms as n&umbers"), this);
    m_showTerms->setCheckable(true);
    m_showTerms->setChecked(QSettings().value(kShowTerms).toBool());
    connect(m_showTerms, &QAction::toggled, this, [this](bool on) {
        QSettings().setValue(kShowTerms, on);
        showContent();
    });
    m_showText = new QAction(tr("Show the text as &word counts"), this);
    m_showText->setToolTip(tr("For an embedding: how often each word occurs in the text, as a bag "
                              "of words and as TF-IDF"));
    m_showText->setCheckable(true);
    m_showText->setChecked(QSettings().value(kShowText).toBool());
    connect(m_showText, &QAction::toggled, this, [this](bool on) {
        QSettings().setValue(kShowText, on);
        refresh();
    });
    m_copyValue->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V));
    updateActions();
}

void Inspector::updateActions() {
    const core::TracePointer &trace = m_document.trace();
    const core::Selection selection = m_document.selectionInTrace();
    const bool cell = trace && core::valueAt(*trace, selection).ok();
    m_copyValue->setEnabled(cell);
    m_copyNumpy->setEnabled(cell);
    m_copyTerms->setEnabled(trace && core::selectedRow(selection).has_value());
    const bool matrix = trace && matrixSize(*trace, selection) > 0;
    for (QAction *action : {m_copyCsv, m_copyTabs, m_saveCsv})
        action->setEnabled(matrix);
}

void Inspector::toClipboard(const QString &text, const QString &what, const char *mimeType) {
    auto *mime = new QMimeData;
    mime->setText(text);
    if (mimeType)
        mime->setData(mimeType, text.toUtf8());
    QGuiApplication::clipboard()->setMimeData(mime);
    emit statusMessage(tr("Copied to the clipboard: %1").arg(what));
}

void Inspector::copyValue() {
    if (!m_document.trace())
        return;
    const core::Result<float> value =
        core::valueAt(*m_document.trace(), m_document.selectionInTrace());
    if (!value)
        return emit failed(value.error());
    toClipboard(QString::fromStdString(core::exact(*value)), tr("the value"));
}

void Inspector::copyMatrix(char separator) {
    if (!m_document.trace())
        return;
    if (matrixSize(*m_document.trace(), m_document.selectionInTrace()) > kMaxCopied)
        return emit failed({messageOf(tr("the matrix is too large for the clipboard")), "",
                            messageOf(tr("save it as a file"))});
    const core::Result<std::string> text =
        matrixText(*m_document.trace(), m_document.selectionInTrace(), separator);
    if (!text)
        return emit failed(text.error());
    toClipboard(QString::fromStdString(*text), tr("the matrix"),
                separator == ',' ? "text/csv" : nullptr);
}

void Inspector::copyNumpy() {
    if (!m_document.trace())
        return;
    const core::Result<std::string> script =
        core::numpyScript(*m_document.trace(), m_document.selectionInTrace());
    if (!script)
        return emit failed(script.error());
    toClipboard(QString::fromStdString(*script), tr("the script"));
}

core::Outcome Inspector::saveMatrix(const QString &path) {
    if (core::Outcome allowed = mayWrite(m_document, path); !allowed)
        return allowed;
    if (!m_document.trace())
        return core::Error{messageOf(tr("nothing has been computed yet")), "", ""};
    const core::Result<std::string> text =
        matrixText(*m_document.trace(), m_document.selectionInTrace(), ',');
    if (!text)
        return text.error();
    return core::writeFile(bytesOf(path), *text, core::OverwritePolicy::RegularFile);
}

void Inspector::askWhereToSave() {
    QSettings settings;
    const core::Selection &selection = m_document.selection();
    const QString name = QStringLiteral("%1-%2.csv")
                             .arg(QFileInfo(m_document.source()).completeBaseName(),
                                  QString::fromLatin1(core::infoOf(selection.stage).name.data()));
    const QString folder = settings.value("matrices/folder").toString();
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save matrix"), folder.isEmpty() ? name : folder + '/' + name,
        tr("Comma-separated values (*.csv);;All files (*)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".csv");
    const core::Outcome saved = saveMatrix(path);
    if (!saved)
        return emit failed(saved.error());
    settings.setValue("matrices/folder", QFileInfo(path).absolutePath());
    emit statusMessage(tr("Saved %1").arg(path));
}

} // namespace headlight::ui
