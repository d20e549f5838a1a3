// Dragging a vector among 200 points of width 512. Measures the time from a mouse move to the
// repainted planes with the new values, and the paint alone.
#include "tests/bench/report.h"
#include "tests/support/large_model.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/views/geometry_view.h"

#include <QElapsedTimer>

using namespace headlight;
using core::Stage;

class GeometryBenchmark : public QObject {
    Q_OBJECT

    /// 100 words: 100 queries and 100 keys, and the same number of points in each of the other
    /// planes.
    static ui::OpenedSource large() {
        ui::OpenedSource source = test::withModel(test::opened("cat"), test::largeModel(512, 1),
                                                  {test::wordBatch(100), {}});
        source.selection = {};
        source.selection.query = 3;
        return source;
    }

    struct LargeView {
        ui::Document document;
        ui::GeometryView view{document};
        LargeView() {
            view.resize(1400, 700);
            document.open(large());
            if (!test::settled(document))
                qFatal("no trace");
            view.show();
            (void)QTest::qWaitForWindowExposed(&view);
            (void)view.figure();
        }
        QPoint point(std::size_t plane, Stage stage, core::Index token) {
            const ui::SpacePlane &shown = view.planes()->plane(plane);
            for (std::size_t i = shown.places.size(); i-- > 0;)
                if (shown.places[i].stage == stage && shown.places[i].token == token)
                    return view.geometry()
                        .planes[plane]
                        .onScreen(shown.content.vectors[i].tip())
                        .toPoint();
            qFatal("no such vector");
        }
    };

  private slots:
    void init() { QSettings().clear(); }

    void drag_data() {
        QTest::addColumn<Stage>("stage");
        QTest::addColumn<std::size_t>("plane");
        QTest::addColumn<ui::ShownSpaces>("spaces");
        using ui::ShownSpaces;
        QTest::newRow("a word, all planes")
            << Stage::Positioned << std::size_t(0) << ShownSpaces::All;
        QTest::newRow("a key, all planes") << Stage::Key << std::size_t(1) << ShownSpaces::All;
        QTest::newRow("a word among 200 points")
            << Stage::Positioned << std::size_t(0) << ShownSpaces::Residual;
        QTest::newRow("a key among 200 points")
            << Stage::Key << std::size_t(0) << ShownSpaces::QueryKey;
    }

    /// "repaint" is the time from the new values to the repainted figure. "all" includes computing
    /// the values.
    void drag() {
        QFETCH(Stage, stage);
        QFETCH(std::size_t, plane);
        QFETCH(ui::ShownSpaces, spaces);
        LargeView fixture;
        ui::PlaneOptions planes;
        planes.spaces = spaces;
        fixture.view.setOption(&ui::FigureOptions::plane, planes);
        (void)fixture.view.figure();
        const QPoint from = fixture.point(plane, stage, 5);
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, from);
        std::vector<double> all, repaint;
        for (int run = 0; run < 42; ++run) {
            const QPoint to = from + QPoint(10 + run % 20, run % 17 - 8);
            QMouseEvent move(QEvent::MouseMove, to, fixture.view.mapToGlobal(QPointF(to)),
                             Qt::NoButton, Qt::LeftButton, {});
            QElapsedTimer timer;
            timer.start();
            QCoreApplication::sendEvent(&fixture.view, &move);
            while (fixture.document.traceIsStale())
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            QElapsedTimer painting;
            painting.start();
            fixture.view.repaint();
            if (run > 1) {
                all.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
                repaint.push_back(static_cast<double>(painting.nsecsElapsed()) / 1e6);
            }
        }
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, from);
        bench::report((QTest::currentDataTag() + std::string(" dragged, repaint")).c_str(),
                      repaint);
        bench::report((QTest::currentDataTag() + std::string(" dragged, all")).c_str(), all);
    }

    void gravity() {
        LargeView fixture;
        std::vector<double> times;
        for (int run = 0; run < 42; ++run) {
            QElapsedTimer timer;
            timer.start();
            fixture.view.setGravity(run / 42.0);
            fixture.view.repaint();
            times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        bench::report("gravity scrubbed, repaint", times);
    }
};

QTEST_MAIN(GeometryBenchmark)
#include "bench_geometry.moc"
