#include "ui/views/matrix_chips.h"

#include "ui/widgets/bar_buttons.h"

#include <QMenu>
#include <QToolButton>
#include <QWheelEvent>

namespace headlight::ui {

namespace {

using Setting = MechanismActions::Setting;

constexpr int kWheelStep = 120; // wheel movement per step, in eighths of a degree

} // namespace

MatrixChips::MatrixChips(MechanismActions &mechanism, QWidget &view)
    : QObject(&view), m_mechanism(mechanism), m_view(view) {}

QToolButton *MatrixChips::make(Setting setting) {
    QToolButton *button = menuButton(MechanismActions::termOf(setting));
    button->setParent(&m_view);
    button->setProperty("chip", true);
    button->setAutoRaise(false);
    if (m_view.focusPolicy() == Qt::NoFocus) // in a presentation, the keys step through the lesson
        button->setFocusPolicy(Qt::NoFocus);
    button->setToolTip(MechanismActions::toolTipOf(setting));
    button->setCursor(Qt::ArrowCursor);
    button->installEventFilter(this);
    connect(button->menu(), &QMenu::aboutToShow, this, [this, button, setting] {
        button->menu()->clear();
        m_mechanism.fill(*button->menu(), setting);
    });
    return button;
}

bool MatrixChips::show(core::StageId at) {
    const std::vector<Setting> settings = m_mechanism.settingsOf(at);
    if (settings != m_settings) {
        for (QToolButton *button : m_buttons) {
            if (button->hasFocus())
                m_view.setFocus();
            button->hide();
            button->deleteLater(); // later, because its menu may be open
        }
        m_buttons.clear();
        m_settings = settings;
        for (const Setting setting : settings)
            m_buttons.push_back(make(setting));
    }
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        m_buttons[i]->setText(m_mechanism.textOf(m_settings[i]));
        m_buttons[i]->setAccessibleName(m_buttons[i]->text());
    }
    return measure();
}

bool MatrixChips::setTextSize(int pixels) {
    m_sheet =
        pixels > 0 ? QStringLiteral("QToolButton { font-size: %1px; }").arg(pixels) : QString();
    return measure();
}

bool MatrixChips::measure() {
    std::vector<QSizeF> sizes;
    for (QToolButton *button : m_buttons) {
        if (button->styleSheet() != m_sheet) // setting a style sheet is slow
            button->setStyleSheet(m_sheet);
        button->ensurePolished();
        sizes.emplace_back(button->sizeHint());
    }
    if (sizes == m_sizes)
        return false;
    m_sizes = std::move(sizes);
    return true;
}

void MatrixChips::place(const std::vector<QRectF> &places) {
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        const bool isShown = i < places.size() && !places[i].isEmpty();
        if (isShown)
            m_buttons[i]->setGeometry(places[i].toRect());
        m_buttons[i]->setVisible(isShown);
    }
}

bool MatrixChips::eventFilter(QObject *watched, QEvent *event) {
    const bool isHead =
        !m_settings.empty() && m_settings.front() == Setting::Head && watched == m_buttons.front();
    if (!isHead || event->type() != QEvent::Wheel)
        return QObject::eventFilter(watched, event);
    m_turned += static_cast<QWheelEvent *>(event)->angleDelta().y();
    const int steps = m_turned / kWheelStep;
    m_turned -= steps * kWheelStep;
    if (steps != 0)
        m_mechanism.moveHead(-steps);
    return true;
}

} // namespace headlight::ui
