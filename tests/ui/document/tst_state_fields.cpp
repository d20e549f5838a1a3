// The list of the state's fields has every member of the state, and everything that uses the list
// detects a change of each field.
#include "core/formats/session/writing/text.h"
#include "tests/support/member_count.h"
#include "tests/support/other_values.h"
#include "tests/ui/document/document_fixture.h"
#include "ui/document/matrix_delta.h"
#include "ui/document/state_delta.h"

using core::kStateFields;
using core::Parameter;
using core::StatePart;
using test::memberCount;
using ui::ChangedParts;
using ui::MatrixDelta;
using ui::StateDelta;

namespace {

using test::kOtherParameter;
using test::other;

ui::LessonDraftPointer other(const ui::LessonDraftPointer &) {
    return std::make_shared<const ui::LessonDraft>();
}

core::OwnPairsPointer other(const core::OwnPairsPointer &) {
    return std::make_shared<const std::vector<core::AlignedText>>();
}

DocumentState cat() {
    return test::opened("cat").state;
}

template <typename Field>
DocumentState withOther(DocumentState state, const Field &field) {
    valueIn(state, field) = other(valueIn(state, field));
    return state;
}

core::Session sessionOf(const DocumentState &state) {
    core::Session session;
    session.model = state.model;
    session.input = state.input;
    return session;
}

/// Returns the changed parts that an edit of this field reports.
template <typename Field>
ChangedParts partsOf(const Field &field) {
    ChangedParts parts;
    if (field.part == StatePart::Parameters)
        parts.add(kOtherParameter);
    else
        parts.add(field.part);
    return parts;
}

template <typename Owner, typename Value, typename Said>
Owner ownerOf(const core::StateField<Owner, Value, Said> &);

/// Returns how many members of `Owner` are in the list.
template <typename Owner>
std::size_t listed() {
    std::size_t count = 0;
    forEachField(kStateFields, [&count](const auto &field) {
        count += std::is_same_v<decltype(ownerOf(field)), Owner>;
    });
    return count;
}

bool same(const Parameter &a, const Parameter &b) {
    return core::sameNumbers(a, b);
}

/// Returns another matrix, `before` with some changed cells, a matrix of another shape, or null.
Parameter next(const Parameter &before, std::mt19937 &random) {
    const auto below = [&random](unsigned count) {
        return static_cast<unsigned>(random() % count);
    };
    if (below(12) == 0)
        return nullptr;
    if (!before || below(12) == 0) {
        core::Matrix fresh(1 + below(6), 1 + below(9));
        for (core::Index row = 0; row < fresh.rows(); ++row)
            for (float &value : fresh.view().row(row))
                value = static_cast<float>(below(5));
        return core::makeParameter(std::move(fresh));
    }
    if (below(2) == 0) { // shares the numbers of `before`
        std::vector<core::CellEdit> cells;
        for (unsigned count = below(4); count > 0; --count)
            cells.push_back({below(static_cast<unsigned>(before->rows())),
                             below(static_cast<unsigned>(before->columns())),
                             static_cast<float>(below(5))});
        return withCells(before, std::move(cells));
    }
    core::Matrix matrix = *before->toMatrix();
    for (unsigned count = below(4) == 0 ? 40 : below(4); count > 0; --count)
        matrix(static_cast<core::Index>(below(static_cast<unsigned>(matrix.rows()))),
               static_cast<core::Index>(below(static_cast<unsigned>(matrix.columns())))) =
            static_cast<float>(below(5));
    return core::makeParameter(std::move(matrix));
}

/// Returns a copy that shares no numbers.
Parameter alone(const Parameter &parameter) {
    return parameter ? core::makeParameter(*parameter->toMatrix()) : nullptr;
}

} // namespace

class StateFieldsTest : public QObject {
    Q_OBJECT

  private slots:
    /// A new member of one of these structs must be added either to the list or to the members
    /// below, which no edit changes.
    void everyMemberIsInTheList() {
        // Not listed: width, heads, headSize, valueSize, keyValueHeads, layerCount,
        // encoderLayerCount, encoder, embeddingWidth, positionOffset; and settings of a few
        // families, which no step changes: embeddingFactor, residualFactor, logitDivisor,
        // rotaryLayers, queryTuning, localRotaryBase, disentangled, latent, projectsFirst, picture,
        // soundBands, chunkedWindows
        constexpr std::size_t kSizes = 22;
        QCOMPARE(memberCount<core::Config>(), listed<core::Config>() + kSizes);
        QCOMPARE(memberCount<core::Input>(), listed<core::Input>());
        // config, two vocabularies, the captured stages, the reader, the output positions, the
        // pooling of sentences
        constexpr std::size_t kOthers = 7;
        QCOMPARE(memberCount<core::Model>(), listed<core::Model>() + kOthers);
        constexpr std::size_t kTexts = 2; // a patch may set texts instead of sequences
        QCOMPARE(memberCount<core::StatePatch>(),
                 std::tuple_size_v<decltype(kStateFields)> + kTexts);
        std::set<std::string> names; // all names must differ
        forEachField(kStateFields, [&names](const auto &field) { names.insert(field.name); });
        QCOMPARE(names.size(), std::tuple_size_v<decltype(kStateFields)>);
        constexpr std::size_t kNotListed = 3; // model, input, and edits, which is derived from them
        QCOMPARE(memberCount<DocumentState>(), std::tuple_size_v<decltype(ui::kDocumentFields)> -
                                                   std::tuple_size_v<decltype(kStateFields)> +
                                                   kNotListed);
    }

    void undoBringsEachBack() {
        const DocumentState before = cat();
        forEachField(ui::kDocumentFields, [&before](const auto &field) {
            const DocumentState after = withOther(before, field);
            QVERIFY(!(after == before));
            const StateDelta delta(before, after);
            QVERIFY(!delta.empty());
            QVERIFY(delta.after(before) == after);
            QVERIFY(delta.before(after) == before);
            const StateDelta back(after, before);
            QVERIFY(delta.then(back).empty());
        });
    }

    void eachIsToldByItsPart() {
        const DocumentState before = cat();
        forEachField(kStateFields, [&before](const auto &field) {
            const DocumentState after = withOther(before, field);
            const ChangedParts expected = partsOf(field);
            QVERIFY2(ui::differenceBetween(before, after) == expected, field.name);
            QVERIFY2(StateDelta(before, after).parts() == expected, field.name);
            QVERIFY2(StateDelta(after, before).parts() == expected, field.name);
        });
    }

    void eachIsWritten() {
        const DocumentState before = cat();
        forEachField(kStateFields, [&before](const auto &field) {
            const DocumentState after = withOther(before, field);
            const core::Session base = sessionOf(before);
            const core::StatePatch patch = core::differenceOf(base, after.model, after.input);
            QVERIFY2(isSet(patch, field), field.name);
            QVERIFY2(ui::partsSetBy(patch) == partsOf(field), field.name);
            const auto members = core::membersOf(patch);
            QVERIFY2(!members.empty() && members.front().name == field.name, field.name);
            const core::Result<core::Session> again = core::patched(base, patch);
            QVERIFY2(again.ok(), field.name);
            QVERIFY2(core::differenceOf(*again, after.model, after.input) == core::StatePatch(),
                     field.name);
        });
    }

    /// The user's change is kept in the next step, unless the step sets the field.
    void eachIsKeptByTheNextStep() {
        const DocumentState before = cat();
        core::Session lesson = sessionOf(before);
        lesson.lesson.emplace();
        forEachField(kStateFields, [&](const auto &field) {
            DocumentState after = withOther(before, field);
            after.edits = ui::differenceBetween(before, after);
            core::LessonStep setting;
            setting.set = core::differenceOf(sessionOf(after), before.model, before.input);
            // A step cannot remove a given vector, so it sets the old value.
            if (field.part == StatePart::Words)
                setting.set.words = {{"word", before.model.embeddings->vectorOf("word")}};
            lesson.lesson->steps = {core::LessonStep(), setting};

            const core::Result<DocumentState> kept = ui::stateAtStep(lesson, 0, after);
            QVERIFY2(kept.ok(), field.name);
            QVERIFY2(valueIn(*kept, field) == valueIn(after, field), field.name);
            QVERIFY2(kept->edits == after.edits, field.name);

            if (!isSet(setting.set, field))
                return; // steps cannot remove the source sequences
            const core::Result<DocumentState> set = ui::stateAtStep(lesson, 1, after);
            QVERIFY2(set.ok(), field.name);
            QVERIFY2(!set->edits.any(), field.name);
        });
    }

    void theDocumentTellsWhatChanged() {
        OpenDocument document("cat");
        QList<ui::StateChanged> told;
        connect(&document, &Document::changed, this, [&told](const ui::ChangeEvent &event) {
            if (const auto *state = std::get_if<ui::StateChanged>(&event))
                told << *state;
        });
        const ui::MatrixId matrix{ui::MatrixId::Kind::Parameter, kOtherParameter, {}, 0};
        ChangedParts parts;
        const auto toldOnce = [&](bool edits, bool step) {
            const bool once = told.size() == 1 && told[0].parts == parts &&
                              told[0].edits == edits && told[0].step == step;
            told.clear();
            return once;
        };
        QVERIFY(document.apply(ui::edits::setCells(document.state(), matrix, {{0, 0, 9}})).ok());
        parts.add(kOtherParameter);
        QVERIFY(toldOnce(true, false));
        QVERIFY(document.apply(ui::edits::setCells(document.state(), matrix, {{0, 0, 8}})).ok());
        QVERIFY(toldOnce(false, false)); // the user had already edited this matrix
        document.undoStack().undo();
        QVERIFY(toldOnce(false, false));
        document.undoStack().redo();
        QVERIFY(toldOnce(false, false));
        parts = {};
        parts.add(StatePart::Masks);
        QVERIFY(test::setMasks(document, {core::WindowMask{2, false}}).ok());
        QVERIFY(toldOnce(true, false));
        parts = {};
        parts.add(StatePart::Text);
        QVERIFY(test::typeText(document, "other words").ok());
        QVERIFY(toldOnce(true, false));
        // Setting an equal value is not reported.
        QVERIFY(test::setMasks(document, {core::WindowMask{2, false}}).ok());
        QVERIFY(told.isEmpty());
        QVERIFY(document.resetEdits().ok());
        QCOMPARE(told.size(), 1);
        QVERIFY(told[0].parts.has(StatePart::Masks) && told[0].parts.has(StatePart::Text));
        QVERIFY(told[0].parts.has(StatePart::Parameters) && told[0].edits && !told[0].step);
        told.clear();
        QVERIFY(document.goToStep(1).ok());
        QVERIFY(told.size() == 1 && told[0].step && !told[0].edits);
    }

    void thereAndBack() {
        std::mt19937 random(5);
        for (int round = 0; round < 4000; ++round) {
            Parameter a = next(nullptr, random);
            Parameter b = next(a, random);
            Parameter c = next(b, random);
            const MatrixDelta first(a, b);
            const MatrixDelta second(b, c);
            const MatrixDelta both = first.then(second);
            QCOMPARE(first.empty(), same(a, b));
            QCOMPARE(both.empty(), same(a, c));
            if (round % 2 == 0) { // the originals are freed
                a = alone(a);
                b = alone(b);
                c = alone(c);
            }
            QVERIFY(same(first.after(a), b));
            QVERIFY(same(first.before(b), a));
            QVERIFY(same(both.after(a), c));
            QVERIFY(same(both.before(c), a));
        }
    }

    void signedZerosAreNumbersOfTheirOwn() {
        const Parameter plus = core::makeParameter(core::Matrix(1, 20));
        core::Matrix other(1, 20);
        other(0, 3) = -0.0F;
        const Parameter minus = core::makeParameter(std::move(other));
        const MatrixDelta delta(plus, minus);
        QVERIFY(!delta.empty());
        QVERIFY(std::signbit((*delta.after(alone(plus)))(0, 3)));
    }

    void theMatrixItselfComesBackWhereSomebodyHasIt() {
        const Parameter before = core::makeParameter(core::Matrix(4, 16));
        core::Matrix changed(4, 16);
        changed(2, 2) = 1;
        const Parameter after = core::makeParameter(std::move(changed));
        const MatrixDelta delta(before, after);
        QVERIFY(delta.before(after) == before);
        QVERIFY(delta.after(before) == after);
        QVERIFY(delta.bytes() < 200);
    }
};

HEADLIGHT_GUILESS_TEST(StateFieldsTest)
#include "tst_state_fields.moc"
