// Bar at the bottom of the "Words" view, shown if there is only one sentence: adds a second one for
// comparison.
#pragma once

#include "core/result.h"

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace headlight::ui {

class Document;

class SentenceBar : public QWidget {
    Q_OBJECT
  public:
    SentenceBar(Document &document, QWidget &view);

    /// True if there is one sentence and a second one can be added.
    bool isOfUse() const;

  signals:
    void failed(const headlight::core::Error &error);

  private:
    void add();

    Document &m_document;
    QLineEdit *m_text;
    QToolButton *m_add;
};

} // namespace headlight::ui
