// Dialog for printed pages: options, a preview, and saving or printing. Base class of the worksheet
// and handout dialogs.
#pragma once

#include "core/result.h"
#include "ui/compute/latest_job.h"
#include "ui/figures/worksheet/sheet_pages.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QPrinter;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace headlight::ui {

class SheetDialog : public QDialog {
    Q_OBJECT
  public:
    ~SheetDialog() override;

    /// Returns a message about the last action; empty if there was none.
    const QString &done() const { return m_done; }
    /// True if the pages are ready.
    bool isReady() const { return !m_pages.empty(); }
    /// Writes the file and closes. On an error, shows it and stays open.
    void saveTo(const QString &path);
    core::Outcome print(QPrinter &printer) const;

  signals:
    /// The pages are ready, or their computation failed.
    void made();

  protected:
    struct Names {
        QString prefix;   ///< prefix of object names: "worksheet"
        QString title;    ///< window title
        QString fileName; ///< proposed file name, without the extension
        QString filter;   ///< filter of the file dialog; its first extension is the default
        QString sent;     ///< message after printing
    };
    /// Never overwrites one of the `inputs` (filesReadBy()).
    SheetDialog(Names names, std::vector<std::string> inputs, QWidget *parent);

    /// Adds a check box that changes the pages, above the choice of paper.
    QCheckBox *addTick(const QString &name, const QString &text, const QString &toolTip);
    LatestJob &job() { return m_job; }
    /// Returns a function that shows the progress; any thread may call it.
    std::function<void(int, int)> progress();
    /// Call this when the content is ready or its computation has failed.
    void take(const core::Outcome &made);
    void layOut();

    /// Returns the pages for the chosen options. Called when the content is ready.
    virtual SheetPages pages(SheetOfPaper paper) const = 0;
    /// Returns the title in the file's metadata.
    virtual QString contentTitle() const = 0;
    /// Returns the bytes of a file that has no pages; empty for a PDF.
    virtual std::optional<QByteArray> bytesFor(const QString &path) const;
    virtual QString proposedName() const { return m_names.fileName; }

  private:
    QWidget *makeControls();
    QWidget *makeButtons();
    void showPage();
    void choosePath();
    void choosePrinter();
    void showProblem(const core::Error &error);
    std::vector<const Figure *> figures() const;
    SheetOfPaper paper() const;

    Names m_names;
    std::vector<std::string> m_inputs;
    SheetPages m_pages;
    bool m_isMade = false; // true if the content is ready
    QString m_done;
    QFormLayout *m_form;
    int m_ticks = 0;
    QComboBox *m_paper;
    QSpinBox *m_page;
    QLabel *m_preview, *m_problem;
    QProgressBar *m_progress;
    QPushButton *m_save, *m_print;
    LatestJob m_job;
};

} // namespace headlight::ui
