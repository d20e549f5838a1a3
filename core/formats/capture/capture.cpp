#include "core/formats/capture/capture.h"

#include "core/cancelled.h"
#include "core/formats/capture/stages.h"
#include "core/formats/files/io_error.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <nlohmann/json.hpp>
#include <set>

namespace headlight::core {

namespace {

using Json = nlohmann::json;

constexpr const char *kTokensRemedy =
    "give a JSON list of strings, or a list of such lists, one a sequence and all of one length";

/// The lists in one metadata field. Nothing deeper than two brackets is ever built.
std::optional<TokenLists> parseTokens(const std::string &text) {
    bool tooDeep = false;
    const Json json = Json::parse(
        text,
        [&tooDeep](int depth, Json::parse_event_t event, Json &) {
            const bool starts = event == Json::parse_event_t::array_start ||
                                event == Json::parse_event_t::object_start;
            tooDeep = tooDeep || (starts && depth >= 2);
            return !tooDeep;
        },
        false);
    if (tooDeep || !json.is_array() || json.empty())
        return std::nullopt;
    TokenLists lists;
    const bool isOne = json.front().is_string();
    for (const Json &list : isOne ? Json::array({json}) : json) {
        if (!list.is_array() || list.empty() ||
            (!lists.empty() && list.size() != lists.front().size()))
            return std::nullopt;
        std::vector<std::string> &tokens = lists.emplace_back();
        for (const Json &token : list) {
            if (!token.is_string())
                return std::nullopt;
            tokens.push_back(token.get<std::string>());
        }
    }
    return lists;
}

Outcome readTokens(const SafetensorsFile &file, const char *field, TokenLists &lists) {
    const auto found = file.metadata().find(field);
    const std::string where = file.path() + ", metadata " + field;
    if (found == file.metadata().end())
        return Error{"the tokens are missing", where, kTokensRemedy};
    auto parsed = parseTokens(found->second);
    if (!parsed)
        return Error{"the tokens cannot be understood", where, kTokensRemedy};
    lists = std::move(*parsed);
    return Done{};
}

Outcome readAllTokens(const SafetensorsFile &file, Capture &capture) {
    const bool hasTarget = file.metadata().contains("target_tokens");
    if (Outcome outcome = readTokens(file, hasTarget ? "target_tokens" : "tokens", capture.tokens);
        !outcome)
        return outcome;
    if (!hasTarget && !file.metadata().contains("source_tokens"))
        return Done{};
    if (Outcome outcome = readTokens(file, "source_tokens", capture.sourceTokens); !outcome)
        return outcome;
    if (capture.sourceTokens.size() == capture.tokens.size())
        return Done{};
    return Error{{"there are %1 sequences of source tokens and %2 of target tokens",
                  capture.sourceTokens.size(), capture.tokens.size()},
                 file.path() + ", metadata source_tokens",
                 "give as many of each"};
}

/// The shape with its batch, or an error that says what was expected there.
Result<Shape> checkedShape(const CaptureStage &stage, const TensorInfo &info,
                           const Capture &capture, const std::string &path) {
    const std::string where = path + ", tensor " + inQuotes(info.name);
    const auto lengthOf = [&](Reads reads) -> Index {
        const TokenLists &lists = reads == Reads::Source ? capture.sourceTokens : capture.tokens;
        return lists.empty() ? 0 : static_cast<Index>(lists.front().size());
    };
    const bool readsSource = stage.rows == Reads::Source || stage.columns == Reads::Source;
    if (readsSource && capture.sourceTokens.empty())
        return Error{"it attends to a second sequence whose tokens are not in the file", where,
                     "add the metadata source_tokens and target_tokens"};
    std::vector<Index> sizes = info.shape.sizes();
    const auto batch = static_cast<Index>(capture.tokens.size());
    if (stage.isShort && batch == 1 && sizes.size() + 1 == stage.axes.size())
        sizes.insert(sizes.begin(), 1);
    std::string expected;
    bool fits = sizes.size() == stage.axes.size();
    for (std::size_t axis = 0; axis < stage.axes.size(); ++axis) {
        const char letter = stage.axes[axis];
        Index size = 0; // any, but not nothing
        if (letter == 'B')
            size = batch;
        else if (letter == '1')
            size = 1;
        else if (letter == 'T')
            size = lengthOf(stage.rows);
        else if (letter == 'S')
            size = lengthOf(stage.columns);
        fits = fits && (size == 0 ? sizes[axis] > 0 : sizes[axis] == size);
        expected +=
            (axis == 0 ? "" : " × ") + (size == 0 ? std::string(1, letter) : std::to_string(size));
    }
    if (!fits)
        return Error{
            {"its shape is %1, with these tokens it should be %2", info.shape.text(), expected},
            where,
            "check that the tokens are those the numbers were computed from"};
    return Shape(std::move(sizes));
}

Outcome readStage(const SafetensorsFile &file, const TensorInfo &info, const CaptureStage &stage,
                  Capture &capture, const std::stop_token &stop) {
    const Result<Shape> shape = checkedShape(stage, info, capture, file.path());
    if (!shape)
        return shape.error();
    TensorInfo whole = info;
    whole.shape = *shape;
    Result<Tensor> tensor = file.read(whole, stop);
    if (!tensor)
        return tensor.error();
    capture.stages.push_back({stage.name, std::move(*tensor)});
    capture.types.push_back(info.dtype);
    return Done{};
}

struct Wanted {
    const TensorInfo *info;
    CaptureStage stage;
};

/// What of the file is read, layer after layer; the rest goes on the list of the ignored.
Result<std::vector<Wanted>> choose(const SafetensorsFile &file, Capture &capture,
                                   const std::stop_token &stop) {
    StopCheck check(stop);
    const bool twoStacks =
        std::any_of(file.tensors().begin(), file.tensors().end(),
                    [](const TensorInfo &info) { return isOfTwoStacks(info.name); });
    std::vector<Wanted> wanted;
    std::set<std::string> names;
    std::uint64_t bytes = 0;
    for (const TensorInfo &info : file.tensors()) {
        check.throwIfRequested();
        auto stage = captureStage(info.name, twoStacks);
        if (!stage) {
            capture.ignored.push_back(info.name);
            continue;
        }
        if (!names.insert(stage->name).second)
            return Error{{"the file holds %1 under two names", stage->name},
                         file.path() + ", tensor " + inQuotes(info.name),
                         "leave one of them out"};
        bytes += static_cast<std::uint64_t>(info.shape.count()) * sizeof(float);
        wanted.push_back({&info, std::move(*stage)});
    }
    if (bytes > kMaximumCaptureBytes)
        return Error{{"its stages would take %1 MB", bytes >> 20},
                     file.path(),
                     "capture fewer layers or a shorter text"};
    std::stable_sort(wanted.begin(), wanted.end(), [](const Wanted &a, const Wanted &b) {
        return a.stage.layer < b.stage.layer;
    });
    return wanted;
}

} // namespace

Tensor Capture::stage(std::string_view name) const {
    for (const NamedTensor &stage : stages)
        if (stage.name == name)
            return stage.tensor;
    return {};
}

Result<Capture> readCapture(const std::string &path, std::stop_token stop) try {
    throwIfCancelled(stop);
    const Result<SafetensorsFile> file = SafetensorsFile::open(path);
    if (!file)
        return file.error();
    Capture capture;
    capture.metadata = file->metadata();
    const Result<std::vector<Wanted>> wanted = choose(*file, capture, stop);
    if (!wanted)
        return wanted.error();
    if (wanted->empty())
        return Error{"there is nothing in it that Headlight knows", path,
                     "name the attention weights attentions.0, attentions.1, …"};
    if (Outcome outcome = readAllTokens(*file, capture); !outcome)
        return outcome.error();
    throwIfCancelled(stop);
    for (const Wanted &one : *wanted)
        if (Outcome outcome = readStage(*file, *one.info, one.stage, capture, stop); !outcome)
            return outcome.error();
    return capture;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return ioError(ENOMEM, "it cannot be read", path);
}

} // namespace headlight::core
