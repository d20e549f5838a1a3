// Worksheet dialog: options, a preview of the pages, and saving or printing.
#pragma once

#include "core/worksheet/worksheet.h"
#include "ui/compute/latest_job.h"
#include "ui/document/state/document_state.h"
#include "ui/figures/worksheet/worksheet_pages.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QPrinter;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace headlight::ui {

class WorksheetDialog : public QDialog {
    Q_OBJECT
  public:
    /// Computes the session's steps from `now` in a thread, and shows progress if it takes longer.
    /// Never overwrites a file of `inputs` (filesReadBy()).
    WorksheetDialog(const std::shared_ptr<const core::Session> &session, DocumentState now,
                    std::vector<std::string> inputs, QWidget *parent);

    /// Returns a message about the last action; empty if there was none.
    const QString &done() const { return m_done; }
    /// True if the pages are ready.
    bool isReady() const { return !m_pages.empty(); }
    /// Writes the PDF and closes. The dialog shows an error and stays open.
    void saveTo(const QString &path);
    core::Outcome print(QPrinter &printer) const;

  signals:
    /// The pages are ready, or their computation failed.
    void made();

  private:
    QWidget *makeControls();
    QWidget *makeButtons();
    void take(core::Result<core::Worksheet> sheet);
    void layOut();
    void showPage();
    void choosePath();
    void choosePrinter();
    void showProblem(const core::Error &error);
    std::vector<const Figure *> figures() const;
    SheetOfPaper paper() const;

    std::vector<std::string> m_inputs;
    std::optional<core::Worksheet> m_sheet;
    SheetPages m_pages;
    QString m_done;
    QCheckBox *m_answers;
    QComboBox *m_paper;
    QSpinBox *m_page;
    QLabel *m_preview, *m_problem;
    QProgressBar *m_progress;
    QPushButton *m_save, *m_print;
    LatestJob m_job;
};

} // namespace headlight::ui
