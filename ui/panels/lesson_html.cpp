#include "ui/panels/lesson_html.h"

#include "core/formats/session/step_text.h"
#include "ui/document/document.h"
#include "ui/figures/style.h"
#include "ui/panels/capture_html.h"
#include "ui/panels/model_html.h"
#include "ui/words/changed_words.h"
#include "ui/words/glossary.h"
#include "ui/words/sentences.h"
#include "ui/words/symbol_text.h"
#include "ui/words/term_html.h"

#include <QCoreApplication>
#include <QPalette>
#include <QRegularExpression>

namespace headlight::ui {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("LessonPanel", text);
}

// Private characters around each number: they come through the HTML untouched and become its tint.
constexpr core::NumberFrame kFrame{"\uE000", "\uE001"};

/// Where a paragraph speaks of the editor, its name and those of its pages open it.
QString withLinks(QString html) {
    const auto link = [&html](const char *name, const char *target) {
        html.replace(QString("<em>%1</em>").arg(name),
                     QString("<a href='%1'>%2</a>").arg(target, name));
    };
    if (!html.contains("<em>Editor</em>"))
        return html;
    link("Editor", "editor");
    link("Numbers", "editor:numbers");
    link("Mask", "editor:mask");
    link("Heads", "editor:heads");
    link("Tokens", "editor:tokens");
    return html;
}

/// Terms of the glossary, where a lesson introduces them in bold, lead to it.
QString withTerms(QString html, const QColor &colour) {
    static const QRegularExpression bold("<strong>([^<{]*)</strong>");
    qsizetype at = 0;
    for (QRegularExpressionMatch match = bold.match(html); match.hasMatch();
         match = bold.match(html, at)) {
        at = match.capturedEnd();
        const auto entry = entryOfTerm(match.captured(1));
        if (!entry)
            continue;
        const QString linked =
            QString("<strong>%1</strong>").arg(termLink(match.captured(1), entry->id, colour));
        html.replace(match.capturedStart(), match.capturedLength(), linked);
        at = match.capturedStart() + linked.size();
    }
    return html;
}

QString paragraph(const std::string &source, const core::Trace *trace, const QColor &tint,
                  const QColor &ink) {
    const QChar begin(u'\uE000'), end(u'\uE001');
    const QString text = QString::fromStdString(source).remove(begin).remove(end);
    const QString html =
        QString::fromStdString(core::stepTextToHtml(text.toStdString(), trace, {}, kFrame));
    return withSymbolLinks(withTerms(withLinks(html), ink), ink)
        .replace(begin, QString("<span style='background-color:%1'>").arg(tint.name()))
        .replace(end, "</span>");
}

/// What the person changed of the lesson, in words; empty where nothing.
QString changedWords(const ChangedParts &edits) {
    QStringList words;
    for (std::size_t part = 0; part < core::kStateParts; ++part)
        if (edits.has(static_cast<core::StatePart>(part)))
            words << nameOf(static_cast<core::StatePart>(part));
    return listed(words);
}

} // namespace

QString lessonHtml(const Document &document, const QPalette &palette) {
    const core::Session &session = document.session();
    if (session.capture)
        return captureHtml(session);
    if (!session.lesson)
        return modelHtml(session, document.state().model);
    const QColor accent = palette.color(QPalette::Highlight);
    const QColor base = palette.color(QPalette::Base);
    const QColor ink = palette.color(QPalette::Text);
    const QColor number = mixed(accent, base, 0.16);
    const QColor box = mixed(accent, base, 0.08);
    const core::LessonStep &step =
        session.lesson->steps[static_cast<std::size_t>(document.state().lessonStep)];
    const core::Trace *trace = document.trace().get();
    QString html = QString("<h3>%1</h3>")
                       .arg(symbolsInHtml(QString::fromStdString(step.title).toHtmlEscaped()));
    if (const QString changed = changedWords(document.state().edits); !changed.isEmpty())
        html += QString("<p style='line-height:140%;color:%1'>%2</p>")
                    .arg(palette.color(QPalette::PlaceholderText).name(),
                         tr("You changed %1. What no longer holds is struck out.").arg(changed));
    for (const std::string &text : step.text)
        if (const QString said = paragraph(text, trace, number, ink); !said.trimmed().isEmpty())
            html += QString("<p style='line-height:150%'>%1</p>").arg(said);
    if (!step.tryIt.empty())
        html +=
            QString(
                "<table width='100%' cellpadding='12' style='margin-top:8px'><tr>"
                "<td style='background-color:%1;line-height:150%'><b>%2</b> %3</td></tr></table>")
                .arg(box.name(), tr("Try it."), paragraph(step.tryIt, trace, number, ink));
    return html;
}

} // namespace headlight::ui
