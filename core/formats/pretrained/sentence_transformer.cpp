#include "core/formats/pretrained/sentence_transformer.h"

#include "core/formats/fields/fields.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/json/reader.h"
#include "core/in_quotes.h"

#include <array>
#include <filesystem>

namespace headlight::core {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxModuleBytes = std::uint64_t(1) << 20;
constexpr std::size_t kMaxModules = 16;
constexpr const char *kModulesName = "modules.json";

struct PoolingName {
    const char *flag;      ///< name of the flag: "pooling_mode_cls_token"
    std::string_view word; ///< name in newer files: "cls"
    std::optional<Pooling> pooling;
};
constexpr std::array kPoolingNames{
    PoolingName{"pooling_mode_cls_token", "cls", Pooling::First},
    PoolingName{"pooling_mode_mean_tokens", "mean", Pooling::Mean},
    PoolingName{"pooling_mode_lasttoken", "lasttoken", Pooling::Last},
    PoolingName{"pooling_mode_max_tokens", "max", {}},
    PoolingName{"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens", {}},
    PoolingName{"pooling_mode_weightedmean_tokens", "weightedmean", {}},
};
const Message kKnownPoolings("Headlight computes cls, mean and lasttoken, one at a time");

bool isFileAt(const fs::path &path) {
    return isNoFolder(path.string());
}

/// Returns the last part of a class name: "Pooling" for "sentence_transformers.models.Pooling".
std::string classOf(const std::string &type) {
    return type.substr(type.rfind('.') == type.npos ? 0 : type.rfind('.') + 1);
}

class ModuleReading {
  public:
    ModuleReading(fs::path folder, std::stop_token stop)
        : m_folder(std::move(folder)), m_stop(std::move(stop)) {}

    Result<SentencePooling> read() {
        withFile(m_folder / kModulesName, [this](const Field &list) { readModules(list); });
        for (const char *name : {"sentence_bert_config.json", "config_sentence_transformers.json"})
            if (!m_error && isFileAt(m_folder / name))
                withFile(m_folder / name,
                         [this](const Field &settings) { readSettings(settings); });
        if (m_error)
            return *m_error;
        return m_made;
    }

  private:
    /// Calls `use` with the document. Stores the first problem, with the file's name.
    template <typename Use>
    void withFile(const fs::path &path, const Use &use) {
        const std::string name = path.string();
        const auto bytes =
            readRegularFile(name, kMaxModuleBytes,
                            {{"it is larger than %1 MB", kMaxModuleBytes >> 20}, name, ""}, m_stop);
        if (!bytes) {
            m_error = bytes.error();
            return;
        }
        const auto json = readJson(*bytes, m_stop);
        if (!json) {
            m_error =
                Error{json.error().what, name + ": " + json.error().where, json.error().remedy};
            return;
        }
        Reading reading;
        reading.stop = StopCheck(m_stop);
        use(Field(&*json, "", reading));
        if (reading.problems.empty() || m_error)
            return;
        const Error &first = reading.problems.front();
        m_error =
            Error{first.what, first.where.empty() ? name : name + ": " + first.where, first.remedy};
    }

    void readModules(const Field &list) {
        if (!list.isArray())
            return;
        if (list.size() < 2 || list.size() > kMaxModules)
            list.fail({"it has %1 modules", list.size()},
                      "there should be a transformer, a pooling, and perhaps a normalisation");
        for (std::size_t i = 0; i < std::min(list.size(), kMaxModules) && !m_error; ++i)
            readModule(list.element(i), i);
    }

    void readModule(const Field &module, std::size_t place) {
        const Field type = module.member("type");
        const std::string name = classOf(type.text().value_or(""));
        const Field path = module.member("path");
        const std::string where = path.text().value_or("");
        if (place == 0 && name == "Transformer") {
            if (!where.empty())
                path.fail({"the model is in the folder %1", inQuotes(where)},
                          "put its files next to modules.json");
        } else if (place == 1 && name == "Pooling") {
            // Requires a name without a path, so that no other folder can be read.
            if (where.empty() || where == ".." || fs::path(where).filename() != fs::path(where))
                path.expected("the name of a folder next to modules.json");
            else
                withFile(m_folder / where / "config.json",
                         [this](const Field &settings) { readMode(settings); });
        } else if (place == 2 && name == "Normalize") {
            m_made.isUnit = true;
        } else {
            type.fail({"the module %1 is not supported there", inQuotes(name)},
                      "Headlight computes a Transformer, then a Pooling, then perhaps Normalize");
        }
    }

    void readMode(const Field &settings) {
        if (!settings.isObject())
            return;
        std::vector<const PoolingName *> modes;
        const Field word = settings.member("pooling_mode");
        if (word.present()) {
            std::array<std::string_view, kPoolingNames.size()> words{};
            for (std::size_t i = 0; i < words.size(); ++i)
                words[i] = kPoolingNames[i].word;
            if (const auto place = word.word(words))
                modes.push_back(&kPoolingNames[*place]);
        } else {
            for (const PoolingName &each : kPoolingNames)
                if (const Field flag = settings.member(each.flag);
                    flag.present() && flag.boolean().value_or(false))
                    modes.push_back(&each);
        }
        if (modes.size() == 1 && modes.front()->pooling)
            m_made.pooling = *modes.front()->pooling;
        else if (modes.size() == 1)
            settings.member(word.present() ? "pooling_mode" : modes.front()->flag)
                .fail("this pooling is not supported", kKnownPoolings);
        else
            settings.fail({"it has %1 poolings", modes.size()}, kKnownPoolings);
    }

    void readSettings(const Field &settings) {
        if (!settings.isObject())
            return;
        const auto isGiven = [](const Field &field) {
            return field.present() && !field.is(JsonValue::Kind::Null);
        };
        if (const Field longest = settings.member("max_seq_length"); isGiven(longest))
            m_made.longest = longest.whole(1, Index(1) << 40);
        if (const Field lowers = settings.member("do_lower_case");
            isGiven(lowers) && lowers.boolean().value_or(false))
            lowers.expected("false",
                            "Headlight does not change the case of texts before the tokenizer");
        if (const Field prompt = settings.member("default_prompt_name"); isGiven(prompt))
            prompt.expected("nothing", "Headlight does not add a prompt to a text");
    }

    fs::path m_folder;
    std::stop_token m_stop;
    SentencePooling m_made;
    std::optional<Error> m_error;
};

} // namespace

bool isSentenceTransformer(const std::string &folder) {
    return isFileAt(fs::path(folder) / kModulesName);
}

Result<SentencePooling> readSentencePooling(const std::string &folder, std::stop_token stop) {
    return ModuleReading(folder, std::move(stop)).read();
}

} // namespace headlight::core
