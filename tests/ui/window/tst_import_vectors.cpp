// Importing word vectors, opening pictures and audio: the file, the undo step, and the tab with
// its menu.
#include "core/formats/pretrained/pretrained_folder.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/import_vectors.h"

using namespace headlight::ui;
using core::Stage;

class ImportVectorsTest : public test::CleanTest {
    Q_OBJECT

    static QString file(const QString &name, const QByteArray &text) {
        const QString path = QString(HEADLIGHT_TEST_SCRATCH) + '/' + name;
        QFile made(path);
        if (!made.open(QIODevice::WriteOnly) || made.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(path));
        return path;
    }
    static QString message(const test::WindowFixture &fixture) {
        return fixture.find<QLabel>("message")->text();
    }
    /// Waits for a message in the bar under the tool bar, and returns it.
    static QString problem(const test::WindowFixture &fixture) {
        QString said;
        (void)test::until([&] {
            for (const QLabel *label : fixture.window.findChildren<QLabel *>())
                if (label->isVisible() &&
                    (label->text().contains("vectors") || label->text().contains("finite") ||
                     label->text().contains("not a picture") ||
                     label->text().contains("not a WAV")))
                    said = label->text();
            return !said.isEmpty();
        });
        return said;
    }

  private slots:
    void theWordsGetTheirVectors() {
        test::WindowFixture fixture("bank");
        Document &document = fixture.document();
        fixture.window.importVectors(file("glove.txt", "the 1 2\nbank 4 5\nmoney 6 -7.5\n"));
        HEADLIGHT_UNTIL_EQUAL(document.undoStack().count(), 1);
        fixture.settle();
        const core::SharedMatrix first = document.trace()->stage(Stage::Embeddings).matrix(0);
        QCOMPARE(first(0, 1), -7.5f);
        QCOMPARE(first(1, 0), 4.0f);
        const QString words = "Word vectors from glove.txt: 2 words, 1 missing";
        QCOMPARE(document.undoStack().undoText(), words);
        QVERIFY(message(fixture).startsWith(words));
        QVERIFY(message(fixture).contains("river"));
        document.undoStack().undo();
        fixture.settle();
        QCOMPARE(document.trace()->stage(Stage::Embeddings).matrix(0)(1, 0), 1.0f);
        HEADLIGHT_UNTIL(!fixture.window.findChild<ImportVectors *>());
    }

    void aPictureReplacesTheOneBefore() {
        test::WindowFixture fixture(QStringLiteral(HEADLIGHT_TEST_DATA "/folders/vit"), {});
        Document &document = fixture.document();
        QCOMPARE(fixture.window.currentView()->viewName(), QString("text"));
        const QString path = QStringLiteral(HEADLIGHT_TEST_SCRATCH "/red.png");
        QImage red(20, 12, QImage::Format_RGB888);
        red.fill(QColor(255, 0, 0));
        QVERIFY(red.save(path));
        const auto firstNumber = [&] {
            return document.trace()->stage(Stage::Embeddings).matrix(0)(1, 0);
        };
        const float before = firstNumber();
        fixture.window.openPicture(path);
        HEADLIGHT_UNTIL_EQUAL(document.undoStack().count(), 1);
        fixture.settle();
        QCOMPARE(firstNumber(), 1.0f); // (255 ÷ 255 − 0.5) ÷ 0.5
        QCOMPARE(document.undoStack().undoText(), "Picture: red.png");
        document.undoStack().undo();
        fixture.settle();
        QCOMPARE(firstNumber(), before);
        // A file that is not a picture changes nothing.
        fixture.window.openPicture(file("no-picture.png", "vectors of nothing"));
        QVERIFY(problem(fixture).contains("no-picture.png"));
        QCOMPARE(firstNumber(), before);
    }

    void aPictureOpensTheOtherModelOfAFolder() {
        const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/folders/clip");
        test::WindowFixture fixture(folder, {});
        Document &document = fixture.document();
        QVERIFY(document.session().pretrained->tower == core::Tower::Texts);
        const QString path = QStringLiteral(HEADLIGHT_TEST_SCRATCH "/blue.png");
        QImage blue(20, 12, QImage::Format_RGB888);
        blue.fill(QColor(0, 0, 255));
        QVERIFY(blue.save(path));
        fixture.window.openPicture(path);
        HEADLIGHT_UNTIL(document.session().pretrained->tower == core::Tower::Pictures);
        fixture.settle();
        QCOMPARE(document.trace()->batch().length(), core::Index(10));
        // The next picture replaces the first one.
        blue.fill(QColor(255, 0, 0));
        const QString other = QStringLiteral(HEADLIGHT_TEST_SCRATCH "/red.png");
        QVERIFY(blue.save(other));
        fixture.window.openPicture(other);
        HEADLIGHT_UNTIL_EQUAL(document.undoStack().count(), 1);
    }

    void aNewWindowShowsTheSameModelOfAFolder() {
        const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/folders/clip");
        test::WindowFixture fixture(folder, {});
        const auto isOf = [](MainWindow &window, core::Tower tower) {
            const auto &model = window.document().session().pretrained;
            return model && model->tower == tower;
        };
        const auto newWindow = [&] {
            const QWidgetList before = QApplication::topLevelWidgets();
            test::actionOf(fixture.window, "New window")->trigger();
            for (QWidget *each : QApplication::topLevelWidgets())
                if (auto *window = qobject_cast<MainWindow *>(each);
                    window && !before.contains(window))
                    return QPointer<MainWindow>(window);
            qFatal("no window");
        };
        const QPointer<MainWindow> texts = newWindow();
        HEADLIGHT_UNTIL(texts->isVisible()); // shown once it has read its source
        QVERIFY(test::settled(*texts));
        QVERIFY(isOf(*texts, core::Tower::Texts));
        // A picture opens the other model in the same window, although another window has the
        // folder open.
        const QString path = QStringLiteral(HEADLIGHT_TEST_SCRATCH "/green.png");
        QImage green(20, 12, QImage::Format_RGB888);
        green.fill(QColor(0, 255, 0));
        QVERIFY(green.save(path));
        fixture.window.openPicture(path);
        HEADLIGHT_UNTIL(isOf(fixture.window, core::Tower::Pictures));
        fixture.settle();
        QVERIFY(isOf(*texts, core::Tower::Texts));
        const QPointer<MainWindow> pictures = newWindow();
        HEADLIGHT_UNTIL(pictures->isVisible());
        QVERIFY(test::settled(*pictures));
        QVERIFY(isOf(*pictures, core::Tower::Pictures));
        for (const QPointer<MainWindow> &window : {texts, pictures}) {
            window->close();
            HEADLIGHT_UNTIL(!window);
        }
    }

    void readingAPictureOrASoundIsCancelled() {
        test::WindowFixture fixture(QStringLiteral(HEADLIGHT_TEST_DATA "/folders/vit"), {});
        const QString path = QStringLiteral(HEADLIGHT_TEST_SCRATCH "/large.png");
        QImage large(6000, 4000, QImage::Format_RGB888);
        large.fill(QColor(255, 0, 0));
        QVERIFY(large.save(path));
        fixture.window.openPicture(path);
        QVERIFY(fixture.window.isReading());
        // Qt takes about a second to read the picture. Until then, the window shows that it is
        // busy.
        HEADLIGHT_UNTIL(fixture.find<QToolButton>("cancel")->isVisible() ||
                        !fixture.window.isReading());
        if (fixture.window.isReading())
            QVERIFY(fixture.find<QToolButton>("cancel")->toolTip().contains("large.png"));
        fixture.settle();
        while (fixture.document().undoStack().canUndo())
            fixture.document().undoStack().undo();
        fixture.settle();
        fixture.window.openPicture(path);
        fixture.find<QToolButton>("cancel")->click();
        QVERIFY(!fixture.window.isReading());
        QVERIFY(!fixture.find<QToolButton>("cancel")->isVisible());
        QVERIFY(message(fixture).contains("large.png"));
        // Nothing changes later: the next picture is the only edit.
        const QString other = QStringLiteral(HEADLIGHT_TEST_SCRATCH "/small.png");
        QVERIFY(large.scaled(20, 12).save(other));
        fixture.window.openPicture(other);
        fixture.settle();
        QCOMPARE(fixture.document().undoStack().count(), 1);
        QCOMPARE(fixture.document().undoStack().undoText(), "Picture: small.png");

        test::WindowFixture sounds(QStringLiteral(HEADLIGHT_TEST_DATA "/folders/whisper"), {});
        sounds.window.openSound(
            QStringLiteral(HEADLIGHT_TEST_DATA "/../fuzz/seeds/wav/mono16.wav"));
        QVERIFY(sounds.window.isReading());
        sounds.find<QToolButton>("cancel")->click();
        QVERIFY(message(sounds).contains("mono16.wav"));
        sounds.settle();
        QVERIFY(!sounds.document().undoStack().canUndo());
    }

    void aSoundReplacesTheOneBefore() {
        test::WindowFixture fixture(QStringLiteral(HEADLIGHT_TEST_DATA "/folders/whisper"), {});
        Document &document = fixture.document();
        const auto numbers = [&] {
            return document.trace()
                ->stage(Stage::Embeddings, {0, core::Block::SelfAttention, core::Stack::Encoder})
                .values();
        };
        const std::vector<float> before = numbers();
        const auto textBefore = document.state().input.batch;
        fixture.window.openSound(
            QStringLiteral(HEADLIGHT_TEST_DATA "/../fuzz/seeds/wav/mono16.wav"));
        HEADLIGHT_UNTIL_EQUAL(document.undoStack().count(), 1);
        fixture.settle();
        QVERIFY(numbers() != before);
        QCOMPARE(document.undoStack().undoText(), "Audio: mono16.wav");
        QVERIFY(document.state().input.batch == textBefore); // the transcript stays
        document.undoStack().undo();
        fixture.settle();
        QVERIFY(numbers() == before);
        // A file that is not audio changes nothing.
        fixture.window.openSound(file("no-sound.wav", "RIFF and nothing else"));
        QVERIFY(problem(fixture).contains("no-sound.wav"));
        QVERIFY(numbers() == before);
    }

    void readingCanBeCancelled() {
        QByteArray lines;
        for (int i = 0; i < 200000; ++i)
            lines += "word" + QByteArray::number(i) + " 1 2\n";
        ImportVectors import(file("long.txt", lines), {"bank"}, true, nullptr);
        QSignalSpy read(&import, &ImportVectors::read);
        QSignalSpy failed(&import, &ImportVectors::failed);
        QSignalSpy ended(&import, &ImportVectors::ended);
        import.cancel();
        HEADLIGHT_UNTIL_EQUAL(ended.count(), 1);
        QCOMPARE(read.count() + failed.count(), 0);
    }

    void gPlaysGravityFromAnyTab() {
        test::WindowFixture fixture("bank", "close-up");
        fixture.view()->setFocus();
        QTest::keyClick(&fixture.window, Qt::Key_G);
        QCOMPARE(fixture.view()->viewName(), QString("geometry"));
        auto *view = static_cast<GeometryView *>(fixture.view());
        QVERIFY(view->isPlaying());
        QTest::keyClick(&fixture.window, Qt::Key_1, Qt::AltModifier);
        QVERIFY(!view->isPlaying()); // a hidden view does not play
    }
};

HEADLIGHT_WIDGET_TEST(ImportVectorsTest)
#include "tst_import_vectors.moc"
