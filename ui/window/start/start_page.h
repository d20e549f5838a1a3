// Start page with the lessons and their pictures, a new session, and files. It covers the window
// until the user chooses something.
#pragma once

#include "ui/figures/base/style.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace headlight::ui {

class LessonCard;
class LessonPictures;

class StartPage : public QWidget {
    Q_OBJECT
  public:
    explicit StartPage(QWidget *parent);

    /// True if the page is shown at start. The setting is saved.
    static bool isWanted();
    static void setWanted(bool wanted);

    void setStyle(const FigureStyle &style);
    void focusFirst();

  signals:
    /// The id of a lesson or a built-in trained model, or the path of a recent file.
    void sourceChosen(const QString &source);
    void mapWanted();
    void newWanted();
    void openWanted();
    /// The user closed the page without a choice, or for good.
    void dismissed();

  protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    void addLessons();
    void addFiles();
    void arrange();
    QList<QWidget *> controls() const;
    bool handleCardKey(LessonCard &card, const QKeyEvent &event);

    FigureStyle m_style;
    QScrollArea *m_scroll;
    QVBoxLayout *m_column;
    QGridLayout *m_grid;
    QLabel *m_title;
    QList<LessonCard *> m_cards;
    LessonPictures *m_pictures;
    int m_columns = 0;
};

} // namespace headlight::ui
