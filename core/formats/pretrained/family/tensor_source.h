// The tensors of a model, in files of any format, under the names of Hugging Face's libraries.
#pragma once

#include "core/formats/safetensors/header.h"
#include "core/tensor/number_storage.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

class TensorSource {
  public:
    TensorSource() = default;
    TensorSource(const TensorSource &) = default;
    TensorSource &operator=(const TensorSource &) = default;
    TensorSource(TensorSource &&) = default;
    TensorSource &operator=(TensorSource &&) = default;
    virtual ~TensorSource() = default;

    /// Returns the names in file order, without duplicates.
    virtual const std::vector<std::string> &names() const = 0;
    /// Returns null for an unknown name.
    virtual const TensorInfo *find(std::string_view name) const = 0;
    /// Returns the bytes of an existing tensor, in the type and shape of its TensorInfo.
    virtual Result<StoragePointer> bytesOf(std::string_view name) const = 0;

    /// Returns the file of an existing tensor.
    virtual const std::string &fileOf(std::string_view name) const = 0;
    /// Returns the first file, for errors about a missing tensor.
    virtual const std::string &firstFile() const = 0;
    /// Returns the tensor's name in the file, for messages.
    virtual std::string nameInFile(std::string_view name) const { return std::string(name); }
    /// True if the file stores gains of norms and rows of fused tensors as they are used. The
    /// folders of some families differ. Gemma's gains are stored minus 1, and GPT-NeoX's queries,
    /// keys and values are fused head by head.
    virtual bool hasPlainLayout() const { return false; }
    /// Remedies of the errors for a missing tensor and for a wrong shape.
    virtual Message remedyOfMissing() const {
        return "get the folder again, or check that config.json belongs to it";
    }
    virtual Message remedyOfShape() const {
        return "the sizes follow from config.json; check that it belongs to these tensors";
    }
};

} // namespace headlight::core
