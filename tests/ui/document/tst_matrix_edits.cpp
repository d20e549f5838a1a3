// Edits of numbers: the part of the parameter that they change, and their names.
#include "core/tensor/presets.h"
#include "core/transformer/model/parameter_table.h"
#include "tests/support/edits.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/document/edits/matrix_edits.h"

#include <cmath>

using namespace headlight;
using core::Index;
using core::ParameterKind;
using ui::DocumentState;
using ui::MatrixId;

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
        ui::Document document;
        document.open(test::opened("bank"));
        QVERIFY(test::typeText(document, "bank money bank").ok());
        const auto change = ui::edits::setCells(document.state(), embeddings(), {{2, 0, 7}});
        QVERIFY(change.ok());
        QVERIFY(change->words().text().startsWith("embedding of “bank”, dimension 0: "));
        for (Index sequence = 0; sequence < 2; ++sequence) {
            const core::Sequence &read = (*change->state().input.batch)[sequence];
            const auto numbers = numbersOf(change->state(), embeddings(sequence));
            for (Index token = 0; token < read.length; ++token)
                QCOMPARE(numbers.view(token, 0) == 7.0f, read[token].text == "bank");
        }
        // The other numbers of the vector are unchanged.
        QCOMPARE(numbersOf(change->state(), embeddings()).view(0, 1),
                 numbersOf(document.state(), embeddings()).view(0, 1));
        QVERIFY(document.apply(*change).ok());
        QVERIFY(document.state().edits.has(core::StatePart::Words));
    }

    void aSequencesOwnEmbeddingsAreItsAlone() {
        DocumentState state = stateOf("bank");
        const Index length = state.input.batch->length();
        state.input.batch = state.input.batch->withEmbeddings(
            1, core::makeParameter(core::Matrix(length, state.model.config.width)));
        QVERIFY(hasOwnEmbeddings(state, embeddings(1)) && !hasOwnEmbeddings(state, embeddings(0)));
        const auto change = ui::edits::setCells(state, embeddings(1), {{0, 1, 5}});
        QVERIFY(change.ok());
        QCOMPARE((*(*change->state().input.batch)[1].embeddings)(0, 1), 5.0f);
        QVERIFY(change->state().model.embeddings == state.model.embeddings);
        QVERIFY(change->words().text().startsWith("embedding of token 0 ("));
    }

    void aWholeMatrixHasItsShape() {
        const DocumentState state = stateOf("cat");
        const MatrixId id = weights(ParameterKind::Output, 0);
        const core::ParameterBlock view = numbersOf(state, id).view;
        const auto change = ui::edits::setMatrix(
            state, id, core::identityMatrix(view.rows, view.columns), "identity");
        QVERIFY(change.ok());
        QCOMPARE(change->words().text(), QString("WO head 0: identity"));
        QCOMPARE(numbersOf(change->state(), id).view(1, 1), 1.0f);
        QCOMPARE(numbersOf(change->state(), weights(ParameterKind::Output, 1)).view(0, 0),
                 numbersOf(state, weights(ParameterKind::Output, 1)).view(0, 0));
        QVERIFY(!ui::edits::setMatrix(state, id, core::Matrix(1, 1), "").ok());
    }

    void aBiasComesAndGoes() {
        ui::Document document;
        document.open(test::opened("cat"));
        for (const ParameterKind which : {ParameterKind::QueryBias, ParameterKind::OutputBias}) {
            const core::ParameterId id{0, which};
            QVERIFY(!ui::edits::removeBias(document.state(), id).ok());
            const auto added = ui::edits::addBias(document.state(), id);
            QVERIFY(added.ok());
            QVERIFY(document.apply(*added).ok());
            QVERIFY(test::settled(document));
            QVERIFY(!ui::edits::addBias(document.state(), id).ok());
            const auto cell = ui::edits::setCells(document.state(), weights(which, 0), {{0, 1, 2}});
            QVERIFY(cell.ok());
            QVERIFY(document.apply(*cell).ok());
            const auto removed = ui::edits::removeBias(document.state(), id);
            QVERIFY(removed.ok());
            QVERIFY(document.apply(*removed).ok());
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
};

HEADLIGHT_GUILESS_TEST(MatrixEditsTest)
#include "tst_matrix_edits.moc"
