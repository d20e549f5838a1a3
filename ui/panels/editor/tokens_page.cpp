#include "ui/panels/editor/tokens_page.h"

#include "ui/panels/editor/token_list.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QResizeEvent>
#include <QVBoxLayout>

namespace headlight::ui {

TokensPage::TokensPage(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(new TokenList(document, this)),
      m_list(new QListView),
      m_word(new QLineEdit),
      m_insert(new QPushButton(tr("Insert"))),
      m_delete(new QPushButton(tr("Delete"))),
      m_left(new QPushButton(QStringLiteral("←"))),
      m_right(new QPushButton(QStringLiteral("→"))) {
    m_list->setObjectName("tokens");
    m_list->setAccessibleName(tr("Tokens of the sequence"));
    m_list->setToolTip(tr("Double-click or press F2 to change a token; drag to move it"));
    m_list->setModel(m_tokens);
    m_list->setFlow(QListView::LeftToRight);
    m_list->setWrapping(true);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setSpacing(4);
    m_list->setMovement(QListView::Static);
    m_list->setDragEnabled(true);
    m_list->setAcceptDrops(true);
    m_list->setDropIndicatorShown(true);
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_list->setTabKeyNavigation(false);
    m_list->installEventFilter(this);
    m_word->setObjectName("newToken");
    m_word->setPlaceholderText(tr("New token"));
    m_word->setAccessibleName(m_word->placeholderText());
    m_word->setToolTip(
        tr("Press Enter to insert the token before the selected one, or at the end"));
    m_insert->setObjectName("insertToken");
    m_insert->setToolTip(tr("Insert the new token before the selected one, or at the end"));
    m_insert->setAccessibleName(m_insert->text());
    m_delete->setObjectName("deleteToken");
    m_delete->setToolTip(tr("Delete the selected token (Delete)"));
    m_delete->setAccessibleName(m_delete->text());
    m_left->setObjectName("moveTokenLeft");
    m_left->setToolTip(tr("Move the token one place earlier (Alt+Left in the list)"));
    m_left->setAccessibleName(tr("Move earlier"));
    m_right->setObjectName("moveTokenRight");
    m_right->setToolTip(tr("Move the token one place later (Alt+Right in the list)"));
    m_right->setAccessibleName(tr("Move later"));

    auto *words = new QLabel(tr("A token's overrides move with it."));
    words->setObjectName("explanation");
    words->setWordWrap(true);
    auto *insert = new QHBoxLayout;
    insert->setSpacing(6);
    insert->addWidget(m_word, 1);
    insert->addWidget(m_insert);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    buttons->addWidget(m_left);
    buttons->addWidget(m_right);
    buttons->addWidget(m_delete);
    buttons->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    layout->addLayout(insert);
    layout->addWidget(words);
    layout->addStretch(0);

    connect(m_insert, &QPushButton::clicked, this, &TokensPage::insert);
    connect(m_word, &QLineEdit::returnPressed, this, &TokensPage::insert);
    connect(m_delete, &QPushButton::clicked, this, &TokensPage::remove);
    connect(m_left, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_right, &QPushButton::clicked, this, [this] { move(1); });
    connect(m_tokens, &TokenList::failed, this, &TokensPage::failed);
    connect(m_tokens, &TokenList::moved, this, &TokensPage::select, Qt::QueuedConnection);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &TokensPage::updateButtons);
    connect(m_tokens, &QAbstractItemModel::modelReset, this, &TokensPage::updateButtons);
    updateButtons();
}

void TokensPage::update() {
    if (!m_document.state().input.batch)
        return;
    const int before = current();
    m_tokens->update();
    if (before >= 0 && current() < 0)
        select(std::min(before, m_tokens->rowCount() - 1));
    updateButtons();
    fitList();
}

void TokensPage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fitList();
}

/// Limits the list to the height of its tokens, so that there is no gap above the buttons.
void TokensPage::fitList() {
    m_list->doItemsLayout();
    const QRect first = m_list->visualRect(m_tokens->index(0));
    const QRect last = m_list->visualRect(m_tokens->index(m_tokens->rowCount() - 1));
    const int line = fontMetrics().height();
    m_list->setMaximumHeight(std::max(4 * line, last.bottom() - first.top() + 2 * line));
}

int TokensPage::current() const {
    const QModelIndex index = m_list->currentIndex();
    return index.isValid() ? index.row() : -1;
}

void TokensPage::select(int token) {
    m_list->setCurrentIndex(m_tokens->index(token));
}

void TokensPage::insert() {
    const int at = current() < 0 ? m_tokens->rowCount() : current();
    if (!m_tokens->apply(
            edits::insertToken(m_document.state(), m_tokens->place(at), m_word->text())))
        return;
    // Keep the same token selected, so that the next word is inserted after this one.
    select(std::min(at + 1, m_tokens->rowCount() - 1));
    m_word->clear();
}

void TokensPage::remove() {
    if (current() >= 0)
        m_tokens->apply(edits::deleteToken(m_document.state(), m_tokens->place(current())));
}

void TokensPage::move(int by) {
    const int from = current();
    if (from < 0 || from + by < 0 || from + by >= m_tokens->rowCount())
        return;
    if (m_tokens->apply(edits::moveToken(m_document.state(), m_tokens->place(from), from + by)))
        select(from + by);
}

void TokensPage::updateButtons() {
    const int token = current();
    m_delete->setEnabled(token >= 0);
    m_left->setEnabled(token > 0);
    m_right->setEnabled(token >= 0 && token + 1 < m_tokens->rowCount());
}

bool TokensPage::eventFilter(QObject *object, QEvent *event) {
    const bool isKey =
        event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (object != m_list || !isKey)
        return QWidget::eventFilter(object, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool moves = key->modifiers() == Qt::AltModifier &&
                       (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right);
    const bool deletes = key->key() == Qt::Key_Delete;
    if (!moves && !deletes)
        return false;
    event->accept();
    if (event->type() == QEvent::KeyPress && moves)
        move(key->key() == Qt::Key_Left ? -1 : 1);
    else if (event->type() == QEvent::KeyPress)
        remove();
    return true;
}

} // namespace headlight::ui
