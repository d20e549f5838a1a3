#include "ui/views/matrix_chips.h"

#include "ui/widgets/bar_buttons.h"

#include <QMenu>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>

namespace headlight::ui {

namespace {

using Setting = MechanismActions::Setting;

constexpr int kWheelStep = 120; // wheel movement per step, in eighths of a degree
constexpr char kHeadName[] = "operandHead";

} // namespace

MatrixChips::MatrixChips(MechanismActions &mechanism, QWidget &view)
    : QObject(&view), m_mechanism(mechanism), m_view(view), m_measured(make(Setting::Head)) {
    m_measured->setObjectName(QString());
    m_measured->setAccessibleName(m_measured->toolTip());
    m_measured->hide();
}

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
            hide(*button);
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
    const auto sizeOf = [this](QToolButton *button) {
        if (button->styleSheet() != m_sheet) // setting a style sheet is slow
            button->setStyleSheet(m_sheet);
        button->ensurePolished();
        return QSizeF(button->sizeHint());
    };
    std::vector<QSizeF> sizes, heads;
    for (QToolButton *button : m_buttons)
        sizes.push_back(sizeOf(button));
    for (const bool isShort : {false, true}) {
        m_measured->setText(m_mechanism.headText(isShort));
        heads.push_back(sizeOf(m_measured));
    }
    if (sizes == m_sizes && heads == m_headSizes)
        return false;
    m_sizes = std::move(sizes);
    m_headSizes = std::move(heads);
    return true;
}

bool MatrixChips::beginsWithHead() const {
    return !m_settings.empty() && m_settings.front() == Setting::Head;
}

/// Hides a button. If it had the focus, moves the focus to the view, so that the view's keys still
/// work.
void MatrixChips::hide(QToolButton &button) {
    if (button.hasFocus())
        m_view.setFocus();
    button.hide();
}

void MatrixChips::place(const std::vector<QRectF> &places, const std::vector<OperandHead> &heads) {
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        const bool isShown = i < places.size() && !places[i].isEmpty();
        if (isShown)
            m_buttons[i]->setGeometry(places[i].toRect());
        m_buttons[i]->setVisible(isShown);
    }
    placeHeads(heads);
}

void MatrixChips::placeHeads(const std::vector<OperandHead> &heads) {
    while (m_heads.size() < heads.size()) {
        m_heads.push_back(make(Setting::Head));
        m_heads.back()->setObjectName(QLatin1String(kHeadName));
    }
    for (std::size_t i = 0; i < m_heads.size(); ++i) {
        QToolButton &button = *m_heads[i];
        if (i >= heads.size()) {
            hide(button);
            continue;
        }
        if (button.styleSheet() != m_sheet)
            button.setStyleSheet(m_sheet);
        const QRectF &rect = heads[i].rect;
        button.setText(m_mechanism.headText(rect.width() < m_headSizes.front().width()));
        button.setAccessibleName(
            tr("%1, %2").arg(heads[i].matrix, m_mechanism.textOf(Setting::Head)));
        button.setGeometry(rect.toRect());
        button.show();
    }
}

bool MatrixChips::eventFilter(QObject *watched, QEvent *event) {
    const bool isHead = (beginsWithHead() && watched == m_buttons.front()) ||
                        std::ranges::find(m_heads, watched) != m_heads.end();
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
