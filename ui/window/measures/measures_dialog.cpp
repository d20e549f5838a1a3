#include "ui/window/measures/measures_dialog.h"

#include "core/formats/files/atomic_file.h"
#include "ui/document/files_read.h"
#include "ui/figures/model/model_figure.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/text/measure_text.h"
#include "ui/text/sentences.h"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QTableView>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

constexpr const char *kSimilarityKey = "measures/similarity";
constexpr const char *kFolderKey = "measures/folder";

} // namespace

MeasuresDialog::MeasuresDialog(Document &document, QWidget *parent)
    : ComputedTableDialog(
          document, QStringLiteral("measures"),
          {tr("Waiting for the window's computation; then the heads will be measured."),
           tr("Measuring the heads of all layers…"), tr("Measuring was cancelled."),
           tr("The numbers in the window have changed since."), tr("Stop measuring")},
          new SortedMeasures, parent),
      m_filter(new QLineEdit),
      m_similarity(new QCheckBox(tr("&Similarity to the selected head"))),
      m_save(new QPushButton(tr("Save &as…"))) {
    setWindowTitle(tr("Table of measures"));
    sorted().setSourceModel(&m_table);
    sorted().setSortRole(MeasuresTable::kSortRole);
    sorted().setFilterKeyColumn(0);
    sorted().setFilterCaseSensitivity(Qt::CaseInsensitive);
    view().setAccessibleName(tr("Heads and their measures"));
    progressBar().setAccessibleName(tr("Measured layers"));
    againButton().setText(tr("Measure a&gain"));
    againButton().setToolTip(tr("Measure the heads that the window shows now"));
    m_save->setObjectName("measuresSave");
    m_save->setToolTip(tr("Save all heads as CSV or JSON, in the format of headlight measures"));
    m_save->setAutoDefault(false);
    buttonRow().insertWidget(1, m_save);
    connect(m_save, &QPushButton::clicked, this, &MeasuresDialog::choosePath);
    addChoices();
    const int line = fontMetrics().height();
    resize(QSize(66 * line, 34 * line).boundedTo(screen()->availableSize() * 0.9));
    document.wantGlances(); // speeds up Measure again
    compute();
}

void MeasuresDialog::addChoices() {
    m_filter->setObjectName("measuresFilter");
    m_filter->setAccessibleName(tr("Filter the heads by name"));
    m_filter->setPlaceholderText(tr("Filter: 4.11"));
    m_filter->setToolTip(tr("Part of a head's name"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, &sorted(),
            &QSortFilterProxyModel::setFilterFixedString);
    connect(m_filter, &QLineEdit::textChanged, this, &MeasuresDialog::showState);
    m_similarity->setObjectName("measuresSimilarity");
    m_similarity->setChecked(QSettings().value(kSimilarityKey, false).toBool());
    connect(m_similarity, &QCheckBox::toggled, this, [this](bool isOn) {
        QSettings().setValue(kSimilarityKey, isOn);
        compute();
    });
    auto *choices = new QHBoxLayout;
    choices->addWidget(m_filter, 1);
    choices->addWidget(m_similarity);
    column().insertLayout(1, choices);
}

/// If changes are measured, waits until A is computed.
bool MeasuresDialog::canStart() const {
    const Compared compared = document().comparison().comparedAsComputed();
    return compared.shown != ComparisonSide::Difference || compared.a;
}

void MeasuresDialog::start() {
    const core::Selection &selection = document().selectionInTrace();
    const std::shared_ptr<const core::PassGlances> pass = document().passGlancesOf(*trace());
    const std::shared_ptr<const core::TraceGlances> known =
        pass ? pass->glancesOf(*trace(), selection.sequence) : nullptr;
    setTrace(trace()->withoutDetails()); // the dialog may keep an outdated trace for long
    m_sequence = selection.sequence;
    m_similarTo.reset();
    m_compared = document().comparison().comparedAsComputed();
    if (isChange()) {
        const core::Index sequenceOfA = inA(m_compared, selection).sequence;
        if (sequenceOfA >= m_compared.a->batch().count())
            return fail({messageOf(tr("A has no sentence at this position")), "",
                         messageOf(tr("compare with another sentence"))});
        m_compared.a = m_compared.a->withoutDetails();
        job().start(
            [trace = trace(), sequence = m_sequence, compared = m_compared, sequenceOfA,
             progress = progress()](const std::stop_token &stopped) {
                const core::ComparedSide now{*trace, sequence}, a{*compared.a, sequenceOfA};
                const core::TokenPartnersPointer partners =
                    core::partnersOf(now, a, compared.partners, stopped);
                return core::changesOfHeads(now, a, partners->texts(), stopped, progress.get());
            },
            [this](core::Result<std::vector<core::HeadOfTrace>> heads) { take(std::move(heads)); });
        return;
    }
    if (m_similarity->isChecked())
        m_similarTo = core::HeadId{selection.attention(), selection.head};
    job().start(
        [trace = trace(), sequence = m_sequence, similarTo = m_similarTo, progress = progress(),
         known](const std::stop_token &stopped) {
            return core::measuresOfHeads(
                *trace, sequence, stopped,
                {.similarTo = similarTo, .progress = progress.get(), .known = known.get()});
        },
        [this](core::Result<std::vector<core::HeadOfTrace>> heads) { take(std::move(heads)); });
}

void MeasuresDialog::take(core::Result<std::vector<core::HeadOfTrace>> heads) {
    if (!heads)
        return fail(heads.error());
    m_table.show(trace()->model(), *heads, m_similarTo.has_value(), isChange());
    view().resizeColumnsToContents();
    view().selectionModel()->setCurrentIndex(sorted().index(0, 0), QItemSelectionModel::NoUpdate);
    QString result =
        tr("%n heads. Click a column heading to sort them.", nullptr, m_table.rowCount());
    if (isChange())
        result = sentences(
            {result,
             tr("The numbers are changes, current − A, over the tokens with a partner. A: %1.")
                 .arg(m_compared.name)});
    if (m_similarTo)
        result = sentences(
            {result,
             tr("The similarity is to %1.").arg(headNameOf(trace()->model(), *m_similarTo))});
    finish(result);
}

bool MeasuresDialog::isCurrent() const {
    return ComputedTableDialog::isCurrent() &&
           m_sequence == document().selectionInTrace().sequence && isOfShownSide();
}

bool MeasuresDialog::isChange() const {
    return m_compared.shown == ComparisonSide::Difference;
}

/// True unless the window shows another comparison. Measures of the current side count as shown
/// even if the window shows A.
bool MeasuresDialog::isOfShownSide() const {
    const Compared shown = document().comparison().comparedAsComputed();
    if (isChange() != (shown.shown == ComparisonSide::Difference))
        return false;
    return !isChange() || (shown.a && m_compared.a && &shown.a->plan() == &m_compared.a->plan() &&
                           shown.partners == m_compared.partners);
}

void MeasuresDialog::showState() {
    ComputedTableDialog::showState();
    const bool hasRows = m_table.rowCount() > 0;
    if (!isBusy() && hasRows && sorted().rowCount() == 0)
        words().setText(tr("No head matches the filter."));
    m_save->setEnabled(hasRows);
    const bool isDifference = document().comparison().shown() == ComparisonSide::Difference;
    m_similarity->setEnabled(!isDifference);
    m_similarity->setToolTip(
        isDifference ? tr("The change of the similarity is not computed: choose Current or A")
                     : definitionOf(core::kSimilarity));
}

void MeasuresDialog::choose(int row) {
    if (ComputedTableDialog::isCurrent() && !document().traceIsStale())
        emit chosen(m_table.headAt(row));
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
        if (core::Outcome allowed = mayWrite(document(), path); !allowed)
            return allowed;
        const bool isJson = path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive);
        return core::writeFile(bytesOf(path),
                               isJson ? core::measuresAsJson(m_table.table())
                                      : core::csvOf(m_table.table()),
                               core::OverwritePolicy::RegularFile);
    }();
    words().setText(saved ? tr("Saved: %1").arg(path) : ended(translated(saved.error())));
    return saved;
}

} // namespace headlight::ui
