// The "Compare" menu: selects side A, and which side the views show.
#pragma once

#include "ui/document/document.h"
#include "ui/document/source_reader.h"

#include <QMenu>

namespace headlight::ui {

class CompareMenu : public QMenu {
    Q_OBJECT
  public:
    CompareMenu(Document &document, SourceReader &reader, QWidget *parent);

    /// Reads a source and sets it as side A.
    void compareWith(const QString &source);

  signals:
    void failed(const headlight::core::Error &error);
    /// Reports a completed action as a line for the status bar.
    void statusMessage(const QString &words);
    /// The user wants to type another text.
    void textWanted();

  private:
    void makeSources();
    void fillSequences();
    void chooseFile();
    void chooseFolder();
    void readCurrentText();
    void showState();

    Document &m_document;
    SourceReader &m_reader;
    QAction *m_text;     // compare with another text
    QAction *m_sameText; // makes A, if it is another model, read the current text
    QAction *m_unpin;
    QMenu *m_sequences;
    QList<QAction *> m_shown; // same order as kShown
};

} // namespace headlight::ui
