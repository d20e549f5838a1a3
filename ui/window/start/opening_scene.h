// The question of the start page: who is "it"? A small trained model reads a sentence, which the
// user can change, and answers at once.
#pragma once

#include "ui/document/document.h"
#include "ui/document/source_reader.h"
#include "ui/figures/base/style.h"

#include <QList>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace headlight::ui {

class SentenceStrip;

class OpeningScene : public QWidget {
    Q_OBJECT
  public:
    explicit OpeningScene(QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    Document &document() { return m_document; }
    /// True while the model is read.
    bool isReading() const { return m_reader.isReading(); }
    /// Returns the id of the model.
    static QString modelId();
    /// Returns the sentence as the user left it.
    QString sentence() const;
    QPushButton *mainButton() const { return m_how; }

  signals:
    /// The user wants to see how the answer is computed.
    void explanationRequested();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void addWords(QHBoxLayout &row);
    void changeLastWord(const QString &word);
    void silence(bool isSilent);
    void documentChanged(const ChangeEvent &event);
    void placeStrip();

    Document m_document;
    SourceReader m_reader;
    QLabel *m_title, *m_about, *m_hint, *m_note;
    SentenceStrip *m_strip;
    QList<QPushButton *> m_words; ///< to end the sentence with
    QPushButton *m_how, *m_silence;
    FigureStyle m_style;
    bool m_isPlacing = false;
};

} // namespace headlight::ui
