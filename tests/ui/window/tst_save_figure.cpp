// The dialog that saves a figure, and the command that reproduces the file.
#include "core/formats/figure/figure_session.h"
#include "core/formats/session/data/session.h"
#include "tests/support/long.h"
#include "tests/ui/window/save_dialog.h"
#include "ui/views/model_view.h"

using test::SaveDialog;

namespace {

/// Returns the file that the command writes.
QByteArray madeBy(const QString &command, const QString &suffix) {
    const QTemporaryDir folder;
    test::runIn(folder.path(), command);
    return test::readAll(folder.filePath("figure." + suffix));
}

using Change = std::function<void(WindowFixture &)>;

void everyEdit(WindowFixture &fixture) {
    ui::Document &document = fixture.document();
    QVERIFY(document.goToStep(1).ok());
    QVERIFY(test::typeText(document, "it's a -- \"bank\" & <money> 猫").ok());
    QVERIFY(test::setMasks(document, {core::CausalMask{}, core::PaddingMask{}}).ok());
    QVERIFY(test::setScale(document, {core::Scale::Kind::Off, 1}).ok());
    const bool none = document.state().model.config.positions == core::Positions::None;
    QVERIFY(test::setPositions(document, none ? core::Positions::Sinusoidal : core::Positions::None)
                .ok());
    fixture.settle();
    fixture.select(
        {.stage = core::Stage::Query, .query = 1, .key = test::none(), .dimension = 2, .head = 1});
}

const QStringList kSuffixes{"png", "svg", "pdf"};

/// Returns all formats in long tests, otherwise one of them in turn.
QStringList formatsInTurn() {
    static std::size_t turn = 0;
    ++turn;
    QStringList formats;
    for (qsizetype format = 0; format < kSuffixes.size(); ++format)
        if (test::isTried(turn + static_cast<std::size_t>(format), 3))
            formats << kSuffixes[format];
    return formats;
}

} // namespace

class SaveFigureTest : public test::CleanTest {
    Q_OBJECT

    /// Saves, and compares the file with the output of the shown command.
    static void compareFiles(WindowFixture &fixture, bool caption) {
        QTemporaryDir folder;
        for (const QString &suffix : formatsInTurn()) {
            SaveDialog dialog(fixture, suffix);
            dialog.find<QCheckBox>("hasCaption")->setChecked(caption);
            const QString command = dialog.command();
            QVERIFY(!dialog.find<QLabel>("commandNote")->isVisibleTo(&dialog));
            const QString path = folder.filePath("saved." + suffix);
            dialog.saveTo(path);
            QCOMPARE(dialog.savedPath(), path);
            const QByteArray saved = test::readAll(path);
            QVERIFY(!saved.isEmpty());
            QVERIFY2(command.endsWith(" -o figure." + suffix), qPrintable(command));
            const QByteArray made = madeBy(command, suffix);
            QVERIFY2(saved == made, qPrintable(command));
        }
    }

  private slots:
    void theCommandMakesTheSameBytes_data() {
        test::addColumns<QString, QString, Change>({"source", "view", "change"});
        const auto row = [](const QString &source, const char *view, const char *name = "",
                            Change change = {}) {
            QTest::addRow("%s, %s%s", qPrintable(QFileInfo(source).fileName()), view, name)
                << source << QString(view) << change;
        };
        row("bank", "whole");
        row("cat", "heads");
        row("cat", "similarity");
        row("sentence", "geometry");
        for (const char *view : {"lines", "text", "query-key"})
            row("cat", view, ", a row",
                [](WindowFixture &fixture) { fixture.select({.query = 3, .key = test::none()}); });
        row("cat", "lines", ", all heads", [](WindowFixture &fixture) {
            fixture.view()->setOption(&ui::FigureOptions::headLines,
                                      ui::HeadLines{{true, {}}, 0.1});
        });
        row("cat", "heads", ", combined heads", [](WindowFixture &fixture) {
            fixture.select({.stage = core::Stage::AttentionWeights});
            ui::FigureOptions options = fixture.view()->options();
            options.headLines.heads.heads = {1};
            options.combination = {
                core::Combination::Maximum, false, {false, true}, core::KeptWeights{0, 0.9}};
            options.scaling = ui::Scaling::Logarithmic;
            fixture.view()->setOptions(options);
        });
        for (const char *source : {"depth", "whose-kite"})
            row(source, "model");
        const auto modelView = [](WindowFixture &fixture) {
            return static_cast<ui::ModelView *>(fixture.view());
        };
        row("tales", "model", ", a measure",
            [modelView](WindowFixture &fixture) { modelView(fixture)->showMeasure(true); });
        row("tales", "model", ", effects", [modelView](WindowFixture &fixture) {
            modelView(fixture)->silenceAll();
            HEADLIGHT_UNTIL(!modelView(fixture)->isComputing());
            QVERIFY(modelView(fixture)->showsEffects());
        });
        row("look-ahead", "model", ", compared", [](WindowFixture &fixture) {
            fixture.document().comparison().pin();
            fixture.goToStep(5);
            QVERIFY(test::setMasks(fixture.document(), {core::CausalMask{}}).ok());
            fixture.document().comparison().show(ui::ComparisonSide::Difference);
        });
        row(test::sessionPath("encoder_decoder"), "model", ", a head", [](WindowFixture &fixture) {
            fixture.select({.stage = core::Stage::AttentionWeights, .head = 1});
        });
        row(test::sessionPath("gpt_neox"), "output");
        row(test::sessionPath("encoder_prenorm"), "output");
        row("batch", "whole");
        row("cat", "whole", ", every edit", everyEdit);
        row("sentence", "close-up", ", weights of a step", [](WindowFixture &fixture) {
            fixture.goToStep(8);
            QVERIFY(!(fixture.document().state().model.parameters ==
                      fixture.document().session().model.parameters));
        });
        for (const char *view : {"close-up", "whole", "heads", "similarity"})
            row("look-ahead", view, ", compared", [](WindowFixture &fixture) {
                fixture.document().comparison().pin();
                fixture.goToStep(5);
                QVERIFY(test::setMasks(fixture.document(), {core::CausalMask{}}).ok());
                fixture.document().comparison().show(ui::ComparisonSide::Difference);
            });
        row("batch", "heads", ", two sequences", [](WindowFixture &fixture) {
            core::Selection place = fixture.document().selection();
            place.sequence = 1; // shares "in the" with sequence 2
            fixture.document().select(place);
            fixture.document().comparison().compareWithSequence(2);
        });
        // The step about cross-attention has a second text.
        row("query-key-value", "heads", ", the text that is attended to",
            [](WindowFixture &fixture) {
                fixture.goToStep(8);
                fixture.document().answer({});
                QVERIFY(
                    test::typeText(fixture.document(), "dog eats big meat", ui::InputSide::Source)
                        .ok());
            });
        row("query-key-value", "heads", ", both texts", [](WindowFixture &fixture) {
            fixture.goToStep(8);
            fixture.document().answer({});
            QVERIFY(test::typeText(fixture.document(), "dog meat", ui::InputSide::Source).ok());
            QVERIFY(test::typeText(fixture.document(), "milk drinks cat").ok());
        });
        for (const char *source : {"bank", "cat"})
            row(source, "whole", ", nothing selected", [](WindowFixture &fixture) {
                fixture.select(
                    {.query = test::none(), .key = test::none(), .dimension = test::none()});
            });
    }

    void theCommandMakesTheSameBytes() {
        QFETCH(QString, source);
        QFETCH(QString, view);
        QFETCH(Change, change);
        WindowFixture fixture(source, view);
        fixture.window.resize(1280, 900); // so that figure and caption fit
        if (change)
            change(fixture);
        fixture.settle();
        fixture.window.showView(view); // the step has another view
        (void)fixture.window.grab();   // starts what the view computes in the background
        HEADLIGHT_UNTIL(fixture.view()->isComplete());
        compareFiles(fixture, true);
    }

    void sizeDensityThemeAndCaptionAreTheSameToo() {
        WindowFixture fixture("sentence", "heads");
        SaveDialog dialog(fixture);
        dialog.find<QCheckBox>("keepRatio")->setChecked(false);
        dialog.set("figureWidth", 700);
        dialog.set("figureHeight", 500);
        dialog.set("figureScale", 1.5);
        dialog.choose("figureTheme", "dark");
        dialog.find<QCheckBox>("hasCaption")->setChecked(true);
        dialog.find<QPlainTextEdit>("caption")->setPlainText("-o Ada's\nfigure");
        QTemporaryDir folder;
        const QString path = folder.filePath("a.png");
        const QString command = dialog.command();
        dialog.saveTo(path);
        QCOMPARE(QImage(path).size(), QSize(1050, 750));
        QVERIFY2(test::readAll(path) == madeBy(command, "png"), qPrintable(command));
        QVERIFY(QImage(path).pixelColor(2, 2).lightness() < 128);

        // The next dialog has the same settings.
        SaveDialog again(fixture);
        QCOMPARE(again.recipe().size.inPixels(), QSizeF(700, 500));
        QCOMPARE(again.recipe().scale, 1.5);
        QVERIFY(again.recipe().dark);
        QVERIFY(!again.recipe().caption.isEmpty());
        QVERIFY(!again.find<QCheckBox>("keepRatio")->isChecked());
    }

    /// The program accepts every suggested command and makes the same file: in each unit, on screen
    /// and on paper, and with sizes typed as shown.
    void everySizeIsTakenAsItIsSaid_data() {
        test::addCombinations<QString, QString>({"unit", "theme"}, {"px", "mm", "in"},
                                                {"light", "dark", "paper"});
    }
    void everySizeIsTakenAsItIsSaid() {
        QFETCH(QString, unit);
        QFETCH(QString, theme);
        const QSizeF size = unit == "px"   ? QSizeF(800, 600)
                            : unit == "mm" ? QSizeF(183.5, 120)
                                           : QSizeF(7.25, 4.5);
        WindowFixture fixture("cat", "heads");
        const QTemporaryDir folder;
        for (const QString &suffix : formatsInTurn()) {
            SaveDialog dialog(fixture, suffix);
            dialog.choose("figureTheme", theme);
            dialog.choose("figureUnit", unit);
            dialog.find<QCheckBox>("keepRatio")->setChecked(false);
            dialog.set("figureWidth", size.width());
            dialog.set("figureHeight", size.height());
            const QString path = folder.filePath("saved." + suffix);
            QString command = dialog.command();
            const QString said = dialog.recipe().size.text();
            QVERIFY2(command.contains(" --size " + said + ' '), qPrintable(command));
            dialog.saveTo(path);
            const QByteArray saved = test::readAll(path);
            QVERIFY(!saved.isEmpty());
            QVERIFY2(saved == madeBy(command, suffix), qPrintable(command));
            // The file stores the command, and a session that reproduces it.
            const QString stored =
                suffix == "png" ? QImage(path).text("Description") : QString::fromUtf8(saved);
            QVERIFY2(stored.contains(" --size " + said + ' '), qPrintable(said));
            if (suffix != "png")
                QVERIFY(!stored.section("<desc>", 1).section("</desc>", 0, 0).contains(u'×'));
            else
                QVERIFY2(!stored.contains(u'×') && saved == madeBy(stored, suffix),
                         qPrintable(stored));
            // The size with a multiplication sign gives the same file.
            command.replace(" --size " + said,
                            " --size '" + QString(said).replace('x', u'×') + '\'');
            QVERIFY2(saved == madeBy(command, suffix), qPrintable(command));
        }
    }

    void whatTheCommandCannotSayIsSaid() {
        WindowFixture fixture("bank");
        QVERIFY(test::setMasks(fixture.document(), {core::WindowMask{1, false}}).ok());
        fixture.settle();
        SaveDialog dialog(fixture);
        auto *note = dialog.find<QLabel>("commandNote");
        auto *command = dialog.find<QLineEdit>("command");
        auto *carries = dialog.find<QCheckBox>("hasSession");
        // With its session, the figure can be its own source.
        QVERIFY(carries->isChecked());
        QVERIFY(!note->isVisibleTo(&dialog));
        QVERIFY(command->text().startsWith("headlight figure figure."));
        carries->click();
        QVERIFY(note->isVisibleTo(&dialog));
        QVERIFY(note->text().contains("mask"));
        QVERIFY(command->text().startsWith("headlight figure bank "));
        QVERIFY(command->text().contains("--no-session"));
    }

    /// Audio is not a text, so the command must not name the transcript instead.
    void aSoundIsNotSaidAsAText() {
        WindowFixture fixture(HEADLIGHT_TEST_DATA "/folders/whisper");
        fixture.window.openSound(HEADLIGHT_TEST_DATA "/../fuzz/seeds/wav/mono16.wav");
        HEADLIGHT_UNTIL_EQUAL(fixture.document().undoStack().count(), 1);
        fixture.settle();
        SaveDialog dialog(fixture);
        QVERIFY(dialog.command().startsWith("headlight figure figure."));
        dialog.find<QCheckBox>("hasSession")->click();
        QVERIFY(dialog.find<QLabel>("commandNote")->isVisibleTo(&dialog));
        QVERIFY(!dialog.command().contains(" --text "));
    }

    /// The command cannot name a picture, but it names the model of the folder that reads pictures.
    void theCommandNamesTheModelOfAFolder() {
        WindowFixture fixture(HEADLIGHT_TEST_DATA "/folders/clip");
        const auto commandWithoutSession = [&fixture] {
            SaveDialog dialog(fixture);
            auto *carries = dialog.find<QCheckBox>("hasSession");
            if (carries->isChecked())
                carries->click();
            return dialog.command();
        };
        QVERIFY(!commandWithoutSession().contains("--tower"));
        ui::SourceRequest request;
        request.source = HEADLIGHT_TEST_DATA "/folders/clip";
        request.tower = core::Tower::Pictures;
        fixture.window.open(test::valueOf(ui::openSource(request)));
        fixture.settle();
        QVERIFY(test::says(commandWithoutSession(), "--tower pictures"));
        request.source = test::sessionPath("encoder_decoder");
        request.tower.reset();
        fixture.window.open(test::valueOf(ui::openSource(request)));
        fixture.settle();
        QVERIFY(!commandWithoutSession().contains("--tower"));
    }

    void aFigureThatNoCommandCanSayIsMadeAgainFromItself() {
        WindowFixture fixture("bank", "heads");
        ui::Document &document = fixture.document();
        QVERIFY(test::setMasks(document, {core::WindowMask{1, false}}).ok());
        fixture.settle();
        for (const QString &suffix : kSuffixes) {
            const QTemporaryDir folder;
            SaveDialog dialog(fixture, suffix);
            const QString command = dialog.command();
            const QString path = folder.filePath("figure." + suffix);
            dialog.saveTo(path);
            const QByteArray saved = test::readAll(path);
            QVERIFY(!saved.isEmpty());
            QVERIFY2(command.startsWith("headlight figure figure." + suffix), qPrintable(command));
            test::runIn(folder.path(), command);
            QVERIFY2(command.endsWith(" -o again." + suffix), qPrintable(command));
            QVERIFY2(test::readAll(folder.filePath("again." + suffix)) == saved,
                     qPrintable(command));
            QVERIFY(test::readAll(path) == saved);
            const auto carried = test::valueOf(core::readFigureFile(path.toStdString()));
            QVERIFY(core::readSession(carried.session)->now);
        }
    }

    void theSessionIsLeftOutWhereItWasLastTime() {
        WindowFixture fixture("bank");
        const QTemporaryDir folder;
        const QString with = folder.filePath("with.png"), without = folder.filePath("without.png");
        {
            SaveDialog dialog(fixture);
            auto *carries = dialog.find<QCheckBox>("hasSession");
            QVERIFY(carries->isChecked());
            dialog.saveTo(with);
            SaveDialog again(fixture);
            QVERIFY(again.recipe().session);
            again.find<QCheckBox>("hasSession")->click();
            again.saveTo(without);
        }
        QVERIFY(core::readFigureFile(with.toStdString()).ok());
        QVERIFY(!core::readFigureFile(without.toStdString()).ok());
        QVERIFY(!test::readAll(without).contains("headlight_figure"));
        const SaveDialog last(fixture);
        QVERIFY(!last.recipe().session);
    }

    void theViewsChoicesAreSaidToo_data() {
        test::addColumns<QString, QStringList>({"view", "words"});
        const auto row = [](const char *view, const QStringList &words) {
            QTest::newRow(view) << QString(view) << words;
        };
        row("heads", {"--range heads", "--order entropy", "--colors magma,rdbu"});
        row("close-up", {"--range heads", "--granularity row", "--colors magma,rdbu"});
        row("whole", {"--range heads", "--colors magma,rdbu"});
        row("similarity", {"--contextual output", "--colors magma,rdbu"});
        row("geometry", {"--space residual", "--axes dot-product", "--gravity 0.25"});
    }

    void theViewsChoicesAreSaidToo() {
        QFETCH(QString, view);
        QFETCH(QStringList, words);
        WindowFixture fixture("cat", view);
        fixture.view()->setOption(&ui::FigureOptions::range, ui::Range::AllHeads);
        fixture.view()->setOption(&ui::FigureOptions::order, core::HeadOrder::Entropy);
        fixture.view()->setOption(&ui::FigureOptions::contextual, core::Stage::Output);
        fixture.view()->setGranularity(ui::Granularity::Row);
        fixture.view()->setColours(ui::ColourMap::Magma);
        fixture.view()->setOption(
            &ui::FigureOptions::plane,
            ui::PlaneOptions{ui::ShownSpaces::Residual, ui::PlaneAxes::DotProduct, 0.25, false});
        const SaveDialog dialog(fixture);
        const QString command = dialog.command();
        for (const QString &part : words)
            QVERIFY(test::says(command, part));
        for (const QString option : {"--range", "--order", "--contextual", "--granularity",
                                     "--colors", "--space", "--axes", "--gravity"})
            QCOMPARE(command.contains(option), words.join(' ').contains(option));
        compareFiles(fixture, true);
    }

    /// Figures for paper, set in the dialog by mouse and keyboard. The shown command writes the
    /// same bytes.
    void onPaper_data() {
        test::addRows("view",
                      QStringList{"close-up", "whole", "heads", "similarity", "geometry", "words"});
    }
    void onPaper() {
        QFETCH(QString, view);
        WindowFixture fixture("cat", view);
        fixture.window.resize(1280, 900); // so that the map is tall enough at 200 mm, too
        fixture.settle();
        QTemporaryDir folder;
        for (const QString &suffix : kSuffixes) {
            SaveDialog dialog(fixture);
            dialog.show();
            dialog.choose("figureFormat", suffix);
            auto *theme = dialog.find<QComboBox>("figureTheme");
            auto *transparent = dialog.find<QCheckBox>("figureTransparent");
            auto *paths = dialog.find<QCheckBox>("textAsPaths");
            dialog.choose("figureTheme", "light");
            QVERIFY(!transparent->isEnabled());
            theme->setFocus();
            QTest::keyClick(theme, Qt::Key_End); // the last entry
            QCOMPARE(theme->currentData().toString(), QString("paper"));
            QVERIFY(transparent->isEnabled());
            QCOMPARE(paths->isEnabled(), suffix != "png");
            if (!transparent->isChecked())
                QTest::keyClick(transparent, Qt::Key_Space);
            if (suffix != "png" && !paths->isChecked())
                QTest::keyClick(paths, Qt::Key_Space);
            dialog.choose("figureUnit", "mm");
            auto *width = dialog.find<QDoubleSpinBox>("figureWidth");
            width->setFocus();
            width->selectAll();
            QTest::keyClicks(width, "200");
            QTest::keyClick(width, Qt::Key_Tab);
            QCOMPARE(width->value(), 200.0);
            const QString command = dialog.command();
            QVERIFY(test::says(command, " --paper --transparent "));
            QVERIFY(test::says(command, " --size 200mmx"));
            QCOMPARE(command.contains("--text-as-paths"), suffix != "png");
            const QString path = folder.filePath("saved." + suffix);
            dialog.saveTo(path);
            QVERIFY2(test::readAll(path) == madeBy(command, suffix), qPrintable(command));
            // The next dialog has the same settings.
            SaveDialog again(fixture);
            QCOMPARE(again.recipe().size, dialog.recipe().size);
            QVERIFY(again.recipe().paper && again.recipe().transparent && !again.recipe().dark);
            QCOMPARE(again.find<QComboBox>("figureUnit")->currentText(), QString("mm"));
        }
    }

    void anotherUnitIsTheSameLength() {
        WindowFixture fixture("bank");
        SaveDialog dialog(fixture);
        auto *width = dialog.find<QDoubleSpinBox>("figureWidth");
        width->setValue(960);
        dialog.choose("figureUnit", "in");
        QCOMPARE(width->value(), 10.0);
        dialog.choose("figureUnit", "mm");
        QCOMPARE(width->value(), 254.0);
        QCOMPARE(dialog.recipe().size.unit, ui::LengthUnit::Millimetre);
        // The font size on paper: 10 px at 96 px per inch are 7.5 points.
        QString said;
        for (const QLabel *label : dialog.findChildren<QLabel *>("barLabel"))
            said += label->text();
        QVERIFY(test::says(said, {"7.5", "pt"}));
        dialog.choose("figureUnit", "px");
        QCOMPARE(width->value(), 960.0);
        dialog.set("figureTextSize", 70);
        QVERIFY(dialog.command().contains("--text-scale 0.7 "));
    }

    void whatIsTooSmallIsSaidBeforeItIsSaved() {
        WindowFixture fixture("cat", "heads");
        SaveDialog dialog(fixture);
        dialog.show();
        auto *problem = dialog.find<QLabel>("problem");
        dialog.find<QCheckBox>("keepRatio")->setChecked(false);
        dialog.choose("figureUnit", "mm");
        dialog.set("figureWidth", 39);
        QVERIFY(problem->isVisible());
        QVERIFY(test::says(problem->text(), {"39 × ", "40 × ", "at least"}));
        dialog.set("figureTextSize", 50);
        QVERIFY(!problem->isVisible());
    }

    void aFigureNamesNoFolder() {
        const QTemporaryDir folder;
        const QString source = folder.filePath("mine.headlight");
        test::writeAll(source, ui::lessonFile("cat"));
        WindowFixture fixture(source, "heads");
        fixture.document().comparison().compareWith(test::opened(source));
        QVERIFY(test::idle(fixture.document().comparison()));
        fixture.settle();
        for (const QString &suffix : kSuffixes) {
            SaveDialog dialog(fixture, suffix);
            // The shown command works here, but not on computers without that folder.
            const QString command = dialog.command();
            QVERIFY(command.contains(source));
            const QString path = folder.filePath("saved." + suffix);
            dialog.saveTo(path);
            const QByteArray saved = test::readAll(path);
            QVERIFY(!saved.isEmpty());
            QVERIFY(!saved.contains(folder.path().toUtf8()));
            const QString description =
                suffix == "png" ? QImage(path).text("Description") : QString::fromUtf8(saved);
            QVERIFY(!description.contains(folder.path()));
            QVERIFY(description.contains("headlight figure mine.headlight "));
            const auto carried = test::valueOf(core::readFigure(saved.toStdString()));
            for (const std::string &word : carried.arguments)
                QVERIFY(!QString::fromStdString(word).contains(folder.path()));
            QVERIFY2(saved == madeBy(command, suffix), qPrintable(command));
        }
    }

    void errorsAreSaidAndLeaveNothingBehind() {
        WindowFixture fixture("bank");
        SaveDialog dialog(fixture);
        dialog.show();
        QTemporaryDir folder;
        auto *problem = dialog.find<QLabel>("problem");
        dialog.saveTo(folder.filePath("missing/a.png"));
        QVERIFY(problem->isVisible());
        QVERIFY(test::says(problem->text(), "missing"));
        QVERIFY(dialog.isVisible());
        QVERIFY(dialog.savedPath().isEmpty());
        dialog.saveTo(folder.filePath("a.svg")); // refused, because PNG is selected
        QVERIFY(problem->isVisible());
        QVERIFY(QDir(folder.path()).isEmpty());
        dialog.saveTo(folder.filePath("a")); // the format adds the extension
        QVERIFY(QFile::exists(folder.filePath("a.png")));
        QVERIFY(!dialog.isVisible());
    }
};

HEADLIGHT_WIDGET_TEST(SaveFigureTest)
#include "tst_save_figure.moc"
