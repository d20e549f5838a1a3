#include "ui/window/start/show/show_stage.h"

#include "ui/figures/close_up/close_up_figure.h"
#include "ui/figures/output/output_content.h"
#include "ui/figures/text/text.h"
#include "ui/strip/answer_bars.h"
#include "ui/text/sentences.h"
#include "ui/text/token_names.h"
#include "ui/widgets/plain_text.h"
#include "ui/window/start/show/show_columns.h"
#include "ui/window/start/show/show_vectors.h"

#include <QMouseEvent>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

using core::Stage;

namespace {

// Lengths in px in a window of 1280 × 720.
constexpr double kQuestionWord = 64; // in two lines
constexpr double kSentenceWord = 32; // in one line
constexpr double kBelowSentence = 36, kRowGap = 20;
constexpr double kMaxVoteHeight = 240, kVoteGap = 40, kVoteFoot = 8;
constexpr double kButtonHeight = 64, kBelowBars = 28;
constexpr double kRowName = 20;
constexpr double kExampleText = 28, kMaxExampleLine = 60, kBelowExamples = 16;
constexpr double kSilenceShare = 0.34; // share of the height for the sentence with its arcs
// Text sizes, as multiples of the usual one.
constexpr double kLargestBars = 3.6, kSmallestBars = 1.5;
constexpr double kScaleStepOfStage = 0.1;
constexpr core::Index kExamples = 6;
// Animation of a new last word: the old one is struck out, the new one typed, then the bars grow.
constexpr int kTypingDuration = 1800, kGrowingDuration = 900; // ms
constexpr double kStruckUntil = 0.2, kTypedUntil = 0.65;

double partOf(double progress, double from, double until) {
    return std::clamp((progress - from) / (until - from), 0.0, 1.0);
}

} // namespace

ShowStage::ShowStage(QWidget *parent)
    : ItemListWidget(parent),
      m_arcs(new StripArcs(this)),
      m_bars(new AnswerBars(this)),
      m_votes{makeButton("showVote"), makeButton("showVote")},
      m_all(makeButton("showAllHeads")),
      m_watch(makeButton("showWatch")) {
    setObjectName("showStage");
    setAccessibleName(tr("Picture"));
    m_bars->leaveFocusAlone();
    m_bars->setAttribute(Qt::WA_TransparentForMouseEvents); // the show receives the click
    for (const int noun : {0, 1})
        connect(m_votes[static_cast<std::size_t>(noun)], &QPushButton::clicked, this,
                [this, noun] { emit voted(noun); });
    m_all->setCheckable(true);
    m_all->setText(tr("Silence the whole layer (S)"));
    m_all->setAccessibleName(m_all->text());
    m_all->setToolTip(tr("Compute the answer without any head of this layer"));
    connect(m_all, &QPushButton::clicked, this, &ShowStage::allHeadsSilenced);
    m_watch->setText(tr("Watch it learn ›"));
    m_watch->setAccessibleName(m_watch->text());
    m_watch->setToolTip(tr("Close the show and watch the head being born, from the first step"));
    connect(m_watch, &QPushButton::clicked, this, &ShowStage::watchRequested);
    connect(&m_motion, &QVariantAnimation::valueChanged, this, [this](const QVariant &value) {
        m_progress = value.toDouble();
        place();
    });
    m_motion.setStartValue(0.0);
    m_motion.setEndValue(1.0);
}

/// Creates a button that leaves all keys to the show.
QPushButton *ShowStage::makeButton(const char *name) {
    auto *button = new QPushButton(this);
    button->setObjectName(name);
    button->setFocusPolicy(Qt::NoFocus);
    button->hide();
    return button;
}

FigureStyle ShowStage::styleAt(double scale) const {
    return FigureStyle::presented(m_dark, scale * m_unit);
}

QFont ShowStage::typeOf(double pixels, bool bold) const {
    return styleAt(1).bodyFont(pixels, bold);
}

void ShowStage::setStyle(bool dark, double unit) {
    m_dark = dark;
    m_unit = unit;
    place();
}

void ShowStage::setVotes(const std::array<int, 2> &votes) {
    m_hands = votes;
    placeButtons();
}

void ShowStage::silenceAllHeads(bool on) {
    m_silencesAll = on;
    place();
}

void ShowStage::showMoment(const ShowMoments &show, MomentKind kind, bool moves) {
    m_show = &show;
    m_kind = kind;
    m_pointed.reset();
    m_silencesAll = false;
    m_motion.stop();
    m_progress = 1;
    if (moves && (kind == MomentKind::Change || kind == MomentKind::Softmax)) {
        m_progress = 0;
        m_motion.setDuration(kind == MomentKind::Change ? kTypingDuration : kGrowingDuration);
        m_motion.start();
    }
    if (kind == MomentKind::Learned && m_examples.empty())
        makeExamples();
    place();
    announceItems();
}

// Layout

ShowWordsContent ShowStage::wordsOf(const ReadSentence &read) const {
    ShowWordsContent content;
    content.words = stripWordsOf(read.trace->batch()[0]);
    content.ringed = read.it;
    return content;
}

/// Returns the first sentence with its last word struck out and the second's last word after it.
ShowWordsContent ShowStage::typedWords() const {
    ShowWordsContent content = wordsOf(m_show->first());
    const StripWords second = stripWordsOf(m_show->second().trace->batch()[0]);
    content.struck = m_show->first().last();
    content.struckShare = partOf(m_progress, 0, kStruckUntil);
    content.typed = std::ssize(content.words.words);
    content.typedShare = partOf(m_progress, kStruckUntil, kTypedUntil);
    content.words.words.push_back(second.words.back());
    return content;
}

double ShowStage::addSentence(ShowWordsContent content, const QRectF &area, double most,
                              int lines) {
    m_sentences.emplace_back(std::move(content), m_dark, area, lines, most * m_unit);
    return m_sentences.back().rect().bottom();
}

void ShowStage::place() {
    m_sentences.clear();
    m_rowNames.clear();
    m_arcs->setGeometry(rect());
    m_arcs->setArcs({}, {});
    m_bars->hide();
    if (!m_show || width() < 1 || height() < 1)
        return;
    const QRectF whole = QRectF(rect()).adjusted(px(4), px(4), -px(4), 0);
    const QRectF upperHalf = whole.adjusted(0, 0, 0, -whole.height() / 2);
    switch (m_kind) {
    case MomentKind::Question: { // the sentence is alone, slightly above the middle
        const double bottom = addSentence(wordsOf(m_show->first()), whole, kQuestionWord, 2);
        m_sentences.clear();
        addSentence(wordsOf(m_show->first()),
                    whole.adjusted(0, 0.4 * std::max(0.0, whole.bottom() - bottom), 0, 0),
                    kQuestionWord, 2);
        break;
    }
    case MomentKind::Vote:
    case MomentKind::Answer:
        m_below = addSentence(wordsOf(m_show->first()), upperHalf, kQuestionWord, 2);
        break;
    case MomentKind::Change:
        m_below = addSentence(typedWords(), upperHalf, kQuestionWord, 2);
        break;
    case MomentKind::Both:
    case MomentKind::Lines:
    case MomentKind::Layers:
        placeRows();
        break;
    case MomentKind::Roles:
        m_below = addSentence(wordsOf(m_show->second()), whole, kSentenceWord);
        break;
    case MomentKind::Silence:
        placeSilence(whole.adjusted(0, 0, 0, (kSilenceShare - 1) * whole.height()));
        break;
    case MomentKind::Score:
    case MomentKind::Softmax:
    case MomentKind::Learned:
        break;
    }
    const bool hasButton = m_kind == MomentKind::Silence;
    if (m_kind == MomentKind::Answer || m_kind == MomentKind::Change ||
        m_kind == MomentKind::Silence)
        placeBars(m_below + px(kBelowSentence),
                  height() - (hasButton ? px(kBelowBars + kButtonHeight) : 0));
    std::vector<StripArc> arcs;
    for (const ShowWords &sentence : m_sentences)
        std::ranges::copy(sentence.arcs(), std::back_inserter(arcs));
    if (!m_sentences.empty())
        m_arcs->setStyle(m_sentences.front().style());
    m_arcs->setArcs(std::move(arcs), {QRectF(rect())});
    placeButtons();
    update();
}

/// Places the second sentence with the arcs of the head that is not silenced.
void ShowStage::placeSilence(const QRectF &area) {
    ShowWordsContent content = wordsOf(m_show->second());
    const core::Index other = kShownHead == 0 ? 1 : 0;
    if (m_show->second().trace->model().headsOf({kShownLayer}) > other)
        content.weights = m_show->withoutHead().row(Stage::AttentionWeights, kShownLayer, other);
    m_below = addSentence(content, area, kSentenceWord);
    if (!m_silencesAll)
        return;
    // Keep the words in place when the arcs disappear.
    const double top = m_sentences.back().chip(0).top();
    content.weights.clear();
    m_sentences.clear();
    addSentence(content, area, kSentenceWord);
    const double higher = top - m_sentences.back().chip(0).top();
    m_sentences.clear();
    addSentence(std::move(content), area.translated(0, higher), kSentenceWord);
}

/// Places two sentences one below the other, with words of the same size.
void ShowStage::placeRows() {
    double most = m_kind == MomentKind::Both ? kQuestionWord : kSentenceWord;
    placeRows(most);
    const double first = m_sentences[0].wordSize(), second = m_sentences[1].wordSize();
    if (first == second)
        return;
    most = std::min(first, second) / m_unit;
    m_sentences.clear();
    m_rowNames.clear();
    placeRows(most);
}

void ShowStage::placeRows(double most) {
    const QRectF whole = QRectF(rect()).adjusted(px(4), px(4), -px(4), 0);
    const double half = whole.height() / 2;
    for (const int row : {0, 1}) {
        const bool isLayers = m_kind == MomentKind::Layers;
        const ReadSentence &read = row == 0 && !isLayers ? m_show->first() : m_show->second();
        ShowWordsContent content = wordsOf(read);
        QRectF area(whole.left(), whole.top() + row * half, whole.width(), half - px(kRowGap));
        if (m_kind == MomentKind::Both) {
            content.outlined = read.last();
            const double high = addSentence(content, area, most, 2) - area.top();
            m_sentences.pop_back();
            area.adjust(0, std::max(0.0, (area.height() - high) / 2), 0, 0);
            addSentence(std::move(content), area, most, 2);
            continue;
        }
        const core::Index layer = isLayers && row == 0 ? 0 : kShownLayer;
        const core::Index head = isLayers && row == 0 ? m_show->readingHead() : kShownHead;
        content.weights = read.row(Stage::AttentionWeights, layer, head);
        content.pointed = m_kind == MomentKind::Lines ? m_pointed : std::nullopt;
        if (isLayers) {
            const double high = std::ceil(lineHeight(typeOf(kRowName)));
            m_rowNames.emplace_back(QRectF(area.left(), area.top(), area.width(), high),
                                    tr("layer %1, head %2").arg(layer).arg(head));
            area.adjust(0, high, 0, 0);
        }
        addSentence(std::move(content), area, most);
    }
}

/// Places the answer, as large as the space above `bottom` allows.
void ShowStage::placeBars(double top, double bottom) {
    fillBars();
    const int bars = static_cast<int>(m_bars->content().bars.size());
    double scale = kLargestBars;
    while (scale > kSmallestBars && answerHeight(styleAt(scale), bars) > bottom - top - 2)
        scale -= kScaleStepOfStage;
    const FigureStyle style = styleAt(scale);
    m_bars->setStyle(style);
    m_bars->setGeometry(qRound(px(4)), qRound(top), qRound(width() - px(8)),
                        static_cast<int>(std::ceil(answerHeight(style, bars))));
    m_bars->show();
}

void ShowStage::fillBars() {
    const ReadSentence &now = m_kind == MomentKind::Answer   ? m_show->first()
                              : m_kind == MomentKind::Change ? m_show->second()
                              : m_silencesAll                ? m_show->withoutHeads()
                                                             : m_show->withoutHead();
    const ReadSentence *before = m_kind == MomentKind::Answer   ? nullptr
                                 : m_kind == MomentKind::Change ? &m_show->first()
                                                                : &m_show->second();
    const double shift = m_kind == MomentKind::Change ? partOf(m_progress, kTypedUntil, 1) : 1;
    AnswerContent content;
    content.kind = AnswerContent::Kind::Words;
    content.title = tr("answer at %1");
    content.subject = ReadSentence::pronoun();
    const auto add = [&](const QString &name, double value, std::optional<double> was) {
        AnswerContent::Bar bar;
        bar.index = std::ssize(content.bars);
        bar.name = name;
        bar.value = was ? *was + shift * (value - *was) : value;
        // Show no number while the bar moves, because it belongs to neither sentence.
        if (shift >= 1) {
            bar.before = was;
            bar.number = percentText(value);
        }
        bar.description = labelled(name, percentText(value));
        content.bars.push_back(std::move(bar));
    };
    for (const core::Index noun : now.nouns)
        add(now.word(noun), now.probabilityOf(noun),
            before ? std::optional(before->probabilityOf(noun)) : std::nullopt);
    if (!now.answeredNoun())
        add(now.answer(), now.probabilityOfAnswer(), std::nullopt);
    m_bars->setContent(content);
}

void ShowStage::makeExamples() {
    const core::TaskPointer task = core::findTask(m_show->runs().recipe.task);
    if (!task || m_show->runs().trainedSteps == 0)
        return;
    for (const core::Example &example :
         core::examplesOf(*task, core::Split::Train, m_show->runs().recipe.seed, 0, kExamples)) {
        ExampleLine line;
        QStringList words;
        for (std::size_t token = 0; token < example.tokens.size(); ++token) {
            const auto wordOf = [&task](core::Index id) {
                return QString::fromStdString(task->info().words[static_cast<std::size_t>(id)]);
            };
            words << wordOf(example.tokens[token]);
            if (token < example.answers.size() && example.answers[token] != core::kLeftOut)
                line.answer = wordOf(example.answers[token]);
        }
        line.text = words.join(QLatin1Char(' '));
        m_examples.push_back(std::move(line));
    }
}

void ShowStage::placeVotes(double top) {
    for (const std::size_t noun : {std::size_t(0), std::size_t(1)}) {
        QPushButton *button = m_votes[noun];
        const QString name = m_show->first().word(m_show->first().nouns[noun]);
        button->setText(
            withAmpersands(m_hands[noun] > 0 ? tr("%1: %2").arg(name).arg(m_hands[noun]) : name));
        button->setAccessibleName(tr("A hand for %1").arg(name));
        button->setAccessibleDescription(tr("%1 hands").arg(m_hands[noun]));
        button->setToolTip(tr("Count a hand for %1 (%2)").arg(name).arg(noun + 1));
        const double wide = (width() - px(8) - px(kVoteGap)) / 2;
        const double high = std::min(px(kMaxVoteHeight), height() - top - px(kVoteFoot));
        button->setGeometry(qRound(px(4) + static_cast<double>(noun) * (wide + px(kVoteGap))),
                            qRound(top), qRound(wide), qRound(high));
    }
}

void ShowStage::placeButtons() {
    for (QPushButton *button : m_votes)
        button->setVisible(m_show && m_kind == MomentKind::Vote);
    m_all->setVisible(m_show && m_kind == MomentKind::Silence);
    m_watch->setVisible(m_show && m_kind == MomentKind::Learned);
    if (!m_show)
        return;
    if (m_kind == MomentKind::Vote)
        placeVotes(m_below + px(kBelowSentence));
    const auto placeAt = [this](QPushButton *button, double left, double bottom) {
        const QSize size(button->sizeHint().width() + qRound(px(24)), qRound(px(kButtonHeight)));
        button->setGeometry(QRect(QPoint(qRound(left), qRound(bottom) - size.height()), size));
    };
    if (m_kind == MomentKind::Silence)
        placeAt(m_all, px(4), m_bars->geometry().bottom() + px(kBelowBars + kButtonHeight));
    m_all->setChecked(m_silencesAll);
    if (m_kind == MomentKind::Learned)
        placeAt(m_watch, px(4), height() - px(8));
}

void ShowStage::resizeEvent(QResizeEvent *event) {
    ItemListWidget::resizeEvent(event);
    place();
}

// Painting

void ShowStage::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), styleAt(1).background);
    if (!m_show)
        return;
    for (const ShowWords &sentence : m_sentences)
        sentence.paint(painter);
    switch (m_kind) {
    case MomentKind::Layers:
        return paintRowNames(painter);
    case MomentKind::Roles:
        return paintVectors(painter);
    case MomentKind::Score:
        return meeting().paint(painter, styleAt(1), meetingArea());
    case MomentKind::Softmax:
        return paintColumns(painter);
    case MomentKind::Learned:
        return paintExamples(painter);
    default:
        return;
    }
}

void ShowStage::paintRowNames(QPainter &painter) const {
    for (const auto &[rect, name] : m_rowNames)
        drawLine(painter, rect, Qt::AlignLeft, name, typeOf(kRowName), styleAt(1).mutedText);
}

ShowVector ShowStage::queryOfIt() const {
    const ReadSentence &read = m_show->second();
    const QString it = ReadSentence::pronoun();
    return {tr("what %1 asks").arg(it), tr("the query of %1").arg(it), styleAt(1).query,
            read.vector(Stage::Query, kShownLayer, kShownHead, read.it)};
}

ShowVector ShowStage::keyOfTarget() const {
    const ReadSentence &read = m_show->second();
    const QString noun = read.word(m_show->target());
    return {tr("what %1 offers").arg(noun), tr("the key of %1").arg(noun), styleAt(1).key,
            read.vector(Stage::Key, kShownLayer, kShownHead, m_show->target())};
}

void ShowStage::paintVectors(QPainter &painter) const {
    const ReadSentence &read = m_show->second();
    const FigureStyle style = styleAt(1);
    const QString noun = read.word(m_show->target());
    const ShowVectors vectors{
        {queryOfIt(),
         keyOfTarget(),
         {tr("what %1 hands over").arg(noun), tr("the value of %1").arg(noun), style.value,
          read.vector(Stage::Value, kShownLayer, kShownHead, m_show->target())}}};
    const double top = m_below + px(kBelowSentence);
    vectors.paint(painter, style, QRectF(px(4), top, width() - px(8), height() - top - px(4)));
}

QRectF ShowStage::meetingArea() const {
    return QRectF(rect()).adjusted(px(4), px(4), -px(4), -px(4));
}

ShowMeeting ShowStage::meeting() const {
    const ReadSentence &read = m_show->second();
    const core::Selection place =
        read.place(Stage::Scores, kShownLayer, kShownHead, m_show->target());
    const std::vector<float> scores = read.row(Stage::Scores, kShownLayer, kShownHead);
    return {queryOfIt(), keyOfTarget(),
            static_cast<double>(scores[static_cast<std::size_t>(m_show->target())]),
            CloseUpFigure::fromTrace(read.trace, place, styleAt(1)).strip()};
}

void ShowStage::paintColumns(QPainter &painter) const {
    const ReadSentence &read = m_show->second();
    ShowColumns columns;
    columns.words = read.words;
    columns.scores = read.row(Stage::ScaledScores, kShownLayer, kShownHead);
    columns.weights = read.row(Stage::AttentionWeights, kShownLayer, kShownHead);
    columns.ringed = static_cast<int>(read.it);
    columns.marked = static_cast<int>(m_show->target());
    columns.grown = m_progress;
    columns.paint(painter, styleAt(1), QRectF(rect()));
}

void ShowStage::paintExamples(QPainter &painter) const {
    const FigureStyle style = styleAt(1);
    const QFont plain = typeOf(kExampleText), bold = typeOf(kExampleText, true);
    const double room = height() - px(kButtonHeight + kBelowExamples);
    const double high = std::min(px(kMaxExampleLine), room / static_cast<double>(kExamples));
    double top = 0;
    for (const ExampleLine &line : m_examples) {
        Spans spans{{line.text, style.text, false, Span::Place::Line},
                    {QStringLiteral("  →  "), style.mutedText, false, Span::Place::Line},
                    {line.answer, style.accent, true, Span::Place::Line}};
        drawSpans(painter, QRectF(px(4), top, width() - px(8), high), spans, plain);
        top += high;
    }
}

// Input

void ShowStage::point(core::Index word) {
    m_pointed = word;
    place();
    announceCurrentItem();
    emit wordPointed();
}

void ShowStage::pointBy(core::Index by) {
    if (m_show && m_kind == MomentKind::Lines)
        point(std::clamp<core::Index>(m_pointed ? *m_pointed + by : 0, 0, m_show->first().last()));
}

void ShowStage::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && m_kind == MomentKind::Lines)
        for (const ShowWords &sentence : m_sentences)
            if (const auto word = sentence.wordAt(event->position()))
                return point(*word);
    event->ignore(); // the parent receives the click and continues the show
}

int ShowStage::itemCount() const {
    return m_show && !m_sentences.empty()
               ? static_cast<int>(m_sentences.front().content().words.words.size())
               : 0;
}

QString ShowStage::itemName(int index) const {
    if (index < 0 || index >= itemCount())
        return {};
    if (m_kind == MomentKind::Lines)
        return ShowMoments::plain(m_show->weightNote(index));
    return m_sentences.front().content().words.words[static_cast<std::size_t>(index)].text;
}

QRect ShowStage::itemRect(int index) const {
    return index >= 0 && index < itemCount() ? m_sentences.front().chip(index).toAlignedRect()
                                             : QRect();
}

void ShowStage::pressItem(int index) {
    if (m_kind == MomentKind::Lines && index >= 0 && index < itemCount())
        point(index);
}

} // namespace headlight::ui
