// Every painted cell has the trace's number for its row, column, head and sequence, inside the
// cell's rectangle, and the colour of this number.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/heatmap/heatmap_painting.h"

#include <functional>

namespace {

const FigureStyle kStyle = FigureStyle::light();
constexpr double kLaterShare = 0.38; // opacity of stages that come after the current one

/// Returns a number of the tensor by its offset in memory, independently of the figures' code.
float numberAt(const core::Tensor &tensor, Index sequence, Index head, Index row, Index column) {
    const core::Shape &shape = tensor.shape();
    const Index rows = shape.last(1), columns = shape.last(0);
    const Index matrix = shape.rank() == 4 ? sequence * shape[1] + head : sequence;
    return tensor.values()[static_cast<std::size_t>((matrix * rows + row) * columns + column)];
}

/// Returns a recipe with two sequences of different lengths and two heads. All matrices differ, and
/// none of them is symmetric.
test::TraceRecipe recipe() {
    test::TraceRecipe recipe;
    recipe.tokens = {{"She", "visited", "the", "bank"}, {"the", "river", "near", "the", "bank"}};
    recipe.masks = {core::CausalMask{}, core::PaddingMask{}};
    recipe.width = 6;
    recipe.headSize = 3;
    return recipe;
}

/// The expected look of a matrix.
struct Wanted {
    HeatmapGeometry places;
    std::function<float(Index, Index)> number;
    std::function<QRgb(Index, Index)> colour; ///< null: colours are not compared
    std::function<bool(Index, Index)> isHidden = [](Index, Index) { return false; };
    std::function<bool(Index, Index)> hasNumber = [](Index, Index) { return true; };
    /// The form of all numbers. None if cells have no numbers.
    std::optional<CellNumbers> form = CellNumbers();
    std::optional<QRgb> faintOn; ///< background that the colours may be blended with
};

QString cellName(Index row, Index column) {
    return QStringLiteral("row %1, column %2").arg(row).arg(column);
}

} // namespace

class PaintedNumbersTest : public QObject {
    Q_OBJECT

    int m_numbers = 0; // counts of the comparisons, so that a test fails if it finds nothing
    int m_colours = 0;

    void checkNumber(const PaintingRecord &record, const Wanted &wanted, Index row, Index column) {
        QStringList found;
        for (const QString &text : record.textsIn(wanted.places.cellRect(row, column)))
            if (test::looksLikeANumber(text))
                found.append(text);
        const QString name = cellName(row, column);
        if (!wanted.form || !wanted.hasNumber(row, column)) {
            QVERIFY2(found.isEmpty(), qPrintable(name + " has " + found.join(' ')));
            return;
        }
        const QString number = wanted.form->text(static_cast<double>(wanted.number(row, column)));
        QVERIFY2(found == QStringList{number},
                 test::said("%1 is %2 and has %3", name, number, found.join(QLatin1Char(' '))));
        ++m_numbers;
    }
    void checkColour(const PaintingRecord &record, const Wanted &wanted, Index row, Index column) {
        const QRgb colour =
            wanted.isHidden(row, column) ? kStyle.hidden.rgb() : wanted.colour(row, column);
        std::vector<QRgb> allowed{colour};
        if (wanted.faintOn)
            allowed.push_back(mixed(QColor(colour), QColor(*wanted.faintOn), kLaterShare).rgb());
        std::vector<QRgb> found = record.fillsOf(wanted.places.cellRect(row, column));
        for (const PaintingRecord::Image &image :
             record.images) // a raster device paints an image with one pixel per cell
            if (image.rect == wanted.places.cells && image.image.width() == wanted.places.columns &&
                image.image.height() == wanted.places.rows)
                found.push_back(image.image.pixel(static_cast<int>(column), static_cast<int>(row)));
        const QString name = cellName(row, column);
        QVERIFY2(found.size() == 1, test::said("%1 is painted %2 times", name, found.size()));
        QVERIFY2(std::ranges::find(allowed, found[0]) != allowed.end(),
                 qPrintable(QStringLiteral("%1 is #%2 and has #%3")
                                .arg(name)
                                .arg(colour & 0xffffff, 6, 16, QLatin1Char('0'))
                                .arg(found[0] & 0xffffff, 6, 16, QLatin1Char('0'))));
        ++m_colours;
    }
    void check(const PaintingRecord &record, const Wanted &wanted) {
        QVERIFY(wanted.places.rows > 0 && wanted.places.columns > 0);
        for (Index row = 0; row < wanted.places.rows; ++row)
            for (Index column = 0; column < wanted.places.columns; ++column) {
                checkNumber(record, wanted, row, column);
                if (wanted.colour)
                    checkColour(record, wanted, row, column);
                if (QTest::currentTestFailed())
                    return;
            }
    }

    /// Returns the form of numbers that most cells of a small matrix have, so that a number in
    /// another form is detected. None if no cell has a number.
    static std::optional<CellNumbers> formIn(const PaintingRecord &record, const Wanted &wanted) {
        std::optional<CellNumbers> best;
        int most = 0;
        for (const CellNumbers form : {CellNumbers{2, 4}, {1, 4}, {0, 4}, {1, 3}, {0, 3}}) {
            int count = 0;
            for (Index row = 0; row < wanted.places.rows; ++row)
                for (Index column = 0; column < wanted.places.columns; ++column)
                    count += static_cast<int>(
                        record.textsIn(wanted.places.cellRect(row, column))
                            .contains(form.text(static_cast<double>(wanted.number(row, column)))));
            if (count > most) {
                most = count;
                best = form;
            }
        }
        return best;
    }

    /// Returns what the trace's stage should look like.
    static Wanted wantedOf(const core::TracePointer &trace, const core::Selection &place,
                           const HeatmapGeometry &places) {
        const core::Tensor tensor = trace->stage(place.stage, place.attention());
        const ColourScale scale = HeatmapFigure::fromTrace(trace, place, kStyle).content().scale;
        Wanted wanted;
        wanted.places = places;
        wanted.number = [=](Index row, Index column) {
            return numberAt(tensor, place.sequence, place.head, row, column);
        };
        wanted.colour = [number = wanted.number, scale](Index row, Index column) {
            return scale.colour(row, static_cast<double>(number(row, column)));
        };
        if (place.stage == Stage::MaskedScores || place.stage == Stage::AttentionWeights)
            wanted.isHidden = [length = trace->batch()[place.sequence].length](Index row,
                                                                               Index column) {
                return column > row || column >= length; // causal mask and padding
            };
        return wanted;
    }

    static void everyPlace() {
        test::addCombinations<Stage, Index, Index, bool>(
            {"stage", "sequence", "head", "vector"},
            {Stage::Embeddings, Stage::Query, Stage::Key, Stage::Value, Stage::Scores,
             Stage::ScaledScores, Stage::MaskedScores, Stage::AttentionWeights, Stage::Context,
             Stage::Concatenated, Stage::Output},
            {0, 1}, {0, 1}, {false, true});
    }

    /// Test data of everyPlace().
    struct Place {
        core::Selection selection;
        Device device;
    };
    static Place fetched() {
        QFETCH(Stage, stage);
        QFETCH(Index, sequence);
        QFETCH(Index, head);
        QFETCH(bool, vector);
        return {test::at(stage, head, sequence), vector ? Device::Vector : Device::Raster};
    }

  private slots:
    void init() { m_numbers = m_colours = 0; }
    void cleanup() {
        if (!QTest::currentTestFailed())
            QVERIFY(m_numbers > 0 && m_colours > 0);
    }

    void heatmap_data() { everyPlace(); }
    void heatmap() {
        const auto [place, device] = fetched();
        const auto trace = test::makeTrace(recipe());
        const auto figure = HeatmapFigure::fromTrace(trace, place, kStyle);
        const QSizeF size(900, 700);
        check(PaintingRecord::of(figure, size, device),
              wantedOf(trace, place, figure.geometry(QRectF(QPointF(), size))));
    }

    /// The enlarged head with numbers, and each thumbnail under its name.
    void heads_data() {
        using enum core::HeadOrder;
        test::addCombinations<core::HeadOrder, Stage, bool>(
            {"order", "stage", "vector"}, {ByIndex, Entropy, Diagonal, FirstToken},
            {Stage::AttentionWeights, Stage::Query}, {false, true});
    }
    void heads() {
        QFETCH(core::HeadOrder, order);
        QFETCH(Stage, stage);
        QFETCH(bool, vector);
        test::TraceRecipe many = recipe();
        many.heads = 5;
        const auto trace = test::makeTrace(many);
        FigureOptions options;
        options.order = order;
        const QSizeF size(1500, 900);
        const core::Selection place = test::at(stage, 3, 1);
        const auto figure = HeadsFigure::fromTrace(trace, place, kStyle, options);
        const PaintingRecord record =
            PaintingRecord::of(figure, size, vector ? Device::Vector : Device::Raster);
        const HeadsGeometry geometry = figure.geometry(QRectF(QPointF(), size));
        check(record, wantedOf(trace, place, geometry.enlarged));
        QSet<QString> named;
        QCOMPARE(geometry.tiles.size(), std::size_t(5));
        for (std::size_t tile = 0; tile < geometry.tiles.size(); ++tile) {
            const QString name = record.textsIn(geometry.titles[tile]).join(' ');
            const QString head = name.section(' ', 1, 1);
            QVERIFY2(name.startsWith("head "), qPrintable(name));
            named.insert(head);
            Wanted wanted = wantedOf(trace, test::at(stage, head.toInt(), 1),
                                     geometry.tileCells(static_cast<Index>(tile)));
            wanted.form = formIn(record, wanted);
            check(record, wanted);
        }
        QCOMPARE(named.size(), 5);
    }

    void whole_data() { everyPlace(); }
    void whole() {
        const auto [wish, device] = fetched();
        const auto trace = test::makeTrace(recipe());
        const core::Selection place = WholeFigure::shown(*trace, wish);
        const auto figure = WholeFigure::fromTrace(trace, place, kStyle);
        const QSizeF size(2400, 1200);
        const PaintingRecord record = PaintingRecord::of(figure, size, device);
        const WholeGeometry geometry = figure.places(QRectF(QPointF(), size)).map;
        QVERIFY(geometry.nodes.size() > 5);
        for (const WholeNode &node : geometry.nodes) {
            core::Selection small = place;
            small.stage = node.at.stage;
            Wanted wanted = wantedOf(trace, small, node.cells());
            wanted.form = formIn(record, wanted);
            QVERIFY2(wanted.form, core::infoOf(node.at.stage).name.data());
            wanted.faintOn = kStyle.background.rgb();
            check(record, wanted);
        }
        // The parameter matrices show the model's parameters for this head.
        for (const WholeNode &node : geometry.learned) {
            const core::AttentionParameters &weights =
                trace->model().parameters.main.layers[0].selfAttention;
            const core::Parameter &whole = node.at.stage == Stage::Query   ? weights.query
                                           : node.at.stage == Stage::Key   ? weights.key
                                           : node.at.stage == Stage::Value ? weights.value
                                                                           : weights.output;
            const Index first = node.at.stage == Stage::Output ? 0 : 3 * place.head;
            Wanted wanted;
            wanted.places = node.cells();
            QCOMPARE(wanted.places.rows, whole->rows());
            QCOMPARE(wanted.places.columns, node.at.stage == Stage::Output ? 6 : 3);
            wanted.number = [&](Index row, Index column) { return (*whole)(row, first + column); };
            wanted.form = formIn(record, wanted);
            check(record, wanted);
        }
        QVERIFY(geometry.learned.size() >= 3);
    }

    /// Every number is within its cell, large enough to read, and has enough contrast, in the light
    /// and dark styles, before and after the current stage.
    void numbersCanBeRead_data() {
        test::addCombinations<QSizeF, bool, double>(
            {"size", "dark", "textScale"},
            {QSizeF(800, 560), QSizeF(1100, 800), QSizeF(1900, 1200)}, {false, true}, {1, 1.5});
    }
    void numbersCanBeRead() {
        QFETCH(QSizeF, size);
        QFETCH(bool, dark);
        QFETCH(double, textScale);
        const FigureStyle style =
            dark ? FigureStyle::dark(textScale) : FigureStyle::light(textScale);
        const auto trace = test::makeTrace(recipe());
        for (const Stage stage : {Stage::Query, Stage::MaskedScores, Stage::AttentionWeights}) {
            const auto figure = WholeFigure::fromTrace(trace, test::at(stage, 1, 0), style);
            const PaintingRecord record = PaintingRecord::of(figure, size, Device::Vector);
            const WholeGeometry geometry = figure.places(QRectF(QPointF(), size)).map;
            const auto checkAll = [&](const HeatmapGeometry &places) {
                for (const PaintingRecord::Text &text : record.texts) {
                    const auto cell = places.cellAt(text.centre);
                    if (!cell || !test::looksLikeANumber(text.text))
                        continue;
                    QVERIFY2(text.width <= places.cell.width() - 2, qPrintable(text.text));
                    QVERIFY(text.pixels <= places.cell.height());
                    QVERIFY(text.pixels >= 8);
                    // The background is the last fill at this place.
                    QRgb fill = 0;
                    for (const PaintingRecord::Fill &one : record.fills)
                        if (one.rect.contains(text.centre))
                            fill = one.colour;
                    QVERIFY2(contrastOf(QColor(text.colour), QColor(fill)) >= 4.5,
                             qPrintable(QStringLiteral("%1 on #%2")
                                            .arg(text.text)
                                            .arg(fill & 0xffffff, 6, 16, QLatin1Char('0'))));
                    ++m_numbers;
                    ++m_colours;
                }
            };
            for (const auto *list : {&geometry.nodes, &geometry.learned})
                for (const WholeNode &node : *list)
                    checkAll(node.cells());
        }
    }

    /// Small heatmaps are compared with each other, so it would mislead if only some had numbers.
    void allSmallHeadsHaveNumbersOrNone() {
        test::TraceRecipe many = recipe();
        many.heads = 5;
        const auto trace = test::makeTrace(many);
        const core::Selection place = test::at(Stage::Query, 3, 1);
        const auto figure = HeadsFigure::fromTrace(trace, place, kStyle, {});
        m_colours = 1; // colours are not compared
        for (double width = 300; width <= 1500; width += 20) {
            const QSizeF size(width, 0.6 * width);
            const PaintingRecord record = PaintingRecord::of(figure, size, Device::Vector);
            const HeadsGeometry geometry = figure.geometry(QRectF(QPointF(), size));
            Index having = 0;
            for (std::size_t tile = 0; tile < geometry.tiles.size(); ++tile) {
                const Index head =
                    record.textsIn(geometry.titles[tile]).join(' ').section(' ', 1, 1).toInt();
                if (formIn(record, wantedOf(trace, test::at(Stage::Query, head, 1),
                                            geometry.tileCells(static_cast<Index>(tile)))))
                    ++having;
            }
            QVERIFY2(having == 0 || having == 5, qPrintable(QString::number(width)));
            m_numbers += static_cast<int>(having);
        }
    }

    /// One large number determines the form of the whole matrix. Larger cells have more decimals.
    void aMatrixHasOneNumberOfDecimals() {
        m_colours = 1; // colours are not compared
        HeatmapContent content;
        content.tensor = core::Tensor(core::Shape{1, 2, 3}, {0.25f, 123.456f, -7, 0, 0.0004f, 1});
        content.scale = ColourScale::between(ColourMap::BlueWhiteRed, -124, 124);
        int before = -1;
        for (const double width : {140.0, 200.0, 1200.0}) {
            const HeatmapFigure figure(content, kStyle);
            const QSizeF size(width, 0.7 * width);
            const PaintingRecord record = PaintingRecord::of(figure, size, Device::Vector);
            const HeatmapGeometry places = figure.geometry(QRectF(QPointF(), size));
            std::set<qsizetype> decimals;
            QRgb zero = 0, other = 0;
            for (Index row = 0; row < 2; ++row)
                for (Index column = 0; column < 3; ++column) {
                    const QRectF cell = places.cellRect(row, column);
                    const QString text = record.textsIn(cell).join(' ');
                    QVERIFY(!text.isEmpty());
                    const bool isExactZero = row == 1 && column == 0;
                    QCOMPARE(text == "0", isExactZero);
                    if (!isExactZero)
                        decimals.insert(text.contains('.') ? text.section('.', 1).size() : 0);
                    for (const PaintingRecord::Text &one : record.texts)
                        if (cell.contains(one.centre))
                            (isExactZero ? zero : other) = one.colour;
                    ++m_numbers;
                }
            QCOMPARE(decimals.size(), std::size_t(1));
            QVERIFY2(*decimals.begin() > before, test::said("%1: %2", width, *decimals.begin()));
            before = static_cast<int>(*decimals.begin());
            QVERIFY(zero != other); // zeros are fainter than other numbers
        }
        QCOMPARE(before, CellNumbers::kMaxDecimals);
    }

    /// A variance of .002, which is a divisor, is not shown as .00 if its cell can hold more.
    void smallNumbersShowADigit() {
        ++m_numbers;
        ++m_colours; // nothing is painted
        HeatmapContent content;
        content.tensor = core::Tensor(core::Shape{1, 1, 3, 1}, {0.3f, 0.002f, 1e-9f});
        const auto decimals = [&](double width) {
            return writtenIn(QSizeF(width, 30), content, kStyle).decimals;
        };
        QCOMPARE(decimals(80), 2);
        content.showsSmall = true;
        QCOMPARE(decimals(80), 3);
        int before = 3;
        for (double width = 80; width > 8; --width) {
            QVERIFY(decimals(width) <= before || before < 2);
            before = decimals(width);
        }
        QVERIFY(before < 3); // a narrow cell cannot hold three decimals
    }

    void numbersGrowWithTheirCells() {
        m_colours = 1; // colours are not compared
        const auto trace = test::makeTrace(recipe());
        int before = 0;
        for (const double side : {260.0, 400.0, 900.0}) {
            const auto figure =
                HeatmapFigure::fromTrace(trace, test::at(Stage::AttentionWeights), kStyle);
            const QSizeF size(side, side);
            const HeatmapGeometry places = figure.geometry(QRectF(QPointF(), size));
            const PaintingRecord record = PaintingRecord::of(figure, size, Device::Vector);
            std::set<int> sizes;
            for (const PaintingRecord::Text &text : record.texts)
                if (places.cellAt(text.centre) && test::looksLikeANumber(text.text))
                    sizes.insert(text.pixels);
            QCOMPARE(sizes.size(), std::size_t(1));
            QVERIFY(*sizes.begin() > before);
            before = *sizes.begin();
            ++m_numbers;
        }
        QVERIFY(before >= 22);
    }

    /// While stepping by row or cell, later cells have no numbers yet.
    void closeUpByCells_data() {
        test::addRows("granularity", {Granularity::Row, Granularity::Cell});
    }
    void closeUpByCells() {
        QFETCH(Granularity, granularity);
        const auto trace = test::makeTrace(recipe());
        core::Selection place = test::at(Stage::Query, 1, 1);
        place.query = 2;
        if (granularity == Granularity::Cell)
            place.dimension = 1;
        FigureOptions options;
        options.granularity = granularity;
        const auto figure = CloseUpFigure::fromTrace(trace, place, kStyle, options);
        const QSizeF size(1900, 1200);
        Wanted wanted =
            wantedOf(trace, place, figure.places(QRectF(QPointF(), size)).picture.result.cells);
        const auto isLater = [granularity](Index row, Index column) {
            return row > 2 || (row == 2 && column > 1 && granularity == Granularity::Cell);
        };
        wanted.colour = [colour = wanted.colour, isLater](Index row, Index column) {
            return isLater(row, column)
                       ? mixed(QColor(colour(row, column)), kStyle.background, 0.3).rgb()
                       : colour(row, column);
        };
        wanted.hasNumber = std::not_fn(isLater);
        check(PaintingRecord::of(figure, size, Device::Vector), wanted);
    }

    void similarity_data() {
        test::addCombinations<Index, Index>({"sequence", "layer"}, {0, 1}, {0, 1});
    }
    void similarity() {
        QFETCH(Index, sequence);
        QFETCH(Index, layer);
        test::TraceRecipe deep = recipe();
        deep.layers = 2;
        const auto trace = test::makeTrace(deep);
        core::Selection place = test::at(Stage::AttentionWeights, 1, sequence);
        place.layer = layer;
        FigureOptions options;
        options.contextual = Stage::Context;
        const auto figure = SimilarityFigure::fromTrace(trace, place, kStyle, options);
        const QSizeF size(1500, 900);
        const PaintingRecord record = PaintingRecord::of(figure, size, Device::Vector);
        const SimilarityGeometry geometry = figure.geometry(QRectF(QPointF(), size));
        // The input of a deeper layer is the output of the previous one.
        const core::Tensor before = layer == 0 ? trace->stage(Stage::Embeddings)
                                               : trace->stage(Stage::LayerOutput, {layer - 1});
        const core::Tensor after = trace->stage(Stage::Context, {layer});
        const Index length = trace->batch()[sequence].length;
        for (const std::size_t side : {std::size_t(0), std::size_t(1)}) {
            const core::Tensor &tensor = side == 0 ? before : after;
            Wanted wanted;
            wanted.places = geometry.heatmaps[side];
            QCOMPARE(wanted.places.rows, length);
            wanted.number = [&](Index row, Index column) {
                double dot = 0, a = 0, b = 0;
                for (Index i = 0; i < tensor.shape().last(0); ++i) {
                    const double x = numberAt(tensor, sequence, 1, row, i);
                    const double y = numberAt(tensor, sequence, 1, column, i);
                    dot += x * y;
                    a += x * x;
                    b += y * y;
                }
                return static_cast<float>(std::clamp(dot / std::sqrt(a * b), -1.0, 1.0));
            };
            wanted.colour = [&](Index row, Index column) {
                return ColourScale::between(kStyle.signedMap, -1, 1)
                    .colour(row, static_cast<double>(wanted.number(row, column)));
            };
            check(record, wanted);
        }
    }

    void compared_data() {
        test::addCombinations<Stage, ComparisonSide>(
            {"stage", "shown"},
            {Stage::Embeddings, Stage::Query, Stage::Scores, Stage::AttentionWeights,
             Stage::Output},
            {ComparisonSide::A, ComparisonSide::Difference});
    }
    void compared() {
        QFETCH(Stage, stage);
        QFETCH(ComparisonSide, shown);
        test::TraceRecipe other = recipe();
        other.seed = 9;
        const auto trace = test::makeTrace(recipe());
        const auto a = test::makeTrace(other);
        FigureOptions options;
        options.compared = {shown, a, {}, QStringLiteral("before")};
        const core::Selection place = test::at(stage, 1, 1);
        const core::Tensor now = trace->stage(stage), before = a->stage(stage);
        const QSizeF size(1500, 900);
        const auto checked = [&](const Figure &figure, const HeatmapFigure &shownFigure,
                                 const HeatmapGeometry &places) {
            Wanted wanted;
            wanted.places = places;
            wanted.number = [&](Index row, Index column) {
                const float numberOfA = numberAt(before, 1, 1, row, column);
                return shown == ComparisonSide::A
                           ? numberOfA
                           : static_cast<float>(
                                 static_cast<double>(numberAt(now, 1, 1, row, column)) -
                                 static_cast<double>(numberOfA));
            };
            wanted.colour = [&](Index row, Index column) {
                return shownFigure.content().scale.colour(
                    row, static_cast<double>(wanted.number(row, column)));
            };
            if (stage == Stage::AttentionWeights)
                wanted.isHidden = [](Index row, Index column) { return column > row; };
            if (shown == ComparisonSide::Difference) // a hidden cell has no difference
                wanted.hasNumber = std::not_fn(wanted.isHidden);
            check(PaintingRecord::of(figure, size, Device::Vector), wanted);
        };
        const QRectF area(QPointF(), size);
        const auto one = HeatmapFigure::fromTrace(trace, place, kStyle, options);
        checked(one, one, one.geometry(area));
        if (!core::infoOf(stage).perHead)
            return;
        const auto all = HeadsFigure::fromTrace(trace, place, kStyle, options);
        checked(all, all.enlarged(), all.geometry(area).enlarged);
    }
};

HEADLIGHT_WIDGET_TEST(PaintedNumbersTest)
#include "tst_painted_numbers.moc"
