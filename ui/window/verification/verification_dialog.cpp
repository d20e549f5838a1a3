#include "ui/window/verification/verification_dialog.h"

#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"

#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTableView>

#include <algorithm>

namespace headlight::ui {

VerificationDialog::VerificationDialog(Document &document, QWidget *parent)
    : ComputedTableDialog(
          document, QStringLiteral("verification"),
          {tr("Waiting for the window's computation; then every stage will be recomputed."),
           tr("Recomputing every stage in 64 bits with an independent implementation…"),
           tr("The comparison was cancelled."), tr("The numbers in the window have changed since."),
           tr("Stop comparing")},
          new QSortFilterProxyModel, parent) {
    setWindowTitle(tr("Check the numbers"));
    sorted().setSourceModel(&m_table);
    sorted().setSortRole(VerificationTable::kSortRole);
    view().setAccessibleName(tr("Stages and their differences"));
    view().setColumnHidden(VerificationTable::Alone, true);
    progressBar().setAccessibleName(tr("Compared layers"));
    againButton().setText(tr("Check &again"));
    againButton().setToolTip(tr("Compare the numbers that the window shows now"));
    const int line = fontMetrics().height();
    resize(QSize(70 * line, 34 * line).boundedTo(screen()->availableSize() * 0.9));
    compute();
}

void VerificationDialog::start() {
    job().start(
        [trace = trace(), progress = progress()](const std::stop_token &stop) {
            return core::verify(*trace, stop, progress.get());
        },
        [this](const core::Result<core::Verification> &verification) {
            verification ? take(*verification) : fail(verification.error());
        });
}

void VerificationDialog::take(const core::Verification &verification) {
    m_table.show(trace(), verification);
    view().setColumnHidden(VerificationTable::Alone, !m_table.hasAlone());
    fitColumns();
    const core::StageVerification *first = verification.firstBeyond();
    const auto row = first ? first - verification.stages.data() : 0;
    const QModelIndex shown = sorted().mapFromSource(m_table.index(static_cast<int>(row), 0));
    view().selectionModel()->setCurrentIndex(shown, QItemSelectionModel::NoUpdate);
    view().scrollTo(shown);
    finish(resultText(verification));
}

/// Sets each column to the width of its texts. The column of cells gets the remaining width.
void VerificationDialog::fitColumns() {
    view().resizeColumnsToContents();
    const int gap = fontMetrics().averageCharWidth();
    int used = 0;
    for (int column = 0; column < VerificationTable::kColumns; ++column) {
        if (view().isColumnHidden(column))
            continue;
        view().setColumnWidth(column, view().columnWidth(column) + gap);
        used += view().columnWidth(column);
    }
    const int available =
        view().width() - 2 * view().frameWidth() - view().verticalScrollBar()->sizeHint().width();
    const int left = std::max(0, available - used);
    view().setColumnWidth(VerificationTable::Cell,
                          view().columnWidth(VerificationTable::Cell) + left);
}

QString VerificationDialog::resultText(const core::Verification &verification) const {
    const auto nameOf = [this](const core::StageVerification &stage) {
        return titleOf(trace()->model(), stage.at.stage);
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
            {compared, tr("No number differs by more than %1 of its stage's largest number. The "
                          "largest difference is %2 of it (%3).")
                           .arg(limit, powerText(worst.difference, 1), nameOf(worst))});
    const auto beyond = static_cast<int>(
        std::ranges::count_if(verification.stages, [](const core::StageVerification &stage) {
            return !stage.isWithin();
        }));
    const QString differ =
        tr("In %n of them, in bold, a number differs by more than %1 of the stage's largest "
           "number.",
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

void VerificationDialog::choose(int row) {
    emit chosen(m_table.selectionAt(row, document().selection()));
}

} // namespace headlight::ui
