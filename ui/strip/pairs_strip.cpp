#include "ui/strip/pairs_strip.h"

#include "core/tokenizers/word_tokenizer.h"
#include "ui/document/edits/pair_edits.h"
#include "ui/figures/text/text.h"
#include "ui/strip/strip_content.h"
#include "ui/text/token_names.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight::ui {

namespace {

constexpr double kNotchOfPairs = 60; // px per notch of the mouse wheel
constexpr double kPairsTitleGap = 8; // px between the titles and the tokens
constexpr double kPairsMargin = 3;   // px above and below the rows, for outlines
constexpr int kCloseSide = 20;       // px

} // namespace

PairsStrip::PairsStrip(Document &document, QWidget *parent)
    : ItemListWidget(parent),
      m_document(document),
      m_style(FigureStyle::light()),
      m_close(new QToolButton(this)) {
    setObjectName("pairs");
    setAccessibleName(tr("Words of both texts"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_close->setObjectName("stopComparing");
    m_close->setText(QStringLiteral("×"));
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Stop comparing"));
    m_close->setToolTip(tr("Stop comparing with this text (Compare → Unpin A)"));
    connect(m_close, &QToolButton::clicked, this, [this] {
        endEdit();
        m_document.comparison().unpin();
    });
}

// Content

void PairsStrip::read() {
    const Comparison &comparison = m_document.comparison();
    const core::TokenPartnersPointer partners = comparison.partners();
    m_isComputing = comparison.hasA() && (!partners || comparison.isComputing());
    m_isByPosition = !partners || partners->isByPosition();
    const core::AlignedText *text = partners ? &partners->texts().back() : nullptr;
    if (text ? m_text != *text : m_text && !comparison.hasA()) {
        const auto current = m_current ? std::optional(m_layout.columns[*m_current]) : std::nullopt;
        m_text = text ? std::optional(*text) : std::nullopt;
        m_layout = m_text ? pairsLayoutOf(*m_text, m_style) : PairsLayout();
        m_hovered.reset();
        m_dragged.reset();
        m_current.reset();
        if (current && current->now)
            m_current = m_layout.columnOf(*current->now);
        announceItems();
    }
    m_close->setVisible(comparison.hasA());
    followSelection();
    setScroll(m_scroll);
    update();
}

void PairsStrip::setStyle(const FigureStyle &style) {
    if (m_style == style)
        return;
    m_style = style;
    if (m_text)
        m_layout = pairsLayoutOf(*m_text, m_style);
    setScroll(m_scroll);
    placeEdit();
    update();
}

bool PairsStrip::isWanted() const {
    const Comparison &comparison = m_document.comparison();
    if (m_edit)
        return true;
    return comparison.hasA() &&
           (comparison.followsDocument() || (comparison.a() && comparison.a()->text) ||
            (m_text && !m_isByPosition));
}

InputSide PairsStrip::side() const {
    return m_text ? sideOf(m_text->stack) : InputSide::Own;
}

/// Goes to the column of the selected token.
void PairsStrip::followSelection() {
    const core::Selection &at = m_document.selection();
    const bool isAsking = sideOf(at.stack) == side();
    const std::optional<core::Index> token = isAsking ? at.query : at.key;
    const auto column = token ? m_layout.columnOf(*token) : std::nullopt;
    if (!column || column == m_current)
        return;
    m_current = column;
    showCurrent();
    announceCurrentItem();
}

// Geometry

int PairsStrip::neededHeight() const {
    const double chip =
        std::ceil(lineHeight(m_style.font(FigureStyle::Text::Body)) + m_style.scaled(6));
    const double rows = m_text ? m_layout.height() : chip;
    const double edited = m_edit ? std::max(0.0, m_edit->sizeHint().height() - chip) : 0;
    return static_cast<int>(std::ceil(rows + edited + 2 * kPairsMargin));
}

QRectF PairsStrip::tokensArea() const {
    const QFont font = m_style.font(FigureStyle::Text::Label);
    const double titles =
        std::ceil(std::max(textWidth(tr("current"), font), textWidth(tr("A"), font)) +
                  m_style.scaled(kPairsTitleGap));
    const double close = m_close->isVisibleTo(this) ? kCloseSide + 4 : 0;
    return {titles, kPairsMargin, std::max(1.0, width() - titles - close),
            std::max(1.0, height() - 2 * kPairsMargin)};
}

QPointF PairsStrip::inContent(QPointF point) const {
    return point - tokensArea().topLeft() + QPointF(m_scroll, 0);
}

QRectF PairsStrip::chipRect(Token token) const {
    return m_layout.chip(token).translated(tokensArea().topLeft() - QPointF(m_scroll, 0));
}

std::optional<PairsLayout::Token> PairsStrip::tokenAt(QPointF point) const {
    return tokensArea().contains(point) ? m_layout.tokenAt(inContent(point)) : std::nullopt;
}

void PairsStrip::setScroll(double scroll) {
    m_scroll = std::clamp(scroll, 0.0, std::max(0.0, m_layout.width - tokensArea().width()));
    update();
}

void PairsStrip::showCurrent() {
    if (!m_current)
        return;
    const PairsLayout::Column &column = m_layout.columns[*m_current];
    const double wide = tokensArea().width(), around = 2 * column.width;
    if (column.left - m_scroll < 0)
        setScroll(column.left - around);
    else if (column.left + column.width - m_scroll > wide)
        setScroll(column.left + column.width + around - wide);
}

void PairsStrip::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_close->setGeometry(width() - kCloseSide, static_cast<int>(kPairsMargin), kCloseSide,
                         kCloseSide);
    setScroll(m_scroll);
    placeEdit();
}

// Names

std::optional<core::Index> PairsStrip::indexOf(Token token) const {
    const PairsLayout::Column &column = m_layout.columns[token.column];
    return token.isOfA ? column.a : column.now;
}

QString PairsStrip::nameOf(Token token) const {
    const auto index = indexOf(token);
    const std::vector<std::string> &tokens = token.isOfA ? m_text->a : m_text->now;
    return index ? tokenText(tokens[static_cast<std::size_t>(*index)]) : QString();
}

QString PairsStrip::itemName(int index) const {
    if (!m_text || index < 0 || index >= itemCount())
        return {};
    const auto column = static_cast<std::size_t>(index);
    const QString now = nameOf({column, false}), a = nameOf({column, true});
    if (m_layout.columns[column].isPair())
        return tr("%1, partner in A: %2").arg(now, a);
    return m_layout.columns[column].now ? tr("%1, no partner in A").arg(now)
                                        : tr("%1, only in A").arg(a);
}

QRect PairsStrip::itemRect(int index) const {
    if (index < 0 || index >= itemCount())
        return {};
    const auto column = static_cast<std::size_t>(index);
    return chipRect({column, false}).united(chipRect({column, true})).toAlignedRect();
}

int PairsStrip::currentItem() const {
    return m_current ? static_cast<int>(*m_current) : -1;
}

// Selecting

void PairsStrip::pressItem(int index) {
    if (index >= 0 && index < itemCount())
        setCurrent(static_cast<std::size_t>(index));
}

/// Goes to a column and selects the current text's token in it.
void PairsStrip::setCurrent(std::size_t column) {
    m_current = column;
    showCurrent();
    announceCurrentItem();
    update();
    const auto now = m_layout.columns[column].now;
    if (now && m_document.trace())
        m_document.select(
            selectionAtWord(*m_document.trace(), m_document.selectionInTrace(), side(), *now));
}

void PairsStrip::mousePressEvent(QMouseEvent *event) {
    const auto token = tokenAt(event->position());
    if (event->button() != Qt::LeftButton || !token)
        return QWidget::mousePressEvent(event);
    if (event->modifiers().testFlag(Qt::ControlModifier) && m_current) {
        pair({*m_current, !token->isOfA}, *token);
        return;
    }
    m_dragged = indexOf(*token) ? token : std::nullopt;
    m_mouse = event->position();
    setCurrent(token->column);
}

void PairsStrip::mouseMoveEvent(QMouseEvent *event) {
    m_mouse = event->position();
    const auto token = tokenAt(m_mouse);
    if (m_dragged)
        update();
    if (token == m_hovered)
        return;
    m_hovered = token;
    update();
    emit hovered(token ? itemName(static_cast<int>(token->column)) : QString());
}

void PairsStrip::mouseReleaseEvent(QMouseEvent *event) {
    const auto from = std::exchange(m_dragged, std::nullopt);
    const auto to = tokenAt(event->position());
    update();
    if (from && to && from->column != to->column)
        pair(*from, *to);
}

void PairsStrip::mouseDoubleClickEvent(QMouseEvent *event) {
    m_dragged.reset();
    const auto token = tokenAt(event->position());
    if (event->button() == Qt::LeftButton && (!token || token->isOfA))
        edit();
}

void PairsStrip::wheelEvent(QWheelEvent *event) {
    const QPointF by = event->pixelDelta().isNull()
                           ? QPointF(event->angleDelta()) * kNotchOfPairs / 120
                           : QPointF(event->pixelDelta());
    const double before = m_scroll;
    setScroll(m_scroll - (std::abs(by.x()) > std::abs(by.y()) ? by.x() : by.y()));
    event->setAccepted(m_scroll != before);
}

void PairsStrip::leaveEvent(QEvent *) {
    m_hovered.reset();
    update();
    emit hovered({});
}

bool PairsStrip::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto token = tokenAt(help->pos());
        if (!token)
            QToolTip::hideText();
        else
            QToolTip::showText(
                help->globalPos(),
                tr("%1. Drag a word to its partner to pair them, or press Delete to separate them")
                    .arg(itemName(static_cast<int>(token->column))),
                this);
        return true;
    }
    return ItemListWidget::event(event);
}

// Pairing

void PairsStrip::apply(core::Result<Change> made) {
    if (const core::Outcome outcome = m_document.apply(std::move(made)); !outcome)
        emit failed(outcome.error());
    else
        emit succeeded();
}

bool PairsStrip::pair(Token one, Token other) {
    if (!m_text || one.isOfA == other.isOfA)
        return false;
    const auto now = indexOf(one.isOfA ? other : one), a = indexOf(one.isOfA ? one : other);
    if (!now || !a)
        return false;
    const core::AlignedText text = *m_text;
    pairIn(text, {*now, *a});
    return true;
}

/// Makes the two tokens partners and goes to them, unless other texts have arrived.
void PairsStrip::pairIn(const core::AlignedText &text, const core::AlignedPair &wanted) {
    apply(edits::pairTokens(m_document.state(), text, wanted));
    if (!m_text || m_text->now != text.now || m_text->a != text.a)
        return;
    if (const auto column = m_layout.columnOf(wanted.now))
        setCurrent(*column);
}

void PairsStrip::separate(std::size_t column) {
    if (!m_text || !m_layout.columns[column].isPair())
        return;
    const core::AlignedText text = *m_text;
    apply(edits::separateToken(m_document.state(), text, *m_layout.columns[column].now));
}

/// Pairs the current token with the next token of the other text in this direction. A token that is
/// only in A gets a partner in the current text.
void PairsStrip::movePartner(int direction) {
    if (!m_text || !m_current)
        return;
    const PairsLayout::Column column = m_layout.columns[*m_current];
    const bool isOfNow = column.now.has_value();
    std::optional<core::Index> other;
    if (column.isPair()) {
        other = *column.a + direction;
        if (*other < 0 || *other >= std::ssize(m_text->a))
            return;
    } else {
        other = m_layout.nearest(*m_current, isOfNow, direction);
    }
    if (!other)
        return;
    const core::AlignedPair wanted =
        isOfNow ? core::AlignedPair{*column.now, *other} : core::AlignedPair{*other, *column.a};
    const core::AlignedText text = *m_text;
    pairIn(text, wanted);
}

void PairsStrip::fillMenu(QMenu &menu, std::optional<Token> token) {
    if (m_text) {
        // Another text may arrive while the menu is open, so the actions keep this text.
        const core::AlignedText text = *m_text;
        if (token) {
            const Token other{m_current.value_or(token->column), !token->isOfA};
            const auto now = indexOf(token->isOfA ? other : *token),
                       a = indexOf(token->isOfA ? *token : other);
            if (other.column != token->column && now && a)
                menu.addAction(
                    tr("&Pair “%1” with “%2”").arg(nameOf(other), nameOf(*token)), this,
                    [this, text, wanted = core::AlignedPair{*now, *a}] { pairIn(text, wanted); });
            const PairsLayout::Column &column = m_layout.columns[token->column];
            if (column.isPair())
                menu.addAction(
                    tr("&Separate “%1” from “%2”")
                        .arg(nameOf({token->column, false}), nameOf({token->column, true})),
                    this, [this, text, separated = *column.now] {
                        apply(edits::separateToken(m_document.state(), text, separated));
                    });
        }
        QAction *again = menu.addAction(tr("Pair &automatically"), this, [this, text] {
            apply(edits::alignAgain(m_document.state(), text));
        });
        again->setEnabled(edits::hasOwnPairs(m_document.state(), text));
    }
    menu.addAction(tr("&Edit the text of A"), this, &PairsStrip::edit);
    menu.addAction(m_close->accessibleName(), m_close, &QToolButton::click)
        ->setEnabled(m_document.comparison().hasA());
}

void PairsStrip::contextMenuEvent(QContextMenuEvent *event) {
    QMenu menu(this);
    const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
    fillMenu(menu, isByKey ? m_current ? std::optional(Token{*m_current, true}) : std::nullopt
                           : tokenAt(event->pos()));
    menu.exec(event->globalPos());
}

// Keys

void PairsStrip::keyPressEvent(QKeyEvent *event) {
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const bool isPlain = modifiers == Qt::NoModifier;
    const auto last = static_cast<std::ptrdiff_t>(m_layout.columns.size()) - 1;
    const auto goTo = [&](std::ptrdiff_t column) {
        if (last < 0)
            return;
        setCurrent(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(column, 0, last)));
        emit hovered(itemName(currentItem()));
    };
    const std::ptrdiff_t current = m_current ? static_cast<std::ptrdiff_t>(*m_current) : -1;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int direction = event->key() == Qt::Key_Left ? -1 : 1;
        if (modifiers == Qt::ShiftModifier)
            return movePartner(direction);
        if (isPlain)
            return goTo(current + direction);
        break;
    }
    case Qt::Key_Home:
        if (isPlain)
            return goTo(0);
        break;
    case Qt::Key_End:
        if (isPlain)
            return goTo(last);
        break;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (isPlain && m_current)
            return separate(*m_current);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F2:
        if (isPlain)
            return edit();
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void PairsStrip::focusInEvent(QFocusEvent *event) {
    QWidget::focusInEvent(event);
    announceCurrentItem();
    update();
}

void PairsStrip::focusOutEvent(QFocusEvent *event) {
    QWidget::focusOutEvent(event);
    update();
}

// The text of A

void PairsStrip::edit() {
    const Comparison &comparison = m_document.comparison();
    const bool hasOwn = comparison.a() && !comparison.isAblated();
    const core::Input &input = hasOwn ? comparison.a()->state.input : m_document.state().input;
    const core::BatchPointer &batch = input.source ? input.source : input.batch;
    const core::Index sequence =
        hasOwn ? comparison.sequenceOfA() : m_document.selection().sequence;
    if (m_edit || !batch || sequence >= batch->count())
        return;
    m_edit = new QLineEdit(hasOwn && comparison.a()->text ? *comparison.a()->text
                                                          : shownTextOf((*batch)[sequence]),
                           this);
    m_edit->setObjectName("textOfA");
    m_edit->setAccessibleName(tr("Text of A"));
    m_edit->setPlaceholderText(tr("The text to compare with"));
    m_edit->setToolTip(tr("The comparison is updated as you type; Enter or Esc ends editing"));
    m_edit->setMaxLength(static_cast<int>(core::kMaxTextBytes)); // Qt cuts silently at 32767
    m_isRefused = m_isTaken = false;
    m_edit->installEventFilter(this);
    connect(m_edit, &QLineEdit::textEdited, this, &PairsStrip::typeText);
    connect(m_edit, &QLineEdit::editingFinished, this, [this] {
        if (!m_isRefused) // keep rejected text, so that the user can correct it
            endEdit();
    });
    emit heightChanged();
    placeEdit();
    m_edit->show();
    m_edit->setFocus(Qt::OtherFocusReason);
    m_edit->selectAll();
}

/// Places the line edit over the row of A.
void PairsStrip::placeEdit() {
    if (!m_edit)
        return;
    m_edit->ensurePolished();
    const QRectF area = tokensArea();
    const int high = std::min(height(), m_edit->sizeHint().height());
    m_edit->setGeometry(static_cast<int>(area.left()), height() - high,
                        static_cast<int>(area.width()), high);
}

void PairsStrip::typeText(const QString &text) {
    const core::Outcome outcome = m_document.comparison().setTextOfA(text);
    m_isTaken = outcome.ok();
    m_isRefused = !m_isTaken;
    if (outcome)
        emit succeeded();
    else
        emit failed(outcome.error());
}

/// Sets A's text, even if the user has not changed it in the line edit.
void PairsStrip::finishEdit() {
    if (!m_isTaken)
        typeText(m_edit->text());
    if (m_isTaken)
        endEdit();
}

void PairsStrip::endEdit() {
    QLineEdit *edit = std::exchange(m_edit, nullptr);
    if (!edit)
        return;
    m_isRefused = false;
    const bool hadFocus = edit->hasFocus();
    edit->hide();
    edit->setObjectName({});
    edit->deleteLater(); // it may be sending the signal
    emit succeeded();    // an error about rejected text no longer applies
    emit heightChanged();
    if (hadFocus)
        setFocus(Qt::OtherFocusReason);
}

bool PairsStrip::eventFilter(QObject *object, QEvent *event) {
    if (object == m_edit &&
        (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress)) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter) {
            event->accept();
            if (event->type() == QEvent::KeyPress)
                key == Qt::Key_Escape ? endEdit() : finishEdit();
            return true;
        }
    }
    return ItemListWidget::eventFilter(object, event);
}

} // namespace headlight::ui
