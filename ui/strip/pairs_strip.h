// Shows the tokens of the current text above the tokens of A, with partners in the same column. The
// user changes the pairs and types A's text.
#pragma once

#include "ui/accessibility/item_list.h"
#include "ui/document/document.h"
#include "ui/strip/pairs_layout.h"

class QLineEdit;
class QMenu;
class QToolButton;

namespace headlight::ui {

class PairsStrip : public ItemListWidget {
    Q_OBJECT
  public:
    explicit PairsStrip(Document &document, QWidget *parent = nullptr);

    /// Reads the comparison of the document again.
    void read();
    void setStyle(const FigureStyle &style);
    /// True if there is something to show: two texts that are not compared position by position, or
    /// a text that is being typed.
    bool isWanted() const;
    int neededHeight() const;
    bool isEditing() const { return m_edit != nullptr; }
    /// Opens a line edit for A's text.
    void edit();
    /// Closes the line edit. Rejected text is lost.
    void endEdit();
    const PairsLayout &layoutNow() const { return m_layout; }
    /// Returns the rectangle of a token in widget pixels.
    QRectF chipRect(PairsLayout::Token token) const;
    /// Fills the context menu. `token` is the token under the mouse, if any.
    void fillMenu(QMenu &menu, std::optional<PairsLayout::Token> token);

    int itemCount() const override { return static_cast<int>(m_layout.columns.size()); }
    QString itemName(int index) const override;
    QRect itemRect(int index) const override;
    int currentItem() const override;
    void pressItem(int index) override;

  signals:
    /// Describes the token under the mouse. Empty if there is none.
    void hovered(const QString &words);
    void failed(const headlight::core::Error &error);
    void succeeded();
    /// The line edit was opened or closed, so the strip needs another height.
    void heightChanged();

  protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    using Token = PairsLayout::Token;

    InputSide side() const;
    /// The tokens' area in widget pixels.
    QRectF tokensArea() const;
    QPointF inContent(QPointF point) const;
    std::optional<Token> tokenAt(QPointF point) const;
    std::optional<core::Index> indexOf(Token token) const;
    QString nameOf(Token token) const;
    void setCurrent(std::size_t column);
    void setScroll(double scroll);
    void showCurrent();
    void followSelection();
    void apply(core::Result<Change> made);
    /// Makes the two tokens partners if they are of different texts.
    bool pair(Token one, Token other);
    void pairIn(const core::AlignedText &text, const core::AlignedPair &wanted);
    void separate(std::size_t column);
    void movePartner(int direction);
    void typeText(const QString &text);
    void finishEdit();
    void placeEdit();
    void paintToken(QPainter &painter, Token token, const QRectF &rect) const;
    void paintEnds(QPainter &painter) const;

    Document &m_document;
    FigureStyle m_style;
    std::optional<core::AlignedText> m_text; // unset while there are no partners
    bool m_isByPosition = true;
    bool m_isComputing = false;
    PairsLayout m_layout;
    double m_scroll = 0;
    std::optional<std::size_t> m_current; // column
    std::optional<Token> m_hovered, m_dragged;
    QPointF m_mouse; // while m_dragged is set
    QToolButton *m_close;
    QLineEdit *m_edit = nullptr; // only while the text is edited
    bool m_isRefused = false;    // the text in the line edit was rejected
    bool m_isTaken = false;      // the text in the line edit was accepted as A's
};

} // namespace headlight::ui
