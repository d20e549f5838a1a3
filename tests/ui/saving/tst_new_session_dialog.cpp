// The New session dialog, operated by keyboard and mouse, as a user would.
#include "tests/ui/window/session_files.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/saving/new_session_dialog.h"

using ui::NewKind;

namespace {

struct DialogFixture {
    ui::NewSessionDialog dialog;

    DialogFixture() {
        dialog.show();
        (void)test::exposed(dialog);
        dialog.activateWindow();
        (void)test::active(dialog);
    }
    template <typename Widget>
    Widget *find(const char *name) const {
        return test::find<Widget>(dialog, name);
    }
    void choose(const char *name, const QString &item) const {
        auto *box = find<QComboBox>(name);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        for (int i = 0; i < box->count() && box->currentText() != item; ++i)
            QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(box->currentText(), item);
    }
    void type(const char *name, const QString &text) const {
        auto *widget = find<QWidget>(name);
        widget->setFocus();
        QTest::keyClick(widget, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(widget, text);
    }
    bool canCreate() const { return find<QPushButton>("create")->isEnabled(); }
    /// Returns the messages under the fields.
    QStringList problems() const {
        QStringList said;
        for (const QLabel *label : dialog.findChildren<QLabel *>("problem"))
            if (label->isVisible())
                said << label->text();
        return said;
    }
    void create() const { QTest::mouseClick(find<QPushButton>("create"), Qt::LeftButton); }
    const core::Model &model() const { return dialog.session().state.model; }
};

/// Opens the dialog with Ctrl+N, and calls `act` with it.
void inTheDialog(WindowFixture &fixture, const std::function<void(QDialog *)> &act) {
    QTimer::singleShot(0, [&] {
        auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        const auto close = qScopeGuard([dialog] { // also closes it if the test fails
            if (dialog->isVisible())
                dialog->reject();
        });
        dialog->activateWindow();
        HEADLIGHT_UNTIL_EQUAL(QApplication::activeWindow(), dialog); // so that it receives the keys
        act(dialog);
    });
    QTest::keyClick(&fixture.window, Qt::Key_N, Qt::ControlModifier);
    fixture.settle();
}

QWidgetList fieldsOf(const QDialog &dialog) {
    QWidgetList fields;
    for (QWidget *widget : dialog.findChildren<QWidget *>())
        if (widget->objectName().startsWith("new") && widget->focusPolicy() & Qt::TabFocus)
            fields << widget;
    return fields;
}

} // namespace

class NewSessionDialogTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void eachKindOpensInTheWindow_data() {
        test::addColumns<QString, QString, bool>({"kind", "stage", "hasSource"});
        const auto row = [](const char *kind, const char *stage, bool hasSource) {
            QTest::newRow(kind) << QString(kind) << QString(stage) << hasSource;
        };
        row("Attention only", "layers.0.self_attention.output", false);
        row("Encoder", "layers.1.feed_forward.residual_sum", false);
        row("Decoder", "probabilities", false);
        row("Encoder and decoder", "decoder.layers.1.cross_attention.weights", true);
        row("Two sequences, cross-attention only", "layers.0.cross_attention.weights", true);
    }

    /// Ctrl+N, the kind, the texts and Enter, with keys only. The session is then changed, saved
    /// and opened again.
    void eachKindOpensInTheWindow() {
        QFETCH(QString, kind);
        QFETCH(QString, stage);
        QFETCH(bool, hasSource);
        WindowFixture fixture("bank", "heads");
        inTheDialog(fixture, [&](QDialog *dialog) {
            auto *kinds = dialog->findChild<QComboBox *>("newKind");
            QTest::keyClick(dialog, Qt::Key_K, Qt::AltModifier);
            QVERIFY(kinds->hasFocus());
            for (int i = 0; i < kinds->count() && kinds->currentText() != kind; ++i)
                QTest::keyClick(kinds, Qt::Key_Down);
            if (hasSource) {
                QTest::keyClick(dialog, Qt::Key_O, Qt::AltModifier);
                QTest::keyClicks(QApplication::focusWidget(), "the cat drinks");
            }
            QTest::keyClick(dialog, Qt::Key_T, Qt::AltModifier);
            QCOMPARE(QApplication::focusWidget()->objectName(), QString("newText"));
            QTest::keyClicks(QApplication::focusWidget(), "die Katze trinkt Milch");
            QTest::keyClick(dialog, Qt::Key_Return);
            QVERIFY(!dialog->isVisible());
        });
        ui::Document &document = fixture.document();
        QCOMPARE(document.trace()->batch().length(), 4);
        QVERIFY2(document.trace()->has(stage.toStdString()), qPrintable(stage));
        QCOMPARE(document.trace()->input().source != nullptr, hasSource);
        QCOMPARE(fixture.view()->viewName(), QString("close-up"));
        QCOMPARE(document.selection().stage, core::Stage::AttentionWeights);
        QVERIFY(fixture.window.isWindowModified());

        const QTemporaryDir folder;
        const QString path = folder.filePath("new.headlight");
        QVERIFY(fixture.window.saveIn(path));
        const QByteArray asMade = test::readAll(path);
        QVERIFY(!asMade.contains("\"now\""));
        fixture.typeText("die Katze");
        QVERIFY(fixture.window.saveIn(path));
        QCOMPARE(test::textIn(path), QString("die Katze"));
        const ui::OpenedSource again = test::opened(path);
        core::Session now;
        now.model = document.state().model;
        now.input = document.state().input;
        QVERIFY(core::differenceOf(now, again.state.model, again.state.input) ==
                core::StatePatch{});
        QVERIFY(again.state.model.config == document.state().model.config);
        document.undoStack().undo();
        fixture.settle();
        QVERIFY(fixture.window.saveIn(path));
        QCOMPARE(test::readAll(path), asMade);
    }

    /// The button is reached with keys only. The example is not unsaved work, and the dialog's
    /// choices are not stored.
    void theExampleExplainsItself() {
        WindowFixture fixture("bank", "heads");
        inTheDialog(fixture, [](QDialog *dialog) {
            QTest::keyClick(dialog, Qt::Key_X, Qt::AltModifier);
            HEADLIGHT_UNTIL(!dialog->isVisible()); // the button first shows that it is pressed
        });
        const ui::Document &document = fixture.document();
        QCOMPARE(document.source(), QString("translation"));
        QVERIFY(document.session().lesson.has_value());
        QVERIFY(document.trace()->model().hasEncoder());
        QCOMPARE(document.selection().block, core::Block::CrossAttention);
        QVERIFY(!fixture.window.isWindowModified());
        QCOMPARE(fixture.view()->viewName(), QString("close-up"));
        QVERIFY(fixture.find<QTextBrowser>("lessonText")->toPlainText().contains("maison"));
        QVERIFY(!QSettings().contains("newSession/kind"));
    }

    void whatIsChosenIsMade() {
        DialogFixture fixture;
        fixture.choose("newKind", "Decoder");
        fixture.type("newLayers", "3");
        fixture.type("newWidth", "24");
        fixture.type("newHeads", "6");
        fixture.choose("newKeyValueHeads", "3");
        fixture.choose("newPositions", "Relative");
        fixture.choose("newNorm", "Batch");
        fixture.choose("newNormPlace", "After each part");
        fixture.type("newFeedForward", "40");
        fixture.choose("newActivation", "GELU, tanh");
        auto *gated = fixture.find<QCheckBox>("newGated");
        QVERIFY(gated->isChecked());
        gated->setFocus();
        QTest::keyClick(gated, Qt::Key_Space);
        QTest::mouseClick(fixture.find<QCheckBox>("newResidual"), Qt::LeftButton, {}, {8, 10});
        fixture.type("newSeed", "77");
        fixture.type("newText", "a b c");
        QVERIFY(fixture.problems().isEmpty());
        fixture.create();
        QVERIFY(!fixture.dialog.isVisible());
        const core::Config &config = fixture.model().config;
        QCOMPARE(fixture.model().layerCount(), core::Index(3));
        QCOMPARE(config.width, core::Index(24));
        QCOMPARE(config.heads, core::Index(6));
        QCOMPARE(config.groups(), core::Index(3));
        QCOMPARE(config.positions, core::Positions::Relative);
        QCOMPARE(config.norm.kind, core::NormKind::Batch);
        QVERIFY(config.normsAfter() && !config.norm.final);
        QCOMPARE(config.feedForward.width, core::Index(40));
        QCOMPARE(config.feedForward.activation, core::Activation::GeluTanh);
        QVERIFY(!config.feedForward.gated && !config.residual);
        QVERIFY(fixture.dialog.session().session.json.find("\"seed\": 77") != std::string::npos);
    }

    void whatDoesNotApplyIsDisabled() {
        const DialogFixture fixture;
        const QStringList parts{"newResidual", "newNorm",       "newNormPlace",   "newQueryKeyNorm",
                                "newBlocks",   "newActivation", "newFeedForward", "newGated"};
        const auto enabled = [&](const char *name) {
            return fixture.find<QWidget>(name)->isEnabled();
        };
        for (const char *kind : {"Attention only", "Two sequences, cross-attention only"}) {
            fixture.choose("newKind", kind);
            for (const QString &name : parts)
                QVERIFY2(!enabled(qPrintable(name)), qPrintable(name));
        }
        auto *positions =
            qobject_cast<QStandardItemModel *>(fixture.find<QComboBox>("newPositions")->model());
        QVERIFY(positions->item(1)->isEnabled());
        for (const int item : {3, 4, 5})
            QVERIFY(!positions->item(item)->isEnabled());
        fixture.choose("newKind", "Encoder");
        for (const QString &name : parts)
            QVERIFY2(enabled(qPrintable(name)), qPrintable(name));
        QVERIFY(positions->item(3)->isEnabled());
        fixture.choose("newNorm", "None");
        QVERIFY(!enabled("newNormPlace") && !enabled("newQueryKeyNorm"));
        fixture.type("newFeedForward", "0");
        QVERIFY(!enabled("newActivation") && !enabled("newGated"));
        QVERIFY(!fixture.find<QLineEdit>("newSource")->isVisible());
        fixture.choose("newKind", "Encoder and decoder");
        QVERIFY(fixture.find<QLineEdit>("newSource")->isVisible());
        QCOMPARE(fixture.find<QLineEdit>("newText")->accessibleName(), QString("Target text"));
    }

    void whatIsImpossibleIsSaidAtItsField() {
        const DialogFixture fixture;
        fixture.choose("newKind", "Decoder");
        QVERIFY(!fixture.canCreate());
        QVERIFY(fixture.problems().isEmpty()); // an empty field is not an error yet
        fixture.type("newText", "a b");
        QVERIFY(fixture.canCreate());
        fixture.type("newWidth", "12"); // gives heads of size 3, but rotary embeddings rotate pairs
        QVERIFY(!fixture.canCreate());
        QCOMPARE(fixture.problems().size(), 1);
        QVERIFY(
            fixture.problems().first().contains("dimensions are rotated in pairs, but 3 is odd"));
        const auto *said = fixture.find<QSpinBox>("newHeads");
        for (const QLabel *label : fixture.dialog.findChildren<QLabel *>("problem"))
            if (label->isVisible())
                QVERIFY(label->mapTo(&fixture.dialog, QPoint()).y() >
                        said->mapTo(&fixture.dialog, QPoint()).y());
        QTest::keyClick(fixture.find<QLineEdit>("newText"), Qt::Key_Return);
        QVERIFY(fixture.dialog.isVisible());
        fixture.choose("newPositions", "ALiBi");
        QVERIFY(fixture.canCreate() && fixture.problems().isEmpty());
        fixture.type("newHeads", "5");
        QVERIFY(fixture.problems().first().contains("multiple"));
        fixture.type("newHeads", "3");
        QVERIFY(fixture.canCreate());
        fixture.type("newText", "  ");
        QVERIFY(!fixture.canCreate());
        QCOMPARE(fixture.problems().size(), 1);
        fixture.type("newText", "a");
        fixture.type("newLayers", "12");
        fixture.type("newHeads", "4");
        fixture.type("newWidth", "1024");
        fixture.type("newFeedForward", "4096");
        QVERIFY(!fixture.canCreate());
        QVERIFY(fixture.problems().first().contains("random parameters"));
    }

    void keyAndValueHeadsDivideTheHeads() {
        const DialogFixture fixture;
        const auto offered = [&] {
            auto *box = fixture.find<QComboBox>("newKeyValueHeads");
            QList<int> counts;
            for (int i = 0; i < box->count(); ++i)
                counts << box->itemData(i).toInt();
            return counts;
        };
        QCOMPARE(offered(), (QList<int>{2, 1}));
        fixture.type("newHeads", "12");
        QCOMPARE(offered(), (QList<int>{12, 6, 4, 3, 2, 1}));
        auto *box = fixture.find<QComboBox>("newKeyValueHeads");
        QCOMPARE(box->currentData().toInt(), 12); // as before, one for each head
        fixture.choose("newKeyValueHeads", "4");
        fixture.type("newHeads", "8");
        QCOMPARE(box->currentData().toInt(), 4);
        fixture.type("newHeads", "7");
        QCOMPARE(offered(), (QList<int>{7, 1}));
        QCOMPARE(box->currentData().toInt(), 7);
    }

    void choicesAreRememberedKindByKind() {
        {
            const DialogFixture fixture;
            fixture.choose("newKind", "Encoder");
            fixture.type("newLayers", "5");
            fixture.choose("newPositions", "Learned");
            fixture.choose("newKind", "Decoder");
            fixture.type("newWidth", "40");
            fixture.choose("newKind", "Encoder");
            QCOMPARE(fixture.find<QSpinBox>("newLayers")->value(),
                     5); // kept while another kind was chosen
            fixture.type("newText", "one two");
            fixture.create();
        }
        const DialogFixture fixture;
        QCOMPARE(fixture.find<QComboBox>("newKind")->currentText(), QString("Encoder"));
        QCOMPARE(fixture.find<QSpinBox>("newLayers")->value(), 5);
        QCOMPARE(fixture.find<QComboBox>("newPositions")->currentText(), QString("Learned"));
        QVERIFY(fixture.find<QLineEdit>("newText")->text().isEmpty());
        QTest::mouseClick(fixture.find<QPushButton>("usualValues"), Qt::LeftButton);
        QCOMPARE(fixture.find<QSpinBox>("newLayers")->value(), 2);
        QCOMPARE(fixture.find<QComboBox>("newPositions")->currentText(), QString("Sinusoidal"));
        fixture.choose("newKind", "Decoder"); // not stored, because no Decoder was created
        QCOMPARE(fixture.find<QSpinBox>("newWidth")->value(), 16);
    }

    void everyFieldIsRemembered() {
        ui::NewSession made = ui::usualSession(NewKind::Decoder);
        for (const auto &row : core::Fields<ui::NewSession>::table().rows) {
            std::vector<std::string> words{"7", "true", "false"};
            words.insert(words.end(), row.valid.words.begin(), row.valid.words.end());
            const std::string before = core::wordOf(row, made);
            for (const std::string &word : words)
                if (core::wordOf(row, made) == before)
                    (void)core::readWord(row, word, made);
            QVERIFY2(core::wordOf(row, made) != before, row.name.c_str());
        }
        ui::rememberSession(made);
        QVERIFY(ui::rememberedSession(NewKind::Decoder) == made);
        QVERIFY(ui::rememberedSession(NewKind::Encoder) == ui::usualSession(NewKind::Encoder));
        QVERIFY(ui::rememberedKind() == NewKind::Decoder);
        QCOMPARE(QSettings().value("newSession/decoder/heads"), "7"); // plain text, not JSON
        QCOMPARE(QSettings().value("newSession/decoder/positions"), "none");
    }

    void settingsOfSomebodyElseDoNoHarm() {
        QSettings settings;
        settings.setValue("newSession/kind", "decoder");
        for (const char *name :
             {"layers", "width", "heads", "keyValueHeads", "seed", "feedForward"})
            settings.setValue(QString("newSession/decoder/") + name, "99999999999999999");
        settings.setValue("newSession/decoder/positions", "telepathy");
        settings.setValue("newSession/decoder/norm", 7);
        settings.setValue("newSession/decoder/layers", 13);
        settings.setValue("newSession/decoder/encoderHeads", -1);
        settings.setValue("newSession/decoder/residual", "perhaps");
        const DialogFixture fixture;
        QCOMPARE(fixture.find<QComboBox>("newPositions")->currentText(), QString("Rotary"));
        QCOMPARE(fixture.find<QComboBox>("newNorm")->currentText(), QString("RMS"));
        QCOMPARE(fixture.find<QSpinBox>("newLayers")->value(), 2);
        QCOMPARE(fixture.find<QSpinBox>("newEncoderHeads")->value(), 0);
        QVERIFY(fixture.find<QCheckBox>("newResidual")->isChecked());
        QTest::mouseClick(fixture.find<QPushButton>("usualValues"), Qt::LeftButton);
        fixture.type("newText", "a");
        QVERIFY(fixture.canCreate());
    }

    void everyFieldHasANameAToolTipAndAKeyOfItsOwn() {
        const DialogFixture fixture;
        fixture.choose("newKind", "Encoder and decoder");
        QStringList keys;
        const QWidgetList fields = fieldsOf(fixture.dialog);
        QCOMPARE(fields.size(), 24);
        for (const QWidget *field : fields) {
            QVERIFY2(!field->accessibleName().isEmpty(), qPrintable(field->objectName()));
            QVERIFY2(!field->toolTip().isEmpty(), qPrintable(field->objectName()));
            QVERIFY2(!field->accessibleName().contains('&'), qPrintable(field->objectName()));
        }
        QStringList texts;
        for (const QLabel *label : fixture.dialog.findChildren<QLabel *>())
            if (label->buddy())
                texts << label->text();
        for (const QAbstractButton *button : fixture.dialog.findChildren<QAbstractButton *>())
            texts << button->text();
        for (const QString &text : texts)
            if (const QKeySequence key = QKeySequence::mnemonic(text); !key.isEmpty()) {
                QVERIFY2(!keys.contains(key.toString()), qPrintable(text));
                keys << key.toString();
            }
        QCOMPARE(keys.size(), 23); // the fields, as long as there are letters left, and the buttons
    }

    void whereTheFieldsDoNotFitTheyScrollToTheFocus() {
        DialogFixture fixture;
        fixture.dialog.setMinimumSize(1, 1);
        fixture.dialog.resize(fixture.dialog.width(), 260);
        HEADLIGHT_UNTIL_EQUAL(QApplication::activeWindow(), &fixture.dialog);
        auto *area = fixture.find<QScrollArea>("newFields");
        for (const char *name : {"newKind", "newText"}) {
            QTest::keyClick(&fixture.dialog, name == QByteArray("newKind") ? Qt::Key_K : Qt::Key_T,
                            Qt::AltModifier);
            auto *field = fixture.find<QWidget>(name);
            QVERIFY(field->hasFocus());
            const QRect place(field->mapTo(area->viewport(), QPoint()), field->size());
            QVERIFY2(place.top() >= 0 && place.bottom() <= area->viewport()->height(), name);
        }
    }
};

HEADLIGHT_WIDGET_TEST(NewSessionDialogTest)
#include "tst_new_session_dialog.moc"
