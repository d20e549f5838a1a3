// Variants of the mechanism: scaling, temperature, masking and softmax, each with a line about the
// consequence.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;

namespace headlight::ui {

class NumberSpin;

class MechanismPage : public QWidget {
    Q_OBJECT
  public:
    explicit MechanismPage(Document &document, QWidget *parent = nullptr);
    void update();

  signals:
    void failed(const headlight::core::Error &error);

  private:
    void chooseScale(int index);
    void setDivisor(double divisor);
    void setTemperature(double temperature);
    void followDrags(NumberSpin *spin);
    void chooseMasking(int index);
    void explain();
    void apply(const core::Result<Change> &change, int gesture = Document::kNoGesture);

    Document &m_document;
    QComboBox *m_scale;
    NumberSpin *m_divisor;
    NumberSpin *m_temperature;
    QComboBox *m_masking;
    QCheckBox *m_softmax;
    QLabel *m_scaleText, *m_temperatureText, *m_maskingText, *m_softmaxText;
    int m_gesture = Document::kNoGesture; ///< undo gesture of the spin box with the focus
    std::optional<DocumentState> m_beforeDrag;
};

} // namespace headlight::ui
