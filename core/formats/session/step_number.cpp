#include "core/formats/session/step_number.h"

#include "core/format_number.h"

#include <algorithm>
#include <charconv>

namespace headlight::core {

namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

template <typename Number>
bool readWhole(std::string_view word, Number &number) {
    const char *end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, number);
    return !word.empty() && read.ec == std::errc() && read.ptr == end && number >= 0;
}

/// The site, or the one that a model without such an attention has in its place.
Site inModel(Site site, const Model &model) {
    if (!model.hasStack(site.stack))
        site.stack = model.mainStack();
    const Site other(site.layer,
                     site.block == Block::SelfAttention ? Block::CrossAttention
                                                        : Block::SelfAttention,
                     site.stack);
    return !model.hasAttention(site) && model.hasAttention(other) ? other : site;
}

/// A stage that a mark names, and where it is.
struct Named {
    Tensor tensor;
    StageAt at{Stage::Embeddings, {}};
};

Named stageNamed(std::string_view name, const Trace &trace, Site site) {
    if (const auto at = findStageAnywhere(name); at && trace.has(name))
        return {trace.stage(name), *at};
    site = inModel(site, trace.model());
    const auto stage = findStage(name, site);
    return stage ? Named{trace.stage(*stage, site), {*stage, site}} : Named{};
}

/// Whose words stand for the indices of an axis; null: that axis has no tokens.
const Batch *tokensOf(const Named &named, std::size_t axis, const Trace &trace) {
    const std::size_t rank = named.tensor.shape().rank();
    const StageInfo &info = infoOf(named.at.stage);
    if (rank < 3 || axis + 2 < rank)
        return nullptr;
    const bool isRow = axis + 2 == rank;
    if (!isRow && !info.overKeys())
        return nullptr;
    return isRow && !info.ofKeys() ? &trace.queries(named.at.site) : &trace.keys(named.at.site);
}

} // namespace

Index tokenCalled(std::string_view word, const Batch &batch, Index sequence) {
    if (sequence >= batch.count())
        return -1;
    Index which = 1;
    if (const std::size_t hash = word.rfind('#'); hash != std::string_view::npos && hash > 0)
        if (readWhole(word.substr(hash + 1), which))
            word = word.substr(0, hash);
    const std::vector<Token> &tokens = batch[sequence].tokens;
    for (std::size_t at = 0; at < tokens.size(); ++at)
        if (tokens[at].text == word && --which == 0)
            return static_cast<Index>(at);
    return -1;
}

std::string_view nextMarkWord(std::string_view &mark) {
    while (!mark.empty() && isBlank(mark.front()))
        mark.remove_prefix(1);
    std::size_t length = 0;
    while (length < mark.size() && !isBlank(mark[length]) && mark[length] != ':')
        ++length;
    if (length == 0 && !mark.empty())
        length = 1;
    const std::string_view word = mark.substr(0, length);
    mark.remove_prefix(length);
    return word;
}

namespace {

/// "size weights 2" or "shape weights", the first word of which has been read.
Result<StepNumber> extentOf(std::string_view first, std::string_view mark, const Trace &trace,
                            Site site) {
    const std::string where = "{" + std::string(first) + std::string(mark) + "}";
    const std::string_view name = nextMarkWord(mark);
    const Named named = stageNamed(name, trace, site);
    if (named.tensor.isNull())
        return Error{{"this model has no stage \"%1\"", name}, where, ""};
    const Shape &shape = named.tensor.shape();
    if (first == "shape" && nextMarkWord(mark).empty()) {
        std::string text = "(";
        for (std::size_t axis = 0; axis < shape.rank(); ++axis)
            text += (axis > 0 ? ", " : "") + std::to_string(shape[axis]);
        return StepNumber{0, text + ")"};
    }
    Index axis = 0;
    if (first != "size" || !readWhole(nextMarkWord(mark), axis) || !nextMarkWord(mark).empty() ||
        axis >= static_cast<Index>(shape.rank()))
        return Error{"expected a stage, and of a size one of its axes",
                     where,
                     {"the stage is %1", shape.text()}};
    const Index size = shape[static_cast<std::size_t>(axis)];
    return StepNumber{static_cast<float>(size), std::to_string(size)};
}

} // namespace

Result<StepNumber> numberOf(std::string_view mark, const Trace &trace, Site site) {
    const std::string where = "{" + std::string(mark) + "}";
    const std::string_view name = nextMarkWord(mark);
    if (name == "size" || name == "shape")
        return extentOf(name, mark, trace, site);
    const Named named = stageNamed(name, trace, site);
    if (named.tensor.isNull())
        return Error{{"this model has no stage \"%1\"", name}, where, ""};
    const Shape &shape = named.tensor.shape();
    Index offset = 0, sequence = 0;
    std::size_t axis = 0;
    std::string_view word = nextMarkWord(mark);
    for (; !word.empty() && word != ":"; word = nextMarkWord(mark), ++axis) {
        Index index = 0;
        if (axis == shape.rank())
            return Error{{"more than %1 indices", axis}, where, {"the stage is %1", shape.text()}};
        if (!readWhole(word, index)) {
            const Batch *const batch = tokensOf(named, axis, trace);
            index = batch ? tokenCalled(word, *batch, sequence) : -1;
        }
        if (index < 0 || index >= shape[axis])
            return Error{
                {"\"%1\" is no index into %2 and no word there", word, shape.text()}, where, ""};
        if (axis == 0)
            sequence = index;
        offset = offset * shape[axis] + index;
    }
    if (axis != shape.rank())
        return Error{{"expected %1 indices, found %2", shape.rank(), axis},
                     where,
                     {"the stage is %1", shape.text()}};
    int decimals = 2;
    if (word == ":" &&
        (!readWhole(nextMarkWord(mark), decimals) || decimals > 9 || !nextMarkWord(mark).empty()))
        return Error{"expected 0 to 9 decimals after the colon", where, ""};
    const float value = named.tensor.values()[static_cast<std::size_t>(offset)];
    return StepNumber{value, shown(value, decimals)};
}

} // namespace headlight::core
