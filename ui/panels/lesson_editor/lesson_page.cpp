#include "ui/panels/lesson_editor/lesson_page.h"

#include "ui/panels/lesson_editor/marked_field.h"
#include "ui/panels/lesson_editor/spelling.h"
#include "ui/panels/lesson_editor/typing.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

/// Returns "English (United States)" for the dictionary "en_US".
QString languageOf(const QString &dictionary) {
    const QLocale locale(dictionary);
    return locale.language() == QLocale::C
               ? dictionary
               : QStringLiteral("%1 (%2)").arg(QLocale::languageToString(locale.language()),
                                               QLocale::territoryToString(locale.territory()));
}

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
      m_minutes(new QSpinBox),
      m_aim(new MarkedField(
          "lessonAim",
          {tr("Aim, for the teacher"), tr("What a student can do after the lesson"),
           tr("Printed on the handout, without marks. If empty, the sentence above is printed")},
          MarkedField::Holds::One, 2)),
      m_difficulties(new MarkedField(
          "lessonDifficulties",
          {tr("What goes wrong in class"), tr("Separate the difficulties with an empty line."),
           tr("At most eight difficulties, printed on the handout without marks")},
          MarkedField::Holds::Paragraphs, 3)) {
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
    add(m_title, "lessonTitle", tr("Title of the lesson"), tr("Name of the lesson in lists"));
    add(m_summary, "lessonSummary", tr("What the lesson teaches, in one sentence"),
        tr("Shown next to the title in lists; without marks"));
    add(m_minutes, "lessonMinutes", tr("Duration in minutes"), tr("0: not specified"));
    add(m_needs, "lessonNeeds", tr("Lessons that this one builds on"),
        tr("Names of lessons, as `headlight lessons` lists them, or of files of the same course, "
           "separated by commas"));
    for (MarkedField *field : {m_aim, m_difficulties}) {
        field->takesNoMarks();
        layout->addWidget(field);
    }
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
    connectHandout();
    addSpelling(*layout);
}

/// Adds the choice of a dictionary, if any is installed.
void LessonPage::addSpelling(QVBoxLayout &layout) {
    const QStringList dictionaries = installedDictionaries();
    if (dictionaries.isEmpty())
        return;
    auto *label = new QLabel(tr("Spelling"));
    auto *choice = new QComboBox;
    label->setBuddy(choice);
    choice->setObjectName("lessonSpelling");
    choice->setAccessibleName(tr("Spelling"));
    choice->setToolTip(
        tr("Choose the spelling dictionary. Misspelt words are underlined; right-click one for "
           "suggestions. The choice is saved in Headlight's settings, not in the lesson"));
    choice->addItem(tr("not checked"));
    for (const QString &dictionary : dictionaries)
        choice->addItem(languageOf(dictionary));
    choice->setCurrentIndex(
        static_cast<int>(dictionaries.indexOf(Spelling::shared().dictionary())) + 1);
    connect(choice, &QComboBox::activated, this, [dictionaries](int index) {
        Spelling::shared().setDictionary(index > 0 ? dictionaries[index - 1] : QString());
    });
    layout.addWidget(label);
    layout.addWidget(choice);
}

void LessonPage::connectHandout() {
    connect(m_aim, &MarkedField::edited, this, [this] {
        emit edited(tr("Aim of the lesson"),
                    [aim = m_aim->text()](LessonDraft &draft) { draft.lesson.aim = aim; });
    });
    connect(m_difficulties, &MarkedField::edited, this, [this] {
        emit edited(tr("What goes wrong in class"),
                    [texts = m_difficulties->texts()](LessonDraft &draft) {
                        draft.lesson.difficulties = texts;
                    });
    });
}

void LessonPage::showLesson(const core::Session &session) {
    showLine(*m_title, QString::fromStdString(session.title));
    showLine(*m_summary, QString::fromStdString(session.lesson->summary));
    if (idsIn(m_needs->text()) != session.lesson->needs)
        showLine(*m_needs, joined(session.lesson->needs));
    m_aim->setText(session.lesson->aim);
    m_difficulties->setTexts(session.lesson->difficulties);
    const QSignalBlocker silent(m_minutes);
    m_minutes->setValue(static_cast<int>(session.lesson->minutes));
}

void LessonPage::goTo(const QString &place) {
    if (place.startsWith("aim"))
        return m_aim->takeFocus();
    if (place.startsWith("difficulties"))
        return m_difficulties->takeFocus();
    QWidget *const field = place.startsWith("needs")     ? static_cast<QWidget *>(m_needs)
                           : place.startsWith("minutes") ? static_cast<QWidget *>(m_minutes)
                                                         : m_summary;
    field->setFocus(Qt::OtherFocusReason);
}

} // namespace headlight::ui
