#include "ui/panels/editor/heads_page.h"

#include "ui/document/edits/mechanism_edits.h"
#include "ui/figures/text/text.h"
#include "ui/panels/editor/head_table.h"
#include "ui/text/number_text.h"
#include "ui/text/token_names.h"
#include "ui/widgets/eyebrow.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

constexpr std::size_t kMaxScores = 500; // further scores are only counted

} // namespace

HeadsPage::HeadsPage(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_heads(new HeadTable(document, this)),
      m_table(new QTableView),
      m_title(eyebrow(QString())),
      m_scores(new QListWidget),
      m_remove(new QPushButton(tr("Clear overrides"))),
      m_clear(new QPushButton(tr("Clear all interventions"))) {
    m_table->setObjectName("headSwitches");
    m_table->setAccessibleName(tr("Output of each head"));
    m_table->setToolTip(tr("Click a cell or press Space to set the state of a head"));
    m_table->setModel(m_heads);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setCornerButtonEnabled(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setMinimumSectionSize(16);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_scores->setObjectName("handScores");
    m_scores->setAccessibleName(tr("Score overrides"));
    m_scores->setToolTip(tr("Scores that replace the computed ones"));
    m_scores->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_scores->setUniformItemSizes(true);
    m_remove->setObjectName("computeAgain");
    m_remove->setToolTip(tr("Use the computed values of the selected scores again"));
    m_clear->setObjectName("clearInterventions");
    m_clear->setToolTip(tr("Turn every head on and clear all score overrides"));
    for (QPushButton *button : {m_remove, m_clear})
        button->setAccessibleName(button->text());

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    buttons->addWidget(m_remove);
    buttons->addWidget(m_clear);
    buttons->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    layout->addWidget(eyebrow(tr("OUTPUT OF EACH HEAD")));
    layout->addWidget(m_table, 3);
    layout->addWidget(m_title);
    layout->addWidget(m_scores, 2);
    layout->addLayout(buttons);
    layout->addStretch(1);

    connect(m_table, &QTableView::clicked, m_heads, &HeadTable::choose);
    connect(m_table, &QTableView::activated, m_heads, &HeadTable::choose);
    m_table->installEventFilter(this);
    connect(m_heads, &HeadTable::failed, this, &HeadsPage::failed);
    connect(m_scores, &QListWidget::itemSelectionChanged, this,
            [this] { m_remove->setEnabled(!m_scores->selectedItems().isEmpty()); });
    connect(m_remove, &QPushButton::clicked, this, &HeadsPage::removeSelected);
    connect(m_clear, &QPushButton::clicked, this,
            [this] { apply(edits::clearInterventions(m_document.state())); });
}

bool HeadsPage::eventFilter(QObject *object, QEvent *event) {
    if (object == m_table && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Space) {
        m_heads->choose(m_table->currentIndex());
        return true;
    }
    return QWidget::eventFilter(object, event);
}

void HeadsPage::update() {
    if (!m_document.state().input.batch)
        return;
    m_heads->update();
    const int row = fontMetrics().height() + 8;
    m_table->verticalHeader()->setDefaultSectionSize(row);
    m_table->setMaximumHeight(m_table->horizontalHeader()->sizeHint().height() +
                              m_heads->rowCount() * row + 2 * m_table->frameWidth() + 2);
    showScores();
}

void HeadsPage::showScores() {
    const core::Interventions &interventions = m_document.state().input.interventions;
    m_clear->setEnabled(!interventions.empty());
    m_title->setText(
        interventions.scores.empty() ? tr("NO SCORE OVERRIDES")
        : interventions.scores.size() == 1
            ? tr("1 SCORE OVERRIDE")
            : tr("%n SCORE OVERRIDES", nullptr, static_cast<int>(interventions.scores.size())));
    m_scores->setVisible(!interventions.scores.empty());
    m_remove->setVisible(!interventions.scores.empty());
    if (interventions.scores == m_shown)
        return;
    m_shown = interventions.scores;
    m_scores->clear();
    const core::Input &input = m_document.state().input;
    for (std::size_t i = 0; i < std::min(kMaxScores, m_shown.size()); ++i) {
        const core::ScoreIntervention &score = m_shown[i];
        const auto word = [&](const core::Batch &batch, core::Index token) {
            return tokenText(batch[score.sequence][token].text);
        };
        m_scores->addItem(tr("%1 → %2, head %3: %4")
                              .arg(word(input.queries(score.attention()), score.query),
                                   word(input.keys(score.attention()), score.key),
                                   QString::number(score.head), fullText(score.score)));
    }
    m_remove->setEnabled(false);
}

void HeadsPage::removeSelected() {
    std::vector<core::ScoreIntervention> places;
    for (const QModelIndex &index : m_scores->selectionModel()->selectedIndexes())
        places.push_back(m_shown[static_cast<std::size_t>(index.row())]);
    apply(edits::removeScores(m_document.state(), places));
}

void HeadsPage::apply(const core::Result<Change> &change) {
    const core::Outcome outcome = m_document.apply(change);
    if (!outcome)
        emit failed(outcome.error());
}

} // namespace headlight::ui
