// The softmax figure: bars match their numbers, the Jacobian has its own colours, and text fits.
#include "tests/ui/figures/figure_fixture.h"

namespace {

core::SoftmaxLook sixTimes(float times) {
    core::SoftmaxLook look;
    look.logits.assign(core::kSixLogits.begin(), core::kSixLogits.end());
    look.times = times;
    return look;
}

core::SoftmaxLook spreadOf(core::Index headSize) {
    core::SoftmaxLook look;
    look.part = core::SoftmaxPart::Spread;
    look.headSize = headSize;
    return look;
}

SoftmaxFigure figureOf(const core::SoftmaxLook &look, double textScale = 1,
                       const core::TracePointer &trace = nullptr,
                       const core::Selection &selection = {}) {
    return SoftmaxFigure::of(trace, selection, look, {}, FigureStyle::light(textScale));
}

SoftmaxGeometry placesOf(const SoftmaxFigure &figure, const QSizeF &size = {960, 600}) {
    return figure.geometry(QRectF(QPointF(), size));
}

QString textOf(const PaintingRecord &record) {
    QString all;
    for (const PaintingRecord::Text &text : record.texts)
        all += text.text + ' '; // texts continue on the next line
    return all;
}

} // namespace

class SoftmaxFigureTest : public QObject {
    Q_OBJECT
  private slots:
    void bars_stand_where_their_numbers_say() {
        const SoftmaxFigure figure = figureOf(sixTimes(1));
        const SoftmaxGeometry places = placesOf(figure);
        const SoftmaxBarsGeometry &bars = places.bars;
        QCOMPARE(bars.columns.size(), std::size_t(6));
        for (std::size_t i = 0; i < 6; ++i) {
            const auto logit = static_cast<double>(core::kSixLogits[i]);
            const QRectF &bar = bars.columns[i].logit;
            const double end = logit > 0 ? bar.top() : bar.bottom();
            QVERIFY(std::abs(bars.logitAt(end) - logit) < 1e-6);
            QVERIFY(std::abs((logit > 0 ? bar.bottom() : bar.top()) - bars.yOf(0)) < 1e-6);
            const double p = static_cast<double>(figure.content().bars[i].probability);
            QVERIFY(std::abs(bars.columns[i].probability.height() -
                             p / bars.mostProbable * bars.probabilities.height()) < 1e-6);
            // The probability is below the logit, in the same column.
            QVERIFY(bars.columns[i].probability.left() == bar.left());
            QVERIFY(bars.columns[i].probability.top() > bar.bottom());
            QVERIFY(bars.columnAt(bar.center()) == i);
        }
        QVERIFY(!bars.logitColumnAt(bars.columns[0].probability.center()));
        QVERIFY(places.barsCard.contains(bars.columns[5].all));
    }

    void the_jacobian_goes_pale_as_softmax_saturates() {
        const auto redness = [](float times) {
            const SoftmaxFigure figure = figureOf(sixTimes(times));
            const QImage image = test::paintedOn(figure, {960, 600});
            const SoftmaxGeometry places = placesOf(figure);
            const QColor colour =
                image.pixelColor(places.jacobian.cellRect(1, 1).center().toPoint() + QPoint(9, 9));
            return colour.hsvSaturation();
        };
        QVERIFY(redness(1) > 60);
        QVERIFY(redness(100) < 12);
        QVERIFY(figureOf(sixTimes(1)).content().norm > 0.3);
        QVERIFY(figureOf(sixTimes(100)).content().norm < 0.015);
    }

    void all_is_said_in_words() {
        const SoftmaxFigure figure = figureOf(sixTimes(100));
        const QString all = textOf(PaintingRecord::of(figure, {960, 600}, Device::Vector));
        QVERIFY(all.contains("custom logits"));
        QVERIFY(all.contains("not from the model"));
        QVERIFY(all.contains("entropy"));
        QVERIFY(all.contains(normText(figure.content().norm)));
        QVERIFY(all.contains("100 times as large")); // with respect to the numbers
        const QString said = figure.description();
        for (const char *words : {"entropy", "probability", "Jacobian", "“2”: logit 40"})
            QVERIFY2(said.contains(QString::fromUtf8(words)), words);
    }

    void of_a_trace_it_is_the_selected_row() {
        const core::TracePointer trace = test::makeTrace({});
        core::Selection selection;
        selection.query = 2;
        selection.key = 1;
        const SoftmaxFigure figure = figureOf({}, 1, trace, selection);
        const SoftmaxContent &content = figure.content();
        const auto weights = trace->matrix(core::Stage::AttentionWeights, {}, 0, 0);
        QCOMPARE(content.bars.size(), static_cast<std::size_t>(weights.columns));
        for (const SoftmaxContent::Bar &bar : content.bars)
            QCOMPARE(bar.probability, weights(2, static_cast<core::Index>(bar.index)));
        QVERIFY(content.chosen == std::size_t(1));
        QVERIFY(!content.isOwn && content.canChange);
        QVERIFY(!content.title.contains("custom logits"));
        selection.query.reset();
        QVERIFY(
            figureOf({}, 1, trace, selection).content().subtitle.contains("no row is selected"));
    }

    void a_hidden_key_is_hidden_here_too() {
        test::TraceRecipe recipe;
        recipe.masks = {core::CausalMask{}};
        core::Selection selection;
        selection.query = 1;
        const SoftmaxFigure figure = figureOf({}, 1, test::makeTrace(recipe), selection);
        const SoftmaxContent &content = figure.content();
        QVERIFY(content.bars.size() > 2);
        QVERIFY(!content.bars[1].isHidden && content.bars[2].isHidden);
        QCOMPARE(content.bars[2].probability, 0.0f);
        const SoftmaxBarsGeometry bars = placesOf(figure).bars;
        const PaintingRecord record = PaintingRecord::of(figure, {960, 600}, Device::Vector);
        QVERIFY(record.fillsOf(bars.columns[2].logit) ==
                std::vector<QRgb>{FigureStyle::light().hidden.rgb()});
        QVERIFY(figure.words(placesOf(figure), bars.columns[2].logit.center()).contains("hidden"));
    }

    void why_there_is_nothing() {
        test::TraceRecipe recipe;
        const core::TracePointer trace = test::makeTrace(recipe);
        core::Selection nowhere;
        nowhere.layer = 7;
        const SoftmaxFigure figure = figureOf({}, 1, trace, nowhere);
        QVERIFY(figure.content().nothing.contains("custom logits"));
        QVERIFY(figure.description().contains(figure.content().nothing));
        // Custom logits require no trace.
        QVERIFY(figureOf(sixTimes(1), 1, trace, nowhere).content().nothing.isEmpty());
        const ViewInfo &info = infoOf(core::View::Softmax);
        FigureInput input{.trace = trace, .selection = nowhere};
        QVERIFY(!info.canShow(input));
        input.softmax = sixTimes(1);
        QVERIFY(info.canShow(input).ok());
    }

    void the_spread_is_drawn_as_it_was_counted() {
        const SoftmaxFigure figure = figureOf(spreadOf(64));
        const SoftmaxContent &content = figure.content();
        QVERIFY(content.spread);
        const SoftmaxSpreadGeometry spread = placesOf(figure).spread;
        QCOMPARE(spread.reach, core::kSpreadReach * 8);
        QVERIFY(std::abs(spread.xOf(0) - spread.plot.center().x()) < 1e-6);
        QVERIFY(std::abs(spread.scoreAt(spread.xOf(5)) - 5) < 1e-6);
        const QString all = textOf(PaintingRecord::of(figure, {960, 600}, Device::Vector));
        for (const QString &text : content.plain + content.scaled)
            QVERIFY2(all.contains(text), qPrintable(text));
        QVERIFY(all.contains("not the model's"));
        // Symbols are typeset, not shown as typed.
        QVERIFY(!all.contains('_') && !figure.description().contains('_'));
        // The histogram is wide without the scaling, and narrow with it.
        const QImage image = test::paintedOn(figure, {960, 600});
        const FigureStyle style = FigureStyle::light();
        const auto inkAt = [&](double score) {
            int count = 0;
            const int x = static_cast<int>(spread.xOf(score));
            for (int y = static_cast<int>(spread.plot.top()); y < spread.plot.bottom() - 2; ++y)
                count += image.pixelColor(x, y) != style.surface ? 1 : 0;
            return count;
        };
        QVERIFY(inkAt(0) > spread.plot.height() / 2);
        QVERIFY(inkAt(8) > spread.plot.height() / 3); // one standard deviation of q·k
        QVERIFY(inkAt(30) < spread.plot.height() / 8);
    }

    void what_is_being_drawn_is_said() {
        GivenSoftmax given;
        given.spread = nullptr;
        const SoftmaxFigure figure =
            SoftmaxFigure::of(nullptr, {}, spreadOf(4096), given, FigureStyle::light());
        QVERIFY(
            textOf(PaintingRecord::of(figure, {960, 600}, Device::Vector)).contains("Sampling"));
    }

    void a_file_that_is_too_small_shows_the_figure_smaller() {
        core::SoftmaxLook look;
        for (std::size_t i = 0; i < kMaxSoftmaxBars; ++i)
            look.logits.push_back(static_cast<float>(i % 7));
        const SoftmaxFigure figure = figureOf(look);
        const QSizeF size(928, 480);
        QVERIFY(figure.readableSize(size).height() > size.height());
        const double shrink = shrinkOf(figure.readableSize(size), size);
        const PaintingRecord small = PaintingRecord::of(figure, size, Device::Vector);
        const PaintingRecord whole = PaintingRecord::of(figure, size / shrink, Device::Vector);
        QCOMPARE(small.texts.size(), whole.texts.size());
        for (std::size_t i = 0; i < small.texts.size(); ++i) {
            QCOMPARE(small.texts[i].text, whole.texts[i].text);
            QVERIFY(QLineF(small.texts[i].centre, whole.texts[i].centre * shrink).length() < 1);
        }
    }

    void everything_has_room_data() {
        test::addColumns<double, QSizeF>({"textScale", "sight"});
        QTest::newRow("usual") << 1.0 << QSizeF(760, 430);
        QTest::newRow("narrow") << 1.0 << QSizeF(360, 700);
        QTest::newRow("200 %") << 2.0 << QSizeF(760, 430);
    }
    void everything_has_room() {
        QFETCH(double, textScale);
        QFETCH(QSizeF, sight);
        for (const core::SoftmaxLook &look : {sixTimes(1), sixTimes(100), spreadOf(16)}) {
            const SoftmaxFigure figure = figureOf(look, textScale);
            const QSizeF size = figure.readableSize(sight);
            QVERIFY(size.width() >= sight.width() && size.height() >= sight.height());
            const SoftmaxGeometry places = placesOf(figure, size);
            const PaintingRecord record = PaintingRecord::of(figure, size, Device::Vector);
            for (const PaintingRecord::Text &text : record.texts) {
                QVERIFY2(!text.text.contains(QChar(0x2026)), qPrintable(text.text)); // elided
                QVERIFY(QRectF(QPointF(), size).contains(text.centre));
            }
            if (look.part == core::SoftmaxPart::Row) {
                QVERIFY(places.bars.logits.height() >= 40);
                QVERIFY(places.bars.probabilities.height() >= 40);
                QVERIFY(!places.barsCard.intersects(places.jacobianCard));
                QVERIFY(places.note.top() >= places.jacobianCard.bottom());
            } else {
                QVERIFY(places.spread.plot.height() >= 60);
                QVERIFY(places.spreadCard.contains(places.spread.table));
            }
        }
    }

    void many_bars_keep_their_columns() {
        core::SoftmaxLook look;
        for (std::size_t i = 0; i < core::kMaxOwnLogits; ++i)
            look.logits.push_back(0.1f * static_cast<float>(i % 7));
        const SoftmaxFigure figure = figureOf(look);
        const SoftmaxGeometry places = placesOf(figure, figure.readableSize({700, 420}));
        QCOMPARE(places.bars.columns.size(), core::kMaxOwnLogits);
        QVERIFY(places.bars.columns[0].all.width() >= 8);
        QVERIFY(places.barsCard.contains(places.bars.columns.back().all));
    }
};

HEADLIGHT_WIDGET_TEST(SoftmaxFigureTest)
#include "tst_softmax_figure.moc"
