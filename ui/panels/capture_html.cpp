#include "ui/panels/capture_html.h"

#include "core/formats/capture/capture.h"
#include "core/in_quotes.h"
#include "ui/panels/facts_html.h"
#include "ui/text/attention_names.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/text/one_line.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <set>

namespace headlight::ui {

namespace {

struct CaptureHtmlText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CapturePanel)
};

/// Returns "12", or "8 to 12, by layer" if the layers differ.
QString rangeOf(const std::set<core::Index> &counts) {
    if (counts.empty())
        return CaptureHtmlText::tr("unknown");
    return counts.size() == 1 ? QString::number(*counts.begin())
                              : CaptureHtmlText::tr("%1 to %2, by layer")
                                    .arg(*counts.begin())
                                    .arg(*counts.rbegin());
}

QString tokensOf(const core::Capture &capture, const core::TokenLists &lists) {
    const auto count = static_cast<int>(lists.front().size());
    QString words = lists.size() == 1
                        ? QString::number(count)
                        : CaptureHtmlText::tr("%1 in each of %2").arg(count).arg(lists.size());
    return capture.countsTokens ? CaptureHtmlText::tr("%1, not named in the file").arg(words)
                                : words;
}

/// Lists the stages. A stage that occurs in several layers is listed once.
QString stagesOf(const core::Trace &trace) {
    QStringList titles;
    for (const core::Step &step : trace.plan().steps())
        titles << titleOf(trace.model(), step.at.stage);
    titles.removeDuplicates();
    return listed(titles);
}

QString typesOf(const core::Capture &capture) {
    QStringList types;
    for (const std::string &type : capture.types())
        types << QString::fromStdString(type);
    const bool isRounded = types.contains("F16") || types.contains("BF16");
    const QString list = listed(types);
    return isRounded ? CaptureHtmlText::tr("%1, rounded to 16 bits").arg(list) : list;
}

/// Returns the first names and the number of remaining ones.
QString someOf(const std::vector<std::string> &names) {
    constexpr std::size_t kMax = 8;
    QStringList some;
    for (std::size_t i = 0; i < std::min(kMax, names.size()); ++i)
        some << QString::fromStdString(core::inQuotes(names[i]));
    return names.size() > kMax ? CaptureHtmlText::tr("%1 and %2 more")
                                     .arg(some.join(QStringLiteral(", ")))
                                     .arg(names.size() - kMax)
                               : listed(some);
}

} // namespace

QString captureHtml(const core::Session &session) {
    const core::CapturedFile &file = *session.capture;
    const core::Capture &capture = *file.content;
    const core::Trace &trace = *file.trace;
    std::set<core::Index> heads, layers;
    for (const core::Step &step : trace.plan().steps())
        if (core::infoOf(step.at.stage).inAttention()) {
            heads.insert(trace.model().headsOf(step.at.attention));
            layers.insert(step.at.attention.layer);
        }
    QString rows = factRow(CaptureHtmlText::tr("File"), QFileInfo(pathOf(file.path)).fileName());
    rows += factRow(CaptureHtmlText::tr("Layers"), QString::number(layers.size()));
    rows += factRow(CaptureHtmlText::tr("Heads"), rangeOf(heads));
    rows += factRow(CaptureHtmlText::tr("Tokens"), tokensOf(capture, capture.tokens));
    if (!capture.sourceTokens.empty())
        rows += factRow(CaptureHtmlText::tr("Tokens attended to"),
                        tokensOf(capture, capture.sourceTokens));
    rows += factRow(CaptureHtmlText::tr("Numbers"), typesOf(capture));
    QString html = factTitle(oneLine(session.title));
    html += factParagraph(
        CaptureHtmlText::tr("Values computed by another program. The file has neither the mask nor "
                            "the model's parameters, so nothing can be edited or recomputed."));
    html += factTable(rows);
    html += factParagraph(CaptureHtmlText::tr("The file contains: %1.").arg(stagesOf(trace)));
    if (!capture.ignored.empty())
        html += factParagraph(
            CaptureHtmlText::tr("Unknown and ignored: %1.").arg(someOf(capture.ignored)));
    if (trace.source())
        html += factParagraph(
            CaptureHtmlText::tr("The file is large, so only the displayed parts are read. "
                                "`headlight check` reads all of it and reports invalid values."));
    for (const core::Warning &warning : session.warnings)
        html += factParagraph(QStringLiteral("⚠ ") + translated(warning));
    return html;
}

} // namespace headlight::ui
