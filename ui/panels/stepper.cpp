#include "ui/panels/stepper.h"

#include "ui/figures/flow/part_titles.h"
#include "ui/panels/chip_strip.h"
#include "ui/panels/step_chip.h"
#include "ui/panels/step_icon.h"
#include "ui/text/capture_text.h"
#include "ui/text/chip_text.h"
#include "ui/text/glossary/term_html.h"
#include "ui/text/stage_titles.h"

#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QSettings>
#include <QStyle>
#include <QToolButton>

namespace headlight::ui {

namespace {

/// Returns, for example, "decoder · layer 1 · cross-attention".
QString nameOf(const core::Trace &trace, const FlowPart &part) {
    QStringList names{titleOf(part.attention.stack)};
    if (part.kind == FlowPart::Kind::Attention || part.kind == FlowPart::Kind::FeedForward)
        names.append(Stepper::tr("layer %1").arg(part.attention.layer));
    names.append(titleOf(trace, part));
    names.removeAll(QString());
    return names.join(QStringLiteral(" · "));
}

} // namespace

Stepper::Stepper(Document &document, QWidget *parent)
    : QToolBar(tr("Stepper"), parent),
      m_document(document),
      m_style(FigureStyle::light()),
      m_chips(new QWidget),
      m_strip(new ChipStrip(m_chips)), // lets the user scroll if many stages do not fit
      m_chipLayout(new QHBoxLayout(m_chips)),
      m_group(new QButtonGroup(this)),
      m_player(new StepPlayer(this)),
      m_partBox(new QComboBox),
      m_granularityBox(new QComboBox) {
    setObjectName("stepper");
    setMovable(false);
    setFocusPolicy(Qt::ClickFocus); // Space plays from anywhere on the bar except its buttons
    m_first = addAction(QString(), this, &Stepper::first);
    m_back = addAction(QString(), this, &Stepper::back);
    m_play = addAction(QString());
    m_next = addAction(QString(), this, &Stepper::next);
    m_last = addAction(QString(), this, &Stepper::last);
    m_play->setCheckable(true);
    connect(m_play, &QAction::toggled, this, &Stepper::setPlaying);

    m_partBox->setObjectName("part");
    m_partBox->setAccessibleName(tr("Part of the model"));
    m_partBox->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_partBox, &QComboBox::activated, this, [this](int index) { goToPart(index); });
    m_partAction = addWidget(m_partBox);
    m_partAction->setVisible(false);

    m_chipLayout->setContentsMargins(8, 0, 8, 0);
    m_chipLayout->setSpacing(8);
    addWidget(m_strip);
    // Also runs when the bar or its text gets another size.
    connect(m_strip->horizontalScrollBar(), &QScrollBar::rangeChanged, this,
            &Stepper::showCurrentChip);

    makeChoices();
    nameActions();
    connect(m_player, &StepPlayer::stepDue, this, &Stepper::playStep);
    connect(m_group, &QButtonGroup::idClicked, this, [this](int id) { goToStage(id); });
    connect(&document, &Document::changed, this, &Stepper::documentChanged);
}

Stepper::~Stepper() {
    // ~QWidget destroys the children: the scroll bar's range changes again and the mouse leaves a
    // chip. Their signals must not reach a Stepper under destruction.
    for (QObject *child : findChildren<QObject *>())
        child->disconnect(this);
}

void Stepper::makeChoices() {
    m_granularityBox->addItems({tr("by stage"), tr("by row"), tr("by cell")});
    m_granularityBox->setObjectName("granularity");
    m_granularityBox->setAccessibleName(tr("Step size"));
    m_granularityBox->setToolTip(m_granularityBox->accessibleName());
    restoreGranularity();
    connect(m_granularityBox, &QComboBox::activated, this,
            [this](int index) { setGranularity(static_cast<Granularity>(index)); });
    addWidget(m_player->speedBox());
    addWidget(m_granularityBox);
}

/// Restores the saved granularity.
void Stepper::restoreGranularity() {
    showGranularity(granularityOf(QSettings().value("stepper/granularity").toString()));
}

void Stepper::nameActions() {
    struct Words {
        QAction *action;
        QString name;
        QKeySequence key;
    };
    const auto byGranularity = [this](const QString &stage, const QString &row,
                                      const QString &cell) {
        return m_granularity == Granularity::Stage ? stage
               : m_granularity == Granularity::Row ? row
                                                   : cell;
    };
    const Words words[] = {
        {m_first, byGranularity(tr("First stage"), tr("First row"), tr("First cell")),
         QKeySequence(Qt::CTRL | Qt::Key_PageUp)},
        {m_back, byGranularity(tr("Previous stage"), tr("Previous row"), tr("Previous cell")),
         QKeySequence(Qt::Key_PageUp)},
        {m_play, byGranularity(tr("Play the stages"), tr("Play the rows"), tr("Play the cells")),
         QKeySequence()},
        {m_next, byGranularity(tr("Next stage"), tr("Next row"), tr("Next cell")),
         QKeySequence(Qt::Key_PageDown)},
        {m_last, byGranularity(tr("Last stage"), tr("Last row"), tr("Last cell")),
         QKeySequence(Qt::CTRL | Qt::Key_PageDown)}};
    for (const Words &word : words) {
        word.action->setText(word.name);
        word.action->setShortcut(word.key);
        const QString key =
            word.action == m_play ? tr("Space") : word.key.toString(QKeySequence::NativeText);
        const QString tip = QString("%1 (%2)").arg(word.name, key);
        word.action->setToolTip(m_document.isCapture() && word.action == m_play
                                    ? QStringLiteral("%1\n%2").arg(tip, playUnavailableReason())
                                    : tip);
        if (auto *button = qobject_cast<QToolButton *>(widgetForAction(word.action)))
            button->setAccessibleName(word.name);
    }
}

void Stepper::setGranularity(Granularity granularity) {
    QSettings().setValue("stepper/granularity", nameOf(granularity));
    showGranularity(granularity);
}

void Stepper::showGranularity(Granularity granularity) {
    if (granularity == m_granularity)
        return;
    m_granularity = granularity;
    m_granularityBox->setCurrentIndex(static_cast<int>(granularity));
    nameActions();
    showCurrent();
    m_player->setGranularity(granularity);
    emit granularityChanged(granularity);
}

bool Stepper::isPlaying() const {
    return m_play->isChecked();
}

std::optional<StepPositions> Stepper::steps() const {
    if (!m_document.trace() || m_stages.empty())
        return std::nullopt;
    return StepPositions{*m_document.trace(), m_all, m_granularity};
}

void Stepper::select(const std::optional<core::Selection> &selection) {
    if (selection)
        m_document.select(*selection);
}

void Stepper::first() {
    if (const auto all = steps())
        select(m_goesBack ? all->last(m_document.selection()) : all->first(m_document.selection()));
}

void Stepper::back() {
    if (const auto all = steps())
        select(m_goesBack ? all->next(m_document.selection()) : all->back(m_document.selection()));
}

void Stepper::next() {
    const core::Selection before = m_document.selection();
    if (const auto all = steps())
        select(m_goesBack ? all->back(before) : all->next(before));
    if (m_document.selection() != before) // otherwise the trace is not ready yet
        emit wentOn();
}

void Stepper::last() {
    if (const auto all = steps())
        select(m_goesBack ? all->first(m_document.selection()) : all->last(m_document.selection()));
}

void Stepper::setGoesBack(bool goesBack) {
    if (m_goesBack == goesBack)
        return;
    setPlaying(false);
    m_goesBack = goesBack;
    showCurrent();
}

void Stepper::playStep() {
    next();
    if (!m_next->isEnabled())
        setPlaying(false);
}

void Stepper::keyPressEvent(QKeyEvent *event) {
    if (event->key() != Qt::Key_Space)
        return QToolBar::keyPressEvent(event);
    if (!event->isAutoRepeat())
        togglePlaying();
}

QList<QAction *> Stepper::stepActions() const {
    return {m_first, m_back, m_play, m_next, m_last};
}

void Stepper::setStyle(const FigureStyle &style) {
    m_style = style;
    const int side = qRound(style.scaled(16));
    setIconSize(QSize(side, side));
    showIcons();
    m_stages.clear();
    documentChanged(TraceChanged{});
}

void Stepper::showIcons() {
    const QColor disabled = mixed(m_style.mutedText, m_style.surface, 0.4);
    const StepSymbol playing = m_play->isChecked() ? StepSymbol::Pause : StepSymbol::Play;
    const std::pair<QAction *, StepSymbol> symbols[] = {{m_first, StepSymbol::First},
                                                        {m_back, StepSymbol::Back},
                                                        {m_play, playing},
                                                        {m_next, StepSymbol::Next},
                                                        {m_last, StepSymbol::Last}};
    for (const auto &[action, symbol] : symbols)
        action->setIcon(stepIcon(
            symbol, action == m_play && m_play->isChecked() ? m_style.accent : m_style.text,
            disabled, iconSize().width()));
}

void Stepper::setPlaying(bool playing) {
    playing = playing && m_play->isEnabled();
    m_play->setChecked(playing);
    showIcons();
    if (!playing)
        return m_player->stop();
    if (!m_next->isEnabled())
        first();
    m_player->start();
}

void Stepper::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event)) {
        m_play->setChecked(false);
        m_play->setEnabled(!m_document.isCapture());
        nameActions();
        if (!m_document.session().lesson && m_lessonLook)
            restoreGranularity();
        m_lessonLook = m_document.session().lesson.has_value();
    }
    if (const auto *step = std::get_if<StepShown>(&event)) {
        m_play->setChecked(false);
        showGranularity(step->look.granularity);
    }
    if (is<TraceChanged>(event) || is<SelectionChanged>(event))
        readParts();
    if (is<TraceChanged>(event) || is<SelectionChanged>(event))
        showCurrent();
}

void Stepper::readParts() {
    if (!m_document.trace())
        return;
    const FlowParts parts(*m_document.trace());
    const FlowPart part = parts.partOf(m_document.selection());
    const auto stages = parts.stagesOf(part);
    const auto index = std::ranges::find(parts.parts(), part) - parts.parts().begin();
    const bool others = parts.parts() != m_parts;
    if (others) {
        m_parts = parts.parts();
        rebuildPartBox();
    }
    m_all = parts.stages();
    if (others || stages != m_stages || index != m_part) {
        m_stages = stages;
        m_part = index;
        rebuildChips();
    }
    m_partBox->setCurrentIndex(static_cast<int>(m_part));
    m_partBox->setToolTip(m_partBox->currentText());
}

void Stepper::rebuildPartBox() {
    m_partBox->clear();
    qsizetype longest = 0;
    for (const FlowPart &part : m_parts) {
        m_partBox->addItem(nameOf(*m_document.trace(), part));
        longest = std::max(longest, m_partBox->itemText(m_partBox->count() - 1).size());
    }
    // Longer names are complete in the list and in the tooltip.
    m_partBox->setMinimumContentsLength(static_cast<int>(std::min<qsizetype>(longest, 24)));
    m_partAction->setVisible(m_parts.size() > 1);
}

void Stepper::addPartButton(qsizetype index, const QString &text, const QString &name) {
    auto *button = new QToolButton;
    button->setObjectName("partStep");
    button->setText(text);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(
        name.arg(nameOf(*m_document.trace(), m_parts[static_cast<std::size_t>(index)])));
    button->setToolTip(button->accessibleName());
    connect(button, &QToolButton::clicked, this, [this, index] {
        goToPart(index, index < m_part); // going back leads to the end of the previous part
    });
    m_chipLayout->addWidget(button);
}

void Stepper::rebuildChips() {
    emit termHovered({});
    // Deleted later: one of them may be the chip that was clicked.
    while (QLayoutItem *item = m_chipLayout->takeAt(0)) {
        if (QWidget *widget = item->widget()) {
            if (auto *button = qobject_cast<QAbstractButton *>(widget))
                m_group->removeButton(button);
            widget->hide();
            widget->setObjectName({});
            widget->setParent(nullptr);
            widget->deleteLater();
        }
        delete item;
    }
    const core::Trace &trace = *m_document.trace();
    if (m_part > 0)
        addPartButton(m_part - 1, QStringLiteral("‹"), tr("Back to %1"));
    for (std::size_t index = 0; index < m_stages.size(); ++index) {
        const core::Stage stage = m_stages[index].stage;
        // A capture does not contain the operations.
        auto *chip =
            new StepChip(trace.model().isCaptured() ? titleOf(trace, stage)
                                                    : chipText(stage, trace.model().config));
        const GlossaryEntry entry = entryOf(stage);
        chip->setTerm(entry.id);
        connect(chip, &StepChip::termHovered, this, &Stepper::termHovered);
        const QString title = titleOf(trace, stage);
        chip->setToolTip(tipOf(entry, title == entry.term ? QString() : title));
        chip->setAccessibleName(title);
        chip->setAccessibleDescription(plainTipOf(entry));
        const core::Role role = core::infoOf(stage).role;
        chip->setColour(m_style.colourOf(role));
        if (role == core::Role::Query || role == core::Role::Key || role == core::Role::Value)
            chip->setStyleSheet(
                QString("QToolButton:!checked{color:%1;}").arg(m_style.colourOf(role).name()));
        m_group->addButton(chip, static_cast<int>(index));
        m_chipLayout->addWidget(chip);
    }
    if (m_part + 1 < static_cast<qsizetype>(m_parts.size()))
        addPartButton(m_part + 1, QStringLiteral("›"), tr("Forward to %1"));
    m_chipLayout->addStretch();
}

qsizetype Stepper::currentIndex() const {
    const auto all = steps();
    if (!all)
        return 0;
    const auto found = std::ranges::find(m_stages, m_all[all->stageIndex(m_document.selection())]);
    return found == m_stages.end() ? 0 : found - m_stages.begin();
}

void Stepper::showCurrent() {
    const qsizetype index = currentIndex();
    if (QAbstractButton *chip = m_group->button(static_cast<int>(index)))
        chip->setChecked(true);
    const auto all = steps();
    bool hasBack = all && all->back(m_document.selection());
    bool hasNext = all && all->next(m_document.selection());
    if (m_goesBack)
        std::swap(hasBack, hasNext);
    for (QAction *action : {m_first, m_back})
        action->setEnabled(hasBack);
    for (QAction *action : {m_next, m_last})
        action->setEnabled(hasNext);
    if (m_document.isCapture())
        showEnds(hasBack, hasNext);
    // Passed stages look filled.
    bool isOther = false;
    for (QAbstractButton *button : m_group->buttons()) {
        const QVariant passed =
            m_goesBack ? m_group->id(button) > index : m_group->id(button) < index;
        if (button->property("passed") == passed)
            continue;
        isOther = true;
        button->setProperty("passed", passed);
        button->style()->unpolish(button);
        button->style()->polish(button);
        button->ensurePolished();
    }
    if (!isOther)
        return; // usual case: the stage is still the same
    fitChips();
    showCurrentChip();
    // Repeat after the layout, when the chips have their final sizes.
    QMetaObject::invokeMethod(this, &Stepper::showCurrentChip, Qt::QueuedConnection);
}

/// Tooltips for a capture: the stages before and after it exist, but were not captured.
void Stepper::showEnds(bool hasBack, bool hasNext) {
    nameActions();
    const auto add = [](QAction *action, const QString &why) {
        action->setToolTip(QStringLiteral("%1\n%2").arg(action->toolTip(), why));
    };
    if (!hasBack)
        for (QAction *action : {m_first, m_back})
            add(action, tr("Nothing before this was captured"));
    if (!hasNext)
        for (QAction *action : {m_next, m_last})
            add(action, tr("Nothing after this was captured"));
}

void Stepper::resizeEvent(QResizeEvent *event) {
    QToolBar::resizeEvent(event);
    // After the bar has laid out its widgets.
    QMetaObject::invokeMethod(this, &Stepper::showCurrentChip, Qt::QueuedConnection);
}

void Stepper::showCurrentChip() {
    if (QAbstractButton *chip = m_group->checkedButton()) {
        m_chipLayout->activate();
        m_strip->show(*chip);
    }
}

void Stepper::fitChips() {
    // Reserves space for the whole texts, also in bold. The user scrolls to chips that do not fit.
    int width = m_chipLayout->contentsMargins().left() + m_chipLayout->contentsMargins().right();
    int height = 0;
    for (int index = 0; index < m_chipLayout->count(); ++index) {
        auto *button = qobject_cast<QAbstractButton *>(m_chipLayout->itemAt(index)->widget());
        if (!button)
            continue;
        QSize size = button->sizeHint(); // for the plain text, though the current chip is bold
        QFont bold = button->font();
        bold.setWeight(QFont::DemiBold);
        const int grown = QFontMetrics(bold).horizontalAdvance(button->text()) -
                          button->fontMetrics().horizontalAdvance(button->text());
        size.rwidth() += std::max(0, grown) + 2;
        button->setMinimumWidth(size.width());
        width += size.width() + m_chipLayout->spacing();
        height = std::max(height, size.height());
    }
    m_chipLayout->invalidate();
    m_chips->setMinimumWidth(width + qRound(m_style.scaled(16)));
    m_strip->setFixedHeight(std::max(44, height + 6));
}

void Stepper::goToPart(qsizetype index, bool atEnd) {
    if (index < 0 || index >= static_cast<qsizetype>(m_parts.size()) || !m_document.trace())
        return;
    const FlowParts parts(*m_document.trace());
    const auto stages = parts.stagesOf(m_parts[static_cast<std::size_t>(index)]);
    if (stages.empty())
        return;
    m_document.select(atStage(m_document.selection(), atEnd ? stages.back() : stages.front()));
    m_partBox->setCurrentIndex(static_cast<int>(m_part));
}

void Stepper::goToStage(qsizetype index) {
    if (index < 0 || index >= static_cast<qsizetype>(m_stages.size()))
        return;
    m_document.select(atStage(m_document.selection(), m_stages[static_cast<std::size_t>(index)]));
    showCurrent(); // also if nothing changed: a click on the checked chip must not uncheck it
}

} // namespace headlight::ui
