// Invalid input to the window: one clear message, and the old state is kept.
#include "tests/support/edits.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/lesson_catalogue.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTemporaryDir>

using namespace headlight;
using test::WindowFixture;

class WindowInputTest : public QObject {
    Q_OBJECT

    static QString saidBy(WindowFixture &fixture) {
        return fixture.find<QLabel>("problem")->text() + ' ' +
               fixture.find<QLabel>("problemMore")->text();
    }

  private slots:
    void init() { QSettings().clear(); }

    /// Attention block and layer in the tool bar, and their keys. A model with one of each shows
    /// neither.
    void placesAndLayers() {
        WindowFixture lesson("sentence");
        QVERIFY(!lesson.find<QComboBox>("place")->isVisible());
        QVERIFY(!lesson.find<QComboBox>("layer")->isVisible());
        QVERIFY(!lesson.find<QLineEdit>("sourceText")->isVisible());
        WindowFixture fixture(QStringLiteral(HEADLIGHT_SESSIONS "/encoder_decoder.headlight"));
        auto &document = fixture.window.document();
        auto *place = fixture.find<QComboBox>("place");
        auto *layer = fixture.find<QComboBox>("layer");
        QVERIFY(place->isVisible() && layer->isVisible());
        QCOMPARE(place->count(), 3);
        QCOMPARE(layer->count(), 2);
        QVERIFY(!place->accessibleName().isEmpty() && !layer->accessibleName().isEmpty());
        const auto choose = [](QComboBox *box, int index) {
            box->setFocus();
            box->setCurrentIndex(index);
            emit box->activated(index);
        };
        choose(place, 2);
        QVERIFY(document.selection().block == core::Block::CrossAttention);
        QVERIFY(document.selection().stack == core::Stack::Decoder);
        choose(layer, 0);
        QCOMPARE(document.selection().layer, core::Index(0));
        fixture.view()->setFocus();
        QTest::keyClick(fixture.view(), Qt::Key_BraceRight);
        QCOMPARE(document.selection().layer, core::Index(1));
        QCOMPARE(layer->currentIndex(), 1);
        choose(place, 0);
        QVERIFY(document.selection().stack == core::Stack::Encoder);
        QVERIFY(document.selection().block == core::Block::SelfAttention);
        auto *source = fixture.find<QLineEdit>("sourceText");
        QVERIFY(source->isVisible());
        source->setFocus();
        source->selectAll();
        QTest::keyClicks(source, "the dog");
        QCOMPARE((*document.state().input.source)[0].text, std::string("the dog"));
        fixture.settle();
    }

    /// From every view, and from any focus except text fields.
    void bracesGoThroughLayers() {
        WindowFixture fixture(QStringLiteral(HEADLIGHT_SESSIONS "/encoder_decoder.headlight"));
        auto &document = fixture.window.document();
        fixture.window.activateWindow();
        QVERIFY(test::active(fixture.window));
        QSet<QByteArray> tried;
        int typing = 0;
        for (const char *view : {"flow", "heads", "similarity", "geometry", "output", "words"}) {
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
                core::Selection selection = document.selection();
                selection.layer = 0;
                document.select(selection);
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
        for (const char *kind :
             {"ComboBox", "FlowView", "HeadsView", "SimilarityView", "GeometryView"})
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

    void badTextIsSaidAndKeepsTheFigure_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("empty") << ""
                               << "no word";
        QTest::newRow("spaces") << "   "
                                << "no word";
        QTest::newRow("joiners only") << QString(QChar(0x200D)) << "no word";
        QTest::newRow("30,000 words") << QString("word ").repeated(30000) << "at most";
    }

    void badTextIsSaidAndKeepsTheFigure() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        WindowFixture fixture("sentence");
        auto *line = fixture.find<QLineEdit>("text");
        const core::TracePointer before = fixture.window.document().trace();
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
        QVERIFY2(saidBy(fixture).contains(message, Qt::CaseInsensitive),
                 qPrintable(saidBy(fixture)));
        fixture.settle();
        QVERIFY(fixture.window.document().trace() == before);
        QTest::keyClick(line, Qt::Key_Return); // the field shows the current text again
        QCOMPARE(line->text(), QString("She visited the money bank, near the river bank."));
        QVERIFY(!said->isVisible());
    }

    /// After Undo or a cancelled computation the field shows the new text, even if it has the
    /// cursor.
    void theFieldFollowsWhatElseChangesTheText() {
        WindowFixture fixture("sentence");
        fixture.window.activateWindow();
        QVERIFY(test::active(fixture.window));
        auto &document = fixture.window.document();
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

    /// A refused text stays in the field while other things change.
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
        QVERIFY(test::setMasks(fixture.window.document(), {core::CausalMask{}}).ok());
        fixture.settle();
        QCOMPARE(line->text(), QString(" "));
        fixture.view()->setFocus();
        QCOMPARE(line->text(), before);
    }

    void anyLanguageIsRead_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("tokens");
        QTest::newRow("emoji") << QStringLiteral("👩‍👩‍👧 🇩🇪 👍🏽") << 3;
        QTest::newRow("Arabic") << QStringLiteral("ذهبت إلى البنك") << 3;
        QTest::newRow("Hebrew") << QStringLiteral("שלום עולם!") << 3;
        QTest::newRow("Japanese") << QStringLiteral("猫。") << 2;
        QTest::newRow("joined") << QStringLiteral("می\u200cخواهم") << 1;
    }

    void anyLanguageIsRead() {
        QFETCH(QString, text);
        QFETCH(int, tokens);
        WindowFixture fixture("sentence");
        auto *line = fixture.find<QLineEdit>("text");
        line->setFocus();
        line->selectAll();
        QInputMethodEvent typed; // input methods commit text that no key has
        typed.setCommitString(text);
        QCoreApplication::sendEvent(line, &typed);
        fixture.settle();
        QCOMPARE(fixture.window.document().trace()->batch().length(), tokens);
        QVERIFY(!fixture.view()->grab().isNull());
    }

    void aBrokenSessionIsSaidAndKeepsTheOpenOne() {
        QTemporaryDir folder;
        QFile file(folder.filePath("broken.headlight"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray sound = ui::lessonFile("bank");
        file.write(QByteArray(sound).replace("\"width\": 2", "\"width\": \"two\""));
        file.close();
        WindowFixture fixture("bank");
        const core::TracePointer before = fixture.window.document().trace();
        ui::SourceRequest request;
        request.source = file.fileName();
        fixture.window.openSource(request);
        fixture.settle();
        const QString said = saidBy(fixture);
        QVERIFY2(said.contains("broken.headlight") && said.contains("model.width"),
                 qPrintable(said));
        QCOMPARE(fixture.window.document().source(), QString("bank"));
        QVERIFY(fixture.window.document().trace() == before);
        request.source = folder.filePath("missing.headlight");
        fixture.window.openSource(request);
        fixture.settle();
        request.source = "bnak";
        fixture.window.openSource(request);
        fixture.settle();
        QVERIFY(saidBy(fixture).contains("bank"));
    }

    void whatASessionHasNoUseForIsSaid() {
        QTemporaryDir folder;
        QFile file(folder.filePath("odd.headlight"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(ui::lessonFile("bank").replace(
            "\"batch\":", R"("mask": [], "<s>": 1, "now": {"show": {"query": 900}}, "batch":)"));
        file.close();
        WindowFixture fixture("cat");
        ui::SourceRequest request;
        request.source = file.fileName();
        fixture.window.openSource(request);
        fixture.settle();
        const QString said = saidBy(fixture);
        QVERIFY(fixture.find<QLabel>("problem")->isVisible());
        QVERIFY2(said.contains("mask: ") && said.contains("\"masks\"?"), qPrintable(said));
        QVERIFY2(said.contains("<s>"), qPrintable(said));
        QCOMPARE(fixture.find<QLabel>("problemMore")->textFormat(), Qt::PlainText);
        request.source = "bank";
        fixture.window.openSource(request);
        fixture.settle();
        QVERIFY(!fixture.find<QLabel>("problem")->isVisible());
    }

    void aLongSentenceFitsItsViews() {
        for (const char *view : {"flow", "heads"}) {
            WindowFixture fixture("cat", view);
            QVERIFY(test::typeText(fixture.window.document(), QString("word ").repeated(80)).ok());
            fixture.settle();
            QVERIFY(!fixture.view()->grab().isNull());
        }
    }
};

HEADLIGHT_WIDGET_TEST(WindowInputTest)
#include "tst_window_input.moc"
