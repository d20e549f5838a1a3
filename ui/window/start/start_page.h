// Start page: one question that a small model answers, and other ways to begin. It covers the
// window until the user chooses something.
#pragma once

#include "ui/figures/base/style.h"

#include <QWidget>

class QBoxLayout;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace headlight::ui {

class OpeningScene;

class StartPage : public QWidget {
    Q_OBJECT
  public:
    explicit StartPage(QWidget *parent);

    /// True if the page is shown at start. The setting is saved.
    static bool isWanted();
    static void setWanted(bool wanted);

    void setStyle(const FigureStyle &style);
    /// Moves the focus to the main button, or to the page if it does not fit, so that the page
    /// opens at its top.
    void focusFirst();
    /// Requests the show with the user's sentence.
    void requestShow();

  signals:
    /// `source` is the id of a lesson or a built-in trained model, or the path of a recent file.
    void sourceChosen(const QString &source);
    void mapWanted();
    /// The user requests to see how the model answers for this text.
    void explanationWanted(const QString &source, const QString &text);
    /// The user requests the show for a class, with this text.
    void showWanted(const QString &text);
    /// The user requests the Being born view.
    void birthWanted();
    void newWanted();
    void openWanted();
    /// The user closed the page, for now or for good, without choosing anything.
    void dismissed();

  protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    QWidget *makeOtherWays();
    QPushButton *addWay(const QString &text, const QString &about, const char *name,
                        const QString &hint);
    void addFiles(QBoxLayout &row);
    QList<QWidget *> controls() const;

    FigureStyle m_style;
    QBoxLayout *m_ways = nullptr; ///< layout of the other ways to begin
    bool m_hasFirstFocus = false; ///< true from focusFirst() until the user moves the focus
    QScrollArea *m_scroll;
    OpeningScene *m_scene;
};

} // namespace headlight::ui
