// The tab Model: a measure as coloured cells, and its changes between two sides of a comparison.
#include "core/analysis/heads_of_trace.h"
#include "core/analysis/text_comparison.h"
#include "tests/support/edits.h"
#include "tests/support/long_input.h"
#include "tests/ui/model/model_fixture.h"

#include <QAction>
#include <QComboBox>
#include <QListView>
#include <QSignalSpy>

#include <cmath>

using core::HeadId;
using test::ModelFixture;

namespace {

/// A trained model, and the difference between two texts of different lengths.
struct ComparedFixture : ModelFixture {
    ComparedFixture() : ModelFixture(test::opened("tales")) {
        document.comparison().pin();
        QVERIFY(test::typeText(document, "Tom had the kite").ok());
        QVERIFY(test::settled(document));
        QVERIFY(test::idle(document.comparison()));
        document.comparison().show(ComparisonSide::Difference);
        (void)view.grab();
        untilReady();
    }
    /// Returns what the core computes.
    std::vector<core::ComparedHead> expected() {
        const Compared compared = document.comparison().compared();
        const auto partners = core::partnersOf(document.trace()->input(), 0, compared.a->input(), 0,
                                               document.trace()->model());
        return test::valueOf(
            core::comparedHeads({*document.trace(), 0}, {*compared.a, 0}, partners->texts()));
    }
};

} // namespace

class ModelChangesTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// The pass of side A computes its own thumbnails.
    void thePassOfATakesTheThumbnails() {
        OpenedSource source = test::longInput();
        source.view = "model";
        Document document;
        ModelView view(document);
        view.resize(1200, 800);
        document.open(source);
        view.show();
        (void)test::exposed(view);
        QVERIFY(test::settled(document));
        QSignalSpy computed(&view, &FigureView::partComputed);
        std::vector<std::string> words = test::numberedWords(390);
        std::ranges::reverse(words); // so that no row equals one of the document's pass
        document.comparison().compareWith(
            test::sourceOf(document.state().model,
                           {*core::Batch::ofWords({std::move(words)}), {core::CausalMask{}}}));
        document.comparison().show(ComparisonSide::A);
        HEADLIGHT_UNTIL(document.comparison().compared().a);
        (void)view.grab();
        QCoreApplication::processEvents();
        QVERIFY(view.isComplete());
        QCOMPARE(computed.count(), 0); // nothing was computed again
        const core::Trace &a = *document.comparison().compared().a;
        QVERIFY(!a.isWhole());
        const ModelFigure::Tile &tile = view.model()->tiles().back();
        const core::HeadGlances layer = test::valueOf(core::glanceAt(
            *a.withoutDetails(), tile.place.attention, 0, tile.content.matrix().rows));
        const core::SharedMatrix &expected = layer.heads.back().sample.numbers;
        const core::SharedMatrix shown = tile.content.matrix();
        QCOMPARE(shown.rows, expected.rows);
        for (core::Index row = 0; row < shown.rows; ++row)
            QVERIFY(std::ranges::equal(shown.row(row), expected.row(row)));
    }

    void theCellsAreTheChangesOfTheCore() {
        ComparedFixture fixture;
        const HeadNumbers *numbers = fixture.view.model()->numbers();
        QVERIFY(numbers && numbers->isChange && numbers->missing.isEmpty());
        const std::vector<core::ComparedHead> heads = fixture.expected();
        QCOMPARE(heads.size(), std::size_t(12));
        std::size_t known = 0;
        bool hasChange = false;
        for (const core::ComparedHead &head : heads) {
            const auto found = numbers->values.find({head.attention, head.head});
            const bool isKnown = head.now.previousToken && head.a.previousToken;
            QCOMPARE(found != numbers->values.end(), isKnown);
            if (!isKnown)
                continue;
            ++known;
            QCOMPARE(found->second, *head.now.previousToken - *head.a.previousToken);
            hasChange |= std::abs(found->second) > 1e-6;
        }
        QCOMPARE(numbers->values.size(), known);
        QVERIFY(hasChange);
        // The ends of the bar are computed from the numbers, so the bar must not call them fixed.
        const ColourScale scale = scaleOf(*numbers, FigureStyle());
        QCOMPARE(scale.rangeText(), QStringLiteral("all heads"));
        double largest = 0;
        for (const auto &[head, value] : numbers->values)
            largest = std::max(largest, std::abs(value));
        QCOMPARE(scale.endsOf(0), (ValueRange{-largest, largest}));
        QVERIFY(test::says(fixture.view.figure()->description(),
                           {"Change of the weight on the previous token", "Largest change"}));
        QVERIFY(fixture.view.isComplete());
    }

    void theListHasTheLargestChangeFirst() {
        ComparedFixture fixture;
        const HeadList &list = fixture.panel().heads();
        QCOMPARE(list.rowCount(), 12);
        double last = 2;
        for (int row = 0; row < list.rowCount(); ++row) {
            const auto &values = fixture.view.model()->numbers()->values;
            const auto found = values.find(list.headAt(row));
            QVERIFY(found != values.end());
            QVERIFY(std::abs(found->second) <= last);
            last = std::abs(found->second);
            const QString text = list.data(list.index(row), HeadList::Value).toString();
            QCOMPARE(text, changeOfMeasureText(found->second));
            QVERIFY(
                test::says(list.data(list.index(row), Qt::ToolTipRole).toString(), "change of"));
        }
        const HeadId first = list.headAt(0);
        // Another measure has other changes.
        fixture.find<QComboBox>("modelMeasure")->setCurrentIndex(0);
        (void)fixture.view.figure();
        QCOMPARE(fixture.view.model()->numbers()->measure->name, std::string_view("entropy"));
        const auto entropies = fixture.view.model()->numbers()->values;
        for (const core::ComparedHead &head : fixture.expected())
            if (head.now.entropy && head.a.entropy)
                QCOMPARE(entropies.at({head.attention, head.head}),
                         *head.now.entropy - *head.a.entropy);
        // The current side has its own measures again.
        fixture.document.comparison().show(ComparisonSide::Now);
        (void)fixture.view.grab();
        fixture.untilReady();
        QVERIFY(!fixture.view.model()->numbers());
        QVERIFY(!list.data(list.index(0), Qt::ToolTipRole).toString().contains("change of"));
        QVERIFY(fixture.tile(first).content.matrix().rows > 0);
    }

    void aMeasureAsColours() {
        ModelFixture fixture(test::opened("tales"));
        QVERIFY(!fixture.view.model()->numbers());
        QVERIFY(fixture.view.shownMeasure().isEmpty());
        auto *action = fixture.find<QAction>("measureAsColours");
        action->trigger();
        QVERIFY(action->isChecked());
        (void)fixture.view.figure();
        const HeadNumbers *numbers = fixture.view.model()->numbers();
        QVERIFY(numbers && !numbers->isChange && numbers->missing.isEmpty());
        QCOMPARE(fixture.view.shownMeasure(), QString("previous"));
        const core::Trace &trace = *fixture.document.trace();
        for (const core::HeadOfTrace &head : test::valueOf(core::measuresOfHeads(trace, 0)))
            QCOMPARE(numbers->values.at({head.attention, head.head}), *head.measures.previousToken);
        QVERIFY(test::says(fixture.view.figure()->description(), "Largest: "));
        fixture.view.showEffects(true); // in place of the measure
        QVERIFY(!action->isChecked());
        action->trigger();
        QVERIFY(!fixture.view.showsEffects());
        action->trigger();
        (void)fixture.view.figure();
        QVERIFY(!fixture.view.model()->numbers());
    }

    /// The measures need no details of A. Only the large head waits for A's layer.
    void theChangesStayWhileALayerIsComputed() {
        ModelFixture fixture(test::longInput());
        Document &document = fixture.document;
        QVERIFY(!document.trace()->isWhole());
        document.comparison().pin();
        document.comparison().show(ComparisonSide::Difference);
        (void)fixture.view.grab();
        fixture.untilReady();
        const std::size_t before = fixture.view.model()->numbers()->values.size();
        QVERIFY(before > 0);
        bool wasMissing = false, hadAll = true;
        connect(&document, &Document::changed, this, [&](const ui::ChangeEvent &event) {
            if (!ui::is<ui::SelectionChanged>(event) || document.comparison().compared().a)
                return;
            wasMissing = true;
            (void)fixture.view.figure();
            const HeadNumbers *numbers = fixture.view.model()->numbers();
            hadAll &= !fixture.view.model()->tiles().empty() && numbers &&
                      numbers->values.size() == before;
            hadAll &= fixture.view.model()->cards().front().figure.content().matrix().empty();
            hadAll &= !fixture.view.isComplete();
        });
        document.select(atHead(document.selection(), {core::AttentionId(12), 0}));
        HEADLIGHT_UNTIL_EQUAL(document.selection().layer, core::Index(12));
        QVERIFY(wasMissing && hadAll);
        HEADLIGHT_UNTIL(document.comparison().compared().a);
        (void)fixture.view.figure();
        QVERIFY(!fixture.view.model()->cards().front().figure.content().matrix().empty());
        disconnect(&document, nullptr, this, nullptr);
    }

    void theSimilarityHasNoChange() {
        ComparedFixture fixture;
        fixture.panel().sortBySimilarity();
        fixture.untilReady();
        const HeadNumbers *numbers = fixture.view.model()->numbers();
        QVERIFY(numbers && numbers->values.empty());
        QVERIFY(test::says(numbers->missing, "choose another measure"));
    }
};

HEADLIGHT_WIDGET_TEST(ModelChangesTest)
#include "tst_model_changes.moc"
