// The status bar: sizes in words, what was recomputed and how long it took, what is under the
// mouse.
#include "ui/widgets/elided_label.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"
#include "ui/window/source_bar.h"
#include "ui/words/site_words.h"
#include "ui/words/stage_titles.h"

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
    m_busy->setMaximumWidth(120);
    m_busy->setTextVisible(false);
    m_busy->hide();
    m_cancel = new QToolButton;
    m_cancel->setText(tr("Cancel"));
    m_cancel->setObjectName("cancel");
    m_cancel->setAccessibleName(m_cancel->text());
    m_cancel->hide();
    connect(m_cancel, &QToolButton::clicked, this, &MainWindow::cancel);
    statusBar()->addWidget(m_sizes);
    statusBar()->addWidget(m_time);
    statusBar()->addWidget(m_busy);
    statusBar()->addWidget(m_cancel);
    statusBar()->addWidget(m_message, 1);

    // Nothing flickers for a computation that is done at once.
    m_busyDelay = new QTimer(this);
    m_busyDelay->setSingleShot(true);
    m_busyDelay->setInterval(300);
    connect(m_busyDelay, &QTimer::timeout, this, &MainWindow::showBusy);
    connect(&m_reader, &SourceReader::started, m_busyDelay, qOverload<>(&QTimer::start));
    connect(&m_reader, &SourceReader::ended, this, &MainWindow::showBusy);
}

/// What the window is waiting for, and that it can be stopped; nothing once it is there.
void MainWindow::showBusy() {
    const bool reading = m_reader.isReading();
    const bool computing = m_isComputing && (m_document.traceIsStale() || m_document.isPreparing());
    const bool busy = reading || computing;
    if (!busy)
        m_busyDelay->stop();
    m_busy->setAccessibleName(reading ? tr("Reading") : tr("Computing"));
    m_cancel->setToolTip(reading
                             ? tr("Stop reading %1").arg(QFileInfo(m_reader.source()).fileName())
                             : tr("Stop the computation and go back to what was shown before"));
    m_busy->setVisible(busy && !m_busyDelay->isActive());
    m_cancel->setVisible(m_busy->isVisibleTo(this));
    if (reading && m_busy->isVisibleTo(this))
        m_message->setText(tr("Reading %1…").arg(QFileInfo(m_reader.source()).fileName()));
}

void MainWindow::cancel() {
    if (!m_reader.isReading())
        return m_document.cancelComputation();
    m_reader.cancel();
    m_sourceBar->showSource();
    m_message->setText(tr("%1 was not opened").arg(QFileInfo(m_reader.source()).fileName()));
}

void MainWindow::showSizes() {
    const core::Trace &trace = *m_document.trace();
    const core::Config &config = trace.model().config;
    const core::Batch &batch = trace.batch();
    const auto length = static_cast<int>(batch.length());
    const auto heads = static_cast<int>(config.heads);
    QStringList sizes;
    if (batch.count() > 1)
        sizes << tr("%n sequences", nullptr, static_cast<int>(batch.count()));
    sizes << (length == 1 ? tr("1 token") : tr("%n tokens", nullptr, length))
          << tr("width %1").arg(config.width)
          << (heads == 1 ? tr("1 head × %1").arg(config.headSize)
                         : tr("%n heads × %1", nullptr, heads).arg(config.headSize));
    m_sizes->setText(sizes.join(" · "));
    const auto all = trace.names().size();
    const auto computed = trace.recomputed().size();
    const QString time = QLocale().toString(trace.milliseconds(), 'f', 1);
    const core::Index allHeads =
        config.heads * static_cast<core::Index>(trace.model().weights.main.layers.size());
    const core::Index computedHeads = trace.recomputedHeads();
    QString words = tr("nothing to recompute");
    if (computedHeads > 0 && computedHeads < allHeads)
        words = tr("%1 of %2 stages, %3 of %4 heads computed in %5 ms")
                    .arg(computed)
                    .arg(all)
                    .arg(computedHeads)
                    .arg(allHeads)
                    .arg(time);
    else if (computed > 0)
        words = tr("%1 of %2 stages computed in %3 ms").arg(computed).arg(all).arg(time);
    m_time->setText(words);
    QStringList names;
    for (const std::string &name : trace.recomputed()) {
        const auto at = core::findStageAnywhere(name);
        const QString where = at ? siteWords(trace.model(), at->site) : QString();
        const QString stage = at ? titleOf(trace, at->stage) : QString::fromStdString(name);
        names << (where.isEmpty() ? stage : QStringLiteral("%1, %2").arg(stage, where));
    }
    m_time->setToolTip(names.join('\n'));
}

void MainWindow::showProblem(const core::Error &error) {
    m_problem->showProblem(error);
}

void MainWindow::clearProblem() {
    m_problem->dismiss();
}

} // namespace headlight::ui
