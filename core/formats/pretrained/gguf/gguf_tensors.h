// The tensors of a GGUF file under the names of a family.
#pragma once

#include "core/formats/pretrained/family/tensor_source.h"
#include "core/formats/pretrained/gguf/architecture.h"
#include "core/formats/warning.h"

#include <map>
#include <unordered_map>

namespace headlight::core {

/// Numbers of query heads and key heads, to reorder the rows of matrices. 0: unknown.
struct GgufHeads {
    Index queries = 0;
    Index keys = 0;
};

class GgufTensors final : public TensorSource {
  public:
    /// `file` and `architecture` must outlive this object.
    GgufTensors(const GgufFile &file, const GgufArchitecture &architecture, GgufHeads heads);

    /// Adds a problem for each missing required tensor, and a warning for each tensor that is not
    /// in a table.
    void check(Index blocks, Findings &findings) const;
    /// Returns the distinct types of the tensors that are in the tables, such as "Q4_K".
    std::vector<std::string> types() const;

    const std::vector<std::string> &names() const override { return m_names; }
    const TensorInfo *find(std::string_view name) const override;
    Result<StoragePointer> bytesOf(std::string_view name) const override;
    const std::string &fileOf(std::string_view) const override { return m_file.path(); }
    const std::string &firstFile() const override { return m_file.path(); }
    std::string nameInFile(std::string_view name) const override;
    bool hasPlainLayout() const override { return true; } // ensured by llama.cpp's converter
    Message remedyOfMissing() const override { return "get the file again"; }
    Message remedyOfShape() const override {
        return "the sizes follow from the file's metadata; get the file again";
    }

  private:
    struct Place {
        const GgufTensor *tensor = nullptr;
        const GgufTensorName *row = nullptr;
        TensorInfo info; ///< quantised types appear as F32, to which they are decoded
    };

    const GgufFile &m_file;
    const GgufArchitecture &m_architecture;
    GgufHeads m_heads;
    std::vector<std::string> m_names;
    std::unordered_map<std::string, Place> m_places; ///< by name in the family
    std::vector<std::string> m_unknown;              ///< names of other tensors in the file
};

} // namespace headlight::core
