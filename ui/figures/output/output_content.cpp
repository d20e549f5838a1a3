#include "ui/figures/output/output_content.h"

#include "core/analysis/top_tokens.h"
#include "core/tokenizers/word_tokenizer.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/step_number.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using About = OutputContent::About;
using Bar = OutputContent::Bar;

struct OutputText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Output)
};

/// Returns the name of a word of the vocabulary or of a class.
QString barName(const core::Model &model, About about, core::Index word) {
    return about == About::Class ? OutputText::tr("class %1").arg(word) : wordName(model, word);
}

/// Returns the actual token at the predicted position. Unset beyond the end of the text.
std::optional<core::Index> standing(const core::Trace &trace, core::OutputRowId place) {
    const core::Vocabulary *words = trace.model().vocabulary.get();
    const core::Sequence &text = trace.batch()[place.sequence];
    const core::Index at = core::predictedAt(trace.model(), place);
    if (!words || at >= text.length)
        return std::nullopt;
    const auto id = words->idOf(text[at]);
    return id && *id < words->size() ? id : std::nullopt;
}

/// True for [PAD] and unknown tokens, which have no bar.
bool isNoWord(const core::Model &model, About about, core::Index word) {
    if (about == About::Class || !model.vocabulary || word >= model.vocabulary->size())
        return false;
    const std::string &text = model.vocabulary->word(word);
    return text == core::kPadToken || text == "[UNK]" || text == "<unk>";
}

/// Returns enough words for all bars, the most probable first. If `other` is set, the largest
/// changes come first.
std::vector<core::TopToken> ordered(const core::OutputRow &shown, const core::OutputRow *other) {
    constexpr std::size_t kNoWords = 3; // number of tokens for which isNoWord() can be true
    const std::size_t count = kMaxOutputBars + kNoWords;
    if (!other || other->probabilities == shown.probabilities)
        return core::likeliestOf(shown.probabilities, count);
    std::vector<float> changes(shown.probabilities.size());
    for (std::size_t word = 0; word < changes.size(); ++word)
        changes[word] = std::abs(shown.probabilities[word] - other->probabilities[word]);
    return core::likeliestOf(changes, count);
}

/// Returns the rank of a word, 1 for the most probable. Ties are ordered by index.
core::Index rankOf(const std::vector<float> &probabilities, core::Index word) {
    const float own = probabilities[static_cast<std::size_t>(word)];
    core::Index rank = 1;
    for (std::size_t each = 0; each < probabilities.size(); ++each)
        if (probabilities[each] > own ||
            (probabilities[each] == own && static_cast<core::Index>(each) < word))
            ++rank;
    return rank;
}

Bar barOf(const OutputRun &now, const core::OutputRow *other, About about, core::Index word) {
    const auto index = static_cast<std::size_t>(word);
    Bar bar;
    bar.word = word;
    bar.name = barName(now.trace->model(), about, word);
    bar.probability = now.numbers->probabilities[index];
    bar.logit = now.numbers->logits[index];
    if (other)
        bar.before = other->probabilities[index];
    return bar;
}

QString titleOf(const core::Model &model, About about) {
    switch (about) {
    case About::NextToken:
        return OutputText::tr("What comes next");
    case About::HiddenToken:
        return OutputText::tr("What belongs here");
    case About::Answer:
        return OutputText::tr("The answer here");
    case About::Class:
        return model.config.picture.isOn() ? OutputText::tr("Class of the picture")
                                           : OutputText::tr("Class of the text");
    }
    return {};
}

QString subtitleOf(const OutputRun &now, About about, core::Index words) {
    const core::Sequence &text = now.trace->batch()[now.place.sequence];
    const QString token = tokenText(text[std::min(now.place.row, text.length - 1)].text);
    switch (about) {
    case About::NextToken:
        return OutputText::tr("after token %1, “%2” · probabilities of %3 words")
            .arg(QString::number(now.place.row), token, QString::number(words));
    case About::HiddenToken:
    case About::Answer:
        return OutputText::tr("at token %1, “%2” · probabilities of %3 words")
            .arg(QString::number(now.place.row), token, QString::number(words));
    case About::Class:
        return OutputText::tr("sentence %1 · probabilities of %2 classes")
            .arg(stepNumber(now.place.sequence))
            .arg(words);
    }
    return {};
}

/// Returns the other run's row if both runs have the same words. Otherwise returns null.
const core::OutputRow *comparable(const OutputRun &shown, const OutputRun &other) {
    if (!other.numbers ||
        other.numbers->probabilities.size() != shown.numbers->probabilities.size())
        return nullptr;
    return haveSameWords(other.trace->model(), shown.trace->model()) ? other.numbers.get()
                                                                     : nullptr;
}

OutputContent emptyContent(const QString &why) {
    OutputContent content;
    content.title = OutputText::tr("Output");
    content.nothing = why;
    return content;
}

/// Reads the numbers of a run. Does nothing if it is null.
core::Outcome readInto(OutputRun *run) {
    if (!run)
        return core::Done{};
    const core::Result<core::OutputRowPointer> row = core::readOutput(*run->trace, run->place);
    if (!row)
        return row.error();
    run->numbers = *row;
    return core::Done{};
}

} // namespace

QString textOf(const core::RestOfWord &rest) {
    return QString::fromStdString(rest.text) + (rest.isWhole ? QString() : QStringLiteral("…"));
}

void OutputContent::completeWords(const std::vector<core::RestOfWord> &rests) {
    for (std::size_t i = 0; i < std::min(rests.size(), bars.size()); ++i) {
        bars[i].restIds = rests[i].ids;
        if (!rests[i].ids.empty())
            bars[i].rest = textOf(rests[i]);
    }
}

OutputContent::About aboutOf(const core::Model &model) {
    switch (model.config.outputLayer.kind) {
    case core::OutputLayerKind::Classifier:
        return About::Class;
    case core::OutputLayerKind::MaskedLanguage:
        return About::HiddenToken;
    default:
        return model.answersInPlace ? About::Answer : About::NextToken;
    }
}

QString percentText(double share) {
    if (std::isnan(share))
        return fixedText(share, 1); // no percent sign after NaN
    const double percent = 100 * share;
    if (percent > 0 && percent < 0.05)
        return QStringLiteral("< 0.1 %");
    return QStringLiteral("%1 %").arg(fixedText(percent, 1));
}

QString pointsText(double change) {
    const double points = 100 * change;
    const QString text = fixedText(std::abs(points), 1);
    if (std::isnan(points))
        return text; // NaN has no sign
    if (text == fixedText(0, 1))
        return QStringLiteral("±%1").arg(text);
    return (points < 0 ? QStringLiteral("−") : QStringLiteral("+")) + text;
}

QString outputUnavailableReason(const core::Trace &trace) {
    if (core::hasOutput(trace))
        return {};
    return trace.model().isCaptured()
               ? OutputText::tr("Logits and probabilities were not captured.")
               : OutputText::tr(
                     "This model has no output layer, so it predicts no words. Models of the kinds "
                     "“language”, “masked language” and “classifier” have one.");
}

UnavailableReason outputComparisonUnavailableReason(const core::Trace &now,
                                                    const core::Selection &selection,
                                                    const Compared &compared,
                                                    ComparisonSide shown) {
    const core::Trace &side = shown == ComparisonSide::A && compared.a ? *compared.a : now;
    const bool ofClasses = side.has(core::Stage::ClassLogits);
    core::Selection at = selection;
    at.stage = ofClasses ? core::Stage::ClassLogits : core::Stage::Probabilities;
    at.setAttention({});
    UnavailableReason why = unavailableReason(now, at, compared, shown, Sought::Output);
    if (why.isEmpty() && shown == ComparisonSide::Difference &&
        !outputPlaceInA(now, selection, compared)) {
        const core::OutputRowId place = core::outputPlaceOf(now, selection);
        const core::Token &token = now.batch()[place.sequence][place.row];
        why = {OutputText::tr("“%1” has no partner in A").arg(tokenText(token.text)),
               OutputText::tr("select a token with a partner, or choose Current or A")};
    }
    return why;
}

OutputContent outputContentOf(const OutputRun &now, const std::optional<OutputRun> &other,
                              const FigureOptions &options) {
    const bool ofA = options.compared.shown == ComparisonSide::A && other;
    const OutputRun &shown = ofA ? *other : now;
    if (const QString why = outputUnavailableReason(*shown.trace); !why.isEmpty())
        return emptyContent(why);
    OutputContent content;
    content.about = aboutOf(shown.trace->model());
    content.title =
        options.title.isEmpty() ? titleOf(shown.trace->model(), content.about) : options.title;
    if (const QString side = captionOf(options.compared); !side.isEmpty())
        content.title += QStringLiteral(" · ") + side;
    const core::Sequence &text = shown.trace->batch()[shown.place.sequence];
    for (core::Index token = 0; token < text.length; ++token)
        content.chips.push_back({tokenText(text[token].text), text[token].isWritten});
    content.asked =
        content.about == About::Class ? -1 : core::predictedAt(shown.trace->model(), shown.place);
    const bool isDifference = options.compared.shown == ComparisonSide::Difference;
    if (!shown.numbers || (isDifference && other && !other->numbers)) {
        content.subtitle = OutputText::tr("Computing…");
        return content;
    }
    content.words = std::ssize(shown.numbers->probabilities);
    content.subtitle = subtitleOf(shown, content.about, content.words);
    const core::OutputRow *beside = nullptr;
    if (ofA && now.numbers)
        beside = comparable(shown, now);
    else if (!ofA && other)
        beside = comparable(shown, *other);
    if (beside) {
        content.name = ofA ? OutputText::tr("A") : OutputText::tr("current");
        content.otherName = ofA ? OutputText::tr("current") : other->name;
        content.showsChanges = !ofA; // a change is always current − A
        const core::Sequence &otherText = other->trace->batch()[other->place.sequence];
        if (!ofA && content.about == About::NextToken &&
            text[shown.place.row].text != otherText[other->place.row].text)
            content.subtitle = OutputText::tr("%1 · %2, after “%3”")
                                   .arg(content.subtitle, other->name,
                                        tokenText(otherText[other->place.row].text));
    } else if (!ofA && other && other->numbers) {
        content.subtitle =
            OutputText::tr("%1 · %2 has different words").arg(content.subtitle, other->name);
    }
    if (isDifference && beside && beside->probabilities == shown.numbers->probabilities)
        content.subtitle = OutputText::tr("%1 · nothing changed").arg(content.subtitle);
    const std::optional<core::Index> stands =
        content.about == About::NextToken ? standing(*shown.trace, shown.place) : std::nullopt;
    core::Index rank = 0;
    QStringList leftOut; // words that have a rank but no bar
    for (const core::TopToken &word : ordered(*shown.numbers, isDifference ? beside : nullptr)) {
        ++rank;
        if (content.bars.size() == kMaxOutputBars)
            break;
        if (isNoWord(shown.trace->model(), content.about, word.word)) {
            leftOut << barName(shown.trace->model(), content.about, word.word);
            continue;
        }
        Bar &bar = content.bars.emplace_back(barOf(shown, beside, content.about, word.word));
        bar.isInText = word.word == stands;
        bar.rank = isDifference ? rankOf(shown.numbers->probabilities, word.word) : rank;
    }
    if (!leftOut.isEmpty())
        content.subtitle = OutputText::tr("%1 · left out: %2")
                               .arg(content.subtitle, leftOut.join(QStringLiteral(", ")));
    if (stands) {
        content.stands = barOf(shown, beside, content.about, *stands);
        content.stands->isInText = true;
        content.stands->rank = rankOf(shown.numbers->probabilities, *stands);
    }
    return content;
}

OutputContent outputContentOf(const core::TracePointer &trace, const core::Selection &selection,
                              const FigureOptions &options,
                              const std::optional<GivenOutput> &given) {
    const Compared &compared = options.compared;
    const bool isCompared = compared.shown != ComparisonSide::Now,
               ofA = compared.shown == ComparisonSide::A;
    if (const UnavailableReason why =
            outputComparisonUnavailableReason(*trace, selection, compared, compared.shown);
        !why.isEmpty()) {
        OutputContent content = emptyContent(why.sentences());
        content.title += QStringLiteral(" · ") + captionOf(compared);
        return content;
    }
    if (const QString why = outputUnavailableReason(*shownRun(trace, selection, compared).trace);
        !why.isEmpty())
        return emptyContent(why);
    // Runs that cannot be subtracted are not shown side by side either.
    const UnavailableReason why =
        compared.a ? outputComparisonUnavailableReason(*trace, selection, compared,
                                                       ComparisonSide::Difference)
                   : UnavailableReason();
    const core::OutputRowId place = core::outputPlaceOf(*trace, selection);
    const bool needsNow = !ofA || why.isEmpty(), needsA = compared.a && (ofA || why.isEmpty());
    OutputRun now{trace, place};
    std::optional<OutputRun> other;
    if (given) {
        now.numbers = needsNow ? given->now : nullptr;
        other = compared.a && !needsA ? std::nullopt : given->other;
    } else {
        if (needsA)
            other =
                OutputRun{compared.a,
                          outputPlaceInA(*trace, selection, compared)
                              .value_or(core::outputPlaceOf(*compared.a, inA(compared, selection))),
                          {},
                          OutputText::tr("A: %1").arg(compared.name)};
        for (OutputRun *run : {needsNow ? &now : nullptr, other ? &*other : nullptr})
            if (const core::Outcome read = readInto(run); !read)
                return emptyContent(translated(read.error()));
    }
    OutputContent content = outputContentOf(now, other, options);
    if (!isCompared && !why.isEmpty())
        content.subtitle = OutputText::tr("%1 · not compared with %2: %3")
                               .arg(content.subtitle, compared.name, why.why);
    return content;
}

} // namespace headlight::ui
