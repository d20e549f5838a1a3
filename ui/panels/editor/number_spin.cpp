#include "ui/panels/editor/number_spin.h"

#include "core/format_number.h"
#include "core/parse_number.h"

namespace headlight::ui {

namespace {

constexpr int kDecimals = 6;

} // namespace

NumberSpin::NumberSpin(QWidget *parent) : QDoubleSpinBox(parent) {
    setDecimals(kDecimals);
    setKeyboardTracking(false); // "0.05" is not 0 and 0.0 on its way
}

QString NumberSpin::textFromValue(double value) const {
    return QString::fromStdString(core::rounded(value, kDecimals));
}

double NumberSpin::valueFromText(const QString &text) const {
    const core::Result<float> number = core::parseNumber(text.toStdString());
    return number ? static_cast<double>(*number) : value();
}

QValidator::State NumberSpin::validate(QString &text, int &) const {
    const core::Result<float> number = core::parseNumber(text.toStdString());
    const double read = number ? static_cast<double>(*number) : minimum() - 1;
    return read >= minimum() && read <= maximum() ? QValidator::Acceptable
                                                  : QValidator::Intermediate;
}

} // namespace headlight::ui
