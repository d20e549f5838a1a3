#include "core/formats/pretrained/family/tensor_folder.h"

#include "core/formats/files/regular_file.h"
#include "core/formats/json/reader.h"

#include <filesystem>
#include <map>
#include <set>

namespace headlight::core {

namespace {

namespace fs = std::filesystem;

constexpr const char *kWhole = "model.safetensors";
constexpr const char *kIndex = "model.safetensors.index.json";
constexpr std::size_t kMaximumParts = 512; // each is an open file
constexpr std::uint64_t kMaximumIndexBytes = std::uint64_t(64) << 20;

bool isThere(const fs::path &file) {
    return isNoFolder(file.string());
}

/// True if the name stays in the folder.
bool isPlainName(const std::string &name) {
    return !name.empty() && name != "." && name != ".." &&
           name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

/// Returns an error for weights that only Python can read, or for other formats.
Error noTensors(const fs::path &folder) {
    for (const char *pickled : {"pytorch_model.bin", "model.bin", "model.pt", "ckpt.pt"})
        if (isThere(folder / pickled)) {
            // Each line ends so that the text is valid Python even on one line.
            std::string lines = "import torch, safetensors.torch;\nsafetensors.torch.save_file({n: "
                                "t.contiguous().clone() for n, t in torch.load('";
            lines += pickled;
            lines += "', map_location='cpu', weights_only=True).items()}, 'model.safetensors')";
            return {"its weights are a Python pickle, which is a program, and Headlight runs none",
                    (folder / pickled).string(),
                    {"convert it in this folder with Python:\n%1", lines}};
        }
    return {{"it has neither %1 nor %2", kWhole, kIndex},
            folder.string(),
            "give a folder with a model as Hugging Face's libraries save it"};
}

struct IndexedTensor {
    std::string name, file;
};

Result<std::vector<IndexedTensor>> readIndex(const std::string &path, const std::stop_token &stop) {
    const auto wrong = [&path](Message what) {
        return Error{std::move(what), path, "the file is damaged; get it again"};
    };
    const auto bytes =
        readRegularFile(path, kMaximumIndexBytes,
                        wrong({"it is larger than %1 MB", kMaximumIndexBytes >> 20}), stop);
    if (!bytes)
        return bytes.error();
    const auto json = readJson(*bytes, stop);
    if (!json)
        return isCancelled(json.error())
                   ? json.error()
                   : Error{json.error().what, path + ": " + json.error().where,
                           json.error().remedy};
    const JsonValue *map = json->find("weight_map");
    if (!map || map->kind != JsonValue::Kind::Object || map->members().empty())
        return wrong("it has no weight_map that says which file a tensor is in");
    std::vector<IndexedTensor> tensors;
    std::set<std::string> files;
    for (const JsonMember &member : map->members()) {
        if (member.value.kind != JsonValue::Kind::String || !isPlainName(member.value.text()))
            return wrong({"of the tensor %1 it does not say the name of a file in this folder",
                          inQuotes(member.name, kTensorNameShown)});
        tensors.push_back({member.name, member.value.text()});
        files.insert(member.value.text());
    }
    if (files.size() > kMaximumParts)
        return wrong({"%1 files are more than %2", files.size(), kMaximumParts});
    return tensors;
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
    const auto tensors = readIndex(index, stop);
    if (!tensors)
        return tensors.error();
    std::map<std::string, std::size_t> places; // index of each file, by name
    for (const IndexedTensor &tensor : *tensors)
        places.emplace(tensor.file, 0);
    m_files.reserve(places.size());
    for (auto &[name, place] : places) {
        if (stop.stop_requested())
            return cancelled();
        place = m_files.size();
        if (Outcome added = addFile((fs::path(folder) / name).string()); !added)
            return added;
    }
    // Tensors of the index first, then tensors that only the files have.
    std::map<std::size_t, std::unordered_map<std::string_view, const TensorInfo *>> inFile;
    for (std::size_t i = 0; i < m_files.size(); ++i)
        for (const TensorInfo &tensor : m_files[i].tensors())
            inFile[i].emplace(tensor.name, &tensor);
    for (const IndexedTensor &tensor : *tensors) {
        const std::size_t file = places.at(tensor.file);
        const auto found = inFile[file].find(tensor.name);
        if (found == inFile[file].end())
            return Error{{"the index says that %1 has the tensor %2, and it does not",
                          inQuotes(tensor.file), inQuotes(tensor.name, kTensorNameShown)},
                         index,
                         "get the folder again"};
        m_places.emplace(tensor.name, Place{file, found->second});
        m_names.push_back(tensor.name);
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
