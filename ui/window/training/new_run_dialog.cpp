#include "ui/window/training/new_run_dialog.h"

#include "ui/text/core_message.h"
#include "ui/widgets/scrolling_page.h"
#include "ui/window/training/new_run_fields.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QShowEvent>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

constexpr double kShareOfScreen = 0.92; // maximum share of the screen for the dialog and its frame

} // namespace

NewRunDialog::NewRunDialog(QWidget *parent)
    : QDialog(parent), m_fields(new NewRunFields), m_area(new QScrollArea), m_summary(new QLabel) {
    setObjectName("newRun");
    m_fields->setObjectName("newRunFields");
    setWindowTitle(tr("New training run"));
    setSizeGripEnabled(true);
    m_area->setWidget(m_fields);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    scrollByWheel(*m_fields);
    m_summary->setObjectName("newRunSummary");
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Cancel)->setIcon({}); // some desktop styles set an icon
    m_create = buttons->addButton(tr("&Create"), QDialogButtonBox::AcceptRole);
    m_create->setObjectName("createRun");
    m_create->setToolTip(
        tr("Open a session with the initial parameters, without training them yet"));
    m_create->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_fields, &NewRunFields::changed, this, &NewRunDialog::check);
    // With large text, a field reached by a key may be outside the visible area.
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
        if (now && m_fields->isAncestorOf(now))
            m_area->ensureWidgetVisible(now);
    });
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(m_area, 1);
    layout->addWidget(m_summary);
    layout->addWidget(buttons);
    check();
    m_fields->focusTask();
}

void NewRunDialog::setRecipe(const core::Recipe &recipe, std::optional<core::Ablation> against) {
    m_fields->setRecipe(recipe);
    m_fields->setAblation(against);
}

QString NewRunDialog::textFile() const {
    return m_fields->textFile();
}

core::TaskPointer NewRunDialog::task() const {
    return m_fields->task();
}

void NewRunDialog::check() {
    const core::TaskPointer task = m_fields->task();
    if (!task) {
        m_create->setEnabled(false);
        m_session.reset();
        return m_summary->setText(m_fields->taskUnavailableReason());
    }
    core::Result<OpenedSource> made =
        makeTrainingSession(m_fields->recipe(), task, m_fields->ablation());
    m_create->setEnabled(made.ok());
    m_session.reset();
    if (!made)
        return m_summary->setText(
            translated(core::Error{made.error().what, {}, made.error().remedy}));
    m_session = *std::move(made);
    m_summary->setText(tr("%L1 parameters to train, initialised from the seed.")
                           .arg(core::parameterCount(m_session->state.model)));
}

/// Sizes the dialog when it is shown, because the style sheet does not set its fonts earlier.
void NewRunDialog::showEvent(QShowEvent *event) {
    if (!event->spontaneous()) {
        const QSize most = (parentWidget() ? parentWidget()->screen() : screen())->availableSize() *
                           kShareOfScreen;
        const QMargins around = layout()->contentsMargins();
        const int aside =
            around.left() + around.right() + m_area->verticalScrollBar()->sizeHint().width();
        m_fields->arrange(most.width() - aside);
        const int beneath = layout()->minimumSize().height() - m_area->minimumSizeHint().height();
        const QSize fields = m_fields->sizeHint();
        const int width = std::min(most.width(), std::max(fields.width() + aside, 640));
        const int high = m_fields->layout()->hasHeightForWidth()
                             ? m_fields->layout()->totalHeightForWidth(width - aside)
                             : fields.height();
        resize(QSize(width, high + beneath + 8).boundedTo(most));
    }
    QDialog::showEvent(event);
}

void NewRunDialog::resizeEvent(QResizeEvent *event) {
    QDialog::resizeEvent(event);
    m_fields->arrange(m_area->viewport()->width());
}

} // namespace headlight::ui
