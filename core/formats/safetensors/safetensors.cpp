#include "core/formats/safetensors/safetensors.h"

#include "core/cancelled.h"
#include "core/formats/files/gguf.h"
#include "core/formats/files/io_error.h"
#include "core/tensor/number_formats.h"

#include <algorithm>
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
    if (length > kMaxHeaderBytes || length > size - kLengthBytes) {
        // A GGUF file never passes this check, because its first bytes, read as a length, are too
        // large.
        if (startsLikeGguf(descriptor))
            return ggufUnderAnotherName(path, "safetensors");
        return notSafetensors(
            {"its header claims %1 bytes, but the file has %2 and a header may have at most %3",
             length, size, kMaxHeaderBytes},
            path);
    }
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

Result<StoredTensor> SafetensorsFile::stored(const TensorInfo &tensor) const {
    const auto type = findElementType(tensor.dtype);
    if (!type)
        return Error{{"its type is %1, which Headlight does not support", inQuotes(tensor.dtype)},
                     m_path + ", tensor " + inQuotes(tensor.name, kTensorNameShown),
                     "save it as F32, F16, BF16 or F64"};
    Result<StoragePointer> bytes = bytesOf(tensor);
    if (!bytes)
        return bytes.error();
    return StoredTensor{*bytes, *type, false, tensor.shape, stridesOf(tensor.shape)};
}

Result<Tensor> SafetensorsFile::read(const TensorInfo &tensor, std::stop_token stop) const {
    const Result<StoredTensor> lies = stored(tensor);
    if (!lies)
        return lies.error();
    Result<Tensor> read = readWhole(*lies, stop);
    if (!read && !isCancelled(read.error()))
        return Error{read.error().what,
                     m_path + ", tensor " + inQuotes(tensor.name, kTensorNameShown),
                     read.error().remedy};
    return read;
}

} // namespace headlight::core
