// Figures of side A and of the difference: numbers, colours, descriptions, and the reasons why
// sides cannot be compared.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/heatmap/compared_heatmap.h"

namespace {

const FigureStyle kLight = FigureStyle::light();

FigureOptions against(const core::TracePointer &a,
                      ComparisonSide shown = ComparisonSide::Difference) {
    FigureOptions options;
    options.compared = {shown, a, {}, "before"};
    return options;
}

TraceRecipe otherWeights() {
    TraceRecipe recipe;
    recipe.seed = 8;
    return recipe;
}

} // namespace

class ComparedFiguresTest : public QObject {
    Q_OBJECT

  private slots:
    /// On both backgrounds, unchanged cells hardly differ from the background, and any change
    /// differs more.
    void nothingChangedLooksLikeNothing_data() {
        test::addCombinations<bool, ColourMap>(
            {"isDark", "map"}, {false, true},
            {ColourMap::BlueWhiteRed, ColourMap::PurpleWhiteGreen});
    }
    void nothingChangedLooksLikeNothing() {
        QFETCH(bool, isDark);
        QFETCH(ColourMap, map);
        FigureStyle style = isDark ? FigureStyle::dark() : FigureStyle::light();
        style.signedMap = map;
        const core::TracePointer now = makeTrace(), a = makeTrace(otherWeights());
        const auto cornersOf = [&](const core::TracePointer &other, Stage stage) {
            FigureOptions options = against(other);
            options.range =
                Range::PerHead; // the largest change then has the colour at the end of the map
            const HeatmapFigure figure =
                HeatmapFigure::fromTrace(now, test::at(stage), style, options);
            const QImage image = test::paintedOn(figure, {900, 700});
            const HeatmapGeometry places = figure.geometry(QRectF(QPointF(), QSizeF(image.size())));
            const core::SharedMatrix changes = figure.content().matrix();
            std::vector<std::pair<float, QColor>> corners;
            for (core::Index r = 0; r < places.rows; ++r)
                for (core::Index c = 0; c < places.columns; ++c) {
                    if (figure.content().isHidden(r, c))
                        continue;
                    const QPointF corner = places.cellRect(r, c).topLeft() + QPointF(3, 3);
                    corners.emplace_back(changes(r, c), image.pixelColor(corner.toPoint()));
                }
            return corners;
        };
        const QColor neutral = isDark ? QColor(tonedDown(map, 0.5)) : QColor(colourOf(map, 0.5));
        QVERIFY2(contrastOf(neutral, style.surface) < 1.25, qPrintable(neutral.name()));
        for (const Stage stage : {Stage::AttentionWeights, Stage::Scores, Stage::Output}) {
            for (const auto &[change, colour] : cornersOf(now, stage))
                QCOMPARE(colour.name(), neutral.name());
            float largest = 0, strongest = 0;
            double most = 0;
            for (const auto &[change, colour] : cornersOf(a, stage)) {
                largest = std::max(largest, std::abs(change));
                if (change == 0)
                    QCOMPARE(colour.name(), neutral.name());
                if (contrastOf(colour, style.surface) > most) {
                    most = contrastOf(colour, style.surface);
                    strongest = std::abs(change);
                }
            }
            QVERIFY(most > 2.5); // the largest change has the highest contrast
            QVERIFY2(strongest > 0.5F * largest, core::infoOf(stage).name.data());
        }
        // Unchanged cells are also neutral in the figures of cosines and of all heads, and in the
        // parameter matrices of Whole.
        const SimilarityFigure alike =
            SimilarityFigure::fromTrace(now, core::Selection(), style, against(now));
        QCOMPARE(QColor(alike.heatmap(1).content().scale.colour(0, 0)).name(), neutral.name());
        const HeadsFigure heads =
            HeadsFigure::fromTrace(now, test::at(Stage::AttentionWeights), style, against(now));
        QCOMPARE(QColor(heads.head(1).scale.colour(0, 0)).name(), neutral.name());
        const WholeFigure whole =
            WholeFigure::fromTrace(now, test::at(Stage::Query), style, against(now));
        const ParameterHeatmap *learned = whole.learnedOf({Stage::Query, {}});
        QVERIFY(learned);
        QCOMPARE(QColor(learned->content.scale.colour(0, 0)).name(), neutral.name());
    }

    /// Rows of padding are painted, but the descriptions ignore them.
    void paddingIsNoPartOfTheMeasures() {
        TraceRecipe padded, other = otherWeights();
        padded.atLeast = other.atLeast = 12;
        const core::TracePointer now = makeTrace(padded), a = makeTrace(other);
        for (const Stage stage :
             {Stage::AttentionWeights, Stage::Key, Stage::Context, Stage::Embeddings}) {
            const HeatmapContent content = contentOf(now, test::at(stage), kLight, against(a));
            const core::SharedMatrix changes = content.matrix();
            QCOMPARE(changes.rows, core::Index(12));
            double sum = 0, beyond = 0;
            for (core::Index r = 0; r < changes.rows; ++r)
                for (const float change : changes.row(r))
                    (r < 8 ? sum : beyond) += std::abs(static_cast<double>(change));
            QVERIFY(beyond > 0);
            // A causal mask leaves 8 · 9 / 2 of the weights.
            const core::Index cells = stage == Stage::AttentionWeights ? 36 : 8 * changes.columns;
            const QString mean = fixedText(sum / static_cast<double>(cells), 4);
            QVERIFY2(content.subtitle.contains("mean |change| " + mean),
                     qPrintable(content.subtitle));
        }
    }

    void theLargestChangeInWords() {
        const core::TracePointer now = makeTrace();
        const core::TracePointer a = makeTrace(otherWeights());
        const HeatmapContent content =
            contentOf(now, test::at(Stage::AttentionWeights), kLight, against(a));
        float largest = 0;
        QString words;
        const core::SharedMatrix matrix = content.matrix();
        for (core::Index r = 0; r < matrix.rows; ++r)
            for (core::Index c = 0; c < matrix.columns; ++c)
                if (std::abs(matrix(r, c)) > std::abs(largest)) {
                    largest = matrix(r, c);
                    words = QString("largest change: %1 → %2 %3")
                                .arg(content.rowLabels[r], content.columnLabels[c],
                                     changeText(largest));
                }
        QVERIFY2(content.subtitle.startsWith(words), qPrintable(content.subtitle));
        QVERIFY(content.subtitle.contains("A: before"));
        QCOMPARE(content.title, QStringLiteral("attention weights, current − A"));
        QCOMPARE(changeText(0.3127F), QStringLiteral("+0.3127"));
        QCOMPARE(changeText(-0.3127F), QStringLiteral("−0.3127"));
        QCOMPARE(changeText(0), QStringLiteral("0"));
        QCOMPARE(changeText(1e-6F), QStringLiteral("+1e−06"));
    }

    void labelsOfBothSides() {
        TraceRecipe recipe;
        recipe.tokens = {{"He", "visited", "the", "river", "bank", "near", "river", "bank"}};
        const HeatmapContent content = contentOf(makeTrace(), test::at(Stage::AttentionWeights),
                                                 kLight, against(makeTrace(recipe)));
        QCOMPARE(content.rowLabels[0], QStringLiteral("She | He"));
        QCOMPARE(content.rowLabels[1], QStringLiteral("visited"));
        QCOMPARE(content.columnLabels[3], QStringLiteral("money | river"));
        const HeatmapContent vectors =
            contentOf(makeTrace(), test::at(Stage::Query), kLight, against(makeTrace(recipe)));
        QCOMPARE(vectors.rowLabels[0], QStringLiteral("She | He"));
        QCOMPARE(vectors.columnLabels[0], QStringLiteral("0"));
    }

    void unavailableReason_data() {
        test::addColumns<int, int, int, bool, Stage, QString>(
            {"tokens", "heads", "headSize", "output", "stage", "why"});
        QTest::newRow("fewer tokens") << 2 << 4 << 8 << true << Stage::AttentionWeights
                                      << "A has 2 tokens, but the current side has 8";
        QTest::newRow("one token")
            << 1 << 4 << 8 << true << Stage::Output << "A has 1 token, but the current side has 8";
        QTest::newRow("fewer heads") << 8 << 1 << 8 << true << Stage::AttentionWeights
                                     << "A has 1 head, so it has no head 3";
        QTest::newRow("two heads")
            << 8 << 2 << 8 << true << Stage::Scores << "A has 2 heads, so it has no head 3";
        QTest::newRow("another size") << 8 << 4 << 4 << true << Stage::Query
                                      << "A has vectors of 4 dimensions, but the current side of 8";
        QTest::newRow("no W_O") << 8 << 4 << 8 << false << Stage::Output
                                << "A has no stage “output”";
    }
    void unavailableReason() {
        QFETCH(int, tokens);
        QFETCH(int, heads);
        QFETCH(int, headSize);
        QFETCH(bool, output);
        QFETCH(Stage, stage);
        QFETCH(QString, why);
        TraceRecipe present;
        present.heads = 4;
        present.headSize = 8;
        TraceRecipe before = present;
        before.tokens[0].resize(static_cast<std::size_t>(tokens));
        before.heads = heads;
        before.headSize = headSize;
        before.output = output;
        const core::TracePointer now = makeTrace(present);
        const core::TracePointer a = makeTrace(before);
        const HeatmapFigure figure =
            HeatmapFigure::fromTrace(now, test::at(stage, 3), kLight, against(a));
        // The message has the reason and, in a second sentence, a remedy.
        QVERIFY2(figure.content().absence.startsWith(why + ". "),
                 qPrintable(figure.content().absence));
        QVERIFY(figure.description().contains(figure.content().absence));
        // The message is shown in place of the matrix.
        QVERIFY(test::paintedOn(figure, {600, 500}) !=
                test::paintedOn(HeatmapFigure(HeatmapContent(), kLight), {600, 500}));
        // Figures of several matrices also show the message, and can be painted.
        for (const ComparisonSide shown : kShown) {
            const FigureOptions options = against(a, shown);
            const core::Selection place = test::at(stage, 3);
            (void)test::paintedOn(HeadsFigure::fromTrace(now, place, kLight, options), {900, 600});
            (void)test::paintedOn(WholeFigure::fromTrace(now, place, kLight, options), {900, 600});
            (void)test::paintedOn(SimilarityFigure::fromTrace(now, place, kLight, options),
                                  {900, 600});
        }
    }

    void otherSequencesAndLayers() {
        TraceRecipe recipe;
        recipe.tokens = {{"a", "b", "c"}, {"d", "e", "f"}};
        recipe.layers = 2;
        const core::TracePointer now = makeTrace(recipe);
        FigureOptions options = against(now);
        options.compared.sequence = 1;
        const HeatmapContent content =
            contentOf(now, test::at(Stage::AttentionWeights), kLight, options);
        const core::SharedMatrix shown = content.matrix();
        QCOMPARE(content.rowLabels, (QStringList{"a | d", "b | e", "c | f"}));
        QCOMPARE(shown(2, 1),
                 static_cast<float>(
                     static_cast<double>(now->stage(Stage::AttentionWeights).matrix(0, 0)(2, 1)) -
                     static_cast<double>(now->stage(Stage::AttentionWeights).matrix(1, 0)(2, 1))));
        options.compared.sequence = 2;
        const auto absence = [&](const core::Selection &at, const FigureOptions &of) {
            return contentOf(now, at, kLight, of).absence;
        };
        QCOMPARE(absence(test::at(Stage::AttentionWeights), options),
                 QStringLiteral("A has 2 sentences, so it has no sentence 3. Select another "
                                "sentence, or choose Current."));
        const core::Selection deep = test::at(Stage::AttentionWeights, 0, 0, 1);
        recipe.layers = 1;
        QCOMPARE(
            absence(deep, against(makeTrace(recipe))),
            QStringLiteral(
                "A has 1 layer, so it has no layer 1. Select another layer, or choose Current."));
        QCOMPARE(absence(deep, against(nullptr)),
                 QStringLiteral("A is still being computed. A appears as soon as it is ready."));
    }

    void hiddenOnOneSide() {
        TraceRecipe open;
        open.masks = {};
        const core::TracePointer causal = makeTrace();
        const core::TracePointer now = makeTrace(open);
        const HeatmapContent content =
            contentOf(now, test::at(Stage::MaskedScores), kLight, against(causal));
        QVERIFY(content.isHidden(0, 1));
        QVERIFY(!content.isHidden(1, 0));
        QCOMPARE(content.matrix()(0, 1), 0.0F); // neither NaN nor infinite
        QVERIFY(content.subtitle.startsWith("only the mask changed"));
        const auto cell =
            comparedCell(*now, test::at(Stage::MaskedScores), against(causal).compared, 0, 1);
        QVERIFY(cell && !cell->change);
        QVERIFY(cell->words().endsWith("A −∞: hidden on one side"));
        // A cell that is hidden in both runs has not changed, and is painted as hidden.
        for (const Stage stage : {Stage::MaskedScores, Stage::AttentionWeights}) {
            const HeatmapContent same = contentOf(causal, test::at(stage), kLight, against(causal));
            QVERIFY(same.isHidden(0, 1));
            QVERIFY(!same.isHidden(1, 0));
            QCOMPARE(same.matrix()(0, 1), 0.0F);
            QVERIFY(same.subtitle.startsWith("nothing changed"));
        }
        // The weight of a hidden cell is 0.
        const HeatmapContent weights =
            contentOf(causal, test::at(Stage::AttentionWeights), kLight, against(now));
        QVERIFY(!weights.isHidden(0, 1));
        QCOMPARE(weights.matrix()(0, 1), -now->stage(Stage::AttentionWeights).matrix(0, 0)(0, 1));
    }

    /// A cell that is NaN on both sides, which captures may have, is not hidden. Its change is
    /// unknown.
    void notANumberOnBothSides() {
        const core::Matrix one(2, 2, {NAN, 1, 2, 3});
        const auto same = core::difference(one.view(), one.view());
        QVERIFY(!oneSided(*same));
        QCOMPARE(changeText(*same, "%1 → %2", {}, {}), QString("no known number changed"));
        QCOMPARE(changeText(same->values(0, 0)), QString("—"));
        QCOMPARE((ComparedCell{NAN, NAN, NAN}.words()), QString("current —, A —, change —"));
        const core::Matrix other(2, 2, {NAN, 1.5F, 2, 3});
        const auto changed = core::difference(other.view(), one.view());
        QCOMPARE(changeText(*changed, "%1 → %2", {"a", "b"}, {"a", "b"}),
                 QString("largest change: a → b +0.5000 · mean |change| 0.1667"));
    }

    void aHeadThatAHasNot() {
        TraceRecipe four;
        four.heads = 4;
        four.headSize = 8;
        TraceRecipe two = four;
        two.heads = 2;
        const core::TracePointer now = makeTrace(four);
        const HeadsFigure figure = HeadsFigure::fromTrace(now, test::at(Stage::AttentionWeights, 3),
                                                          kLight, against(makeTrace(two)));
        QCOMPARE(figure.headCount(), core::Index(4));
        QCOMPARE(figure.head(1).matrix().rows, core::Index(8));
        QVERIFY(figure.head(2).matrix().empty());
        QVERIFY(figure.enlarged().content().absence.contains("head 3"));
        // Tiles of heads that both sides have are as large as their matrices.
        QCOMPARE(figure.geometry({0, 0, 900, 600}).tileCells(0).rows, core::Index(8));
    }

    void allHeadsShareTheirColours() {
        const core::TracePointer now = makeTrace();
        const core::TracePointer a = makeTrace(otherWeights());
        for (const Range range : kRanges) {
            FigureOptions options = against(a);
            options.range = range;
            const HeadsFigure figure =
                HeadsFigure::fromTrace(now, test::at(Stage::AttentionWeights), kLight, options);
            for (core::Index head = 0; head < figure.headCount(); ++head) {
                const HeatmapContent alone =
                    contentOf(now, test::at(Stage::AttentionWeights, head), kLight, options);
                const HeatmapContent &tile = figure.head(head);
                QCOMPARE(tile.scale.highText(), alone.scale.highText());
                QCOMPARE(tile.scale.rangeText(), alone.scale.rangeText());
                QCOMPARE(tile.matrix()(4, 3), alone.matrix()(4, 3));
            }
        }
    }

    void theCloseUpComparesEveryStage() {
        const core::TracePointer now = makeTrace();
        const core::TracePointer a = makeTrace(otherWeights());
        const core::Selection selection = test::cellAt(Stage::AttentionWeights, 4, 3);
        const CloseUpFigure figure = CloseUpFigure::fromTrace(now, selection, kLight, against(a));
        const auto cell = comparedCell(*now, selection, against(a).compared, 4, 3);
        QVERIFY(cell && cell->change);
        QCOMPARE(plainText(figure.strip().arithmetic), cell->words());
        QVERIFY(isDiverging(figure.parts().result.content.scale.map()));
        // Side A shows its own arithmetic.
        const CloseUpFigure before =
            CloseUpFigure::fromTrace(now, selection, kLight, against(a, ComparisonSide::A));
        const CloseUpFigure alone = CloseUpFigure::fromTrace(a, selection, kLight);
        QCOMPARE(plainText(before.strip().arithmetic), plainText(alone.strip().arithmetic));
    }

    void summariesOfHeads() {
        const core::TracePointer now = makeTrace();
        const core::TracePointer a = makeTrace(otherWeights());
        FigureOptions options = against(a);
        options.summary = core::HeadSummary::Mean;
        const HeatmapContent content =
            contentOf(now, test::at(Stage::AttentionWeights), kLight, options);
        const core::Tensor left =
            core::summarizeHeads(now->stage(Stage::AttentionWeights), core::HeadSummary::Mean);
        const core::Tensor right =
            core::summarizeHeads(a->stage(Stage::AttentionWeights), core::HeadSummary::Mean);
        QCOMPARE(content.matrix()(3, 2),
                 static_cast<float>(static_cast<double>(left.matrix(0, 0)(3, 2)) -
                                    static_cast<double>(right.matrix(0, 0)(3, 2))));
    }
};

HEADLIGHT_WIDGET_TEST(ComparedFiguresTest)
#include "tst_compared_figures.moc"
