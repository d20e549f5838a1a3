#include "ui/strip/sentence_strip.h"

#include "ui/document/fitting_selection.h"
#include "ui/document/step_view.h"
#include "ui/figures/text/text.h"
#include "ui/strip/answer_bars.h"
#include "ui/strip/pairs_strip.h"
#include "ui/strip/strip_arcs.h"
#include "ui/strip/words_strip.h"
#include "ui/text/token_names.h"
#include "ui/views/output_runs.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QSettings>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using TextSize = FigureStyle::Text;

constexpr char kArcsKey[] = "strip/arcs";
constexpr int kLowWindow = 800; // px; a shorter window has one line
constexpr double kMargin = 16;  // px at the sides, as in the views
constexpr double kTop = 8, kTopLow = 4;
constexpr double kBottom = 6, kBottomLow = 3;
constexpr double kCaptionGap = 5, kCaptionGapLow = 3; // the selected word's outline needs 3
constexpr double kBetweenTexts = 4;
constexpr double kAnswerGap = 24;
constexpr double kAnswerShare = 0.28; // share of the width
constexpr double kMinAnswer = 170, kMaxAnswer = 270;
constexpr double kHeadroom = 22;    // px for arcs
constexpr int kLinesOfPair = 2;     // visible lines of each text, if there are two
constexpr double kScaleStep = 0.25; // step by which large text is reduced

} // namespace

SentenceStrip::SentenceStrip(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_style(FigureStyle::light()),
      m_runs(new OutputRuns(document, this)),
      m_sourceWords(new WordsStrip(document, InputSide::Source, this)),
      m_words(new WordsStrip(document, InputSide::Own, this)),
      m_answer(new AnswerBars(this)),
      m_pairs(new PairsStrip(document, this)),
      m_previous(new QToolButton(this)),
      m_next(new QToolButton(this)),
      m_arcs(new StripArcs(this)),
      m_arcsAction(new QAction(tr("&Arcs between the words"), this)) {
    setObjectName("sentenceStrip");
    setAccessibleName(tr("Words and answer"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_arcsAction->setObjectName("wordArcs");
    m_arcsAction->setCheckable(true);
    m_arcsAction->setShortcut(Qt::Key_A);
    m_arcsAction->setToolTip(tr("Draw an arc from the selected word to each word it looks at, "
                                "thicker for larger weights (A)"));
    m_arcsAction->setChecked(QSettings().value(kArcsKey, false).toBool());
    connect(m_arcsAction, &QAction::triggered, this,
            [](bool on) { QSettings().setValue(kArcsKey, on); });
    connect(m_arcsAction, &QAction::toggled, this, [this] {
        place();
        emit heightChanged();
    });
    makeSequenceButtons();
    connectWords(*m_sourceWords);
    connectWords(*m_words);
    connect(m_sourceWords, &WordsStrip::leftAt, this, [this](int direction) {
        if (direction > 0)
            m_words->setFocus(Qt::TabFocusReason);
    });
    connect(m_words, &WordsStrip::leftAt, this, [this](int direction) {
        if (direction < 0 && m_sourceWords->isVisible())
            m_sourceWords->setFocus(Qt::BacktabFocusReason);
    });
    m_pairs->hide();
    connect(m_pairs, &PairsStrip::hovered, this, &SentenceStrip::hovered);
    connect(m_pairs, &PairsStrip::failed, this, &SentenceStrip::failed);
    connect(m_pairs, &PairsStrip::succeeded, this, &SentenceStrip::succeeded);
    connect(m_pairs, &PairsStrip::heightChanged, this, [this] {
        place();
        emit heightChanged();
    });
    connect(m_answer, &AnswerBars::hovered, this, &SentenceStrip::hovered);
    connect(m_answer, &AnswerBars::chosen, this, &SentenceStrip::choose);
    connect(m_runs, &OutputRuns::made, this, &SentenceStrip::readAnswer);
    connect(&document.slowPass(), &SlowPass::changed, this, &SentenceStrip::showStale);
    connect(&document, &Document::changed, this, &SentenceStrip::documentChanged);
    read(true);
    showStale();
}

SentenceStrip::~SentenceStrip() {
    hide(); // ends an edit now, because its line edit emits signals when it loses focus
}

/// Creates the buttons after "sentence 2 of 4".
void SentenceStrip::makeSequenceButtons() {
    const auto make = [this](QToolButton *button, const QString &text, const QString &name,
                             const QString &keys, core::Index by) {
        button->setObjectName("sequence");
        button->setText(text);
        button->setAccessibleName(name);
        button->setToolTip(QStringLiteral("%1 (%2)").arg(name, keys));
        button->hide();
        connect(button, &QToolButton::clicked, this, [this, by] {
            core::Selection selection = m_document.selection();
            selection.sequence += by;
            m_document.select(selection);
        });
    };
    const auto keys = [](int arrow) {
        return QKeySequence(Qt::CTRL | Qt::SHIFT | arrow).toString(QKeySequence::NativeText);
    };
    make(m_previous, QStringLiteral("‹"), tr("Previous sentence"), keys(Qt::Key_Up), -1);
    make(m_next, QStringLiteral("›"), tr("Next sentence"), keys(Qt::Key_Down), 1);
}

void SentenceStrip::showSequenceButtons() {
    const core::BatchPointer &batch = m_document.state().input.batch;
    const bool isBatch = batch && batch->count() > 1 && hasWords();
    const core::Index sequence = m_document.selection().sequence;
    m_previous->setEnabled(isBatch && sequence > 0);
    m_next->setEnabled(isBatch && sequence + 1 < batch->count());
    const int side = static_cast<int>(m_caption.height()) + 2;
    const double words = spansWidth(captionSpans(), m_style.font(TextSize::Body));
    const auto x =
        static_cast<int>(std::max(m_caption.left(), std::min(m_caption.left() + words + 8,
                                                             m_caption.right() - 2 * side - 4)));
    const int y = static_cast<int>(m_caption.top()) - 1;
    m_previous->setGeometry(x, y, side, side);
    m_next->setGeometry(x + side + 4, y, side, side);
    for (QToolButton *button : {m_previous, m_next})
        button->setVisible(isBatch);
}

void SentenceStrip::connectWords(WordsStrip &words) {
    connect(&words, &WordsStrip::hovered, this, &SentenceStrip::hovered);
    connect(&words, &WordsStrip::failed, this, &SentenceStrip::failed);
    connect(&words, &WordsStrip::succeeded, this, &SentenceStrip::succeeded);
    connect(&words, &WordsStrip::refused, this, &SentenceStrip::statusMessage);
    connect(&words, &WordsStrip::scrolled, this, &SentenceStrip::placeArcs);
    connect(&words, &WordsStrip::chosen, this, [this] {
        m_isAtStep = false;
        read(false);
    });
}

void SentenceStrip::setStyle(const FigureStyle &style) {
    FigureStyle wished = m_style;
    wished.textScale = m_wishedScale;
    if (wished == style)
        return;
    m_wishedScale = style.textScale;
    m_style = style;
    showStyle();
    place();
    emit heightChanged();
}

void SentenceStrip::showStyle() {
    m_words->setStyle(m_style);
    m_sourceWords->setStyle(m_style);
    m_answer->setStyle(m_style);
    m_pairs->setStyle(m_style);
    m_arcs->setStyle(m_style);
}

void SentenceStrip::useTextScale(double scale) {
    if (std::exchange(m_style.textScale, scale) != scale)
        showStyle();
}

void SentenceStrip::leaveFocusAlone() {
    m_words->leaveFocusAlone();
    m_sourceWords->leaveFocusAlone();
    m_answer->leaveFocusAlone();
    m_hasPairs = false;
    for (QToolButton *button : {m_previous, m_next})
        button->setFocusPolicy(Qt::NoFocus);
}

bool SentenceStrip::isReading() const {
    return m_runs->isReading();
}

double SentenceStrip::scaled(double pixels) const {
    return std::round(m_style.scaled(pixels));
}

// Content

void SentenceStrip::documentChanged(const ChangeEvent &event) {
    if (changesOnlyLesson(event))
        return;
    if (is<StepShown>(event))
        m_isAtStep = true;
    if (is<SelectionChanged>(event) || is<SessionChanged>(event) || is<TraceChanged>(event) ||
        is<ComparisonChanged>(event) || is<AnswersChanged>(event) || is<StepShown>(event))
        read(!is<AnswersChanged>(event));
}

void SentenceStrip::setTextRefused(bool isRefused) {
    if (std::exchange(m_isTextRefused, isRefused) != isRefused)
        showStale();
}

void SentenceStrip::showNoAnswer(const QString &notice) {
    if (std::exchange(m_noAnswer, notice) != notice)
        read(false);
}

void SentenceStrip::showStale() {
    m_words->setStale(isStale());
    m_sourceWords->setStale(isStale());
    m_answer->setStale(isStale());
    update();
}

void SentenceStrip::read(bool scrollsToSelection) {
    m_content =
        m_document.trace()
            ? stripContentOf(m_document.trace(), m_document.selectionInTrace(),
                             m_document.comparison().compared(),
                             m_document.askedQuestion() != nullptr, &m_texts)
            : stripContentOf(m_document.state().input, m_document.selection().sequence, m_texts);
    showOrigin();
    if (m_content.hasWeights && isAheadOfLesson())
        m_content.hideWeights(tr("Click a word to see which words it looks at"));
    if (!m_noAnswer.isEmpty())
        m_content.hideWeights(tr("Nothing is computed for this text"));
    // The start page does not explain layers and heads yet.
    if (m_barsBelow > 0 || !m_noAnswer.isEmpty())
        m_content.where.clear();
    m_words->setContent(m_content, scrollsToSelection);
    m_sourceWords->setContent(m_content, scrollsToSelection);
    setAccessibleDescription(m_content.captionText());
    if (m_hasPairs)
        m_pairs->read();
    readAnswer();
    const int before = m_height;
    place();
    if (m_height != before || m_hadWords != hasWords()) {
        m_hadWords = hasWords();
        emit heightChanged();
    }
}

bool SentenceStrip::isAheadOfLesson() const {
    const core::LessonStep *step = m_document.lessonStep();
    if (!m_isAtStep || !step)
        return false;
    const core::Session &session = m_document.session();
    const core::Selection shown = step->show.applied(session.view.applied({}));
    return (m_document.askedQuestion() || m_document.selection().stage == shown.stage) &&
           comesBeforeWeights(session, m_document.state().lessonStep);
}

void SentenceStrip::showOrigin() {
    const core::TracePointer &trace = m_document.trace();
    if (!m_origin || m_document.selection() != m_origin->selection || !trace)
        return m_origin.reset();
    if (m_document.traceIsStale())
        return;
    const core::Sequence &text = trace->batch()[m_origin->selection.sequence];
    const Compared compared = m_document.comparison().compared();
    if (m_origin->word >= text.length || text[m_origin->word].text != m_origin->text ||
        compared.shown == ComparisonSide::A)
        return m_origin.reset();
    core::Selection predicting = m_document.selectionInTrace();
    predicting.query = m_origin->row;
    StripContent content = stripContentOf(trace, predicting, compared, false, &m_texts);
    if (!content.hasWeights)
        return;
    content.caption = tr("%1, which predicted “%2”, looks at")
                          .arg(QStringLiteral("%1"), tokenText(m_origin->text));
    for (StripSentence &sentence : content.sentences)
        if (sentence.selected)
            sentence.written = m_origin->word;
    m_content = std::move(content);
}

core::Selection SentenceStrip::answerSelection() const {
    core::Selection selection = m_document.selectionInTrace();
    if (m_answerAt.empty())
        return selection;
    const std::vector<core::Token> &tokens = m_document.trace()->batch()[selection.sequence].tokens;
    if (const auto at = std::ranges::find(tokens, m_answerAt, &core::Token::text);
        at != tokens.end())
        selection.query = at - tokens.begin();
    return selection;
}

void SentenceStrip::readAnswer() {
    const core::TracePointer &trace = m_document.trace();
    if (!m_noAnswer.isEmpty()) {
        AnswerContent none;
        none.title = tr("No answer for this text");
        none.notice = m_noAnswer;
        return m_answer->setContent(none);
    }
    if (!trace || m_document.askedQuestion())
        return m_answer->setContent({});
    FigureOptions options;
    options.compared = m_document.comparison().compared();
    const core::Selection selection = answerSelection();
    const ShownRun run = stripRun(trace, selection, options.compared);
    if (!core::hasOutput(*run.trace)) {
        const ShownRun place = stripRun(trace, m_content.place, options.compared);
        AnswerContent answer = becomesMoreLike(*place.trace, place.selection);
        // Hides the answer if the step selects no word. A later step may ask what a word attends
        // to.
        if ((isAheadOfLesson() || (m_document.lessonStep() && !m_content.place.query)) &&
            !answer.bars.empty())
            answer = {};
        return m_answer->setContent(answer);
    }
    GivenOutput given;
    if (core::hasOutput(*trace))
        given = m_runs->outputsOf(trace, selection, options.compared, false);
    AnswerContent answer = answerOf(trace, selection, options, given);
    if (m_completeAnswer && answer.kind == AnswerContent::Kind::Words)
        m_completeAnswer(run.trace, answer);
    if (run.trace == trace)
        completeWords(answer);
    m_answer->setContent(answer);
}

void SentenceStrip::completeWords(AnswerContent &answer) {
    if (answer.kind != AnswerContent::Kind::Words)
        return;
    std::vector<core::Index> tokens;
    for (const AnswerContent::Bar &bar : answer.bars)
        tokens.push_back(bar.index);
    answer.completeWords(m_runs->restsOf(answerSelection(), tokens));
}

void SentenceStrip::choose(int bar) {
    if (m_document.traceIsStale()) // the bars belong to another text
        return emit statusMessage(tr("The answer is still being computed"));
    const AnswerContent content = m_answer->content();
    const AnswerContent::Bar &chosen = content.bars[static_cast<std::size_t>(bar)];
    if (content.kind == AnswerContent::Kind::Words) {
        if (core::Selection asked = m_document.selection(); !m_answerAt.empty()) {
            asked.query = answerSelection().query;
            m_document.select(asked); // choosePredictedWord() uses the selected row
        }
        const core::Trace &trace = *m_document.trace();
        const core::OutputRowId place = core::outputPlaceOf(trace, m_document.selectionInTrace());
        const core::Index word = core::predictedAt(trace.model(), place);
        const core::VocabularyPointer words = trace.model().vocabulary;
        if (const core::Outcome outcome =
                choosePredictedWord(m_document, chosen.index, chosen.restIds);
            !outcome)
            return emit failed(outcome.error());
        emit succeeded();
        if (word != place.row) // false for a masked word, which is predicted at its own row
            m_origin =
                Origin{place.row, word, words->token(chosen.index).text, m_document.selection()};
        read(true);
    } else if (content.kind == AnswerContent::Kind::Cosines) {
        const Compared compared = m_document.comparison().compared();
        core::Selection selection = onShownSide(compared, m_document.selection());
        selection.key = chosen.index;
        m_document.select(onCurrentSide(compared, selection));
    }
}

// Layout

int SentenceStrip::layOutFor(int width, int most, int mostIfSmaller) {
    m_most = most;
    m_mostIfSmaller = mostIfSmaller;
    m_height = 0;
    useTextScale(m_wishedScale);
    const bool hasPairs = m_hasPairs && m_pairs->isWanted();
    if (window()->height() >= kLowWindow) {
        m_room = StripRoom::Lines;
        const bool isPair = m_content.sentences.size() > 1;
        for (int lines = isPair ? kLinesOfPair : kMaxStripLines; lines > 0; --lines)
            if (const int height = layOut(width, lines, hasPairs); height <= most)
                return m_height = height;
    }
    m_room = StripRoom::Line;
    int height = layOutLine(width, most, hasPairs);
    // A presentation sets its own text size, so do not reduce the size.
    if (height > most && m_style.textScale > 1 && !m_style.isPresented())
        most = std::min(most, mostIfSmaller);
    while (height > most && m_style.textScale > 1 && !m_style.isPresented()) {
        // The height is roughly proportional to the text scale.
        const double fitting = std::floor(m_style.textScale * most / height / kScaleStep);
        useTextScale(
            std::clamp(fitting * kScaleStep, 1.0, std::max(1.0, m_style.textScale - kScaleStep)));
        height = layOutLine(width, most, hasPairs);
    }
    if (hasPairs && m_pairs->isEditing()) // the text being typed must be visible
        return m_height = height;
    return m_height = height <= most ? height : 0;
}

/// Lays everything out with one line for each text, and returns the height. If it is too large,
/// leaves out the pairs, unless the user is typing the text of A.
int SentenceStrip::layOutLine(int width, int most, bool hasPairs) {
    const int height = layOut(width, 1, hasPairs);
    return height > most && hasPairs && !m_pairs->isEditing() ? layOut(width, 1, false) : height;
}

/// Lays everything out with this many visible lines for each text, and returns the height.
int SentenceStrip::layOut(int width, int lines, bool hasPairs) {
    const bool isLow = m_room == StripRoom::Line;
    const double caption = std::ceil(lineHeight(m_style.font(TextSize::Body)));
    // On the start page, the strip aligns with the text around it.
    const double margin = m_barsBelow > 0 ? WordsStrip::kOutline : scaled(kMargin);
    const double answer = std::clamp(kAnswerShare * width, scaled(kMinAnswer),
                                     std::max(scaled(kMinAnswer), scaled(kMaxAnswer)));
    double titles = 0;
    for (const StripSentence &sentence : m_content.sentences)
        titles =
            std::max(titles, std::ceil(textWidth(sentence.title, m_style.font(TextSize::Label))));
    const double left = margin + (titles > 0 ? titles + scaled(8) : 0);
    constexpr double outline = WordsStrip::kOutline;
    const double beside = m_barsBelow > 0 ? 0 : answer + scaled(kAnswerGap);
    const double words = std::max(80.0, width - left - margin - beside);
    double top = scaled(isLow ? kTopLow : kTop);
    const bool hasAnswer = m_answer->content() != AnswerContent(); // otherwise, use its space too
    m_caption = QRectF(margin, top, (hasAnswer ? left + words : width - margin) - margin, caption);
    top += caption + scaled(isLow ? kCaptionGapLow : kCaptionGap) - outline;
    const int wide = static_cast<int>(words + 2 * outline);
    double word = kStripWord;      // smaller if each text then fits in one line
    if (isLow && m_barsBelow == 0) // the start page sets its own word sizes
        for (const StripSentence &sentence : m_content.sentences)
            word = std::min(word, this->words(sentence.side).fittingWord(wide));
    double between = 0;
    for (const auto &[index, strip] : {std::pair(0, m_sourceWords), std::pair(1, m_words)}) {
        const StripSentence *sentence = m_content.sentence(strip->side());
        m_titles[index] = QRectF();
        strip->setVisible(sentence != nullptr);
        if (!sentence)
            continue;
        strip->setWord(word);
        strip->setRoom(m_room, lines);
        const bool asks = sentence->selected && sideOf(m_content.place.stack) == strip->side();
        const double arcs = m_arcRoom > 0 ? m_arcRoom : kHeadroom;
        strip->setHeadroom(showsArcs() && asks ? arcs : 0);
        top += between;
        between = scaled(kBetweenTexts);
        const int high = strip->heightFor(wide);
        strip->setGeometry(static_cast<int>(left - outline), static_cast<int>(top), wide, high);
        if (!sentence->title.isEmpty() && high > 0) {
            const StripLayout &layout = strip->layoutNow();
            m_titles[index] =
                QRectF(margin, top + outline + layout.headroom, titles, layout.chipHeight);
        }
        top += high;
    }
    m_pairs->setVisible(hasPairs);
    if (hasPairs) {
        top += between;
        const int high = m_pairs->neededHeight();
        m_pairs->setGeometry(static_cast<int>(margin), static_cast<int>(top),
                             static_cast<int>(left + words - margin), high);
        top += high;
    }
    top += scaled(isLow ? kBottomLow : kBottom);
    if (m_barsBelow > 0) {
        top += scaled(kAnswerGap) / 2;
        const double high = answerHeight(m_style, m_barsBelow);
        m_answer->setGeometry(
            static_cast<int>(margin), static_cast<int>(top),
            static_cast<int>(
                std::min({width - 2 * margin, m_widestBelow - 2 * margin, 2 * scaled(kMaxAnswer)})),
            static_cast<int>(std::ceil(high)));
        return static_cast<int>(std::ceil(top + high + scaled(kBottom)));
    }
    const double answerTop = hasAnswer ? m_caption.top() : m_caption.bottom();
    const double least = m_caption.top() + answerHeight(m_style, 2) + scaled(kBottomLow);
    const int height = static_cast<int>(std::ceil(std::max(top, least)));
    m_answer->setGeometry(static_cast<int>(width - margin - answer), static_cast<int>(answerTop),
                          static_cast<int>(answer),
                          static_cast<int>(height - answerTop - scaled(kBottomLow)));
    return height;
}

bool SentenceStrip::showsArcs() const {
    return m_arcsAction->isChecked() || m_origin;
}

void SentenceStrip::place() {
    layOutFor(width(), m_most, m_mostIfSmaller);
    showSequenceButtons();
    placeArcs();
    update();
}

void SentenceStrip::placeArcs() {
    m_arcs->setGeometry(rect());
    std::vector<StripArc> arcs;
    std::vector<QRectF> areas;
    WordsStrip *asking = nullptr, *read = nullptr;
    for (const StripSentence &sentence : m_content.sentences) {
        if (sentence.selected)
            asking = &words(sentence.side);
        if (!sentence.weights.empty())
            read = &words(sentence.side);
    }
    if (showsArcs() && asking && read && m_content.hasWeights) {
        const auto topOf = [&](WordsStrip &strip, core::Index word) {
            const QRectF rect = strip.wordRect(word).translated(strip.pos());
            return QPointF(rect.center().x(), rect.top());
        };
        const auto bottomOf = [&](WordsStrip &strip, core::Index word) {
            const QRectF rect = strip.wordRect(word).translated(strip.pos());
            return QPointF(rect.center().x(), rect.bottom() + strip.layoutNow().numberHeight);
        };
        const core::Index from =
            m_origin ? m_origin->word : *m_content.sentence(asking->side())->selected;
        const std::vector<float> &weights = m_content.sentence(read->side())->weights;
        const double headroom = asking->layoutNow().headroom;
        for (std::size_t word = 0; word < weights.size(); ++word) {
            const auto to = static_cast<core::Index>(word);
            const auto weight = static_cast<double>(weights[word]);
            if (!(weight >= kMinArcWeight) || (asking == read && to == from))
                continue;
            if (asking != read) {
                arcs.push_back({topOf(*asking, from), bottomOf(*read, to), weight, 0});
                continue;
            }
            const QPointF start = topOf(*asking, from), end = topOf(*read, to);
            // Longer arcs rise higher, as far as there is space.
            const double share = std::min(1.0, std::abs(end.x() - start.x()) / (8 * headroom));
            arcs.push_back({start, end, weight, headroom * (0.35 + 0.6 * share)});
        }
        for (const WordsStrip *strip : {asking, read})
            areas.push_back(QRectF(strip->geometry()));
        if (asking != read) // arcs are also visible in the gap between the texts
            areas.push_back(QRectF(asking->geometry()).united(QRectF(read->geometry())));
    }
    m_arcs->setArcs(std::move(arcs), std::move(areas));
    m_arcs->raise();
}

void SentenceStrip::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    place();
}

void SentenceStrip::contextMenuEvent(QContextMenuEvent *event) {
    if (m_words->focusPolicy() == Qt::NoFocus)
        return;
    QMenu menu(this);
    QAction *edit = menu.addAction(tr("&Edit the text"), m_words, &WordsStrip::edit);
    edit->setEnabled(!m_document.isCapture());
    QAction *compare = menu.addAction(tr("&Compare with another text"), m_pairs, &PairsStrip::edit);
    compare->setEnabled(!m_document.isCapture());
    menu.addAction(m_arcsAction);
    menu.exec(event->globalPos());
}

Spans SentenceStrip::captionSpans() const {
    Spans spans;
    const QStringList around = m_content.caption.split(QLatin1String("%1"));
    spans.append({around.value(0), m_style.mutedText, false, Span::Place::Line});
    if (around.size() > 1) {
        spans.append({m_content.subject, m_style.selection, true, Span::Place::Line});
        spans.append({around.value(1), m_style.mutedText, false, Span::Place::Line});
    }
    QStringList rest = m_isTextRefused ? QStringList{tr("for the previous text")} : m_content.where;
    if (m_document.slowPass().isSlow())
        rest << tr("computing…");
    for (const QString &part : std::as_const(rest))
        spans.append({(m_content.caption.isEmpty() ? QString() : QStringLiteral(" · ")) + part,
                      m_style.mutedText, false, Span::Place::Line});
    return spans;
}

void SentenceStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_style.background);
    const QFont font = m_style.font(TextSize::Body);
    const Spans spans = captionSpans();
    QRectF caption = m_caption;
    if (m_previous->isVisible())
        caption.setRight(m_previous->x() - 4);
    drawSpans(painter, caption, spans, font);
    for (std::size_t i = 0; i < m_content.sentences.size() && i < 2; ++i) {
        const StripSentence &sentence = m_content.sentences[i];
        drawLine(painter, m_titles[sentence.side == InputSide::Source ? 0 : 1], Qt::AlignLeft,
                 sentence.title, m_style.font(TextSize::Label), m_style.mutedText);
    }
}

} // namespace headlight::ui
