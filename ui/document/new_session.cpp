#include "ui/document/new_session.h"

#include "core/formats/session/data/fields.h"
#include "core/formats/session/writing/text.h"
#include "core/selection/view.h"
#include "core/tokenizers/word_tokenizer.h"
#include "ui/document/fitting_selection.h"
#include "ui/document/new_model.h"

namespace headlight::ui {

namespace {

using core::Index;

constexpr qsizetype kMaxTitleLength = 40;

QString titleOf(const NewSession &wanted) {
    const QString text =
        hasSource(wanted.kind) ? wanted.sourceText + " → " + wanted.text : wanted.text;
    const QString line = text.simplified();
    return line.size() <= kMaxTitleLength ? line : line.first(kMaxTitleLength - 1).trimmed() + u'…';
}

core::Outcome possible(const NewSession &wanted) {
    if (wanted.heads < 1 || wanted.width % wanted.heads != 0)
        return core::Error{"the width cannot be divided evenly among the heads", "model.width",
                           "use a width that is a multiple of the number of heads"};
    if (!hasSelfAttention(wanted.kind) && needsSelfAttention(wanted.positions))
        return core::Error{"these positions need self-attention, and the model has none",
                           "model.positions", "use sinusoidal or learned positions"};
    if (wanted.kind == NewKind::EncoderDecoder && wanted.encoderHeads > 0 &&
        wanted.width % wanted.encoderHeads != 0)
        return core::Error{"the width cannot be divided evenly among the encoder's heads",
                           "model.encoder.heads", "use a number that divides the width"};
    if (core::Outcome outcome = checkLists(wanted); !outcome)
        return outcome;
    return core::validate(configOf(wanted));
}

std::string batchOf(const QString &text) {
    return R"({"sequences": [{"text": )" + core::jsonText(text.toStdString()) + "}]}";
}

core::MaskLayers masksOf(NewKind kind) {
    if (writesWords(kind))
        return {core::CausalMask(), core::PaddingMask()};
    if (kind == NewKind::Encoder)
        return {core::PaddingMask()};
    return {};
}

/// Selects the first layer's attention weights and the last query, which sees the most keys.
core::SelectionPatch viewOf(NewKind kind, Index tokens) {
    core::SelectionPatch view;
    view.view = core::idOf(core::View::CloseUp);
    view.layer = 0;
    view.head = 0;
    view.stage = core::Stage::AttentionWeights;
    view.query = tokens - 1;
    view.key = 0;
    if (hasSource(kind))
        view.block = core::Block::CrossAttention;
    return view;
}

} // namespace

NewSession usualSession(NewKind kind) {
    NewSession usual;
    usual.kind = kind;
    if (!hasBlocks(kind))
        return usual;
    usual.layers = 2;
    usual.residual = true;
    usual.norm = core::NormKind::Layer;
    usual.normPlace = core::NormPosition::After;
    usual.positions = core::Positions::Sinusoidal;
    usual.feedForward = {.width = 32, .activation = core::Activation::Relu};
    if (kind == NewKind::Encoder) { // like BERT, except for learned positions
        usual.feedForward.activation = core::Activation::Gelu;
    } else if (kind == NewKind::Decoder) { // like Llama
        usual.heads = 4;
        usual.keyValueHeads = 2;
        usual.norm = core::NormKind::RootMeanSquare;
        usual.normPlace = core::NormPosition::Before;
        usual.positions = core::Positions::Rotary;
        usual.feedForward.activation = core::Activation::Silu;
        usual.feedForward.gated = true;
    }
    return usual;
}

core::Result<OpenedSource> makeSession(const NewSession &wanted) {
    if (core::Outcome outcome = possible(wanted); !outcome)
        return outcome.error();
    const auto tokens = core::splitIntoWords(wanted.text.toStdString());
    if (!tokens)
        return core::Error{tokens.error().what, "text", tokens.error().remedy};
    core::Result<std::vector<core::Token>> source = std::vector<core::Token>();
    if (hasSource(wanted.kind)) {
        source = core::splitIntoWords(wanted.sourceText.toStdString());
        if (!source)
            return core::Error{source.error().what, "source", source.error().remedy};
    }
    const NewModel model = newModel(wanted, core::textsOf(*tokens), core::textsOf(*source));
    if (model.numbers > kMaxNewNumbers)
        return core::Error{
            {"%1 random parameters are more than the maximum, %2", model.numbers, kMaxNewNumbers},
            "model.layers",
            "use fewer layers, or narrower ones"};
    const core::SelectionPatch view = viewOf(wanted.kind, std::ssize(*tokens));
    std::vector<core::JsonMemberText> members{
        {"headlight", std::to_string(std::max(core::formatVersionOf(configOf(wanted)),
                                              core::formatVersionOf(view)))},
        {"title", core::jsonText(titleOf(wanted).toStdString())}};
    if (hasSource(wanted.kind))
        members.push_back({"source", batchOf(wanted.sourceText)});
    members.push_back({"batch", batchOf(wanted.text)});
    members.push_back({"model", model.json});
    if (const core::MaskLayers masks = masksOf(wanted.kind); !masks.empty())
        members.push_back({"masks", core::textOf(masks)});
    members.push_back({"view", core::written(view)});
    core::Result<core::Session> read = core::readSession(core::jsonObject(members, "\n  ") + "\n");
    if (!read)
        return read.error();
    OpenedSource opened;
    opened.session = *std::move(read);
    opened.state = {opened.session.model, opened.session.input, 0, {}, {}};
    opened.selection = fittingSelection(opened.session.view.applied({}), opened.state);
    opened.view = QString::fromStdString(*opened.session.view.view);
    return withComputable(std::move(opened));
}

} // namespace headlight::ui

namespace headlight::core {

namespace {

// Larger random models would not show anything new.
constexpr Index kMaxNewLayers = 12, kMaxNewHeads = 64;
constexpr Index kWidestNew = 1024, kWidestNewFeedForward = 4096;
constexpr float kLargestNewCap = 1000;

Codec<QString> lineOfText() {
    const Codec<std::string> plain = text();
    return {[plain](const Field &field, QString &into) {
                std::string read;
                const bool isText = plain.read(field, read);
                if (isText)
                    into = QString::fromStdString(read);
                return isText;
            },
            [plain](const QString &line, const std::string &lines) {
                return plain.write(line.toStdString(), lines);
            },
            plain.schema, plain.limits};
}

} // namespace

template <>
const FieldTable<ui::NewSession> &Fields<ui::NewSession>::table() {
    using S = ui::NewSession;
    const auto part = [](const char *name, auto owner, auto member, const auto &codec) {
        using Value = std::remove_cvref_t<decltype(S().*owner.*member)>;
        return fieldAt<S, Value>(
            name, [=](auto &session) -> auto & { return session.*owner.*member; },
            Codec<Value>(codec), "");
    };
    const auto cap = number().from(0).to(kLargestNewCap);
    const auto heads = whole(0, kMaxNewHeads), feedForward = whole(0, kWidestNewFeedForward);
    static const FieldTable<S> table{
        "newSession",
        Written::All,
        {field("layers", &S::layers, whole(1, kMaxNewLayers), ""),
         field("width", &S::width, whole(1, kWidestNew), ""),
         field("heads", &S::heads, whole(1, kMaxNewHeads), ""),
         field("keyValueHeads", &S::keyValueHeads, heads, ""),
         field("valueSize", &S::valueSize, whole(0, kWidestNew), ""),
         field("seed", &S::seed, wholeSeed(std::numeric_limits<int>::max()), ""),
         part("feedForward", &S::feedForward, &FeedForward::width, feedForward),
         field("positions", &S::positions, oneOf<Positions>(), ""),
         field("slopes", &S::slopes, lineOfText(), ""),
         field("windows", &S::windows, lineOfText(), ""),
         field("encoderHeads", &S::encoderHeads, heads, ""),
         field("encoderFeedForward", &S::encoderFeedForward, feedForward, ""),
         field("norm", &S::norm, oneOf<NormKind>(), ""),
         field("normPlace", &S::normPlace, oneOf<NormPosition>(), ""),
         field("queryKeyNorm", &S::queryKeyNorm, oneOf<QueryKeyNorm>(), ""),
         field("parallel", &S::parallel, flag(), ""),
         field("sharedNorm", &S::sharedNorm, flag(), ""),
         part("scoreCap", &S::scoreCap, &Softcap::limit, cap),
         part("logitCap", &S::logitCap, &Softcap::limit, cap),
         part("activation", &S::feedForward, &FeedForward::activation, oneOf<Activation>()),
         part("gated", &S::feedForward, &FeedForward::gated, flag()),
         field("residual", &S::residual, flag(), "")}};
    return table;
}

} // namespace headlight::core
