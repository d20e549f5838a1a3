// Lesson text that shrinks a little if it does not fit, and scrolls only if that is not enough. It
// loads no resources. It paints the sliders in the text and the focus outline.
#pragma once

#include <QTextBrowser>

#include <optional>

namespace headlight::ui {

/// Returns a slider as a picture that is a link. `mark` is the slider's mark in hexadecimal digits
/// (core::hexOf()); `share` is its position, 0 … 1.
QString sliderHtml(const QString &mark, double share, const QPalette &palette);

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

  signals:
    /// The user moves a slider with the mouse or the arrow keys. `begins`: a new gesture.
    void sliderMoved(const QString &mark, double share, bool begins);

  protected:
    QVariant loadResource(int type, const QUrl &name) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

  private:
    struct DraggedSlider {
        QString mark;
        double left = 0, width = 0; ///< track of the slider, px of the viewport
    };
    void fitText();
    QString focusedSlider() const;
    void focusSlider(const QString &mark);
    void moveTo(double x, bool begins);

    std::optional<DraggedSlider> m_dragged;
    double m_smallestShare;
    double m_pixels = 0;
    double m_shown = 0;
};

} // namespace headlight::ui
