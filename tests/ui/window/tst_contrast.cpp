// Contrast of everything that the window paints, in both themes. Text has at least 4.5 : 1 with
// what is painted behind it. Marks such as outlines and curves have at least 3 : 1 (WCAG 2, 1.4.3
// and 1.4.11).
#include "tests/support/most_frequent.h"
#include "tests/support/painting_record.h"
#include "tests/support/training.h"
#include "tests/ui/window/panel_rows.h"
#include "tests/ui/window/presented.h"
#include "tests/ui/window/start_fixture.h"
#include "tests/ui/window/view_rows.h"
#include "ui/views/birth_replay.h"
#include "ui/views/birth_view.h"
#include "ui/views/model_view.h"

#include <QMenuBar>

namespace {

constexpr double kText = 4.5;
constexpr double kMark = 3;

QColor groundOf(const QImage &image, const QRectF &rect) {
    QHash<QRgb, int> counts;
    const QRect within = rect.toAlignedRect().intersected(image.rect());
    for (int y = within.top(); y <= within.bottom(); ++y)
        for (int x = within.left(); x <= within.right(); ++x)
            ++counts[image.pixel(x, y)];
    return test::mostFrequent(counts);
}

/// Returns the most frequent colour on both sides of a line, ignoring the line's own colour. For
/// the outline of a filled shape, this is the fill.
QColor groundBeside(const QImage &image, const QPolygonF &line, const QColor &own) {
    constexpr double kBeside = 4;
    QHash<QRgb, int> counts;
    for (qsizetype i = 1; i < line.size(); ++i) {
        const QLineF part(line[i - 1], line[i]);
        const QLineF normal = part.normalVector().unitVector();
        const QPointF aside(kBeside * normal.dx(), kBeside * normal.dy());
        for (double along = 0; along <= part.length(); along += 2)
            for (const double side : {-1.0, 1.0}) {
                const QPoint at =
                    (part.pointAt(along / std::max(1.0, part.length())) + side * aside).toPoint();
                if (image.rect().contains(at) && image.pixel(at) != own.rgb())
                    ++counts[image.pixel(at)];
            }
    }
    return test::mostFrequent(counts);
}

/// True if the control at the point is disabled. Its text may be faint, even under another widget.
bool isDisabled(const QWidget &window, const QPointF &point) {
    const QPoint at = point.toPoint();
    if (const auto *bar = qobject_cast<const QMenuBar *>(window.childAt(at))) {
        const QAction *action = bar->actionAt(bar->mapFrom(&window, at));
        return action && !action->isEnabled();
    }
    return std::ranges::any_of(window.findChildren<QWidget *>(), [&](const QWidget *each) {
        return !each->isEnabled() && each->isVisible() &&
               each->rect().contains(each->mapFrom(&window, at));
    });
}

struct Looked {
    int texts = 0, marks = 0;

    void checkMoreThan(int leastTexts, int leastMarks) const {
        QVERIFY2(texts > leastTexts && marks > leastMarks,
                 test::said("%1 texts, %2 marks", texts, marks));
    }
};

/// Returns the texts and marks with too little contrast.
QStringList faintIn(QWidget &window, const ui::FigureStyle &style, Looked &looked) {
    const QImage image = window.grab().toImage();
    const test::PaintingRecord record = test::PaintingRecord::of(window);
    QStringList faint;
    for (const test::PaintingRecord::Text &text : record.texts) {
        if (text.text.trimmed().isEmpty() || isDisabled(window, text.centre))
            continue;
        const double height = 0.8 * text.pixels;
        // A narrow letter, such as an l, fills most of its own width.
        const double width = std::max(text.width, height);
        const QColor ground = groundOf(image, QRectF(text.centre.x() - width / 2,
                                                     text.centre.y() - height / 2, width, height));
        ++looked.texts;
        if (const double contrast = ui::contrastOf(QColor(text.colour), ground); contrast < kText)
            faint << QString("%1 %2 on %3: %4")
                         .arg(text.text.left(40), QColor(text.colour).name(), ground.name())
                         .arg(contrast, 0, 'f', 2);
    }
    // These colours only separate areas, or mark hidden cells that also have another mark.
    const auto separates = [&](const QColor &colour) {
        const QColor grid = ui::mixed(style.border, style.surface, 0.7);
        for (const QColor &quiet :
             {style.border, grid, style.hidden, style.hiddenLine, style.background, style.surface})
            if (colour == quiet)
                return true;
        return false;
    };
    // True if the outline, which may be on coloured cells, has a rim of another colour.
    const auto hasRim = [&](const test::PaintingRecord::Stroke &stroke) {
        return std::ranges::any_of(record.strokes, [&](const test::PaintingRecord::Stroke &rim) {
            const double apart = std::max({std::abs(rim.rect().left() - stroke.rect().left()),
                                           std::abs(rim.rect().right() - stroke.rect().right()),
                                           std::abs(rim.rect().top() - stroke.rect().top()),
                                           std::abs(rim.rect().bottom() - stroke.rect().bottom())});
            return apart <= 3 && ui::contrastOf(rim.colour, stroke.colour) >= kMark;
        });
    };
    for (const test::PaintingRecord::Stroke &stroke : record.strokes) {
        if (separates(stroke.colour) || isDisabled(window, stroke.rect().center()))
            continue;
        const QColor ground = groundBeside(image, stroke.line, stroke.colour);
        ++looked.marks;
        if (const double contrast = ui::contrastOf(stroke.colour, ground);
            contrast < kMark && !hasRim(stroke))
            faint << QString("a mark of %1 on %2 at %3,%4 (%6): %5")
                         .arg(stroke.colour.name(), ground.name())
                         .arg(stroke.rect().center().x())
                         .arg(stroke.rect().center().y())
                         .arg(contrast, 0, 'f', 2)
                         .arg(QString("%1 × %2")
                                  .arg(stroke.rect().width())
                                  .arg(stroke.rect().height()));
    }
    return faint;
}

/// Returns the faint texts and marks of the window; empty if there are none. `state` names the
/// moment of the test.
QString faultsAt(const char *state, QWidget &window, bool isDark, Looked &looked) {
    const ui::FigureStyle style = isDark ? ui::FigureStyle::dark() : ui::FigureStyle::light();
    const QStringList faint = faintIn(window, style, looked);
    return faint.isEmpty() ? QString() : QString(state) + ":\n" + faint.join('\n');
}

struct ContrastFixture : WindowFixture {
    ContrastFixture(const QString &source, const QString &view, bool dark)
        : WindowFixture(source, view) {
        find<QDockWidget>("inspectorDock")->hide();
        window.setTheme(dark ? ui::Theme::Dark : ui::Theme::Light);
    }
};

void selectACell(ui::Document &document) {
    core::Selection selection = document.selection();
    selection.query = 1;
    selection.key = 0;
    selection.dimension = 0;
    document.select(selection);
}

} // namespace

class ContrastTest : public test::CleanTest {
    Q_OBJECT

    /// Waits until the view has computed everything, and paints it, which moves its controls.
    static void settleAll(WindowFixture &fixture) {
        for (int times = 0; times < 2; ++times) {
            fixture.settle();
            (void)fixture.window.grab();
            QCoreApplication::processEvents();
            if (const auto *model = qobject_cast<ui::ModelView *>(fixture.view()))
                QVERIFY(test::until([&] { return !model->isComputing(); }));
        }
    }

  private slots:
    void everyView_data() {
        const test::SourceAndView views[] = {{"cat", "close-up"},      {"cat", "whole"},
                                             {"cat", "heads"},         {"cat", "similarity"},
                                             {"cat", "lines"},         {"cat", "text"},
                                             {"cat", "query-key"},     {"positions", "close-up"},
                                             {"bank", "geometry"},     {"cat", "softmax"},
                                             {"writing", "output"},    {"words", "words"},
                                             {"learning", "training"}, {"cross-attention", "whole"},
                                             {"depth", "model"}};
        test::addViewRows(views);
    }
    void everyView() {
        QFETCH(QString, source);
        QFETCH(QString, view);
        QFETCH(bool, dark);
        ContrastFixture fixture(source, view, dark);
        Looked looked;
        const auto faultsNow = [&](const char *state) {
            settleAll(fixture);
            return faultsAt(state, fixture.window, dark, looked);
        };
        QCOMPARE(faultsNow("as it opens"), QString());
        selectACell(fixture.document());
        QCOMPARE(faultsNow("with a cell"), QString());
        looked.checkMoreThan(60, 0);
    }

    void panels_data() { test::addPanelRows({"inspector", "history"}); }
    void panels() {
        QFETCH(QString, panel);
        QFETCH(bool, dark);
        ContrastFixture fixture("cat", "close-up", dark);
        fixture.window.resize(1440, 900);
        Looked looked;
        test::openPanel(fixture, panel);
        settleAll(fixture);
        QCOMPARE(faultsAt("with the panel", fixture.window, dark, looked), QString());
        Looked inPanel;
        QCOMPARE(faultsAt("the panel", *fixture.find<QWidget>("edgePanels"), dark, inPanel),
                 QString());
        QVERIFY2(inPanel.texts > 3, test::said("%1 texts", inPanel.texts));
    }

    /// Uses the recorded run of a head, before and after the head has formed.
    void aHeadBeingBorn_data() { test::addRows("dark", {false, true}); }
    void aHeadBeingBorn() {
        QFETCH(bool, dark);
        ContrastFixture fixture("bank", "close-up", dark);
        fixture.window.open(test::trainingSession(core::findTask("previous-token")->info().recipe));
        fixture.window.showView("birth");
        fixture.settle();
        auto *view = qobject_cast<ui::BirthView *>(fixture.view());
        QVERIFY(view);
        Looked looked;
        ui::BirthReplay &replay = view->replay();
        QVERIFY(test::until([&] { return replay.run() != nullptr; }));
        for (const std::size_t snapshot : {std::size_t(0), replay.run()->snapshots.size() - 1}) {
            replay.show(snapshot);
            settleAll(fixture);
            QCOMPARE(
                faultsAt(snapshot == 0 ? "first step" : "last step", fixture.window, dark, looked),
                QString());
        }
        QVERIFY(!view->birth()->content().heads.empty());
        looked.checkMoreThan(60, 2);
    }

    /// Lines between words have enough contrast as well, however small their weight is.
    void linesAndArcs_data() { test::addRows("dark", {false, true}); }
    void linesAndArcs() {
        QFETCH(bool, dark);
        ContrastFixture fixture("cat", "close-up", dark);
        fixture.window.resize(1280, 900); // not a single line of words
        fixture.select({.stage = core::Stage::AttentionWeights, .query = 3, .key = 1});
        Looked looked;
        settleAll(fixture);
        QCOMPARE(faultsAt("without lines", fixture.window, dark, looked), QString());
        const int before = std::exchange(looked, {}).marks;
        fixture.view()->setOption(&ui::FigureOptions::lines, true);
        fixture.find<QAction>("wordArcs")->trigger();
        settleAll(fixture);
        QCOMPARE(faultsAt("with lines", fixture.window, dark, looked), QString());
        QVERIFY2(looked.marks > before + 2, test::said("%1 marks after %2", looked.marks, before));
    }

    void theStartPage_data() { test::addRows("dark", {false, true}); }
    void theStartPage() {
        QFETCH(bool, dark);
        test::StartFixture fixture;
        fixture.window.setTheme(dark ? ui::Theme::Dark : ui::Theme::Light);
        (void)fixture.answers();
        test::startPage(fixture)->setFocus(); // tst_focus_ring tests the outlines
        settleAll(fixture);
        Looked looked;
        QCOMPARE(faultsAt("as it opens", *test::startPage(fixture), dark, looked), QString());
        fixture.word("crowded")->click();
        fixture.find<QPushButton>("startSilence")->click();
        (void)fixture.answers();
        test::startPage(fixture)->setFocus();
        settleAll(fixture);
        QCOMPARE(faultsAt("after two clicks", *test::startPage(fixture), dark, looked), QString());
        looked.checkMoreThan(40, 4);
    }

    void present_data() {
        test::addCombinations<QString, bool>({"view", "dark"}, {"close-up", "heads", "output"},
                                             {false, true});
    }
    void present() {
        QFETCH(QString, view);
        QFETCH(bool, dark);
        test::PresentedFixture fixture(view == "output" ? "writing" : "cat", view);
        fixture.window.setTheme(dark ? ui::Theme::Dark : ui::Theme::Light);
        if (fixture.document().askedQuestion())
            fixture.press(Qt::Key_Right);
        fixture.showView(qPrintable(view));
        Looked looked;
        const auto faultsNow = [&](const char *state) {
            for (int times = 0; times < 2; ++times) // the text is fitted after the layout
                fixture.settle();
            return faultsAt(state, *fixture.presentation, dark, looked);
        };
        QCOMPARE(faultsNow("as it opens"), QString());
        selectACell(fixture.document());
        QCOMPARE(faultsNow("with a cell"), QString());
        looked.checkMoreThan(40, 0);
    }
};

HEADLIGHT_WIDGET_TEST(ContrastTest)
#include "tst_contrast.moc"
