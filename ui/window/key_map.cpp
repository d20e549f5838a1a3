#include "ui/window/key_map.h"

#include "ui/text/sentences.h"
#include "ui/window/action_text.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace headlight::ui {

KeyMap::KeyMap(const QMenuBar &menus, QWidget *parent)
    : QDialog(parent), m_search(new QLineEdit), m_list(new QTreeWidget) {
    setObjectName("keyMap");
    setWindowTitle(tr("Keys"));
    m_search->setObjectName("searchKeys");
    m_search->setPlaceholderText(tr("Search for an action or a key"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setToolTip(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_list->setObjectName("keys");
    m_list->setAccessibleName(tr("Actions and their keys"));
    m_list->setColumnCount(2);
    m_list->setHeaderLabels({tr("Action"), tr("Keys")});
    m_list->setRootIsDecorated(false);
    m_list->setIndentation(12);
    m_list->setUniformRowHeights(true);
    m_list->setItemsExpandable(false);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    for (const QAction *action : menus.actions())
        if (const QMenu *menu = action->menu())
            addMenu(*menu, addSection(action->text().remove('&')));
    addKeysOfViews();
    addKeysOfWords();
    addKeysOfTable();
    m_list->expandAll();
    connect(m_search, &QLineEdit::textChanged, this, &KeyMap::find);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setIcon({}); // some desktops' styles add an icon
    buttons->button(QDialogButtonBox::Close)->setToolTip(tr("Close (Esc)"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(m_search);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
    const int line = fontMetrics().height();
    resize(QSize(34 * line, 38 * line).boundedTo(screen()->availableSize() * 0.9));
}

void KeyMap::addMenu(const QMenu &menu, QTreeWidgetItem *section, const QString &path) {
    for (const QAction *action : menu.actions()) {
        if (const QMenu *inner = action->menu())
            addMenu(*inner, section, plainText(*action));
        else if (!action->isSeparator())
            addRow(section,
                   path.isEmpty() ? plainText(*action) : labelled(path, plainText(*action)),
                   keysText(*action));
    }
}

/// Adds the keys that have no action, because a view with the focus handles them.
void KeyMap::addKeysOfViews() {
    QTreeWidgetItem *section = addSection(tr("In a view"));
    addRow(section, tr("Select the next cell"), tr("Arrow keys"));
    addRow(
        section, tr("Select the first or the last cell of the row"),
        enumerated({QKeySequence(Qt::Key_Home).toString(), QKeySequence(Qt::Key_End).toString()}));
    addRow(section, tr("Select the first or the last cell of the matrix"),
           enumerated({QKeySequence(Qt::CTRL | Qt::Key_Home).toString(),
                       QKeySequence(Qt::CTRL | Qt::Key_End).toString()}));
    addRow(section, tr("Play or stop"), QKeySequence(Qt::Key_Space).toString());
    addRow(section, tr("Zoom at the pointer"), tr("Ctrl+mouse wheel"));
    addRow(section, tr("Show the whole figure"), tr("Double click"));
    addRow(section, tr("Close-up: open the arithmetic of the selected number, and close it"),
           enumerated({tr("Double click"), QKeySequence(Qt::Key_Return).toString()}));
    addRow(section, tr("Close-up: go to the source of a number in the line below"),
           enumerated({tr("Click"), QKeySequence(Qt::CTRL | Qt::Key_Return).toString()}));
    addRow(section, tr("Whole: go to the selected stage's close-up"),
           enumerated({tr("Click"), QKeySequence(Qt::Key_Return).toString()}));
    addRow(section, tr("Model: choose another head"), tr("Arrow keys"));
    addRow(section, tr("Model: go to the head's close-up"),
           enumerated({tr("Double click"), QKeySequence(Qt::Key_Return).toString()}));
    addRow(section, tr("Model: pin or unpin the head; a pinned head stays large next to others"),
           QKeySequence(Qt::Key_P).toString());
    addRow(section, tr("Geometry: move the selected vector"), tr("Ctrl+arrow keys"));
    addRow(section, tr("Clear the selection"), QKeySequence(Qt::Key_Escape).toString());
    addRow(section, tr("Hide or show the selected cell while editing the mask"),
           QKeySequence(Qt::Key_Return).toString());
    addRow(section, tr("Go to the next control"), QKeySequence(Qt::Key_Tab).toString());
}

void KeyMap::addKeysOfWords() {
    const QString enter = QKeySequence(Qt::Key_Return).toString();
    QTreeWidgetItem *section = addSection(tr("In the words above the view"));
    addRow(section, tr("Select another word"), tr("Arrow keys"));
    addRow(section, tr("Edit the text in place, and end editing"),
           enumerated({enter, tr("Double click")}));
    addRow(section, tr("In the answer: go to another word"), tr("Arrow keys"));
    addRow(section, tr("In the answer: add the word to the text"),
           enumerated({enter, tr("Click")}));
}

void KeyMap::addKeysOfTable() {
    const QString enter = QKeySequence(Qt::Key_Return).toString();
    QTreeWidgetItem *section = addSection(tr("In the editor's table"));
    addRow(section, tr("Edit the number"),
           enumerated({QKeySequence(Qt::Key_F2).toString(), tr("Double click")}));
    addRow(section, tr("Accept the input and go down"), enter);
    addRow(section, tr("Accept the input and go up"),
           QKeySequence(Qt::SHIFT | Qt::Key_Return).toString());
    addRow(section, tr("Accept the input and go right"), QKeySequence(Qt::Key_Tab).toString());
    addRow(section, tr("Leave the table when no number is being edited"),
           QKeySequence(Qt::Key_Tab).toString());
    addRow(section, tr("Set the selected numbers to 0"), QKeySequence(Qt::Key_Delete).toString());
}

QTreeWidgetItem *KeyMap::addSection(const QString &name) {
    auto *section = new QTreeWidgetItem(m_list, {name});
    section->setFirstColumnSpanned(true);
    section->setFlags(Qt::ItemIsEnabled);
    QFont font = m_list->font();
    font.setBold(true);
    section->setFont(0, font);
    return section;
}

void KeyMap::addRow(QTreeWidgetItem *section, const QString &action, const QString &keys) {
    new QTreeWidgetItem(section, {action, keys});
}

void KeyMap::find(const QString &words) {
    for (int s = 0; s < m_list->topLevelItemCount(); ++s) {
        QTreeWidgetItem *section = m_list->topLevelItem(s);
        int found = 0;
        for (int i = 0; i < section->childCount(); ++i) {
            QTreeWidgetItem *row = section->child(i);
            const QString text = section->text(0) + ' ' + row->text(0) + ' ' + row->text(1);
            const QStringList parts = words.split(' ', Qt::SkipEmptyParts);
            const bool fits = std::all_of(parts.begin(), parts.end(), [&](const QString &part) {
                return text.contains(part, Qt::CaseInsensitive);
            });
            row->setHidden(!fits);
            found += fits ? 1 : 0;
        }
        section->setHidden(found == 0);
    }
}

} // namespace headlight::ui
