// One cell of a matrix of GPT-2's vocabulary, 50,257 × 768: how long the window's thread takes to
// edit it, to undo that and to redo it. The pass that follows is the worker's.
#include "tests/bench/report.h"
#include "tests/support/large_model.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/panels/editor/number_table.h"
#include "ui/panels/editor/number_table_view.h"

#include <QElapsedTimer>

using namespace headlight;

class EditBenchmark : public QObject {
    Q_OBJECT

    static ui::OpenedSource large() {
        ui::OpenedSource source = test::opened("cat");
        source.session.lesson.reset();
        source.state.model = test::gptModel(2);
        source.state.input = {test::wordBatch(4), {}};
        source.session.model = source.state.model;
        source.session.input = source.state.input;
        source.selection = {};
        return source;
    }

    static ui::MatrixId vocabulary() {
        return {ui::MatrixId::Kind::Parameter, {0, core::ParameterKind::Embeddings}, {}, 0};
    }

    struct Times {
        std::vector<double> edit, undo, redo, trace;
        void report(const QString &where) const {
            bench::report(qPrintable("one cell edited, " + where), edit);
            bench::report(qPrintable("one cell undone, " + where), undo);
            bench::report(qPrintable("one cell redone, " + where), redo);
            bench::report(qPrintable("until its trace is there, " + where), trace);
        }
    };

    template <typename Work>
    static void time(std::vector<double> &times, Work work) {
        QElapsedTimer timer;
        timer.start();
        work();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
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

    /// The editor shows all of the matrix meanwhile.
    void window() {
        test::WindowFixture fixture("bank", "flow");
        fixture.window.open(large());
        fixture.settle();
        auto *table = static_cast<ui::NumberTable *>(
            fixture.find<ui::NumberTableView>("numberTable")->model());
        fixture.find<QToolButton>("pinMatrix")->setChecked(true);
        table->setTarget(vocabulary());
        QCOMPARE(table->rowCount(), 50257);
        timesOf(fixture.window.document()).report("window with its editor");
    }
};

QTEST_MAIN(EditBenchmark)
#include "bench_edit.moc"
