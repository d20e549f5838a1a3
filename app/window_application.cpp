#include "app/window_application.h"

#include "app/commands.h"
#include "app/end_signals.h"
#include "app/view_checks.h"
#include "core/formats/files/atomic_file.h"
#include "core/in_quotes.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/strip/answer_bars.h"
#include "ui/window/main_window.h"
#include "ui/window/start/opening_scene.h"
#include "ui/window/start/start_page.h"

#include <QApplication>
#include <QIcon>
#include <QTimer>

#include <cstdio>
#include <future>

namespace headlight::app {

namespace {

bool hasDisplay() {
    for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (!qEnvironmentVariableIsEmpty(name))
            return true;
    return false;
}

/// Returns the start-up event that the benchmark in tests/bench measures: "lesson" or "answer".
/// Empty outside of the benchmark.
QByteArray reportedStart() {
    return qgetenv("HEADLIGHT_REPORT_START");
}

/// Prints a line and flushes it. The benchmark then reads this process's memory and ends the
/// process.
void report(const char *what) {
    std::puts(what);
    std::fflush(stdout);
}

/// Reports that the start page has painted its answer.
class PaintedAnswer : public QObject {
  public:
    explicit PaintedAnswer(ui::AnswerBars &bars) : QObject(&bars), m_bars(bars) {
        bars.installEventFilter(this);
    }

  protected:
    bool eventFilter(QObject *, QEvent *event) override {
        if (event->type() == QEvent::Paint && !m_bars.content().bars.empty()) {
            m_bars.removeEventFilter(this);
            QTimer::singleShot(0, this, [] { report("first answer painted"); });
        }
        return false;
    }

  private:
    ui::AnswerBars &m_bars;
};

void reportStart(ui::MainWindow &window) {
    if (reportedStart() == "lesson")
        QObject::connect(&window, &ui::MainWindow::firstPainted, qApp,
                         [] { report("first lesson painted"); });
}

/// For crash recovery tests: types a text as soon as the window is painted.
void typeInto(ui::MainWindow &window) {
    const QString text = qEnvironmentVariable("HEADLIGHT_TYPE");
    if (!text.isEmpty())
        QObject::connect(&window, &ui::MainWindow::firstPainted, &window, [&window, text] {
            ui::Document &document = window.document();
            (void)document.apply(ui::edits::setText(document.state(), document.textId(), text))
                .ok();
            std::puts("typed");
            std::fflush(stdout);
        });
}

/// Keeps unsaved work for recovery, then ends without asking the user.
void endAfterKeepingWork(int signal) {
    ui::MainWindow::keepWorkOfAll();
    core::AtomicFile::abandonAll(); // removes other partial files
    EndSignals::endBy(signal);
}

/// True if the arguments specify neither a source nor an option that needs one, and no benchmark
/// waits for the first lesson.
bool namesNothing(const Arguments &arguments) {
    const ui::SourceRequest &request = arguments.request;
    return request.source.isEmpty() && !request.text && !request.targetText && !request.tokenIds &&
           !request.randomRepeats && !request.step && !request.seed && !request.vectors &&
           arguments.view.isEmpty() && arguments.stage.isEmpty() && reportedStart() != "lesson";
}

/// Selects the stage of --stage. Errors: an unknown stage; --head with a mean or maximum, which
/// only figures support.
core::Outcome look(const Arguments &arguments, ui::OpenedSource &opened) {
    if (arguments.heads == HeadChoice::Mean || arguments.heads == HeadChoice::Max)
        return core::Error{"the window shows single heads only", "--head",
                           "`headlight figure` can show their mean or maximum"};
    if (arguments.stage.isEmpty())
        return core::Done{};
    const auto stage = core::findStage(arguments.stage.toStdString(), opened.selection.attention());
    if (!stage)
        return core::Error{{"there is no stage %1", core::inQuotes(arguments.stage.toStdString())},
                           "--stage",
                           "use the name of a stage, such as weights, scores or context"};
    opened.selection.stage = *stage;
    return core::Done{};
}

} // namespace

int runWindow(const Arguments &arguments, int argc, char **argv) {
    if (!hasDisplay())
        return fail({"there is no display for a window", "",
                     "`headlight figure SOURCE -o FILE` needs no display"});
    int words = argc > 0 ? 1 : 0; // keeps Qt from parsing Headlight's arguments
    QApplication application(words, argv);
    QApplication::setApplicationName("headlight");
    QApplication::setApplicationDisplayName("Headlight");
    QApplication::setOrganizationName("headlight");
    QApplication::setApplicationVersion(HEADLIGHT_VERSION);
    QGuiApplication::setDesktopFileName("io.github.headlight.Headlight");
    QApplication::setWindowIcon(QIcon(":/icons/io.github.headlight.Headlight.svg"));

    // Other threads read the lesson titles and the opening scene while the window is built.
    const std::future<void> titles =
        std::async(std::launch::async, [] { (void)ui::lessonInfos(); });
    const bool hasStart = namesNothing(arguments) && ui::StartPage::isWanted();
    if (hasStart)
        ui::OpeningScene::readAhead();
    core::Result<ui::OpenedSource> opened = openFor(arguments);
    if (!opened)
        return fail(opened.error());
    if (core::Outcome outcome = look(arguments, *opened); !outcome)
        return fail(outcome.error());
    ui::MainWindow window;
    if (!arguments.theme.isEmpty())
        window.setTheme(ui::themeOf(arguments.theme));
    EndSignals ends;
    QObject::connect(&ends, &EndSignals::asked, qApp, &endAfterKeepingWork);
    reportStart(window);
    typeInto(window);
    const QString view = !arguments.view.isEmpty() ? arguments.view
                         : arguments.heads == HeadChoice::All
                             ? ui::idOf(ui::infoOf(core::View::Heads))
                             : viewFor(arguments);
    if (!view.isEmpty())
        opened->view = view; // set before the pass, which records overviews for the Model view
    if (hasStart)
        window.openBelowStart(*opened);
    else
        window.open(*opened);
    if (!view.isEmpty())
        window.showView(view);
    window.choose(arguments.choices);
    window.show();
    window.offerRecovery();
    window.offerHints();
    if (hasStart)
        window.offerStart();
    if (reportedStart() == "answer")
        if (auto *page = window.findChild<ui::StartPage *>())
            new PaintedAnswer(*page->findChild<ui::AnswerBars *>());
    return QApplication::exec();
}

} // namespace headlight::app
