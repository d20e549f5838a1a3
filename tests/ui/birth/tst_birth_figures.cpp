// The figures of a head being born: nothing overlaps, and they show the recorded run up to the
// current step, nothing after it.
#include "tests/support/painting_record.h"
#include "tests/support/test_main.h"
#include "tests/support/training.h"
#include "ui/figures/birth/birth_figure.h"
#include "ui/figures/birth/birth_moments_figure.h"
#include "ui/figures/birth/birth_painting.h"
#include "ui/figures/table/views.h"

using namespace headlight;
using namespace headlight::ui;

namespace {

std::size_t lastSnapshot() {
    return test::someBirth()->snapshots.size() - 1;
}

BirthContent contentAt(std::size_t snapshot, const FigureStyle &style = FigureStyle::light()) {
    MomentCache moments(test::someBirth());
    return birthContentOf(moments, snapshot, style);
}

bool isWithin(const QRectF &inner, const QRectF &outer) {
    return outer.adjusted(-0.5, -0.5, 0.5, 0.5).contains(inner);
}

bool isSaid(const test::PaintingRecord &record, const QString &text) {
    return std::ranges::any_of(record.texts, [&text](const test::PaintingRecord::Text &each) {
        return each.text == text;
    });
}

} // namespace

class BirthFiguresTest : public QObject {
    Q_OBJECT
  private slots:
    void partsAreApart_data() {
        QTest::addColumn<double>("textScale");
        QTest::addColumn<QSizeF>("size");
        QTest::newRow("small") << 1.0 << QSizeF(1000, 440);
        QTest::newRow("usual") << 1.0 << QSizeF(1300, 640);
        QTest::newRow("large text") << 1.5 << QSizeF(1500, 900);
        QTest::newRow("presented at 1280 x 720") << 1.5 << QSizeF(1114, 685);
    }
    void partsAreApart() {
        QFETCH(double, textScale);
        QFETCH(QSizeF, size);
        const FigureStyle style = FigureStyle::light(textScale);
        const BirthContent content = contentAt(lastSnapshot(), style);
        constexpr double kRoom = 260;
        const QRectF area({}, size);
        const BirthGeometry places = birthGeometry(content, style, area, kRoom);
        QCOMPARE(places.heads.size(), content.heads.size());
        QVERIFY(!places.heads.empty());
        std::vector<QRectF> parts{places.answersTitle, places.curve.card};
        for (const BirthChip &chip : places.chips)
            parts.push_back(chip.rect);
        for (const BirthHeadPlace &head : places.heads) {
            parts.push_back(head.card);
            QVERIFY(isWithin(head.large.cells, head.card));
            QVERIFY(head.large.cells.width() >
                    0.4 * std::min(head.card.width(), head.card.height()));
            std::vector<QRectF> inside{head.large.cells};
            QVERIFY(head.earlier.size() > 1);
            QCOMPARE(head.earlier.front().index, std::size_t(0));
            QCOMPARE(head.earlier.back().index, content.heads.front().earlier.size() - 1);
            for (const BirthHeadPlace::Earlier &earlier : head.earlier) {
                QVERIFY(isWithin(earlier.picture.cells, head.card));
                QVERIFY(isWithin(earlier.caption, head.card));
                inside.push_back(earlier.picture.cells);
                inside.push_back(earlier.caption);
            }
            QVERIFY(test::areApart(inside));
        }
        QVERIFY(test::areApart(parts));
        for (const QRectF &part : parts) {
            QVERIFY(isWithin(part, area));
            QVERIFY(part.left() >= kRoom);
        }
        for (const BirthMarkPlace &mark : places.marks)
            QVERIFY(isWithin(mark.label, places.curve.plot));
    }

    /// In a small picture, only every second or third label fits.
    void theLabelsToKeepAreShown() {
        const FigureStyle style = FigureStyle::light();
        HeatmapContent content = contentAt(lastSnapshot()).heads[0].content;
        QStringList names;
        for (qsizetype row = 0; row < content.rowLabels.size(); ++row)
            names << QString("t%1").arg(row);
        content.rowLabels = content.columnLabels = names;
        content.select({}, {});
        const auto isCrowded = [&](double side) {
            const HeatmapGeometry places = HeatmapGeometry::of(
                HeatmapFigure(content, style).request(QRectF(0, 0, side, side)));
            return places.rowLabelStep > 1 && places.columnLabelStep > 1;
        };
        double side = 400;
        while (side > 100 && !isCrowded(side))
            side -= 10;
        QVERIFY(isCrowded(side));
        for (const core::Index kept : {1, 3}) {
            content.keptLabels = {kept};
            const auto record = test::PaintingRecord::of(HeatmapFigure(content, style),
                                                         QSizeF(side, side), Device::Vector);
            QCOMPARE(std::ranges::count(record.texts, QString("t%1").arg(kept),
                                        &test::PaintingRecord::Text::text),
                     2); // one of the row, one of the column
        }
    }

    void marksBesideEachOtherDoNotOverlap() {
        const FigureStyle style = FigureStyle::light();
        BirthContent content = contentAt(lastSnapshot());
        content.marks = {{10, "step 10: head 0.0 finds the letter before"},
                         {12, "step 12: head 1.0 finds what came next"},
                         {119, "step 119: head 1.1 finds what came next"}};
        const BirthGeometry places = birthGeometry(content, style, QRectF(0, 0, 1200, 640));
        std::vector<QRectF> labels;
        for (const BirthMarkPlace &mark : places.marks)
            labels.push_back(mark.label);
        QVERIFY(test::areApart(labels));
        QVERIFY(labels[0].left() > places.marks[1].x);  // to the right of both lines
        QVERIFY(labels[2].right() < places.marks[2].x); // this label does not fit to the right
        for (const QRectF &label : labels)
            QVERIFY(isWithin(label, places.curve.plot));
    }

    void theFutureIsNotVisible() {
        const auto &run = test::someBirth();
        QCOMPARE(run->heads.size(), std::size_t(1));
        const std::size_t formed = run->heads.front().formed;
        QVERIFY(formed > 3);
        const BirthContent before = contentAt(formed - 1);
        QVERIFY(before.marks.empty());
        const core::Index step = run->snapshots[formed - 1].step;
        QCOMPARE(before.step, step);
        const auto &points = before.curves.plots.front().curves.front().points;
        QVERIFY(!points.empty());
        for (const QPointF &point : points)
            QVERIFY(point.x() <= static_cast<double>(step));
        const BirthContent at = contentAt(formed);
        QCOMPARE(at.marks.size(), std::size_t(1));
        QCOMPARE(at.marks.front().step, double(run->snapshots[formed].step));
        // The axes stay the same. Otherwise the curve would seem to jump.
        QCOMPARE(at.curves.plots.front().high, before.curves.plots.front().high);
        QCOMPARE(at.curves.lastStep, before.curves.lastStep);
    }

    void answersBecomeRight() {
        const BirthContent start = contentAt(0), end = contentAt(lastSnapshot());
        const auto count = [](const BirthContent &content, BirthAnswer::State state) {
            return std::ranges::count(content.answers, state, &BirthAnswer::state);
        };
        QCOMPARE(count(end, BirthAnswer::State::Wrong), 0);
        QVERIFY(count(end, BirthAnswer::State::Right) >= 8);
        QVERIFY(count(start, BirthAnswer::State::Wrong) >= 6);
        QCOMPARE(count(end, BirthAnswer::State::NotAsked), 1); // the first letter is given
        for (std::size_t i = 1; i < end.answers.size(); ++i)
            QCOMPARE(end.answers[i].given, end.answers[i - 1].token);
    }

    void weightsAreThoseOfTheModel() {
        MomentCache moments(test::someBirth());
        const BirthContent content = birthContentOf(moments, 5, FigureStyle::light());
        const auto moment = core::momentOf(*test::someBirth(), 5, moments.example());
        QVERIFY(moment.ok());
        const core::FormedHead &head = test::someBirth()->heads.front();
        const core::SharedMatrix expected =
            moment->trace->matrix(core::Stage::AttentionWeights, head.attention, 0, head.head);
        const core::SharedMatrix shown = content.heads.front().content.matrix();
        QCOMPARE(shown.rows, expected.rows);
        for (core::Index row = 0; row < shown.rows; ++row)
            for (core::Index column = 0; column < shown.columns; ++column)
                QCOMPARE(shown(row, column), expected(row, column));
        QCOMPARE(content.heads.front().earlier.size(), std::size_t(4));
    }

    void silencedHeadsAreNamed() {
        const core::FormedHead &head = test::someBirth()->heads.front();
        MomentCache moments(test::someBirth(), 0, head.silenced());
        const BirthContent content = birthContentOf(moments, lastSnapshot(), FigureStyle::light());
        QVERIFY(content.heads.front().isSilenced);
        const auto wrong =
            std::ranges::count(content.answers, BirthAnswer::State::Wrong, &BirthAnswer::state);
        QVERIFY(wrong >= 6);
        QVERIFY(describe(content).contains(content.heads.front().content.subtitle));
    }

    void rightAndWrongAreReadable() {
        for (const FigureStyle &style :
             {FigureStyle::light(), FigureStyle::dark(), FigureStyle::paper()})
            for (const auto state : {BirthAnswer::State::NotAsked, BirthAnswer::State::Right,
                                     BirthAnswer::State::Wrong})
                QVERIFY(contrastOf(colourOf(state, style), style.surface) >= kTextContrast);
        QVERIFY(colourOf(BirthAnswer::State::Right, FigureStyle::paper()) !=
                colourOf(BirthAnswer::State::Wrong, FigureStyle::paper()));
    }

    void sixMoments() {
        const auto figure = BirthMomentsFigure::of(test::someBirth(), FigureStyle::paper());
        QCOMPARE(figure.moments().size(), BirthMomentsFigure::kMoments);
        QVERIFY(figure.nothing().isEmpty());
        for (std::size_t i = 1; i < figure.moments().size(); ++i)
            QVERIFY(figure.moments()[i].step > figure.moments()[i - 1].step);
        for (const QSizeF &size : {figure.naturalSize(), figure.minimumSize()}) {
            const QRectF area({}, size);
            const BirthMomentsGeometry places = figure.geometry(area);
            std::vector<QRectF> parts{places.title, places.learned, places.curve.card};
            parts.insert(parts.end(), places.headings.begin(), places.headings.end());
            parts.insert(parts.end(), places.headTitles.begin(), places.headTitles.end());
            parts.insert(parts.end(), places.answers.begin(), places.answers.end());
            for (const auto &row : places.pictures)
                for (const HeatmapGeometry &picture : row) {
                    parts.push_back(picture.used);
                    QVERIFY(picture.cell.width() >= 2);
                }
            QVERIFY(test::areApart(parts));
            for (const QRectF &part : parts)
                QVERIFY(isWithin(part, area));
            const auto record = test::PaintingRecord::of(figure, size, Device::Vector);
            for (const BirthContent &moment : figure.moments())
                QVERIFY(isSaid(record, QStringLiteral("step %1").arg(moment.step)));
        }
    }

    /// The rows and columns of a sentence have their words if these fit, and otherwise their
    /// numbers.
    void theMomentsOfASentenceHaveLabels() {
        const core::TaskPointer task = core::findTask("it");
        const auto run = test::valueOf(core::recordRun(task->info().recipe, task));
        const auto figure = BirthMomentsFigure::of(run, FigureStyle::paper());
        QVERIFY(!figure.moments().back().heads.empty());
        const QStringList words = figure.moments().back().heads.front().content.columnLabels;
        QVERIFY(words.contains(QStringLiteral("it")));
        const auto &sought = figure.moments().back().heads.front().content.keptLabels;
        QVERIFY(!sought.empty());
        const QSizeF usual = figure.naturalSize();
        const QSizeF large = 3 * usual;
        QVERIFY(figure.geometry(QRectF({}, large)).hasWords);
        QVERIFY(!figure.geometry(QRectF({}, figure.minimumSize())).hasWords);
        for (const QSizeF &size : {figure.minimumSize(), usual, large}) {
            const BirthMomentsGeometry places = figure.geometry(QRectF({}, size));
            const auto record = test::PaintingRecord::of(figure, size, Device::Vector);
            for (const HeatmapGeometry &picture : places.pictures.front()) {
                const QStringList texts = record.textsIn(picture.used);
                // In any picture, however small, the row of the word in question and a word that
                // the head should find have their labels. Labels that would touch them are omitted.
                const auto isShown = [&](core::Index word) {
                    return texts.contains(places.hasWords ? words[word] : QString::number(word));
                };
                QVERIFY2(isShown(words.indexOf(u"it")) && std::ranges::any_of(sought, isShown),
                         qPrintable(texts.join(' ')));
                for (const QString &text : texts)
                    QVERIFY2(places.hasWords ? words.contains(text)
                                             : QString::number(text.toInt()) == text &&
                                                   text.toInt() < words.size(),
                             qPrintable(text));
                if (places.hasWords)
                    QVERIFY(picture.rowLabelStep == 1 && picture.columnLabelStep == 1);
                QVERIFY(picture.cell.width() >= 2);
            }
        }
    }

    void withoutARunItSaysWhy() {
        const ViewInfo &info = infoOf(core::View::Birth);
        FigureInput input;
        const auto empty = info.makeFigure(input);
        QVERIFY(!info.whyEmpty(input, *empty).isEmpty());
        QVERIFY(empty->description().contains(info.whyEmpty(input, *empty)));
        QVERIFY(!info.canShow(input).ok());
        input.birth = test::someBirth();
        QVERIFY(info.whyEmpty(input, *info.makeFigure(input)).isEmpty());
        input.options.compared.shown = ComparisonSide::A;
        QVERIFY(!info.whyEmpty(input, *info.makeFigure(input)).isEmpty());
        auto run = std::make_shared<core::TrainingRun>();
        run->recipe.task = "tales";
        input.training = run;
        QVERIFY(!info.canShow(input).ok());
        run->recipe.task = "it";
        QVERIFY(info.canShow(input).ok());
    }
};

HEADLIGHT_WIDGET_TEST(BirthFiguresTest)
#include "tst_birth_figures.moc"
