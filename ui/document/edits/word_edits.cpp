#include "ui/document/edits/word_edits.h"

#include "core/tokenizers/word_tokenizer.h"
#include "ui/text/core_message.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui::edits {

namespace {

using core::Error;

struct WordEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::WordEdits)
};

void addWords(std::set<std::string> &words, const core::BatchPointer &batch) {
    if (!batch)
        return;
    for (const core::Sequence &sequence : batch->sequences())
        for (const std::string &word : core::textsOf(sequence.tokenized().tokens))
            words.insert(word);
}

} // namespace

std::set<std::string> wordsOf(const core::Session &session, const DocumentState &state) {
    std::set<std::string> words;
    addWords(words, state.input.batch);
    addWords(words, session.input.batch);
    if (!session.lesson)
        return words;
    for (const core::LessonStep &step : session.lesson->steps) {
        if (step.set.batch)
            addWords(words, *step.set.batch);
        if (!step.set.text)
            continue;
        if (const auto tokens = core::splitIntoWords(*step.set.text))
            for (const core::Token &token : *tokens)
                words.insert(token.text);
    }
    return words;
}

core::Result<Change> setWordVectors(const DocumentState &state, const core::WordVectors &vectors,
                                    const QString &file) {
    const core::Index width = state.model.config.width;
    if (vectors.width != width)
        return Error{
            messageOf(WordEditText::tr("its vectors have %1 dimensions; the model needs %2")
                          .arg(vectors.width)
                          .arg(width)),
            file.toStdString(),
            messageOf(
                WordEditText::tr(
                    "use a file with vectors of width %1, or open a session whose \"width\" is %2")
                    .arg(width)
                    .arg(vectors.width))};
    if (vectors.words.empty())
        return Error{messageOf(WordEditText::tr("the file has none of these %n words", nullptr,
                                                static_cast<int>(vectors.missing.size()))),
                     file.toStdString(), messageOf(missingText(vectors))};
    if (!state.model.embeddings)
        return Error{messageOf(WordEditText::tr("this model has no words")), "", ""};
    const core::Embeddings &before = *state.model.embeddings;
    core::Embeddings::Given given = before.given();
    for (const auto &[word, vector] : vectors.words) {
        // Two spellings of one word must not have two vectors.
        std::erase_if(given.words, [&before, &kept = word](const auto &entry) {
            return before.isSameWord(entry.first, kept);
        });
        given.words[word] = vector;
    }
    Edit edit{state, {}};
    edit.state.model.embeddings = std::make_shared<const core::Embeddings>(std::move(given));
    // A sequence's own embeddings would hide the vectors of its words.
    for (core::Index sequence = 0; sequence < state.input.batch->count(); ++sequence)
        if ((*edit.state.input.batch)[sequence].embeddings)
            edit.state.input.batch = edit.state.input.batch->withEmbeddings(sequence, nullptr);
    const auto found = static_cast<int>(vectors.words.size());
    const auto missing = static_cast<int>(vectors.missing.size());
    const QString words =
        found == 1 ? WordEditText::tr("1 word") : WordEditText::tr("%n words", nullptr, found);
    edit.words.what = missing == 0 ? WordEditText::tr("Word vectors from %1: %2").arg(file, words)
                                   : WordEditText::tr("Word vectors from %1: %2, %3 missing")
                                         .arg(file, words)
                                         .arg(missing);
    return checked(std::move(edit));
}

QString missingText(const core::WordVectors &vectors) {
    constexpr std::size_t kNamed = 12;
    QStringList named;
    for (std::size_t i = 0; i < std::min(kNamed, vectors.missing.size()); ++i)
        named << QString::fromStdString(vectors.missing[i]);
    if (vectors.missing.size() > kNamed)
        named << WordEditText::tr("… %1 in total").arg(vectors.missing.size());
    return named.isEmpty() ? QString() : WordEditText::tr("missing: %1").arg(named.join(", "));
}

} // namespace headlight::ui::edits
