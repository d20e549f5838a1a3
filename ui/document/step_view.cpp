#include "ui/document/step_view.h"

#include "core/lesson/mark_words.h"
#include "ui/document/fitting_selection.h"

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Index;

const core::LessonStep &stepAt(const core::Session &session, Index step) {
    return session.lesson->steps[static_cast<std::size_t>(step)];
}

/// Returns the token with the same word and the same number of earlier occurrences. −1 if there is
/// none.
Index sameWord(const core::Sequence &from, Index token, const core::Sequence &in) {
    const auto word = [](const core::Sequence &sequence, Index at) -> const std::string & {
        return sequence.tokens[static_cast<std::size_t>(at)].text;
    };
    Index before = 0;
    for (Index at = 0; at < token; ++at)
        before += word(from, at) == word(from, token) ? 1 : 0;
    for (Index at = 0; at < std::ssize(in.tokens); ++at)
        if (word(in, at) == word(from, token) && before-- == 0)
            return at;
    return -1;
}

void follow(std::optional<Index> &token, const core::Batch &base, const core::Batch &now,
            Index sequence) {
    if (!token || sequence >= now.count())
        return;
    if (const Index same = sameWord(base[sequence], *token, now[sequence]); same >= 0)
        token = same;
}

bool showsWeights(const core::SelectionPatch &show, const core::Session &session) {
    return show.applied(session.view.applied({})).stage == core::Stage::AttentionWeights;
}

/// True if the text shows a value of the attention weights, such as {weights 0 0 bank money}. Their
/// shape or size, as in {shape weights} or {size weights 2}, does not count.
bool hasWeights(std::string_view text) {
    constexpr std::string_view kStage = "weights ";
    for (std::size_t at = text.find(kStage); at != std::string_view::npos;
         at = text.find(kStage, at + 1)) {
        std::string_view mark = text.substr(at + kStage.size());
        core::Index sequence = 0, head = 0;
        if (core::readWholeWord(core::nextMarkWord(mark), sequence) &&
            core::readWholeWord(core::nextMarkWord(mark), head))
            return true;
    }
    return false;
}

/// Returns a view that does not reveal the answer.
core::SelectionPatch shownWhileAsked(const core::LessonStep &step) {
    core::SelectionPatch show = step.question->show.value_or(core::SelectionPatch());
    if (!show.stage)
        show.stage = core::Stage::Embeddings;
    show.clearsCell =
        show.clearsCell || !(show.query || show.key || show.dimension || show.distance);
    show.opened = show.opened.value_or(false);
    return show;
}

} // namespace

core::Selection selectionOfStep(const core::Session &session, const DocumentState &base,
                                const DocumentState &now, bool asked) {
    const core::LessonStep &step = stepAt(session, base.lessonStep);
    core::Selection told = step.show.applied(session.view.applied({}));
    if (asked)
        told = shownWhileAsked(step).applied(told);
    core::Selection selection = fittingSelection(told, base);
    const core::AttentionId attention = selection.attention();
    follow(selection.query, base.input.queries(attention), now.input.queries(attention),
           selection.sequence);
    follow(selection.key, base.input.keys(attention), now.input.keys(attention),
           selection.sequence);
    return fittingSelection(selection, now);
}

QString viewOfStep(const core::Session &session, Index step, bool asked) {
    const core::LessonStep &shownStep = stepAt(session, step);
    std::optional<std::string> view = shownStep.show.view;
    if (asked && shownStep.question->show && shownStep.question->show->view)
        view = shownStep.question->show->view;
    return QString::fromStdString(view.value_or(session.view.view.value_or(std::string())));
}

core::ViewOptions lookOfStep(const core::Session &session, Index step) {
    return stepAt(session, step).look;
}

bool comesBeforeWeights(const core::Session &session, Index step) {
    for (Index each = 0; each <= step; ++each) {
        const core::LessonStep &reached = stepAt(session, each);
        if (showsWeights(reached.show, session) || hasWeights(reached.tryIt) ||
            std::ranges::any_of(reached.text, hasWeights) ||
            (reached.question && reached.question->show &&
             showsWeights(*reached.question->show, session)))
            return false;
    }
    return true;
}

} // namespace headlight::ui
