// At the bottom of the words as numbers, where there is one sentence alone: a second one to compare
// it with.
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

    /// There is one sentence, and another can be added.
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
