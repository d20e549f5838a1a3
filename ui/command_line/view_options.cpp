#include "ui/command_line/view_options.h"

#include "core/analysis/head_measures.h"
#include "core/format_number.h"
#include "core/selection/view.h"
#include "core/transformer/names/stage.h"
#include "ui/command_line/head_names.h"
#include "ui/command_line/view_rows.h"
#include "ui/figures/base/granularity.h"
#include "ui/figures/base/plane_options.h"
#include "ui/figures/colours/colour_map.h"
#include "ui/figures/colours/colour_scale.h"

#include <algorithm>
#include <array>

namespace headlight::ui {

namespace {

using enum Command;
using enum StoredInFigure;
using Text = CommandLineText;
using V = ViewRequest;
using S = SourceRequest;
using C = ViewChoices;
using P = core::SoftmaxPatch;

const QList<Command> kOpening{Window, Figure, Trace, Info};
const QList<Command> kReading{Window,   Figure, Trace,   Info, Generate, Verify,
                              Measures, Ablate, Rollout, Flow, Compare};
const QList<Command> kLooking{Window, Figure};

const auto nameOfOrder = [](core::HeadOrder order) { return core::nameOf(order); };

/// Returns a row for a member of the request. The functions below differ in the commands that have
/// the option.
template <class Value, class... Members>
OptionRow<V> ofSource(const char *name, const char *value, const char *meaning,
                      const Codec<Value> &codec, Members... members) {
    return row<V>({name, nullptr, value, meaning, Look, kReading}, codec, &V::request, members...);
}
template <class Value, class... Members>
OptionRow<V> ofPlace(const char *name, const char *value, const char *meaning,
                     const Codec<Value> &codec, Members... members) {
    return row<V>({name, nullptr, value, meaning, Look, kOpening}, codec, &V::request, members...);
}
template <class Value, class... Members>
OptionRow<V> ofView(const char *name, const char *value, Choice choice, const char *meaning,
                    const Codec<Value> &codec, Members... members) {
    return row<V>({name, nullptr, value, meaning, Look, kLooking, {}, choice}, codec, &V::choices,
                  members...);
}

template <class Value, class... Members>
OptionRow<V> ofFigure(const char *name, const char *value, const char *meaning,
                      const Codec<Value> &codec, Members... members) {
    return row<V>({name, nullptr, value, meaning, Look, {Figure}}, codec, members...);
}

/// Returns a codec for a view's id. A former id is read as the current one.
Codec<QString> viewCodec(const QStringList &ids) {
    Codec<QString> codec = oneOf(ids);
    codec.read = [read = codec.read](const TypedValue &typed) {
        return typed.text() == asWord(core::kFormerWholeId) ? asWord(core::idOf(core::View::Whole))
                                                            : read(typed);
    };
    return codec;
}

/// Returns the rows, in the order of the help.
std::vector<OptionRow<V>> makeRows() {
    return {
        row<V>({"view",
                nullptr,
                "NAME",
                QT_TRANSLATE_NOOP(
                    "CommandLine",
                    "close-up, whole, heatmap, heads, similarity, geometry, "
                    "output, training, softmax, words, birth, model, lines, text or query-key"),
                Look,
                {Figure}},
               viewCodec(eachOf(core::kViewIds)), &V::view),
        row<V>(
            {"view",
             nullptr,
             "NAME",
             QT_TRANSLATE_NOOP("CommandLine",
                               "close-up, whole, heads, similarity, geometry, output, "
                               "training, softmax, words, birth, model, lines, text or query-key"),
             Look,
             {Window}},
            viewCodec(eachOf(core::kTabIds)), &V::view),
        row<V>({"stage",
                nullptr,
                "NAME",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "a stage, such as weights or "
                                  "decoder.layers.1.cross_attention.weights; for trace a pattern, "
                                  "such as 'layers.0.*'"),
                Look,
                {Figure, Trace, Window},
                eachOf(core::allStages(), [](const core::StageInfo &info) { return info.name; })},
               textCodec(), &V::stage),
        ofSource("text", "TEXT",
                 QT_TRANSLATE_NOOP("CommandLine",
                                   "text that replaces the source's own; - reads standard input; "
                                   "with two sequences, the one attended to"),
                 utf8Codec(), &S::text),
        row<V>({"picture", nullptr, "FILE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "a PNG or JPEG file, for a model that reads pictures"),
                Never, kReading},
               pathCodec(), &V::request, &S::picture),
        row<V>({"tower", nullptr, "NAME",
                QT_TRANSLATE_NOOP("CommandLine", "which model of a folder with two: texts or "
                                                 "pictures"),
                Never, kReading},
               oneOf<core::Tower>(
                   {{"texts", core::Tower::Texts}, {"pictures", core::Tower::Pictures}}),
               &V::request, &S::tower),
        row<V>({"sound", nullptr, "FILE",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "a WAV file of up to 30 seconds, for a model that reads audio"),
                Never, kReading},
               pathCodec(), &V::request, &S::sound),
        row<V>({"expression", nullptr, "REGEX",
                QT_TRANSLATE_NOOP("CommandLine", "regular expression that matches one token, for a "
                                                 "model folder with a vocab.txt but no tokenizer"),
                Never, kReading},
               utf8Codec(), &V::request, &S::expression),
        ofSource("pair", "TEXT",
                 QT_TRANSLATE_NOOP("CommandLine",
                                   "a second text after --text, for models that read pairs"),
                 utf8Codec(), &S::pair),
        ofSource("target-text", "TEXT",
                 QT_TRANSLATE_NOOP("CommandLine",
                                   "the target (query) text of a model with two sequences"),
                 utf8Codec(), &S::targetText),
        ofSource("token-ids", "N,N,…",
                 QT_TRANSLATE_NOOP("CommandLine", "token ids, bypassing the tokenizer"), idsCodec(),
                 &S::tokenIds),
        ofSource("random-repeats", "N",
                 QT_TRANSLATE_NOOP("CommandLine",
                                   "random tokens, twice, as the text of a decoder: its induction "
                                   "heads attend to what followed each token the first time"),
                 seedCodec(), &S::randomRepeats),
        ofSource("target-token-ids", "N,N,…",
                 QT_TRANSLATE_NOOP("CommandLine", "token ids of the target (query) text"),
                 idsCodec(), &S::targetTokenIds),
        ofSource(
            "mask", "NAME",
            QT_TRANSLATE_NOOP("CommandLine", "mask: own, none, causal, padding or causal+padding"),
            oneOf<S::Mask>({{"own", S::Mask::Own},
                            {"none", S::Mask::None},
                            {"causal", S::Mask::Causal},
                            {"padding", S::Mask::Padding},
                            {"causal+padding", S::Mask::CausalAndPadding}}),
            &S::mask),
        ofSource(
            "positions", "NAME",
            QT_TRANSLATE_NOOP("CommandLine",
                              "positional encoding added to the embeddings: none or sinusoidal"),
            oneOf<core::Positions>(
                {{"none", core::Positions::None}, {"sinusoidal", core::Positions::Sinusoidal}}),
            &S::positions),
        ofSource(
            "scaling", "NAME",
            QT_TRANSLATE_NOOP("CommandLine",
                              "scaling of scores: sqrt (divided by the square root of d) or off"),
            oneOf<core::Scale>(
                {{"sqrt", {core::Scale::Kind::SquareRoot}}, {"off", {core::Scale::Kind::Off}}}),
            &S::scale),
        ofSource("silence", "L.H,…",
                 QT_TRANSLATE_NOOP("CommandLine",
                                   "heads whose output is set to zero, as layer.head; with an "
                                   "encoder also encoder.0.3 or cross.1.2"),
                 headNamesCodec(), &S::silencedHeads),
        ofSource("scale-head", "L.H=X,…",
                 QT_TRANSLATE_NOOP("CommandLine",
                                   "heads whose output is multiplied by a number: their rows of "
                                   "W_O are scaled"),
                 scaledHeadsCodec(), &S::scaledHeads),
        ofSource("step", "N",
                 QT_TRANSLATE_NOOP("CommandLine",
                                   "the lesson's step, from 0 (the window counts steps from 1)"),
                 indexCodec(), &S::step),
        layerRow({"layer",
                  nullptr,
                  "N",
                  QT_TRANSLATE_NOOP("CommandLine", "the layer, from 0, or several, such as 0-3,5, "
                                                   "or all (see --output)"),
                  Look,
                  {Figure},
                  {"all"}}),
        layerRow({"layer",
                  nullptr,
                  "N",
                  QT_TRANSLATE_NOOP("CommandLine", "the layer, from 0"),
                  Look,
                  {Window, Trace, Info}}),
        headRow({"head", nullptr, "N",
                 QT_TRANSLATE_NOOP("CommandLine", "the head, from 0, or all, mean, max; figure: "
                                                  "also several (see --output), such as 0-3,5"),
                 Look, kOpening}),
        ofSource("sequence", "N",
                 QT_TRANSLATE_NOOP("CommandLine", "the sequence of the batch, from 0"),
                 indexCodec(), &S::sequence),
        ofPlace("block", "NAME",
                QT_TRANSLATE_NOOP("CommandLine", "attention block of the layer: self or cross"),
                oneOf(std::array{core::Block::SelfAttention, core::Block::CrossAttention},
                      [](core::Block block) { return core::wordOf(block); }),
                &S::block),
        row<V>({"stack", nullptr, "NAME", QT_TRANSLATE_NOOP("CommandLine", "encoder or decoder"),
                Look, kOpening + QList<Command>{Rollout, Flow}},
               oneOf(std::array{core::Stack::Encoder, core::Stack::Decoder},
                     [](core::Stack stack) { return core::wordOf(stack); }),
               &V::request, &S::stack),
        ofPlace("query", "N", QT_TRANSLATE_NOOP("CommandLine", "the query token, from 0, or none"),
                indexOrNoneCodec(), &S::query),
        ofPlace("key", "N", QT_TRANSLATE_NOOP("CommandLine", "the key token, from 0, or none"),
                indexOrNoneCodec(), &S::key),
        ofPlace("dimension", "N",
                QT_TRANSLATE_NOOP("CommandLine", "the dimension of a vector, from 0, or none"),
                indexOrNoneCodec(), &S::dimension),
        ofPlace("seed", "N",
                QT_TRANSLATE_NOOP("CommandLine", "seed of the source's random numbers"),
                seedCodec(), &S::seed),
        row<V>({"vectors", nullptr, "FILE",
                QT_TRANSLATE_NOOP(
                    "CommandLine",
                    "word vectors for the words of the text: a word2vec or GloVe text file"),
                Never, kReading},
               pathCodec(), &V::request, &S::vectors),
        row<V>({"theme", nullptr, "NAME", QT_TRANSLATE_NOOP("CommandLine", "light or dark"), Look,
                kLooking},
               oneOf(QStringList{"light", "dark"}), &V::theme),
        coloursRow({"colors",
                    nullptr,
                    "NAME",
                    QT_TRANSLATE_NOOP("CommandLine",
                                      "colour map: viridis, magma, cividis, greys for weights; "
                                      "rdbu, prgn for signed values; both: viridis,rdbu"),
                    Look,
                    kLooking,
                    {},
                    Choice::Colours}),
        ofView("range", "NAME", Choice::Range,
               QT_TRANSLATE_NOOP("CommandLine",
                                 "colour range: fixed, row, head or heads (one range for all)"),
               oneOf(kRanges, [](Range range) { return nameOf(range); }), &C::range),
        ofView("color-scale", "NAME", Choice::Range,
               QT_TRANSLATE_NOOP("CommandLine",
                                 "how numbers are spread over the colours: linear, sqrt or log"),
               oneOf(kScalings, [](Scaling scaling) { return nameOf(scaling); }), &C::scaling),
        ofView("blocks", "NAME", Choice::Blocks,
               QT_TRANSLATE_NOOP("CommandLine",
                                 "a pixel with several cells shows the one that is farthest from "
                                 "0, or their mean: largest or mean"),
               oneOf(kBlockNumbers, [](BlockNumber number) { return nameOf(number); }), &C::blocks),
        ofView("aggregate", "NAME", Choice::Combination,
               QT_TRANSLATE_NOOP("CommandLine",
                                 "what the heads view enlarges: none (the selected head), mean or "
                                 "max of --heads, or rollout or flow through all layers"),
               oneOf(core::kCombinations,
                     [](core::Combination combination) { return core::nameOf(combination); }),
               &C::combination),
        ofView("order", "NAME", Choice::HeadOrder,
               QT_TRANSLATE_NOOP("CommandLine",
                                 "order of the heads: index, entropy, distance, "
                                 "previous-token, diagonal, first-token or induction"),
               oneOf(core::kHeadOrders, nameOfOrder), &C::order),
        row<V>({"measure",
                nullptr,
                "NAME",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "head measure in the training view: entropy, distance, "
                                  "previous-token, diagonal, first-token or induction"),
                Look,
                {Window},
                {},
                Choice::Measure},
               oneOf(plottedMeasures(), nameOfOrder), &V::choices, &C::measure),
        measureRow({"measure",
                    nullptr,
                    "NAME",
                    QT_TRANSLATE_NOOP(
                        "CommandLine",
                        "head measure. Training view: entropy, distance, previous-token, diagonal, "
                        "first-token or induction. Model view, instead of thumbnails: entropy, "
                        "distance, previous, self, first, separators, same_token or induction"),
                    Look,
                    {Figure},
                    {},
                    Choice::Measure}),
        ofView("contextual", "NAME", Choice::Contextual,
               QT_TRANSLATE_NOOP("CommandLine",
                                 "similarity compares embeddings with context or output"),
               oneOf(std::array{core::Stage::Context, core::Stage::Output},
                     [](core::Stage stage) { return core::infoOf(stage).name; }),
               &C::contextual),
        ofView("granularity", "NAME", Choice::Granularity,
               QT_TRANSLATE_NOOP("CommandLine", "step size of close-up: stage, row or cell"),
               oneOf(std::array{Granularity::Stage, Granularity::Row, Granularity::Cell},
                     [](Granularity one) { return nameOf(one); }),
               &C::granularity),
        ofView("learned", "NAME", Choice::Learned,
               QT_TRANSLATE_NOOP(
                   "CommandLine",
                   "weight matrices in close-up and whole, such as W_Q: shown or folded away"),
               oneOf<bool>({{"shown", true}, {"folded", false}}), &C::learned),
        ofView("arithmetic", "NAME", Choice::Arithmetic,
               QT_TRANSLATE_NOOP("CommandLine", "arithmetic of the selected number: in "
                                                "a line, or opened large in the picture"),
               oneOf<bool>({{"line", false}, {"opened", true}}), &C::opened),
        ofView("lines", "NAME", Choice::Lines,
               QT_TRANSLATE_NOOP("CommandLine", "attention lines between the words, next to the "
                                                "close-up's result: shown or hidden"),
               oneOf<bool>({{"shown", true}, {"hidden", false}}), &C::lines),
        row<V>({"heads",
                nullptr,
                "N,N,…",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "heads of the lines view (default: the selected one) or of "
                                  "--aggregate (default: all): all, or numbers from 0"),
                Look,
                kLooking,
                {"all"},
                Choice::ChosenHeads},
               lineHeadsCodec(), &V::choices, &C::lineHeads),
        ofView("units", "NAME", Choice::Combination,
               QT_TRANSLATE_NOOP("CommandLine",
                                 "rows and columns of --aggregate: tokens, or words (pieces are "
                                 "merged)"),
               oneOf<bool>({{"tokens", false}, {"words", true}}), &C::words),
        ofView("leave-out", "NAME", Choice::Combination,
               QT_TRANSLATE_NOOP("CommandLine", "keys that --aggregate leaves out, renormalising "
                                                "the rest: none, special, first or special,first"),
               leftOutCodec(), &C::leftOut),
        ofView("keep", "F", Choice::Combination,
               QT_TRANSLATE_NOOP(
                   "CommandLine",
                   "weights that --aggregate keeps: all, those from a number such as "
                   "0.05, or the largest of each row that together reach a share such as 90%"),
               keptCodec(), &C::kept),
        ofView("threshold", "F", Choice::HeadLines,
               QT_TRANSLATE_NOOP(
                   "CommandLine",
                   "smallest weight drawn as a line in the lines view: from 0 to 1 (0.05)"),
               doubleCodec(QT_TRANSLATE_NOOP("CommandLine", "a number from 0 to 1"),
                           [](double weight) { return weight >= 0 && weight <= 1; }),
               &C::threshold),
        switchRow<V>(
            {"way-back",
             nullptr,
             nullptr,
             QT_TRANSLATE_NOOP("CommandLine", "show gradients in the view whole, from the loss of "
                                              "the next words back to the embeddings"),
             Look,
             kLooking,
             {},
             Choice::BackwardPass},
            true, &V::choices, &C::gradients),
        ofView("part", "NAME", Choice::Softmax,
               QT_TRANSLATE_NOOP("CommandLine", "softmax shows a row of logits, or the spread of "
                                                "random dot products: row or spread"),
               oneOf<core::SoftmaxPart>(
                   {{"row", core::SoftmaxPart::Row}, {"spread", core::SoftmaxPart::Spread}}),
               &C::softmax, &P::part),
        ofView("logits", "X,X,…", Choice::Softmax,
               QT_TRANSLATE_NOOP("CommandLine", "custom logits for softmax instead of the selected "
                                                "row, such as 0.1,0.4,-0.9; or none"),
               logitsCodec(), &C::softmax, &P::logits),
        ofView(
            "times", "X", Choice::Softmax,
            QT_TRANSLATE_NOOP("CommandLine", "factor applied to --logits (1)"),
            floatCodec(QT_TRANSLATE_NOOP("CommandLine", "a number greater than 0, at most 1000000"),
                       core::isOwnTimes),
            &C::softmax, &P::times),
        ofView("temperature", "X", Choice::Softmax,
               QT_TRANSLATE_NOOP("CommandLine", "temperature that divides --logits (1)"),
               floatCodec(QT_TRANSLATE_NOOP("CommandLine", "a number from 0.0001 to 10000"),
                          core::isOwnTemperature),
               &C::softmax, &P::temperature),
        ofView("d-k", "N", Choice::Softmax,
               QT_TRANSLATE_NOOP("CommandLine",
                                 "number of components of the random queries and keys (64)"),
               indexCodec(
                   QT_TRANSLATE_NOOP("CommandLine", "a whole number from 1 to 4096"),
                   [](core::Index size) { return size >= 1 && size <= core::kMaxDrawnHeadSize; }),
               &C::softmax, &P::headSize),
        ofView("draw-seed", "N", Choice::Softmax,
               QT_TRANSLATE_NOOP("CommandLine", "seed of the random queries and keys (1)"),
               seedCodec(), &C::softmax, &P::seed),
        ofView("space", "NAME", Choice::Planes,
               QT_TRANSLATE_NOOP(
                   "CommandLine",
                   "planes that geometry shows: all, residual, query-key or value-context"),
               oneOf(kShownSpaces, [](ShownSpaces spaces) { return nameOf(spaces); }), &C::spaces),
        ofView("axes", "NAME", Choice::Planes,
               QT_TRANSLATE_NOOP("CommandLine",
                                 "axes of the planes of wide vectors: principal or dot-product"),
               oneOf(kPlaneAxes, [](PlaneAxes axes) { return nameOf(axes); }), &C::axes),
        ofView("gravity", "F", Choice::Planes,
               QT_TRANSLATE_NOOP("CommandLine",
                                 "how far attention has moved the words: from 0 to 1 (0)"),
               doubleCodec(QT_TRANSLATE_NOOP("CommandLine", "a number from 0 to 1"),
                           [](double share) { return share >= 0 && share <= 1; }),
               &C::gravity),
        switchRow<V>(
            {"together",
             nullptr,
             nullptr,
             QT_TRANSLATE_NOOP("CommandLine",
                               "show the batch's sequences in one plane of the residual stream"),
             Look,
             kLooking,
             {},
             Choice::Planes},
            true, &V::choices, &C::together),
        ofFigure(
            "pin", "L.H,…",
            QT_TRANSLATE_NOOP("CommandLine",
                              "heads that the model view enlarges in addition to the selected one, "
                              "as layer.head"),
            headNamesCodec(), &V::pinned),
        ofFigure("effect", "NAME",
                 QT_TRANSLATE_NOOP("CommandLine",
                                   "the model view shows what silencing each head changes, instead "
                                   "of thumbnails: logit or loss"),
                 oneOf<bool>({{"logit", false}, {"loss", true}}), &V::effectOnLoss),
        switchRow<V>({"mean",
                      nullptr,
                      nullptr,
                      QT_TRANSLATE_NOOP("CommandLine", "with --effect: replace a head's output by "
                                                       "its mean over the text, not by zeros"),
                      Look,
                      {Figure}},
                     true, &V::silencesByMean),
        ofFigure("token", "TEXT",
                 QT_TRANSLATE_NOOP("CommandLine", "with --effect logit: the token whose logit is "
                                                  "measured; default: the most probable one"),
                 utf8Codec(), &V::token),
        ofFigure(
            "compare", "SOURCE",
            QT_TRANSLATE_NOOP("CommandLine",
                              "side A: another source, to which the options above do not apply"),
            pathCodec(), &V::compare, &S::source),
        ofFigure(
            "compare-step", "N",
            QT_TRANSLATE_NOOP("CommandLine",
                              "the lesson step of side A, from 0 (the window counts steps from 1)"),
            indexCodec(), &V::compare, &S::step),
        ofFigure("compare-sequence", "N",
                 QT_TRANSLATE_NOOP(
                     "CommandLine",
                     "the sequence of side A; without --compare, a sequence of the same source"),
                 indexCodec(), &V::compare, &S::sequence),
        row<V>({"compare-text",
                nullptr,
                "TEXT",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "text A, which the text is compared with; with --compare, A's "
                                  "model reads it"),
                Look,
                {Figure, Compare}},
               utf8Codec(), &V::compare, &S::text),
        row<V>({"align",
                nullptr,
                "N=M,…",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "pairs of tokens to compare that differ from the automatic ones: "
                                  "token N of the text with token M of text A, or none"),
                Look,
                {Figure, Compare}},
               pairEditsCodec(), &V::pairEdits),
        ofFigure("show", "NAME",
                 QT_TRANSLATE_NOOP("CommandLine",
                                   "side of the comparison: now, a or difference (current − A)"),
                 oneOf(kShown, [](ComparisonSide shown) { return nameOf(shown); }), &V::shown),
        switchRow<V>(
            {"paper",
             nullptr,
             nullptr,
             QT_TRANSLATE_NOOP(
                 "CommandLine",
                 "style for papers: light, on white, without cards and without the selection"),
             Look,
             {Figure}},
            true, &V::paper),
        switchRow<V>({"transparent",
                      nullptr,
                      nullptr,
                      QT_TRANSLATE_NOOP("CommandLine", "with --paper: transparent background"),
                      Look,
                      {Figure}},
                     true, &V::transparent),
        switchRow<V>({"text-as-paths",
                      nullptr,
                      nullptr,
                      QT_TRANSLATE_NOOP("CommandLine",
                                        "save letters as outlines, which need no font (svg, pdf)"),
                      Look,
                      {Figure}},
                     true, &V::textAsPaths),
        ofFigure("size", "W[xH]",
                 QT_TRANSLATE_NOOP("CommandLine",
                                   "size in logical pixels, mm or inches: 800x600, 84mm, "
                                   "3.3inx2.5in; without a height, the figure's own"),
                 sizeCodec(), &V::size),
        ofFigure("scale", "F",
                 QT_TRANSLATE_NOOP("CommandLine",
                                   "pixels per logical pixel (png): 1 is 96 dpi, 3.125 is 300 dpi"),
                 positiveCodec(), &V::scale),
        ofFigure("text-scale", "F",
                 QT_TRANSLATE_NOOP("CommandLine", "text size factor (1): at 1, labels are 8.25 pt"),
                 positiveCodec(), &V::textScale),
        row<V>({"caption",
                nullptr,
                "TEXT",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "caption below the figure; auto: describes what it shows"),
                Look,
                {Figure},
                {"auto"}},
               textCodec(), &V::caption),
        ofFigure("title", "TEXT", QT_TRANSLATE_NOOP("CommandLine", "title above the figure"),
                 textCodec(), &V::title),
        switchRow<V>({"no-session",
                      nullptr,
                      nullptr,
                      QT_TRANSLATE_NOOP("CommandLine", "do not embed the session in the figure"),
                      Never,
                      {Figure}},
                     false, &V::session),
    };
}

} // namespace

std::span<const OptionRow<ViewRequest>> viewOptions() {
    static const std::vector<OptionRow<V>> rows = makeRows();
    return rows;
}

QStringList figureText(const ViewRequest &request) {
    QStringList words;
    for (const OptionRow<V> &row : viewOptions()) {
        if (!row.commands.contains(Command::Figure))
            continue;
        const std::optional<QString> value = row.write(request);
        if (!value)
            continue;
        const QString option = QStringLiteral("--") + row.name;
        if (!row.value)
            words << option;
        else if (value->startsWith('-')) // it would be parsed as an option
            words << option + '=' + *value;
        else
            words << option << *value;
    }
    return words;
}

const char *optionOf(const ViewRequest &request, Choice choice) {
    for (const OptionRow<V> &row : viewOptions())
        if (row.choice == choice && row.write(request))
            return row.name;
    return nullptr;
}

} // namespace headlight::ui
