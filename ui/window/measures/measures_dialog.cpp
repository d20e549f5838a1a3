#include "ui/window/measures/measures_dialog.h"

#include "core/formats/files/atomic_file.h"
#include "ui/document/files_read.h"
#include "ui/figures/model/model_figure.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/text/measure_text.h"
#include "ui/text/sentences.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

constexpr int kMeasuringTick = 100; // ms between two polls of the progress
constexpr const char *kSimilarityKey = "measures/similarity";
constexpr const char *kFolderKey = "measures/folder";

} // namespace

MeasuresDialog::MeasuresDialog(Document &document, QWidget *parent)
    : QDialog(parent),
      m_document(document),
      m_sorted(new SortedMeasures(this)),
      m_view(new QTableView),
      m_words(new QLabel),
      m_filter(new QLineEdit),
      m_similarity(new QCheckBox(tr("&Similarity to the selected head"))),
      m_progress(new QProgressBar),
      m_ticks(new QTimer(this)),
      m_copy(new QPushButton(tr("&Copy"))),
      m_save(new QPushButton(tr("Save &as…"))),
      m_again(new QPushButton(tr("Measure a&gain"))),
      m_stop(new QPushButton) {
    setObjectName("measures");
    setWindowTitle(tr("Table of measures"));
    m_words->setObjectName("measuresText");
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_filter->setObjectName("measuresFilter");
    m_filter->setAccessibleName(tr("Filter the heads by name"));
    m_filter->setPlaceholderText(tr("Filter: 4.11"));
    m_filter->setToolTip(tr("Part of a head's name"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, m_sorted,
            &QSortFilterProxyModel::setFilterFixedString);
    connect(m_filter, &QLineEdit::textChanged, this, &MeasuresDialog::showState);
    m_similarity->setObjectName("measuresSimilarity");
    m_similarity->setToolTip(definitionOf(core::kSimilarity));
    m_similarity->setChecked(QSettings().value(kSimilarityKey, false).toBool());
    connect(m_similarity, &QCheckBox::toggled, this, [this](bool isOn) {
        QSettings().setValue(kSimilarityKey, isOn);
        measure();
    });
    m_progress->setObjectName("measuresProgress");
    m_progress->setAccessibleName(tr("Layers that have been measured"));
    auto *choices = new QHBoxLayout;
    choices->addWidget(m_filter, 1);
    choices->addWidget(m_similarity);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(m_words);
    layout->addLayout(choices);
    layout->addWidget(makeTable(), 1);
    layout->addWidget(m_progress);
    layout->addWidget(makeButtons());
    const int line = fontMetrics().height();
    resize(QSize(66 * line, 34 * line).boundedTo(screen()->availableSize() * 0.9));
    m_ticks->setInterval(kMeasuringTick);
    connect(m_ticks, &QTimer::timeout, this, &MeasuresDialog::showProgress);
    connect(&m_document, &Document::changed, this, &MeasuresDialog::documentChanged);
    measure();
}

QWidget *MeasuresDialog::makeTable() {
    m_sorted->setSourceModel(&m_table);
    m_sorted->setSortRole(MeasuresTable::kSortRole);
    m_sorted->setFilterKeyColumn(0);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setObjectName("measuresTable");
    m_view->setAccessibleName(tr("Heads and their measures"));
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
    connect(m_view, &QTableView::activated, this, &MeasuresDialog::choose);
    auto *copy = new QAction(tr("Copy the rows"), m_view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &MeasuresDialog::copy);
    m_view->addAction(copy);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    return m_view;
}

QWidget *MeasuresDialog::makeButtons() {
    auto *buttons = new QWidget;
    auto *row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    m_copy->setObjectName("measuresCopy");
    m_copy->setToolTip(tr("The selected rows, or all, with tabs between the columns (Ctrl+C)"));
    m_save->setObjectName("measuresSave");
    m_save->setToolTip(tr("Save all heads as CSV or JSON, as headlight measures prints them"));
    m_again->setObjectName("measuresAgain");
    m_again->setToolTip(tr("Measure the heads that the window shows now"));
    m_stop->setObjectName("measuresStop");
    for (QPushButton *button : {m_copy, m_save, m_again, m_stop})
        button->setAutoDefault(false); // Enter in the table shows a head instead
    row->addWidget(m_copy);
    row->addWidget(m_save);
    row->addStretch(1);
    row->addWidget(m_again);
    row->addWidget(m_stop);
    connect(m_copy, &QPushButton::clicked, this, &MeasuresDialog::copy);
    connect(m_save, &QPushButton::clicked, this, &MeasuresDialog::choosePath);
    connect(m_again, &QPushButton::clicked, this, &MeasuresDialog::measure);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        if (!isBusy())
            return reject();
        stop();
        m_result = tr("Measuring was cancelled.");
        showState();
    });
    return buttons;
}

void MeasuresDialog::measure() {
    stop();
    m_table.clear();
    m_trace.reset();
    m_result.clear();
    if (m_document.failure()) {
        m_result = ended(translated(*m_document.failure()));
        return showState();
    }
    m_isWaiting = m_document.traceIsStale() || !m_document.trace();
    if (!m_isWaiting) {
        const core::Selection &selection = m_document.selectionInTrace();
        m_trace = m_document.trace()->withoutDetails(); // the dialog may outlive the edits by far
        m_sequence = selection.sequence;
        m_similarTo.reset();
        if (m_similarity->isChecked())
            m_similarTo = core::HeadId{selection.attention(), selection.head};
        m_computed = std::make_shared<core::Progress>();
        m_job.start(
            [trace = m_trace, sequence = m_sequence, similarTo = m_similarTo,
             progress = m_computed](const std::stop_token &stopped) {
                return core::measuresOfHeads(*trace, sequence, stopped,
                                             {.similarTo = similarTo, .progress = progress.get()});
            },
            [this](core::Result<std::vector<core::HeadOfTrace>> heads) { take(std::move(heads)); });
    }
    m_ticks->start();
    showState();
}

void MeasuresDialog::stop() {
    m_isWaiting = false;
    m_job.cancel();
    m_ticks->stop();
}

bool MeasuresDialog::isCurrent() const {
    const core::TracePointer &shown = m_document.trace();
    return m_trace && shown && &shown->plan() == &m_trace->plan();
}

void MeasuresDialog::done(int result) {
    stop();
    QDialog::done(result);
}

void MeasuresDialog::documentChanged() {
    if (m_isWaiting && (m_document.failure() || !m_document.traceIsStale()))
        measure();
    else if (!isBusy())
        showState();
}

void MeasuresDialog::take(core::Result<std::vector<core::HeadOfTrace>> heads) {
    stop();
    if (heads) {
        m_table.show(m_trace->model(), *heads, m_similarTo.has_value());
        m_view->resizeColumnsToContents();
        m_view->selectionModel()->setCurrentIndex(m_sorted->index(0, 0),
                                                  QItemSelectionModel::NoUpdate);
        m_result = tr("%n heads. A column's heading sorts them.", nullptr, m_table.rowCount());
        if (m_similarTo)
            m_result = sentences(
                {m_result,
                 tr("The similarity is to %1.").arg(headNameOf(m_trace->model(), *m_similarTo))});
    } else {
        m_result = ended(translated(heads.error()));
    }
    showState();
}

void MeasuresDialog::showProgress() {
    const core::Progress::Layers layers =
        m_isWaiting ? core::Progress::Layers() : m_computed->layers();
    m_progress->setVisible(isBusy());
    // 0 to 0: busy, because the end is unknown.
    m_progress->setRange(0, static_cast<int>(layers.all));
    m_progress->setValue(static_cast<int>(layers.computed));
    m_progress->setFormat(tr("%1 of %2 layers").arg(layers.computed).arg(layers.all));
    m_progress->setTextVisible(layers.all > 0);
}

void MeasuresDialog::showState() {
    QString words = m_result;
    if (m_isWaiting)
        words = tr("Waiting for the window's computation; then the heads will be measured.");
    else if (isBusy())
        words = tr("Measuring the heads of all layers…");
    else if (m_table.rowCount() > 0 && m_sorted->rowCount() == 0)
        words = tr("No head matches the filter.");
    else if (m_table.rowCount() > 0 &&
             (!isCurrent() || m_sequence != m_document.selectionInTrace().sequence))
        words = sentences({words, tr("The window has changed since.")});
    m_words->setText(words);
    showProgress();
    const bool hasRows = m_table.rowCount() > 0;
    m_copy->setEnabled(hasRows);
    m_save->setEnabled(hasRows);
    m_again->setEnabled(!isBusy());
    m_stop->setText(isBusy() ? tr("Cancel") : tr("Close"));
    m_stop->setToolTip(isBusy() ? tr("Stop measuring") : tr("Close (Esc)"));
}

void MeasuresDialog::choose(const QModelIndex &index) {
    const QModelIndex source = m_sorted->mapToSource(index);
    if (source.isValid() && isCurrent() && !m_document.traceIsStale())
        emit chosen(m_table.headAt(source.row()));
}

void MeasuresDialog::copy() {
    QList<int> rows;
    const QItemSelectionModel &selection = *m_view->selectionModel();
    for (int row = 0; row < m_sorted->rowCount(); ++row)
        if (!selection.hasSelection() || selection.isRowSelected(row))
            rows << m_sorted->mapToSource(m_sorted->index(row, 0)).row();
    QGuiApplication::clipboard()->setText(m_table.text(rows));
}

void MeasuresDialog::choosePath() {
    QSettings settings;
    const QString folder = settings.value(kFolderKey, QDir::homePath()).toString();
    QString filter;
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save the measures"), QDir(folder).filePath(QStringLiteral("measures.csv")),
        tr("CSV (*.csv);;JSON (*.json)"), &filter);
    if (path.isEmpty())
        return;
    settings.setValue(kFolderKey, QFileInfo(path).absolutePath());
    if (QFileInfo(path).suffix().isEmpty())
        path += filter.contains(QStringLiteral("*.json")) ? QStringLiteral(".json")
                                                          : QStringLiteral(".csv");
    (void)saveTo(path);
}

core::Outcome MeasuresDialog::saveTo(const QString &path) {
    const core::Outcome saved = [&]() -> core::Outcome {
        if (core::Outcome allowed = mayWrite(m_document, path); !allowed)
            return allowed;
        const bool isJson = path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive);
        return core::writeFile(bytesOf(path),
                               isJson ? core::measuresAsJson(m_table.table())
                                      : core::csvOf(m_table.table()),
                               core::OverwritePolicy::RegularFile);
    }();
    m_words->setText(saved ? tr("Saved: %1").arg(path) : ended(translated(saved.error())));
    return saved;
}

} // namespace headlight::ui
