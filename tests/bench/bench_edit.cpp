// Editing, undoing and redoing one cell of a matrix of GPT-2's vocabulary (50,257 × 768): the time
// on the window's thread. The forward pass that follows runs on the worker.
#include "tests/bench/report.h"
#include "tests/support/large_model.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/panels/editor/number_table.h"
#include "ui/panels/editor/number_table_view.h"

#include <QDockWidget>
#include <QElapsedTimer>

#include <ctime>

using namespace headlight;

class EditBenchmark : public QObject {
    Q_OBJECT

    static ui::OpenedSource large() {
        ui::OpenedSource source =
            test::withModel(test::opened("cat"), test::gptModel(2), {test::wordBatch(4), {}});
        source.selection = {};
        return source;
    }

    static ui::MatrixId vocabulary() {
        return {ui::MatrixId::Kind::Parameter, {0, core::ParameterKind::Embeddings}, {}, 0};
    }

    struct Times {
        struct Of {
            std::vector<double> all, own;
        };
        Of edit, undo, redo, trace;
        void report(const QString &where) const {
            for (const auto &[what, times] :
                 {std::pair("edited", &edit), std::pair("undone", &undo),
                  std::pair("redone", &redo)}) {
                const QString name = QStringLiteral("one cell %1, %2").arg(what, where);
                bench::report(qPrintable(name), times->all);
                bench::report(qPrintable(name + ", the thread's own time"), times->own);
            }
            bench::report(qPrintable("until its trace is there, " + where), trace.all);
        }
    };

    /// Returns the CPU time of this thread, which other load does not affect.
    static double ownMilliseconds() {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }

    template <typename Work>
    static void time(Times::Of &times, Work work) {
        QElapsedTimer timer;
        timer.start();
        const double before = ownMilliseconds();
        work();
        times.all.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        times.own.push_back(ownMilliseconds() - before);
    }

    static Times timesOf(ui::Document &document) {
        Times times;
        const auto settle = [&] { QVERIFY(test::settled(document)); };
        for (core::Index run = 0; run < 20; ++run) {
            time(times.edit, [&] {
                const auto change =
                    ui::edits::setCells(document.state(), vocabulary(), {{20000 + run, 7, 0.01F}});
                QVERIFY(change.ok() && document.apply(*change).ok());
            });
            time(times.trace, settle);
            time(times.undo, [&] { document.undoStack().undo(); });
            settle();
            time(times.redo, [&] { document.undoStack().redo(); });
            settle();
        }
        return times;
    }

  private slots:
    void init() { QSettings().clear(); }

    void documentAlone() {
        ui::Document document;
        document.open(large());
        QVERIFY(test::settled(document));
        timesOf(document).report("document alone");
    }

    /// Measures with the whole matrix open in the editor.
    void window() {
        test::WindowFixture fixture("bank", "close-up");
        fixture.window.open(large());
        fixture.settle();
        auto *dock = fixture.find<QDockWidget>("editorDock");
        dock->show();
        dock->raise();
        fixture.settle();
        QVERIFY(fixture.find<ui::NumberTableView>("numberTable")->isVisible());
        auto *table = static_cast<ui::NumberTable *>(
            fixture.find<ui::NumberTableView>("numberTable")->model());
        fixture.find<QToolButton>("pinMatrix")->setChecked(true);
        table->setTarget(vocabulary());
        QCOMPARE(table->rowCount(), 50257);
        QVERIFY(table->summary().largest() > 0);
        timesOf(fixture.window.document()).report("window with its editor");
    }
};

QTEST_MAIN(EditBenchmark)
#include "bench_edit.moc"
