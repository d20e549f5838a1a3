// The tracks through the lessons, and the step on the map where the user left off.
#include "tests/support/clean_test.h"
#include "tests/support/test_main.h"
#include "ui/window/lessons/lesson_map.h"
#include "ui/window/lessons/lesson_node.h"
#include "ui/window/lessons/lesson_progress.h"
#include "ui/window/lessons/track_bar.h"

#include <QLabel>
#include <QPushButton>
#include <QtTest>

using namespace headlight;

namespace {

struct Map {
    ui::LessonMap dialog{ui::FigureStyle::light(1), nullptr, "bank", nullptr};
    ui::LessonNode *node(const char *id) const {
        return dialog.findChild<ui::LessonNode *>(QString("lessonNode-%1").arg(id));
    }
    QPushButton *button(const char *name) const { return dialog.findChild<QPushButton *>(name); }
};

} // namespace

class LessonTracksTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void aTrackHasLessonsInTeachingOrder() {
        QCOMPARE(ui::lessonTracks().size(), 4);
        for (const ui::LessonTrack &track : ui::lessonTracks()) {
            QVERIFY(!track.lessons.isEmpty() && !track.summary.isEmpty());
            QVERIFY(ui::trackOf(track.id) == &track);
            qsizetype before = -1;
            for (const QString &id : track.lessons) {
                const qsizetype at = ui::lessonIds().indexOf(id);
                QVERIFY2(at > before, qPrintable(track.id + ": " + id));
                before = at;
            }
        }
        QVERIFY(!ui::trackOf("nothing"));
        QVERIFY(ui::trackOf("minutes")->minutes <= 10);
        QVERIFY(ui::trackOf("hour")->minutes <= 60);
        QCOMPARE(ui::trackOf("term")->lessons, ui::lessonIds());
    }

    void theHourNeedsNothingElse() {
        const QStringList &lessons = ui::trackOf("hour")->lessons;
        for (const ui::LessonInfo &lesson : ui::lessonInfos())
            if (lessons.contains(lesson.id))
                for (const QString &need : lesson.needs)
                    QVERIFY2(lessons.contains(need), qPrintable(lesson.id + " needs " + need));
    }

    void theLastLessonIsMarked() {
        {
            const Map map;
            for (const ui::LessonNode *node : map.dialog.findChildren<ui::LessonNode *>())
                QVERIFY(!node->isHere());
        }
        ui::rememberStep("cat", 1);
        ui::rememberStep("scores", 2);
        QCOMPARE(ui::lastLesson(), QString("scores"));
        const Map map;
        QVERIFY(map.node("scores")->isHere());
        QVERIFY(map.node("scores")->accessibleName().contains("you are here: step 3 of"));
        QVERIFY(!map.node("cat")->isHere());
        QVERIFY(map.node("cat")->accessibleName().contains("step 2 of"));
    }

    /// A lesson that the user has opened is marked at its first step, too, and on the start page.
    void aLessonIsMarkedFromItsFirstStepOn() {
        ui::rememberStep("bank", 0);
        QVERIFY(Map().node("bank")->isHere());
        const ui::LessonMap fromStart(ui::FigureStyle::light(1), nullptr, {}, nullptr);
        QVERIFY(fromStart.findChild<ui::LessonNode *>("lessonNode-bank")->isHere());
    }

    void aTrackFadesTheOtherLessonsAndIsRemembered() {
        {
            const Map map;
            QVERIFY(map.node("cat")->isOnTrack() &&
                    !map.button("lessonTrackContinue")->isVisibleTo(&map.dialog));
            map.button("lessonTrack-hour")->click();
            QVERIFY(map.node("softmax")->isOnTrack() && !map.node("cat")->isOnTrack());
        }
        const Map map; // opens the map again
        QVERIFY(map.button("lessonTrack-hour")->isChecked());
        QVERIFY(map.node("softmax")->isOnTrack() && !map.node("cat")->isOnTrack());
        map.button("lessonTrack-researcher")->click();
        QVERIFY(!map.button("lessonTrack-hour")->isChecked());
        QVERIFY(!map.node("softmax")->isOnTrack() && map.node("depth")->isOnTrack());
        map.button("lessonTrack-researcher")->click(); // all lessons again
        QVERIFY(map.node("softmax")->isOnTrack() && map.node("depth")->isOnTrack());
    }

    void aTrackContinuesWithItsNextLesson() {
        const auto stepsOf = [](const QString &id) {
            for (const ui::LessonInfo &lesson : ui::lessonInfos())
                if (lesson.id == id)
                    return lesson.steps;
            return 0;
        };
        ui::rememberStep("words", stepsOf("words") - 1); // the lesson is finished
        ui::rememberStep("query-key-value", 3);
        Map map;
        map.button("lessonTrack-hour")->click();
        QSignalSpy chosen(&map.dialog, &ui::LessonMap::chosen);
        map.button("lessonTrackContinue")->click();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), QString("query-key-value"));
        QCOMPARE(chosen[0][1].toInt(), 3);
    }
};

HEADLIGHT_WIDGET_TEST(LessonTracksTest)
#include "tst_lesson_tracks.moc"
