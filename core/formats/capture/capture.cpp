#include "core/formats/capture/capture.h"

#include "core/cancelled.h"
#include "core/formats/capture/capture_tokens.h"
#include "core/formats/capture/stages.h"
#include "core/formats/files/io_error.h"
#include "core/transformer/model/config.h"
#include "core/transformer/names/stage.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <new>
#include <unordered_set>

namespace headlight::core {

namespace {

struct Wanted {
    NamedArray array;
    CaptureStage stage;
    std::string shapeInFile; ///< for error messages
};

constexpr Index kMaxCapturedSequences = 4096;

/// True if the name alone identifies a stage of a trace.
bool meansSomething(std::string_view name) {
    auto stage = captureStage(name, isOfTwoStacks(name));
    if (!stage)
        stage = transformerLensStage(name, [](const std::string &) { return false; });
    const auto at = stage ? findStageAnywhere(stage->name) : std::nullopt;
    return at && !(at->attention.stack == Stack::SourceEmbeddings && stage->layer >= 0);
}

/// Determines the stage of each array, and sorts the arrays by layer. Errors: two arrays have the
/// same stage.
Result<std::vector<Wanted>> stagesIn(ArrayFile file) {
    std::unordered_set<std::string> names(file.others.begin(), file.others.end());
    bool twoStacks = std::ranges::any_of(file.others, isOfTwoStacks);
    for (const NamedArray &array : file.arrays) {
        names.insert(array.name);
        twoStacks = twoStacks || isOfTwoStacks(array.name);
    }
    const auto has = [&names](const std::string &name) { return names.contains(name); };
    std::vector<Wanted> wanted;
    std::unordered_set<std::string> stages;
    for (NamedArray &array : file.arrays) {
        auto stage = captureStage(array.name, twoStacks);
        if (!stage)
            stage = transformerLensStage(array.name, has);
        if (!stages.insert(stage->name).second)
            return Error{{"the file has %1 under two names", stage->name},
                         file.path + ", tensor " + inQuotes(array.name),
                         "leave one of them out"};
        std::string shape = array.numbers.shape.text();
        wanted.push_back({std::move(array), std::move(*stage), std::move(shape)});
    }
    std::ranges::stable_sort(wanted, {}, [](const Wanted &one) { return one.stage.layer; });
    return wanted;
}

/// Returns the letters of the file's axes.
std::string_view fileAxesOf(const CaptureStage &stage) {
    return stage.fileAxes.empty() ? stage.axes : stage.fileAxes;
}

/// Adds the batch axis, which arrays with short names may lack.
void addBatch(Wanted &one) {
    std::vector<Index> sizes = one.array.numbers.shape.sizes();
    if (!one.stage.isShort || sizes.size() + 1 != one.stage.axes.size())
        return;
    std::vector<Index> &strides = one.array.numbers.strides;
    strides.insert(strides.begin(), one.array.numbers.shape.count());
    sizes.insert(sizes.begin(), 1);
    one.array.numbers.shape = Shape(std::move(sizes));
}

/// Determines the number of sequences and tokens from the arrays.
Outcome countTokens(const std::vector<Wanted> &wanted, Capture &capture, const std::string &path) {
    std::map<std::pair<char, Reads>, Index> sizes;
    for (const Wanted &one : wanted) {
        const std::string_view axes = fileAxesOf(one.stage);
        const Shape &shape = one.array.numbers.shape;
        for (std::size_t axis = 0; axis < axes.size() && shape.rank() == axes.size(); ++axis) {
            const char letter = axes[axis];
            const Reads reads = letter == 'S' ? one.stage.columns : one.stage.rows;
            if (letter == 'B')
                sizes.emplace(std::pair('B', Reads::Target), shape[axis]);
            if (letter == 'T' || letter == 'S')
                sizes.emplace(std::pair('T', reads), shape[axis]);
        }
    }
    const auto sizeOf = [&sizes](char letter, Reads reads) {
        const auto found = sizes.find({letter, reads});
        return found == sizes.end() ? Index(0) : found->second;
    };
    const Index batch = std::max<Index>(1, sizeOf('B', Reads::Target));
    const Index target = std::max<Index>(1, sizeOf('T', Reads::Target));
    const Index source = sizeOf('T', Reads::Source);
    if (batch > kMaxCapturedSequences || std::max(target, source) > kMaxPositions ||
        batch * (target + source) > kMaxCapturedTokens)
        return Error{{"it has %1 sequences of %2 tokens", batch, std::max(target, source)},
                     path,
                     {"Headlight shows up to %1 sequences, of %2 tokens together",
                      kMaxCapturedSequences, kMaxCapturedTokens}};
    capture.countsTokens = true;
    capture.tokens = countedTokens(batch, target);
    if (source > 0)
        capture.sourceTokens = countedTokens(batch, source);
    return Done{};
}

/// Checks that all stages of one attention module or feed-forward network have the same number of
/// heads and the same head sizes.
class SharedSizes {
  public:
    Outcome add(const CapturedStage &stage, std::string_view axes, const std::string &where) {
        const Shape &shape = stage.shape();
        const std::string place = stage.name.substr(0, stage.name.rfind('.') + 1);
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            const char letter = axes[axis];
            if (std::string_view("BTS1b").find(letter) != std::string_view::npos)
                continue;
            const bool isHeads = letter == 'H' || letter == 'G';
            const Index most = isHeads ? kMaxHeads : kMaxVocabulary;
            const Index size = shape[axis];
            if (size > most)
                return Error{{"its shape is %1; Headlight shows up to %2 along that axis",
                              shape.text(), most},
                             where,
                             "capture fewer"};
            if (std::string_view("HGdvF").find(letter) == std::string_view::npos)
                continue; // without W_O, the output may be narrower than the input
            const auto [same, isNew] =
                m_sizes.try_emplace({place, letter}, std::pair(size, stage.name));
            if (!isNew && same->second.first != size)
                return Error{{"its shape is %1: it has %2 where %3 has %4", shape.text(), size,
                              same->second.second, same->second.first},
                             where,
                             "capture both together, from the same model"};
        }
        return Done{};
    }

  private:
    std::map<std::pair<std::string, char>, std::pair<Index, std::string>> m_sizes;
};

/// Permutes the axes to the order of a trace. The error contains the expected shape.
Outcome checkShape(Wanted &one, const Capture &capture, const std::string &path) {
    const CaptureStage &stage = one.stage;
    StoredTensor &numbers = one.array.numbers;
    const std::string where = path + ", tensor " + inQuotes(one.array.name);
    const auto lengthOf = [&](Reads reads) -> Index {
        const TokenLists &lists = reads == Reads::Source ? capture.sourceTokens : capture.tokens;
        return lists.empty() ? 0 : static_cast<Index>(lists.front().size());
    };
    const bool readsSource = stage.rows == Reads::Source || stage.columns == Reads::Source;
    if (readsSource && capture.sourceTokens.empty())
        return Error{"it attends to a second sequence whose tokens are not in the file", where,
                     "add the metadata source_tokens and target_tokens"};
    const std::string_view axes = fileAxesOf(stage);
    std::string expected;
    bool fits = numbers.shape.rank() == axes.size();
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const char letter = axes[axis];
        Index size = 0; // 0: any size
        if (letter == 'B')
            size = static_cast<Index>(capture.tokens.size());
        else if (letter == '1' || (letter == 'b' && fits && numbers.shape[axis] == 1))
            size = 1;
        else if (letter == 'b')
            size = static_cast<Index>(capture.tokens.size());
        else if (letter == 'T')
            size = lengthOf(stage.rows);
        else if (letter == 'S')
            size = lengthOf(stage.columns);
        fits = fits && (size == 0 ? numbers.shape[axis] > 0 : numbers.shape[axis] == size);
        expected +=
            (axis == 0 ? "" : " × ") + (size == 0 ? std::string(1, letter) : std::to_string(size));
    }
    if (!fits)
        return Error{
            {"its shape is %1, but with these tokens it should be %2", one.shapeInFile, expected},
            where,
            "check that the values were computed from these tokens"};
    std::vector<Index> sizes, strides;
    for (const char letter : stage.axes) {
        const std::size_t axis = axes.find(letter);
        sizes.push_back(numbers.shape[axis]);
        strides.push_back(numbers.strides[axis]);
    }
    numbers.shape = Shape(std::move(sizes));
    numbers.strides = std::move(strides);
    return Done{};
}

/// Reads the values of all stages. In a large capture, reads only stages that cannot be read in
/// part later.
Outcome readNumbers(Capture &capture, const std::string &path, const std::stop_token &stop) {
    const bool holdsAll = capture.bytes() <= kHeldCaptureBytes;
    std::uint64_t held = 0;
    for (CapturedStage &stage : capture.stages) {
        const std::uint64_t bytes =
            static_cast<std::uint64_t>(stage.stored.shape.count()) * sizeof(float);
        const auto at = findStageAnywhere(stage.name);
        const bool isByRows = at && infoOf(at->stage).overKeys(); // other stages are read in full
        if (!holdsAll && !isByRows && bytes > kMaxCaptureBytes)
            return Error{{"its values would take %1 MB; the maximum is %2", bytes >> 20,
                          kMaxCaptureBytes >> 20},
                         path + ", stage " + inQuotes(stage.name),
                         "leave the stage out, or capture a shorter text"};
        if (!holdsAll && stage.stored.hasWholeRows())
            continue;
        held += bytes;
        if (held > kMaxCaptureBytes)
            return Error{{"its stages would take %1 MB", capture.bytes() >> 20},
                         path,
                         "write them in C order, or capture fewer layers or a shorter text"};
        Result<Tensor> tensor = readWhole(stage.stored, stop);
        if (!tensor)
            return isCancelled(tensor.error())
                       ? tensor.error()
                       : Error{tensor.error().what, path + ", stage " + inQuotes(stage.name),
                               tensor.error().remedy};
        stage.tensor = *std::move(tensor);
        stage.stored = {};
    }
    return Done{};
}

} // namespace

Tensor Capture::stage(std::string_view name) const {
    for (const CapturedStage &stage : stages)
        if (stage.name == name) {
            if (stage.isHeld())
                return stage.tensor;
            Result<Tensor> read = readWhole(stage.stored);
            return read ? *std::move(read) : Tensor();
        }
    return {};
}

std::vector<std::string> Capture::types() const {
    std::vector<std::string> all;
    for (const CapturedStage &stage : stages)
        if (std::ranges::find(all, stage.type) == all.end())
            all.push_back(stage.type);
    return all;
}

std::uint64_t Capture::bytes() const {
    std::uint64_t bytes = 0;
    for (const CapturedStage &stage : stages)
        bytes += static_cast<std::uint64_t>(stage.shape().count()) * sizeof(float);
    return bytes;
}

Result<Capture> readCapture(const std::string &path, std::stop_token stop) try {
    Result<ArrayFile> file = openArrays(path, meansSomething, stop);
    if (!file)
        return file.error();
    Capture capture;
    capture.metadata = std::move(file->metadata);
    capture.ignored = file->others;
    capture.sources = file->sources;
    Result<std::vector<Wanted>> wanted = stagesIn(*std::move(file));
    if (!wanted)
        return wanted.error();
    if (wanted->empty())
        return Error{"it contains nothing that Headlight recognises", path,
                     "name the attention weights attentions.0, attentions.1, …"};
    const Result<bool> hasTokens = readTokens(capture, path);
    if (!hasTokens)
        return hasTokens.error();
    std::ranges::for_each(*wanted, addBatch);
    if (!*hasTokens)
        if (Outcome outcome = countTokens(*wanted, capture, path); !outcome)
            return outcome.error();
    throwIfCancelled(stop);
    SharedSizes shared;
    for (Wanted &one : *wanted) {
        const std::string where = path + ", tensor " + inQuotes(one.array.name, kTensorNameShown);
        if (one.stage.layer >= kMaxLayers)
            return Error{{"up to %1 layers can be shown", kMaxLayers}, where, "capture fewer"};
        if (Outcome outcome = checkShape(one, capture, path); !outcome)
            return outcome.error();
        std::string type(nameOf(one.array.numbers.type));
        capture.stages.push_back(
            {std::move(one.stage.name), {}, std::move(one.array.numbers), std::move(type)});
        if (Outcome outcome = shared.add(capture.stages.back(), one.stage.axes, where); !outcome)
            return outcome.error();
    }
    if (Outcome outcome = readNumbers(capture, path, stop); !outcome)
        return outcome.error();
    return capture;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return ioError(ENOMEM, "it cannot be read", path);
}

} // namespace headlight::core
