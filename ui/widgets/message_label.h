// A label with a fixed number of lines, so that nothing below it moves when its text changes. If
// the text does not fit, its last visible line ends in "…" and the tooltip has all of it.
#pragma once

#include <QLabel>

namespace headlight::ui {

class MessageLabel : public QLabel {
    Q_OBJECT
  public:
    explicit MessageLabel(int lines, QWidget *parent = nullptr);

    void showMessage(const QString &text);
    /// Sets whether the label keeps its space while it is hidden.
    void setKeepsSpace(bool keeps);
    /// Returns the visible lines at the current width.
    QStringList shownLines() const;

    QSize sizeHint() const override { return minimumSizeHint(); }
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    int m_lines;
};

} // namespace headlight::ui
