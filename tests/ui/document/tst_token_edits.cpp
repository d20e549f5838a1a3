// Edits of the tokens: what was said of a token goes along with it.
#include "tests/support/opened.h"
#include "ui/document/edits/mask_edits.h"
#include "ui/document/edits/token_edits.h"

using namespace headlight;
using core::Index;
using ui::DocumentState;
using ui::edits::TokenPlace;

namespace {

/// "The cat sat on the mat", with a cell hidden at (1, 3), scores set at (1, 3) and (5, 0), and
/// rows of its own: row t is full of t.
DocumentState marked() {
    DocumentState state = test::opened("cat").state;
    state = ui::edits::setMaskCells(state, 0, {{1, 3}}, ui::edits::CellWish::Hide)->state;
    state.input.interventions.setScore({0, 0, 0, 1, 3, 9});
    state.input.interventions.setScore({0, 0, 0, 5, 0, 8});
    core::Matrix own(6, state.model.config.width);
    for (Index token = 0; token < 6; ++token)
        for (float &number : own.view().row(token))
            number = static_cast<float>(token);
    state.input.batch = state.input.batch->withEmbeddings(0, core::makeParameter(std::move(own)));
    return state;
}

QString words(const DocumentState &state, Index sequence = 0) {
    QStringList list;
    for (const std::string &token : (*state.input.batch)[sequence].tokens)
        list << QString::fromStdString(token);
    return list.join(' ');
}

const core::MaskCell &cellOf(const DocumentState &state) {
    return std::get<core::CellMask>(state.input.masks.back()).cells.front();
}

QList<int> rows(const DocumentState &state) {
    QList<int> numbers;
    const core::Matrix &own = *(*state.input.batch)[0].embeddings;
    for (Index token = 0; token < own.rows(); ++token)
        numbers << static_cast<int>(own(token, 0));
    return numbers;
}

} // namespace

class TokenEditsTest : public QObject {
    Q_OBJECT

  private slots:
    void aDeletedTokenTakesItsOwnAway() {
        const auto change = ui::edits::deleteToken(marked(), {0, 0, 0});
        QVERIFY(change.ok());
        QCOMPARE(change->words.text(), QString("Delete token 0: The"));
        QCOMPARE(words(change->state), QString("cat sat on the mat"));
        QCOMPARE(cellOf(change->state).query, 0);
        QCOMPARE(cellOf(change->state).key, 2);
        const core::Interventions &said = change->state.input.interventions;
        QCOMPARE(said.scores.size(), std::size_t(1));
        QCOMPARE(said.scoreAt(0, 0, 0, 0, 2), std::optional<float>(9));
        QCOMPARE(rows(change->state), QList<int>({1, 2, 3, 4, 5}));
        QVERIFY((*change->state.input.batch)[0].text.empty());
        QVERIFY(ui::edits::deleteToken(marked(), {0, 0, 3})->state.input.masks.empty());
    }

    void anInsertedTokenPushesTheOthers() {
        DocumentState state = marked();
        const auto change = ui::edits::insertToken(state, {0, 0, 2}, " black ");
        QVERIFY(change.ok());
        QCOMPARE(words(change->state), QString("The cat black sat on the mat"));
        QCOMPARE(cellOf(change->state).query, 1);
        QCOMPARE(cellOf(change->state).key, 4);
        QCOMPARE(change->state.input.interventions.scoreAt(0, 0, 0, 6, 0), std::optional<float>(8));
        const core::Matrix &own = *(*change->state.input.batch)[0].embeddings;
        QCOMPARE(own(3, 0), 2.0f);
        QCOMPARE(own(2, 0), state.model.embeddings->vectorOf("black")[0]);
        QCOMPARE(words(ui::edits::insertToken(state, {0, 0, 6}, "!")->state),
                 QString("The cat sat on the mat !"));
    }

    void aMovedTokenTakesItsOwnAlong() {
        const auto change = ui::edits::moveToken(marked(), {0, 0, 1}, 4);
        QVERIFY(change.ok());
        QCOMPARE(change->words.text(), QString("Move token “cat”: 1 → 4"));
        QCOMPARE(words(change->state), QString("The sat on the cat mat"));
        QCOMPARE(rows(change->state), QList<int>({0, 2, 3, 4, 1, 5}));
        QCOMPARE(cellOf(change->state).query, 4);
        QCOMPARE(cellOf(change->state).key, 2);
        const auto back = ui::edits::moveToken(change->state, {0, 0, 4}, 1);
        QCOMPARE(words(back->state), QString("The cat sat on the mat"));
        QVERIFY(back->state.input.interventions == marked().input.interventions);
        QCOMPARE(rows(back->state), rows(marked()));
    }

    void aChangedTokenIsAnotherWord() {
        const DocumentState state = marked();
        const auto change = ui::edits::changeToken(state, {0, 0, 1}, "dog");
        QVERIFY(change.ok());
        QCOMPARE(change->words.text(), QString("Token 1: cat → dog"));
        QVERIFY(change->state.input.interventions == state.input.interventions);
        QCOMPARE((*(*change->state.input.batch)[0].embeddings)(1, 0),
                 state.model.embeddings->vectorOf("dog")[0]);
    }

    void theBatchStaysPadded() {
        ui::Document document;
        document.open(test::opened("batch"));
        const Index minimum = document.session().minimumLength;
        const DocumentState before = document.state();
        const auto change = ui::edits::insertToken(before, {minimum, 0, 0}, "So");
        QVERIFY(change.ok());
        QCOMPARE(change->state.input.batch->length(), before.input.batch->length() + 1);
        QCOMPARE(words(change->state, 1), words(before, 1) + " [PAD]");
        QCOMPARE((*change->state.input.batch)[1].text, (*before.input.batch)[1].text);
        QVERIFY(document.apply(*change).ok());
        QVERIFY(test::settled(document));
        document.undoStack().undo();
        QVERIFY(document.state() == before);
    }

    void whatIsSaidOfAnotherSequenceStays() {
        DocumentState state = test::opened("bank").state;
        const Index length = state.input.batch->length();
        state.input.interventions.setScore({1, 0, 0, 1, 1, 3});
        state.input.masks = {core::CellMask{{{1, 1, 1, false}}}};
        const auto change = ui::edits::insertToken(state, {0, 0, 0}, "So");
        QVERIFY(change.ok());
        QVERIFY(change->state.input.interventions == state.input.interventions);
        QVERIFY(change->state.input.masks == state.input.masks);
        QCOMPARE(change->state.input.batch->length(), length + 1);
    }

    void aShorterTextLosesTheScoresBeyondIt() {
        ui::Document document;
        document.open(test::opened("cat"));
        ui::Change change{document.state(), {"scores", {}, {}}};
        change.state.input.interventions.setScore({0, 0, 0, 1, 0, 9});
        change.state.input.interventions.setScore({0, 0, 0, 5, 0, 8});
        QVERIFY(document.apply(std::move(change)).ok());
        QVERIFY(document.setText("two words").ok());
        QCOMPARE(document.state().input.interventions.scores.size(), std::size_t(1));
        document.undoStack().undo();
        QCOMPARE(document.state().input.interventions.scores.size(), std::size_t(2));
    }

    void whatCannotBeIsAnError() {
        DocumentState state = test::opened("cat").state;
        QVERIFY(!ui::edits::insertToken(state, {0, 0, 7}, "x").ok());
        QVERIFY(!ui::edits::insertToken(state, {0, 1, 0}, "x").ok());
        QVERIFY(!ui::edits::insertToken(state, {0, 0, 0}, "  ").ok());
        QVERIFY(!ui::edits::changeToken(state, {0, 0, 0}, QString(QChar(0x200D))).ok());
        QVERIFY(!ui::edits::moveToken(state, {0, 0, 0}, 6).ok());
        for (int i = 0; i < 5; ++i)
            state = ui::edits::deleteToken(state, {0, 0, 0})->state;
        const auto last = ui::edits::deleteToken(state, {0, 0, 0});
        QVERIFY(!last.ok());
        QCOMPARE(QString::fromStdString(last.error().text()),
                 QString("it is the last token of its sequence; change it instead"));
    }
};

QTEST_GUILESS_MAIN(TokenEditsTest)
#include "tst_token_edits.moc"
