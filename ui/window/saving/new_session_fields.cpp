#include "ui/window/saving/new_session_fields.h"

#include "ui/text/core_message.h"
#include "ui/text/mechanism_text.h"
#include "ui/widgets/field_form.h"

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

#include <algorithm>

namespace headlight::ui {

namespace {

/// Order of the blocks of a layer. The items of the box have the same order.
enum class BlockOrder { OneAfterTheOther, Parallel, ParallelBehindOneNorm };

BlockOrder orderOf(const NewSession &session) {
    return !session.parallel    ? BlockOrder::OneAfterTheOther
           : session.sharedNorm ? BlockOrder::ParallelBehindOneNorm
                                : BlockOrder::Parallel;
}

// The items of a box have the order of the enum.
template <typename Choice>
void addItem(QComboBox *box, Choice choice, const QString &name, const QString &meaning) {
    box->insertItem(static_cast<int>(choice), name);
    box->setItemData(box->count() - 1, meaning, Qt::ToolTipRole);
}

template <typename Choice>
void allow(QComboBox *box, Choice choice, bool isAllowed) {
    auto *items = qobject_cast<QStandardItemModel *>(box->model());
    items->item(static_cast<int>(choice))->setEnabled(isAllowed);
}

} // namespace

NewSessionFields::NewSessionFields(QWidget *parent)
    : QWidget(parent),
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
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] { emit kindChosen(kind()); });
    for (QComboBox *box : {m_keyValueHeads, m_blocks})
        connect(box, &QComboBox::currentIndexChanged, this, &NewSessionFields::follow);
    for (QLineEdit *line : {m_source, m_text})
        connect(line, &QLineEdit::textChanged, this, &NewSessionFields::changed);
    setValue({});
}

void NewSessionFields::addProblem(const QStringList &places, const QLineEdit *asked) {
    auto *problem = new QLabel;
    problem->setObjectName("problem");
    problem->setTextFormat(Qt::PlainText);
    problem->setWordWrap(true);
    problem->hide();
    m_layout->addRow(problem);
    m_problems.push_back({problem, places, asked});
}

QComboBox *NewSessionFields::addOwn(const char *name, const FieldText &text) {
    auto *box = new QComboBox;
    m_form.add(name, text, box);
    return box;
}

QLineEdit *NewSessionFields::addText(const char *name, const FieldText &text) {
    auto *line = new QLineEdit;
    m_form.add(name, text, line);
    addProblem(QStringList(name), line);
    return line;
}

void NewSessionFields::addKind() {
    m_kind = addOwn("kind", {tr("&Kind"), tr("Kind of model")});
    addItem(m_kind, NewKind::AttentionOnly, tr("Attention only"),
            tr("Every token attends to all tokens, and nothing else is computed"));
    addItem(m_kind, NewKind::Encoder, tr("Encoder"),
            tr("Every token attends to all tokens, in both directions"));
    addItem(m_kind, NewKind::Decoder, tr("Decoder"),
            tr("Every token attends to itself and to earlier tokens, and the model predicts the "
               "next word; its vocabulary is the text's words"));
    addItem(m_kind, NewKind::EncoderDecoder, tr("Encoder and decoder"),
            tr("An encoder reads the source text; a decoder attends to it and predicts the next "
               "word of the target text"));
    addItem(m_kind, NewKind::CrossAttention, tr("Two sequences, cross-attention only"),
            tr("Every token of the target attends to every token of the source, and nothing else "
               "is computed"));
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kind->setMinimumContentsLength(20);
    m_kindSaid = new QLabel;
    m_kindSaid->setObjectName("barLabel");
    m_kindSaid->setWordWrap(true);
    m_kindSaid->setTextFormat(Qt::PlainText);
    m_layout->addRow(m_kindSaid);
}

QWidget *NewSessionFields::makeModel() {
    const auto [widget, form] = titledForm(tr("MODEL"), tr("Model"));
    m_form.setLayout(m_layout = form);
    addKind();
    m_form.addWhole("layers",
                    {tr("&Layers"), tr("Number of layers; in an encoder-decoder, of each stack")});
    m_form.addWhole("width", {tr("&Width"), tr("Number of dimensions of a token's vector")});
    addProblem({"model.width", "model.layers"});
    m_form.addWhole("heads", {tr("&Heads"), tr("Number of heads that share the width")});
    addProblem({"model.head", "model.rotary"});
    m_keyValueHeads = addOwn("keyValueHeads",
                             {tr("Key and &value heads"),
                              tr("If there are fewer key and value heads than query heads, several "
                                 "query heads share one of them (grouped-query attention). Their "
                                 "number must divide the number of query heads")});
    m_form.addWhole(
        "valueSize",
        {tr("Si&ze of values"),
         tr("Number of dimensions of a head's values; queries and keys have width ÷ heads"),
         tr("Same as keys")});
    m_positions = m_form.addChoice(
        "positions",
        {tr("&Positions"), tr("Positional encoding. Rotary, ALiBi and relative positions work in "
                              "self-attention only")},
        positionsChoices());
    m_form.addLine("slopes", {tr("Slopes of ALi&Bi"),
                              tr("Factors of the distance, one for each head, such as 0.5, 0.25. "
                                 "Empty: the paper's slopes (Press et al. 2022)"),
                              tr("Default")});
    addProblem({"model.alibi_slopes"});
    m_form.addLine("windows",
                   {tr("Windows"),
                    tr("The window of each layer, such as 4, 0: a token sees only tokens less than "
                       "4 positions away; 0 means no limit. A short list is "
                       "repeated"),
                    tr("None")});
    addProblem({"model.windows"});
    m_form.addWhole("seed", {tr("&Seed"), tr("The same seed gives the same random parameters")});
    return widget;
}

QWidget *NewSessionFields::makeParts() {
    const auto [widget, form] = titledForm(tr("PARTS OF A LAYER"), tr("Parts of a layer"));
    m_form.setLayout(m_layout = form);
    m_form.addFlag(
        "residual",
        {tr("&Residual connections"),
         tr("The outputs of attention and of the feed-forward network are added to their inputs")});
    using K = core::NormKind;
    m_form.addChoice(
        "norm",
        {tr("&Norm"), tr("Keeps the values in range. Batch norm leaks information from other "
                         "sentences and later tokens")},
        {{K::None, tr("None"), tr("The layers have no norms")},
         {K::Layer, tr("Layer"), tr("Each token by its own mean and variance (LayerNorm)")},
         {K::RootMeanSquare, tr("RMS"), tr("Each token by its own root mean square (RMSNorm)")},
         {K::Batch, tr("Batch"),
          tr("Each dimension by its mean and variance over all tokens of the batch, which leak "
             "information from other sentences and later tokens")}});
    using N = core::NormPosition;
    m_form.addChoice(
        "normPlace",
        {tr("Pla&ce of the norm"), tr("Before attention and the feed-forward network, or after "
                                      "them")},
        {{N::Before, tr("Before each part"),
          tr("Pre-norm: x + f(norm(x)), with one more norm after the last layer")},
         {N::After, tr("After each part"), tr("Post-norm: norm(x + f(x))")},
         {N::Output, tr("On each part's output"),
          tr("x + norm(f(x)), with one more norm after the last layer, as in OLMo 2")},
         {N::BeforeAndOutput, tr("Before each part, and on its output"),
          tr("x + norm(f(norm(x))), with one more norm after the last layer, as in Gemma 2")}});
    using Q = core::QueryKeyNorm;
    m_form.addChoice(
        "queryKeyNorm",
        {tr("Norm of &queries and keys"), tr("Keeps scores in range by normalising queries and "
                                             "keys, with the kind of norm chosen for the layers")},
        {{Q::None, tr("None"), tr("Queries and keys are not normalised")},
         {Q::PerHead, tr("Each head by itself"), tr("As in Qwen 3")},
         {Q::AllHeads, tr("All heads together"), tr("As in OLMo 2")},
         {Q::Rotated, tr("Each head by itself, after rotation"),
          tr("As in Llama 4: without gains, and only in layers with rotary positions")}});
    m_blocks = addOwn(
        "blocks", {tr("Or&der of parts"), tr("Whether the feed-forward network reads the output of "
                                             "attention, or both read the same input")});
    addItem(m_blocks, BlockOrder::OneAfterTheOther, tr("One after the other"),
            tr("The feed-forward network reads the output of attention"));
    addItem(m_blocks, BlockOrder::Parallel, tr("Side by side"),
            tr("Both read the layer's input, and both are added to it, as in GPT-NeoX"));
    addItem(m_blocks, BlockOrder::ParallelBehindOneNorm, tr("Side by side, after one norm"),
            tr("Both read the layer's input through one shared norm, and both are added to it, as "
               "in GPT-J"));
    m_form.addWhole("feedForward",
                    {tr("&Feed-forward width"),
                     tr("The hidden width of the feed-forward network; 0: no network"),
                     tr("None")});
    using A = core::Activation;
    m_form.addChoice("activation",
                     {tr("&Activation"), tr("Activation function of the feed-forward network")},
                     {{A::Relu, tr("ReLU"), tr("max(0, x)")},
                      {A::Gelu, tr("GELU"), tr("x · Φ(x), with the error function")},
                      {A::GeluTanh, tr("GELU, tanh"), tr("GELU approximated with tanh")},
                      {A::Silu, tr("SiLU"), tr("x · σ(x), also called Swish")},
                      {A::QuickGelu, tr("Quick GELU"), tr("x · σ(1.702·x), as in CLIP")},
                      {A::SquaredRelu, tr("ReLU²"), tr("max(0, x)², as in Primer")}});
    m_form.addFlag("gated", {tr("&Gated"), tr("The activations multiply a second hidden layer: "
                                              "with SiLU this is SwiGLU, with GELU GEGLU")});
    m_form.addNumber("scoreCap",
                     {tr("Cap of scores"),
                      tr("c · tanh(score ÷ c) keeps scores between −c and c, as in Gemma 2"),
                      tr("None")});
    m_form.addNumber(
        "logitCap",
        {tr("Cap of log&its"),
         tr("c · tanh(logit ÷ c) keeps the logits of words between −c and c, as in Gemma 2"),
         tr("None")});
    m_form.addWhole("encoderHeads",
                    {tr("Encoder's heads"), tr("Number of heads that share the encoder's width"),
                     tr("Same as the decoder")});
    m_form.addWhole("encoderFeedForward",
                    {tr("Encoder's feed-forward width"),
                     tr("The hidden width of the encoder's feed-forward networks"),
                     tr("Same as the decoder")});
    addProblem({"model.encoder"});
    return widget;
}

QWidget *NewSessionFields::makeTexts() {
    const auto [widget, form] = titledForm(tr("TEXT"), tr("Text"));
    m_form.setLayout(m_layout = m_textForm = form);
    m_source = addText("source", {tr("S&ource text"), tr("The text that is attended to; it can be "
                                                         "changed later. [PAD] at its end is "
                                                         "padding")});
    m_source->setPlaceholderText(tr("Type the sentence to attend to"));
    m_text = addText("text", {tr("&Text"), tr("The text that is read; it can be changed later. "
                                              "[PAD] at its end is padding")});
    m_problems.back().places << "batch";
    m_text->setMinimumWidth(24 * fontMetrics().height());
    return widget;
}

NewKind NewSessionFields::kind() const {
    return static_cast<NewKind>(m_kind->currentIndex());
}

NewSession NewSessionFields::value() const {
    NewSession session = m_form.value();
    session.kind = kind();
    session.text = m_text->text();
    session.sourceText = m_source->text();
    session.keyValueHeads = m_keyValueHeads->currentData().toInt();
    const auto order = static_cast<BlockOrder>(m_blocks->currentIndex());
    session.parallel = order != BlockOrder::OneAfterTheOther;
    session.sharedNorm = order == BlockOrder::ParallelBehindOneNorm;
    return session;
}

void NewSessionFields::setValue(const NewSession &session) {
    {
        const QSignalBlocker quiet(this); // emit one signal at the end
        m_form.show(session);
        m_kind->setCurrentIndex(static_cast<int>(session.kind));
        m_blocks->setCurrentIndex(static_cast<int>(orderOf(session)));
        showDivisors(session.heads);
        m_keyValueHeads->setCurrentIndex(
            std::max(0, m_keyValueHeads->findData(static_cast<int>(session.keyValueHeads))));
    }
    follow();
}

void NewSessionFields::follow() {
    showDivisors(m_form.value().heads);
    enableWhatApplies(value());
    emit changed();
}

/// Lists the possible numbers of key and value heads: all divisors of the number of heads.
void NewSessionFields::showDivisors(core::Index heads) {
    const int before = m_keyValueHeads->currentData().toInt();
    const bool hadAll = m_keyValueHeads->currentIndex() <= 0;
    if (m_keyValueHeads->count() > 0 && m_keyValueHeads->itemData(0).toInt() == heads)
        return;
    const QSignalBlocker quiet(m_keyValueHeads);
    m_keyValueHeads->clear();
    for (int count = static_cast<int>(heads); count >= 1; --count)
        if (heads % count == 0)
            m_keyValueHeads->addItem(count == heads ? tr("%1, one for each head").arg(count)
                                     : count == 1   ? tr("1, shared by all heads")
                                                    : QString::number(count),
                                     count);
    if (const int index = m_keyValueHeads->findData(before); index >= 0 && !hadAll)
        m_keyValueHeads->setCurrentIndex(index);
}

void NewSessionFields::enableWhatApplies(const NewSession &now) {
    m_kindSaid->setText(m_kind->currentData(Qt::ToolTipRole).toString());
    for (const PositionsText &text : positionsTexts())
        if (core::needsSelfAttention(text.positions))
            allow(m_positions, text.positions, hasSelfAttention(now.kind));
    const bool blocks = hasBlocks(now.kind);
    const bool feedForward = blocks && now.feedForward.width > 0;
    const bool isNormed = blocks && now.norm != core::NormKind::None;
    const bool hasEncoder = now.kind == NewKind::EncoderDecoder;
    m_form.setEnabled("residual", blocks);
    m_form.setEnabled("norm", blocks);
    m_form.setEnabled("normPlace", isNormed);
    m_form.setEnabled("queryKeyNorm", isNormed && now.norm != core::NormKind::Batch);
    m_blocks->setEnabled(blocks);
    for (const BlockOrder order : {BlockOrder::Parallel, BlockOrder::ParallelBehindOneNorm})
        allow(m_blocks, order, !isNormed || now.normPlace != core::NormPosition::After);
    m_form.setEnabled("logitCap", writesWords(now.kind));
    m_form.setEnabled("slopes", now.positions == core::Positions::Alibi);
    m_form.setEnabled("windows", hasSelfAttention(now.kind));
    m_form.setEnabled("encoderHeads", hasEncoder);
    m_form.setEnabled("encoderFeedForward", hasEncoder && feedForward);
    m_form.setEnabled("feedForward", blocks);
    m_form.setEnabled("activation", feedForward);
    m_form.setEnabled("gated", feedForward);
    m_textForm->setRowVisible(m_source, hasSource(now.kind));
    if (auto *label = qobject_cast<QLabel *>(m_textForm->labelForField(m_text)))
        label->setText(hasSource(now.kind) ? tr("&Target text") : tr("&Text"));
    m_text->setAccessibleName(hasSource(now.kind) ? tr("Target text") : tr("Text"));
    m_text->setPlaceholderText(writesWords(now.kind) ? tr("Type the target text so far")
                                                     : tr("Type a sentence"));
}

bool NewSessionFields::showProblem(const core::Error &error) {
    const QString where = QString::fromStdString(error.where);
    const auto found = std::ranges::find_if(m_problems, [&where](const Problem &problem) {
        return std::ranges::any_of(problem.places,
                                   [&](const QString &place) { return where.startsWith(place); });
    });
    if (found == m_problems.end())
        return false;
    if (found->asked && found->asked->text().isEmpty())
        return true;
    const QString text = translated(core::Error{error.what, {}, error.remedy});
    found->label->setText(
        where == "model.head_size" ? tr("The size of a head, width ÷ heads: %1").arg(text) : text);
    found->label->show();
    return true;
}

void NewSessionFields::clearProblem() {
    for (const Problem &problem : m_problems)
        problem.label->hide();
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
