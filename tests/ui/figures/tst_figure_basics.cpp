// Colour maps, number formats, colour scales, styles and text lines.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/base/style.h"
#include "ui/figures/colours/colour_map.h"
#include "ui/figures/colours/colour_scale.h"
#include "ui/figures/text/text.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/panels/inspector_text.h"

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

core::Tensor tensorOf(core::Shape shape, std::vector<float> values) {
    return core::Tensor(std::move(shape), std::move(values));
}

struct Published {
    ColourMap map;
    std::array<QRgb, 33> colours; ///< colours at the positions round(255 i / 32)
};

const std::array<Published, 5> kPublished{{
    {ColourMap::Viridis,
     {{0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453781, 0x424086, 0x3e4989, 0x3b528b,
       0x375b8d, 0x33638d, 0x2f6b8e, 0x2c728e, 0x297a8e, 0x26828e, 0x23898e, 0x21918c, 0x1f978b,
       0x1f9f88, 0x21a685, 0x27ad81, 0x31b57b, 0x3dbc74, 0x4cc26c, 0x5cc863, 0x6ece58, 0x81d34d,
       0x95d840, 0xaadc32, 0xc0df25, 0xd5e21a, 0xeae51a, 0xfde725}}},
    {ColourMap::Magma,
     {{0x000004, 0x030312, 0x0a0822, 0x130d34, 0x1d1147, 0x29115a, 0x36106b, 0x440f76, 0x51127c,
       0x5d177f, 0x6a1c81, 0x762181, 0x832681, 0x902a81, 0x9c2e7f, 0xaa337d, 0xb73779, 0xc23b75,
       0xcf4070, 0xdb476a, 0xe55064, 0xee5b5e, 0xf4695c, 0xf9785d, 0xfb8761, 0xfd9668, 0xfea571,
       0xfeb47b, 0xfec287, 0xfed194, 0xfde0a1, 0xfceeb0, 0xfcfdbf}}},
    {ColourMap::Cividis,
     {{0x00224e, 0x00285b, 0x002e6a, 0x053371, 0x1a386f, 0x273e6e, 0x32436d, 0x3b496c, 0x434e6c,
       0x4b546c, 0x535a6d, 0x5a5f6e, 0x61656f, 0x686a71, 0x6f7073, 0x767676, 0x7d7c78, 0x838179,
       0x8b8778, 0x928d78, 0x9a9376, 0xa29975, 0xaaa073, 0xb3a670, 0xbbad6d, 0xc3b369, 0xccba64,
       0xd4c15f, 0xddc858, 0xe6d051, 0xefd748, 0xf8df3c, 0xfee838}}},
    {ColourMap::BlueWhiteRed,
     {{0x053061, 0x0e4179, 0x175290, 0x1f63a8, 0x2a71b2, 0x3480b9, 0x3f8ec0, 0x529dc8, 0x6bacd1,
       0x84bcd9, 0x9bc9e0, 0xaed3e6, 0xc2ddec, 0xd4e6f1, 0xe0ecf3, 0xecf2f5, 0xf7f6f6, 0xf9efe9,
       0xfbe6da, 0xfdddcb, 0xfbceb7, 0xf8bda1, 0xf5ac8b, 0xef9979, 0xe58368, 0xdc6e57, 0xd25849,
       0xc6413e, 0xbb2a34, 0xae172a, 0x960f27, 0x7f0823, 0x67001f}}},
    {ColourMap::PurpleWhiteGreen,
     {{0x40004b, 0x510d5d, 0x621a6e, 0x732880, 0x7f3c8d, 0x8a529a, 0x9568a6, 0xa17ab2, 0xae8bbd,
       0xbb9cc9, 0xc7abd2, 0xd3bada, 0xdec9e2, 0xe8d7e9, 0xede2ee, 0xf2edf3, 0xf6f7f6, 0xeef5ec,
       0xe5f3e1, 0xdbf1d6, 0xcdebc7, 0xbde4b7, 0xaddea7, 0x99d395, 0x81c581, 0x69b76d, 0x53a85c,
       0x3f974f, 0x2b8642, 0x197535, 0x11652d, 0x085424, 0x00441b}}},
}};

/// Returns the largest difference between two colours in any channel.
int distance(QRgb a, QRgb b) {
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)),
                     std::abs(qBlue(a) - qBlue(b))});
}

} // namespace

class FigureBasicsTest : public QObject {
    Q_OBJECT

  private slots:
    void mapsKeepTheirEnds() {
        QCOMPARE(colourOf(ColourMap::Viridis, 0), qRgb(0x44, 0x01, 0x54));
        QCOMPARE(colourOf(ColourMap::Viridis, 1), qRgb(0xfd, 0xe7, 0x25));
        QCOMPARE(colourOf(ColourMap::Viridis, -3), colourOf(ColourMap::Viridis, 0));
        QCOMPARE(colourOf(ColourMap::Viridis, kInfinity), colourOf(ColourMap::Viridis, 1));
        for (const ColourMap map : allColourMaps())
            QCOMPARE(findColourMap(nameOf(map)), map);
        QVERIFY(!findColourMap(QStringLiteral("jet")));
    }

    void divergingMapsAreNeutralAtZero() {
        for (const ColourMap map : {ColourMap::BlueWhiteRed, ColourMap::PurpleWhiteGreen}) {
            QVERIFY(isDiverging(map));
            QCOMPARE(colourOf(map, 0.5), qRgb(0xf7, 0xf7, 0xf7));
        }
    }

    void notANumberHasAColourOfItsOwn() {
        for (const ColourMap map : allColourMaps())
            for (int i = 0; i <= 254; ++i)
                if (map != ColourMap::Greys)
                    QVERIFY(colourOf(map, std::nan("")) != colourOf(map, i / 254.0));
    }

    void cellTexts() {
        const auto rangeOf = [](std::initializer_list<double> numbers) {
            NumberRange range;
            for (const double number : numbers)
                range.add(number);
            return range;
        };
        const NumberRange weights = rangeOf({0, 0.54, 1}), scores = rangeOf({-3.4, 9.99, 5e6}),
                          wide = rangeOf({-123.4, 0.5}), wider = rangeOf({1234, -kInfinity}),
                          rounds = rangeOf({9.996});
        using Form = CellNumbers;
        QCOMPARE(Form::usual(weights), (Form{2, 4}));
        QCOMPARE(Form::usual(scores), (Form{2, 4})); // 5e6 is written as a power of ten
        QCOMPARE(Form::usual(rounds), (Form{1, 4})); // with two decimals, it would be 10.00
        QCOMPARE(Form::usual(wide), (Form{1, 4}));
        QCOMPARE(Form::usual(wider), (Form{0, 4}));
        QCOMPARE(Form::brief(weights), (Form{1, 3}));
        QCOMPARE(Form::brief(wide), (Form{0, 3}));
        const std::tuple<Form, double, const char *> texts[] = {
            {{2, 4}, 0.0, "0"},        {{2, 4}, -0.0, "0"},       {{2, 4}, 0.004, ".00"},
            {{2, 4}, -0.0001, ".00"},  {{2, 4}, 0.125, ".12"},    {{2, 4}, -0.375, "−.38"},
            {{2, 4}, 112.5, "112.50"}, {{2, 4}, 0.9999, "1.00"},  {{2, 4}, -3.412, "−3.41"},
            {{2, 4}, 54321.0, "5e4"},  {{2, 4}, -1e9, "−1e9"},    {{2, 4}, -kInfinity, "−∞"},
            {{1, 4}, 0.04, ".0"},      {{1, 4}, -12.34, "−12.3"}, {{1, 3}, 1234.0, "1e3"},
            {{0, 4}, 0.4, "≈0"},       {{0, 4}, -0.4, "≈0"},      {{0, 4}, 0, "0"},
            {{0, 4}, 0.6, "1"},        {{0, 4}, 9999.4, "9999"},  {{0, 4}, 9999.6, "1e4"},
            {{2, 4}, kInfinity, "∞"},  {{0, 3}, -999.6, "−1e3"}};
        for (const auto &[form, value, text] : texts)
            QCOMPARE(form.text(value), QString(text));
        QVERIFY(Form{}.isZero(-0.004) && Form{}.isZero(0) && !Form{}.isZero(0.006));
    }

    void whatIsNoNumberIsADashInEveryWayANumberIsWritten() {
        const double nan = std::nan("");
        const QString dash(QChar(0x2014));
        for (const QString &text :
             {CellNumbers().text(nan), fullText(static_cast<float>(nan)), numberText(nan, 3),
              digitsText(nan), powerText(nan, 1), lossText(nan), fixedText(nan, 2),
              percentText(nan), pointsText(nan)})
            QCOMPARE(text, dash);
        QCOMPARE(powerText(-kInfinity, 1), QString("−∞"));
    }

    /// Cells, strip, inspector and descriptions round numbers the same way.
    void everyTextRoundsAlike() {
        core::Random random(4);
        std::vector<float> values{0.125f, 0.375f, 0.625f, -0.125f, 2.5f, 0.005f, -0.004f, 1e-9f};
        for (int i = -4000; i <= 4000; ++i)
            values.push_back(static_cast<float>(i) / 1024); // many of these are rounding ties
        for (int i = 0; i < 4000; ++i)
            values.push_back(static_cast<float>(random.normal()));
        for (const float value : values) {
            const auto number = static_cast<double>(value);
            const QString term = termText(value);
            QString cell = CellNumbers().text(number);
            if (cell.startsWith(QLatin1Char('.')))
                cell.prepend(QLatin1Char('0'));
            if (cell.startsWith(QStringLiteral("−.")))
                cell.insert(1, QLatin1Char('0'));
            if (std::abs(value) < 9)
                QCOMPARE(cell, term);
            QCOMPARE(numberText(number, 2), term);
            QCOMPARE(numberText(number, 4), resultText(value));
            if (std::abs(value) >= 0.0005f)
                QCOMPARE(shownNumber(number), numberText(number, 3));
            QCOMPARE(term == QStringLiteral("0"), value == 0);
            QVERIFY2(!QRegularExpression(QStringLiteral("^−0*\\.?0*$")).match(term).hasMatch(),
                     qPrintable(term));
        }
    }

    void fullTextsReadBack() {
        for (const float value : {0.1f, 1.0f / 3, 1e-20f, -2.5f, 16777217.0f}) {
            const QString text = fullText(value).replace(QChar(0x2212), QLatin1Char('-'));
            QCOMPARE(text.toFloat(), value);
        }
        QCOMPARE(fullText(-0.5f), QStringLiteral("−0.5"));
        QCOMPARE(fullText(-0.0f), QStringLiteral("0"));
    }

    void rangesSayWhatTheyAre() {
        // One sequence, two heads, matrices of 2 × 2.
        const core::Tensor tensor =
            tensorOf({1, 2, 2, 2}, {0.5f, 0.5f, 0.25f, 0.75f, 0.1f, 0.9f, 0, 1});
        const auto scale = [&](Range range) {
            return ColourScale::of(tensor, 0, 0, ColourMap::Viridis, range);
        };
        QCOMPARE(scale(Range::Fixed).position(0, 0.5), 0.5);
        QCOMPARE(scale(Range::PerRow).position(0, 0.5), 1.0);
        QCOMPARE(scale(Range::PerRow).position(1, 0.75), 1.0);
        QCOMPARE(scale(Range::PerHead).position(0, 0.75), 1.0);
        QCOMPARE(scale(Range::AllHeads).position(0, 0.75), 0.75);
        QStringList texts;
        for (const Range range : {Range::Fixed, Range::PerRow, Range::PerHead, Range::AllHeads})
            texts.append(scale(range).rangeText());
        QCOMPARE(texts.removeDuplicates(), 0);
    }

    void signedRangesAreSymmetric() {
        const core::Tensor tensor =
            tensorOf({1, 1, 1, 3}, {-2, 1, -std::numeric_limits<float>::infinity()});
        const ColourScale scale =
            ColourScale::of(tensor, 0, 0, ColourMap::BlueWhiteRed, Range::Fixed);
        QCOMPARE(scale.position(0, 0), 0.5);
        QCOMPARE(scale.position(0, -2), 0.0);
        QCOMPARE(scale.position(0, 1), 0.75);
        QCOMPARE(scale.lowText(), QStringLiteral("−2.00"));
        QCOMPARE(scale.highText(), QStringLiteral("2.00"));
    }

    void zerosAloneStayInTheMiddle() {
        const core::Tensor zeros = tensorOf({1, 1, 2}, {0, 0});
        const ColourScale scale =
            ColourScale::of(zeros, 0, 0, ColourMap::BlueWhiteRed, Range::PerHead);
        QCOMPARE(scale.position(0, 0), 0.5);
    }

    void textIsReadable() {
        for (const FigureStyle &style : {FigureStyle::light(), FigureStyle::dark()})
            for (const QColor &back : {style.background, style.surface}) {
                QVERIFY(contrastOf(style.text, back) >= 7);
                QVERIFY(contrastOf(style.mutedText, back) >= 4.5);
                // Role colours are used for bold symbols and strokes only, which need 3 : 1 (WCAG
                // 2, 1.4.11).
                for (const QColor &role :
                     {style.query, style.key, style.value, style.context, style.accent})
                    QVERIFY(contrastOf(role, back) >= 3);
            }
        for (const ColourMap map : allColourMaps())
            for (int i = 0; i <= 64; ++i) {
                const QRgb fill = colourOf(map, i / 64.0);
                const QColor text = wantsDarkText(fill) ? QColor(Qt::black) : QColor(Qt::white);
                QVERIFY(contrastOf(text, QColor(fill)) >= 4.5);
            }
    }

    void fontsHaveWholePixels() {
        for (const double scale : {1.0, 1.3, 2.0})
            for (const auto text : {FigureStyle::Text::Cell, FigureStyle::Text::Label,
                                    FigureStyle::Text::Body, FigureStyle::Text::Title})
                QVERIFY(FigureStyle::light(scale).font(text).pixelSize() >= 10);
    }

    /// Figures try hundreds of layouts and wrap their titles for each, so only the visible part of
    /// a long word is laid out.
    void aWordWithoutAnyEndIsNotLaidOutWhole() {
        const QFont font = FigureStyle::light().font(FigureStyle::Text::Label);
        const QString most = QString("word ").repeated(700);
        QCOMPARE(wrapped(most, font, 200).join(' '), most.trimmed()); // readable text is not cut
        const QString endless = QString(200'000, 'x') + QStringLiteral("👩 end");
        const QString shown = wrapped(endless, font, 200).join(QString());
        QVERIFY2(shown.size() < 5000, qPrintable(QString::number(shown.size())));
        QVERIFY(shown.startsWith("xxx") && shown.contains(QChar(0x2026)) && shown.endsWith("end"));
        const QString pairs = QStringLiteral("👩").repeated(10'000);
        QVERIFY(wrapped('a' + pairs, font, 200).join(QString()).isValidUtf16());
        QVERIFY(wrapped(pairs, font, 200).join(QString()).isValidUtf16());
    }

    void elisionNeverExceedsTheWidth() {
        const QFont font = FigureStyle::light().font(FigureStyle::Text::Label);
        const QString text = QStringLiteral("internationalisation 👩‍👩‍👧 銀行");
        for (double width = 0; width < 200; width += 7) {
            const QString shown = elided(text, font, width);
            QVERIFY(textWidth(shown, font) <= width);
        }
        QCOMPARE(elided(text, font, 1000), text);
        QVERIFY(elided(text, font, 1).isEmpty());
    }

    void tokensShowWhatIsInvisible() {
        QCOMPARE(tokenText("a\nb"), QStringLiteral("a⏎b"));
        QCOMPARE(tokenText(" the"), QStringLiteral("␣the"));
        QCOMPARE(tokenText("مرحبا"), QStringLiteral("مرحبا"));
    }

    /// On a dark background, no colour glares, dark colours stay dark, and the order of lightness
    /// is kept.
    void tonedDownOnADarkGround() {
        for (const ColourMap map : allColourMaps()) {
            if (isDiverging(map))
                continue;
            const double most = map == ColourMap::Greys ? 0.28 : 0.65;
            for (int i = 0; i <= 254; ++i) {
                const double t = i / 254.0;
                const QRgb own = colourOf(map, t), toned = tonedDown(map, t);
                QVERIFY(luminanceOf(toned) <= most);
                QVERIFY(luminanceOf(toned) <= luminanceOf(own) + 0.005);
                if (luminanceOf(own) <= 0.15)
                    QCOMPARE(toned, own);
                if (i == 0)
                    continue;
                const double before = (i - 1) / 254.0;
                const double change = luminanceOf(own) - luminanceOf(colourOf(map, before));
                const double tonedChange = luminanceOf(toned) - luminanceOf(tonedDown(map, before));
                QVERIFY(change * tonedChange > -1e-4); // except for rounding
            }
        }
        QCOMPARE(tonedDown(ColourMap::Viridis, std::nan("")),
                 colourOf(ColourMap::Viridis, std::nan("")));
    }

    /// On a dark background, signed values are brighter the further they are from zero, and no
    /// colour glares.
    void signedValuesOnADarkGround() {
        for (const ColourMap map : allColourMaps()) {
            if (!isDiverging(map))
                continue;
            for (int i = 0; i <= 100; ++i)
                for (const int side : {-1, 1}) {
                    const auto at = [&](int share) {
                        return tonedDown(map, 0.5 + side * share / 200.0);
                    };
                    QVERIFY(luminanceOf(at(i)) < 0.4);
                    QVERIFY(i == 0 || luminanceOf(at(i)) >= luminanceOf(at(i - 1)));
                }
            // The hues match the original map.
            for (const double t : {0.0, 1.0}) {
                const QColor own(colourOf(map, t < 0.5 ? 0.2 : 0.8)), shown(tonedDown(map, t));
                const int apart = std::abs(own.hsvHue() - shown.hsvHue());
                QVERIFY(std::min(apart, 360 - apart) < 40);
            }
        }
        QCOMPARE(tonedDown(ColourMap::BlueWhiteRed, std::nan("")),
                 colourOf(ColourMap::BlueWhiteRed, std::nan("")));
    }

    /// Text outside a picture is not drawn. Text that is partly inside must not be lost.
    void textAtTheEdgesIsDrawn() {
        constexpr int kMargin = 100; // px
        const QSize size(120, 80);
        const QFont font = FigureStyle::light().font(FigureStyle::Text::Label);
        const auto painted = [&](QPoint centre, double height, double angle, int margin) {
            QImage image(size + QSize(2 * margin, 2 * margin), QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            painter.translate(centre + QPoint(margin, margin));
            painter.rotate(angle);
            drawLine(painter, QRectF(-25, -height / 2, 50, height), Qt::AlignHCenter, "ÂWgjy", font,
                     Qt::black);
            return image.copy(QRect(QPoint(margin, margin), size));
        };
        const auto inkOf = [](const QImage &image) {
            int ink = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    ink += image.pixel(x, y) != qRgb(255, 255, 255) ? 1 : 0;
            return ink;
        };
        int visible = 0;
        for (const double angle : {0.0, -45.0, -90.0})
            for (const double height : {1.0, 14.0})
                for (int x = -40; x <= 160; x += 4)
                    for (const int y : {-12, -6, -2, 0, 40, 80, 82, 86, 92}) {
                        if (inkOf(painted({x, y}, height, angle, kMargin)) <= 3)
                            continue;
                        ++visible;
                        QVERIFY2(
                            inkOf(painted({x, y}, height, angle, 0)) > 0,
                            qPrintable(QStringLiteral("%1, %2, %3°").arg(x).arg(y).arg(angle)));
                    }
        QVERIFY(visible > 500);
    }

    void mapsAreAsPublished_data() {
        QTest::addColumn<std::size_t>("which");
        for (std::size_t i = 0; i < kPublished.size(); ++i)
            QTest::newRow(qPrintable(nameOf(kPublished[i].map))) << i;
    }
    void mapsAreAsPublished() {
        QFETCH(std::size_t, which);
        const auto &[map, colours] = kPublished[which];
        for (std::size_t i = 0; i < colours.size(); ++i) {
            const auto place = (i * 255 + 16) / 32;
            const QRgb shown = colourOf(map, static_cast<double>(place) / 255);
            QVERIFY2(distance(shown, colours[i]) <= 2,
                     qPrintable(QStringLiteral("colour %1 is %2, published %3")
                                    .arg(place)
                                    .arg(shown & 0xffffff, 6, 16)
                                    .arg(colours[i], 6, 16)));
        }
    }
    void everyMapButGreysIsPublished() {
        for (const ColourMap map : allColourMaps())
            QVERIFY(map == ColourMap::Greys ||
                    std::ranges::find(kPublished, map, &Published::map) != kPublished.end());
    }
};

HEADLIGHT_WIDGET_TEST(FigureBasicsTest)
#include "tst_figure_basics.moc"
