// A lesson that the user writes is part of the document's state: its edits are undone, saved and
// recovered like all others.
#include "tests/ui/document/document_fixture.h"
#include "ui/document/new_lesson.h"

namespace {

template <typename Change>
core::Outcome editStep(Document &document, Change change, int gesture = Document::kNoGesture) {
    return document.apply(ui::edits::editStep(document.state(), document.session(), "Step", change),
                          gesture);
}

core::Outcome setTitle(Document &document, const char *title, int gesture = Document::kNoGesture) {
    return editStep(
        document, [title](core::LessonStep &step) { step.title = title; }, gesture);
}

const core::ParameterId kQueryId{0, core::ParameterKind::Query};

core::Outcome setQuery(Document &document, float value) {
    const ui::MatrixId query{ui::MatrixId::Kind::Parameter, kQueryId, {}, 0};
    return document.apply(ui::edits::setCells(document.state(), query, {{0, 0, value}}));
}

QString titles(const Document &document) {
    QStringList titles;
    for (const core::LessonStep &step : document.session().lesson->steps)
        titles << QString::fromStdString(step.title);
    return titles.join('|');
}

/// Opens a document at `step` of a lesson with the steps A, B and C.
void openCounted(Document &document, core::Index step) {
    document.open(test::opened("bank"));
    QVERIFY(document
                .apply(ui::edits::editLesson(document.state(), document.session(), "Shorter",
                                             [](ui::LessonDraft &draft) {
                                                 auto &steps = draft.lesson.steps;
                                                 steps.resize(3);
                                                 const char *names[] = {"A", "B", "C"};
                                                 for (std::size_t i = 0; i < 3; ++i)
                                                     steps[i].title = names[i];
                                             }))
                .ok());
    QVERIFY(document.goToStep(step).ok());
}

bool sameBits(const core::Tensor &a, const core::Tensor &b) {
    const core::SharedNumbers x = a.values(), y = b.values();
    return a.shape() == b.shape() && x.size() == y.size() &&
           std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
}

ui::edits::WindowState seen(const Document &document) {
    ui::edits::WindowState seen{ui::placeOf(document.selection(), document.state()), {}};
    seen.place.view = "heads";
    seen.look.granularity = core::Granularity::Row;
    return seen;
}

} // namespace

class LessonDraftsTest : public QObject {
    Q_OBJECT

  private slots:
    void whatIsTypedIsOneUndoStepAndIsSaved() {
        test::ReadyDocument document("bank");
        const quint64 first = reinterpret_cast<quint64>(document.trace().get());
        const int gesture = document.newGesture();
        QVERIFY(setTitle(document, "M", gesture).ok());
        QVERIFY(setTitle(document, "Mi", gesture).ok());
        QVERIFY(setTitle(document, "Mine", gesture).ok());
        QCOMPARE(document.undoStack().count(), 1);
        QVERIFY(document.isModified());
        QVERIFY(!document.isEdited()); // an edit of the lesson is not an edit that Reset undoes
        QVERIFY(!document.traceIsStale());
        QCOMPARE(reinterpret_cast<quint64>(document.trace().get()),
                 first); // the trace is not recomputed
        const ui::OpenedSource again = test::reopened(document);
        QCOMPARE(again.session.lesson->steps[0].title, std::string("Mine"));
        QCOMPARE(again.session.lesson->steps.size(), document.session().lesson->steps.size());
        QCOMPARE(again.session.json, document.snapshot("close-up").bytes());
        document.setSaved("saved.headlight");
        QVERIFY(!document.isModified());
        document.undoStack().undo();
        QVERIFY(document.session().lesson->steps[0].title != "Mine");
        QVERIFY(document.isModified()); // the file has the edited title
        document.undoStack().redo();
        QVERIFY(!document.isModified());
    }

    void stepsAreAddedCopiedMovedAndRemoved() {
        Document document;
        openCounted(document, 1);
        const auto apply = [&](const core::Result<ui::Change> &change) {
            return document.apply(change).ok();
        };
        QVERIFY(apply(ui::edits::addStep(document.state(), document.session(), seen(document))));
        QCOMPARE(titles(document), QString("A|B|New step|C"));
        QCOMPARE(document.state().lessonStep, core::Index(2));
        QCOMPARE(document.requestedView(), QString("heads"));
        QVERIFY(document.lessonStep()->look.granularity == core::Granularity::Row);
        QVERIFY(apply(ui::edits::moveStep(document.state(), document.session(), 2, 0)));
        QCOMPARE(titles(document), QString("New step|A|B|C"));
        QCOMPARE(document.state().lessonStep, core::Index(0));
        QVERIFY(apply(ui::edits::moveStep(document.state(), document.session(), 3, 0)));
        QCOMPARE(titles(document), QString("C|New step|A|B"));
        QCOMPARE(document.state().lessonStep, core::Index(1)); // still at the same step
        QVERIFY(apply(ui::edits::duplicateStep(document.state(), document.session())));
        QCOMPARE(titles(document), QString("C|New step|New step|A|B"));
        QCOMPARE(document.state().lessonStep, core::Index(2));
        QVERIFY(apply(ui::edits::removeStep(document.state(), document.session())));
        QVERIFY(apply(ui::edits::removeStep(document.state(), document.session())));
        QCOMPARE(titles(document), QString("C|New step|B"));
        for (int i = 0; i < 7; ++i) // six edits, and the move to step 1
            document.undoStack().undo();
        QCOMPARE(titles(document), QString("A|B|C"));
        while (document.undoStack().canUndo())
            document.undoStack().undo();
        QVERIFY(!document.isModified());
        QVERIFY(document.session().lesson->steps.size() > 3);
        while (document.undoStack().canRedo())
            document.undoStack().redo();
        QCOMPARE(titles(document), QString("C|New step|B"));
        // The last step cannot be removed.
        QVERIFY(apply(ui::edits::removeStep(document.state(), document.session())));
        QVERIFY(apply(ui::edits::removeStep(document.state(), document.session())));
        QVERIFY(!apply(ui::edits::removeStep(document.state(), document.session())));
        QVERIFY(!apply(ui::edits::moveStep(document.state(), document.session(), 0, 1)));
    }

    void whatWasChangedBecomesTheSteps() {
        Document document;
        openCounted(document, 1);
        QVERIFY(setQuery(document, 7).ok());
        QVERIFY(document.isEdited());
        QVERIFY(
            document.apply(ui::edits::setWhatIsChanged(document.state(), document.session())).ok());
        QVERIFY(!document.isEdited()); // the change is part of the step now
        QCOMPARE(document.session().lesson->steps[1].set.parameters.size(), std::size_t(1));
        const auto numberNow = [&document] {
            const auto &weights = document.state().model.parameters;
            return (*parameterOf(weights, kQueryId))(0, 0);
        };
        QCOMPARE(numberNow(), 7.0F);
        QVERIFY(document.goToStep(0).ok());
        QVERIFY(numberNow() != 7.0F);
        QVERIFY(document.goToStep(1).ok());
        QCOMPARE(numberNow(), 7.0F);
        QVERIFY(setQuery(document, 8).ok());
        QVERIFY(document.resetEdits().ok());
        QCOMPARE(numberNow(), 7.0F);
        QCOMPARE(titles(document), QString("A|B|C")); // Reset does not undo edits of the lesson
        const ui::OpenedSource again = test::reopened(document);
        QCOMPARE(again.state.lessonStep, core::Index(1));
        QVERIFY(core::sameNumbers(parameterOf(again.state.model.parameters, kQueryId),
                                  parameterOf(document.state().model.parameters, kQueryId)));
        QVERIFY(document.apply(ui::edits::setNothing(document.state(), document.session())).ok());
        QVERIFY(numberNow() != 7.0F);
        QVERIFY(document.session().lesson->steps[1].set == core::StatePatch());
    }

    void whatWasChangedSolvesAnExercise() {
        Document document;
        openCounted(document, 1);
        const auto taken = [&] {
            const auto change =
                ui::edits::takeSolution(document.state(), document.session(),
                                        document.traceIsStale() ? nullptr : document.trace());
            const core::Outcome outcome =
                change ? document.apply(*change) : core::Outcome(change.error());
            return outcome ? std::string() : outcome.error().what.text();
        };
        const auto setGoals = [&](const std::vector<core::Goal> &goals) {
            return editStep(document,
                            [&](core::LessonStep &step) { step.exercise.emplace().goals = goals; })
                .ok();
        };
        QCOMPARE(taken(), std::string("this step has no exercise"));
        const std::string less = "weights 0 0 bank money < 0.5";
        QVERIFY(setGoals({{"more", "weights 0 0 bank money > 0.5"}, {"", less}}));
        QCOMPARE(taken(), std::string("nothing was changed"));
        QVERIFY(setQuery(document, -9).ok());
        QCOMPARE(taken(), std::string("your changes are still being computed"));
        QVERIFY(settled(document));
        QCOMPARE(
            taken(),
            std::string("your changes do not solve the exercise; not reached: \u201cmore\u201d"));
        QVERIFY(document.session().lesson->steps[1].exercise->solution == core::StatePatch());
        QVERIFY(setGoals({{"less", less}, {"", ""}})); // one goal has no condition
        QCOMPARE(taken(),
                 std::string("your changes do not solve the exercise; not reached: goal 2"));
        QVERIFY(setGoals({{"less", less}}));
        QCOMPARE(taken(), std::string());
        QVERIFY(document.isEdited()); // setting goals does not change the start of the step
        QVERIFY(document.resetEdits().ok());
        QVERIFY(document.showSolution().ok());
        QVERIFY(document.isEdited());
    }

    void whatIsSetByHandIsNoSolution() {
        Document document;
        openCounted(document, 1);
        QVERIFY(editStep(document, [](core::LessonStep &step) {
                    step.exercise.emplace().goals = {{"set", "scores 0 0 bank money > 6"}};
                }).ok());
        QVERIFY(document.apply(ui::edits::setScores(document.state(), {{0, 0, 0, 1, 0, 7}})).ok());
        QVERIFY(settled(document));
        const auto take = [&] {
            return ui::edits::takeSolution(document.state(), document.session(), document.trace());
        };
        QCOMPARE(take().error().what.text(),
                 std::string("overridden heads and scores do not count"));
        QVERIFY(
            editStep(document, [](core::LessonStep &step) { step.exercise->byHand = true; }).ok());
        QVERIFY(take().ok());
    }

    void whatNoFileCanHoldIsRefused() {
        Document document;
        openCounted(document, 0);
        const int before = document.undoStack().count();
        QVERIFY(!editStep(document, [](core::LessonStep &step) {
                     step.text = {std::string(20000, 'x')};
                 }).ok());
        QCOMPARE(document.undoStack().count(), before);
    }

    void whatAStepShowsOfSoftmaxIsNotWhereOneLooks() {
        test::ReadyDocument document("bank");
        QVERIFY(document.apply(ui::edits::setOwnLogits(document.state(), {1, 2, 3})).ok());
        QVERIFY(document.isEdited());
        const auto take = [&] {
            return editStep(document, [&](core::LessonStep &step) {
                step.show.view = "softmax";
                step.show.softmax = document.state().softmax;
            });
        };
        QVERIFY(take().ok());
        QVERIFY(!document.isEdited()); // the logits are part of the step now
        const ui::OpenedSource same = test::reopened(document);
        QVERIFY(!same.session.now || !same.session.now->show.softmax);
        QCOMPARE(same.state.softmax.logits, (std::vector<float>{1, 2, 3}));
        // The user now sets other logits, which are not part of the step.
        QVERIFY(document.apply(ui::edits::setOwnLogits(document.state(), {5, 6})).ok());
        const ui::OpenedSource other = test::reopened(document);
        QVERIFY(other.session.now && other.session.now->show.softmax);
        QCOMPARE(other.state.softmax.logits, (std::vector<float>{5, 6}));
        QCOMPARE(other.session.lesson->steps[0].show.softmax->logits,
                 (std::vector<float>{1, 2, 3}));
    }

    void whoWritesAQuestionIsNotAskedIt() {
        Document document;
        openCounted(document, 1);
        QVERIFY(editStep(document, [](core::LessonStep &step) {
                    step.question.emplace().answers.resize(2);
                }).ok());
        QVERIFY(!document.askedQuestion());
        document.askAgain();
        QVERIFY(document.askedQuestion());
        QVERIFY(setTitle(document, "asked").ok());
        QVERIFY(document.askedQuestion()); // the author sees the question, too
        document.answer(0);
        document.setAsksQuestions(false);
        QVERIFY(document.goToStep(0).ok());
        QVERIFY(
            document.apply(ui::edits::duplicateStep(document.state(), document.session())).ok());
        QVERIFY(document.goToStep(2).ok());
        QVERIFY(!document.askedQuestion());
        document.setAsksQuestions(true);
        QVERIFY(document.goToStep(0).ok());
        QVERIFY(document.goToStep(2).ok());
        QVERIFY(!document.askedQuestion()); // the question was answered
    }

    /// Covers every kind of model and text.
    void aNewLessonHasTheNumbersOfItsSession_data() {
        QStringList sources =
            ui::lessonIds() + ui::modelIds() + QStringList{ui::translationExample()};
        const QDir folder(HEADLIGHT_SESSIONS);
        for (const QString &name : folder.entryList({"*.headlight"}, QDir::Files))
            sources << folder.filePath(name);
        test::addRows("source", sources);
    }
    void aNewLessonHasTheNumbersOfItsSession() {
        QFETCH(QString, source);
        test::ReadyDocument document(source);
        if (document.isCapture()) {
            QVERIFY(!ui::newLesson(document, seen(document)).ok());
            return;
        }
        if (!document.state().training) // not for a training run, which reads texts of its task
            (void)test::setScale(document, core::Scale{core::Scale::Kind::Off}).ok();
        QVERIFY(settled(document));
        core::Result<ui::OpenedSource> lesson = ui::newLesson(document, seen(document));
        QVERIFY(test::isOk(lesson));
        Document written;
        written.open(*std::move(lesson));
        QVERIFY(written.source().isEmpty());
        QVERIFY(settled(written));
        Document again;
        again.open(test::reopened(written));
        QVERIFY(settled(again));
        QVERIFY(again.selection() == document.selection());
        for (const std::string &name : document.trace()->names()) {
            const core::Tensor before = document.trace()->stage(name);
            for (const Document *made : {&written, &again}) {
                const core::Tensor after = made->trace()->stage(name);
                QVERIFY2(before.isNull() == after.isNull(), name.c_str());
                if (!before.isNull())
                    QVERIFY2(sameBits(before, after), name.c_str());
            }
        }
    }
};

HEADLIGHT_GUILESS_TEST(LessonDraftsTest)
#include "tst_lesson_drafts.moc"
