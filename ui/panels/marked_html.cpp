#include "ui/panels/marked_html.h"

#include "core/lesson/slider_mark.h"
#include "core/lesson/step_text.h"
#include "ui/figures/base/style.h"
#include "ui/panels/fitted_text.h"
#include "ui/text/glossary/glossary.h"
#include "ui/text/glossary/term_html.h"
#include "ui/text/symbol_text.h"

#include <QPalette>
#include <QRegularExpression>

namespace headlight::ui {

namespace {

// Private-use characters around each number. They survive the conversion to HTML and are then
// replaced by tags that tint the number.
constexpr core::NumberFrame kFrame{"\uE000", "\uE001"};
constexpr core::NumberFrame kSliderFrame{"\uE000", "\uE001", "\uE002", "\uE003"};

/// Replaces the marks of sliders with linked pictures of sliders (ui/panels/fitted_text.h).
QString withSliders(QString html, const core::Trace *trace, const QPalette &palette) {
    static const QRegularExpression slider(QStringLiteral("\uE002([0-9a-f]*)\uE003"));
    for (QRegularExpressionMatch match = slider.match(html); match.hasMatch();
         match = slider.match(html)) {
        const std::string mark = core::textOfHex(match.captured(1).toStdString());
        std::string_view rest = std::string_view(mark).substr(mark.find("slider") + 6);
        const auto made = trace ? core::takeSlider(rest, *trace)
                                : core::Result<core::SliderMark>(core::Error{"", "", ""});
        html.replace(match.capturedStart(), match.capturedLength(),
                     made ? sliderHtml(match.captured(1), made->share(), palette) : QString());
    }
    return html;
}

/// Links the names of the editor and its pages in paragraphs that mention the editor.
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

/// Links terms that a lesson introduces in bold to the glossary.
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

} // namespace

QString markedHtml(const std::string &source, const core::Trace *trace, const QPalette &palette,
                   bool sliders) {
    const QColor ink = palette.color(QPalette::Text);
    const QColor tint =
        mixed(palette.color(QPalette::Highlight), palette.color(QPalette::Base), 0.16);
    const QChar begin(u'\uE000'), end(u'\uE001');
    QString text = QString::fromStdString(source).remove(begin).remove(end);
    text.remove(QChar(u'\uE002')).remove(QChar(u'\uE003'));
    const QString html = QString::fromStdString(
        core::stepTextToHtml(text.toStdString(), trace, {}, sliders ? kSliderFrame : kFrame));
    return withSliders(withSymbolLinks(withTerms(withLinks(html), ink), ink), trace, palette)
        .replace(begin, QString("<span style='background-color:%1'>").arg(tint.name()))
        .replace(end, "</span>");
}

QString withReadableScripts(QString html) {
    constexpr int kScript = 24; // px
    static const QRegularExpression script("<(sub|sup)>");
    return html.replace(script, QStringLiteral("<\\1 style='font-size:%1px'>").arg(kScript));
}

} // namespace headlight::ui
