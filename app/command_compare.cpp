// `compare`: two texts of one model, or two models, on the tokens that have a partner.
#include "app/commands.h"
#include "app/compared_source.h"
#include "app/head_table.h"
#include "app/interrupt.h"
#include "app/predicted_word.h"
#include "app/text_table.h"
#include "app/words.h"
#include "core/analysis/text_comparison.h"
#include "core/format_number.h"
#include "ui/text/sentences.h"

#include <algorithm>

namespace headlight::app {

namespace {

struct TwoSides {
    SourceAndTrace now, a;
};

/// The data that the command prints.
struct Comparison {
    std::vector<core::AlignedText> texts;
    std::vector<core::ComparedHead> heads;
    std::vector<core::ComparedPrediction> predictions;
    core::LeftOut leftOut;
    const core::Model &model;
};

core::Result<TwoSides> openSides(const Arguments &arguments, const std::stop_token &stop) {
    core::Result<SourceAndTrace> now = openAndTrace(arguments, stop);
    if (!now)
        return now.error();
    Arguments other = arguments;
    if (arguments.compare.source.isEmpty()) {
        other.request = requestOfSameSource(arguments, *now);
    } else { // another source, without edits but with the same input
        other.request = arguments.compare;
        other.request.text = arguments.request.text;
        other.request.pair = arguments.request.pair;
        other.request.targetText = arguments.request.targetText;
        other.request.tokenIds = arguments.request.tokenIds;
        other.request.randomRepeats = arguments.request.randomRepeats;
        other.request.targetTokenIds = arguments.request.targetTokenIds;
        other.request.sequence = arguments.request.sequence;
    }
    if (arguments.compare.text)
        setTextOfA(arguments, other.request);
    core::Result<SourceAndTrace> a = openAndTrace(other, stop);
    if (!a)
        return ofTextA(arguments, a.error());
    return TwoSides{*std::move(now), *std::move(a)};
}

QString shown(const std::optional<double> &number) {
    return number ? QString::fromStdString(core::fixed(*number, 4)) : QStringLiteral("—");
}

QString wordOf(const core::Model &model, core::Index token) {
    return QString::fromStdString(oneLine(predictedWord(model, token)));
}

/// Returns a line for each pair of partners and for each token without a partner, in order.
QString tokensAsText(const core::AlignedText &text) {
    QList<QStringList> lines{{Words::tr("current"), "", Words::tr("A"), ""}};
    core::AlignedPair next;
    const auto add = [&](bool isNow, bool isA) {
        const auto cells = [](bool isThere, core::Index &token,
                              const std::vector<std::string> &tokens) {
            if (!isThere)
                return QStringList{"", QStringLiteral("—")};
            const auto place = static_cast<std::size_t>(token);
            return QStringList{QString::number(token++),
                               QString::fromStdString(oneLine(tokens[place]))};
        };
        lines << cells(isNow, next.now, text.now) + cells(isA, next.a, text.a);
    };
    core::AlignedPairs pairs = text.pairs;
    pairs.push_back({std::ssize(text.now), std::ssize(text.a)});
    for (const core::AlignedPair &pair : pairs) {
        while (next.now < pair.now)
            add(true, false);
        while (next.a < pair.a)
            add(false, true);
        if (pair.now < std::ssize(text.now))
            add(true, true);
    }
    const core::UnpairedTokens unpaired = text.unpaired();
    const QString counts = Words::tr("%1 pairs; without a partner: %2 on the current side, %3 in A")
                               .arg(text.pairs.size())
                               .arg(unpaired.now.size())
                               .arg(unpaired.a.size());
    return QStringList{inColumns(lines, 4), counts, ""}.join('\n');
}

HeadTable headsAsTable(std::vector<core::ComparedHead> heads) {
    HeadTable table{
        {"mean_difference", "largest_difference", "unpaired_now", "unpaired_a"}, "", {}};
    for (const core::NamedMeasure &each : core::kNamedMeasures)
        for (const char *side : {"_now", "_a"})
            table.columns.push_back(std::string(each.name) + side);
    for (const core::ComparedHead &head : heads) {
        HeadRow row{
            head.attention, head.head, {head.meanDifference, {}, head.unpairedNow, head.unpairedA}};
        if (head.largest)
            row.numbers[1] = head.largest->difference;
        for (const core::NamedMeasure &each : core::kNamedMeasures)
            for (const core::HeadMeasures &side : {head.now, head.a})
                row.numbers.push_back(side.*each.measure);
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// Returns a table of the heads, the largest mean difference first.
QString headsAsText(std::vector<core::ComparedHead> heads) {
    std::ranges::stable_sort(heads, [](const auto &left, const auto &right) {
        return left.meanDifference.value_or(-1) > right.meanDifference.value_or(-1);
    });
    HeadTable table{{"mean", "largest", "unpaired_now", "unpaired_a"}, "", {}};
    for (const core::NamedMeasure &each : core::kNamedMeasures)
        table.columns.emplace_back(each.name);
    for (const core::ComparedHead &head : heads) {
        HeadRow row{
            head.attention, head.head, {head.meanDifference, {}, head.unpairedNow, head.unpairedA}};
        if (head.largest)
            row.numbers[1] = head.largest->difference;
        for (const core::NamedMeasure &each : core::kNamedMeasures) {
            const auto now = head.now.*each.measure, a = head.a.*each.measure;
            row.numbers.push_back(now && a ? std::optional(*now - *a) : std::nullopt);
        }
        table.rows.push_back(std::move(row));
    }
    return textOf(table);
}

QString predictionsAsText(const Comparison &compared) {
    QList<QStringList> lines{{Words::tr("current"), Words::tr("A"), Words::tr("top current"),
                              Words::tr("current"), Words::tr("A"), Words::tr("top A"),
                              Words::tr("current"), Words::tr("A"), Words::tr("divergence")}};
    for (const core::ComparedPrediction &each : compared.predictions)
        lines << QStringList{each.at ? QString::number(each.at->now) : "",
                             each.at ? QString::number(each.at->a) : "",
                             wordOf(compared.model, each.now.token),
                             shown(each.now.probability),
                             shown(each.now.elsewhere),
                             wordOf(compared.model, each.a.token),
                             shown(each.a.elsewhere),
                             shown(each.a.probability),
                             shown(each.divergence)};
    return inColumns(lines, 3);
}

QString headsInWords(const std::vector<core::HeadId> &heads) {
    QStringList names;
    for (const core::HeadId &head : heads)
        names << QStringLiteral("%1.%2").arg(head.attention.layer).arg(head.head);
    return ui::listed(names);
}

/// Returns the reason why the predictions are not compared; empty if they are.
QString reasonOf(core::PredictionsLeftOut leftOut) {
    switch (leftOut) {
    case core::PredictionsLeftOut::No:
        break;
    case core::PredictionsLeftOut::OneSideHasNone:
        return Words::tr("only one side has predictions");
    case core::PredictionsLeftOut::DifferentWords:
        return Words::tr("the two sides have different vocabularies");
    }
    return {};
}

/// Returns a line for each part of the sides that is not compared.
QString leftOutAsText(const core::LeftOut &leftOut) {
    QStringList lines;
    if (!leftOut.headsNow.empty())
        lines
            << Words::tr("Heads only on the current side: %1.").arg(headsInWords(leftOut.headsNow));
    if (!leftOut.headsA.empty())
        lines << Words::tr("Heads only in A: %1.").arg(headsInWords(leftOut.headsA));
    if (const QString reason = reasonOf(leftOut.predictions); !reason.isEmpty())
        lines << Words::tr("Predictions are not compared: %1.").arg(reason);
    return lines.isEmpty() ? QString() : QStringList{"", lines.join('\n'), ""}.join('\n');
}

std::string comparisonAsText(const Comparison &compared) {
    QString text;
    for (const core::AlignedText &each : compared.texts)
        text += tokensAsText(each) + '\n';
    const QString aboutHeads =
        Words::tr("Weights between tokens with a partner: mean of |current − A| and the largest "
                  "current − A; shares of weight on tokens without a partner; measures: "
                  "current − A");
    text += QStringList{aboutHeads, "", headsAsText(compared.heads)}.join('\n');
    const QString aboutPredictions =
        Words::tr("Predictions: the most probable token of each side with its probability on "
                  "both, and their divergence in bits");
    if (!compared.predictions.empty())
        text += QStringList{"", aboutPredictions, "", predictionsAsText(compared)}.join('\n');
    text += leftOutAsText(compared.leftOut);
    return text.toStdString();
}

std::string indexesAsJson(const std::vector<core::Index> &indexes) {
    std::vector<std::string> numbers;
    for (const core::Index index : indexes)
        numbers.push_back(std::to_string(index));
    return core::jsonArray(numbers);
}

std::string pairAsJson(const core::AlignedPair &pair) {
    return indexesAsJson({pair.now, pair.a});
}

std::string alignedAsJson(const core::AlignedText &text) {
    const auto words = [](const std::vector<std::string> &tokens) {
        std::vector<std::string> all;
        for (const std::string &token : tokens)
            all.push_back(core::jsonText(token));
        return core::jsonArray(all);
    };
    std::vector<std::string> pairs;
    for (const core::AlignedPair &pair : text.pairs)
        pairs.push_back(pairAsJson(pair));
    const core::UnpairedTokens unpaired = text.unpaired();
    return core::jsonObject({{"stack", core::jsonText(core::wordOf(text.stack))},
                             {"now", words(text.now)},
                             {"a", words(text.a)},
                             {"pairs", core::jsonArray(pairs)},
                             {"unpaired_now", indexesAsJson(unpaired.now)},
                             {"unpaired_a", indexesAsJson(unpaired.a)}});
}

std::string headAsJson(const core::ComparedHead &head) {
    std::vector<core::JsonMemberText> members = headMembers(HeadRow{head.attention, head.head, {}});
    std::string largest = "null";
    if (head.largest)
        largest = core::jsonObject({{"query", pairAsJson(head.largest->query)},
                                    {"key", pairAsJson(head.largest->key)},
                                    {"difference", jsonNumberOf(head.largest->difference)}});
    const auto measures = [](const core::HeadMeasures &side) {
        std::vector<core::JsonMemberText> all;
        for (const core::NamedMeasure &each : core::kNamedMeasures)
            all.push_back({std::string(each.name), jsonNumberOf(side.*each.measure)});
        return core::jsonObject(all);
    };
    members.push_back({"mean_difference", jsonNumberOf(head.meanDifference)});
    members.push_back({"largest_difference", largest});
    members.push_back({"unpaired_now", jsonNumberOf(head.unpairedNow)});
    members.push_back({"unpaired_a", jsonNumberOf(head.unpairedA)});
    members.push_back({"measures_now", measures(head.now)});
    members.push_back({"measures_a", measures(head.a)});
    return core::jsonObject(members);
}

std::string predictionAsJson(const core::ComparedPrediction &each, const core::Model &model) {
    const auto top = [&model](const core::ComparedPrediction::Top &side, const char *elsewhere) {
        return core::jsonObject({{"id", std::to_string(side.token)},
                                 {"text", core::jsonText(predictedWord(model, side.token))},
                                 {"probability", jsonNumberOf(side.probability)},
                                 {elsewhere, jsonNumberOf(side.elsewhere)}});
    };
    return core::jsonObject({{"at", each.at ? pairAsJson(*each.at) : "null"},
                             {"now", top(each.now, "probability_a")},
                             {"a", top(each.a, "probability_now")},
                             {"logit_difference", jsonNumberOf(each.logitDifference)},
                             {"divergence", jsonNumberOf(each.divergence)}});
}

std::string comparisonAsJson(const Comparison &compared) {
    std::vector<std::string> texts, heads, predictions;
    for (const core::AlignedText &each : compared.texts)
        texts.push_back(alignedAsJson(each));
    for (const core::ComparedHead &each : compared.heads)
        heads.push_back(headAsJson(each));
    for (const core::ComparedPrediction &each : compared.predictions)
        predictions.push_back(predictionAsJson(each, compared.model));
    const auto onlyIn = [](const std::vector<core::HeadId> &side) {
        std::vector<std::string> all;
        for (const core::HeadId &head : side)
            all.push_back(core::jsonObject(headMembers(HeadRow{head.attention, head.head, {}})));
        return core::jsonArray(all);
    };
    const QString reason = reasonOf(compared.leftOut.predictions);
    return core::jsonObject({{"texts", core::jsonArray(texts, "\n ")},
                             {"heads", core::jsonArray(heads, "\n ")},
                             {"heads_only_now", onlyIn(compared.leftOut.headsNow)},
                             {"heads_only_a", onlyIn(compared.leftOut.headsA)},
                             {"predictions", core::jsonArray(predictions, "\n ")},
                             {"predictions_left_out",
                              reason.isEmpty() ? "null" : core::jsonText(reason.toStdString())}}) +
           '\n';
}

core::Result<Comparison> comparisonOf(const Arguments &arguments, const TwoSides &sides,
                                      const std::stop_token &stop) {
    const core::ComparedSide now{*sides.now.trace, sides.now.opened.selection.sequence};
    const core::ComparedSide a{*sides.a.trace, sides.a.opened.selection.sequence};
    const core::Result<core::TokenPartnersPointer> partners =
        partnersOf(arguments, now.trace, now.sequence, a.trace, a.sequence);
    if (!partners)
        return partners.error();
    Comparison compared{(*partners)->texts(), {}, {}, core::leftOutOf(now, a), now.trace.model()};
    const bool hasPairs = std::ranges::any_of(
        compared.texts, [](const core::AlignedText &text) { return !text.pairs.empty(); });
    if (!hasPairs)
        return errorOf(Words::tr("the two texts have no token in common"), "",
                       Words::tr("pair tokens with --align"));
    auto heads = core::comparedHeads(now, a, compared.texts, stop);
    if (!heads)
        return heads.error();
    compared.heads = *std::move(heads);
    auto predictions = core::comparedPredictions(now, a, compared.texts, stop);
    if (!predictions)
        return predictions.error();
    compared.predictions = *std::move(predictions);
    return compared;
}

} // namespace

int runCompare(const Arguments &arguments, std::stop_token stop) {
    const core::Result<TwoSides> sides = openSides(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!sides)
        return fail(sides.error());
    const core::Result<Comparison> compared = comparisonOf(arguments, *sides, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!compared)
        return fail(compared.error());
    return writeResult(arguments,
                       arguments.json  ? comparisonAsJson(*compared)
                       : arguments.csv ? csvOf(headsAsTable(compared->heads))
                                       : comparisonAsText(*compared),
                       stop);
}

} // namespace headlight::app
