// Present mode: a window of its own over the whole screen, with the lesson and the picture in large
// type and nothing else. The main window stays behind it untouched.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/base/style.h"

#include <QHash>
#include <QWidget>

class QLabel;
class QStackedWidget;

namespace headlight::ui {

class FigureView;
class FormulaField;
class PointerLight;
class PresentedLesson;
class PresentedNames;
class QuestionCard;
class Stepper;

class Presentation : public QWidget {
    Q_OBJECT
  public:
    /// `views`: those of the window, which its own look like. `reset`: takes back what the person
    /// changed. `formula`: shows and hides the whole formula, here as in the window.
    Presentation(Document &document, Stepper &stepper, const QList<FigureView *> &views,
                 QAction &reset, QAction &formula, QWidget *parent);

    /// Its theme; the size of its text is its own.
    void setTheme(bool dark);
    void showView(const QString &name);
    FigureView *currentView() const;
    /// 1.5 to 2.5; remembered.
    double textScale() const { return m_scale; }
    void setTextScale(double scale);

    /// The lesson's step; where there is none, the computation's.
    void next();
    void back();
    /// Nothing is seen, until a key is pressed.
    bool isBlank() const;

  signals:
    void left();
    /// Lesson and computation are at their end, and somebody goes on.
    void ended();
    void failed(const headlight::core::Error &error);

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    void addViews(const QList<FigureView *> &views);
    QWidget *makeFooter();
    QWidget *makeFormulaRoom(QAction &shown);
    QWidget *makeResetOffer();
    void documentChanged(const ChangeEvent &event);
    void showStep();
    void showNames();
    void applyStyle();
    void styleFooter();
    void fitFormula();
    FigureStyle styleAt(double scale) const;
    /// The picture's text shrinks as far as it must for every label to be there.
    void fitPicture();
    void refitPicture(); // from the largest text on
    void goTo(core::Index step);
    core::Index lessonSteps() const;
    bool handleScaleKey(const QKeyEvent &event);
    void blank(bool on);
    bool showsArithmetic() const;
    void closeArithmetic();

    Document &m_document;
    Stepper &m_stepper;
    QAction &m_reset;
    PresentedLesson *m_lesson;
    QuestionCard *m_question;
    QWidget *m_column; // the lesson's
    QStackedWidget *m_views;
    QWidget *m_footer;
    QLabel *m_where;
    QWidget *m_curtain;
    PointerLight *m_light;
    PresentedNames *m_names = nullptr;
    QWidget *m_formulaRoom;
    FormulaField *m_formula;
    QPointF m_pointer;
    double m_scale = 2;
    QHash<const FigureView *, double> m_fitted; // the scale of its text, where it was fitted
    bool m_dark = false;
    int m_beyond = 0; // steps of the computation after the lesson's last one
};

} // namespace headlight::ui
