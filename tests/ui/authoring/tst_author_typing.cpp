// Nothing moves while the author types, however long the message about the text is.
#include "tests/ui/window/lesson_editor_fixture.h"
#include "ui/panels/lesson_editor/lesson_editor.h"
#include "ui/widgets/message_label.h"

namespace {

/// Returns the places in the window of everything in the lesson editor that can be clicked or typed
/// into.
QStringList placesIn(const LessonWindow &fixture) {
    for (int time = 0; time < 8; ++time) // each round of layout updates the next parent
        QCoreApplication::processEvents();
    QStringList places;
    const auto *editor = fixture.find<ui::LessonEditor>("lessonEditor");
    for (const QWidget *widget : editor->findChildren<QWidget *>()) {
        const bool isControl = qobject_cast<const QAbstractButton *>(widget) ||
                               qobject_cast<const QComboBox *>(widget) ||
                               qobject_cast<const QLineEdit *>(widget) ||
                               qobject_cast<const QPlainTextEdit *>(widget) ||
                               qobject_cast<const QAbstractSpinBox *>(widget);
        const QPoint at = widget->mapTo(&fixture.window, QPoint());
        if (isControl && widget->isVisible())
            places << QString("%1 at %2, %3").arg(widget->objectName()).arg(at.x()).arg(at.y());
    }
    return places;
}

} // namespace

class AuthorTypingTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theFieldsBelowStay() {
        LessonWindow fixture;
        auto *text = fixture.find<QPlainTextEdit>("stepText");
        const QStringList before = placesIn(fixture);
        QVERIFY(before.size() > 10);
        for (int line = 0; line < 9; ++line)
            QTest::keyClick(text, Qt::Key_Return);
        QTest::keyClicks(text, "{frobnicate}");
        const auto *problem = text->parentWidget()->findChild<ui::MessageLabel *>("fieldProblem");
        HEADLIGHT_UNTIL(problem->isVisible());
        QVERIFY(problem->text().contains("frobnicate"));
        QCOMPARE(placesIn(fixture), before);
        // After Tab, the field fits its text again.
        const int height = text->height();
        QTest::keyClick(text, Qt::Key_Tab);
        QCoreApplication::processEvents();
        QVERIFY(text->height() > height);
    }

    void aLongMessageMovesNothing_data() {
        test::addColumns<QString, QString, QString, QString, QString, QString>(
            {"page", "tick", "field", "message", "begin", "end"});
        const QString none;
        QTest::newRow("a text") << "Text" << none << "stepText"
                                << "fieldProblem"
                                << "{"
                                << "}";
        QTest::newRow("an answer") << "Question"
                                   << "asksQuestion"
                                   << "answerText0"
                                   << "answerHolds0"
                                   << "{"
                                   << "}";
        QTest::newRow("a condition") << "Question"
                                     << "asksQuestion"
                                     << "answerIf0"
                                     << "answerHolds0" << none << " > 0.5";
        QTest::newRow("a goal") << "Exercise"
                                << "setsExercise"
                                << "goalIf0"
                                << "goalHolds0" << none << " > 0.5";
    }
    /// A message quotes the typed text. The more the author types, the longer it gets.
    void aLongMessageMovesNothing() {
        QFETCH(const QString, page);
        QFETCH(const QString, tick);
        QFETCH(const QString, field);
        QFETCH(const QString, message);
        QFETCH(const QString, begin);
        QFETCH(const QString, end);
        LessonWindow fixture;
        fixture.showPage(qPrintable(page));
        if (!tick.isEmpty())
            fixture.find<QCheckBox>(qPrintable(tick))->click();
        auto *typed = fixture.find<QWidget>(qPrintable(field));
        const auto *label =
            typed->parentWidget()->findChild<ui::MessageLabel *>(qPrintable(message));
        typed->setFocus();
        QTest::keyClicks(typed, begin + "frobnicate" + end);
        HEADLIGHT_UNTIL(label->isVisible() && label->text().contains("frobnicate"));
        const QStringList before = placesIn(fixture);
        const int height = label->height();
        QTest::keyClick(typed, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(typed, begin + "weights 0 0 bank river");
        for (int time = 0; time < 9; ++time)
            QTest::keyClicks(typed, " money by the bank");
        QTest::keyClicks(typed, " last" + end);
        HEADLIGHT_UNTIL(label->text().contains("last"));
        QCOMPARE(placesIn(fixture), before);
        QCOMPARE(label->height(), height);
        // The end of the message is visibly cut off. Its tooltip and screen readers have all of it.
        QCOMPARE(label->shownLines().size(), qsizetype(2));
        QVERIFY2(label->shownLines().last().endsWith(QStringLiteral("…")),
                 qPrintable(label->shownLines().join('\n')));
        QCOMPARE(label->toolTip().remove('\n'), QString(label->text()).remove('\n'));
        QVERIFY(label->toolTip().contains('\n')); // Qt does not wrap a plain tooltip
        QCOMPARE(typed->accessibleDescription(), label->text());
    }

    void aMessageKeepsItsLines() {
        ui::MessageLabel label(2);
        label.resize(200, label.sizeHint().height());
        label.showMessage("One\nTwo");
        QCOMPARE(label.shownLines(), QStringList({"One", "Two"}));
        label.showMessage("One\nTwo\nThree"); // the last two lines fit on one line
        QCOMPARE(label.shownLines(), QStringList({"One", "Two Three"}));
        label.showMessage("One\n" + QString(400, 'x'));
        QCOMPARE(label.shownLines().size(), qsizetype(2));
        QVERIFY(label.shownLines().last().endsWith(QStringLiteral("x…")));
        QCOMPARE(label.sizeHint().height(), 2 * label.fontMetrics().lineSpacing());
        QCOMPARE(label.toolTip().remove('\n'), QString("One" + QString(400, 'x')));
        label.showMessage({});
        QVERIFY(label.toolTip().isEmpty());
    }

    void theConditionIsBuiltWithoutMoving() {
        LessonWindow fixture(test::weight(1, 0));
        fixture.showPage("Question");
        fixture.find<QCheckBox>("asksQuestion")->click();
        fixture.press("answerBuild0");
        const auto distance = [&] {
            (void)placesIn(fixture); // lays everything out
            return fixture.find<QWidget>("answerBuilderUse")->mapTo(&fixture.window, QPoint()) -
                   fixture.find<QWidget>("answerText0")->mapTo(&fixture.window, QPoint());
        };
        const QPoint before = distance();
        fixture.find<QDoubleSpinBox>("answerBuilderNumber")->setValue(-123456.78);
        QCOMPARE(distance(), before);
        fixture.press("answerBuilderOther");
        fixture.select(test::weight(1, 1));
        QCOMPARE(distance(), before);
    }

    void whatTheCheckFoundKeepsItsSpaceWhileOneTypes() {
        LessonWindow fixture;
        fixture.type<QPlainTextEdit>("stepText", "{weights 0 0 bank river}"); // a missing word
        fixture.showPage("Lesson");
        fixture.press("checkLesson");
        auto *list = fixture.find<QListWidget>("lessonProblems");
        HEADLIGHT_UNTIL(list->isVisible());
        const QStringList before = placesIn(fixture);
        fixture.type("lessonTitle", "Mine");
        QVERIFY(!list->isVisible()); // the list was about the previous text
        QCOMPARE(placesIn(fixture), before);
        // When the author comes back to the page, the space is used again.
        fixture.showPage("Text");
        fixture.showPage("Lesson");
        QVERIFY(placesIn(fixture) != before);
    }

    void theButtonsOfAQuestionStay() {
        LessonWindow fixture;
        fixture.showPage("Question");
        fixture.find<QCheckBox>("asksQuestion")->click();
        auto *add = fixture.find<QPushButton>("answerAdd");
        const auto *holds = fixture.find<QLabel>("answerHolds1");
        HEADLIGHT_UNTIL(!holds->text().isEmpty());
        QCoreApplication::processEvents();
        const auto distance = [&] {
            for (int time = 0; time < 8; ++time) // each round of layout updates the next parent
                QCoreApplication::processEvents();
            return add->mapTo(&fixture.window, QPoint()) -
                   fixture.find<QWidget>("answerText0")->mapTo(&fixture.window, QPoint());
        };
        const QPoint before = distance();
        fixture.type("answerText0", "this");
        fixture.type("answerText1", "that");
        fixture.type("answerIf0", "weights 0 0 bank money > 0.5");
        fixture.type("answerIf1", "weights 0 0 bank money < 0.5");
        HEADLIGHT_UNTIL(holds->text().contains("does not hold"));
        fixture.find<QLineEdit>("answerIf0")->setFocus();
        QCOMPARE(distance(), before);
    }
};

HEADLIGHT_WIDGET_TEST(AuthorTypingTest)
#include "tst_author_typing.moc"
