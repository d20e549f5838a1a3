#include "ui/strip/words_strip.h"

#include "core/tokenizers/word_tokenizer.h"
#include "ui/compare/nearest_selectable.h"
#include "ui/document/edits/text_edits.h"
#include "ui/text/capture_text.h"
#include "ui/text/token_names.h"
#include "ui/views/cell_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight::ui {

namespace {

constexpr double kNotch = 60;        // px per notch of the mouse wheel
constexpr double kPageShare = 0.8;   // share of the visible words
constexpr double kSmallestWord = 13; // px before scaling, of words that are to fit in one line

/// Returns the colour scale of the weights, the same as in heatmaps of attention weights.
ColourScale scaleOf(const StripContent &content, const FigureStyle &style) {
    ColourScale scale =
        content.isSigned ? ColourScale::between(style.signedMap, -content.largest, content.largest)
                         : ColourScale::between(style.weightsMap, 0, 1);
    scale.toneDown(style.isDark);
    return scale;
}

} // namespace

WordsStrip::WordsStrip(Document &document, InputSide side, QWidget *parent)
    : ItemListWidget(parent),
      m_document(document),
      m_side(side),
      m_style(FigureStyle::light()),
      m_bar(new QScrollBar(Qt::Vertical, this)) {
    setObjectName(side == InputSide::Own ? "words" : "sourceWords");
    setAccessibleName(side == InputSide::Own ? tr("Words") : tr("Words of the source"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_bar->setFocusPolicy(Qt::NoFocus); // the arrow keys scroll
    m_bar->setAccessibleName(tr("Lines of words"));
    m_bar->hide();
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) {
        setScroll({m_scroll.x(), static_cast<double>(value)});
    });
}

void WordsStrip::setContent(const StripContent &content, bool scrollsToSelection) {
    const StripSentence *shown = content.sentence(m_side);
    const StripSentence before = std::exchange(m_sentence, shown ? *shown : StripSentence());
    m_content = content;
    m_scale = scaleOf(content, m_style);
    setAccessibleDescription(content.captionText());
    const bool isOtherText = before.words != m_sentence.words && before.text() != m_sentence.text();
    if (isOtherText || before.isRead != m_sentence.isRead)
        outdate();
    else if (before.written != m_sentence.written ||
             (m_sentence.written && before.weights != m_sentence.weights))
        m_fittedFor = -1;
    if (isOtherText) {
        m_hovered.reset();
        m_scroll = {};
    } else if (scrollsToSelection && m_laidOutFor >= 0) {
        setScroll(scrollToSelection());
    }
    if (isOtherText || before.weights != m_sentence.weights || before.hidden != m_sentence.hidden)
        announceItems();
    if (before.selected != m_sentence.selected)
        announceCurrentItem();
    if (isOtherText && m_edit && !m_edit->hasFocus())
        endEdit(); // another text replaces the typed one
    update();
}

void WordsStrip::setStyle(const FigureStyle &style) {
    if (m_style == style)
        return;
    m_style = style;
    m_scale = scaleOf(m_content, style);
    outdate();
    if (m_edit)
        m_edit->setStyleSheet(
            QStringLiteral("font-size: %1px;").arg(stripWordFont(style).pixelSize()));
    update();
}

void WordsStrip::setStale(bool isStale) {
    m_isStale = isStale;
    update();
}

void WordsStrip::setRoom(StripRoom room, int maxLines) {
    if (m_room == room && m_maxLines == maxLines)
        return;
    const bool wasScrolled = m_layout.lines > std::exchange(m_maxLines, maxLines);
    if (std::exchange(m_room, room) != room || wasScrolled != (m_layout.lines > maxLines))
        m_laidOutFor = -1; // the scroll bar takes some of the width
    else if (m_laidOutFor >= 0)
        scrollTo(scrollToSelection()); // fewer lines may be visible
    update();
}

void WordsStrip::setWord(double pixels) {
    if (std::exchange(m_word, pixels) == pixels)
        return;
    m_laidOutFor = -1;
    update();
}

void WordsStrip::setHeadroom(double headroom) {
    if (m_headroom == headroom)
        return;
    m_headroom = headroom;
    m_laidOutFor = -1;
    update();
}

void WordsStrip::leaveFocusAlone() {
    setFocusPolicy(Qt::NoFocus);
}

StripSpace WordsStrip::spaceFor(int width) const {
    return {.width = std::max(1.0, width - 2 * kOutline),
            .room = m_room,
            .headroom = m_headroom,
            .hasNumbers = m_sentence.isRead,
            .word = m_word};
}

void WordsStrip::outdate() {
    m_laidOutFor = m_fittedFor = -1;
}

double WordsStrip::fittingWord(int width) {
    if (std::exchange(m_fittedFor, width) == width)
        return m_fittingWord;
    StripSpace space = spaceFor(width);
    space.room = StripRoom::Line;
    const auto layoutOf = [&](double word) {
        space.word = word;
        return stripLayoutOf(m_sentence.text(), m_style, space);
    };
    const double usual = layoutOf(kStripWord).content.width();
    const double least = std::max(kSmallestWord, m_style.minText / m_style.textScale);
    const auto largest = [&](double from, auto fits) {
        for (double pixels = std::floor(m_style.scaled(from)); pixels / m_style.textScale >= least;
             --pixels)
            if (fits(layoutOf(pixels / m_style.textScale)))
                return pixels / m_style.textScale;
        return kStripWord;
    };
    const auto isWhole = [&](const StripLayout &layout) {
        return layout.content.width() <= space.width;
    };
    m_fittingWord = kStripWord;
    if (usual > space.width) // the width is roughly proportional to the size of the words
        m_fittingWord = largest(kStripWord * space.width / usual, isWhole);
    if (m_fittingWord < kStripWord || usual <= space.width || !m_sentence.written)
        return m_fittingWord;
    // Appending a word moves the text anyway. Choose a size at which the words that predicted it
    // are visible.
    const std::vector<core::Index> words = wordsToSee();
    return m_fittingWord = largest(kStripWord, [&](const StripLayout &layout) {
               const double wide = space.width - 2 * std::round(kStripArrow * layout.chipHeight);
               return std::ranges::all_of(words, [&](core::Index word) {
                   return layout.together(words, wide)
                       .contains(layout.chips[static_cast<std::size_t>(word)].rect);
               });
           });
}

void WordsStrip::layOut(int width) {
    if (m_laidOutFor == width)
        return;
    m_laidOutFor = width;
    StripSpace space = spaceFor(width);
    m_layout = stripLayoutOf(m_sentence.text(), m_style, space);
    if (m_room == StripRoom::Lines && m_layout.lines > m_maxLines) {
        space.width -= m_bar->sizeHint().width();
        m_layout = stripLayoutOf(m_sentence.text(), m_style, space);
    }
    if (m_sentence.text().isRightToLeft && m_room == StripRoom::Line) // begins on the right
        m_scroll.setX(std::max(0.0, m_layout.content.width() - space.width));
    scrollTo(scrollToSelection()); // scrolling may have been requested before there was a layout
}

int WordsStrip::heightFor(int width) {
    layOut(width);
    // Outlines below the words extend over their weights, or need extra space.
    const double below = m_layout.numberHeight > 0 ? 0 : kOutline;
    return static_cast<int>(std::ceil(kOutline + m_layout.heightOf(m_maxLines) + below));
}

const StripLayout &WordsStrip::layoutNow() {
    layOut(width());
    return m_layout;
}

QSizeF WordsStrip::sight() const {
    return {std::max(1.0, m_laidOutFor - 2 * kOutline), m_layout.heightOf(m_maxLines)};
}

/// Scrolls without emitting scrolled().
void WordsStrip::scrollTo(QPointF scroll) {
    const QSizeF more = m_layout.content - sight();
    m_scroll = QPointF(std::clamp(scroll.x(), 0.0, std::max(0.0, more.width())),
                       std::clamp(scroll.y(), 0.0, std::max(0.0, more.height())));
    const bool isScrolled = m_room == StripRoom::Lines && more.height() > 0;
    m_bar->setVisible(isScrolled);
    if (isScrolled) {
        const QSignalBlocker blocked(m_bar);
        m_bar->setRange(0, static_cast<int>(std::ceil(more.height())));
        m_bar->setSingleStep(static_cast<int>(m_layout.lineStep));
        m_bar->setPageStep(static_cast<int>(m_layout.heightOf(m_maxLines)));
        m_bar->setValue(static_cast<int>(m_scroll.y()));
    }
}

void WordsStrip::setScroll(QPointF scroll) {
    const QPointF before = m_scroll;
    scrollTo(scroll);
    if (m_scroll != before) {
        update();
        emit scrolled();
    }
}

std::vector<core::Index> WordsStrip::wordsToSee() const {
    std::vector<core::Index> words;
    for (const auto &word : {m_sentence.selected, m_sentence.written, m_sentence.pointed})
        if (word)
            words.push_back(*word);
    if (const auto largest = largestWeight())
        words.push_back(*largest);
    return words;
}

QPointF WordsStrip::scrollToSelection() const {
    QPointF to = scrollToWords();
    if (m_room != StripRoom::Line || !m_sentence.selected)
        return to;
    // Keeps the selected word clear of the arrows and of the words at the ends.
    const QRectF &word = m_layout.chips[static_cast<std::size_t>(*m_sentence.selected)].rect;
    const double before = moreAt(0, to).right(), after = moreAt(1, to).width();
    const double right = word.right() + after - sight().width();
    if (word.left() - to.x() < before)
        to.setX(word.left() - before);
    else if (right > to.x())
        to.setX(right);
    return to;
}

QPointF WordsStrip::scrollToWords() const {
    const std::vector<core::Index> words = wordsToSee();
    const bool isLine = m_room == StripRoom::Line;
    if (words.empty() || (!isLine && !m_sentence.selected && !m_sentence.pointed))
        return m_scroll;
    if (!isLine)
        return m_layout.seen(words.front(), m_scroll, sight());
    const double arrow = std::round(kStripArrow * m_layout.chipHeight);
    const QPointF to = m_layout.seenTogether(words, m_scroll, sight(), arrow);
    // Begins with a whole word next to the arrow, if all of `words` stay visible.
    const auto cut = std::ranges::find_if(
        m_layout.chips, [&](const auto &chip) { return chip.rect.right() > to.x() + arrow; });
    if (to.x() <= 0 || m_sentence.text().isRightToLeft || cut == m_layout.chips.end())
        return to;
    const double left = std::max(0.0, cut->rect.left() - arrow - kOutline);
    const double right = m_layout.together(words, sight().width() - 2 * arrow).right();
    return left < to.x() && right <= left + sight().width() - arrow ? QPointF(left, to.y()) : to;
}

QRectF WordsStrip::wordRect(core::Index word) {
    return layoutNow().chips[static_cast<std::size_t>(word)].rect.translated(-offset());
}

std::optional<core::Index> WordsStrip::wordAt(QPointF point) {
    if (moreAt(0).contains(point) || moreAt(1).contains(point))
        return std::nullopt;
    return layoutNow().wordAt(point + offset());
}

void WordsStrip::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    layOut(width());
    const int wide = m_bar->sizeHint().width();
    m_bar->setGeometry(width() - wide, 0, wide, height());
    placeEdit();
    setScroll(m_scroll);
}

// Selecting

void WordsStrip::select(core::Index word) {
    if (!m_document.trace() || word < 0 || word >= wordCount())
        return;
    const Compared compared = m_document.comparison().compared();
    m_document.select(onCurrentSide(
        compared,
        selectionAtWord(*m_document.trace(), onShownSide(compared, m_document.selectionInTrace()),
                        m_side, word)));
    emit chosen();
}

bool WordsStrip::canSelect(const Compared &compared, core::Index word) const {
    const std::size_t text = m_side == InputSide::Source ? core::TokenPartners::kSourceText
                                                         : core::TokenPartners::kMainText;
    return compared.shown != ComparisonSide::A || !compared.partners ||
           !compared.partners->has(text) || compared.partners->inNow(text, word);
}

void WordsStrip::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    for (const int end : {0, 1}) {
        if (const auto weight = weightAtEnd(end);
            weight && weight->second.contains(event->position()))
            return setScroll(m_layout.seen(weight->first, m_scroll, sight()));
        if (moreAt(end).contains(event->position()))
            return setScroll(m_scroll +
                             QPointF((end == 0 ? -1 : 1) * kPageShare * sight().width(), 0));
    }
    if (const auto word = wordAt(event->position())) {
        select(*word);
        emit hovered(hoverText(*word)); // the description depends on the selected row
    }
}

void WordsStrip::mouseDoubleClickEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && focusPolicy() != Qt::NoFocus)
        edit();
}

QString WordsStrip::hoverText(core::Index word) const {
    const core::TracePointer &trace = m_document.trace();
    if (!trace)
        return {};
    const core::Selection &at = m_content.place;
    const StripSentence *asking = m_content.sentence(
        sideOf(at.stack) == InputSide::Source ? InputSide::Source : InputSide::Own);
    if (!m_sentence.weights.empty() && asking && asking->selected)
        return cellText(*trace, at, m_document.comparison().compared(), *asking->selected, word);
    return word < wordCount() ? m_content.wordText(m_side, word) : QString();
}

void WordsStrip::hover(std::optional<core::Index> word) {
    if (word == m_hovered)
        return;
    m_hovered = word;
    update();
    emit hovered(word ? hoverText(*word) : QString());
}

void WordsStrip::mouseMoveEvent(QMouseEvent *event) {
    hover(wordAt(event->position()));
}

void WordsStrip::leaveEvent(QEvent *) {
    hover({});
}

void WordsStrip::wheelEvent(QWheelEvent *event) {
    const QPointF by = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) * kNotch / 120
                                                    : QPointF(event->pixelDelta());
    const bool isLine = m_room == StripRoom::Line;
    const double most = std::abs(by.x()) > std::abs(by.y()) ? by.x() : by.y();
    const QPointF before = m_scroll;
    setScroll(m_scroll - (isLine ? QPointF(most, 0) : QPointF(0, by.y())));
    event->setAccepted(m_scroll != before);
    if (m_scroll != before)
        hover(wordAt(event->position()));
}

bool WordsStrip::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto word = wordAt(help->pos());
        const QString words = word ? hoverText(*word) : QString();
        if (words.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), words, this);
        return true;
    }
    return QWidget::event(event);
}

// Keys

/// Moves the selected row with the arrow keys, Home and End. Left and Right follow the order on
/// screen, even in a right-to-left text.
bool WordsStrip::moveBy(const QKeyEvent &event) {
    if (event.modifiers() & ~(Qt::KeypadModifier) || wordCount() == 0)
        return false;
    const auto selected = m_sentence.selected ? m_sentence.selected : m_sentence.pointed;
    const core::Index at = selected.value_or(0), last = wordCount() - 1;
    const core::Index forward = m_sentence.text().isRightToLeft ? -1 : 1;
    core::Index to = at;
    switch (event.key()) {
    case Qt::Key_Left:
        to = at - forward;
        break;
    case Qt::Key_Right:
        to = at + forward;
        break;
    case Qt::Key_Home:
        to = 0;
        break;
    case Qt::Key_End:
        to = last;
        break;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int up = event.key() == Qt::Key_Up ? 1 : -1;
        const int line = layoutNow().chips[static_cast<std::size_t>(at)].line - up;
        if (line < 0 || line >= m_layout.lines) {
            emit leftAt(-up);
            return true;
        }
        to = m_layout.wordAbove(at, up);
        break;
    }
    default:
        return false;
    }
    to =
        selected ? std::clamp<core::Index>(to, 0, last) : 0; // the first key selects the first word
    const Compared compared = m_document.comparison().compared();
    if (const auto word = nearestSelectable(to, to < at ? -1 : 1, last + 1, [&](core::Index each) {
            return canSelect(compared, each);
        }))
        select(*word);
    if (m_sentence.selected)
        emit hovered(hoverText(*m_sentence.selected));
    return true;
}

void WordsStrip::keyPressEvent(QKeyEvent *event) {
    if (moveBy(*event))
        return;
    const bool isPlain = !(event->modifiers() & ~Qt::KeypadModifier);
    if (isPlain && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter ||
                    event->key() == Qt::Key_F2))
        return edit();
    core::Selection selection = m_document.selection();
    if (isPlain && event->key() == Qt::Key_Escape && (selection.query || selection.key)) {
        selection.query.reset();
        selection.key.reset();
        return m_document.select(selection);
    }
    QWidget::keyPressEvent(event);
}

void WordsStrip::focusInEvent(QFocusEvent *event) {
    QWidget::focusInEvent(event);
    announceCurrentItem();
    update();
}

void WordsStrip::focusOutEvent(QFocusEvent *event) {
    QWidget::focusOutEvent(event);
    update();
}

// Editing

void WordsStrip::edit() {
    if (m_document.isCapture())
        return emit refused(readOnlyReason());
    const core::Input &input = m_document.state().input;
    const core::BatchPointer &batch = m_side == InputSide::Own ? input.batch : input.source;
    const core::Index sequence = m_document.selection().sequence;
    if (m_edit || !batch || sequence >= batch->count())
        return;
    m_edit = new QLineEdit(shownTextOf((*batch)[sequence]), this);
    m_edit->setObjectName("wordsEdit");
    m_edit->setAccessibleName(m_side == InputSide::Own ? tr("Text") : tr("Text of the source"));
    m_edit->setToolTip(tr("Attention is updated as you type; Enter or Esc ends editing"));
    m_edit->setMaxLength(static_cast<int>(core::kMaxTextBytes)); // Qt cuts silently at 32767
    m_edit->setStyleSheet(
        QStringLiteral("font-size: %1px;").arg(stripWordFont(m_style).pixelSize()));
    m_gesture = m_document.newGesture();
    m_isRefused = false;
    m_edit->installEventFilter(this);
    connect(m_edit, &QLineEdit::textEdited, this, &WordsStrip::typeText);
    connect(m_edit, &QLineEdit::editingFinished, this, &WordsStrip::finishEdit);
    placeEdit();
    m_edit->show();
    m_edit->setFocus(Qt::OtherFocusReason);
    m_edit->selectAll();
}

/// Places the line edit over the first line of words.
void WordsStrip::placeEdit() {
    if (!m_edit)
        return;
    m_edit->ensurePolished();
    const StripLayout &layout = layoutNow();
    const int high =
        std::max(m_edit->sizeHint().height(), static_cast<int>(layout.chipHeight + 2 * kOutline));
    const int top = static_cast<int>(layout.headroom);
    m_edit->setGeometry(0, std::max(0, std::min(top, height() - high)), width(),
                        std::min(height(), high));
}

void WordsStrip::type(QKeyEvent &event) {
    edit();
    if (m_edit)
        QCoreApplication::sendEvent(m_edit, &event);
}

void WordsStrip::typeText(const QString &text) {
    const core::Outcome outcome = m_document.apply(
        edits::setText(m_document.state(), m_document.textId(m_side), text), m_gesture);
    m_isRefused = !outcome;
    if (outcome)
        emit succeeded();
    else
        emit failed(outcome.error());
}

QString WordsStrip::typedText() const {
    return m_edit ? m_edit->text() : QString();
}

/// Keeps rejected text, so that the user can correct it.
void WordsStrip::finishEdit() {
    if (m_edit && m_isRefused)
        typeText(m_edit->text()); // shows the error again
    else
        endEdit();
}

void WordsStrip::endEdit() {
    m_isRefused = false;
    QLineEdit *edit = std::exchange(m_edit, nullptr);
    if (!edit)
        return;
    const bool hadFocus = edit->hasFocus();
    edit->hide();
    edit->setObjectName({});
    edit->deleteLater(); // it may be sending the signal
    emit succeeded();    // an error about rejected text no longer applies
    if (hadFocus)
        setFocus(Qt::OtherFocusReason);
}

bool WordsStrip::eventFilter(QObject *object, QEvent *event) {
    if (object == m_edit &&
        (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress)) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        // A line edit passes Enter on to its parent, which would open a new line edit.
        const bool ends = key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter;
        if (ends) {
            event->accept();
            if (event->type() == QEvent::KeyPress)
                key == Qt::Key_Escape ? endEdit() : finishEdit();
            return true;
        }
    }
    return ItemListWidget::eventFilter(object, event);
}

// For screen readers

int WordsStrip::itemCount() const {
    return static_cast<int>(wordCount());
}

QString WordsStrip::itemName(int index) const {
    return m_content.wordText(m_side, index);
}

QRect WordsStrip::itemRect(int index) const {
    if (m_laidOutFor < 0 || index < 0 || index >= itemCount())
        return {};
    return m_layout.chips[static_cast<std::size_t>(index)]
        .rect.translated(-offset())
        .toAlignedRect();
}

int WordsStrip::currentItem() const {
    const auto word = m_sentence.selected ? m_sentence.selected : m_sentence.pointed;
    return word ? static_cast<int>(*word) : -1;
}

void WordsStrip::pressItem(int index) {
    select(index);
}

} // namespace headlight::ui
