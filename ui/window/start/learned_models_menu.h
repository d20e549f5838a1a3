// Menu of the built-in models that were trained with this program.
#pragma once

#include <QMenu>

namespace headlight::ui {

class LearnedModelsMenu : public QMenu {
    Q_OBJECT
  public:
    explicit LearnedModelsMenu(QWidget *parent);

  signals:
    /// `id` is the chosen model's id, which is also a source.
    void chosen(const QString &id);
};

} // namespace headlight::ui
