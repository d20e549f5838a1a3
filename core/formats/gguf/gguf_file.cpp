#include "core/formats/gguf/gguf_file.h"

#include "core/cancelled.h"
#include "core/formats/files/io_error.h"
#include "core/formats/gguf/block_storage.h"
#include "core/in_quotes.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <limits>
#include <new>
#include <unordered_set>

namespace headlight::core {

namespace {

constexpr std::uint32_t kGgufMagic = 0x46554747; // "GGUF", little-endian
constexpr std::uint64_t kMaxGgufTensors = 200'000;
constexpr std::uint64_t kMinTensorInfo = 24; // minimum size in bytes
constexpr std::size_t kMaxGgufName = 63;     // maximum length in bytes
constexpr std::uint32_t kMaxGgufRank = 4;
constexpr std::uint64_t kUsualAlignment = 32;
constexpr const char *kAlignmentKey = "general.alignment";
constexpr const char *kPartsKey = "split.count";

std::string placeOf(const std::string &tensor) {
    return "tensor " + inQuotes(tensor, kTensorNameShown);
}

/// Rounds up. Returns false on overflow.
bool align(std::uint64_t number, std::uint64_t alignment, std::uint64_t &aligned) {
    if (__builtin_add_overflow(number, alignment - 1, &aligned))
        return false;
    aligned &= ~(alignment - 1);
    return true;
}

void checkVersion(GgufByteReader &reader) {
    if (reader.u32() != kGgufMagic)
        reader.fail("it does not start with GGUF", {}, "it is another kind of file");
    const std::uint32_t version = reader.u32();
    if ((version & 0xFFFF) == 0)
        reader.fail("it is written for a big-endian processor", {},
                    "convert the model again on this computer");
    if (version != 2 && version != 3)
        reader.fail({"it is GGUF version %1; Headlight reads 2 and 3", version}, {},
                    "convert the model again with a current llama.cpp");
}

GgufTensor readTensorInfo(GgufByteReader &reader) {
    GgufTensor tensor;
    const std::uint64_t at = reader.at();
    tensor.name = reader.string();
    if (tensor.name.empty() || tensor.name.size() > kMaxGgufName)
        reader.fail({"the tensor's name at byte %1 has %2 bytes, expected 1 to %3", at,
                     tensor.name.size(), kMaxGgufName});
    const std::string place = placeOf(tensor.name);
    const std::uint32_t rank = reader.u32();
    if (rank == 0 || rank > kMaxGgufRank)
        reader.fail({"it has %1 dimensions, expected 1 to %2", rank, kMaxGgufRank}, place);
    std::vector<Index> sizes;
    std::uint64_t count = 1;
    for (std::uint32_t i = 0; i < rank; ++i) {
        const std::uint64_t size = reader.u64();
        if (size == 0)
            reader.fail("one of its dimensions is 0", place);
        if (__builtin_mul_overflow(count, size, &count) ||
            count > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
            reader.fail("its dimensions are too large", place);
        sizes.push_back(static_cast<Index>(size));
    }
    const std::uint32_t type = reader.u32();
    tensor.offset = reader.u64();
    tensor.type = findGgufType(type);
    if (!tensor.type)
        reader.fail({"its type is %1, which Headlight does not read", nameOfGgufType(type)}, place,
                    {"get the model in another type; Headlight reads %1", readGgufTypes()});
    const auto row = static_cast<std::uint64_t>(sizes.front());
    if (row % tensor.type->values != 0)
        reader.fail({"its rows have %1 numbers, but a block of %2 has %3", row,
                     std::string(tensor.type->name), tensor.type->values},
                    place);
    if (__builtin_mul_overflow(count / tensor.type->values, tensor.type->bytes, &tensor.bytes))
        reader.fail("its dimensions are too large", place);
    std::ranges::reverse(sizes);
    tensor.shape = Shape(std::move(sizes));
    return tensor;
}

std::vector<GgufTensor> readTensorInfos(GgufByteReader &reader, std::uint64_t count) {
    reader.require(count, kMinTensorInfo,
                   "it claims %1 tensors, but the file has only %2 more bytes");
    if (count > kMaxGgufTensors)
        reader.fail({"it has %1 tensors; at most %2 are read", count, kMaxGgufTensors});
    std::vector<GgufTensor> tensors;
    std::unordered_set<std::string> names;
    for (std::uint64_t i = 0; i < count; ++i) {
        tensors.push_back(readTensorInfo(reader));
        if (!names.insert(tensors.back().name).second)
            reader.fail("a second tensor has the same name", placeOf(tensors.back().name));
    }
    return tensors;
}

std::uint64_t alignmentIn(const GgufMetadata &metadata, const GgufByteReader &reader) {
    const GgufValue *value = metadata.find(kAlignmentKey);
    if (!value)
        return kUsualAlignment;
    const auto alignment = metadata.whole(kAlignmentKey);
    if (value->kind != GgufKind::U32 || !alignment ||
        !std::has_single_bit(static_cast<std::uint64_t>(*alignment)))
        reader.fail("it should be a power of two, as an unsigned 32-bit number", kAlignmentKey);
    return static_cast<std::uint64_t>(*alignment);
}

/// Checks that the tensors' bytes are aligned, lie inside the file and do not overlap.
void checkRanges(const std::vector<GgufTensor> &tensors, std::uint64_t alignment,
                 std::uint64_t dataStart, std::uint64_t fileSize, const GgufByteReader &reader) {
    std::uint64_t needed = dataStart; // minimum size of the file in bytes
    for (const GgufTensor &tensor : tensors) {
        if (tensor.offset % alignment != 0)
            reader.fail({"its offset %1 is not a multiple of %2", tensor.offset, alignment},
                        placeOf(tensor.name));
        std::uint64_t end = 0;
        if (__builtin_add_overflow(tensor.offset, tensor.bytes, &end) ||
            __builtin_add_overflow(end, dataStart, &end))
            reader.fail({"its offset %1 is too large", tensor.offset}, placeOf(tensor.name));
        needed = std::max(needed, end);
    }
    if (needed > fileSize)
        reader.fail({"the file has %1 bytes, but its tensors need %2: %3 bytes are missing",
                     fileSize, needed, needed - fileSize},
                    {}, "the download is not complete; get it again");
    std::vector<const GgufTensor *> sorted;
    for (const GgufTensor &tensor : tensors)
        sorted.push_back(&tensor);
    std::ranges::sort(sorted, {}, [](const GgufTensor *tensor) { return tensor->offset; });
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if (sorted[i]->offset < sorted[i - 1]->offset + sorted[i - 1]->bytes)
            reader.fail(
                {"its bytes overlap those of %1", inQuotes(sorted[i - 1]->name, kTensorNameShown)},
                placeOf(sorted[i]->name));
}

void refuseParts(const GgufMetadata &metadata, const GgufByteReader &reader) {
    if (const auto parts = metadata.whole(kPartsKey); parts && *parts > 1)
        reader.fail("the model is split into several files", kPartsKey,
                    "join them with llama-gguf-split --merge");
}

} // namespace

Result<GgufFile> GgufFile::open(const std::string &path, std::stop_token stop) try {
    const Result<std::shared_ptr<const NumberFile>> opened = openNumberFile(path);
    if (!opened)
        return opened.error();
    GgufFile file;
    file.m_file = *opened;
    GgufByteReader reader(file.m_file->file, file.m_file->path, std::move(stop));
    checkVersion(reader);
    const std::uint64_t tensors = reader.u64(), keys = reader.u64();
    GgufMetadata &metadata = file.m_metadata = GgufMetadata::read(reader, keys);
    file.m_tensors = readTensorInfos(reader, tensors);
    const std::uint64_t headerEnd = reader.at();
    metadata.setBytes(reader.take());
    refuseParts(metadata, reader);
    const std::uint64_t alignment = alignmentIn(metadata, reader);
    if (!align(headerEnd, alignment, file.m_dataStart) || file.m_dataStart > file.bytes())
        reader.fail({"its data would begin after the end of its %1 bytes", file.bytes()}, {},
                    "the download is not complete; get it again");
    checkRanges(file.m_tensors, alignment, file.m_dataStart, file.bytes(), reader);
    return file;
} catch (const GgufReadError &problem) {
    return problem.error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return ioError(ENOMEM, "it cannot be read", path);
}

const GgufTensor *GgufFile::find(std::string_view name) const & {
    const auto found = std::ranges::find(m_tensors, name, &GgufTensor::name);
    return found == m_tensors.end() ? nullptr : &*found;
}

std::string GgufFile::whereOf(const GgufTensor &tensor) const {
    return path() + ", " + placeOf(tensor.name);
}

Result<StoragePointer> GgufFile::bytesOf(const GgufTensor &tensor) const {
    return numbersIn(m_file, m_dataStart + tensor.offset, tensor.bytes);
}

Result<StoragePointer> GgufFile::floatsOf(const GgufTensor &tensor) const {
    Result<StoragePointer> bytes = bytesOf(tensor);
    if (!bytes)
        return bytes.error();
    return decodedBlocks(*std::move(bytes), *tensor.type, whereOf(tensor));
}

} // namespace headlight::core
