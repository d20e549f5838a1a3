// Finds the numbers and heads that a lesson step names without showing them.
#pragma once

#include "core/lesson/cell_reference.h"
#include "core/lesson/mark_words.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/strip/answer_bars.h"
#include "ui/strip/sentence_strip.h"

#include <QRegularExpression>

namespace headlight::test {

/// A number in a text: its stage and sequence.
struct StatedNumber {
    core::StageId stage;
    core::Index sequence = 0;
};

/// Returns the stage and sequence of each number in a text. Numbers in claims count too, but not
/// those in the conditions of claims.
inline std::vector<StatedNumber> statedBy(std::string_view text, const core::Trace &trace) {
    std::vector<StatedNumber> stated;
    for (std::size_t open = text.find('{'); open != std::string_view::npos;
         open = text.find('{', open + 1)) {
        std::string_view mark = text.substr(open + 1, text.find('}', open) - open - 1);
        std::string_view rest = mark;
        const std::string_view first = core::nextMarkWord(rest);
        if (first == "if" || first == "size") // a size is not a number of the picture
            continue;
        while (!mark.empty()) {
            const std::string_view name = core::nextMarkWord(mark);
            const core::StageReference stage = core::stageCalled(name, trace, {});
            core::Index sequence = 0;
            if (!stage.tensor.isNull() && core::readWholeWord(core::nextMarkWord(mark), sequence))
                stated.push_back({core::canonicalId(stage.at), sequence});
        }
    }
    return stated;
}

/// True if a number of this stage and sequence is in the picture or in the strip above it.
inline bool isShown(const StatedNumber &number, WindowFixture &fixture) {
    using core::Stage;
    const core::Selection &selection = fixture.document().selection();
    const Stage stage = number.stage.stage;
    const bool isHere = number.sequence == selection.sequence;
    const auto isOf = [&](core::StageId at) { return core::canonicalId(at) == number.stage; };
    const auto *strip = fixture.find<ui::SentenceStrip>("sentenceStrip");
    const bool isAnswer = stage == Stage::Logits || stage == Stage::Probabilities;
    if (strip->isVisible() && isHere &&
        ((isAnswer && strip->answer().isVisible()) ||
         (strip->content().hasWeights &&
          isOf({Stage::AttentionWeights, strip->content().place.attention()}))))
        return true;
    ui::FigureView *view = fixture.view();
    if (const auto *closeUp = dynamic_cast<ui::CloseUpView *>(view)) {
        const ui::CloseUpParts &parts = closeUp->closeUp()->parts();
        const auto isPart = [&](const ui::CloseUpPart &part) { return part.at && isOf(*part.at); };
        return isHere && (isOf({selection.stage, selection.attention()}) ||
                          std::ranges::any_of(parts.left, isPart) ||
                          std::ranges::any_of(parts.above, isPart));
    }
    switch (view->info().view) {
    case core::View::Output:
        return isAnswer && isHere;
    case core::View::Geometry: // may show several sequences
    case core::View::Words:
    case core::View::Similarity:
        return stage <= Stage::Concatenated;
    case core::View::Whole:
    case core::View::Training:
        return true;
    default: // views of attention weights and the scores that they are computed from
        return isHere && number.stage.attention == selection.attention() &&
               (core::infoOf(stage).overKeys());
    }
}

/// Returns the faults of the picture: it shows none of the numbers in the text, another head than
/// the text names, or the whole formula if the text writes only a part of it or none.
inline QStringList unshownIn(const core::LessonStep &step, WindowFixture &fixture) {
    QStringList faults;
    std::vector<StatedNumber> stated;
    QString words;
    for (const std::string &paragraph : step.text) {
        std::ranges::move(statedBy(paragraph, *fixture.document().trace()),
                          std::back_inserter(stated));
        static const QRegularExpression marks("\\{[^}]*\\}");
        words += QString::fromStdString(paragraph).remove(marks) + ' ';
    }
    if (!stated.empty() && std::ranges::none_of(stated, [&](const StatedNumber &number) {
            return isShown(number, fixture);
        }))
        faults << "it shows none of its numbers";
    const core::Selection &selection = fixture.document().selection();
    static const QRegularExpression heads("\\bhead (\\d+)",
                                          QRegularExpression::CaseInsensitiveOption);
    QList<core::Index> named;
    for (const QRegularExpressionMatch &match : heads.globalMatch(words))
        named << match.captured(1).toLongLong();
    if (!named.isEmpty() && core::infoOf(selection.stage).perHead &&
        !named.contains(selection.head))
        faults << QString("it names other heads than %1").arg(selection.head);
    const bool hasFormula =
        step.panels[static_cast<std::size_t>(core::Panel::Formula)].value_or(false);
    if (hasFormula && !words.contains("softmax("))
        faults << "it shows the whole formula, which its text does not write";
    return faults;
}

} // namespace headlight::test
