// Captures and traces as sources: what they hold is shown, and what they lack is reported.
#include "core/formats/safetensors/writer.h"
#include "core/formats/session/writing/writer.h"
#include "picture.h"
#include "process.h"
#include "tests/core/captures/npz_file.h"
#include "tests/support/test_main.h"
#include "ui/document/lesson_catalogue.h"

#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace headlight::test;
namespace test = headlight::test;
namespace core = headlight::core;
namespace ui = headlight::ui;

class CliCaptures : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase();
    void theSamePictureAsTheLesson_data();
    void theSamePictureAsTheLesson();
    void traceOfATrace();
    void info();
    void refused_data();
    void refused();
    void whatIsNotThere();
    void strangeWeights();
    void wrongNumbers();
    void caption();
    void similarity();
    void sharedKeys();
    void twoSequences();
    void tracesOfTwoSequences();
    void fromAnotherProgram();
    void flowOfWhatIsThere();
    void inNumPysFormat();
    void inParts();
    void aSessionThatNamesIt();

  private:
    void write(const QString &name, const std::vector<core::NamedTensor> &tensors,
               const core::Metadata &metadata) const {
        const auto bytes = core::safetensorsBytes(tensors, metadata);
        QVERIFY(bytes.ok());
        m_program.write(name, QByteArray::fromStdString(*bytes));
    }
    QImage image(const QStringList &words) const {
        const Run run = m_program.run(QStringList{"figure", "-o", "-", "--format", "png"} + words);
        return success(run).isEmpty()
                   ? QImage::fromData(run.out).convertToFormat(QImage::Format_RGB32)
                   : QImage();
    }

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

namespace {

core::Tensor filled(const core::Shape &shape, float value) {
    return {shape, std::vector<float>(static_cast<std::size_t>(shape.count()), value)};
}

} // namespace

void CliCaptures::initTestCase() {
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "cat.safetensors"}));
    HEADLIGHT_DONE(m_program.run({"trace", "batch", "-o", "batch.safetensors"}));
}

void CliCaptures::theSamePictureAsTheLesson_data() {
    QTest::addColumn<QString>("options");
    QTest::newRow("heads") << "--view heads --stage weights";
    for (const char *stage : {"embeddings", "query", "key", "value", "scores", "scaled_scores",
                              "weights", "context", "concatenated", "output"})
        QTest::newRow(stage) << QString("--view heatmap --stage ") + stage;
    // Excludes masked_scores, because a capture does not record whether a mask hid nothing. It
    // does not record what was added to the embeddings either, so the title does not name it.
    QTest::newRow("embedding_sum") << "--view heatmap --stage embedding_sum --title sum";
    QTest::newRow("mean") << "--head mean --stage weights";
    QTest::newRow("another head") << "--view heatmap --head 1 --query 2 --key 3";
}

void CliCaptures::theSamePictureAsTheLesson() {
    QFETCH(QString, options);
    const QStringList words = options.split(' ');
    const QImage captured = image(QStringList{"cat.safetensors"} + words);
    QVERIFY(!captured.isNull());
    QCOMPARE(captured, image(QStringList{"cat"} + words));
}

void CliCaptures::traceOfATrace() {
    HEADLIGHT_DONE(m_program.run({"trace", "cat.safetensors", "-o", "again.safetensors"}));
    QCOMPARE(m_program.read("again.safetensors"), m_program.read("cat.safetensors"));
    HEADLIGHT_DONE(m_program.run(
        {"trace", "cat.safetensors", "-o", "some.safetensors", "--stage", "weights"}));
    HEADLIGHT_DONE(m_program.run({"figure", "some.safetensors", "-o", "a.svg"}));
}

void CliCaptures::info() {
    const Run run = m_program.run({"info", "batch.safetensors", "--json"});
    HEADLIGHT_DONE(run);
    const QJsonObject facts = QJsonDocument::fromJson(run.out).object();
    QCOMPARE(facts["kind"].toString(), QString("trace"));
    QCOMPARE(facts["heads"].toInt(), 1);
    QCOMPARE(facts["layers"].toInt(), 1);
    QCOMPARE(facts["sequences"].toInt(), 6);
    QCOMPARE(facts["tokens"].toInt(), 8);
    QVERIFY(facts["stages"].toArray().contains("layers.0.self_attention.weights"));
    HEADLIGHT_DONE(m_program.run({"info", "batch.safetensors"}));
}

void CliCaptures::refused_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QStringList>("mentions");
    const auto row = [](const char *options, const QStringList &mentions) {
        QTest::newRow(options) << QString(options) << mentions;
    };
    row("--text hello", {"--text", "capture"});
    row("--mask causal", {"--mask"});
    row("--seed 1", {"--seed"});
    row("--step 0", {"--step"});
    row("--token-ids 1", {"--token-ids"});
    row("--head 2", {"--head", "0 to 1"});
    row("--query 6", {"--query", "0 to 5"});
    row("--layer 1", {"--layer", "only 0"});
}

void CliCaptures::refused() {
    QFETCH(QString, options);
    QFETCH(QStringList, mentions);
    HEADLIGHT_REFUSED(m_program.run(QStringList{"figure", "cat.safetensors", "-o", "no.png"} +
                                    options.split(' ')),
                      1, mentions);
    QVERIFY(!m_program.has("no.png"));
}

void CliCaptures::whatIsNotThere() {
    write("one.safetensors", {{"attentions.3", filled({2, 3, 3}, 1.0F / 3)}},
          {{"tokens", R"(["a","b","c"])"}});
    HEADLIGHT_DONE(m_program.run({"figure", "one.safetensors", "-o", "a.png"}));
    QCOMPARE(image({"one.safetensors"}), image({"one.safetensors", "--layer", "3"}));
    HEADLIGHT_REFUSED(m_program.run({"figure", "one.safetensors", "-o", "no.png", "--layer", "0"}),
                      1, {"not captured", "layers.3.self_attention.weights"});
    HEADLIGHT_REFUSED(
        m_program.run({"figure", "one.safetensors", "-o", "no.png", "--stage", "query"}), 1,
        {"query", "not captured", "layers.3.self_attention.weights"});
    write("logits.safetensors", {{"logits", filled({1, 3, 5}, 1)}},
          {{"tokens", R"(["a","b","c"])"}});
    QVERIFY(!image({"logits.safetensors"}).isNull()); // no heads, so a heatmap
    HEADLIGHT_REFUSED(
        m_program.run({"figure", "logits.safetensors", "-o", "no.png", "--view", "heads"}), 1,
        {"--view", "captured"});
    HEADLIGHT_REFUSED(
        m_program.run({"figure", "logits.safetensors", "-o", "no.png", "--stage", "weights"}), 1,
        {"not captured", "logits"});
    HEADLIGHT_DONE(m_program.run({"info", "logits.safetensors"}));
    HEADLIGHT_REFUSED(m_program.run({"figure", "none.safetensors", "-o", "no.png"}), 1,
                      {"none.safetensors"});
    QVERIFY(!m_program.has("no.png"));
}

void CliCaptures::strangeWeights() {
    // The figure does not claim that rows sum to 1 if they do not.
    const auto svg = [this](float value) {
        write("strange.safetensors", {{"attentions.0", filled({1, 2, 2}, value)}},
              {{"tokens", R"(["a","b"])"}});
        return m_program.run({"figure", "strange.safetensors", "-o", "-", "--format", "svg"}).out;
    };
    QVERIFY(svg(0.5F).contains("sums to 1"));
    QVERIFY(!svg(0.7F).isEmpty() && !svg(0.7F).contains("sums to 1"));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    QCOMPARE(readPicture(svg(nan), "svg").problem, QString());
    QVERIFY(!svg(nan).contains("sums to 1"));
}

/// The capture can be read and shown, but `check` reports the wrong values and their positions.
void CliCaptures::wrongNumbers() {
    const core::Metadata tokens{{"tokens", R"(["a","b"])"}};
    const auto check = [this] { return m_program.run({"check", "wrong.safetensors"}); };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    core::Tensor weights({3, 2, 2}, {1, 0, .5, .5, 1, 0, .25, .75, 1, 0, 1, .5});
    write("wrong.safetensors", {{"attentions.0", weights}}, tokens);
    HEADLIGHT_REFUSED(check(), 1);
    QVERIFY2(check().out.contains("layers.0.self_attention.weights, head 2, row 1: the weights sum "
                                  "to 1.5"),
             check().out);
    QCOMPARE(check().out.count('\n'), 1);
    HEADLIGHT_DONE(m_program.run({"figure", "wrong.safetensors", "-o", "wrong.png"}));

    weights = core::Tensor({3, 2, 2}, {1, 0, .5, .5, 1, 0, nan, .75, 1, nan, 1, 0});
    write("wrong.safetensors", {{"attentions.0", weights}}, tokens);
    HEADLIGHT_REFUSED(check(), 1);
    QVERIFY2(check().out.contains("head 1, row 1, column 0: the number is NaN; 1 more"),
             check().out);
    HEADLIGHT_DONE(m_program.run({"figure", "wrong.safetensors", "-o", "wrong.png"}));

    weights = core::Tensor({1, 2, 2}, {1.5, -.5, .5, .5});
    write("wrong.safetensors", {{"attentions.0", weights}}, tokens);
    QVERIFY2(check().out.contains("head 0, row 0, column 1: the weight is -0.5") ||
                 check().out.contains("head 0, row 0: the weight is -0.5"),
             check().out);

    // Masked values and fully masked rows are valid.
    const float hidden = -std::numeric_limits<float>::infinity();
    write("wrong.safetensors",
          {{"attentions.0", core::Tensor({1, 2, 2}, {0, 0, .50004F, .5F})},
           {"layers.0.self_attention.masked_scores",
            core::Tensor({1, 1, 2, 2}, {hidden, hidden, 1, 2})}},
          tokens);
    HEADLIGHT_DONE(check());

    // Layers may differ in their number of heads, but the stages of one layer must agree.
    write("wrong.safetensors",
          {{"attentions.0", filled({2, 2, 2}, .5F)}, {"attentions.1", filled({3, 2, 2}, .5F)}},
          tokens);
    HEADLIGHT_DONE(check());
    HEADLIGHT_DONE(m_program.run(
        {"figure", "wrong.safetensors", "-o", "wrong.png", "--layer", "1", "--head", "2"}));
    HEADLIGHT_REFUSED(m_program.run({"figure", "wrong.safetensors", "-o", "no.png", "--head", "2"}),
                      1, {"--head", "0 to 1"});
    write("wrong.safetensors",
          {{"layers.0.self_attention.weights", filled({1, 4, 2, 2}, .5F)},
           {"layers.0.self_attention.key", filled({1, 3, 2, 2}, 1)}},
          tokens);
    HEADLIGHT_REFUSED(check(), 1);
    QVERIFY2(check().out.contains("4 heads cannot share 3 key and value heads"), check().out);

    // The trace records a disabled softmax or a mask after softmax, so that its rows need not sum
    // to 1.
    const auto lesson = core::readSession(ui::lessonFile("look-ahead").toStdString());
    core::SavedState withoutSoftmax, maskedAfter;
    withoutSoftmax.set.softmax = false;
    maskedAfter.set.masking = core::MaskOptions();
    maskedAfter.set.masking->afterSoftmax = true;
    maskedAfter.set.masks = core::MaskLayers{core::CausalMask()};
    for (const core::SavedState &now : {withoutSoftmax, maskedAfter}) {
        m_program.write("what-if.headlight",
                        QByteArray::fromStdString(core::writeSession(*lesson, now)));
        HEADLIGHT_DONE(m_program.run({"trace", "what-if.headlight", "-o", "what-if.safetensors"}));
        HEADLIGHT_DONE(m_program.run({"check", "what-if.safetensors"}));
    }
}

/// A caption contains only what the file records.
void CliCaptures::caption() {
    const auto captioned = [this](const core::Metadata &metadata) {
        write("said.safetensors", {{"attentions.0", filled({1, 2, 2}, .5F)}}, metadata);
        return m_program
            .run({"figure", "said.safetensors", "--caption", "auto", "-o", "-", "--format", "svg"})
            .out;
    };
    const QByteArray with =
        captioned({{"tokens", R"(["un","likely"])"}, {"prompt", "Unlikely as it is"}});
    QVERIFY2(with.contains("“Unlikely as it is”"), with);
    QVERIFY(!with.contains("no mask") && !with.contains("un likely"));
    const QByteArray without = captioned({{"tokens", R"(["The"," cat"])"}});
    QVERIFY2(without.contains("“The cat”"), without);
    QVERIFY(!without.contains("no mask"));
    QVERIFY(m_program.run({"figure", "bank", "--caption", "auto", "-o", "-", "--format", "svg"})
                .out.contains("no mask"));
}

void CliCaptures::similarity() {
    write("weights.safetensors", {{"attentions.0", filled({1, 2, 2}, 0.5F)}},
          {{"tokens", R"(["a","b"])"}});
    HEADLIGHT_REFUSED(
        m_program.run({"figure", "weights.safetensors", "--view", "similarity", "-o", "no.png"}), 1,
        {"--view", "no vectors"});
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "whole.safetensors"}));
    QVERIFY(!image({"whole.safetensors", "--view", "similarity"}).isNull());
}

void CliCaptures::sharedKeys() {
    std::vector<float> keys{1, 2, 3, 4, 5, 6, 7, 8}; // 2 key heads of 2 tokens and 2 dimensions
    write("shared.safetensors",
          {{"layers.0.self_attention.weights", filled({1, 4, 2, 2}, 0.5F)},
           {"layers.0.self_attention.key", {core::Shape{1, 2, 2, 2}, keys}}},
          {{"tokens", R"(["a","b"])"}});
    const auto head = [this](const char *index) {
        return image({"shared.safetensors", "--view", "heads", "--stage", "key", "--head", index});
    };
    QVERIFY(!head("3").isNull());
    const auto heatmap = [this](const char *index) {
        const Run run =
            m_program.run({"figure", "shared.safetensors", "-o", "-", "--format", "svg", "--view",
                           "heatmap", "--stage", "key", "--title", "k", "--head", index});
        return run.out;
    };
    QVERIFY(heatmap("1").contains(">1.0"));
    QVERIFY(heatmap("2").contains(">5.0"));
}

void CliCaptures::twoSequences() {
    write("two.safetensors", {{"cross_attentions.0", filled({2, 2, 3}, 1.0F / 3)}},
          {{"source_tokens", R"(["x","y","z"])"}, {"target_tokens", R"(["a","b"])"}});
    const auto svg = [this](const QString &file, const QStringList &options) {
        return m_program.run(QStringList{"figure", file, "-o", "-", "--format", "svg"} + options)
            .out;
    };
    for (const char *token : {">x<", ">z<", ">a<", ">b<"})
        QVERIFY2(svg("two.safetensors", {}).contains(token), token);
    HEADLIGHT_DONE(m_program.run({"info", "two.safetensors"}));
    HEADLIGHT_DONE(m_program.run({"check", "two.safetensors"}));
    HEADLIGHT_REFUSED(m_program.run({"figure", "two.safetensors", "-o", "no.png", "--key", "3"}), 1,
                      {"--key"});
    HEADLIGHT_REFUSED(m_program.run({"figure", "two.safetensors", "-o", "no.png", "--query", "2"}),
                      1, {"--query"});
    write("stacks.safetensors",
          {{"encoder_attentions.1", filled({2, 3, 3}, 1.0F / 3)},
           {"decoder_attentions.0", filled({2, 2, 2}, 0.5F)},
           {"cross_attentions.0", filled({2, 2, 3}, 1.0F / 3)}},
          {{"source_tokens", R"(["x","y","z"])"}, {"target_tokens", R"(["a","b"])"}});
    const QStringList heatmap{"--view", "heatmap", "--stage"};
    QVERIFY(
        svg("stacks.safetensors", heatmap + QStringList{"encoder.layers.1.self_attention.weights"})
            .contains(">z<"));
    QVERIFY(
        !svg("stacks.safetensors", heatmap + QStringList{"decoder.layers.0.self_attention.weights"})
             .contains(">z<"));
    QCOMPARE(image({"stacks.safetensors", "--stack", "decoder", "--block", "cross"}),
             image({"stacks.safetensors", "--stage", "decoder.layers.0.cross_attention.weights",
                    "--view", "heads"}));
}

/// A trace of a model with two sequences opens again and shows the same.
void CliCaptures::tracesOfTwoSequences() {
    for (const char *name : {"encoder_decoder", "t5_like", "cross_attention_only"}) {
        const QString file = QString("%1/sessions/%2.headlight").arg(HEADLIGHT_TEST_DATA, name);
        HEADLIGHT_DONE(m_program.run({"trace", file, "-o", "again.safetensors"}));
        HEADLIGHT_DONE(m_program.run({"check", "again.safetensors"}));
        for (const char *stage : {"weights", "key", "context"}) {
            const QStringList options{"--view",  "heatmap", "--stage", stage,
                                      "--block", "cross",   "--title", "t"};
            QCOMPARE(image(QStringList{"again.safetensors", "--stack", "decoder"}.mid(
                               0, QString(name) == "cross_attention_only" ? 1 : 3) +
                           options)
                         .isNull(),
                     image(QStringList{file} + options).isNull());
        }
    }
}

void CliCaptures::fromAnotherProgram() {
    const QDir folder(QString(HEADLIGHT_TEST_DATA) + "/../../../shared/models/captures");
    const QStringList files = folder.entryList({"*.safetensors"}, QDir::Files);
    if (files.isEmpty())
        QSKIP("there are no captures in ../shared/models/captures");
    for (const QString &name : files) {
        const QString file = folder.filePath(name);
        HEADLIGHT_DONE(m_program.run({"check", file}));
        HEADLIGHT_DONE(m_program.run({"info", file}));
        for (const char *view : {"heads", "heatmap"})
            QVERIFY(!image({file, "--view", view, "--layer", "1"}).isNull());
        HEADLIGHT_DONE(m_program.run({"trace", file, "-o", "copy.safetensors"}));
        QCOMPARE(image({"copy.safetensors"}), image({file}));
    }
}

/// A flow shows the captured matrices, without operations that the capture does not record.
void CliCaptures::flowOfWhatIsThere() {
    const QByteArray svg = m_program
                               .run({"figure", "cat.safetensors", "--view", "flow", "--query", "1",
                                     "--key", "0", "-o", "-", "--format", "svg"})
                               .out;
    QCOMPARE(readPicture(svg, "svg").problem, QString());
    QVERIFY(svg.contains("as it was captured"));
    QVERIFY(!svg.contains("softmax"));
    // A cross-attention does not read the weights of the attention before it.
    write("both.safetensors",
          {{"decoder_attentions.0", filled({1, 2, 2}, .25F)},
           {"cross_attentions.0", filled({1, 2, 1}, 1)},
           {"encoder_attentions.0", filled({1, 1, 1}, 1)}},
          {{"source_tokens", R"(["x"])"}, {"target_tokens", R"(["a","b"])"}});
    const QByteArray crossed =
        m_program
            .run({"figure", "both.safetensors", "--view", "flow", "--stack", "decoder", "--block",
                  "cross", "-o", "-", "--format", "svg"})
            .out;
    QVERIFY(crossed.contains(">1.00<") && !crossed.contains(">.25<"));
    write("weights-alone.safetensors", {{"attentions.0", filled({1, 2, 2}, .5F)}}, {});
    QVERIFY(!image({"weights-alone.safetensors", "--view", "flow"}).isNull());
}

void CliCaptures::inNumPysFormat() {
    const test::NpzMember weights{
        "attentions.0.npy",
        test::npyBytes(test::npyHeader("<f2", "1, 2, 2"),
                       QByteArray::fromHex("003c0000003800b8").toStdString()),
        true};
    m_program.write("a.npz", QByteArray::fromStdString(test::npzBytes({weights})));
    const Run info = m_program.run({"info", "a.npz", "--json"});
    HEADLIGHT_DONE(info);
    const QJsonObject facts = QJsonDocument::fromJson(info.out).object();
    QCOMPARE(facts["numbers"].toArray(), QJsonArray{"F16"});
    QCOMPARE(facts["tokens"].toInt(), 2);
    QVERIFY(facts["warnings"].toArray()[0].toString().contains("the weight is -0.5"));
    HEADLIGHT_REFUSED(m_program.run({"check", "a.npz"}), 1);
    QVERIFY(!image({"a.npz", "--view", "heatmap"}).isNull());
    m_program.write("broken.npz", "PK");
    HEADLIGHT_REFUSED(m_program.run({"info", "broken.npz"}), 1, {"broken.npz"});
}

void CliCaptures::inParts() {
    write("part-0.safetensors", {{"attentions.0", filled({1, 2, 2}, .5F)}},
          {{"tokens", R"(["a","b"])"}});
    write("part-1.safetensors", {{"attentions.1", filled({1, 2, 2}, .5F)}}, {});
    m_program.write("all.safetensors.index.json",
                    R"({"weight_map": {"attentions.0": "part-0.safetensors",
                                       "attentions.1": "part-1.safetensors"}})");
    HEADLIGHT_DONE(m_program.run({"check", "all.safetensors.index.json"}));
    QVERIFY(!image({"all.safetensors.index.json", "--layer", "1"}).isNull());
    m_program.write("all.safetensors.index.json",
                    R"({"weight_map": {"attentions.0": "../part-0.safetensors"}})");
    HEADLIGHT_REFUSED(m_program.run({"info", "all.safetensors.index.json"}), 1,
                      {"not the name of a file in the index's folder"});
}

void CliCaptures::aSessionThatNamesIt() {
    write("named.safetensors", {{"attentions.0", filled({2, 2, 2}, .5F)}},
          {{"tokens", R"(["a","b"])"}});
    m_program.write("named.headlight", R"({"headlight": 2, "title": "Look",
        "capture": {"file": "named.safetensors"},
        "now": {"show": {"head": 1, "query": 1}}})");
    HEADLIGHT_DONE(m_program.run({"check", "named.headlight"}));
    const Run info = m_program.run({"info", "named.headlight", "--json"});
    QCOMPARE(QJsonDocument::fromJson(info.out).object()["kind"].toString(), QString("capture"));
    QCOMPARE(image({"named.headlight", "--view", "heatmap", "--title", "t"}),
             image({"named.safetensors", "--view", "heatmap", "--title", "t", "--head", "1",
                    "--query", "1"}));
    HEADLIGHT_REFUSED(m_program.run({"figure", "named.headlight", "--text", "x", "-o", "no.png"}),
                      1, {"--text", "capture"});
    m_program.write("gone.headlight", R"({"headlight": 2, "capture": {"file": "gone.npz"}})");
    HEADLIGHT_REFUSED(m_program.run({"info", "gone.headlight"}), 1, {"gone.npz", "missing"});
    HEADLIGHT_REFUSED(m_program.run({"check", "gone.headlight"}), 1);
}

HEADLIGHT_WIDGET_TEST(CliCaptures)
#include "tst_cli_captures.moc"
