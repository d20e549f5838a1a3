// Opening sessions from a request: the session as requested, or an error that names the impossible
// part.
#include "tests/support/trained_model.h"
#include "tests/ui/document/document_fixture.h"
#include "ui/document/learned_model.h"
#include "ui/document/new_session.h"
#include "ui/document/source_reader.h"
#include "ui/text/core_message.h"

using ui::SourceRequest;
Q_DECLARE_METATYPE(headlight::ui::SourceRequest)
using ui::OpenedSource;
using ui::SourceReader;

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

class Source : public QObject {
    Q_OBJECT

    QString path(const QString &name) const { return QString(HEADLIGHT_TEST_SCRATCH) + '/' + name; }
    void write(const QString &name, const QByteArray &bytes) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

    /// The delivered sources and errors, in order.
    QStringList m_taken;
    SourceReader::Take take() {
        return [this](const core::Result<OpenedSource> &opened) {
            QCOMPARE(QThread::currentThread(), thread());
            m_taken << (opened ? opened->source : QString::fromStdString(opened.error().text()));
        };
    }
    void readWhole(SourceReader &reader, const QString &source) {
        reader.read(requestFor(source), take());
        HEADLIGHT_UNTIL(!reader.isReading());
    }

  private slots:
    void initTestCase() {
        write("good.headlight", ui::lessonFile("cat"));
        write("broken.headlight", ui::lessonFile("cat").replace("\"heads\": 2", "\"heads\": 0"));
        write("x.safetensors", "");
        QDir::setCurrent(HEADLIGHT_TEST_SCRATCH);
        QFile::remove("batch");
    }

    void kinds() {
        using enum ui::SourceKind;
        QDir().mkdir("folder");
        const std::pair<const char *, ui::SourceKind> kinds[] = {
            {"bank", Lesson},
            {"batch", Lesson},
            {"./bank", Session},
            {"good.headlight", Session},
            {"missing.headlight", Session},
            {"missing.safetensors", Capture},
            {"folder", ModelFolder},
            {".", Course}, // this folder has lessons
            {"a.headlight-course", Course},
            {"a.headlight-course/b", CourseLesson},
            {"a.headlight-course/", Session},
            {"a.headlight-course/b/c", Session},
            {"bonk", Unknown},
            {"", Unknown}};
        for (const auto &[source, kind] : kinds)
            QVERIFY2(ui::kindOfSource(source) == kind, source);
        QCOMPARE(ui::withoutFolder("x/a.headlight-course/b"), QString("a.headlight-course/b"));
    }

    void theFirstLesson() {
        const auto opened = test::valueOf(ui::openSource({}));
        QCOMPARE(opened.source, ui::openingLesson());
        QCOMPARE(opened.view, QString("close-up"));
        QCOMPARE(opened.selection.stage, core::Stage::Embeddings); // set by the lesson's first step
    }

    /// Lessons, sessions and models are opened with a checked pair of model and input, to which all
    /// changes of the request are applied.
    void whatIsOpenedIsChecked() {
        SourceRequest changed = requestFor("cat");
        changed.step = 1;
        changed.text = "the mat sat";
        changed.silencedHeads = {{.head = 1}};
        for (const SourceRequest &request :
             {requestFor("cat"), changed, requestFor(test::sessionPath("encoder_decoder")),
              requestFor(HEADLIGHT_TEST_DATA "/folders/gpt2")}) {
            const auto opened = test::valueOf(ui::openSource(request));
            QVERIFY(opened.computable);
            QVERIFY(opened.computable->model() == opened.state.model);
            QVERIFY(opened.computable->input() == opened.state.input);
        }
        const auto made = test::valueOf(ui::makeSession({.text = "a b", .width = 8}));
        QVERIFY(made.computable && made.computable->input() == made.state.input);
    }

    /// A state that the reader has checked is opened as it is. Parameters are compared by identity,
    /// so a state that was patched again would be a different one.
    void whatWasReadIsNotCheckedAgain() {
        const QString path = test::sessionPath("encoder_decoder");
        const auto base = test::valueOf(ui::openSource(requestFor(path)));
        QVERIFY(base.session.computable);
        QVERIFY(base.session.computable->isOf(base.state.model, base.state.input));
        core::SavedState now;
        now.set.temperature = 0.5f;
        const core::ParameterId gain{0, core::ParameterKind::NormGain};
        now.set.parameters.push_back({.id = gain, .cells = {{0, 0, 2.0f}}, .whole = nullptr});
        write("saved.headlight", QByteArray::fromStdString(core::writeSession(base.session, now)));
        const auto saved = test::valueOf(ui::openSource(requestFor("saved.headlight")));
        QVERIFY(saved.session.now && saved.session.now->computable);
        QVERIFY(saved.session.now->computable->isOf(saved.state.model, saved.state.input));
        QVERIFY(!saved.session.computable->isOf(saved.state.model, saved.state.input));
        QCOMPARE(saved.state.model.config.temperature, 0.5f);
        QVERIFY(saved.state.edits.has(gain));
        const auto lesson = test::valueOf(ui::openSource(requestFor("block")));
        now.set.parameters.front().id = {0, core::ParameterKind::Query};
        while (lesson.session.lesson->steps[static_cast<std::size_t>(now.step)].set ==
               core::StatePatch())
            ++now.step;
        write("left.headlight", QByteArray::fromStdString(core::writeSession(lesson.session, now)));
        const auto left = test::valueOf(ui::openSource(requestFor("left.headlight")));
        QCOMPARE(left.state.lessonStep, now.step);
        QVERIFY(left.session.now->computable->isOf(left.state.model, left.state.input));
        const auto folder =
            test::valueOf(ui::openSource(requestFor(HEADLIGHT_TEST_DATA "/folders/gpt2")));
        QVERIFY(folder.session.computable->isOf(folder.state.model, folder.state.input));
    }

    void modelsThatLearned() {
        for (const QString &id : ui::modelIds()) {
            QVERIFY(ui::kindOfSource(id) == ui::SourceKind::Lesson);
            const auto opened = test::valueOf(ui::openSource(requestFor(id)));
            QVERIFY(opened.state.training); // the run can be continued
            QCOMPARE(opened.state.training->step, opened.state.training->recipe.steps);
            QVERIFY(opened.session.warnings.empty());
            // The list of models has the right properties, although it does not read the models.
            const ui::LearnedModel &model = ui::learnedModels()[ui::modelIds().indexOf(id)];
            const core::Recipe &recipe = opened.state.training->recipe;
            QCOMPARE(model.id, id);
            QCOMPARE(model.title, QString::fromStdString(opened.session.title));
            QCOMPARE(core::Index(model.layers), recipe.architecture.layers);
            QCOMPARE(core::Index(model.steps), recipe.steps);
            QVERIFY(model.accuracy >= 0.98);
            QVERIFY(model.command.contains("--seed " + QString::number(recipe.seed)));
            QVERIFY(ui::summaryOf(model).contains(QString::number(model.steps)));
            QVERIFY(!model.task.isEmpty());
        }
    }

    void scoresBeyondTheText() {
        const auto base = test::valueOf(core::readSession(ui::lessonFile("cat").toStdString()));
        core::SavedState now;
        now.set.interventions = core::Interventions();
        now.set.interventions->setScore({0, 0, 0, 0, 1, 2.0f});
        now.set.interventions->setScore({0, 0, 1, 5, 0, 3.0f});
        now.set.masks = core::MaskLayers{core::CellMask{{{0, 0, 1, false}, {0, 4, 4, false}}},
                                         core::CausalMask{}};
        write("scores.headlight", QByteArray::fromStdString(core::writeSession(base, now)));
        SourceRequest request = requestFor("scores.headlight");
        request.text = "one two";
        const auto opened = test::valueOf(ui::openSource(request));
        const core::Input &input = opened.state.input;
        QCOMPARE(input.interventions.scores.size(), std::size_t(1));
        QCOMPARE(input.interventions.scores[0].key, core::Index(1));
        QCOMPARE(input.masks.size(), std::size_t(2));
        QCOMPARE(std::get<core::CellMask>(input.masks[0]).cells.size(), std::size_t(1));
    }

    void whereItWasLeft() {
        const auto base = test::valueOf(core::readSession(ui::lessonFile("cat").toStdString()));
        core::SavedState now;
        now.step = 2;
        now.set.text = "one two three";
        now.set.temperature = 0.5f;
        now.set.masks = core::MaskLayers{core::CausalMask{}};
        now.show.head = 0;
        now.show.query = 1;
        now.show.view = "heads";
        now.seed = 5;
        write("left.headlight", QByteArray::fromStdString(core::writeSession(base, now)));
        SourceRequest request = requestFor("left.headlight");
        const auto left = test::valueOf(ui::openSource(request));
        QCOMPARE(left.state.lessonStep, core::Index(2));
        QCOMPARE(left.state.input.batch->length(), core::Index(3));
        QCOMPARE(left.state.model.config.temperature, 0.5f);
        using core::StatePart;
        for (const StatePart part : {StatePart::Text, StatePart::Masks, StatePart::Temperature})
            QVERIFY(left.state.edits.has(part));
        for (const StatePart part : {StatePart::Scale, StatePart::Interventions})
            QVERIFY(!left.state.edits.has(part));
        QVERIFY(test::isAt(left.selection, {.query = 1, .head = 0}));
        QVERIFY(left.selection.key.value_or(0) < 3); // the step's key is outside the text
        QCOMPARE(left.view, QString("heads"));
        QCOMPARE(left.seed, std::optional<quint64>(5));
        // The user's changes also apply in another step.
        request.step = 4;
        const auto step = test::valueOf(ui::openSource(request));
        QCOMPARE(step.state.lessonStep, core::Index(4));
        QCOMPARE(step.state.input.batch->length(), core::Index(3));
        QCOMPARE(step.state.model.config.temperature, 0.5f);
        QCOMPARE(step.selection.stage, core::Stage::Concatenated);
        QCOMPARE(step.view, QString("close-up"));
        // The request overrides all of the user's changes.
        request.text = "word";
        request.mask = SourceRequest::Mask::None;
        request.seed = 9;
        const auto asked = test::valueOf(ui::openSource(request));
        QCOMPARE(asked.state.input.batch->length(), core::Index(1));
        QVERIFY(asked.state.input.masks.empty());
        QCOMPARE(asked.seed, std::optional<quint64>(9));
    }

    void files() {
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

    /// A typed text without words is called empty, whether or not the model has a tokenizer.
    void anEmptyText() {
        const QString empty = QStringLiteral("the text is empty; type at least one word");
        const QString folder = QString(HEADLIGHT_TEST_DATA) + "/folders/gpt2";
        for (const QString &source : {folder, QStringLiteral("cat")}) {
            const ui::DocumentState state = test::opened(source).state;
            for (const auto &change :
                 {ui::edits::setText(state, {0, 0, ui::InputSide::Own}, QString()),
                  ui::edits::addText(state, 0, QString())}) {
                QVERIFY(!change.ok());
                QCOMPARE(ui::translated(change.error()), empty);
            }
        }
        // A text of padding is not empty.
        const auto padding = core::Batch::ofWords({{"[PAD]"}});
        QVERIFY(!padding.ok());
        QCOMPARE(ui::translated(padding.error().what),
                 QStringLiteral("the sequence contains only padding"));
    }

    /// A pretrained model reads typed text, and edits are saved with its name.
    void folders() {
        const QString model = QString(HEADLIGHT_TEST_DATA) + "/folders/gpt2";
        SourceRequest request = requestFor(model);
        request.tokenIds = std::vector<core::Index>{4, 12, 4};
        const auto opened = test::valueOf(ui::openSource(request));
        QCOMPARE(opened.session.title, std::string("gpt2"));
        const auto typed =
            test::valueOf(ui::edits::setText(opened.state, {0, 0, ui::InputSide::Own}, "7 1"));
        QCOMPARE((*typed.state().input.batch)[0].tokens.size(), std::size_t(2));
        const ui::Snapshot snapshot{std::make_shared<const core::Session>(opened.session),
                                    typed.state(),
                                    opened.selection,
                                    {},
                                    {}};
        const std::string bytes = snapshot.bytes(QFileInfo(model).absolutePath().toStdString());
        QVERIFY(bytes.find("\"folder\": \"gpt2\"") != bytes.npos);
        write("gpt2.headlight", QByteArray::fromStdString(snapshot.bytes()));
        const auto again = test::valueOf(ui::openSource(requestFor("gpt2.headlight")));
        QCOMPARE((*again.state.input.batch)[0].text, std::string("7 1"));
    }

    /// A word is found in a subword vocabulary with its leading space.
    void wordsWithSpaces() {
        HEADLIGHT_TRAINED(model, "stories260k");
        SourceRequest request = requestFor(model);
        request.text = "Lily was happy";
        const auto opened = test::valueOf(ui::openSource(request));
        QCOMPARE((*opened.state.input.batch)[0][0].text, std::string("<s>"));
        const auto changed =
            ui::edits::changeToken(opened.state, {0, 0, 1, ui::InputSide::Own}, "there");
        QVERIFY(changed.ok());
        QCOMPARE((*changed->state().input.batch)[0][1].text, std::string(" there"));
    }

    /// Silenced and scaled heads in a request are the same edits that the window makes.
    void headsOffAndScaled() {
        SourceRequest request = requestFor("cat");
        request.silencedHeads = {ui::HeadName{{}, {}, 0, 1}};
        request.scaledHeads = {ui::ScaledHead{ui::HeadName{{}, {}, 0, 0}, 0.5F}};
        const auto plain = test::valueOf(ui::openSource(requestFor("cat")));
        const auto edited = test::valueOf(ui::openSource(request));
        const auto off =
            test::valueOf(ui::edits::setHead(plain.state, {}, 1, core::HeadState::Zero));
        QVERIFY(edited.state.input.interventions == off.state().input.interventions);
        const core::ParameterMatrix &before = *plain.state.model.attentionParameters({}).output;
        const core::ParameterMatrix &after = *edited.state.model.attentionParameters({}).output;
        for (core::Index row = 0; row < before.rows(); ++row)
            for (core::Index column = 0; column < before.columns(); ++column) {
                const float factor = row < plain.state.model.config.valueWidth() ? 0.5F : 1;
                QCOMPARE(after(row, column), factor * before(row, column));
            }
        request.scaledHeads[0].factor = std::numeric_limits<float>::infinity();
        QVERIFY(test::says(errorOf(request), {"--scale-head", "not finite"}));
        request.scaledHeads.clear();
        request.silencedHeads[0].head = 2;
        QVERIFY(test::says(errorOf(request), {"--silence", "layer 0 has no head 2", "0 to 1"}));
    }

    void contentThatWasReadAlready() {
        SourceRequest request = requestFor("cat");
        request.content = std::make_shared<const core::Session>(
            test::valueOf(ui::openSource(requestFor("bank"))).session);
        request.text = "the river";
        const auto opened = test::valueOf(ui::openSource(request));
        QCOMPARE(opened.session.title, request.content->title);
        QCOMPARE(opened.source, QString("cat"));
        QCOMPARE(opened.state.input.batch->sequences().front().text, std::string("the river"));
    }

    void init() { m_taken.clear(); }

    void readsBesideItsCaller() {
        SourceReader reader;
        QSignalSpy started(&reader, &SourceReader::started);
        QSignalSpy ended(&reader, &SourceReader::ended);
        reader.read(requestFor("cat"), take());
        QVERIFY(reader.isReading());
        QVERIFY(m_taken.isEmpty());
        QCOMPARE(started.size(), 1);
        QCOMPARE(ended.size(), 0);
        HEADLIGHT_UNTIL(!reader.isReading());
        QCOMPARE(m_taken, QStringList{"cat"});
        QCOMPARE(ended.size(), 1);
    }

    void whatIsCancelledNeverComes() {
        SourceReader reader;
        reader.read(requestFor("bank"), take());
        QSignalSpy ended(&reader, &SourceReader::ended);
        reader.cancel();
        QVERIFY(!reader.isReading());
        QCOMPARE(ended.size(), 1);
        reader.cancel(); // nothing to cancel
        QCOMPARE(ended.size(), 1);
        readWhole(reader, "cat");
        QCOMPARE(m_taken, QStringList{"cat"});
    }
};

HEADLIGHT_GUILESS_TEST(Source)
#include "tst_source.moc"
