// The monkey's actions inside the windows.
#include "tests/monkey/events.h"
#include "tests/monkey/monkey.h"
#include "tests/monkey/places.h"
#include "tests/monkey/words.h"
#include "ui/document/lesson_catalogue.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QWheelEvent>
#include <QWindow>
#include <QtTest>

namespace headlight::test {

namespace {

const QList<QKeySequence> &keys() {
    static const QList<QKeySequence> all = [] {
        QList<QKeySequence> list;
        for (const QString &one :
             QString(
                 "Left Right Up Down Left Right Up Down Esc PgUp PgDown Home End Return Enter "
                 "Del Backspace Tab Shift+Tab Space F1 F2 F6 F11 Menu [ ] { } C P M G H + - 0 1 "
                 "Ctrl+Z Ctrl+Shift+Z Ctrl+L Ctrl+C Ctrl+V Ctrl+X Ctrl+A Ctrl+I Ctrl+H Ctrl+K "
                 "Ctrl+N Ctrl+Shift+N Ctrl+O Ctrl+S Ctrl+Shift+S Ctrl+E Ctrl+P Ctrl+= Ctrl+- "
                 "Ctrl+0 Ctrl+W Ctrl+Home Ctrl+End Ctrl+PgUp Ctrl+PgDown Alt+1 Alt+2 Alt+3 "
                 "Alt+4 Alt+5 Alt+Left Alt+Right Alt+Up Alt+Down Alt+F Alt+E Alt+V Alt+M Alt+S "
                 "Alt+C Alt+H Shift+Left Shift+Right Shift+Up Shift+Down Ctrl+Left Ctrl+Right")
                 .split(' '))
            list << QKeySequence(one);
        return list;
    }();
    return all;
}

Qt::KeyboardModifiers modifiers(Dice &dice) {
    static const QList<Qt::KeyboardModifiers> some{
        Qt::NoModifier,      Qt::NoModifier,    Qt::NoModifier,
        Qt::ControlModifier, Qt::ShiftModifier, Qt::ControlModifier | Qt::ShiftModifier};
    return dice.of(some);
}

} // namespace

const std::vector<std::pair<int, Monkey::Act>> &Monkey::repertoire() {
    static const std::vector<std::pair<int, Act>> all{
        {24, &Monkey::key},     {6, &Monkey::undoAndRedo}, {20, &Monkey::hover},
        {16, &Monkey::click},   {5, &Monkey::doubleClick}, {7, &Monkey::drag},
        {7, &Monkey::wheel},    {9, &Monkey::type},        {12, &Monkey::useControl},
        {10, &Monkey::trigger}, {3, &Monkey::readAloud},   {2, &Monkey::save},
        {6, &Monkey::paste},    {6, &Monkey::drop},        {4, &Monkey::resize},
        {3, &Monkey::textSize}, {2, &Monkey::theme},       {2, &Monkey::locale},
        {8, &Monkey::meddle},   {4, &Monkey::takeOffer},
    };
    return all;
}

void Monkey::key(Dice &dice) {
    const QKeySequence sequence = dice.of(keys());
    const int times = dice.outOf(3) ? dice.between(2, 6) : 1;
    say(QString("%1 × %2").arg(sequence.toString()).arg(times));
    m_scrolled = false;
    for (int i = 0; i < times; ++i)
        press(sequence);
}

void Monkey::undoAndRedo(Dice &dice) {
    say("undo and redo:");
    for (int i = dice.between(2, 20); i > 0; --i) {
        const bool redo = dice.outOf(3);
        say(redo ? "redo" : "undo");
        press(QKeySequence(redo ? "Ctrl+Shift+Z" : "Ctrl+Z"));
    }
}

/// Hovers steadily over neighbouring points, as a hand does, or jumps.
void Monkey::hover(Dice &dice) {
    const QPointer<QWidget> window = target(dice);
    if (!window)
        return;
    QPoint point = somewhere(*window, dice);
    say("hover from " + nameOf(*window, point));
    for (int i = 0; i < 50 && window; ++i) {
        point = dice.outOf(10) ? somewhere(*window, dice)
                               : point + QPoint(dice.between(-9, 9), dice.between(-9, 9));
        move(window, point);
        if (window && window->rect().contains(point) && dice.outOf(10))
            toolTip(*window, point);
    }
}

void Monkey::click(Dice &dice) {
    const QPointer<QWidget> window = target(dice);
    if (!window)
        return;
    const QPoint point = somewhere(*window, dice);
    const auto button = dice.outOf(5) ? Qt::RightButton : Qt::LeftButton;
    const auto held = modifiers(dice);
    say((button == Qt::LeftButton ? "click " : "right click ") + nameOf(*window, point));
    move(window, point);
    press(window, point, button, held);
    release(window, point, button, held);
}

void Monkey::doubleClick(Dice &dice) {
    const QPointer<QWidget> window = target(dice);
    if (!window)
        return;
    const QPoint point = somewhere(*window, dice);
    say("double click " + nameOf(*window, point));
    move(window, point);
    if (window && window->windowHandle())
        QTest::mouseDClick(window->windowHandle(), Qt::LeftButton, {}, point);
}

void Monkey::drag(Dice &dice) {
    const QPointer<QWidget> window = target(dice);
    if (!window)
        return;
    QPoint point = somewhere(*window, dice);
    const auto held = modifiers(dice);
    say("drag from " + nameOf(*window, point));
    m_scrolled = true; // a scroll bar may be under the mouse
    move(window, point);
    press(window, point, Qt::LeftButton, held);
    for (int i = dice.between(1, 12); i > 0 && window; --i) {
        point = dice.outOf(3) ? somewhere(*window, dice)
                              : point + QPoint(dice.between(-40, 40), dice.between(-40, 40));
        say(QString("%1,%2").arg(point.x()).arg(point.y()));
        move(window, point);
        if (dice.outOf(20))
            press(QKeySequence(Qt::Key_Escape));
    }
    release(window, point, Qt::LeftButton, held);
}

void Monkey::wheel(Dice &dice) {
    const QPointer<QWidget> window = target(dice);
    if (!window || !window->windowHandle())
        return;
    const QPoint point = somewhere(*window, dice);
    say("wheel at " + nameOf(*window, point));
    m_scrolled = true;
    move(window, point);
    const auto held = modifiers(dice);
    for (int i = dice.between(1, 6); i > 0 && window && window->windowHandle(); --i) {
        QWheelEvent event(point, window->mapToGlobal(point), {},
                          {dice.outOf(6) ? 120 : 0, dice.outOf(2) ? 120 : -120}, Qt::NoButton, held,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(window->windowHandle(), &event);
    }
}

void Monkey::type(Dice &dice) {
    m_scrolled = false;
    if (dice.outOf(2))
        press(QKeySequence(Qt::CTRL | Qt::Key_A));
    const QString words = someWords(dice, writesNan());
    say("type " + words);
    gives(words);
    for (const QChar character : words) {
        QObject *focus = QGuiApplication::focusObject();
        if (!focus)
            return;
        QKeyEvent event(QEvent::KeyPress, 0, Qt::NoModifier, character);
        QCoreApplication::sendEvent(focus, &event);
    }
    if (dice.outOf(2))
        press(QKeySequence(Qt::Key_Return));
}

void Monkey::useControl(Dice &dice) {
    const QPointer<QWidget> window = target(dice);
    const QList<QWidget *> all = window ? controls(*window) : QList<QWidget *>();
    if (all.isEmpty())
        return;
    QPointer<QWidget> control = dice.of(all);
    const QPoint point = control->mapTo(window, control->rect().center());
    say("use " + nameOf(*window, point));
    if (control->inherits("QComboBox") && dice.outOf(2)) {
        control->setFocus();
        for (int i = dice.between(1, 3); i > 0; --i)
            press(QKeySequence(dice.outOf(2) ? Qt::Key_Down : Qt::Key_Up));
        return;
    }
    move(window, point);
    press(window, point, Qt::LeftButton);
    release(window, point, Qt::LeftButton);
}

/// Triggers a menu's action directly, without opening the menu.
void Monkey::trigger(Dice &dice) {
    ui::MainWindow *window = newestWindow();
    if (!window || QApplication::activePopupWidget() || QApplication::activeModalWidget())
        return;
    QList<QAction *> all;
    for (QAction *action : window->findChildren<QAction *>())
        if (action->isEnabled() && !action->isSeparator() && !action->menu())
            all << action;
    QAction *action = all.isEmpty() ? nullptr : dice.of(all);
    if (!action)
        return;
    say("choose " + action->text());
    action->trigger();
}

/// Queries the accessibility interfaces as a screen reader does.
void Monkey::readAloud(Dice &dice) {
    const QPointer<QWidget> window = target(dice);
    if (!window)
        return;
    say("read aloud");
    QAccessible::setActive(true);
    QAccessibleInterface *at = QAccessible::queryAccessibleInterface(window);
    for (int depth = 0; at && depth < 12; ++depth) {
        for (const auto text : {QAccessible::Name, QAccessible::Description, QAccessible::Value})
            (void)at->text(text);
        (void)at->rect();
        (void)at->state();
        (void)at->childAt(dice.below(1400), dice.below(1000));
        if (QAccessibleTableInterface *table = at->tableInterface();
            table && table->rowCount() > 0 && table->columnCount() > 0)
            if (QAccessibleInterface *cell =
                    table->cellAt(dice.below(table->rowCount()), dice.below(table->columnCount())))
                (void)cell->text(QAccessible::Name);
        at = at->childCount() > 0 ? at->child(dice.below(at->childCount())) : nullptr;
    }
}

void Monkey::save(Dice &dice) {
    ui::MainWindow *window = newestWindow();
    if (!window)
        return;
    const QString name = QString("saved%1.headlight").arg(dice.below(3));
    say("save in " + name);
    window->saveIn(m_folder + '/' + name);
}

void Monkey::answer(QWidget &dialog, Dice &dice) {
    auto *files = qobject_cast<QFileDialog *>(&dialog);
    if (!files || dice.outOf(4)) {
        std::fprintf(stderr, "refuse %s\n", dialog.metaObject()->className());
        static_cast<QDialog &>(dialog).reject();
        return;
    }
    const QDir folder(m_folder);
    QString name;
    if (files->acceptMode() == QFileDialog::AcceptSave) {
        static const QStringList names{"own",        "own.headlight", "figure.png", "figure.svg",
                                       "figure.pdf", "no/folder",     "npy.py"};
        name = dice.of(names);
    } else {
        const QStringList there = folder.entryList(QDir::Files, QDir::Name);
        name = there.isEmpty() ? QString("none") : dice.of(there);
    }
    std::fprintf(stderr, "take %s\n", qPrintable(name));
    files->setOption(QFileDialog::DontConfirmOverwrite);
    if (auto *line = files->findChild<QLineEdit *>("fileNameEdit"))
        line->setText(folder.filePath(name));
    QMetaObject::invokeMethod(files, "accept");
    if (files->isVisible()) // the dialog rejected the name
        files->reject();
}

} // namespace headlight::test
