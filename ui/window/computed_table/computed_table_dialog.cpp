#include "ui/window/computed_table/computed_table_dialog.h"

#include "ui/text/core_message.h"
#include "ui/text/sentences.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

constexpr int kTick = 100; // ms between two polls of the progress

} // namespace

ComputedTableDialog::ComputedTableDialog(Document &document, const QString &id, Texts texts,
                                         QSortFilterProxyModel *sorted, QWidget *parent)
    : QDialog(parent),
      m_document(document),
      m_texts(std::move(texts)),
      m_sorted(sorted),
      m_view(new QTableView),
      m_words(new QLabel),
      m_progress(new QProgressBar),
      m_ticks(new QTimer(this)),
      m_copy(new QPushButton(tr("&Copy"))),
      m_again(new QPushButton),
      m_stop(new QPushButton),
      m_column(new QVBoxLayout(this)),
      m_buttons(new QHBoxLayout) {
    setObjectName(id);
    m_sorted->setParent(this);
    m_words->setObjectName(id + "Text");
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_progress->setObjectName(id + "Progress");
    m_copy->setObjectName(id + "Copy");
    m_copy->setToolTip(tr("Copy the selected rows, or all of them, with tabs between the columns "
                          "(Ctrl+C)"));
    m_again->setObjectName(id + "Again");
    m_stop->setObjectName(id + "Stop");
    for (QPushButton *button : {m_copy, m_again, m_stop})
        button->setAutoDefault(false); // Enter in the table shows a row instead
    m_buttons->addWidget(m_copy);
    m_buttons->addStretch(1);
    m_buttons->addWidget(m_again);
    m_buttons->addWidget(m_stop);
    prepareView(id);
    m_column->setContentsMargins(16, 16, 16, 16);
    m_column->setSpacing(12);
    m_column->addWidget(m_words);
    m_column->addWidget(m_view, 1);
    m_column->addWidget(m_progress);
    m_column->addLayout(m_buttons);
    m_ticks->setInterval(kTick);
    connect(m_ticks, &QTimer::timeout, this, &ComputedTableDialog::showProgress);
    connect(&m_document, &Document::changed, this, &ComputedTableDialog::documentChanged);
    connect(m_copy, &QPushButton::clicked, this, &ComputedTableDialog::copy);
    connect(m_again, &QPushButton::clicked, this, &ComputedTableDialog::compute);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        if (!isBusy())
            return reject();
        finish(m_texts.cancelled);
    });
}

void ComputedTableDialog::prepareView(const QString &id) {
    m_view->setObjectName(id + "Table");
    m_view->setModel(m_sorted);
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
    // A third click restores the order of the computation.
    header->setSortIndicatorClearable(true);
    m_view->setSortingEnabled(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex &index) {
        if (const QModelIndex source = m_sorted->mapToSource(index); source.isValid())
            choose(source.row());
    });
    auto *copy = new QAction(tr("Copy the rows"), m_view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &ComputedTableDialog::copy);
    m_view->addAction(copy);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void ComputedTableDialog::compute() {
    stop();
    clear();
    m_trace.reset();
    m_result.clear();
    if (m_document.failure())
        return fail(*m_document.failure());
    m_isWaiting = m_document.traceIsStale() || !m_document.trace() || !canStart();
    if (!m_isWaiting) {
        m_trace = m_document.trace();
        m_computed = std::make_shared<core::Progress>();
        start();
    }
    if (isBusy()) // start() may have failed
        m_ticks->start();
    showState();
}

void ComputedTableDialog::stop() {
    m_isWaiting = false;
    m_job.cancel();
    m_ticks->stop();
}

void ComputedTableDialog::finish(const QString &result) {
    stop();
    m_result = result;
    showState();
}

void ComputedTableDialog::fail(const core::Error &error) {
    finish(ended(translated(error)));
}

bool ComputedTableDialog::isCurrent() const {
    // Compare plans, because a trace that was only completed since then keeps its plan.
    const core::TracePointer &shown = m_document.trace();
    return m_trace && shown && &shown->plan() == &m_trace->plan();
}

void ComputedTableDialog::done(int result) {
    stop();
    QDialog::done(result);
}

void ComputedTableDialog::documentChanged() {
    if (m_isWaiting && (m_document.failure() || !m_document.traceIsStale()))
        compute();
    else if (!isBusy())
        showState();
}

void ComputedTableDialog::showProgress() {
    const core::Progress::Layers layers =
        m_isWaiting ? core::Progress::Layers() : m_computed->layers();
    m_progress->setVisible(isBusy());
    // The range 0 to 0 shows a busy bar, because the end is unknown.
    m_progress->setRange(0, static_cast<int>(layers.all));
    m_progress->setValue(static_cast<int>(layers.computed));
    m_progress->setFormat(tr("%1 of %2 layers").arg(layers.computed).arg(layers.all));
    m_progress->setTextVisible(layers.all > 0);
}

void ComputedTableDialog::showState() {
    const bool hasRows = m_sorted->sourceModel()->rowCount() > 0;
    QString words = m_result;
    if (m_isWaiting)
        words = m_texts.waiting;
    else if (isBusy())
        words = m_texts.busy;
    else if (hasRows && !isCurrent())
        words = sentences({words, m_texts.changed});
    m_words->setText(words);
    showProgress();
    m_copy->setEnabled(hasRows);
    m_again->setEnabled(!isBusy());
    m_stop->setText(isBusy() ? tr("Cancel") : tr("Close"));
    m_stop->setToolTip(isBusy() ? m_texts.stop : tr("Close (Esc)"));
}

void ComputedTableDialog::copy() {
    QList<int> rows;
    const QItemSelectionModel &selection = *m_view->selectionModel();
    for (int row = 0; row < m_sorted->rowCount(); ++row)
        if (!selection.hasSelection() || selection.isRowSelected(row))
            rows << m_sorted->mapToSource(m_sorted->index(row, 0)).row();
    QGuiApplication::clipboard()->setText(copied(rows));
}

} // namespace headlight::ui
