// The filmstrip: a frame for each stage, layers, stepping by stage, row and cell, playing, keys,
// and stored settings.
#include "tests/ui/views/view_fixture.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/edits/text_edits.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/text/text.h"
#include "ui/panels/film_frame.h"
#include "ui/panels/layer_chip.h"
#include "ui/text/core_message.h"

namespace {

struct FilmstripFixture {
    Document document;
    Filmstrip filmstrip{document};

    explicit FilmstripFixture(const QString &session = "cat") {
        document.open(test::opened(session));
        if (!test::settled(document))
            qFatal("no trace");
        filmstrip.show();
        (void)test::exposed(filmstrip);
    }
    const core::Selection &selection() const { return document.selection(); }
    core::SharedMatrix matrix() const {
        const core::Tensor tensor = document.trace()->stage(selection().stage);
        return tensor.matrix(0, 0);
    }
    /// Returns the name of the current layer.
    QString layer() const {
        for (const QToolButton *one : filmstrip.findChildren<QToolButton *>("layer"))
            if (one->isChecked())
                return one->accessibleName();
        return {};
    }
    void clickLayer(const QString &name) {
        for (QToolButton *one : filmstrip.findChildren<QToolButton *>("layer"))
            if (one->accessibleName() == name)
                return QTest::mouseClick(one, Qt::LeftButton);
        QFAIL(qPrintable("no layer " + name));
    }
    FilmFrame *frame(const QString &title) const {
        for (auto *one : filmstrip.findChildren<FilmFrame *>("frame"))
            if (one->accessibleName() == title)
                return one;
        qFatal("no frame %s", qPrintable(title));
    }
    /// Returns the titles of the frames that have a mark.
    QStringList titlesOf(bool FilmFrame::Marks::*mark) const {
        QStringList titles;
        for (const auto *one : filmstrip.findChildren<FilmFrame *>("frame"))
            if (one->marks().*mark)
                titles << one->accessibleName();
        return titles;
    }
    void choose(const char *box, int index) {
        auto *combo = filmstrip.findChild<QComboBox *>(box);
        combo->setFocus();
        while (combo->currentIndex() != index)
            QTest::keyClick(combo, combo->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
    }
};

} // namespace

class FilmstripTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// Until the trace of an added sequence is computed, the frames show the current trace.
    void anAddedSequenceHasNoNumbersYet() {
        FilmstripFixture fixture;
        const auto added = edits::addText(fixture.document.state(), 1, "the cat sat");
        QVERIFY2(added.ok(), added.ok() ? "" : qPrintable(translated(added.error())));
        QVERIFY(fixture.document.apply(added).ok());
        core::Selection there = fixture.selection();
        there.sequence = 1;
        fixture.document.select(there);
        QVERIFY(fixture.document.traceIsStale());
        QCOMPARE(fixture.selection().sequence, 1);
        QCOMPARE(fixture.document.selectionInTrace().sequence, 0);
        fixture.filmstrip.setStyle(FigureStyle::dark()); // paints the frames immediately
        QVERIFY(test::settled(fixture.document));
        QCOMPARE(fixture.document.selectionInTrace().sequence, 1);
    }

    void framesOutOfSightAreOneClickAway() {
        FilmstripFixture fixture;
        fixture.filmstrip.resize(2000, fixture.filmstrip.sizeHint().height());
        const auto arrows = fixture.filmstrip.findChildren<QToolButton *>("chipArrow");
        QCOMPARE(arrows.size(), 2);
        QVERIFY(test::until([&] { return !arrows[0]->isVisible() && !arrows[1]->isVisible(); }));
        fixture.filmstrip.resize(700, fixture.filmstrip.height());
        fixture.filmstrip.first();
        QVERIFY(test::until([&] { return !arrows[0]->isVisible() && arrows[1]->isVisible(); }));
        for (int clicks = 0; arrows[1]->isVisible(); ++clicks) {
            QVERIFY(clicks < 20);
            QTest::mouseClick(arrows[1], Qt::LeftButton);
        }
        QVERIFY(arrows[0]->isVisible());
        // Arrows do not cut frames off, and never cover the frame of the current stage.
        for (int stage = 0; stage < 40; ++stage) {
            fixture.filmstrip.next();
            QVERIFY(test::settled(fixture.document));
            QCoreApplication::processEvents();
            for (const QToolButton *frame :
                 fixture.filmstrip.findChildren<QToolButton *>("frame")) {
                const QRect place(frame->mapTo(&fixture.filmstrip, QPoint()), frame->size());
                const QRect row(arrows[0]->parentWidget()->mapTo(&fixture.filmstrip, QPoint()),
                                arrows[0]->parentWidget()->size());
                const QRect seen = place.intersected(row);
                for (const QToolButton *arrow : arrows) {
                    const QRect over(arrow->mapTo(&fixture.filmstrip, QPoint()), arrow->size());
                    if (arrow->isVisible() && seen.intersects(over)) {
                        QVERIFY(!frame->isChecked());
                        QVERIFY2(over.contains(seen),
                                 qPrintable(frame->accessibleName() + " is cut"));
                    }
                }
            }
        }
    }

    void theFramesStandBeforeTheFirstPassHasEnded() {
        Document document;
        Filmstrip filmstrip(document);
        const auto frames = [&] {
            QStringList names;
            for (const QToolButton *frame : filmstrip.findChildren<QToolButton *>("frame"))
                names << frame->accessibleName() + (frame->isChecked() ? " *" : "");
            return names;
        };
        const auto pictures = [&] {
            qsizetype painted = 0;
            for (const QToolButton *frame : filmstrip.findChildren<QToolButton *>("frame"))
                painted += !static_cast<const FilmFrame *>(frame)->picture().isNull();
            return painted;
        };
        for (const QString &session : {QString("cat"), QString("cross-attention")}) {
            document.open(test::opened(session));
            QVERIFY(!document.trace());
            const QStringList before = frames();
            QVERIFY(before.size() > 5);
            QCOMPARE(pictures(), 0);
            QVERIFY(test::settled(document));
            QCOMPARE(frames(), before);
            QVERIFY(test::until([&] { return pictures() == before.size(); }));
        }
    }

    void everyStepOnceAndBackAgain_data() {
        QTest::addColumn<Granularity>("granularity");
        QTest::newRow("stage") << Granularity::Stage;
        QTest::newRow("row") << Granularity::Row;
        QTest::newRow("cell") << Granularity::Cell;
    }
    void everyStepOnceAndBackAgain() {
        QFETCH(Granularity, granularity);
        FilmstripFixture fixture;
        const core::TracePointer trace = fixture.document.trace();
        const auto stages = ModelParts(*trace).stages();
        const StepPositions steps{*trace, stages, granularity};
        std::vector<core::Selection> way{steps.first(fixture.selection())};
        while (const auto next = steps.next(way.back()))
            way.push_back(*next);
        qsizetype expected = 0;
        for (const core::StageId &at : stages) {
            const core::SharedMatrix matrix = trace->stage(at.stage, at.attention).matrix(0, 0);
            expected += granularity == Granularity::Stage ? 1
                        : granularity == Granularity::Row ? matrix.rows
                                                          : matrix.rows * matrix.columns;
        }
        QCOMPARE(static_cast<qsizetype>(way.size()), expected);
        QVERIFY(way.back() == steps.last(fixture.selection()));
        for (std::size_t i = way.size() - 1; i > 0; --i) {
            const auto before = steps.back(way[i]);
            QVERIFY(before && *before == way[i - 1]);
        }
        QVERIFY(!steps.back(way.front()));
    }

    /// Steps from the first stage of the encoder, layer by layer, to the probabilities of the
    /// decoder, and back.
    void keysGoThroughEveryLayer() {
        FilmstripFixture fixture(test::sessionPath("encoder_decoder"));
        const auto stages = ModelParts(*fixture.document.trace()).stages();
        fixture.filmstrip.resize(1200, fixture.filmstrip.height());
        fixture.filmstrip.activateWindow();
        fixture.filmstrip.setFocus();
        const auto here = [&] {
            return ModelParts(*fixture.document.trace()).shown(fixture.selection());
        };
        QTest::keyClick(&fixture.filmstrip, Qt::Key_PageUp, Qt::ControlModifier);
        QVERIFY(here() == stages.front());
        QStringList layers{fixture.layer()};
        for (std::size_t i = 1; i < stages.size(); ++i) {
            QTest::keyClick(&fixture.filmstrip, Qt::Key_PageDown);
            QVERIFY2(here() == stages[i],
                     core::stageName(stages[i].stage, stages[i].attention).c_str());
            const auto *frame = fixture.filmstrip.findChild<QToolButton *>("frame");
            HEADLIGHT_UNTIL(frame && frame->isVisible());
            if (fixture.layer() != layers.last())
                layers << fixture.layer();
            // Exactly one frame button is in the checked state.
            int checked = 0;
            for (const QToolButton *one : fixture.filmstrip.findChildren<QToolButton *>("frame"))
                checked += one->isChecked() ? 1 : 0;
            QCOMPARE(checked, 1);
        }
        QCOMPARE(layers, QStringList({"encoder · layer 0", "encoder · layer 1", "decoder · layer 0",
                                      "decoder · layer 1", "decoder · next token"}));
        QVERIFY(fixture.selection().stage == Stage::Probabilities);
        QTest::keyClick(&fixture.filmstrip, Qt::Key_PageDown); // already at the last stage
        QVERIFY(here() == stages.back());
        for (std::size_t i = stages.size() - 1; i > 0; --i) {
            QTest::keyClick(&fixture.filmstrip, Qt::Key_PageUp);
            QVERIFY2(here() == stages[i - 1],
                     core::stageName(stages[i - 1].stage, stages[i - 1].attention).c_str());
        }
        QTest::keyClick(&fixture.filmstrip, Qt::Key_PageDown, Qt::ControlModifier);
        QVERIFY(here() == stages.back());
    }

    /// Clicking a layer selects the same stage in it, or else its first stage.
    void layersAreReachedDirectly() {
        FilmstripFixture fixture(test::sessionPath("encoder_decoder"));
        fixture.clickLayer("decoder · layer 0");
        test::select(fixture.document, {.stage = Stage::AttentionWeights});
        QVERIFY(fixture.selection().stack == core::Stack::Decoder);
        fixture.clickLayer("decoder · layer 1");
        QVERIFY(test::isAt(fixture.selection(), {.stage = Stage::AttentionWeights, .layer = 1}));
        fixture.clickLayer("decoder · layer 1");
        QCOMPARE(fixture.layer(), QString("decoder · layer 1")); // still checked
        fixture.clickLayer("decoder · next token");
        QVERIFY(core::infoOf(fixture.selection().stage).part != core::Part::Attention);
        fixture.clickLayer("encoder · layer 0");
        QVERIFY(fixture.selection().stack == core::Stack::Encoder);
    }

    /// Each frame shows the real matrix: its strongest cell has the same colour as in the heatmap.
    void theFramesShowTheMatrices() {
        FilmstripFixture fixture;
        fixture.filmstrip.resize(1400, fixture.filmstrip.sizeHint().height());
        const auto pictureOf = [&](const QString &name) {
            for (const auto *frame : fixture.filmstrip.findChildren<FilmFrame *>("frame"))
                if (frame->accessibleName() == name)
                    return frame->picture();
            return QImage();
        };
        test::select(fixture.document, {.stage = Stage::AttentionWeights, .head = 0});
        HEADLIGHT_UNTIL(!pictureOf("attention weights").isNull());
        const QImage other = pictureOf("attention weights");
        test::select(fixture.document, {.head = 1}); // another head has another picture
        HEADLIGHT_UNTIL(pictureOf("attention weights") != other);
        const QImage before = pictureOf("attention weights");
        const HeatmapContent content =
            contentOf(fixture.document.trace(), fixture.selection(), FigureStyle::light(), {});
        const core::SharedMatrix weights = content.matrix();
        QVERIFY(before.width() >= 4 * weights.columns);
        const auto middle = [](core::Index cell, core::Index cells, int length) {
            return static_cast<int>((2 * cell + 1) * length / (2 * cells));
        };
        for (core::Index r = 0; r < weights.rows; ++r)
            for (core::Index c = 0; c < weights.columns; ++c)
                QCOMPARE(before.pixelColor(middle(c, weights.columns, before.width()),
                                           middle(r, weights.rows, before.height())),
                         QColor(content.scale.colour(r, static_cast<double>(weights(r, c)))));
    }

    void recomputedFramesAreMarked_data() {
        QTest::addColumn<FigureStyle>("style");
        QTest::newRow("light") << FigureStyle::light();
        QTest::newRow("dark") << FigureStyle::dark();
    }
    /// A line at the top of a frame marks a stage that the last edit has recomputed. The current
    /// frame is one of them.
    void recomputedFramesAreMarked() {
        QFETCH(FigureStyle, style);
        FilmstripFixture fixture;
        fixture.filmstrip.setStyle(style);
        test::select(fixture.document, {.stage = Stage::AttentionWeights});
        auto *time = test::find<QTimer>(fixture.document, "recomputedTime");
        time->setInterval(test::kPatience); // the marks stay until expire()
        const auto marked = [&] { return fixture.titlesOf(&FilmFrame::Marks::isRecomputed); };
        QCOMPARE(marked(), QStringList()); // the first pass follows no edit
        const core::TracePointer before = fixture.document.trace();
        QVERIFY(test::setScale(fixture.document, {core::Scale::Kind::Off, 1}).ok());
        QVERIFY(test::settled(fixture.document));
        const core::TracePointer now = fixture.document.trace();
        qsizetype recomputed = 0;
        for (const Filmstrip::StageName &name : fixture.filmstrip.stageNames()) {
            const bool isRecomputed = now->stage(name.at.stage, name.at.attention).identity() !=
                                      before->stage(name.at.stage, name.at.attention).identity();
            recomputed += isRecomputed ? 1 : 0;
            FilmFrame *frame = fixture.frame(name.title);
            QCOMPARE(frame->marks().isRecomputed, isRecomputed);
            QCOMPARE(frame->accessibleDescription().startsWith("Recomputed."), isRecomputed);
            const QImage image = frame->grab().toImage();
            QCOMPARE(image.pixelColor(image.width() / 2, 3) == style.accent, isRecomputed);
        }
        QVERIFY(recomputed > 0 && recomputed < std::ssize(fixture.filmstrip.stageNames()));
        QVERIFY(marked().contains("attention weights") && !marked().contains("keys"));
        for (const QColor &ground : {style.surface, style.background})
            QVERIFY(contrastOf(style.accent, ground) >= kMarkContrast);
        QVERIFY(test::expire(*time));
        QCOMPARE(marked(), QStringList());
        fixture.document.undoStack().undo();
        QVERIFY(test::settled(fixture.document));
        QVERIFY(!marked().isEmpty());
    }

    void recomputedLayersAreMarked() {
        FilmstripFixture fixture(test::sessionPath("encoder_decoder"));
        test::find<QTimer>(fixture.document, "recomputedTime")->setInterval(test::kPatience);
        const MatrixId value{MatrixId::Kind::Parameter, {1, core::ParameterKind::Value}, {}, 0};
        QVERIFY(
            fixture.document.apply(edits::setCells(fixture.document.state(), value, {{0, 0, 2.5F}}))
                .ok());
        QVERIFY(test::settled(fixture.document));
        QStringList marked;
        for (const auto *chip : fixture.filmstrip.findChildren<LayerChip *>("layer"))
            if (chip->isRecomputed())
                marked << chip->accessibleName();
        QCOMPARE(marked.join(" | "), QString("decoder · layer 1 | decoder · next token"));
    }

    /// While a pass is slow, the frames that it may change are faded, and the current one shows
    /// that it is being computed.
    void framesFadeWhileAPassIsSlow() {
        FilmstripFixture fixture;
        test::select(fixture.document, {.stage = Stage::AttentionWeights});
        HEADLIGHT_UNTIL(!fixture.frame("attention weights")->picture().isNull());
        auto *delay = test::find<QTimer>(fixture.document, "slowPassDelay");
        const auto faded = [&] { return fixture.titlesOf(&FilmFrame::Marks::isFaded); };
        const auto computing = [&] { return fixture.titlesOf(&FilmFrame::Marks::isComputing); };
        FilmFrame *keys = fixture.frame("keys"), *weights = fixture.frame("attention weights");
        const QImage keysBefore = keys->grab().toImage();
        const QImage weightsBefore = weights->grab().toImage();
        QVERIFY(test::setScale(fixture.document, {core::Scale::Kind::Off, 1}).ok());
        QVERIFY(fixture.document.traceIsStale());
        QCOMPARE(faded(), QStringList()); // most passes end before the delay
        QVERIFY(test::expire(*delay));
        QVERIFY(faded().contains("attention weights") && !faded().contains("keys"));
        QCOMPARE(computing(), QStringList("attention weights"));
        QVERIFY(weights->accessibleDescription().startsWith("Computing…"));
        QVERIFY(weights->grab().toImage() != weightsBefore);
        QVERIFY(keys->grab().toImage() == keysBefore);
        QTest::mouseClick(keys, Qt::LeftButton); // another frame becomes the current one
        QCOMPARE(computing(), QStringList("keys"));
        QVERIFY(test::settled(fixture.document));
        QVERIFY(!delay->isActive());
        QCOMPARE(faded() + computing(), QStringList());

        QVERIFY(test::setMasks(fixture.document, {core::DiagonalMask{}}).ok());
        QVERIFY(test::expire(*delay));
        QVERIFY(!faded().isEmpty() && !computing().isEmpty());
        fixture.document.cancelComputation();
        QCOMPARE(faded() + computing(), QStringList());
        QVERIFY(!delay->isActive());
    }

    void playingGoesOnThroughTheLayers() {
        FilmstripFixture fixture(test::sessionPath("encoder_decoder"));
        fixture.filmstrip.last();
        for (int i = 0; i < 3; ++i)
            fixture.filmstrip.back();
        const core::StageId before =
            ModelParts(*fixture.document.trace()).shown(fixture.selection());
        QVERIFY(before.stage != Stage::Logits);
        fixture.filmstrip.setSpeed(PlaySpeed::Fast);
        fixture.filmstrip.setPlaying(true);
        HEADLIGHT_UNTIL(!fixture.filmstrip.isPlaying());
        QVERIFY(fixture.selection().stage == Stage::Probabilities);
    }

    void buttonsGoByRow() {
        FilmstripFixture fixture;
        fixture.choose("granularity", 1);
        fixture.filmstrip.first();
        QVERIFY(test::isAt(fixture.selection(), {.query = 0, .dimension = test::none()}));
        fixture.filmstrip.next();
        QCOMPARE(rowOf(fixture.selection()), test::some(1));
        fixture.filmstrip.last();
        QCOMPARE(rowOf(fixture.selection()), test::some(fixture.matrix().rows - 1));
        bool found = false;
        for (const QToolButton *button : fixture.filmstrip.findChildren<QToolButton *>())
            if (button->accessibleName() == "Next row") {
                found = true;
                QVERIFY(!button->isEnabled());
            }
        QVERIFY(found);
    }

    void choicesAreRemembered() {
        {
            FilmstripFixture fixture;
            QSignalSpy changed(&fixture.filmstrip, &Filmstrip::granularityChanged);
            fixture.choose("granularity", 2);
            fixture.choose("speed", 2);
            QVERIFY(!changed.isEmpty());
        }
        const FilmstripFixture lesson; // a lesson's step sets the granularity
        QVERIFY(lesson.filmstrip.granularity() == Granularity::Stage);
        QVERIFY(lesson.filmstrip.speed() == PlaySpeed::Fast);
        const FilmstripFixture again(test::sessionPath("decoder_rotary"));
        QVERIFY(again.filmstrip.granularity() == Granularity::Cell);
        QVERIFY(again.filmstrip.speed() == PlaySpeed::Fast);
        QCOMPARE(again.filmstrip.findChild<QComboBox *>("granularity")->currentIndex(), 2);
    }

    void aTimerRunsOnlyWhilePlaying() {
        FilmstripFixture fixture;
        auto *timer = fixture.filmstrip.findChild<StepPlayer *>()->findChild<QTimer *>();
        QVERIFY(timer && !timer->isActive());
        fixture.filmstrip.first();
        fixture.filmstrip.setSpeed(PlaySpeed::Fast);
        fixture.filmstrip.setPlaying(true);
        QVERIFY(timer->isActive());
        const Stage before = fixture.selection().stage;
        HEADLIGHT_UNTIL(fixture.selection().stage != before);
        fixture.filmstrip.setPlaying(false);
        QVERIFY(!timer->isActive());
        fixture.filmstrip.last();
        fixture.filmstrip.back();
        fixture.filmstrip.setPlaying(true);
        HEADLIGHT_UNTIL(!fixture.filmstrip.isPlaying()); // stops at the end
        QVERIFY(!timer->isActive());
    }

    void everythingGrowsWithTheText() {
        FilmstripFixture fixture;
        qApp->setStyleSheet("QWidget{font-size:26px;}");
        fixture.filmstrip.resize(900, fixture.filmstrip.height());
        fixture.filmstrip.setStyle(FigureStyle::light(2));
        QCOMPARE(fixture.filmstrip.iconSize(), QSize(32, 32));
        const QIcon icon = fixture.filmstrip.stepActions()[0]->icon();
        QCOMPARE(icon.actualSize(QSize(32, 32)), QSize(32, 32));
        fixture.filmstrip.first();
        QCoreApplication::processEvents();
        for (fixture.filmstrip.first(); fixture.filmstrip.stepActions()[3]->isEnabled();
             fixture.filmstrip.next()) {
            QCoreApplication::processEvents();
            for (const QToolButton *frame :
                 fixture.filmstrip.findChildren<QToolButton *>("frame")) {
                const QFont bold = FigureStyle::light(2).font(FigureStyle::Text::Label, true);
                QVERIFY2(frame->width() >= textWidth(frame->text(), bold),
                         qPrintable(frame->text()));
                const QRect shown = frame->visibleRegion().boundingRect();
                if (frame->isChecked())
                    HEADLIGHT_UNTIL(shown == frame->rect());
            }
        }
        qApp->setStyleSheet({});
    }

    void spacePlaysOnTheBarButNotInAButton() {
        FilmstripFixture fixture;
        fixture.filmstrip.first();
        fixture.filmstrip.setFocus();
        QTest::keyClick(&fixture.filmstrip, Qt::Key_Space);
        QVERIFY(fixture.filmstrip.isPlaying());
        QTest::keyClick(&fixture.filmstrip, Qt::Key_Space);
        QVERIFY(!fixture.filmstrip.isPlaying());
        for (QToolButton *button : fixture.filmstrip.findChildren<QToolButton *>())
            if (button->accessibleName() == "keys") {
                QTest::keyClick(button, Qt::Key_Space);
                QVERIFY(!fixture.filmstrip.isPlaying());
                QVERIFY(fixture.selection().stage == Stage::Key);
                return;
            }
        QFAIL("no frame for the keys");
    }
};

HEADLIGHT_WIDGET_TEST(FilmstripTest)
#include "tst_filmstrip.moc"
