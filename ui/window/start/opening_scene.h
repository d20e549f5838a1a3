// The question of the start page: who is "it"? A small trained model reads a sentence, which the
// user can change, and answers immediately.
#pragma once

#include "ui/document/document.h"
#include "ui/document/source_reader.h"
#include "ui/figures/base/style.h"

#include <QList>
#include <QWidget>

#include <optional>

class QBoxLayout;
class QGridLayout;
class QLabel;
class QKeyEvent;
class QPushButton;

namespace headlight::ui {

class SentenceStrip;

class OpeningScene : public QWidget {
    Q_OBJECT
  public:
    /// `otherWays`: widget that is placed next to the answer, or below everything if the page is
    /// narrow.
    explicit OpeningScene(QWidget *otherWays, QWidget *parent = nullptr);
    ~OpeningScene() override;

    void setStyle(const FigureStyle &style);
    Document &document() { return m_document; }
    /// True while the model is read.
    bool isReading() const { return m_reader.isReading(); }
    /// Returns the id of the model.
    static QString modelId();
    /// Starts reading the model on another thread. The next scene waits for it and gets its
    /// document in the constructor, so that it is laid out and painted once.
    static void readAhead();
    /// Returns the source that explains the answer: a lesson about "it", or the model if the
    /// sentence has no "it".
    QString explanation() const;
    /// Returns the sentence with the user's changes.
    QString sentence() const;
    /// Returns the sentence as typed, even if the model cannot read it.
    QString typedSentence() const;
    bool isChanged() const { return sentence() != m_first; }
    QPushButton *mainButton() const { return m_how; }
    /// Edits the sentence, beginning with a typed character.
    void type(QKeyEvent &event);

  signals:
    /// The other ways to begin were placed in a column next to the answer, or in a row below it.
    void otherWaysPlaced(bool isBeside);
    /// The user requests to see how the answer is computed.
    void explanationRequested();

  protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    QWidget *makeWords();
    /// Places everything in two columns, or in one if the page is narrow.
    void placeColumns();
    void changeLastWord(const QString &word);
    void silence(bool isSilent);
    void documentChanged(const ChangeEvent &event);
    /// Asks about "it", or about the selected word if the sentence has no "it".
    void showQuestion();
    /// Shows what the user can do, or why the typed sentence has no answer.
    void showHint();
    bool isSilenced() const;
    QString silencedHint() const;
    void showNote();
    void showRefused(const core::Error &error);
    void refuse(const QString &hint, const QString &notice);
    void askAgain();
    const core::Sequence *tokens() const;
    void placeStrip();

    Document m_document;
    SourceReader m_reader;
    QLabel *m_title, *m_about, *m_hint, *m_note;
    SentenceStrip *m_strip;
    QGridLayout *m_grid;
    QWidget *m_aside;             ///< the last words and the other ways
    QBoxLayout *m_change;         ///< the last words and their label
    QList<QPushButton *> m_words; ///< buttons for the last word of the sentence
    QPushButton *m_how, *m_silence;
    QString m_first;            ///< sentence that the page begins with
    QString m_refused;          ///< why the typed sentence has no answer; empty: it has one
    core::BatchPointer m_asked; ///< sentence whose "it" was selected last
    FigureStyle m_style;
    std::optional<bool> m_isWide;
    bool m_isPlacing = false;
    bool m_isPlaced = true; // false from a new sentence until its trace has arrived
};

} // namespace headlight::ui
