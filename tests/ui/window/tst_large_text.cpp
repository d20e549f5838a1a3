// The window on common screens: text at 200 % is not cut off, and docks keep their widths when the
// window is resized.
#include "tests/ui/window/on_screens.h"
#include "tests/ui/window/window_fixture.h"

namespace {

struct ScreensApplication : test::OnScreens, QApplication {
    ScreensApplication(int &count, char **words)
        : OnScreens(HEADLIGHT_TEST_SCRATCH), QApplication(count, words) {}
};

struct LargeText {
    explicit LargeText(double scale) { QSettings().setValue("window/textScale", scale); }
};
constexpr double kUsualScale = 2;
struct LargeWindow : LargeText, WindowFixture {
    explicit LargeWindow(const QString &screen, const QString &source = "cat",
                         double scale = kUsualScale)
        : LargeText(scale), WindowFixture(source, "close-up") {
        for (QScreen *each : QGuiApplication::screens())
            if (each->name() == screen) {
                window.windowHandle()->setScreen(each);
                window.setGeometry(each->geometry());
            }
        settle();
        QCOMPARE(window.screen()->name(), screen);
        if (scale <= kUsualScale) // larger text may need more than the smallest screen
            QCOMPARE(window.size(), window.screen()->size());
    }
};

/// Returns the texts of a control that do not fit.
QString cutWords(const QWidget &widget) {
    if (!widget.isVisible())
        return {};
    QString words;
    QSize needed;
    if (const auto *label = qobject_cast<const QLabel *>(&widget)) {
        words = label->text();
        needed =
            label->wordWrap() ? QSize(0, label->heightForWidth(label->width())) : label->sizeHint();
    } else if (qobject_cast<const QPushButton *>(&widget) ||
               qobject_cast<const QCheckBox *>(&widget)) {
        words = static_cast<const QAbstractButton &>(widget).text();
        needed = widget.minimumSizeHint();
    }
    if (words.isEmpty() || (widget.width() >= needed.width() && widget.height() >= needed.height()))
        return {};
    return test::said("“%1” has %2 × %3 of %4 × %5", words.left(60), widget.width(),
                      widget.height(), needed.width(), needed.height());
}

/// Returns the problems of a dialog; empty if there are none.
QString wrongWith(QDialog &dialog) {
    dialog.show();
    (void)test::exposed(dialog);
    dialog.activateWindow();
    (void)test::active(dialog);
    QCoreApplication::processEvents();
    QStringList wrong;
    const QRect room = dialog.screen()->availableGeometry();
    if (!room.contains(dialog.geometry()))
        wrong << QString("it is larger than the screen: %1 × %2")
                     .arg(dialog.width())
                     .arg(dialog.height());
    for (const QScrollArea *area : dialog.findChildren<QScrollArea *>()) {
        if (area->verticalScrollBar()->value() != 0 || area->horizontalScrollBar()->value() != 0)
            wrong << QString("%1 opens scrolled").arg(area->objectName());
        if (area->horizontalScrollBar()->maximum() > 0)
            wrong << QString("%1 is wider than its dialog").arg(area->objectName());
    }
    for (const QWidget *widget : dialog.findChildren<QWidget *>())
        if (const QString cut = cutWords(*widget); !cut.isEmpty())
            wrong << cut;
    return wrong.join('\n');
}

void addScreens() {
    test::addRows("screen", QStringList{"desk", "projector"});
}

/// A window with the lesson on the left and the lesson editor on the right.
struct Docks : WindowFixture {
    explicit Docks(int width = 1440) : WindowFixture("bank", "close-up") {
        editor->show();
        resize(width);
    }

    QDockWidget *lesson = find<QDockWidget>("lessonDock");
    QDockWidget *editor = find<QDockWidget>("lessonEditorDock");

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
            test::moveMouse(window, to, Qt::LeftButton);
            QCoreApplication::processEvents();
        }
        QTest::mouseRelease(&window, Qt::LeftButton, {}, from + QPoint(by, 0));
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
    }
};

} // namespace

class LargeTextTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void whatMattersOfTheToolBarIsInSight_data() {
        test::addCombinations<QString, QString>({"screen", "source"}, {"desk", "projector"},
                                                {"cat", "bank", ui::translationExample()});
    }

    /// Only controls that are also in the menus may move behind ».
    void whatMattersOfTheToolBarIsInSight() {
        QFETCH(QString, screen);
        QFETCH(QString, source);
        LargeWindow fixture(screen, source);
        const auto *figure = fixture.find<QToolButton>("saveFigure");
        QVERIFY(figure->isVisible());
        QVERIFY(fixture.window.rect().contains(
            QRect(figure->mapTo(&fixture.window, QPoint()), figure->size())));
        const auto *bar = fixture.find<QToolBar>("sourceBar");
        for (QAction *action : bar->actions()) {
            const QWidget *widget = bar->widgetForAction(action);
            const bool isField = qobject_cast<const QComboBox *>(widget) ||
                                 qobject_cast<const QLineEdit *>(widget) || widget == figure;
            if (action->isVisible() && isField)
                QVERIFY2(widget->isVisible(), qPrintable(widget->objectName()));
        }
    }

    /// The lesson uses many views. At this size, its tabs fit only if they become much smaller.
    void theTabsFitBesideTheCorner_data() {
        test::addCombinations<QString, QString>({"screen", "source"}, {"desk", "projector"},
                                                {"tales", test::sessionPath("decoder_rotary")});
    }
    void theTabsFitBesideTheCorner() {
        QFETCH(QString, screen);
        QFETCH(QString, source);
        LargeWindow fixture(screen, source, 3);
        QCOMPARE(fixture.window.textScale(), 3.0);
        auto *tabs = fixture.find<QTabWidget>("views");
        const QTabBar *bar = tabs->tabBar();
        const auto *more = fixture.find<QToolButton>("moreViews");
        int looked = 0, buttons = 0;
        for (int index = 0; index < tabs->count(); ++index) {
            if (!tabs->isTabVisible(index))
                continue;
            tabs->setCurrentIndex(index);
            fixture.settle();
            QCoreApplication::processEvents(); // the tabs follow the corner
            const auto says = [&](const char *what) {
                return test::said("%1 in %2", QString(what), tabs->tabText(index));
            };
            QVERIFY2(bar->fontInfo().pixelSize() >= 13, says("the names are small"));
            QRect names;
            for (int each = 0; each < bar->count(); ++each) {
                if (!bar->isTabVisible(each))
                    continue;
                names |= bar->tabRect(each);
                QVERIFY2(bar->tabRect(each).width() >=
                             bar->fontMetrics().horizontalAdvance(bar->tabText(each)) + 10,
                         says("a name is cut"));
            }
            names.translate(bar->pos());
            QVERIFY(more->isVisible());
            QVERIFY2(!names.intersects(more->geometry()), says("the menu is on the tabs"));
            for (const QToolButton *button : tabs->cornerWidget()->findChildren<QToolButton *>()) {
                if (!button->isVisible())
                    continue;
                ++buttons;
                const QRect place(button->mapTo(tabs, QPoint()), button->size());
                QVERIFY2(tabs->rect().contains(place), says("a button is cut"));
                QVERIFY2(!place.intersects(names), says("a button is on the tabs"));
                QVERIFY2(!place.intersects(more->geometry()), says("a button is on the menu"));
            }
            ++looked;
        }
        QVERIFY(looked >= 6);
        QVERIFY(buttons >= 2);
    }

    void theFirstHintsAndTheStepAreWhole_data() { addScreens(); }
    void theFirstHintsAndTheStepAreWhole() {
        QFETCH(QString, screen);
        LargeWindow fixture(screen);
        fixture.action("Larger text")->trigger();
        auto *hints = fixture.find<QWidget>("firstHints");
        hints->show();
        fixture.settle();
        auto *words = fixture.find<QLabel>("hintText");
        QVERIFY(test::until([&] { return cutWords(*words).isEmpty(); }));
        QVERIFY2(words->minimumHeight() >= words->heightForWidth(words->width()),
                 test::said("a lack of space cuts them: %1 px", words->minimumHeight()));
        QVERIFY(hints->height() < fixture.window.height() / 3);
        // The text of the button ends before its arrow.
        const auto *steps =
            static_cast<ui::ElidedButton *>(fixture.find<QPushButton>("lessonSteps"));
        const int arrow = 10;
        const int text = steps->fontMetrics().horizontalAdvance(steps->shownText());
        QVERIFY2(text + arrow <= steps->width(),
                 test::said("“%1”: %2 of %3", steps->shownText(), text, steps->width()));
    }

    /// A dock may be shorter than its page, but every field is at least as tall as its text.
    void theFieldsOfTheEditorHoldTheirText_data() { addScreens(); }
    void theFieldsOfTheEditorHoldTheirText() {
        QFETCH(QString, screen);
        LargeWindow fixture(screen);
        fixture.action("Larger text")->trigger();
        QVERIFY(fixture.window.textScale() > 2.2);
        fixture.find<QDockWidget>("editorDock")->show();
        fixture.find<QDockWidget>("editorDock")->raise();
        fixture.settle();
        auto *editor = fixture.find<QTabWidget>("editor");
        int fields = 0;
        for (int page = 0; page < editor->count(); ++page) {
            editor->setCurrentIndex(page);
            fixture.settle();
            for (const QWidget *field : editor->findChildren<QWidget *>()) {
                if (!field->isVisible() || !(qobject_cast<const QComboBox *>(field) ||
                                             qobject_cast<const QAbstractSpinBox *>(field) ||
                                             qobject_cast<const QPushButton *>(field) ||
                                             qobject_cast<const QLineEdit *>(field)))
                    continue;
                ++fields;
                if (qobject_cast<const QAbstractSpinBox *>(field->parentWidget()))
                    continue; // the field in a spin box has neither frame nor padding
                const int needed = field->fontMetrics().height() + 6; // frame and padding
                QVERIFY2(field->height() >= needed,
                         test::said("%1: %2 of %3", field->objectName(), field->height(), needed));
            }
        }
        QVERIFY(fields > 5);
    }

    void everyDialogIsWhole_data() { addScreens(); }
    void everyDialogIsWhole() {
        QFETCH(QString, screen);
        LargeWindow fixture(screen);
        ui::NewRunDialog run(&fixture.window);
        QCOMPARE(wrongWith(run), QString());
        ui::SaveFigureDialog save(*fixture.view(), &fixture.window);
        QCOMPARE(wrongWith(save), QString());
        ui::KeyMap keys(*fixture.window.menuBar(), &fixture.window);
        QCOMPARE(wrongWith(keys), QString());
        ui::GlossaryWindow glossary(&fixture.window);
        QCOMPARE(wrongWith(glossary), QString());
    }

    void aNewSessionIsWhole_data() { addScreens(); }
    void aNewSessionIsWhole() {
        QFETCH(QString, screen);
        LargeWindow fixture(screen);
        ui::NewSessionDialog dialog(&fixture.window);
        QCOMPARE(wrongWith(dialog), QString());
        // The focused field is visible.
        const QWidget *focus = dialog.focusWidget();
        QVERIFY(focus);
        QCOMPARE(focus->visibleRegion().boundingRect().size(), focus->size());
        auto *kind = dialog.findChild<QComboBox *>("newKind");
        for (int index = 0; index < kind->count(); ++index) {
            kind->setCurrentIndex(index);
            QCOMPARE(wrongWith(dialog), QString());
        }
    }

    void smallAndLargeAgainIsAsItWas() {
        Docks fixture;
        const int lesson = fixture.lesson->width(), editor = fixture.editor->width();
        QVERIFY(lesson > 280);
        QVERIFY(fixture.window.dockWidgetArea(fixture.editor) == Qt::RightDockWidgetArea);
        for (const QSize size : {QSize(640, 480), QSize(900, 600), QSize(700, 900)}) {
            fixture.resize(size.width(), size.height());
            QVERIFY(fixture.lesson->width() < lesson);
        }
        for (int width = 700; width < 1440; width += 60) // in small steps, as window managers do
            fixture.window.resize(width, 700);
        fixture.resize(1440);
        QCOMPARE(fixture.lesson->width(), lesson);
        QCOMPARE(fixture.editor->width(), editor);
    }

    void whatAPersonDraggedStays() {
        Docks fixture;
        const int before = fixture.lesson->width();
        fixture.drag(90);
        QCOMPARE(fixture.lesson->width(), before + 90);
        fixture.resize(760);
        fixture.resize(1440);
        QCOMPARE(fixture.lesson->width(), before + 90);
        // The width is stored separately for small windows.
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
            fixture.resize(880); // closes the window at this size
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
        fixture.window.tabifyDockWidget(fixture.lesson, fixture.editor);
        fixture.editor->raise();
        QCoreApplication::processEvents();
        const int width = fixture.editor->width();
        fixture.resize(700);
        fixture.lesson->raise();
        QCoreApplication::processEvents();
        fixture.resize(1440);
        QCOMPARE(fixture.lesson->width(), width);
        fixture.editor->raise();
        QCoreApplication::processEvents();
        QCOMPARE(fixture.editor->width(), width);
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

HEADLIGHT_TEST_WITH(ScreensApplication, LargeTextTest)
#include "tst_large_text.moc"
