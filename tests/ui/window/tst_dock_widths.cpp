// The docks' widths depend on the window's width: shrinking and enlarging restores them.
#include "tests/support/test_main.h"
#include "tests/ui/window/on_screens.h"
#include "tests/ui/window/window_fixture.h"

#include <QDockWidget>

using namespace headlight;
using test::WindowFixture;

namespace {

/// On a desktop screen the inspector is at the right; on a small one it is a tab behind the lesson.
struct DockApplication : test::OnScreens, QApplication {
    DockApplication(int &count, char **words)
        : OnScreens(HEADLIGHT_TEST_SCRATCH), QApplication(count, words) {}
};

struct Docks : WindowFixture {
    explicit Docks(int width = 1440) : WindowFixture("bank", "flow") { resize(width); }

    QDockWidget *lesson = find<QDockWidget>("lessonDock");
    QDockWidget *inspector = find<QDockWidget>("inspectorDock");

    void resize(int width, int height = 900) {
        window.resize(width, height);
        QCoreApplication::processEvents();
        settle();
    }
    /// Drags the separator between the dock and the figure.
    void drag(int by) {
        const QPoint from(lesson->geometry().right() + 1, lesson->geometry().center().y());
        QTest::mousePress(&window, Qt::LeftButton, {}, from);
        for (const int part : {by / 2, by}) {
            const QPoint to = from + QPoint(part, 0);
            QMouseEvent move(QEvent::MouseMove, to, window.mapToGlobal(QPointF(to)), Qt::NoButton,
                             Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(&window, &move);
            QCoreApplication::processEvents();
        }
        QTest::mouseRelease(&window, Qt::LeftButton, {}, from + QPoint(by, 0));
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
    }
};

} // namespace

class DockWidthsTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { QSettings().clear(); }

    void smallAndLargeAgainIsAsItWas() {
        Docks fixture;
        const int lesson = fixture.lesson->width(), inspector = fixture.inspector->width();
        QVERIFY(lesson > 280);
        QVERIFY(fixture.window.dockWidgetArea(fixture.inspector) == Qt::RightDockWidgetArea);
        for (const QSize size : {QSize(640, 480), QSize(900, 600), QSize(700, 900)}) {
            fixture.resize(size.width(), size.height());
            QVERIFY(fixture.lesson->width() < lesson);
        }
        for (int width = 700; width < 1440; width += 60) // in small steps, as window managers do
            fixture.window.resize(width, 700);
        fixture.resize(1440);
        QCOMPARE(fixture.lesson->width(), lesson);
        QCOMPARE(fixture.inspector->width(), inspector);
    }

    void whatAPersonDraggedStays() {
        Docks fixture;
        const int before = fixture.lesson->width();
        fixture.drag(90);
        QCOMPARE(fixture.lesson->width(), before + 90);
        fixture.resize(760);
        fixture.resize(1440);
        QCOMPARE(fixture.lesson->width(), before + 90);
        // Small windows have their own width.
        fixture.resize(1000);
        const int shrunk = fixture.lesson->width();
        fixture.drag(-40);
        const int small = fixture.lesson->width();
        QVERIFY(small < shrunk);
        fixture.resize(1440);
        QCOMPARE(fixture.lesson->width(), before + 90);
        fixture.resize(1000);
        QCOMPARE(fixture.lesson->width(), small);
    }

    void itIsRemembered() {
        int wide = 0, narrow = 0;
        {
            Docks fixture;
            fixture.drag(70);
            wide = fixture.lesson->width();
            fixture.resize(880); // the window is closed at this size
            QVERIFY(fixture.lesson->width() < wide);
            narrow = fixture.window.width();
            QVERIFY(narrow < 1100);
            fixture.window.close();
        }
        ui::MainWindow window;
        window.show();
        QVERIFY(test::exposed(window));
        QCOMPARE(window.width(), narrow);
        window.resize(1440, 900);
        QCoreApplication::processEvents();
        QCOMPARE(window.findChild<QDockWidget *>("lessonDock")->width(), wide);
    }

    void aPanelBehindAnotherHasTheWidthToo() {
        Docks fixture;
        fixture.inspector->raise();
        QCoreApplication::processEvents();
        const int inspector = fixture.inspector->width();
        fixture.resize(700);
        fixture.find<QDockWidget>("editorDock")->raise();
        QCoreApplication::processEvents();
        fixture.resize(1440);
        QCOMPARE(fixture.find<QDockWidget>("editorDock")->width(), inspector);
        fixture.inspector->raise();
        QCoreApplication::processEvents();
        QCOMPARE(fixture.inspector->width(), inspector);
    }

    void aPanelThatWasClosedInASmallWindowComesBackAsItWas() {
        Docks fixture;
        const int lesson = fixture.lesson->width();
        fixture.resize(640);
        fixture.lesson->close();
        fixture.resize(1440);
        fixture.lesson->toggleViewAction()->trigger();
        for (int i = 0; i < 10 && fixture.lesson->width() != lesson; ++i)
            fixture.settle();
        QCOMPARE(fixture.lesson->width(), lesson);
    }
};

HEADLIGHT_TEST_WITH(DockApplication, DockWidthsTest)
#include "tst_dock_widths.moc"
