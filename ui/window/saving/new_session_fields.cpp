#include "ui/window/saving/new_session_fields.h"

#include "ui/widgets/titled_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <limits>

namespace headlight::ui {

namespace {

constexpr int kMaxLayers = 12;
constexpr int kWidest = 1024; // more random parameters would not teach more
constexpr int kMaxHeads = 64;
constexpr int kWidestFeedForward = 4096;

/// Order of the blocks of a layer.
enum class BlockOrder { OneAfterTheOther, Parallel, ParallelBehindOneNorm };

BlockOrder orderOf(const NewSession &session) {
    return !session.parallel    ? BlockOrder::OneAfterTheOther
           : session.sharedNorm ? BlockOrder::ParallelBehindOneNorm
                                : BlockOrder::Parallel;
}

/// Adds an item whose data is the enumerator's value and whose tooltip is the meaning.
template <typename Choice>
void addChoice(QComboBox *box, Choice choice, const QString &name, const QString &meaning) {
    box->addItem(name, static_cast<int>(choice));
    box->setItemData(box->count() - 1, meaning, Qt::ToolTipRole);
}

template <typename Choice>
void choose(QComboBox *box, Choice choice) {
    box->setCurrentIndex(std::max(0, box->findData(static_cast<int>(choice))));
}

template <typename Choice>
Choice chosen(const QComboBox *box) {
    return static_cast<Choice>(box->currentData().toInt());
}

void allow(QComboBox *box, int choice, bool allowed) {
    auto *items = qobject_cast<QStandardItemModel *>(box->model());
    items->item(box->findData(choice))->setEnabled(allowed);
}

QString plain(QString mnemonic) {
    return mnemonic.remove('&');
}

} // namespace

NewSessionFields::NewSessionFields(QWidget *parent)
    : QWidget(parent),
      m_kind(new QComboBox),
      m_kindSaid(new QLabel),
      m_layers(new QSpinBox),
      m_width(new QSpinBox),
      m_heads(new QSpinBox),
      m_keyValueHeads(new QComboBox),
      m_valueSize(new QSpinBox),
      m_positions(new QComboBox),
      m_slopes(new QLineEdit),
      m_windows(new QLineEdit),
      m_seed(new QSpinBox),
      m_residual(new QCheckBox(tr("&Residual connections"))),
      m_norm(new QComboBox),
      m_normPlace(new QComboBox),
      m_queryKeyNorm(new QComboBox),
      m_blocks(new QComboBox),
      m_feedForward(new QSpinBox),
      m_activation(new QComboBox),
      m_gated(new QCheckBox(tr("&Gated"))),
      m_scoreCap(new QDoubleSpinBox),
      m_logitCap(new QDoubleSpinBox),
      m_encoderHeads(new QSpinBox),
      m_encoderFeedForward(new QSpinBox),
      m_source(new QLineEdit),
      m_text(new QLineEdit),
      m_model(makeModel()),
      m_parts(makeParts()),
      m_columns(new QBoxLayout(QBoxLayout::LeftToRight)) {
    m_columns->setSpacing(32);
    m_columns->addWidget(m_model, 1);
    m_columns->addWidget(m_parts, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(16);
    layout->addLayout(m_columns);
    layout->addWidget(makeTexts());
    layout->addStretch();
    connect(m_kind, &QComboBox::currentIndexChanged, this,
            [this] { emit kindChosen(chosen<NewKind>(m_kind)); });
    for (QSpinBox *box : {m_layers, m_width, m_heads, m_valueSize, m_seed, m_feedForward,
                          m_encoderHeads, m_encoderFeedForward})
        connect(box, &QSpinBox::valueChanged, this, &NewSessionFields::follow);
    for (QDoubleSpinBox *box : {m_scoreCap, m_logitCap})
        connect(box, &QDoubleSpinBox::valueChanged, this, &NewSessionFields::follow);
    for (QComboBox *box : {m_keyValueHeads, m_positions, m_norm, m_normPlace, m_queryKeyNorm,
                           m_blocks, m_activation})
        connect(box, &QComboBox::currentIndexChanged, this, &NewSessionFields::follow);
    for (QCheckBox *box : {m_residual, m_gated})
        connect(box, &QCheckBox::toggled, this, &NewSessionFields::follow);
    for (QLineEdit *line : {m_source, m_text, m_slopes, m_windows})
        connect(line, &QLineEdit::textChanged, this, &NewSessionFields::changed);
    setValue({});
}

template <typename Widget>
void NewSessionFields::add(const QString &label, Widget *widget, const char *name,
                           const QString &toolTip) {
    widget->setObjectName(name);
    widget->setAccessibleName(plain(label));
    widget->setToolTip(toolTip);
    if constexpr (std::is_same_v<Widget, QCheckBox>)
        m_form->addRow(QString(), widget);
    else
        m_form->addRow(label, widget);
}

void NewSessionFields::addProblem(QLabel *&problem) {
    problem = new QLabel;
    problem->setObjectName("problem");
    problem->setTextFormat(Qt::PlainText);
    problem->setWordWrap(true);
    problem->hide();
    m_form->addRow(problem);
}

QWidget *NewSessionFields::makeModel() {
    const auto [widget, form] = titledForm(tr("MODEL"), tr("Model"));
    m_form = form;
    addChoice(m_kind, NewKind::AttentionOnly, tr("Attention only"),
              tr("Every token looks at every other, and nothing else is computed"));
    addChoice(m_kind, NewKind::Encoder, tr("Encoder"),
              tr("Every token looks both ways, at all others"));
    addChoice(m_kind, NewKind::Decoder, tr("Decoder"),
              tr("Every token looks back, and the next word is predicted; it knows the words of "
                 "the text"));
    addChoice(m_kind, NewKind::EncoderDecoder, tr("Encoder and decoder"),
              tr("An encoder reads the source text; a decoder looks at it and predicts the next "
                 "word of the target text"));
    addChoice(m_kind, NewKind::CrossAttention, tr("Two sequences, cross-attention only"),
              tr("Every token of the target looks at every token of the source, and nothing else "
                 "is computed"));
    add(tr("&Kind"), m_kind, "newKind", tr("What kind of model reads the text"));
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kind->setMinimumContentsLength(20);
    m_kindSaid->setObjectName("barLabel");
    m_kindSaid->setWordWrap(true);
    m_kindSaid->setTextFormat(Qt::PlainText);
    m_form->addRow(m_kindSaid);
    m_layers->setRange(1, kMaxLayers);
    add(tr("&Layers"), m_layers, "newLayers",
        tr("How many layers stand on each other; with an encoder and a decoder: as many of each"));
    m_width->setRange(1, kWidest);
    add(tr("&Width"), m_width, "newWidth", tr("How many numbers stand for a token"));
    addProblem(m_widthProblem);
    m_heads->setRange(1, kMaxHeads);
    add(tr("&Heads"), m_heads, "newHeads", tr("How many heads share the width"));
    addProblem(m_headsProblem);
    add(tr("Key and &value heads"), m_keyValueHeads, "newKeyValueHeads",
        tr("Fewer than heads: several queries share a head's keys and values (grouped-query "
           "attention). The number of heads is a multiple of it"));
    m_valueSize->setRange(0, kWidest);
    m_valueSize->setSpecialValueText(tr("As keys"));
    add(tr("Si&ze of values"), m_valueSize, "newValueSize",
        tr("How many numbers a head's values have; queries and keys have width ÷ heads"));
    using P = core::Positions;
    addChoice(m_positions, P::None, tr("None"), tr("The order of the words makes no difference"));
    addChoice(m_positions, P::Sinusoidal, tr("Sinusoidal"),
              tr("Sines and cosines are added to the embeddings"));
    addChoice(m_positions, P::Learned, tr("Learned"),
              tr("A vector for each place, here random, is added to the embeddings"));
    addChoice(m_positions, P::Rotary, tr("Rotary"),
              tr("Queries and keys are turned by their place, in pairs of numbers"));
    addChoice(m_positions, P::Alibi, tr("ALiBi"),
              tr("The scores shrink with the distance, in each head by another slope"));
    addChoice(m_positions, P::Relative, tr("Relative"),
              tr("A learned number for each range of distances, here random, is added to the "
                 "scores, as in T5"));
    add(tr("&Positions"), m_positions, "newPositions",
        tr("How the model knows where a token stands. Rotary, ALiBi and relative positions work "
           "in self-attention only"));
    m_slopes->setPlaceholderText(tr("As usual"));
    add(tr("Slopes of ALi&Bi"), m_slopes, "newSlopes",
        tr("What the distance is multiplied by, a number for each head: 0.5, 0.25. Empty: those of "
           "the paper (Press et al. 2022)"));
    addProblem(m_slopesProblem);
    m_windows->setPlaceholderText(tr("None"));
    add(tr("Windows"), m_windows, "newWindows",
        tr("The window of each layer, such as 4, 0: a token sees only those less than 4 away; 0 "
           "sees all. A short list is repeated"));
    addProblem(m_windowsProblem);
    m_seed->setRange(0, std::numeric_limits<int>::max());
    add(tr("&Seed"), m_seed, "newSeed", tr("The same seed gives the same random weights"));
    return widget;
}

QWidget *NewSessionFields::makeParts() {
    const auto [widget, form] = titledForm(tr("PARTS OF A LAYER"), tr("Parts of a layer"));
    m_form = form;
    add(tr("&Residual connections"), m_residual, "newResidual",
        tr("What attention or the feed-forward network gives is added to what it read"));
    using K = core::NormKind;
    addChoice(m_norm, K::None, tr("None"), tr("Nothing is normalised"));
    addChoice(m_norm, K::Layer, tr("Layer"),
              tr("Each token by its own mean and variance (LayerNorm)"));
    addChoice(m_norm, K::RootMeanSquare, tr("RMS"),
              tr("Each token by its own root mean square (RMSNorm)"));
    addChoice(m_norm, K::Batch, tr("Batch"),
              tr("Each channel by its mean and variance over all tokens of the batch: it leaks "
                 "across sentences, and from the future into the past"));
    add(tr("&Norm"), m_norm, "newNorm",
        tr("What keeps the numbers in range. Batch norm leaks across sentences and from the "
           "future"));
    addChoice(m_normPlace, core::NormPosition::Before, tr("Before each part"),
              tr("Pre-norm: x + f(norm(x)), and once more after the last layer"));
    addChoice(m_normPlace, core::NormPosition::After, tr("After each part"),
              tr("Post-norm: norm(x + f(x))"));
    addChoice(m_normPlace, core::NormPosition::Output, tr("Of each part's output"),
              tr("x + norm(f(x)), and once more after the last layer, as in OLMo 2"));
    addChoice(m_normPlace, core::NormPosition::BeforeAndOutput,
              tr("Before each part, and of its output"),
              tr("x + norm(f(norm(x))), and once more after the last layer, as in Gemma 2"));
    add(tr("Pla&ce of the norm"), m_normPlace, "newNormPlace",
        tr("Before attention and the feed-forward network, or after them"));
    using Q = core::QueryKeyNorm;
    addChoice(m_queryKeyNorm, Q::None, tr("None"), tr("They go into the scores as they are"));
    addChoice(m_queryKeyNorm, Q::PerHead, tr("Each head by itself"), tr("As in Qwen 3"));
    addChoice(m_queryKeyNorm, Q::AllHeads, tr("All heads together"), tr("As in OLMo 2"));
    add(tr("Norm of &queries and keys"), m_queryKeyNorm, "newQueryKeyNorm",
        tr("Keeps scores in range: queries and keys are normalised before rotation, by the "
           "same kind of norm"));
    addChoice(m_blocks, BlockOrder::OneAfterTheOther, tr("One after the other"),
              tr("The feed-forward network reads what the attention has made"));
    addChoice(m_blocks, BlockOrder::Parallel, tr("Side by side"),
              tr("Both read the layer's input, and both are added to it, as in GPT-NeoX"));
    addChoice(m_blocks, BlockOrder::ParallelBehindOneNorm, tr("Side by side, behind one norm"),
              tr("The same with a single norm before them, as in GPT-J"));
    add(tr("Parts stan&d"), m_blocks, "newBlocks",
        tr("Whether the feed-forward network reads what attention made, or both read the same"));
    m_feedForward->setRange(0, kWidestFeedForward);
    m_feedForward->setSpecialValueText(tr("None"));
    add(tr("&Feed-forward width"), m_feedForward, "newFeedForward",
        tr("The hidden width of the feed-forward network; 0: there is none"));
    using A = core::Activation;
    addChoice(m_activation, A::Relu, tr("ReLU"), tr("max(0, x)"));
    addChoice(m_activation, A::Gelu, tr("GELU"), tr("x · Φ(x), with the error function"));
    addChoice(m_activation, A::GeluTanh, tr("GELU, tanh"), tr("GELU approximated with tanh"));
    addChoice(m_activation, A::Silu, tr("SiLU"), tr("x · σ(x), also called Swish"));
    addChoice(m_activation, A::QuickGelu, tr("Quick GELU"), tr("x · σ(1.702·x), as CLIP uses it"));
    addChoice(m_activation, A::SquaredRelu, tr("ReLU²"), tr("max(0, x)², as Primer uses it"));
    add(tr("&Activation"), m_activation, "newActivation",
        tr("What is applied to each number inside the feed-forward network"));
    add(tr("&Gated"), m_gated, "newGated",
        tr("The activated numbers multiply a second set of them: with SiLU this is SwiGLU, with "
           "GELU GEGLU"));
    for (QDoubleSpinBox *box : {m_scoreCap, m_logitCap}) {
        box->setRange(0, 1000);
        box->setSpecialValueText(tr("None"));
    }
    add(tr("Cap of scores"), m_scoreCap, "newScoreCap",
        tr("c · tanh(score ÷ c) keeps scores between −c and c, as in Gemma 2"));
    add(tr("Cap of log&its"), m_logitCap, "newLogitCap", tr("The same for the logits of words"));
    m_encoderHeads->setRange(0, kMaxHeads);
    m_encoderHeads->setSpecialValueText(tr("As the decoder"));
    add(tr("Encoder's heads"), m_encoderHeads, "newEncoderHeads",
        tr("How many heads share the encoder's width"));
    m_encoderFeedForward->setRange(0, kWidestFeedForward);
    m_encoderFeedForward->setSpecialValueText(tr("As the decoder"));
    add(tr("Encoder's feed-forward width"), m_encoderFeedForward, "newEncoderFeedForward",
        tr("The hidden width of the encoder's feed-forward networks"));
    addProblem(m_encoderProblem);
    return widget;
}

QWidget *NewSessionFields::makeTexts() {
    const auto [widget, form] = titledForm(tr("TEXT"), tr("Text"));
    m_form = m_textForm = form;
    add(tr("S&ource text"), m_source, "newSource",
        tr("The text that is attended to; it can be changed later. [PAD] at its end is padding"));
    addProblem(m_sourceProblem);
    add(tr("&Text"), m_text, "newText",
        tr("The text that is read; it can be changed later. [PAD] at its end is padding"));
    addProblem(m_textProblem);
    m_source->setPlaceholderText(tr("Type the sentence that is attended to"));
    m_text->setMinimumWidth(24 * fontMetrics().height());
    return widget;
}

NewSession NewSessionFields::value() const {
    NewSession session;
    session.kind = chosen<NewKind>(m_kind);
    session.text = m_text->text();
    session.sourceText = m_source->text();
    session.layers = m_layers->value();
    session.width = m_width->value();
    session.heads = m_heads->value();
    session.keyValueHeads = m_keyValueHeads->currentData().toInt();
    session.valueSize = m_valueSize->value();
    session.positions = chosen<core::Positions>(m_positions);
    session.slopes = m_slopes->text();
    session.windows = m_windows->text();
    session.encoderHeads = m_encoderHeads->value();
    session.encoderFeedForward = m_encoderFeedForward->value();
    session.seed = static_cast<quint64>(m_seed->value());
    session.residual = m_residual->isChecked();
    session.norm = chosen<core::NormKind>(m_norm);
    session.normPlace = chosen<core::NormPosition>(m_normPlace);
    session.queryKeyNorm = chosen<core::QueryKeyNorm>(m_queryKeyNorm);
    session.parallel = chosen<BlockOrder>(m_blocks) != BlockOrder::OneAfterTheOther;
    session.sharedNorm = chosen<BlockOrder>(m_blocks) == BlockOrder::ParallelBehindOneNorm;
    session.scoreCap.limit = static_cast<float>(m_scoreCap->value());
    session.logitCap.limit = static_cast<float>(m_logitCap->value());
    session.feedForward = {.width = m_feedForward->value(),
                           .activation = chosen<core::Activation>(m_activation),
                           .gated = m_gated->isChecked()};
    return session;
}

void NewSessionFields::setValue(const NewSession &session) {
    {
        const QSignalBlocker quiet(this); // one signal at the end
        choose(m_kind, session.kind);
        m_layers->setValue(session.layers);
        m_width->setValue(session.width);
        m_heads->setValue(session.heads);
        showDivisors();
        m_keyValueHeads->setCurrentIndex(
            std::max(0, m_keyValueHeads->findData(session.keyValueHeads)));
        m_valueSize->setValue(session.valueSize);
        choose(m_positions, session.positions);
        m_slopes->setText(session.slopes);
        m_windows->setText(session.windows);
        m_encoderHeads->setValue(session.encoderHeads);
        m_encoderFeedForward->setValue(session.encoderFeedForward);
        m_seed->setValue(static_cast<int>(session.seed));
        m_residual->setChecked(session.residual);
        choose(m_norm, session.norm);
        choose(m_normPlace, session.normPlace);
        choose(m_queryKeyNorm, session.queryKeyNorm);
        choose(m_blocks, orderOf(session));
        m_scoreCap->setValue(static_cast<double>(session.scoreCap.limit));
        m_logitCap->setValue(static_cast<double>(session.logitCap.limit));
        m_feedForward->setValue(static_cast<int>(session.feedForward.width));
        choose(m_activation, session.feedForward.activation);
        m_gated->setChecked(session.feedForward.gated);
    }
    follow();
}

void NewSessionFields::follow() {
    showDivisors();
    enableWhatApplies();
    emit changed();
}

/// Lists the possible numbers of key and value heads: all divisors of the number of heads.
void NewSessionFields::showDivisors() {
    const int heads = m_heads->value(), before = m_keyValueHeads->currentData().toInt();
    const bool hadAll = m_keyValueHeads->currentIndex() <= 0;
    if (m_keyValueHeads->count() > 0 && m_keyValueHeads->itemData(0).toInt() == heads)
        return;
    const QSignalBlocker quiet(m_keyValueHeads);
    m_keyValueHeads->clear();
    for (int count = heads; count >= 1; --count)
        if (heads % count == 0)
            m_keyValueHeads->addItem(count == heads ? tr("%1, one for each head").arg(count)
                                     : count == 1   ? tr("1, shared by all heads")
                                                    : QString::number(count),
                                     count);
    if (const int index = m_keyValueHeads->findData(before); index >= 0 && !hadAll)
        m_keyValueHeads->setCurrentIndex(index);
}

void NewSessionFields::enableWhatApplies() {
    const auto kind = chosen<NewKind>(m_kind);
    m_kindSaid->setText(m_kind->currentData(Qt::ToolTipRole).toString());
    for (const auto positions :
         {core::Positions::Rotary, core::Positions::Alibi, core::Positions::Relative})
        allow(m_positions, static_cast<int>(positions), hasSelfAttention(kind));
    const bool blocks = hasBlocks(kind);
    const bool feedForward = blocks && m_feedForward->value() > 0;
    m_residual->setEnabled(blocks);
    m_norm->setEnabled(blocks);
    const auto norm = chosen<core::NormKind>(m_norm);
    const bool isNormed = blocks && norm != core::NormKind::None;
    m_normPlace->setEnabled(isNormed);
    m_queryKeyNorm->setEnabled(isNormed && norm != core::NormKind::Batch);
    m_blocks->setEnabled(blocks);
    for (const BlockOrder order : {BlockOrder::Parallel, BlockOrder::ParallelBehindOneNorm})
        allow(m_blocks, static_cast<int>(order),
              !isNormed || chosen<core::NormPosition>(m_normPlace) != core::NormPosition::After);
    m_logitCap->setEnabled(writesWords(kind));
    m_slopes->setEnabled(chosen<core::Positions>(m_positions) == core::Positions::Alibi);
    m_windows->setEnabled(hasSelfAttention(kind));
    m_encoderHeads->setEnabled(kind == NewKind::EncoderDecoder);
    m_encoderFeedForward->setEnabled(kind == NewKind::EncoderDecoder && feedForward);
    m_feedForward->setEnabled(blocks);
    m_activation->setEnabled(feedForward);
    m_gated->setEnabled(feedForward);
    m_textForm->setRowVisible(m_source, hasSource(kind));
    if (auto *label = qobject_cast<QLabel *>(m_textForm->labelForField(m_text)))
        label->setText(hasSource(kind) ? tr("&Target text") : tr("&Text"));
    m_text->setAccessibleName(hasSource(kind) ? tr("Target text") : tr("Text"));
    m_text->setPlaceholderText(writesWords(kind) ? tr("Type what has been written so far")
                                                 : tr("Type a sentence"));
}

void NewSessionFields::arrange(int width) {
    const int beside =
        m_model->sizeHint().width() + m_columns->spacing() + m_parts->sizeHint().width();
    m_columns->setDirection(beside <= width ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void NewSessionFields::focusKind() {
    m_kind->setFocus();
}

void NewSessionFields::focusText() {
    (m_source->isHidden() ? m_text : m_source)->setFocus();
}

} // namespace headlight::ui
