// A bounded reader of safetensors files, which trusts nothing in the file.
#pragma once

#include "core/formats/files/file_numbers.h"
#include "core/formats/safetensors/header.h"
#include "core/tensor/stored_tensor.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// An open file whose header was checked. Numbers are read on demand.
class SafetensorsFile {
  public:
    /// Errors name the file, and the tensor that is wrong.
    static Result<SafetensorsFile> open(const std::string &path);

    const std::string &path() const { return m_path; }
    const std::vector<TensorInfo> &tensors() const { return m_header.tensors; }
    const TensorInfo *find(std::string_view name) const &;
    const TensorInfo *
    find(std::string_view name) const && = delete; // the result points into this object
    const Metadata &metadata() const { return m_header.metadata; }

    /// Returns the file, with its stamp at the time of opening.
    NumberSourcePointer source() const { return m_file->stamped; }

    /// Reads one of tensors() as floats, from F32, F16, BF16 or F64. Errors: another type;
    /// "cancelled" once `stop` is requested.
    Result<Tensor> read(const TensorInfo &tensor, std::stop_token stop = {}) const;
    /// Like read(), but reads the numbers on demand. The result keeps the file open.
    Result<StoredTensor> stored(const TensorInfo &tensor) const;
    /// Returns the tensor's bytes, which are read on demand. The result keeps the file open.
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
