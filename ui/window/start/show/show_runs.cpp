#include "ui/window/start/show/show_runs.h"

#include "core/transformer/run/forward.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/document/source.h"
#include "ui/text/token_names.h"
#include "ui/window/start/opening_scene.h"
#include "ui/window/start/read_sentence.h"

namespace headlight::ui {

namespace {

constexpr char kOwnSentence[] = "the animal didn't cross the street because it was too tired";
/// Words that may end the second sentence: about a place, about someone who acts, about a creature.
constexpr const char *kOtherWords[] = {"crowded", "tired", "fast"};

core::Result<DocumentState> stateOfShow(const QString &text, const std::stop_token &stop) {
    SourceRequest request;
    request.source = OpeningScene::modelId();
    request.text = text.toStdString();
    core::Result<OpenedSource> opened = openSource(request, stop);
    if (!opened)
        return opened.error();
    return std::move(opened->state);
}

core::Result<core::TracePointer> passOfShow(const DocumentState &state,
                                            const std::stop_token &stop) {
    core::Result<core::Computable> computable = core::Computable::of(state.model, state.input);
    if (!computable)
        return computable.error();
    return core::forward(*computable, nullptr, stop, core::Detail::Everything);
}

} // namespace

core::Result<ShowRuns> showRunsOf(const DocumentState &first, const DocumentState &second,
                                  std::stop_token stop) {
    const core::AttentionId layer{kShownLayer};
    const core::Result<Change> withoutHead =
        edits::setHead(second, layer, kShownHead, core::HeadState::Zero);
    if (!withoutHead)
        return withoutHead.error();
    const core::Result<Change> withoutHeads = edits::setHeads(second, layer, core::HeadState::Zero);
    if (!withoutHeads)
        return withoutHeads.error();
    ShowRuns runs;
    for (const auto &[state, trace] :
         {std::pair(&first, &runs.first), std::pair(&second, &runs.second),
          std::pair(&withoutHead->state(), &runs.withoutHead),
          std::pair(&withoutHeads->state(), &runs.withoutHeads)}) {
        core::Result<core::TracePointer> pass = passOfShow(*state, stop);
        if (!pass)
            return pass.error();
        *trace = *std::move(pass);
    }
    if (first.training) {
        runs.recipe = first.training->recipe;
        runs.trainedSteps = first.training->step;
    }
    return runs;
}

core::Result<OpenedShow> openShow(const QString &text, std::stop_token stop) {
    OpenedShow show;
    core::Result<DocumentState> state =
        stateOfShow(text.isEmpty() ? QString::fromLatin1(kOwnSentence) : text, stop);
    if (!state) {
        show.refusal = ShowRefusal::UnknownWord;
    } else {
        const core::Result<core::TracePointer> pass = passOfShow(*state, stop);
        if (!pass)
            return pass.error();
        const auto read = ReadSentence::of(*pass);
        const bool hasIt = tokensOf(**pass, 0).contains(ReadSentence::pronoun());
        show.refusal = !hasIt                           ? ShowRefusal::NoIt
                       : !read || !read->answeredNoun() ? ShowRefusal::OtherAnswer
                                                        : ShowRefusal::None;
    }
    if (show.refusal != ShowRefusal::None)
        state = stateOfShow(QLatin1String(kOwnSentence), stop);
    if (!state)
        return state.error();
    const core::Result<core::TracePointer> pass = passOfShow(*state, stop);
    if (!pass)
        return pass.error();
    const auto first = ReadSentence::of(*pass);
    if (!first)
        return core::Error{{"the model of the start page has no answer for its sentence"}, "", ""};
    // Use the first word that changes the answer to the other noun, otherwise the first word.
    std::optional<DocumentState> second;
    for (const char *word : kOtherWords) {
        QStringList words = first->words;
        if (words.last() == QLatin1String(word))
            continue;
        words.last() = QLatin1String(word);
        core::Result<DocumentState> other = stateOfShow(words.join(QLatin1Char(' ')), stop);
        if (!other)
            return other.error();
        const core::Result<core::TracePointer> trace = passOfShow(*other, stop);
        if (!trace)
            return trace.error();
        const auto read = ReadSentence::of(*trace);
        const bool changes =
            read && read->answeredNoun() && read->answeredNoun() != first->answeredNoun();
        if (!second || changes)
            second = *std::move(other);
        if (changes)
            break;
    }
    core::Result<ShowRuns> runs = showRunsOf(*state, *second, stop);
    if (!runs)
        return runs.error();
    show.runs = *std::move(runs);
    return show;
}

} // namespace headlight::ui
