// Dialog with the measures of all heads of the open document, computed in the background.
#pragma once

#include "core/analysis/heads_of_trace.h"
#include "ui/compute/latest_job.h"
#include "ui/document/document.h"
#include "ui/window/measures/measures_table.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTableView;
class QTimer;

namespace headlight::ui {

class MeasuresDialog : public QDialog {
    Q_OBJECT
  public:
    /// Starts immediately, or as soon as the document's trace is up to date.
    MeasuresDialog(Document &document, QWidget *parent);

    /// Measures the heads of the document's current numbers.
    void measure();
    bool isBusy() const { return m_isWaiting || m_job.isBusy(); }
    /// Writes the bytes of `headlight measures --csv` or, for a name that ends with .json, --json.
    /// Shows an error in the dialog.
    core::Outcome saveTo(const QString &path);

  signals:
    /// The user requests to see a head.
    void chosen(const headlight::core::HeadId &head);

  protected:
    void done(int result) override;

  private:
    QWidget *makeTable();
    QWidget *makeButtons();
    void documentChanged();
    void stop();
    /// True if the window still shows the numbers that the table has.
    bool isCurrent() const;
    void take(core::Result<std::vector<core::HeadOfTrace>> heads);
    void showProgress();
    void showState();
    void choose(const QModelIndex &index);
    void copy();
    void choosePath();

    Document &m_document;
    MeasuresTable m_table;
    LatestJob m_job;
    std::shared_ptr<core::Progress> m_computed = std::make_shared<core::Progress>();
    core::TracePointer m_trace;              ///< trace of the result, or of the running job
    core::Index m_sequence = 0;              ///< its sequence
    std::optional<core::HeadId> m_similarTo; ///< head of the similarity, if it is measured
    bool m_isWaiting = false;                ///< true while it waits for an up-to-date trace
    QString m_result;                        ///< the result or the problem in words
    SortedMeasures *m_sorted;
    QTableView *m_view;
    QLabel *m_words;
    QLineEdit *m_filter;
    QCheckBox *m_similarity;
    QProgressBar *m_progress;
    QTimer *m_ticks;
    QPushButton *m_copy, *m_save, *m_again, *m_stop;
};

} // namespace headlight::ui
