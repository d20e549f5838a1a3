// Theme, text size, full screen, docks and tabs: how they look, and that the settings are stored.
#include "tests/ui/window/window_fixture.h"
#include "ui/widgets/elided_combo_box.h"

namespace {

/// Returns the menus, fields and lists whose text differs in family or size from the theme's.
QStringList controlsInAnotherFont(const QWidget &window, double scale) {
    const QFont wanted = ui::FigureStyle::light(scale).font(ui::FigureStyle::Text::Body);
    QStringList others;
    for (const QWidget *widget : window.findChildren<QWidget *>())
        for (const char *kind : {"QMenuBar", "QMenu", "QComboBox", "QCheckBox", "QLineEdit",
                                 "QPlainTextEdit", "QSpinBox", "QListView"})
            if (widget->inherits(kind) && (widget->font().family() != wanted.family() ||
                                           widget->font().pixelSize() != wanted.pixelSize()))
                others << QString("%1 %2: %3, %4 px")
                              .arg(kind, widget->objectName(), widget->font().family())
                              .arg(widget->font().pixelSize());
    return others;
}

} // namespace

class WindowLookTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void controlsHaveTheFontOfTheTheme() {
        WindowFixture fixture("bank");
        QCOMPARE(controlsInAnotherFont(fixture.window, 1), QStringList());
        fixture.action("Larger text")->trigger();
        QCOMPARE(controlsInAnotherFont(fixture.window, 1.25), QStringList());
        ui::MainWindow second;
        QCOMPARE(controlsInAnotherFont(second, 1.25), QStringList());
        fixture.action("Normal text")->trigger();
        QCOMPARE(controlsInAnotherFont(fixture.window, 1), QStringList());
        QCOMPARE(controlsInAnotherFont(second, 1), QStringList());
    }

    void theChosenThemeIsRemembered() {
        {
            WindowFixture fixture("bank");
            fixture.action("Dark")->trigger();
            QVERIFY(fixture.view()->figureStyle().isDark);
            fixture.window.close();
        }
        ui::MainWindow window;
        QVERIFY(window.currentView()->figureStyle().isDark);
    }

    void aThemeForOneRunIsNot() {
        {
            WindowFixture fixture("bank");
            fixture.action("Light")->trigger();
            fixture.window.setTheme(ui::Theme::Dark);
            fixture.window.close();
        }
        ui::MainWindow window;
        QVERIFY(!window.currentView()->figureStyle().isDark);
    }

    void asTheSystemFollowsTheSystem() {
        const QPalette light(QColor(0xEFEFEF)), dark(QColor(0x20, 0x22, 0x26));
        QApplication::setPalette(light);
        QCoreApplication::processEvents();
        {
            WindowFixture fixture("bank");
            fixture.action("Dark")->trigger();
            fixture.window.close();
        }
        ui::MainWindow window; // starts in the dark theme
        QVERIFY(window.currentView()->figureStyle().isDark);
        test::actionOf(window, "As the system")->trigger();
        QVERIFY(!window.currentView()->figureStyle().isDark);
        // The theme follows the system while the program is running.
        for (const bool isDark : {true, false, true}) {
            QApplication::setPalette(isDark ? dark : light);
            QCoreApplication::processEvents();
            QCOMPARE(window.currentView()->figureStyle().isDark, isDark);
            QCOMPARE(window.palette().color(QPalette::Window).lightness() < 128, isDark);
        }
        // A selected theme and its colours stay.
        test::actionOf(window, "Light")->trigger();
        QApplication::setPalette(dark);
        QCoreApplication::processEvents();
        QVERIFY(!window.currentView()->figureStyle().isDark);
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > 128);
        test::actionOf(window, "As the system")->trigger();
        QVERIFY(window.currentView()->figureStyle().isDark);
        QApplication::setPalette(light); // restored for other tests
        QCoreApplication::processEvents();
    }

    void aPaletteOfTheSystemIsNotOurs() {
        // The system's theme changes, but the program's own palette hides the system's.
        ui::MainWindow window;
        test::actionOf(window, "As the system")->trigger();
        QWindow source;
        QEvent change(QEvent::ThemeChange);
        QCoreApplication::sendEvent(&source, &change);
        QCoreApplication::processEvents();
        // The tests' platform has a light colour scheme, whatever palette was set.
        QVERIFY(!window.currentView()->figureStyle().isDark);
        QCOMPARE(QApplication::palette().color(QPalette::Window),
                 window.currentView()->figureStyle().surface);
    }

    void theWholeFormulaIsShownAndRemembered() {
        {
            WindowFixture fixture("cat", "close-up");
            auto *bar = fixture.find<QWidget>("formulaBar");
            QVERIFY(!bar->isVisible());
            QTest::keyClick(fixture.window.focusWidget(), Qt::Key_F);
            QVERIFY(bar->isVisible());
            // The formula bar is between the view and the filmstrip.
            auto *filmstrip = fixture.find<QWidget>("filmstrip");
            QVERIFY(bar->geometry().bottom() <= filmstrip->geometry().top());
            QVERIFY(fixture.window.centralWidget()->geometry().bottom() <= bar->geometry().top());
            fixture.window.close();
        }
        {
            WindowFixture fixture("cat", "close-up");
            QVERIFY(fixture.find<QWidget>("formulaBar")->isVisible());
            fixture.action("Whole formula")->trigger();
            QVERIFY(!fixture.find<QWidget>("formulaBar")->isVisible());
            fixture.window.close();
        }
        WindowFixture fixture("cat", "close-up");
        QVERIFY(!fixture.find<QWidget>("formulaBar")->isVisible());
    }

    void textGrowsAndIsRemembered() {
        {
            WindowFixture fixture("bank", "close-up");
            for (int i = 0; i < 4; ++i)
                QTest::keyClick(&fixture.window, Qt::Key_Plus,
                                Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(fixture.window.textScale() > 2);
            QVERIFY(!fixture.view()->grab().isNull());
            QTest::keyClick(&fixture.window, Qt::Key_Minus,
                            Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(fixture.window.textScale() < 2);
            fixture.window.close();
        }
        {
            ui::MainWindow window;
            QCOMPARE(qRound(window.textScale() * 100), 195);
            test::actionOf(window, "Normal text")->trigger();
        }
        ui::MainWindow window;
        QCOMPARE(window.textScale(), 1.0);
    }

    void largeTextDoesNotWidenTheLessonOrTheWindow() {
        WindowFixture fixture("bank", "close-up");
        fixture.enlargeText(4);
        auto *dock = fixture.find<QDockWidget>("lessonDock");
        QVERIFY2(dock->minimumSizeHint().width() <= 260,
                 qPrintable(QString::number(dock->minimumSizeHint().width())));
        fixture.action("Normal text")->trigger();
        QVERIFY(dock->minimumSizeHint().width() <= 240);
    }

    /// Text fields scroll, but a title does not, so it gets space first.
    void aTitleIsReadBesideTwoTexts() {
        WindowFixture fixture(ui::translationExample());
        const auto *source = dynamic_cast<ui::ElidedComboBox *>(fixture.find<QComboBox>("source"));
        QVERIFY(source);
        fixture.window.resize(1280, 720);
        fixture.settle();
        QVERIFY2(source->width() >= source->widthOfText(),
                 test::said("%1 of %2", source->width(), source->widthOfText()));
        for (const char *name : {"text", "sourceText"})
            QVERIFY(fixture.find<QLineEdit>(name)->width() >= 96);
        const auto *figure = fixture.find<QToolButton>("saveFigure");
        QVERIFY(figure->isVisible() && figure->geometry().right() < 1280);
        // With enough space, the title takes no more than it needs.
        fixture.window.resize(2200, 720);
        fixture.settle();
        QVERIFY(source->width() >= source->widthOfText());
        QVERIFY(source->width() <= 320);
    }

    void whatIsShortenedInLargeTextIsSaidInShort() {
        WindowFixture fixture(ui::translationExample(), "close-up");
        fixture.window.resize(1280, 720);
        auto *step = dynamic_cast<ui::ElidedButton *>(fixture.find<QPushButton>("lessonSteps"));
        auto *back = dynamic_cast<ui::ElidedButton *>(fixture.find<QPushButton>("lessonBack"));
        QVERIFY(step && back);
        fixture.settle();
        QCOMPARE(step->shownText(), QString("Step 1 of 8"));
        fixture.enlargeText(3);
        fixture.settle();
        step->resize(step->fontMetrics().horizontalAdvance("Step 1 of 8"), step->height());
        QCOMPARE(step->shownText(), QString("Step 1")); // its arrow needs space, too
        back->resize(back->minimumSizeHint());
        QCOMPARE(back->shownText(), QString("‹"));
        // More of the title than its first word is visible.
        const auto *source = dynamic_cast<ui::ElidedComboBox *>(fixture.find<QComboBox>("source"));
        QVERIFY(source->width() >= source->fontMetrics().horizontalAdvance("Red house, …"));
    }

    void noTabHidesBehindAnArrow() {
        WindowFixture fixture("cat");
        fixture.window.resize(1024, 700);
        fixture.find<QDockWidget>("editorDock")->show();
        QVERIFY(fixture.find<QTabWidget>("editor")->isVisible());
        fixture.enlargeText(3);
        fixture.settle();
        for (const char *name : {"views", "editor"}) {
            const QTabBar *bar = fixture.find<QTabWidget>(name)->tabBar();
            for (const QToolButton *arrow : bar->findChildren<QToolButton *>())
                QVERIFY2(!arrow->isVisible(), name);
            int visible = bar->count() - 1; // the editor's page for captures is not visible
            while (!bar->isTabVisible(visible))
                --visible;
            const QRect last = bar->tabRect(visible);
            QVERIFY(!last.isEmpty());
            QVERIFY2(bar->rect().contains(last), test::said("%1: the last tab ends at %2 of %3",
                                                            name, last.right(), bar->width()));
        }
        const QTabBar *views = fixture.find<QTabWidget>("views")->tabBar();
        QVERIFY(views->fontMetrics().horizontalAdvance(views->tabText(2)) <
                views->tabRect(2).width());
    }

    /// Tabs have the usual padding only if no name is cut.
    void noNameOfAViewIsCutWhereTabsAreWide() {
        WindowFixture fixture("cat");
        for (const ui::ViewInfo &info : ui::allViews())
            fixture.window.showView(idOf(info)); // opens all tabs
        auto *tabs = fixture.find<QTabWidget>("views");
        const QTabBar *bar = tabs->tabBar();
        int wide = 0, narrow = 0;
        for (int width = 1100; width < 2300; width += 12) {
            fixture.window.resize(width, 700);
            fixture.settle();
            if (tabs->property("narrow").toBool()) {
                ++narrow;
                continue;
            }
            ++wide;
            for (int index = 0; index < bar->count(); ++index)
                if (bar->isTabVisible(index))
                    QVERIFY2(bar->tabRect(index).width() >=
                                 bar->fontMetrics().horizontalAdvance(bar->tabText(index)) + 36,
                             test::said("%1 at %2", bar->tabText(index), width));
        }
        QVERIFY(wide > 0);
        QVERIFY(narrow > 0);
    }

    void twoDocksLeaveTheWindowNarrow() {
        WindowFixture fixture("cat");
        fixture.find<QDockWidget>("editorDock")->show();
        fixture.window.tabifyDockWidget(fixture.find<QDockWidget>("lessonDock"),
                                        fixture.find<QDockWidget>("lessonEditorDock"));
        fixture.find<QDockWidget>("lessonEditorDock")->show();
        fixture.settle();
        fixture.window.resize(1024, 700);
        fixture.settle();
        QCOMPARE(fixture.window.width(), 1024);
        QVERIFY(fixture.window.minimumSizeHint().width() <= 1024);
    }

    void aNewWindowIsNotLargerThanTheScreen() {
        const ui::MainWindow window;
        const QSize room = window.screen()->availableSize();
        QVERIFY(room.width() < 1440); // the tests' screen is smaller than the usual window
        QVERIFY(window.width() <= room.width() && window.height() <= room.height());
    }

    void fullScreenHasTwoWaysBack() {
        WindowFixture fixture("bank");
        QTest::keyClick(&fixture.window, Qt::Key_F11, Qt::ShiftModifier);
        QVERIFY(fixture.window.isFullScreen());
        fixture.view()->setFocus();
        QTest::keyClick(fixture.view(), Qt::Key_Escape);
        QVERIFY(!fixture.window.isFullScreen());
        QTest::keyClick(&fixture.window, Qt::Key_F11, Qt::ShiftModifier);
        QVERIFY(fixture.window.isFullScreen());
        QTest::keyClick(&fixture.window, Qt::Key_F11, Qt::ShiftModifier);
        QVERIFY(!fixture.window.isFullScreen());
        QVERIFY(!fixture.action("Leave full screen")->isEnabled()); // Esc belongs to the view
    }

    void docksTabsAndSizeAreRemembered() {
        {
            WindowFixture fixture("bank", "heads");
            auto *dock = fixture.find<QDockWidget>("lessonDock");
            QVERIFY(dock->features().testFlag(QDockWidget::DockWidgetMovable));
            fixture.window.addDockWidget(Qt::RightDockWidgetArea, dock);
            fixture.find<QDockWidget>("inspectorDock")->close();
            fixture.window.resize(1100, 700);
            QCoreApplication::processEvents();
            fixture.window.close();
        }
        ui::MainWindow window;
        auto *dock = window.findChild<QDockWidget *>("lessonDock");
        QCOMPARE(window.dockWidgetArea(dock), Qt::RightDockWidgetArea);
        QCOMPARE(window.currentView()->viewName(), QString("heads"));
        QCOMPARE(window.size(), QSize(1100, 700));
        window.show();
        auto *inspector = window.findChild<QDockWidget *>("inspectorDock");
        QVERIFY(dock->isVisible() && !inspector->isVisible());
        inspector->toggleViewAction()->trigger();
        QVERIFY(inspector->isVisible());
    }
};

HEADLIGHT_WIDGET_TEST(WindowLookTest)
#include "tst_window_look.moc"
