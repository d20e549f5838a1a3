// Colour maps, number formats, colour scales, styles and text lines.
#include "core/random.h"
#include "tests/support/test_main.h"
#include "ui/figures/base/style.h"
#include "ui/figures/colours/colour_map.h"
#include "ui/figures/colours/colour_scale.h"
#include "ui/figures/flow/flow_arithmetic.h"
#include "ui/figures/output/output_content.h"
#include "ui/figures/text/text.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/panels/inspector_text.h"
#include "ui/words/number_text.h"
#include "ui/words/token_names.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <limits>

using namespace headlight;
using namespace headlight::ui;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

core::Tensor tensorOf(core::Shape shape, std::vector<float> values) {
    return core::Tensor(std::move(shape), std::move(values));
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

    void sequentialMapsRiseInLuminance() {
        for (const ColourMap map : {ColourMap::Viridis, ColourMap::Magma, ColourMap::Cividis})
            for (int i = 1; i <= 64; ++i)
                QVERIFY2(luminanceOf(colourOf(map, i / 64.0)) >=
                             luminanceOf(colourOf(map, (i - 1) / 64.0)),
                         qPrintable(nameOf(map)));
    }

    void notANumberHasAColourOfItsOwn() {
        for (const ColourMap map : allColourMaps())
            for (int i = 0; i <= 254; ++i)
                if (map != ColourMap::Greys)
                    QVERIFY(colourOf(map, std::nan("")) != colourOf(map, i / 254.0));
    }

    void cellTexts_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << "0";
        QTest::newRow("negative zero") << -0.0 << "0";
        QTest::newRow("rounds to zero") << 0.004 << ".00";
        QTest::newRow("rounds to zero from below") << -0.0001 << ".00";
        QTest::newRow("a tie") << 0.125 << ".12";
        QTest::newRow("a tie below zero") << -0.375 << "−.38";
        QTest::newRow("a tie of whole numbers") << 112.5 << "112";
        QTest::newRow("weight") << 0.54 << ".54";
        QTest::newRow("one") << 1.0 << "1.00";
        QTest::newRow("nearly one") << 0.9999 << "1.00";
        QTest::newRow("negative") << -0.37 << "−.37";
        QTest::newRow("ones") << 3.412 << "3.41";
        QTest::newRow("rounds to ten") << 9.996 << "10.0";
        QTest::newRow("tens") << -12.34 << "−12.3";
        QTest::newRow("hundreds") << 123.4 << "123";
        QTest::newRow("large") << 54321.0 << "5e4";
        QTest::newRow("rounds up to the next power") << 96000.0 << "1e5";
        QTest::newRow("hidden") << -kInfinity << "−∞";
        QTest::newRow("infinite") << kInfinity << "∞";
    }
    void cellTexts() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(cellText(value), text);
    }

    void whatIsNoNumberIsADashInEveryWayANumberIsWritten() {
        const double nan = std::nan("");
        const QString dash(QChar(0x2014));
        for (const QString &text :
             {cellText(nan), briefCellText(nan), fullText(static_cast<float>(nan)),
              numberText(nan, 3), digitsText(nan), powerText(nan, 1), lossText(nan),
              fixedText(nan, 2), percentText(nan), pointsText(nan)})
            QCOMPARE(text, dash);
        QCOMPARE(powerText(-kInfinity, 1), QString("−∞"));
    }

    void briefCellTexts_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << "0";
        QTest::newRow("rounds to zero") << 0.04 << ".0";
        QTest::newRow("rounds to zero from below") << -0.04 << ".0";
        QTest::newRow("weight") << 0.54 << ".5";
        QTest::newRow("nearly one") << 0.97 << "1.0";
        QTest::newRow("negative") << -3.08 << "−3.1";
        QTest::newRow("rounds to ten") << 9.96 << "10";
        QTest::newRow("tens") << -12.34 << "−12";
        QTest::newRow("hundreds") << 123.4 << "123";
        QTest::newRow("thousands") << 1234.0 << "1e3";
        QTest::newRow("hidden") << -kInfinity << "−∞";
    }
    void briefCellTexts() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(briefCellText(value), text);
    }

    /// Cells, strip, inspector and descriptions round numbers the same way.
    void everyTextRoundsAlike() {
        core::Random random(4);
        std::vector<float> values{0.125f, 0.375f, 0.625f, -0.125f, 2.5f, 0.005f, -0.004f, 1e-9f};
        for (int i = -4000; i <= 4000; ++i)
            values.push_back(static_cast<float>(i) / 1024); // many of them are ties
        for (int i = 0; i < 4000; ++i)
            values.push_back(static_cast<float>(random.normal()));
        for (const float value : values) {
            const auto number = static_cast<double>(value);
            const QString term = termText(value);
            QString cell = cellText(number);
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
        // One sequence, two heads, 2 × 2.
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

    /// Figures try hundreds of layouts and wrap their titles for each, so only the visible part is
    /// laid out.
    void aWordWithoutAnyEndIsNotLaidOutWhole() {
        const QFont font = FigureStyle::light().font(FigureStyle::Text::Label);
        const QString most = QString("word ").repeated(700);
        QCOMPARE(wrapped(most, font, 200).join(' '), most.trimmed()); // all readable text is kept
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
};

HEADLIGHT_WIDGET_TEST(FigureBasicsTest)
#include "tst_figure_basics.moc"
