// Tensors in a safetensors file: a bounded reader that trusts nothing the file says.
#pragma once

#include "core/formats/files/file_numbers.h"
#include "core/formats/safetensors/header.h"
#include "core/tensor/stored_tensor.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// An open file whose header has been read and checked; the numbers are read when they are asked
/// for.
class SafetensorsFile {
  public:
    /// Errors name the file, and the tensor where it is one's fault.
    static Result<SafetensorsFile> open(const std::string &path);

    const std::string &path() const { return m_path; }
    const std::vector<TensorInfo> &tensors() const { return m_header.tensors; }
    const TensorInfo *find(std::string_view name) const &;
    const TensorInfo *
    find(std::string_view name) const && = delete; // it would not outlive the file
    const Metadata &metadata() const { return m_header.metadata; }

    /// The file as it was opened.
    NumberSourcePointer source() const { return m_file->stamped; }

    /// The numbers of one of tensors() as floats, from F32, F16, BF16 or F64. Other types are
    /// refused by their name. "cancelled" once `stop` is requested.
    Result<Tensor> read(const TensorInfo &tensor, std::stop_token stop = {}) const;
    /// The same without reading them yet; what is returned keeps the file open.
    Result<StoredTensor> stored(const TensorInfo &tensor) const;
    /// The tensor's bytes where they are: they keep the file open, and are read when they are
    /// needed.
    Result<StoragePointer> bytesOf(const TensorInfo &tensor) const;

  private:
    SafetensorsFile() = default;

    std::string m_path;
    std::shared_ptr<const NumberFile> m_file;
    std::uint64_t m_dataStart = 0;
    SafetensorsHeader m_header;
};

struct NamedTensor {
    std::string name;
    Tensor tensor;
};

} // namespace headlight::core
