#include "ui/panels/lesson_editor/lesson_page.h"

#include "ui/panels/lesson_editor/typing.h"

#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

std::vector<std::string> idsIn(const QString &text) {
    static const QRegularExpression between("[,;\\s]+");
    std::vector<std::string> ids;
    for (const QString &id : text.split(between, Qt::SkipEmptyParts))
        ids.push_back(id.toStdString());
    return ids;
}

QString joined(const std::vector<std::string> &ids) {
    QStringList all;
    for (const std::string &id : ids)
        all << QString::fromStdString(id);
    return all.join(QStringLiteral(", "));
}

} // namespace

LessonPage::LessonPage(QWidget *parent)
    : QWidget(parent),
      m_title(new QLineEdit),
      m_summary(new QLineEdit),
      m_needs(new QLineEdit),
      m_minutes(new QSpinBox) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    const auto add = [layout](QWidget *field, const char *objectName, const QString &name,
                              const QString &toolTip) {
        auto *label = new QLabel(name);
        label->setWordWrap(true);
        label->setBuddy(field);
        field->setObjectName(objectName);
        field->setAccessibleName(name);
        field->setToolTip(toolTip);
        layout->addWidget(label);
        layout->addWidget(field);
    };
    add(m_title, "lessonTitle", tr("Title of the lesson"), tr("Its name in lists"));
    add(m_summary, "lessonSummary", tr("What it teaches, in one sentence"),
        tr("Shown next to its title in lists; without marks"));
    add(m_minutes, "lessonMinutes", tr("Duration in minutes"), tr("0: not specified"));
    add(m_needs, "lessonNeeds", tr("Lessons that it builds on"),
        tr("Names as listed by headlight lessons, or of files of the same course, separated by "
           "commas"));
    m_summary->setPlaceholderText(tr("One sentence"));
    m_needs->setPlaceholderText(tr("bank, cat"));
    m_minutes->setRange(0, core::kMaxMinutes);
    m_minutes->setSpecialValueText(tr("not specified"));
    connect(m_title, &QLineEdit::textChanged, this, [this](const QString &text) {
        emit edited(tr("Title of the lesson"),
                    [text](LessonDraft &draft) { draft.title = text.toStdString(); });
    });
    connect(m_summary, &QLineEdit::textChanged, this, [this](const QString &text) {
        emit edited(tr("Summary of the lesson"),
                    [text](LessonDraft &draft) { draft.lesson.summary = text.toStdString(); });
    });
    connect(m_needs, &QLineEdit::textChanged, this, [this](const QString &text) {
        emit edited(tr("Prerequisites of the lesson"),
                    [text](LessonDraft &draft) { draft.lesson.needs = idsIn(text); });
    });
    connect(m_minutes, &QSpinBox::valueChanged, this, [this](int minutes) {
        emit edited(tr("Duration of the lesson"),
                    [minutes](LessonDraft &draft) { draft.lesson.minutes = minutes; });
    });
}

void LessonPage::showLesson(const core::Session &session) {
    showLine(*m_title, QString::fromStdString(session.title));
    showLine(*m_summary, QString::fromStdString(session.lesson->summary));
    if (idsIn(m_needs->text()) != session.lesson->needs)
        showLine(*m_needs, joined(session.lesson->needs));
    const QSignalBlocker silent(m_minutes);
    m_minutes->setValue(static_cast<int>(session.lesson->minutes));
}

void LessonPage::goTo(const QString &place) {
    QWidget *const field = place.startsWith("needs")     ? static_cast<QWidget *>(m_needs)
                           : place.startsWith("minutes") ? static_cast<QWidget *>(m_minutes)
                                                         : m_summary;
    field->setFocus(Qt::OtherFocusReason);
}

} // namespace headlight::ui
