#include "tests/monkey/monkey.h"

#include "tests/monkey/checks.h"
#include "tests/monkey/step_checks.h"
#include "tests/support/opened.h"

#include <QApplication>
#include <QDialog>
#include <QMenu>
#include <QThread>
#include <QTimerEvent>

#include <algorithm>

namespace headlight::test {

namespace {

constexpr qsizetype kBetweenChecks = 8;
constexpr int kMaxWaits = 2000; // after these, the computation is cancelled, as a user would do
constexpr int kMaxWindows = 3;

[[noreturn]] void fail(const QString &what) {
    std::fprintf(stderr, "WRONG: %s\n", qPrintable(what));
    std::fflush(stderr);
    ::_exit(3); // exits at once, because later output would only hide the failure
}

/// True for Qt messages about the test's environment, not about the program.
bool isOfTheSurroundings(const QString &message) {
    for (const char *known :
         {"This plugin does not support", "Mouse event at", "Mouse event occurs outside",
          "XDG_RUNTIME_DIR", "XKeyboard", "QXcbClipboard", "Could not resolve property",
          "OpenType support missing"}) // a script that no installed font supports
        if (message.contains(QLatin1String(known)))
            return true;
    return false;
}

void takeMessage(QtMsgType type, const QMessageLogContext &, const QString &message) {
    std::fprintf(stderr, "qt: %s\n", qPrintable(message));
    if (type != QtDebugMsg && type != QtInfoMsg && !isOfTheSurroundings(message))
        fail("Qt warns: " + message);
}

QList<ui::MainWindow *> windows() {
    QList<ui::MainWindow *> found;
    for (QWidget *widget : QApplication::topLevelWidgets())
        if (auto *window = qobject_cast<ui::MainWindow *>(widget); window && window->isVisible())
            found << window;
    return found;
}

bool isAlone() {
    return !QApplication::activePopupWidget() && !QApplication::activeModalWidget();
}

} // namespace

Monkey::Monkey(quint64 seed, QList<int> numbers, QString folder)
    : m_seed(seed), m_numbers(std::move(numbers)), m_folder(std::move(folder)), m_other(m_folder) {
    qInstallMessageHandler(takeMessage);
    QApplication::setQuitOnLastWindowClosed(false);
}

void Monkey::start(const QString &source) {
    openWindow(source);
    startTimer(0);
}

void Monkey::openWindow(const QString &source) {
    auto *window = new ui::MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    watch(*window);
    window->open(opened(source));
    window->show();
    (void)exposed(*window);
    window->activateWindow();
}

/// Records each state that undoing everything must restore.
void Monkey::watch(ui::MainWindow &window) {
    if (m_opened.contains(&window))
        return;
    ui::Document &document = window.document();
    m_opened[&window] = {document.state(), m_other.config()};
    connect(&document, &ui::Document::changed, this,
            [this, &window, &document](const ui::ChangeEvent &event) {
                if (ui::is<ui::SessionChanged>(event))
                    m_opened[&window] = {document.state(), m_other.config()};
            });
    connect(&window, &QObject::destroyed, this, [this, &window] { m_opened.erase(&window); });
}

ui::MainWindow *Monkey::newestWindow() {
    const QList<ui::MainWindow *> all = windows();
    if (auto *active = qobject_cast<ui::MainWindow *>(QApplication::activeWindow()))
        if (all.contains(active))
            return active;
    return all.isEmpty() ? nullptr : all.last();
}

/// Each action runs in its own timer event, so it can run inside the event loop of a dialog. It
/// does not run inside another action that merely processes events.
void Monkey::timerEvent(QTimerEvent *event) {
    killTimer(event->timerId());
    const int level = QThread::currentThread()->loopLevel();
    if ((!m_levels.empty() && level <= m_levels.back()) || mustWait()) {
        startTimer(1);
        return;
    }
    startTimer(0);
    m_levels.push_back(level);
    if (m_looked != m_next)
        look();
    if (m_levels.size() == 1 && isAlone() && m_next - m_checked >= kBetweenChecks)
        check();
    else if (m_next < m_numbers.size())
        act();
    else if (m_levels.size() > 1 || !isAlone())
        retreat();
    else
        end();
    m_levels.pop_back();
}

/// Usually waits until everything is computed, but sometimes does not.
bool Monkey::mustWait() {
    for (ui::MainWindow *window : windows()) {
        watch(*window);
        if (!m_waits || !(window->document().isBusy() || window->isReading()))
            continue;
        if (++m_waited < kMaxWaits)
            return true;
        window->document().cancelComputation();
    }
    m_waited = 0;
    return false;
}

void Monkey::act() {
    const int number = m_numbers[m_next++];
    Dice dice(m_seed, number);
    m_waits = !dice.outOf(3) || m_next - m_checked >= kBetweenChecks || m_next == m_numbers.size();
    std::fprintf(stderr, "%d ", number);
    if (windows().isEmpty()) {
        std::fprintf(stderr, "another window\n");
        return openWindow("bank");
    }
    if (!QGuiApplication::focusWindow()) { // no window manager sets the focus here
        QWidget *modal = QApplication::activeModalWidget();
        (modal ? modal : newestWindow())->activateWindow();
    }
    if (QWidget *modal = QApplication::activeModalWidget();
        modal && !QApplication::activePopupWidget() &&
        (modal->inherits("QFileDialog") || modal->inherits("QAbstractPrintDialog")))
        return answer(*modal, dice);
    if ((!isAlone() && dice.outOf(8)) || m_levels.size() > 6)
        return retreat();
    if (windows().size() > kMaxWindows && isAlone()) {
        std::fprintf(stderr, "close a window\n");
        newestWindow()->close();
        return;
    }
    int all = 0;
    for (const auto &[often, what] : repertoire())
        all += often;
    int chosen = dice.below(all);
    for (const auto &[often, what] : repertoire())
        if ((chosen -= often) < 0) {
            (this->*what)(dice);
            break;
        }
    std::fputc('\n', stderr);
}

void Monkey::retreat() {
    if (QWidget *popup = QApplication::activePopupWidget()) {
        std::fprintf(stderr, "leave %s\n", popup->metaObject()->className());
        popup->close();
    } else if (auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget())) {
        std::fprintf(stderr, "leave %s\n", qPrintable(dialog->objectName()));
        dialog->reject();
    } else if (QWindow *focus = QGuiApplication::focusWindow()) { // a drag is in progress
        QTest::mouseRelease(focus, Qt::LeftButton);
        QTest::keyClick(focus, Qt::Key_Escape);
    }
}

void Monkey::look() {
    m_looked = m_next;
    QCoreApplication::sendPostedEvents(); // handles what a layout has put off in this turn of the
                                          // event loop
    QString what = focusIsVisible();
    if (what.isEmpty())
        m_scrolled = false;
    else if (m_scrolled) // the user may scroll it away; the next key shows it again
        what.clear();
    if (what.isEmpty() && !m_gaveNan)
        what = noNumberIsNan();
    for (ui::MainWindow *window : windows())
        if (what.isEmpty())
            what = textIsOfThePicture(*window);
    if (!what.isEmpty())
        fail(what);
}

void Monkey::check() {
    m_checked = m_next;
    QString what = memoryIsBounded();
    for (ui::MainWindow *window : windows()) {
        ui::Document &document = window->document();
        for (const auto &one :
             {std::function([&] { return changedFileIsTold(*window); }),
              std::function([&] { return traceIsOfItsState(document); }),
              std::function([&] { return selectionIsThere(document); }), std::function([&] {
                  return m_opened.at(window).config == m_other.config() &&
                                 filesAreAsOpened(document)
                             ? isReadAsItIsSaved(*window, m_folder)
                             : QString(); // not checked, because it would be read from other files
              }),
              std::function(
                  [&] { return undoneAndDoneAgain(document, m_opened.at(window).state); })})
            if (what.isEmpty())
                what = one();
    }
    if (!what.isEmpty())
        fail(what);
}

void Monkey::end() {
    check();
    std::fprintf(stderr, "%lld MB\n", static_cast<long long>(memoryUsed()));
    for (ui::MainWindow *window : windows())
        delete window;
    QApplication::exit(0);
}

} // namespace headlight::test
