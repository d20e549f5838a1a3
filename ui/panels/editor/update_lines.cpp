#include "ui/panels/editor/update_lines.h"

#include "ui/widgets/eyebrow.h"
#include "ui/words/core_message.h"

#include <QFontDatabase>
#include <QLabel>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

constexpr int kSettled = 250; // milliseconds

QString plainLine(const core::Line &line) {
    QString text;
    for (const core::Piece &piece : line)
        text += QString::fromStdString(piece.text);
    return text;
}

} // namespace

UpdateLines::UpdateLines(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_lines(new QLabel) {
    m_lines->setObjectName("nextUpdate");
    m_lines->setAccessibleName(tr("The next update of the selected weight"));
    m_lines->setToolTip(
        tr("What the next step of training will do to this weight, with the batch that it will "
           "learn from"));
    m_lines->setTextFormat(Qt::PlainText);
    m_lines->setWordWrap(true);
    m_lines->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lines->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addWidget(eyebrow(tr("NEXT UPDATE OF THIS WEIGHT")));
    layout->addWidget(m_lines);
    m_wait.setSingleShot(true);
    m_wait.setInterval(kSettled);
    connect(&m_wait, &QTimer::timeout, this, &UpdateLines::ask);
    connect(&m_maker, &UpdateMaker::made, this, &UpdateLines::showUpdate);
    connect(&m_maker, &UpdateMaker::failed, this,
            [this](const core::Error &error) { m_lines->setText(translated(error)); });
    hide();
}

QString UpdateLines::text() const {
    return m_lines->text();
}

void UpdateLines::show(const std::optional<Place> &place) {
    const core::TrainingRunPointer &run = m_document.state().training;
    const bool isLearned = place && run && core::findTask(run->recipe.task) &&
                           core::hasPlaceFor(m_document.state().model.weights, place->id);
    setVisible(isLearned);
    if (!isLearned) {
        m_maker.cancel();
        m_wait.stop();
        m_run = nullptr;
        return;
    }
    const core::Parameter &parameter =
        core::parameterOf(m_document.state().model.weights, place->id);
    if (m_place == place && m_run == run && m_parameter == parameter)
        return;
    m_place = place;
    m_run = run;
    m_parameter = parameter;
    m_maker.cancel();
    m_wait.start();
}

void UpdateLines::ask() {
    if (m_run && m_place)
        m_maker.make(core::stateOf(*m_run, m_document.state().model),
                     core::findTask(m_run->recipe.task), m_place->id, m_place->row,
                     m_place->column);
}

void UpdateLines::showUpdate(const core::WeightUpdate &update) {
    QStringList lines;
    for (const core::Line &line : core::linesOf(update))
        lines.append(plainLine(line));
    m_lines->setText(lines.join(QLatin1Char('\n')));
}

} // namespace headlight::ui
