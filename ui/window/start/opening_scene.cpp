#include "ui/window/start/opening_scene.h"

#include "core/analysis/attention_row.h"
#include "core/closest_name.h"
#include "core/transformer/model/vocabulary.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/document/edits/text_edits.h"
#include "ui/strip/answer_bars.h"
#include "ui/strip/sentence_strip.h"
#include "ui/strip/words_strip.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/token_names.h"
#include "ui/window/start/read_sentence.h"

#include <QAction>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <future>

namespace headlight::ui {

namespace {

constexpr char kBeginning[] = "the animal didn't cross the street because it was too";
constexpr const char *kLastWords[] = {"tired", "crowded", "wide"}; // in the model's vocabulary
constexpr double kLargestWords = 1.5; // scale of the sentence relative to other text
constexpr double kSmallestWords = 1.1;
constexpr double kSmallestOnLargeText = 0.65; // smallest scale if all text is twice as large
constexpr double kLargestOnLarge = 2;         // largest scale on a large screen
constexpr double kStep = 0.1;                 // step between two scales of the sentence
constexpr double kLargeWindow = 1000;         // px at the usual text size; height of a large screen
constexpr int kBars = 3;                      // number of answers shown
constexpr double kMinWide = 820;              // px at the usual text size; wider: two columns
constexpr double kAsideShare = 0.31;          // share of the width
constexpr double kHighArcs = 56;              // px before scaling; arcs in a tall window
// px at the usual text size; windows at least this tall have high arcs
constexpr double kHighWindow = 760;
constexpr int kStripRow = 2, kAnswerRow = 3, kHintRow = 4, kButtonRow = 5, kBelow = 6;

QLabel *makeLabel(const char *name, const QString &text) {
    auto *label = new QLabel(text);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

/// Returns the width of all lines of a layout side by side.
double widthOnOneLine(const StripLayout &layout) {
    double width = 0;
    for (const StripLayout::Chip &chip : layout.chips)
        width += chip.rect.width() + (chip.joinsRight ? 0 : layout.gap);
    return layout.chips.empty() ? 0 : width - layout.gap;
}

bool asksAboutIt(const core::Sequence *sequence) {
    return sequence && std::ranges::any_of(sequence->tokens, [](const core::Token &token) {
               return token.text == "it";
           });
}

/// Returns the word of the vocabulary with the spelling closest to `word`.
std::string nearestWord(const std::string &word, const core::Vocabulary &vocabulary) {
    std::vector<std::string> words;
    for (core::Index id = 0; id < vocabulary.size(); ++id)
        if (!vocabulary.word(id).starts_with('[')) // skips [PAD] and [UNK]
            words.push_back(vocabulary.word(id));
    return core::closestName(word, words);
}

/// Returns the words of the text that are not in the model's vocabulary, each once.
std::vector<std::string> unknownWords(const QString &text, const core::Model &model) {
    const core::Vocabulary *known = model.vocabularyOf(model.mainStack());
    const auto read = core::tokenized(model, model.mainStack(), text.toStdString());
    std::vector<std::string> unknown;
    if (!known || !read)
        return unknown;
    for (const core::Token &token : read->tokens)
        if (!known->idOf(token) && std::ranges::find(unknown, token.text) == unknown.end())
            unknown.push_back(token.text);
    return unknown;
}

/// Shows both nouns of the question among the first answers, however improbable they are.
void addNouns(const core::TracePointer &trace, AnswerContent &answer) {
    const auto read = ReadSentence::of(trace);
    const core::Vocabulary *words = trace->model().vocabularyOf(trace->model().mainStack());
    if (!read || !words || answer.subject != ReadSentence::pronoun() || answer.bars.size() < kBars)
        return;
    std::vector<AnswerContent::Bar> shown(answer.bars.begin(), answer.bars.begin() + kBars);
    const auto idOf = [&](core::Index noun) {
        return words->idOf(read->word(noun).toStdString()).value_or(-1);
    };
    const auto isNoun = [&](const AnswerContent::Bar &bar) {
        return std::ranges::find(read->nouns, bar.index, idOf) != read->nouns.end();
    };
    for (const core::Index noun : read->nouns) {
        const core::Index id = idOf(noun);
        if (id < 0 || std::ranges::find(shown, id, &AnswerContent::Bar::index) != shown.end())
            continue;
        const auto other = std::find_if_not(shown.rbegin(), shown.rend(), isNoun);
        const auto known = std::ranges::find(answer.bars, id, &AnswerContent::Bar::index);
        if (known != answer.bars.end()) {
            *other = *known;
            continue;
        }
        *other = {};
        other->index = id;
        other->name = read->word(noun);
        other->value = read->probabilityOf(noun);
        other->number = percentText(other->value);
        other->description = labelled(other->name, other->number);
    }
    std::ranges::stable_sort(shown, std::greater<>(), &AnswerContent::Bar::value);
    answer.bars = std::move(shown);
}

QString firstSentence() {
    return QStringLiteral("%1 %2").arg(kBeginning, kLastWords[0]);
}

SourceRequest firstRequest() {
    SourceRequest request;
    request.source = OpeningScene::modelId();
    request.text = firstSentence().toStdString();
    return request;
}

/// Returns the result of readAhead(); not valid if nothing is read ahead.
std::future<core::Result<OpenedSource>> &readingAhead() {
    static std::future<core::Result<OpenedSource>> reading;
    return reading;
}

} // namespace

QString OpeningScene::modelId() {
    return QStringLiteral("it");
}

void OpeningScene::readAhead() {
    readingAhead() =
        std::async(std::launch::async, [request = firstRequest()] { return openSource(request); });
}

OpeningScene::OpeningScene(QWidget *otherWays, QWidget *parent)
    : QWidget(parent),
      m_title(makeLabel("startTitle", QString())),
      m_about(makeLabel("startAbout", tr("A small model read the sentence. It learned from "
                                         "examples where to look:"))),
      m_hint(makeLabel("startHint", QString())),
      m_note(makeLabel("startNote", QString())),
      m_strip(new SentenceStrip(m_document)),
      m_grid(new QGridLayout(this)),
      m_aside(new QWidget(this)),
      m_how(new QPushButton(tr("How does it know? ›"))),
      m_silence(new QPushButton(tr("Silence this head"))) {
    m_strip->arcsAction()->setChecked(true); // the setting is not saved
    m_strip->setAnswerBelow(kBars, width());
    m_strip->setAnswerCompleted(addNouns);
    m_strip->setAnswerAt(ReadSentence::pronoun().toStdString());
    m_title->setTextFormat(Qt::RichText);
    connect(m_strip, &SentenceStrip::heightChanged, this, &OpeningScene::placeStrip);
    connect(m_strip, &SentenceStrip::failed, this, &OpeningScene::showRefused);
    connect(m_strip, &SentenceStrip::succeeded, this, [this] { refuse({}, {}); });
    m_how->setObjectName("startHow");
    m_how->setAccessibleName(m_how->text());
    m_how->setToolTip(tr("Show how the model computes it, stage by stage"));
    m_how->setDefault(true);
    connect(m_how, &QPushButton::clicked, this, &OpeningScene::explanationRequested);
    m_silence->setObjectName("startSilence");
    m_silence->setAccessibleName(m_silence->text());
    m_silence->setToolTip(tr("Compute the answer without this head"));
    m_silence->setCheckable(true);
    connect(m_silence, &QPushButton::toggled, this, &OpeningScene::silence);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(24);
    m_grid->setVerticalSpacing(8);
    m_grid->addWidget(m_title, 0, 0, 1, 2);
    m_grid->addWidget(m_about, 1, 0, 1, 2);
    // The strip includes the answer at its bottom. The column next to the answer is placed over the
    // strip.
    m_grid->addWidget(m_strip, kStripRow, 0, 2, 2);
    m_grid->addWidget(m_hint, kHintRow, 0, Qt::AlignBottom);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(12);
    buttons->addWidget(m_how);
    buttons->addWidget(m_silence);
    buttons->addWidget(m_note, 1);
    m_grid->addLayout(buttons, kButtonRow, 0, Qt::AlignTop);
    auto *aside = new QVBoxLayout(m_aside);
    aside->setContentsMargins(0, 0, 0, 0);
    aside->setSpacing(16);
    aside->addWidget(makeWords());
    aside->addWidget(otherWays);
    aside->addStretch();
    m_aside->raise();
    connect(&m_document, &Document::changed, this, &OpeningScene::documentChanged);
    showNote();
    m_first = firstSentence();
    const auto open = [this](core::Result<OpenedSource> opened) {
        if (opened)
            m_document.open(*std::move(opened));
    };
    if (readingAhead().valid())
        open(readingAhead().get());
    else
        m_reader.read(firstRequest(), open);
}

OpeningScene::~OpeningScene() {
    delete m_strip; // ends an edit, which uses the document
}

/// Creates the words that may end the sentence.
QWidget *OpeningScene::makeWords() {
    auto *words = new QWidget;
    m_change = new QBoxLayout(QBoxLayout::TopToBottom, words);
    m_change->setContentsMargins(0, 0, 0, 0);
    m_change->setSpacing(8);
    m_change->addWidget(makeLabel("startChange", tr("change one word:")));
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    for (const char *word : kLastWords) {
        auto *button = new QPushButton(QString::fromLatin1(word));
        button->setObjectName("startWord");
        button->setAccessibleName(tr("Last word: %1").arg(button->text()));
        button->setToolTip(tr("End the sentence with this word"));
        button->setCheckable(true);
        connect(button, &QPushButton::clicked, this,
                [this, text = button->text()] { changeLastWord(text); });
        row->addWidget(button);
        m_words << button;
    }
    row->addStretch(1);
    m_change->addLayout(row, 1);
    return words;
}

void OpeningScene::placeColumns() {
    const bool isWide = width() >= m_style.scaled(kMinWide);
    if (isWide)
        m_aside->setFixedWidth(qRound(kAsideShare * width()));
    else
        m_aside->setMinimumWidth(0), m_aside->setMaximumWidth(QWIDGETSIZE_MAX);
    if (m_isWide == isWide)
        return;
    m_isWide = isWide;
    m_grid->removeWidget(m_aside);
    if (isWide)
        m_grid->addWidget(m_aside, kAnswerRow, 1, kBelow - kAnswerRow, 1);
    else
        m_grid->addWidget(m_aside, kBelow, 0, 1, 2);
    m_grid->setColumnStretch(0, 1);
    m_change->setDirection(isWide ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    emit otherWaysPlaced(isWide);
}

void OpeningScene::changeLastWord(const QString &word) {
    if (!m_document.state().input.batch)
        return;
    QString text = sentence();
    const qsizetype end = text.lastIndexOf(QLatin1Char(' '));
    text = (end < 0 ? QString::fromLatin1(kBeginning) : text.first(end)) + QLatin1Char(' ') + word;
    if (m_document.apply(edits::setText(m_document.state(), m_document.textId(), text)))
        m_strip->words().endEdit();  // so that a refused text does not stay visible
    documentChanged(SavedChanged{}); // checks the last word's button, even after an error
}

void OpeningScene::silence(bool isSilent) {
    if (!m_document.trace())
        return;
    const core::Selection &at = m_document.selection();
    (void)m_document.apply(edits::setHead(m_document.state(), at.attention(), at.head,
                                          isSilent ? core::HeadState::Zero : core::HeadState::On));
}

const core::Sequence *OpeningScene::tokens() const {
    const core::BatchPointer &batch = m_document.state().input.batch;
    return batch ? &(*batch)[m_document.selection().sequence] : nullptr;
}

QString OpeningScene::sentence() const {
    const core::Sequence *sequence = tokens();
    return sequence ? shownTextOf(*sequence) : QString();
}

QString OpeningScene::typedSentence() const {
    return m_refused.isEmpty() ? sentence() : m_strip->words().typedText();
}

QString OpeningScene::explanation() const {
    return asksAboutIt(tokens()) ? QStringLiteral("who-is-it") : modelId();
}

void OpeningScene::showQuestion() {
    const QString colour = m_style.selection.name();
    const core::Sequence *sequence = tokens();
    if (!sequence || asksAboutIt(sequence))
        return m_title->setText(tr("Who is <span style=\"color:%1\">it</span>?").arg(colour));
    const core::Index last = sequence->length - 1;
    const core::Index at =
        std::clamp<core::Index>(m_document.selection().query.value_or(last), 0, last);
    const QString word = tokenText((*sequence)[at].text).toHtmlEscaped();
    m_title->setText(tr("Where does <span style=\"color:%1\">%2</span> look?").arg(colour, word));
}

/// Names the sentence that "How does it know?" explains.
void OpeningScene::showNote() {
    m_note->setText(m_refused.isEmpty()
                        ? tr("step by step, with the numbers of this sentence")
                        : tr("step by step, with the last sentence that the model could read"));
}

bool OpeningScene::isSilenced() const {
    const core::Selection &at = m_document.selection();
    return m_document.state().input.interventions.stateOf(at.attention(), at.head) !=
           core::HeadState::On;
}

/// Explains that the silenced head still looks at the same words. Also mentions if another head of
/// its layer looks there, too.
QString OpeningScene::silencedHint() const {
    const QString silenced =
        tr("This head is silenced: it still looks at the same words, but hands nothing over.");
    const core::TracePointer &trace = m_document.trace();
    const core::Selection at = m_document.selectionInTrace();
    if (!trace || m_document.traceIsStale() || !at.query)
        return silenced;
    const auto mostOf = [&](core::Index head) {
        const std::vector<float> weights =
            core::heldWeightsOf(*trace, {at.attention(), at.sequence, head, *at.query});
        return std::ranges::max_element(weights) - weights.begin();
    };
    const core::Index heads = trace->model().headsOf(at.attention());
    for (core::Index head = 0; head < heads; ++head)
        if (head != at.head && mostOf(head) == mostOf(at.head))
            return sentences({silenced, tr("Another head looks there, too.")});
    return silenced;
}

void OpeningScene::showHint() {
    m_hint->setText(!m_refused.isEmpty() ? m_refused
                    : isSilenced()
                        ? silencedHint()
                        : tr("Click a word to see where it looks, or type your own sentence."));
}

/// Shows why the typed sentence has no answer, and hides the answer of the previous one. An empty
/// hint means that the sentence has an answer.
void OpeningScene::refuse(const QString &hint, const QString &notice) {
    m_refused = hint;
    m_strip->showNoAnswer(notice);
    m_silence->setEnabled(hint.isEmpty()); // silencing would change a hidden answer
    showNote();
    showHint();
}

/// Names the typed words that are not in the model's vocabulary, each with the word closest to it.
void OpeningScene::showRefused(const core::Error &error) {
    const core::Model &model = m_document.state().model;
    const core::Vocabulary *known = model.vocabularyOf(model.mainStack());
    const std::vector<std::string> unknown = unknownWords(m_strip->words().typedText(), model);
    if (unknown.empty())
        return refuse(translated(error), tr("This sentence cannot be read."));
    if (unknown.size() == 1)
        return refuse(
            tr("The model does not know “%1”. The nearest word that it knows is “%2”.")
                .arg(tokenText(unknown.front()), tokenText(nearestWord(unknown.front(), *known))),
            tr("It has a word that the model does not know."));
    QStringList words;
    for (const std::string &word : unknown)
        words << tr("“%1” (nearest: “%2”)")
                     .arg(tokenText(word), tokenText(nearestWord(word, *known)));
    refuse(tr("The model does not know %1.").arg(enumerated(words)),
           tr("It has words that the model does not know."));
}

void OpeningScene::documentChanged(const ChangeEvent &event) {
    const QString last = sentence().section(QLatin1Char(' '), -1);
    for (QPushButton *button : std::as_const(m_words))
        button->setChecked(button->text() == last);
    const QSignalBlocker blocker(m_silence);
    m_silence->setChecked(isSilenced());
    if (m_asked != m_document.state().input.batch) {
        askAgain();
        m_isPlaced = false;
    }
    // The strip shows a new sentence when its trace has arrived, and a longer one needs smaller
    // words. Queued, because the strip is updated after this.
    if (!m_isPlaced)
        QMetaObject::invokeMethod(this, &OpeningScene::placeStrip, Qt::QueuedConnection);
    m_isPlaced = m_isPlaced || is<TraceChanged>(event);
    showQuestion();
    showHint();
}

void OpeningScene::type(QKeyEvent &event) {
    m_strip->words().type(event);
}

/// Selects "it" in a new sentence, wherever it is.
void OpeningScene::askAgain() {
    m_asked = m_document.state().input.batch;
    const core::Sequence *sequence = tokens();
    if (!asksAboutIt(sequence))
        return;
    const auto it = std::ranges::find(sequence->tokens, "it", &core::Token::text);
    core::Selection selection = m_document.selection();
    selection.query = it - sequence->tokens.begin();
    selection.key.reset();
    m_document.select(selection);
}

void OpeningScene::setStyle(const FigureStyle &style) {
    m_style = style;
    placeColumns();
    showQuestion();
    placeStrip();
}

void OpeningScene::placeStrip() {
    if (m_isPlacing || !isVisible()) // before the scene is shown, its width is arbitrary
        return;
    m_isPlacing = true; // a change of size or style would call this again
    const double high = window()->height() / m_style.textScale;
    m_strip->setArcRoom(high >= kHighWindow ? kHighArcs : 0);
    double words = high >= kLargeWindow ? kLargestOnLarge : kLargestWords;
    m_strip->setAnswerBelow(kBars, m_isWide.value_or(false)
                                       ? width() - m_aside->width() - m_grid->horizontalSpacing()
                                       : width());
    const double smallest =
        std::clamp(kSmallestWords / m_style.textScale, kSmallestOnLargeText, kSmallestWords);
    int height = 0;
    for (;;) {
        m_strip->setStyle(m_style.isDark ? FigureStyle::dark(m_style.textScale * words)
                                         : FigureStyle::light(m_style.textScale * words));
        height = m_strip->layOutFor(width());
        const double room = m_strip->words().width() - 2 * WordsStrip::kOutline;
        const StripLayout &layout = m_strip->words().layoutNow();
        const double needed = widthOnOneLine(layout);
        if ((layout.lines <= 1 && needed <= room) || words <= smallest)
            break;
        // The width is roughly proportional to the size of the words. Each size that is tried costs
        // a millisecond, because its fonts are loaded.
        const double fitting = std::floor(words * room / needed / kStep) * kStep;
        words = std::max(smallest, std::min(fitting, words - kStep));
    }
    m_strip->setFixedHeight(height);
    m_grid->setRowMinimumHeight(kStripRow, m_strip->answer().y());
    m_isPlacing = false;
}

void OpeningScene::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    // Queued, because the page around the scene may not be laid out yet.
    QMetaObject::invokeMethod(this, &OpeningScene::placeStrip, Qt::QueuedConnection);
}

void OpeningScene::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    placeColumns();
    layout()->activate();
    placeStrip();
}

} // namespace headlight::ui
