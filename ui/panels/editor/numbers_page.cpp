#include "ui/panels/editor/numbers_page.h"

#include "core/format_number.h"
#include "ui/panels/editor/number_table.h"
#include "ui/panels/editor/number_table_view.h"
#include "ui/panels/editor/preset_menu.h"
#include "ui/panels/editor/update_lines.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

NumbersPage::NumbersPage(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_table(new NumberTable(document, this)),
      m_view(new NumberTableView(*m_table)),
      m_choice(new ElidedComboBox),
      m_pin(new QToolButton),
      m_presets(new QPushButton(tr("Presets"))),
      m_place(new ElidedLabel),
      m_value(new QLineEdit),
      m_missing(new QLabel),
      m_add(new QPushButton(tr("Add a bias of zeros"))),
      m_summary(new QLabel),
      m_update(new UpdateLines(document)) {
    m_choice->setObjectName("matrixChoice");
    m_choice->setAccessibleName(tr("Matrix"));
    m_choice->setToolTip(tr("The matrix to show; selecting another stage changes it"));
    m_choice->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_pin->setObjectName("pinMatrix");
    m_pin->setText(tr("Pin"));
    m_pin->setCheckable(true);
    m_pin->setAccessibleName(tr("Pin this matrix"));
    m_pin->setToolTip(tr("Keep this matrix when another stage is selected"));
    m_presets->setObjectName("presets");
    m_presets->setAccessibleName(tr("Presets for the matrix"));
    m_presets->setToolTip(
        tr("Fill the matrix: identity, zero, random, orthogonal, shuffled or a multiple"));
    m_presets->setMenu(new PresetMenu(*m_table, m_presets));
    m_value->setObjectName("cellValue");
    m_value->setAccessibleName(tr("Value of the selected cells"));
    m_value->setToolTip(tr("Press Enter to set every selected cell to this value"));
    m_value->setMinimumWidth(48);
    m_place->setObjectName("cellPlace");
    m_place->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_missing->setWordWrap(true);
    m_add->setObjectName("addBias");
    m_summary->setObjectName("numbersSummary");
    m_summary->setWordWrap(true);

    auto *choose = new QHBoxLayout;
    choose->setSpacing(6);
    choose->addWidget(m_choice, 1);
    choose->addWidget(m_pin);
    auto *value = new QHBoxLayout;
    value->setSpacing(6);
    value->addWidget(m_place, 1);
    value->addWidget(m_value, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    layout->addLayout(choose);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_missing);
    layout->addWidget(m_add);
    layout->addLayout(value);
    layout->addWidget(m_update);
    auto *whole = new QHBoxLayout;
    whole->setSpacing(6);
    whole->addWidget(m_summary, 1);
    whole->addWidget(m_presets);
    layout->addLayout(whole);
    layout->addStretch(0);

    connect(m_choice, &QComboBox::activated, this, &NumbersPage::choose);
    connect(m_add, &QPushButton::clicked, this, &NumbersPage::addMissing);
    connect(m_table, &NumberTable::failed, this, &NumbersPage::failed);
    connect(m_table, &NumberTable::numbersChanged, this, [this] {
        showValue();
        showSummary();
    });
    connect(m_table, &NumberTable::wasMade, this, [this] { showTarget(m_table->target()); });
    connect(m_view, &NumberTableView::statusMessage, this, &NumbersPage::statusMessage);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &NumbersPage::showValue);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &NumbersPage::showValue);
    connect(m_value, &QLineEdit::returnPressed, this, [this] {
        if (m_view->fillSelection(m_value->text()))
            m_value->selectAll();
    });
    m_table->setTarget(MatrixId{});
}

void NumbersPage::setStyle(const FigureStyle &style) {
    m_table->setStyle(style);
    m_view->setStyle(style);
}

void NumbersPage::update(bool stageChanged) {
    if (!m_document.state().input.batch)
        return;
    const core::Selection &selection = m_document.selection();
    EditorTarget target = m_table->target();
    if (!m_pin->isChecked()) {
        target = movedTo(m_document.state(), target, selection);
        if (stageChanged)
            target = targetFor(m_document.state(), selection).value_or(target);
    }
    const bool moved = target != m_table->target();
    showTarget(target);
    showUpdate(); // training may have continued while the number stayed selected
    const TableIndex place = placeIn(target, selection);
    const QModelIndex current = m_view->currentIndex();
    if ((place.row || place.column) && !m_view->hasFocus() &&
        (moved || stageChanged || (place.row && *place.row != current.row()) ||
         (place.column && *place.column != current.column())))
        m_view->showCell(static_cast<int>(place.row.value_or(std::max(0, current.row()))),
                         static_cast<int>(place.column.value_or(std::max(0, current.column()))));
}

void NumbersPage::editSelected(const core::Selection &selection) {
    const std::optional<EditorTarget> target = targetFor(m_document.state(), selection);
    if (!target)
        return;
    m_pin->setChecked(false);
    showTarget(*target);
    const TableIndex place = placeIn(*target, selection);
    m_view->showCell(static_cast<int>(place.row.value_or(0)),
                     static_cast<int>(place.column.value_or(0)));
    m_view->setFocus();
    if (m_view->currentIndex().isValid()) // invalid if the model has no such matrix
        m_view->edit(m_view->currentIndex());
}

void NumbersPage::showNumber(const core::ParameterId &id, core::Index row, core::Index column) {
    for (const EditorTarget &target : targetsAt(m_document.state(), m_document.selection())) {
        const auto *matrix = std::get_if<MatrixId>(&target);
        if (!matrix || matrix->kind != MatrixId::Kind::Parameter || matrix->parameter != id)
            continue;
        m_pin->setChecked(false);
        showTarget(target);
        m_view->showCell(static_cast<int>(row), static_cast<int>(column));
        m_view->setFocus();
    }
}

void NumbersPage::showTarget(const EditorTarget &target) {
    m_table->setTarget(target);
    fillChoice();
    const bool exists = m_table->exists();
    const auto *matrix = std::get_if<MatrixId>(&target);
    m_view->setVisible(exists);
    m_missing->setVisible(!exists);
    m_missing->setText(
        (m_table->isBeingMade() ? tr("Computing the %1…") : tr("This model has no %1."))
            .arg(nameOf(target, m_document.state())));
    m_add->setVisible(!exists && matrix && matrix->kind == MatrixId::Kind::Parameter &&
                      core::isRow(matrix->parameter.which));
    const bool ofOnes = matrix && isGain(matrix->parameter.which);
    m_add->setText(ofOnes ? tr("Add a gain of ones") : tr("Add a bias of zeros"));
    m_add->setToolTip(ofOnes ? tr("Nothing changes until the gain is edited")
                             : tr("Nothing changes until the bias is edited"));
    m_add->setAccessibleName(m_add->text());
    m_presets->setEnabled(exists);
    m_value->setEnabled(exists);
    showValue();
    showSummary();
}

void NumbersPage::fillChoice() {
    const DocumentState &state = m_document.state();
    std::vector<EditorTarget> targets = targetsAt(state, m_document.selection());
    const EditorTarget &shown = m_table->target();
    if (std::find(targets.begin(), targets.end(), shown) == targets.end())
        targets.push_back(shown); // a pinned matrix, for example of another head
    if (targets != m_targets) {
        m_targets = targets;
        m_choice->clear();
        for (const EditorTarget &target : m_targets)
            m_choice->addItem(nameOf(target, state));
    }
    const auto at = std::find(m_targets.begin(), m_targets.end(), shown);
    m_choice->setCurrentIndex(static_cast<int>(at - m_targets.begin()));
}

void NumbersPage::choose(int index) {
    showTarget(m_targets[static_cast<std::size_t>(index)]);
}

void NumbersPage::showValue() {
    const QModelIndexList selected = m_view->selectionModel()->selectedIndexes();
    const auto count = selected.size();
    const QModelIndex current =
        m_view->currentIndex().isValid() || count == 0 ? m_view->currentIndex() : selected.first();
    const bool valid = current.isValid() && m_table->exists();
    m_place->setText(
        !valid ? tr("no cell selected")
        : count > 1
            ? tr("%n cells", nullptr, static_cast<int>(count))
            : tr("row %1, column %2")
                  .arg(m_table->headerData(current.row(), Qt::Vertical, Qt::ToolTipRole).toString(),
                       m_table->headerData(current.column(), Qt::Horizontal, Qt::ToolTipRole)
                           .toString()));
    m_place->setToolTip(m_place->text());
    m_value->setEnabled(valid);
    if (!(m_value->hasFocus() && m_value->isModified()))
        m_value->setText(valid ? fullText(m_table->number(current)) : QString());
    showUpdate();
}

void NumbersPage::showUpdate() {
    const auto *matrix = std::get_if<MatrixId>(&m_table->target());
    const QModelIndex current = m_view->currentIndex();
    const bool isThere = matrix && current.isValid() && m_table->exists();
    m_update->show(isThere ? weightAt(m_document.state(), *matrix, m_table->view(), current.row(),
                                      current.column())
                           : std::nullopt);
}

void NumbersPage::showSummary() {
    const core::BlockSummary &summary = m_table->summary();
    if (!m_table->exists() || summary.empty())
        return m_summary->clear();
    // Writes three decimals, or more if the number would otherwise round to zero.
    const auto text = [](double number) {
        int decimals = 3;
        while (number != 0 && std::abs(number) * std::pow(10, decimals) < 1 && decimals < 12)
            ++decimals;
        if (decimals == 12)
            return fullText(static_cast<float>(number));
        return QString::fromStdString(core::rounded(number, decimals));
    };
    QString words =
        tr("%1 × %2 · from %3 to %4 · mean %5")
            .arg(QString::number(m_table->view().rows), QString::number(m_table->view().columns),
                 text(summary.least()), text(summary.most()), text(summary.mean()));
    const auto *matrix = std::get_if<MatrixId>(&m_table->target());
    if (matrix && matrix->kind == MatrixId::Kind::Embeddings &&
        !hasOwnEmbeddings(m_document.state(), *matrix))
        words =
            sentences({ended(words),
                       tr("A word has only one vector, so it changes wherever the word occurs.")});
    m_summary->setText(words);
}

/// Hides the summary in a small window, to leave space for the table.
void NumbersPage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_summary->setVisible(height() > 18 * fontMetrics().height());
}

void NumbersPage::addMissing() {
    if (const auto *matrix = std::get_if<MatrixId>(&m_table->target()))
        m_table->apply(edits::addBias(m_document.state(), matrix->parameter));
}

} // namespace headlight::ui
