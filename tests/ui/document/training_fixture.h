// A document in training.
#pragma once

#include "tests/support/training.h"
#include "tests/ui/document/document_fixture.h"
#include "ui/document/training_controller.h"

namespace headlight::test {

struct Trained {
    Document document;
    ui::TrainingController controller{document};

    explicit Trained(const core::Recipe &recipe = smallRecipe(),
                     std::optional<core::Ablation> against = {}) {
        document.open(trainingSession(recipe, against));
        untilIdle();
    }
    void settle() { QVERIFY(settled(document)); }
    /// Waits until training has stopped and everything is shown.
    void untilIdle() {
        HEADLIGHT_UNTIL(!controller.isRunning() && !controller.isBusy() && !document.isBusy() &&
                        !document.traceIsStale() && !document.comparison().isComputing());
    }
    void train() {
        QVERIFY(controller.start().ok());
        untilIdle();
    }
    /// Starts training and waits for the first step that is shown.
    void begin() {
        const core::Index from = at();
        QVERIFY(controller.start().ok());
        HEADLIGHT_UNTIL(at() > from);
    }
    void pause() {
        controller.pause();
        untilIdle();
    }
    void step(int times = 1) {
        for (; times > 0; --times) {
            QVERIFY(controller.oneBatch().ok());
            untilIdle();
        }
    }
    void show(std::size_t checkpoint) {
        controller.show(checkpoint);
        untilIdle();
    }
    void edit(const core::Result<ui::Change> &change) { QVERIFY(document.apply(change).ok()); }
    void type(const QString &text) { edit(ui::edits::setText(state(), document.textId(), text)); }
    const DocumentState &state() const { return document.state(); }
    const core::ModelParameters &weights() const { return state().model.parameters; }
    bool hasWeights(const core::TrainingState &expected) const {
        return sameNumbers(weights(), expected.model.parameters);
    }
    Index at() const { return state().training->step; }
};

} // namespace headlight::test

using test::smallRecipe;
using test::Trained;
using ui::TrainingController;
