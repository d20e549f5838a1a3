// The map of lessons: prerequisites, and the step where the user left off.
#include "tests/ui/window/start_fixture.h"
#include "ui/window/lessons/lesson_map.h"
#include "ui/window/lessons/lesson_node.h"
#include "ui/window/lessons/lesson_progress.h"

using test::StartFixture;
using test::startPage;

namespace {

ui::LessonMap *openMap(WindowFixture &fixture) {
    fixture.action("Map of the lessons…")->trigger();
    return fixture.window.findChild<ui::LessonMap *>("lessonMap");
}

} // namespace

class LessonMapTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void everyNeedIsALessonThatComesBefore() {
        const QList<ui::LessonInfo> &lessons = ui::lessonInfos();
        QCOMPARE(lessons.size(), ui::lessonIds().size());
        const QList<ui::LessonMapPosition> places = ui::placesOf(lessons);
        for (qsizetype at = 0; at < lessons.size(); ++at) {
            QVERIFY(!lessons[at].title.isEmpty() && !lessons[at].summary.isEmpty());
            QVERIFY(lessons[at].steps > 0);
            QVERIFY2(places[at].from.size() == lessons[at].needs.size(),
                     qPrintable(lessons[at].id)); // every prerequisite precedes its lesson
            for (const qsizetype from : places[at].from)
                QVERIFY(places[from].cell.x() < places[at].cell.x());
        }
    }

    void whatIsNoLessonIsNoNeed() {
        const ui::LessonInfo a{"a", "A", "s", 1, {"b", "nothing"}, 2};
        const ui::LessonInfo b{"b", "B", "s", 1, {"a"}, 2};
        const QList<ui::LessonMapPosition> places = ui::placesOf({a, b});
        QVERIFY(places[0].from.isEmpty()); // otherwise there would be a cycle
        QCOMPARE(places[1].from, QList<qsizetype>{0});
        QCOMPARE(places[1].cell, QPoint(1, 0));
    }

    void noTwoCardsOverlap() {
        ui::LessonMapArea area(ui::FigureStyle::light(2), ui::lessonInfos());
        for (const ui::LessonNode *one : area.nodes())
            for (const ui::LessonNode *other : area.nodes())
                QVERIFY(one == other || !one->geometry().intersects(other->geometry()));
        for (const ui::LessonNode *node : area.nodes())
            QVERIFY(area.rect().contains(node->geometry()));
    }

    void noLineRunsBehindACard_data() {
        QTest::addColumn<QList<ui::LessonInfo>>("lessons");
        QTest::newRow("built in") << ui::lessonInfos();
        for (const int seed :
             {1, 2, 3}) { // seeds of courses of 30 lessons with up to three prerequisites each
            QRandomGenerator dice(static_cast<quint32>(seed));
            QList<ui::LessonInfo> lessons;
            for (int at = 0; at < 30; ++at) {
                ui::LessonInfo lesson{QString::number(at), QString("L%1").arg(at), "s", 1, {}, 2};
                for (int need = 0; at > 0 && need < 3; ++need)
                    lesson.needs << QString::number(dice.bounded(at));
                lessons << lesson;
            }
            QTest::newRow(test::said("course %1", seed)) << lessons;
        }
    }

    void noLineRunsBehindACard() {
        QFETCH(QList<ui::LessonInfo>, lessons);
        for (const double scale : {1.0, 2.0}) {
            const ui::LessonMapArea area(ui::FigureStyle::light(scale), lessons);
            const QList<ui::LessonMapPosition> places = ui::placesOf(lessons);
            const QList<QPainterPath> lines = area.lines();
            qsizetype line = 0;
            for (qsizetype to = 0; to < places.size(); ++to)
                for (const qsizetype from : places[to].from) {
                    const QPainterPath &path = lines[line++];
                    QVERIFY(area.rect().contains(path.boundingRect().toAlignedRect()));
                    const QRectF a = area.nodes()[from]->geometry(),
                                 b = area.nodes()[to]->geometry();
                    QCOMPARE(path.pointAtPercent(0), QPointF(a.right(), a.center().y()));
                    QCOMPARE(path.pointAtPercent(1), QPointF(b.left(), b.center().y()));
                    QList<QPointF> points;
                    for (int at = 0; at <= 200; ++at)
                        points << path.pointAtPercent(at / 200.0);
                    // No line passes behind a card, not even behind those at its ends.
                    for (const ui::LessonNode *node : area.nodes()) {
                        const QRectF card = QRectF(node->geometry()).adjusted(0.5, 0.5, -0.5, -0.5);
                        for (const QPointF &point : std::as_const(points))
                            QVERIFY2(!card.contains(point),
                                     qPrintable(places[from].lesson.id + " to " +
                                                places[to].lesson.id + " behind " +
                                                node->lesson().id));
                    }
                }
            QCOMPARE(line, lines.size());
        }
    }

    void homeAndEndAreTheFirstAndTheLastLesson() {
        WindowFixture fixture("sentence", "close-up");
        ui::LessonMap *map = openMap(fixture);
        QVERIFY(test::active(*map));
        map->resize(500, 300); // smaller than the map
        QCoreApplication::processEvents();
        auto *area = map->findChild<ui::LessonMapArea *>();
        for (const auto &[key, node] : {std::pair(Qt::Key_End, area->nodes().last()),
                                        std::pair(Qt::Key_Home, area->nodes().first()),
                                        std::pair(Qt::Key_End, area->nodes().last())}) {
            QTest::keyClick(QApplication::focusWidget(), key);
            QCOMPARE(QApplication::focusWidget(), node);
            QCOMPARE(node->visibleRegion().boundingRect(), node->rect());
        }
        map->reject();
    }

    void aLessonGoesOnWhereItWasLeft() {
        WindowFixture fixture("bank", "close-up");
        fixture.goToStep(3);
        fixture.open("sentence");
        ui::LessonMap *map = openMap(fixture);
        QVERIFY(map && map->isVisible());
        auto *node = map->findChild<ui::LessonNode *>("lessonNode-bank");
        QVERIFY(node->accessibleName().contains("step 4 of"));
        QTest::mouseClick(node, Qt::LeftButton);
        fixture.settle();
        QCOMPARE(fixture.document().source(), QString("bank"));
        QCOMPARE(fixture.document().state().lessonStep, core::Index(3));
        QVERIFY(!fixture.document().isEdited());
    }

    /// The first lesson is open below the start page, where the user has not seen it.
    void theLessonBelowTheStartPageIsNotMarked() {
        ui::rememberStep("bank", 4);
        ui::rememberStep("scores", 2); // read last
        StartFixture fixture;
        {
            const ui::LessonMap *map = openMap(fixture);
            QVERIFY(map->findChild<ui::LessonNode *>("lessonNode-scores")->isHere());
            const auto *bank = map->findChild<ui::LessonNode *>("lessonNode-bank");
            QVERIFY(!bank->isHere());
            QCOMPARE(bank->nextStep(), 4); // where the user left it
        }
        fixture.window.findChild<ui::LessonMap *>("lessonMap")->reject();
        QTest::keyClick(startPage(fixture)->focusWidget(), Qt::Key_Escape);
        QVERIFY(!startPage(fixture)); // now the user sees the lesson
        ui::LessonMap *map = openMap(fixture);
        QVERIFY(!map->findChild<ui::LessonNode *>("lessonNode-scores")->isHere());
        QVERIFY(map->findChild<ui::LessonNode *>("lessonNode-bank")
                    ->accessibleName()
                    .contains("you are here: step 1 of"));
        map->reject();
    }

    /// Another source that is opened from the start page does not open the lesson below it.
    void aStartWithAnotherSourceOpensNoLesson() {
        StartFixture fixture;
        fixture.openSource(test::sessionPath("gpt_j"));
        QVERIFY(!startPage(fixture));
        QCOMPARE(ui::lastLesson(), QString());
        QVERIFY(!ui::progressOf("bank").wasOpened());
        fixture.openSource("cat");
        QCOMPARE(ui::lastLesson(), QString("cat"));
    }

    void whatWasReadToTheEndBeginsAnew() {
        WindowFixture fixture("bank", "close-up");
        const auto steps = fixture.stepCount();
        fixture.goToStep(steps - 1);
        ui::LessonMap *map = openMap(fixture);
        auto *node = map->findChild<ui::LessonNode *>("lessonNode-bank");
        QVERIFY(node->accessibleName().contains("read to the end"));
        QCOMPARE(node->nextStep(), 0);
        map->reject();
    }

    void keysGoFromCardToCard() {
        WindowFixture fixture("bank", "close-up");
        ui::LessonMap *map = openMap(fixture);
        QVERIFY(test::active(*map));
        auto *area = map->findChild<ui::LessonMapArea *>();
        QWidget *first = area->focusWidget();
        QVERIFY(qobject_cast<ui::LessonNode *>(first));
        for (const auto key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Up, Qt::Key_Left})
            QTest::keyClick(area, key);
        int reached = 0;
        for (ui::LessonNode *node : area->nodes()) {
            node->setFocus();
            QWidget *before = area->focusWidget();
            for (const auto key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Up, Qt::Key_Left}) {
                QTest::keyClick(area, key);
                reached += area->focusWidget() != before;
                before = area->focusWidget();
            }
        }
        QVERIFY(reached >= area->nodes().size());
        map->reject();
    }
};

HEADLIGHT_WIDGET_TEST(LessonMapTest)
#include "tst_lesson_map.moc"
