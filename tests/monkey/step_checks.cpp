#include "tests/monkey/step_checks.h"

#include "core/formats/capture/capture.h"
#include "core/transformer/model/number_sources.h"
#include "core/transformer/plan/computable.h"
#include "tests/support/shown_texts.h"
#include "tests/support/waiting.h"
#include "ui/document/edits/text_edits.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/views/figure_view.h"

#include <QApplication>
#include <QLineEdit>

namespace headlight::test {

namespace {

QString textOf(const core::Sequence &sequence, bool isCapture) {
    QString text = QString::fromStdString(sequence.text);
    if (!text.isEmpty() || isCapture)
        return text;
    QStringList words;
    for (core::Index t = 0; t < sequence.length; ++t)
        words << QString::fromStdString(sequence[t].text);
    return words.join(' ');
}

/// True if the text cannot be read. It then stays in its field until the user corrects it.
bool isRefused(const QString &text, const ui::Document &document, ui::InputSide side) {
    const core::Result<ui::Change> change =
        ui::edits::setText(document.state(), document.textId(side), text);
    return !change;
}

/// Returns the problem. Empty if the field shows the sequence.
QString wrongIn(const ui::MainWindow &window, const char *field, const core::BatchPointer &batch,
                const ui::Document &document, ui::InputSide side) {
    const auto *edit = window.findChild<QLineEdit *>(field);
    if (!batch || !edit || (edit->hasFocus() && isRefused(edit->text(), document, side)))
        return {};
    const QString text = textOf((*batch)[document.selection().sequence], document.isCapture());
    return edit->text() == text ? QString()
                                : QString("the field “%1” says “%2”, and the picture is of “%3”")
                                      .arg(field, edit->text(), text);
}

/// True if a part of the widget lies within all of its ancestors. Ignores siblings that cover it.
bool isInSight(const QWidget &widget) {
    QRect rect = widget.rect();
    for (const QWidget *inner = &widget; !inner->isWindow(); inner = inner->parentWidget())
        rect = rect.translated(inner->pos()) & inner->parentWidget()->rect();
    return widget.isVisible() && !rect.isEmpty();
}

/// Returns the widget and its ancestors with their places, to see which of them hides it.
QString placeOf(const QWidget *widget) {
    QStringList places;
    for (; widget; widget = widget->isWindow() ? nullptr : widget->parentWidget())
        places << QString("%1 “%2” %3,%4 %5 × %6%7")
                      .arg(widget->metaObject()->className(), widget->objectName())
                      .arg(widget->x())
                      .arg(widget->y())
                      .arg(widget->width())
                      .arg(widget->height())
                      .arg(widget->isVisible() ? "" : " hidden");
    return places.join("\n  in ");
}

QString nameOf(const QWidget &widget) {
    return QString("%1 “%2”").arg(widget.metaObject()->className(), widget.objectName());
}

} // namespace

QString noNumberIsNan() {
    for (QWidget *window : QApplication::topLevelWidgets()) {
        if (!window->isVisible())
            continue;
        for (const QStringList &texts : {shownTexts(*window), paintedTexts(*window)})
            if (const QString nan = notANumberIn(texts); !nan.isEmpty())
                return QString("%1 says “%2”").arg(nameOf(*window), nan.left(300));
    }
    return {};
}

QString textIsOfThePicture(ui::MainWindow &window) {
    ui::Document &document = window.document();
    const core::TracePointer &trace = document.trace();
    if (window.isReading() || document.isBusy() || !trace || document.traceIsStale())
        return {};
    const core::Input &input = document.state().input, &shown = trace->input();
    if (!core::sameNumbers(input.batch, shown.batch) ||
        !core::sameNumbers(input.source, shown.source))
        return "the picture is of other tokens than the state";
    for (const auto &[field, batch, side] :
         {std::tuple{"text", shown.batch, ui::InputSide::Own},
          std::tuple{"sourceText", shown.source, ui::InputSide::Source}})
        if (const QString wrong = wrongIn(window, field, batch, document, side); !wrong.isEmpty())
            return wrong;
    ui::FigureView *view = window.currentView();
    (void)view->figure();
    const ui::ShownHeatmap heatmap = view->shownHeatmap();
    if (!heatmap.content || document.comparison().shown() != ui::ComparisonSide::Now)
        return {};
    core::Selection selection = document.selection();
    selection.stage = heatmap.stage;
    if (const QStringList labels = ui::rowLabels(*trace, selection);
        !heatmap.content->rowLabels.isEmpty() && heatmap.content->rowLabels != labels)
        return QString("the picture's rows are “%1”, and the tokens are “%2”")
            .arg(heatmap.content->rowLabels.join('|'), labels.join('|'));
    return {};
}

QString focusIsVisible() {
    const QWidget *window = QApplication::activeWindow();
    if (!window || !window->isVisible() || QApplication::activePopupWidget())
        return {};
    const QWidget *focus = QApplication::focusWidget();
    if (!focus)
        return QString("nothing has the keyboard in %1").arg(nameOf(*window));
    if (focus->window() != window)
        return QString("%1 has the keyboard, and is not in %2")
            .arg(nameOf(*focus), nameOf(*window));
    if (!isInSight(*focus))
        return QString("%1 has the keyboard, and cannot be seen: it is\n  %2")
            .arg(nameOf(*focus), placeOf(focus));
    return {};
}

bool filesAreAsOpened(const ui::Document &document) {
    const core::Session &session = document.sessionAsRead();
    const auto isAsOpened = [](const core::NumberSourcePointer &file) {
        return file->check().ok();
    };
    return std::ranges::all_of(core::numberSources(session.model.parameters), isAsOpened) &&
           (!session.capture || !session.capture->content ||
            std::ranges::all_of(session.capture->content->sources, isAsOpened));
}

QString changedFileIsTold(ui::MainWindow &window) {
    const ui::Document &document = window.document();
    const auto isChanged = [&] {
        return !std::ranges::all_of(
            core::numberSources(document.sessionAsRead().model.parameters),
            [](const core::NumberSourcePointer &file) { return file->check().ok(); });
    };
    // The files are checked on another thread, so this waits for the report.
    if (!until([&] {
            return window.isReading() || document.changedFile().has_value() == isChanged();
        }))
        return document.changedFile() ? "a changed file was put back, and nothing says so"
                                      : "a file of the model was changed, and nothing says so";
    if (!document.changedFile() || window.isReading())
        return {};
    ui::FigureView *view = window.currentView();
    if (view->figure() && !view->accessibleDescription().startsWith("Out of date"))
        return "a file of the model was changed, and the picture does not say that it is out of "
               "date";
    return {};
}

} // namespace headlight::test
