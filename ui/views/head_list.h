// The heads of all layers as a list that is sorted and filtered by a measure.
#pragma once

#include "core/analysis/head_glances.h"
#include "ui/compute/model_changes.h"
#include "ui/compute/similar_heads.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/base/style.h"
#include "ui/figures/model/head_numbers.h"
#include "ui/text/measure_text.h"

#include <QAbstractListModel>
#include <QHash>
#include <QImage>
#include <QStyledItemDelegate>

#include <memory>
#include <vector>

namespace headlight::ui {

class HeadList : public QAbstractListModel {
    Q_OBJECT
  public:
    explicit HeadList(QObject *parent = nullptr);

    enum Role { Share = Qt::UserRole, Value, Picture, Colour };

    /// `glances` may be null if nothing is ready. Does not reset the model if the rows are
    /// unchanged.
    void show(std::shared_ptr<const core::TraceGlances> glances, const FigureStyle &style,
              double pixelRatio);
    /// Sets the colours of the thumbnails, as in the grid.
    void setColours(Range range, Scaling scaling);
    /// Sets the similarities to the chosen head; null if none are known.
    void showSimilar(std::shared_ptr<const SimilarHeads::Found> similar);
    /// Shows the changes of the measure between the sides of a comparison, the largest first.
    /// `changes` may be null if nothing is ready.
    void showChanges(bool isOn, ModelChanges::FoundPointer changes);
    void sortBy(const core::NamedMeasure &measure);
    /// Sorts the other way round. Heads without the measure stay last.
    void setReversed(bool isReversed);
    const core::NamedMeasure &measure() const { return *m_measure; }
    /// Filters by part of the name or, with "> 0.5" or "< 0.5", by the measure.
    void filterBy(const QString &words);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    const core::HeadId &headAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// Returns −1 if the head is not in the list.
    int rowOf(const core::HeadId &head) const;

  private:
    void arrange();
    bool isWanted(const core::HeadId &head) const;
    std::optional<double> valueOf(const core::HeadId &head) const;
    QImage pictureOf(const core::HeadId &head) const;

    std::shared_ptr<const core::TraceGlances> m_glances;
    std::shared_ptr<const SimilarHeads::Found> m_similar;
    bool m_isChange = false;
    ModelChanges::FoundPointer m_changes;
    HeadNumbers m_changed; // changes of m_measure
    const core::NamedMeasure *m_measure;
    bool m_isReversed = false;
    QString m_filter;
    std::vector<core::HeadId> m_rows;
    double m_highest = 1; // value of a full bar
    FigureStyle m_style = FigureStyle::light();
    double m_pixelRatio = 1;
    Range m_range = Range::Fixed;
    Scaling m_scaling = Scaling::Linear;
    mutable std::map<core::HeadId, QImage> m_pictures;
};

/// Paints a head in the list: thumbnail, name, bar and value.
class HeadRowPainter : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void setStyle(const FigureStyle &style) { m_style = style; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

  private:
    FigureStyle m_style = FigureStyle::light();
};

} // namespace headlight::ui
