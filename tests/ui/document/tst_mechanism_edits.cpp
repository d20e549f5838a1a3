// Edits of the mechanism: refusals, and the texts of the undo list.
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/document/edits/mechanism_edits.h"

#include <cmath>

using namespace headlight;
using core::HeadState;
using ui::DocumentState;

class MechanismEditsTest : public QObject {
    Q_OBJECT

  private slots:
    void settingsAreSaidInWords() {
        const DocumentState state = test::opened("cat").state;
        const auto textOf = [](const core::Result<ui::Change> &change) {
            return change ? change->words().text() : QString();
        };
        QCOMPARE(textOf(ui::edits::setTemperature(state, 0.5f)), QString("Temperature: 1 → 0.5"));
        QCOMPARE(textOf(ui::edits::setScale(state, {core::Scale::Kind::Number, 3})),
                 QString("Scaling: ÷√d → ÷3"));
        QCOMPARE(textOf(ui::edits::setSoftmax(state, false)), QString("No softmax"));
        QCOMPARE(textOf(ui::edits::setMasking(state, {-1e9f, false})),
                 QString("Masking: −∞ before softmax → −1e9 before softmax"));
        QCOMPARE(textOf(ui::edits::setMasking(state, {-INFINITY, true})),
                 QString("Masking: −∞ before softmax → after softmax"));
        QCOMPARE(textOf(ui::edits::setPositions(state, core::Positions::Sinusoidal,
                                                state.model.parameters)),
                 QString("Positions on"));
        QCOMPARE(textOf(ui::edits::setHead(state, 0, 1, HeadState::Mean)),
                 QString("Head 1: on → its mean"));
    }

    void whatCannotBeIsAnError() {
        const DocumentState state = test::opened("cat").state;
        for (const float bad : {0.0f, -1.0f, NAN, INFINITY}) {
            QVERIFY(!ui::edits::setTemperature(state, bad).ok());
            QVERIFY(!ui::edits::setScale(state, {core::Scale::Kind::Number, bad}).ok());
        }
        QVERIFY(!ui::edits::setMasking(state, {1, false}).ok());
        QVERIFY(!ui::edits::setMasking(state, {NAN, false}).ok());
        QVERIFY(!ui::edits::setHead(state, 0, 9, HeadState::Zero).ok());
        QVERIFY(!ui::edits::setHead(state, 9, 0, HeadState::Zero).ok());
        QVERIFY(!ui::edits::setHeads(state, 9, HeadState::Zero).ok());
        QVERIFY(!ui::edits::setScores(state, {}).ok());
        QVERIFY(!ui::edits::setScores(state, {{0, 0, 0, 0, 99, 1}}).ok());
        QVERIFY(!ui::edits::setScores(state, {{0, 0, 0, 0, 0, NAN}}).ok());
        QVERIFY(!ui::edits::removeScores(state, {{0, 0, 0, 0, 0, 1}}).ok());
        QVERIFY(!ui::edits::clearInterventions(state).ok());
    }

    void scoresAndHeadsComeAndGo() {
        DocumentState state = test::opened("cat").state;
        auto change = ui::edits::setScores(state, {{0, 0, 1, 2, 0, 4}});
        QVERIFY(change.ok());
        QCOMPARE(change->words().text(),
                 QString("Override: score sat → The, head 1: computed → 4"));
        state = change->state();
        change = ui::edits::setScores(state, {{0, 0, 1, 2, 0, 5}, {0, 0, 1, 2, 1, 6}});
        QVERIFY(change.ok());
        state = change->state();
        QCOMPARE(state.input.interventions.scores.size(), std::size_t(2));
        change = ui::edits::removeScores(state, {{0, 0, 1, 2, 0, 0}});
        QVERIFY(change.ok());
        state = change->state();
        QCOMPARE(state.input.interventions.scoreAt(0, 0, 1, 2, 1), std::optional<float>(6));
        QVERIFY(!state.input.interventions.scoreAt(0, 0, 1, 2, 0));
        change = ui::edits::setHeads(state, 0, HeadState::Uniform);
        QVERIFY(change.ok());
        state = change->state();
        QCOMPARE(static_cast<core::Index>(state.input.interventions.heads.size()),
                 state.model.config.heads);
        change = ui::edits::clearInterventions(state);
        QVERIFY(change.ok());
        QVERIFY(change->state().input.interventions.empty());
    }
};

HEADLIGHT_GUILESS_TEST(MechanismEditsTest)
#include "tst_mechanism_edits.moc"
