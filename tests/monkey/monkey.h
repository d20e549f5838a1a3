// Somebody who does anything at all to the windows: seeded keys, clicks, drags, wheel, hovering and
// typing. What it does at number n depends on the seed, on n, and on what it finds on the screen.
#pragma once

#include "tests/monkey/dice.h"
#include "ui/window/main_window.h"

#include <QObject>
#include <QPointer>

#include <map>

namespace headlight::test {

class Monkey : public QObject {
    Q_OBJECT
  public:
    /// Files are read and written in `folder` alone. `numbers`: which of the seed's actions.
    Monkey(quint64 seed, QList<int> numbers, QString folder);
    /// Opens a window with the source; the rest happens in the event loop, which ends with 0 when
    /// all is done. Anything that is wrong is said on standard error, and ends the program.
    void start(const QString &source);

  protected:
    void timerEvent(QTimerEvent *event) override;

  private:
    using Act = void (Monkey::*)(Dice &);
    static const std::vector<std::pair<int, Act>> &repertoire(); // with how often

    void openWindow(const QString &source);
    bool mustWait();
    void act();
    void check();
    void end();
    /// Leaves dialogs, menus and popups.
    void retreat();
    void watch(ui::MainWindow &window);
    ui::MainWindow *newestWindow();

    // actions.cpp
    void key(Dice &dice);
    void undoAndRedo(Dice &dice);
    void hover(Dice &dice);
    void click(Dice &dice);
    void doubleClick(Dice &dice);
    void drag(Dice &dice);
    void wheel(Dice &dice);
    void type(Dice &dice);
    void useControl(Dice &dice);
    void paste(Dice &dice);
    void trigger(Dice &dice);
    void resize(Dice &dice);
    void readAloud(Dice &dice);
    void drop(Dice &dice);
    void save(Dice &dice);
    /// A dialog that could reach files elsewhere, or a printer, gets only what the folder has.
    void answer(QWidget &dialog, Dice &dice);

    quint64 m_seed;
    QList<int> m_numbers;
    QString m_folder;
    qsizetype m_next = 0;
    qsizetype m_checked = 0;
    int m_waited = 0;
    bool m_waits = false;
    std::vector<int> m_levels; // the event loop's, of actions that are not done yet: open dialogs
    std::map<const ui::MainWindow *, ui::DocumentState> m_opened; // where undoing ends
};

} // namespace headlight::test
