// Animated steps: the trace's numbers move from their matrix to the place where they are combined.
// Any user action ends the animation, and the final picture is pixel-identical to the one without
// animation.
#include "tests/ui/views/view_fixture.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/close_up/close_up_motion.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/views/motion/system_motion.h"

#include <QToolButton>

namespace {

struct MotionFixture {
    Document document;
    Filmstrip filmstrip{document};
    CloseUpView view{document};

    explicit MotionFixture(const QString &source = "cat") {
        QObject::connect(&filmstrip, &Filmstrip::wentOn, &view, &FigureView::showStep);
        view.resize(1200, 800);
        document.open(test::opened(source));
        if (!test::settled(document))
            qFatal("no trace");
        view.show();
        (void)test::exposed(view);
        view.setFocus();
    }
    void select(Stage stage, std::optional<core::Index> query = {},
                std::optional<core::Index> key = {}, bool opened = false) {
        test::select(document, {.stage = stage,
                                .query = query,
                                .key = key,
                                .dimension = test::none(),
                                .opened = opened});
    }
    /// Returns the animation, paused at its beginning.
    StepMotion &step() {
        filmstrip.next();
        view.motion().animation().pause();
        return view.motion();
    }
    CloseUpMotion motion() {
        const auto &figure = static_cast<const CloseUpFigure &>(*view.figure());
        return {figure, view.places(), QRectF(view.rect()), view.figureStyle()};
    }
    QImage picture() { return view.grab().toImage(); }
};

/// Counts paint events.
class Paints : public QObject {
  public:
    int count = 0;
    QRect area; ///< around what was painted
    bool eventFilter(QObject *, QEvent *event) override {
        if (event->type() == QEvent::Paint) {
            ++count;
            area |= static_cast<QPaintEvent *>(event)->rect();
        }
        return false;
    }
};

} // namespace

class StepMotionTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        QSettings().clear();
        SystemMotion::instance().setAnimationsEnabled(true);
    }

    void theSameCellsMeet() {
        MotionFixture fixture;
        fixture.select(Stage::Scores, 2, 1);
        const CloseUpMotion motion = fixture.motion();
        const core::Selection at = fixture.document.selection();
        QStringList expected, found;
        for (const auto &[stage, row] : {std::pair(Stage::Query, 2), std::pair(Stage::Key, 1)}) {
            const core::SharedMatrix matrix =
                fixture.document.trace()->matrix(stage, at.attention(), 0, at.head);
            const CloseUpGeometry picture = fixture.view.places().picture;
            const bool isQuery = stage == Stage::Query;
            const HeatmapGeometry &cells =
                isQuery ? picture.left.front().cells : picture.above.front().cells;
            const CloseUpParts &parts =
                static_cast<const CloseUpFigure &>(*fixture.view.figure()).parts();
            const CellNumbers written =
                writtenIn(cells.cell, (isQuery ? parts.left : parts.above).front().content,
                          fixture.view.figureStyle());
            for (core::Index i = 0; i < matrix.columns; ++i) {
                expected << written.text(static_cast<double>(matrix(row, i)));
                const CloseUpMotion::Piece &piece =
                    motion.pieces()[static_cast<std::size_t>(expected.size() - 1)];
                QCOMPARE(piece.from, isQuery ? cells.cellRect(row, i) : cells.cellRect(i, row));
            }
        }
        const QRectF cell = fixture.view.places().picture.result.cells.cellRect(2, 1);
        QCOMPARE(motion.covered(), std::vector<QRectF>{cell});
        double highest = 0;
        for (const CloseUpMotion::Piece &piece : motion.pieces()) {
            found << piece.text;
            // A number starts in its matrix, meets the others halfway, and ends in the cell.
            QCOMPARE(CloseUpMotion::placeOf(piece, 0), piece.from);
            QCOMPARE(CloseUpMotion::placeOf(piece, 0.6), piece.meeting);
            QCOMPARE(CloseUpMotion::placeOf(piece, 1), piece.to);
            QVERIFY(cell.adjusted(-0.01, -0.01, 0.01, 0.01).contains(piece.to));
            QVERIFY(QRectF(fixture.view.rect()).contains(piece.meeting));
            highest = std::max(highest, piece.meeting.height());
        }
        QCOMPARE(found, expected);
        QVERIFY(highest >= 20); // large enough to read while they meet
    }

    void rowsGoToRowsAndColumns() {
        MotionFixture fixture;
        fixture.select(Stage::Scores);
        const CloseUpMotion whole = fixture.motion();
        const CloseUpGeometry picture = fixture.view.places().picture;
        const HeatmapGeometry &result = picture.result.cells;
        const core::Index tokens = result.rows, size = picture.left.front().cells.columns;
        QCOMPARE(std::ssize(whole.pieces()), 2 * tokens * size);
        const auto pieceAt =
            [&](core::Index which,
                core::Index token) { // the first number of the token's row or column
                const core::Index first = which == 0 ? token * size : tokens * size + token;
                return whole.pieces()[static_cast<std::size_t>(first)];
            };
        for (core::Index i = 0; i < tokens; ++i) { // queries move to rows, keys to columns
            QVERIFY(result.rowRect(i).contains(pieceAt(0, i).to.center()));
            QVERIFY(result.columnRect(i).contains(pieceAt(1, i).to.center()));
        }
        // Elementwise: each number goes to its own cell.
        fixture.select(Stage::ScaledScores);
        const CloseUpMotion scaled = fixture.motion();
        const HeatmapGeometry large = fixture.view.places().picture.result.cells;
        QCOMPARE(std::ssize(scaled.pieces()), tokens * tokens);
        for (core::Index i = 0; i < tokens * tokens; ++i)
            QCOMPARE(scaled.pieces()[static_cast<std::size_t>(i)].to,
                     large.cellRect(i / tokens, i % tokens));
    }

    void everyStageOfEveryKindMovesOrStands() {
        for (const char *name :
             {"encoder_decoder", "gpt_neox", "t5_like", "olmo_2", "batch_norm"}) {
            MotionFixture fixture(test::sessionPath(name));
            fixture.filmstrip.first();
            int moved = 0;
            for (core::Selection last; last != fixture.document.selection();) {
                last = fixture.document.selection();
                const CloseUpMotion motion = fixture.motion();
                moved += motion.isEmpty() ? 0 : 1;
                for (const CloseUpMotion::Piece &piece : motion.pieces())
                    QVERIFY(!piece.from.isEmpty() && !piece.to.isEmpty());
                fixture.filmstrip.next();
            }
            QVERIFY2(moved > 8, name);
        }
    }

    void thePictureAfterwardsIsTheStillOne_data() {
        test::addColumns<int, bool>({"stage", "opened"});
        for (const bool opened : {false, true}) {
            QTest::addRow("scores%d", opened) << int(Stage::Value) << opened;
            QTest::addRow("weights%d", opened) << int(Stage::MaskedScores) << opened;
            QTest::addRow("context%d", opened) << int(Stage::AttentionWeights) << opened;
        }
    }
    void thePictureAfterwardsIsTheStillOne() {
        QFETCH(int, stage);
        QFETCH(bool, opened);
        MotionFixture fixture;
        StepMotion::choose(false);
        fixture.select(Stage(stage), 2, 1, opened);
        fixture.filmstrip.next();
        QVERIFY(!fixture.view.motion().isPlaying());
        const QImage still = fixture.picture();
        StepMotion::choose(true);
        fixture.select(Stage(stage), 2, 1, opened);
        StepMotion &motion = fixture.step();
        QVERIFY(motion.isPlaying());
        QImage last;
        for (const double time : {0.0, 0.5, 0.95}) {
            motion.animation().setCurrentTime(int(time * motion.animation().duration()));
            const QImage now = fixture.picture();
            QVERIFY(now != still);
            QVERIFY(now != last);
            last = now;
        }
        motion.animation().resume();
        QVERIFY(test::until([&] { return !motion.isPlaying(); }));
        QVERIFY(fixture.picture() == still);
    }

    /// Regression test: the expanded arithmetic of the last step with several heads was empty until
    /// its numbers arrived.
    void namesAndBoxesOfAnOpenedArithmeticStandFromTheBeginning() {
        MotionFixture fixture("two-heads");
        fixture.document.open(test::opened("two-heads", 6));
        QVERIFY(test::settled(fixture.document));
        QVERIFY(fixture.document.goToStep(7).ok());
        QVERIFY(test::until([&] { return fixture.view.motion().isPlaying(); }));
        fixture.view.motion().animation().setCurrentTime(0);
        const QImage first = fixture.picture();
        const auto *figure = static_cast<const CloseUpFigure *>(fixture.view.figure());
        const QRectF card = fixture.view.places().table;
        const ArithmeticLayout layout = figure->table().layout(
            card.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding));
        fixture.view.motion().finish();
        const QImage still = fixture.picture();
        const auto isSame = [&](const QRectF &place) {
            const QRect pixels = fixture.view.onScreen(place).toAlignedRect();
            return first.copy(pixels) == still.copy(pixels);
        };
        QCOMPARE(layout.blocks.size(), std::size_t(1));
        const ArithmeticLayout::Block &block = layout.blocks.front();
        for (const QRectF &name : block.names)
            QVERIFY(isSame(name));
        for (const ArithmeticLayout::Place &place : block.places) {
            QVERIFY(isSame(place.header));
            const QRectF box = place.cells.front();
            QVERIFY(isSame(
                QRectF(box.topLeft(), QSizeF(box.width(), 3)))); // the cell's frame is painted
            for (const QRectF &cell : place.cells)
                QVERIFY(!isSame(cell)); // the number is still missing
        }
        QVERIFY(!isSame(layout.lines.front()));
    }

    void anythingEndsItAtOnce_data() { test::addRows("what", {0, 1, 2, 3, 4}); }
    void anythingEndsItAtOnce() {
        QFETCH(int, what);
        MotionFixture fixture;
        StepMotion::choose(false);
        fixture.select(Stage::Scores, 2, 1);
        const QImage still = fixture.picture();
        StepMotion::choose(true);
        fixture.select(Stage::Value, 2, 1);
        StepMotion &motion = fixture.step();
        QVERIFY(motion.isPlaying());
        const QPoint corner = fixture.view.rect().bottomLeft() + QPoint(2, -2); // an empty corner
        switch (what) {
        case 0:
            QTest::keyClick(&fixture.view, Qt::Key_Shift);
            break;
        case 1:
            QTest::mouseClick(&fixture.view, Qt::RightButton, {}, corner);
            break;
        case 2: {
            QWheelEvent event(corner, fixture.view.mapToGlobal(corner), {}, QPoint(0, 120),
                              Qt::NoButton, {}, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&fixture.view, &event);
            break;
        }
        case 3:
            fixture.select(Stage::Scores, 2, 2); // selecting another cell ends the motion
            QVERIFY(!motion.isPlaying());
            fixture.select(Stage::Scores, 2, 1);
            break;
        default:
            fixture.view.resize(1201, 800);
            fixture.view.resize(1200, 800);
        }
        QVERIFY(!motion.isPlaying());
        QVERIFY(fixture.picture() == still);
    }

    void theControlsAreThoseOfTheNewStage_data() {
        test::addRows("stage", {int(Stage::Value), int(Stage::Scores)});
    }

    /// Regression test: the controls of the former stage stayed beside the titles until the
    /// animation had ended.
    void theControlsAreThoseOfTheNewStage() {
        QFETCH(int, stage);
        MotionFixture fixture("two-heads");
        fixture.view.setMechanism(*new MechanismActions(fixture.document, &fixture.document));
        fixture.select(Stage(stage), 2, 1);
        (void)fixture.picture();
        QCoreApplication::processEvents();
        QVERIFY(fixture.step().isPlaying());
        QList<QRect> shown, expected;
        for (const auto *button : fixture.view.findChildren<QToolButton *>())
            if (button->property("chip").toBool() && button->isVisible())
                shown << button->geometry();
        const CloseUpGeometry picture = fixture.view.places().picture;
        for (const QRectF &chip : picture.chips)
            expected << chip.toRect();
        for (const auto *side : {&picture.left, &picture.above})
            for (const CloseUpGeometry::Placed &operand : *side)
                if (!operand.headChip.isEmpty())
                    expected << operand.headChip.toRect();
        std::ranges::sort(shown, {}, &QRect::x);
        std::ranges::sort(expected, {}, &QRect::x);
        QVERIFY(!expected.isEmpty());
        QCOMPARE(shown, expected);
    }

    void aStepEndsTheOneBefore() {
        MotionFixture fixture;
        fixture.select(Stage::Value, 2, 1);
        QVERIFY(fixture.step().isPlaying());
        fixture.filmstrip.back();
        QVERIFY(!fixture.view.motion().isPlaying());
    }

    void offIsOff() {
        MotionFixture fixture;
        fixture.select(Stage::Value, 2, 1);
        SystemMotion::instance().setAnimationsEnabled(false);
        QVERIFY(!fixture.step().isPlaying()); // the system disables animations
        SystemMotion::instance().setAnimationsEnabled(true);
        fixture.select(Stage::Value, 2, 1);
        StepMotion::choose(false);
        QVERIFY(!fixture.step().isPlaying());
        StepMotion::choose(true);
        fixture.select(Stage::Value, 2, 1);
        fixture.select(Stage::Scores, 2, 1); // a click is not animated
        QVERIFY(!fixture.view.motion().isPlaying());
    }

    void playedStepsAreNotSlowed() {
        const int usual = StepMotion::durationAfter({});
        QVERIFY(usual > 200 && usual < 800);
        QCOMPARE(StepMotion::durationAfter(100000), usual);
        for (const Granularity granularity :
             {Granularity::Stage, Granularity::Row, Granularity::Cell})
            for (const PlaySpeed speed : {PlaySpeed::Slow, PlaySpeed::Normal, PlaySpeed::Fast}) {
                const int time = stepTime(speed, granularity);
                QVERIFY(StepMotion::durationAfter(time) < time);
            }
        QCOMPARE(StepMotion::durationAfter(30), 0); // no animation while a key is held down
    }

    void theViewIsNotPaintedMeanwhile() {
        MotionFixture fixture;
        fixture.select(Stage::Value, 2, 1);
        StepMotion &motion = fixture.step();
        QVERIFY(motion.isPlaying());
        Paints ofView, ofMotion;
        fixture.view.installEventFilter(&ofView);
        motion.installEventFilter(&ofMotion);
        QCoreApplication::processEvents(); // the whole picture
        ofMotion.area = {};
        for (int time = 0; time < motion.animation().duration(); time += 40) {
            motion.animation().setCurrentTime(time);
            QCoreApplication::processEvents();
        }
        QVERIFY(ofMotion.count > 4);
        QCOMPARE(ofView.count, 0);
        const QSize size = ofMotion.area.size();
        QVERIFY(size.width() * size.height() < fixture.view.width() * fixture.view.height());
    }

    void aLessonsStepMovesToo() {
        MotionFixture fixture("bank");
        fixture.document.open(test::opened("bank", 1));
        QVERIFY(test::settled(fixture.document));
        QVERIFY(fixture.document.goToStep(2).ok());
        QVERIFY(test::until([&] { return fixture.view.motion().isPlaying(); }));
        fixture.view.motion().finish();
        QVERIFY(fixture.document.goToStep(1).ok()); // going back requires no computation
        QVERIFY(test::settled(fixture.document));
        QCoreApplication::processEvents();
        QVERIFY(!fixture.view.motion().isPlaying());
    }
};

HEADLIGHT_WIDGET_TEST(StepMotionTest)
#include "tst_step_motion.moc"
