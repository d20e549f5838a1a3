#include "ui/panels/inspector_text_vectors.h"

#include "core/analysis/text_vectors.h"
#include "ui/figures/text/text.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct InspectorTextVectorsText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

InspectorSection sectionOf(const QString &heading, const QString &words, const QString &number,
                           std::span<const float> vector, const QStringList &vocabulary) {
    InspectorSection section;
    section.heading = heading;
    section.words = words;
    for (const float value : vector)
        section.series.terms.push_back({value, 1});
    section.series.leftName = number;
    section.series.indexName = InspectorTextVectorsText::tr("word");
    section.series.labels = vocabulary;
    section.series.sums = false;
    section.isOfText = true;
    return section;
}

} // namespace

QList<InspectorSection> textSections(const core::Trace &trace, const core::Selection &selection) {
    const core::Batch &batch = trace.queries(selection.attention());
    const std::vector<std::string> words = core::vocabularyOf(batch.sequences());
    QStringList names;
    for (const std::string &word : words)
        names << tokenText(word);
    const core::Sequence &sequence = batch[selection.sequence];
    const std::vector<std::string> real = core::textsOf(sequence.tokenized().tokens);
    const std::vector<float> counts = core::bagOfWords(real, words);
    const core::Matrix weighted = core::tfIdf(batch.sequences(), words);
    return {
        sectionOf(InspectorTextVectorsText::tr("THE SEQUENCE AS A BAG OF WORDS"),
                  InspectorTextVectorsText::tr(
                      "How often each of the batch's %1 words occurs in the sequence: one vector "
                      "for the whole text, without order or meaning. It is shown for comparison "
                      "and not fed into the model.")
                      .arg(words.size()),
                  InspectorTextVectorsText::tr("count"), counts, names),
        sectionOf(InspectorTextVectorsText::tr("THE SEQUENCE AS TF-IDF"),
                  batch.count() > 1
                      ? InspectorTextVectorsText::tr(
                            "The same counts, with higher weights for words in fewer of the %1 "
                            "sequences, scaled to length 1. Not fed into the model either.")
                            .arg(batch.count())
                      : InspectorTextVectorsText::tr(
                            "The same counts, only scaled to length 1, because in a single text no "
                            "word is rarer than another. Not fed into the model either."),
                  InspectorTextVectorsText::tr("weight"), weighted.view().row(selection.sequence),
                  names)};
}

} // namespace headlight::ui
