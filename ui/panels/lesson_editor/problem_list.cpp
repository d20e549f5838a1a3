#include "ui/panels/lesson_editor/problem_list.h"

#include "core/checks/session_check.h"
#include "ui/text/core_message.h"
#include "ui/widgets/elided_button.h"

#include <QHBoxLayout>
#include <QHideEvent>
#include <QLabel>
#include <QListWidget>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kMaxVisible = 5;
enum Role { StepRole = Qt::UserRole, PlaceRole };

struct ProblemPlace {
    core::Index step = -1;
    QString place;
};

/// Splits "lesson.steps[2].question.answers[0].if" into step 2 and "question.answers[0].if".
ProblemPlace placeOfProblem(const std::string &where) {
    static const QRegularExpression inStep("^lesson\\.steps\\[(\\d+)\\]\\.?([^:]*)");
    const QString text = QString::fromStdString(where);
    const QRegularExpressionMatch match = inStep.match(text);
    if (match.hasMatch())
        return {match.captured(1).toLongLong(), match.captured(2)};
    return {-1, text.startsWith("lesson.") ? text.mid(7) : text};
}

} // namespace

ProblemList::ProblemList(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_check(new ElidedButton(tr("Check"))),
      m_words(new QLabel),
      m_list(new QListWidget) {
    m_check->setObjectName("checkLesson");
    m_check->setAccessibleName(tr("Check the lesson"));
    m_check->setToolTip(tr("Check every step, claim, answer and solution, like headlight check"));
    m_words->setObjectName("checkText");
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_list->setObjectName("lessonProblems");
    m_list->setAccessibleName(tr("Problems of the lesson"));
    m_list->setToolTip(tr("Press Enter or double-click to go to the step and its field"));
    m_list->setWordWrap(true);
    m_list->setTextElideMode(Qt::ElideNone);
    m_list->hide();
    auto *head = new QHBoxLayout;
    head->addWidget(m_check);
    head->addWidget(m_words, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(m_list);
    connect(m_check, &QPushButton::clicked, this, &ProblemList::check);
    connect(m_list, &QListWidget::itemActivated, this, [this](const QListWidgetItem *item) {
        emit problemChosen(item->data(StepRole).toLongLong(), item->data(PlaceRole).toString());
    });
}

void ProblemList::check() {
    m_list->hide();
    m_words->setText(tr("Checking…"));
    m_job.start(
        [snapshot = m_document.snapshot({})](const std::stop_token &stop) {
            return core::inspectSession(snapshot.bytes(), stop);
        },
        [this](const core::Findings &findings) { showFindings(findings); });
}

void ProblemList::forget() {
    m_job.cancel();
    if (m_list->isVisible())
        keepSpaceOfList(true);
    m_list->clear();
    m_list->hide();
    m_words->clear();
}

void ProblemList::keepSpaceOfList(bool keeps) {
    QSizePolicy policy = m_list->sizePolicy();
    policy.setRetainSizeWhenHidden(keeps);
    m_list->setSizePolicy(policy);
}

void ProblemList::hideEvent(QHideEvent *event) {
    if (!event->spontaneous())
        keepSpaceOfList(false);
    QWidget::hideEvent(event);
}

void ProblemList::showFindings(const core::Findings &findings) {
    m_list->clear();
    const auto add = [this](const QString &words, const std::string &where) {
        auto *item = new QListWidgetItem(words, m_list);
        const ProblemPlace place = placeOfProblem(where);
        item->setData(StepRole, static_cast<qlonglong>(place.step));
        item->setData(PlaceRole, place.place);
        item->setToolTip(words);
    };
    for (const core::Error &problem : findings.problems)
        add(translated(problem), problem.where);
    for (const core::Warning &warning : findings.warnings)
        add(translated(warning), warning.where);
    const int count = m_list->count();
    m_words->setText(count == 0   ? tr("✓ No problems")
                     : count == 1 ? tr("One problem")
                                  : tr("%n problems", nullptr, count));
    emit checked(count);
    keepSpaceOfList(false);
    m_list->setVisible(count > 0);
    m_list->setFixedHeight(std::min(count, kMaxVisible) * 3 * m_list->fontMetrics().height() + 8);
}

} // namespace headlight::ui
