// The size of a figure in a view: no number or word is lost when the text is enlarged. Figures that
// are too large scroll.
#include "tests/ui/figures/figure_fixture.h"

namespace {

const QStringList kLessons{"bank", "sentence", "cat", "batch", "look-ahead"};
const QSizeF kDocked(698, 498); // about the size of the figure at 1280 × 720 with both docks

struct Shown {
    core::TracePointer trace;
    core::Selection selection;
};

/// Returns an example with a text of `words` tokens, or with its own text if `words` is 0.
Shown shownOf(const QString &source, int words = 0) {
    SourceRequest request;
    request.source = source;
    if (words > 0) {
        QStringList text;
        for (int i = 0; i < words; ++i)
            text << QStringLiteral("word%1").arg(QChar('a' + i % 26));
        request.text = text.join(QLatin1Char(' ')).toStdString();
    }
    return {test::passOf(test::valueOf(openSource(request)).state), {}};
}

bool isNumber(QString text) {
    text.replace(QChar(0x2212), QLatin1Char('-'));
    bool isOne = false;
    text.toDouble(&isOne);
    return isOne || text == QStringLiteral("-∞");
}

/// Returns how many of the painted texts contain `words`.
auto countOf(const QString &words, const std::vector<PaintingRecord::Text> &texts) {
    return std::ranges::count_if(
        texts, [&](const PaintingRecord::Text &text) { return text.text.contains(words); });
}

} // namespace

class FigureRoomTest : public QObject {
    Q_OBJECT

  private slots:
    void enlargedTextLosesNothing_data() {
        test::addCombinations<core::View, QString>({"view", "source"},
                                                   {core::View::Heads, core::View::Similarity},
                                                   {kLessons.begin(), kLessons.end()});
    }
    void enlargedTextLosesNothing() {
        QFETCH(core::View, view);
        QFETCH(QString, source);
        for (const int words : {0, 11}) {
            const Shown example = shownOf(source, words);
            const auto texts = [&](double textScale) {
                const auto figure = infoOf(view).makeFigure(
                    {example.trace, example.selection, FigureStyle::light(textScale)});
                const QSizeF size = figure->readableSize(kDocked);
                return PaintingRecord::of(*figure, size, Device::Vector).texts;
            };
            const auto before = texts(1), after = texts(2);
            const auto numbers = [](const std::vector<PaintingRecord::Text> &all) {
                return std::ranges::count_if(
                    all, [](const PaintingRecord::Text &text) { return isNumber(text.text); });
            };
            QVERIFY2(numbers(after) >= numbers(before), qPrintable(source));
            for (const PaintingRecord::Text &text : before) {
                if (!isNumber(text.text) && !text.text.contains(QStringLiteral("…")))
                    QVERIFY2(countOf(text.text, after) >= countOf(text.text, before),
                             qPrintable(text.text));
            }
        }
    }

    /// If the heads do not fit, the view scrolls.
    void everyHeadIsWellSeen() {
        test::TraceRecipe recipe;
        recipe.heads = 24;
        recipe.headSize = 2;
        const auto trace = test::makeTrace(recipe);
        const auto figure = HeadsFigure::fromTrace(trace, {}, FigureStyle::light());
        const QSizeF size = figure.readableSize(kDocked);
        for (const QRectF &matrix : figure.geometry(QRectF(QPointF(), size)).matrices)
            QVERIFY(std::min(matrix.width(), matrix.height()) >= 60);
    }
};

HEADLIGHT_WIDGET_TEST(FigureRoomTest)
#include "tst_figure_room.moc"
