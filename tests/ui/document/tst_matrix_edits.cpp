// Edits of numbers and of vectors: the part of the parameter that changes, and the description of
// the edit.
#include "tests/ui/document/document_fixture.h"
#include "ui/document/edits/word_edits.h"

using core::ParameterKind;
using ui::MatrixId;
using namespace headlight::ui;

namespace {

DocumentState stateOf(const QString &source) {
    return test::opened(source).state;
}

MatrixId weights(ParameterKind which, std::optional<Index> head) {
    return {MatrixId::Kind::Parameter, {0, which}, head, 0};
}

MatrixId embeddings(Index sequence = 0) {
    return {MatrixId::Kind::Embeddings, {}, std::nullopt, sequence};
}

} // namespace

class MatrixEditsTest : public QObject {
    Q_OBJECT

    /// Returns the id of the word bank in the lesson bank, where its embedding is (1, 1).
    static edits::VectorId bank(Stage stage) { return {{0, 0, 0}, stage, 1}; }

    static std::vector<float> numbers(const core::Trace &trace, const edits::VectorId &id) {
        const auto found = core::vectorAt(trace, id.place, id.stage, id.token);
        return {found.begin(), found.end()};
    }

    static bool near(float a, double b) { return std::abs(static_cast<double>(a) - b) < 1e-5; }

  private slots:
    void aHeadIsItsColumnsOrItsRowsOfTheOutput() {
        const DocumentState state = stateOf("cat");
        const core::Config &config = state.model.config;
        QVERIFY(config.heads > 1);
        const Index d = config.headSize;
        for (const core::ParameterInfo &info : core::parametersOf(core::ParameterPart::Attention)) {
            const ParameterKind which = info.kind;
            const core::Parameter &whole = parameterOf(state.model.parameters, {0, which});
            const ui::MatrixNumbers part = numbersOf(state, weights(which, 1));
            QCOMPARE(part.exists(), whole != nullptr);
            if (!whole)
                continue;
            const bool output = which == ParameterKind::Output;
            QCOMPARE(part.view.rows, output ? d : whole->rows());
            QCOMPARE(part.view.columns, output ? whole->columns() : d);
            QCOMPARE(part.view(d - 1, 1), output ? (*whole)(2 * d - 1, 1) : (*whole)(d - 1, d + 1));
        }
        QVERIFY(!numbersOf(state, weights(ParameterKind::Query, config.heads)).exists());
        QVERIFY(!numbersOf(state, embeddings(1)).exists());
    }

    void aCellIsSaidInWordsAndTheRestStays() {
        const DocumentState state = stateOf("cat");
        const auto change =
            ui::edits::setCells(state, weights(ParameterKind::Key, 1), {{3, 1, 0.9f}});
        QVERIFY(change.ok());
        const core::ParameterMatrix &before =
            *state.model.parameters.main.layers[0].selfAttention.key;
        const core::ParameterMatrix &after =
            *change->state().model.parameters.main.layers[0].selfAttention.key;
        const Index column = state.model.config.headSize + 1;
        for (Index r = 0; r < before.rows(); ++r)
            for (Index c = 0; c < before.columns(); ++c)
                QCOMPARE(after(r, c), r == 3 && c == column ? 0.9f : before(r, c));
        QVERIFY(change->words().text().startsWith("WK head 1, row 3, column 1: "));
        QVERIFY(change->words().text().endsWith(" → 0.9"));
        QVERIFY(change->state().model.parameters.main.layers[0].selfAttention.query ==
                state.model.parameters.main.layers[0].selfAttention.query);
    }

    void aWordIsOneVectorWhereverItStands() {
        OpenDocument document("bank");
        QVERIFY(test::typeText(document, "bank money bank").ok());
        const auto change =
            test::valueOf(ui::edits::setCells(document.state(), embeddings(), {{2, 0, 7}}));
        QVERIFY(change.words().text().startsWith("embedding of “bank”, dimension 0: "));
        for (Index sequence = 0; sequence < 2; ++sequence) {
            const core::Sequence &read = (*change.state().input.batch)[sequence];
            const auto numbers = numbersOf(change.state(), embeddings(sequence));
            for (Index token = 0; token < read.length; ++token)
                QCOMPARE(numbers.view(token, 0) == 7.0f, read[token].text == "bank");
        }
        // The other numbers of the vector are unchanged.
        QCOMPARE(numbersOf(change.state(), embeddings()).view(0, 1),
                 numbersOf(document.state(), embeddings()).view(0, 1));
        QVERIFY(document.apply(change).ok());
        QVERIFY(document.state().edits.has(core::StatePart::Words));
    }

    void aSequencesOwnEmbeddingsAreItsAlone() {
        DocumentState state = stateOf("bank");
        const Index length = state.input.batch->length();
        state.input.batch = state.input.batch->withEmbeddings(
            1, core::makeParameter(core::Matrix(length, state.model.config.width)));
        QVERIFY(hasOwnEmbeddings(state, embeddings(1)) && !hasOwnEmbeddings(state, embeddings(0)));
        const auto change = test::valueOf(ui::edits::setCells(state, embeddings(1), {{0, 1, 5}}));
        QCOMPARE((*(*change.state().input.batch)[1].embeddings)(0, 1), 5.0f);
        QVERIFY(change.state().model.embeddings == state.model.embeddings);
        QVERIFY(change.words().text().startsWith("embedding of token 0 ("));
    }

    void aWholeMatrixHasItsShape() {
        const DocumentState state = stateOf("cat");
        const MatrixId id = weights(ParameterKind::Output, 0);
        const core::ParameterBlock view = numbersOf(state, id).view;
        const auto change = test::valueOf(ui::edits::setMatrix(
            state, id, core::identityMatrix(view.rows, view.columns), "identity"));
        QCOMPARE(change.words().text(), QString("WO head 0: identity"));
        QCOMPARE(numbersOf(change.state(), id).view(1, 1), 1.0f);
        QCOMPARE(numbersOf(change.state(), weights(ParameterKind::Output, 1)).view(0, 0),
                 numbersOf(state, weights(ParameterKind::Output, 1)).view(0, 0));
        QVERIFY(!ui::edits::setMatrix(state, id, core::Matrix(1, 1), "").ok());
    }

    void aBiasComesAndGoes() {
        OpenDocument document("cat");
        for (const ParameterKind which : {ParameterKind::QueryBias, ParameterKind::OutputBias}) {
            const core::ParameterId id{0, which};
            QVERIFY(!ui::edits::removeBias(document.state(), id).ok());
            QVERIFY(document.apply(ui::edits::addBias(document.state(), id)).ok());
            QVERIFY(test::settled(document));
            QVERIFY(!ui::edits::addBias(document.state(), id).ok());
            QVERIFY(
                document
                    .apply(ui::edits::setCells(document.state(), weights(which, 0), {{0, 1, 2}}))
                    .ok());
            QVERIFY(document.apply(ui::edits::removeBias(document.state(), id)).ok());
            QVERIFY(!parameterOf(document.state().model.parameters, id));
        }
        QVERIFY(!ui::edits::addBias(document.state(), {0, ParameterKind::Query}).ok());
        QVERIFY(!ui::edits::addBias(document.state(), {9, ParameterKind::KeyBias}).ok());
        while (document.undoStack().canUndo())
            document.undoStack().undo();
        QVERIFY(!document.isEdited());
    }

    void whatCannotBeIsAnError() {
        const DocumentState state = stateOf("cat");
        const MatrixId id = weights(ParameterKind::Query, 0);
        QVERIFY(!ui::edits::setCells(state, id, {}).ok());
        QVERIFY(!ui::edits::setCells(state, id, {{-1, 0, 1}}).ok());
        QVERIFY(!ui::edits::setCells(state, id, {{0, 99, 1}}).ok());
        QVERIFY(!ui::edits::setCells(state, id, {{0, 0, NAN}}).ok());
        QVERIFY(!ui::edits::setCells(state, id, {{0, 0, INFINITY}}).ok());
        QVERIFY(
            !ui::edits::setCells(state, weights(ParameterKind::QueryBias, 0), {{0, 0, 1}}).ok());
    }

    void aWordMovesWhereverItStands() {
        const DocumentState state = test::opened("bank").state;
        const core::TracePointer trace = test::passOf(state);
        const auto change =
            test::valueOf(edits::moveVector(state, *trace, bank(Stage::Positioned), {1.5f, 1}));
        const core::TracePointer after = test::passOf(change.state());
        for (core::Index sequence : {0, 1}) {
            QCOMPARE(after->stage(Stage::Embeddings).matrix(sequence)(1, 0), 1.5f);
            QCOMPARE(after->stage(Stage::Embeddings).matrix(sequence)(1, 1), 1.0f);
        }
        QCOMPARE(change.words().text(),
                 QString("embedding of “bank”: (1.00, 1.00) → (1.50, 1.00)"));
    }

    void positionsStayWhatTheyAre() {
        DocumentState state = test::opened("bank").state;
        state.model.config.positions =
            core::Positions::Sinusoidal; // position 1 adds sin 1 and cos 1
        const core::TracePointer trace = test::passOf(state);
        std::vector<float> to = numbers(*trace, bank(Stage::Positioned));
        QVERIFY(near(to[0], 1 + std::sin(1.0)));
        to[0] += 0.25f;
        const auto change =
            test::valueOf(edits::moveVector(state, *trace, bank(Stage::Positioned), to));
        const core::TracePointer after = test::passOf(change.state());
        QVERIFY(near(after->stage(Stage::Embeddings).matrix(0)(1, 0), 1.25));
        QCOMPARE(after->stage(Stage::Embeddings).matrix(0)(1, 1), 1.0f);
    }

    /// x = (1, 1), so each row of W changes by half of the difference.
    void aQueryChangesItsMatrixTheLeast() {
        const DocumentState state = test::opened("bank").state;
        const core::TracePointer trace = test::passOf(state);
        QCOMPARE(numbers(*trace, bank(Stage::Query)), (std::vector<float>{1.5f, 1.5f}));
        const auto change = edits::moveVector(state, *trace, bank(Stage::Query), {1.7f, 1.4f});
        QVERIFY(bool(change));
        const core::ParameterMatrix &query =
            *change->state().model.parameters.main.layers.front().selfAttention.query;
        QVERIFY(near(query(0, 0), 1.1) && near(query(0, 1), 0.45));
        QVERIFY(near(query(1, 0), 0.6) && near(query(1, 1), 0.95));
        const std::vector<float> moved =
            numbers(*test::passOf(change->state()), bank(Stage::Query));
        QVERIFY(near(moved[0], 1.7) && near(moved[1], 1.4));
        QCOMPARE(change->words().text(), QString("smallest change of WQ head 0 for the query of "
                                                 "“bank”: (1.50, 1.50) → (1.70, 1.40)"));
    }

    void keysAndValuesHaveTheirOwnMatrices() {
        const DocumentState state = test::opened("cat").state;
        const core::TracePointer trace = test::passOf(state);
        for (const Stage stage : {Stage::Key, Stage::Value}) {
            const edits::VectorId id{{0, 0, 1}, stage, 2};
            std::vector<float> to = numbers(*trace, id);
            to[1] += 0.5f;
            const auto change = test::valueOf(edits::moveVector(state, *trace, id, to));
            const core::TracePointer after = test::passOf(change.state());
            const std::vector<float> moved = numbers(*after, id);
            for (std::size_t i = 0; i < to.size(); ++i)
                QVERIFY(near(moved[i], static_cast<double>(to[i])));
            // The part of the other head is unchanged, bit for bit.
            const core::Tensor before = trace->stage(stage), now = after->stage(stage);
            for (core::Index token = 0; token < trace->batch().length(); ++token)
                for (core::Index i = 0; i < before.matrix(0, 0).columns; ++i)
                    QCOMPARE(now.matrix(0, 0)(token, i), before.matrix(0, 0)(token, i));
        }
    }

    /// The first dimensions of the key are computed with a different matrix from the rest.
    void aKeyThatHeadsSharePartlyCannotBeMoved() {
        DocumentState state = test::opened(test::sessionPath("deepseek")).state;
        state.model.config.positions = core::Positions::None; // nothing rotates the key
        const core::TracePointer trace = test::passOf(state);
        const edits::VectorId key{{0, 0, 1}, Stage::Key, 2}, value{{0, 0, 1}, Stage::Value, 2};
        std::vector<float> to = numbers(*trace, key);
        QCOMPARE(to.size(), std::size_t(6));
        to[0] += 0.5f;
        QVERIFY(!edits::moveVector(state, *trace, key, to));
        to = numbers(*trace, value);
        to[0] += 0.5f;
        const auto change = test::valueOf(edits::moveVector(state, *trace, value, to));
        const std::vector<float> moved = numbers(*test::passOf(change.state()), value);
        for (std::size_t i = 0; i < to.size(); ++i)
            QVERIFY(near(moved[i], static_cast<double>(to[i])));
    }

    void whatIsComputedCannotBeMoved() {
        const DocumentState state = test::opened("bank").state;
        const core::TracePointer trace = test::passOf(state);
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
        const auto change = test::valueOf(edits::setWordVectors(state, vectors, "glove.txt"));
        QCOMPARE(change.words().text(), QString("Word vectors from glove.txt: 2 words, 1 missing"));
        QCOMPARE(edits::missingText(vectors), QString("missing: river"));
        const core::Embeddings &words = *change.state().model.embeddings;
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

HEADLIGHT_GUILESS_TEST(MatrixEditsTest)
#include "tst_matrix_edits.moc"
