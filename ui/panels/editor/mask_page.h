// Editor page for the mask: its layers with their sizes, the cells set by the user, and variants of
// the mechanism.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace headlight::ui {

class MechanismPage;

class MaskPage : public QWidget {
    Q_OBJECT
  public:
    /// `painting`: the window's action that turns painting by mouse on and off.
    MaskPage(Document &document, QAction &painting, QWidget *parent = nullptr);
    void update();

  signals:
    void failed(const headlight::core::Error &error);

  private:
    struct Row {
        QWidget *widget;
        std::size_t kind;
        QSpinBox *size; ///< null if the layer has no size
    };
    void showLayers();
    void addRow(std::size_t index);
    void showRowButtons();
    void setSize(std::size_t index, int size);
    void apply(const core::Result<Change> &change, int gesture = Document::kNoGesture);

    Document &m_document;
    QVBoxLayout *m_layers;
    std::vector<Row> m_rows;
    QLabel *m_place; // name of the attention module, if the model has several
    QLabel *m_none;
    QLabel *m_cells;
    QPushButton *m_clear;
    QPushButton *m_hideRow;
    QPushButton *m_followRow;
    MechanismPage *m_whatIfs;
    int m_gesture = Document::kNoGesture; ///< undo gesture of one spin box
    std::size_t m_sized = 0;
};

} // namespace headlight::ui
