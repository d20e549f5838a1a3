// The tensors of a folder as Hugging Face's libraries write it: one safetensors file, or several
// with an index. Their numbers stay in the files until they are needed.
#pragma once

#include "core/formats/safetensors/safetensors.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight::core {

class TensorFolder {
  public:
    /// model.safetensors, or the parts that model.safetensors.index.json names: plain names of
    /// files in the folder. Errors name the file: those of SafetensorsFile::open(), an index that
    /// says what is not so. Where there are only weights that Python pickled, it is told how they
    /// are converted: a pickle is a program, and never run.
    static Result<TensorFolder> open(const std::string &path, std::stop_token stop = {});

    struct Place {
        std::size_t file = 0;
        const TensorInfo *tensor = nullptr;
    };

    const std::vector<SafetensorsFile> &files() const { return m_files; }
    /// In the order of the files; each once.
    const std::vector<std::string> &names() const { return m_names; }
    /// Null: there is none of this name.
    const TensorInfo *find(std::string_view name) const;
    /// The file that has it; the name exists.
    const std::string &fileOf(std::string_view name) const;
    Result<StoragePointer> bytesOf(std::string_view name) const;
    /// Of the whole files.
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
