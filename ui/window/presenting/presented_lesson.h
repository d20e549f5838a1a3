// The lesson's step in large type. What does not fit becomes a little smaller, and scrolls only
// where that is not enough.
#pragma once

#include <QTextBrowser>

namespace headlight::ui {

class Document;

class PresentedLesson : public QTextBrowser {
    Q_OBJECT
  public:
    explicit PresentedLesson(QWidget *parent = nullptr);

    /// `pixels`: of its text, where there is room.
    void setTextSize(double pixels);
    void show(const Document &document);
    /// Of the text as it is shown, px.
    double shownSize() const { return m_shown; }

  protected:
    QVariant loadResource(int, const QUrl &) override { return {}; } // it loads nothing
    void resizeEvent(QResizeEvent *event) override;

  private:
    void fitText();

    QString m_html;
    double m_pixels = 26;
    double m_shown = 26;
};

} // namespace headlight::ui
