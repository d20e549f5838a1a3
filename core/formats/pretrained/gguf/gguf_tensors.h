// The tensors of a GGUF file under the names of a family.
#pragma once

#include "core/formats/pretrained/family/tensor_source.h"
#include "core/formats/pretrained/gguf/architecture.h"
#include "core/formats/warning.h"

#include <map>
#include <unordered_map>

namespace headlight::core {

/// The heads of the queries and of the keys, for matrices with other orders of rows. 0: unknown.
struct GgufHeads {
    Index queries = 0;
    Index keys = 0;
};

class GgufTensors final : public TensorSource {
  public:
    /// `file` and `architecture` must outlive it.
    GgufTensors(const GgufFile &file, const GgufArchitecture &architecture, GgufHeads heads);

    /// Adds a problem for each required tensor that is missing, and a warning for each that no
    /// table has.
    void check(Index blocks, Findings &findings) const;
    /// Returns the types of the tensors with names in the tables, without duplicates: "Q4_K".
    std::vector<std::string> types() const;

    const std::vector<std::string> &names() const override { return m_names; }
    const TensorInfo *find(std::string_view name) const override;
    Result<StoragePointer> bytesOf(std::string_view name) const override;
    const std::string &fileOf(std::string_view) const override { return m_file.path(); }
    const std::string &firstFile() const override { return m_file.path(); }
    std::string nameInFile(std::string_view name) const override;
    bool hasPlainLayout() const override { return true; } // the converter's work
    Message remedyOfMissing() const override { return "get the file again"; }
    Message remedyOfShape() const override {
        return "the sizes follow from the file's metadata; get the file again";
    }

  private:
    struct Place {
        const GgufTensor *tensor = nullptr;
        const GgufTensorName *row = nullptr;
        TensorInfo info; ///< quantised numbers are F32, as they are decoded
    };

    const GgufFile &m_file;
    const GgufArchitecture &m_architecture;
    GgufHeads m_heads;
    std::vector<std::string> m_names;
    std::unordered_map<std::string, Place> m_places; ///< by the family's name
    std::vector<std::string> m_unknown;              ///< names in the file
};

} // namespace headlight::core
