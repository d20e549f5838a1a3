// The options of train: its input and output, and one for each field of the recipe.
#include "app/arguments.h"
#include "app/words.h"
#include "core/closest_name.h"
#include "core/training/recipe/recipe_fields.h"

#include <algorithm>

namespace headlight::app {

namespace {

using A = Arguments;
using T = TrainRequest;
using R = core::Recipe;

Option optionOf(const char *name, const char *value, const char *meaning, QStringList values = {}) {
    return {
        name, nullptr, value, meaning, StoredInFigure::Never, {Command::Train}, std::move(values)};
}

ui::Codec<core::Ablation> ablationCodec() {
    ui::Codec<core::Ablation> codec =
        ui::oneOf(core::kAblations, [](core::Ablation which) { return core::idOf(which); });
    codec.read = [](const ui::TypedValue &typed) {
        const std::string id = typed.text().toStdString();
        if (const auto ablation = core::findAblation(id))
            return *ablation;
        const auto ids = core::ablation().valid.words;
        const std::vector<std::string> known(ids.begin(), ids.end());
        throw OptionError{
            Words::tr("--race %1: unknown ablation; did you mean '%2'?")
                .arg(typed.word, QString::fromStdString(core::closestName(id, known)))};
    };
    return codec;
}

R &run(R &recipe) {
    return recipe;
}
core::Architecture &model(R &recipe) {
    return recipe.architecture;
}
core::OptimizerSettings &optimizer(R &recipe) {
    return recipe.optimizer;
}

/// Returns the option that sets a field of a part of the recipe. The field's limits and words
/// apply. If `values` is not empty, it replaces these words. For a Boolean field, its first word
/// means true.
template <class Part>
OptionRow setting(Part &(*partOf)(R &), const char *field, const char *name, const char *value,
                  const char *meaning, QStringList values = {}) {
    const core::FieldRow<Part> &row = core::Fields<Part>::table().row(field);
    const bool isSwitch = row.valid.words.empty() && !values.isEmpty();
    const bool isOfModel = std::is_same_v<Part, core::Architecture> || row.name == "seed";
    if (values.isEmpty())
        values = ui::eachOf(row.valid.words);
    OptionRow made(optionOf(name, value, meaning, values));
    made.read = [=, &row](const ui::TypedValue &typed, A &arguments) {
        QString word = values.isEmpty() ? typed.text() : ui::oneOf(values).read(typed);
        if (isSwitch)
            word = word == values.first() ? "true" : "false";
        const auto apply = [=, &row, word = word.toStdString()](R &recipe) {
            return core::readWord(row, word, partOf(recipe));
        };
        R any;
        if (const core::Outcome outcome = apply(any); !outcome) // "expected %1, found %2"
            throw typed.wrong(ui::translated(outcome.error().what.arguments().front()));
        arguments.train.changes.push_back(
            {typed.option, isOfModel, [apply](R &recipe) { (void)apply(recipe); }});
    };
    return made;
}

std::vector<OptionRow> inputAndOutput() {
    std::vector<OptionRow> rows{
        ui::row<A>(optionOf("output", "FILE",
                            QT_TRANSLATE_NOOP("CommandLine",
                                              "where to write the session with the model; default "
                                              "with --resume: the same file")),
                   ui::pathCodec(), &A::output),
        ui::row<A>(optionOf("resume", "FILE",
                            QT_TRANSLATE_NOOP(
                                "CommandLine",
                                "continue the run of a session, as if it had never stopped")),
                   ui::pathCodec(), &A::train, &T::resume),
        ui::row<A>(
            optionOf("text-file", "FILE",
                     QT_TRANSLATE_NOOP(
                         "CommandLine",
                         "training text of the tasks characters and words: UTF-8, at most 16 MB")),
            ui::pathCodec(), &A::train, &T::textFile),
        ui::row<A>(
            optionOf("race", "SWITCH",
                     QT_TRANSLATE_NOOP(
                         "CommandLine",
                         "also train an ablated run, with one setting changed: no-scale, one-head, "
                         "four-heads, no-positions, no-residual, no-norm or no-mask")),
            ablationCodec(), &A::train, &T::race),
    };
    rows.front().letter = "o";
    return rows;
}

std::vector<OptionRow> recipeOptions() {
    return {
        setting(run, "steps", "steps", "N",
                QT_TRANSLATE_NOOP("CommandLine", "total number of steps")),
        setting(
            run, "seed", "seed", "N",
            QT_TRANSLATE_NOOP("CommandLine", "seed of the initial parameters and the examples")),
        setting(run, "batch", "batch", "N", QT_TRANSLATE_NOOP("CommandLine", "examples per step")),
        setting(model, "layers", "layers", "N",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "number of layers; in an encoder-decoder, of each stack")),
        setting(model, "heads", "heads", "N", QT_TRANSLATE_NOOP("CommandLine", "heads")),
        setting(model, "width", "width", "N",
                QT_TRANSLATE_NOOP("CommandLine", "model width; must be a multiple of --heads")),
        setting(model, "feed_forward", "feed-forward", "N",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "width of the feed-forward networks; 0: attention only")),
        setting(model, "activation", "activation", "NAME",
                QT_TRANSLATE_NOOP("CommandLine",
                                  "activation of the feed-forward networks: relu, gelu, "
                                  "gelu_tanh, silu, quick_gelu or squared_relu")),
        setting(model, "positions", "positions", "NAME",
                QT_TRANSLATE_NOOP(
                    "CommandLine",
                    "positional encoding: none, sinusoidal, learned, rotary, alibi or relative")),
        setting(model, "norm", "norm", "NAME",
                QT_TRANSLATE_NOOP("CommandLine", "norm before each block: none, layer or rms"),
                {"none", "layer", "rms"}),
        setting(model, "residual", "residual", "NAME",
                QT_TRANSLATE_NOOP("CommandLine", "residual connections: on or off"), {"on", "off"}),
        setting(
            model, "scaled", "scaling", "NAME",
            QT_TRANSLATE_NOOP("CommandLine",
                              "scaling of scores: sqrt (divided by the square root of d) or off"),
            {"sqrt", "off"}),
        setting(
            model, "masked", "mask", "NAME",
            QT_TRANSLATE_NOOP("CommandLine",
                              "mask: causal, or none (a next-token model then sees its target)"),
            {"causal", "none"}),
        setting(optimizer, "kind", "optimizer", "NAME",
                QT_TRANSLATE_NOOP("CommandLine", "optimizer: adamw or sgd (with momentum)")),
        setting(optimizer, "learning_rate", "learning-rate", "F",
                QT_TRANSLATE_NOOP("CommandLine", "learning rate after warm-up")),
        setting(optimizer, "beta1", "beta1", "F",
                QT_TRANSLATE_NOOP("CommandLine", "decay rate of AdamW's first moment")),
        setting(optimizer, "beta2", "beta2", "F",
                QT_TRANSLATE_NOOP("CommandLine", "decay rate of AdamW's second moment")),
        setting(optimizer, "epsilon", "epsilon", "F",
                QT_TRANSLATE_NOOP("CommandLine", "epsilon in AdamW's denominator")),
        setting(optimizer, "momentum", "momentum", "F",
                QT_TRANSLATE_NOOP("CommandLine", "momentum of sgd")),
        setting(optimizer, "weight_decay", "weight-decay", "F",
                QT_TRANSLATE_NOOP("CommandLine", "weight decay (matrices only)")),
        setting(optimizer, "clip", "clip", "F",
                QT_TRANSLATE_NOOP("CommandLine", "maximum gradient norm; 0 disables clipping")),
        setting(optimizer, "warm_up", "warm-up", "N",
                QT_TRANSLATE_NOOP("CommandLine", "number of warm-up steps")),
        setting(optimizer, "cosine", "schedule", "NAME",
                QT_TRANSLATE_NOOP(
                    "CommandLine",
                    "learning rate schedule after warm-up: cosine, down to a tenth, or constant"),
                {"cosine", "constant"}),
    };
}

} // namespace

std::vector<OptionRow> trainOptions() {
    std::vector<OptionRow> options = inputAndOutput();
    std::ranges::copy(recipeOptions(), std::back_inserter(options));
    return options;
}

} // namespace headlight::app
