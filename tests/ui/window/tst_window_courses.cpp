// A course in the window: its lessons on the map, one after another, and in the recent files.
#include "core/formats/course/course.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/lessons/lesson_map.h"
#include "ui/window/lessons/lesson_node.h"

namespace {

QByteArray called(const QByteArray &title, const QByteArray &lesson) {
    QByteArray document = ui::lessonFile(QString::fromUtf8(lesson));
    const qsizetype at = document.indexOf("\"title\": \"") + 10;
    return document.replace(at, document.indexOf('"', at) - at, title);
}

QByteArray needing(const QByteArray &need, QByteArray document) {
    const qsizetype at = document.indexOf("\"needs\": [") + 10;
    return document.replace(at, document.indexOf(']', at) - at, '"' + need + '"');
}

QStringList listed(const WindowFixture &fixture) {
    const auto *list = fixture.find<QComboBox>("source");
    QStringList titles;
    for (int i = 0; i < list->count(); ++i)
        titles << list->itemText(i);
    return titles;
}

} // namespace

class WindowCoursesTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        QDir().mkdir(folder());
        test::writeAll(folder() + "/a.headlight", called("First", "look-ahead"));
        test::writeAll(folder() + "/b.headlight", needing("a", called("Second", "cat")));
        test::writeAll(folder() + "/c.headlight", called("Third", "bank"));
        test::writeAll(folder() + "/course.json",
                       R"({"title": "Attention", "lessons": ["a", "c", "b"]})");
        const auto course = test::valueOf(core::readCourseFolder(ui::bytesOf(folder())));
        test::writeAll(file(), QByteArray::fromStdString(*core::courseFile(*course)));
    }

    void theMapIsThatOfTheCourse_data() { test::addRows("isFile", std::vector<bool>{false, true}); }
    void theMapIsThatOfTheCourse() {
        QFETCH(const bool, isFile);
        WindowFixture fixture("bank");
        fixture.openSource(isFile ? file() : folder());
        ui::Document &document = fixture.document();
        fixture.goToStep(2);
        const auto openMap = [&] {
            QCoreApplication::sendPostedEvents(nullptr,
                                               QEvent::DeferredDelete); // deletes the previous map
            for (QAction *action : fixture.window.findChildren<QAction *>())
                if (action->shortcut() == QKeySequence("Ctrl+Shift+L"))
                    action->trigger();
            return fixture.window.findChild<ui::LessonMap *>("lessonMap");
        };
        ui::LessonMap *map = openMap();
        QVERIFY(map && map->isVisible());
        QCOMPARE(map->windowTitle(), QString("Attention"));
        const QList<ui::LessonNode *> nodes = map->findChildren<ui::LessonNode *>();
        QCOMPARE(nodes.size(), 3);
        QVERIFY(nodes[0]->accessibleName().startsWith("First"));
        QVERIFY(nodes[0]->accessibleName().contains("step 3 of"));
        QCOMPARE(map->focusWidget(), nodes[0]);
        QVERIFY(nodes[1]->accessibleName().startsWith("Third"));
        QVERIFY(nodes[2]->x() > nodes[0]->x()); // after the first lesson, its prerequisite
        QTest::mouseClick(nodes[1], Qt::LeftButton);
        fixture.settle();
        QCOMPARE(document.session().title, std::string("Third"));
        QVERIFY(document.course() && document.course()->title == "Attention");
        map = openMap();
        QVERIFY(map);
        QTest::mouseClick(map->findChildren<ui::LessonNode *>()[0], Qt::LeftButton);
        fixture.settle();
        QCOMPARE(document.session().title, std::string("First"));
        QCOMPARE(document.state().lessonStep, core::Index(2)); // the step that the user left
        fixture.openSource("cat");
        map = openMap();
        QVERIFY(map && map->findChild<ui::LessonNode *>("lessonNode-bank"));
        map->reject();
    }

    void theList_data() { test::addRows("isFile", std::vector<bool>{false, true}); }
    void theList() {
        QFETCH(const bool, isFile);
        WindowFixture fixture("bank");
        const QStringList builtIn = listed(fixture);
        fixture.openSource(isFile ? file() : folder());
        QCOMPARE(listed(fixture), QStringList({"First", "Third", "Second"}));
        QCOMPARE(fixture.find<QComboBox>("source")->currentIndex(), 0);
        QCOMPARE(fixture.document().session().title, std::string("First"));
        QCOMPARE(ui::recentFiles(), QStringList{isFile ? file() : folder()});
        // Selects another lesson in the list by the keyboard.
        QTest::keyClick(fixture.find<QComboBox>("source"), Qt::Key_Down);
        fixture.settle();
        QCOMPARE(fixture.document().session().title, std::string("Third"));
        QCOMPARE(listed(fixture), QStringList({"First", "Third", "Second"}));
        QCOMPARE(ui::recentFiles().size(), 1);
        // Opening a built-in lesson restores its list.
        fixture.openSource("cat");
        QCOMPARE(listed(fixture), builtIn);
        fixture.openSource(ui::recentFiles().first());
        QCOMPARE(fixture.document().session().title, std::string("First"));
    }

    /// At the end of a lesson, Next opens the next lesson of the course. The last lesson has no
    /// Next.
    void theNextOne() {
        WindowFixture fixture("bank");
        fixture.openSource(file());
        ui::Document &document = fixture.document();
        auto *next = fixture.find<QAbstractButton>("lessonNext");
        for (const char *title : {"First", "Third", "Second"}) {
            QCOMPARE(document.session().title, std::string(title));
            const auto steps = fixture.stepCount();
            fixture.goToStep(steps - 1);
            if (QByteArray(title) == "Second") {
                QVERIFY(!next->isEnabled());
                break;
            }
            QVERIFY(next->isEnabled());
            QTest::mouseClick(next, Qt::LeftButton);
            fixture.settle();
        }
    }

    /// A lesson in a folder whose course.json names it belongs to the course, even if opened alone.
    /// It is a file that can be saved.
    void oneLessonByItself() {
        WindowFixture fixture("bank");
        fixture.openSource(folder() + "/c.headlight");
        QCOMPARE(listed(fixture), QStringList({"First", "Third", "Second"}));
        QCOMPARE(fixture.find<QComboBox>("source")->currentIndex(), 1);
        QCOMPARE(fixture.document().source(), folder() + "/c.headlight");
        QFile::remove(folder() + "/course.json");
        fixture.openSource("bank");
        fixture.openSource(folder() + "/c.headlight");
        QVERIFY(!fixture.document().course());
    }

    void whatIsBroken() {
        WindowFixture fixture("bank");
        test::writeAll(file(), "PK\3\4 and nothing more");
        fixture.openSource(file());
        QCOMPARE(fixture.document().source(), QString("bank"));
        QVERIFY(!fixture.document().course());
    }

  private:
    QString folder() const { return m_folder->filePath("course"); }
    QString file() const { return m_folder->filePath("attention.headlight-course"); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

HEADLIGHT_WIDGET_TEST(WindowCoursesTest)
#include "tst_window_courses.moc"
