// The words of one text, tinted by the weights of the selected row. A click selects a row, Enter
// edits the text in place.
#pragma once

#include "ui/accessibility/item_list.h"
#include "ui/document/document.h"
#include "ui/figures/colours/colour_scale.h"
#include "ui/figures/sentence/strip_layout.h"
#include "ui/strip/strip_content.h"

class QLineEdit;
class QScrollBar;

namespace headlight::ui {

class WordsStrip : public ItemListWidget {
    Q_OBJECT
  public:
    WordsStrip(Document &document, InputSide side, QWidget *parent = nullptr);

    /// Shows this side of the content. `scrollsToSelection`: the selection has changed.
    void setContent(const StripContent &content, bool scrollsToSelection);
    void setStyle(const FigureStyle &style);
    /// Greys the words while a new text or model is computed.
    void setStale(bool isStale);
    void setRoom(StripRoom room, int maxLines);
    /// Returns the word size, px before scaling, at which all words fit in one line of this width.
    /// Returns the usual size if they already fit, or do not fit even at the smallest legible size.
    double fittingWord(int width);
    /// Sets the size of a word, px before scaling.
    void setWord(double pixels);
    /// Returns the size of a word in px.
    int wordPixels() const { return stripWordFont(m_style, false, m_word).pixelSize(); }
    /// Sets the space above each line, px before scaling.
    void setHeadroom(double headroom);
    /// Leaves all keys to the window, where they step through the lesson. A click still selects.
    void leaveFocusAlone();

    /// Width of the arrow at a cut end ÷ height of a word.
    static constexpr double kStripArrow = 0.7;
    /// Space around the words for the outline of the selected one, px.
    static constexpr double kOutline = 4;

    InputSide side() const { return m_side; }
    /// Returns the height that the words need at this width.
    int heightFor(int width);
    /// Returns the current layout, in coordinates of the scrolled content.
    const StripLayout &layoutNow();
    /// Returns the rectangle of a word in widget pixels.
    QRectF wordRect(core::Index word);
    /// If the word with the largest weight is cut off at this end of the line, returns the word and
    /// the rectangle in which it is repeated there.
    std::optional<std::pair<core::Index, QRectF>> weightAtEnd(int end) const;
    /// Returns how far the words are scrolled, px.
    QPointF scroll() const { return m_scroll; }
    bool isEditing() const { return m_edit != nullptr; }
    /// Returns the text in the line edit; empty if there is none.
    QString typedText() const;
    /// Opens a line edit over the words, unless the text cannot be edited.
    void edit();
    /// Like edit(), but begins with a typed character.
    void type(QKeyEvent &event);
    /// Closes the line edit. Rejected text is lost, so call this only for Esc or when another text
    /// arrives.
    void endEdit();

    int itemCount() const override;
    QString itemName(int index) const override;
    QRect itemRect(int index) const override;
    int currentItem() const override;
    void pressItem(int index) override;

  signals:
    /// Describes the cell of the word under the mouse. Empty if there is none.
    void hovered(const QString &words);
    /// An edit failed, or succeeded after a failure.
    void failed(const headlight::core::Error &error);
    void succeeded();
    /// Explains why the text cannot be edited.
    void refused(const QString &why);
    /// The user pressed Up or Down beyond the first or last line.
    void leftAt(int direction);
    void scrolled();
    /// The user selected a word, possibly the already selected one.
    void chosen();

  protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    core::Index wordCount() const { return std::ssize(m_sentence.text().words); }
    QSizeF sight() const;
    /// Returns the area at an end of a line that is longer than the widget. It contains an arrow
    /// and the word of furthestWeight(). Empty if nothing is cut off at this end.
    QRectF moreAt(int end, QPointF scroll) const;
    QRectF moreAt(int end) const { return moreAt(end, m_scroll); }
    /// Returns the word with the largest weight if it is cut off at this end.
    std::optional<core::Index> furthestWeight(int end, QPointF scroll) const;
    std::optional<core::Index> largestWeight() const;
    StripSpace spaceFor(int width) const;
    /// Marks the layout as outdated, so that it is updated before it is next used.
    void outdate();
    void layOut(int width);
    /// Returns the offset from widget pixels to layout pixels.
    QPointF offset() const { return m_scroll - QPointF(kOutline, kOutline); }
    void scrollTo(QPointF scroll);
    void setScroll(QPointF scroll);
    /// Returns the words to show together, most important first.
    std::vector<core::Index> wordsToSee() const;
    QPointF scrollToSelection() const;
    QPointF scrollToWords() const;
    std::optional<core::Index> wordAt(QPointF point);
    void hover(std::optional<core::Index> word);
    QString hoverText(core::Index word) const;
    void select(core::Index word);
    /// False for a word of A that has no partner in the current text.
    bool canSelect(const Compared &compared, core::Index word) const;
    bool moveBy(const QKeyEvent &event);
    void typeText(const QString &text);
    void finishEdit();
    void placeEdit();
    void paintWord(QPainter &painter, core::Index word, const QRectF &rect) const;
    void paintNumbers(QPainter &painter, std::vector<core::Index> parts) const;
    bool isStrongWeight(core::Index word) const;
    void paintMore(QPainter &painter) const;

    Document &m_document;
    InputSide m_side;
    FigureStyle m_style;
    StripContent m_content;
    StripSentence m_sentence;
    ColourScale m_scale; // colours of the weights
    StripLayout m_layout;
    bool m_isRefused = false; // the text in the line edit was rejected
    int m_laidOutFor = -1;    // width of m_layout; −1: outdated
    StripRoom m_room = StripRoom::Lines;
    int m_maxLines = kMaxStripLines;
    double m_word = kStripWord; // px before scaling
    double m_fittingWord = kStripWord;
    int m_fittedFor = -1; // width of m_fittingWord; −1: outdated
    double m_headroom = 0;
    bool m_isStale = false;
    QPointF m_scroll;
    std::optional<core::Index> m_hovered;
    QScrollBar *m_bar;
    QLineEdit *m_edit = nullptr; // set while the text is edited
    int m_gesture = Document::kNoGesture;
};

} // namespace headlight::ui
