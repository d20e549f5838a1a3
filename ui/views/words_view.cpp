#include "ui/views/words_view.h"

#include "ui/compare/nearest_selectable.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/views/sentence_bar.h"

#include <QKeyEvent>

#include <algorithm>

namespace headlight::ui {

namespace {

/// Returns the glossary id of the encoding.
QString termOfWriting(core::TextEncoding way) {
    switch (way) {
    case core::TextEncoding::OneHot:
        return QStringLiteral("one-hot");
    case core::TextEncoding::BagOfWords:
        return QStringLiteral("bag of words");
    case core::TextEncoding::TfIdf:
        return QStringLiteral("TF-IDF");
    case core::TextEncoding::Embeddings:
        return QStringLiteral("embedding");
    case core::TextEncoding::Contextual:
        return QStringLiteral("context");
    }
    return {};
}

/// Returns the selection in the texts that the figure shows, which may be A's.
core::Selection selectionInTexts(const Document &document) {
    const Compared compared = document.comparison().compared();
    core::Selection selection = onShownSide(compared, document.selection());
    if (compared.shown == ComparisonSide::A && compared.a)
        selection.sequence = compared.sequence.value_or(selection.sequence);
    return selection;
}

} // namespace

WordsView::WordsView(Document &document, QWidget *parent)
    : FigureView(core::View::Words, document, parent), m_bar(new SentenceBar(document, *this)) {
    connect(m_bar, &SentenceBar::failed, this, &FigureView::failed);
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        if (is<SessionChanged>(event) || (is<StateChanged>(event) && !changesOnlyLesson(event)))
            showBar();
    });
    showBar();
}

QSizeF WordsView::figureSize() const {
    const int bar = m_bar->isHidden() ? 0 : m_bar->height();
    return {static_cast<double>(width()), std::max(1.0, static_cast<double>(height() - bar))};
}

void WordsView::resizeEvent(QResizeEvent *event) {
    showBar();
    FigureView::resizeEvent(event);
}

bool WordsView::event(QEvent *event) {
    if (event->type() == QEvent::LayoutRequest) // the bar's text size has changed
        showBar();
    return FigureView::event(event);
}

/// Shows the bar if there is only one sentence.
void WordsView::showBar() {
    if (m_bar->isHidden() == m_bar->isOfUse()) {
        m_bar->setVisible(m_bar->isOfUse());
        remake();
    }
    const int high = m_bar->sizeHint().height();
    m_bar->setGeometry(0, height() - high, width(), high);
}

core::ShownEncoding WordsView::spokenOf() const {
    const core::LessonStep *step = document().lessonStep();
    return step ? step->look.writing : core::ShownEncoding::All;
}

std::unique_ptr<Figure> WordsView::makeFigure(const FigureInput &input) const {
    FigureInput from = input;
    from.options.writing = spokenOf();
    return FigureView::makeFigure(from);
}

WordsGeometry WordsView::geometry() const {
    return words()->geometry(figureArea());
}

void WordsView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    words()->paint(painter, figureArea(), Device::Raster);
}

core::Selection WordsView::atToken(core::Index sequence, core::Index token) const {
    const core::Selection now = document().selection();
    const Compared compared = document().comparison().compared();
    core::Selection selection = selectionInTexts(document());
    const bool isOther = selection.sequence != sequence;
    const bool isOfA = compared.shown == ComparisonSide::A && compared.a;
    if (isOther && isOfA && compared.sequence)
        return now; // the current text has no counterpart of this sentence
    if (!core::infoOf(selection.stage).rowsAreTokens())
        selection.stage = core::Stage::Embeddings;
    if (isOther) {
        selection.key.reset(); // the key is in the other sentence
        selection.dimension.reset();
    }
    selection.sequence = isOther ? sequence : now.sequence;
    selection.query = token;
    if (core::infoOf(selection.stage).ofKeys())
        selection.key = token;
    return isOther ? selection : onCurrentSide(compared, selection);
}

/// Selects a number if the point is on a vector card, otherwise a token.
HitTestResult WordsView::placeAt(QPointF point) const {
    const core::Selection now = document().selection(), shown = selectionInTexts(document());
    const auto at = words() && words()->content().nothing.isEmpty()
                        ? WordsFigure::placeAt(geometry(), point)
                        : std::nullopt;
    if (!at)
        return {now, {}};
    const WordsContent &content = words()->content();
    const core::EncodedTexts &numbers = *content.numbers;
    const WordsCard &card = content.cards[at->card];
    if (at->isCosine) {
        // Select whichever of the two tokens is not selected yet, so that both can be reached.
        const bool isFirst = shown.sequence == numbers.sequences[0] && shown.query == at->cell.row;
        return {isFirst ? atToken(numbers.sequences[1], at->cell.column)
                        : atToken(numbers.sequences[0], at->cell.row),
                {}};
    }
    const auto token = content.tokenAt(card, at->cell.row);
    if (!token) {
        // Select the sentence's first token with this word.
        const auto text = static_cast<std::size_t>(at->cell.row);
        const std::vector<std::string> &all = numbers.tokens[text];
        const auto found =
            std::ranges::find(all, numbers.vocabulary[static_cast<std::size_t>(at->cell.column)]);
        return {found == all.end() ? now : atToken(numbers.sequences[text], found - all.begin()),
                {}};
    }
    core::Selection selection = atToken(token->first, token->second);
    if (!core::isOverWords(card.way)) {
        const std::optional<core::Index> query = selection.query;
        selection = atStage(selection, numbers.of(card.way).stage);
        selection.query = query;
        selection.dimension = at->cell.column;
    }
    return {selection, {}};
}

core::Selection WordsView::selectionOf(const HitTestResult &place) const {
    return place.selection;
}

QString WordsView::wordsAt(QPointF point) const {
    if (!words() || !words()->content().nothing.isEmpty())
        return {};
    const auto at = WordsFigure::placeAt(geometry(), inFigure(point));
    return at ? words()->words(*at) : QString();
}

QString WordsView::termAt(QPointF point) const {
    if (!words() || !words()->content().nothing.isEmpty())
        return {};
    const WordsGeometry places = geometry();
    for (std::size_t i = 0; i < places.cards.size(); ++i) {
        const WordsGeometry::Card &card = places.cards[i];
        if (card.title.contains(point))
            return termOfWriting(words()->content().cards[i].way);
        if (card.cosines.subtitle.contains(point) || card.textsCaption.contains(point))
            return QStringLiteral("cosine");
    }
    return {};
}

std::vector<QRectF> WordsView::sought() const {
    if (!words() || !words()->content().nothing.isEmpty())
        return {};
    const core::Selection now = selectionInTexts(document());
    const core::EncodedTexts &numbers = *words()->content().numbers;
    const auto text = numbers.textOf(now.sequence);
    const auto row = text && now.query ? numbers.rowOf(*text, *now.query) : std::nullopt;
    if (!row)
        return {};
    const WordsGeometry places = geometry();
    std::size_t card = 0;
    while (card + 1 < places.cards.size() &&
           !isShown(words()->content().cards[card].way, spokenOf()))
        ++card;
    const core::Index at = core::isOfWords(words()->content().cards[card].way)
                               ? *row
                               : static_cast<core::Index>(*text);
    const QRectF ofRow = places.cards[card].numbers.rowRect(at);
    // Scroll to an entire card only if the lesson's step is about this card. Otherwise the title
    // above the cards is more important.
    if (spokenOf() == core::ShownEncoding::All)
        return {ofRow};
    return {places.cards[card].rect, ofRow};
}

bool WordsView::handleKey(QKeyEvent *event) {
    (void)figure(); // the last selection may not be painted yet
    if (!words() || !words()->content().nothing.isEmpty() || event->modifiers() != Qt::NoModifier)
        return false;
    constexpr core::Index kAll = 1 << 30;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        return moveToken(-1), true;
    case Qt::Key_Right:
    case Qt::Key_Down:
        return moveToken(1), true;
    case Qt::Key_Home:
        return moveToken(-kAll), true;
    case Qt::Key_End:
        return moveToken(kAll), true;
    default:
        return false;
    }
}

void WordsView::moveToken(core::Index by) {
    const core::EncodedTexts &numbers = *words()->content().numbers;
    const core::Selection now = selectionInTexts(document());
    const auto text = numbers.textOf(now.sequence);
    const auto row = text && now.query ? numbers.rowOf(*text, *now.query) : std::nullopt;
    core::Index last = -1;
    for (std::size_t i = 0; i < numbers.tokens.size(); ++i)
        last += numbers.shownTokens(i);
    // The first key press selects the first word.
    const core::Index wanted =
        row || by < -1 || by > 1 ? std::clamp<core::Index>(row.value_or(0) + by, 0, last) : 0;
    const auto atRow = [&](core::Index each) {
        const auto [of, token] = numbers.tokenOf(each);
        return atToken(numbers.sequences[of], token);
    };
    const auto to = nearestSelectable(
        wanted, by, last + 1, [&](core::Index each) { return atRow(each).query.has_value(); });
    if (!to)
        return;
    document().select(atRow(*to));
    if (const auto *shown = static_cast<const WordsFigure *>(figure()))
        emit hovered(shown->words({0, false, {*to, 0}}));
}

} // namespace headlight::ui
