// The engine alone: a whole forward pass, and what a mask toggle recomputes.
#include "core/transformer/forward.h"
#include "tests/support/large_model.h"

#include <QtTest>

using namespace headlight;

class ForwardBenchmark : public QObject {
    Q_OBJECT

  private slots:
    void wholePass() {
        const core::Model model = test::largeModel(512, 8);
        const core::Input input{test::wordBatch(64), {}};
        QBENCHMARK {
            QVERIFY(core::forward(model, input).ok());
        }
    }

    void maskToggle() {
        const core::Model model = test::largeModel(512, 8);
        const core::BatchPointer batch = test::wordBatch(64);
        core::TracePointer trace = *core::forward(model, {batch, {}});
        bool causal = false;
        QBENCHMARK {
            causal = !causal;
            const core::MaskLayers masks =
                causal ? core::MaskLayers{core::CausalMask{}} : core::MaskLayers{};
            trace = *core::forward(model, {batch, masks}, trace);
        }
    }
};

QTEST_GUILESS_MAIN(ForwardBenchmark)
#include "bench_forward.moc"
