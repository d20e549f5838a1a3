// The lesson's text: its numbers match the trace, at any width and text size.
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/softmax_edits.h"
#include "ui/panels/lesson_html.h"
#include "ui/widgets/wrapped_button.h"

namespace {

/// Returns the tinted numbers of the text.
QStringList liveNumbers(WindowFixture &fixture) {
    QStringList numbers;
    const QString html = ui::lessonHtml(fixture.document(), fixture.window.palette());
    static const QRegularExpression mark("<span style='background-color:[^>]*>([^<]*)</span>");
    for (const QRegularExpressionMatch &match : mark.globalMatch(html))
        numbers << match.captured(1);
    return numbers;
}

/// Writes a transformer session whose lesson has these steps.
QString writtenLesson(const QTemporaryDir &folder, const QByteArray &steps) {
    QByteArray json = test::readAll(test::sessionPath("encoder_postnorm"));
    json.insert(json.lastIndexOf('}'), R"(, "lesson": {"summary": "", "steps": [)" + steps + "]}");
    const QString path = folder.filePath("lesson.headlight");
    test::writeAll(path, json);
    return path;
}

} // namespace

class LessonPanelTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void numbersAreTheTracesAndAreMarked() {
        WindowFixture fixture("bank", "close-up");
        const QStringList numbers = liveNumbers(fixture);
        QVERIFY(!numbers.isEmpty());
        const core::Trace &trace = *fixture.document().trace();
        const core::SharedMatrix embeddings = trace.stage(core::Stage::Embeddings).matrix(0, 0);
        QCOMPARE(numbers.first(), QString::fromStdString(core::fixed(embeddings(0, 0), 2)));
        const QString shown = fixture.find<QTextBrowser>("lessonText")->toPlainText();
        QVERIFY(shown.contains(numbers.first()));
        QVERIFY(!shown.contains('{') && !shown.contains(QChar(0xE000)));
    }

    void whatComesNextIsReadAsAWhole() {
        WindowFixture fixture("bank", "close-up");
        auto *next = fixture.find<ui::WrappedButton>("lessonNext");
        const core::Index last = fixture.stepCount() - 1;
        for (core::Index step = 0; step <= last; ++step) {
            fixture.goToStep(step);
            QCOMPARE(next->lines().join(' '), next->text());
            for (const QString &line : next->lines())
                QVERIFY2(next->fontMetrics().horizontalAdvance(line) <= next->width(),
                         qPrintable(line));
            QVERIFY(next->lines().size() * next->fontMetrics().lineSpacing() <= next->height());
        }
        // If a title would take the lesson's space, the button has a short label.
        next->setText(QStringLiteral("a title of many words ").repeated(12));
        QCOMPARE(next->lines().join(' '), QStringLiteral("Next ›"));
    }

    void aLessonsEndLeadsToTheNextLesson() {
        const QStringList lessons = ui::lessonIds() + QStringList{ui::translationExample()};
        WindowFixture fixture(lessons.first(), "close-up");
        auto *next = fixture.find<QPushButton>("lessonNext");
        QVERIFY(!fixture.find<QPushButton>("lessonBack")->isEnabled());
        for (qsizetype i = 0; i < lessons.size(); ++i) {
            const ui::Document &document = fixture.document();
            QCOMPARE(document.source(), lessons[i]);
            const auto steps = fixture.stepCount();
            fixture.goToStep(steps - 1);
            QCOMPARE(next->isEnabled(), i + 1 < lessons.size());
            if (!next->isEnabled())
                return;
            QVERIFY2(next->text().startsWith("Next lesson: "), qPrintable(next->text()));
            QTest::mouseClick(next, Qt::LeftButton);
            fixture.settle();
        }
        QFAIL("the last lesson leads on");
    }

    /// If there is no further step, the keys for it do not reach the picture.
    void theKeysOfAStepThatIsNotThereMoveNoCell() {
        const QTemporaryDir folder; // no lesson follows a lesson from a file
        const QString path = folder.filePath("own.headlight");
        test::writeAll(path, ui::lessonFile("bank"));
        WindowFixture fixture(path, "close-up");
        QVERIFY(test::active(fixture.window));
        for (const auto &[step, key] : {std::pair(core::Index(0), Qt::Key_Left),
                                        std::pair(fixture.stepCount() - 1, Qt::Key_Right)}) {
            fixture.goToStep(step);
            if (fixture.document().askedQuestion())
                fixture.document().answer({});
            fixture.settle();
            fixture.window.showView("close-up");
            fixture.select({.stage = core::Stage::AttentionWeights,
                            .query = test::some(0),
                            .key = test::some(0)});
            fixture.view()->setFocus();
            const core::Selection before = fixture.document().selection();
            QTest::keyClick(fixture.view(), key, Qt::AltModifier);
            QCOMPARE(fixture.document().state().lessonStep, step);
            QVERIFY(fixture.document().selection() == before);
            QTest::keyClick(fixture.view(), Qt::Key_Right); // without Alt, the view has the key
            QVERIFY(fixture.document().selection() != before);
        }
    }

    void aListIsAsWideAsItsWords() {
        WindowFixture fixture("cat", "close-up");
        for (QComboBox *box : fixture.window.findChildren<QComboBox *>()) {
            if (!box->isVisible() || !box->isEnabled())
                continue;
            box->setFixedWidth(60); // as on a small screen
            box->showPopup();
            QCoreApplication::processEvents();
            QVERIFY2(box->view()->viewport()->width() >= box->view()->sizeHintForColumn(0),
                     qPrintable(box->objectName()));
            box->hidePopup();
        }
    }

    void numbersFollowWhatIsChangedAndResetTakesItBack() {
        WindowFixture fixture("bank", "close-up");
        ui::Document &document = fixture.document();
        const auto &steps = document.session().lesson->steps;
        // Finds the first step whose text shows an attention weight.
        core::Index step = 0;
        while (step + 1 < static_cast<core::Index>(steps.size()) &&
               (steps[static_cast<std::size_t>(step)].text.empty() ||
                steps[static_cast<std::size_t>(step)].text.front().find("weights") ==
                    std::string::npos))
            ++step;
        fixture.goToStep(step);
        auto *reset = fixture.find<QPushButton>("lessonReset");
        QVERIFY(!reset->isEnabled());
        const QStringList before = liveNumbers(fixture);
        QVERIFY(test::setMasks(document, {core::CausalMask{}}).ok());
        QVERIFY(test::setScale(document, {core::Scale::Kind::Off, 1}).ok());
        fixture.settle();
        QVERIFY(reset->isEnabled());
        QTest::mouseClick(reset, Qt::LeftButton);
        fixture.settle();
        QVERIFY(!reset->isEnabled());
        QCOMPARE(liveNumbers(fixture), before);
        QCOMPARE(document.state().lessonStep, step);
    }

    void goingOnWithChangesOffersTheLessonsOwn() {
        WindowFixture fixture("bank", "close-up");
        ui::Document &document = fixture.document();
        const auto text = [&] {
            return QString::fromStdString((*document.state().input.batch)[0].text);
        };
        auto *offer = fixture.find<QFrame>("resetOffer");
        auto *next = fixture.find<QPushButton>("lessonNext");
        QTest::mouseClick(next, Qt::LeftButton);
        QVERIFY(!offer->isVisible()); // there is no edit to reset
        fixture.typeText("the bank has money");
        QVERIFY(!offer->isVisible()); // not offered right after the edit
        QTest::mouseClick(next, Qt::LeftButton);
        fixture.settle();
        QCOMPARE(document.state().lessonStep, core::Index(2)); // the edit is kept in the next step
        QCOMPARE(text(), QString("the bank has money"));
        QVERIFY(offer->isVisible());
        fixture.click("offeredReset");
        QCOMPARE(text(), QString("money bank"));
        QCOMPARE(document.state().lessonStep, core::Index(2));
        QVERIFY(!offer->isVisible() && !document.isEdited());
        document.undoStack().undo();
        fixture.settle();
        QCOMPARE(text(), QString("the bank has money"));
        QTest::keyClick(&fixture.window, Qt::Key_R, Qt::ControlModifier);
        fixture.settle();
        QCOMPARE(text(), QString("money bank"));
    }

    void whoKeepsTheChangesIsNotAskedAgain() {
        WindowFixture fixture("bank", "close-up");
        ui::Document &document = fixture.document();
        auto *offer = fixture.find<QFrame>("resetOffer");
        const auto change = [&](const char *text) {
            QVERIFY(test::typeText(document, text, ui::InputSide::Own, document.newGesture()).ok());
            fixture.settle();
        };
        const auto next = [&] {
            QTest::keyClick(&fixture.window, Qt::Key_Right, Qt::AltModifier);
            fixture.settle();
        };
        change("the bank has money");
        next();
        QVERIFY(offer->isVisible());
        QTest::mouseClick(fixture.find<QPushButton>("keepEdits"), Qt::LeftButton);
        QVERIFY(!offer->isVisible() && document.isEdited());
        next();
        QVERIFY(!offer->isVisible() && document.isEdited());
        change("the bank has no money");
        next();
        QVERIFY(offer->isVisible());
        QVERIFY(fixture.window.rect().contains(
            QRect(offer->mapTo(&fixture.window, QPoint()), offer->size())));
    }

    /// Custom logits that a step sets are not an edit, and the next step does not show them.
    void softmaxNumbersOfAStepAreNotThePersons() {
        const QTemporaryDir folder;
        const QString path = writtenLesson(folder, R"({"title": "three", "text": [],
           "show": {"view": "softmax", "softmax": {"logits": [1, 2, 3], "times": 2}}},
          {"title": "flow", "text": [], "show": {"view": "whole"}},
          {"title": "on", "text": []})");
        WindowFixture fixture(path, "softmax");
        ui::Document &document = fixture.document();
        const auto *offer = fixture.find<QFrame>("resetOffer");
        auto *next = fixture.find<QPushButton>("lessonNext");
        const auto &logits = document.state().softmax.logits;
        QCOMPARE(logits.size(), std::size_t(3));
        QTest::mouseClick(next, Qt::LeftButton);
        fixture.settle();
        QVERIFY(!offer->isVisible() && !document.isEdited());
        QVERIFY(logits.empty() && document.state().softmax.times == 1);
        QTest::mouseClick(fixture.find<QPushButton>("lessonBack"), Qt::LeftButton);
        QCOMPARE(logits.size(), std::size_t(3));
        // Custom logits that the user sets are an edit, and are kept in the next step.
        QVERIFY(document.apply(ui::edits::setOwnLogits(document.state(), {4, 5})).ok());
        QVERIFY(document.isEdited());
        for (int step = 1; step <= 2; ++step) {
            QTest::mouseClick(next, Qt::LeftButton);
            fixture.settle();
            QCOMPARE(document.state().lessonStep, core::Index(step));
            QVERIFY(offer->isVisible() && document.isEdited());
            QCOMPARE(logits.size(), std::size_t(2));
        }
        QVERIFY(document.resetEdits().ok());
        QVERIFY(logits.empty() && !document.isEdited());
    }

    /// The table of learned positions limits the length of a text, and the user's text is longer.
    void aStepThatCannotBeSaysWhy() {
        const QTemporaryDir folder;
        const QString path =
            writtenLesson(folder, R"({"title": "off", "text": [], "set": {"positions": "none"}},
          {"title": "on", "text": []})");
        WindowFixture fixture(path, "close-up");
        ui::Document &document = fixture.document();
        fixture.typeText(QString("river ").repeated(20));
        auto *bar = fixture.find<QFrame>("messageBar");
        QVERIFY(!bar->isVisible());
        QTest::mouseClick(fixture.find<QPushButton>("lessonNext"), Qt::LeftButton);
        QCOMPARE(document.state().lessonStep, core::Index(0));
        QVERIFY(bar->isVisible());
        QVERIFY(!fixture.find<QLabel>("problem")->text().isEmpty());
    }

    /// The *Try it* about money and river is not shown if the text lacks these words.
    void whatCannotBeTriedHasNoBox() {
        WindowFixture fixture("sentence", "close-up");
        ui::Document &document = fixture.document();
        fixture.goToStep(3);
        const auto hasBox = [&] {
            return ui::lessonHtml(document, fixture.window.palette()).contains("<b>Try it.</b>");
        };
        QVERIFY(hasBox());
        fixture.typeText("Attention is all you need");
        QVERIFY(!hasBox());
        QVERIFY(document.resetEdits().ok());
        fixture.settle();
        QVERIFY(hasBox());
    }

    void theEditorThatATextNamesIsOneClickAway() {
        WindowFixture fixture("look-ahead", "close-up");
        ui::Document &document = fixture.document();
        auto *text = fixture.find<QTextBrowser>("lessonText");
        QVERIFY(!text->toHtml().contains("href"));
        const auto &steps = document.session().lesson->steps;
        const auto found = std::ranges::find_if(steps, [](const core::LessonStep &step) {
            return step.tryIt.find("*Mask*") != std::string::npos;
        });
        QVERIFY(found != steps.end());
        fixture.goToStep(found - steps.begin());
        QVERIFY(text->toHtml().contains("href=\"editor:mask\""));
        auto *editor = fixture.find<QTabWidget>("editor");
        editor->setCurrentIndex(0);
        QVERIFY(editor->visibleRegion().isEmpty());
        emit text->anchorClicked(QUrl("editor:mask"));
        QCoreApplication::processEvents();
        QVERIFY(!editor->visibleRegion().isEmpty());
        QCOMPARE(editor->tabText(editor->currentIndex()), QString("Mask"));
    }

    void nothingIsCutInANarrowPanelWithLargeText_data() {
        test::addRows("larger", std::vector<int>{0, 3});
    }

    void nothingIsCutInANarrowPanelWithLargeText() {
        QFETCH(int, larger);
        WindowFixture fixture("bank", "close-up");
        fixture.enlargeText(larger);
        ui::Document document;
        document.open(test::opened("bank"));
        QVERIFY(test::settled(document));
        ui::LessonPanel panel(document);
        panel.resize(240, 600);
        panel.show();
        QVERIFY(test::exposed(panel));
        QCOMPARE(panel.width(), 240);
        // The buttons that appear after a change fit, too.
        QVERIFY(test::typeText(document, "the bank has money").ok());
        QVERIFY(document.goToStep(1).ok());
        QVERIFY(test::settled(document));
        QCoreApplication::processEvents();
        for (const QPushButton *button : panel.findChildren<QPushButton *>()) {
            QVERIFY2(button->isVisible(), qPrintable(button->objectName()));
            QVERIFY2(panel.rect().contains(QRect(button->mapTo(&panel, QPoint()), button->size())),
                     qPrintable(button->objectName()));
            QVERIFY(button->height() >= button->fontMetrics().height());
            QVERIFY(!button->toolTip().isEmpty());
        }
        auto *text = panel.findChild<QTextBrowser *>("lessonText");
        QVERIFY(text->document()->idealWidth() <= text->viewport()->width() + 1);
    }
};

HEADLIGHT_WIDGET_TEST(LessonPanelTest)
#include "tst_lesson_panel.moc"
