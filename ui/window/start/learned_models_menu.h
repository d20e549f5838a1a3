// The models that learned here, to be opened.
#pragma once

#include <QMenu>

namespace headlight::ui {

class LearnedModelsMenu : public QMenu {
    Q_OBJECT
  public:
    explicit LearnedModelsMenu(QWidget *parent);

  signals:
    /// Its id, which is a source.
    void chosen(const QString &id);
};

} // namespace headlight::ui
