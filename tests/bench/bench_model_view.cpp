// The Model view with 12 × 12 heads: the time from a trace to the first paint and to the paint with
// all thumbnails, and from selecting another head to its paint. HEADLIGHT_BENCH_MODEL may name a
// folder with a model. By default, all layers share random numbers.
#include "tests/bench/report.h"
#include "tests/support/large_model.h"
#include "tests/support/opened.h"
#include "ui/views/model_view.h"

#include <QElapsedTimer>

using namespace headlight;

class ModelViewBenchmark : public QObject {
    Q_OBJECT

    static ui::OpenedSource large(core::Index tokens) {
        ui::OpenedSource source = test::opened("cat");
        source.session.lesson.reset();
        const QString folder = qEnvironmentVariable("HEADLIGHT_BENCH_MODEL");
        if (!folder.isEmpty())
            source = test::opened(folder);
        else
            source.state.model = test::gptModel(12, 1000);
        std::vector<std::string> words;
        for (core::Index token = 0; token < tokens; ++token)
            words.push_back(source.state.model.vocabulary->word(500 + token % 400));
        source.state.input = {*core::Batch::ofWords({std::move(words)}), {core::CausalMask{}}};
        source.session.model = source.state.model;
        source.session.input = source.state.input;
        source.selection = {};
        return source;
    }

  private slots:
    void init() { QSettings().clear(); }

    void firstPaint_data() {
        QTest::addColumn<core::Index>("tokens");
        for (const core::Index tokens : {128, 512})
            QTest::addRow("%d", int(tokens)) << tokens;
    }
    void firstPaint() {
        QFETCH(core::Index, tokens);
        ui::Document document;
        document.open(large(tokens));
        QVERIFY(test::settled(document));
        std::vector<double> all, half;
        for (int run = 0; run < 5; ++run) {
            ui::ModelView view(document);
            view.resize(1280, 620);
            QElapsedTimer timer;
            timer.start();
            view.show();
            (void)view.grab(); // labels and the large head, but no thumbnails yet
            half.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            QCoreApplication::processEvents();
            QVERIFY(test::until([&] {
                const ui::ModelFigure *figure = static_cast<const ui::ModelFigure *>(view.figure());
                return std::ranges::none_of(figure->tiles(), [](const auto &tile) {
                    return tile.content.matrix().empty();
                });
            }));
            (void)view.grab();
            all.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        const std::string size = "Model, 12 × 12 heads, " + std::to_string(tokens) + " tokens: ";
        bench::report(size + "first paint", half, {.median = tokens == 128 ? 100 : 400});
        bench::report(size + "all thumbnails", all);
        ui::ModelView view(document);
        view.resize(1280, 620);
        view.show();
        (void)view.grab();
        std::vector<double> moves;
        for (int run = 0; run < 24; ++run) {
            QElapsedTimer timer;
            timer.start();
            QTest::keyClick(&view, run % 2 ? Qt::Key_Down : Qt::Key_Right);
            (void)view.grab();
            moves.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        bench::report(size + "another head", moves);
        QVERIFY(test::until([&] { return view.isComplete() && !view.isComputing(); }));
        view.repaint();
        std::vector<double> hovers;
        for (int run = 0; run < 200; ++run)
            hovers.push_back(bench::timed([&] {
                test::moveMouse(view, {300.0 + 4 * run, 100.0 + 2 * run});
                QCoreApplication::processEvents(); // paints what has changed
            }));
        bench::report(size + "hover", hovers, {.median = 8});
        bench::report(size + "memory of the process at most", bench::memory("VmHWM"), "MB",
                      tokens == 512 ? bench::Limit(600) : bench::Limit());
    }
};

QTEST_MAIN(ModelViewBenchmark)
#include "bench_model_view.moc"
