// `trace`: the file contains what the engine computes, bit for bit.
#include "core/formats/capture/capture.h"
#include "process.h"
#include "tests/support/forward.h"
#include "tests/support/test_main.h"
#include "ui/document/source.h"

#include <cstring>

using headlight::test::Program;
using headlight::test::Run;
using namespace headlight;

class CliTrace : public QObject {
    Q_OBJECT
  private slots:
    void everyLesson_data();
    void everyLesson();
    void anotherText();
    void someStages();
    void toStandardOutput();
    void sameBytes();

  private:
    void compare(const QString &file, const core::Trace &trace);

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

namespace {

core::TracePointer traceOf(const ui::SourceRequest &request) {
    const auto opened = ui::openSource(request);
    return opened ? *test::forward(opened->state.model, opened->state.input) : nullptr;
}

core::Result<core::Capture> captured(const Program &program, const QString &file) {
    return core::readCapture(program.path(file).toStdString());
}

} // namespace

void CliTrace::compare(const QString &file, const core::Trace &trace) {
    const auto capture = captured(m_program, file);
    QVERIFY2(capture.ok(), capture.ok() ? "" : capture.error().text().c_str());
    QCOMPARE(capture->stages.size(), trace.names().size());
    QCOMPARE(capture->tokens.size(), static_cast<std::size_t>(trace.batch().count()));
    for (std::size_t i = 0; i < capture->tokens.size(); ++i)
        QVERIFY(capture->tokens[i] == core::textsOf(trace.batch().sequences()[i].tokens));
    const core::BatchPointer &source = trace.input().source;
    QCOMPARE(capture->sourceTokens.size(), static_cast<std::size_t>(source ? source->count() : 0));
    for (std::size_t i = 0; i < capture->sourceTokens.size(); ++i)
        QVERIFY(capture->sourceTokens[i] == core::textsOf(source->sequences()[i].tokens));
    for (const std::string &name : trace.names()) {
        const core::Tensor was = trace.stage(name);
        const core::Tensor is = capture->stage(name);
        QVERIFY2(!is.isNull() && is.shape() == was.shape(), name.c_str());
        QVERIFY2(std::memcmp(is.values().data(), was.values().data(),
                             was.values().size() * sizeof(float)) == 0,
                 name.c_str());
    }
}

void CliTrace::everyLesson_data() {
    QTest::addColumn<QString>("id");
    for (const char *id : {"bank", "sentence", "cat", "batch", "look-ahead"})
        QTest::newRow(id) << id;
    const QDir sessions(HEADLIGHT_SESSIONS); // every kind of transformer
    const QStringList files = sessions.entryList({"*.headlight"});
    QVERIFY(files.size() >= 8);
    for (const QString &file : files)
        QTest::newRow(qPrintable(file)) << sessions.filePath(file);
}

void CliTrace::everyLesson() {
    QFETCH(QString, id);
    HEADLIGHT_DONE(m_program.run({"trace", id, "-o", "all.safetensors"}));
    ui::SourceRequest request;
    request.source = id;
    compare("all.safetensors", *traceOf(request));
}

void CliTrace::anotherText() {
    ui::SourceRequest request;
    request.source = "cat";
    request.text = "日本語 مرحبا שלום 👩‍👩‍👧 [PAD]";
    request.mask = ui::SourceRequest::Mask::CausalAndPadding;
    request.seed = 12;
    request.step = 3;
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "text.safetensors", "--text",
                                  QString::fromStdString(*request.text), "--mask", "causal+padding",
                                  "--seed", "12", "--step", "3"}));
    compare("text.safetensors", *traceOf(request));
}

void CliTrace::someStages() {
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "some.safetensors", "--stage", "*scores"}));
    const auto capture = captured(m_program, "some.safetensors");
    QVERIFY(capture.ok());
    QCOMPARE(capture->stages.size(), std::size_t(3));
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "one.safetensors", "--stage", "weights"}));
    QCOMPARE(captured(m_program, "one.safetensors")->stages.front().name,
             std::string("layers.0.self_attention.weights"));
    HEADLIGHT_REFUSED(
        m_program.run({"trace", "cat", "-o", "none.safetensors", "--stage", "wieghts"}), 1,
        {"wieghts", "layers.0.self_attention.weights"});
    QVERIFY(!m_program.has("none.safetensors"));

    // Each head's contribution is written on request, by its name and not by a wildcard.
    HEADLIGHT_DONE(
        m_program.run({"trace", "cat", "-o", "heads.safetensors", "--stage", "head_outputs"}));
    const auto heads = captured(m_program, "heads.safetensors");
    QVERIFY(heads.ok());
    QCOMPARE(heads->stages.front().name, std::string("layers.0.self_attention.head_outputs"));
    const core::Tensor outputs = heads->stages.front().tensor;
    ui::SourceRequest request;
    request.source = "cat";
    const core::TracePointer trace = traceOf(request);
    QCOMPARE(outputs.values(), trace->stage(core::Stage::HeadOutputs).values());
    HEADLIGHT_DONE(m_program.run({"figure", "heads.safetensors", "-o", "heads.png"}));
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "all.safetensors", "--stage", "*"}));
    QVERIFY(captured(m_program, "all.safetensors")
                ->stage("layers.0.self_attention.head_outputs")
                .isNull());
    HEADLIGHT_REFUSED(m_program.run({"trace", "cat", "-o", "none.safetensors", "--stage", "no"}), 1,
                      {"layers.0.self_attention.head_outputs"});
    HEADLIGHT_REFUSED(m_program.run({"figure", "cat", "--stage", "head_outputs", "--view", "flow",
                                     "-o", "none.png"}),
                      1, {"--stage", "--view heatmap"});
    HEADLIGHT_DONE(m_program.run({"figure", "cat", "--stage", "head_outputs", "-o", "heads.png"}));
}

void CliTrace::toStandardOutput() {
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "file.safetensors"}));
    const Run run = m_program.run({"trace", "cat", "-o", "-", "--format", "safetensors"});
    HEADLIGHT_DONE(run);
    QCOMPARE(run.out, m_program.read("file.safetensors"));
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "noname", "--format=safetensors"}));
    QCOMPARE(m_program.read("noname"), run.out);
}

void CliTrace::sameBytes() {
    HEADLIGHT_DONE(m_program.run({"trace", "batch", "-o", "a.safetensors"}));
    HEADLIGHT_DONE(m_program.run({"trace", "batch", "-o", "b.safetensors"}));
    QVERIFY(m_program.read("a.safetensors") == m_program.read("b.safetensors"));
    HEADLIGHT_DONE(m_program.run({"trace", "batch", "-o", "c.safetensors", "--seed", "1"}));
    QVERIFY(m_program.read("a.safetensors") != m_program.read("c.safetensors"));
}

HEADLIGHT_APPLESS_TEST(CliTrace)
#include "tst_cli_trace.moc"
