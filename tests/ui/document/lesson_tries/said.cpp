#include "tests/ui/document/lesson_tries/said.h"

#include "core/lesson/step_text.h"

#include <QRegularExpression>
#include <QStringList>

namespace headlight::test {

namespace {

const QRegularExpression &struckText() {
    static const QRegularExpression struck("<s>(.*?)</s>");
    return struck;
}

QString plain(QString html) {
    static const QRegularExpression tag("<[^>]*>"), sign("<em>([^<]*?) ?([.,])</em>"),
        menu("<em>([^<]*[a-z])…</em>");
    html.replace(sign, "“\\1\\2”"); // a token or a text of the model, not a blank
    html.replace(menu, "\\1");      // an action such as "New run…"
    html.remove(tag);
    return html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
}

QString htmlOf(const ui::Document &document) {
    const core::LessonStep &step = *document.lessonStep();
    std::vector<std::string> texts = step.text;
    texts.insert(texts.end(), {step.mistake, step.tryIt});
    if (const core::Question *question = document.askedQuestion())
        texts.push_back(question->text);
    QStringList html;
    for (const std::string &text : texts)
        html << QString::fromStdString(core::stepTextToHtml(text, document.trace().get()));
    return html.join('\n');
}

} // namespace

QString saidBy(const ui::Document &document) {
    return plain(htmlOf(document).remove(struckText())).simplified();
}

QString struckOutBy(const ui::Document &document) {
    QStringList all;
    for (const auto &match : struckText().globalMatch(htmlOf(document)))
        all << plain(match.captured(1));
    return all.join('\n').simplified();
}

QStringList namedBy(const ui::Document &document) {
    static const QRegularExpression italics("<em>([^<]*)</em>");
    QStringList words;
    for (const auto &match : italics.globalMatch(htmlOf(document).remove(struckText())))
        words << match.captured(1);
    return words;
}

QByteArray whereIs(const ui::Document &document) {
    return QString("%1, step %2: %3\nstruck: %4")
        .arg(document.source())
        .arg(document.state().lessonStep)
        .arg(saidBy(document), struckOutBy(document))
        .toUtf8();
}

} // namespace headlight::test
