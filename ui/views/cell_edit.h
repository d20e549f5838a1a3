// Changes a number where it is drawn: by dragging it sideways, or by typing over it.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/heatmap/heatmap_geometry.h"
#include "ui/panels/editor/editor_target.h"

#include <QPointF>
#include <QRectF>
#include <QWidget>

class QLineEdit;

namespace headlight::ui {

/// A number that can be changed.
struct EditedCell {
    EditorTarget matrix;
    Cell cell;
    float value = 0;
};

/// Returns the number that a drawn cell shows, if the user can change it. `shown`: the number as
/// drawn. `rows` and `columns`: size of the whole matrix. `selection`: the stage that is computed
/// with the matrix, or the matrix itself.
std::optional<EditedCell> editedCellAt(const Document &document, const core::Selection &selection,
                                       core::Index rows, core::Index columns, Cell cell,
                                       float shown);

class CellEdit : public QObject {
    Q_OBJECT
  public:
    CellEdit(Document &document, QWidget &view);

    /// Remembers a pressed number. Changes nothing yet.
    void press(const EditedCell &cell, QPointF point);
    /// Changes the number if the mouse has moved far enough. Returns true during a drag.
    bool moveTo(QPointF point, Qt::KeyboardModifiers modifiers);
    /// Ends a drag, which is one undo step. Returns true if there was one.
    bool release();
    /// Restores the number from before the drag. Returns true if there was one.
    bool cancel();
    bool isDragging() const { return m_drag && m_drag->isMoving; }
    /// Opens a field over the number. Enter sets the number, Esc leaves it unchanged.
    void type(const EditedCell &cell, const QRectF &where);

  signals:
    void failed(const headlight::core::Error &error);

  private:
    struct Drag {
        EditedCell cell;
        QPointF pressed;
        double lastX = 0, moved = 0;
        bool isMoving = false;
        int gesture = Document::kNoGesture;
    };
    bool set(const EditedCell &cell, float value, int gesture);

    Document &m_document;
    QWidget &m_view;
    std::optional<Drag> m_drag;
    QLineEdit *m_field = nullptr;
};

} // namespace headlight::ui
