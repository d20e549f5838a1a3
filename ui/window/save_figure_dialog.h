// Dialog that saves the figure of a view, with a preview of the result.
#pragma once

#include "ui/window/saving/figure_saving.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace headlight::ui {

class SaveFigureDialog : public QDialog {
    Q_OBJECT
  public:
    SaveFigureDialog(FigureView &view, QWidget *parent);

    FigureCommandLine recipe() const;
    /// Returns the path of the saved file; empty before saving.
    const QString &savedPath() const { return m_savedPath; }

  public slots:
    /// Asks for the file name, saves and closes. The dialog shows an error and stays open.
    void chooseAndSave();
    /// Saves and closes without asking.
    void saveTo(const QString &path);

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    QWidget *makeControls();
    QSize shownSize() const;
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
    QCheckBox *m_transparent, *m_textAsPaths;
    QCheckBox *m_hasCaption, *m_hasSession;
    QPlainTextEdit *m_caption;
    QLabel *m_pixels;
    QLineEdit *m_command;
    QLabel *m_note;
    QLabel *m_problem;
    QString m_savedPath;
    double m_ratio = 1;
    LengthUnit m_shownUnit = LengthUnit::Pixel; // unit of width and height
};

} // namespace headlight::ui
