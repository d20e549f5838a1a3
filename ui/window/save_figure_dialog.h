// Dialog that saves the figure of a view, or figures of several heads, with a preview of the
// result.
#pragma once

#include "ui/window/saving/figure_saving.h"
#include "ui/window/saving/figure_set.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTimer;

namespace headlight::ui {

class SaveFigureDialog : public QDialog {
    Q_OBJECT
  public:
    SaveFigureDialog(FigureView &view, QWidget *parent);

    FigureCommandLine recipe() const;
    /// Returns the path of the saved file; empty before saving. For several heads, the path has %l
    /// and %h.
    const QString &savedPath() const { return m_savedPath; }
    /// Returns the file name that the file dialog suggests.
    QString suggestedName() const;
    /// Returns the message to show after saving.
    QString savedText() const;
    /// True while figures of several heads are being saved.
    bool isSaving() const { return m_set.isBusy(); }

  public slots:
    /// Asks for the file name, saves and closes. On an error, shows it and stays open.
    void chooseAndSave();
    /// Saves and closes without asking. Figures of several heads are saved in the background.
    void saveTo(const QString &path);
    /// Closes, or stops saving.
    void reject() override;

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    QWidget *makeControls();
    /// Offers the sets of heads that the view has. Offers none if its figure does not show one
    /// head.
    void offerHeads();
    HeadSet headSet() const;
    /// Returns the heads that get a figure each; empty: one figure, of the view as it is.
    std::vector<core::HeadId> heads() const;
    /// True if the user agrees to overwrite existing files, or if there are none.
    bool mayOverwrite(const QString &path);
    /// Adds the extension of the format to a path without one.
    QString withSuffix(const QString &path) const;
    void saveSet(const QString &path);
    /// Shows the progress, and disables the controls while figures are being saved.
    void showProgress();
    void setFailed(const core::Error &error);
    QSize usualSize(const Figure *figure) const;
    void restoreChoices();
    void rememberChoices() const;
    void setUnit(LengthUnit unit);
    void setSize(const QSizeF &pixels);
    void follow(QDoubleSpinBox *changed);
    QString sizeText(const FigureCommandLine &recipe) const;
    void showResult();
    void paintPreview();
    void showProblem(const core::Error &error);
    Format format() const;
    QString suffix() const;

    FigureView &m_view;
    std::unique_ptr<Figure> m_figure; // figure in the preview
    QWidget *m_preview;
    QDoubleSpinBox *m_width, *m_height;
    QComboBox *m_unit;
    QCheckBox *m_keepRatio;
    QDoubleSpinBox *m_textSize, *m_scale;
    QComboBox *m_format, *m_theme;
    QComboBox *m_heads; ///< set of heads that get a figure each
    QCheckBox *m_transparent, *m_textAsPaths;
    QCheckBox *m_hasCaption, *m_hasSession;
    QPlainTextEdit *m_caption;
    QLabel *m_pixels;
    QLineEdit *m_command;
    QLabel *m_note;
    QLabel *m_problem;
    QWidget *m_controls = nullptr;
    QProgressBar *m_progress;
    QTimer *m_ticks; ///< polls the progress
    FigureSet m_set;
    QString m_savedPath;
    QSize m_usualSize; // size at which the dialog opens if none is remembered
    double m_ratio = 1;
    LengthUnit m_shownUnit = LengthUnit::Pixel; // unit of width and height
};

} // namespace headlight::ui
