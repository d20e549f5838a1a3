#include "ui/panels/editor/mask_page.h"

#include "ui/document/edits/mask_edits.h"
#include "ui/figures/text/text.h"
#include "ui/panels/editor/mechanism_page.h"
#include "ui/text/attention_names.h"
#include "ui/text/mask_text.h"
#include "ui/text/token_names.h"
#include "ui/widgets/eyebrow.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kLargestSize = 1000000;

/// Returns a layer's size in tokens; empty for layers without one.
std::optional<core::Index> sizeOf(const core::MaskLayer &layer) {
    if (const auto *window = std::get_if<core::WindowMask>(&layer))
        return window->width;
    if (const auto *prefix = std::get_if<core::PrefixMask>(&layer))
        return prefix->length;
    if (const auto *blocks = std::get_if<core::BlockMask>(&layer))
        return blocks->size;
    return std::nullopt;
}

core::MaskLayer withSize(core::MaskLayer layer, core::Index size) {
    if (auto *window = std::get_if<core::WindowMask>(&layer))
        window->width = size;
    if (auto *prefix = std::get_if<core::PrefixMask>(&layer))
        prefix->length = size;
    if (auto *blocks = std::get_if<core::BlockMask>(&layer))
        blocks->size = size;
    return layer;
}

bool isBothWays(const core::MaskLayer &layer) {
    const auto *window = std::get_if<core::WindowMask>(&layer);
    return window && window->bothWays;
}

/// Rows are reused while their kinds do not change, so that a spin box keeps the focus.
std::size_t kindKey(const core::MaskLayer &layer) {
    return 2 * layer.index() + (isBothWays(layer) ? 1 : 0);
}

QString rowText(const core::MaskLayer &layer) {
    if (!sizeOf(layer))
        return maskName(layer);
    if (std::holds_alternative<core::PrefixMask>(layer))
        return MaskPage::tr("causal, prefix of");
    if (std::holds_alternative<core::BlockMask>(layer))
        return MaskPage::tr("blocks of");
    return isBothWays(layer) ? MaskPage::tr("window both ways") : MaskPage::tr("window of");
}

} // namespace

MaskPage::MaskPage(Document &document, QAction &painting, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_layers(new QVBoxLayout),
      m_place(new QLabel),
      m_none(new QLabel(tr("No mask: every token sees every token."))),
      m_cells(new QLabel),
      m_clear(new QPushButton(tr("Clear"))),
      m_hideRow(new QPushButton(tr("Hide the row"))),
      m_followRow(new QPushButton(tr("Reset the row"))),
      m_whatIfs(new MechanismPage(document)) {
    auto *paint = new QToolButton;
    paint->setObjectName("paintMask");
    paint->setDefaultAction(&painting);
    paint->setText(tr("Paint cells"));
    paint->setAccessibleName(tr("Paint mask cells with the mouse"));
    connect(&painting, &QAction::changed, paint, [paint] { paint->setText(tr("Paint cells")); });
    auto *add = new QPushButton(tr("Add a layer"));
    add->setObjectName("addMaskLayer");
    add->setAccessibleName(add->text());
    add->setToolTip(
        tr("A key is hidden if any layer hides it; single-cell edits override the layers"));
    auto *menu = new QMenu(add);
    const std::pair<QString, core::MaskLayer> kinds[] = {
        {tr("Causal: hide later tokens"), core::CausalMask{}},
        {tr("Padding"), core::PaddingMask{}},
        {tr("Window: hide all but the last tokens"), core::WindowMask{2, false}},
        {tr("Window both ways"), core::WindowMask{1, true}},
        {tr("Causal with a prefix"), core::PrefixMask{1}},
        {tr("Blocks"), core::BlockMask{2}},
        {tr("Diagonal off: hide the token itself"), core::DiagonalMask{}}};
    for (const auto &[text, layer] : kinds)
        menu->addAction(text, this, [this, layer = layer] {
            apply(edits::addLayer(m_document.state(), layer, m_document.selection().attention()));
        });
    add->setMenu(menu);
    m_none->setWordWrap(true);
    m_place->setWordWrap(true);
    m_place->setObjectName("maskPlace");
    m_cells->setObjectName("maskCells");
    m_cells->setWordWrap(true);
    m_clear->setObjectName("clearMaskCells");
    m_clear->setToolTip(tr("Clear single-cell edits"));
    m_hideRow->setObjectName("hideMaskRow");
    m_followRow->setObjectName("freeMaskRow");
    for (QPushButton *button : {m_clear, m_hideRow, m_followRow})
        button->setAccessibleName(button->text());

    auto *tools = new QHBoxLayout;
    tools->setSpacing(6);
    tools->addWidget(add);
    tools->addWidget(paint);
    tools->addStretch(1);
    auto *cells = new QHBoxLayout;
    cells->setSpacing(6);
    cells->addWidget(m_cells, 1);
    cells->addWidget(m_clear);
    auto *row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(m_hideRow);
    row->addWidget(m_followRow);
    row->addStretch(1);
    m_layers->setSpacing(4);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 12);
    layout->setSpacing(6);
    layout->addWidget(eyebrow(tr("MASK LAYERS")));
    layout->addWidget(m_place);
    layout->addLayout(m_layers);
    layout->addWidget(m_none);
    layout->addLayout(tools);
    layout->addLayout(cells);
    layout->addLayout(row);
    layout->addSpacing(8);
    layout->addWidget(m_whatIfs);
    layout->addStretch(1);

    connect(m_clear, &QPushButton::clicked, this, [this] {
        apply(edits::clearMaskCells(m_document.state(), m_document.selection().attention()));
    });
    const auto setRow = [this](edits::CellMaskEdit wish) {
        const core::Selection &selection = m_document.selection();
        if (selection.query)
            apply(edits::setMaskRow(m_document.state(), selection.sequence, *selection.query, wish,
                                    selection.attention()));
    };
    connect(m_hideRow, &QPushButton::clicked, this,
            [setRow] { setRow(edits::CellMaskEdit::Hide); });
    connect(m_followRow, &QPushButton::clicked, this,
            [setRow] { setRow(edits::CellMaskEdit::Follow); });
    connect(m_whatIfs, &MechanismPage::failed, this, &MaskPage::failed);
}

void MaskPage::update() {
    if (!m_document.state().input.batch)
        return;
    showLayers();
    showRowButtons();
    m_whatIfs->update();
}

void MaskPage::showLayers() {
    const core::MaskLayers &layers =
        m_document.state().input.masksOf(m_document.selection().attention());
    const bool sameKinds = std::equal(
        m_rows.begin(), m_rows.end(), layers.begin(), layers.end(),
        [](const Row &row, const core::MaskLayer &layer) { return row.kind == kindKey(layer); });
    if (!sameKinds) {
        for (const Row &row : m_rows)
            row.widget->deleteLater();
        m_rows.clear();
        for (std::size_t index = 0; index < layers.size(); ++index)
            addRow(index);
    }
    for (std::size_t index = 0; index < layers.size(); ++index)
        if (m_rows[index].size) {
            const QSignalBlocker blocker(m_rows[index].size);
            m_rows[index].size->setValue(static_cast<int>(
                std::min<core::Index>(sizeOf(layers[index]).value_or(0), kLargestSize)));
        }
    m_none->setVisible(layers.empty());
    const DocumentState &state = m_document.state();
    m_place->setVisible(placesOf(state.model).size() > 1);
    m_place->setText(tr("In every layer: %1").arg(placeText(m_document.selection().attention())));
    const auto count = static_cast<int>(edits::countMaskCells(layers));
    m_cells->setText(count == 0   ? tr("No single-cell edits.")
                     : count == 1 ? tr("1 single-cell edit")
                                  : tr("%n single-cell edits", nullptr, count));
    m_clear->setEnabled(count > 0);
}

void MaskPage::addRow(std::size_t index) {
    const core::MaskLayer &layer =
        m_document.state().input.masksOf(m_document.selection().attention())[index];
    auto *widget = new QWidget;
    widget->setObjectName("maskLayer");
    auto *line = new QHBoxLayout(widget);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    auto *name = new QLabel(rowText(layer));
    name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    name->setToolTip(maskName(layer));
    line->addWidget(name, 1);
    QSpinBox *size = nullptr;
    if (const auto tokens = sizeOf(layer)) {
        size = new QSpinBox;
        size->setRange(std::holds_alternative<core::PrefixMask>(layer) ? 0 : 1, kLargestSize);
        size->setAccessibleName(tr("%1: number of tokens").arg(rowText(layer)));
        size->setToolTip(size->accessibleName());
        connect(size, &QSpinBox::valueChanged, this,
                [this, index](int value) { setSize(index, value); });
        connect(size, &QSpinBox::editingFinished, this,
                [this] { m_gesture = Document::kNoGesture; });
        line->addWidget(size);
    }
    auto *remove = new QToolButton;
    remove->setText(QStringLiteral("×"));
    remove->setAutoRaise(true);
    remove->setAccessibleName(tr("Remove: %1").arg(maskName(layer)));
    remove->setToolTip(remove->accessibleName());
    connect(remove, &QToolButton::clicked, this, [this, index] {
        apply(edits::removeLayer(m_document.state(), index, m_document.selection().attention()));
    });
    line->addWidget(remove);
    m_layers->addWidget(widget);
    m_rows.push_back({widget, kindKey(layer), size});
}

void MaskPage::setSize(std::size_t index, int size) {
    if (m_gesture == Document::kNoGesture || m_sized != index)
        m_gesture = m_document.newGesture();
    m_sized = index;
    const core::MaskLayers &layers =
        m_document.state().input.masksOf(m_document.selection().attention());
    if (index < layers.size())
        apply(edits::replaceLayer(m_document.state(), index, withSize(layers[index], size),
                                  m_document.selection().attention()),
              m_gesture);
}

void MaskPage::showRowButtons() {
    const core::Selection &selection = m_document.selection();
    const core::Sequence &read =
        m_document.state().input.queries(selection.attention())[selection.sequence];
    const bool any = selection.query && selection.stack != core::Stack::SourceEmbeddings;
    m_hideRow->setEnabled(any);
    m_followRow->setEnabled(any);
    const QString word = any ? tokenText(read[*selection.query].text) : QString();
    m_hideRow->setToolTip(any ? tr("Hide every key from “%1”").arg(word)
                              : tr("Select a row in the picture first"));
    m_followRow->setToolTip(any ? tr("Clear the single-cell edits of “%1”").arg(word)
                                : m_hideRow->toolTip());
}

void MaskPage::apply(const core::Result<Change> &change, int gesture) {
    const core::Outcome outcome = m_document.apply(change, gesture);
    if (!outcome) {
        emit failed(outcome.error());
        update();
    }
}

} // namespace headlight::ui
