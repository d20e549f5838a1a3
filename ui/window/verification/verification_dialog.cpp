#include "ui/window/verification/verification_dialog.h"

#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kTick = 100; // ms between two polls of the progress

} // namespace

VerificationDialog::VerificationDialog(Document &document, QWidget *parent)
    : QDialog(parent),
      m_document(document),
      m_sorted(new QSortFilterProxyModel(this)),
      m_view(new QTableView),
      m_words(new QLabel),
      m_progress(new QProgressBar),
      m_ticks(new QTimer(this)),
      m_copy(new QPushButton(tr("&Copy"))),
      m_again(new QPushButton(tr("Check &again"))),
      m_stop(new QPushButton) {
    setObjectName("verification");
    setWindowTitle(tr("Check the numbers"));
    m_words->setObjectName("verificationText");
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_progress->setObjectName("verificationProgress");
    m_progress->setAccessibleName(tr("Layers that have been compared"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(m_words);
    layout->addWidget(makeTable(), 1);
    layout->addWidget(m_progress);
    layout->addWidget(makeButtons());
    const int line = fontMetrics().height();
    resize(QSize(70 * line, 34 * line).boundedTo(screen()->availableSize() * 0.9));
    m_ticks->setInterval(kTick);
    connect(m_ticks, &QTimer::timeout, this, &VerificationDialog::showProgress);
    connect(&m_document, &Document::changed, this, &VerificationDialog::documentChanged);
    verify();
}

QWidget *VerificationDialog::makeTable() {
    m_sorted->setSourceModel(&m_table);
    m_sorted->setSortRole(VerificationTable::kSortRole);
    m_view->setObjectName("verificationTable");
    m_view->setAccessibleName(tr("Stages and their differences"));
    m_view->setModel(m_sorted);
    m_view->setColumnHidden(VerificationTable::Alone, true);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setWordWrap(false);
    m_view->setTabKeyNavigation(false);
    m_view->setShowGrid(false);
    m_view->setAlternatingRowColors(true);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(qRound(1.6 * fontMetrics().height()));
    QHeaderView *header = m_view->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsClickable(true);
    // A further click restores the order of the computation.
    header->setSortIndicatorClearable(true);
    m_view->setSortingEnabled(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    connect(m_view, &QTableView::activated, this, &VerificationDialog::choose);
    auto *copy = new QAction(tr("Copy the rows"), m_view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &VerificationDialog::copy);
    m_view->addAction(copy);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    return m_view;
}

QWidget *VerificationDialog::makeButtons() {
    auto *buttons = new QWidget;
    auto *row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    m_copy->setObjectName("verificationCopy");
    m_copy->setToolTip(tr("The selected rows, or all, with tabs between the columns"));
    m_again->setObjectName("verificationAgain");
    m_again->setToolTip(tr("Compare the numbers that the window shows now"));
    m_stop->setObjectName("verificationStop");
    for (QPushButton *button : {m_copy, m_again, m_stop})
        button->setAutoDefault(false); // Enter in the table shows a stage instead
    row->addWidget(m_copy);
    row->addStretch(1);
    row->addWidget(m_again);
    row->addWidget(m_stop);
    connect(m_copy, &QPushButton::clicked, this, &VerificationDialog::copy);
    connect(m_again, &QPushButton::clicked, this, &VerificationDialog::verify);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        if (!isBusy())
            return reject();
        stop();
        m_said = tr("The comparison was cancelled.");
        showSaid();
    });
    return buttons;
}

void VerificationDialog::verify() {
    stop();
    m_table.clear();
    m_said.clear();
    if (m_document.failure()) {
        showProblem(*m_document.failure());
        return;
    }
    m_trace = m_document.traceIsStale() ? nullptr : m_document.trace();
    m_isWaiting = !m_trace;
    if (m_trace) {
        m_computed = std::make_shared<core::Progress>();
        m_job.start(
            [trace = m_trace, progress = m_computed](const std::stop_token &stop) {
                return core::verify(*trace, stop, progress.get());
            },
            [this](const core::Result<core::Verification> &verification) {
                verification ? take(*verification) : showProblem(verification.error());
            });
    }
    m_ticks->start();
    showSaid();
}

void VerificationDialog::stop() {
    m_isWaiting = false;
    m_job.cancel();
    m_ticks->stop();
}

void VerificationDialog::done(int result) {
    stop();
    QDialog::done(result);
}

void VerificationDialog::documentChanged(const ChangeEvent &) {
    if (m_isWaiting && (m_document.failure() || !m_document.traceIsStale()))
        verify();
    else if (!isBusy())
        showSaid();
}

void VerificationDialog::showProgress() {
    const core::Progress::Layers layers =
        m_isWaiting ? core::Progress::Layers() : m_computed->layers();
    m_progress->setVisible(isBusy());
    // 0 to 0: busy, because the end is unknown.
    m_progress->setRange(0, static_cast<int>(layers.all));
    m_progress->setValue(static_cast<int>(layers.computed));
    m_progress->setFormat(tr("%1 of %2 layers").arg(layers.computed).arg(layers.all));
    m_progress->setTextVisible(layers.all > 0);
}

void VerificationDialog::take(const core::Verification &verification) {
    stop();
    m_table.show(m_trace, verification);
    m_view->setColumnHidden(VerificationTable::Alone, !m_table.hasAlone());
    fitColumns();
    const core::StageVerification *first = verification.firstBeyond();
    const auto row = first ? first - verification.stages.data() : 0;
    const QModelIndex shown = m_sorted->mapFromSource(m_table.index(static_cast<int>(row), 0));
    m_view->setCurrentIndex(shown);
    m_view->scrollTo(shown);
    m_said = resultText(verification);
    showSaid();
}

/// Sets each column to the width of its texts. The column of cells gets the remaining width.
void VerificationDialog::fitColumns() {
    m_view->resizeColumnsToContents();
    const int gap = fontMetrics().averageCharWidth();
    int used = 0;
    for (int column = 0; column < VerificationTable::kColumns; ++column) {
        if (m_view->isColumnHidden(column))
            continue;
        m_view->setColumnWidth(column, m_view->columnWidth(column) + gap);
        used += m_view->columnWidth(column);
    }
    const int available = m_view->width() - 2 * m_view->frameWidth() -
                          m_view->verticalScrollBar()->sizeHint().width();
    const int left = std::max(0, available - used);
    m_view->setColumnWidth(VerificationTable::Cell,
                           m_view->columnWidth(VerificationTable::Cell) + left);
}

void VerificationDialog::showProblem(const core::Error &error) {
    stop();
    m_said = ended(translated(error));
    showSaid();
}

/// Shows the results, or the progress of the verification.
void VerificationDialog::showSaid() {
    QString words = m_said;
    if (m_isWaiting)
        words = tr("Waiting for the window's computation; then every stage will be recomputed.");
    else if (isBusy())
        words = tr("Recomputing every stage in 64 bits with an independent implementation…");
    else if (m_trace && m_trace != m_document.trace() && m_table.rowCount() > 0)
        words = sentences({words, tr("The numbers in the window have changed since.")});
    m_words->setText(words);
    showProgress();
    m_copy->setEnabled(m_table.rowCount() > 0);
    m_again->setEnabled(!isBusy());
    m_stop->setText(isBusy() ? tr("Cancel") : tr("Close"));
    m_stop->setToolTip(isBusy() ? tr("Stop comparing") : tr("Close (Esc)"));
}

QString VerificationDialog::resultText(const core::Verification &verification) const {
    const auto nameOf = [this](const core::StageVerification &stage) {
        return titleOf(m_trace->model(), stage.at.stage);
    };
    const QString limit = powerText(core::kVerifiedWithin, 0);
    const auto count = static_cast<int>(verification.stages.size());
    const core::StageVerification &worst = verification.worst();
    const QString compared = tr("The open session was recomputed in 64 bits, and every number of "
                                "its %n stages was compared.",
                                nullptr, count);
    if (worst.difference == 0)
        return sentences({compared, tr("All numbers are the same.")});
    if (verification.isWithin())
        return sentences(
            {compared, tr("All are within %1 of the size of their stage. The largest "
                          "difference is %2 of it (%3).")
                           .arg(limit, powerText(worst.difference, 1), nameOf(worst))});
    const auto beyond = static_cast<int>(
        std::ranges::count_if(verification.stages, [](const core::StageVerification &stage) {
            return !stage.isWithin();
        }));
    const QString differ =
        tr("In %n of them, in bold, a number differs by more than %1 of the size of its stage.",
           nullptr, beyond)
            .arg(limit);
    if (const core::StageVerification *fault = verification.firstBeyondAlone())
        return sentences({compared, differ,
                          tr("First stage with an error of its own: %1.").arg(nameOf(*fault))});
    return sentences(
        {compared, differ,
         tr("Computed alone, from the window's numbers of the stages before it, each stage is "
            "within the limit. So no stage is wrong: the model amplifies 32-bit rounding.")});
}

void VerificationDialog::choose(const QModelIndex &index) {
    const QModelIndex source = m_sorted->mapToSource(index);
    if (source.isValid())
        emit chosen(m_table.selectionAt(source.row(), m_document.selection()));
}

void VerificationDialog::copy() {
    QList<int> rows;
    const QModelIndexList selected = m_view->selectionModel()->selectedRows();
    for (int row = 0; row < m_sorted->rowCount(); ++row) {
        const QModelIndex index = m_sorted->index(row, 0);
        if (selected.size() < 2 || selected.contains(index))
            rows << m_sorted->mapToSource(index).row();
    }
    QApplication::clipboard()->setText(m_table.text(rows));
}

} // namespace headlight::ui
