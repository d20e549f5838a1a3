// A spin box whose numbers are written as everywhere in the program, whatever the locale, and read
// as people type them: 0.5 or 0,5.
#pragma once

#include <QDoubleSpinBox>

namespace headlight::ui {

class NumberSpin : public QDoubleSpinBox {
    Q_OBJECT
  public:
    explicit NumberSpin(QWidget *parent = nullptr);

    QString textFromValue(double value) const override;
    double valueFromText(const QString &text) const override;
    QValidator::State validate(QString &text, int &position) const override;
};

} // namespace headlight::ui
