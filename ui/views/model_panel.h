// Controls on the left of the model view: the heads of all layers, sorted by a measure, and the
// effect of silencing the selected head.
#pragma once

#include "ui/views/head_list.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QListView;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace headlight::ui {

class ElidedComboBox;

class ModelPanel : public QWidget {
    Q_OBJECT
  public:
    explicit ModelPanel(QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// `glances` may be null.
    void show(const std::shared_ptr<const core::TraceGlances> &glances);
    /// Sets the colours of the list's thumbnails.
    void setColours(Range range, Scaling scaling);
    /// Marks the selected head.
    void select(const core::HeadId &head);
    /// Forgets the head that the user chose in the list, because it cannot be selected.
    void dropWanted() { m_wanted.reset(); }
    /// `line` and `more` are rich text; may be empty.
    void setSilencing(const QString &line, const QString &more);
    /// Returns the panel's width in a style, px.
    static int widthIn(const FigureStyle &style);
    /// Shows the similarities to the head with this name; null if none are known.
    void showSimilar(const std::shared_ptr<const SimilarHeads::Found> &similar,
                     const QString &chosen);
    /// Shows the changes of the measure between the sides of a comparison; null: none are ready.
    void showChanges(bool isOn, const ModelChanges::FoundPointer &changes);
    /// True if the list is sorted by the similarity to a chosen head.
    bool isBySimilarity() const;
    /// Sorts by the similarity to the head that is selected now.
    void sortBySimilarity();
    const HeadList &heads() const { return *m_heads; }
    /// Returns the name of the measure that sorts the list; empty if it is the default one or the
    /// similarity to a head.
    std::string measure() const;
    /// Sorts by the measure with this name, or by the default one if there is none.
    void setMeasure(const std::string &name);
    QListView &list() { return *m_list; }

  signals:
    /// The user chooses a head in the list.
    void headWanted(const headlight::core::HeadId &head);
    /// The list is sorted by another measure.
    void sorted();
    /// The user opens the selected head.
    void openWanted();
    /// The user compares all heads with the selected one.
    void similarityWanted();
    /// The user opens the definition of the measure, an entry of the glossary.
    void definitionWanted(const QString &id);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void fitList();
    void keepCurrent();
    /// Says above the list how many heads it has, and how many of all pass the filter.
    void nameCount();
    /// Sets the definition of the list's measure for tooltips and F1.
    void nameMeasure();

    HeadList *m_heads;
    HeadRowPainter *m_rows;
    QLabel *m_sizes; ///< "144 heads, sorted by" or "9 of 144 heads, sorted by"
    int m_count = 0; ///< all heads of the model, with or without the filter
    ElidedComboBox *m_measures;
    QToolButton *m_definition, *m_reverse;
    int m_usualMeasure; ///< index of the default measure in m_measures
    QLineEdit *m_filter;
    QListView *m_list;
    QScrollArea *m_scroll;
    QVBoxLayout *m_column; ///< in m_scroll
    QLabel *m_empty;       ///< shown in place of the list if it is empty
    QLabel *m_silencing, *m_more;
    core::HeadId m_selected{};
    std::optional<core::HeadId> m_wanted{}; ///< chosen in the list; its layer is being computed
    std::optional<core::HeadId> m_shown{};  ///< head that is selected in the list
    QString m_problem{};                    ///< why there are no similarities
    bool m_isChange = false;                ///< the list shows changes
    bool m_isComparing = false;             ///< some heads are not compared yet
    QString m_changeProblem{};              ///< why there are no changes
    bool m_isMeasuring = true;              ///< true while some heads have no measures yet
    bool m_isShowing = false;               ///< true while the selection sets the current row
    FigureStyle m_style = FigureStyle::light();
};

} // namespace headlight::ui
