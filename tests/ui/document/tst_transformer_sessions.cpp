// Sessions of every kind of transformer in a document: opened, viewed everywhere, changed, saved
// and opened again.
#include "tests/ui/document/document_fixture.h"

class TransformerSessionsTest : public QObject {
    Q_OBJECT

    /// Changes every switch that requires no new matrix, one number of each parameter, and both
    /// texts.
    static ui::Edit everythingChanged(const ui::DocumentState &before) {
        ui::Edit edit{before, {}};
        core::Model &model = edit.state.model;
        model.config.residual = true;
        model.config.temperature = 2;
        model.config.scaleEmbeddings = !model.config.scaleEmbeddings;
        model.config.norm.epsilon = 0.5f;
        model.config.feedForward.activation = core::Activation::Silu;
        for (const core::ParameterId &id : core::allParameters(model.parameters)) {
            core::Parameter &parameter = core::parameterOf(model.parameters, id);
            if (!parameter)
                continue;
            core::Matrix matrix = *parameter->toMatrix();
            matrix(matrix.rows() - 1, matrix.columns() - 1) = 0.75f;
            parameter = core::makeParameter(std::move(matrix));
        }
        core::Input &input = edit.state.input;
        const auto shortened = [](const core::BatchPointer &batch) {
            std::vector<std::vector<std::string>> tokens;
            for (const core::Sequence &sequence : batch->sequences())
                tokens.push_back({sequence.tokens.front().text});
            return *core::Batch::ofWords(std::move(tokens), batch->length());
        };
        input.batch = shortened(input.batch);
        if (input.source)
            input.source = shortened(input.source);
        input.crossMasks.emplace_back(core::DiagonalMask());
        input.encoderMasks.clear();
        for (const core::AttentionId attention : model.attentions())
            input.interventions.setHead(attention, 1, core::HeadState::Mean);
        return edit;
    }

  private slots:
    /// Steps that remove the norm or read another source, after edits of the user.
    void stepsTakeWhatAPersonChanged() {
        QFile file(QString(HEADLIGHT_SESSIONS) + "/encoder_decoder.headlight");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray json = file.readAll();
        json.insert(json.lastIndexOf('}'), R"(, "lesson": {"summary": "", "steps": [
          {"title": "", "text": []},
          {"title": "", "text": [], "set": {"norm": {"kind": "none"}}},
          {"title": "", "text": [],
           "set": {"source": {"sequences": [{"text": "the milk"}, {"text": "cold"}]}}}]})");
        const core::Result<core::Session> session = core::readSession(json.toStdString());
        QVERIFY(test::isOk(session));
        Document document;
        ui::OpenedSource opened;
        opened.session = *session;
        opened.state = {session->model, session->input, 0, {}};
        document.open(std::move(opened));
        ui::Edit edit{document.state(), {}};
        const core::ParameterId gain{0, core::ParameterKind::NormGain};
        core::parameterOf(edit.state.model.parameters, gain) =
            core::makeParameter(core::Matrix(1, 8, std::vector<float>(8, 2)));
        QVERIFY(document.apply(ui::checked(edit)).ok());
        QVERIFY(document.goToStep(1).ok());
        QVERIFY(!core::parameterOf(document.state().model.parameters, gain));
        QVERIFY(core::Computable::of(document.state().model, document.state().input));
        QVERIFY(document.goToStep(0).ok());
        QCOMPARE(core::parameterOf(document.state().model.parameters, gain),
                 core::parameterOf(session->model.parameters, gain));

        edit.state = document.state();
        edit.state.input.batch =
            *core::Batch::ofWords({{"der"}, {"die"}}, document.state().input.batch->length());
        QVERIFY(document.apply(ui::checked(edit)).ok());
        QVERIFY(document.goToStep(2).ok());
        QCOMPARE((*document.state().input.source)[1].text, std::string("cold"));
        QVERIFY(core::Computable::of(document.state().model, document.state().input));
    }

    void everyKind_data() { test::addRows("path", test::allSessions()); }

    void everyKind() {
        QFETCH(QString, path);
        ui::SourceRequest request;
        request.source = path;
        auto source = test::valueOf(ui::openSource(request));
        test::ReadyDocument document(source);
        QVERIFY(document.state().model.hasAttention(document.selection().attention()));
        for (const core::AttentionId attention : document.state().model.attentions()) {
            core::Selection selection = document.selection();
            selection.setAttention(attention);
            selection.head =
                std::min(selection.head, document.state().model.headsOf(attention.stack) - 1);
            selection.stage = core::Stage::Context;
            selection.query = 1;
            document.select(selection);
            QCOMPARE(document.selection(), selection);
            QCOMPARE(test::reopened(document).selection, selection);
        }
        ui::Edit edit = everythingChanged(document.state());
        if (!document.state().model.hasCrossAttention())
            edit.state.input.crossMasks.clear();
        const core::Outcome applied = document.apply(ui::checked(edit));
        QVERIFY(test::isOk(applied));
        const ui::OpenedSource again = test::reopened(document);
        core::Session now;
        now.model = document.state().model;
        now.input = document.state().input;
        QVERIFY(core::differenceOf(now, again.state.model, again.state.input) ==
                core::StatePatch{});
        QVERIFY(
            !(core::differenceOf(document.session(), now.model, now.input) == core::StatePatch{}));
        document.undoStack().undo();
        QVERIFY(!document.isModified());
    }
};

HEADLIGHT_GUILESS_TEST(TransformerSessionsTest)
#include "tst_transformer_sessions.moc"
