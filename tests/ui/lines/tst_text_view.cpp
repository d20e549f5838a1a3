// The Text view by mouse and keyboard, its tint, and its layout.
#include "core/formats/picture/picture_reading.h"
#include "tests/support/long_input.h"
#include "tests/ui/figures/figure_fixture.h"
#include "tests/ui/views/view_fixture.h"
#include "ui/views/text_view.h"
#include "ui/views/token_finder.h"

#include <QToolButton>

#include <cmath>
#include <set>

using headlight::test::Fixture;

namespace {

using Word = TintedTextFigure::Word;

QPointF middleOf(const TextView &view, core::Index word, std::size_t text = 0) {
    return view.geometry().word(text, word).center();
}

QImage paintedText(const TintedTextFigure &figure, const QSize &size) {
    QImage image(size, QImage::Format_RGB32);
    QPainter painter(&image);
    figure.paint(painter, QRectF(QPointF(), size), Device::Raster);
    return image;
}

} // namespace

class TextViewTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theTintFollowsTheWeight() {
        for (const FigureStyle &style : {FigureStyle::light(), FigureStyle::dark()}) {
            const core::TracePointer trace = test::makeTrace();
            core::Selection selection;
            selection.query = 7;
            const TintedTextFigure figure = TintedTextFigure::fromTrace(trace, selection, style);
            const QSize size(720, 300);
            const QImage image = paintedText(figure, size);
            const TintedTextGeometry places = figure.geometry(QRectF(QPointF(), size));
            const core::SharedMatrix weights = trace->matrix(Stage::AttentionWeights, {}, 0, 0);
            for (core::Index word = 0; word < 8; ++word) {
                const float weight = weights(7, word);
                QCOMPARE(figure.weightOf({0, word}), std::optional(weight));
                const QRectF rect = places.word(0, word);
                const QColor fill =
                    wordTint(static_cast<double>(weight), figure.table().scale, style, 7);
                QCOMPARE(image.pixelColor(rect.toRect().left() + 3, qRound(rect.bottom()) - 4),
                         fill);
                QVERIFY(contrastOf(fill, wantsDarkText(fill.rgb()) ? Qt::black : Qt::white) >=
                        kTextContrast);
            }
        }
    }

    void aMaskHidesWords() {
        core::Selection selection;
        selection.query = 3;
        const FigureStyle style = FigureStyle::light();
        const TintedTextFigure figure =
            TintedTextFigure::fromTrace(test::makeTrace(), selection, style);
        const QSize size(720, 300);
        const QImage image = paintedText(figure, size);
        const QRectF rect = figure.geometry(QRectF(QPointF(), size)).word(0, 6);
        QCOMPARE(image.pixelColor(rect.toRect().left() + 3, qRound(rect.bottom()) - 4),
                 style.hidden);
        bool hasDiagonal = false;
        for (int x = rect.toRect().left(); x < rect.toRect().right(); ++x)
            hasDiagonal |= image.pixelColor(x, rect.toRect().top() + 1) != style.hidden;
        QVERIFY(hasDiagonal);
        // The diagonal does not extend beyond the round corner, which looks like the corner without
        // it.
        const auto lightness = [&](QPoint at) { return image.pixelColor(at).lightness(); };
        const QRect pixels = rect.toRect();
        QVERIFY(std::abs(lightness(pixels.topLeft()) - lightness(pixels.topRight())) <= 8);
    }

    void clicksAndKeysSelectARow() {
        Fixture<TextView> fixture("cat");
        fixture.click(middleOf(fixture.view, 4));
        QVERIFY(test::isAt(fixture.selection(),
                           {.stage = Stage::AttentionWeights, .query = 4, .key = test::none()}));
        fixture.key(Qt::Key_Right);
        QVERIFY(test::isAt(fixture.selection(), {.query = 5}));
        fixture.key(Qt::Key_Right);
        QVERIFY(test::isAt(fixture.selection(), {.query = 5}));
        fixture.key(Qt::Key_Home);
        QVERIFY(test::isAt(fixture.selection(), {.query = 0}));
        fixture.key(Qt::Key_End);
        QVERIFY(test::isAt(fixture.selection(), {.query = 5}));
        const float weight = fixture.document.trace()->matrix(Stage::AttentionWeights, {}, 0,
                                                              fixture.selection().head)(5, 1);
        QVERIFY(fixture.hover(middleOf(fixture.view, 1)).contains(fullText(weight)));
        fixture.key(Qt::Key_Escape);
        QVERIFY(test::isAt(fixture.selection(), {.query = test::none()}));
        QVERIFY(test::says(fixture.view.figure()->description(), "select a token"));
    }

    /// A picture's patches are drawn in their places, tinted by the weights of the selected row.
    void aPictureIsShownWithItsPatches() {
        Fixture<TextView> fixture(QStringLiteral(HEADLIGHT_TEST_DATA "/folders/vit"));
        const TintedTextGeometry places = fixture.view.geometry();
        QVERIFY(fixture.view.text()->content().hasPicture());
        QVERIFY(test::says(fixture.view.figure()->description(), "picture"));
        const QRectF first = places.word(0, 1), beside = places.word(0, 2),
                     below = places.word(0, 3), last = places.word(0, 4);
        QCOMPARE(first.width(), first.height());
        QCOMPARE(beside.topLeft(), first.topRight());
        QCOMPARE(below.topLeft(), first.bottomLeft());
        QCOMPARE(last.topLeft(), first.bottomRight());
        QVERIFY(places.word(0, 0).right() < first.left()); // [CLS]
        fixture.click(first.center());
        QVERIFY(test::isAt(fixture.selection(), {.query = 1}));
        fixture.key(Qt::Key_Down);
        QVERIFY(test::isAt(fixture.selection(), {.query = 3}));
        fixture.key(Qt::Key_Right);
        QVERIFY(test::isAt(fixture.selection(), {.query = 4}));
        fixture.key(Qt::Key_Up);
        QVERIFY(test::isAt(fixture.selection(), {.query = 2}));
        fixture.click(middleOf(fixture.view, 0));
        QVERIFY(test::isAt(fixture.selection(), {.query = 0}));
        const QPoint at = last.center().toPoint();
        const QColor tinted = fixture.view.grab().toImage().pixelColor(at);
        fixture.key(Qt::Key_Escape);
        const QColor plain = fixture.view.grab().toImage().pixelColor(at);
        QVERIFY(tinted != plain);
        // The plain picture is the one that the model reads.
        const core::Picture picture =
            core::firstPicture(16, 16); // twice the model's 8 × 8 pixels, which are averaged
        for (int channel = 0; channel < 3; ++channel) {
            const int shown = channel == 0   ? plain.red()
                              : channel == 1 ? plain.green()
                                             : plain.blue();
            QVERIFY(std::abs(shown - picture.at(11, 11, channel)) < 60);
        }
    }

    void anotherHeadTintsAnew() {
        Fixture<TextView> fixture("cat");
        fixture.select({.query = 4, .head = 0});
        const QImage before = fixture.view.grab().toImage();
        fixture.select({.query = 4, .head = 1});
        QVERIFY(fixture.view.grab().toImage() != before);
    }

    void aLongTextWrapsAndScrolls_data() {
        QTest::addColumn<double>("text");
        QTest::newRow("100 %") << 1.0;
        QTest::newRow("200 %") << 2.0;
    }
    void aLongTextWrapsAndScrolls() {
        QFETCH(double, text);
        Fixture<TextView> fixture(test::longInput(400), {}, {960, 420});
        fixture.view.setStyle(FigureStyle::light(text));
        fixture.select({.query = 390, .key = test::none()});
        const TintedTextGeometry places = fixture.view.geometry();
        const QRectF sight(fixture.view.rect());
        QVERIFY(fixture.view.pan().y() > 0);
        QVERIFY(sight.contains(places.word(0, 390)));
        QVERIFY(places.texts[0].layout->lines > 10);
        for (core::Index word = 0; word < 400; ++word) {
            const QRectF rect = places.word(0, word);
            QVERIFY(rect.left() >= places.title.left() - 0.01 &&
                    rect.right() <= places.title.right() + 0.01);
            if (word > 0)
                QVERIFY(rect.top() > places.word(0, word - 1).top() ||
                        rect.left() >= places.word(0, word - 1).right());
        }
        // Moves up a line and back.
        fixture.key(Qt::Key_Up);
        const core::Index above = *fixture.selection().query;
        QVERIFY(above < 390);
        QVERIFY(fixture.view.geometry().word(0, above).top() <
                fixture.view.geometry().word(0, 390).top());
    }

    /// A found token is selected as a key, beside the selected query, or as a query.
    void aFoundTokenIsScrolledIntoSight_data() {
        test::addColumns<bool, bool>({"hasQuery", "asKey"});
        QTest::newRow("key, no query") << false << true;
        QTest::newRow("key beside a query") << true << true;
        QTest::newRow("query") << true << false;
    }
    void aFoundTokenIsScrolledIntoSight() {
        QFETCH(bool, hasQuery);
        QFETCH(bool, asKey);
        Fixture<TextView> fixture(test::longInput(400), {}, {960, 420});
        TextView &view = fixture.view;
        fixture.select({.query = hasQuery ? std::optional<core::Index>(5) : std::nullopt,
                        .key = test::none()});
        view.findTokens();
        auto *finder = view.findChild<TokenFinder *>();
        finder->findChild<QToolButton *>("tokenFinderSide")->setChecked(asKey);
        for (const core::Index word : {390, 120, 300}) { // down and up
            finder->find(QStringLiteral("word%1").arg(word));
            (void)view.figure();
            QCOMPARE(asKey ? fixture.selection().key : fixture.selection().query,
                     std::optional(word));
            const QRectF place = view.geometry().word(0, word);
            QVERIFY(QRectF(view.rect()).contains(place));
            QVERIFY(place.top() > finder->geometry().bottom());
            QVERIFY(!asKey || view.text()->key() == word);
        }
        // Keys move the query, which the view then scrolls to.
        fixture.key(Qt::Key_Home);
        QVERIFY(QRectF(view.rect()).contains(view.geometry().word(0, 0)));
    }

    /// While zooming, words move to other lines, but the word under the mouse stays there.
    void zoomKeepsTheWord_data() {
        aLongTextWrapsAndScrolls_data();
        // At these text sizes, lines break elsewhere. In some layouts the word cannot be moved to
        // the mouse.
        for (int percent = 111; percent < 220; percent += 12)
            QTest::addRow("%d %%", percent) << percent / 100.0;
    }
    void zoomKeepsTheWord() {
        QFETCH(double, text);
        Fixture<TextView> fixture(test::longInput(400), {}, {960, 420});
        TextView &view = fixture.view;
        view.setStyle(FigureStyle::light(text));
        fixture.select({.query = 200, .key = test::none()});
        view.setPan(view.geometry().word(0, 200).center() + view.pan() - QPointF(480, 210));
        const QPointF mouse = middleOf(view, 200);
        for (const int notch : {1, 1, 1, -1, 1, -1, -1, -1}) {
            fixture.wheel(mouse, notch, Qt::ControlModifier);
            QVERIFY2(std::abs(middleOf(view, 200).y() - mouse.y()) <=
                         5, // less than the height of a line
                     qPrintable(QString::number(view.zoom())));
            QVERIFY2(QRectF(view.rect()).contains(middleOf(view, 200)),
                     qPrintable(QString::number(view.zoom())));
        }
        QCOMPARE(view.zoom(), 1.0);
        // The word remains visible when the text fills a few lines of a much larger page.
        view.zoomBy(FigureView::kMaxZoom, mouse);
        QVERIFY(QRectF(view.rect()).contains(middleOf(view, 200)));
        QCOMPARE(view.zoom(), FigureView::kMaxZoom);
    }

    /// Widths of words are measured once per size, so sizes and layouts must not depend on earlier
    /// areas.
    void theLayoutDependsOnlyOnTheArea_data() {
        QTest::addColumn<FigureStyle>("style");
        QTest::newRow("light") << FigureStyle::light();
        QTest::newRow("presented, with a smallest type") << FigureStyle::presented(false, 0.5);
    }
    void theLayoutDependsOnlyOnTheArea() {
        QFETCH(FigureStyle, style);
        test::TraceRecipe recipe;
        recipe.tokens = {test::numberedWords(60)};
        recipe.headSize = 4;
        const core::TracePointer trace = test::makeTrace(recipe);
        const auto make = [&] { return TintedTextFigure::fromTrace(trace, {}, style); };
        const TintedTextFigure used = make();
        std::set<double> sizes;
        for (const double width : {300.0, 2600.0, 720.0, 1500.0, 1100.0, 3000.0, 500.0})
            for (const double height : {2000.0, 160.0, 420.0, 500.0, 600.0, 700.0, 900.0, 1200.0}) {
                const QRectF area(0, 0, width, height);
                const TintedTextGeometry places = used.geometry(area),
                                         fresh = make().geometry(area);
                QCOMPARE(places.wordPixels, fresh.wordPixels);
                for (core::Index word = 0; word < 60; ++word)
                    QCOMPARE(places.word(0, word), fresh.word(0, word));
                sizes.insert(places.wordPixels);
            }
        QVERIFY(style.isPresented() || sizes.size() == 4); // all sizes occur
    }

    /// After a change of the text or its size, nothing measured before is used.
    void anotherTextIsMeasuredAnew() {
        Fixture<TextView> fixture("cat");
        TextView &view = fixture.view;
        const auto isMeasured = [&] {
            (void)view.figure();
            for (const double factor : {1.25, 0.8}) {
                view.zoomBy(factor);
                const TintedTextFigure fresh = TintedTextFigure::fromTrace(
                    fixture.document.trace(), fixture.selection(), view.figureStyle());
                const TintedTextGeometry places = view.geometry();
                const TintedTextGeometry anew = fresh.geometry(places.area);
                if (places.wordPixels != anew.wordPixels)
                    return false;
                for (core::Index word = 0; word < std::ssize(anew.texts[0].layout->chips); ++word)
                    if (places.word(0, word) != anew.word(0, word))
                        return false;
            }
            return true;
        };
        QVERIFY(isMeasured());
        QVERIFY(test::typeText(fixture.document, "an extraordinarily long word").ok());
        fixture.settle();
        QVERIFY(isMeasured());
        view.setStyle(FigureStyle::light(2));
        QVERIFY(isMeasured());
        view.setStyle(FigureStyle::dark(1));
        QVERIFY(isMeasured());
    }

    /// A zoomed line is wider than the view. All visible words are painted, even a word that the
    /// edge cuts.
    void aZoomedTextIsPaintedInSight() {
        Fixture<TextView> fixture(test::longInput(400), {}, {960, 420});
        TextView &view = fixture.view;
        const QPointF mouse = middleOf(view, 30);
        for (int notch = 0; notch < 4; ++notch)
            fixture.wheel(mouse, 1, Qt::ControlModifier);
        view.setPan(view.pan() + QPointF(-13, 0));
        const QImage shown = view.grab().toImage();
        const TintedTextGeometry places = view.geometry();
        const QColor fill = view.figureStyle().hidden, background = view.figureStyle().background;
        QVERIFY(fill != background);
        int found = 0, cut = 0;
        for (core::Index word = 0; word < 400; ++word) {
            // Without scroll bars and the focus ring.
            const QRectF whole = places.word(0, word);
            const QRectF seen = whole & QRectF(view.rect()).adjusted(3, 3, -14, -14);
            if (seen.width() < 3 || seen.height() < 8 || seen.top() > whole.top())
                continue;
            ++found;
            cut += seen.width() < whole.width() ? 1 : 0;
            QCOMPARE(shown.pixelColor(qFloor(seen.center().x()), qRound(seen.top()) + 2), fill);
        }
        QVERIFY(found > 20);
        QVERIFY(cut > 0);
    }

    void paddingIsLeftOut() {
        test::TraceRecipe recipe;
        recipe.atLeast = 12;
        recipe.masks = {core::PaddingMask{}};
        const TintedTextFigure figure = TintedTextFigure::fromTrace(
            test::makeTrace(recipe), core::Selection(), FigureStyle::light());
        QCOMPARE(figure.content().texts[0].words.words.size(), std::size_t(8));
    }

    void aFileHasItsHeight() {
        test::TraceRecipe recipe;
        recipe.tokens = {test::numberedWords(300)};
        recipe.headSize = 4;
        const TintedTextFigure figure = TintedTextFigure::fromTrace(
            test::makeTrace(recipe), core::Selection(), FigureStyle::light());
        for (const double width : {300.0, 720.0, 1400.0}) {
            const QRectF area(0, 0, width, figure.heightFor(width));
            QVERIFY(figure.geometry(area).word(0, 299).bottom() <= area.bottom());
        }
        QVERIFY(figure.heightFor(300) > figure.heightFor(1400));
    }
};

HEADLIGHT_WIDGET_TEST(TextViewTest)
#include "tst_text_view.moc"
