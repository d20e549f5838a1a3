// MainWindow: entering and leaving present mode.
#include "ui/panels/filmstrip.h"
#include "ui/panels/formula_bar.h"
#include "ui/panels/lesson_panel.h"
#include "ui/panels/reset_offer.h"
#include "ui/strip/sentence_strip.h"
#include "ui/views/birth_view.h"
#include "ui/views/training_view.h"
#include "ui/window/main_window.h"
#include "ui/window/presenting/presentation.h"
#include "ui/window/start/start_page.h"

#include <QAction>
#include <QLabel>
#include <QScreen>
#include <QTabWidget>
#include <QToolButton>

namespace headlight::ui {

void MainWindow::makePresentAction() {
    m_present = new QAction(tr("&Present"), this);
    m_present->setCheckable(true);
    m_present->setShortcut(QKeySequence(Qt::Key_F11));
    m_present->setToolTip(
        tr("Show the picture and the step's sentence on the whole screen, in large type (F11)"));
    connect(m_present, &QAction::triggered, this, &MainWindow::present);
}

QWidget *MainWindow::makePresentButton() {
    auto *button = new QToolButton;
    button->setObjectName("present");
    button->setText(tr("Present"));
    button->setAccessibleName(tr("Present"));
    button->setToolTip(m_present->toolTip());
    connect(button, &QToolButton::clicked, m_present, &QAction::trigger);
    return button;
}

void MainWindow::present(bool on) {
    if (!on) {
        if (m_presentation)
            m_presentation->close();
        return;
    }
    if (m_startPage) { // the start page presents its own question to a class
        m_present->setChecked(false);
        return m_startPage->requestShow();
    }
    if (!m_presentation) {
        QList<FigureView *> views;
        for (int index = 0; index < m_tabs->count(); ++index)
            views << static_cast<FigureView *>(m_tabs->widget(index));
        m_presentation =
            new Presentation(m_document, *m_filmstrip, views, *m_mechanism,
                             *m_lesson->lessonActions().at(3), *m_formula->showAction(), this);
        if (const auto *offer = m_lesson->findChild<ResetOffer *>())
            m_presentation->findChild<ResetOffer *>()->take(*offer);
        m_presentation->findChild<SentenceStrip *>()->take(*m_strip);
        m_presentation->setAttribute(Qt::WA_DeleteOnClose);
        m_presentation->setTheme(currentView()->figureStyle().isDark);
        auto *birth = m_presentation->findChild<BirthView *>();
        birth->take(*m_birth);
        m_birth->setIsPresented(true);
        birth->makeCompact();
        connect(birth, &BirthView::taskWanted, m_birth, &BirthView::taskWanted);
        m_presentation->showView(currentView()->viewName());
        m_presentation->addActions(m_presentedActions);
        connect(m_presentation, &Presentation::left, this, &MainWindow::presentationLeft);
        connect(m_presentation, &Presentation::ended, m_lesson->lessonActions().at(1),
                &QAction::trigger);
        connect(m_presentation, &Presentation::failed, this, &MainWindow::showProblem);
        for (const TrainingView *training : m_presentation->findChildren<TrainingView *>()) {
            connect(training, &TrainingView::newRunRequested, this, &MainWindow::newRun);
            connect(training, &TrainingView::textFileRequested, this,
                    &MainWindow::chooseTrainingText);
        }
    }
    m_present->setChecked(true);
    m_presentation->setGeometry(screen()->geometry()); // for desktops without a window manager
    m_presentation->showFullScreen();
    m_presentation->activateWindow();
    m_presentation->setFocus();
}

QWidget *MainWindow::dialogParent() {
    return m_presentation ? static_cast<QWidget *>(m_presentation) : this;
}

void MainWindow::presentationLeft() {
    m_present->setChecked(false);
    // The replay continues where the presentation left it.
    m_birth->setIsPresented(false);
    m_birth->take(*m_presentation->findChild<BirthView *>());
    m_strip->take(*m_presentation->findChild<SentenceStrip *>());
    m_presentation = nullptr;
    activateWindow();
}

} // namespace headlight::ui
