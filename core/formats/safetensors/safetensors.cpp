#include "core/formats/safetensors/safetensors.h"

#include "core/cancelled.h"
#include "core/formats/files/io_error.h"
#include "core/tensor/number_formats.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>

namespace headlight::core {

namespace {

constexpr const char *kCannotRead = "it cannot be read";
constexpr std::uint64_t kLengthBytes = 8;

Error notSafetensors(Message what, const std::string &path) {
    return {std::move(what), path, "the file is damaged or not safetensors; get it again"};
}

Error endsTooEarly(const std::string &path) {
    return notSafetensors("the file ends too early", path);
}

void fromDoubles(const std::string &bytes, std::size_t count, float *out) {
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<float>(
            std::bit_cast<double>(littleEndian<std::uint64_t>(bytes.data() + i * sizeof(double))));
}

} // namespace

Result<SafetensorsFile> SafetensorsFile::open(const std::string &path) try {
    SafetensorsFile file;
    file.m_path = path;
    const Result<std::shared_ptr<const NumberFile>> opened = openNumberFile(path);
    if (!opened)
        return opened.error();
    file.m_file = *opened;
    const FileDescriptor &descriptor = file.m_file->file.descriptor;
    const std::uint64_t size = file.m_file->file.size;
    if (size < kLengthBytes)
        return notSafetensors({"the file is only %1 bytes long", size}, path);
    char lengthBytes[kLengthBytes];
    if (Outcome outcome = readAt(descriptor, 0, lengthBytes, path, endsTooEarly(path)); !outcome)
        return outcome.error();
    const auto length = littleEndian<std::uint64_t>(lengthBytes);
    if (length > kMaximumHeaderBytes || length > size - kLengthBytes)
        return notSafetensors(
            {"its header claims %1 bytes, the file has %2 and a header at most %3", length, size,
             kMaximumHeaderBytes},
            path);
    std::string json(length, '\0');
    if (Outcome outcome = readAt(descriptor, kLengthBytes, json, path, endsTooEarly(path));
        !outcome)
        return outcome.error();
    file.m_dataStart = kLengthBytes + length;
    Result<SafetensorsHeader> header = parseSafetensorsHeader(json, size - file.m_dataStart, path);
    if (!header)
        return header.error();
    file.m_header = std::move(*header);
    return file;
} catch (const std::bad_alloc &) {
    return ioError(ENOMEM, kCannotRead, path);
}

const TensorInfo *SafetensorsFile::find(std::string_view name) const & {
    const auto found = std::find_if(tensors().begin(), tensors().end(),
                                    [name](const TensorInfo &info) { return info.name == name; });
    return found == tensors().end() ? nullptr : &*found;
}

Result<StoragePointer> SafetensorsFile::bytesOf(const TensorInfo &tensor) const {
    return numbersIn(m_file, m_dataStart + tensor.begin, tensor.end - tensor.begin);
}

Result<Tensor> SafetensorsFile::read(const TensorInfo &tensor, std::stop_token stop) const try {
    const std::string where = m_path + ", tensor " + inQuotes(tensor.name, kTensorNameShown);
    const std::string &dtype = tensor.dtype;
    if (dtype != "F32" && dtype != "F16" && dtype != "BF16" && dtype != "F64")
        return Error{{"its numbers are %1, which Headlight does not read", inQuotes(dtype)},
                     where,
                     "save it as F32, F16, BF16 or F64"};
    const auto count = static_cast<std::size_t>(tensor.shape.count());
    std::vector<float> values(count);
    // Read in pieces, so that the file's form and ours do not both stand in memory whole.
    const std::size_t itemBytes = core::bytesOf(dtype);
    constexpr std::size_t piece = std::size_t{1} << 18;
    std::string bytes;
    for (std::size_t done = 0; done < count;) {
        if (stop.stop_requested())
            return cancelled();
        const std::size_t now = std::min(piece, count - done);
        bytes.resize(now * itemBytes);
        if (Outcome outcome =
                readAt(m_file->file.descriptor, m_dataStart + tensor.begin + done * itemBytes,
                       bytes, where, endsTooEarly(where));
            !outcome)
            return outcome.error();
        if (dtype == "F64")
            fromDoubles(bytes, now, values.data() + done);
        else
            decodeNumbers(dtype == "F32"   ? NumberType::F32
                          : dtype == "F16" ? NumberType::F16
                                           : NumberType::BF16,
                          reinterpret_cast<const std::byte *>(bytes.data()),
                          static_cast<Index>(now), values.data() + done);
        done += now;
    }
    return Tensor(tensor.shape, std::move(values));
} catch (const std::bad_alloc &) {
    return ioError(ENOMEM, kCannotRead, m_path);
}

} // namespace headlight::core
