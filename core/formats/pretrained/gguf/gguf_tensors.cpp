#include "core/formats/pretrained/gguf/gguf_tensors.h"

#include "core/glob.h"
#include "core/in_quotes.h"
#include "core/tensor/reordered_rows.h"

#include <algorithm>
#include <charconv>

namespace headlight::core {

namespace {

constexpr std::string_view kBlockPlace = "{}", kBlockPrefix = "blk.";

/// The name of a block's tensor, such as "blk.3.attn_q.weight", in parts: 3 and ".attn_q.weight".
struct BlockName {
    Index block = 0;
    std::string_view rest;
};

std::optional<BlockName> blockNameOf(std::string_view name) {
    if (!name.starts_with(kBlockPrefix))
        return std::nullopt;
    name.remove_prefix(kBlockPrefix.size());
    BlockName parts;
    const char *end = name.data() + name.size();
    const auto [behind, problem] = std::from_chars(name.data(), end, parts.block);
    parts.rest = {behind, static_cast<std::size_t>(end - behind)};
    const bool isUsual = name.substr(0, name.size() - parts.rest.size()) ==
                         std::to_string(parts.block); // rejects leading zeros
    return problem == std::errc() && isUsual ? std::optional(parts) : std::nullopt;
}

std::string withBlock(std::string_view pattern, Index block) {
    std::string name(pattern);
    if (const auto at = name.find(kBlockPlace); at != name.npos)
        name.replace(at, kBlockPlace.size(), std::to_string(block));
    return name;
}

bool isOfBlocks(const GgufTensorName &row) {
    return row.name.find(kBlockPlace) != row.name.npos;
}

/// Returns, for each row in the family's order, its row in the file. In each head, the family's
/// order starts with the file's even rows.
std::vector<std::uint32_t> halvesOfPairs(Index rows, Index headSize) {
    std::vector<std::uint32_t> order;
    for (Index row = 0; row < rows; ++row) {
        const Index i = row % headSize, half = headSize / 2;
        order.push_back(static_cast<std::uint32_t>(row - i + 2 * (i % half) + i / half));
    }
    return order;
}

/// True for types that are read without decoding.
bool isPlain(const GgufType &type) {
    return type.name == "F32" || type.name == "F16" || type.name == "BF16";
}

} // namespace

GgufTensors::GgufTensors(const GgufFile &file, const GgufArchitecture &architecture,
                         GgufHeads heads)
    : m_file(file), m_architecture(architecture), m_heads(heads) {
    std::map<std::string_view, const GgufTensorName *> rows;
    for (const GgufTensorName &row : architecture.tensors)
        rows.emplace(isOfBlocks(row) ? row.name.substr(kBlockPrefix.size() + kBlockPlace.size())
                                     : row.name,
                     &row);
    for (const GgufTensor &tensor : file.tensors()) {
        const auto block = blockNameOf(tensor.name);
        const auto found = rows.find(block ? block->rest : std::string_view(tensor.name));
        if (found == rows.end() || isOfBlocks(*found->second) != block.has_value()) {
            m_unknown.push_back(tensor.name);
            continue;
        }
        const std::string name = withBlock(found->second->familyName, block ? block->block : 0);
        const bool plain = isPlain(*tensor.type);
        TensorInfo info{name, plain ? std::string(tensor.type->name) : "F32", tensor.shape, 0, 0};
        m_places.emplace(name, Place{&tensor, found->second, std::move(info)});
        m_names.push_back(name);
    }
}

void GgufTensors::check(Index blocks, Findings &findings) const {
    for (const GgufTensorName &row : m_architecture.tensors)
        for (Index block = 0; block < (isOfBlocks(row) ? blocks : 1); ++block)
            if (row.presence == GgufTensorName::Presence::Required &&
                !m_places.contains(withBlock(row.familyName, block)) &&
                findings.problems.size() < kMaxProblems)
                findings.problems.push_back(
                    {{"the tensor %1 is missing", inQuotes(withBlock(row.name, block))},
                     m_file.path(),
                     remedyOfMissing()});
    for (const std::string &name : m_unknown) {
        const bool isUnused =
            std::ranges::any_of(m_architecture.unusedTensors, [&name](std::string_view pattern) {
                return matchesGlob(pattern, name);
            });
        if (!isUnused && findings.warnings.size() < kMaxProblems)
            findings.warnings.push_back(
                {{"unknown tensor %1 of %2, ignored", inQuotes(name, kTensorNameShown),
                  std::string(m_architecture.name)},
                 m_file.path(),
                 "",
                 ""});
    }
}

std::vector<std::string> GgufTensors::types() const {
    std::vector<std::string> types;
    for (const std::string &name : m_names)
        if (const std::string type(m_places.at(name).tensor->type->name);
            std::ranges::find(types, type) == types.end())
            types.push_back(type);
    return types;
}

const TensorInfo *GgufTensors::find(std::string_view name) const {
    const auto found = m_places.find(std::string(name));
    return found == m_places.end() ? nullptr : &found->second.info;
}

Result<StoragePointer> GgufTensors::bytesOf(std::string_view name) const {
    const auto &[tensor, row, info] = m_places.at(std::string(name));
    const bool plain = isPlain(*tensor->type);
    Result<StoragePointer> bytes = plain ? m_file.bytesOf(*tensor) : m_file.floatsOf(*tensor);
    if (!bytes || row->rows == GgufRows::AsInFamily)
        return bytes;
    const Index heads = row->rows == GgufRows::QueryPairs ? m_heads.queries : m_heads.keys;
    const Index rows = info.shape[0];
    if (heads <= 0 || rows % (2 * heads) != 0)
        return bytes; // the family reports the wrong shape
    const std::uint64_t rowBytes = (*bytes)->size() / static_cast<std::uint64_t>(rows);
    return withRowsInOrder(*std::move(bytes), rowBytes, halvesOfPairs(rows, rows / heads));
}

std::string GgufTensors::nameInFile(std::string_view name) const {
    if (const auto found = m_places.find(std::string(name)); found != m_places.end())
        return found->second.tensor->name;
    for (const GgufTensorName &row : m_architecture.tensors) // the tensor is missing
        if (!isOfBlocks(row) && row.familyName == name)
            return std::string(row.name);
    return std::string(name);
}

} // namespace headlight::core
