// The controls at the left of the model view: the heads of all layers, sorted by a measure, and the
// effect of silencing the selected head.
#pragma once

#include "ui/views/head_list.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QListView;

namespace headlight::ui {

class ElidedComboBox;

class ModelPanel : public QWidget {
    Q_OBJECT
  public:
    explicit ModelPanel(QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// `glances` may be null.
    void show(const std::shared_ptr<const core::TraceGlances> &glances);
    /// Marks the selected head.
    void select(const core::HeadPlace &head);
    /// Forgets the head that the user chose in the list, because it cannot be selected.
    void dropWanted() { m_wanted.reset(); }
    /// `line` and `more` are rich text; may be empty.
    void setSilencing(const QString &line, const QString &more);
    /// Returns the panel's width in a style, px.
    static int widthIn(const FigureStyle &style);
    const HeadList &heads() const { return *m_heads; }
    /// Returns the name of the measure that sorts the list; empty if it is the default one.
    std::string measure() const;
    /// Sorts by the measure with this name, or by the default one if there is none.
    void setMeasure(const std::string &name);
    QListView &list() { return *m_list; }

  signals:
    /// The user chooses a head in the list.
    void headWanted(const headlight::core::HeadPlace &head);
    /// The list is sorted by another measure.
    void sorted();
    /// The user opens the selected head.
    void openWanted();

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void keepCurrent();

    HeadList *m_heads;
    HeadRowPainter *m_rows;
    QLabel *m_sizes; ///< "144 heads, sorted by"
    ElidedComboBox *m_measures;
    int m_usualMeasure; ///< index of the default one in m_measures
    QLineEdit *m_filter;
    QListView *m_list;
    QLabel *m_empty; ///< shown in place of the list if it is empty
    QLabel *m_silencing, *m_more;
    core::HeadPlace m_selected{};
    std::optional<core::HeadPlace> m_wanted{}; ///< chosen in the list; its layer is being computed
    std::optional<core::HeadPlace> m_shown{};  ///< head that is selected in the list
    bool m_isMeasuring = true;                 ///< true while some heads have no measures yet
    bool m_isShowing = false;                  ///< true while the selection sets the current row
    FigureStyle m_style = FigureStyle::light();
};

} // namespace headlight::ui
