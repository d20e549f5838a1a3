// A frame of the filmstrip. It shows a stage's matrix as a small picture and, below the picture,
// the typeset operation that leads to the stage.
#pragma once

#include "ui/figures/base/style.h"

#include <QImage>
#include <QToolButton>

#include <functional>

class QMenu;

namespace headlight::ui {

class FilmFrame : public QToolButton {
    Q_OBJECT
  public:
    /// `symbol` is, for example, "Z·W_O". text() is its plain form for screen readers.
    FilmFrame(const QString &symbol, const QColor &colour, const FigureStyle &style,
              QWidget *parent = nullptr);

    /// Sets the id of the stage's glossary entry.
    void setTerm(const QString &id) { m_term = id; }
    const QString &term() const { return m_term; }
    /// Sets the function that fills the menu of the frame's setting. The menu opens with a click on
    /// the arrow, the menu key or Alt+Down.
    void setMenuFiller(std::function<void(QMenu &)> fill, const QString &toolTip);
    /// Returns the rectangle of the arrow that opens the menu; empty if there is none.
    QRectF arrowRect() const;
    void openMenu();
    /// `picture`: null if the stage has not been computed.
    void setPicture(const QImage &picture);
    const QImage &picture() const { return m_picture; }
    struct Marks {
        bool isRecomputed = false; ///< by the last edit
        bool isFaded = false;      ///< a slow pass may change the matrix
        bool isComputing = false;  ///< a pass is slow, and this is the current frame
        bool operator==(const Marks &) const = default;
    };
    void setMarks(const Marks &marks);
    const Marks &marks() const { return m_marks; }
    /// Sets the description for screen readers, which read the marks before it.
    void setDescription(const QString &description);
    /// Returns the space for the picture, px.
    QSizeF pictureSize() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  signals:
    /// The mouse entered the frame, or left it (empty id).
    void termHovered(const QString &id);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

  private:
    QFont symbolFont() const;
    void describe();
    void paintName(QPainter &painter) const;

    QString m_symbol;
    QString m_description;
    QString m_term;
    QColor m_colour;
    FigureStyle m_style;
    QImage m_picture;
    Marks m_marks;
    std::function<void(QMenu &)> m_fill;
};

} // namespace headlight::ui
