// From the words of a request to a session in a state; and errors that name the part that is
// impossible.
#include "ui/document/lesson_catalogue.h"
#include "ui/document/source.h"

#include <QtTest>

using namespace headlight;
using ui::SourceRequest;

Q_DECLARE_METATYPE(headlight::ui::SourceRequest)

class Source : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase();
    void kinds();
    void theFirstLesson();
    void everyStepWithOneWord();
    void edits();
    void selection();
    void errors_data();
    void errors();
    void files();

  private:
    QString path(const QString &name) const { return QString(HEADLIGHT_TEST_SCRATCH) + '/' + name; }
    void write(const QString &name, const QByteArray &bytes) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
};

namespace {

SourceRequest requestFor(const QString &source) {
    SourceRequest request;
    request.source = source;
    return request;
}

QString errorOf(const SourceRequest &request) {
    const auto opened = ui::openSource(request);
    return opened ? QString() : QString::fromStdString(opened.error().text());
}

} // namespace

void Source::initTestCase() {
    write("good.headlight", ui::lessonFile("cat"));
    write("broken.headlight", ui::lessonFile("cat").replace("\"heads\": 2", "\"heads\": 0"));
    write("x.safetensors", "");
    QDir::setCurrent(HEADLIGHT_TEST_SCRATCH);
    QFile::remove("batch");
}

void Source::kinds() {
    using ui::SourceKind;
    QCOMPARE(ui::kindOfSource("bank"), SourceKind::Lesson);
    QCOMPARE(ui::kindOfSource("batch"), SourceKind::Lesson);
    QCOMPARE(ui::kindOfSource("./bank"), SourceKind::Session);
    QCOMPARE(ui::kindOfSource("good.headlight"), SourceKind::Session);
    QCOMPARE(ui::kindOfSource("missing.headlight"), SourceKind::Session);
    QCOMPARE(ui::kindOfSource("missing.safetensors"), SourceKind::Safetensors);
    QCOMPARE(ui::kindOfSource("."), SourceKind::ModelFolder);
    QCOMPARE(ui::kindOfSource("bonk"), SourceKind::Unknown);
    QCOMPARE(ui::kindOfSource(""), SourceKind::Unknown);
}

void Source::theFirstLesson() {
    const auto opened = ui::openSource({});
    QVERIFY(opened.ok());
    QCOMPARE(opened->source, ui::lessonIds().first());
    QCOMPARE(opened->view, QString("flow"));
    QCOMPARE(opened->selection.stage, core::Stage::Embeddings); // of its first step
}

void Source::everyStepWithOneWord() {
    for (const QString &id : ui::lessonIds()) {
        SourceRequest request = requestFor(id);
        request.text = "word";
        const auto steps = ui::readLesson(id)->lesson->steps.size();
        for (std::size_t step = 0; step < steps; ++step) {
            request.step = static_cast<core::Index>(step);
            const auto opened = ui::openSource(request);
            QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
            const core::Batch &batch = *opened->state.input.batch;
            const core::Selection &selection = opened->selection;
            QVERIFY(selection.sequence < batch.count());
            QVERIFY(selection.query.value_or(0) < batch.length());
            QVERIFY(selection.key.value_or(0) < batch.length());
        }
    }
}

void Source::edits() {
    SourceRequest request = requestFor("cat");
    request.text = "one two";
    request.mask = SourceRequest::Mask::CausalAndPadding;
    const auto opened = ui::openSource(request);
    QVERIFY(opened.ok());
    QVERIFY(opened->state.edits.batch && opened->state.edits.masks);
    QCOMPARE(opened->state.input.batch->length(), core::Index(2));
    QCOMPARE(opened->state.input.masks.size(), std::size_t(2));
    request.mask = SourceRequest::Mask::None;
    QVERIFY(ui::openSource(request)->state.input.masks.empty());
}

void Source::selection() {
    SourceRequest request = requestFor("bank");
    request.sequence = 1;
    request.query = 0;
    request.key = 1;
    request.step = 7;
    const auto opened = ui::openSource(request);
    QVERIFY(opened.ok());
    QCOMPARE(opened->state.lessonStep, core::Index(7));
    QCOMPARE(opened->selection.sequence, core::Index(1));
    QCOMPARE(opened->selection.query, std::optional<core::Index>(0));
    QCOMPARE(opened->selection.key, std::optional<core::Index>(1));
}

void Source::errors_data() {
    QTest::addColumn<SourceRequest>("request");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, const QString &text, auto change) {
        SourceRequest request = requestFor("cat");
        change(request);
        QTest::newRow(name) << request << text;
    };
    row("head", "--head: 2 is out of range; give 0 to 1", [](auto &r) { r.head = 2; });
    row("layer", "--layer: 3 is out of range; only 0 exists here", [](auto &r) { r.layer = 3; });
    row("sequence", "--sequence: 1 is out of range; only 0 exists here",
        [](auto &r) { r.sequence = 1; });
    row("query", "--query: 6 is out of range; give 0 to 5", [](auto &r) { r.query = 6; });
    row("key", "--key: 60 is out of range; give 0 to 5", [](auto &r) { r.key = 60; });
    row("negative", "--head: -1 is out of range; give 0 to 1", [](auto &r) { r.head = -1; });
    row("below none", "--key: -2 is out of range; give 0 to 5", [](auto &r) { r.key = -2; });
    row("step", "--step: there is no step 6; its steps are 0 to 5", [](auto &r) { r.step = 6; });
    row("no text", "--text: it holds no word; type at least one word or sign",
        [](auto &r) { r.text = ""; });
    row("query of a shorter text", "--query: 1 is out of range; only 0 exists here", [](auto &r) {
        r.text = "word";
        r.query = 1;
    });
    row("no such lesson",
        "caat: there is no file and no lesson of this name; did you mean 'cat'? (`headlight "
        "lessons` lists them)",
        [](auto &r) { r.source = "caat"; });
}

void Source::errors() {
    QFETCH(SourceRequest, request);
    QFETCH(QString, text);
    QCOMPARE(errorOf(request), text);
}

void Source::files() {
    QVERIFY(ui::openSource(requestFor("good.headlight")).ok());
    write("batch", ui::lessonFile("cat")); // a file goes before a lesson
    QCOMPARE(ui::kindOfSource("batch"), ui::SourceKind::Session);
    QCOMPARE(QString::fromStdString(ui::openSource(requestFor("batch"))->session.title),
             QString("Two heads, two questions"));
    QVERIFY(QFile::remove("batch"));
    QVERIFY(errorOf(requestFor("broken.headlight")).contains("broken.headlight"));
    QVERIFY(errorOf(requestFor("broken.headlight")).contains("model.heads"));
    QVERIFY(errorOf(requestFor("missing.headlight")).contains("No such file"));
    QVERIFY(errorOf(requestFor(".")).startsWith(".: it is a folder"));
    QVERIFY(errorOf(requestFor("x.safetensors")).startsWith("x.safetensors: "));
}

QTEST_GUILESS_MAIN(Source)
#include "tst_source.moc"
