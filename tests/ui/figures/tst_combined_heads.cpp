// Combined heads in the Heads figure: numbers, titles, colour scales, and the colours of pixels
// with several cells.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/heatmap/cell_image.h"

using namespace headlight::ui;
using core::Combination;
using core::Stage;

namespace {

FigureOptions combining(Combination combination, std::vector<core::Index> heads = {}) {
    FigureOptions options;
    options.combination.combination = combination;
    options.headLines.heads.heads = std::move(heads);
    return options;
}

HeadsFigure figureOf(const core::TracePointer &trace, const FigureOptions &options,
                     const core::Selection &selection = test::at(Stage::AttentionWeights),
                     const FigureStyle &style = test::style()) {
    const core::Index count = trace->model().headsOf(selection.attention());
    GivenCombination given;
    if (combines(options, selection))
        given.made = std::make_shared<const core::CombinedAttention>(test::valueOf(
            core::combinedAttention(*trace, selection.attention(), selection.sequence,
                                    options.combination.request(options.headLines.heads, count))));
    return HeadsFigure::fromTrace(trace, selection, style, options, nullptr, given);
}

core::TracePointer tracePieces(core::Index heads = 4) {
    return test::makeTrace({.tokens = {{"[CLS]", "un", "##believ", "##able", "cats", "[SEP]"}},
                            .heads = heads,
                            .headSize = 8,
                            .layers = 2});
}

HeatmapContent largeContent(core::Index rows, core::Index columns, std::uint64_t seed,
                            Range range = Range::Fixed) {
    core::Random random(seed);
    std::vector<float> numbers;
    for (core::Index i = 0; i < rows * columns; ++i)
        numbers.push_back(static_cast<float>(std::pow(random.uniform(), 8)));
    HeatmapContent content;
    content.tensor = core::Tensor({1, 1, rows, columns}, std::move(numbers));
    content.scale = ColourScale::of(content.tensor, 0, 0, ColourMap::Viridis, range);
    return content;
}

HeatmapGeometry geometryOf(core::Index rows, core::Index columns, Cell origin = {}) {
    HeatmapGeometry geometry;
    geometry.rows = rows;
    geometry.columns = columns;
    geometry.origin = origin;
    return geometry;
}

/// True for equal or neighbouring entries of a colour map, because many cells are painted with a
/// table of colours.
bool isNear(QRgb a, QRgb b) {
    return std::abs(qRed(a) - qRed(b)) <= 4 && std::abs(qGreen(a) - qGreen(b)) <= 4 &&
           std::abs(qBlue(a) - qBlue(b)) <= 4;
}

} // namespace

class CombinedHeadsTest : public QObject {
    Q_OBJECT

  private slots:
    void theLargeMatrixSaysWhatItIs_data() {
        test::addColumns<Combination, QVector<qint64>, QString>({"combination", "heads", "title"});
        using Heads = QVector<qint64>;
        QTest::newRow("all") << Combination::Mean << Heads() << "mean of all 4 heads";
        QTest::newRow("two") << Combination::Mean << Heads{1, 3} << "mean of heads 1, 3";
        QTest::newRow("one") << Combination::Mean << Heads{2} << "mean of head 2";
        QTest::newRow("largest") << Combination::Maximum << Heads{0, 1} << "maximum of heads 0, 1";
        QTest::newRow("rollout") << Combination::Rollout << Heads() << "attention rollout";
        QTest::newRow("flow") << Combination::Flow << Heads() << "attention flow";
    }
    void theLargeMatrixSaysWhatItIs() {
        QFETCH(Combination, combination);
        QFETCH(QVector<qint64>, heads);
        QFETCH(QString, title);
        const core::TracePointer trace = tracePieces();
        const HeadsFigure figure =
            figureOf(trace, combining(combination, {heads.begin(), heads.end()}));
        const HeatmapContent &large = figure.enlarged().content();
        QCOMPARE(large.title, title);
        QVERIFY(figure.description().contains(title));
        QCOMPARE(figure.headCount(), core::Index(4)); // every head still has a tile
        QCOMPARE(large.subtitle.contains("rows do not sum to 1"),
                 combination == Combination::Maximum || combination == Combination::Flow);
        // A narrow figure omits the last parts, but not this one.
        QCOMPARE(large.subtitle.startsWith("rows do not sum to 1 · "),
                 large.subtitle.contains("rows do not sum to 1"));
        QCOMPARE(large.subtitle.contains("through 2 layers"), core::isThroughLayers(combination));
        if (combination != Combination::Mean)
            return;
        const core::SharedMatrix shown = large.matrix();
        if (heads.isEmpty())
            heads = {0, 1, 2, 3};
        for (core::Index row = 0; row < shown.rows; ++row)
            for (core::Index column = 0; column < shown.columns; ++column) {
                double sum = 0;
                for (const qint64 head : heads)
                    sum += static_cast<double>(
                        trace->matrix(Stage::AttentionWeights, {}, 0, head)(row, column));
                QCOMPARE(shown(row, column), static_cast<float>(sum / double(heads.size())));
            }
    }

    void whatIsLeftOutAndMergedIsSaid() {
        FigureOptions options = combining(Combination::Mean);
        options.combination.words = true;
        options.combination.leftOut.specialTokens = true;
        options.combination.kept.least = 0.05;
        core::Selection selection = test::at(Stage::AttentionWeights);
        selection.query = 3; // "##able"
        selection.key = 2;
        const HeadsFigure figure = figureOf(tracePieces(), options, selection);
        const HeatmapContent &large = figure.enlarged().content();
        QVERIFY2(
            large.subtitle.startsWith("renormalised without [CLS], [SEP] · weights below 0.05"),
            qPrintable(large.subtitle));
        QVERIFY(large.subtitle.contains("pieces merged into words"));
        QCOMPARE(large.columnLabels, QStringList({"[CLS]", "unbelievable", "cats", "[SEP]"}));
        QCOMPARE(large.matrix().rows, core::Index(4));
        QCOMPARE(large.selectedRow,
                 std::optional<core::Index>(1)); // the word that contains the piece
        QCOMPARE(large.selectedColumn, std::optional<core::Index>(1));
        QVERIFY(large.isHidden(2, 0) && !large.isHidden(2, 1));
        QVERIFY(combinedCellText(large, *figure.combined(), Combination::Mean, {2, 0})
                    .endsWith("[CLS] is left out"));
        QVERIFY(combinedCellText(large, *figure.combined(), Combination::Mean, {2, 1})
                    .startsWith("mean of all 4 heads: cats attends to unbelievable: "));
        // If the text has no special tokens, the subtitle does not mention renormalisation.
        const HeadsFigure plain = figureOf(test::makeTrace(), options);
        QVERIFY(!plain.enlarged().content().subtitle.contains("renormalised"));
    }

    void aLeftOutPieceIsNamed() {
        FigureOptions options = combining(Combination::Mean);
        options.combination.words = true;
        options.combination.leftOut.firstToken = true;
        const core::TracePointer trace =
            test::makeTrace({.tokens = {{"un", "##believ", "##able", "cats"}}});
        const HeadsFigure figure = figureOf(trace, options);
        const HeatmapContent &large = figure.enlarged().content();
        QVERIFY2(large.subtitle.startsWith("renormalised without the first token, un"),
                 qPrintable(large.subtitle));
        QVERIFY(!large.isHidden(1, 0)); // the other pieces of the word remain
    }

    /// The maximum of one head is that head.
    void rowsOfOneHeadSumToOne() {
        const HeadsFigure figure = figureOf(tracePieces(), combining(Combination::Maximum, {2}));
        QVERIFY(!figure.enlarged().content().subtitle.contains("do not sum"));
    }

    void otherStagesShowTheHead() {
        const HeadsFigure figure =
            figureOf(tracePieces(), combining(Combination::Mean), test::at(Stage::Scores));
        QVERIFY(!figure.combined());
        QVERIFY(figure.enlarged().content().subtitle.contains("head 0"));
    }

    void aMissingCombinationSaysWhy() {
        const core::TracePointer trace = tracePieces();
        const HeadsFigure figure = HeadsFigure::fromTrace(
            trace, test::at(Stage::AttentionWeights), test::style(), combining(Combination::Flow),
            nullptr, {nullptr, "too many tokens"});
        QCOMPARE(figure.combinedUnavailableReason(), QString("too many tokens"));
        QCOMPARE(figure.enlarged().content().title, QString("attention flow"));
        QImage image(900, 600, QImage::Format_RGB32);
        QPainter painter(&image);
        figure.paint(painter, QRectF(0, 0, 900, 600), Device::Raster);
        // The difference of two runs has no combined heads. The figure shows the reason instead.
        FigureInput input{.trace = trace, .selection = test::at(Stage::AttentionWeights)};
        input.options = combining(Combination::Mean);
        input.options.compared.a = trace;
        QVERIFY(infoOf(core::View::Heads).comparisonUnavailableReason(input).isEmpty());
        input.options.compared.shown = ComparisonSide::Difference;
        QVERIFY(!infoOf(core::View::Heads).comparisonUnavailableReason(input).isEmpty());
        QVERIFY(!infoOf(core::View::Heads).makeFigure(input)->description().isEmpty());
    }

    void chosenHeads() {
        HeadCombination mean;
        mean.combination = Combination::Mean;
        const auto headsOf = [&](std::vector<core::Index> heads, core::Index count) {
            return mean.request({false, std::move(heads)}, count).heads;
        };
        using Heads = std::vector<core::Index>;
        QCOMPARE(headsOf({}, 3), (Heads{0, 1, 2}));
        QCOMPARE(headsOf({1, 2}, 3), (Heads{1, 2}));
        QCOMPARE(headsOf({4, 7}, 2),
                 (Heads{0, 1})); // all heads, if the model lacks the chosen ones
        QCOMPARE(headsOfSetting(settingOf({1, 4})), (Heads{1, 4}));
        QCOMPARE(headsOfSetting(""), Heads());
        for (const char *wrong : {"a", "1,a", "-1", "4,1", "1,1", "99999999999999999999"})
            QVERIFY2(headsOfSetting(wrong).empty(), wrong);
    }

    /// In tiles, cells are pairs of tokens. In the large matrix, they are pairs of words.
    void cellsAreCounted() {
        FigureOptions options = combining(Combination::Mean);
        QCOMPARE(figureOf(tracePieces(), options).cellCount(), qint64(5 * 36));
        options.combination.words = true;
        QCOMPARE(figureOf(tracePieces(), options).cellCount(), qint64(16 + 4 * 36));
    }

    void wordsOfOptions() {
        for (const char *word : {"none", "special", "first", "special,first"})
            QCOMPARE(nameOf(findLeftOutKeys(word).value()), QString(word));
        for (const char *word : {"all", "0.05", "90%", "0.5%", "7%", "33.3333333%", "0.123456789"})
            QCOMPARE(nameOf(findKeptWeights(word).value()), QString(word));
        for (const char *wrong : {"", "2", "-1", "101%", "%", "nan", "a"})
            QVERIFY2(!findKeptWeights(wrong), wrong);
        QVERIFY(!findLeftOutKeys("last"));
    }

    /// Each number's position on the colour map follows the definition of the scale, and positions
    /// are in the order of the numbers.
    void scales() {
        for (const ColourMap map : {ColourMap::Viridis, ColourMap::BlueWhiteRed}) {
            const bool isSigned = isDiverging(map);
            for (const Scaling scaling : kScalings) {
                ColourScale scale = ColourScale::between(map, isSigned ? -2 : 0, 2);
                scale.setScaling(scaling);
                double before = -1;
                for (double value = isSigned ? -2 : 0; value <= 2; value += 0.01) {
                    const double share = std::abs(value) / 2;
                    const double part = scaling == Scaling::Linear       ? share
                                        : scaling == Scaling::SquareRoot ? std::sqrt(share)
                                        : share < 1e-4                   ? 0
                                                       : 1 + std::log10(share) / 4;
                    const double expected = !isSigned ? part : 0.5 + (value < 0 ? -part : part) / 2;
                    const double position = scale.position(0, value);
                    QVERIFY(std::abs(position - expected) < 1e-9);
                    QVERIFY(position >= before);
                    before = position;
                }
                QCOMPARE(scale.position(0, 2), 1.0);
                QCOMPARE(scale.position(0, 0), isSigned ? 0.5 : 0.0);
            }
        }
        ColourScale scale = ColourScale::between(ColourMap::Viridis, 0, 1);
        QCOMPARE(scale.lowText(), QString("0"));
        scale.setScaling(Scaling::Logarithmic);
        QCOMPARE(scale.lowText(), QString("≤ 1.000·10⁻⁴"));
        QVERIFY(scale.rangeText().startsWith("logarithmic"));
    }

    /// A picture of many cells is painted by rows of pixels. Without a pyramid, each pixel has the
    /// colour of its strongest cell or of the mean of its cells.
    void manyCellsHaveTheColourOfTheirStrongest_data() {
        test::addCombinations<int, int, bool, bool>({"range", "blocks", "masked", "few"}, {0, 1, 2},
                                                    {0, 1}, {false, true}, {false, true});
    }
    void manyCellsHaveTheColourOfTheirStrongest() {
        QFETCH(int, range);
        QFETCH(int, blocks);
        QFETCH(bool, masked);
        QFETCH(bool, few); // few cells are read one by one
        constexpr core::Index kRows = 620, kColumns = 731;
        HeatmapContent content = largeContent(kRows, kColumns, 5, static_cast<Range>(range));
        content.blocks = static_cast<BlockNumber>(blocks);
        if (masked)
            content.mask = std::make_shared<const core::Mask>(core::MaskLayers{core::CausalMask{}},
                                                              0, kRows, kColumns, kColumns);
        const HeatmapGeometry geometry =
            few ? geometryOf(300, 400, {13, 17}) : geometryOf(kRows - 20, kColumns - 31, {13, 17});
        const QSize pixels(97, 211);
        const QImage image =
            cellImage(geometry, content, test::style(), test::style().surface, 1, pixels);
        const core::SharedMatrix matrix = content.matrix();
        int hidden = 0;
        for (int y = 0; y < pixels.height(); ++y)
            for (int x = 0; x < pixels.width(); ++x) {
                const auto first = [](int pixel, int count, core::Index cells, core::Index origin) {
                    return origin + pixel * cells / count;
                };
                double strongest = -1, sum = 0;
                int count = 0;
                core::Index row = 0;
                for (core::Index r = first(y, pixels.height(), geometry.rows, 13);
                     r < first(y + 1, pixels.height(), geometry.rows, 13); ++r)
                    for (core::Index c = first(x, pixels.width(), geometry.columns, 17);
                         c < first(x + 1, pixels.width(), geometry.columns, 17); ++c) {
                        if (content.isHidden(r, c))
                            continue;
                        const auto number = static_cast<double>(matrix(r, c));
                        const double share = content.scale.range() == Range::PerRow
                                                 ? number / content.scale.endsOf(r).high
                                                 : number;
                        if (share > strongest) {
                            strongest = share;
                            row = r;
                        }
                        sum += share;
                        ++count;
                    }
                hidden += count == 0;
                const double shown = blocks == 1 ? sum / std::max(1, count) : strongest;
                const double high =
                    content.scale.range() == Range::PerRow ? content.scale.endsOf(row).high : 1;
                const QRgb expected = count == 0 ? test::style().hidden.rgb()
                                                 : content.scale.colour(row, shown * high);
                QVERIFY2(isNear(image.pixel(x, y), expected),
                         test::said("%1, %2", QString::number(x), QString::number(y)));
            }
        QCOMPARE(hidden > 0, masked);
    }

    /// Blocks at the edge of the mask have fewer cells, and count less.
    void aMeanFromAPyramidIsThatOfTheCells() {
        constexpr core::Index kSide = 1024;
        HeatmapContent content = largeContent(kSide, kSide, 9);
        content.blocks = BlockNumber::Mean;
        content.mask = std::make_shared<const core::Mask>(core::MaskLayers{core::CausalMask{}}, 0,
                                                          kSide, kSide, kSide);
        const QSize pixels(64, 16); // four blocks of 16 × 16 in each pixel
        const auto picture = [&] {
            return cellImage(geometryOf(kSide, kSide), content, test::style(),
                             test::style().surface, 1, pixels);
        };
        const QImage exact = picture();
        const core::SharedMatrix matrix = content.matrix();
        content.pyramid = std::make_shared<const core::MatrixPyramid>(test::valueOf(
            core::MatrixPyramid::of(matrix.view(), content.mask.get(), BlockNumber::Mean, false)));
        const QImage fast = picture();
        for (int y = 0; y < pixels.height(); ++y)
            for (int x = 0; x < pixels.width(); ++x)
                QVERIFY2(isNear(fast.pixel(x, y), exact.pixel(x, y)),
                         test::said("%1, %2", QString::number(x), QString::number(y)));
    }

    /// With a pyramid, a pixel reads whole blocks: no strong cell is lost, and none comes from
    /// farther away than a block.
    void aPyramidLosesNoStrongCell() {
        constexpr core::Index kSide = 1500;
        std::vector<float> numbers(kSide * kSide, 0.01F);
        const std::vector<Cell> strong{{0, 0}, {777, 3}, {1499, 1499}, {640, 641}};
        for (const Cell &cell : strong)
            numbers[static_cast<std::size_t>(cell.row * kSide + cell.column)] = 1;
        HeatmapContent content;
        content.tensor = core::Tensor({1, 1, kSide, kSide}, std::move(numbers));
        content.scale = ColourScale::between(ColourMap::Viridis, 0, 1);
        const core::SharedMatrix matrix = content.matrix();
        content.pyramid = std::make_shared<const core::MatrixPyramid>(test::valueOf(
            core::MatrixPyramid::of(matrix.view(), nullptr, BlockNumber::Largest, false)));
        const QSize pixels(110, 90);
        const QImage image = cellImage(geometryOf(kSide, kSide), content, test::style(),
                                       test::style().surface, 1, pixels);
        const QRgb bright = content.scale.colour(0, 1);
        for (const Cell &cell : strong)
            QCOMPARE(image.pixel(static_cast<int>(cell.column * 110 / kSide),
                                 static_cast<int>(cell.row * 90 / kSide)),
                     bright);
        int count = 0;
        for (int y = 0; y < pixels.height(); ++y)
            for (int x = 0; x < pixels.width(); ++x)
                count += image.pixel(x, y) == bright;
        QVERIFY(count <= 9 * static_cast<int>(strong.size()));
    }
};

HEADLIGHT_WIDGET_TEST(CombinedHeadsTest)
#include "tst_combined_heads.moc"
