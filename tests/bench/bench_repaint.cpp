// The time from a click on a mask button, a move of a dragged parameter or a new selection to the
// repainted view, at 64 tokens, 8 heads, width 512. Also measures a new selection at 1,024 tokens,
// and only the paint of each view.
#include "tests/bench/report.h"
#include "tests/support/large_model.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/strip/answer_bars.h"
#include "ui/strip/sentence_strip.h"
#include "ui/strip/words_strip.h"

#include <QElapsedTimer>

using namespace headlight;

class RepaintBenchmark : public QObject {
    Q_OBJECT

    static ui::OpenedSource large(core::Index tokens = 64) {
        ui::OpenedSource source = test::withModel(test::opened("cat"), test::largeModel(512, 8),
                                                  {test::wordBatch(tokens), {}});
        source.selection = {};
        return source;
    }

    /// A window that shows a view of the source that large() returns.
    struct LargeWindow : test::WindowFixture {
        explicit LargeWindow(const QString &view, core::Index tokens = 64)
            : test::WindowFixture("bank", view) {
            window.open(large(tokens));
            window.showView(view);
            settle();
        }
    };

    /// Counts the paint events of a view: in total, and since the newest trace.
    struct PaintCounter : QObject {
        int count = 0;
        int sinceTrace = 0;
        explicit PaintCounter(test::WindowFixture &fixture) {
            fixture.view()->installEventFilter(this);
            connect(&fixture.window.document(), &ui::Document::changed, this,
                    [this](const ui::ChangeEvent &event) {
                        if (ui::is<ui::TraceChanged>(event))
                            sinceTrace = 0;
                    });
        }
        bool eventFilter(QObject *, QEvent *event) override {
            count += event->type() == QEvent::Paint;
            sinceTrace += event->type() == QEvent::Paint;
            return false;
        }
    };

  private slots:
    void init() { QSettings().clear(); }

    /// Measures from a selection in the words above the view until they are repainted.
    void words_data() {
        QTest::addColumn<core::Index>("tokens");
        for (const core::Index tokens : {12, 64, 1024, 4096})
            QTest::addRow("%d", int(tokens)) << tokens;
    }

    void words() {
        QFETCH(core::Index, tokens);
        ui::Document document;
        ui::SentenceStrip strip(document);
        strip.resize(1088, 900);
        document.open(large(tokens));
        QVERIFY(test::settled(document));
        strip.resize(1088, strip.layOutFor(1088));
        strip.show();
        (void)test::exposed(strip);
        std::vector<double> times;
        for (core::Index run = 0; run < 102; ++run) {
            QElapsedTimer timer;
            timer.start();
            core::Selection selection = document.selection();
            selection.query = (run * 37) % tokens;
            document.select(selection);
            strip.repaint();
            strip.words().repaint();
            strip.answer().repaint();
            if (run > 1)
                times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        bench::report(qPrintable(QString("selection to words, %1 tokens").arg(tokens)), times);
    }

    void maskToggle_data() {
        QTest::addColumn<QString>("view");
        QTest::newRow("heads") << "heads";
        QTest::newRow("whole") << "whole";
    }

    void maskToggle() {
        QFETCH(QString, view);
        LargeWindow fixture(view);
        PaintCounter painted(fixture);
        QToolButton *causal = fixture.button("Causal");
        std::vector<double> times;
        for (int run = 0; run < 42; ++run) {
            QCoreApplication::processEvents();
            QElapsedTimer timer;
            timer.start();
            QTest::mouseClick(causal, Qt::LeftButton);
            while (fixture.window.document().traceIsStale() || painted.sinceTrace == 0)
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            if (run > 1)
                times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        bench::report(qPrintable("mask toggle to repaint, " + view), times);
    }

    void dragWeight_data() { maskToggle_data(); }

    /// Drags a parameter of W_Q. Each move is an edit of one gesture that is computed and painted.
    void dragWeight() {
        QFETCH(QString, view);
        LargeWindow fixture(view);
        ui::Document &document = fixture.window.document();
        PaintCounter painted(fixture);
        const int gesture = document.newGesture();
        const ui::MatrixId id{
            ui::MatrixId::Kind::Parameter, {0, core::ParameterKind::Query}, core::Index(3), 0};
        std::vector<double> edits, repaints;
        for (int move = 0; move < 322; ++move) {
            QCoreApplication::processEvents();
            QElapsedTimer timer;
            timer.start();
            const auto change = ui::edits::setCells(
                document.state(), id, {{100, 7, 0.01F * static_cast<float>(move + 1)}});
            QVERIFY(change.ok() && document.apply(*change, gesture).ok());
            const double edited = static_cast<double>(timer.nsecsElapsed()) / 1e6;
            while (document.traceIsStale() || painted.sinceTrace == 0)
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            if (move < 2)
                continue;
            edits.push_back(edited);
            repaints.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        QCOMPARE(document.undoStack().count(), 1);
        bench::report(qPrintable("one weight dragged, edit alone, " + view), edits);
        bench::report(qPrintable("one weight dragged, edit to repaint, " + view), repaints);
    }

    void paint_data() { maskToggle_data(); }

    void paint() {
        QFETCH(QString, view);
        LargeWindow fixture(view);
        QImage image(fixture.view()->size(), QImage::Format_ARGB32_Premultiplied);
        std::vector<double> times;
        for (int run = 0; run < 42; ++run)
            times.push_back(bench::timed([&] { fixture.view()->render(&image); }));
        bench::report(qPrintable("paint alone, " + view), times);
    }

    void hover_data() { maskToggle_data(); }

    /// Measures from a mouse move until the texts, the status bar and all repaints are done.
    void hover() {
        QFETCH(QString, view);
        LargeWindow fixture(view);
        std::vector<double> times;
        for (int run = 0; run < 60; ++run) {
            const QPoint point(fixture.view()->width() / 2 + run * 5,
                               fixture.view()->height() / 2 + run % 7 * 8);
            QElapsedTimer timer;
            timer.start();
            QTest::mouseMove(fixture.view(), point);
            QCoreApplication::processEvents();
            times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        bench::report(qPrintable("hover, " + view), times);
    }

    void selection_data() {
        QTest::addColumn<QString>("view");
        QTest::addColumn<qlonglong>("tokens");
        for (const qlonglong tokens : {64, 1024})
            for (const char *view : {"close-up", "heads", "whole", "similarity"})
                QTest::addRow("%s, %lld tokens", view, tokens) << view << tokens;
    }

    /// Measures from a new query and key until everything is updated, including the panels.
    void selection() {
        QFETCH(QString, view);
        QFETCH(qlonglong, tokens);
        LargeWindow fixture(view, tokens);
        std::vector<double> times;
        PaintCounter painted(fixture);
        for (core::Index run = 0; run < 42; ++run) {
            QCoreApplication::processEvents();
            core::Selection selection = fixture.window.document().selection();
            selection.query = run % 64;
            selection.key = run % 61;
            const int before = painted.count;
            QElapsedTimer timer;
            timer.start();
            fixture.window.document().select(selection);
            while (painted.count == before)
                QCoreApplication::processEvents();
            times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        bench::report(qPrintable(QStringLiteral("selection to repaint, %1, %2 tokens")
                                     .arg(view, QString::number(tokens))),
                      times);
    }

    void selectedFigure_data() { selection_data(); }

    /// Measures the view only: building its figure for the new selection and painting it.
    void selectedFigure() {
        QFETCH(QString, view);
        QFETCH(qlonglong, tokens);
        LargeWindow fixture(view, tokens);
        QImage image(fixture.view()->size(), QImage::Format_ARGB32_Premultiplied);
        std::vector<double> times;
        for (core::Index run = 0; run < 42; ++run) {
            core::Selection selection = fixture.window.document().selection();
            selection.query = run % 64;
            selection.key = run % 61;
            fixture.window.document().select(selection);
            QElapsedTimer timer;
            timer.start();
            fixture.view()->render(&image);
            times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            QCoreApplication::processEvents();
        }
        bench::report(qPrintable(QStringLiteral("selection, the view alone, %1, %2 tokens")
                                     .arg(view, QString::number(tokens))),
                      times);
    }
};

QTEST_MAIN(RepaintBenchmark)
#include "bench_repaint.moc"
