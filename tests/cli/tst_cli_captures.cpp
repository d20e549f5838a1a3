// Captures by other programs that are beside the project. All others are in scripts/captures.cli.
#include "process.h"
#include "tests/support/test_main.h"

#include <QImage>

using namespace headlight::test;

class CliCaptures : public QObject {
    Q_OBJECT
  private slots:
    void fromAnotherProgram() {
        const QDir folder(QString(HEADLIGHT_TEST_DATA) + "/../../../shared/models/captures");
        const QStringList files = folder.entryList({"*.safetensors"}, QDir::Files);
        if (files.isEmpty())
            QSKIP("there are no captures in ../shared/models/captures");
        const Program program(HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH);
        const auto image = [&](const QStringList &words) {
            const Run run =
                program.run(QStringList{"figure", "-o", "-", "--format", "png"} + words);
            return success(run).isEmpty() ? QImage::fromData(run.out) : QImage();
        };
        for (const QString &name : files) {
            const QString file = folder.filePath(name);
            HEADLIGHT_DONE(program.run({"check", file}));
            HEADLIGHT_DONE(program.run({"info", file}));
            for (const char *view : {"heads", "heatmap"})
                QVERIFY(!image({file, "--view", view, "--layer", "1"}).isNull());
            HEADLIGHT_DONE(program.run({"trace", file, "-o", "copy.safetensors"}));
            QCOMPARE(image({"copy.safetensors"}), image({file}));
        }
    }
};

HEADLIGHT_GUILESS_TEST(CliCaptures)
#include "tst_cli_captures.moc"
