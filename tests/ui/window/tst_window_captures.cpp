// A capture in the window: shown in every view, never changed, and saved as a session that names
// it.
#include "core/formats/safetensors/writer.h"
#include "core/transformer/trace/made_on_thread.h"
#include "tests/support/dragging.h"
#include "tests/support/edits.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/lesson_panel.h"
#include "ui/views/heads_view.h"
#include "ui/window/saving/recent_files.h"
#include "ui/words/capture_words.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QSlider>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QtEndian>

using namespace headlight;
using test::WindowFixture;

namespace {

core::Tensor filled(const core::Shape &shape, float value) {
    return {shape, std::vector<float>(static_cast<std::size_t>(shape.count()), value)};
}

void write(const QString &path, const std::vector<core::NamedTensor> &tensors,
           const core::Metadata &metadata) {
    const auto bytes = core::safetensorsBytes(tensors, metadata);
    QFile file(path);
    if (!bytes || !file.open(QIODevice::WriteOnly) ||
        file.write(bytes->data(), static_cast<qint64>(bytes->size())) < 0)
        qFatal("cannot write %s", qPrintable(path));
}

const core::Metadata kTokens{{"tokens", R"(["The"," cat"," sat"])"}};

/// Writes 16 heads of 2048 tokens, 256 MB per layer, which are read head by head. The file is
/// sparse: head h has one attention weight, in row 100 · h.
void writeLarge(const QString &path) {
    constexpr qint64 kHeads = 16, kLength = 2048, kHead = kLength * kLength * 4;
    QByteArray header = R"({"attentions.0":{"dtype":"F32","shape":[16,2048,2048],)"
                        R"("data_offsets":[0,268435456]},"attentions.1":{"dtype":"F32",)"
                        R"("shape":[16,2048,2048],"data_offsets":[268435456,536870912]}})";
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(path));
    QByteArray length(8, '\0');
    qToLittleEndian(static_cast<quint64>(header.size()), length.data());
    file.write(length + header);
    const qint64 data = file.pos();
    for (qint64 head = 0; head < kHeads; ++head) {
        file.seek(data + head * kHead + 100 * head * kLength * 4);
        file.write(QByteArray("\0\0\x80\x3f", 4)); // 1
    }
    file.resize(data + 2 * kHeads * kHead);
}

/// Writes two layers with different numbers of heads.
void writeWeights(const QString &path, float value = 1.0F / 3, core::Metadata metadata = kTokens) {
    write(path,
          {{"attentions.0", filled({4, 3, 3}, value)}, {"attentions.1", filled({2, 3, 3}, value)}},
          metadata);
}

} // namespace

class WindowCapturesTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString path(const char *name) const { return m_folder.filePath(name); }

    static QAction *action(const ui::MainWindow &window, const QString &text) {
        for (QAction *each : window.findChildren<QAction *>())
            if (each->text().remove('&') == text)
                return each;
        qFatal("no action %s", qPrintable(text));
    }
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
    void init() { QSettings().clear(); }

    /// The selected head is read, and a worker makes thumbnails of the others.
    void everyHeadOfALargeCaptureIsSeen() {
        writeLarge(path("large.safetensors"));
        WindowFixture fixture("bank", "heads");
        ui::SourceRequest request;
        request.source = path("large.safetensors");
        fixture.window.openSource(request);
        fixture.settle();
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
        QVERIFY(fixture.window.document().trace()->isByHead(core::Stage::AttentionWeights));
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
        for (const core::Index head : {1, 7, 15}) // at its attention weight, also in the thumbnail
            QVERIFY(std::abs(brightestRow(head) - 100.0 * static_cast<double>(head) / 2048) < 0.03);
        // Selecting another head reuses the thumbnails. Another layer needs new ones.
        core::Selection selection = fixture.window.document().selection();
        selection.head = 5;
        fixture.window.document().select(selection);
        fixture.settle();
        QVERIFY(test::until([&] { return !fixture.window.document().isPreparing(); }));
        QVERIFY(missing() <= 1); // the previously selected head
        selection.layer = 1;
        fixture.window.document().select(selection);
        QVERIFY(test::until([&] { return !fixture.window.document().isPreparing(); }));
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
        const ui::Document &document = fixture.window.document();
        QVERIFY(document.isCapture());
        QCOMPARE(document.source(), path("a.safetensors"));
        QCOMPARE(ui::recentFiles(), QStringList{path("a.safetensors")});
        QVERIFY(fixture.window.windowTitle().contains("a.safetensors"));
        QVERIFY(!document.isModified());
        QCOMPARE(fixture.find<QComboBox>("head")->count(), 4);
        for (const char *view : {"flow", "heads", "similarity", "geometry", "output", "words"}) {
            fixture.window.showView(view);
            QVERIFY(fixture.view()->figure());
            (void)fixture.view()->grab();
        }
        // The next layer has fewer heads, so the selection is clamped.
        core::Selection last;
        last.head = 3;
        fixture.window.document().select(last);
        action(fixture.window, "Next layer")->trigger();
        QCOMPARE(document.selection().layer, core::Index(1));
        QCOMPARE(document.selection().head, core::Index(1));
        QCOMPARE(fixture.find<QComboBox>("head")->count(), 2);
        // Opens a lesson after a capture.
        ui::SourceRequest request;
        request.source = "cat";
        fixture.window.openSource(request);
        fixture.settle();
        QVERIFY(!document.isCapture());
        QVERIFY(action(fixture.window, "Edit text")->isEnabled());
        QVERIFY(enabledOf(fixture.window, "Model").contains("Mask: causal"));
    }

    void whatCannotBeDoneIsDisabledAndSaysWhy() {
        writeWeights(path("a.safetensors"));
        WindowFixture fixture(path("a.safetensors"), "flow");
        for (const char *text : {"Mask: none", "Mask: causal", "Mask: padding",
                                 "Mask: edit in the picture", "Scale the scores by 1/√d",
                                 "Add sinusoidal positions", "Edit text", "Import word vectors…"}) {
            const QAction *each = action(fixture.window, text);
            QVERIFY2(!each->isEnabled(), text);
            QVERIFY2(!each->isChecked(), text); // the state is unknown
            QCOMPARE(each->toolTip(), ui::readOnlyReason());
        }
        QVERIFY(!action(fixture.window, "Undo")->isEnabled());
        const QAction *play = action(fixture.window, "Play the stages");
        QVERIFY(!play->isEnabled());
        QVERIFY(play->toolTip().contains(ui::playUnavailableReason()));
        const QAction *back = action(fixture.window, "Previous stage");
        QVERIFY(!back->isEnabled());
        QVERIFY(back->toolTip().contains("Nothing before this was captured"));
        QVERIFY(action(fixture.window, "Next stage")->isEnabled());
        QVERIFY(!fixture.find<QSlider>("gravity")->isEnabled());
        QVERIFY(fixture.find<QLineEdit>("text")->isReadOnly());
        auto *editor = fixture.find<QTabWidget>("editor");
        QCOMPARE(static_cast<QLabel *>(editor->currentWidget())->text(), ui::readOnlyReason());
        for (int page = 0; page < editor->count(); ++page)
            QCOMPARE(editor->isTabVisible(page), page == editor->currentIndex());

        // Keys that edit models have no effect.
        for (const Qt::Key key : {Qt::Key_C, Qt::Key_P, Qt::Key_M, Qt::Key_G, Qt::Key_Space})
            QTest::keyClick(fixture.view(), key);
        QVERIFY(!action(fixture.window, "Play the stages")->isChecked());
        QCOMPARE(fixture.window.document().undoStack().count(), 0);
        QVERIFY(!test::setMasks(fixture.window.document(), {core::CausalMask{}}).ok());
        QCOMPARE(fixture.window.document().undoStack().count(), 0);
        QVERIFY(!fixture.window.document().isModified());
    }

    void nothingUnknownIsSaid() {
        writeWeights(path("a.safetensors"));
        WindowFixture fixture(path("a.safetensors"), "heads");
        auto *text = fixture.find<QLineEdit>("text");
        QCOMPARE(text->text(), QString());
        QVERIFY(text->placeholderText().startsWith('3'));
        const QString panel = fixture.window.findChild<QTextBrowser *>("lessonText")->toPlainText();
        QVERIFY2(panel.contains("2 to 4, by layer"), qPrintable(panel));
        QVERIFY(panel.contains("attention weights"));
        core::Selection cell;
        cell.query = 1;
        cell.key = 0;
        fixture.window.document().select(cell);
        for (const QLabel *label : fixture.window.findChildren<QLabel *>())
            QVERIFY2(!label->text().contains("Sees "), qPrintable(label->text()));
        core::Metadata prompted = kTokens;
        prompted["prompt"] = "The cat sat";
        writeWeights(path("said.safetensors"), 1.0F / 3, prompted);
        WindowFixture said(path("said.safetensors"), "heads");
        QCOMPARE(said.find<QLineEdit>("text")->text(), QString("The cat sat"));
    }

    void oddNumbersAreSaid() {
        writeWeights(path("odd.safetensors"), 0.4F);
        WindowFixture fixture("bank");
        fixture.window.open(test::opened(path("odd.safetensors")));
        fixture.settle();
        QVERIFY(fixture.find<QWidget>("messageBar")->isVisible());
        QVERIFY(fixture.find<QLabel>("problemMore")->text().contains("the weights sum to 1.2"));
        QVERIFY(fixture.window.findChild<QTextBrowser *>("lessonText")
                    ->toPlainText()
                    .contains("the weights sum to 1.2"));
    }

    void aSessionNamesItsCapture() {
        writeWeights(path("a.safetensors"));
        const QString session = path("look.headlight");
        {
            WindowFixture fixture(path("a.safetensors"), "heads");
            core::Selection selection = fixture.window.document().selection();
            selection.layer = 1;
            selection.head = 1;
            selection.query = 2;
            fixture.window.document().select(selection);
            QVERIFY(fixture.window.saveIn(session));
            QCOMPARE(fixture.window.document().source(), session);
            QVERIFY(!fixture.window.document().isModified());
        }
        QFile file(session);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY2(bytes.contains("\"a.safetensors\""), bytes);
        QVERIFY2(!bytes.contains(m_folder.path().toUtf8()), bytes);
        {
            WindowFixture again(session, "heads");
            QVERIFY(again.window.document().isCapture());
            QCOMPARE(again.window.document().selection().layer, core::Index(1));
            QCOMPARE(again.window.document().selection().head, core::Index(1));
            QCOMPARE(*again.window.document().selection().query, core::Index(2));
            QVERIFY(again.window.saveIn(session)); // saving again gives the same bytes
            QFile saved(session);
            QVERIFY(saved.open(QIODevice::ReadOnly));
            QCOMPARE(saved.readAll(), bytes);
        }

        // If the capture file is missing, a message is shown, and the open document stays.
        QVERIFY(QFile::rename(path("a.safetensors"), path("b.safetensors")));
        WindowFixture other("cat");
        ui::SourceRequest request;
        request.source = session;
        other.window.openSource(request);
        other.settle();
        QCOMPARE(other.window.document().source(), QString("cat"));
        QVERIFY(other.find<QLabel>("problem")->text().contains("is missing"));
        // Another file in its place is opened, with a warning.
        writeWeights(path("a.safetensors"), 0.25F);
        other.window.openSource(request);
        other.settle();
        QVERIFY(other.window.document().isCapture());
        QVERIFY(other.find<QLabel>("problemMore")->text().contains("has changed since"));
    }

    void capturesAreCompared() {
        writeWeights(path("a.safetensors"));
        writeWeights(path("b.safetensors"), 0.25F);
        WindowFixture fixture(path("a.safetensors"), "heads");
        ui::Comparison &comparison = fixture.window.document().comparison();
        comparison.compareWith(test::opened(path("b.safetensors")));
        QVERIFY(test::until([&] { return comparison.compared().a != nullptr; }));
        QCOMPARE(comparison.shown(), ui::ComparisonSide::Difference);
        QVERIFY(fixture.view()->figure()->description().contains("0.08") ||
                fixture.view()->figure()->description().contains("largest"));
        // A capture stays as side A when a lesson is opened.
        fixture.window.open(test::opened("cat"));
        fixture.settle();
        QVERIFY(comparison.hasA());
        comparison.show(ui::ComparisonSide::A);
        QVERIFY(fixture.view()->figure());
        (void)fixture.view()->grab();
    }

    void aCaptureOfGpt2() {
        const QString capture =
            QString(HEADLIGHT_TEST_DATA) + "/../../../shared/models/captures/gpt2-0.safetensors";
        if (!QFile::exists(capture))
            QSKIP("../shared/models is not there");
        WindowFixture fixture(capture, "heads");
        QCOMPARE(fixture.find<QComboBox>("head")->count(), 12);
        QCOMPARE(fixture.find<QComboBox>("layer")->count(), 12);
        QVERIFY(fixture.window.document().session().warnings.empty());
        QCOMPARE(fixture.find<QLineEdit>("text")->text(),
                 QString("Data visualization empowers users to"));
    }
};

HEADLIGHT_WIDGET_TEST(WindowCapturesTest)
#include "tst_window_captures.moc"
