// Caches that figures keep between selections are used, never show stale content, and take little
// memory. Also tests the table of views, which fills them.
#include "tests/support/training.h"
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/close_up/close_up_figure.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/heatmap/painting_cache.h"

#include <map>

namespace {

constexpr QSize kPixels(900, 640);

FigureInput inputOf(const core::TracePointer &trace) {
    return {.trace = trace, .style = FigureStyle::light()};
}

QImage painted(const FigureInput &input, core::View view, double ratio = 1) {
    const std::unique_ptr<Figure> figure = infoOf(view).makeFigure(input);
    QImage image(kPixels * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    figure->paint(painter, QRectF(QPointF(), kPixels), Device::Raster);
    return image;
}

/// A view whose figures use the cache, compared with figures without a cache.
struct Watched {
    core::View view;
    FigureInput input;
    HeatmapCache kept{};
    double ratio = 1;
    QImage last{};

    /// Paints the view. The cache must not change the picture. `changed`: the picture must differ
    /// from the last one.
    void look(const char *what, bool changed = true) {
        FigureInput alone = input;
        alone.kept = nullptr;
        kept.beginFigure();
        FigureInput keeping = input;
        keeping.kept = &kept;
        const QImage now = painted(keeping, view, ratio);
        QVERIFY2(now == painted(alone, view, ratio), what);
        QVERIFY2((now != last) == changed, what);
        last = now;
    }
};

const HeatmapContent &largeOf(const Figure &figure, core::View view) {
    switch (view) {
    case core::View::CloseUp:
        return static_cast<const CloseUpFigure &>(figure).parts().result.content;
    case core::View::Whole:
        return *static_cast<const WholeFigure &>(figure).contentAt(
            static_cast<const WholeFigure &>(figure).stage());
    case core::View::Heads:
        return static_cast<const HeadsFigure &>(figure).enlarged().content();
    case core::View::Similarity:
        return static_cast<const SimilarityFigure &>(figure).heatmap(1).content();
    default:
        return static_cast<const HeatmapFigure &>(figure).content();
    }
}

} // namespace

class KeptHeatmapsTest : public QObject {
    Q_OBJECT

    static void addViews() {
        QTest::addColumn<core::View>("view");
        for (const ViewInfo &info : allViews())
            if (info.view != core::View::Geometry && info.view != core::View::Output &&
                info.view != core::View::Training && info.view != core::View::Birth &&
                info.view != core::View::Model &&   // always shows the attention weights
                info.view != core::View::Softmax && // no heatmap of a stage
                info.view != core::View::Words &&   // caches its whole figure, see tst_views
                info.view != core::View::Lines && info.view != core::View::Text &&
                info.view != core::View::QueryKey)
                QTest::newRow(qPrintable(idOf(info))) << info.view;
    }

  private slots:
    /// After an edit of the current side, a comparison with the same A is a different one.
    void comparedHeadsOfAnotherTrace() {
        test::TraceRecipe recipe;
        const core::TracePointer a = test::makeTrace(recipe);
        recipe.seed = 8;
        const core::TracePointer before = test::makeTrace(recipe);
        recipe.seed = 9;
        const core::TracePointer after = test::makeTrace(recipe);
        const Compared compared{ComparisonSide::Difference, a, {}, QStringLiteral("A")};
        const auto entropyOf = [&](HeatmapCache &kept, const core::TracePointer &now) {
            const auto &heads = kept.comparedHeads(now, core::Selection(), compared);
            return heads.empty() ? std::nullopt
                                 : core::measureOf(heads[0].now, core::HeadOrder::Entropy);
        };
        HeatmapCache kept, fresh;
        const auto first = entropyOf(kept, before), second = entropyOf(kept, after);
        QVERIFY(first && second);
        QVERIFY(*first != *second);
        QVERIFY(second == entropyOf(fresh, after));
    }

    void nothingOldIsShown_data() { addViews(); }
    void nothingOldIsShown() {
        QFETCH(core::View, view);
        test::TraceRecipe recipe;
        recipe.layers = 2;
        Watched watched{view, inputOf(test::makeTrace(recipe))};
        const bool cosines = view == core::View::Similarity;
        watched.look("at first");
        watched.look("the same again", false);
        watched.input.selection.query = 3;
        watched.input.selection.key = 2;
        watched.look("another cell");
        watched.input.selection.key = 1;
        watched.look("another key");

        watched.input.selection.head = 1;
        watched.look("another head");
        watched.input.selection.layer = 1;
        watched.look("another layer");
        watched.input.selection.stage = Stage::Scores;
        watched.look("another stage", !cosines);
        watched.input.options.range = Range::PerRow;
        watched.look("another range", !cosines);
        watched.input.options.numbers = false;
        watched.look("no numbers", view != core::View::Whole);
        watched.input.selection.stage = Stage::AttentionWeights;
        watched.look("the weights again", !cosines);

        watched.input.style.weightsMap = ColourMap::Magma;
        watched.input.style.signedMap = ColourMap::PurpleWhiteGreen;
        watched.look("other colours");
        watched.input.style = FigureStyle::dark();
        watched.look("the dark theme");
        watched.ratio = 2;
        watched.look("a finer screen");

        recipe.masks = {};
        watched.input.trace = test::makeTrace(recipe);
        watched.look("another mask");
        recipe.interventions.heads = {{1, 1, core::HeadState::Uniform}};
        watched.input.trace = test::makeTrace(recipe);
        watched.look("another state of a head");

        Compared &compared = watched.input.options.compared;
        compared.name = "A";
        compared.a = test::makeTrace();
        watched.input.selection.layer = 0;
        compared.shown = ComparisonSide::A;
        watched.look("side A");
        compared.shown = ComparisonSide::Difference;
        watched.look("the difference");
        recipe.seed = 8;
        recipe.layers = 1;
        recipe.interventions = {};
        compared.a = test::makeTrace(recipe);
        watched.look("another A");
    }

    /// A pixel may show several cells, but fewer on a screen with smaller pixels.
    void everyScreenHasItsOwnPixels_data() { addViews(); }
    void everyScreenHasItsOwnPixels() {
        QFETCH(core::View, view);
        test::TraceRecipe recipe;
        recipe.tokens = {test::numberedWords(900)};
        recipe.headSize = 4;
        Watched watched{view, inputOf(test::makeTrace(recipe))};
        watched.look("at first");
        watched.ratio = 2;
        watched.look("a finer screen");
        watched.ratio = 1;
        watched.look("the first screen again");
    }

    /// A new trace may have the address of a deleted one.
    void everyEditIsShown_data() { addViews(); }
    void everyEditIsShown() {
        QFETCH(core::View, view);
        test::TraceRecipe recipe;
        Watched watched{view, inputOf({})};
        for (std::uint64_t seed = 1; seed < 12; ++seed) {
            recipe.seed = seed;
            watched.input.trace.reset();
            watched.input.trace = test::makeTrace(recipe);
            watched.input.selection.query = static_cast<core::Index>(seed % 8);
            watched.look("an edit");
        }
    }

    void whatStaysIsMadeOnce_data() { addViews(); }
    void whatStaysIsMadeOnce() {
        QFETCH(core::View, view);
        HeatmapCache kept;
        FigureInput input = inputOf(test::makeTrace());
        input.kept = &kept;
        const auto paintingOf = [&](core::Index query) {
            input.selection.query = query;
            kept.beginFigure();
            const std::unique_ptr<Figure> figure = infoOf(view).makeFigure(input);
            const HeatmapContent &content = largeOf(*figure, view);
            QCOMPARE(content.selectedRow, std::optional(query));
            m_painting = content.keptPainting;
        };
        paintingOf(1);
        const std::shared_ptr<PaintingCache> first = m_painting;
        QVERIFY(first != nullptr);
        const std::size_t count = kept.count();
        paintingOf(2);
        QCOMPARE(m_painting, first);
        QCOMPARE(kept.count(), count);
        input.selection.head = 1;
        paintingOf(2);
        QVERIFY(m_painting != first);
        input.selection.head = 0;
        paintingOf(3); // small except in Similarity, so still cached
        QCOMPARE(m_painting == first, view != core::View::Similarity);
        input.trace = test::makeTrace();
        paintingOf(3);
        QVERIFY(m_painting != first);
    }

    /// Differences are stored for the newest figure, and for a few older ones.
    void memoryIsBounded() {
        test::TraceRecipe recipe;
        recipe.tokens = {test::numberedWords(600)};
        recipe.heads = 4;
        recipe.headSize = 4;
        HeatmapCache kept;
        FigureInput input = inputOf(test::makeTrace(recipe));
        input.kept = &kept;
        recipe.seed = 9;
        input.options.compared = {ComparisonSide::Difference, test::makeTrace(recipe), {}, "A"};
        input.options.range = Range::AllHeads; // 5.8 MB for all heads of one difference
        const auto look = [&](int number) {
            input.options.compared.name = QString::number(number);
            kept.beginFigure();
            (void)infoOf(core::View::Heatmap).makeFigure(input);
        };
        for (int number = 0; number < 6; ++number)
            look(number);
        QCOMPARE(kept.count(), std::size_t(6));
        for (int number = 6; number < 40; ++number)
            look(number);
        QVERIFY(kept.count() < 15);
        QVERIFY(kept.count() > 5);
        kept.clear();
        QCOMPARE(kept.count(), std::size_t(0));
    }

    void theTableIsInOrder() {
        std::set<QString> ids;
        QCOMPARE(allViews().size(), core::kViewIds.size());
        for (const ViewInfo &info : allViews()) {
            QCOMPARE(&infoOf(info.view), &info);
            QCOMPARE(findView(idOf(info)), &info);
            QVERIFY(!titleOf(info).isEmpty() && !purposeOf(info).isEmpty());
            ids.insert(idOf(info));
        }
        QCOMPARE(ids.size(), allViews().size());
        QCOMPARE(findView("none"), nullptr);
    }

    /// A figure depends on the choices that its view offers, and on no others.
    void choicesAreWhatTheFigureUses_data() {
        QTest::addColumn<core::View>("view");
        for (const ViewInfo &info : allViews())
            QTest::newRow(qPrintable(idOf(info))) << info.view;
    }
    void choicesAreWhatTheFigureUses() {
        QFETCH(core::View, view);
        const ViewInfo &info = infoOf(view);
        FigureInput input = inputOf(test::makeTrace());
        input.selection.query = 2;
        input.training = test::someRun(input.trace->model());
        input.birth = test::someBirth();
        const QImage usual = painted(input, view);
        const auto differs = [&](Choice choice, auto set) {
            FigureInput other = input;
            set(other);
            QCOMPARE(painted(other, view) != usual, info.has(choice));
            other.options = chosenFor(info, other.options);
            if (!info.has(choice))
                QVERIFY(other.options == input.options);
        };
        differs(Choice::Range, [](FigureInput &other) { other.options.range = Range::PerRow; });
        differs(Choice::HeadOrder,
                [](FigureInput &other) { other.options.order = core::HeadOrder::Entropy; });
        differs(Choice::Measure,
                [](FigureInput &other) { other.options.measure = core::HeadOrder::Entropy; });
        differs(Choice::Contextual,
                [](FigureInput &other) { other.options.contextual = Stage::Output; });
        differs(Choice::Granularity,
                [](FigureInput &other) { other.options.granularity = Granularity::Row; });
        differs(Choice::Planes,
                [](FigureInput &other) { other.options.plane.spaces = ShownSpaces::QueryKey; });
        differs(Choice::Softmax, [](FigureInput &other) { other.softmax.logits = {1, 2}; });
        FigureInput coloured = input;
        coloured.style.weightsMap = ColourMap::Magma;
        coloured.style.signedMap = ColourMap::PurpleWhiteGreen;
        QCOMPARE(painted(coloured, view) != usual, info.has(Choice::Colours));
    }

    /// A tile and the large picture of a head are painted in turn from one cache.
    void twoLargeImagesAreKept() {
        PaintingCache cache;
        CellImageSource tile, large;
        large.rows = 1;
        int made = 0;
        const auto make = [&made] {
            ++made;
            return QImage(2000, 1500, QImage::Format_RGB32); // 12 MB
        };
        for (int paint = 0; paint < 3; ++paint)
            for (const CellImageSource &source : {tile, large})
                QCOMPARE(cache.image(source, make).width(), 2000);
        QCOMPARE(made, 2);
    }

    /// A coarse picture may have been made at another size, but always shows the same cells.
    void theNearestImageHasTheSameCells() {
        PaintingCache cache;
        const auto kept = [&cache](core::Index rows, int side) {
            CellImageSource source;
            source.rows = rows;
            source.pixels = {side, side};
            return std::pair(source, [&cache, source, side] {
                return cache.image(source,
                                   [side] { return QImage(side, side, QImage::Format_RGB32); });
            });
        };
        QVERIFY(cache.nearest(kept(9, 30).first).isNull());
        for (const int side : {20, 50, 90})
            (void)kept(9, side).second();
        (void)kept(8, 30).second();
        QCOMPARE(cache.made(), 4);
        for (const auto &[wanted, side] :
             std::map<int, int>{{50, 50}, {30, 20}, {40, 50}, {500, 90}, {1, 20}})
            QCOMPARE(cache.nearest(kept(9, wanted).first).width(), side);
        QVERIFY(cache.nearest(kept(7, 30).first).isNull());
        QCOMPARE(cache.made(), 4);
    }

    /// Images of a large matrix do not keep its pyramid in memory, but are not mistaken for those
    /// of a later one.
    void imagesKeepNoPyramid() {
        PaintingCache cache;
        int made = 0;
        const auto make = [&made] {
            ++made;
            return QImage(10, 10, QImage::Format_RGB32);
        };
        const core::Matrix numbers(64, 64);
        const auto pyramid = [&] {
            return std::make_shared<const core::MatrixPyramid>(test::valueOf(
                core::MatrixPyramid::of(numbers.view(), nullptr, BlockNumber::Largest, false)));
        };
        CellImageSource source;
        for (int turn = 0; turn < 3; ++turn) {
            auto used = pyramid();
            const std::weak_ptr<const core::MatrixPyramid> watched = used;
            source.pyramid = used;
            (void)cache.image(source, make);
            (void)cache.image(source, make);
            QCOMPARE(made, turn + 1);
            used.reset();
            QVERIFY(watched.expired());
        }
        source.pyramid.reset();
        (void)cache.image(source, make);
        QCOMPARE(made, 4);
    }

  private:
    std::shared_ptr<PaintingCache> m_painting;
};

HEADLIGHT_WIDGET_TEST(KeptHeatmapsTest)
#include "tst_heatmap_cache.moc"
