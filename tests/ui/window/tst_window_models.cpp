// Model folders in the window: generated text in the Output tab, and saving them in a session.
#include "tests/ui/window/window_fixture.h"

namespace {

struct ModelWindow : WindowFixture {
    explicit ModelWindow(const QString &source) : WindowFixture(source, "output") {}

    ui::OutputView &output() { return *static_cast<ui::OutputView *>(view()); }
    const ui::OutputContent &content() {
        (void)view()->figure();
        return output().output()->content();
    }
    const core::Sequence &text() { return (*document().state().input.batch)[0]; }
    void write(int count) {
        find<QSpinBox>("writeCount")->setValue(count);
        QTest::mouseClick(find<QToolButton>("writeOn"), Qt::LeftButton);
        HEADLIGHT_UNTIL(!output().writer().isWriting());
        settle();
    }
};

QJsonObject readJson(const QString &path) {
    return QJsonDocument::fromJson(test::readAll(path)).object();
}

} // namespace

class WindowModelsTest : public test::CleanTest {
    Q_OBJECT
  private slots:
    void whatWasWrittenIsKeptInASessionBesideTheFoldersName() {
        const QTemporaryDir files;
        const QString path = files.filePath("mine.headlight");
        std::vector<core::Token> tokens;
        core::Tensor logits;
        {
            ModelWindow fixture(HEADLIGHT_TEST_DATA "/folders/llama");
            fixture.write(4);
            tokens = fixture.text().tokens;
            logits = fixture.document().trace()->stage(core::Stage::Logits);
            QVERIFY(fixture.window.saveIn(path));
        }
        QVERIFY(std::ranges::count_if(tokens, &core::Token::isWritten) == 4);
        const QJsonObject said = readJson(path);
        const QString named = said["pretrained"].toObject()["folder"].toString();
        QVERIFY2(QDir::isRelativePath(named), qPrintable(named));
        ModelWindow again(path);
        QCOMPARE(again.view()->viewName(), QString("output"));
        QVERIFY(again.text().tokens == tokens);
        const core::Tensor now = again.document().trace()->stage(core::Stage::Logits);
        QVERIFY(std::ranges::equal(now.values(), logits.values()));
    }

    void aDamagedFolderLeavesWhatIsOpen_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<qint64>("kept"); // bytes
        QTest::newRow("config cut") << "config.json" << qint64(40);
        QTest::newRow("config empty") << "config.json" << qint64(0);
        QTest::newRow("header cut") << "model.safetensors" << qint64(5);
        QTest::newRow("header names what is not there") << "model.safetensors" << qint64(60);
    }
    void aDamagedFolderLeavesWhatIsOpen() {
        QFETCH(QString, file);
        QFETCH(qint64, kept);
        const QTemporaryDir files;
        test::copyFolder(HEADLIGHT_TEST_DATA "/folders/llama", files.path());
        QVERIFY(QFile::resize(files.filePath(file), kept));
        WindowFixture fixture("cat", "heads");
        const QString before = fixture.document().source();
        const core::TracePointer trace = fixture.document().trace();
        fixture.openSource(files.path());
        QCOMPARE(fixture.document().source(), before);
        QCOMPARE(fixture.document().trace(), trace);
        auto *problem = fixture.find<QLabel>("problem");
        QVERIFY(problem->isVisible());
        QVERIFY(!problem->text().isEmpty());
    }
};

HEADLIGHT_WIDGET_TEST(WindowModelsTest)
#include "tst_window_models.moc"
