// A window with a lesson, and functions that use it and read it.
#pragma once

#include "core/format_number.h"
#include "core/formats/safetensors/writer.h"
#include "core/random.h"
#include "core/transformer/trace/trace.h"
#include "tests/support/clean_test.h"
#include "tests/support/edits.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/session_files.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/figure_caption.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/document/text_generation.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/panels/editor/number_table.h"
#include "ui/panels/formula_bar.h"
#include "ui/panels/formula_link.h"
#include "ui/panels/inspector.h"
#include "ui/panels/lesson_panel.h"
#include "ui/panels/question_card.h"
#include "ui/text/file_path.h"
#include "ui/text/glossary/term_html.h"
#include "ui/views/cell_text.h"
#include "ui/views/close_up_view.h"
#include "ui/views/geometry_view.h"
#include "ui/views/output_view.h"
#include "ui/views/training_view.h"
#include "ui/views/whole_view.h"
#include "ui/widgets/elided_button.h"
#include "ui/window/glossary/glossary_window.h"
#include "ui/window/key_map.h"
#include "ui/window/main_window.h"
#include "ui/window/save_figure_dialog.h"
#include "ui/window/saving/new_session_dialog.h"
#include "ui/window/saving/recent_files.h"
#include "ui/window/training/new_run_dialog.h"

namespace headlight::test {

/// Waits until the window has read its source and its document has its trace.
inline bool settled(ui::MainWindow &window) {
    return until([&] { return !window.isReading(); }) && settled(window.document());
}

/// Returns the action with this text, without its mnemonic.
inline QAction *actionOf(const QObject &window, const QString &text) {
    for (QAction *each : window.findChildren<QAction *>())
        if (each->text().remove('&') == text)
            return each;
    qFatal("no action %s", qPrintable(text));
}

struct WindowFixture {
    ui::MainWindow window;

    /// Opens the source with `opens`.
    explicit WindowFixture(
        const QString &source, const QString &view = "heads",
        void (ui::MainWindow::*opens)(ui::OpenedSource) = &ui::MainWindow::open) {
        window.setTheme(ui::Theme::Light);
        window.resize(1280, 800);
        if (!QSettings().contains("window/state"))
            showDocks();
        (window.*opens)(opened(source));
        window.showView(view);
        window.show();
        (void)test::exposed(window);
        settle();
    }

    /// Shows the inspector over the views. It is closed until the user opens it.
    void showDocks() { window.findChild<QDockWidget *>("inspectorDock")->show(); }
    /// Waits like settled(), and then handles pending events.
    void settle() {
        QVERIFY(settled(window));
        QCoreApplication::processEvents();
    }

    ui::Document &document() { return window.document(); }
    void select(const Place &place) { test::select(document(), place); }
    void open(const QString &source, core::Index step = 0) {
        window.open(opened(source, step));
        settle();
    }
    /// Opens the source like the user does. Errors are in the message bar.
    void openSource(const QString &source) {
        ui::SourceRequest request;
        request.source = source;
        window.openSource(request);
        settle();
    }
    void goToStep(core::Index step) {
        QVERIFY(document().goToStep(step).ok());
        settle();
    }
    core::Index stepCount() { return std::ssize(document().session().lesson->steps); }
    void typeText(const QString &text) {
        QVERIFY(test::typeText(document(), text).ok());
        settle();
    }
    /// Sets the first number of W_Q.
    void setQuery(float value) {
        const ui::MatrixId query{
            ui::MatrixId::Kind::Parameter, {0, core::ParameterKind::Query}, {}, 0};
        QVERIFY(
            document().apply(ui::edits::setCells(document().state(), query, {{0, 0, value}})).ok());
        settle();
    }
    QAction *action(const QString &text) const { return actionOf(window, text); }
    void enlargeText(int times) const {
        for (int time = 0; time < times; ++time)
            action("Larger text")->trigger();
    }

    template <typename Widget>
    Widget *find(const char *name) const {
        return test::find<Widget>(window, name);
    }
    void click(const char *name) {
        QTest::mouseClick(find<QWidget>(name), Qt::LeftButton);
        settle();
    }
    /// Returns both lines of the message bar.
    QString problem() const {
        return find<QLabel>("problem")->text() + ' ' + find<QLabel>("problemMore")->text();
    }

    QToolButton *button(const QString &accessibleName) const {
        for (QToolButton *each : window.findChildren<QToolButton *>())
            if (each->accessibleName() == accessibleName && each->isVisible())
                return each;
        qFatal("no button %s", qPrintable(accessibleName));
    }

    ui::FigureView *view() const { return window.currentView(); }

    /// Returns the geometry of the heads view's enlarged heatmap, as painted now.
    ui::HeatmapGeometry enlarged() const {
        const auto *figure = static_cast<const ui::HeadsFigure *>(view()->figure());
        return figure->geometry(view()->rect()).enlarged;
    }

    /// Returns the colour of a cell near its corner, where no number is painted.
    static QColor cornerOf(const QImage &image, const QRectF &cell) {
        return image.pixelColor((cell.topLeft() + QPointF(4, 4)).toPoint());
    }
};

} // namespace headlight::test

using namespace headlight;
using test::WindowFixture;
