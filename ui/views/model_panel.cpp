#include "ui/views/model_panel.h"

#include "ui/text/attention_names.h"
#include "ui/text/core_message.h"
#include "ui/text/sentences.h"
#include "ui/widgets/bar_buttons.h"
#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/eyebrow.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

constexpr double kModelPanelWidth = 260; // px
constexpr double kMinRows = 2.5;         // visible rows
// Visible rows if the rest of the panel then fits. Otherwise the panel scrolls.
constexpr double kFewestRows = 1.2;

QLabel *wrappedText(const char *name) {
    auto *label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    return label;
}

/// Returns "12 layers of 12 heads", for each kind of attention.
QString sizesOf(const core::TraceGlances &glances) {
    const core::Model &model = glances.trace->model();
    const std::vector<core::AttentionId> kinds = placesOf(model);
    QStringList parts;
    for (const core::AttentionId kind : kinds) {
        int layers = 0;
        core::Index heads = 0;
        for (const core::AttentionId attention : glances.attentions)
            if (attention.stack == kind.stack && attention.block == kind.block) {
                ++layers;
                heads = std::max(heads, model.headsOf(attention));
            }
        if (layers == 0)
            continue;
        const QString layersText =
            layers == 1 ? ModelPanel::tr("1 layer") : ModelPanel::tr("%n layers", nullptr, layers);
        const QString headsText =
            heads == 1 ? ModelPanel::tr("1 head")
                       : ModelPanel::tr("%n heads", nullptr, static_cast<int>(heads));
        const QString size = ModelPanel::tr("%1 of %2").arg(layersText, headsText);
        parts << (kinds.size() > 1 ? labelled(placeText(kind), size) : size);
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace

ModelPanel::ModelPanel(QWidget *parent)
    : QWidget(parent),
      m_heads(new HeadList(this)),
      m_rows(new HeadRowPainter(this)),
      m_sizes(eyebrow(tr("Sorted by"))),
      m_measures(new ElidedComboBox),
      m_definition(barButton(QStringLiteral("modelMeasureDefinition"))),
      m_reverse(barButton(QStringLiteral("modelReverse"))),
      m_filter(new QLineEdit),
      m_list(new QListView),
      m_empty(wrappedText("modelNoHeads")),
      m_silencing(wrappedText("modelSilencing")),
      m_more(wrappedText("modelSilencingMore")) {
    setObjectName("modelPanel");
    // A long text of the label does not push the buttons beside it out of the panel.
    m_sizes->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setAccessibleName(tr("Heads of all layers"));
    setAutoFillBackground(true);
    setAttribute(Qt::WA_StyledBackground); // the theme's style sheet draws the panel's edge
    m_measures->setObjectName("modelMeasure");
    m_measures->setAccessibleName(tr("Measure that sorts the heads"));
    for (const core::NamedMeasure &measure : core::kEveryMeasure) {
        m_measures->addItem(titleOf(measure));
        m_measures->setItemData(m_measures->count() - 1, definitionOf(measure), Qt::ToolTipRole);
        if (&measure == &m_heads->measure())
            m_measures->setCurrentIndex(m_measures->count() - 1);
    }
    m_definition->setText(QStringLiteral("?"));
    m_definition->setAutoRaise(true);
    m_definition->setAccessibleName(tr("Definition of the measure"));
    connect(m_definition, &QToolButton::clicked, this,
            [this] { emit definitionWanted(glossaryIdOf(m_heads->measure())); });
    m_reverse->setText(QStringLiteral("⇅"));
    m_reverse->setAutoRaise(true);
    m_reverse->setCheckable(true);
    m_reverse->setAccessibleName(tr("Reverse the sort order"));
    m_reverse->setToolTip(m_reverse->accessibleName());
    connect(m_reverse, &QToolButton::toggled, this, [this](bool isReversed) {
        m_heads->setReversed(isReversed);
        keepCurrent();
    });
    nameMeasure();
    m_usualMeasure = m_measures->currentIndex();
    connect(m_measures, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_heads->sortBy(core::kEveryMeasure[index]);
        nameMeasure();
        if (isBySimilarity())
            emit similarityWanted();
        keepCurrent();
        emit sorted();
    });
    // Choosing the similarity again compares with the head that is selected then.
    connect(m_measures, &QComboBox::activated, this, [this] {
        if (isBySimilarity())
            emit similarityWanted();
    });
    m_filter->setObjectName("modelFilter");
    m_filter->setPlaceholderText(tr("Filter: 4.11 or > 0.5"));
    m_filter->setAccessibleName(tr("Filter the heads"));
    m_filter->setToolTip(tr("Part of a head's name, or > or < and a value of the measure"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &words) {
        m_heads->filterBy(words);
        keepCurrent();
    });
    m_list->setObjectName("modelHeads");
    m_list->setAccessibleName(tr("Heads, sorted by the measure"));
    m_list->setModel(m_heads);
    m_list->setItemDelegate(m_rows);
    m_list->setUniformItemSizes(true);
    // Without this, Qt reserves a height of 192 px for the list.
    m_list->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_list->setMouseTracking(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->installEventFilter(this);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex &index) {
                if (m_isShowing || !index.isValid())
                    return;
                m_wanted = m_heads->headAt(index.row());
                emit headWanted(*m_wanted);
            });
    connect(m_list, &QListView::doubleClicked, this, &ModelPanel::openWanted);
    m_silencing->setAccessibleName(tr("Effect of silencing the head"));

    auto *frame = new QFrame;
    frame->setObjectName("modelSilencingFrame");
    auto *inner = new QVBoxLayout(frame);
    inner->setContentsMargins(12, 10, 12, 10);
    inner->setSpacing(4);
    inner->addWidget(m_silencing);
    inner->addWidget(m_more);
    auto *content = new QWidget;
    auto *column = m_column = new QVBoxLayout(content);
    column->setContentsMargins(14, 10, 14, 12);
    column->setSpacing(6);
    // The button is above the measures, so that their names have the full width.
    auto *heading = new QHBoxLayout;
    heading->setSpacing(4);
    heading->addWidget(m_sizes, 1);
    heading->addWidget(m_reverse);
    heading->addWidget(m_definition);
    column->addLayout(heading);
    m_measures->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    column->addWidget(m_measures);
    column->addWidget(m_filter);
    column->addWidget(m_list, 1);
    column->addWidget(m_empty, 1);
    column->addWidget(frame);
    auto *scroll = m_scroll = new QScrollArea;
    scroll->setObjectName("modelPanelScroll");
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus); // the controls inside get the focus instead
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 1, 0); // 1 px for the edge on the right
    whole->addWidget(scroll);
    show(nullptr);
}

std::string ModelPanel::measure() const {
    // The similarity is not saved, because the head to which it compares is not.
    const bool isUsual = m_measures->currentIndex() == m_usualMeasure || isBySimilarity();
    return isUsual ? std::string() : std::string(m_heads->measure().name);
}

void ModelPanel::setMeasure(const std::string &name) {
    const auto found = std::ranges::find(core::kNamedMeasures, name, &core::NamedMeasure::name);
    m_measures->setCurrentIndex(found == std::end(core::kNamedMeasures)
                                    ? m_usualMeasure
                                    : static_cast<int>(found - std::begin(core::kNamedMeasures)));
}

void ModelPanel::setStyle(const FigureStyle &style) {
    m_style = style;
    m_rows->setStyle(style);
    fitList();
}

/// Shows fewer rows of the list if the effect of silencing then fits below it. If it does not, and
/// its first line does, its other lines are in the tooltip.
void ModelPanel::fitList() {
    const int row = m_rows->sizeHint({}, {}).height();
    const int usual = qRound(kMinRows * row);
    const int fewest = qRound(kFewestRows * row);
    // Returns the height for the list if the panel does not scroll.
    const auto freeHeight = [this](bool hasMore) {
        m_more->setVisible(hasMore);
        m_more->parentWidget()->layout()->activate(); // updates the column's minimum height
        return m_scroll->height() - m_column->minimumHeightForWidth(m_scroll->width()) +
               m_list->minimumHeight();
    };
    const bool hasMore = !m_more->text().isEmpty();
    int free = freeHeight(hasMore);
    const bool isLow = hasMore && free < fewest && freeHeight(false) >= fewest;
    free = freeHeight(hasMore && !isLow);
    m_silencing->setToolTip(isLow ? QStringLiteral("<p>%1</p>").arg(m_more->text()) : QString());
    m_list->setMinimumHeight(free >= fewest ? std::min(free, usual) : usual);
}

void ModelPanel::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    fitList();
}

void ModelPanel::show(const std::shared_ptr<const core::TraceGlances> &glances) {
    {
        const QScopedValueRollback<bool> showing(m_isShowing, true);
        m_heads->show(glances, m_style, devicePixelRatioF());
    }
    m_count = 0;
    if (glances)
        for (const core::AttentionId attention : glances->attentions)
            m_count += static_cast<int>(glances->trace->model().headsOf(attention));
    m_sizes->setToolTip(glances ? sizesOf(*glances) : QString());
    m_isMeasuring = !glances || glances->next() || m_isComparing;
    keepCurrent();
}

void ModelPanel::setColours(Range range, Scaling scaling) {
    m_heads->setColours(range, scaling);
}

void ModelPanel::showChanges(bool isOn, const ModelChanges::FoundPointer &changes) {
    const QScopedValueRollback<bool> showing(m_isShowing, true);
    m_isChange = isOn;
    m_isComparing = isOn && (!changes || (!changes->isComplete && !changes->error));
    m_changeProblem = isOn && changes && changes->error ? translated(*changes->error) : QString();
    m_heads->showChanges(isOn, changes);
    keepCurrent();
}

bool ModelPanel::isBySimilarity() const {
    return m_heads->measure().measure == core::kSimilarity.measure;
}

void ModelPanel::sortBySimilarity() {
    const int index = m_measures->count() - 1;
    if (m_measures->currentIndex() != index)
        return m_measures->setCurrentIndex(index);
    emit similarityWanted();
}

void ModelPanel::showSimilar(const std::shared_ptr<const SimilarHeads::Found> &similar,
                             const QString &chosen) {
    const QScopedValueRollback<bool> showing(m_isShowing, true);
    m_heads->showSimilar(similar);
    m_problem = similar && similar->error ? translated(*similar->error) : QString();
    const int index = m_measures->count() - 1;
    m_measures->setItemText(index, similar ? tr("similarity to %1").arg(chosen)
                                           : titleOf(core::kSimilarity));
    keepCurrent();
}

void ModelPanel::nameMeasure() {
    const core::NamedMeasure &measure = m_heads->measure();
    m_measures->setToolTip(definitionOf(measure));
    m_measures->setProperty("glossaryEntry", glossaryIdOf(measure)); // for F1
    m_definition->setToolTip(
        tr("Explain the measure: its formula, its rows and the paper (F1 in the list)"));
    m_definition->setProperty("glossaryEntry", glossaryIdOf(measure));
}

void ModelPanel::select(const core::HeadId &head) {
    if (head == m_selected && m_list->currentIndex().isValid())
        return;
    m_selected = head;
    m_wanted.reset();
    keepCurrent();
}

void ModelPanel::nameCount() {
    const int passing = m_heads->rowCount();
    const bool isFiltered = !m_filter->text().trimmed().isEmpty() && passing < m_count;
    QString text;
    if (m_count <= 1)
        text = m_isChange ? tr("Change of") : tr("Sorted by");
    else if (!isFiltered)
        text = m_isChange ? tr("%n heads, by the change of", nullptr, m_count)
                          : tr("%n heads, sorted by", nullptr, m_count);
    else
        text = (m_isChange ? tr("%1 of %n heads, by change of", nullptr, m_count)
                           : tr("%1 of %n heads, sorted by", nullptr, m_count))
                   .arg(passing);
    m_sizes->setText(text);
}

void ModelPanel::keepCurrent() {
    nameCount();
    const QString problem = m_isChange ? m_changeProblem : isBySimilarity() ? m_problem : QString();
    const bool hasFailed = !problem.isEmpty();
    const bool isEmpty = m_heads->rowCount() == 0 || hasFailed;
    if (isEmpty)
        m_empty->setText(hasFailed                    ? problem.toHtmlEscaped()
                         : m_isMeasuring              ? tr("Measuring the heads…")
                         : m_filter->text().isEmpty() ? tr("There are no attention weights.")
                                                      : tr("No head matches the filter."));
    m_list->setHidden(isEmpty);
    m_empty->setVisible(isEmpty);
    const QScopedValueRollback<bool> showing(m_isShowing, true);
    const int row = m_heads->rowOf(m_wanted.value_or(m_selected));
    if (row < 0)
        return m_list->setCurrentIndex({});
    // After sorting, show the top of the list; after another head was selected, show that head.
    const bool isChosen = m_shown && *m_shown != m_selected;
    m_shown = m_selected;
    if (m_list->currentIndex().row() == row)
        return; // keep the position to which the user has scrolled
    m_list->setAutoScroll(isChosen);
    m_list->setCurrentIndex(m_heads->index(row));
    m_list->setAutoScroll(true);
    if (!isChosen)
        m_list->scrollToTop();
}

void ModelPanel::setSilencing(const QString &line, const QString &more) {
    m_silencing->setText(line);
    m_more->setText(more);
    fitList();
}

int ModelPanel::widthIn(const FigureStyle &style) {
    return qRound(style.scaled(kModelPanelWidth));
}

bool ModelPanel::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            emit openWanted();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace headlight::ui
