// The window with a head being born: saving its figure, and closing after watching.
#include "tests/support/training.h"
#include "tests/ui/window/presented.h"
#include "ui/figures/birth/birth_moments_figure.h"
#include "ui/text/token_names.h"
#include "ui/views/birth_replay.h"
#include "ui/views/birth_view.h"

#include <QScrollArea>
#include <QScrollBar>

namespace {

core::Recipe recipeToWatch(const char *task = "previous-token", core::Index steps = 120) {
    core::Recipe recipe = core::findTask(task)->info().recipe;
    recipe.steps = steps;
    return recipe;
}

/// A window whose run is recorded.
struct WatchedWindow : test::PresentedFixture {
    explicit WatchedWindow(const core::Recipe &recipe = recipeToWatch())
        : PresentedFixture("bank", "close-up", false) {
        window.open(test::trainingSession(recipe));
        window.showView("birth");
        settle();
        if (!test::until([this] { return birth().replay().run() != nullptr; }))
            qFatal("the run was not recorded");
        settle();
    }
    ui::BirthView &birth() const { return *static_cast<ui::BirthView *>(view()); }
};

} // namespace

class WindowBirthTest : public test::CleanTest {
    Q_OBJECT
  private slots:
    /// The view is wider and shorter than the figure with six moments.
    void theDialogOpensAtTheFiguresNaturalSize() {
        WatchedWindow fixture;
        const auto figure = fixture.view()->figureIn(fixture.view()->figureStyle());
        const QSizeF natural = figure->naturalSize();
        QVERIFY(figure->minimumSize().height() > fixture.view()->height() ||
                natural != QSizeF(fixture.view()->size()));
        const ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        QCOMPARE(dialog.recipe().size.inPixels(), natural);
        QVERIFY(test::find<QPushButton>(dialog, "saveButton")->isEnabled());
        QVERIFY(!test::find<QLabel>(dialog, "problem")->isVisibleTo(&dialog));
    }

    void theTextFieldShowsTheExample() {
        WatchedWindow fixture;
        const auto *text = fixture.find<QLineEdit>("text");
        const QString first = fixture.birth().exampleText();
        QVERIFY(!first.isEmpty());
        QCOMPARE(text->text(), first);
        QVERIFY(text->isReadOnly());
        QTest::keyClick(fixture.view(), Qt::Key_N);
        QVERIFY(fixture.birth().exampleText() != first);
        QCOMPARE(text->text(), fixture.birth().exampleText());
        fixture.window.showView("heads");
        QCOMPARE(text->text(), ui::shownTextOf((*fixture.document().state().input.batch)[0]));
        QVERIFY(!text->isReadOnly());
    }

    void aRememberedSizeThatIsTooSmallIsNotUsed() {
        WatchedWindow fixture;
        const auto figure = fixture.view()->figureIn(fixture.view()->figureStyle());
        QSettings().setValue("figures/size", QSizeF(1280, 200));
        {
            const ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
            QCOMPARE(dialog.recipe().size.inPixels(), figure->naturalSize());
        }
        const QSizeF large = figure->naturalSize() * 2;
        QSettings().setValue("figures/size", large);
        const ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        QCOMPARE(dialog.recipe().size.inPixels(), large);
    }

    void savingIsOffWhileTheSizeIsRefused() {
        WatchedWindow fixture;
        ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        dialog.show();
        auto *save = test::find<QPushButton>(dialog, "saveButton");
        test::find<QCheckBox>(dialog, "keepRatio")->setChecked(false);
        auto *height = test::find<QDoubleSpinBox>(dialog, "figureHeight");
        const double usual = height->value();
        height->setValue(200);
        QVERIFY(test::find<QLabel>(dialog, "problem")->isVisible());
        QVERIFY(!save->isEnabled());
        height->setValue(usual);
        QVERIFY(!test::find<QLabel>(dialog, "problem")->isVisible());
        QVERIFY(save->isEnabled());
        const QTemporaryDir folder;
        dialog.saveTo(folder.filePath("six.png"));
        QVERIFY(!test::readAll(folder.filePath("six.png")).isEmpty());
    }

    /// The window gives the session the trained model, which is not the user's change.
    void watchingIsNoChangeToSave() {
        WatchedWindow fixture;
        ui::Document &document = fixture.document();
        QCOMPARE(document.state().training->step, core::Index(120));
        QVERIFY(!document.isModified());
        QVERIFY(!fixture.window.isWindowModified());
        fixture.birth().replay().show(fixture.birth().replay().run()->snapshots.size() - 1);
        QVERIFY(!document.isModified());
        fixture.setQuery(3);
        QVERIFY(document.isModified());
        document.undoStack().undo();
        QVERIFY(!document.isModified());
    }

    void aRunToWatchIsOpenedWithoutAChange() {
        WindowFixture fixture("bank");
        const QKeySequence keys(Qt::CTRL | Qt::SHIFT | Qt::Key_B);
        for (QAction *action : fixture.window.findChildren<QAction *>())
            if (action->shortcut() == keys)
                action->trigger();
        fixture.settle();
        QCOMPARE(fixture.view()->viewName(), QString("birth"));
        QVERIFY(!fixture.document().isModified());
        static_cast<ui::BirthView *>(fixture.view())->replay().clear(); // ends the recording
    }

    void everyHeadCanBeSilencedInAPresentation_data() {
        test::addRows("task", QStringList{"it", "reverse"}); // both tasks form two heads
    }

    /// Regression test: at 1280 × 720, the second button was cut off once the question was
    /// answered.
    void everyHeadCanBeSilencedInAPresentation() {
        QFETCH(QString, task);
        WatchedWindow fixture(recipeToWatch(qPrintable(task), 600));
        fixture.present({1280, 720});
        auto *view = static_cast<ui::BirthView *>(fixture.picture());
        const auto *scroll = test::find<QScrollArea>(*view, "birthScroll");
        for (const Qt::Key key : {Qt::Key_3, Qt::Key_End, Qt::Key_S, Qt::Key_S})
            fixture.press(key);
        QVERIFY(!test::find<QLabel>(*view, "birthSilenceResult")->text().isEmpty());
        QVERIFY(test::find<QLabel>(*view, "birthVerdict")->isVisible());
        const std::size_t heads = view->replay().run()->heads.size();
        QCOMPARE(heads, std::size_t(2));
        std::vector<QRect> places;
        for (std::size_t head = 0; head < heads; ++head) {
            const auto *button =
                test::find<QPushButton>(*view, qPrintable(QString("birthSilence%1").arg(head)));
            QVERIFY(button->isVisible());
            QVERIFY(button->width() >= button->sizeHint().width());
            places.emplace_back(button->mapTo(scroll->viewport(), QPoint()), button->size());
            QVERIFY(scroll->viewport()->rect().contains(places.back()));
        }
        QVERIFY(test::areApart(places));
        QCOMPARE(scroll->verticalScrollBar()->maximum(), 0); // all controls are visible
    }

    /// A session that no file contains has no file name.
    void theSuggestedNameHasAStem() {
        WatchedWindow fixture;
        QVERIFY(fixture.document().source().isEmpty());
        const ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        const QString name = dialog.suggestedName();
        QVERIFY2(name.endsWith("-birth.png") && name.front().isLetterOrNumber(), qPrintable(name));
    }
};

HEADLIGHT_WIDGET_TEST(WindowBirthTest)
#include "tst_window_birth.moc"
