// Lesson text that shrinks a little if it does not fit, and scrolls only if that is not enough. It
// loads no resources.
#pragma once

#include <QTextBrowser>

namespace headlight::ui {

class FittedText : public QTextBrowser {
    Q_OBJECT
  public:
    /// `smallestShare`: smallest font size of a long text, as a share of its usual size.
    explicit FittedText(double smallestShare, QWidget *parent = nullptr);

    /// Sets the usual text size; 0 uses the widget's font.
    void setTextSize(double pixels);
    void showHtml(const QString &html);
    /// Returns the text size that is shown, px.
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
