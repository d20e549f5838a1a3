// Asks how a worksheet is to be, shows its pages as they will be, and saves or prints them.
#pragma once

#include "core/worksheet/worksheet.h"
#include "ui/document/state/document_state.h"
#include "ui/figures/worksheet/worksheet_pages.h"

#include <QDialog>

#include <thread>

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
    /// Of the session, which is at `now`. Computes its steps beside the window, with progress
    /// where that takes longer than a moment.
    /// It writes over none of the `inputs` (filesReadBy()).
    WorksheetDialog(const std::shared_ptr<const core::Session> &session, DocumentState now,
                    std::vector<std::string> inputs, QWidget *parent);
    ~WorksheetDialog() override;

    /// What was done, to be said in the window; empty: nothing.
    const QString &done() const { return m_done; }
    /// The pages are there.
    bool isReady() const { return !m_pages.empty(); }
    /// Writes the PDF and closes; an error stays in the dialog.
    void saveTo(const QString &path);
    core::Outcome print(QPrinter &printer) const;

  signals:
    /// The pages are there, or the reason why not.
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
    std::jthread m_thread; // last: it uses the rest
};

} // namespace headlight::ui
