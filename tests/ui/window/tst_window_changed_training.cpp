// Training of a folder's model while another program truncates the folder's file.
#include "core/formats/files/file_stamp.h"
#include "core/formats/safetensors/writer.h"
#include "core/random.h"
#include "tests/support/shown_texts.h"
#include "tests/support/test_main.h"
#include "tests/support/training.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/training_controller.h"
#include "ui/views/training_view.h"

#include <QDir>
#include <QFile>
#include <QFrame>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <filesystem>

using namespace headlight;
using test::WindowFixture;

namespace {

/// A small GPT-2 with the words of a task, and a session that trains it. Headlight writes no such
/// session; it has to be written by hand.
struct TrainedFolder {
    QTemporaryDir files;

    TrainedFolder() {
        const core::TaskPointer task = core::findTask("previous-token");
        const auto words = static_cast<core::Index>(task->info().words.size());
        QDir(files.path()).mkpath("model");
        put("model/config.json", QJsonObject{{"model_type", "gpt2"},
                                             {"n_embd", int(kWidth)},
                                             {"n_head", 1},
                                             {"n_layer", 1},
                                             {"n_positions", 16},
                                             {"vocab_size", int(words)},
                                             {"activation_function", "gelu_new"}});
        QJsonArray list;
        for (const std::string &word : task->info().words)
            list << QString::fromStdString(word);
        put("model/vocabulary.json", QJsonDocument(list).toJson());
        const auto bytes =
            core::safetensorsBytes({{"wte.weight", drawn({words, kWidth})},
                                    {"wpe.weight", drawn({16, kWidth})},
                                    {"h.0.ln_1.weight", drawn({kWidth})},
                                    {"h.0.ln_1.bias", drawn({kWidth})},
                                    {"h.0.attn.c_attn.weight", drawn({kWidth, 3 * kWidth})},
                                    {"h.0.attn.c_attn.bias", drawn({3 * kWidth})},
                                    {"h.0.attn.c_proj.weight", drawn({kWidth, kWidth})},
                                    {"h.0.attn.c_proj.bias", drawn({kWidth})},
                                    {"h.0.ln_2.weight", drawn({kWidth})},
                                    {"h.0.ln_2.bias", drawn({kWidth})},
                                    {"h.0.mlp.c_fc.weight", drawn({kWidth, 4 * kWidth})},
                                    {"h.0.mlp.c_fc.bias", drawn({4 * kWidth})},
                                    {"h.0.mlp.c_proj.weight", drawn({4 * kWidth, kWidth})},
                                    {"h.0.mlp.c_proj.bias", drawn({kWidth})},
                                    {"ln_f.weight", drawn({kWidth})},
                                    {"ln_f.bias", drawn({kWidth})}},
                                   {});
        if (!bytes)
            qFatal("%s", bytes.error().text().c_str());
        put("model/model.safetensors", QByteArray::fromStdString(*bytes));
        // Sets an older time, so that the next write changes it even on a disk with a coarse clock.
        const std::filesystem::path file = tensors().toStdString();
        std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) -
                                                   std::chrono::seconds(2));
        core::Recipe recipe = task->info().recipe;
        recipe.batch = 4;
        recipe.steps = 100'000;
        recipe.architecture.width = kWidth;
        ui::Document trained;
        trained.open(test::trainingSession(recipe));
        const std::string made = trained.snapshot("training").bytes();
        QJsonObject session = QJsonDocument::fromJson(QByteArray::fromStdString(made)).object();
        session.remove("model");
        session["pretrained"] = QJsonObject{{"folder", "model"}};
        put("run.headlight", session);
    }

    QString session() const { return files.filePath("run.headlight"); }
    QString tensors() const { return files.filePath("model/model.safetensors"); }

  private:
    static constexpr core::Index kWidth = 8;

    static core::Tensor drawn(const core::Shape &shape) {
        static core::Random random(7);
        std::vector<float> numbers(static_cast<std::size_t>(shape.count()));
        for (float &number : numbers)
            number = 0.1F * static_cast<float>(random.normal());
        return {shape, std::move(numbers)};
    }
    void put(const QString &name, const QJsonObject &object) const {
        put(name, QJsonDocument(object).toJson());
    }
    void put(const QString &name, const QByteArray &bytes) const {
        QFile file(files.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write %s", qPrintable(name));
    }
};

struct TrainedWindow : WindowFixture {
    explicit TrainedWindow(const TrainedFolder &folder)
        : WindowFixture(folder.session(), "training") {}

    ui::Document &document() { return window.document(); }
    ui::TrainingController &controller() const {
        return window.findChild<ui::TrainingView *>()->controller();
    }
    core::Index step() { return document().state().training->step; }
    bool saysChanged() const {
        return find<QFrame>("messageBar")->isVisible() &&
               find<QLabel>("problem")->text() == "“model.safetensors” changed on disk";
    }
    void untilIdle() {
        HEADLIGHT_UNTIL(!controller().isRunning() && !controller().isBusy());
        settle();
    }
};

} // namespace

class WindowChangedTrainingTest : public QObject {
    Q_OBJECT
  private slots:
    void init() { QSettings().clear(); }

    /// The numbers are copied when training begins.
    void aFileThatIsCutBeforeRefusesTraining() {
        const TrainedFolder folder;
        TrainedWindow fixture(folder);
        QCOMPARE(fixture.controller().unavailableReason(), QString());
        QSignalSpy failed(&fixture.controller(), &ui::TrainingController::failed);
        QVERIFY(QFile::resize(folder.tensors(), 1000));
        QVERIFY(fixture.controller().start().ok());
        HEADLIGHT_UNTIL(!fixture.controller().isRunning());
        QCOMPARE(failed.count(), 1);
        QVERIFY(core::isChangedFile(failed[0][0].value<core::Error>()));
        QCOMPARE(fixture.step(), core::Index(0));
        HEADLIGHT_UNTIL(fixture.saysChanged());
        QVERIFY(fixture.document().changedFile());
    }

    void aFileThatIsCutMeanwhileIsToldAndTrainingGoesOn() {
        const TrainedFolder folder;
        TrainedWindow fixture(folder);
        QSignalSpy failed(&fixture.controller(), &ui::TrainingController::failed);
        QVERIFY(fixture.controller().start().ok());
        HEADLIGHT_UNTIL(fixture.step() > 0);
        QVERIFY(QFile::resize(folder.tensors(), 1000));
        HEADLIGHT_UNTIL(fixture.saysChanged());
        const core::Index before = fixture.step();
        HEADLIGHT_UNTIL(fixture.step() > before);
        fixture.controller().pause();
        fixture.untilIdle();
        QCOMPARE(failed.count(), 0);
        (void)fixture.window.grab();
        for (const QStringList &texts :
             {test::shownTexts(fixture.window), test::paintedTexts(fixture.window)})
            QVERIFY2(test::notANumberIn(texts).isEmpty(), qPrintable(test::notANumberIn(texts)));
    }
};

HEADLIGHT_WIDGET_TEST(WindowChangedTrainingTest)
#include "tst_window_changed_training.moc"
