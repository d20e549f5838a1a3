// The Model view with 12 × 12 heads. Measures the time from a trace to the first paint and to the
// paint with all thumbnails, and from selecting another head to its paint. Also measures a pass
// alone, a pass that computes all thumbnails until they are painted, and the paint of the next
// layer, which was prepared in advance. HEADLIGHT_BENCH_MODEL may name a folder with a model. By
// default, all layers share random numbers.
#include "tests/bench/report.h"
#include "tests/support/large_model.h"
#include "tests/support/opened.h"
#include "ui/views/model_view.h"

#include <QElapsedTimer>

using namespace headlight;

class ModelViewBenchmark : public QObject {
    Q_OBJECT

    static ui::OpenedSource large(core::Index tokens) {
        const QString folder = qEnvironmentVariable("HEADLIGHT_BENCH_MODEL");
        ui::OpenedSource source = test::opened(folder.isEmpty() ? "cat" : folder);
        const core::Model model = folder.isEmpty() ? test::gptModel(12, 1000) : source.state.model;
        std::vector<std::string> words;
        for (core::Index token = 0; token < tokens; ++token)
            words.push_back(model.vocabulary->word(500 + token % 400));
        source = test::withModel(std::move(source), model,
                                 {*core::Batch::ofWords({std::move(words)}), {core::CausalMask{}}});
        source.selection = {};
        return source;
    }

    static bool hasAllThumbnails(ui::ModelView &view) {
        const auto *figure = static_cast<const ui::ModelFigure *>(view.figure());
        return figure && std::ranges::none_of(figure->tiles(), [](const auto &tile) {
                   return tile.content.matrix().empty();
               });
    }
    static double since(const QElapsedTimer &timer) {
        return static_cast<double>(timer.nsecsElapsed()) / 1e6;
    }

  private slots:
    void init() { QSettings().clear(); }

    void firstPaint_data() {
        QTest::addColumn<core::Index>("tokens");
        // 512 comes first, because VmHWM is the peak of the whole process. Passes of fewer tokens
        // keep the pages of the model's file.
        for (const core::Index tokens : {512, 128})
            QTest::addRow("%d", int(tokens)) << tokens;
    }
    void firstPaint() {
        QFETCH(core::Index, tokens);
        const bench::PrivateMemory memory;
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
        bench::report(size + "private memory at most", memory.most(), "MB");
        if (tokens == 512)
            bench::report(size + "memory at most, with the pages of the model's file",
                          bench::memory("VmHWM"), "MB", bench::Limit(600));
    }

    void passWithThumbnails_data() { firstPaint_data(); }
    void passWithThumbnails() {
        QFETCH(core::Index, tokens);
        ui::OpenedSource source = large(tokens);
        std::vector<double> alone, with, after;
        for (int run = 0; run < 5; ++run) {
            QElapsedTimer timer;
            ui::Document document;
            timer.start();
            document.open(source);
            QVERIFY(test::settled(document));
            alone.push_back(since(timer));
            QVERIFY(!document.passGlances());

            ui::OpenedSource watched = source;
            watched.view = "model";
            ui::Document other;
            ui::ModelView view(other);
            view.resize(1280, 620);
            view.show();
            timer.start();
            other.open(watched);
            QVERIFY(test::settled(other));
            const double traced = since(timer);
            QVERIFY(test::until([&] { return hasAllThumbnails(view); }));
            (void)view.grab();
            with.push_back(since(timer));
            after.push_back(with.back() - traced);
        }
        bench::report(qPrintable(QString("%1 tokens, the pass alone").arg(tokens)), alone);
        bench::report(
            qPrintable(QString("%1 tokens, the pass and all 144 thumbnails painted").arg(tokens)),
            with);
        bench::report(
            qPrintable(
                QString("%1 tokens, all 144 thumbnails painted after the trace").arg(tokens)),
            after, {.median = tokens == 128 ? 100 : 400});
    }

    void nextLayer_data() { firstPaint_data(); }
    void nextLayer() {
        QFETCH(core::Index, tokens);
        ui::Document document;
        document.open(large(tokens));
        QVERIFY(test::settled(document));
        ui::ModelView view(document);
        view.resize(1280, 620);
        view.show();
        (void)view.grab();
        QVERIFY(test::until([&] { return hasAllThumbnails(view); }));
        std::vector<double> prepared;
        for (int run = 0; run < 22; ++run) {
            (void)view.grab(); // requests the neighbours
            QCoreApplication::processEvents();
            QVERIFY(test::until([&] { return !document.neighbours().isBusy(); }));
            const core::Index before = document.selection().layer;
            QElapsedTimer timer;
            timer.start();
            QTest::keyClick(&view, run < 11 ? Qt::Key_Down : Qt::Key_Up);
            (void)view.grab();
            prepared.push_back(since(timer));
            QCOMPARE(document.selection().layer, run < 11 ? before + 1 : before - 1);
        }
        bench::report(
            qPrintable(QString("%1 tokens, the next layer painted, fetched ahead").arg(tokens)),
            prepared, {.median = 30});
    }
};

QTEST_MAIN(ModelViewBenchmark)
#include "bench_model_view.moc"
