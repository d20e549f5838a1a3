// The start page: its controls, its pictures, and three things to try.
#include "tests/ui/window/controls.h"
#include "tests/ui/window/start_fixture.h"
#include "ui/document/edits/text_edits.h"
#include "ui/strip/words_strip.h"
#include "ui/window/saving/recovery_bar.h"
#include "ui/window/start/learned_models_menu.h"

#include <QTextDocumentFragment>

using test::StartFixture;
using test::startPage;

class StartTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// Newcomers see few controls. Recent files add the most.
    void theOpeningHasFewControls() {
        QTemporaryDir folder;
        for (const char *name : {"a", "b", "c", "d", "e"}) {
            const QString path = folder.filePath(QString("%1.headlight").arg(name));
            QVERIFY(QFile::copy(HEADLIGHT_LESSONS "/cat.headlight", path));
            ui::addRecentFile(path);
        }
        StartFixture fixture;
        fixture.window.resize(1440, 900);
        (void)fixture.answers();
        const QStringList controls = test::controlsOf(fixture.window);
        qInfo().noquote() << controls.size() << controls.join(", ");
        QVERIFY(controls.size() >= 10); // fails if the search finds nothing
        QVERIFY(controls.size() <= 22);
        QVERIFY(!controls.contains("Text")); // the page covers the field
    }

    /// The number of lessons on the page is counted, so that it stays true.
    void theLessonsAreCounted() {
        StartFixture fixture;
        const QString about = fixture.find<QPushButton>("startMap")->accessibleDescription();
        QVERIFY2(about.startsWith(QString("%1 lessons, ").arg(ui::lessonIds().size())),
                 qPrintable(about));
    }

    void theSentenceAndTheAnswerAreTheModels() {
        StartFixture fixture;
        ui::Document &scene = fixture.scene()->document();
        QCOMPARE(fixture.answers(), QString("animal"));
        QCOMPARE(scene.trace()->batch()[0].tokens[*scene.selection().query].text,
                 std::string("it"));
        // Selecting another last word changes the answer immediately.
        fixture.word("crowded")->click();
        QVERIFY(fixture.word("crowded")->isChecked() && !fixture.word("tired")->isChecked());
        QCOMPARE(fixture.answers(), QString("street"));
        fixture.word("tired")->click();
        QCOMPARE(fixture.answers(), QString("animal"));
        // Silencing the head changes the numbers. Ending this restores them.
        const auto probabilities = [&] {
            return scene.trace()->stage(core::Stage::Probabilities).values();
        };
        const auto before = probabilities();
        auto *silence = fixture.find<QPushButton>("startSilence");
        silence->click();
        (void)fixture.answers();
        QVERIFY(probabilities() != before);
        silence->click();
        (void)fixture.answers();
        QCOMPARE(probabilities(), before);
    }

    /// The model answers only at "it". A click on another word shows where that word looks.
    void theAnswerStaysAtIt() {
        StartFixture fixture;
        (void)fixture.answers();
        auto *strip = fixture.scene()->findChild<ui::SentenceStrip *>();
        const ui::AnswerContent before = strip->answer().content();
        QCOMPARE(before.subject, QString("it"));
        const std::vector<float> weights = strip->content().sentence(ui::InputSide::Own)->weights;
        ui::WordsStrip &words = strip->words();
        QTest::mouseClick(&words, Qt::LeftButton, {}, words.wordRect(1).center().toPoint());
        (void)fixture.answers();
        QCOMPARE(fixture.scene()->document().selection().query, test::some(core::Index(1)));
        QVERIFY(strip->content().sentence(ui::InputSide::Own)->weights != weights);
        QCOMPARE(strip->content().subject, QString("animal"));
        QCOMPARE(strip->answer().content(), before);
    }

    /// The class votes for one of two nouns, so both are among the answers. There is no term that a
    /// newcomer does not know.
    void bothNounsAreAmongTheAnswers() {
        StartFixture fixture;
        auto *strip = fixture.scene()->findChild<ui::SentenceStrip *>();
        for (const QString word : {"tired", "crowded", "wide"}) {
            fixture.word(word)->click();
            const QString first = fixture.answers();
            const std::vector<ui::AnswerContent::Bar> bars = strip->answer().content().bars;
            QCOMPARE(bars.size(), std::size_t(3));
            QCOMPARE(bars.front().name, first);
            const core::Trace &trace = *fixture.scene()->document().trace();
            const core::SharedMatrix all = trace.matrix(core::Stage::Probabilities, {}, 0, 0);
            int nouns = 0;
            for (std::size_t bar = 0; bar < bars.size(); ++bar) {
                nouns += bars[bar].name == "animal" || bars[bar].name == "street" ? 1 : 0;
                QCOMPARE(bars[bar].value, static_cast<double>(all(7, bars[bar].index)));
                QVERIFY(bar == 0 || bars[bar].value <= bars[bar - 1].value);
            }
            QCOMPARE(nouns, 2);
            QVERIFY(!strip->content().captionText().contains("layer"));
        }
    }

    /// The user chooses the last word, so it must be completely visible.
    void everyWordIsWhole() {
        StartFixture fixture;
        (void)fixture.answers();
        for (const int high : {720, 800}) {
            fixture.window.resize(1280, high);
            for (const QString word : {"tired", "crowded", "wide", "crowded"}) {
                fixture.word(word)->click();
                (void)fixture.answers();
                auto &words = fixture.scene()->findChild<ui::SentenceStrip *>()->words();
                HEADLIGHT_UNTIL(words.wordRect(words.itemCount() - 1).right() <= words.width());
                QVERIFY(words.wordRect(0).left() >= 0);
            }
        }
    }

    /// Regression test: in the lesson's strip, the word that "it" looks at was cut off on the left.
    void theLessonsStripBeginsWithAWholeWord() {
        StartFixture fixture;
        fixture.window.resize(1280, 720);
        (void)fixture.answers();
        fixture.find<QPushButton>("startHow")->click();
        fixture.settle();
        auto *words = fixture.find<ui::WordsStrip>("words");
        const double sight = words->width();
        const double arrow = std::round(0.7 * words->layoutNow().chipHeight);
        for (int word = 0; word < words->itemCount(); ++word) {
            const QRectF rect = words->wordRect(word);
            if (words->scroll().x() > 0 && rect.right() > arrow + 1)
                QVERIFY2(rect.left() >= arrow - 1, qPrintable(words->itemName(word)));
        }
        QVERIFY(words->wordRect(7).right() < sight); // "it" is visible, too
    }

    void howItKnowsIsTheCloseUpOfTheSentence() {
        StartFixture fixture;
        (void)fixture.answers();
        fixture.word("crowded")->click();
        (void)fixture.answers();
        fixture.find<QPushButton>("startHow")->click();
        fixture.settle();
        QVERIFY(!startPage(fixture));
        QCOMPARE(fixture.document().source(), QString("who-is-it"));
        QCOMPARE(fixture.document().session().lesson->steps.size(), std::size_t(7));
        QCOMPARE(fixture.view()->viewName(), QString("text"));
        QCOMPARE(fixture.document().state().input.batch->operator[](0).tokens.back().text,
                 std::string("crowded"));
        // Every step of the lesson shows the row of "it" in this sentence.
        for (core::Index step = 0; step < 7; ++step) {
            QVERIFY(fixture.document().goToStep(step).ok());
            fixture.settle();
            QCOMPARE(fixture.document().selection().query, test::some(7));
        }
    }

    /// The lesson has the same sentence, so the user has no change to undo.
    void theSentenceOfThePageIsNoChange() {
        StartFixture fixture;
        (void)fixture.answers();
        fixture.find<QPushButton>("startHow")->click();
        fixture.settle();
        QCOMPARE(fixture.document().source(), QString("who-is-it"));
        QVERIFY(!fixture.find<QFrame>("resetOffer")->isVisible());
        QVERIFY(fixture.document().goToStep(1).ok());
        fixture.settle();
        QVERIFY(!fixture.find<QFrame>("resetOffer")->isVisible());
    }

    /// Typing a letter on the page begins a sentence. A refused sentence stays, so that it can be
    /// corrected.
    void typingOnThePageWritesASentence() {
        StartFixture fixture;
        (void)fixture.answers();
        const core::MaskLayers masks = fixture.document().state().input.masks;
        auto &words = fixture.scene()->findChild<ui::SentenceStrip *>()->words();
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_T);
        QVERIFY(words.isEditing());
        auto *edit = fixture.find<QLineEdit>("wordsEdit");
        QCOMPARE(edit->text(), QString("t"));
        QTest::keyClicks(edit, "he horse crossed the streat");
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(words.isEditing());
        QCOMPARE(edit->text(), QString("the horse crossed the streat"));
        QVERIFY(fixture.find<QLabel>("startHint")->text().contains("does not know"));
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, "the horse crossed the street");
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(!words.isEditing());
        (void)fixture.answers();
        QCOMPARE(fixture.scene()->sentence(), QString("the horse crossed the street"));
        // A short sentence is large, but its answer does not extend below the card on the right.
        const auto &answer = fixture.scene()->findChild<ui::SentenceStrip *>()->answer();
        const QWidget *card = fixture.find<QFrame>("startCard");
        QVERIFY(answer.mapTo(fixture.scene(), QPoint(answer.width(), 0)).x() <=
                card->mapTo(fixture.scene(), QPoint()).x());
        QVERIFY(fixture.document().state().input.masks == masks); // unchanged below the page
    }

    /// The previous answer would look like the answer to the typed sentence. Each unknown word is
    /// named with the nearest one that the model knows.
    void aSentenceWithAnUnknownWordHasNoAnswer() {
        StartFixture fixture;
        QCOMPARE(fixture.answers(), QString("animal"));
        auto *strip = fixture.scene()->findChild<ui::SentenceStrip *>();
        const auto hint = [&] { return fixture.find<QLabel>("startHint")->text(); };
        const auto *silence = fixture.find<QPushButton>("startSilence");
        QTest::keyClick(&strip->words(), Qt::Key_Return);
        auto *edit = fixture.find<QLineEdit>("wordsEdit");
        edit->clear();
        QTest::keyClicks(edit, "the animel crossed the streat and the wlf");
        (void)fixture.answers(); // traces of earlier texts may arrive later
        for (const char *words : {"does not know “animel” (nearest: “animal”)",
                                  "“streat” (nearest: “street”)", "“wlf” (nearest: “wolf”)"})
            QVERIFY2(hint().contains(words), qPrintable(hint()));
        QCOMPARE(strip->answer().itemCount(), 0);
        QVERIFY(strip->answer().content().notice.contains("does not know"));
        QVERIFY(!strip->content().hasWeights);
        for (const ui::StripSentence &sentence : strip->content().sentences)
            QVERIFY(sentence.weights.empty());
        QVERIFY(!silence->isEnabled());
        QVERIFY(fixture.find<QLabel>("startNote")->text().contains("last sentence"));

        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, "the animal didn't cross the street because it was too tired");
        QCOMPARE(fixture.answers(), QString("animal"));
        QVERIFY(strip->content().hasWeights);
        QVERIFY(silence->isEnabled());
        QVERIFY2(!hint().contains("does not know"), qPrintable(hint()));

        QTest::keyClicks(edit, "x");
        QCOMPARE(strip->answer().itemCount(), 0);
        fixture.word("wide")->click(); // another text replaces the typed one
        QVERIFY(!strip->words().isEditing());
        QVERIFY(!fixture.answers().isEmpty());
        QVERIFY(fixture.scene()->sentence().endsWith("too wide"));
    }

    /// The page states that the head is silenced, and why the answer may stay. Bars of all
    /// sentences have the same scale.
    void theHintSaysWhatSilencingDoes() {
        StartFixture fixture;
        const auto hint = [&] { return fixture.find<QLabel>("startHint")->text(); };
        const auto &answer = fixture.scene()->findChild<ui::SentenceStrip *>()->answer();
        for (const char *last : {"tired", "crowded"}) {
            fixture.word(last)->click();
            (void)fixture.answers();
            QVERIFY2(!hint().contains("silenced"), qPrintable(hint()));
            QCOMPARE(answer.content().highest, 1.0);
            fixture.find<QPushButton>("startSilence")->click();
            (void)fixture.answers();
            QVERIFY2(hint().contains("silenced") && hint().contains("Another head looks there"),
                     qPrintable(hint()));
            QCOMPARE(answer.content().highest, 1.0);
            fixture.find<QPushButton>("startSilence")->click();
            (void)fixture.answers();
        }
    }

    void anOwnSentenceIsAskedAboutItsOwnWord() {
        StartFixture fixture;
        (void)fixture.answers();
        ui::Document &scene = fixture.scene()->document();
        const auto type = [&](const char *text) {
            QVERIFY(scene.apply(ui::edits::setText(scene.state(), scene.textId(), text)).ok());
            (void)fixture.answers();
        };
        const auto textOf = [&](const char *name) {
            return QTextDocumentFragment::fromHtml(fixture.find<QLabel>(name)->text())
                .toPlainText();
        };
        QCOMPARE(textOf("startTitle"), QString("Who is it?"));
        type("because it was tired the animal didn't cross the street");
        QCOMPARE(textOf("startTitle"), QString("Who is it?"));
        QCOMPARE(scene.selection().query, test::some(1)); // the sentence has "it" at this position
        QVERIFY(!textOf("startHint").contains("does not know"));

        type("the animal crossed the street");
        QVERIFY2(textOf("startTitle").startsWith("Where does"), qPrintable(textOf("startTitle")));
        // A word that the model does not know is refused, and the nearest one is suggested.
        QTest::keyClick(&fixture.scene()->findChild<ui::SentenceStrip *>()->words(),
                        Qt::Key_Return);
        auto *edit = fixture.find<QLineEdit>("wordsEdit");
        edit->clear();
        QTest::keyClicks(edit, "the animal crossed the streat");
        QVERIFY2(textOf("startHint").contains("does not know “streat”"),
                 qPrintable(textOf("startHint")));
        QVERIFY(textOf("startHint").contains("is “street”"));
        QTest::keyClick(edit, Qt::Key_Return);
        fixture.find<QPushButton>("startHow")->click();
        fixture.settle();
        QCOMPARE(fixture.document().source(), QString("it")); // opens the lesson about "it"
    }

    void modelsThatLearnedAreInTheMenuAndOnTheStartPage() {
        StartFixture fixture;
        auto *button = fixture.find<QPushButton>("startLearned");
        QVERIFY(button->isVisible());
        const auto check = [&](QMenu *menu, int which) {
            QVERIFY(menu);
            QVERIFY(menu->toolTipsVisible());
            QCOMPARE(menu->actions().size(), ui::modelIds().size());
            QAction *action = menu->actions()[which];
            QVERIFY(test::says(action->toolTip(), "held-out"));
            action->trigger();
            fixture.settle();
            QCOMPARE(fixture.document().source(), ui::modelIds()[which]);
        };
        check(button->menu(), 2);
        QVERIFY(!startPage(fixture));
        QMenu *inFile = nullptr;
        const QMenu *file = fixture.window.menuBar()->actions().first()->menu();
        for (QMenu *menu : fixture.window.findChildren<ui::LearnedModelsMenu *>())
            if (file->actions().contains(menu->menuAction()))
                inFile = menu;
        check(inFile, 0);
    }

    void keysGoRoundAndChangeNothingBeneath() {
        StartFixture fixture;
        (void)fixture.answers();
        const QWidget *first = fixture.find<QPushButton>("startHow");
        QCOMPARE(fixture.window.focusWidget(), first);
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Right, Qt::AltModifier);
        // A typed letter must not edit the mask of the hidden view.
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_C);
        QTest::keyClick(fixture.find<QLineEdit>("wordsEdit"), Qt::Key_Escape);
        fixture.find<QPushButton>("startHow")->setFocus();
        QVERIFY(fixture.document().state().input.masks.empty());
        QCOMPARE(fixture.document().state().lessonStep, core::Index(0));
        QStringList visited;
        do {
            visited << fixture.window.focusWidget()->objectName();
            QVERIFY(startPage(fixture)->isAncestorOf(fixture.window.focusWidget()));
            QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Tab);
        } while (fixture.window.focusWidget() != first && visited.size() < 40);
        QVERIFY(visited.size() < 40);
        for (const char *name : {"startSilence", "startWord", "startMap", "startLearned",
                                 "startNew", "startOpen", "startNever"})
            QVERIFY2(visited.contains(name), name);
    }

    void anOfferToRecoverStandsAboveIt_data() {
        QTest::addColumn<bool>("isOfferedFirst");
        QTest::newRow("the offer, then the page") << true;
        QTest::newRow("the page, then the offer") << false;
    }
    void anOfferToRecoverStandsAboveIt() {
        QFETCH(bool, isOfferedFirst);
        WindowFixture fixture("bank", "close-up");
        auto *bar = fixture.find<ui::RecoveryBar>("recoveryBar");
        const auto offer = [&] {
            bar->offer({{"/nowhere.headlight", {}, QDateTime::currentDateTime(), {}}});
        };
        if (isOfferedFirst)
            offer();
        fixture.window.offerStart();
        if (!isOfferedFirst)
            offer();
        for (const int width : {1280, 1024}) {
            fixture.window.resize(width, 720);
            fixture.settle();
            for (const char *name : {"recover", "discardRecovery", "closeRecovery"}) {
                auto *button = fixture.find<QAbstractButton>(name);
                const QPoint middle = button->mapTo(&fixture.window, button->rect().center());
                QCOMPARE(fixture.window.childAt(middle), static_cast<QWidget *>(button));
            }
            QVERIFY(startPage(fixture)->isVisible());
            QVERIFY(startPage(fixture)->y() >=
                    bar->mapTo(&fixture.window, bar->rect().bottomLeft()).y());
        }
        const int above = startPage(fixture)->y();
        bar->later(); // the page moves up again
        fixture.settle();
        QVERIFY(startPage(fixture)->y() < above);
        offer();
        QTest::keyClick(startPage(fixture)->focusWidget(), Qt::Key_Escape);
        fixture.settle();
        QVERIFY(!startPage(fixture));
        QVERIFY(bar->isVisible()); // still visible above the views
        QVERIFY(!bar->visibleRegion().isEmpty());
    }

    void escShowsTheFirstLesson() {
        StartFixture fixture;
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Escape);
        QVERIFY(!startPage(fixture));
        QCOMPARE(fixture.document().source(), QString("bank"));
        QCOMPARE(fixture.window.focusWidget(), fixture.view());
        QVERIFY(fixture.window.windowTitle().contains("One word, two meanings"));
    }

    void oneClickClosesItForGoodAndTheMenuBringsItBack() {
        {
            StartFixture fixture;
            QTest::mouseClick(fixture.find<QAbstractButton>("startNever"), Qt::LeftButton);
            QVERIFY(!startPage(fixture));
        }
        StartFixture fixture;
        QVERIFY(!startPage(fixture));
        fixture.action("Start page")->trigger();
        QVERIFY(startPage(fixture));
        StartFixture next;
        QVERIFY(startPage(next));
    }

    void itFitsASmallScreen() {
        StartFixture fixture;
        fixture.window.resize(1280, 720);
        fixture.settle();
        for (const QAbstractButton *button :
             startPage(fixture)->findChildren<QAbstractButton *>()) {
            const QRect at(button->mapTo(startPage(fixture), QPoint()), button->size());
            QVERIFY2(startPage(fixture)->rect().contains(at), qPrintable(button->objectName()));
        }
    }

    /// If the page does not fit because of large text, it opens at its top, and keys can reach all
    /// of it.
    void largeTextOpensAtTheQuestion() {
        QSettings().setValue("window/textScale", 2.0);
        StartFixture fixture;
        fixture.window.resize(1280, 720);
        QCOMPARE(fixture.window.textScale(), 2.0);
        (void)fixture.answers();
        // The whole sentence is visible, so the line from "it" ends at its word.
        auto &words = fixture.scene()->findChild<ui::SentenceStrip *>()->words();
        QCOMPARE(words.layoutNow().lines, 1);
        QVERIFY(words.layoutNow().content.width() <= words.width());
        const auto *area = startPage(fixture)->findChild<QScrollArea *>();
        QVERIFY(area->verticalScrollBar()->maximum() > 0);
        QCOMPARE(area->verticalScrollBar()->value(), 0);
        QVERIFY(!fixture.find<QLabel>("startTitle")->visibleRegion().isEmpty());
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_PageDown);
        QVERIFY(area->verticalScrollBar()->value() > 0);
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Backtab);
        QCOMPARE(fixture.window.focusWidget()->objectName(), QString("startNever"));
        QVERIFY(!fixture.window.focusWidget()->visibleRegion().isEmpty());
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Tab);
        QVERIFY(fixture.window.focusWidget()->visibleRegion().boundingRect().height() > 0);
        // If all of the page is visible, Enter presses the main button.
        startPage(fixture)->focusFirst();
        QCOMPARE(fixture.window.focusWidget(), startPage(fixture));
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_Return);
        fixture.settle();
        QVERIFY(!startPage(fixture));
        QCOMPARE(fixture.document().source(), QString("who-is-it"));
    }

    /// The focus outline of the main button has a contrast of 3 with the button and with the page,
    /// and the button's text one of 4.5.
    void theFocusedButtonHasAnOutline() {
        StartFixture fixture;
        for (const bool isDark : {false, true}) {
            fixture.window.setTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
            (void)fixture.answers();
            fixture.window.activateWindow();
            QVERIFY(test::active(fixture.window));
            auto *button = fixture.find<QPushButton>("startHow");
            button->setFocus(Qt::TabFocusReason);
            QVERIFY(button->hasFocus());
            fixture.settle();
            const QImage image = button->grab().toImage();
            const int middle = image.height() / 2;
            const QColor outline = image.pixelColor(0, middle),
                         inside = image.pixelColor(6, middle);
            const ui::FigureStyle style =
                isDark ? ui::FigureStyle::dark() : ui::FigureStyle::light();
            QVERIFY2(ui::contrastOf(outline, inside) >= 3,
                     test::said("%1 and %2", outline.name(), inside.name()));
            QVERIFY2(ui::contrastOf(outline, style.background) >= 3, qPrintable(outline.name()));
            const QColor text = button->palette().color(QPalette::ButtonText);
            QVERIFY2(ui::contrastOf(text, inside) >= 4.5,
                     test::said("%1 on %2", text.name(), inside.name()));
        }
    }

    /// The other ways to begin are next to the answer or, with large text, below everything.
    void theOtherWaysStandBesideTheAnswer() {
        StartFixture fixture;
        for (const QSize size : {QSize(1280, 720), QSize(1440, 900)}) {
            fixture.window.resize(size);
            (void)fixture.answers();
            const auto placeOf = [&](const QWidget *each) {
                return QRect(each->mapTo(startPage(fixture), QPoint()), each->size());
            };
            const auto &strip = *fixture.scene()->findChild<ui::SentenceStrip *>();
            QVERIFY(test::until([&] { // the layout takes several rounds
                return placeOf(fixture.word("tired")).top() > placeOf(&strip.words()).bottom();
            }));
            fixture.settle();
            const QRect card = placeOf(fixture.find<QFrame>("startCard"));
            const QRect answer = placeOf(&strip.answer());
            QVERIFY(card.left() > answer.right());
            QVERIFY(card.top() < placeOf(fixture.find<QPushButton>("startHow")).top());
            QVERIFY(placeOf(fixture.word("tired")).bottom() < card.top());
            // The ways are listed one below the other, each with a description.
            int before = card.top();
            for (const char *name : {"startMap", "startLearned", "startNew", "startOpen"}) {
                const QRect way = placeOf(fixture.find<QPushButton>(name));
                QVERIFY(way.top() > before && way.bottom() < card.bottom());
                before = way.bottom();
            }
        }
        fixture.enlargeText(3);
        fixture.settle();
        QVERIFY(fixture.find<QPushButton>("startMap")->y() ==
                fixture.find<QPushButton>("startOpen")->y());
    }

    void theHintsAreClosedForGood() {
        {
            WindowFixture fixture("bank");
            auto *hints = fixture.find<QWidget>("firstHints");
            QVERIFY(!hints->isVisible());
            fixture.window.offerHints();
            QVERIFY(hints->isVisible());
            QTest::mouseClick(fixture.find<QAbstractButton>("closeHints"), Qt::LeftButton);
            QVERIFY(!hints->isVisible());
        }
        WindowFixture fixture("bank");
        fixture.window.offerHints();
        QVERIFY(!fixture.find<QWidget>("firstHints")->isVisible());
    }
};

HEADLIGHT_WIDGET_TEST(StartTest)
#include "tst_start.moc"
