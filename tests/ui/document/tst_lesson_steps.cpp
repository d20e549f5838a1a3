// Going through a lesson: a step is a patch of the base, and the user's edits stay until a step or
// Reset overrides them.
#include "tests/ui/document/document_fixture.h"

class LessonStepsTest : public QObject {
    Q_OBJECT

    static QStringList kinds(const Document &document) {
        QStringList kinds;
        for (const core::MaskLayer &layer : document.state().input.masks)
            kinds << QString::fromStdString(core::kindOf(layer));
        return kinds;
    }

    /// Returns the first step of the lesson that sets these masks.
    static core::Index stepWithMasks(const Document &document, const core::MaskLayers &masks) {
        const auto &steps = document.session().lesson->steps;
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps[i].set.masks && *steps[i].set.masks == masks)
                return static_cast<core::Index>(i);
        return -1;
    }

  private slots:
    /// With a text of one word, every step of every lesson still selects something that exists.
    void aShorterTextHasWhatIsSelected() {
        int questions = 0;
        for (const QString &id : ui::lessonIds()) {
            const std::size_t count = opened(id).session.lesson->steps.size();
            for (std::size_t step = 0; step < count; ++step) {
                ui::SourceRequest request;
                request.source = id;
                request.step = static_cast<core::Index>(step);
                request.text = "bank";
                core::Result<ui::OpenedSource> source = ui::openSource(request);
                if (!source)
                    continue; // the step has a text of two sequences, or the model lacks the word
                Document document;
                document.open(*std::move(source));
                questions += document.askedQuestion() ? 1 : 0;
                QVERIFY2(document.selection() ==
                             ui::fittingSelection(document.selection(), document.state()),
                         test::said("%1, step %2", id, step));
            }
        }
        QVERIFY(questions > 10);
    }

    /// Going to a step, or opening one that was saved with changes, does not check its state again.
    void noStepIsCheckedAgain() {
        int changing = 0;
        for (const QString &id : ui::lessonIds()) {
            const ui::OpenedSource source = opened(id);
            ui::DocumentState state = source.state;
            const std::size_t count = source.session.lesson->steps.size();
            for (std::size_t step = 0; step < count; ++step) {
                const auto index = static_cast<core::Index>(step);
                state = test::valueOf(ui::stateAtStep(source.session, index, state));
                QVERIFY2(core::findChecked(source.session, state.model, state.input),
                         test::said("%1, step %2", id, step));
                changing += source.session.lesson->steps[step].set != core::StatePatch() ? 1 : 0;
            }
        }
        QVERIFY(changing > 10);
    }

    /// A step collapses arithmetic that the user expanded, unless the step shows it.
    void aStepSaysWhetherTheArithmeticIsOpened() {
        OpenDocument document("bank");
        const auto &steps = document.session().lesson->steps;
        int open = 0;
        for (std::size_t i = 1; i < steps.size(); ++i) {
            test::select(document, {.opened = true});
            QVERIFY(document.goToStep(static_cast<core::Index>(i)).ok());
            QVERIFY(settled(document));
            document.answer({}); // skips the question if the step has one
            QCOMPARE(document.selection().opened, steps[i].show.opened.value_or(false));
            open += document.selection().opened ? 1 : 0;
        }
        QVERIFY(open > 0 && open < 4);
    }

    void ownEditsStayUntilAStepSetsThem() {
        OpenDocument document("look-ahead");
        const core::Index both = stepWithMasks(document, {core::CausalMask{}, core::PaddingMask{}});
        QVERIFY(both > 0);
        QVERIFY(test::setPositions(document, core::Positions::Sinusoidal).ok());
        QVERIFY(test::setMasks(document, {core::WindowMask{2, false}}).ok());
        QVERIFY(document.goToStep(both).ok());
        QCOMPARE(kinds(document), QStringList({"causal", "padding"})); // set by the step
        QVERIFY(document.state().model.config.positions ==
                core::Positions::Sinusoidal); // still as the user set it
        QVERIFY(document.isEdited());
        QVERIFY(document.resetEdits().ok());
        QVERIFY(document.state().model.config.positions == core::Positions::None);
        QCOMPARE(kinds(document), QStringList({"causal", "padding"}));
        QVERIFY(!document.isEdited());
    }

    void whatNobodyCanAnswerIsNotAsked() {
        test::ReadyDocument document("two-heads", 2);
        QVERIFY(document.goToStep(3).ok()); // asks about the row of "bank"
        QVERIFY(settled(document));
        QVERIFY(document.askedQuestion());
        QVERIFY(document.goToStep(2).ok());
        QVERIFY(test::typeText(document, "The friend can be a lender.").ok());
        QVERIFY(document.goToStep(3).ok());
        QVERIFY(settled(document));
        QVERIFY(!document.askedQuestion());
        QVERIFY(!document.answers().chosen(3));
        document.askAgain(); // the user requests the question
        QVERIFY(document.askedQuestion());
        // The question is also omitted if the step must be computed first.
        document.open(opened("scaling", 2));
        QVERIFY(test::typeText(document, "a big ship rests in the harbour").ok());
        QVERIFY(document.goToStep(6).ok()); // asks about "sails" and "boat"
        QVERIFY(document.askedQuestion());  // undecided until the trace is computed
        QVERIFY(settled(document));
        QVERIFY(!document.askedQuestion());
        // Editing the text while the question is shown does not remove the question.
        document.open(opened("two-heads", 3));
        QVERIFY(settled(document));
        QVERIFY(test::typeText(document, "The friend can be a lender.").ok());
        QVERIFY(settled(document));
        QVERIFY(document.askedQuestion());
    }

    void undoGoesBackAStep() {
        OpenDocument document("bank");
        QVERIFY(document.goToStep(1).ok());
        QVERIFY(document.goToStep(2).ok());
        document.undoStack().undo();
        QCOMPARE(document.state().lessonStep, 1);
        document.undoStack().undo();
        QCOMPARE(document.state().lessonStep, 0);
    }

    /// Steps that remove the norm or read another source text work after the user's edits.
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
        document.open(test::valueOf(ui::withComputable(std::move(opened))));
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
};

HEADLIGHT_GUILESS_TEST(LessonStepsTest)
#include "tst_lesson_steps.moc"
