#include "ui/figures/token_names.h"

#include "ui/figures/cell_place.h"
#include "ui/figures/text.h"

namespace headlight::ui {

namespace {

QStringList numbers(core::Index count) {
    QStringList names;
    for (core::Index i = 0; i < count; ++i)
        names << QString::number(i);
    return names;
}

} // namespace

QStringList tokensOf(const core::Batch &batch, core::Index sequence) {
    QStringList tokens;
    for (const std::string &token : batch[sequence].tokens)
        tokens.append(tokenText(token));
    return tokens;
}

QStringList queryTokens(const core::Trace &trace, const core::Selection &selection) {
    return tokensOf(trace.queries(selection.site()), selection.sequence);
}

QStringList keyTokens(const core::Trace &trace, const core::Selection &selection) {
    return tokensOf(trace.keys(selection.site()), selection.sequence);
}

QStringList rowNames(const core::Trace &trace, const core::Selection &selection) {
    if (rowsAreSequences(selection.stage))
        return numbers(trace.batch().count());
    return rowsAreAttended(selection.stage) ? keyTokens(trace, selection)
                                            : queryTokens(trace, selection);
}

QStringList columnNames(const core::Trace &trace, const core::Selection &selection,
                        core::Index columns) {
    const core::StageInfo &info = core::infoOf(selection.stage);
    if (info.overKeys())
        return keyTokens(trace, selection);
    if (info.columns != core::Columns::Words)
        return numbers(columns);
    QStringList names;
    for (core::Index word = 0; word < columns; ++word)
        names << wordName(trace.model(), word);
    return names;
}

QString wordName(const core::Model &model, core::Index word) {
    return model.vocabulary && word < model.vocabulary->size()
               ? tokenText(model.vocabulary->word(word))
               : QString::number(word);
}

} // namespace headlight::ui
