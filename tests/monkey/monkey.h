// Somebody who does anything at all to the windows: seeded keys, clicks, drags, wheel, hovering and
// typing. What it does at number n depends on the seed, on n, and on what it finds on the screen.
#pragma once

#include "tests/monkey/dice.h"
#include "tests/monkey/other_program.h"
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
    /// After each action.
    void look();
    /// Now and then: what takes longer.
    void check();
    void end();
    /// Leaves dialogs, menus and popups.
    void retreat();
    void watch(ui::MainWindow &window);
    ui::MainWindow *newestWindow();
    /// In one round of four: such a word may stand anywhere then, and is no number of the
    /// program's.
    bool writesNan() const { return m_seed % 4 == 0; }
    void gives(const QString &text) { m_gaveNan |= text.contains("nan"); }

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
    void trigger(Dice &dice);
    void readAloud(Dice &dice);
    void save(Dice &dice);
    /// A dialog that could reach files elsewhere, or a printer, gets only what the folder has.
    void answer(QWidget &dialog, Dice &dice);

    // actions_outside.cpp: what comes from outside the program
    void paste(Dice &dice);
    void drop(Dice &dice);
    void resize(Dice &dice);
    void textSize(Dice &dice);
    void theme(Dice &dice);
    void locale(Dice &dice);
    void meddle(Dice &dice);
    void takeOffer(Dice &dice);

    quint64 m_seed;
    QList<int> m_numbers;
    QString m_folder;
    qsizetype m_next = 0;
    qsizetype m_checked = 0;
    int m_waited = 0;
    bool m_waits = false;
    qsizetype m_looked = 0;
    bool m_gaveNan = false;
    std::vector<int> m_levels; // the event loop's, of actions that are not done yet: open dialogs
    OtherProgram m_other;
    struct Opened {
        ui::DocumentState state; // where undoing ends
        QByteArray config;       // of the model's folder, as it was then
    };
    std::map<const ui::MainWindow *, Opened> m_opened;
};

} // namespace headlight::test
