// Invalid input to the window gives one clear message, and the old state is kept. Also tests the
// keys that go through layers.
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/strip/sentence_strip.h"

class WindowInputTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// Keys select attention blocks and layers, and the second text can be edited.
    void placesAndLayers() {
        WindowFixture lesson("sentence");
        QVERIFY(!lesson.find<QLineEdit>("sourceText")->isVisible());
        WindowFixture fixture(test::sessionPath("encoder_decoder"));
        auto &document = fixture.document();
        const auto place = [&] { return document.selection().attention(); };
        const auto press = [&](const char *action, int times) {
            for (int time = 0; time < times; ++time)
                fixture.action(action)->trigger();
        };
        press("Next attention block: encoder, decoder, cross-attention", 3); // stops at the end
        QVERIFY(place().block == core::Block::CrossAttention);
        QVERIFY(place().stack == core::Stack::Decoder);
        press("Previous layer", 2);
        QCOMPARE(document.selection().layer, core::Index(0));
        fixture.view()->setFocus();
        QTest::keyClick(fixture.view(), Qt::Key_BraceRight);
        QCOMPARE(document.selection().layer, core::Index(1));
        press("Previous attention block: encoder, decoder, cross-attention", 3);
        QVERIFY(place().stack == core::Stack::Encoder);
        QVERIFY(place().block == core::Block::SelfAttention);
        auto *source = fixture.find<QLineEdit>("sourceText");
        QVERIFY(source->isVisible());
        source->setFocus();
        source->selectAll();
        QTest::keyClicks(source, "the dog");
        QCOMPARE((*document.state().input.source)[0].text, std::string("the dog"));
        fixture.settle();
    }

    /// The keys work in every view, and with any focus except in text fields.
    void bracesGoThroughLayers() {
        WindowFixture fixture(test::sessionPath("encoder_decoder"));
        auto &document = fixture.document();
        fixture.window.activateWindow();
        QVERIFY(test::active(fixture.window));
        QSet<QByteArray> tried;
        int typing = 0;
        for (const char *view :
             {"close-up", "whole", "heads", "similarity", "geometry", "output", "words"}) {
            fixture.window.showView(view);
            fixture.settle();
            for (QWidget *widget : fixture.window.findChildren<QWidget *>()) {
                if (!widget->isVisible() || !widget->isEnabled() || widget->focusProxy() ||
                    widget->focusPolicy() == Qt::NoFocus)
                    continue;
                const auto *line = qobject_cast<QLineEdit *>(widget);
                const auto *text = qobject_cast<QPlainTextEdit *>(widget);
                const bool isTyping = (line && !line->isReadOnly()) ||
                                      (text && !text->isReadOnly()) ||
                                      qobject_cast<QAbstractSpinBox *>(widget);
                if (isTyping) {
                    ++typing;
                    continue;
                }
                test::select(document, {.layer = 0});
                widget->setFocus();
                if (!widget->hasFocus())
                    continue;
                const QString name =
                    QString("%1: %2 %3")
                        .arg(view, widget->metaObject()->className(), widget->objectName());
                QTest::keyClick(widget, '}');
                QVERIFY2(document.selection().layer == 1, qPrintable(name));
                QTest::keyClick(widget, '{');
                QVERIFY2(document.selection().layer == 0, qPrintable(name));
                tried.insert(widget->metaObject()->className());
            }
        }
        QVERIFY(typing > 0);
        for (const char *kind : {"ComboBox", "WholeView", "CloseUpView", "HeadsView",
                                 "SimilarityView", "GeometryView"})
            QVERIFY2(std::any_of(tried.begin(), tried.end(),
                                 [kind](const QByteArray &each) { return each.endsWith(kind); }),
                     kind);
        fixture.settle();
        auto *line = fixture.find<QLineEdit>("text");
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, "a } b");
        QCOMPARE(line->text(), QString("a } b"));
        QCOMPARE(document.selection().layer, core::Index(0));
        fixture.settle();
    }

    /// While the mouse stays over a word, keys select another layer, and a number changes.
    void aNumberUnderTheMouseIsNotSaidOfAnotherPlace() {
        WindowFixture fixture("block");
        auto &words = fixture.find<ui::SentenceStrip>("sentenceStrip")->words(ui::InputSide::Own);
        const auto *message = fixture.find<QLabel>("message");
        const auto hover = [&](int word) { test::moveMouse(words, words.wordRect(word).center()); };
        core::Selection weights = fixture.document().selection();
        weights.stage = core::Stage::AttentionWeights;
        weights.query = 3;
        fixture.document().select(weights);
        fixture.settle();
        hover(3);
        QVERIFY2(message->text().contains("attends to"), qPrintable(message->text()));
        fixture.action("Next layer")->trigger();
        fixture.settle();
        QCOMPARE(message->text(), QString());
        hover(2);
        QTest::mouseClick(&words, Qt::LeftButton, {}, words.wordRect(2).center().toPoint());
        fixture.settle();
        const QString clicked = message->text();
        QVERIFY2(clicked.contains("attends to"), qPrintable(clicked));
        QVERIFY(fixture.document()
                    .apply(ui::edits::setTemperature(fixture.document().state(), 3))
                    .ok());
        fixture.settle();
        QVERIFY2(message->text().isEmpty(), qPrintable(message->text()));
    }

    void badTextIsSaidAndKeepsTheFigure_data() {
        test::addColumns<QString, QString>({"text", "message"});
        QTest::newRow("empty") << QString() << "text is empty";
        QTest::newRow("spaces") << QString("   ") << "text is empty";
        QTest::newRow("joiners only") << QString(QChar(0x200D)) << "no word";
        QTest::newRow("30,000 words") << QString("word ").repeated(30000) << "at most";
    }

    void badTextIsSaidAndKeepsTheFigure() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        WindowFixture fixture("sentence");
        auto *line = fixture.find<QLineEdit>("text");
        const core::TracePointer before = fixture.document().trace();
        const ui::DocumentState state = fixture.document().state();
        line->setFocus();
        line->selectAll();
        if (text.isEmpty()) {
            QTest::keyClick(line, Qt::Key_Backspace);
        } else {
            QInputMethodEvent typed;
            typed.setCommitString(text);
            QCoreApplication::sendEvent(line, &typed);
        }
        auto *said = fixture.find<QLabel>("problem");
        QVERIFY(said->isVisible());
        QVERIFY2(fixture.problem().contains(message, Qt::CaseInsensitive),
                 qPrintable(fixture.problem()));
        fixture.settle();
        QVERIFY(fixture.document().trace() == before);
        QVERIFY(fixture.document().state() == state);
        const auto *strip = fixture.find<ui::SentenceStrip>("sentenceStrip");
        QVERIFY(strip->isStale()); // marked as belonging to the previous text
        QCOMPARE(fixture.document().undoStack().count(), 0);
        QTest::keyClick(line, Qt::Key_Return); // restores the current text in the field
        QCOMPARE(line->text(), QString("She visited the money bank, near the river bank."));
        QVERIFY(!said->isVisible());
        QVERIFY(!strip->isStale());
    }

    /// After Undo or a cancelled computation, the field shows the new text, even if it has the
    /// focus.
    void theFieldFollowsWhatElseChangesTheText() {
        WindowFixture fixture("sentence");
        fixture.window.activateWindow();
        QVERIFY(test::active(fixture.window));
        auto &document = fixture.document();
        auto *line = fixture.find<QLineEdit>("text");
        const QString before = line->text();
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, "money bank");
        fixture.settle();
        QVERIFY(line->hasFocus());
        document.undoStack().undo();
        fixture.settle();
        QCOMPARE(line->text(), before);
        document.undoStack().redo();
        fixture.settle();
        QCOMPARE(line->text(), QString("money bank"));
        QTest::keyClicks(line, "s");
        document.cancelComputation();
        QVERIFY(test::idle(document));
        QCOMPARE(line->text().toStdString(), (*document.trace()->input().batch)[0].text);
        fixture.settle();
    }

    /// A refused text stays in the field even if something else changes.
    void aRefusedTextStaysWhileItIsTyped() {
        WindowFixture fixture("sentence");
        fixture.window.activateWindow();
        QVERIFY(test::active(fixture.window));
        auto *line = fixture.find<QLineEdit>("text");
        const QString before = line->text();
        line->setFocus();
        line->selectAll();
        QTest::keyClick(line, Qt::Key_Space);
        QCOMPARE(line->text(), QString(" "));
        QVERIFY(test::setMasks(fixture.document(), {core::CausalMask{}}).ok());
        fixture.settle();
        QCOMPARE(line->text(), QString(" "));
        fixture.view()->setFocus();
        QCOMPARE(line->text(), before);
    }

    void aBrokenSessionIsSaidAndKeepsTheOpenOne() {
        const QTemporaryDir folder;
        const QString broken = folder.filePath("broken.headlight");
        test::writeAll(broken,
                       ui::lessonFile("bank").replace("\"width\": 2", "\"width\": \"two\""));
        WindowFixture fixture("bank");
        const core::TracePointer before = fixture.document().trace();
        fixture.openSource(broken);
        const QString said = fixture.problem();
        QVERIFY(test::says(said, {"broken.headlight", "model.width"}));
        QCOMPARE(fixture.document().source(), QString("bank"));
        QVERIFY(fixture.document().trace() == before);
        fixture.openSource(folder.filePath("missing.headlight"));
        fixture.openSource("bnak");
        QVERIFY(fixture.problem().contains("bank"));
    }

    void whatASessionHasNoUseForIsSaid() {
        const QTemporaryDir folder;
        const QString odd = folder.filePath("odd.headlight");
        test::writeAll(odd,
                       ui::lessonFile("bank").replace(
                           "\"batch\":",
                           R"("mask": [], "<s>": 1, "now": {"show": {"query": 900}}, "batch":)"));
        WindowFixture fixture("cat");
        fixture.openSource(odd);
        const QString said = fixture.problem();
        QVERIFY(fixture.find<QLabel>("problem")->isVisible());
        QVERIFY(test::says(said, {"mask: ", "\"masks\"?"}));
        QVERIFY(test::says(said, "<s>"));
        QCOMPARE(fixture.find<QLabel>("problemMore")->textFormat(), Qt::PlainText);
        fixture.openSource("bank");
        QVERIFY(!fixture.find<QLabel>("problem")->isVisible());
    }
};

HEADLIGHT_WIDGET_TEST(WindowInputTest)
#include "tst_window_input.moc"
