#include "ui/panels/editor/update_lines.h"

#include "ui/document/training_controller.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QSettings>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr int kSettled = 250; // ms without a change before the update is computed

const QString kOpenedKey = QStringLiteral("editor/nextUpdate");

/// The values are in the second column, because a narrow editor has to scroll to the formulas.
enum UpdateColumn { kNameColumn, kValueColumn, kFormulaColumn, kNumbersColumn };

} // namespace

std::optional<ParameterIndex> weightAt(const DocumentState &state, const MatrixId &matrix,
                                       const core::ParameterBlock &shown, core::Index row,
                                       core::Index column) {
    if (matrix.kind == MatrixId::Kind::Parameter) {
        const core::MatrixBlock block = shown.place();
        return ParameterIndex{matrix.parameter, block.row + row, block.column + column};
    }
    const core::Stack stack =
        matrix.stack == core::Stack::Encoder ? core::Stack::Encoder : core::Stack::Main;
    const core::ParameterId embeddings{0, core::ParameterKind::Embeddings,
                                       core::Block::SelfAttention, stack};
    const core::Vocabulary *words = state.model.vocabularyOf(matrix.stack);
    if (!words || !core::parameterOf(state.model.parameters, embeddings) ||
        hasOwnEmbeddings(state, matrix))
        return std::nullopt;
    const auto id = words->idOf(batchOf(state.input, matrix)[matrix.sequence][row]);
    return id ? std::optional(ParameterIndex{embeddings, *id, column}) : std::nullopt;
}

UpdateLines::UpdateLines(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_title(new QToolButton),
      m_table(new QTableWidget(0, 4)) {
    m_title->setObjectName("nextUpdateTitle");
    m_title->setAccessibleName(tr("The next training step"));
    m_title->setCheckable(true);
    m_title->setChecked(QSettings().value(kOpenedKey).toBool());
    m_title->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_title->setAutoRaise(true);
    m_title->setToolTip(
        tr("Effect of the next training step on this weight; expand to see the calculation"));
    connect(m_title, &QToolButton::toggled, this, [this](bool opened) {
        QSettings().setValue(kOpenedKey, opened);
        showOpened();
    });
    m_table->setObjectName("nextUpdate");
    m_table->setAccessibleName(tr("The next update of the selected weight"));
    m_table->setHorizontalHeaderLabels({tr("quantity"), tr("value"), tr("formula"), tr("numbers")});
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addWidget(m_title);
    layout->addWidget(m_table);
    m_wait.setSingleShot(true);
    m_wait.setInterval(kSettled);
    connect(&m_wait, &QTimer::timeout, this, &UpdateLines::ask);
    showOpened();
    hide();
}

void UpdateLines::showOpened() {
    m_title->setArrowType(m_title->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    m_table->setVisible(m_title->isChecked());
    fitTable();
}

QString UpdateLines::text() const {
    QStringList lines;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < m_table->columnCount(); ++column)
            cells << m_table->item(row, column)->text();
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

void UpdateLines::show(const std::optional<ParameterIndex> &place) {
    const core::TrainingRunPointer &run = m_document.state().training;
    const bool isLearned = place && run && TrainingController::of(m_document).task() &&
                           core::hasPlaceFor(m_document.state().model.parameters, place->id);
    setVisible(isLearned);
    if (!isLearned) {
        m_job.cancel();
        m_wait.stop();
        m_run = nullptr;
        return;
    }
    const core::Parameter &parameter =
        core::parameterOf(m_document.state().model.parameters, place->id);
    if (m_place == place && m_run == run && m_parameter == parameter)
        return;
    m_place = place;
    m_run = run;
    m_parameter = parameter;
    m_job.cancel();
    m_wait.start();
}

void UpdateLines::ask() {
    if (!m_run || !m_place)
        return;
    m_job.start(
        [state = core::stateOf(*m_run, m_document.state().model),
         task = TrainingController::of(m_document).task(), place = *m_place](
            const std::stop_token &stop) mutable -> core::Result<core::WeightUpdate> {
            core::Result<core::Trainer> trainer = core::Trainer::create(std::move(state), task);
            if (!trainer)
                return trainer.error();
            return trainer->nextUpdate(place.id, place.row, place.column, stop);
        },
        [this](const core::Result<core::WeightUpdate> &update) {
            if (update)
                return showUpdate(*update);
            m_title->setText(labelled(tr("No next step"), translated(update.error())));
            m_table->setRowCount(0);
            fitTable();
        });
}

void UpdateLines::showUpdate(const core::WeightUpdate &update) {
    const double change = update.after - update.before;
    m_title->setText(tr("Next step: %1 %2 %3")
                         .arg(digitsText(update.before), change < 0 ? QStringLiteral("−") : "+",
                              digitsText(std::abs(change))));
    const std::vector<core::UpdateRow> rows = core::rowsOf(update);
    m_table->setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const core::UpdateRow &shown = rows[static_cast<std::size_t>(row)];
        const auto set = [this, row](UpdateColumn column, const QString &text) {
            auto *item = new QTableWidgetItem(text);
            item->setToolTip(text); // a narrow table elides the text
            if (column == kValueColumn)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        };
        set(kNameColumn, translated(shown.name));
        set(kFormulaColumn, QString::fromStdString(shown.formula));
        set(kNumbersColumn, QString::fromStdString(shown.numbers));
        set(kValueColumn, digitsText(shown.value));
    }
    fitTable();
}

void UpdateLines::fitTable() {
    m_table->resizeColumnsToContents();
    m_table->resizeRowsToContents();
    const QHeaderView *header = m_table->horizontalHeader();
    int height = header->height() + 2 * m_table->frameWidth();
    for (int row = 0; row < m_table->rowCount(); ++row)
        height += m_table->rowHeight(row);
    if (header->length() > m_table->viewport()->width())
        height += m_table->horizontalScrollBar()->sizeHint().height();
    m_table->setFixedHeight(m_table->rowCount() > 0 ? height : 0);
}

void UpdateLines::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    fitTable();
}

} // namespace headlight::ui
