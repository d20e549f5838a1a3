// Figures of several heads from the dialog: files, pages of a PDF, errors and Cancel.
#include "tests/support/long_input.h"
#include "tests/ui/window/save_dialog.h"

#include <QMessageBox>
#include <QProgressBar>

namespace {

/// The dialog that saves figures of several heads, without a session in the files.
struct SetDialog : test::SaveDialog {
    SetDialog(WindowFixture &fixture, const QString &format, ui::HeadSet heads)
        : SaveDialog(fixture, format) {
        choose("figureHeads", static_cast<int>(heads));
        find<QCheckBox>("hasSession")->setChecked(false);
    }
    void saveAll(const QString &path) {
        saveTo(path);
        HEADLIGHT_UNTIL(!isSaving());
    }
};

QStringList filesIn(const QTemporaryDir &folder) {
    return QDir(folder.path()).entryList(QDir::Files, QDir::Name);
}

} // namespace

class SaveFigureSetTest : public test::CleanTest {
    Q_OBJECT
  private slots:
    void aFileForEachHead_data() { test::addRows("suffix", QStringList{"png", "svg", "pdf"}); }
    /// Each file has the bytes that the shown command writes.
    void aFileForEachHead() {
        QFETCH(QString, suffix);
        WindowFixture fixture("cat", "heads");
        const QTemporaryDir saved, made;
        SetDialog dialog(fixture, suffix, ui::HeadSet::Layer);
        dialog.find<QCheckBox>("hasCaption")->setChecked(true);
        const QString command = dialog.command();
        QVERIFY2(command.contains("--view heatmap") && command.contains("--head 0,1"),
                 qPrintable(command));
        QVERIFY(!dialog.find<QLabel>("commandNote")->isVisibleTo(&dialog));
        dialog.saveAll(saved.filePath("cat-%h." + suffix));
        QCOMPARE(filesIn(saved), (QStringList{"cat-0." + suffix, "cat-1." + suffix}));
        QVERIFY(test::says(dialog.savedText(), "2 figures"));
        QString ofFiles = command;
        ofFiles.replace(QRegularExpression("-o \\S+$"), "-o figure-%h." + suffix);
        test::runIn(made.path(), ofFiles);
        for (const QString head : {"0", "1"})
            QVERIFY2(test::readAll(saved.filePath("cat-" + head + '.' + suffix)) ==
                         test::readAll(made.filePath("figure-" + head + '.' + suffix)),
                     qPrintable(command));
        QVERIFY(test::readAll(saved.filePath("cat-0." + suffix)) !=
                test::readAll(saved.filePath("cat-1." + suffix)));
    }

    void pagesOfOnePdf() {
        WindowFixture fixture("tales", "lines");
        const QTemporaryDir saved, made;
        SetDialog dialog(fixture, "pdf", ui::HeadSet::All);
        const QString command = dialog.command();
        QVERIFY2(command.contains("--layer all") && command.contains("--head 0,1,2,3") &&
                     command.endsWith(" -o figure.pdf"),
                 qPrintable(command));
        dialog.saveAll(saved.filePath("all.pdf"));
        QCOMPARE(filesIn(saved), QStringList{"all.pdf"});
        test::runIn(made.path(), command);
        QVERIFY2(test::readAll(saved.filePath("all.pdf")) ==
                     test::readAll(made.filePath("figure.pdf")),
                 qPrintable(command));
    }

    void pinnedHeads() {
        WindowFixture fixture("tales", "model");
        fixture.document().setModelView({});
        {
            const ui::SaveFigureDialog none(*fixture.view(), &fixture.window);
            auto *heads = test::find<QComboBox>(none, "figureHeads");
            QCOMPARE(heads->findData(static_cast<int>(ui::HeadSet::Pinned)), -1);
        }
        core::ModelViewState chosen;
        chosen.pinned = {"2.3", "1.0"};
        fixture.document().setModelView(chosen);
        const QTemporaryDir saved;
        SetDialog dialog(fixture, "svg", ui::HeadSet::Pinned);
        // --layer and --head would also select heads 1.3 and 2.0, so the dialog shows a note.
        QVERIFY(dialog.find<QLabel>("commandNote")->isVisibleTo(&dialog));
        dialog.saveAll(saved.filePath("100%%-%l-%h.svg"));
        QCOMPARE(filesIn(saved), (QStringList{"100%-1-0.svg", "100%-2-3.svg"}));
    }

    /// The trace of a long text holds the details of one layer only, but the gradients of all
    /// layers are saved.
    void gradientsOfOtherLayers() {
        WindowFixture fixture("bank", "whole");
        fixture.window.open(test::longDecoder(320));
        fixture.settle();
        fixture.window.showView("whole");
        fixture.select({.stage = core::Stage::AttentionWeights, .layer = 1});
        HEADLIGHT_UNTIL_EQUAL(fixture.document().selection().layer, core::Index(1));
        QVERIFY(!fixture.document().trace()->isWhole());
        fixture.view()->setShowGradients(true);
        HEADLIGHT_UNTIL(fixture.view()->options().backwardPass &&
                        fixture.view()->options().backwardPass->trace ==
                            fixture.document().trace());
        core::ModelViewState chosen;
        chosen.pinned = {"1.0", "5.0", "5.1"};
        fixture.document().setModelView(chosen);
        const QTemporaryDir saved;
        SetDialog dialog(fixture, "svg", ui::HeadSet::Pinned);
        QVERIFY(test::says(dialog.command(), "--way-back"));
        dialog.saveAll(saved.filePath("%l-%h.svg"));
        QCOMPARE(filesIn(saved), (QStringList{"1-0.svg", "5-0.svg", "5-1.svg"}));
        for (const QString &file : filesIn(saved))
            QVERIFY2(QString::fromUtf8(test::readAll(saved.filePath(file))).contains(u'∂'),
                     qPrintable(file));
    }

    /// Figures of a stage without heads would be equal.
    void onlyStagesOfHeads_data() {
        test::addColumns<QString, core::Stage, bool>({"view", "stage", "isOffered"});
        const auto row = [](const char *view, core::Stage stage, bool isOffered) {
            QTest::addRow("%s, %s", view, core::infoOf(stage).name.data())
                << QString(view) << stage << isOffered;
        };
        row("close-up", core::Stage::Query, true);
        row("close-up", core::Stage::Concatenated, true);
        row("close-up", core::Stage::Output, false);
        row("close-up", core::Stage::FeedForwardOutput, false);
        row("whole", core::Stage::Output, true); // next to the weights of the head
        row("whole", core::Stage::FeedForwardOutput, false);
        row("whole", core::Stage::Logits, false);
    }
    void onlyStagesOfHeads() {
        QFETCH(QString, view);
        QFETCH(core::Stage, stage);
        QFETCH(bool, isOffered);
        WindowFixture fixture(test::sessionPath("gpt_neox"), view);
        fixture.select({.stage = stage});
        fixture.settle();
        QCOMPARE(fixture.view()->captionedStage(), stage);
        const ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
        auto *heads = test::find<QComboBox>(dialog, "figureHeads");
        QCOMPARE(heads->isEnabled(), isOffered);
        QCOMPARE(heads->count() > 1, isOffered);
    }

    /// A figure has the lines of its head only, although the view shows the lines of all heads.
    void linesOfEachHead() {
        WindowFixture fixture("cat", "lines");
        QList<QByteArray> files;
        for (const bool all : {false, true}) {
            fixture.view()->setOption(&ui::FigureOptions::headLines, ui::HeadLines{{all, {}}, 0.1});
            const QTemporaryDir saved;
            SetDialog dialog(fixture, "svg", ui::HeadSet::Layer);
            QVERIFY2(!dialog.command().contains("--heads"), qPrintable(dialog.command()));
            dialog.saveAll(saved.filePath("%h.svg"));
            files << test::readAll(saved.filePath("1.svg"));
        }
        QVERIFY(!files.first().isEmpty());
        QVERIFY(files.first() == files.last());
    }

    /// The encoder, the decoder and the cross-attention each have a layer 0.
    void pinnedHeadsOfSeveralStacks() {
        WindowFixture fixture(test::sessionPath("encoder_decoder"), "model");
        core::ModelViewState chosen;
        chosen.pinned = {"encoder.0.1", "0.1", "cross.0.1", "decoder.self.0.1"};
        fixture.document().setModelView(chosen);
        const QTemporaryDir saved;
        SetDialog dialog(fixture, "svg", ui::HeadSet::Pinned);
        dialog.saveAll(saved.filePath("%l-%h.svg"));
        QCOMPARE(filesIn(saved), (QStringList{"0-1.svg", "cross-0-1.svg", "encoder-0-1.svg"}));
    }

    void everyHeadNamesItsAttention_data() {
        test::addColumns<QString, QString, QString>({"source", "head", "words"});
        QTest::newRow("one kind") << "tales" << QString() << "Every head (";
        const QString several = test::sessionPath("encoder_decoder");
        QTest::newRow("encoder") << several << "encoder"
                                 << "Every head of the encoder (";
        QTest::newRow("cross") << several << "cross"
                               << "Every head of the cross-attention (";
        QTest::newRow("decoder") << several << "decoder"
                                 << "Every head of the decoder's self-attention (";
    }
    void everyHeadNamesItsAttention() {
        QFETCH(QString, source);
        QFETCH(QString, head);
        QFETCH(QString, words);
        WindowFixture fixture(source, "heads");
        if (!head.isEmpty()) {
            core::Selection place = fixture.document().selection();
            place.stage = core::Stage::AttentionWeights;
            place.stack = head == "encoder" ? core::Stack::Encoder : core::Stack::Decoder;
            place.block =
                head == "cross" ? core::Block::CrossAttention : core::Block::SelfAttention;
            place.layer = place.head = 0;
            place.query = place.key = place.dimension = std::nullopt;
            fixture.document().select(place);
            fixture.settle();
        }
        const SetDialog dialog(fixture, "svg", ui::HeadSet::All);
        const QString name = dialog.find<QComboBox>("figureHeads")->currentText();
        QVERIFY2(name.startsWith(words), qPrintable(name));
    }

    /// The suggested name has the percent signs of the source, which are not patterns.
    /// The text about the size wraps, so that it does not push the controls out of their column.
    void nothingIsCutAtTheRight() {
        WindowFixture fixture("tales", "heads");
        for (const QString suffix : {"pdf", "png"}) {
            SetDialog dialog(fixture, suffix, ui::HeadSet::Layer);
            dialog.show();
            QVERIFY(test::exposed(dialog));
            const auto *scroll = dialog.findChild<QScrollArea *>();
            const auto *size = test::find<QLabel>(*scroll, "barLabel");
            QVERIFY2(test::says(size->text(), "figures") && !size->text().contains(": "),
                     qPrintable(size->text()));
            for (const char *unit : {"px", "mm", "in"}) {
                dialog.choose("figureUnit", unit);
                QCoreApplication::processEvents();
                QCOMPARE(scroll->widget()->width(), scroll->viewport()->width());
                QVERIFY2(size->height() >= size->heightForWidth(size->width()), unit);
            }
        }
    }

    void percentSignsOfTheSource() {
        const QTemporaryDir folder, saved;
        const QString source = folder.filePath("50%loss.headlight");
        test::writeAll(source, ui::lessonFile("cat"));
        WindowFixture fixture(source, "heads");
        const SetDialog one(fixture, "svg", ui::HeadSet::Selected);
        QCOMPARE(one.suggestedName(), QString("50%loss-heads.svg"));
        SetDialog dialog(fixture, "svg", ui::HeadSet::Layer);
        dialog.saveAll(saved.filePath(dialog.suggestedName()));
        QCOMPARE(filesIn(saved),
                 (QStringList{"50%loss-heatmap-0-0.svg", "50%loss-heatmap-0-1.svg"}));
    }

    void anExistingFileIsAskedFor() {
        WindowFixture fixture("cat", "heads");
        const QTemporaryDir saved;
        const QString existing = saved.filePath("<b>0.svg");
        test::writeAll(existing, "old");
        SetDialog dialog(fixture, "svg", ui::HeadSet::Layer);
        dialog.show();
        QString asked;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] {
            QWidget *modal = QApplication::activeModalWidget();
            if (auto *box = qobject_cast<QMessageBox *>(modal)) {
                asked = box->text();
                QCOMPARE(box->textFormat(), Qt::PlainText);
                box->button(QMessageBox::No)->click();
            } else if (auto *chooser = qobject_cast<QFileDialog *>(modal)) {
                chooser->findChild<QLineEdit *>("fileNameEdit")
                    ->setText(saved.filePath("<b>%h.svg"));
                QMetaObject::invokeMethod(chooser, "accept");
            }
        });
        timer.start(10);
        dialog.chooseAndSave();
        QCOMPARE(asked, QString("<b>0.svg exists already.\nOverwrite it?"));
        QVERIFY(!dialog.isSaving());
        QCOMPARE(filesIn(saved), QStringList{"<b>0.svg"});
        QCOMPARE(test::readAll(existing), QByteArray("old"));
    }

    void equalNamesAreRejected() {
        WindowFixture fixture("cat", "heads");
        const QTemporaryDir saved;
        SetDialog dialog(fixture, "png", ui::HeadSet::Layer);
        dialog.show();
        dialog.saveTo(saved.filePath("cat.png"));
        QVERIFY(!dialog.isSaving());
        QVERIFY(test::says(dialog.find<QLabel>("problem")->text(), "%h"));
        QVERIFY(filesIn(saved).isEmpty());
        QVERIFY(dialog.isVisible());
    }

    void cancelled() {
        WindowFixture fixture("tales", "heads");
        const QTemporaryDir saved;
        SetDialog dialog(fixture, "pdf", ui::HeadSet::All);
        dialog.show();
        dialog.saveTo(saved.filePath("head-%l-%h.pdf"));
        QVERIFY(dialog.isSaving());
        auto *progress = dialog.find<QProgressBar>("figureProgress");
        QVERIFY(progress->isVisible());
        QCOMPARE(progress->maximum(), 12);
        QVERIFY(!dialog.find<QPushButton>("saveButton")->isEnabled());
        dialog.find<QPushButton>("cancelButton")->click();
        QVERIFY(!dialog.isSaving());
        QVERIFY(dialog.isVisible());
        QVERIFY(!progress->isVisible());
        QVERIFY(dialog.find<QPushButton>("saveButton")->isEnabled());
        QVERIFY(dialog.savedPath().isEmpty());
        QVERIFY(test::says(dialog.find<QLabel>("problem")->text(), "stopped"));
        QVERIFY(filesIn(saved).size() < 12);
    }

    /// The files would show different numbers from their commands.
    void anEditStopsSaving() {
        WindowFixture fixture("cat", "heads");
        const QTemporaryDir saved;
        SetDialog dialog(fixture, "svg", ui::HeadSet::Layer);
        dialog.show();
        dialog.saveTo(saved.filePath("cat-%h.svg"));
        QVERIFY(dialog.isSaving());
        QVERIFY(test::typeText(fixture.document(), "the cat").ok());
        QVERIFY(!dialog.isSaving());
        QVERIFY(test::says(dialog.find<QLabel>("problem")->text(), "changed"));
    }
};

HEADLIGHT_WIDGET_TEST(SaveFigureSetTest)
#include "tst_save_figure_set.moc"
