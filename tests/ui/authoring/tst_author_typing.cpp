// Nothing below a field moves while the author types into it.
#include "tests/ui/window/lesson_editor_fixture.h"
#include "ui/panels/lesson_editor/lesson_editor.h"

class AuthorTypingTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theFieldsBelowStay() {
        LessonWindow fixture;
        auto *text = fixture.find<QPlainTextEdit>("stepText");
        auto *below = fixture.find<QPlainTextEdit>("stepTryIt");
        auto *button = fixture.find<QPushButton>("insertNumber");
        QCoreApplication::processEvents();
        const auto placeOf = [&](const QWidget *widget) {
            return widget->mapTo(&fixture.window, QPoint());
        };
        const QPoint before = placeOf(below), buttonBefore = placeOf(button);
        for (int line = 0; line < 9; ++line)
            QTest::keyClick(text, Qt::Key_Return);
        QTest::keyClicks(text, "{frobnicate}");
        auto *problem = text->parentWidget()->findChild<QLabel *>("fieldProblem");
        HEADLIGHT_UNTIL(problem->isVisible());
        QCoreApplication::processEvents();
        QVERIFY(problem->text().contains("frobnicate"));
        QCOMPARE(placeOf(button), buttonBefore);
        if (problem->height() <= problem->fontMetrics().lineSpacing() + 2)
            QCOMPARE(placeOf(below), before);
        // After Tab, the field fits its text again.
        const int height = text->height();
        QTest::keyClick(text, Qt::Key_Tab);
        QCoreApplication::processEvents();
        QVERIFY(text->height() > height);
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
