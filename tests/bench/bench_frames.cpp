// How long the window is busy with a frame at 1440 × 900, while it steps through animated lessons
// and while a number is dragged in Close-up. A screen with 60 frames a second allows 16.7 ms.
#include "tests/bench/report.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/filmstrip.h"
#include "ui/views/motion/system_motion.h"

#include <QElapsedTimer>

using namespace headlight;

class FramesBenchmark : public QObject {
    Q_OBJECT

    static constexpr double kPromised = 16;   // ms: 99 % of the frames
    static constexpr int kBetweenSteps = 800; // ms; steps in quick succession are not animated
    static constexpr int kBetweenMoves = 15;  // ms

    /// Measures each turn of the event loop in which something was painted.
    class Frames : public QObject {
      public:
        Frames() { qApp->installEventFilter(this); }
        std::vector<double> times;
        /// Calls `act` in the first turn, then handles events until `isDone` returns true.
        template <typename Act, typename IsDone>
        void run(Act act, IsDone isDone) {
            bool isFirst = true;
            do {
                m_painted = false;
                const double time = bench::timed([&] {
                    if (std::exchange(isFirst, false))
                        act();
                    QCoreApplication::processEvents();
                });
                if (m_painted)
                    times.push_back(time);
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
            rest();
        }
        /// Waits, without measuring, until nothing is computed or drawn.
        void rest() {
            settle();
            QTest::qWait(50);
        }
        ui::CloseUpView &closeUp() {
            auto *view = qobject_cast<ui::CloseUpView *>(this->view());
            if (!view)
                qFatal("the window does not show Close-up");
            return *view;
        }
    };

  private slots:
    void init() {
        QSettings().clear();
        ui::SystemMotion::instance().setAnimationsEnabled(true);
    }

    void stepping() {
        constexpr int kStages = 12;
        std::vector<double> all;
        for (const char *lesson : {"cat", "sentence"}) {
            Window fixture(lesson);
            auto *filmstrip = fixture.find<ui::Filmstrip>("filmstrip");
            const ui::StepMotion &motion = fixture.closeUp().motion();
            filmstrip->first();
            fixture.rest();
            Frames frames;
            for (int step = 0; step < kStages; ++step) {
                QElapsedTimer timer;
                timer.start();
                frames.run([&] { filmstrip->next(); },
                           [&] { return timer.elapsed() > kBetweenSteps && !motion.isPlaying(); });
            }
            QVERIFY(frames.times.size() > 2 * kStages); // the steps are animated
            all.insert(all.end(), frames.times.begin(), frames.times.end());
        }
        bench::report("A lesson, 1440 × 900: a frame while stepping", all,
                      {.percentile99 = kPromised});
    }

    void dragging() {
        Window fixture("cat");
        fixture.select({.stage = core::Stage::Query, .query = 1, .dimension = 0});
        fixture.rest();
        ui::CloseUpView &view = fixture.closeUp();
        (void)view.figure();
        const ui::HeatmapGeometry cells = view.places().picture.above.front().cells;
        const QPointF start = cells.cellRect(cells.origin.row, cells.origin.column).center();
        Frames frames;
        QTest::mousePress(&view, Qt::LeftButton, {}, start.toPoint());
        for (int move = 1; move <= 400; ++move) {
            QElapsedTimer timer;
            timer.start();
            frames.run(
                [&] { test::moveMouse(view, start + QPointF(20 + move % 60, 0), Qt::LeftButton); },
                [&] { return timer.elapsed() > kBetweenMoves; });
        }
        QTest::mouseRelease(&view, Qt::LeftButton, {}, (start + QPointF(20, 0)).toPoint());
        fixture.settle();
        QCOMPARE(fixture.document().undoStack().count(), 1); // the number was dragged
        bench::report("A lesson, 1440 × 900: a frame while a number is dragged", frames.times,
                      {.percentile99 = kPromised});
    }
};

QTEST_MAIN(FramesBenchmark)
#include "bench_frames.moc"
