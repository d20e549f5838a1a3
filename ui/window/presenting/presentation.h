// Present mode: a full-screen window without tool bar and panels. It shows the step's sentence, the
// words, the view with text one and a half times as large, and the names of the stages. The main
// window behind it does not change.
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
class MechanismActions;
class PointerLight;
class PresentedLesson;
class PresentedNames;
class PresentedStages;
class PresentedText;
class QuestionCard;
class Filmstrip;
class SentenceStrip;

class Presentation : public QWidget {
    Q_OBJECT
  public:
    /// `views`: the window's views, which are copied. `mechanism`: the settings at the titles of
    /// matrices. `reset`: resets the user's changes.
    /// `formula`: shows and hides the whole formula, here as in the window.
    Presentation(Document &document, Filmstrip &filmstrip, const QList<FigureView *> &views,
                 MechanismActions &mechanism, QAction &reset, QAction &formula, QWidget *parent);

    /// Sets the theme. The text size is independent of the window's.
    void setTheme(bool dark);
    void showView(const QString &name);
    FigureView *currentView() const;
    /// Returns the saved text scale, 1.5 to 2.5.
    double textScale() const { return m_scale; }
    void setTextScale(double scale);

    /// Goes to the next step of the lesson or, if there is none, of the computation.
    void next();
    void back();
    /// True while the screen is black. Any key ends it.
    bool isBlank() const;

  signals:
    void left();
    /// The user stepped beyond the end of the lesson and the computation.
    void ended();
    void failed(const headlight::core::Error &error);

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    static constexpr double kUsualScale = 1.5, kScaleStep = 0.25;

    void addViews(const QList<FigureView *> &views, MechanismActions &mechanism);
    QWidget *makeTop();
    QWidget *makeFooter();
    QWidget *makeFormulaRoom(QAction &shown);
    QWidget *makeResetOffer();
    void documentChanged(const ChangeEvent &event);
    void showStep();
    void showNames();
    void applyStyle();
    void styleFooter();
    /// Sets the sentence's height.
    void placeLesson();
    void showText(bool on);
    void fitFormula();
    void placeStrip();
    void placeQuestion();
    FigureStyle styleAt(double scale) const;
    /// Shrinks the picture's text until every label is shown, but not below the smallest size.
    void fitPicture();
    void refitPicture(); // fits again, starting with the largest text
    void goTo(core::Index step);
    core::Index lessonSteps() const;
    bool handleScaleKey(const QKeyEvent &event);
    bool viewTakesKeys() const;
    void blank(bool on);
    bool showsArithmetic() const;
    void closeArithmetic();

    Document &m_document;
    Filmstrip &m_filmstrip;
    QAction &m_reset;
    PresentedLesson *m_lesson;
    PresentedText *m_text;
    QuestionCard *m_question;
    SentenceStrip *m_strip;
    QWidget *m_top;   // the lesson's sentence
    QWidget *m_asked; // area of a question, to the left of the picture
    QStackedWidget *m_views;
    QWidget *m_footer;
    QLabel *m_where;
    QWidget *m_curtain;
    PointerLight *m_light;
    PresentedNames *m_names = nullptr;
    PresentedStages *m_stages;
    QWidget *m_formulaRoom;
    FormulaField *m_formula;
    QPointF m_pointer;
    QStringList m_places; // the positions in the lesson and in the computation
    QStringList m_keys;
    double m_scale = kUsualScale;
    QHash<const FigureView *, double> m_fitted; // text scale of each fitted view
    // Views whose labels did not fit while the words were shown. True if hiding the words did not
    // help, so they are shown again.
    QHash<const FigureView *, bool> m_showsWords;
    bool m_dark = false;
    int m_beyond = 0; // steps of the computation after the last lesson step
};

} // namespace headlight::ui
