// Safety net for saving: any state that a user can reach reads back unchanged from the file and
// from its recovery copy.
#include "core/transformer/plan/model_stages.h"
#include "tests/ui/document/random_edits.h"
#include "tests/ui/window/session_files.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/saving/session_saver.h"

using test::RandomEdits;
using ui::Document;
using ui::DocumentState;

namespace {

bool sameWords(const core::EmbeddingsPointer &a, const core::EmbeddingsPointer &b) {
    return a == b || (a && b && a->given().words == b->given().words);
}

/// Returns the parts in which two states differ; empty if they are equal.
QString differenceOf(const DocumentState &a, const DocumentState &b) {
    QStringList different;
    const auto compare = [&different](bool same, const char *what) {
        if (!same)
            different << what;
    };
    compare(a.lessonStep == b.lessonStep, "the step");
    compare(core::sameNumbers(a.input.batch, b.input.batch), "the batch");
    compare(core::sameNumbers(a.input.source, b.input.source), "the source");
    compare(a.input.masks == b.input.masks, "the masks");
    compare(a.input.encoderMasks == b.input.encoderMasks, "the encoder's masks");
    compare(a.input.crossMasks == b.input.crossMasks, "the cross-attention's masks");
    compare(a.input.interventions == b.input.interventions, "the interventions");
    compare(a.model.config == b.model.config, "the config");
    compare(sameWords(a.model.embeddings, b.model.embeddings), "the words' vectors");
    for (const core::ParameterId &id : core::allParameters(a.model.parameters))
        compare(core::sameNumbers(core::parameterOf(a.model.parameters, id),
                                  core::parameterOf(b.model.parameters, id)),
                core::nameOf(id).c_str());
    compare(a.softmax == b.softmax, "the softmax settings");
    compare(a.edits == b.edits, "what counts as edited");
    return different.join(", ");
}

/// Drops a dimension that the stage does not have. It is not saved.
core::Selection shown(core::Selection selection, const DocumentState &state) {
    const core::Plan plan = core::planOf(state.model, core::Extent(state.input));
    const auto step = plan.find({selection.stage, selection.attention()});
    const core::Index count =
        !step ? 0
        : core::infoOf(selection.stage).overKeys()
            ? std::max(state.model.config.headSize, state.model.config.valueWidth())
            : plan[*step].shape.last(0);
    if (selection.dimension && *selection.dimension >= count)
        selection.dimension.reset();
    return selection;
}

QString wordsOf(const core::Selection &selection) {
    const auto number = [](const std::optional<core::Index> &index) {
        return index ? QString::number(*index) : QStringLiteral("none");
    };
    return QString("%1 (sequence %2, head %3, query %4, key %5, dimension %6)")
        .arg(QString::fromStdString(core::stageName(selection.stage, selection.attention())),
             QString::number(selection.sequence), QString::number(selection.head),
             number(selection.query), number(selection.key), number(selection.dimension));
}

} // namespace

class SavedStatesTest : public QObject {
    Q_OBJECT

    /// Checks that the file at `path` has the document's state.
    static void compare(const Document &document, const QString &path, const QString &view) {
        const ui::OpenedSource opened = test::opened(path);
        Document again;
        again.open(opened);
        const QString different = differenceOf(document.state(), again.state());
        QVERIFY2(different.isEmpty(), qPrintable(different));
        const core::Selection looked = shown(document.selection(), document.state());
        QVERIFY2(again.selection() == looked,
                 qPrintable(wordsOf(again.selection()) + " instead of " + wordsOf(looked)));
        QCOMPARE(opened.view, view);
        // Saving the opened file again writes the same bytes.
        if (looked == document.selection())
            QCOMPARE(QString::fromStdString(again.snapshot(view).bytes()),
                     QString::fromUtf8(test::readAll(path)));
    }

  private slots:
    void initTestCase() {
        QCoreApplication::setApplicationName("headlight");
        QCoreApplication::setOrganizationName("headlight");
        QDir(ui::recoveryFolder()).removeRecursively();
    }

    void theEncodersTokensAreTheEncoders() {
        Document document;
        document.open(test::opened(test::sessionPath("t5_like")));
        core::Selection selection = document.selection();
        selection.setAttention({1, core::Block::SelfAttention, core::Stack::Encoder});
        selection.query = document.state().input.source->length() - 1;
        QVERIFY(*selection.query >= document.state().input.batch->length());
        document.select(selection);
        QVERIFY(document.selection() == selection);
        // If the session sets a selection, only the difference from it is saved.
        const QTemporaryDir folder;
        const QString path = folder.filePath("saved.headlight");
        for (int round = 0; round < 2; ++round) {
            const std::string bytes = document.snapshot("whole").bytes();
            test::writeAll(path, QByteArray::fromStdString(bytes));
            compare(document, path, "whole");
            document.open(test::opened(path));
            selection.key = 0;
            document.select(selection);
        }
    }

    void everyStateIsReadBack_data() {
        test::addColumns<QString, int>({"source", "seed"});
        for (const QString &id : ui::lessonIds())
            QTest::newRow(qPrintable(id)) << id << 0;
        for (const QString &path : test::allSessions())
            for (const int seed : {1, 2})
                QTest::addRow("%s %d", qPrintable(QFileInfo(path).fileName()), seed)
                    << path << seed;
    }

    /// Random edits, undos, steps and selections. Sometimes the saved file is opened and used from
    /// then on.
    void everyStateIsReadBack() {
        QFETCH(QString, source);
        QFETCH(int, seed);
        constexpr int kRounds = 20;
        const QTemporaryDir folder;
        const QString path = folder.filePath("saved.headlight");
        const QStringList views{"close-up", "whole",  "heads", "similarity",
                                "geometry", "output", "words"};
        ui::SourceRequest request;
        request.source = source;
        if (seed > 1)
            request.seed = seed;
        Document document;
        QString view = "whole";
        ui::Autosave autosave(
            document, [] { return ui::Origin{}; }, [&view] { return view; });
        document.open(*ui::openSource(request));
        RandomEdits random(20261121u + static_cast<std::uint32_t>(seed));
        for (int round = 0; round < kRounds; ++round) {
            for (std::size_t count = 1 + random.below(6); count > 0; --count) {
                const std::size_t what = random.below(12);
                if (what == 0)
                    document.undoStack().undo();
                else if (what == 1)
                    document.undoStack().redo();
                else if (what == 2 && document.session().lesson)
                    (void)document
                        .goToStep(random.index(std::ssize(document.session().lesson->steps)))
                        .ok();
                else if (what == 3 && random.below(4) == 0)
                    QVERIFY(document.resetEdits().ok());
                else if (what < 8)
                    random.look(document);
                else
                    random.edit(document);
            }
            view = views.at(static_cast<qsizetype>(random.below(4)));
            const std::string bytes = document.snapshot(view).bytes();
            test::writeAll(path, QByteArray::fromStdString(bytes));
            compare(document, path, view);
            if (QTest::currentTestFailed())
                return qWarning("round %d: %s", round, bytes.substr(bytes.find("\"now\"")).c_str());
            // The autosave thread writes the same bytes.
            QVERIFY(autosave.writeNow());
            QCOMPARE(QString::fromUtf8(test::readAll(autosave.path())),
                     QString::fromStdString(bytes));
            if (random.below(4) == 0)
                document.open(test::opened(path));
        }
    }
};

HEADLIGHT_GUILESS_TEST(SavedStatesTest)
#include "tst_saved_states.moc"
