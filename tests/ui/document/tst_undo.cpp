// The undo list: each step takes little memory, restores the exact state, and has a description.
#include "tests/support/large_model.h"
#include "tests/ui/document/document_fixture.h"
#include "tests/ui/document/random_edits.h"
#include "ui/document/change_state.h"

namespace {

ui::MatrixId query() {
    return {ui::MatrixId::Kind::Parameter, {0, core::ParameterKind::Query}, {}, 0};
}

core::Parameter copyOf(const core::Parameter &parameter) {
    return parameter ? core::makeParameter(*parameter->toMatrix()) : nullptr;
}

/// Returns a copy of the state that shares no numbers.
DocumentState copyOf(DocumentState state) {
    for (std::size_t layer = 0; layer < state.model.parameters.main.layers.size(); ++layer)
        for (const core::ParameterInfo &info : core::parametersOf(core::ParameterPart::Attention)) {
            core::Parameter &parameter =
                parameterOf(state.model.parameters, {static_cast<Index>(layer), info.kind});
            parameter = copyOf(parameter);
        }
    state.model.embeddings =
        std::make_shared<const core::Embeddings>(state.model.embeddings->given());
    for (Index sequence = 0; sequence < state.input.batch->count(); ++sequence)
        state.input.batch = state.input.batch->withEmbeddings(
            sequence, copyOf((*state.input.batch)[sequence].embeddings));
    return state;
}

bool sameNumbers(const DocumentState &a, const DocumentState &b) {
    core::Session before;
    before.model = a.model;
    before.input = a.input;
    return core::differenceOf(before, b.model, b.input) == core::StatePatch{} &&
           a.model.embeddings->given().words == b.model.embeddings->given().words &&
           a.edits == b.edits && a.lessonStep == b.lessonStep;
}

/// Checks that the document's trace equals a full pass.
void compareWithScratch(const Document &document) {
    const core::TracePointer scratch = test::passOf(document.state());
    QVERIFY(document.trace()->names() == scratch->names());
    for (const std::string &name : scratch->names()) {
        const auto expected = scratch->stage(name).values();
        const auto found = document.trace()->stage(name).values();
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (!(found[i] == expected[i] || std::abs(found[i] - expected[i]) <= 1e-6F))
                QFAIL(test::said("%1 [%2]: %3 instead of %4", QString::fromStdString(name), i,
                                 static_cast<double>(found[i]), static_cast<double>(expected[i])));
    }
}

ui::OpenedSource small() {
    return *ui::makeSession({.text = "the money bank by the river bank", .width = 8, .seed = 7});
}

ui::OpenedSource large() {
    return test::withModel(small(), test::largeModel(512, 8), {test::wordBatch(1), {}});
}

const core::Parameter &queryOf(const Document &document) {
    return document.state().model.parameters.main.layers[0].selfAttention.query;
}

const ui::ChangeState &stepAt(Document &document, int index) {
    return *static_cast<const ui::ChangeState *>(document.undoStack().command(index));
}

} // namespace

class UndoTest : public QObject {
    Q_OBJECT

    void edit(Document &document, const core::Result<ui::Change> &change,
              int gesture = Document::kNoGesture) {
        QVERIFY(change.ok());
        QVERIFY(document.apply(*change, gesture).ok());
    }

  private slots:
    void everyStateComesBack_data() {
        test::addColumns<QString, int>({"source", "count"});
        QTest::newRow("a new session") << "" << 10000;
        QTest::newRow("a lesson with a batch") << "batch" << 1500;
    }

    /// Random edits, undos and redos. The state at each index is compared with a copy made when it
    /// was first reached. Sometimes the trace is compared with a full pass.
    void everyStateComesBack() {
        QFETCH(QString, source);
        QFETCH(int, count);
        Document document;
        document.open(source.isEmpty() ? small() : opened(source));
        const core::Selection selection = document.selection();
        const std::string before = document.snapshot("whole").bytes();
        QUndoStack &stack = document.undoStack();
        std::vector<DocumentState> states{copyOf(document.state())};
        test::RandomEdits random(20261120);
        for (int round = 0; round < count; ++round) {
            const std::size_t what = random.below(10);
            if (what < 3 && stack.canUndo()) {
                stack.undo();
            } else if (what < 5 && stack.canRedo()) {
                stack.redo();
            } else {
                random.edit(document);
                const auto place = static_cast<std::size_t>(stack.index());
                const bool isNew = place >= states.size() || !stack.canRedo();
                if (isNew) {
                    states.resize(place);
                    states.push_back(copyOf(document.state()));
                }
            }
            const auto place = static_cast<std::size_t>(stack.index());
            QVERIFY2(sameNumbers(document.state(), states[place]),
                     test::said("round %1: %2", round, stack.undoText()));
            if (round % 250 == 0) {
                QVERIFY(settled(document));
                compareWithScratch(document);
            }
        }
        QVERIFY(settled(document));
        compareWithScratch(document);
        QVERIFY(stack.count() > 0);
        while (stack.canUndo())
            stack.undo();
        QVERIFY(settled(document));
        compareWithScratch(document);
        QVERIFY(!document.isModified());
        document.select(selection); // undo does not restore the selection
        QCOMPARE(document.snapshot("whole").bytes(), before);
    }

    void aStepOfALargeMatrixIsSmall() {
        Document document;
        document.open(large());
        const core::Parameter first = queryOf(document);
        test::RandomEdits random(3);
        for (int i = 0; i < 10000; ++i)
            edit(document,
                 ui::edits::setCells(document.state(), query(),
                                     {{random.index(512), random.index(512), random.number()}}));
        QCOMPARE(document.undoStack().count(), 10000);
        std::size_t bytes = 0;
        for (int i = 0; i < 10000; ++i)
            bytes += stepAt(document, i).bytes();
        // Two matrices per step would take 20 GB.
        QVERIFY2(bytes < 24'000'000, qPrintable(QString::number(bytes)));
        const core::Parameter last = queryOf(document);
        document.undoStack().setIndex(0);
        // The session still has the first matrix, which the trace detects, so nothing is
        // recomputed.
        QVERIFY(queryOf(document) == first);
        document.undoStack().setIndex(10000);
        QVERIFY(sameNumbers(queryOf(document), last));
    }

    /// Edit, undo and redo never copy a matrix: all states share its numbers and have a list of
    /// edits, which is empty at the start.
    void anEditSharesItsMatrix() {
        Document document;
        document.open(
            test::withModel(opened("cat"), test::largeModel(64, 2), {test::wordBatch(4), {}}));
        QVERIFY(settled(document));
        const core::Parameter first = queryOf(document);
        const auto now = [&]() -> const core::ParameterMatrix & { return *queryOf(document); };
        const float was = (*first)(5, 40);
        for (const float value : {1.0f, 2.0f, was}) {
            const auto change = ui::edits::setCells(document.state(), query(), {{5, 40, value}});
            QVERIFY(change.ok() && document.apply(*change).ok());
            QVERIFY(now().hasBaseOf(*first));
            QCOMPARE(now().edits().size(), std::size_t(value == was ? 0 : 1));
            QVERIFY(settled(document)); // only the undo list holds the previous matrix
        }
        QVERIFY(!document.isEdited());
        for (int index : {2, 1, 0, 1, 2, 3, 0}) {
            document.undoStack().setIndex(index);
            QVERIFY(settled(document));
            QVERIFY(now().hasBaseOf(*first));
            QCOMPARE(now()(5, 40), index == 0 || index == 3 ? was : static_cast<float>(index));
            QCOMPARE(now().edits().size(), std::size_t(index == 0 || index == 3 ? 0 : 1));
        }
        // Replacing the whole matrix makes a new one, and undo restores the old numbers exactly.
        const core::Matrix drawn = *test::randomParameter(64, 64, 99)->toMatrix();
        const auto change = ui::edits::setMatrix(document.state(), query(), drawn, "random");
        QVERIFY(change.ok() && document.apply(*change).ok());
        QVERIFY(*now().toMatrix() == drawn && now().edits().empty());
        document.undoStack().undo();
        QVERIFY(now().hasBaseOf(*first));
    }

    void aWordsVectorIsOneVector() {
        Document document;
        document.open(large());
        const ui::MatrixId words{ui::MatrixId::Kind::Embeddings, {}, {}, 0};
        edit(document, ui::edits::setCells(document.state(), words, {{0, 5, 1}}));
        edit(document, ui::edits::setCells(document.state(), words, {{0, 6, 1}}));
        QVERIFY(stepAt(document, 0).bytes() < 8000); // a given vector replaces the random one
        QVERIFY(stepAt(document, 1).bytes() < 3000); // one cell of the given vector
        document.undoStack().setIndex(0);
        QVERIFY(!document.state().model.embeddings->isGiven("word0"));
        document.undoStack().setIndex(2);
        QCOMPARE(document.state().model.embeddings->vectorOf("word0")[6], 1.0f);
    }

    void aDragIsOneStepFromFirstToLast() {
        Document document;
        document.open(small());
        const float was = (*queryOf(document))(3, 1);
        const int gesture = document.newGesture();
        for (const float value : {0.5F, 0.75F, 0.9F})
            edit(document, ui::edits::setCells(document.state(), query(), {{3, 1, value}}),
                 gesture);
        QCOMPARE(document.undoStack().count(), 1);
        const QString words = document.undoStack().undoText();
        QVERIFY2(words.contains("WQ") && words.endsWith("0.9") && !words.contains("0.75"),
                 qPrintable(words));
        edit(document, ui::edits::setCells(document.state(), query(), {{3, 1, 2}}),
             document.newGesture());
        QCOMPARE(document.undoStack().count(), 2);
        document.undoStack().setIndex(0);
        QCOMPARE((*queryOf(document))(3, 1), was);
    }

    void aDragThatEndsWhereItBeganIsNoStep() {
        Document document;
        document.open(small());
        const float was = (*queryOf(document))(3, 1);
        const int gesture = document.newGesture();
        for (const float value : {0.5F, 0.75F, was})
            edit(document, ui::edits::setCells(document.state(), query(), {{3, 1, value}}),
                 gesture);
        QCOMPARE(document.undoStack().count(), 0);
        QVERIFY(!document.isModified());
        QVERIFY(!document.isEdited());
        edit(document, ui::edits::setCells(document.state(), query(), {{3, 1, 4}}), gesture);
        QCOMPARE(document.undoStack().count(), 1);
        document.undoStack().undo();
        QCOMPARE((*queryOf(document))(3, 1), was);
    }

    void undoingSelectsTheDeletedTokenAgain() {
        Document document;
        document.open(small());
        test::select(document, {.query = 6, .key = 2});
        const core::Selection selection = document.selection();
        QVERIFY(test::typeText(document, "short text").ok());
        QVERIFY(!document.selection().query && !document.selection().key);
        document.undoStack().undo();
        QVERIFY(document.selection() == selection);
        document.undoStack().redo();
        QVERIFY(!document.selection().query);
    }

    void onlyEditsMakeItModified() {
        OpenDocument document("bank");
        QVERIFY(document.goToStep(1).ok());
        test::select(document, {.query = 1, .head = 0});
        QVERIFY(!document.isModified());
        QVERIFY(test::setScale(document, {core::Scale::Kind::Off, 1}).ok());
        QVERIFY(document.isModified());
        document.undoStack().undo();
        QVERIFY(!document.isModified());
        document.undoStack().redo();
        document.setSaved("/somewhere/own.headlight");
        QVERIFY(!document.isModified());
        QVERIFY(document.undoStack().isClean());
        QVERIFY(document.goToStep(2).ok()); // going to another step is not an edit
        QVERIFY(!document.isModified());
        document.undoStack().undo();
        document.undoStack().undo(); // undoes the saved edit
        QVERIFY(document.isModified());
        document.undoStack().redo();
        QVERIFY(!document.isModified());
        QVERIFY(test::setScale(document, {core::Scale::Kind::SquareRoot, 1}).ok());
        QVERIFY(document.isModified()); // equals the opened state, not the saved one
        document.setUnsaved();
        document.undoStack().setIndex(0);
        QVERIFY(document.isModified());
    }

    void theListTellsWhenItIsSavedOrNot() {
        Document document;
        document.open(small());
        int told = 0;
        connect(&document, &Document::changed, this,
                [&told](const ui::ChangeEvent &event) { told += ui::is<ui::SavedChanged>(event); });
        QVERIFY(test::setMasks(document, {core::CausalMask{}}).ok());
        QVERIFY(test::setMasks(document, {}).ok()); // back to the saved state
        QCOMPARE(told, 2);
        QVERIFY(!document.isModified());
    }
};

HEADLIGHT_GUILESS_TEST(UndoTest)
#include "tst_undo.moc"
