// Text of the lesson's step in large type.
#pragma once

#include "ui/panels/fitted_text.h"

namespace headlight::ui {

class Document;

class PresentedLesson : public FittedText {
    Q_OBJECT
  public:
    explicit PresentedLesson(QWidget *parent = nullptr);

    void show(const Document &document);

  private:
    QString m_html;
};

} // namespace headlight::ui
