// The dialog that saves a figure, and the command that reproduces the file.
#include "core/formats/figure/figure_session.h"
#include "core/formats/session/data/session.h"
#include "tests/support/edits.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/figure_caption.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/window/save_figure_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>

using namespace headlight;
using test::WindowFixture;

namespace {

QByteArray read(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Returns the file that a shell writes when it runs the dialog's command.
QByteArray madeBy(QString command, const QString &suffix) {
    QTemporaryDir folder;
    command.replace(0, QString("headlight").size(), QString("'%1'").arg(HEADLIGHT_PROGRAM));
    QProcess shell;
    shell.setWorkingDirectory(folder.path());
    shell.start("/bin/sh", {"-c", command});
    if (!test::finished(shell) || shell.exitCode() != 0)
        qWarning("%s\n%s", qPrintable(command), shell.readAllStandardError().constData());
    return read(folder.filePath("figure." + suffix));
}

void choose(ui::SaveFigureDialog &dialog, const char *box, const QVariant &value) {
    auto *combo = dialog.findChild<QComboBox *>(box);
    combo->setCurrentIndex(combo->findData(value));
}

} // namespace

class SaveFigureTest : public QObject {
    Q_OBJECT

    /// Saves in three formats, and compares with the output of the shown commands.
    static void compareFiles(WindowFixture &fixture, bool caption) {
        QTemporaryDir folder;
        for (const QString suffix : {"png", "svg", "pdf"}) {
            ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
            choose(dialog, "figureFormat", suffix);
            dialog.findChild<QCheckBox *>("hasCaption")->setChecked(caption);
            const QString command = dialog.findChild<QLineEdit *>("command")->text();
            QVERIFY(!dialog.findChild<QLabel *>("commandNote")->isVisibleTo(&dialog));
            const QString path = folder.filePath("saved." + suffix);
            dialog.saveTo(path);
            QCOMPARE(dialog.savedPath(), path);
            const QByteArray saved = read(path);
            QVERIFY(!saved.isEmpty());
            QVERIFY2(command.endsWith(" -o figure." + suffix), qPrintable(command));
            const QByteArray made = madeBy(command, suffix);
            QVERIFY2(saved == made, qPrintable(command));
        }
    }

  private slots:
    void init() { QSettings().clear(); }

    void theCommandMakesTheSameBytes_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("view");
        QTest::newRow("bank, flow") << "bank"
                                    << "flow";
        QTest::newRow("cat, heads") << "cat"
                                    << "heads";
        QTest::newRow("cat, similarity") << "cat"
                                         << "similarity";
        QTest::newRow("sentence, geometry") << "sentence"
                                            << "geometry";
        QTest::newRow("gpt_neox, output") << HEADLIGHT_SESSIONS "/gpt_neox.headlight"
                                          << "output";
        QTest::newRow("encoder_prenorm, output") << HEADLIGHT_SESSIONS "/encoder_prenorm.headlight"
                                                 << "output";
        QTest::newRow("batch, flow") << "batch"
                                     << "flow";
    }

    void theCommandMakesTheSameBytes() {
        QFETCH(QString, source);
        QFETCH(QString, view);
        WindowFixture fixture(source, view);
        compareFiles(fixture, true);
    }

    void theCommandSaysEveryEdit() {
        WindowFixture fixture("cat", "flow");
        ui::Document &document = fixture.window.document();
        QVERIFY(document.goToStep(1).ok());
        QVERIFY(test::typeText(document, "it's a -- \"bank\" & <money> 猫").ok());
        QVERIFY(test::setMasks(document, {core::CausalMask{}, core::PaddingMask{}}).ok());
        core::Scale off;
        off.kind = core::Scale::Kind::Off;
        QVERIFY(test::setScale(document, off).ok());
        const bool none = document.state().model.config.positions == core::Positions::None;
        QVERIFY(
            test::setPositions(document, none ? core::Positions::Sinusoidal : core::Positions::None)
                .ok());
        fixture.settle();
        core::Selection selection = document.selection();
        selection.stage = core::Stage::Query;
        selection.head = 1;
        selection.query = 1;
        selection.key.reset();
        selection.dimension = 2;
        document.select(selection);
        compareFiles(fixture, true);
    }

    void theWeightsOfAStepAreNoEdit() {
        WindowFixture fixture("sentence", "flow");
        ui::Document &document = fixture.window.document();
        QVERIFY(document.goToStep(8).ok());
        QVERIFY(!(document.state().model.parameters == document.session().model.parameters));
        fixture.settle();
        fixture.window.showView("flow");
        compareFiles(fixture, true);
    }

    void aComparisonIsMadeAgain_data() {
        QTest::addColumn<QString>("view");
        for (const char *view : {"flow", "heads", "similarity"})
            QTest::newRow(view) << view;
    }
    void aComparisonIsMadeAgain() {
        QFETCH(QString, view);
        WindowFixture fixture("look-ahead", view);
        ui::Document &document = fixture.window.document();
        document.comparison().pin();
        QVERIFY(document.goToStep(5).ok());
        QVERIFY(test::setMasks(document, {core::CausalMask{}}).ok());
        fixture.settle();
        fixture.window.showView(view); // overrides the step's view
        document.comparison().show(ui::ComparisonSide::Difference);
        compareFiles(fixture, true);
    }

    void twoSequencesAreMadeAgain() {
        WindowFixture fixture("batch", "heads");
        fixture.window.document().comparison().compareWithSequence(2);
        compareFiles(fixture, true);
    }

    void anEmptiedSelectionStaysEmpty() {
        for (const char *source : {"bank", "cat"}) {
            WindowFixture fixture(source, "flow");
            ui::Document &document = fixture.window.document();
            core::Selection selection = document.selection();
            selection.query.reset();
            selection.key.reset();
            selection.dimension.reset();
            document.select(selection);
            compareFiles(fixture, false);
        }
    }

    void sizeDensityThemeAndCaptionAreTheSameToo() {
        WindowFixture fixture("sentence", "heads");
        ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        dialog.findChild<QCheckBox *>("keepRatio")->setChecked(false);
        dialog.findChild<QDoubleSpinBox *>("figureWidth")->setValue(700);
        dialog.findChild<QDoubleSpinBox *>("figureHeight")->setValue(500);
        dialog.findChild<QDoubleSpinBox *>("figureScale")->setValue(1.5);
        choose(dialog, "figureTheme", "dark");
        dialog.findChild<QCheckBox *>("hasCaption")->setChecked(true);
        dialog.findChild<QPlainTextEdit *>("caption")->setPlainText("-o Ada's\nfigure");
        QTemporaryDir folder;
        const QString path = folder.filePath("a.png");
        const QString command = dialog.findChild<QLineEdit *>("command")->text();
        dialog.saveTo(path);
        QCOMPARE(QImage(path).size(), QSize(1050, 750));
        QVERIFY2(read(path) == madeBy(command, "png"), qPrintable(command));
        QVERIFY(QImage(path).pixelColor(2, 2).lightness() < 128);

        // The settings are restored next time.
        ui::SaveFigureDialog again(*fixture.view(), &fixture.window);
        QCOMPARE(again.recipe().size.inPixels(), QSizeF(700, 500));
        QCOMPARE(again.recipe().scale, 1.5);
        QVERIFY(again.recipe().dark);
        QVERIFY(!again.recipe().caption.isEmpty());
        QVERIFY(!again.findChild<QCheckBox *>("keepRatio")->isChecked());
    }

    /// Regression: the text font showed 800x600 with a multiplication sign, and users typed it like
    /// that.
    void theCommandIsShownAsItIsTyped() {
        WindowFixture fixture("bank", "heads");
        ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        dialog.show();
        auto *command = dialog.findChild<QLineEdit *>("command");
        const QString family = ui::FigureStyle::light().monospace().family();
        QCOMPARE(command->font().family(), family);
        QVERIFY(family != ui::FigureStyle::light().font(ui::FigureStyle::Text::Body).family());
        QFont mono(command->font());
        const QFontMetricsF metrics(mono);
        QCOMPARE(metrics.horizontalAdvance("8x6"), 3 * metrics.horizontalAdvance("x"));
    }

    /// The program accepts every suggested command and makes the same file: in each unit, on screen
    /// and on paper, and with sizes typed as shown.
    void everySizeIsTakenAsItIsSaid_data() {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QSizeF>("size");
        for (const QString theme : {"light", "dark", "paper"}) {
            const auto row = [&](const char *unit, const QSizeF &size) {
                QTest::addRow("%s, %s", unit, qPrintable(theme)) << QString(unit) << theme << size;
            };
            row("px", {800, 600});
            row("mm", {183.5, 120});
            row("in", {7.25, 4.5});
        }
    }
    void everySizeIsTakenAsItIsSaid() {
        QFETCH(QString, unit);
        QFETCH(QString, theme);
        QFETCH(QSizeF, size);
        WindowFixture fixture("cat", "heads");
        const QTemporaryDir folder;
        for (const QString suffix : {"png", "svg", "pdf"}) {
            ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
            choose(dialog, "figureFormat", suffix);
            choose(dialog, "figureTheme", theme);
            choose(dialog, "figureUnit", unit);
            dialog.findChild<QCheckBox *>("keepRatio")->setChecked(false);
            dialog.findChild<QDoubleSpinBox *>("figureWidth")->setValue(size.width());
            dialog.findChild<QDoubleSpinBox *>("figureHeight")->setValue(size.height());
            const QString path = folder.filePath("saved." + suffix);
            QString command = dialog.findChild<QLineEdit *>("command")->text();
            const QString said = dialog.recipe().size.text();
            QVERIFY2(command.contains(" --size " + said + ' '), qPrintable(command));
            dialog.saveTo(path);
            const QByteArray saved = read(path);
            QVERIFY(!saved.isEmpty());
            QVERIFY2(saved == madeBy(command, suffix), qPrintable(command));
            // The command in the file's metadata, and the session that it carries.
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

    void widthAndHeightKeepTheirProportion() {
        WindowFixture fixture("bank");
        ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        const QSizeF before = dialog.recipe().size.inPixels();
        dialog.findChild<QDoubleSpinBox *>("figureWidth")->setValue(qRound(before.width() * 2));
        QCOMPARE(dialog.recipe().size.height, before.height() * 2);
    }

    void whatTheCommandCannotSayIsSaid() {
        WindowFixture fixture("bank");
        QVERIFY(test::setMasks(fixture.window.document(), {core::WindowMask{1, false}}).ok());
        fixture.settle();
        ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        auto *note = dialog.findChild<QLabel *>("commandNote");
        auto *command = dialog.findChild<QLineEdit *>("command");
        auto *carries = dialog.findChild<QCheckBox *>("hasSession");
        // The figure carries everything and is its own source.
        QVERIFY(carries->isChecked());
        QVERIFY(!note->isVisibleTo(&dialog));
        QVERIFY(command->text().startsWith("headlight figure figure."));
        carries->click();
        QVERIFY(note->isVisibleTo(&dialog));
        QVERIFY(note->text().contains("mask"));
        QVERIFY(command->text().startsWith("headlight figure bank "));
        QVERIFY(command->text().contains("--no-session"));
    }

    void aFigureThatNoCommandCanSayIsMadeAgainFromItself() {
        WindowFixture fixture("bank", "heads");
        ui::Document &document = fixture.window.document();
        QVERIFY(test::setMasks(document, {core::WindowMask{1, false}}).ok());
        fixture.settle();
        for (const QString suffix : {"png", "svg", "pdf"}) {
            const QTemporaryDir folder;
            ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
            choose(dialog, "figureFormat", suffix);
            QString command = dialog.findChild<QLineEdit *>("command")->text();
            const QString path = folder.filePath("figure." + suffix);
            dialog.saveTo(path);
            const QByteArray saved = read(path);
            QVERIFY(!saved.isEmpty());
            QVERIFY2(command.startsWith("headlight figure figure." + suffix), qPrintable(command));
            command.replace(0, QString("headlight").size(), QString("'%1'").arg(HEADLIGHT_PROGRAM));
            QProcess shell;
            shell.setWorkingDirectory(folder.path());
            shell.start("/bin/sh", {"-c", command});
            QVERIFY(test::finished(shell));
            QCOMPARE(shell.exitCode(), 0);
            QVERIFY2(command.endsWith(" -o again." + suffix), qPrintable(command));
            QVERIFY2(read(folder.filePath("again." + suffix)) == saved, qPrintable(command));
            QVERIFY(read(path) == saved);
            const auto carried = core::readFigureFile(path.toStdString());
            QVERIFY(carried.ok());
            QVERIFY(core::readSession(carried->session)->now);
        }
    }

    void theSessionIsLeftOutWhereItWasLastTime() {
        WindowFixture fixture("bank");
        const QTemporaryDir folder;
        const QString with = folder.filePath("with.png"), without = folder.filePath("without.png");
        {
            ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
            auto *carries = dialog.findChild<QCheckBox *>("hasSession");
            QVERIFY(carries->isChecked());
            dialog.saveTo(with);
            ui::SaveFigureDialog again(*fixture.view(), &fixture.window);
            QVERIFY(again.recipe().session);
            again.findChild<QCheckBox *>("hasSession")->click();
            again.saveTo(without);
        }
        QVERIFY(core::readFigureFile(with.toStdString()).ok());
        QVERIFY(!core::readFigureFile(without.toStdString()).ok());
        QVERIFY(!read(without).contains("headlight_figure"));
        const ui::SaveFigureDialog last(*fixture.view(), &fixture.window);
        QVERIFY(!last.recipe().session);
    }

    void theViewsChoicesAreSaidToo_data() {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("heads") << "heads"
                               << QStringList{"--range heads", "--order entropy",
                                              "--colors magma,rdbu"};
        QTest::newRow("flow") << "flow"
                              << QStringList{"--range heads", "--granularity row",
                                             "--colors magma,rdbu"};
        QTest::newRow("similarity")
            << "similarity" << QStringList{"--contextual output", "--colors magma,rdbu"};
        QTest::newRow("geometry") << "geometry"
                                  << QStringList{"--space residual", "--axes dot-product",
                                                 "--gravity 0.25"};
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
        const ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        const QString command = dialog.findChild<QLineEdit *>("command")->text();
        for (const QString &part : words)
            QVERIFY2(command.contains(part), qPrintable(command));
        for (const QString option : {"--range", "--order", "--contextual", "--granularity",
                                     "--colors", "--space", "--axes", "--gravity"})
            QCOMPARE(command.contains(option), words.join(' ').contains(option));
        compareFiles(fixture, true);
    }

    /// In the dialog by mouse and keys. The shown command makes the same bytes.
    void onPaper_data() {
        QTest::addColumn<QString>("view");
        for (const char *view : {"flow", "heads", "similarity", "geometry", "words"})
            QTest::newRow(view) << view;
    }
    void onPaper() {
        QFETCH(QString, view);
        WindowFixture fixture("cat", view);
        QTemporaryDir folder;
        for (const QString suffix : {"png", "svg", "pdf"}) {
            ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
            dialog.show();
            choose(dialog, "figureFormat", suffix);
            auto *theme = dialog.findChild<QComboBox *>("figureTheme");
            auto *transparent = dialog.findChild<QCheckBox *>("figureTransparent");
            auto *paths = dialog.findChild<QCheckBox *>("textAsPaths");
            choose(dialog, "figureTheme", "light");
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
            choose(dialog, "figureUnit", "mm");
            auto *width = dialog.findChild<QDoubleSpinBox *>("figureWidth");
            width->setFocus();
            width->selectAll();
            QTest::keyClicks(width, "200");
            QTest::keyClick(width, Qt::Key_Tab);
            QCOMPARE(width->value(), 200.0);
            const QString command = dialog.findChild<QLineEdit *>("command")->text();
            QVERIFY2(command.contains(" --paper --transparent "), qPrintable(command));
            QVERIFY2(command.contains(" --size 200mmx"), qPrintable(command));
            QCOMPARE(command.contains("--text-as-paths"), suffix != "png");
            const QString path = folder.filePath("saved." + suffix);
            dialog.saveTo(path);
            QVERIFY2(read(path) == madeBy(command, suffix), qPrintable(command));
            // The settings are stored.
            ui::SaveFigureDialog again(*fixture.view(), &fixture.window);
            QCOMPARE(again.recipe().size, dialog.recipe().size);
            QVERIFY(again.recipe().paper && again.recipe().transparent && !again.recipe().dark);
            QCOMPARE(again.findChild<QComboBox *>("figureUnit")->currentText(), QString("mm"));
        }
    }

    void anotherUnitIsTheSameLength() {
        WindowFixture fixture("bank");
        ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        auto *width = dialog.findChild<QDoubleSpinBox *>("figureWidth");
        width->setValue(960);
        choose(dialog, "figureUnit", "in");
        QCOMPARE(width->value(), 10.0);
        choose(dialog, "figureUnit", "mm");
        QCOMPARE(width->value(), 254.0);
        QCOMPARE(dialog.recipe().size.unit, ui::LengthUnit::Millimetre);
        // The type size on paper: 10 px at 96 px per inch are 7.5 points.
        QString said;
        for (const QLabel *label : dialog.findChildren<QLabel *>("barLabel"))
            said += label->text();
        QVERIFY2(said.contains("7.5") && said.contains("pt"), qPrintable(said));
        choose(dialog, "figureUnit", "px");
        QCOMPARE(width->value(), 960.0);
        dialog.findChild<QDoubleSpinBox *>("figureTextSize")->setValue(70);
        QVERIFY(dialog.findChild<QLineEdit *>("command")->text().contains("--text-scale 0.7 "));
    }

    void whatIsTooSmallIsSaidBeforeItIsSaved() {
        WindowFixture fixture("cat", "heads");
        ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        dialog.show();
        auto *problem = dialog.findChild<QLabel *>("problem");
        dialog.findChild<QCheckBox *>("keepRatio")->setChecked(false);
        choose(dialog, "figureUnit", "mm");
        dialog.findChild<QDoubleSpinBox *>("figureWidth")->setValue(39);
        QVERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains("39 × ") && problem->text().contains("40 × ") &&
                     problem->text().contains("at least"),
                 qPrintable(problem->text()));
        dialog.findChild<QDoubleSpinBox *>("figureTextSize")->setValue(50);
        QVERIFY(!problem->isVisible());
    }

    void aFigureNamesNoFolder() {
        const QTemporaryDir folder;
        const QString source = folder.filePath("mine.headlight");
        QFile file(source);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(ui::lessonFile("cat"));
        file.close();
        WindowFixture fixture(source, "heads");
        fixture.window.document().comparison().compareWith(test::opened(source));
        QVERIFY(test::idle(fixture.window.document().comparison()));
        fixture.settle();
        for (const QString suffix : {"png", "svg", "pdf"}) {
            ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
            choose(dialog, "figureFormat", suffix);
            // The command works here as shown, but not on computers without that folder.
            const QString command = dialog.findChild<QLineEdit *>("command")->text();
            QVERIFY(command.contains(source));
            const QString path = folder.filePath("saved." + suffix);
            dialog.saveTo(path);
            const QByteArray saved = read(path);
            QVERIFY(!saved.isEmpty());
            QVERIFY(!saved.contains(folder.path().toUtf8()));
            const QString description =
                suffix == "png" ? QImage(path).text("Description") : QString::fromUtf8(saved);
            QVERIFY(!description.contains(folder.path()));
            QVERIFY(description.contains("headlight figure mine.headlight "));
            const auto carried = core::readFigure(saved.toStdString());
            QVERIFY(carried.ok());
            for (const std::string &word : carried->arguments)
                QVERIFY(!QString::fromStdString(word).contains(folder.path()));
            QVERIFY2(saved == madeBy(command, suffix), qPrintable(command));
        }
    }

    void errorsAreSaidAndLeaveNothingBehind() {
        WindowFixture fixture("bank");
        ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        dialog.show();
        QTemporaryDir folder;
        auto *problem = dialog.findChild<QLabel *>("problem");
        dialog.saveTo(folder.filePath("missing/a.png"));
        QVERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains("missing"), qPrintable(problem->text()));
        QVERIFY(dialog.isVisible());
        QVERIFY(dialog.savedPath().isEmpty());
        dialog.saveTo(folder.filePath("a.svg")); // with PNG selected
        QVERIFY(problem->isVisible());
        QVERIFY(QDir(folder.path()).isEmpty());
        dialog.saveTo(folder.filePath("a")); // the format adds the extension
        QVERIFY(QFile::exists(folder.filePath("a.png")));
        QVERIFY(!dialog.isVisible());
    }

    void theSuggestionSaysWhatIsShown() {
        WindowFixture fixture("cat", "heads");
        ui::Document &document = fixture.window.document();
        QVERIFY(test::setMasks(document, {core::CausalMask{}}).ok());
        const QString words =
            ui::suggestedCaption(document.session(), document.state(), document.selection());
        for (const char *part : {"The cat sat on the mat", "head 0", "causal mask"})
            QVERIFY2(words.contains(part), qPrintable(words));
    }
};

HEADLIGHT_WIDGET_TEST(SaveFigureTest)
#include "tst_save_figure.moc"
