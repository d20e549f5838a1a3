// Every action of the window with its keys, made from the menus themselves; searchable.
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
    /// `path`: the submenu that the actions stand in, with a colon; empty in the menu itself.
    void addMenu(const QMenu &menu, QTreeWidgetItem *section, const QString &path = {});
    void addKeysOfViews();
    void addKeysOfTable();
    void addRow(QTreeWidgetItem *section, const QString &action, const QString &keys);
    QTreeWidgetItem *addSection(const QString &name);
    void find(const QString &words);

    QLineEdit *m_search;
    QTreeWidget *m_list;
};

} // namespace headlight::ui
