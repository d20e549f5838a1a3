// From a request to an opened session, and errors that name the impossible part.
#include "core/formats/session/writing/writer.h"
#include "tests/support/test_main.h"
#include "ui/document/edits/text_edits.h"
#include "ui/document/edits/token_edits.h"
#include "ui/document/learned_model.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/document/snapshot.h"
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
    void modelsThatLearned();
    void scoresBeyondTheText();
    void whereItWasLeft();
    void whereItWasLeftIsWrong();
    void edits();
    void selection();
    void errors_data();
    void errors();
    void files();
    void folders();
    void wordsWithSpaces();

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
    QCOMPARE(ui::kindOfSource("missing.safetensors"), SourceKind::Capture);
    QDir().mkdir("folder");
    QCOMPARE(ui::kindOfSource("folder"), SourceKind::ModelFolder);
    QCOMPARE(ui::kindOfSource("."), SourceKind::Course); // it contains lessons
    QCOMPARE(ui::kindOfSource("a.headlight-course"), SourceKind::Course);
    QCOMPARE(ui::kindOfSource("a.headlight-course/b"), SourceKind::CourseLesson);
    QCOMPARE(ui::kindOfSource("a.headlight-course/"), SourceKind::Session);
    QCOMPARE(ui::kindOfSource("a.headlight-course/b/c"), SourceKind::Session);
    QCOMPARE(ui::withoutFolder("x/a.headlight-course/b"), QString("a.headlight-course/b"));
    QCOMPARE(ui::kindOfSource("bonk"), SourceKind::Unknown);
    QCOMPARE(ui::kindOfSource(""), SourceKind::Unknown);
}

void Source::theFirstLesson() {
    const auto opened = ui::openSource({});
    QVERIFY(opened.ok());
    QCOMPARE(opened->source, ui::openingLesson());
    QCOMPARE(opened->view, QString("flow"));
    QCOMPARE(opened->selection.stage, core::Stage::Embeddings); // from its first step
}

void Source::everyStepWithOneWord() {
    for (const QString &id : ui::lessonIds()) {
        SourceRequest request = requestFor(id);
        const core::Result<core::Session> lesson = ui::readLesson(id);
        if (lesson->input.source && lesson->input.batch->count() > 1)
            continue; // a single sequence would not match the source sequences
        const core::Model &model = lesson->model;
        const core::Vocabulary *words =
            model.vocabularyOf(model.hasEncoder() ? model.sourceStack() : model.mainStack());
        request.text = words ? words->words().back() : "word"; // a word in the vocabulary
        const auto steps = lesson->lesson->steps.size();
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

void Source::modelsThatLearned() {
    for (const QString &id : ui::modelIds()) {
        QVERIFY(ui::kindOfSource(id) == ui::SourceKind::Lesson);
        const auto opened = ui::openSource(requestFor(id));
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
        QVERIFY(opened->state.training); // the run can be continued
        QCOMPARE(opened->state.training->step, opened->state.training->recipe.steps);
        QVERIFY(opened->session.warnings.empty());
        // The listed properties, which are known without reading the model, are true.
        const ui::LearnedModel &model = ui::learnedModels()[ui::modelIds().indexOf(id)];
        const core::Recipe &recipe = opened->state.training->recipe;
        QCOMPARE(model.id, id);
        QCOMPARE(model.title, QString::fromStdString(opened->session.title));
        QCOMPARE(core::Index(model.layers), recipe.architecture.layers);
        QCOMPARE(core::Index(model.steps), recipe.steps);
        QVERIFY(model.accuracy >= 0.98);
        QVERIFY(model.command.contains("--seed " + QString::number(recipe.seed)));
        QVERIFY(ui::summaryOf(model).contains(QString::number(model.steps)));
        QVERIFY(!model.task.isEmpty());
    }
}

void Source::scoresBeyondTheText() {
    const auto base = core::readSession(ui::lessonFile("cat").toStdString());
    QVERIFY(base.ok());
    core::SavedState now;
    now.set.interventions = core::Interventions();
    now.set.interventions->setScore({0, 0, 0, 0, 1, 2.0f});
    now.set.interventions->setScore({0, 0, 1, 5, 0, 3.0f});
    now.set.masks =
        core::MaskLayers{core::CellMask{{{0, 0, 1, false}, {0, 4, 4, false}}}, core::CausalMask{}};
    write("scores.headlight", QByteArray::fromStdString(core::writeSession(*base, now)));
    SourceRequest request = requestFor("scores.headlight");
    request.text = "one two";
    const auto opened = ui::openSource(request);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
    const core::Input &input = opened->state.input;
    QCOMPARE(input.interventions.scores.size(), std::size_t(1));
    QCOMPARE(input.interventions.scores[0].key, core::Index(1));
    QCOMPARE(input.masks.size(), std::size_t(2));
    QCOMPARE(std::get<core::CellMask>(input.masks[0]).cells.size(), std::size_t(1));
}

void Source::whereItWasLeft() {
    const auto base = core::readSession(ui::lessonFile("cat").toStdString());
    QVERIFY(base.ok());
    core::SavedState now;
    now.step = 2;
    now.set.text = "one two three";
    now.set.temperature = 0.5f;
    now.set.masks = core::MaskLayers{core::CausalMask{}};
    now.show.head = 0;
    now.show.query = 1;
    now.show.view = "heads";
    now.seed = 5;
    write("left.headlight", QByteArray::fromStdString(core::writeSession(*base, now)));
    SourceRequest request = requestFor("left.headlight");
    const auto left = ui::openSource(request);
    QVERIFY2(left.ok(), left.ok() ? "" : left.error().text().c_str());
    QCOMPARE(left->state.lessonStep, core::Index(2));
    QCOMPARE(left->state.input.batch->length(), core::Index(3));
    QCOMPARE(left->state.model.config.temperature, 0.5f);
    using core::StatePart;
    for (const StatePart part : {StatePart::Text, StatePart::Masks, StatePart::Temperature})
        QVERIFY(left->state.edits.has(part));
    for (const StatePart part : {StatePart::Scale, StatePart::Interventions})
        QVERIFY(!left->state.edits.has(part));
    QCOMPARE(left->selection.head, core::Index(0));
    QCOMPARE(left->selection.query, std::optional<core::Index>(1));
    QVERIFY(left->selection.key.value_or(0) < 3); // the step's key is outside the text
    QCOMPARE(left->view, QString("heads"));
    QCOMPARE(left->seed, std::optional<quint64>(5));
    // The user's changes are kept in another step.
    request.step = 4;
    const auto step = ui::openSource(request);
    QVERIFY(step.ok());
    QCOMPARE(step->state.lessonStep, core::Index(4));
    QCOMPARE(step->state.input.batch->length(), core::Index(3));
    QCOMPARE(step->state.model.config.temperature, 0.5f);
    QCOMPARE(step->selection.stage, core::Stage::Concatenated);
    QCOMPARE(step->view, QString("flow"));
    // The request overrides all of it.
    request.text = "word";
    request.mask = SourceRequest::Mask::None;
    request.seed = 9;
    const auto asked = ui::openSource(request);
    QVERIFY(asked.ok());
    QCOMPARE(asked->state.input.batch->length(), core::Index(1));
    QVERIFY(asked->state.input.masks.empty());
    QCOMPARE(asked->seed, std::optional<quint64>(9));
}

void Source::whereItWasLeftIsWrong() {
    const auto base = core::readSession(ui::lessonFile("cat").toStdString());
    QVERIFY(base.ok());
    core::SavedState now;
    now.set.temperature = 0.5f;
    const QByteArray good = QByteArray::fromStdString(core::writeSession(*base, now));
    QVERIFY(good.contains("\"temperature\": 0.5"));
    write("wrong.headlight",
          QByteArray(good).replace("\"temperature\": 0.5", "\"temperature\": \"hot\""));
    QVERIFY2(
        errorOf(requestFor("wrong.headlight")).contains("wrong.headlight: now.set.temperature"),
        qPrintable(errorOf(requestFor("wrong.headlight"))));
    write("wrong.headlight", QByteArray(good).replace("\"temperature\": 0.5", "\"text\": \"\""));
    QVERIFY2(errorOf(requestFor("wrong.headlight")).contains("now.set.text"),
             qPrintable(errorOf(requestFor("wrong.headlight"))));
}

void Source::edits() {
    SourceRequest request = requestFor("cat");
    request.text = "one two";
    request.mask = SourceRequest::Mask::CausalAndPadding;
    const auto opened = ui::openSource(request);
    QVERIFY(opened.ok());
    QVERIFY(opened->state.edits.has(core::StatePart::Text));
    QVERIFY(opened->state.edits.has(core::StatePart::Masks));
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
    const auto steps = static_cast<core::Index>(ui::readLesson("cat")->lesson->steps.size());
    row("step",
        QString("--step: there is no step %1; its steps are 0 to %2").arg(steps).arg(steps - 1),
        [steps](auto &r) { r.step = steps; });
    row("no text", "--text: it contains no words; type at least one word or symbol",
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
    write("batch", ui::lessonFile("cat")); // a file has priority over a lesson
    QCOMPARE(ui::kindOfSource("batch"), ui::SourceKind::Session);
    QCOMPARE(QString::fromStdString(ui::openSource(requestFor("batch"))->session.title),
             QString("Two heads, two questions"));
    QVERIFY(QFile::remove("batch"));
    QVERIFY(errorOf(requestFor("broken.headlight")).contains("broken.headlight"));
    QVERIFY(errorOf(requestFor("broken.headlight")).contains("model.heads"));
    QVERIFY(errorOf(requestFor("missing.headlight")).contains("No such file"));
    QDir().mkdir("folder");
    QVERIFY(errorOf(requestFor("folder")).startsWith("folder: it has no config.json"));
    QVERIFY(errorOf(requestFor("x.safetensors")).startsWith("x.safetensors: "));
}

/// A pretrained model reads typed text, and edits are saved with its name.
void Source::folders() {
    const QString model = QString(HEADLIGHT_TEST_DATA) + "/folders/gpt2";
    SourceRequest request = requestFor(model);
    request.tokenIds = std::vector<core::Index>{4, 12, 4};
    const auto opened = ui::openSource(request);
    QVERIFY2(opened.ok(), opened ? "" : opened.error().text().c_str());
    QCOMPARE(opened->session.title, std::string("gpt2"));
    const auto typed = ui::edits::setText(opened->state, {0, 0, ui::InputSide::Own}, "7 1");
    QVERIFY(typed.ok());
    QCOMPARE((*typed->state().input.batch)[0].tokens.size(), std::size_t(2));
    const ui::Snapshot snapshot{std::make_shared<const core::Session>(opened->session),
                                typed->state(),
                                opened->selection,
                                {},
                                {}};
    const std::string bytes = snapshot.bytes(QFileInfo(model).absolutePath().toStdString());
    QVERIFY(bytes.find("\"folder\": \"gpt2\"") != bytes.npos);
    write("gpt2.headlight", QByteArray::fromStdString(snapshot.bytes()));
    const auto again = ui::openSource(requestFor("gpt2.headlight"));
    QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
    QCOMPARE((*again->state.input.batch)[0].text, std::string("7 1"));
}

/// A word is found in a subword vocabulary with its leading space.
void Source::wordsWithSpaces() {
    const QString model = QString(HEADLIGHT_TEST_DATA) + "/../../../shared/models/stories260k";
    if (!QFileInfo::exists(model))
        QSKIP("there are no models in ../shared/models");
    SourceRequest request = requestFor(model);
    request.text = "Lily was happy";
    const auto opened = ui::openSource(request);
    QVERIFY2(opened.ok(), opened ? "" : opened.error().text().c_str());
    QCOMPARE((*opened->state.input.batch)[0][0].text, std::string("<s>"));
    const auto changed =
        ui::edits::changeToken(opened->state, {0, 0, 1, ui::InputSide::Own}, "there");
    QVERIFY(changed.ok());
    QCOMPARE((*changed->state().input.batch)[0][1].text, std::string(" there"));
}

HEADLIGHT_GUILESS_TEST(Source)
#include "tst_source.moc"
