// Keys: the list of keys, single letters that do not interfere with typing, tooltips, and complete
// menus.
#include "tests/ui/window/window_fixture.h"
#include "ui/views/heads_view.h"
#include "ui/window/action_text.h"

namespace {

void collect(const QList<QAction *> &actions, QList<QAction *> &all) {
    for (QAction *action : actions) {
        if (action->menu())
            collect(action->menu()->actions(), all);
        else if (!action->isSeparator())
            all << action;
    }
}

QList<QAction *> menuActions(ui::MainWindow &window) {
    QList<QAction *> all;
    collect(window.menuBar()->actions(), all);
    return all;
}

/// Returns the height and the title of the tallest of a menu and its submenus.
std::pair<int, QString> tallestOf(QMenu &menu) {
    emit menu.aboutToShow(); // some menus are filled then
    std::pair<int, QString> tallest(menu.sizeHint().height(), menu.title());
    for (const QAction *action : menu.actions())
        if (action->menu())
            tallest = std::max(tallest, tallestOf(*action->menu()));
    return tallest;
}

/// Returns the actions of Alt+1, …, Alt+9, Alt+0, in this order.
QList<QAction *> viewActions(ui::MainWindow &window) {
    QList<QAction *> found;
    for (const int key : {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_5, Qt::Key_6,
                          Qt::Key_7, Qt::Key_8, Qt::Key_9, Qt::Key_0})
        for (QAction *action : menuActions(window))
            if (action->shortcut() == QKeySequence(Qt::ALT | key))
                found << action;
    return found;
}

} // namespace

class WindowKeysTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theViewHasTheKeysAtFirst() {
        WindowFixture fixture("cat");
        QCOMPARE(fixture.window.focusWidget(), fixture.view());
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_C);
        QCOMPARE(fixture.document().state().input.masks.size(), std::size_t(1));
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_M);
        QCOMPARE(fixture.document().source(), QString("cat"));
    }

    /// The focus moves from outside a scroll area to a widget that is scrolled out of view.
    void theFocusIsScrolledIntoView() {
        WindowFixture fixture("cat"); // installs the feature under test
        QWidget window;
        auto *layout = new QVBoxLayout(&window);
        auto *first = new QLineEdit;
        auto *area = new QScrollArea;
        auto *content = new QWidget;
        auto *rows = new QVBoxLayout(content);
        for (int i = 0; i < 40; ++i)
            rows->addWidget(new QPushButton(QString::number(i)));
        area->setWidget(content);
        layout->addWidget(first);
        layout->addWidget(area);
        window.resize(300, 200);
        window.show();
        window.activateWindow();
        QVERIFY(test::until([&] { return window.isActiveWindow(); }));
        area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
        first->setFocus();
        QTest::keyClick(first, Qt::Key_Tab);
        if (QApplication::focusWidget() == area)
            QTest::keyClick(area, Qt::Key_Tab);
        auto *button = qobject_cast<QPushButton *>(QApplication::focusWidget());
        QVERIFY(button);
        QCOMPARE(button->text(), QStringLiteral("0"));
        QVERIFY(!button->visibleRegion().isEmpty());
    }

    /// Qt moves a dock behind a tab outside the window, but leaves its controls in the focus chain.
    void aDockBehindATabHasNoFocus() {
        WindowFixture fixture("cat");
        auto *lesson = fixture.find<QDockWidget>("lessonDock");
        auto *editor = fixture.find<QDockWidget>("lessonEditorDock");
        fixture.window.tabifyDockWidget(lesson, editor);
        fixture.window.activateWindow();
        QVERIFY(test::active(fixture.window));
        editor->show();
        editor->raise();
        QVERIFY(test::until([&] { return lesson->visibleRegion().isEmpty(); }));
        for (const int key : {Qt::Key_Tab, Qt::Key_Backtab}) {
            fixture.view()->setFocus();
            QSet<QWidget *> had;
            while (!had.contains(QApplication::focusWidget())) {
                QWidget *focus = QApplication::focusWidget();
                QVERIFY(focus);
                had << focus;
                QVERIFY2(!lesson->isAncestorOf(focus), qPrintable(focus->objectName()));
                QVERIFY2(!focus->visibleRegion().isEmpty(), qPrintable(focus->objectName()));
                QTest::keyClick(focus, static_cast<Qt::Key>(key));
            }
            QVERIFY(had.size() > 20);
            QVERIFY(std::ranges::any_of(
                had, [&](const QWidget *each) { return editor->isAncestorOf(each); }));
        }
        // If the other tab is clicked, the dock that has the focus is hidden.
        editor->findChild<QListView *>("lessonStepList")->setFocus();
        QVERIFY(editor->isAncestorOf(QApplication::focusWidget()));
        lesson->raise();
        QVERIFY(test::until([&] { return editor->visibleRegion().isEmpty(); }));
        QCOMPARE(QApplication::focusWidget(), fixture.view());
        // Without docks, their tab bar loses the focus, too.
        const QList<QTabBar *> bars =
            fixture.window.findChildren<QTabBar *>(Qt::FindDirectChildrenOnly);
        const auto bar = std::ranges::find_if(
            bars, [&](const QTabBar *each) { return !each->visibleRegion().isEmpty(); });
        QVERIFY(bar != bars.end());
        (*bar)->setFocus();
        QCOMPARE(QApplication::focusWidget(), *bar);
        lesson->hide();
        editor->hide();
        QVERIFY(test::until([&] { return QApplication::focusWidget() == fixture.view(); }));
    }

    void afterTheKeyOfAViewItHasTheKeys() {
        WindowFixture fixture("cat");
        const auto *tabs = fixture.find<QTabWidget>("views");
        QVERIFY(tabs->count() > 10);
        QCOMPARE(viewActions(fixture.window).size(), qsizetype(10)); // later views have no key
        for (int index = 0; index < tabs->count(); ++index)
            QVERIFY2(test::actionOf(fixture.window, tabs->tabText(index)),
                     qPrintable(tabs->tabText(index)));
        for (QAction *action : viewActions(fixture.window)) {
            auto *text = fixture.find<QLineEdit>("text");
            text->setFocus();
            const QString before = text->text();
            action->trigger();
            fixture.settle();
            QVERIFY2(fixture.view() == tabs->currentWidget(), qPrintable(action->text()));
            QCOMPARE(tabs->tabText(tabs->currentIndex()), action->text());
            QVERIFY2(fixture.window.focusWidget() == fixture.view(), qPrintable(action->text()));
            QTest::keyClick(fixture.window.focusWidget(), Qt::Key_X);
            QCOMPARE(text->text(), before);
        }
    }

    /// Showing gradients opens Whole at the loss. Hiding them restores the previous view and
    /// selection.
    void wTwiceIsWhereOneWas() {
        WindowFixture fixture(test::sessionPath("gpt_neox"), "heads");
        ui::Document &document = fixture.document();
        fixture.select({.stage = core::Stage::AttentionWeights, .query = 2, .key = 1});
        fixture.view()->setFocus();
        const core::Selection place = document.selection();
        const auto press = [&] { QTest::keyClick(fixture.window.focusWidget(), Qt::Key_W); };
        press();
        QCOMPARE(fixture.view()->viewName(), QString("whole"));
        QVERIFY(fixture.view()->wantsGradients());
        QVERIFY(document.selection().stage != place.stage);
        press();
        QVERIFY(!fixture.view()->wantsGradients());
        QVERIFY(document.selection() == place);
        QCOMPARE(fixture.view()->viewName(), QString("heads"));
        // If the user has selected something else in the meantime, that selection stays.
        press();
        fixture.select({.stage = core::Stage::Query});
        const core::Selection other = document.selection();
        press();
        QVERIFY(document.selection() == other);
        QCOMPARE(fixture.view()->viewName(), QString("whole"));
    }

    void whereNoWayLeadsBackOneStays() {
        WindowFixture fixture("cat", "heads"); // cat has no output layer
        const core::Selection place = fixture.document().selection();
        auto *whole = fixture.find<ui::WholeView>("wholeView");
        QSignalSpy failed(whole, &ui::FigureView::failed);
        fixture.find<QAction>("showGradients")->trigger();
        QVERIFY(whole->wantsGradients()); // as long as the backward pass has not failed
        HEADLIGHT_UNTIL(failed.count() == 1);
        QVERIFY(!whole->wantsGradients());
        QVERIFY(fixture.find<QLabel>("problem")->isVisible());
        QVERIFY(fixture.document().selection() == place);
        QCOMPARE(fixture.view()->viewName(), QString("heads"));
    }

    void theKeyOfADockBehindAnotherRaisesIt() {
        WindowFixture fixture("cat");
        auto *lesson = fixture.find<QDockWidget>("lessonDock");
        auto *editor = fixture.find<QDockWidget>("lessonEditorDock");
        editor->show();
        fixture.window.tabifyDockWidget(lesson, editor);
        editor->raise();
        fixture.settle();
        QVERIFY(lesson->visibleRegion().isEmpty());
        lesson->toggleViewAction()->trigger();
        fixture.settle();
        QVERIFY(lesson->isVisible());
        QVERIFY(!lesson->visibleRegion().isEmpty());
        lesson->toggleViewAction()->trigger(); // hides the visible dock
        fixture.settle();
        QVERIFY(!lesson->isVisible());
        lesson->toggleViewAction()->trigger();
        fixture.settle();
        QVERIFY(!lesson->visibleRegion().isEmpty());
    }

    void theKeyMapHasEveryAction() {
        WindowFixture fixture("bank");
        QTest::keyClick(&fixture.window, Qt::Key_F1, Qt::ShiftModifier);
        auto *list = fixture.find<QTreeWidget>("keys");
        QVERIFY(list->isVisible());
        QStringList rows;
        for (int s = 0; s < list->topLevelItemCount(); ++s)
            for (int i = 0; i < list->topLevelItem(s)->childCount(); ++i)
                rows << list->topLevelItem(s)->child(i)->text(0) + '|' +
                            list->topLevelItem(s)->child(i)->text(1);
        for (const QAction *action : menuActions(fixture.window)) {
            const QString row = ui::plainText(*action) + '|' + ui::keysText(*action);
            const bool listed = std::any_of(rows.begin(), rows.end(), [&](const QString &each) {
                return each == row || each.endsWith(": " + row); // in a submenu
            });
            QVERIFY2(listed, qPrintable(row));
        }
        QVERIFY(rows.contains("Full screen|Shift+F11"));
    }

    void theKeyMapIsSearched() {
        WindowFixture fixture("bank");
        QTest::keyClick(&fixture.window, Qt::Key_F1, Qt::ShiftModifier);
        auto *list = fixture.find<QTreeWidget>("keys");
        QTest::keyClicks(fixture.find<QLineEdit>("searchKeys"), "full Shift+F11");
        QStringList shown;
        for (int s = 0; s < list->topLevelItemCount(); ++s)
            for (int i = 0; i < list->topLevelItem(s)->childCount(); ++i)
                if (!list->topLevelItem(s)->isHidden() &&
                    !list->topLevelItem(s)->child(i)->isHidden())
                    shown << list->topLevelItem(s)->child(i)->text(0);
        QCOMPARE(shown, QStringList{"Full screen"});
    }

    void noTwoActionsShareAKey() {
        WindowFixture fixture("bank");
        QHash<QString, QString> owners;
        for (const QAction *action : menuActions(fixture.window))
            for (const QKeySequence &key : action->shortcuts()) {
                const QString text = key.toString();
                QVERIFY2(!owners.contains(text) || owners[text] == action->text(),
                         qPrintable(text + ": " + owners[text] + ", " + action->text()));
                owners.insert(text, action->text());
            }
    }

    /// Ctrl, Shift and an arrow key extend a range of cells in the Heads view. If there is none,
    /// they change the sentence of a batch.
    void keysOfARangeAndOfTheSequences() {
        const auto press = [](const WindowFixture &fixture, Qt::Key key) {
            QTest::keyClick(fixture.view(), key, Qt::ControlModifier | Qt::ShiftModifier);
        };
        const auto spanOf = [](const WindowFixture &fixture) {
            return qobject_cast<ui::HeadsView *>(fixture.view())->shownSpan();
        };
        WindowFixture single("cat");
        single.select({.stage = core::Stage::AttentionWeights, .query = 2, .key = 2});
        press(single, Qt::Key_Down);
        press(single, Qt::Key_Right);
        QCOMPARE(spanOf(single), std::optional(ui::CellSpan{{2, 2}, {3, 3}}));
        press(single, Qt::Key_Up);
        press(single, Qt::Key_Up);
        QCOMPARE(spanOf(single), std::optional(ui::CellSpan{{1, 2}, {2, 3}}));
        WindowFixture batch("batch");
        batch.select({.stage = core::Stage::AttentionWeights, .query = 1, .key = 1, .sequence = 2});
        press(batch, Qt::Key_Up);
        QCOMPARE(batch.document().selection().sequence, core::Index(1));
        press(batch, Qt::Key_Down);
        QCOMPARE(batch.document().selection().sequence, core::Index(2));
        batch.select({.stage = core::Stage::AttentionWeights, .query = 1, .key = 1});
        press(batch, Qt::Key_Right);
        press(batch, Qt::Key_Up);
        QCOMPARE(batch.document().selection().sequence, core::Index(2));
        QCOMPARE(spanOf(batch), std::optional(ui::CellSpan{{0, 1}, {1, 2}}));
    }

    /// No action has a key with which GNOME, KDE and Xfce switch workspaces.
    void desktopsKeepTheirKeys() {
        WindowFixture fixture("it", "training");
        for (const QAction *action : fixture.window.findChildren<QAction *>())
            for (const QKeySequence &keys : action->shortcuts())
                for (int i = 0; i < keys.count(); ++i)
                    if (keys[i].keyboardModifiers().testFlags(Qt::ControlModifier |
                                                              Qt::AltModifier))
                        QVERIFY2(keys[i].key() < Qt::Key_Left || keys[i].key() > Qt::Key_Down,
                                 qPrintable(action->text()));
    }

    void keysThatNeedAltGrHaveASecondForm() {
        WindowFixture fixture("bank");
        for (const QAction *action : menuActions(fixture.window))
            for (const QKeySequence &key : action->shortcuts())
                if (QString("[]{}@\\|~").contains(key.toString()))
                    QVERIFY2(action->shortcuts().size() > 1, qPrintable(action->text()));
    }

    void everythingOfTheToolBarsIsInAMenu() {
        WindowFixture fixture("bank");
        const QList<QAction *> all = menuActions(fixture.window);
        for (const QToolBar *bar : fixture.window.findChildren<QToolBar *>())
            for (QAction *action : bar->actions())
                if (!action->isSeparator() && !action->text().isEmpty())
                    QVERIFY2(all.contains(action), qPrintable(action->text()));
        QStringList texts;
        for (const QAction *action : all)
            texts << ui::plainText(*action);
        for (const char *text : {"Undo", "Redo", "Save figure…", "Next head", "Next sequence"})
            QVERIFY2(texts.join('\n').contains(text), text);
    }

    void menusFitASmallScreen_data() {
        test::addRows("source", QStringList{"bank", "tales", "cross-attention"});
    }
    /// A taller menu has a second column on a screen of 720 px.
    void menusFitASmallScreen() {
        QFETCH(QString, source);
        WindowFixture fixture(source);
        for (const QAction *top : fixture.window.menuBar()->actions()) {
            const auto [height, title] = tallestOf(*top->menu());
            QVERIFY2(height <= 680, qPrintable(QString("%1: %2 px").arg(title).arg(height)));
        }
    }

    void lettersStealFromNobody() {
        WindowFixture fixture("sentence");
        const auto masks = [&] { return fixture.document().state().input.masks.size(); };
        const auto before = masks();
        auto *text = fixture.find<QLineEdit>("text");
        text->setFocus();
        text->selectAll();
        QTest::keyClicks(text, "cp [c]");
        QCOMPARE(text->text(), QString("cp [c]"));
        auto *source = fixture.find<QComboBox>("source");
        source->setFocus();
        QTest::keyClick(source, Qt::Key_C);
        QTest::keyClick(source, Qt::Key_P);
        QCOMPARE(masks(), before);
        fixture.view()->setFocus();
        QTest::keyClick(fixture.view(), Qt::Key_C);
        QVERIFY(masks() != before);
    }

    void spaceIsTheFocusedButtons() {
        WindowFixture fixture("bank");
        auto *next = fixture.find<QPushButton>("lessonNext");
        next->setFocus();
        QTest::keyClick(next, Qt::Key_Space);
        QCOMPARE(fixture.document().state().lessonStep, 1);
    }

    void theLessonIsReadWithKeysAndItsMenu() {
        WindowFixture fixture("bank", "close-up");
        ui::Document &document = fixture.document();
        QTest::keyClick(&fixture.window, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(document.state().lessonStep, 1);
        QTest::keyClick(&fixture.window, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(document.state().lessonStep, 0);
        QMenu *steps = fixture.find<QPushButton>("lessonSteps")->menu();
        emit steps->aboutToShow();
        QCOMPARE(steps->actions().size(),
                 static_cast<qsizetype>(document.session().lesson->steps.size()));
        QVERIFY(steps->actions().first()->isChecked());
        steps->actions().last()->trigger();
        QCOMPARE(document.state().lessonStep, fixture.stepCount() - 1);
    }
};

HEADLIGHT_WIDGET_TEST(WindowKeysTest)
#include "tst_window_keys.moc"
