#include "ui/views/softmax_bar.h"

#include "ui/document/edits/mechanism_edits.h"
#include "ui/document/edits/softmax_edits.h"
#include "ui/text/capture_text.h"
#include "ui/text/number_text.h"
#include "ui/text/symbol_text.h"
#include "ui/views/softmax_view.h"
#include "ui/widgets/bar_buttons.h"

#include <QAction>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr int kControlGap = 6; // px
constexpr int kBarMargin = 8;  // px
constexpr int kFieldRoom = 44; // px of a field in addition to its number: padding, arrows
constexpr int kLineGap = 4;    // px
constexpr float kFactors[] = {1, 10, 100};
constexpr int kPresetSizes[] = {16, 64, 256, 1024};

} // namespace

SoftmaxBar::SoftmaxBar(SoftmaxView &view) : QWidget(&view), m_view(view) {
    setObjectName("softmaxBar");
    setAccessibleName(tr("Softmax controls"));
    setAutoFillBackground(true);
    makeParts();
    makeOwn();
    makeNumbers();
    makeSpread();
    showState();
}

QAction *SoftmaxBar::addAction(const QString &text, const QString &brief, const char *name,
                               const QString &says, bool isCheckable) {
    auto *action = new QAction(text, this);
    action->setIconText(brief);
    action->setToolTip(says);
    action->setCheckable(isCheckable);
    m_actions << action;
    addButton(action, name);
    return action;
}

QToolButton *SoftmaxBar::addButton(QAction *action, const char *name) {
    QToolButton *button = actionButton(action, name);
    button->setParent(this);
    button->setAccessibleName(action->text().remove('&'));
    m_controls << button;
    return button;
}

QWidget *SoftmaxBar::addField(const QString &name, QWidget *field) {
    auto *pair = new QWidget(this);
    auto *label = new QLabel(name);
    label->setBuddy(field);
    label->setTextFormat(Qt::PlainText);
    auto *row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kControlGap);
    row->addWidget(label);
    row->addWidget(field);
    m_controls << pair;
    return pair;
}

void SoftmaxBar::makeParts() {
    m_row = addAction(tr("&Row of logits"), tr("Row"), "softmaxRow",
                      tr("The logits of one row, their softmax, and its Jacobian"), true);
    m_spread = addAction(
        tr("&Spread of dot products"), tr("Spread"), "softmaxSpread",
        plainSymbols(
            tr("Why scores are divided by √d_k: the spread of dot products of random vectors")),
        true);
    connect(m_row, &QAction::triggered, this, [this] {
        m_view.apply(edits::showSoftmaxPart(m_view.document().state(), core::SoftmaxPart::Row));
        emit m_view.wanted();
        showState();
    });
    connect(m_spread, &QAction::triggered, this, [this] {
        m_view.apply(edits::showSoftmaxPart(m_view.document().state(), core::SoftmaxPart::Spread));
        emit m_view.wanted();
        showState();
    });
}

void SoftmaxBar::makeOwn() {
    m_own = addAction(tr("&Custom logits"), tr("Custom logits"), "softmaxOwn",
                      tr("Custom logits instead of the model's row; the model does not use them"),
                      true);
    m_ofRow << m_controls.last();
    connect(m_own, &QAction::triggered, this, [this](bool on) {
        showOwn(on);
        emit m_view.wanted();
        showState();
    });
    const auto addSix = [this](const QString &text, const QString &brief, const char *name,
                               float times) {
        QAction *six = addAction(
            text, brief, name,
            tr("0.1, 0.4, −0.9, 0.02, 0.35 and −0.62, times %1").arg(fullText(times)), false);
        connect(six, &QAction::triggered, this, [this, times] {
            m_view.apply(edits::setSixLogits(m_view.document().state(), times));
            emit m_view.wanted();
        });
        m_ofRow << m_controls.last();
    };
    addSix(tr("Si&x small numbers"), tr("Six"), "softmaxSix", 1);
    for (const float factor : kFactors) {
        QAction *times =
            addAction(tr("× %1").arg(fullText(factor)), tr("× %1").arg(fullText(factor)),
                      "softmaxTimes", tr("Factor of all custom logits"), true);
        m_controls.last()->setObjectName(QStringLiteral("softmaxTimes%1").arg(fullText(factor)));
        connect(times, &QAction::triggered, this, [this, factor] {
            m_view.apply(edits::setOwnTimes(m_view.document().state(), factor));
            showState();
        });
        m_times << times;
        m_ofOwn << m_controls.last();
    }
    m_more =
        addAction(tr("Add a nu&mber"), tr("+ bar"), "softmaxMore", tr("Add a 0 at the end"), false);
    m_ofOwn << m_controls.last();
    connect(m_more, &QAction::triggered, this,
            [this] { m_view.apply(edits::addOwnLogit(m_view.document().state())); });
    m_less = addAction(tr("Remove a number"), tr("− bar"), "softmaxLess",
                       tr("Remove the selected number"), false);
    m_ofOwn << m_controls.last();
    connect(m_less, &QAction::triggered, this, [this] {
        if (const SoftmaxContent::Bar *bar = m_view.chosenBar())
            m_view.apply(edits::removeOwnLogit(m_view.document().state(), bar->index));
    });
}

void SoftmaxBar::makeNumbers() {
    const auto add = [this](const QString &label, const QString &says, QDoubleSpinBox *box,
                            const char *id) {
        box->setObjectName(id);
        box->setAccessibleName(says);
        box->setToolTip(says);
        box->setKeyboardTracking(false);
        m_ofRow << addField(label, box);
    };
    m_number = new QDoubleSpinBox;
    m_number->setRange(-double(core::kLargestOwnLogit), double(core::kLargestOwnLogit));
    m_number->setDecimals(4);
    m_number->setSingleStep(0.1);
    add(tr("bar"), tr("Value of the selected bar"), m_number, "softmaxNumber");
    connect(m_number, &QDoubleSpinBox::valueChanged, this,
            [this](double number) { m_view.setChosenNumber(number); });
    m_temperature = new QDoubleSpinBox;
    m_temperature->setRange(double(core::kMinOwnTemperature), double(core::kMaxOwnTemperature));
    m_temperature->setDecimals(4);
    m_temperature->setSingleStep(0.1);
    m_temperature->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    add(tr("temperature"),
        tr("Temperature that divides the logits. The model's row has the model's temperature"),
        m_temperature, "softmaxTemperature");
    connect(m_temperature, &QDoubleSpinBox::valueChanged, this, &SoftmaxBar::setTemperature);
}

void SoftmaxBar::makeSpread() {
    m_headSize = new QSpinBox;
    m_headSize->setObjectName("softmaxHeadSize");
    m_headSize->setRange(1, static_cast<int>(core::kMaxDrawnHeadSize));
    m_headSize->setAccessibleName(tr("Number of components of the random vectors"));
    m_headSize->setToolTip(m_headSize->accessibleName());
    m_headSize->setKeyboardTracking(false);
    m_ofSpread << addField(plainSymbols(QStringLiteral("d_k")), m_headSize);
    const auto choose = [this](int size) {
        m_view.apply(edits::setDrawnHeadSize(m_view.document().state(), size));
    };
    connect(m_headSize, &QSpinBox::valueChanged, this, choose);
    for (const int size : kPresetSizes) {
        QAction *preset =
            addAction(tr("Vectors of %1 components").arg(size), QString::number(size),
                      "softmaxSize", tr("Queries and keys of %1 components").arg(size), true);
        m_controls.last()->setObjectName(QStringLiteral("softmaxSize%1").arg(size));
        preset->setData(size);
        connect(preset, &QAction::triggered, this, [this, size, choose] {
            choose(size);
            emit m_view.wanted();
            showState();
        });
        m_sizes << preset;
        m_ofSpread << m_controls.last();
    }
    QAction *again = addAction(tr("&Draw again"), tr("Draw again"), "softmaxDraw",
                               tr("Draw other samples, with the next seed"), false);
    m_ofSpread << m_controls.last();
    connect(again, &QAction::triggered, this, [this] {
        m_view.apply(edits::drawAgain(m_view.document().state()));
        emit m_view.wanted();
    });
}

/// Turns custom logits on or off. They start with the previous custom logits, otherwise with the
/// row's, otherwise with six defaults.
void SoftmaxBar::showOwn(bool own) {
    const DocumentState &state = m_view.document().state();
    if (!own) {
        m_lastOwn = state.softmax.logits;
        return m_view.apply(edits::setOwnLogits(state, {}));
    }
    std::vector<float> logits = m_lastOwn;
    if (logits.empty() && state.softmax.part == core::SoftmaxPart::Row)
        logits = m_view.shownLogits();
    if (logits.empty())
        logits.assign(core::kSixLogits.begin(), core::kSixLogits.end());
    m_view.apply(edits::setOwnLogits(state, std::move(logits)));
}

void SoftmaxBar::setTemperature(double temperature) {
    const DocumentState &state = m_view.document().state();
    m_view.apply(state.softmax.isOwn()
                     ? edits::setOwnTemperature(state, static_cast<float>(temperature))
                     : edits::setTemperature(state, static_cast<float>(temperature)));
    showState(); // a rejected value is not shown
}

void SoftmaxBar::typeNumber() {
    if (!m_number->isEnabled())
        return;
    m_number->setFocus(Qt::ShortcutFocusReason);
    m_number->selectAll();
}

/// Returns the text of the disabled number field: the bar's own number, or "—" without a bar.
QString SoftmaxBar::lockedNumber() {
    const SoftmaxContent::Bar *bar = m_view.isVisible() ? m_view.chosenBar() : nullptr;
    if (!bar)
        return QStringLiteral("—");
    return std::isfinite(bar->logit) ? m_number->textFromValue(static_cast<double>(bar->logit))
                                     : fullText(bar->logit);
}

void SoftmaxBar::showState() {
    const DocumentState &state = m_view.document().state();
    const core::SoftmaxLook &look = state.softmax;
    const bool isRow = look.part == core::SoftmaxPart::Row;
    const bool isCapture = m_view.document().isCapture();
    m_row->setChecked(isRow);
    m_spread->setChecked(!isRow);
    m_own->setChecked(look.isOwn());
    for (std::size_t i = 0; i < std::size(kFactors); ++i)
        m_times[static_cast<qsizetype>(i)]->setChecked(look.isOwn() && look.times == kFactors[i]);
    for (QAction *action : m_times)
        action->setEnabled(look.isOwn());
    m_more->setEnabled(look.isOwn() && look.logits.size() < core::kMaxOwnLogits);
    m_less->setEnabled(look.isOwn() && look.logits.size() > 1);
    for (QAction *size : m_sizes)
        size->setChecked(!isRow && size->data().toInt() == static_cast<int>(look.headSize));
    m_unwanted.clear();
    const auto leave = [this](const QList<QWidget *> &controls) { m_unwanted += controls; };
    if (!isRow)
        leave(m_ofRow);
    if (!isRow || !look.isOwn())
        leave(m_ofOwn);
    if (isRow)
        leave(m_ofSpread);
    const auto set = [](auto *box, auto value) {
        const QSignalBlocker quiet(box);
        box->setValue(value);
    };
    // A hidden view must not build a figure.
    const SoftmaxContent::Bar *bar = m_view.isVisible() ? m_view.chosenBar() : nullptr;
    const bool canSet = bar && m_view.unchangeableReason(*bar).isEmpty();
    m_number->setEnabled(canSet);
    // At its minimum, the field shows the text of a number that cannot be set, such as −∞ under the
    // mask.
    m_number->setSpecialValueText(canSet ? QString() : lockedNumber());
    set(m_number, canSet ? m_view.chosenNumber() : m_number->minimum());
    m_temperature->setEnabled(look.isOwn() || !isCapture);
    set(m_temperature,
        static_cast<double>(look.isOwn() ? look.temperature : state.model.config.temperature));
    set(m_headSize, static_cast<int>(look.headSize));
}

int SoftmaxBar::heightFor(int width, int most) {
    // Longer numbers scroll in the field.
    const int digits = fontMetrics().horizontalAdvance(QStringLiteral("−00.0000"));
    for (QDoubleSpinBox *box : {m_number, m_temperature})
        box->setMaximumWidth(digits + kFieldRoom);
    int x = kBarMargin, y = kLineGap, line = 0;
    bool isFull = false;
    for (QWidget *control : m_controls) {
        const QSize size = control->sizeHint();
        const bool isWanted = !m_unwanted.contains(control);
        if (isWanted && x > kBarMargin && x + size.width() > width - kBarMargin) {
            isFull = isFull || y + line + kLineGap + size.height() + kLineGap > most;
            if (!isFull) {
                x = kBarMargin;
                y += line + kLineGap;
                line = 0;
            }
        }
        if (control->isHidden() == (isWanted && !isFull))
            control->setVisible(isWanted && !isFull);
        if (!isWanted || isFull)
            continue;
        control->setGeometry(x, y, std::min(size.width(), std::max(1, width - 2 * kBarMargin)),
                             size.height());
        x += size.width() + kControlGap;
        line = std::max(line, size.height());
    }
    return y + line + kLineGap;
}

bool SoftmaxBar::event(QEvent *event) {
    // The bar has no layout, so only these events inform the view that a control needs another
    // size.
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::StyleChange ||
        event->type() == QEvent::FontChange)
        QCoreApplication::postEvent(&m_view, new QEvent(QEvent::LayoutRequest));
    return QWidget::event(event);
}

} // namespace headlight::ui
