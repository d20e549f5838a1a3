// MainWindow: the status bar with sizes, recomputed stages, computing time, and what is under the
// mouse.
#include "core/formats/capture/capture.h"
#include "ui/compute/file_watch.h"
#include "ui/text/attention_names.h"
#include "ui/text/capture_text.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"
#include "ui/widgets/elided_label.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"
#include "ui/window/source_bar.h"

#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>

namespace headlight::ui {

void MainWindow::makeStatusBar() {
    m_sizes = new ElidedLabel;
    m_time = new ElidedLabel;
    m_message->setObjectName("message");
    m_message->setTextFormat(Qt::PlainText);
    m_message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_message->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_busy = new QProgressBar;
    m_busy->setRange(0, 0);
    m_busy->setObjectName("busy");
    m_busy->setMaximumWidth(220);
    m_busy->hide();
    m_cancel = new QToolButton;
    m_cancel->setText(tr("Cancel"));
    m_cancel->setObjectName("cancel");
    m_cancel->setAccessibleName(m_cancel->text());
    m_cancel->setShortcut(Qt::Key_Escape); // active only while the button is visible
    m_cancel->hide();
    connect(m_cancel, &QToolButton::clicked, this, &MainWindow::cancel);
    statusBar()->addWidget(m_sizes);
    statusBar()->addWidget(m_time);
    statusBar()->addWidget(m_busy);
    statusBar()->addWidget(m_cancel);
    statusBar()->addWidget(m_message, 1);

    // Avoids flicker when a computation finishes quickly.
    m_busyDelay = new QTimer(this);
    m_busyDelay->setSingleShot(true);
    m_busyDelay->setInterval(300);
    connect(m_busyDelay, &QTimer::timeout, this, &MainWindow::showBusy);
    m_progressTicks = new QTimer(this);
    m_progressTicks->setInterval(100);
    connect(m_progressTicks, &QTimer::timeout, this, &MainWindow::showProgress);
    connect(&m_reader, &SourceReader::started, m_busyDelay, qOverload<>(&QTimer::start));
    connect(&m_reader, &SourceReader::ended, this, &MainWindow::showBusy);
}

void MainWindow::showHovered(const QString &words) {
    m_hovered = words;
    m_message->setText(words);
}

void MainWindow::clearHovered() {
    if (m_message->text() == m_hovered)
        m_message->clear();
    m_hovered.clear();
}

QString MainWindow::readFileName() const {
    return QFileInfo(m_reader.isReading() ? m_reader.source() : m_inputFile).fileName();
}

/// Shows what the window is waiting for and a button to cancel it, or hides both.
void MainWindow::showBusy() {
    const bool reading = isReading();
    const bool computing = m_isComputing && (m_document.traceIsStale() || m_document.isPreparing());
    const bool busy = reading || computing;
    if (!busy)
        m_busyDelay->stop();
    m_busy->setAccessibleName(reading ? tr("Reading") : tr("Computing"));
    m_cancel->setToolTip(reading
                             ? tr("Stop reading %1 (Esc)").arg(readFileName())
                             : tr("Stop the computation and go back to the previous state (Esc)"));
    m_busy->setVisible(busy && !m_busyDelay->isActive());
    m_cancel->setVisible(m_busy->isVisibleTo(this));
    m_leaveFullScreen->setEnabled(isFullScreen() && !m_cancel->isVisibleTo(this)); // both use Esc
    if (m_cancel->isVisibleTo(this) && !m_progressTicks->isActive())
        m_progressTicks->start();
    showProgress();
    if (reading && m_busy->isVisibleTo(this))
        m_message->setText(tr("Reading %1…").arg(readFileName()));
}

/// Shows the progress, if it is known.
void MainWindow::showProgress() {
    if (!m_busy->isVisibleTo(this))
        return m_progressTicks->stop();
    const core::Progress::Layers layers =
        isReading() ? core::Progress::Layers() : m_document.progress();
    m_busy->setTextVisible(layers.all > 0);
    m_busy->setRange(0, static_cast<int>(layers.all));
    m_busy->setValue(static_cast<int>(layers.computed));
    m_busy->setFormat(tr("%1 of %2 layers").arg(layers.computed).arg(layers.all));
    m_busy->setAccessibleDescription(layers.all > 0 ? m_busy->format() : QString());
}

void MainWindow::cancel() {
    if (!isReading())
        return m_document.cancelComputation();
    const QString name = readFileName();
    m_reader.cancel();
    m_inputReader.cancel();
    showBusy();
    m_sourceBar->showSource();
    m_message->setText(tr("%1 was not opened").arg(name));
}

/// Returns the titles of the recomputed stages; empty if all stages or none were recomputed.
QString MainWindow::recomputedText() const {
    const core::Trace &trace = *m_document.trace();
    const std::vector<std::string> computed = trace.recomputed();
    if (computed.empty() || computed.size() == trace.names().size())
        return {};
    QStringList titles;
    for (const std::string &name : computed)
        if (const auto at = core::findStageAnywhere(name))
            titles << titleOf(trace.model(), at->stage);
    titles.removeDuplicates();
    const core::Index heads = trace.model().config.heads *
                              static_cast<core::Index>(trace.model().parameters.main.layers.size());
    const core::Index computedHeads = trace.recomputedHeads();
    const QString what = listed(titles);
    return computedHeads > 0 && computedHeads < heads
               ? tr("Recomputed, in %1 of %2 heads: %3. Everything else is unchanged.")
                     .arg(computedHeads)
                     .arg(heads)
                     .arg(what)
               : tr("Recomputed: %1. Everything else is unchanged.").arg(what);
}

void MainWindow::showSizes() {
    const core::Trace &trace = *m_document.trace();
    const core::Config &config = trace.model().config;
    const core::Batch &batch = trace.batch();
    const auto length = static_cast<int>(batch.length());
    const auto heads = static_cast<int>(config.heads);
    QStringList sizes{batch.count() > 1
                          ? tr("%1 sentences of %n tokens", nullptr, length).arg(batch.count())
                      : length == 1 ? tr("1 token")
                                    : tr("%n tokens", nullptr, length),
                      tr("width %1").arg(config.width),
                      heads == 1 ? tr("1 head of size %1").arg(config.headSize)
                                 : tr("%n heads of size %1", nullptr, heads).arg(config.headSize)};
    if (trace.model().isCaptured())
        return showCaptureSizes(sizes.first());
    m_sizes->setText(sizes.join(QStringLiteral(" · ")));
    m_time->setText(
        trace.recomputed().empty()
            ? tr("nothing had to be computed")
            : tr("computed in %1 ms").arg(QLocale().toString(trace.milliseconds(), 'f', 1)));
    m_time->setToolTip(recomputedText());
}

/// Shows the number of tokens and the number types of a capture, and that nothing is computed.
void MainWindow::showCaptureSizes(const QString &tokens) {
    const core::Capture &capture = *m_document.session().capture->content;
    QStringList types;
    for (const std::string &type : capture.types())
        types << QString::fromStdString(type);
    m_sizes->setText(
        QStringList{tokens, tr("captured as %1").arg(listed(types))}.join(QStringLiteral(" · ")));
    m_time->setText(tr("nothing has been computed"));
    m_time->setToolTip(readOnlyReason());
}

void MainWindow::showProblem(const core::Error &error) {
    if (!isOfShownFile(error))
        return m_problem->showProblem(error);
    m_document.setChangedFile(error);
    tellOfChangedFile(error, true);
    m_watch->lookAnew(); // the watch may have missed the change, but must notice when the file is
                         // restored
}

void MainWindow::clearProblem() {
    m_problem->dismiss();
}

} // namespace headlight::ui
