// Base of the dialogs with a table that is computed in the background from the numbers of the open
// document, with progress and Cancel.
#pragma once

#include "core/transformer/run/progress.h"
#include "ui/compute/latest_job.h"
#include "ui/document/document.h"

#include <QDialog>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;
class QTimer;
class QVBoxLayout;

namespace headlight::ui {

class ComputedTableDialog : public QDialog {
    Q_OBJECT
  public:
    /// Computes the table from the document's numbers, now or as soon as they are up to date.
    void compute();
    bool isBusy() const { return m_isWaiting || m_job.isBusy(); }

  protected:
    struct Texts {
        QString waiting;   ///< shown until the document's numbers are up to date
        QString busy;      ///< shown while the table is computed
        QString cancelled; ///< shown after Cancel
        QString changed;   ///< added if the window no longer shows the table's numbers
        QString stop;      ///< tooltip of Cancel
    };

    /// The names of all controls begin with `id`. A derived class calls compute() at the end of its
    /// constructor.
    ComputedTableDialog(Document &document, const QString &id, Texts texts,
                        QSortFilterProxyModel *sorted, QWidget *parent);

    /// Returns false if the computation must wait for something other than the document's numbers.
    virtual bool canStart() const { return true; }
    /// Starts job() with trace() and progress(), then calls finish() or fail().
    virtual void start() = 0;
    /// Clears the table.
    virtual void clear() = 0;
    /// Returns rows of the unsorted table for the clipboard.
    virtual QString copied(const QList<int> &rows) const = 0;
    /// The user requests to see a row of the unsorted table.
    virtual void choose(int row) = 0;
    /// True if the window still shows the numbers of the table.
    virtual bool isCurrent() const;
    /// Shows the text of the current state, and enables or disables the buttons.
    virtual void showState();
    void done(int result) override;

    /// Shows the result in words.
    void finish(const QString &result);
    void fail(const core::Error &error);

    Document &document() const { return m_document; }
    LatestJob &job() { return m_job; }
    const core::TracePointer &trace() const {
        return m_trace;
    } ///< trace of the table, or of the job
    void setTrace(core::TracePointer trace) { m_trace = std::move(trace); }
    const std::shared_ptr<core::Progress> &progress() const { return m_computed; }
    QSortFilterProxyModel &sorted() const { return *m_sorted; }
    QTableView &view() const { return *m_view; }
    QLabel &words() const { return *m_words; }
    QProgressBar &progressBar() const { return *m_progress; }
    QPushButton &copyButton() const { return *m_copy; }
    QPushButton &againButton() const { return *m_again; }
    QVBoxLayout &column() const { return *m_column; }     ///< text, table, progress, buttons
    QHBoxLayout &buttonRow() const { return *m_buttons; } ///< Copy, a stretch, Again, Cancel

  private:
    void prepareView(const QString &id);
    void documentChanged();
    void stop();
    void showProgress();
    void copy();

    Document &m_document;
    Texts m_texts;
    LatestJob m_job;
    std::shared_ptr<core::Progress> m_computed = std::make_shared<core::Progress>();
    core::TracePointer m_trace;
    bool m_isWaiting = false; // waiting for an up-to-date trace
    QString m_result;         // the result or the problem in words
    QSortFilterProxyModel *m_sorted;
    QTableView *m_view;
    QLabel *m_words;
    QProgressBar *m_progress;
    QTimer *m_ticks;
    QPushButton *m_copy, *m_again, *m_stop;
    QVBoxLayout *m_column;
    QHBoxLayout *m_buttons;
};

} // namespace headlight::ui
