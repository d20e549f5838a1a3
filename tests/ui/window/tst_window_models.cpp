// Model folders in the window: their predictions and generated text in the Output tab, and saving
// them in a session.
#include "tests/support/trained_model.h"
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
    void type(const QString &words, ui::InputSide side = ui::InputSide::Own) {
        QVERIFY(test::typeText(document(), words, side).ok());
        settle();
    }
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
        QTest::addColumn<qint64>("kept"); // number of bytes that remain
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

    void aHiddenTokenIsRecovered() {
        HEADLIGHT_TRAINED(folder, "rxnmapper-albert");
        const QString reaction =
            readJson(QFileInfo(folder).path() + "/golden/rxnmapper-albert.json")["reaction"]
                .toString();
        ui::SourceRequest request;
        request.source = folder;
        // The authors' own pattern, which splits a reaction into atoms and bonds.
        request.expression =
            R"((\[[^\]]+]|Br?|Cl?|N|O|S|P|F|I|b|c|n|o|s|p|\(|\)|\.|=|#|-|\+|\\|\/|:|~|@|\?|>>?)"
            R"(|\*|\$|\%[0-9]{2}|[0-9]))";
        const core::Result<ui::OpenedSource> opened = ui::openSource(request);
        QVERIFY(test::isOk(opened));
        ModelWindow fixture(folder);
        fixture.window.open(*opened);
        fixture.settle();
        fixture.window.showView("output");
        fixture.type(reaction);
        const std::vector<core::Token> whole = fixture.text().tokens;
        fixture.type(QString(reaction).replace("Fc1cccnc1F", "Fc1cc[MASK]nc1F"));
        const ui::OutputContent &content = fixture.content(); // about the masked token
        QCOMPARE(content.chips[static_cast<std::size_t>(content.asked)].text, QString("[MASK]"));
        QTest::keyClick(fixture.view(), Qt::Key_Down);
        QTest::keyClick(fixture.view(), Qt::Key_Return);
        fixture.settle();
        QVERIFY(std::ranges::equal(fixture.text().tokens, whole, core::readAlike));
        QCOMPARE(QString::fromStdString(fixture.text().text), reaction);
        // A session stores the expression and uses it to read its text.
        const QTemporaryDir files;
        const QString path = files.filePath("reaction.headlight");
        QVERIFY(fixture.window.saveIn(path));
        ModelWindow again(path);
        QVERIFY(std::ranges::equal(again.text().tokens, whole, core::readAlike));
        again.type(reaction + ".O");
        QCOMPARE(again.text()[again.text().length - 2].text, std::string("O"));
    }
};

HEADLIGHT_WIDGET_TEST(WindowModelsTest)
#include "tst_window_models.moc"
