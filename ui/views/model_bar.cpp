#include "ui/views/model_bar.h"

#include "ui/views/word_field.h"
#include "ui/widgets/bar_buttons.h"
#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/elided_label.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QSignalBlocker>
#include <QToolButton>

namespace headlight::ui {

namespace {

constexpr int kMinChoice = 60; // px, width of a combo box in a narrow view
constexpr int kMaxToken = 20;  // characters, width of the field for a token

ElidedComboBox *silencingChoice(const char *name, const QString &words, const QStringList &items) {
    auto *choice = new ElidedComboBox;
    choice->setObjectName(QLatin1String(name));
    choice->setAccessibleName(words);
    choice->setToolTip(words);
    choice->addItems(items);
    choice->setMinimumWidth(kMinChoice);
    choice->setFocusPolicy(Qt::TabFocus);
    return choice;
}

} // namespace

ModelBar::ModelBar(QWidget *parent)
    : QWidget(parent),
      m_start(new QAction(tr("Silence every head once"), this)),
      m_cancel(new QAction(tr("Cancel silencing"), this)),
      m_shown(new QAction(tr("Effects"), this)),
      m_copy(new QAction(tr("Copy the effects as a table"), this)),
      m_number(silencingChoice("silencingNumber", tr("Number whose change is measured"),
                               {tr("the logit"), tr("the loss")})),
      m_state(silencingChoice("silencingState", tr("Replacement of a silenced head's output"),
                              {tr("by zeros"), tr("by its mean")})),
      m_token(new WordField),
      m_progress(new QProgressBar),
      m_words(new ElidedLabel) {
    setObjectName("modelBar");
    setAccessibleName(tr("Silencing every head"));
    setAutoFillBackground(true);
    m_start->setToolTip(tr("Silence each head in turn, and show how the prediction changes"));
    m_cancel->setToolTip(tr("Stop silencing heads"));
    m_shown->setCheckable(true);
    m_shown->setToolTip(tr("Show the effect of silencing each head in place of its thumbnail"));
    m_copy->setToolTip(tr("Copy a line for each head, with tabs between the columns"));
    connect(m_start, &QAction::triggered, this, &ModelBar::startWanted);
    connect(m_cancel, &QAction::triggered, this, &ModelBar::cancelWanted);
    connect(m_shown, &QAction::triggered, this, &ModelBar::effectsWanted);
    connect(m_copy, &QAction::triggered, this, &ModelBar::copyWanted);
    for (const ElidedComboBox *choice : {m_number, m_state})
        connect(choice, &QComboBox::currentIndexChanged, this, &ModelBar::chosen);
    connect(m_token, &WordField::chosen, this, &ModelBar::chosen);
    m_token->setObjectName("silencingToken");
    m_token->setAccessibleName(tr("Token whose logit is measured"));
    m_token->setToolTip(
        tr("Token whose logit is measured. Empty: the one that the model predicts"));
    m_token->setPlaceholderText(tr("predicted token"));
    m_token->setClearButtonEnabled(true);
    m_token->setMinimumWidth(kMinChoice);
    fitToken();
    m_progress->setObjectName("silencingProgress");
    m_progress->setAccessibleName(tr("Heads that have been silenced"));
    m_progress->setMaximumWidth(200);
    m_words->setObjectName("silencingWords");
    m_words->setAccessibleName(tr("State of silencing"));
    m_words->setTextFormat(Qt::PlainText);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 3, 8, 3);
    row->setSpacing(4);
    row->addWidget(actionButton(m_start, QStringLiteral("silenceAll")));
    row->addWidget(m_state);
    row->addWidget(m_number);
    row->addWidget(m_token);
    row->addWidget(actionButton(m_shown, QStringLiteral("showEffects")));
    row->addWidget(m_progress);
    row->addWidget(actionButton(m_cancel, QStringLiteral("cancelSilencing")));
    row->addWidget(m_words, 1);
}

void ModelBar::fitToken() {
    m_token->setMaximumWidth(kMaxToken * fontMetrics().averageCharWidth());
}

/// Adapts to the font, which is larger in a presentation and with large text.
void ModelBar::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitToken();
}

bool ModelBar::isLoss() const {
    return m_number->currentIndex() == 1;
}

core::HeadState ModelBar::state() const {
    return m_state->currentIndex() == 1 ? core::HeadState::Mean : core::HeadState::Zero;
}

std::optional<core::Index> ModelBar::token() const {
    return m_token->word();
}

void ModelBar::choose(bool isLoss, core::HeadState state, std::optional<core::Index> token) {
    const QSignalBlocker number(m_number), replacement(m_state);
    m_number->setCurrentIndex(isLoss ? 1 : 0);
    m_state->setCurrentIndex(state == core::HeadState::Mean ? 1 : 0);
    m_token->choose(token);
}

QString ModelBar::unknownWord() const {
    return m_token->isUnknown() && !isLoss() ? m_token->text() : QString();
}

void ModelBar::setModel(const core::Model &model) {
    m_token->setModel(model);
    m_token->setVisible(model.vocabulary &&
                        model.config.outputLayer.kind != core::OutputLayerKind::Classifier);
}

void ModelBar::show(const State &state) {
    m_start->setEnabled(state.unavailableReason.isEmpty() && !state.isBusy &&
                        unknownWord().isEmpty());
    m_token->setEnabled(!isLoss());
    m_cancel->setEnabled(state.isBusy);
    m_shown->setEnabled(state.canShow && (state.hasEffects || state.isBusy || state.showsEffects));
    m_shown->setChecked(state.showsEffects);
    m_copy->setEnabled(state.hasEffects);
    const auto all = static_cast<int>(state.progress.all);
    m_progress->setVisible(state.isBusy);
    m_progress->setRange(0, all); // 0 to 0: busy, because the end is unknown
    m_progress->setValue(static_cast<int>(state.progress.made));
    m_progress->setFormat(tr("%1 of %2 heads").arg(state.progress.made).arg(state.progress.all));
    m_progress->setTextVisible(all > 0);
    if (auto *cancel = findChild<QToolButton *>("cancelSilencing"))
        cancel->setVisible(state.isBusy);
    m_words->setText(state.unavailableReason.isEmpty() ? state.words : state.unavailableReason);
}

} // namespace headlight::ui
