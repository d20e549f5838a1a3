// Moving vectors, compared with numbers worked out by hand, and word vectors from a file.
#include "tests/support/forward.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/document/edits/vector_edits.h"
#include "ui/document/edits/word_edits.h"

using namespace headlight;
using namespace headlight::ui;
using core::Stage;

class VectorEditsTest : public QObject {
    Q_OBJECT

    static core::TracePointer traceOf(const DocumentState &state) {
        const auto trace = test::forward(state.model, state.input);
        return trace ? *trace : nullptr;
    }

    /// Returns the id of bank in sequence 0 of the lesson bank, where it is (1, 1).
    static edits::VectorId bank(Stage stage) { return {{0, 0, 0}, stage, 1}; }

    static std::vector<float> numbers(const core::Trace &trace, const edits::VectorId &id) {
        const auto found = core::vectorAt(trace, id.place, id.stage, id.token);
        return {found.begin(), found.end()};
    }

    static bool near(float a, double b) { return std::abs(static_cast<double>(a) - b) < 1e-5; }

  private slots:
    void aWordMovesWhereverItStands() {
        const DocumentState state = test::opened("bank").state;
        const core::TracePointer trace = traceOf(state);
        const auto change = edits::moveVector(state, *trace, bank(Stage::Positioned), {1.5f, 1});
        QVERIFY(bool(change));
        const core::TracePointer after = traceOf(change->state());
        for (core::Index sequence : {0, 1}) {
            QCOMPARE(after->stage(Stage::Embeddings).matrix(sequence)(1, 0), 1.5f);
            QCOMPARE(after->stage(Stage::Embeddings).matrix(sequence)(1, 1), 1.0f);
        }
        QCOMPARE(change->words().text(),
                 QString("embedding of “bank”: (1.00, 1.00) → (1.50, 1.00)"));
    }

    void positionsStayWhatTheyAre() {
        DocumentState state = test::opened("bank").state;
        state.model.config.positions =
            core::Positions::Sinusoidal; // position 1 adds sin 1 and cos 1
        const core::TracePointer trace = traceOf(state);
        std::vector<float> to = numbers(*trace, bank(Stage::Positioned));
        QVERIFY(near(to[0], 1 + std::sin(1.0)));
        to[0] += 0.25f;
        const auto change = edits::moveVector(state, *trace, bank(Stage::Positioned), to);
        QVERIFY(bool(change));
        const core::TracePointer after = traceOf(change->state());
        QVERIFY(near(after->stage(Stage::Embeddings).matrix(0)(1, 0), 1.25));
        QCOMPARE(after->stage(Stage::Embeddings).matrix(0)(1, 1), 1.0f);
    }

    /// x = (1, 1), so each row of W gets half of the difference.
    void aQueryChangesItsMatrixTheLeast() {
        const DocumentState state = test::opened("bank").state;
        const core::TracePointer trace = traceOf(state);
        QCOMPARE(numbers(*trace, bank(Stage::Query)), (std::vector<float>{1.5f, 1.5f}));
        const auto change = edits::moveVector(state, *trace, bank(Stage::Query), {1.7f, 1.4f});
        QVERIFY(bool(change));
        const core::ParameterMatrix &query =
            *change->state().model.parameters.main.layers.front().selfAttention.query;
        QVERIFY(near(query(0, 0), 1.1) && near(query(0, 1), 0.45));
        QVERIFY(near(query(1, 0), 0.6) && near(query(1, 1), 0.95));
        const std::vector<float> moved = numbers(*traceOf(change->state()), bank(Stage::Query));
        QVERIFY(near(moved[0], 1.7) && near(moved[1], 1.4));
        QCOMPARE(change->words().text(), QString("smallest change of WQ head 0 for the query of "
                                                 "“bank”: (1.50, 1.50) → (1.70, 1.40)"));
    }

    void keysAndValuesHaveTheirOwnMatrices() {
        const DocumentState state = test::opened("cat").state;
        const core::TracePointer trace = traceOf(state);
        for (const Stage stage : {Stage::Key, Stage::Value}) {
            const edits::VectorId id{{0, 0, 1}, stage, 2};
            std::vector<float> to = numbers(*trace, id);
            to[1] += 0.5f;
            const auto change = edits::moveVector(state, *trace, id, to);
            QVERIFY(bool(change));
            const core::TracePointer after = traceOf(change->state());
            const std::vector<float> moved = numbers(*after, id);
            for (std::size_t i = 0; i < to.size(); ++i)
                QVERIFY(near(moved[i], static_cast<double>(to[i])));
            // The other head's part is unchanged to the last bit.
            const core::Tensor before = trace->stage(stage), now = after->stage(stage);
            for (core::Index token = 0; token < trace->batch().length(); ++token)
                for (core::Index i = 0; i < before.matrix(0, 0).columns; ++i)
                    QCOMPARE(now.matrix(0, 0)(token, i), before.matrix(0, 0)(token, i));
        }
    }

    void whatIsComputedCannotBeMoved() {
        const DocumentState state = test::opened("bank").state;
        const core::TracePointer trace = traceOf(state);
        for (const Stage stage : {Stage::Context, Stage::Concatenated, Stage::Output}) {
            QVERIFY(!edits::unmovableReason(bank(stage)).isEmpty());
            const auto change = edits::moveVector(state, *trace, bank(stage), {1, 1});
            QVERIFY(!change);
        }
        QVERIFY(!edits::unmovableReason({{0, 1, 0}, Stage::Positioned, 1}).isEmpty());
        QVERIFY(!edits::moveVector(state, *trace, bank(Stage::Query), {1, 1, 1}));
        const float never = std::numeric_limits<float>::infinity();
        QVERIFY(!edits::moveVector(state, *trace, bank(Stage::Query), {1, never}));
    }

    void theWordsOfALesson() {
        const OpenedSource bank = test::opened("bank");
        QCOMPARE(edits::wordsOf(bank.session, bank.state),
                 (std::set<std::string>{"money", "river", "bank"}));
        OpenedSource told = bank;
        told.session.lesson->steps[1].set.text = "The shore.";
        QVERIFY(edits::wordsOf(told.session, told.state).contains("shore"));
    }

    void vectorsOfAFile() {
        const DocumentState state = test::opened("bank").state;
        core::WordVectors vectors;
        vectors.width = 2;
        vectors.words = {{"Bank", {5, 6}}, {"money", {7, 8}}};
        vectors.missing = {"river"};
        const auto change = edits::setWordVectors(state, vectors, "glove.txt");
        QVERIFY(bool(change));
        QCOMPARE(change->words().text(),
                 QString("Word vectors from glove.txt: 2 words, 1 missing"));
        QCOMPARE(edits::missingText(vectors), QString("missing: river"));
        const core::Embeddings &words = *change->state().model.embeddings;
        QCOMPARE(words.vectorOf("bank"), (std::vector<float>{5, 6})); // this model ignores case
        QCOMPARE(words.vectorOf("river"), (std::vector<float>{0.3f, 3}));
        QCOMPARE(words.given().words.size(), std::size_t(3));

        vectors.width = 50;
        const auto wide = edits::setWordVectors(state, vectors, "glove.txt");
        QVERIFY(!wide);
        QVERIFY(wide.error().what.text().find("50") != std::string::npos);
        QVERIFY(wide.error().what.text().find("needs 2") != std::string::npos);
        QVERIFY(!wide.error().remedy.empty());
        QVERIFY(!edits::setWordVectors(state, {2, {}, {"bank"}}, "glove.txt"));
    }
};

HEADLIGHT_GUILESS_TEST(VectorEditsTest)
#include "tst_vector_edits.moc"
