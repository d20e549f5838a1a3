// Opening a folder with a published model in the window. Measures the time until its description
// and its attention are shown, and the time and memory that a longer text takes.
//   HEADLIGHT_FOLDER=/path/to/gpt2 bench_folder
// Drops the file's pages from the system's cache first, to measure a cold read.
#include "core/tokenizers/word_tokenizer.h"
#include "tests/bench/report.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/text_edits.h"

#include <QElapsedTimer>
#include <QTextBrowser>

#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

using namespace headlight;

namespace {

/// Returns the CPU time of all threads, which other load barely affects.
double processorTime() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto milliseconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
    };
    return milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
}

class Watch {
  public:
    void start() {
        m_timer.start();
        m_processor = processorTime();
    }
    double wall() const { return static_cast<double>(m_timer.nsecsElapsed()) / 1e6; }
    double processor() const { return processorTime() - m_processor; }

  private:
    QElapsedTimer m_timer;
    double m_processor = 0;
};

void say(const char *what, const Watch &watch) {
    const std::string name = what;
    bench::report(name, watch.wall(), "ms");
    bench::report(name + ", processors", watch.processor(), "ms");
    bench::report(name + ", memory at most", bench::memory("VmHWM"), "MB");
}

/// Makes the next read come from the disk.
void dropFromCache(const std::string &folder) {
    for (const auto &file : std::filesystem::directory_iterator(folder))
        if (const int opened = ::open(file.path().c_str(), O_RDONLY); opened >= 0) {
            ::posix_fadvise(opened, 0, 0, POSIX_FADV_DONTNEED);
            ::close(opened);
        }
}

std::string words(int count) {
    std::string text;
    for (int word = 0; word < count; ++word)
        text += (word % 7 == 3 ? " house" : word % 3 == 0 ? " the" : " red");
    return text;
}

} // namespace

class FolderBenchmark : public QObject {
    Q_OBJECT

    /// Waits for the trace, then paints the whole window.
    static void showNumbers(test::WindowFixture &fixture) {
        ui::Document &document = fixture.window.document();
        while (document.traceIsStale() || !document.trace() || document.isPreparing())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        (void)fixture.window.grab();
    }

    static int missingPictures(test::WindowFixture &fixture) {
        const auto *figure = static_cast<const ui::HeadsFigure *>(fixture.view()->figure());
        int missing = 0;
        for (core::Index head = 0; head < figure->headCount(); ++head)
            missing += figure->shownInTile(head).tensor.isNull();
        return missing;
    }

    static void type(test::WindowFixture &fixture, const std::string &text) {
        ui::Document &document = fixture.window.document();
        const auto changed = document.apply(
            ui::edits::setText(document.state(), document.textId(), QString::fromStdString(text)));
        if (!changed)
            qFatal("%s", changed.error().text().c_str());
    }

  private slots:
    void openedAndTyped() {
        const std::string folder = qEnvironmentVariable("HEADLIGHT_FOLDER").toStdString();
        if (folder.empty())
            QSKIP("HEADLIGHT_FOLDER names no folder with a model");
        QSettings().clear();
        test::WindowFixture fixture("bank", "heads");
        ui::Document &document = fixture.window.document();
        const auto *outline = fixture.find<QTextBrowser>("lessonText");
        dropFromCache(folder);
        ui::SourceRequest request;
        request.source = QString::fromStdString(folder);
        request.text = words(16);
        Watch timer;
        timer.start();
        fixture.window.openSource(request);
        while (!document.session().pretrained)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        fixture.window.repaint();
        QVERIFY(outline->toPlainText().contains("layers", Qt::CaseInsensitive));
        say("the folder's outline is in the window, cold", timer);
        showNumbers(fixture);
        say("the attention of 16 words, cold", timer);

        type(fixture, words(1000));
        timer.start();
        showNumbers(fixture);
        say("1000 words: the pass, and all heads of a layer in small pictures", timer);
        core::Selection selection = document.selection();
        selection.layer = document.state().model.layerCount(selection.stack) - 1;
        timer.start();
        document.select(selection);
        showNumbers(fixture);
        say("1000 words: all heads of another layer", timer);
        std::vector<double> times, processor;
        core::Index made = 0;
        for (int word = 1001; word <= 1008; ++word) {
            timer.start();
            type(fixture, words(word));
            showNumbers(fixture);
            times.push_back(timer.wall());
            processor.push_back(timer.processor());
            made = document.trace()->recomputedNumbers();
        }
        bench::report("1000 words: another word at the end, until it is painted", times);
        bench::report("1000 words: another word at the end, processors", processor);
        bench::report("1000 words: another word at the end, numbers that are computed",
                      static_cast<double>(made) / 1e6, "million");
        type(fixture, words(1024));
        timer.start();
        showNumbers(fixture);
        say("1024 words: the pass, after a text that it begins with", timer);
        while (missingPictures(fixture) > 0) {
            (void)fixture.window.grab();
            QCoreApplication::processEvents();
        }
        say("1024 words: all heads of a layer in small pictures", timer);
    }
};

QTEST_MAIN(FolderBenchmark)
#include "bench_folder.moc"
