// Side A: pinned, opened next to the document, or another sequence. It does not change later.
#include "tests/ui/document/document_fixture.h"

using namespace headlight::ui;

namespace {

struct Fixture {
    Document document;
    QList<ChangeEvent> events;

    explicit Fixture(const QString &source) {
        document.open(test::opened(source));
        settle();
        QObject::connect(&document, &Document::changed,
                         [this](const ChangeEvent &event) { events << event; });
    }
    void settle() { QVERIFY(test::settled(document)); }
    Comparison &comparison() { return document.comparison(); }
    bool aIsThere() {
        return test::until([&] { return comparison().compared().a != nullptr; });
    }
    int told() const {
        return static_cast<int>(std::count_if(events.begin(), events.end(), [](const auto &event) {
            return is<ComparisonChanged>(event);
        }));
    }
};

} // namespace

class ComparisonTest : public QObject {
    Q_OBJECT

  private slots:
    void nothingToCompareWith() {
        Fixture fixture("cat");
        QVERIFY(!fixture.comparison().hasA());
        fixture.comparison().show(ComparisonSide::Difference);
        QVERIFY(fixture.comparison().shown() == ComparisonSide::Now);
        QCOMPARE(fixture.comparison().compared(), Compared());
        fixture.comparison().unpin();
        QCOMPARE(fixture.told(), 0);
    }

    void editsChangeThePresentAlone() {
        Fixture fixture("cat");
        fixture.comparison().pin();
        QCOMPARE(fixture.told(), 1);
        const core::TracePointer before = fixture.document.trace();
        QCOMPARE(fixture.comparison().compared().a, before);
        QVERIFY(test::setMasks(fixture.document, {core::CausalMask{}}));
        fixture.settle();
        QVERIFY(fixture.document.trace() != before);
        QCOMPARE(fixture.comparison().compared().a, before);
        QVERIFY(fixture.comparison().a()->state.input.masks.empty());
        fixture.comparison().show(ComparisonSide::Difference);
        QCOMPARE(fixture.told(), 2);
        fixture.comparison().unpin();
        QCOMPARE(fixture.told(), 3);
        QVERIFY(fixture.comparison().shown() == ComparisonSide::Now);
        QVERIFY(!fixture.comparison().hasA());
    }

    void whatIsPinnedWhileItIsComputed() {
        Fixture fixture("cat");
        const core::TracePointer before = fixture.document.trace();
        QVERIFY(test::setMasks(fixture.document, {core::CausalMask{}}));
        QVERIFY(fixture.document.traceIsStale());
        fixture.comparison().pin(); // pins a causal state whose trace is not computed yet
        QVERIFY(!fixture.comparison().compared().a);
        QVERIFY(test::setMasks(fixture.document, {}));
        QVERIFY(fixture.aIsThere());
        const core::TracePointer a = fixture.comparison().compared().a;
        QVERIFY(a != before);
        QVERIFY(a->mask(0).hidden(0, 1));
        fixture.settle();
        QVERIFY(!fixture.document.trace()->mask(0).hidden(0, 1));
    }

    void itStaysWhenAnotherSourceIsOpened() {
        Fixture fixture("batch");
        test::select(fixture.document, {.sequence = 2});
        fixture.comparison().pin();
        const core::TracePointer a = fixture.document.trace();
        // If the document is A's own session, A follows the selected sequence. Otherwise it keeps
        // its sequence.
        QVERIFY(!fixture.comparison().compared().sequence);
        fixture.document.open(test::opened("cat"));
        fixture.settle();
        QCOMPARE(fixture.comparison().compared().a, a);
        QCOMPARE(fixture.comparison().compared().sequence, test::some(2));
        QCOMPARE(fixture.comparison().a()->source, QStringLiteral("batch"));
    }

    void anotherSourceBesideTheDocument() {
        Fixture fixture("cat");
        fixture.comparison().compareWith(test::opened("bank", 1));
        QVERIFY(fixture.comparison().shown() == ComparisonSide::Difference);
        QVERIFY(fixture.aIsThere());
        QCOMPARE(fixture.document.source(), QStringLiteral("cat"));
        const Compared compared = fixture.comparison().compared();
        QCOMPARE(compared.name, QStringLiteral("bank, step 2"));
        // The numbers equal those of the source opened as a document.
        OpenDocument alone("bank", 1);
        QVERIFY(test::settled(alone));
        QCOMPARE(compared.a->stage(Stage::AttentionWeights).values(),
                 alone.trace()->stage(Stage::AttentionWeights).values());
    }

    void aSequenceOfTheSameBatchFollowsEdits() {
        Fixture fixture("batch");
        fixture.comparison().compareWithSequence(1);
        QVERIFY(fixture.comparison().shown() == ComparisonSide::Difference);
        QCOMPARE(fixture.comparison().compared().a, fixture.document.trace());
        QVERIFY(test::setMasks(fixture.document, {core::CausalMask{}}));
        fixture.settle();
        QCOMPARE(fixture.comparison().compared().a, fixture.document.trace());
        QCOMPARE(fixture.comparison().compared().sequence, test::some(1));
        fixture.document.open(test::opened("cat"));
        QVERIFY(!fixture.comparison().hasA()); // A was a sequence of the batch, which is closed now
    }

    void theNewestSideAWins() {
        Fixture fixture("cat");
        fixture.comparison().compareWith(test::opened("batch"));
        fixture.comparison().compareWith(test::opened("bank"));
        QVERIFY(fixture.aIsThere());
        QVERIFY(test::idle(fixture.document));
        QCOMPARE(fixture.comparison().compared().a->batch().count(), core::Index(2));
        QVERIFY(fixture.comparison().compared().name.startsWith("bank"));
        fixture.comparison().compareWith(test::opened("batch"));
        fixture.comparison().pin(); // before the trace of batch is computed
        const core::TracePointer pinned = fixture.comparison().compared().a;
        QCOMPARE(pinned, fixture.document.trace());
        QVERIFY(test::idle(fixture.document));
        QCOMPARE(fixture.comparison().compared().a, pinned);
    }

    void namesTellStatesApart() {
        Fixture fixture("cat");
        fixture.comparison().pin();
        QCOMPARE(fixture.comparison().compared().name, QStringLiteral("cat, step 1"));
        QVERIFY(test::setMasks(fixture.document, {core::CausalMask{}}));
        fixture.comparison().pin();
        QCOMPARE(fixture.comparison().compared().name, QStringLiteral("cat, step 1, edited"));
        SideA file;
        file.source = "/some/where/own.headlight";
        QCOMPARE(nameOf(file), QStringLiteral("own.headlight"));
    }
};

HEADLIGHT_WIDGET_TEST(ComparisonTest)
#include "tst_comparison.moc"
