// Dialog that compares every stage of the open document with the same computation in float64, in
// the background, and lists the differences.
#pragma once

#include "core/checks/verification.h"
#include "ui/compute/latest_job.h"
#include "ui/document/document.h"
#include "ui/window/verification/verification_table.h"

#include <QDialog>

class QLabel;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;
class QTimer;

namespace headlight::ui {

class VerificationDialog : public QDialog {
    Q_OBJECT
  public:
    /// Starts immediately, or as soon as the document's trace is up to date.
    VerificationDialog(Document &document, QWidget *parent);

    /// Verifies the document's current numbers.
    void verify();
    bool isBusy() const { return m_isWaiting || m_job.isBusy(); }

  signals:
    /// The user requests to see a stage and its cell.
    void chosen(const headlight::core::Selection &selection);

  protected:
    void done(int result) override;

  private:
    QWidget *makeTable();
    QWidget *makeButtons();
    void documentChanged(const ChangeEvent &event);
    void stop();
    void showProgress();
    void take(const core::Verification &verification);
    void fitColumns();
    void showProblem(const core::Error &error);
    void showSaid();
    void choose(const QModelIndex &index);
    void copy();
    QString resultText(const core::Verification &verification) const;

    Document &m_document;
    LatestJob m_job;
    std::shared_ptr<core::Progress> m_computed = std::make_shared<core::Progress>();
    core::TracePointer m_trace; ///< trace of the result, or of the running comparison
    bool m_isWaiting = false;   ///< true while it waits for an up-to-date trace
    QString m_said;             ///< the result in words
    VerificationTable m_table;
    QSortFilterProxyModel *m_sorted;
    QTableView *m_view;
    QLabel *m_words;
    QProgressBar *m_progress;
    QTimer *m_ticks;
    QPushButton *m_copy, *m_again, *m_stop;
};

} // namespace headlight::ui
