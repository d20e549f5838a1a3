// A lesson's text that becomes a little smaller where it does not fit its place, and scrolls only
// where that is not enough. It shows what it is given and loads nothing, from nowhere.
#pragma once

#include <QTextBrowser>

namespace headlight::ui {

class FittedText : public QTextBrowser {
    Q_OBJECT
  public:
    /// `smallestShare`: of its size, to which a long text shrinks.
    explicit FittedText(double smallestShare, QWidget *parent = nullptr);

    /// Where there is room; 0: as its font.
    void setTextSize(double pixels);
    void showHtml(const QString &html);
    /// Of the text as it is shown, px.
    double shownSize() const { return m_shown; }

  protected:
    QVariant loadResource(int, const QUrl &) override { return {}; }
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

  private:
    void fitText();

    double m_smallestShare;
    double m_pixels = 0;
    double m_shown = 0;
};

} // namespace headlight::ui
