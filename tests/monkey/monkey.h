// Monkey tester: sends seeded random keys, clicks, drags, wheel and hover events to the windows.
// Action n depends on the seed, on n, and on the current windows.
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
    /// Reads and writes files in `folder` only. `numbers` selects which of the seed's actions run.
    Monkey(quint64 seed, QList<int> numbers, QString folder);
    /// Opens a window with the source. The rest runs in the event loop, which exits with 0 at the
    /// end. A problem is printed to standard error and ends the program.
    void start(const QString &source);

  protected:
    void timerEvent(QTimerEvent *event) override;

  private:
    using Act = void (Monkey::*)(Dice &);
    static const std::vector<std::pair<int, Act>> &repertoire(); // with relative frequencies

    void openWindow(const QString &source);
    bool mustWait();
    void act();
    /// Runs the quick checks after each action.
    void look();
    /// Runs the slow checks, every few actions.
    void check();
    void end();
    /// Closes dialogs, menus and popups.
    void retreat();
    void watch(ui::MainWindow &window);
    ui::MainWindow *newestWindow();
    /// True in one of four rounds. The word "nan" may then appear anywhere as text.
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
    /// Answers a dialog. One that could reach other files or a printer gets only names in the
    /// folder.
    void answer(QWidget &dialog, Dice &dice);

    // actions_outside.cpp: events from outside the program
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
    bool m_scrolled = false;   ///< the focus may be scrolled away until the next key
    std::vector<int> m_levels; // event loop levels of unfinished actions, which have open dialogs
    OtherProgram m_other;
    struct Opened {
        ui::DocumentState state; // result of undoing everything
        QByteArray config;       // config of the model's folder at that time
    };
    std::map<const ui::MainWindow *, Opened> m_opened;
};

} // namespace headlight::test
