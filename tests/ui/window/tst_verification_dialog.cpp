// Check the numbers: compares the open document with the same computation in 64 bits, lists the
// stages, and shows the selected one.
#include "tests/support/shown_texts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/verification/verification_dialog.h"

using ui::VerificationTable;

namespace {

ui::VerificationDialog *dialogOf(const WindowFixture &fixture) {
    return fixture.window.findChild<ui::VerificationDialog *>();
}

/// Opens the dialog through the Help menu.
ui::VerificationDialog *checking(WindowFixture &fixture) {
    fixture.action("Check the numbers…")->trigger();
    return dialogOf(fixture);
}

ui::VerificationDialog *checked(WindowFixture &fixture) {
    ui::VerificationDialog *dialog = checking(fixture);
    if (!dialog || !test::until([&] { return !dialog->isBusy(); }))
        qFatal("nothing was verified");
    return dialog;
}

QTableView *tableOf(const QDialog &dialog) {
    return dialog.findChild<QTableView *>("verificationTable");
}
QString wordsOf(const QDialog &dialog) {
    return dialog.findChild<QLabel *>("verificationText")->text();
}
QPushButton *buttonOf(const QDialog &dialog, const char *name) {
    return dialog.findChild<QPushButton *>(name);
}

core::Verification verified(const core::Trace &trace, const core::Model &model) {
    return test::valueOf(core::verify(trace, model, trace.input()));
}

/// Returns the model with a changed W_V in its last layer.
core::Model withOtherValues(core::Model model) {
    core::Parameter &values = model.parameters.main.layers.back().selfAttention.value;
    values = core::withCells(values, {{0, 0, (*values)(0, 0) + 0.5f}});
    return model;
}

} // namespace

class VerificationDialogTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void whatIsOpen_data() {
        test::addRows("source", QStringList{"cat", test::sessionPath("encoder_decoder"),
                                            test::sessionPath("encoder_postnorm"), // a classifier
                                            test::sessionPath("qwen_3")});         // grouped heads
    }

    void whatIsOpen() {
        QFETCH(QString, source);
        WindowFixture fixture(source);
        ui::VerificationDialog *dialog = checked(fixture);
        const core::TracePointer trace = fixture.document().trace();
        const core::Verification expected = verified(*trace, trace->model());
        const QAbstractItemModel *model = tableOf(*dialog)->model();
        QCOMPARE(std::size_t(model->rowCount()), expected.stages.size());
        QVERIFY(test::says(wordsOf(*dialog), "No number differs by more than 2·10⁻⁵"));
        QVERIFY(wordsOf(*dialog).contains(QString::number(expected.stages.size())));
        for (int row = 0; row < model->rowCount(); ++row) {
            const core::StageVerification &stage = expected.stages[std::size_t(row)];
            QVERIFY(!model->index(row, VerificationTable::Stage).data().toString().isEmpty());
            QVERIFY(!model->index(row, VerificationTable::Place).data().toString().isEmpty());
            QCOMPARE(model->index(row, VerificationTable::Difference)
                         .data(VerificationTable::kSortRole)
                         .toDouble(),
                     stage.difference);
            QCOMPARE(model->index(row, VerificationTable::Cell).data().toString().isEmpty(),
                     stage.cell.empty());
            QVERIFY(!model->index(row, 0).data(Qt::FontRole).isValid());
        }
        QVERIFY(tableOf(*dialog)->isColumnHidden(VerificationTable::Alone));
        QCOMPARE(buttonOf(*dialog, "verificationStop")->text(), QString("Close"));
        QCOMPARE(checking(fixture), dialog); // the dialog opens only once
    }

    /// Opening a row shows its stage in Close-up, with the cell selected.
    void aRowShowsItsStage_data() { whatIsOpen_data(); }

    void aRowShowsItsStage() {
        QFETCH(QString, source);
        WindowFixture fixture(source);
        ui::VerificationDialog *dialog = checked(fixture);
        const ui::Document &document = fixture.document();
        const core::Verification expected = verified(*document.trace(), document.trace()->model());
        QTableView *table = tableOf(*dialog);
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const core::StageVerification &stage = expected.stages[std::size_t(row)];
            const std::string name = core::stageName(stage.at.stage, stage.at.attention);
            fixture.window.showView("heads");
            emit table->activated(table->model()->index(row, 1));
            HEADLIGHT_UNTIL(!document.isPreparing()); // the outputs of heads are computed on demand
            QCOMPARE(fixture.window.currentView()->viewName(), QString("close-up"));
            const core::Selection selected = document.selection();
            QVERIFY2(selected.stage == stage.at.stage, name.c_str());
            if (core::infoOf(stage.at.stage).part != core::Part::OutputLayer)
                QVERIFY2(selected.attention() == stage.at.attention, name.c_str());
            if (stage.cell.empty())
                continue;
            const auto cell = ui::cellOf(selected);
            QVERIFY2(cell, name.c_str());
            QCOMPARE(cell->row, stage.cell[stage.cell.size() - 2]);
            QCOMPARE(cell->column, stage.cell.back());
            QCOMPARE(selected.sequence, stage.cell.front());
            // The number at this cell equals the one in the table.
            const core::SharedMatrix matrix = document.trace()->matrix(
                selected.stage, stage.at.attention, selected.sequence, selected.head);
            QCOMPARE(double(matrix(cell->row, cell->column)), stage.ours);
        }
    }

    void sorted() {
        WindowFixture fixture("cat");
        QTableView *table = tableOf(*checked(fixture));
        const auto differences = [&] {
            std::vector<double> all;
            for (int row = 0; row < table->model()->rowCount(); ++row)
                all.push_back(table->model()
                                  ->index(row, VerificationTable::Difference)
                                  .data(VerificationTable::kSortRole)
                                  .toDouble());
            return all;
        };
        const std::vector<double> computed = differences();
        QVERIFY(!std::ranges::is_sorted(computed));
        const QHeaderView *header = table->horizontalHeader();
        const QPoint place(header->sectionViewportPosition(VerificationTable::Difference) + 9,
                           header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        QVERIFY(std::ranges::is_sorted(differences()));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        QVERIFY(std::ranges::is_sorted(differences(), std::greater()));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(differences(), computed); // in the order of the computation again
    }

    /// Copies the selected rows, or all if none is selected. Numbers have all their digits.
    void copied() {
        WindowFixture fixture("cat");
        ui::VerificationDialog *dialog = checked(fixture);
        QTableView *table = tableOf(*dialog);
        buttonOf(*dialog, "verificationCopy")->click();
        QStringList lines = QApplication::clipboard()->text().trimmed().split('\n');
        QCOMPARE(lines.size(), table->model()->rowCount() + 1);
        QCOMPARE(lines[0].split('\t').size(), 7); // without the hidden column Alone
        const core::TracePointer trace = fixture.document().trace();
        const core::Verification expected = verified(*trace, trace->model());
        const QStringList fields = lines[6].split('\t');
        QCOMPARE(fields[0], QString("layers.0.self_attention.key"));
        QCOMPARE(fields[3].toDouble(), expected.stages[5].difference);
        QCOMPARE(fields[5].toDouble(), expected.stages[5].ours);
        QCOMPARE(fields[6].toDouble(), expected.stages[5].theirs);
        table->setFocus();
        table->selectRow(2);
        table->selectionModel()->select(table->model()->index(4, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
        for (QAction *action : table->actions())
            action->trigger();
        lines = QApplication::clipboard()->text().trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[2].startsWith("layers.0.self_attention.query\t"));
        table->selectRow(2);
        buttonOf(*dialog, "verificationCopy")->click();
        QCOMPARE(QApplication::clipboard()->text().trimmed().split('\n').size(), 2);
    }

    void aFault() {
        const core::TracePointer trace = test::passOf(test::sessionPath("decoder_alibi"));
        VerificationTable table;
        table.show(trace, verified(*trace, withOtherValues(trace->model())));
        QVERIFY(table.hasAlone());
        int bold = 0;
        bool isBefore = true;
        for (int row = 0; row < table.rowCount(); ++row) {
            const core::StageVerification &stage = table.verification().stages[std::size_t(row)];
            const QVariant font = table.index(row, 0).data(Qt::FontRole);
            QCOMPARE(font.isValid() && font.value<QFont>().bold(), !stage.isWithin());
            bold += stage.isWithin() ? 0 : 1;
            isBefore = isBefore && stage.at.stage != core::Stage::Value;
            const QString said = table.index(row, VerificationTable::Difference)
                                     .data(Qt::AccessibleTextRole)
                                     .toString();
            QCOMPARE(said.contains("more than 2·10⁻⁵"), !stage.isWithin());
            const bool isWrong = stage.at.stage == core::Stage::Value && !stage.isWithin();
            QCOMPARE(stage.alone.value() > core::kVerifiedWithin, isWrong);
        }
        QVERIFY(bold > 3 && bold < table.rowCount());
        QCOMPARE(table.text({0}).split('\n')[0].split('\t').size(), 8);
    }

    /// Qt's model tester accepts the table and a sorted proxy, when they are filled, filled again
    /// and cleared.
    void theModelIsSound() {
        const core::TracePointer trace = test::passOf(test::sessionPath("encoder_decoder"));
        VerificationTable table;
        QSortFilterProxyModel sorted;
        sorted.setSourceModel(&table);
        const QAbstractItemModelTester tester(
            &table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester sortedTester(
            &sorted, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table.rowCount(), 0);
        table.show(trace, verified(*trace, trace->model()));
        QVERIFY(table.rowCount() > 40);
        sorted.sort(VerificationTable::Difference, Qt::DescendingOrder);
        table.show(trace, verified(*trace, withOtherValues(trace->model())));
        table.clear();
        QCOMPARE(table.rowCount(), 0);
    }

    /// An edit does not change the result, which then states that it belongs to earlier numbers.
    void theDocumentChanges() {
        WindowFixture fixture("cat");
        ui::VerificationDialog *dialog = checked(fixture);
        const QString before = wordsOf(*dialog);
        QVERIFY(!before.contains("have changed"));
        const int rows = tableOf(*dialog)->model()->rowCount();
        QVERIFY(test::setMasks(fixture.document(), {core::CausalMask{}}).ok());
        fixture.settle();
        HEADLIGHT_UNTIL(wordsOf(*dialog).contains("have changed"));
        QCOMPARE(tableOf(*dialog)->model()->rowCount(), rows);
        buttonOf(*dialog, "verificationAgain")->click();
        HEADLIGHT_UNTIL(!dialog->isBusy());
        QVERIFY(!wordsOf(*dialog).contains("have changed"));
        QVERIFY(wordsOf(*dialog).contains("No number differs"));
        fixture.document().undoStack().undo();
        fixture.settle();
        HEADLIGHT_UNTIL(wordsOf(*dialog).contains("have changed"));
    }

    /// A long text takes seconds. Cancel stops immediately and leaves the dialog open.
    void cancelled() {
        WindowFixture fixture(test::sessionPath("decoder_rotary"));
        fixture.typeText(QString("a ").repeated(1500));
        ui::VerificationDialog *dialog = checking(fixture);
        QVERIFY(dialog->isBusy());
        QPushButton *stop = buttonOf(*dialog, "verificationStop");
        QCOMPARE(stop->text(), QString("Cancel"));
        QVERIFY(!buttonOf(*dialog, "verificationAgain")->isEnabled());
        stop->click();
        QVERIFY(!dialog->isBusy());
        QVERIFY(dialog->isVisible());
        QCOMPARE(wordsOf(*dialog), QString("The comparison was cancelled."));
        QCOMPARE(tableOf(*dialog)->model()->rowCount(), 0);
        buttonOf(*dialog, "verificationAgain")->click();
        QVERIFY(dialog->isBusy());
        dialog->reject(); // while it is checking
        HEADLIGHT_UNTIL(!dialogOf(fixture));
    }

    void namesForAScreenReader() {
        WindowFixture fixture("cat");
        const ui::VerificationDialog *dialog = checked(fixture);
        QCOMPARE(test::namelessIn(*dialog, false), QStringList());
        QAccessibleInterface *table = QAccessible::queryAccessibleInterface(tableOf(*dialog));
        QCOMPARE(table->text(QAccessible::Name), QString("Stages and their differences"));
        QCOMPARE(table->tableInterface()->columnDescription(VerificationTable::Difference),
                 QString("Difference"));
    }
};

HEADLIGHT_WIDGET_TEST(VerificationDialogTest)
#include "tst_verification_dialog.moc"
