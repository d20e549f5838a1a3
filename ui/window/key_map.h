// Searchable list of all actions of the window with their keys, built from the menus.
#pragma once

#include <QDialog>

class QLineEdit;
class QMenu;
class QMenuBar;
class QTreeWidget;
class QTreeWidgetItem;

namespace headlight::ui {

class KeyMap : public QDialog {
    Q_OBJECT
  public:
    explicit KeyMap(const QMenuBar &menus, QWidget *parent);

  private:
    /// `path`: title of a submenu; empty for a menu of the menu bar.
    void addMenu(const QMenu &menu, QTreeWidgetItem *section, const QString &path = {});
    void addKeysOfViews();
    void addKeysOfWords();
    void addKeysOfTable();
    void addRow(QTreeWidgetItem *section, const QString &action, const QString &keys);
    QTreeWidgetItem *addSection(const QString &name);
    void find(const QString &words);

    QLineEdit *m_search;
    QTreeWidget *m_list;
};

} // namespace headlight::ui
