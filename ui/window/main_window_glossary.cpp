// MainWindow: F1 explains the term under the mouse, the focused control or the selected stage.
#include "ui/panels/film_frame.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/text/glossary/glossary.h"
#include "ui/window/glossary/glossary_window.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QToolButton>

#include <utility>

namespace headlight::ui {

namespace {

/// Object names of controls, each with the glossary id of its concept.
constexpr std::pair<const char *, const char *> kEntriesOfControls[] = {
    {"text", "token"},
    {"sourceText", "token"},
    {"sequence", "batch"},
    {"layer", "layer"},
    {"head", "head"},
    {"mask", "mask"},
    {"scaling", "scaling"},
    {"positions", "position"},
    {"temperature", "temperature"},
    {"part", "layer"},
    {"writeNext", "sampling"},
    {"writeOn", "sampling"},
    {"writeCount", "sampling"},
    {"writeTemperature", "sampling"},
    {"writeTopK", "sampling"},
    {"writeSeed", "sampling"}};

} // namespace

/// Returns the glossary id of the symbol or term under the mouse, otherwise of the focused control,
/// otherwise of the selected stage.
QString MainWindow::entryInSight() const {
    if (!m_hoveredTerm.isEmpty())
        return m_hoveredTerm;
    QWidget *focus = focusWidget();
    if (const auto *chip = qobject_cast<FilmFrame *>(focus))
        return chip->term();
    if (const auto *button = qobject_cast<QToolButton *>(focus)) {
        QAction *action = button->defaultAction();
        if (action && (m_mechanism->maskActions().contains(action) || action == m_maskEditing))
            return QStringLiteral("mask");
    }
    if (const QString entry = focus ? focus->property("glossaryEntry").toString() : QString();
        !entry.isEmpty())
        return entry; // set by a control whose concept changes
    for (const auto &[control, entry] : kEntriesOfControls)
        if (focus && focus->objectName() == QLatin1String(control))
            return QString::fromLatin1(entry);
    return entryOf(m_document.selection().stage).id;
}

void MainWindow::showGlossary(const QString &id) {
    auto *window = findChild<GlossaryWindow *>();
    if (!window)
        window = new GlossaryWindow(this); // kept, so that it reopens at the same position
    window->showEntry(id);
    window->show();
    window->raise();
    window->activateWindow();
}

} // namespace headlight::ui
