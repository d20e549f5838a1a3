// Inserts marks into the fields of the lesson editor: the selected number, a claim about it, or a
// number with a slider. Shows the name of the target field.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

#include <functional>

class QLabel;
class QMenu;
class QPushButton;

namespace headlight::ui {

/// Access to the editor's fields for marks.
struct MarkFields {
    std::function<QWidget *()> target; ///< the field that would receive a mark, or null
    std::function<QWidget *()> take;   ///< moves the focus to that field and returns it
};

class InsertTools : public QWidget {
    Q_OBJECT
  public:
    InsertTools(Document &document, MarkFields fields, QWidget *parent = nullptr);

    /// Shows the mark that would be inserted, and the target field.
    void showMark();
    /// Inserts the selected number as a mark at the cursor.
    void insertNumber();
    /// Inserts a claim about the selected number. Selected text is used as the text of the claim.
    void insertClaim();

  signals:
    void failed(const QString &problem);

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void showSliders();
    void insertSlider(const QString &mark);
    QString selectedMark() const;

    Document &m_document;
    MarkFields m_fields;
    QLabel *m_target;
    QPushButton *m_number, *m_claim, *m_slider;
    QMenu *m_sliders;
};

} // namespace headlight::ui
