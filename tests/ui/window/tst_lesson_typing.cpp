// Typing in the lesson editor is undone by sentences, previewed after a pause, never lost, and
// always visible.
#include "tests/ui/window/lesson_editor_fixture.h"
#include "ui/document/edits/lesson_edits.h"
#include "ui/panels/lesson_editor/lesson_editor.h"

class LessonTypingTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void undoTakesBackSentencesWhereverTheFocusIs() {
        LessonWindow fixture;
        ui::Document &document = fixture.document();
        auto *text = fixture.find<QPlainTextEdit>("stepText");
        QTest::keyClicks(text, "One is 0.5. Two");
        QTest::keyClick(text, Qt::Key_Return);
        QTest::keyClicks(text, "three");
        QCOMPARE(document.undoStack().count(), 3);
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text->toPlainText(), QString("One is 0.5. Two"));
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text->toPlainText(), QString("One is 0.5. "));
        QCOMPARE(text->textCursor().position(), 12);
        HEADLIGHT_UNTIL(fixture.preview().contains("One is 0.5."));
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text->toPlainText(), QString());
        QVERIFY(!document.undoStack().canUndo());
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClick(text, Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(text->toPlainText(), QString("One is 0.5. Two"));
        // Deleting and typing are separate undo steps.
        QTest::keyClick(text, Qt::Key_Backspace);
        QTest::keyClick(text, Qt::Key_Backspace);
        QTest::keyClicks(text, "here");
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text->toPlainText(), QString("One is 0.5. T"));
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text->toPlainText(), QString("One is 0.5. Two"));
        QCOMPARE(fixture.firstStep().text, std::vector<std::string>{"One is 0.5. Two"});
        // Adding a step can also be undone with the cursor in a field.
        fixture.press("addStepBehind");
        QCOMPARE(fixture.lesson().steps.size(), std::size_t(2));
        QCOMPARE(QApplication::focusWidget(), text);
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(fixture.lesson().steps.size(), std::size_t(1));
        auto *title = fixture.find<QLineEdit>("stepTitle");
        title->setFocus();
        QTest::keyClick(title, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text->toPlainText(), QString("One is 0.5. "));
    }

    void eachFieldAndEachChoiceIsAStepOfItsOwn() {
        LessonWindow fixture;
        QUndoStack &steps = fixture.document().undoStack();
        fixture.showPage("Question");
        fixture.find<QCheckBox>("asksQuestion")->click();
        fixture.type("answerText0", "this");
        fixture.type("answerText1", "that");
        QCOMPARE(steps.count(), 3);
        fixture.showPage("Shows");
        for (const char *panel : {"stepPanel0", "stepPanel1"}) {
            auto *box = fixture.find<QComboBox>(panel);
            box->setFocus();
            QTest::keyClick(box, Qt::Key_Down);
        }
        QCOMPARE(steps.count(), 5);
        fixture.showPage("Lesson");
        auto *minutes = fixture.find<QSpinBox>("lessonMinutes");
        minutes->setFocus();
        for (int time = 0; time < 7; ++time)
            QTest::keyClick(minutes, Qt::Key_Up);
        QCOMPARE(fixture.lesson().minutes, core::Index(7));
        QCOMPARE(steps.count(), 6);
        QTest::keyClick(minutes, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(minutes->value(), 0);
        QTest::keyClick(minutes, Qt::Key_Z, Qt::ControlModifier);
        const ui::Document &document = fixture.document();
        QVERIFY(document.lessonStep()->panels[0] && !document.lessonStep()->panels[1]);
    }

    /// The preview waits for a pause, because its layout takes longer than a key press.
    void thePreviewWaitsForAPauseAndWhatIsSavedDoesNot() {
        LessonWindow fixture;
        ui::Document &document = fixture.document();
        auto *text = fixture.find<QPlainTextEdit>("stepText");
        QTest::keyClicks(text, "{frobnicate} now");
        QCOMPARE(document.lessonStep()->text, std::vector<std::string>{"{frobnicate} now"});
        QVERIFY(QString::fromStdString(document.snapshot({}).bytes()).contains("{frobnicate} now"));
        QVERIFY(!fixture.preview().contains("now")); // laid out only once, not 16 times
        HEADLIGHT_UNTIL(fixture.preview().contains("now"));
        QTest::keyClicks(text, "adays");
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(document.lessonStep()->text.empty());
        HEADLIGHT_UNTIL(!fixture.preview().contains("now"));
        // Another step is previewed immediately.
        QTest::keyClicks(text, "first");
        fixture.press("addStepBehind");
        QVERIFY(!fixture.preview().contains("first"));
        QVERIFY(document.goToStep(0).ok());
        QVERIFY(fixture.preview().contains("first"));
    }

    void whatIsTypedStaysInSight_data() {
        test::addColumns<double, QString, int>({"scale", "field", "lines"});
        QTest::newRow("the last field") << 1.0 << "stepMistake" << 1;
        QTest::newRow("higher than the dock") << 2.0 << "stepText" << 14;
    }
    void whatIsTypedStaysInSight() {
        QFETCH(const double, scale);
        QFETCH(const QString, field);
        QFETCH(const int, lines);
        QSettings().setValue("window/textScale", scale);
        LessonWindow fixture("bank");
        fixture.window.resize(1280, 720);
        fixture.begin();
        auto *text = fixture.find<QPlainTextEdit>(field.toUtf8().constData());
        text->setFocus();
        for (int line = 1; line < lines; ++line)
            QTest::keyClick(text, Qt::Key_Return);
        QTest::keyClicks(text, "{frobnicate}");
        auto *problem = text->parentWidget()->findChild<QLabel *>("fieldProblem");
        HEADLIGHT_UNTIL(problem->isVisible() &&
                        problem->visibleRegion().boundingRect() == problem->rect());
        const QPoint cursor = text->viewport()->mapTo(text, text->cursorRect().center());
        QVERIFY(text->visibleRegion().boundingRect().contains(cursor));
    }

    /// An author compares an answer with its condition and its reason.
    void anAnswerAndItsConditionAreInSightTogether() {
        LessonWindow fixture("bank");
        fixture.window.resize(1280, 720);
        fixture.begin();
        fixture.showPage("Question");
        fixture.find<QCheckBox>("asksQuestion")->click();
        fixture.settle();
        const auto isWhole = [&](const QString &name) {
            const auto *widget = fixture.find<QWidget>(name.toUtf8().constData());
            return widget->isVisible() && widget->visibleRegion().boundingRect() == widget->rect();
        };
        for (const char *first : {"questionAsked", "answerText0", "answerIf0", "answerBuild0"})
            QVERIFY2(isWhole(first), first);
        fixture.find<QPushButton>("answerAdd")->click();
        fixture.settle();
        for (const QString row : {"0", "1", "2"})
            for (const char *field : {"answerText", "answerIf", "answerBecause"}) {
                fixture.find<QLineEdit>((field + row).toUtf8().constData())->setFocus();
                HEADLIGHT_UNTIL(
                    std::ranges::all_of(QStringList{"answerText", "answerIf", "answerBuild",
                                                    "answerHolds", "answerBecause", "answerRemove"},
                                        [&](const QString &part) { return isWhole(part + row); }));
            }
    }

    void tabGoesThroughAQuestionInItsOrder() {
        LessonWindow fixture;
        fixture.showPage("Question");
        fixture.find<QCheckBox>("asksQuestion")->click();
        QCOMPARE(QApplication::focusWidget(), fixture.find<QPlainTextEdit>("questionAsked"));
        fixture.find<QPushButton>("answerAdd")->click();
        fixture.settle(); // so that the tab order is up to date
        fixture.find<QPlainTextEdit>("questionAsked")->setFocus();
        QStringList names;
        for (int time = 0; time < 19; ++time) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            names << QApplication::focusWidget()->objectName();
        }
        QCOMPARE(names.join(' '),
                 QString("answerText0 answerIf0 answerBuild0 answerAlways0 answerBecause0 "
                         "answerRemove0 answerText1 answerIf1 answerBuild1 answerAlways1 "
                         "answerBecause1 answerRemove1 answerText2 answerIf2 answerBuild2 "
                         "answerAlways2 answerBecause2 answerRemove2 answerAdd"));
    }

    void spacesThatDoNotBreakStayAsTheyWere() {
        const QString said = QStringLiteral("Voil\u00e0\u00a0: 5\u202f%");
        LessonWindow fixture;
        ui::Document &document = fixture.document();
        QVERIFY(document
                    .apply(ui::edits::editStep(
                        document.state(), document.session(), "t",
                        [&](core::LessonStep &step) { step.text = {said.toStdString()}; }))
                    .ok());
        auto *text = fixture.find<QPlainTextEdit>("stepText");
        text->moveCursor(QTextCursor::End);
        QTest::keyClicks(text, "!!");
        QCOMPARE(document.lessonStep()->text,
                 std::vector<std::string>{(said + "!!").toStdString()});
    }

    void aFieldIsAsHighAsItsText() {
        LessonWindow fixture;
        ui::Document &document = fixture.document();
        const std::string sentence = "The row of bank says where it looks. ";
        auto *text = fixture.find<QPlainTextEdit>("stepText");
        for (const int times : {9, 5}) { // the field grows, even after it has become narrower
            std::string words;
            for (int time = 0; time < times; ++time)
                words += sentence;
            QVERIFY(document
                        .apply(ui::edits::editStep(document.state(), document.session(), "t",
                                                   [&](core::LessonStep &step) {
                                                       step.text = {words, "End"};
                                                   }))
                        .ok());
            QCoreApplication::processEvents();
            QCoreApplication::processEvents();
            QVERIFY2(text->verticalScrollBar()->maximum() == 0, qPrintable(QString::number(times)));
            fixture.window.resize(1100, 800);
        }
    }

    void noFieldIsSqueezedWhereTextIsLarge() {
        QSettings().setValue("window/textScale", 2.0);
        LessonWindow fixture("bank");
        fixture.window.resize(1280, 720);
        fixture.begin();
        QCOMPARE(fixture.window.textScale(), 2.0);
        for (const char *page : {"Text", "Lesson"}) {
            fixture.showPage(page);
            QCoreApplication::processEvents();
            for (const QLineEdit *line :
                 fixture.find<ui::LessonEditor>("lessonEditor")->findChildren<QLineEdit *>())
                if (line->isVisible() && !line->objectName().startsWith("qt_"))
                    QVERIFY2(line->height() >= line->fontMetrics().height() + 8,
                             qPrintable(line->objectName()));
        }
    }
};

HEADLIGHT_WIDGET_TEST(LessonTypingTest)
#include "tst_lesson_typing.moc"
