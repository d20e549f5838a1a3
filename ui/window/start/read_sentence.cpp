#include "ui/window/start/read_sentence.h"

#include "core/transformer/model/vocabulary.h"
#include "ui/text/token_names.h"

#include <algorithm>

namespace headlight::ui {

using core::Stage;

namespace {

constexpr char kArticle[] = "the";

} // namespace

core::Index indexOfLargest(const std::vector<float> &numbers) {
    return std::ranges::max_element(numbers) - numbers.begin();
}

std::optional<ReadSentence> ReadSentence::of(const core::TracePointer &trace) {
    if (!trace || trace->batch().count() == 0 || !trace->has(Stage::Probabilities))
        return std::nullopt;
    ReadSentence read;
    read.trace = trace;
    read.words = tokensOf(*trace, 0).first(trace->batch()[0].length);
    read.it = read.words.indexOf(pronoun());
    if (read.it < 0)
        return std::nullopt;
    std::size_t nouns = 0;
    for (core::Index word = 0; word + 1 < read.it && nouns < read.nouns.size(); ++word)
        if (read.words[word] == QLatin1String(kArticle))
            read.nouns[nouns++] = word + 1;
    if (nouns < read.nouns.size() || read.word(read.nouns[0]) == read.word(read.nouns[1]))
        return std::nullopt;
    return read;
}

double ReadSentence::probabilityOf(core::Index word) const {
    const core::Token &token = trace->batch()[0][word];
    const auto id = trace->model().vocabulary->idOf(token);
    return id ? static_cast<double>(trace->matrix(Stage::Probabilities, {}, 0, 0)(it, *id)) : 0;
}

QString ReadSentence::answer() const {
    const core::SharedMatrix all = trace->matrix(Stage::Probabilities, {}, 0, 0);
    const auto row = all.row(it);
    return wordName(trace->model(), std::ranges::max_element(row) - row.begin());
}

double ReadSentence::probabilityOfAnswer() const {
    const core::SharedMatrix all = trace->matrix(Stage::Probabilities, {}, 0, 0);
    return static_cast<double>(std::ranges::max(all.row(it)));
}

std::optional<core::Index> ReadSentence::answeredNoun() const {
    const QString found = answer();
    for (const core::Index noun : nouns)
        if (word(noun) == found)
            return noun;
    return std::nullopt;
}

core::Selection ReadSentence::place(Stage stage, core::Index layer, core::Index head,
                                    std::optional<core::Index> key) const {
    core::Selection selection;
    selection.stage = stage;
    selection.layer = layer;
    selection.head = head;
    selection.query = it;
    selection.key = key;
    return selection;
}

std::vector<float> ReadSentence::row(Stage stage, core::Index layer, core::Index head) const {
    return vector(stage, layer, head, it);
}

std::vector<float> ReadSentence::vector(Stage stage, core::Index layer, core::Index head,
                                        core::Index word) const {
    const core::SharedMatrix all = trace->matrix(stage, {layer}, 0, head);
    return core::copied(all.row(word));
}

} // namespace headlight::ui
