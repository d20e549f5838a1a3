#include "core/formats/pretrained/family/family_tensors.h"

#include "core/glob.h"
#include "core/in_quotes.h"
#include "core/tensor/joined_storage.h"
#include "core/tensor/reordered_rows.h"
#include "core/transformer/model/parameter_table.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

constexpr std::string_view kLayerPlace = "{}";
constexpr std::string_view kExpertPlace = "{e}";

/// Returns the name with `place` replaced by the number.
std::string withNumber(std::string_view name, std::string_view place, Index number) {
    std::string text(name);
    if (const auto at = text.find(place); at != text.npos)
        text.replace(at, place.size(), std::to_string(number));
    return text;
}

bool isLookedUp(ParameterKind kind) {
    return kind == ParameterKind::Embeddings || kind == ParameterKind::Positions ||
           kind == ParameterKind::TokenTypes || kind == ParameterKind::PositionBias ||
           kind == ParameterKind::DistanceEmbeddings;
}

std::optional<NumberType> numberTypeOf(std::string_view dtype) {
    return dtype == "F32"    ? std::optional(NumberType::F32)
           : dtype == "F16"  ? std::optional(NumberType::F16)
           : dtype == "BF16" ? std::optional(NumberType::BF16)
                             : std::nullopt;
}

/// True for the kernel of a convolution over frames of audio.
bool isOverFrames(ParameterKind kind, const Config &config) {
    return config.convolves() &&
           (kind == ParameterKind::FrameConvolution || kind == ParameterKind::EmbeddingProjection);
}

/// Returns the shape in which picture and audio models store a matrix instead of `wanted`. Patch
/// positions are [1, rows, columns]. The patch matrix is a convolution kernel [out, in, height,
/// width], and the frame matrices are kernels [out, in, 3].
Shape shapeInFile(ParameterKind kind, const Config &config, const Shape &wanted) {
    const Index side = config.picture.side;
    if (config.picture.isOn() && kind == ParameterKind::Positions)
        return {1, wanted[0], wanted[1]};
    if (config.picture.isOn() && kind == ParameterKind::EmbeddingProjection)
        return {wanted[0], PicturePatches::kChannels, side, side};
    if (isOverFrames(kind, config))
        return {wanted[0], wanted[1] / 3, 3};
    return wanted;
}

/// Returns the matrix of a convolution over three frames. In the file, the three numbers of each
/// input are adjacent; here, all inputs of the first frame come before all inputs of the second.
Result<Parameter> byFrames(const ParameterMatrix &kernel) {
    const Result<Matrix> read = kernel.toMatrix();
    if (!read)
        return read.error();
    Matrix made(kernel.rows(), kernel.columns());
    const Index inputs = kernel.rows() / 3;
    for (Index row = 0; row < made.rows(); ++row)
        std::ranges::copy(read->view().row(row % inputs * 3 + row / inputs),
                          made.view().row(row).begin());
    return makeParameter(std::move(made));
}

/// The shape [in, out] of a matrix with the columns of all parts.
struct Sizes {
    Index rows = 0;
    Index columns = 0;
    std::array<Index, 3> ofPart{};
};

/// Returns the number of rows of a parameter. The model specifies it for positions and token types.
Index rowsOf(const ParameterInfo &info, const Config &config, const FamilyModel &model,
             Stack stack) {
    const Index rows = info.rows(config, model.vocabulary);
    if (rows != kAnyRows)
        return rows;
    if (info.kind == ParameterKind::TokenTypes)
        return model.tokenTypes;
    return stack == Stack::Encoder && model.encoderPositions > 0 ? model.encoderPositions
                                                                 : model.positions;
}

Sizes sizesOf(const FamilyModel &model, const Config &config, const FusedParameters &parts,
              Stack stack) {
    Sizes sizes;
    for (std::size_t i = 0; i < parts.count; ++i) {
        const ParameterInfo &info = infoOf(parts.kinds[i]);
        sizes.rows = rowsOf(info, config, model, stack);
        sizes.ofPart[i] = info.columns(config, model.vocabulary);
        sizes.columns += sizes.ofPart[i];
    }
    return sizes;
}

/// Returns, for each row in the order of HeadRows::Joined, its row in the tensor.
std::vector<std::uint32_t> rowsOf(HeadRows heads, const Config &config, Index rows) {
    const Index size = config.headSize, groups = config.groups();
    const Index shared = config.heads / groups; // number of query heads in a group
    std::vector<std::uint32_t> order;
    order.reserve(static_cast<std::size_t>(rows));
    const auto addHead = [&](Index first) {
        for (Index i = 0; i < size; ++i)
            order.push_back(static_cast<std::uint32_t>(first + i));
    };
    const Index rotated = config.latent.sharedKeySize;
    /// Returns the file's index of rotated dimension i if the two dimensions of a pair are
    /// adjacent.
    const auto neighbour = [rotated](Index i) {
        const Index half = rotated / 2;
        return 2 * (i % half) + i / half;
    };
    const auto add = [&order](Index row) { order.push_back(static_cast<std::uint32_t>(row)); };
    if (heads == HeadRows::RotatedLast || heads == HeadRows::RotatedLastPairs) {
        for (Index row = 0; row < rows; ++row) {
            const Index i = row % size, first = row - i;
            const Index turned = heads == HeadRows::RotatedLastPairs ? neighbour(i) : i;
            add(first + (i < rotated ? size - rotated + turned : i - rotated));
        }
        return order;
    }
    if (heads == HeadRows::SharedKeyPairs) {
        for (Index row = 0; row < rows; ++row) {
            const Index before = rows - rotated;
            add(row < before ? row : before + neighbour(row - before));
        }
        return order;
    }
    if (heads == HeadRows::KeyAndValue) {
        const Index key = config.ownKeySize(), value = config.valueWidth();
        for (Index head = 0; head < config.heads; ++head)
            for (Index i = 0; i < key; ++i)
                add(head * (key + value) + i);
        for (Index head = 0; head < config.heads; ++head)
            for (Index i = 0; i < value; ++i)
                add(head * (key + value) + key + i);
        return order;
    }
    if (heads == HeadRows::PerGroup) {
        for (Index head = 0; head < config.heads; ++head)
            addHead(((head / shared) * (shared + 2) + head % shared) * size);
        for (const Index part : {shared, shared + 1}) // first the keys, then the values
            for (Index group = 0; group < groups; ++group)
                addHead((group * (shared + 2) + part) * size);
        return order;
    }
    const Index turned = config.rotary.width > 0 ? config.rotary.width : size;
    for (Index row = 0; row < rows; ++row) {
        const Index i = row % size, pair = i % (turned / 2), half = i / (turned / 2);
        order.push_back(static_cast<std::uint32_t>(i < turned ? row - i + 2 * pair + half : row));
    }
    return order;
}

} // namespace

FamilyTensors::FamilyTensors(const TensorSource &source, std::string_view prefix)
    : m_source(source), m_prefix(prefix) {
    // torch.compile() and DataParallel put a prefix before all names.
    for (const char *wrapper : {"_orig_mod.", "module."})
        if (!source.names().empty() && std::ranges::all_of(source.names(), [&](const auto &name) {
                return name.starts_with(wrapper);
            }))
            m_wrapper = wrapper;
}

std::string FamilyTensors::find(std::string_view names, bool isNorm) const {
    const auto stored = [this](const std::string &name) {
        return m_source.find(m_wrapper + name) ? m_wrapper + name : std::string();
    };
    while (!names.empty()) {
        const auto end = std::min(names.find('|'), names.size());
        const std::string name(names.substr(0, end));
        names.remove_prefix(std::min(end + 1, names.size()));
        std::vector<std::string> spellings{name};
        for (const auto &[usual, other] : m_otherNames)
            if (name.starts_with(usual))
                spellings.push_back(std::string(other) + name.substr(usual.size()));
        if (isNorm && name.ends_with(".weight"))
            spellings.push_back(name.substr(0, name.size() - 6) + "gamma");
        if (isNorm && name.ends_with(".bias"))
            spellings.push_back(name.substr(0, name.size() - 4) + "beta");
        for (const std::string &spelling : spellings) {
            const bool hasPrefix = spelling.starts_with(m_prefix);
            const std::string other =
                hasPrefix ? spelling.substr(m_prefix.size()) : std::string(m_prefix) + spelling;
            for (const std::string &candidate : {spelling, other})
                if (const std::string found = stored(candidate); !found.empty())
                    return found;
        }
    }
    return {};
}

const TensorInfo *FamilyTensors::tensor(std::string_view names) const {
    const std::string name = find(names, false);
    return name.empty() ? nullptr : m_source.find(name);
}

void FamilyTensors::read(FamilyModel &model, std::span<const TensorRow> table, Presence need,
                         MatrixLayout linear) {
    if (m_problems.empty())
        if (Outcome sound = validate(model.config); !sound)
            m_problems.push_back(sound.error());
    if (m_problems.size() >= kMaxProblems || !validate(model.config))
        return;
    for (const TensorRow &row : table) {
        const bool ofLayers = row.name.find(kLayerPlace) != row.name.npos;
        const auto &stack =
            row.stack == Stack::Encoder ? model.parameters.encoder : model.parameters.main;
        const Index count = ofLayers ? static_cast<Index>(stack.layers.size()) : 1;
        for (Index layer = 0; layer < count; ++layer)
            readRow(model, row, layer, need, linear);
    }
}

std::string FamilyTensors::nameFor(const TensorRow &row, std::string_view names) const {
    const ParameterInfo &first = infoOf(row.parts.kinds[0]);
    std::string name = find(names, first.isOfNorm());
    return name.empty() && first.kind == ParameterKind::Embeddings ? m_tied : name;
}

void FamilyTensors::problem(Message what, const std::string &where, Message remedy) {
    if (m_problems.size() < kMaxProblems)
        m_problems.push_back({std::move(what), where, std::move(remedy)});
}

void FamilyTensors::missing(std::string_view names, const Shape &wanted) {
    problem({"the tensor %1, %2, is missing",
             inQuotes(m_source.nameInFile(names.substr(0, names.find('|'))), kTensorNameShown),
             wanted.text()},
            m_source.firstFile(), m_source.remedyOfMissing());
}

std::optional<std::pair<StoragePointer, NumberType>> FamilyTensors::numbers(const std::string &name,
                                                                            const Shape &wanted,
                                                                            bool isRow,
                                                                            const Shape &stored) {
    m_known.insert(name);
    const TensorInfo &tensor = *m_source.find(name);
    const std::string where =
        m_source.fileOf(name) + ", tensor " + inQuotes(m_source.nameInFile(name), kTensorNameShown);
    const bool isOneRow = isRow && tensor.shape == Shape{1, wanted.last(0)};
    if (tensor.shape != wanted && !isOneRow && tensor.shape != stored) {
        problem({"it is %1, expected %2", tensor.shape.text(), wanted.text()}, where,
                m_source.remedyOfShape());
        return std::nullopt;
    }
    const auto type = numberTypeOf(tensor.dtype);
    if (!type) {
        problem({"its type is %1, which Headlight does not support", inQuotes(tensor.dtype)}, where,
                "save it as F32, F16 or BF16");
        return std::nullopt;
    }
    Result<StoragePointer> bytes = m_source.bytesOf(name);
    if (!bytes) {
        problem(bytes.error().what, bytes.error().where, bytes.error().remedy);
        return std::nullopt;
    }
    return std::pair(*std::move(bytes), *type);
}

void FamilyTensors::readRow(FamilyModel &model, const TensorRow &row, Index layer, Presence need,
                            MatrixLayout linear) {
    const ParameterInfo &first = infoOf(row.parts.kinds[0]);
    const Config config =
        configFor(model.config, {layer, first.kind, Block::SelfAttention, row.stack});
    const bool isOfExperts = row.name.find(kExpertPlace) != row.name.npos;
    const bool mayBeOfExperts = first.kind == ParameterKind::Gate ||
                                first.kind == ParameterKind::Hidden ||
                                first.kind == ParameterKind::FeedForwardOutput;
    const bool isOfBlockNorm =
        first.kind == ParameterKind::NormGain || first.kind == ParameterKind::NormBias;
    const bool isSkipped =
        isOfBlockNorm && row.block == Block::SelfAttention && config.skipsNorm(layer);
    if (!first.hasPlace(config) || isSkipped ||
        (mayBeOfExperts && isOfExperts != config.feedForward.hasExperts()))
        return;
    if (isOfExperts)
        return readExperts(model, row, layer);
    const Sizes sizes = sizesOf(model, config, row.parts, row.stack);
    const bool isTransposed =
        !first.isRow() && !isLookedUp(first.kind) && linear == MatrixLayout::OutIn;
    const Shape wanted = first.isRow()  ? Shape{sizes.columns}
                         : isTransposed ? Shape{sizes.columns, sizes.rows}
                                        : Shape{sizes.rows, sizes.columns};
    const std::string names = withNumber(row.name, kLayerPlace, layer);
    const std::string name = nameFor(row, names);
    if (name.empty()) {
        if (need == Presence::All)
            missing(names, wanted);
        return;
    }
    auto read = numbers(name, wanted, first.isRow(), shapeInFile(first.kind, config, wanted));
    if (!read)
        return;
    auto &[bytes, type] = *read;
    const bool isPlain = row.heads == HeadRows::Joined ||
                         (row.heads == HeadRows::NeighbourPairs && !config.rotates(layer));
    if (!isPlain && !m_source.hasPlainLayout())
        bytes = withRowsInOrder(bytes, static_cast<std::uint64_t>(sizes.rows) * core::bytesOf(type),
                                rowsOf(row.heads, config, sizes.columns));
    Index before = 0; // number of columns of the preceding parts
    for (std::size_t i = 0; i < row.parts.count; ++i) {
        NumberLayout layout{type, sizes.rows, sizes.ofPart[i], before, sizes.columns, 1};
        if (isTransposed) {
            layout.offset = before * sizes.rows;
            layout.rowStride = 1;
            layout.columnStride = sizes.rows;
        }
        auto made = parameter(bytes, layout, first.form == ParameterForm::NormGain);
        if (made && isOverFrames(first.kind, config))
            made = byFrames(**made);
        if (!made) {
            problem(made.error().what, m_source.fileOf(name), made.error().remedy);
            return;
        }
        parameterOf(model.parameters, {layer, row.parts.kinds[i], row.block, row.stack}) = *made;
        before += sizes.ofPart[i];
    }
    if (first.kind == ParameterKind::Embeddings)
        m_embeddings = name;
    if (first.kind == ParameterKind::OutputMatrix)
        m_output = name;
}

void FamilyTensors::readTokenTypes(FamilyModel &model, std::span<const std::string_view> rows) {
    const Index width = model.config.positionWidth();
    Matrix types(std::ssize(rows), width);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].empty())
            continue;
        const std::string name = find(rows[i], false);
        if (name.empty())
            return missing(rows[i], {width});
        const Shape stored = m_source.find(name)->shape;
        auto read = numbers(name, stored.rank() == 3 ? Shape{1, 1, width} : Shape{width}, true);
        if (!read)
            return;
        const auto row =
            ParameterMatrix::create(read->first, {read->second, 1, width, 0, width, 1});
        const Result<Matrix> row32 = row ? (*row)->toMatrix() : Result<Matrix>(row.error());
        if (!row32)
            return problem(row32.error().what, m_source.fileOf(name), row32.error().remedy);
        std::ranges::copy(row32->view().row(0), types.view().row(static_cast<Index>(i)).begin());
    }
    model.parameters.main.tokenTypes = makeParameter(std::move(types));
}

std::optional<float> FamilyTensors::readNumber(std::string_view name, Index largest) {
    const std::string found = find(name, false);
    const auto read = found.empty() ? std::nullopt : numbers(found, Shape{1}, false, Shape{});
    if (!read)
        return std::nullopt;
    const auto cell = ParameterMatrix::create(read->first, {read->second, 1, 1, 0, 1, 1});
    const Result<Matrix> number = cell ? (*cell)->toMatrix() : Result<Matrix>(cell.error());
    if (!number) {
        problem(number.error().what, m_source.fileOf(found), number.error().remedy);
        return std::nullopt;
    }
    const float made = (*number)(0, 0);
    if (!std::isfinite(made) || made > static_cast<float>(largest)) {
        problem({"it is not a number of at most %1", largest}, placeOf(found),
                "get the file again");
        return std::nullopt;
    }
    return made;
}

/// Reads the matrices [out, in] of all experts and puts their columns side by side. Stops at the
/// first problem.
void FamilyTensors::readExperts(FamilyModel &model, const TensorRow &row, Index layer) {
    const ParameterKind kind = row.parts.kinds[0];
    const Sizes sizes = sizesOf(model, model.config, row.parts, row.stack);
    const Index experts = model.config.feedForward.experts;
    const Shape wanted{sizes.columns / experts, sizes.rows};
    const std::string ofLayer = withNumber(row.name, kLayerPlace, layer);
    std::vector<StoragePointer> all;
    std::optional<NumberType> type;
    for (Index expert = 0; expert < experts; ++expert) {
        const std::string names = withNumber(ofLayer, kExpertPlace, expert);
        const std::string name = nameFor(row, names);
        if (name.empty())
            return missing(names, wanted);
        auto read = numbers(name, wanted, false);
        if (!read)
            return;
        if (type.value_or(read->second) != read->second)
            return problem("its type differs from that of the previous experts",
                           m_source.fileOf(name) + ", tensor " +
                               inQuotes(m_source.nameInFile(name), kTensorNameShown),
                           "save all experts in one type");
        type = read->second;
        all.push_back(std::move(read->first));
    }
    auto made = ParameterMatrix::create(joinedStorage(std::move(all)),
                                        {*type, sizes.rows, sizes.columns, 0, 1, sizes.rows});
    if (!made)
        return problem(made.error().what, m_source.firstFile(), made.error().remedy);
    parameterOf(model.parameters, {layer, kind, row.block, row.stack}) = *made;
}

Result<Parameter> FamilyTensors::parameter(const StoragePointer &bytes, const NumberLayout &layout,
                                           bool isGain) const {
    auto made = ParameterMatrix::create(bytes, layout);
    if (!made || !isGain || !m_addsOneToGains)
        return made;
    Result<Matrix> gains = (*made)->toMatrix();
    if (!gains)
        return gains.error();
    for (float &gain : gains->view().row(0))
        gain += 1; // in 32 bits, as transformers does
    return makeParameter(*std::move(gains));
}

bool FamilyTensors::isTied(std::optional<bool> declared, const TiedNames &names, bool otherwise) {
    const std::string name = find(names.output, false);
    if (!name.empty())
        m_known.insert(name); // if tied, this is a copy of the embeddings
    const bool isOne = name.empty() || find(names.embeddings, false).empty();
    m_isTied = declared.value_or(isOne && otherwise);
    if (m_isTied)
        m_tied = name;
    return m_isTied;
}

std::vector<std::string> FamilyTensors::unnamed(std::span<const std::string_view> patterns) const {
    std::vector<std::string> names;
    for (const std::string &stored : m_source.names()) {
        const std::string_view name = std::string_view(stored).substr(m_wrapper.size());
        const std::string prefixed = std::string(m_prefix) + std::string(name);
        const auto matches = [&](std::string_view pattern) {
            return matchesGlob(pattern, name) || matchesGlob(pattern, prefixed);
        };
        const bool isIgnored =
            std::ranges::any_of(patterns, matches) || std::ranges::any_of(m_ignored, matches);
        if (!m_known.contains(stored) && !isIgnored)
            names.push_back(stored);
    }
    return names;
}

} // namespace headlight::core
