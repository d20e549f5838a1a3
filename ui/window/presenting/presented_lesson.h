// The lesson's step at the top of a presentation: its title, and as many of its sentences as fit in
// a few lines. The whole text is in PresentedText.
#pragma once

#include "ui/panels/fitted_text.h"

namespace headlight::ui {

class Document;

class PresentedLesson : public QTextBrowser {
    Q_OBJECT
  public:
    explicit PresentedLesson(QWidget *parent = nullptr);

    /// Sets the text size, and the minimum size for a long first sentence, both in px.
    void setTextSize(int usual, int least);
    void show(const Document &document);
    /// Lays the sentences out in `lines` lines, or more if the first one needs them. Returns the
    /// height, px.
    int layOutFor(int width, int lines);
    /// True if sentences are left out.
    bool isCut() const { return m_isCut; }
    /// Returns the text size that is shown, px.
    int shownSize() const { return m_shown; }

  signals:
    void clicked();

  protected:
    QVariant loadResource(int, const QUrl &) override { return {}; }
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

  private:
    /// Shows the title and this many sentences. Returns the height of the text.
    double showSentences(qsizetype count, int pixels, int width);

    QString m_html;
    QList<qsizetype> m_ends; ///< ends of the sentences, as positions in the text
    int m_usual = 20, m_least = 16, m_shown = 20;
    bool m_isCut = false;
};

/// The whole text of the step, shown over the picture on request.
class PresentedText : public FittedText {
    Q_OBJECT
  public:
    explicit PresentedText(QWidget *parent = nullptr);

    void show(const Document &document);
    /// Covers the upper part of `room`, as tall as the text needs.
    void placeIn(const QRect &room);

  private:
    QString m_html;
};

} // namespace headlight::ui
