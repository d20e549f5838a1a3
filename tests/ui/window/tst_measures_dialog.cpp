// The table of measures: all heads with all measures, sorted, filtered, copied, and saved as the
// command line prints them.
#include "core/analysis/heads_of_trace.h"
#include "core/analysis/token_partners.h"
#include "tests/support/shown_texts.h"
#include "tests/ui/window/program.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/text/measure_text.h"
#include "ui/window/measures/measures_dialog.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QCheckBox>
#include <QClipboard>
#include <QTableView>
#include <QTemporaryDir>

using ui::MeasuresTable;

namespace {

ui::MeasuresDialog *measuring(WindowFixture &fixture) {
    fixture.action("Table of measures…")->trigger();
    return fixture.window.findChild<ui::MeasuresDialog *>();
}

ui::MeasuresDialog *measured(WindowFixture &fixture) {
    ui::MeasuresDialog *dialog = measuring(fixture);
    if (!dialog || !test::until([&] { return !dialog->isBusy(); }))
        qFatal("nothing was measured");
    return dialog;
}

QTableView *measuresIn(const QDialog &dialog) {
    return dialog.findChild<QTableView *>("measuresTable");
}
QString textBelow(const QDialog &dialog) {
    return dialog.findChild<QLabel *>("measuresText")->text();
}

QByteArray saved(ui::MeasuresDialog &dialog, const QString &path) {
    if (!dialog.saveTo(path).ok())
        qFatal("nothing was saved");
    return test::readAll(path);
}

std::vector<core::HeadOfTrace> expectedOf(WindowFixture &fixture) {
    return test::valueOf(core::measuresOfHeads(*fixture.document().trace(), 0));
}

} // namespace

class MeasuresDialogTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void everyHeadHasARow_data() {
        test::addRows("source", QStringList{"tales", test::sessionPath("encoder_decoder")});
    }

    void everyHeadHasARow() {
        QFETCH(QString, source);
        WindowFixture fixture(source);
        ui::MeasuresDialog *dialog = measured(fixture);
        const std::vector<core::HeadOfTrace> heads = expectedOf(fixture);
        const QAbstractItemModel *model = measuresIn(*dialog)->model();
        QCOMPARE(std::size_t(model->rowCount()), heads.size());
        QCOMPARE(std::size_t(model->columnCount()), 1 + core::kNamedMeasures.size());
        for (int row = 0; row < model->rowCount(); ++row)
            for (int column = 1; column < model->columnCount(); ++column) {
                const auto &measure = core::kNamedMeasures[std::size_t(column - 1)];
                const std::optional<double> value =
                    heads[std::size_t(row)].measures.*measure.measure;
                const QModelIndex index = model->index(row, column);
                QCOMPARE(index.data().toString(), ui::measureText(value));
                QCOMPARE(index.data(MeasuresTable::kSortRole).isValid(), value.has_value());
                const QString heading =
                    model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
                QVERIFY(test::says(heading, ui::definitionOf(measure)));
                QVERIFY(test::says(heading, ui::referenceOf(measure)));
            }
        QCOMPARE(measuring(fixture), dialog); // the dialog opens only once
        // A screen reader reads the result itself.
        const auto *result =
            QAccessible::queryAccessibleInterface(dialog->findChild<QLabel *>("measuresText"));
        QCOMPARE(result->text(QAccessible::Name), textBelow(*dialog));
        QCOMPARE(test::namelessIn(*dialog, false), QStringList());
    }

    void randomTokensShowTheInductionHeads() {
        WindowFixture fixture("tales");
        const auto best = [&] {
            const std::vector<core::HeadOfTrace> heads = expectedOf(fixture);
            const auto most = std::ranges::max_element(
                heads, {}, [](const auto &head) { return head.measures.induction.value_or(0); });
            return std::tuple(most->attention.layer, most->head,
                              most->measures.induction.value_or(0) > 0.35);
        };
        const std::tuple<core::Index, core::Index, bool> found{1, 2, true};
        const core::BatchPointer before = fixture.document().state().input.batch;
        const auto textNow = [&] { return (*fixture.document().state().input.batch)[0].tokens; };
        fixture.action("Random tokens, twice")->trigger();
        fixture.settle();
        const auto first = textNow();
        QVERIFY(best() == found);
        fixture.action("Random tokens, twice")->trigger();
        fixture.settle();
        QVERIFY(textNow() != first);
        QVERIFY(best() == found);
        fixture.document().undoStack().undo();
        fixture.document().undoStack().undo();
        QCOMPARE(fixture.document().state().input.batch, before);
        // A model of words without an output layer cannot use random tokens.
        WindowFixture words("cat");
        words.action("Random tokens, twice")->trigger();
        QVERIFY(test::says(words.problem(), "predicts the next word"));
    }

    /// A message that is wider than its place in the status bar loses its end, which is in the
    /// tooltip.
    void aWideMessageLosesItsEnd() {
        WindowFixture fixture("tales");
        fixture.action("Random tokens, twice")->trigger();
        auto *message = fixture.find<QLabel>("message");
        const QString whole = message->text();
        message->resize(300, message->height());
        const QString painted = test::paintedTexts(*message).join(QString());
        QVERIFY2(painted.startsWith("The text is now") && painted.endsWith("…"),
                 qPrintable(painted));
        const QPoint middle = message->rect().center();
        QHelpEvent help(QEvent::ToolTip, middle, message->mapToGlobal(middle));
        QCoreApplication::sendEvent(message, &help);
        QCOMPARE(QToolTip::text(), whole);
        fixture.settle();
    }

    /// A head without the measure is last in both directions.
    void aHeadingSorts() {
        WindowFixture fixture(test::sessionPath("encoder_decoder"));
        QTableView *table = measuresIn(*measured(fixture));
        const std::vector<core::HeadOfTrace> heads = expectedOf(fixture);
        int missing = 0;
        for (int column = 1; column < table->model()->columnCount(); ++column)
            for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                table->sortByColumn(column, order);
                std::optional<double> before;
                bool hasEnded = false;
                for (int row = 0; row < table->model()->rowCount(); ++row) {
                    const QVariant value =
                        table->model()->index(row, column).data(MeasuresTable::kSortRole);
                    missing += value.isValid() ? 0 : 1;
                    QVERIFY(!(hasEnded && value.isValid()));
                    hasEnded = hasEnded || !value.isValid();
                    if (before && value.isValid())
                        QVERIFY(order == Qt::AscendingOrder ? *before <= value.toDouble()
                                                            : *before >= value.toDouble());
                    if (value.isValid())
                        before = value.toDouble();
                }
            }
        QVERIFY(missing > 0); // cross-attention has no distance
    }

    void headsAreFiltered() {
        WindowFixture fixture("tales");
        ui::MeasuresDialog *dialog = measured(fixture);
        auto *filter = dialog->findChild<QLineEdit *>("measuresFilter");
        const QAbstractItemModel *model = measuresIn(*dialog)->model();
        const int all = model->rowCount();
        filter->setText("1.");
        QVERIFY(model->rowCount() > 0 && model->rowCount() < all);
        filter->setText("no such head");
        QCOMPARE(model->rowCount(), 0);
        QVERIFY(test::says(textBelow(*dialog), "No head matches"));
        filter->clear();
        QCOMPARE(model->rowCount(), all);
    }

    /// The files have the bytes of the command, whatever is sorted, filtered or selected.
    void filesAreThoseOfTheCommand() {
        WindowFixture fixture("tales");
        ui::MeasuresDialog *dialog = measured(fixture);
        const QTemporaryDir folder;
        measuresIn(*dialog)->sortByColumn(2, Qt::DescendingOrder);
        dialog->findChild<QLineEdit *>("measuresFilter")->setText("1.0");
        QCOMPARE(saved(*dialog, folder.filePath("a.csv")),
                 test::printedBy({"measures", "tales", "--csv"}));
        QCOMPARE(saved(*dialog, folder.filePath("a.json")),
                 test::printedBy({"measures", "tales", "--json"}));
        test::select(fixture.document(), {.head = 1});
        fixture.settle();
        dialog->findChild<QCheckBox *>("measuresSimilarity")->setChecked(true);
        HEADLIGHT_UNTIL(!dialog->isBusy());
        const core::Selection &selection = fixture.document().selection();
        const QString head = QString("%1.%2").arg(selection.layer).arg(selection.head);
        QCOMPARE(saved(*dialog, folder.filePath("b.csv")),
                 test::printedBy({"measures", "tales", "--csv", "--similar-to", head}));
        QVERIFY(test::says(textBelow(*dialog), "Saved"));
        QVERIFY(!dialog->saveTo(folder.filePath("none/b.csv")).ok());
        QVERIFY(!test::says(textBelow(*dialog), "Saved"));
    }

    void rowsAreCopied() {
        WindowFixture fixture("tales");
        ui::MeasuresDialog *dialog = measured(fixture);
        dialog->findChild<QPushButton *>("measuresCopy")->click();
        const QStringList lines =
            QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
        const std::vector<core::HeadOfTrace> heads = expectedOf(fixture);
        QCOMPARE(std::size_t(lines.size()), heads.size() + 1);
        const QStringList first = lines[1].split('\t');
        QCOMPARE(std::size_t(first.size()), 1 + core::kNamedMeasures.size());
        QCOMPARE(first[1].toFloat(), static_cast<float>(*heads[0].measures.entropy));
        QTableView *table = measuresIn(*dialog);
        table->selectRow(2);
        dialog->findChild<QPushButton *>("measuresCopy")->click();
        QCOMPARE(QGuiApplication::clipboard()->text().count('\n'), 2);
        table->selectionModel()->select(table->model()->index(1, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
        dialog->findChild<QPushButton *>("measuresCopy")->click();
        QCOMPARE(QGuiApplication::clipboard()->text().count('\n'), 3);
    }

    void aRowShowsItsHead() {
        WindowFixture fixture("tales");
        QTableView *table = measuresIn(*measured(fixture));
        table->sortByColumn(1, Qt::DescendingOrder);
        const std::vector<core::HeadOfTrace> heads = expectedOf(fixture);
        const auto widest = std::ranges::max_element(
            heads, {}, [](const core::HeadOfTrace &head) { return *head.measures.entropy; });
        emit table->activated(table->model()->index(0, 3));
        fixture.settle();
        QCOMPARE(fixture.window.currentView()->viewName(), QString("close-up"));
        QCOMPARE(fixture.document().selection().head, widest->head);
        QVERIFY(fixture.document().selection().attention() == widest->attention);
    }

    void anEditIsSaid() {
        WindowFixture fixture("tales");
        ui::MeasuresDialog *dialog = measured(fixture);
        QVERIFY(!test::says(textBelow(*dialog), "changed since"));
        fixture.typeText("the kite");
        QVERIFY(test::says(textBelow(*dialog), "changed since"));
        dialog->findChild<QPushButton *>("measuresAgain")->click();
        HEADLIGHT_UNTIL(!dialog->isBusy());
        QVERIFY(!test::says(textBelow(*dialog), "changed since"));
    }

    void theModelFollowsQt() {
        WindowFixture fixture("tales");
        MeasuresTable table;
        ui::SortedMeasures sorted;
        sorted.setSourceModel(&table);
        const QAbstractItemModelTester tester(
            &table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester sortedTester(
            &sorted, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const core::Model &model = fixture.document().trace()->model();
        table.show(model, expectedOf(fixture), false);
        QVERIFY(table.rowCount() > 0);
        sorted.sort(2, Qt::DescendingOrder);
        table.show(model, expectedOf(fixture), true);
        QCOMPARE(std::size_t(table.columnCount()), 1 + std::size(core::kEveryMeasure));
        table.clear();
        QCOMPARE(sorted.rowCount(), 0);
    }

    /// The table waits for A instead of failing.
    void changesWaitForA() {
        WindowFixture fixture("tales", "model");
        ui::Comparison &comparison = fixture.document().comparison();
        QVERIFY(comparison.compareWithText("Tom had the kite").ok());
        QVERIFY(!comparison.compared().a);
        ui::MeasuresDialog *dialog = measuring(fixture);
        QVERIFY(test::says(textBelow(*dialog), "Waiting"));
        auto *similarity = dialog->findChild<QCheckBox *>("measuresSimilarity");
        QVERIFY(!similarity->isEnabled());
        QVERIFY(test::says(similarity->toolTip(), "is not computed"));
        HEADLIGHT_UNTIL(!dialog->isBusy());
        QVERIFY(test::says(textBelow(*dialog), "current − A"));
    }

    /// While the window shows a difference, the table has the changes of the measures.
    void changesOfTwoTexts() {
        WindowFixture fixture("tales", "model");
        ui::Comparison &comparison = fixture.document().comparison();
        comparison.pin();
        fixture.typeText("Tom had the kite");
        QVERIFY(test::idle(comparison));
        comparison.show(ui::ComparisonSide::Difference);
        ui::MeasuresDialog *dialog = measured(fixture);
        QVERIFY(test::says(textBelow(*dialog), "current − A"));
        QVERIFY(!dialog->findChild<QCheckBox *>("measuresSimilarity")->isEnabled());
        const ui::Compared compared = comparison.compared();
        const core::TracePointer trace = fixture.document().trace();
        const auto partners =
            core::partnersOf(trace->input(), 0, compared.a->input(), 0, trace->model());
        const auto heads =
            test::valueOf(core::comparedHeads({*trace, 0}, {*compared.a, 0}, partners->texts()));
        const QAbstractItemModel &table = *measuresIn(*dialog)->model();
        QCOMPARE(table.rowCount(), 12);
        bool hasChange = false;
        for (std::size_t row = 0; row < heads.size(); ++row) {
            const QModelIndex entropy = table.index(static_cast<int>(row), 1);
            const double change = *heads[row].now.entropy - *heads[row].a.entropy;
            QCOMPARE(entropy.data(MeasuresTable::kSortRole).toDouble(), change);
            QCOMPARE(entropy.data().toString().startsWith('+'), change > 0);
            hasChange |= change != 0;
        }
        QVERIFY(hasChange);
        const QTemporaryDir folder;
        QVERIFY(saved(*dialog, folder.filePath("a.csv")).contains("entropy_change"));
        comparison.show(ui::ComparisonSide::Now);
        QVERIFY(test::says(textBelow(*dialog), "changed since"));
        dialog->compute();
        QVERIFY(test::until([&] { return !dialog->isBusy(); }));
        QVERIFY(!test::says(textBelow(*dialog), "current − A"));
        QVERIFY(dialog->findChild<QCheckBox *>("measuresSimilarity")->isEnabled());
    }
};

HEADLIGHT_WIDGET_TEST(MeasuresDialogTest)
#include "tst_measures_dialog.moc"
