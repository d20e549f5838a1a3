// The table of numbers, driven by mouse and keyboard.
#include "core/formats/files/file_numbers.h"
#include "tests/support/large_model.h"
#include "tests/ui/panels/editor_fixture.h"
#include "tests/ui/window/answers.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/panels/editor/drag_step.h"
#include "ui/panels/editor/number_table.h"
#include "ui/text/number_text.h"

namespace {

struct Numbers : EditorFixture {
    using EditorFixture::EditorFixture;
    NumberTableView *view = find<NumberTableView>("numberTable");
    NumberTable *table = static_cast<NumberTable *>(view->model());

    float at(int row, int column) const { return table->number(table->index(row, column)); }
    QPoint middle(int row, int column) const {
        return view->visualRect(table->index(row, column)).center();
    }
    void move(QPoint to, Qt::KeyboardModifiers modifiers = {}) {
        test::moveMouse(*view->viewport(), to, Qt::LeftButton, modifiers);
    }
    void press(QPoint at) { QTest::mousePress(view->viewport(), Qt::LeftButton, {}, at); }
    void release(QPoint at) { QTest::mouseRelease(view->viewport(), Qt::LeftButton, {}, at); }
    void key(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(view, static_cast<Qt::Key>(key), modifiers);
    }
    void setCurrent(int row, int column) {
        view->selectionModel()->setCurrentIndex(table->index(row, column),
                                                QItemSelectionModel::ClearAndSelect);
    }
    /// Types into the current cell and ends with this key.
    void type(const QString &text, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClicks(QApplication::focusWidget(), text);
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
        QCoreApplication::processEvents(); // the edit is applied after the key event
        QVERIFY(test::settled(document));
    }
    void paste(const QString &text, int row, int column) {
        QApplication::clipboard()->setText(text);
        setCurrent(row, column);
        key(Qt::Key_V, Qt::ControlModifier);
    }
    QAction *preset(const QString &text) const {
        for (QAction *action : find<QPushButton>("presets")->menu()->actions())
            if (action->text() == text)
                return action;
        qFatal("no preset %s", qPrintable(text));
    }
    QString chosen() const { return find<QComboBox>("matrixChoice")->currentText(); }
};

/// Returns a session of the model with a text of `words` words.
OpenedSource ofModel(const core::Model &model, core::Index words) {
    return test::withModel(test::opened("cat"), model, {test::wordBatch(words), {}});
}

} // namespace

class EditorNumbersTest : public QObject {
    Q_OBJECT

  private slots:
    void keysWithoutACellDoNothing() {
        QTest::failOnWarning(QRegularExpression("edit: index was invalid"));
        Numbers fixture("cat", Stage::Query);
        fixture.view->setCurrentIndex({});
        const int steps = fixture.document.undoStack().count();
        for (const int key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Delete})
            fixture.key(key);
        QVERIFY(!fixture.view->findChild<QLineEdit *>());
        QCOMPARE(fixture.document.undoStack().count(), steps);
    }

    void enterGoesDownAsInASpreadsheet() {
        Numbers fixture("cat", Stage::Query);
        fixture.setCurrent(0, 1);
        fixture.view->setFocus();
        for (const char *number : {"2", "1", "0"})
            fixture.type(number, Qt::Key_Return);
        QCOMPARE(fixture.at(0, 1), 2.0f);
        QCOMPARE(fixture.at(1, 1), 1.0f);
        QCOMPARE(fixture.at(2, 1), 0.0f);
        QCOMPARE(fixture.view->currentIndex(), fixture.table->index(3, 1));
        fixture.type("5", Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(fixture.at(3, 1), 5.0f);
        QCOMPARE(fixture.view->currentIndex(), fixture.table->index(2, 1));
        // The current cell stays in the last row.
        const int last = fixture.table->rowCount() - 1;
        fixture.setCurrent(last, 0);
        fixture.type("7", Qt::Key_Return);
        QCOMPARE(fixture.at(last, 0), 7.0f);
        QCOMPARE(fixture.view->currentIndex(), fixture.table->index(last, 0));
    }

    /// No editor is open here. F2, a double click or typing would open one.
    void enterGoesDownFromACellToo() {
        Numbers fixture("cat", Stage::Query);
        const float before = fixture.at(0, 1);
        fixture.setCurrent(0, 1);
        fixture.view->setFocus();
        fixture.key(Qt::Key_Return);
        QVERIFY(!fixture.view->findChild<QLineEdit *>());
        QCOMPARE(fixture.view->currentIndex(), fixture.table->index(1, 1));
        fixture.key(Qt::Key_Enter, Qt::ShiftModifier);
        fixture.key(Qt::Key_Return, Qt::ShiftModifier); // there is no row above
        QCOMPARE(fixture.view->currentIndex(), fixture.table->index(0, 1));
        QVERIFY(!fixture.view->findChild<QLineEdit *>());
        QCOMPARE(fixture.at(0, 1), before);
        fixture.key(Qt::Key_F2);
        QVERIFY(fixture.view->findChild<QLineEdit *>());
    }

    /// If no editor is open, Tab leaves the table.
    void tabGoesToTheRightWhileANumberIsTyped() {
        Numbers fixture("cat", Stage::Query);
        fixture.setCurrent(1, 0);
        fixture.view->setFocus();
        for (const char *number : {"2", "1"})
            fixture.type(number, Qt::Key_Tab);
        QCOMPARE(fixture.at(1, 0), 2.0f);
        QCOMPARE(fixture.at(1, 1), 1.0f);
        QCOMPARE(fixture.view->currentIndex(), fixture.table->index(1, 2));
        QCOMPARE(QApplication::focusWidget(), fixture.view);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!fixture.view->findChild<QLineEdit *>());
        fixture.type("3", Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(fixture.at(1, 2), 3.0f);
        QCOMPARE(fixture.view->currentIndex(), fixture.table->index(1, 1));
        fixture.key(Qt::Key_Tab);
        QVERIFY(QApplication::focusWidget() != fixture.view);
        QVERIFY(!fixture.view->isAncestorOf(QApplication::focusWidget()));
        QCOMPARE(fixture.view->currentIndex(), fixture.table->index(1, 1));
    }

    void commasThatCanMeanTwoThingsAreAskedAbout() {
        Numbers fixture("cat");
        const DocumentState before = fixture.document.state();
        const auto paste = [&](const QString &text, int row, const QString &button) {
            test::Answer answer("pasteCommas", button);
            fixture.paste(text, row, 0);
            QCoreApplication::processEvents();
            return answer.times();
        };
        QCOMPARE(paste("1,2\n3,4", 0, "Cancel"), 1);
        QVERIFY(fixture.document.state() == before);
        QCOMPARE(paste("1,2\n3,4", 0, QStringLiteral("2 × 2 numbers")), 1);
        QCOMPARE(fixture.at(0, 0), 1.0f);
        QCOMPARE(fixture.at(0, 1), 2.0f);
        QCOMPARE(fixture.at(1, 1), 4.0f);
        QCOMPARE(paste("1,2\n3,4", 2, "2 numbers with decimal commas"), 1);
        QCOMPARE(fixture.at(2, 0), 1.2f);
        QCOMPARE(fixture.at(3, 0), 3.4f);
        QCOMPARE(paste("1,234.5", 4, "1 number, with commas between thousands"), 1);
        QCOMPARE(fixture.at(4, 0), 1234.5f);
        QCOMPARE(paste("1.5,2.5", 5, "Cancel"), 0);
        QCOMPARE(fixture.at(5, 1), 2.5f);
        QCOMPARE(paste("1,5", 6, "Cancel"), 0); // a decimal comma, as in typed text
        QCOMPARE(fixture.at(6, 0), 1.5f);
        QCOMPARE(fixture.error(), QString());
    }

    void theModelIsAModel() {
        Document document;
        NumberTable table(document);
        const QAbstractItemModelTester tester(
            &table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        document.open(test::opened("cat"));
        table.setTarget(MatrixId{MatrixId::Kind::Parameter, {}, 0, 0});
        QVERIFY(table.setData(table.index(1, 1), "0,5", Qt::EditRole));
        table.update();
        QCOMPARE(table.number(table.index(1, 1)), 0.5f);
        table.setTarget(MatrixId{MatrixId::Kind::Embeddings, {}, std::nullopt, 0});
        QVERIFY(test::typeText(document, "another text").ok());
        table.update();
        QCOMPARE(table.rowCount(), 2);
    }

    void theTableFollowsTheStage() {
        Numbers fixture("cat", Stage::Query);
        QCOMPARE(fixture.chosen(), QString("WQ head 0"));
        fixture.select(Stage::Value, {}, {}, 5);
        QCOMPARE(fixture.chosen(), QString("WV head 0"));
        QCOMPARE(fixture.view->currentIndex().column(), 5);
        fixture.select(Stage::Output);
        QCOMPARE(fixture.chosen(), QString("WO head 0"));
        test::select(fixture.document, {.head = 1});
        QCOMPARE(fixture.chosen(), QString("WO head 1"));
        fixture.find<QToolButton>("pinMatrix")->click();
        fixture.select(Stage::Key);
        QCOMPARE(fixture.chosen(), QString("WO head 1"));
        fixture.find<QToolButton>("pinMatrix")->click();
        fixture.select(Stage::Embeddings, 2, {}, 3);
        QCOMPARE(fixture.view->currentIndex(), fixture.table->index(2, 3));
        QCOMPARE(fixture.table->headerData(2, Qt::Vertical, Qt::DisplayRole).toString(),
                 QString("sat"));
        fixture.select(Stage::AttentionWeights);
        QCOMPARE(fixture.editor.currentIndex(), 1);
        fixture.select(Stage::Scores, 1, 4);
        QCOMPARE(fixture.editor.currentIndex(), 0);
        QCOMPARE(fixture.view->currentIndex(), fixture.table->index(1, 4));
    }

    void draggingANumberIsOneStep() {
        Numbers fixture("cat");
        const float before = fixture.at(1, 1);
        const double step = dragStep(static_cast<double>(fixture.table->largest()));
        const QPoint start = fixture.middle(1, 1);
        fixture.press(start);
        for (int x = 4; x <= 40; x += 4) {
            fixture.move(start + QPoint(x, 0));
            if (x >= 12) // the number follows the mouse once it has moved 12 px
                QVERIFY(std::abs(fixture.at(1, 1) - before - static_cast<float>(x * step)) <
                        static_cast<float>(step));
        }
        fixture.release(start + QPoint(40, 0));
        QCOMPARE(fixture.document.undoStack().count(), 1);
        QVERIFY(fixture.undoText().startsWith("WQ head 0, row 1, column 1: " + fullText(before)));
        QVERIFY(fixture.undoText().endsWith(" → " + fullText(fixture.at(1, 1))));
        fixture.document.undoStack().undo();
        QCOMPARE(fixture.at(1, 1), before);
        QVERIFY(!fixture.document.isEdited());
    }

    void shiftIsFineAndControlCoarse() {
        Numbers fixture("cat");
        const double step = dragStep(static_cast<double>(fixture.table->largest()));
        for (const auto &[modifier, factor] :
             {std::pair(Qt::ShiftModifier, 0.1), std::pair(Qt::ControlModifier, 10.0)}) {
            const float before = fixture.at(3, 2);
            const QPoint start = fixture.middle(3, 2);
            fixture.press(start);
            fixture.move(start + QPoint(30, 0), modifier);
            fixture.release(start + QPoint(30, 0));
            const double by = static_cast<double>(fixture.at(3, 2) - before);
            QVERIFY(std::abs(by - 30 * step * factor) < step * 0.06);
        }
        QCOMPARE(fixture.document.undoStack().count(), 2);
    }

    void escapeCancelsTheDrag() {
        Numbers fixture("cat");
        const DocumentState before = fixture.document.state();
        const QPoint start = fixture.middle(0, 0);
        fixture.press(start);
        fixture.move(start + QPoint(50, 0));
        QVERIFY(fixture.document.isEdited());
        fixture.key(Qt::Key_Escape);
        QVERIFY(!fixture.view->isDragging());
        fixture.move(start + QPoint(90, 0));
        fixture.release(start + QPoint(90, 0));
        QVERIFY(fixture.document.state() == before);
        QVERIFY(!fixture.document.undoStack().canUndo());
    }

    void upAndDownSelects() {
        Numbers fixture("cat");
        const QPoint start = fixture.middle(0, 0);
        fixture.press(start);
        fixture.move(start + QPoint(0, 20));
        fixture.move(fixture.middle(3, 1));
        fixture.release(fixture.middle(3, 1));
        QCOMPARE(fixture.view->selectionModel()->selectedIndexes().size(), 8);
        QVERIFY(!fixture.document.isEdited());
    }

    void numbersAreTyped() {
        Numbers fixture("cat");
        fixture.view->setCurrentIndex(fixture.table->index(2, 2));
        fixture.view->setFocus();
        QTest::keyClicks(fixture.view, "0");
        QWidget *line = QApplication::focusWidget();
        QVERIFY(qobject_cast<QLineEdit *>(line));
        QTest::keyClicks(line, ",25");
        QTest::keyClick(line, Qt::Key_Return);
        QCoreApplication::processEvents(); // the edit is applied after the key event
        QCOMPARE(fixture.at(2, 2), 0.25f);
        QVERIFY(!fixture.table->setData(fixture.table->index(0, 0), "many", Qt::EditRole));
        QVERIFY(fixture.error().contains("is not a number"));
        QVERIFY(!fixture.table->setData(fixture.table->index(0, 0), "1e99", Qt::EditRole));
        QVERIFY(fixture.error().contains("too large for a 32-bit"));
        QCOMPARE(fixture.document.undoStack().count(), 1);
    }

    void aSelectionIsFilledAndEmptied() {
        Numbers fixture("cat");
        fixture.view->selectionModel()->select(
            {fixture.table->index(1, 1), fixture.table->index(2, 3)},
            QItemSelectionModel::ClearAndSelect);
        auto *value = fixture.find<QLineEdit>("cellValue");
        value->setFocus();
        value->setText("-1.5");
        QTest::keyClick(value, Qt::Key_Return);
        QCOMPARE(fixture.error(), QString());
        for (int row = 1; row <= 2; ++row)
            for (int column = 1; column <= 3; ++column)
                QCOMPARE(fixture.at(row, column), -1.5f);
        QCOMPARE(fixture.undoText(), QString("WQ head 0: 6 numbers"));
        fixture.view->setFocus();
        fixture.key(Qt::Key_Delete);
        QCOMPARE(fixture.at(2, 3), 0.0f);
    }

    void blocksGoToASpreadsheetAndBack() {
        Numbers fixture("cat");
        fixture.view->selectionModel()->select(
            {fixture.table->index(0, 0), fixture.table->index(1, 2)},
            QItemSelectionModel::ClearAndSelect);
        fixture.view->setFocus();
        fixture.key(Qt::Key_C, Qt::ControlModifier);
        const QString block = QApplication::clipboard()->text();
        QCOMPARE(block.count('\t'), 4);
        QCOMPARE(block.count('\n'), 2);
        QCOMPARE(block.section('\t', 0, 0).toFloat(), fixture.at(0, 0));
        const float number = fixture.at(1, 2);
        fixture.setCurrent(4, 4);
        fixture.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(fixture.at(5, 6), number);
        QVERIFY(fixture.undoText().endsWith("6 numbers"));
        fixture.paste("1,5\t2\n3\t-4", 0, 6);
        QCOMPARE(fixture.error(), QString());
        QCOMPARE(fixture.at(0, 6), 1.5f);
        QCOMPARE(fixture.at(1, 7), -4.0f);
        const DocumentState before = fixture.document.state();
        fixture.setCurrent(0, 7);
        fixture.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(fixture.error(), QString("a block of 2 × 2 numbers does not fit"));
        fixture.paste("a\tb", 0, 7);
        QVERIFY(fixture.error().startsWith("the clipboard has no block of numbers"));
        QVERIFY(fixture.document.state() == before);
        fixture.key(Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(fixture.view->selectionModel()->selectedIndexes().size(),
                 fixture.table->rowCount() * fixture.table->columnCount());
    }

    void presetsFillTheMatrix() {
        Numbers fixture("cat");
        fixture.preset("Identity")->trigger();
        QCOMPARE(fixture.at(3, 3), 1.0f);
        QCOMPARE(fixture.undoText(), QString("WQ head 0: identity"));
        fixture.find<QPushButton>("presets")
            ->menu()
            ->findChild<QSpinBox *>("presetSeed")
            ->setValue(9);
        fixture.preset("Orthogonal")->trigger();
        QCOMPARE(fixture.undoText(), QString("WQ head 0: orthogonal, seed 9"));
        const float before = fixture.at(1, 1);
        fixture.preset("Multiply by the factor")->trigger();
        QCOMPARE(fixture.at(1, 1), 2 * before);
        fixture.preset("Transpose")->trigger(); // 16 × 8 cannot be transposed
        QVERIFY(fixture.error().contains("transpose"));
        fixture.preset("Zero")->trigger();
        QCOMPARE(fixture.table->largest(), 0.0f);
    }

    /// An edit of one cell, its undo and its redo only report this cell.
    void onlyTheEditedCellIsToldOf() {
        Numbers fixture("cat");
        fixture.preset("Orthogonal")->trigger();
        const float largest = fixture.table->largest();
        QSignalSpy told(fixture.table, &QAbstractItemModel::dataChanged);
        const auto toldOf = [&](int row, int column) {
            const bool isThat = told.count() == 1 &&
                                told[0][0].toModelIndex() == fixture.table->index(row, column) &&
                                told[0][1].toModelIndex() == fixture.table->index(row, column);
            told.clear();
            return isThat;
        };
        QVERIFY(fixture.table->setCells({fixture.table->index(3, 2)}, "0.01"));
        QVERIFY(toldOf(3, 2));
        fixture.document.undoStack().undo();
        QVERIFY(toldOf(3, 2));
        fixture.document.undoStack().redo();
        QVERIFY(toldOf(3, 2));
        QCOMPARE(fixture.table->largest(), largest);
        QVERIFY(fixture.table->setCells({fixture.table->index(3, 2)}, "50"));
        QCOMPARE(fixture.table->largest(), 50.0f); // changes the colours of all cells
        QCOMPARE(told.count(), 1);
        QCOMPARE(told[0][1].toModelIndex(), fixture.table->index(15, 7));
    }

    void whatCannotBeReadIsShownAsSuch() {
        QTemporaryDir folder;
        const QString path = folder.filePath("numbers");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(16 * 16 * 2, '<')) > 0);
        file.close();
        const auto open = test::valueOf(core::openNumberFile(path.toStdString()));
        const auto storage = test::valueOf(core::numbersIn(open, 0, 16 * 16 * 2));
        const auto stored = test::valueOf(
            core::ParameterMatrix::create(storage, {core::NumberType::F16, 16, 16, 0, 16, 1}));
        core::Model model = test::largeModel(16, 2);
        model.parameters.main.layers[0].selfAttention.query = stored;
        Numbers fixture("cat");
        fixture.document.open(ofModel(model, 4));
        QVERIFY(test::settled(fixture.document));
        const MatrixId query{MatrixId::Kind::Parameter, {0, core::ParameterKind::Query}, {}, 0};
        QVERIFY(QFile::resize(path, 40)); // a row and four numbers remain
        fixture.table->setTarget(EditorTarget(ScoresId{}));
        fixture.table->setTarget(query);
        QCOMPARE(fixture.table->rowCount(), 16);
        const QModelIndex there = fixture.table->index(0, 3), gone = fixture.table->index(9, 9);
        // Values that are still in the truncated file are not shown either, because they may come
        // from a different file.
        for (const QModelIndex &each : {there, gone})
            QCOMPARE(fixture.table->data(each, Qt::DisplayRole).toString(), QString("?"));
        QVERIFY(fixture.table->data(gone, Qt::ToolTipRole).toString().contains("cannot be read"));
        fixture.view->grab();
        // An edit of another cell cannot be computed, so it is undone.
        QVERIFY(fixture.table->setCells({there}, "3"));
        HEADLIGHT_UNTIL(fixture.document.changedFile());
        QVERIFY(test::settled(fixture.document));
        QCOMPARE(fixture.document.state().model.parameters.main.layers[0].selfAttention.query,
                 stored);
        QVERIFY(fixture.document.undoStack().canRedo());
        fixture.preset("Transpose")->trigger();
        QVERIFY(fixture.error().contains("truncated"));
    }

    void computeAgainIsOfTheAttentionThatIsShown_data() {
        test::addColumns<core::Block, core::Stack>({"block", "stack"});
        QTest::newRow("decoder") << core::Block::SelfAttention << core::Stack::Decoder;
        QTest::newRow("cross") << core::Block::CrossAttention << core::Stack::Decoder;
        QTest::newRow("encoder") << core::Block::SelfAttention << core::Stack::Encoder;
    }

    void computeAgainIsOfTheAttentionThatIsShown() {
        QFETCH(core::Block, block);
        QFETCH(core::Stack, stack);
        Numbers fixture(test::sessionPath("encoder_decoder"));
        core::Selection selection = test::placed({.stage = Stage::Scores});
        selection.setAttention({1, block, stack});
        fixture.document.select(selection);
        const core::Interventions &said = fixture.document.state().input.interventions;
        const std::size_t before = said.scores.size();
        fixture.setCurrent(2, 1);
        QVERIFY(fixture.table->setCells({fixture.table->index(2, 1)}, "7"));
        QCOMPARE(said.scores.size(), before + 1);
        const core::ScoreIntervention &score = said.scores.back();
        QVERIFY(score.attention() == selection.attention());
        QVERIFY(test::settled(fixture.document));
        fixture.setCurrent(2, 1);
        QTimer::singleShot(0, &fixture.editor, [] {
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            if (!menu)
                qFatal("no menu");
            for (QAction *action : menu->actions())
                if (action->text() == "Clear overrides")
                    action->trigger();
            menu->close();
        });
        const QPoint at = fixture.middle(2, 1);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at,
                                fixture.view->viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(fixture.view->viewport(), &event);
        QCOMPARE(said.scores.size(), before);
        QVERIFY(fixture.error().isEmpty());
    }

    void aMissingBiasCanBeAdded() {
        Numbers fixture("cat");
        auto *choice = fixture.find<QComboBox>("matrixChoice");
        const int bias = choice->findText("bK head 0");
        QVERIFY(bias >= 0);
        choice->setCurrentIndex(bias);
        emit choice->activated(bias);
        QVERIFY(!fixture.view->isVisible());
        QTest::mouseClick(fixture.find<QPushButton>("addBias"), Qt::LeftButton);
        QVERIFY(fixture.view->isVisible());
        QCOMPARE(fixture.table->rowCount(), 1);
        emit fixture.find<QPushButton>("presets")->menu()->aboutToShow();
        fixture.preset("Remove the bias")->trigger();
        QVERIFY(!fixture.view->isVisible());
    }

    void aTypedScoreIsAnIntervention() {
        Numbers fixture("cat", Stage::Scores);
        QVERIFY(fixture.table->setData(fixture.table->index(1, 2), "7", Qt::EditRole));
        QCOMPARE(fixture.document.state().input.interventions.scoreAt(0, 0, 0, 1, 2),
                 std::optional<float>(7));
        QVERIFY(test::settled(fixture.document));
        QCOMPARE(fixture.at(1, 2), 7.0f);
        QVERIFY(fixture.table->index(1, 2).data(Qt::ToolTipRole).toString().contains("overridden"));
        fixture.view->setCurrentIndex(fixture.table->index(1, 2));
        fixture.view->computeAgain();
        QVERIFY(fixture.document.state().input.interventions.empty());
        fixture.select(Stage::Query);
        fixture.select(Stage::Scores, 3, 4);
        fixture.editor.editSelectedScore();
        fixture.type("2", Qt::Key_Return);
        QCOMPARE(fixture.document.state().input.interventions.scoreAt(0, 0, 0, 3, 4),
                 std::optional<float>(2));
    }

    void aLargeMatrixScrollsToItsCell() {
        Numbers fixture("cat");
        fixture.document.open(ofModel(test::largeModel(512, 1), 8));
        fixture.select(Stage::Query, {}, {}, 500);
        QCOMPARE(fixture.table->rowCount(), 512);
        QCOMPARE(fixture.table->columnCount(), 512);
        QCoreApplication::processEvents(); // lets the layout run
        const QRect cell = fixture.view->visualRect(fixture.view->currentIndex());
        QVERIFY(fixture.view->viewport()->rect().contains(cell));
        QCOMPARE(fixture.view->currentIndex().column(), 500);
        QVERIFY(!fixture.view->grab().isNull());
        QVERIFY(fixture.find<QLabel>("numbersSummary")->text().startsWith("512 × 512"));
    }
};

HEADLIGHT_WIDGET_TEST(EditorNumbersTest)
#include "tst_editor_numbers.moc"
