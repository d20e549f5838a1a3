// F1: what is under the mouse, has the focus or is selected, in plain words.
#include "ui/panels/step_chip.h"
#include "ui/window/glossary/glossary_window.h"
#include "ui/window/main_window.h"
#include "ui/window/source_bar.h"
#include "ui/words/glossary/glossary.h"

#include <QAction>
#include <QToolButton>

#include <utility>

namespace headlight::ui {

namespace {

/// Of the controls that stand for one idea.
constexpr std::pair<const char *, const char *> kEntriesOfControls[] = {
    {"text", "token"},
    {"sourceText", "token"},
    {"sequence", "batch"},
    {"place", "attention"},
    {"layer", "layer"},
    {"head", "head"},
    {"part", "layer"},
    {"writeNext", "sampling"},
    {"writeOn", "sampling"},
    {"writeCount", "sampling"},
    {"writeTemperature", "sampling"},
    {"writeTopK", "sampling"},
    {"writeSeed", "sampling"}};

} // namespace

/// The symbol's or term's under the mouse; else the focused control's; else the selected stage's.
QString MainWindow::entryInSight() const {
    if (!m_hoveredTerm.isEmpty())
        return m_hoveredTerm;
    QWidget *focus = focusWidget();
    if (const auto *chip = qobject_cast<StepChip *>(focus))
        return chip->term();
    if (const auto *button = qobject_cast<QToolButton *>(focus)) {
        QAction *action = button->defaultAction();
        if (action && (m_sourceBar->maskActions().contains(action) || action == m_maskEditing))
            return QStringLiteral("mask");
        const qsizetype mechanism = m_sourceBar->mechanismActions().indexOf(action);
        if (action && mechanism >= 0)
            return mechanism == 0 ? QStringLiteral("scaling") : QStringLiteral("position");
    }
    for (const auto &[control, entry] : kEntriesOfControls)
        if (focus && focus->objectName() == QLatin1String(control))
            return QString::fromLatin1(entry);
    return entryOf(m_document.selection().stage).id;
}

void MainWindow::showGlossary(const QString &id) {
    auto *window = findChild<GlossaryWindow *>();
    if (!window)
        window = new GlossaryWindow(this); // it stays, hidden, where it was
    window->showEntry(id);
    window->show();
    window->raise();
    window->activateWindow();
}

} // namespace headlight::ui
