// The Lines view with mouse and keyboard, its pixels, and its layout.
#include "tests/support/long_input.h"
#include "tests/ui/figures/figure_fixture.h"
#include "tests/ui/views/view_fixture.h"
#include "ui/figures/base/head_colours.h"
#include "ui/figures/lines/line_batches.h"
#include "ui/figures/text/text.h"
#include "ui/views/lines_bar.h"
#include "ui/views/lines_view.h"
#include "ui/views/query_key_view.h"
#include "ui/views/text_view.h"
#include "ui/views/token_finder.h"

#include <QLabel>
#include <QSlider>
#include <QToolButton>

using headlight::test::Fixture;

namespace {

using Side = LineToken::Side;

FigureOptions withLines(double threshold, LineHeads heads = {}) {
    FigureOptions options;
    options.headLines = {std::move(heads), threshold};
    return options;
}

LinesFigure figureOf(const core::TracePointer &trace, const FigureOptions &options,
                     std::optional<core::Index> query = {},
                     const FigureStyle &style = FigureStyle::light()) {
    core::Selection selection;
    selection.query = query;
    return LinesFigure::fromTrace(trace, selection, style, options);
}

QImage paintedLines(const LinesFigure &figure, const QSize &size) {
    QImage image(size, QImage::Format_RGB32);
    QPainter painter(&image);
    figure.paint(painter, QRectF(QPointF(), size), Device::Raster);
    return image;
}

/// Counts the pixels of a column that are not the background.
int inkIn(const QImage &image, int x, double from, double to, const QColor &background) {
    int ink = 0;
    for (int y = qRound(from); y < qRound(to); ++y)
        ink += image.pixelColor(x, y) != background;
    return ink;
}

template <typename View>
void nextLayerIsPrepared() {
    Fixture<View> fixture(test::longInput());
    fixture.select({.stage = Stage::AttentionWeights, .query = 7, .layer = 4});
    HEADLIGHT_UNTIL_EQUAL(fixture.selection().layer, core::Index(4));
    HEADLIGHT_UNTIL(((void)fixture.view.grab(), fixture.view.isComplete()));
    (void)fixture.view.grab(); // requests the neighbours
    HEADLIGHT_UNTIL_EQUAL(fixture.document.neighbours().count(), std::size_t(2));
    fixture.select({.stage = Stage::AttentionWeights, .query = 7, .layer = 5});
    QCOMPARE(fixture.selection().layer, core::Index(5));
    QVERIFY(!fixture.document.isPreparing());
    fixture.view.hide();
    QCOMPARE(fixture.document.neighbours().count(), std::size_t(0));
}

} // namespace

class LinesViewTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// Near a key, a line of the pinned row has no other lines around it.
    void thicknessAndColourFollowTheWeight() {
        for (const FigureStyle &style : {FigureStyle::light(), FigureStyle::dark()}) {
            const core::TracePointer trace = test::makeTrace();
            const LinesFigure figure = figureOf(trace, withLines(0), 7, style);
            const QSize size(900, 500);
            const LinesGeometry places = figure.geometry(QRectF(QPointF(), size));
            const QImage image = paintedLines(figure, size);
            const int x = qRound(places.lines.right()) - 2;
            std::vector<std::pair<double, double>> inks; // weight, sum of pixel differences
            const core::SharedMatrix weights = trace->matrix(Stage::AttentionWeights, {}, 0, 0);
            for (core::Index key = 0; key < 8; ++key) {
                const double y = places.keys[static_cast<std::size_t>(key)].center().y();
                double ink = 0;
                for (int at = qRound(y - places.step / 2); at < qRound(y + places.step / 2); ++at)
                    ink += std::abs(luminanceOf(image.pixel(x, at)) -
                                    luminanceOf(style.background.rgb()));
                inks.emplace_back(static_cast<double>(weights(7, key)), ink);
            }
            std::ranges::sort(inks);
            for (std::size_t i = 1; i < inks.size(); ++i) {
                QVERIFY(inks[i - 1].second <= inks[i].second + 0.35);
                if (inks[i].first > 2 * inks[i - 1].first + 0.05)
                    QVERIFY(inks[i].second > inks[i - 1].second);
            }
            QVERIFY(inks.back().second > 0.3);
            QVERIFY(figure.lineWidth(1, places) > figure.lineWidth(0.5, places));
            QVERIFY(figure.lineWidth(0.5, places) > figure.lineWidth(0.1, places));
        }
    }

    /// Many lines are painted in bands, at each pixel ratio and scale as if painted at once, and
    /// only within the visible part.
    void bandsOfLinesFitTogether_data() {
        test::addCombinations<double, double>({"ratio", "scale"}, {1.0, 1.5, 2.0}, {1.0, 0.8});
    }
    void bandsOfLinesFitTogether() {
        QFETCH(double, ratio);
        QFETCH(double, scale);
        core::Random random(7);
        std::vector<LineBatch> batches;
        for (int i = 0; i < 60; ++i) {
            LineBatch batch{QPen(QColor::fromHsv(6 * i, 150, 200), 0.75 + 0.1 * i), {}};
            batch.pen.setCapStyle(Qt::FlatCap);
            batch.pen.setStyle(i % 9 == 0 ? Qt::DashLine : Qt::SolidLine);
            for (int line = 0; line < 10; ++line)
                batch.lines << QLineF(30, 400 * random.uniform() - 50, 370,
                                      400 * random.uniform() - 50);
            batches.push_back(std::move(batch));
        }
        const QRectF sight(10, 20, 380, 260);
        QRectF seen; // in pixels
        const auto painted = [&](const QColor &background) {
            QImage image(QSize(420, 320) * ratio, QImage::Format_RGB32);
            image.setDevicePixelRatio(ratio);
            image.fill(Qt::magenta);
            QPainter painter(&image);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.translate(7, 3);
            painter.scale(scale, scale);
            painter.fillRect(sight, Qt::white);
            paintLineBatches(painter, batches, sight, background);
            seen = painter.deviceTransform().mapRect(sight);
            return image;
        };
        const QImage bands = painted(Qt::white), whole = painted(QColor());
        int inked = 0;
        for (int y = 0; y < bands.height(); ++y)
            for (int x = 0; x < bands.width(); ++x) {
                const QColor band = bands.pixelColor(x, y), once = whole.pixelColor(x, y);
                if (!seen.adjusted(-1, -1, 1, 1).contains(QPointF(x, y)))
                    QCOMPARE(band, QColor(Qt::magenta));
                else if (seen.adjusted(1, 1, -2, -2).contains(QPointF(x, y))) {
                    const int difference = std::max({std::abs(band.red() - once.red()),
                                                     std::abs(band.green() - once.green()),
                                                     std::abs(band.blue() - once.blue())});
                    QVERIFY2(difference <= 48, // the end of a dash may be rounded differently
                             test::said("%1 at %2, %3", QString::number(difference),
                                        QString::number(x), QString::number(y)));
                }
                inked += band != Qt::white && band != Qt::magenta ? 1 : 0;
            }
        QVERIFY(inked > bands.width() * bands.height() / 4);
    }

    void weightsBelowTheThresholdHaveNoLine() {
        const core::TracePointer trace = test::makeTrace();
        const core::SharedMatrix weights = trace->matrix(Stage::AttentionWeights, {}, 0, 0);
        std::vector<float> all;
        for (core::Index row = 0; row < weights.rows; ++row)
            for (const float weight : weights.row(row))
                all.push_back(weight);
        std::ranges::sort(all);
        for (const float threshold : {all[all.size() / 2], all[all.size() - 3], 0.F}) {
            const LinesFigure figure = figureOf(trace, withLines(double(threshold)));
            const auto reach = std::ranges::count_if(
                all, [&](float weight) { return weight > 0 && weight >= threshold; });
            QCOMPARE(figure.content().found(), core::Index(reach));
            QCOMPARE(core::Index(figure.content().strong[0]->weights.size()), core::Index(reach));
        }
        // If no weight reaches the threshold, no pixel between the tokens has the head's colour.
        const FigureStyle style = FigureStyle::light();
        const LinesFigure none = figureOf(trace, withLines(1.0), 7);
        QCOMPARE(none.content().found(), core::Index(1)); // the first token attends only to itself
        const QSize size(900, 500);
        const LinesGeometry places = none.geometry(QRectF(QPointF(), size));
        QCOMPARE(inkIn(paintedLines(none, size), qRound(places.lines.center().x()),
                       places.lines.top() + 120, places.lines.bottom(), style.background),
                 0);
    }

    void theStrongestStayIfThereAreTooMany() {
        core::StrongWeightCollector few(0.1, 3);
        const std::vector<float> row{0.1F, 0.5F, 0.05F, 0.3F, 0.F, 0.4F, 0.2F};
        for (core::Index query = 0; query < 40; ++query)
            few.add(query, row);
        const core::StrongWeights strong = few.take();
        QCOMPARE(strong.found, core::Index(200));
        QCOMPARE(strong.largest, 0.5F);
        QCOMPARE(strong.weights.size(), std::size_t(3));
        for (core::Index query = 0; query < 3; ++query)
            QVERIFY((strong.weights[static_cast<std::size_t>(query)] ==
                     core::StrongWeight{int(query), 1, 0.5F}));
    }

    void hoveringATokenShowsOnlyItsLines() {
        Fixture<LinesView> fixture("cat");
        fixture.select({.query = test::none(), .key = test::none()});
        fixture.view.setThreshold(0.01);
        (void)fixture.view.figure();
        const QImage before = fixture.view.grab().toImage();
        const LinesGeometry places = fixture.view.geometry();
        const QString words = fixture.hover(places.queries[2].center());
        QVERIFY(test::says(words, "attends to"));
        QVERIFY((fixture.view.hoveredToken() == LineToken{Side::Query, 2}));
        const QImage hovered = fixture.view.grab().toImage();
        QVERIFY(hovered != before);
        // The lines are as if the token were pinned, without the mark of the selection.
        const auto lines = fixture.view.lines()->linesOf({Side::Query, 2});
        QVERIFY(!lines.empty());
        const core::SharedMatrix weights = fixture.document.trace()->matrix(
            Stage::AttentionWeights, {}, 0, fixture.selection().head);
        for (const LinesFigure::Line &line : lines) {
            QCOMPARE(line.weight.query, 2);
            QCOMPARE(line.weight.weight, weights(2, line.weight.key));
        }
        // The token's weights are shown next to the keys.
        const QRectF number = places.numbers({Side::Key, core::Index(lines.front().weight.key)});
        const auto inkOf = [&](const QImage &image) {
            int ink = 0;
            for (int x = qRound(number.left()); x < qRound(number.right()); ++x)
                ink += inkIn(image, x, number.top() + 2, number.bottom() - 2,
                             fixture.view.figureStyle().background);
            return ink;
        };
        QCOMPARE(inkOf(before), 0);
        QVERIFY(inkOf(hovered) > 10);
        QVERIFY(test::says(fixture.hover(places.keys[0].center()), "gets weight from"));
        fixture.move({2, 2});
        QVERIFY(!fixture.view.hoveredToken());
        QVERIFY(fixture.view.grab().toImage() == before);
    }

    void aClickPinsAndAnotherUnpins() {
        Fixture<LinesView> fixture("cat");
        fixture.select({.query = test::none(), .key = test::none()});
        const LinesGeometry places = fixture.view.geometry();
        fixture.click(places.queries[3].center());
        QVERIFY(test::isAt(fixture.selection(),
                           {.stage = Stage::AttentionWeights, .query = 3, .key = test::none()}));
        fixture.click(places.keys[1].center()); // selects the pair
        QVERIFY(test::isAt(fixture.selection(), {.query = 3, .key = 1}));
        fixture.click(places.keys[1].center());
        QVERIFY(test::isAt(fixture.selection(), {.query = 3, .key = test::none()}));
        fixture.click(places.queries[3].center());
        QVERIFY(test::isAt(fixture.selection(), {.query = test::none(), .key = test::none()}));
        fixture.click(places.keys[2].center()); // without a row, selects only the key
        QVERIFY(test::isAt(fixture.selection(), {.query = test::none(), .key = 2}));
        QVERIFY((fixture.view.lines()->pinned() == LineToken{Side::Key, 2}));
        fixture.key(Qt::Key_Escape);
        QVERIFY(!fixture.view.lines()->pinned());
    }

    void aLineHasItsPairHeadAndWeight() {
        Fixture<LinesView> fixture("cat");
        fixture.select({.query = 5, .key = test::none(), .head = 1});
        fixture.view.setThreshold(0.02);
        (void)fixture.view.figure();
        const LinesGeometry places = fixture.view.geometry();
        const auto lines = fixture.view.lines()->linesOf({Side::Query, 5});
        QVERIFY(!lines.empty());
        const core::StrongWeight strongest = lines.front().weight;
        const QPointF middle = places.line(5, strongest.key).pointAt(0.6);
        const QString words = fixture.hover(middle);
        QVERIFY(test::says(words, "head 1"));
        QVERIFY(words.contains(fullText(strongest.weight)));
        fixture.click(middle);
        QVERIFY(test::isAt(fixture.selection(),
                           {.query = 5, .key = core::Index(strongest.key), .head = 1}));
    }

    void arrowsMoveTheRowAndTheKey() {
        Fixture<LinesView> fixture("cat");
        fixture.select({.query = test::none(), .key = test::none()});
        fixture.key(Qt::Key_Down);
        fixture.key(Qt::Key_Down);
        QVERIFY(test::isAt(fixture.selection(), {.query = 1, .key = test::none()}));
        fixture.key(Qt::Key_Right);
        fixture.key(Qt::Key_Right);
        QVERIFY(test::isAt(fixture.selection(), {.query = 1, .key = 1}));
        fixture.key(Qt::Key_End);
        QVERIFY(test::isAt(fixture.selection(), {.query = 5}));
        fixture.key(Qt::Key_Home);
        QVERIFY(test::isAt(fixture.selection(), {.query = 0}));
        fixture.key(Qt::Key_Up);
        QVERIFY(test::isAt(fixture.selection(), {.query = 0}));
    }

    void aFoundKeyIsScrolledIntoSight() {
        Fixture<LinesView> fixture(test::longInput(400), {}, {960, 420});
        fixture.select({.query = 5, .key = test::none()});
        fixture.view.findTokens();
        auto *finder = fixture.view.findChild<TokenFinder *>();
        for (const core::Index word : {390, 120}) { // down and up
            finder->find(QStringLiteral("word%1").arg(word));
            (void)fixture.view.figure();
            QVERIFY(test::isAt(fixture.selection(), {.query = 5, .key = word}));
            const QRectF place = fixture.view.geometry().token({Side::Key, word});
            QVERIFY(QRectF(fixture.view.rect()).contains(place.center()));
            QVERIFY(place.top() >= finder->geometry().bottom());
        }
    }

    void chipsChooseTheHeads() {
        Fixture<LinesView> fixture("cat");
        const auto heads = [&] {
            (void)fixture.view.figure();
            return fixture.view.lines()->content().heads;
        };
        using Heads = std::vector<core::Index>;
        const core::Index selected = fixture.selection().head, other = 1 - selected;
        QCOMPARE(heads(), Heads{selected});
        auto *chip = fixture.find<QToolButton>(qPrintable(QString("lineHead%1").arg(other)));
        QVERIFY(!chip->isChecked());
        QVERIFY(!chip->accessibleName().isEmpty() && !chip->toolTip().isEmpty());
        QTest::mouseClick(chip, Qt::LeftButton);
        QCOMPARE(heads(), (Heads{0, 1}));
        QVERIFY(fixture.view.options().headLines.heads.all);
        QTest::mouseClick(chip, Qt::LeftButton);
        QCOMPARE(heads(), Heads{selected});
        // The last head cannot be switched off.
        QTest::mouseClick(
            fixture.find<QToolButton>(qPrintable(QString("lineHead%1").arg(selected))),
            Qt::LeftButton);
        QCOMPARE(heads(), Heads{selected});
        fixture.find<QToolButton>("allHeads")->click();
        QCOMPARE(heads(), (Heads{0, 1}));
        fixture.find<QToolButton>("selectedHead")->click();
        QCOMPARE(heads(), Heads{selected});
        fixture.select({.head = other}); // the lines show the selected head
        QCOMPARE(heads(), Heads{other});
    }

    void theSliderSetsTheThreshold() {
        Fixture<LinesView> fixture("cat");
        auto *slider = fixture.find<QSlider>("lineThreshold");
        QVERIFY(!slider->accessibleName().isEmpty());
        QCOMPARE(slider->value(), 5);
        slider->setValue(40);
        (void)fixture.view.figure();
        QCOMPARE(fixture.view.lines()->content().threshold, 0.4);
        fixture.view.actions().last()->trigger();
        QCOMPARE(fixture.view.options().headLines.threshold, 0.41);
    }

    /// A lesson or a command may set a threshold between two positions of the slider.
    void aThresholdBetweenTwoSteps() {
        Fixture<LinesView> fixture("cat");
        const auto *value = fixture.find<QLabel>("lineThresholdValue");
        fixture.view.setThreshold(0.005);
        QCOMPARE(value->text(), QString("0.005"));
        QVERIFY(test::says(value->accessibleName(), "0.005"));
        fixture.view.actions().last()->trigger();
        QCOMPARE(fixture.view.options().headLines.threshold, 0.01);
        QCOMPARE(value->text(), QString("0.01"));
        fixture.view.setThreshold(0.005);
        fixture.view.actions().at(2)->trigger();
        QCOMPARE(fixture.view.options().headLines.threshold, 0.0);
    }

    void tokensHaveSpace_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("text");
        QTest::newRow("1280 × 720") << QSize(960, 420) << 1.0;
        QTest::newRow("1440 × 900") << QSize(1120, 600) << 1.0;
        QTest::newRow("1280 × 720, 200 %") << QSize(960, 420) << 2.0;
        QTest::newRow("narrow") << QSize(400, 300) << 1.0;
    }
    void tokensHaveSpace() {
        QFETCH(QSize, size);
        QFETCH(double, text);
        for (const int count : {1, 8, 40, 512}) {
            test::TraceRecipe recipe;
            recipe.tokens = {test::numberedWords(count)};
            recipe.headSize = 4;
            const FigureStyle style = FigureStyle::light(text);
            const LinesFigure figure =
                figureOf(test::makeTrace(recipe), withLines(0.05, {true, {}}), {}, style);
            const QSizeF whole = figure.readableSize(size).expandedTo(size);
            const LinesGeometry places = figure.geometry(QRectF(QPointF(), whole));
            QCOMPARE(places.labelStep, core::Index(1));
            QCOMPARE(places.queries.size(), std::size_t(count));
            const double letter = lineHeight(lineTokenFont(style));
            for (std::size_t i = 0; i < places.queries.size(); ++i) {
                QVERIFY(places.queries[i].height() >= letter);
                QVERIFY(places.queries[i].right() < places.lines.left());
                QVERIFY(places.keys[i].left() > places.lines.right());
                QVERIFY(places.area.contains(places.queries[i]) &&
                        places.area.contains(places.keys[i]));
                if (i > 0)
                    QVERIFY(places.queries[i].top() >= places.queries[i - 1].bottom() - 0.01);
                const QRectF number = places.numbers({Side::Key, core::Index(i)});
                QVERIFY(number.right() <= places.area.right() + 0.01);
                const auto found = places.tokenAt(places.keys[i].center());
                QVERIFY((found == LineToken{Side::Key, core::Index(i)}));
            }
            QVERIFY(places.lines.width() >= style.scaled(60));
        }
    }

    void chineseTokensAreInRows() {
        test::TraceRecipe recipe;
        recipe.tokens = {{"我", "们", "看", "见", "一", "只", "猫"}};
        const LinesFigure figure = figureOf(test::makeTrace(recipe), withLines(0.05));
        const LinesGeometry places = figure.geometry({0, 0, 900, 500});
        QVERIFY(places.isAcross);
        for (std::size_t i = 1; i < places.queries.size(); ++i) {
            QCOMPARE(places.queries[i].top(), places.queries[0].top());
            QVERIFY(places.queries[i].left() > places.queries[i - 1].right());
            QVERIFY(places.keys[i].top() >= places.lines.bottom());
        }
        QVERIFY(places.line(3, 1).p1().y() == places.lines.top());
        QVERIFY(!figureOf(test::makeTrace(), withLines(0.05)).geometry({0, 0, 900, 500}).isAcross);
    }

    /// A line that only passes through the visible part is painted, too. Other hidden lines are
    /// not.
    void aLongTextScrolls() {
        Fixture<LinesView> fixture(test::longInput(300));
        fixture.view.setThreshold(0);
        fixture.select({.query = 250, .key = test::none()});
        const LinesGeometry places = fixture.view.geometry();
        QVERIFY(fixture.view.pan().y() > 0); // scrolled to the pinned row
        const QRectF sight(fixture.view.rect());
        QVERIFY(sight.contains(places.queries[250].center()));
        const auto [first, end] = places.tokensIn(Side::Query, sight);
        QVERIFY(first <= 250 && end > 250 && end - first < 60);
        fixture.wheel({300, 200}, 2);
        QVERIFY(fixture.view.geometry().queries[250].top() > places.queries[250].top());
    }

    /// If heads are computed one at a time, a worker finds their lines, which equal those of a
    /// complete trace.
    void headsOfALongTextAreFoundByAWorker() {
        const core::TracePointer whole = test::makeTrace();
        const core::TracePointer byHead =
            *test::forward(whole->model(), whole->input(), nullptr, {}, core::Detail::Heads);
        QVERIFY(byHead->isByHead(Stage::AttentionWeights));
        const FigureOptions options = withLines(0.05, {true, {}});
        LinesFigure figure = figureOf(byHead, options);
        QVERIFY(!figure.content().missing().empty());
        QVERIFY(figure.findMissing({}));
        const LinesFigure expected = figureOf(whole, options);
        for (std::size_t head = 0; head < 2; ++head)
            QVERIFY(figure.content().strong[head]->weights ==
                    expected.content().strong[head]->weights);
    }

    /// Another layer is shown at once, because it was prepared, in each view of one layer.
    void theNextLayerOfALongTextIsPrepared() {
        nextLayerIsPrepared<LinesView>();
        nextLayerIsPrepared<TextView>();
        nextLayerIsPrepared<QueryKeyView>();
    }

    void coloursOfHeadsAreLegible() {
        for (const FigureStyle &style :
             {FigureStyle::light(), FigureStyle::dark(), FigureStyle::paper()}) {
            std::set<QRgb> colours;
            for (core::Index head = 0; head < 24; ++head) {
                QVERIFY(contrastOf(headColour(head, style), style.background) >= kMarkContrast);
                QVERIFY(contrastOf(headTextColour(head, style), style.background) >= kTextContrast);
                colours.insert(headColour(head, style).rgb());
            }
            QCOMPARE(colours.size(), std::size_t(24));
        }
    }

    void paddingHasNoLines() {
        test::TraceRecipe recipe;
        recipe.atLeast = 12;
        recipe.masks = {core::PaddingMask{}};
        const LinesFigure figure = figureOf(test::makeTrace(recipe), withLines(0));
        QCOMPARE(figure.content().queries.size(), qsizetype(8));
        QCOMPARE(figure.content().keys.size(), qsizetype(8));
        QVERIFY(std::ranges::all_of(
            figure.content().strong[0]->weights,
            [](const core::StrongWeight &one) { return one.query < 8 && one.key < 8; }));
    }

    void screenReadersGetATable() {
        Fixture<LinesView> fixture("cat");
        const ShownHeatmap table = fixture.view.shownHeatmap();
        QVERIFY(table.content);
        QCOMPARE(table.places.rows, core::Index(6));
        fixture.view.selectCell({4, 2});
        QVERIFY(test::isAt(fixture.selection(), {.query = 4, .key = 2}));
        QVERIFY(!fixture.view.figure()->description().isEmpty());
    }
};

HEADLIGHT_WIDGET_TEST(LinesViewTest)
#include "tst_lines_view.moc"
