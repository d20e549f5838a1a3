// A capture in the window. Every view shows it, nothing can change it, and a session that names it
// can be saved.
#include "tests/support/dragging.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/text/capture_text.h"
#include "ui/views/heads_view.h"
#include "ui/views/model_view.h"

namespace {

core::Tensor filled(const core::Shape &shape, float value) {
    return {shape, std::vector<float>(static_cast<std::size_t>(shape.count()), value)};
}

void write(const QString &path, const std::vector<core::NamedTensor> &tensors,
           const core::Metadata &metadata) {
    test::writeAll(
        path, QByteArray::fromStdString(test::valueOf(core::safetensorsBytes(tensors, metadata))));
}

const core::Metadata kTokens{{"tokens", R"(["The"," cat"," sat"])"}};

/// Writes a sparse file of 16 heads of 2048 tokens, 256 MB per layer, which are read head by head.
/// Head h has a single attention weight, in row 100 · h.
void writeLarge(const QString &path) {
    constexpr qint64 kLength = 2048;
    const qint64 data = test::writeHoles(path, 2, 16, kLength);
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite))
        qFatal("cannot write %s", qPrintable(path));
    for (qint64 head = 0; head < 16; ++head) {
        file.seek(data + (head * kLength + 100 * head) * kLength * 4);
        file.write(QByteArray("\0\0\x80\x3f", 4)); // 1.0 as a little-endian float
    }
}

/// Returns the number of heads in the menu.
qsizetype headsOffered(const WindowFixture &fixture) {
    QMenu menu;
    fixture.window.findChild<ui::MechanismActions *>()->fill(menu,
                                                             ui::MechanismActions::Setting::Head);
    return menu.actions().size();
}

/// Writes two layers with different numbers of heads.
void writeWeights(const QString &path, float value = 1.0F / 3, core::Metadata metadata = kTokens) {
    write(path,
          {{"attentions.0", filled({4, 3, 3}, value)}, {"attentions.1", filled({2, 3, 3}, value)}},
          metadata);
}

} // namespace

class WindowCapturesTest : public test::CleanTest {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString path(const char *name) const { return m_folder.filePath(name); }

    /// Returns the enabled entries of a menu in the menu bar.
    static QStringList enabledOf(const ui::MainWindow &window, const QString &menu) {
        QStringList enabled;
        for (QAction *top : window.menuBar()->actions())
            if (top->text().remove('&') == menu)
                for (QAction *each : top->menu()->actions())
                    if (each->isEnabled() && !each->isSeparator())
                        enabled << each->text().remove('&');
        return enabled;
    }

  private slots:
    /// The selected head is read, and a worker makes thumbnails of the others.
    void everyHeadOfALargeCaptureIsSeen() {
        writeLarge(path("large.safetensors"));
        WindowFixture fixture("bank", "heads");
        fixture.openSource(path("large.safetensors"));
        fixture.window.showView("heads");
        auto *view = dynamic_cast<ui::HeadsView *>(fixture.view());
        QVERIFY(view);
        const auto missing = [view] {
            const auto *figure = static_cast<const ui::HeadsFigure *>(view->figure());
            int count = 0;
            for (core::Index head = 0; head < figure->headCount(); ++head)
                count += figure->lacks(head) && figure->shownInTile(head).tensor.isNull();
            return count;
        };
        QVERIFY(fixture.document().trace()->isByHead(core::Stage::AttentionWeights));
        const std::size_t before = core::stagesMadeOnThisThread();
        QCOMPARE(missing(), 15);
        HEADLIGHT_UNTIL((view->repaint(), missing() == 0));
        QCOMPARE(core::stagesMadeOnThisThread(), before);
        const auto brightestRow = [&](core::Index head) {
            const QImage image = view->grab().toImage();
            const QRectF cells = view->geometry().tileCells(head).cells;
            int brightest = 0, row = 0;
            for (int y = qCeil(cells.top()); y < qFloor(cells.bottom()); ++y)
                for (int x = qFloor(cells.left()); x < qFloor(cells.left()) + 3; ++x)
                    if (const int g = image.pixelColor(x, y).green();
                        g > brightest && image.pixelColor(x, y).blue() < 128) { // yellow
                        brightest = g;
                        row = y;
                    }
            return (row - cells.top()) / cells.height();
        };
        for (const core::Index head :
             {1, 7, 15}) // at its attention weight, in the thumbnail as well
            QVERIFY(std::abs(brightestRow(head) - 100.0 * static_cast<double>(head) / 2048) < 0.03);
        // Selecting another head reuses the thumbnails. Another layer needs new ones.
        fixture.select({.head = 5});
        fixture.settle();
        QVERIFY(test::until([&] { return !fixture.document().isPreparing(); }));
        QVERIFY(missing() <= 1); // only the previously selected head may be missing
        fixture.select({.layer = 1});
        QVERIFY(test::until([&] { return !fixture.document().isPreparing(); }));
        QCOMPARE(missing(), 15);
        HEADLIGHT_UNTIL((view->repaint(), missing() == 0));
    }

    void aDroppedCaptureIsShown() {
        writeWeights(path("a.safetensors"));
        WindowFixture fixture("bank");
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path("a.safetensors"))});
        QVERIFY(test::dragOnto(fixture.window, {50, 200}, data));
        fixture.settle();
        const ui::Document &document = fixture.document();
        QVERIFY(document.isCapture());
        QCOMPARE(document.source(), path("a.safetensors"));
        QCOMPARE(ui::recentFiles(), QStringList{path("a.safetensors")});
        QVERIFY(fixture.window.windowTitle().contains("a.safetensors"));
        QVERIFY(!document.isModified());
        QCOMPARE(headsOffered(fixture), 4);
        for (const char *view : {"close-up", "whole", "heads", "similarity", "geometry", "output",
                                 "words", "lines", "text", "query-key", "model"}) {
            fixture.window.showView(view);
            QCOMPARE(fixture.view()->viewName(), QString(view));
            QVERIFY(fixture.view()->figure());
            (void)fixture.view()->grab();
        }
        // Every head of both layers has a thumbnail.
        auto &model = static_cast<ui::ModelView &>(*fixture.view());
        HEADLIGHT_UNTIL(model.isComplete());
        QVERIFY(model.figure());
        QCOMPARE(model.model()->tiles().size(), std::size_t(6));
        for (const ui::ModelFigure::Tile &tile : model.model()->tiles())
            QVERIFY(!tile.content.matrix().empty());
        // The next layer has fewer heads, so the selection is clamped.
        fixture.select({.head = 3});
        fixture.action("Next layer")->trigger();
        QVERIFY(test::isAt(document.selection(), {.head = 1, .layer = 1}));
        QCOMPARE(headsOffered(fixture), 2);
        // Opens a lesson after a capture.
        fixture.openSource("cat");
        QVERIFY(!document.isCapture());
        QVERIFY(fixture.action("Edit text")->isEnabled());
        QVERIFY(enabledOf(fixture.window, "Model").contains("Mask: causal"));
    }

    void whatCannotBeDoneIsDisabledAndSaysWhy() {
        writeWeights(path("a.safetensors"));
        WindowFixture fixture(path("a.safetensors"), "close-up");
        for (const char *text : {"Mask: none", "Mask: causal", "Mask: padding",
                                 "Mask: edit in the picture", "Scale the scores by 1/√d",
                                 "Add sinusoidal positions", "Edit text", "Import word vectors…"}) {
            const QAction *each = fixture.action(text);
            QVERIFY2(!each->isEnabled(), text);
            QVERIFY2(!each->isChecked(), text); // unknown for a capture
            QCOMPARE(each->toolTip(), ui::readOnlyReason());
        }
        QVERIFY(!fixture.action("Undo")->isEnabled());
        const QAction *play = fixture.action("Play the stages");
        QVERIFY(!play->isEnabled());
        QVERIFY(play->toolTip().contains(ui::playUnavailableReason()));
        const QAction *back = fixture.action("Previous stage");
        QVERIFY(!back->isEnabled());
        QVERIFY(back->toolTip().contains("Nothing earlier was captured"));
        QVERIFY(fixture.action("Next stage")->isEnabled());
        QVERIFY(!fixture.find<QSlider>("gravity")->isEnabled());
        QVERIFY(fixture.find<QLineEdit>("text")->isReadOnly());
        auto *editor = fixture.find<QTabWidget>("editor");
        QCOMPARE(static_cast<QLabel *>(editor->currentWidget())->text(), ui::readOnlyReason());
        for (int page = 0; page < editor->count(); ++page)
            QCOMPARE(editor->isTabVisible(page), page == editor->currentIndex());

        // Keys that edit models have no effect.
        for (const Qt::Key key : {Qt::Key_C, Qt::Key_P, Qt::Key_M, Qt::Key_G, Qt::Key_Space})
            QTest::keyClick(fixture.view(), key);
        QVERIFY(!fixture.action("Play the stages")->isChecked());
        QCOMPARE(fixture.document().undoStack().count(), 0);
        QVERIFY(!test::setMasks(fixture.document(), {core::CausalMask{}}).ok());
        QCOMPARE(fixture.document().undoStack().count(), 0);
        QVERIFY(!fixture.document().isModified());
    }

    void nothingUnknownIsSaid() {
        writeWeights(path("a.safetensors"));
        WindowFixture fixture(path("a.safetensors"), "heads");
        auto *text = fixture.find<QLineEdit>("text");
        QCOMPARE(text->text(), QString());
        QVERIFY(text->placeholderText().startsWith('3'));
        const QString panel = fixture.window.findChild<QTextBrowser *>("lessonText")->toPlainText();
        QVERIFY(test::says(panel, "2 to 4, by layer"));
        QVERIFY(panel.contains("attention weights"));
        fixture.select({.query = 1, .key = 0});
        for (const QLabel *label : fixture.window.findChildren<QLabel *>())
            QVERIFY2(!label->text().contains("keys are visible"), qPrintable(label->text()));
        core::Metadata prompted = kTokens;
        prompted["prompt"] = "The cat sat";
        writeWeights(path("said.safetensors"), 1.0F / 3, prompted);
        WindowFixture said(path("said.safetensors"), "heads");
        QCOMPARE(said.find<QLineEdit>("text")->text(), QString("The cat sat"));
    }

    void oddNumbersAreSaid() {
        writeWeights(path("odd.safetensors"), 0.4F);
        WindowFixture fixture("bank");
        fixture.open(path("odd.safetensors"));
        QVERIFY(fixture.find<QWidget>("messageBar")->isVisible());
        QVERIFY(fixture.problem().contains("the weights sum to 1.2"));
        QVERIFY(fixture.window.findChild<QTextBrowser *>("lessonText")
                    ->toPlainText()
                    .contains("the weights sum to 1.2"));
    }

    void aSessionNamesItsCapture() {
        writeWeights(path("a.safetensors"));
        const QString session = path("look.headlight");
        {
            WindowFixture fixture(path("a.safetensors"), "heads");
            test::select(fixture.document(), {.query = 2, .head = 1, .layer = 1});
            QVERIFY(fixture.window.saveIn(session));
            QCOMPARE(fixture.document().source(), session);
            QVERIFY(!fixture.document().isModified());
        }
        const QByteArray bytes = test::readAll(session);
        QVERIFY2(bytes.contains("\"a.safetensors\""), bytes);
        QVERIFY2(!bytes.contains(m_folder.path().toUtf8()), bytes);
        {
            WindowFixture again(session, "heads");
            QVERIFY(again.window.document().isCapture());
            QVERIFY(test::isAt(again.window.document().selection(), {.head = 1, .layer = 1}));
            QCOMPARE(*again.window.document().selection().query, core::Index(2));
            QVERIFY(again.window.saveIn(session)); // saving again gives the same bytes
            QCOMPARE(test::readAll(session), bytes);
        }

        // If the capture file is missing, a message is shown, and the open document stays.
        QVERIFY(QFile::rename(path("a.safetensors"), path("b.safetensors")));
        WindowFixture other("cat");
        other.openSource(session);
        QCOMPARE(other.window.document().source(), QString("cat"));
        QVERIFY(other.find<QLabel>("problem")->text().contains("is missing"));
        // If another file has the capture's name, that file is opened with a warning.
        writeWeights(path("a.safetensors"), 0.25F);
        other.openSource(session);
        QVERIFY(other.window.document().isCapture());
        QVERIFY(other.find<QLabel>("problemMore")->text().contains("has changed since"));
    }
};

HEADLIGHT_WIDGET_TEST(WindowCapturesTest)
#include "tst_window_captures.moc"
