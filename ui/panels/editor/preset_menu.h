// Menu that replaces a matrix: identity, zero, random with the displayed seed, shuffled,
// transposed, multiplied.
#pragma once

#include "core/tensor/matrix.h"

#include <QMenu>

#include <functional>

class QLineEdit;
class QSpinBox;

namespace headlight::ui {

class NumberTable;

class PresetMenu : public QMenu {
    Q_OBJECT
  public:
    explicit PresetMenu(NumberTable &table, QWidget *parent = nullptr);

  private:
    using Make = std::function<core::Matrix(const core::MatrixView &, quint64 seed)>;
    QAction *add(const QString &text, const Make &make, bool seeded);
    void transpose();
    void multiply();
    void removeBias();
    void updateActions();

    NumberTable &m_table;
    QSpinBox *m_seed;
    QLineEdit *m_factor;
    QAction *m_transpose;
    QAction *m_removeBias;
};

} // namespace headlight::ui
