// The picture of one score in the show for a class: a row meets a column, with their numbers.
#include "tests/support/painting_record.h"
#include "tests/ui/show/show_fixture.h"
#include "ui/window/start/show/show_stage.h"

using test::kMinText;
using test::sentenceWith;
using test::ShowFixture;

class ShowScoreTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theRowMeetsTheColumn_data() {
        test::addCombinations<QSize, QString>(
            {"size", "text"}, {QSize(1280, 720), QSize(1024, 768), QSize(1920, 1080)},
            {sentenceWith("tired"), sentenceWith("crowded"), sentenceWith("wide")});
    }

    /// Regression test: at 1280 × 720, the key was a stripe without numbers.
    void theRowMeetsTheColumn() {
        QFETCH(QSize, size);
        QFETCH(QString, text);
        ShowFixture fixture(text);
        fixture.show.resize(size);
        fixture.goTo(MomentKind::Score);
        QCoreApplication::processEvents();
        const ui::ShowStage &stage = fixture.show.stage();
        const ui::ShowMeeting meeting = stage.meeting();
        const ui::ReadSentence &read = fixture.show.moments()->second();
        const core::Index target = fixture.show.moments()->target();
        QCOMPARE(meeting.row.numbers,
                 read.vector(core::Stage::Query, ui::kShownLayer, ui::kShownHead, read.it));
        QCOMPARE(meeting.column.numbers,
                 read.vector(core::Stage::Key, ui::kShownLayer, ui::kShownHead, target));
        QCOMPARE(meeting.score, fixture.moment().numbers[0].value);
        const double unit = std::min(size.width() / 1280.0, size.height() / 720.0);
        const auto style = ui::FigureStyle::presented(false, unit);
        const QRectF area = stage.meetingArea();
        QVERIFY(QRectF(stage.rect()).contains(area));
        const ui::ShowMeeting::Place place = meeting.place(style, area);
        QCOMPARE(place.numbers.size(), meeting.row.numbers.size()); // none is left out
        QVERIFY(place.score.width() > 0.1 * area.width());
        // The row ends to the left of the score, and the column ends above it.
        for (const QRectF &cell : place.row) {
            QCOMPARE(cell.top(), place.score.top());
            QCOMPARE(cell.height(), place.score.height());
            QVERIFY(cell.left() >= area.left() && cell.right() < place.score.left());
        }
        for (const QRectF &cell : place.column) {
            QCOMPARE(cell.left(), place.score.left());
            QCOMPARE(cell.width(), place.score.width());
            QVERIFY(cell.height() >= style.minRow);
            QVERIFY(cell.top() >= area.top() && cell.bottom() < place.score.top());
        }
        QVERIFY(place.row.front().united(place.row.back()).width() > 0.6 * area.width());
        QVERIFY(place.column.front().united(place.column.back()).height() > 0.6 * area.height());
        // Each number is painted, readable and within its cell.
        const auto record = test::PaintingRecord::of(fixture.show);
        for (const auto *cells : {&place.row, &place.column})
            for (const QRectF &cell : *cells)
                QVERIFY2(std::ranges::any_of(record.texts,
                                             [&](const auto &each) {
                                                 const QPointF at = each.centre - stage.pos();
                                                 return cell.contains(at) &&
                                                        each.width <= cell.width() &&
                                                        each.shown >= kMinText - 0.01;
                                             }),
                         test::said("no number at %1, %2", cell.x(), cell.y()));
        for (const QRectF &one :
             {place.columnPurpose, place.columnName, place.strip, place.rowPurpose, place.rowName})
            for (const QRectF &other : {place.columnPurpose, place.columnName, place.strip,
                                        place.rowPurpose, place.rowName})
                QVERIFY(one == other || !one.intersects(other));
    }

    /// A row that is too long for its numbers shows those with the largest products.
    void aLongRowShowsTheLargestProducts() {
        ui::ShowMeeting meeting;
        for (int number = 0; number < 200; ++number) {
            meeting.row.numbers.push_back(number % 20 == 7 ? 3.0F : 0.01F);
            meeting.column.numbers.push_back(-1);
        }
        const auto place = meeting.place(ui::FigureStyle::presented(false, 1), {0, 0, 1160, 480});
        QVERIFY(place.numbers.size() >= 10 && place.numbers.size() < 200);
        QVERIFY(std::ranges::is_sorted(place.numbers));
        for (std::size_t number = 7; number < 200; number += 20)
            QVERIFY(std::ranges::find(place.numbers, number) != place.numbers.end());
        QVERIFY(place.row.front().width() >= 16 && place.column.front().height() >= 22);
    }
};

HEADLIGHT_WIDGET_TEST(ShowScoreTest)
#include "tst_show_score.moc"
