#include "ui/window/worksheet/handout_dialog.h"

#include "ui/document/lesson_handout.h"
#include "ui/document/lesson_worksheet.h"

#include <QCheckBox>

namespace headlight::ui {

namespace {

core::Result<PackedLesson> packedLesson(const core::Session &session, const DocumentState &now,
                                        const QList<LessonInfo> &known, const std::stop_token &stop,
                                        const std::function<void(int, int)> &done) {
    const core::Result<core::Handout> handout = handoutOf(session, known, stop, done);
    if (!handout)
        return handout.error();
    core::Result<core::Worksheet> sheet = worksheetOf(session, now, stop);
    if (!sheet)
        return sheet.error();
    PackedLesson lesson{handoutText(*handout), {}};
    if (asksForSomething(*sheet))
        lesson.sheet = *std::move(sheet);
    return lesson;
}

} // namespace

HandoutDialog::HandoutDialog(const std::shared_ptr<const core::Session> &session, DocumentState now,
                             const QList<LessonInfo> &known, std::vector<std::string> inputs,
                             QWidget *parent)
    : SheetDialog({QStringLiteral("handout"), tr("Print handout for the teacher"),
                   QStringLiteral("handout.pdf"), tr("PDF (*.pdf);;HTML (*.html);;Text (*.txt)"),
                   tr("The handout was sent to the printer")},
                  std::move(inputs), parent),
      m_sheets(addTick("Worksheets", tr("With the &worksheet"),
                       tr("The lesson's worksheet after the page for the teacher"))),
      m_answers(
          addTick("Answers", tr("With &answers"), tr("The blanks of the worksheet filled in"))) {
    m_answers->setEnabled(false);
    connect(m_sheets, &QCheckBox::toggled, m_answers, &QWidget::setEnabled);
    job().start(
        [session, known, state = std::move(now), tell = progress()](const std::stop_token &stop) {
            return packedLesson(*session, state, known, stop, tell);
        },
        [this](core::Result<PackedLesson> lesson) {
            if (!lesson)
                return take(lesson.error());
            m_lesson = *std::move(lesson);
            m_sheets->setEnabled(m_lesson.sheet.has_value());
            take(core::Done{});
        });
}

SheetPages HandoutDialog::pages(SheetOfPaper paper) const {
    const PackedLesson without{m_lesson.handout, {}};
    std::vector<PackedLesson> lessons;
    lessons.push_back(m_sheets->isChecked() ? m_lesson : without);
    return packPages(lessons, m_answers->isChecked(), paper);
}

std::optional<QByteArray> HandoutDialog::bytesFor(const QString &path) const {
    if (path.endsWith(QLatin1String(".html"), Qt::CaseInsensitive))
        return handoutsAsHtml({m_lesson.handout}).toUtf8();
    if (path.endsWith(QLatin1String(".txt"), Qt::CaseInsensitive))
        return handoutsAsText({m_lesson.handout}).toUtf8();
    return std::nullopt;
}

QString HandoutDialog::proposedName() const {
    return m_sheets->isChecked() ? QStringLiteral("handout-with-worksheet.pdf")
                                 : QStringLiteral("handout.pdf");
}

} // namespace headlight::ui
