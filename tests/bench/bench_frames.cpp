// How long the window is busy with a frame at 1440 × 900: while it steps through lessons with
// their motion, and while a number is dragged in Close-up. A screen with 60 frames a
// second allows 16.7 ms.
#include "tests/bench/report.h"
#include "tests/support/large_model.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/filmstrip.h"
#include "ui/views/motion/system_motion.h"

#include <QElapsedTimer>

using namespace headlight;

class FramesBenchmark : public QObject {
    Q_OBJECT

    static constexpr int kBetweenSteps = 800; // ms; steps in quick succession are not animated

    /// Measures each turn of the event loop in which something was painted.
    class Frames : public QObject {
      public:
        Frames() { qApp->installEventFilter(this); }
        std::vector<double> times;
        /// Handles events until `isDone` returns true.
        template <typename IsDone>
        void run(IsDone isDone) {
            do {
                m_painted = false;
                QElapsedTimer timer;
                timer.start();
                QCoreApplication::processEvents();
                if (m_painted)
                    times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
                QThread::usleep(200);
            } while (!isDone());
        }
        bool eventFilter(QObject *, QEvent *event) override {
            m_painted = m_painted || event->type() == QEvent::Paint;
            return false;
        }

      private:
        bool m_painted = false;
    };

    struct Window : test::WindowFixture {
        explicit Window(const QString &lesson) : test::WindowFixture(lesson, "close-up") {
            find<QDockWidget>("inspectorDock")->hide();
            window.resize(1440, 900);
            settle();
        }
        /// Waits, without measuring, until nothing is computed or drawn.
        void rest() {
            settle();
            QTest::qWait(50);
        }
    };

  private slots:
    void init() {
        QSettings().clear();
        ui::SystemMotion::instance().setAnimationsEnabled(true);
    }

    void stepping() {
        std::vector<double> all;
        for (const char *lesson : {"bank", "cat", "sentence", "depth"}) {
            Window fixture(lesson);
            auto *filmstrip = fixture.find<ui::Filmstrip>("filmstrip");
            auto *view = qobject_cast<ui::CloseUpView *>(fixture.view());
            if (!view)
                continue;
            filmstrip->first();
            fixture.rest();
            Frames frames;
            const core::Index stages = 14;
            for (core::Index step = 0; step < stages; ++step) {
                filmstrip->next();
                QElapsedTimer timer;
                timer.start();
                frames.run(
                    [&] { return timer.elapsed() > kBetweenSteps && !view->motion().isPlaying(); });
            }
            all.insert(all.end(), frames.times.begin(), frames.times.end());
        }
        bench::report("frame while stepping with motion", all);
    }

    void dragging() {
        Window fixture("cat");
        fixture.select({.stage = core::Stage::Query, .query = 1, .dimension = 0});
        fixture.rest();
        auto *view = qobject_cast<ui::CloseUpView *>(fixture.view());
        QVERIFY(view);
        (void)view->figure();
        const ui::HeatmapGeometry cells = view->places().picture.above.front().cells;
        const QPoint start =
            cells.cellRect(cells.origin.row, cells.origin.column).center().toPoint();
        Frames frames;
        QTest::mousePress(view, Qt::LeftButton, {}, start);
        for (int move = 1; move <= 400; ++move) {
            QTest::mouseMove(view, start + QPoint(move % 80, 0));
            QElapsedTimer timer;
            timer.start();
            frames.run([&] { return timer.elapsed() > 15; });
        }
        QTest::mouseRelease(view, Qt::LeftButton, {}, start);
        bench::report("frame while a number is dragged", frames.times);
    }
};

QTEST_MAIN(FramesBenchmark)
#include "bench_frames.moc"
