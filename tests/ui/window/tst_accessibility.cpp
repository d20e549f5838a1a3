// The window as seen by a screen reader.
#include "tests/support/shown_texts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/film_frame.h"
#include "ui/text/number_text.h"
#include "ui/views/heatmap_table.h"
#include "ui/window/measures/measures_dialog.h"

namespace {

QAccessibleTableInterface *tableOf(QWidget *view) {
    QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(view);
    return interface ? interface->tableInterface() : nullptr;
}

void show(WindowFixture &fixture, core::Stage stage) {
    fixture.select({.stage = stage});
}

} // namespace

class AccessibilityTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// Tests all docks, views and dialogs.
    void everyControlHasANameAndAToolTip() {
        WindowFixture fixture(test::sessionPath("encoder_decoder"), "close-up");
        for (QDockWidget *dock : fixture.window.findChildren<QDockWidget *>())
            dock->show();
        auto *views = fixture.find<QTabWidget>("views");
        for (int view = 0; view < views->count(); ++view) {
            views->setCurrentIndex(view);
            fixture.settle();
            QCOMPARE(test::namelessIn(fixture.window), QStringList());
        }
        ui::NewRunDialog run(&fixture.window);
        ui::SaveFigureDialog save(*fixture.view(), &fixture.window);
        ui::GlossaryWindow glossary(&fixture.window);
        ui::KeyMap keys(*fixture.window.menuBar(), &fixture.window);
        ui::MeasuresDialog measures(fixture.document(), &fixture.window);
        for (QWidget *dialog :
             std::initializer_list<QWidget *>{&run, &save, &glossary, &keys, &measures}) {
            dialog->show();
            QCOMPARE(test::namelessIn(*dialog, false), QStringList());
        }
    }

    void aHeatmapIsATable_data() {
        test::addRows("view", QStringList{"close-up", "whole", "heads"});
    }

    void aHeatmapIsATable() {
        QFETCH(QString, view);
        WindowFixture fixture("bank", view);
        show(fixture, core::Stage::AttentionWeights);
        const core::Trace &trace = *fixture.document().trace();
        const core::SharedMatrix weights = trace.stage(core::Stage::AttentionWeights).matrix(0, 0);
        QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(fixture.view());
        QCOMPARE(interface->role(), QAccessible::Table);
        QAccessibleTableInterface *table = interface->tableInterface();
        QVERIFY(table);
        QCOMPARE(table->rowCount(), weights.rows);
        QCOMPARE(table->columnCount(), weights.columns);
        // The children are the cells and then the controls over the figure: scroll bars, colour
        // bar, settings.
        const auto controls = fixture.view()->findChildren<QWidget *>(Qt::FindDirectChildrenOnly);
        QVERIFY(controls.size() > 2);
        QCOMPARE(interface->childCount(), weights.rows * weights.columns + controls.size());
        for (int row = 0; row < weights.rows; ++row)
            for (int column = 0; column < weights.columns; ++column) {
                QAccessibleInterface *cell = table->cellAt(row, column);
                QVERIFY(cell && cell->isValid());
                QCOMPARE(cell->role(), QAccessible::Cell);
                QCOMPARE(cell->text(QAccessible::Name),
                         ui::cellText(trace, fixture.document().selection(), row, column));
                QCOMPARE(cell->text(QAccessible::Value), ui::fullText(weights(row, column)));
                QCOMPARE(cell->tableCellInterface()->rowIndex(), row);
                QCOMPARE(cell->tableCellInterface()->columnIndex(), column);
                QCOMPARE(interface->indexOfChild(cell),
                         row * static_cast<int>(weights.columns) + column);
                QCOMPARE(interface->child(interface->indexOfChild(cell)), cell);
                const QPoint middle = cell->rect().center();
                QCOMPARE(interface->childAt(middle.x(), middle.y()), cell);
            }
        QVERIFY(table->cellAt(1, 0)->text(QAccessible::Name).startsWith("bank attends to money: "));
        QCOMPARE(table->rowDescription(1), QString("bank"));
        QCOMPARE(table->columnDescription(0), QString("money"));
        QVERIFY(!table->cellAt(static_cast<int>(weights.rows), 0));
        QVERIFY(!table->cellAt(0, -1));
        QVERIFY(!interface->text(QAccessible::Name).isEmpty());
        QVERIFY(!interface->text(QAccessible::Description).isEmpty());
    }

    void theFilmstripIsAList() {
        WindowFixture fixture("cat", "close-up");
        show(fixture, core::Stage::Scores);
        auto *frames = fixture.find<ui::FilmFrame>("frame");
        QAccessibleInterface *list = QAccessible::queryAccessibleInterface(frames->parentWidget());
        QCOMPARE(list->role(), QAccessible::List);
        QCOMPARE(list->text(QAccessible::Name), QString("Stages"));
        QVERIFY(list->childCount() > 8);
        QStringList selected;
        for (int i = 0; i < list->childCount(); ++i) {
            QAccessibleInterface *item = list->child(i);
            QCOMPARE(item->role(), QAccessible::ListItem);
            QVERIFY(!item->text(QAccessible::Name).isEmpty());
            if (item->state().selected)
                selected << item->text(QAccessible::Name);
        }
        QCOMPARE(selected, QStringList{"scores"});
        list->child(0)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(fixture.document().selection().stage, core::Stage::Embeddings);
    }

    void columnsOfVectorsAreDimensions() {
        WindowFixture fixture("bank", "close-up");
        show(fixture, core::Stage::Query);
        QAccessibleTableInterface *table = tableOf(fixture.view());
        QCOMPARE(table->columnDescription(1), QString("dimension 1"));
        QCOMPARE(table->rowDescription(0), QString("money"));
    }

    void theSelectedCellIsTold() {
        WindowFixture fixture("sentence", "close-up");
        show(fixture, core::Stage::AttentionWeights);
        fixture.view()->setFocus();
        core::Selection selection = fixture.document().selection();
        selection.query = 4;
        selection.key = 3;
        QAccessibleTableInterface *table = tableOf(fixture.view());
        const ui::SelectionChanged moved{fixture.document().selection()};
        fixture.document().select(selection);
        QAccessibleInterface *cell = table->cellAt(4, 3);
        const int child = 4 * table->columnCount() + 3;
        const std::optional<ui::TableUpdate> news = ui::tableNews(*fixture.view(), moved);
        QVERIFY(news && news->event == QAccessible::Focus);
        QCOMPARE(news->child, child);
        QVERIFY(ui::tableNews(*fixture.view(), ui::TraceChanged())->event ==
                QAccessible::TableModelChanged);
        QCOMPARE(table->selectedCells(), QList<QAccessibleInterface *>{cell});
        QCOMPARE(table->selectedCellCount(), 1);
        QVERIFY(cell->state().selected && cell->state().focused);
        QVERIFY(!table->cellAt(0, 0)->state().selected);
        QCOMPARE(QAccessible::queryAccessibleInterface(fixture.view())->focusChild(), cell);
    }

    void aCellCanBeChosenByTheReader() {
        WindowFixture fixture("bank", "heads");
        show(fixture, core::Stage::AttentionWeights);
        QAccessibleInterface *cell = tableOf(fixture.view())->cellAt(1, 0);
        cell->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(test::isAt(fixture.document().selection(), {.query = 1, .key = 0}));
    }

    void nothingDanglesAfterANewTraceOrAClosedWindow() {
        QAccessible::Id last = 0;
        QAccessible::Id tableId = 0;
        {
            WindowFixture fixture("sentence", "close-up");
            show(fixture, core::Stage::AttentionWeights);
            QAccessibleTableInterface *table = tableOf(fixture.view());
            last = QAccessible::uniqueId(table->cellAt(8, 8));
            QVERIFY(QAccessible::accessibleInterface(last));
            fixture.typeText("a bank");
            QCOMPARE(table->rowCount(), 2);
            QVERIFY(!table->cellAt(8, 8));
            QAccessibleInterface *old = QAccessible::accessibleInterface(last);
            QVERIFY(!old || !old->isValid());
            last = QAccessible::uniqueId(table->cellAt(1, 1));
            tableId = QAccessible::uniqueId(QAccessible::queryAccessibleInterface(fixture.view()));
        }
        QVERIFY(!QAccessible::accessibleInterface(last));
        QVERIFY(!QAccessible::accessibleInterface(tableId));
    }

    void theListOfABoxIsCalledWhatTheBoxIs() {
        WindowFixture fixture("cat", "close-up");
        int opened = 0;
        for (QComboBox *box : fixture.window.findChildren<QComboBox *>()) {
            if (!box->isVisible() || !box->isEnabled())
                continue;
            box->showPopup();
            QVERIFY(!box->accessibleName().isEmpty());
            QCOMPARE(box->view()->accessibleName(), box->accessibleName());
            box->hidePopup();
            ++opened;
        }
        QVERIFY(opened >= 3);
    }

    void aFloatingDockHasATabOrderOfItsOwn() {
        WindowFixture fixture("cat", "close-up");
        QTest::failOnWarning(QRegularExpression("setTabOrder"));
        auto *dock = fixture.find<QDockWidget>("lessonDock");
        dock->setFloating(true);
        QVERIFY(dock->isWindow());
        QVERIFY(test::typeText(fixture.document(), "another text").ok()); // reorders the fields
        fixture.settle();
    }

    void tabGoesThroughTheWindowFromTopToBottom() {
        WindowFixture fixture("cat", "close-up");
        const QList<QWidget *> milestones{fixture.find<QWidget>("source"),
                                          fixture.find<QWidget>("text"),
                                          fixture.button("Causal"),
                                          fixture.button("Save figure"),
                                          fixture.find<QWidget>("lessonText"),
                                          fixture.find<QWidget>("lessonNext"),
                                          fixture.view(),
                                          fixture.button("Next stage"),
                                          fixture.button("embeddings")};
        milestones.first()->setFocus();
        qsizetype next = 1;
        for (int i = 0; i < 200 && next < milestones.size(); ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            const auto at = milestones.indexOf(QApplication::focusWidget());
            // Links in the lesson's text are additional tab stops.
            QVERIFY2(at < 0 || at == next || (at == next - 1 && at == 4),
                     test::said("%1 instead of %2", at, next));
            if (at == next)
                ++next;
        }
        QCOMPARE(next, milestones.size());
    }
};

HEADLIGHT_WIDGET_TEST(AccessibilityTest)
#include "tst_accessibility.moc"
