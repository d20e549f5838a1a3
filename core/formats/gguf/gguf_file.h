// A bounded reader of GGUF files, which trusts nothing in the file
// (github.com/ggml-org/ggml/blob/master/docs/gguf.md).
#pragma once

#include "core/formats/files/file_numbers.h"
#include "core/formats/gguf/block_types.h"
#include "core/formats/gguf/metadata.h"
#include "core/tensor/shape.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

struct GgufTensor {
    std::string name;
    const GgufType *type = nullptr;
    /// In PyTorch's order, with the length of a row last. Files have the reverse order.
    Shape shape;
    std::uint64_t offset = 0; ///< offset from the start of the data
    std::uint64_t bytes = 0;
};

/// An open file whose header was checked. Numbers are read on demand.
class GgufFile {
  public:
    /// Reads the header and checks that every tensor is inside the file and that none overlap.
    /// Errors name the file, and the key or tensor that is wrong; "cancelled".
    static Result<GgufFile> open(const std::string &path, std::stop_token stop = {});

    const std::string &path() const { return m_file->path; }
    std::uint64_t bytes() const { return m_file->file.size; }
    const GgufMetadata &metadata() const { return m_metadata; }
    const std::vector<GgufTensor> &tensors() const { return m_tensors; }
    const GgufTensor *find(std::string_view name) const &;
    const GgufTensor *find(std::string_view name) const && = delete; // points into this object

    /// Returns the names of the file and the tensor, for messages.
    std::string whereOf(const GgufTensor &tensor) const;
    /// Returns the tensor's bytes, which are read on demand. The result keeps the file open.
    Result<StoragePointer> bytesOf(const GgufTensor &tensor) const;
    /// Like bytesOf(), but decoded to F32.
    Result<StoragePointer> floatsOf(const GgufTensor &tensor) const;

  private:
    GgufFile() = default;

    std::shared_ptr<const NumberFile> m_file;
    GgufMetadata m_metadata;
    std::vector<GgufTensor> m_tensors;
    std::uint64_t m_dataStart = 0;
};

} // namespace headlight::core
