// Steps with a question or an exercise, by mouse and keyboard.
#include "tests/ui/window/window_fixture.h"
#include "ui/window/presenting/presentation.h"

namespace {

QJsonObject parsed(const char *json) {
    return QJsonDocument::fromJson(json).object();
}

/// The first lesson with `parts` in its first step, saved as the user's file.
class Lesson {
  public:
    explicit Lesson(const QJsonObject &parts) {
        QJsonObject document = QJsonDocument::fromJson(ui::lessonFile("bank")).object();
        QJsonObject lesson = document["lesson"].toObject();
        QJsonArray steps = lesson["steps"].toArray();
        QJsonObject first = steps.first().toObject();
        for (auto part = parts.begin(); part != parts.end(); ++part)
            first[part.key()] = part.value();
        steps[0] = first;
        lesson["steps"] = steps;
        document["lesson"] = lesson;
        test::writeAll(path(), QJsonDocument(document).toJson());
    }
    QString path() const { return m_folder.filePath("own.headlight"); }

  private:
    QTemporaryDir m_folder;
};

QJsonObject asking() {
    return parsed(R"({"question": {"text": "Which word does *bank* listen to?", "answers": [
        {"text": "to *money*", "if": "weights 0 0 bank money > weights 0 0 bank bank"},
        {"text": "to <b>itself</b>", "if": "weights 0 0 bank money < weights 0 0 bank bank",
         "because": "It gives itself {weights 0 0 bank bank}."}]},
        "text": ["It gives {weights 0 0 bank money} to *money*."],
        "show": {"view": "whole", "stage": "weights", "query": 1, "key": 0}})");
}

QJsonObject exercising() {
    return parsed(R"({"exercise": {"text": "Let *bank* look at itself.",
        "hints": ["Look at W_Q.", "Turn its first number round."],
        "goals": [{"text": "*bank* gives itself more than half",
                   "if": "weights 0 0 bank bank > 0.5"}],
        "solution": {"parameters": [{"parameter": "layers.0.self_attention.query",
                                     "cells": [[0, 0, -1]]}]}}})");
}

QString textOf(const WindowFixture &fixture) {
    return fixture.find<QTextBrowser>("lessonText")->toPlainText();
}

void follow(const WindowFixture &fixture, const char *link) {
    emit fixture.find<QTextBrowser>("lessonText")->anchorClicked(QUrl(QString("lesson:") + link));
}

} // namespace

class LessonQuestionsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void nothingIsToldBeforeAnAnswer() {
        const Lesson lesson(asking());
        WindowFixture fixture(lesson.path(), "close-up");
        ui::Document &document = fixture.document();
        auto *card = fixture.find<ui::QuestionCard>("questionCard");
        QVERIFY(card->isVisible());
        QCOMPARE(card->geometry(), fixture.find<QTabWidget>("views")->geometry());
        QVERIFY(test::isAt(document.selection(),
                           {.stage = core::Stage::Embeddings, .query = test::none()}));
        QVERIFY(!textOf(fixture).contains("It gives"));
        auto *second = fixture.find<QPushButton>("questionAnswer1");
        QVERIFY(second->text().contains("<b>itself</b>")); // text from a file is not HTML
        QTest::mouseClick(second, Qt::LeftButton);
        fixture.settle();
        QVERIFY(!card->isVisible());
        QVERIFY(
            test::isAt(document.selection(), {.stage = core::Stage::AttentionWeights, .query = 1}));
        QVERIFY(textOf(fixture).contains("It gives 0.80 to money."));
        QVERIFY(textOf(fixture).contains("Not quite: “to <b>itself</b>”. It gives itself 0.20."));
        QVERIFY(textOf(fixture).contains("The answer is: to money"));
        QVERIFY(document.undoStack().count() == 0); // an answer is not an edit
    }

    void aKeyAnswersAndItCanBeAskedAgain() {
        const Lesson lesson(asking());
        WindowFixture fixture(lesson.path(), "close-up");
        QVERIFY(test::active(fixture.window));
        auto *card = fixture.find<ui::QuestionCard>("questionCard");
        card->setFocus();
        QTest::keyClick(card, Qt::Key_3); // ignored, because there are only two answers
        QVERIFY(card->isVisible());
        QTest::keyClick(card, Qt::Key_1);
        QVERIFY(!card->isVisible());
        QVERIFY(textOf(fixture).contains("Right: to money."));
        QVERIFY(!card->isAncestorOf(QApplication::focusWidget()));
        // An edit can change the right answer.
        fixture.setQuery(-1);
        QVERIFY(test::says(textOf(fixture), "The answer is: to <b>itself</b>"));
        follow(fixture, "ask");
        QVERIFY(card->isVisible());
        follow(fixture, "tell");
        QVERIFY(!card->isVisible());
        QVERIFY(!textOf(fixture).contains("Not quite"));
        QVERIFY(textOf(fixture).contains("The answer is: to <b>itself</b>"));
    }

    void aClickLeavesTheKeysToTheQuestionAndThePicture() {
        const Lesson lesson(asking());
        WindowFixture fixture(lesson.path(), "close-up");
        QVERIFY(test::active(fixture.window));
        auto *card = fixture.find<ui::QuestionCard>("questionCard");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_1);
        QVERIFY(!card->isVisible());
        fixture.click("lessonNext");
        QVERIFY(fixture.window.currentView()->hasFocus());
        fixture.click("lessonBack");
        // Clicking the link in the text asks the question again. Number keys then answer it, unless
        // the user is typing.
        auto *text = fixture.find<QTextBrowser>("lessonText");
        text->setFocus();
        follow(fixture, "ask");
        QVERIFY(card->isVisible());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_1);
        QVERIFY(!card->isVisible());
        auto *typed = fixture.find<QLineEdit>("text");
        typed->setFocus();
        follow(fixture, "ask");
        QVERIFY(card->isVisible());
        QVERIFY(typed->hasFocus());
    }

    void whatAQuestionShowsIsSeenBesideIt() {
        QJsonObject parts = asking();
        QJsonObject question = parts["question"].toObject();
        question["show"] = parsed(R"({"stage": "scores", "query": 1})");
        parts["question"] = question;
        const Lesson lesson(parts);
        WindowFixture fixture(lesson.path(), "close-up");
        auto *card = fixture.find<ui::QuestionCard>("questionCard");
        QVERIFY(card->isVisible());
        QVERIFY(fixture.document().selection().stage == core::Stage::Scores);
        // The card covers the lesson's text completely and has the keyboard focus.
        QCOMPARE(fixture.window.focusWidget(), card);
        const auto *text = fixture.find<QTextBrowser>("lessonText");
        QCOMPARE(card->parentWidget(), text->parentWidget());
        QCOMPARE(card->geometry(), text->geometry());
        auto *dock = fixture.find<QDockWidget>("lessonDock");
        // Without the lesson dock, the card is below the picture, and keeps the focus.
        QVERIFY(test::active(fixture.window));
        card->setFocus();
        dock->hide();
        const auto *views = fixture.find<QTabWidget>("views");
        HEADLIGHT_UNTIL(card->parentWidget() == views->parentWidget());
        QVERIFY(card->isVisible());
        HEADLIGHT_UNTIL(card->geometry().bottom() == views->geometry().bottom());
        QVERIFY(card->height() < views->height() * 2 / 3);
        QVERIFY(card->hasFocus());
        dock->show();
        HEADLIGHT_UNTIL(card->parentWidget() == text->parentWidget());
        QTest::keyClick(card, Qt::Key_1);
        QVERIFY(!card->isVisible());
    }

    void presentingAsksToo() {
        const Lesson lesson(asking());
        WindowFixture fixture(lesson.path(), "close-up");
        fixture.window.present(true);
        ui::Presentation *presented = fixture.window.presentation();
        QVERIFY(presented);
        auto *card = presented->findChild<ui::QuestionCard *>("questionCard");
        QVERIFY(card && card->isVisible());
        const auto pixels = [](const QWidget &window) {
            return QFontInfo(window.findChild<QPushButton *>("questionAnswer0")->font())
                .pixelSize();
        };
        QVERIFY(pixels(*presented) >= 1.4 * pixels(fixture.window)); // readable from a distance
        for (const QPushButton *button : card->findChildren<QPushButton *>())
            QVERIFY(card->rect().contains(QRect(button->mapTo(card, QPoint()), button->size())));
        QTest::keyClick(presented,
                        Qt::Key_Right); // the first key reveals the answer
        QVERIFY(!card->isVisible());
        QCOMPARE(fixture.document().state().lessonStep, core::Index(0));
        QTest::keyClick(presented, Qt::Key_Right);
        QCOMPARE(fixture.document().state().lessonStep, core::Index(1));
        QVERIFY(fixture.document().goToStep(0).ok());
        fixture.document().askAgain();
        QVERIFY(card->isVisible());
        QTest::keyClick(presented, Qt::Key_2);
        QVERIFY(!card->isVisible());
        QCOMPARE(fixture.document().answers().chosen(0).value_or(9), std::size_t(1));
        fixture.window.present(false);
    }

    void anExerciseIsTickedOffByTheTrace() {
        const Lesson lesson(exercising());
        WindowFixture fixture(lesson.path(), "close-up");
        ui::Document &document = fixture.document();
        QVERIFY(textOf(fixture).contains("☐ bank gives itself more than half"));
        QVERIFY(!textOf(fixture).contains("Hint 1."));
        follow(fixture, "hint");
        QVERIFY(textOf(fixture).contains("Hint 1. Look at WQ."));
        follow(fixture, "hint");
        QVERIFY(textOf(fixture).contains("Hint 2."));
        QVERIFY(!textOf(fixture).contains("One more hint"));
        fixture.setQuery(-2);
        QVERIFY(textOf(fixture).contains("☑ bank gives itself more than half"));
        QVERIFY(textOf(fixture).contains("✓ Solved."));
        document.undoStack().undo();
        fixture.settle();
        QVERIFY(!textOf(fixture).contains("✓ Solved."));
        follow(fixture, "solve");
        fixture.settle();
        QVERIFY(textOf(fixture).contains("✓ Solved."));
        QVERIFY(document.isEdited());
        document.undoStack().undo();
        fixture.settle();
        QVERIFY(!document.isEdited());
    }

    void theEditorOfAnExerciseShowsWhatItChanges_data() {
        test::addColumns<QString, QString>({"solution", "page"});
        QTest::newRow("numbers") << R"({"parameters": [{"parameter":
            "layers.0.self_attention.query", "cells": [[0, 0, -1]]}]})"
                                 << "Numbers";
        QTest::newRow("no solution") << "{}"
                                     << "Numbers";
        QTest::newRow("mask") << R"({"masks": [{"kind": "causal"}]})"
                              << "Mask";
    }

    void theEditorOfAnExerciseShowsWhatItChanges() {
        QFETCH(const QString, solution);
        QFETCH(const QString, page);
        QJsonObject parts = exercising();
        QJsonObject exercise = parts["exercise"].toObject();
        exercise["solution"] = parsed(qPrintable(solution));
        parts["exercise"] = exercise;
        const Lesson lesson(parts);
        WindowFixture fixture(lesson.path(), "close-up");
        auto *editor = fixture.find<QTabWidget>("editor");
        editor->setCurrentIndex(page == "Mask" ? 0 : 1);
        emit fixture.find<QTextBrowser>("lessonText")->anchorClicked(QUrl("editor"));
        QCoreApplication::processEvents();
        QVERIFY(!editor->visibleRegion().isEmpty());
        QCOMPARE(editor->tabText(editor->currentIndex()), page);
    }

    /// All text has the window's size, and a card that is too small scrolls.
    void aLargeTextIsNotCut() {
        QJsonObject asked = asking();
        QJsonObject question = asked["question"].toObject();
        question["text"] =
            QString("Which word does it listen to most of all? ").repeated(6).trimmed();
        asked["question"] = question;
        const Lesson lesson(asked);
        WindowFixture fixture(lesson.path(), "close-up");
        fixture.window.resize(1024, 480);
        const auto *text = fixture.find<QLabel>("questionText");
        const auto *tell = fixture.find<QPushButton>("questionTell");
        const auto *content = fixture.find<QWidget>("questionContent");
        const auto fits = [&] {
            const int own = QFontInfo(text->font()).pixelSize();
            const int bare = tell->fontMetrics().horizontalAdvance(tell->text());
            return own == QFontInfo(tell->font()).pixelSize() && tell->width() > bare &&
                   content->height() >= content->layout()->heightForWidth(content->width());
        };
        HEADLIGHT_UNTIL(fits());
        const int before = QFontInfo(text->font()).pixelSize();
        fixture.enlargeText(4);
        HEADLIGHT_UNTIL(QFontInfo(text->font()).pixelSize() > before && fits());
        const auto *area = fixture.find<QScrollArea>("questionScroll");
        const auto isSeen = [&] {
            return area->viewport()->rect().contains(
                QRect(tell->mapTo(area->viewport(), QPoint()), tell->size()));
        };
        fixture.settle(); // lets the resize take effect
        HEADLIGHT_UNTIL(area->verticalScrollBar()->maximum() > 0);
        QVERIFY(!isSeen());
        const auto focusesFirst = [&] { // each resize recreates the buttons
            auto *first = fixture.find<QPushButton>("questionAnswer0");
            first->setFocus();
            return fixture.window.focusWidget() == first;
        };
        HEADLIGHT_UNTIL(focusesFirst());
        for (int i = 0; i < 2; ++i)
            QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Tab);
        QCOMPARE(fixture.window.focusWidget(), tell);
        QVERIFY(isSeen());
        fixture.action("Normal text")->trigger();
    }

    void panelsAreShownAndHiddenByAStep() {
        const Lesson lesson(
            parsed(R"({"panels": {"history": true, "inspector": false}, "mistake": "Not so."})"));
        WindowFixture fixture(lesson.path(), "close-up");
        QVERIFY(fixture.find<QDockWidget>("historyDock")->isVisible());
        QVERIFY(!fixture.find<QDockWidget>("inspectorDock")->isVisible());
        QVERIFY(textOf(fixture).contains("A common mistake. Not so."));
    }

    void aRunBeginsInAWindowOfItsOwn() {
        const Lesson lesson(parsed(
            R"({"run": {"recipe": {"task": "previous-token", "steps": 3, "architecture":
                {"layers": 1, "heads": 1, "width": 8, "feed_forward": 0}}}})"));
        WindowFixture fixture(lesson.path(), "close-up");
        follow(fixture, "run");
        ui::MainWindow *other = nullptr;
        for (QWidget *widget : QApplication::topLevelWidgets())
            if (auto *window = qobject_cast<ui::MainWindow *>(widget))
                if (window != &fixture.window)
                    other = window;
        QVERIFY(other);
        QVERIFY(test::until([other] {
            const core::TrainingRunPointer &run = other->document().state().training;
            return run && run->step == 3;
        }));
        QCOMPARE(other->currentView()->viewName(), QString("training"));
        QVERIFY(!fixture.document().state().training); // the lesson's own document is unchanged
        other->document().setSaved({});
        delete other;
    }
};

HEADLIGHT_WIDGET_TEST(LessonQuestionsTest)
#include "tst_lesson_questions.moc"
