#include "core/formats/pretrained/family/tensor_folder.h"

#include "core/formats/files/regular_file.h"
#include "core/formats/shard_index.h"

#include <filesystem>
#include <map>

namespace headlight::core {

namespace {

namespace fs = std::filesystem;

constexpr const char *kWhole = "model.safetensors";
constexpr const char *kIndex = "model.safetensors.index.json";

bool isThere(const fs::path &file) {
    return isNoFolder(file.string());
}

/// Returns the error for a folder that has only pickled weights or other formats.
Error noTensors(const fs::path &folder) {
    for (const char *pickled : {"pytorch_model.bin", "model.bin", "model.pt", "ckpt.pt"})
        if (isThere(folder / pickled)) {
            // Each statement ends with a semicolon, so that the text is valid Python even without
            // line breaks.
            std::string lines = "import torch, safetensors.torch;\nsafetensors.torch.save_file({n: "
                                "t.contiguous().clone() for n, t in torch.load('";
            lines += pickled;
            lines += "', map_location='cpu', weights_only=True).items()}, 'model.safetensors')";
            return {"its weights are a Python pickle, which is executable code that Headlight does "
                    "not run",
                    (folder / pickled).string(),
                    {"convert it in this folder with Python:\n%1", lines}};
        }
    return {{"it has neither %1 nor %2", kWhole, kIndex},
            folder.string(),
            "use a folder with a model in Hugging Face format"};
}

} // namespace

Outcome TensorFolder::addFile(const std::string &path) {
    Result<SafetensorsFile> file = SafetensorsFile::open(path);
    if (!file)
        return file.error();
    std::error_code ignored;
    const std::uintmax_t size = fs::file_size(path, ignored);
    m_bytes += ignored ? 0 : size;
    m_files.push_back(*std::move(file));
    return Done{};
}

void TensorFolder::addTensors(std::size_t file) {
    for (const TensorInfo &tensor : m_files[file].tensors())
        if (m_places.emplace(tensor.name, Place{file, &tensor}).second)
            m_names.push_back(tensor.name);
}

Outcome TensorFolder::addParts(const std::string &folder, const std::string &index,
                               const std::stop_token &stop) {
    const Result<ShardIndex> shards = readShardIndex(index, stop);
    if (!shards)
        return shards.error();
    std::map<std::string, std::size_t> places; // index in m_files, by name
    for (const ShardIndex::Entry &entry : shards->entries)
        places.emplace(entry.file, 0);
    m_files.reserve(places.size());
    for (auto &[name, place] : places) {
        if (stop.stop_requested())
            return cancelled();
        place = m_files.size();
        if (Outcome added = addFile((fs::path(folder) / name).string()); !added)
            return added;
    }
    // Lists the tensors as in the index, followed by tensors that only the files have.
    std::map<std::size_t, std::unordered_map<std::string_view, const TensorInfo *>> inFile;
    for (std::size_t i = 0; i < m_files.size(); ++i)
        for (const TensorInfo &tensor : m_files[i].tensors())
            inFile[i].emplace(tensor.name, &tensor);
    for (const ShardIndex::Entry &entry : shards->entries) {
        const std::size_t file = places.at(entry.file);
        const auto found = inFile[file].find(entry.tensor);
        if (found == inFile[file].end())
            return Error{{"the index lists the tensor %2 in %1, but it is not there",
                          inQuotes(entry.file), inQuotes(entry.tensor, kTensorNameShown)},
                         index,
                         "get the folder again"};
        m_places.emplace(entry.tensor, Place{file, found->second});
        m_names.push_back(entry.tensor);
    }
    for (std::size_t i = 0; i < m_files.size(); ++i)
        addTensors(i);
    return Done{};
}

Result<TensorFolder> TensorFolder::open(const std::string &path, std::stop_token stop) {
    const fs::path folder(path);
    TensorFolder tensors;
    if (isThere(folder / kWhole)) {
        if (Outcome added = tensors.addFile((folder / kWhole).string()); !added)
            return added.error();
        tensors.addTensors(0);
        return tensors;
    }
    if (!isThere(folder / kIndex))
        return noTensors(folder);
    if (Outcome added = tensors.addParts(path, (folder / kIndex).string(), stop); !added)
        return added.error();
    return tensors;
}

const TensorInfo *TensorFolder::find(std::string_view name) const {
    const auto found = m_places.find(std::string(name));
    return found == m_places.end() ? nullptr : found->second.tensor;
}

const std::string &TensorFolder::fileOf(std::string_view name) const {
    return m_files[m_places.at(std::string(name)).file].path();
}

Result<StoragePointer> TensorFolder::bytesOf(std::string_view name) const {
    const Place &place = m_places.at(std::string(name));
    return m_files[place.file].bytesOf(*place.tensor);
}

} // namespace headlight::core
