#include "ui/views/output_view.h"

#include "ui/compare/nearest_selectable.h"
#include "ui/document/text_generation.h"
#include "ui/text/glossary/glossary.h"
#include "ui/views/generation_bar.h"

#include <QKeyEvent>

#include <algorithm>

namespace headlight::ui {

OutputView::OutputView(Document &document, QWidget *parent)
    : FigureView(core::View::Output, document, parent),
      m_runs(new OutputRuns(document, this)),
      m_writer(new TextGeneration(document, this)),
      m_bar(new GenerationBar(*m_writer, *this)) {
    connect(&document, &Document::changed, this, &OutputView::documentChanged);
    connect(m_runs, &OutputRuns::made, this, [this] { remake(); });
    connect(m_runs, &OutputRuns::failed, this, &FigureView::failed);
    connect(m_writer, &TextGeneration::failed, this, &FigureView::failed);
    connect(m_bar, &GenerationBar::failed, this, &FigureView::failed);
    connect(m_writer, &TextGeneration::changed, this, [this] {
        if (m_writer->isWriting() && m_writer->written() == 0 && !isVisible())
            emit wanted();
    });
    showBar();
}

QList<QAction *> OutputView::writingActions() const {
    return m_bar->actions();
}

void OutputView::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event) || (is<StateChanged>(event) && !changesOnlyLesson(event)))
        showBar();
}

core::OutputRowId OutputView::place() const {
    return core::outputPlaceOf(*document().trace(), document().selectionInTrace());
}

std::unique_ptr<Figure> OutputView::makeFigure(const FigureInput &input) const {
    if (!core::hasOutput(*input.trace))
        return info().makeFigure(input);
    FigureInput from = input;
    from.output =
        m_runs->outputsOf(input.trace, input.selection, input.options.compared, !input.kept);
    std::unique_ptr<Figure> figure = info().makeFigure(from);
    if (input.kept && input.trace == document().trace() && from.output->now)
        completeWords(static_cast<OutputFigure &>(*figure), input.selection);
    return figure;
}

/// Adds to the most probable tokens the pieces that complete their words.
void OutputView::completeWords(OutputFigure &figure, const core::Selection &selection) const {
    constexpr std::size_t kCompleted = 8; // each word needs a forward pass per added piece
    const OutputContent &content = figure.content();
    if (content.about != OutputContent::About::NextToken || showsA())
        return;
    std::vector<core::Index> tokens;
    for (const OutputContent::Bar &bar : content.bars)
        if (tokens.size() < kCompleted)
            tokens.push_back(bar.word);
    figure.completeWords(m_runs->restsOf(selection, tokens));
}

OutputGeometry OutputView::geometry() const {
    return output()->geometry(figureArea());
}

void OutputView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    output()->paint(painter, figureArea(), Device::Raster);
}

QSizeF OutputView::figureSize() const {
    const int bar = m_bar->isHidden() ? 0 : m_bar->height();
    return {static_cast<double>(width()), std::max(1.0, static_cast<double>(height() - bar))};
}

void OutputView::resizeEvent(QResizeEvent *event) {
    placeBar();
    FigureView::resizeEvent(event);
}

void OutputView::showEvent(QShowEvent *event) {
    placeBar();
    FigureView::showEvent(event);
}

/// Shows the bar unless the model cannot generate text.
void OutputView::showBar() {
    const bool isWanted = m_writer->unavailableReason().isEmpty();
    if (m_bar->isHidden() == isWanted) {
        m_bar->setVisible(isWanted);
        remake();
    }
    if (isVisible()) // laying the bar out takes a tenth of the time of an edit
        placeBar();
}

void OutputView::placeBar() {
    const int high = m_bar->heightFor(width());
    m_bar->setGeometry(0, height() - high, width(), high);
}

core::Selection OutputView::atToken(core::Index token) const {
    core::Selection at = atPredictedToken(document(), token);
    const Compared compared = document().comparison().compared();
    if (compared.shown == ComparisonSide::A && compared.partners &&
        core::rowAbout(compared.a->model(), token) >= 0 &&
        !compared.a->has(core::Stage::ClassLogits)) {
        at.key.reset(); // this key is a token of A's text
        at = onCurrentSide(compared, at);
    }
    return at;
}

core::Selection OutputView::atWord(core::Index word) const {
    const Compared compared = document().comparison().compared();
    if (showsA() && compared.a && !haveSameWords(compared.a->model(), document().trace()->model()))
        return document().selection(); // the current model does not have this word
    core::Selection selection = shownSelection();
    selection.dimension = word;
    return selection;
}

HitTestResult OutputView::placeAt(QPointF point) const {
    const core::Selection &now = document().selection();
    if (!output() || !output()->content().nothing.isEmpty())
        return {now, {}};
    const OutputGeometry places = geometry();
    if (const auto chip = places.text.chipAt(point))
        return {atToken(*chip), {}};
    if (const auto row = places.bars.rowAt(point))
        return {atWord(output()->bar(places, *row).word), {}};
    return {now, {}};
}

QString OutputView::wordsAt(QPointF point) const {
    if (!output() || !document().trace() || !output()->content().nothing.isEmpty())
        return {};
    const OutputGeometry places = geometry();
    const QPointF at = inFigure(point);
    if (const auto chip = places.text.chipAt(at))
        return output()->words(*chip);
    if (const auto row = places.bars.rowAt(at))
        return output()->words(output()->bar(places, *row));
    return {};
}

QString OutputView::termAt(QPointF point) const {
    if (!output() || !output()->content().nothing.isEmpty())
        return {};
    const OutputGeometry places = geometry();
    return places.title.contains(point) || places.subtitle.contains(point)
               ? entryOf(shownSelection().stage).id
               : QString();
}

void OutputView::mouseDoubleClickEvent(QMouseEvent *event) {
    (void)figure();
    if (event->button() == Qt::LeftButton && output()) {
        const OutputGeometry places = geometry();
        if (const auto row = places.bars.rowAt(inFigure(event->position())))
            return choose(output()->bar(places, *row).word);
    }
    FigureView::mouseDoubleClickEvent(event);
}

/// True if side A's model and text are shown.
bool OutputView::showsA() const {
    return document().comparison().shown() == ComparisonSide::A;
}

/// Replaces the predicted token with the word.
void OutputView::choose(core::Index word) {
    std::vector<core::Index> rest; // completes the word if `word` is only its beginning
    for (const OutputContent::Bar &bar : output()->content().bars)
        if (bar.word == word)
            rest = bar.restIds;
    if (const core::Outcome outcome = choosePredictedWord(document(), word, rest); !outcome)
        emit failed(outcome.error());
}

bool OutputView::handleKey(QKeyEvent *event) {
    if (event->key() == Qt::Key_Escape && m_writer->isWriting())
        return m_writer->stop(), true;
    (void)figure(); // the last selection may not be painted yet
    if (!output() || !output()->content().nothing.isEmpty() || event->modifiers() != Qt::NoModifier)
        return false;
    constexpr core::Index kAll = 1 << 30;
    switch (event->key()) {
    case Qt::Key_Left:
        return goToCheckpoint(-1), true;
    case Qt::Key_Right:
        return goToCheckpoint(1), true;
    case Qt::Key_Home:
        return goToCheckpoint(-kAll), true;
    case Qt::Key_End:
        return goToCheckpoint(kAll), true;
    case Qt::Key_Up:
        return moveWord(-1), true;
    case Qt::Key_Down:
        return moveWord(1), true;
    case Qt::Key_Return:
    case Qt::Key_Enter: {
        const core::Selection at = shownSelection();
        if (at.dimension)
            choose(*at.dimension);
        return true;
    }
    default:
        return false;
    }
}

void OutputView::goToCheckpoint(core::Index by) {
    const Compared compared = document().comparison().compared();
    const ShownRun run = shownRun(document().trace(), document().selectionInTrace(), compared);
    const core::OutputRowId from = core::outputPlaceOf(*run.trace, run.selection);
    // The selection is a token of the current text, so with side A it must exist in both texts.
    const core::Index length = run.trace->batch()[from.sequence].length;
    const core::Index last =
        (compared.partners
             ? length
             : std::min((*document().state().input.batch)[place().sequence].length, length)) -
        1;
    const core::Index row = std::clamp<core::Index>(std::min(from.row, last + 1) + by, 0, last);
    const auto atRow = [this](core::Index each) {
        return atToken(core::predictedAt(document().trace()->model(), {0, each}));
    };
    // Skip rows of tokens that only A has, because they cannot be selected.
    const auto to = nearestSelectable(row, by, last + 1, [&](core::Index each) {
        return !showsA() || !compared.partners || atRow(each).query.has_value();
    });
    if (!to)
        return;
    document().select(atRow(*to));
    if (const OutputFigure *shown = static_cast<const OutputFigure *>(figure()))
        emit hovered(shown->words(shown->content().asked));
}

/// Selects another of the visible bars, `by` positions further.
void OutputView::moveWord(core::Index by) {
    const OutputGeometry places = geometry();
    const auto count = std::ssize(places.bars.rows) + (places.bars.stands ? 1 : 0);
    if (count == 0)
        return;
    const std::optional<core::Index> word = shownSelection().dimension;
    core::Index row = by > 0 ? -1 : count;
    for (core::Index i = 0; i < count; ++i)
        if (output()->bar(places, static_cast<std::size_t>(i)).word == word)
            row = i;
    row = std::clamp<core::Index>(row + by, 0, count - 1);
    const OutputContent::Bar bar = output()->bar(places, static_cast<std::size_t>(row));
    document().select(atWord(bar.word));
    emit hovered(output()->words(bar));
}

} // namespace headlight::ui
