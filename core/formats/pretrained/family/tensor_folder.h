// The tensors of a folder in the format of Hugging Face's libraries: one safetensors file, or
// several with an index. The numbers stay in the files until they are needed.
#pragma once

#include "core/formats/pretrained/family/tensor_source.h"
#include "core/formats/safetensors/safetensors.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight::core {

class TensorFolder final : public TensorSource {
  public:
    /// Opens model.safetensors, or the shards listed in model.safetensors.index.json, which must be
    /// file names without a path. Errors name the file: those of SafetensorsFile::open(), a wrong
    /// index. If there are only pickled weights, the error explains how to convert them. A pickle
    /// is a program, which Headlight never runs.
    static Result<TensorFolder> open(const std::string &path, std::stop_token stop = {});

    struct Place {
        std::size_t file = 0;
        const TensorInfo *tensor = nullptr;
    };

    const std::vector<SafetensorsFile> &files() const { return m_files; }
    const std::vector<std::string> &names() const override { return m_names; }
    const TensorInfo *find(std::string_view name) const override;
    const std::string &fileOf(std::string_view name) const override;
    const std::string &firstFile() const override { return m_files.front().path(); }
    Result<StoragePointer> bytesOf(std::string_view name) const override;
    /// Returns the total size of the files.
    std::uint64_t bytes() const { return m_bytes; }

  private:
    TensorFolder() = default;
    Outcome addFile(const std::string &path);
    void addTensors(std::size_t file);
    Outcome addParts(const std::string &folder, const std::string &index,
                     const std::stop_token &stop);

    std::vector<SafetensorsFile> m_files;
    std::vector<std::string> m_names;
    std::unordered_map<std::string, Place> m_places;
    std::uint64_t m_bytes = 0;
};

} // namespace headlight::core
