#include "ui/panels/editor/update_lines.h"

#include "ui/document/training_controller.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"

#include <QLabel>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace headlight::ui {

namespace {

constexpr int kSettled = 250; // ms without a change

const QString kOpenedKey = QStringLiteral("editor/nextUpdate");

QString plainLine(const core::Line &line) {
    QString text;
    for (const core::Piece &piece : line)
        text += QString::fromStdString(piece.text);
    return text;
}

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
    : QWidget(parent), m_document(document), m_title(new QToolButton), m_lines(new QLabel) {
    m_title->setObjectName("nextUpdateTitle");
    m_title->setAccessibleName(tr("The next step of training"));
    m_title->setCheckable(true);
    m_title->setChecked(QSettings().value(kOpenedKey).toBool());
    m_title->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_title->setAutoRaise(true);
    m_title->setToolTip(
        tr("The next training step's effect on this weight; expand it for the calculation"));
    connect(m_title, &QToolButton::toggled, this, [this](bool opened) {
        QSettings().setValue(kOpenedKey, opened);
        showOpened();
    });
    m_lines->setObjectName("nextUpdate");
    m_lines->setAccessibleName(tr("The next update of the selected weight"));
    m_lines->setTextFormat(Qt::PlainText);
    m_lines->setWordWrap(true);
    m_lines->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lines->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addWidget(m_title);
    layout->addWidget(m_lines);
    m_wait.setSingleShot(true);
    m_wait.setInterval(kSettled);
    connect(&m_wait, &QTimer::timeout, this, &UpdateLines::ask);
    showOpened();
    hide();
}

void UpdateLines::showOpened() {
    m_title->setArrowType(m_title->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    m_lines->setVisible(m_title->isChecked());
}

QString UpdateLines::text() const {
    return m_lines->text();
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
            m_title->setText(tr("No next step"));
            m_lines->setText(translated(update.error()));
        });
}

void UpdateLines::showUpdate(const core::WeightUpdate &update) {
    const double change = update.after - update.before;
    m_title->setText(tr("Next step: %1 %2 %3")
                         .arg(digitsText(update.before), change < 0 ? QStringLiteral("−") : "+",
                              digitsText(std::abs(change))));
    QStringList lines;
    for (const core::Line &line : core::linesOf(update))
        lines.append(plainLine(line));
    m_lines->setText(lines.join(QLatin1Char('\n')));
}

} // namespace headlight::ui
