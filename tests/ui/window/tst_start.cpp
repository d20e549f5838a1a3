// The start page: first impression, its pictures, and three things to try.
#include "tests/ui/window/window_fixture.h"
#include "ui/window/saving/recovery_bar.h"
#include "ui/window/start/learned_models_menu.h"
#include "ui/window/start/lesson_pictures.h"
#include "ui/window/start/start_page.h"

namespace {

ui::StartPage *startPage(const WindowFixture &fixture) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return fixture.window.findChild<ui::StartPage *>();
}

/// A window without a source, as the program starts it.
struct StartFixture : WindowFixture {
    StartFixture() : WindowFixture("bank", "close-up") {
        window.offerStart();
        settle();
    }
};

} // namespace

class StartTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void everyLessonHasACardThatOpensIt() {
        for (const QString &id : ui::startLessonIds()) {
            StartFixture fixture;
            QVERIFY(startPage(fixture) && startPage(fixture)->isVisible());
            auto *card = fixture.find<QAbstractButton>(qPrintable("lesson-" + id));
            QVERIFY(!card->accessibleName().isEmpty());
            QVERIFY(!card->accessibleDescription().isEmpty());
            QTest::mouseClick(card, Qt::LeftButton);
            fixture.settle();
            QCOMPARE(fixture.document().source(), id);
            QVERIFY(!startPage(fixture));
        }
    }

    void modelsThatLearnedAreInTheMenuAndOnTheStartPage() {
        StartFixture fixture;
        auto *button = fixture.find<QPushButton>("startLearned");
        QVERIFY(button->isVisible());
        const auto check = [&](QMenu *menu, int which) {
            QVERIFY(menu);
            QVERIFY(menu->toolTipsVisible());
            QCOMPARE(menu->actions().size(), ui::modelIds().size());
            QAction *action = menu->actions()[which];
            QVERIFY(test::says(action->toolTip(), "held-out"));
            action->trigger();
            fixture.settle();
            QCOMPARE(fixture.document().source(), ui::modelIds()[which]);
        };
        check(button->menu(), 2);
        QVERIFY(!startPage(fixture));
        QMenu *inFile = nullptr;
        for (QMenu *menu : fixture.window.findChildren<ui::LearnedModelsMenu *>())
            inFile = menu;
        check(inFile, 0);
        QVERIFY(fixture.window.menuBar()->actions().first()->menu()->actions().contains(
            inFile->menuAction()));
    }

    void thePicturesAreTheLessonsOwn() {
        const ui::FigureStyle style = ui::FigureStyle::light();
        QList<QImage> seen;
        ui::LessonPictures pictures;
        QHash<QString, QImage> painted;
        connect(&pictures, &ui::LessonPictures::painted, this,
                [&](const QString &id, const QImage &picture) { painted.insert(id, picture); });
        pictures.paint({272, 144}, 1, style);
        QVERIFY(painted.isEmpty()); // painted on another thread
        QVERIFY(test::until([&] { return painted.size() == ui::startLessonIds().size(); }));
        for (const QString &id : ui::startLessonIds()) {
            QCOMPARE(painted[id], ui::lessonPicture(id, {272, 144}, 1, style));
            QVERIFY(!seen.contains(painted[id]));
            seen << painted[id];
        }
        QVERIFY(ui::lessonPicture("no such lesson", {272, 144}, 1, style).isNull());
    }

    void keysGoRoundAndChangeNothingBeneath() {
        StartFixture fixture;
        QWidget *first = fixture.find<QWidget>("lesson-bank");
        QCOMPARE(fixture.window.focusWidget(), first);
        QTest::keyClick(first, Qt::Key_Right);
        QCOMPARE(fixture.window.focusWidget()->objectName(), QString("lesson-words"));
        QTest::keyClick(fixture.window.focusWidget(),
                        Qt::Key_C); // the hidden view must not be masked
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Right, Qt::AltModifier);
        QVERIFY(fixture.document().state().input.masks.empty());
        QCOMPARE(fixture.document().state().lessonStep, core::Index(0));
        QStringList visited;
        for (int i = 0; i < 8; ++i) {
            visited << fixture.window.focusWidget()->objectName();
            QVERIFY(startPage(fixture)->isAncestorOf(fixture.window.focusWidget()));
            QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Tab);
        }
        QCOMPARE(fixture.window.focusWidget()->objectName(), QString("lesson-words"));
        QVERIFY(visited.contains("startNew") && visited.contains("startOpen") &&
                visited.contains("startNever"));
        QTest::keyClick(fixture.find<QWidget>("lesson-heads"), Qt::Key_Return);
        fixture.settle();
        QCOMPARE(fixture.document().source(), QString("heads"));
    }

    void anOfferToRecoverStandsAboveIt_data() {
        QTest::addColumn<bool>("isOfferedFirst");
        QTest::newRow("the offer, then the page") << true;
        QTest::newRow("the page, then the offer") << false;
    }
    void anOfferToRecoverStandsAboveIt() {
        QFETCH(bool, isOfferedFirst);
        WindowFixture fixture("bank", "close-up");
        auto *bar = fixture.find<ui::RecoveryBar>("recoveryBar");
        const auto offer = [&] {
            bar->offer({{"/nowhere.headlight", {}, QDateTime::currentDateTime(), {}}});
        };
        if (isOfferedFirst)
            offer();
        fixture.window.offerStart();
        if (!isOfferedFirst)
            offer();
        for (const int width : {1280, 1024}) {
            fixture.window.resize(width, 720);
            fixture.settle();
            for (const char *name : {"recover", "discardRecovery", "closeRecovery"}) {
                auto *button = fixture.find<QAbstractButton>(name);
                const QPoint middle = button->mapTo(&fixture.window, button->rect().center());
                QCOMPARE(fixture.window.childAt(middle), static_cast<QWidget *>(button));
            }
            QVERIFY(startPage(fixture)->isVisible());
            QVERIFY(startPage(fixture)->y() >=
                    bar->mapTo(&fixture.window, bar->rect().bottomLeft()).y());
        }
        const int above = startPage(fixture)->y();
        bar->later(); // the page gets its space back
        fixture.settle();
        QVERIFY(startPage(fixture)->y() < above);
        offer();
        QTest::keyClick(startPage(fixture)->focusWidget(), Qt::Key_Escape);
        fixture.settle();
        QVERIFY(!startPage(fixture));
        QVERIFY(bar->isVisible()); // still visible above the views
        QVERIFY(!bar->visibleRegion().isEmpty());
    }

    void escShowsTheFirstLesson() {
        StartFixture fixture;
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Escape);
        QVERIFY(!startPage(fixture));
        QCOMPARE(fixture.document().source(), QString("bank"));
        QCOMPARE(fixture.window.focusWidget(), fixture.view());
        QVERIFY(fixture.window.windowTitle().contains("One word, two meanings"));
    }

    void oneClickClosesItForGoodAndHelpBringsItBack() {
        {
            StartFixture fixture;
            QTest::mouseClick(fixture.find<QAbstractButton>("startNever"), Qt::LeftButton);
            QVERIFY(!startPage(fixture));
        }
        StartFixture fixture;
        QVERIFY(!startPage(fixture));
        fixture.action("Start page")->trigger();
        QVERIFY(startPage(fixture));
        StartFixture next;
        QVERIFY(startPage(next));
    }

    void itFitsASmallScreen() {
        StartFixture fixture;
        fixture.window.resize(1280, 720);
        fixture.settle();
        for (const QAbstractButton *button :
             startPage(fixture)->findChildren<QAbstractButton *>()) {
            const QRect at(button->mapTo(startPage(fixture), QPoint()), button->size());
            QVERIFY2(startPage(fixture)->rect().contains(at), qPrintable(button->objectName()));
        }
    }

    void theHintsAreClosedForGood() {
        {
            WindowFixture fixture("bank");
            auto *hints = fixture.find<QWidget>("firstHints");
            QVERIFY(!hints->isVisible());
            fixture.window.offerHints();
            QVERIFY(hints->isVisible());
            QTest::mouseClick(fixture.find<QAbstractButton>("closeHints"), Qt::LeftButton);
            QVERIFY(!hints->isVisible());
        }
        WindowFixture fixture("bank");
        fixture.window.offerHints();
        QVERIFY(!fixture.find<QWidget>("firstHints")->isVisible());
    }
};

HEADLIGHT_WIDGET_TEST(StartTest)
#include "tst_start.moc"
