#include "core/formats/pretrained/gguf_model.h"

#include "core/formats/gguf/gguf_tokenizer.h"
#include "core/formats/pretrained/folder_reader.h"
#include "core/formats/pretrained/gguf/architecture.h"
#include "core/formats/pretrained/gguf/gguf_tensors.h"
#include "core/formats/pretrained/model_reading.h"
#include "core/in_quotes.h"
#include "core/tokenizers/text/unicode.h"

namespace headlight::core {

namespace {

constexpr const char *kArchitectureKey = "general.architecture", *kTypeKey = "general.type";

/// Reads one file and collects all problems.
class GgufReading {
  public:
    GgufReading(const GgufFile &file, PretrainedFolder &folder, const std::stop_token &stop)
        : m_file(file), m_folder(folder), m_stop(stop) {}

    Findings read() {
        if (const GgufArchitecture *architecture = findArchitecture())
            readModel(*architecture);
        if (m_findings.problems.empty())
            readTokens();
        return std::move(m_findings);
    }

  private:
    void fail(Message what, const std::string &key, Message remedy) {
        m_findings.problems.push_back(
            {std::move(what), m_file.path() + ": " + key, std::move(remedy)});
    }

    const GgufArchitecture *findArchitecture() {
        const GgufMetadata &metadata = m_file.metadata();
        const auto type = metadata.text(kTypeKey), name = metadata.text(kArchitectureKey);
        const GgufArchitecture *architecture = name ? findGgufArchitecture(*name) : nullptr;
        if (type && *type != "model")
            fail({"the file is of type %1 and not a complete model", inQuotes(*type)}, kTypeKey,
                 "use the file with the model");
        else if (!name)
            fail("the file does not name its architecture", kArchitectureKey,
                 {"Headlight supports %1", knownGgufArchitectures()});
        else if (!architecture)
            fail({"Headlight does not support the architecture %1 in GGUF files", inQuotes(*name)},
                 kArchitectureKey, {"it supports %1", knownGgufArchitectures()});
        return m_findings.problems.empty() ? architecture : nullptr;
    }

    void readModel(const GgufArchitecture &architecture) {
        GgufConfig config(m_file, architecture.name, architecture.modelType);
        for (const GgufField &field : architecture.fields) {
            const auto number = field.kind == GgufField::Kind::Whole ? config.whole(field.key)
                                                                     : config.real(field.key);
            config.place(field.field, field.key);
            if (number)
                config.set(field.field, *number);
        }
        config.ignore(architecture.unusedKeys);
        architecture.addFields(config);
        const Index heads = countOf(config, "attention.head_count", kMaxHeads);
        const GgufHeads allHeads{heads, config.has("attention.head_count_kv")
                                            ? countOf(config, "attention.head_count_kv", kMaxHeads)
                                            : heads};
        const Index blocks = countOf(config, "block_count", kMaxLayers);
        m_findings.problems = config.problems();
        if (!m_findings.problems.empty())
            return;
        const GgufTensors tensors(m_file, architecture, allHeads);
        tensors.check(blocks, m_findings);
        if (!m_findings.problems.empty())
            return;
        m_folder.modelType = config.type();
        m_folder.family = findFamily(m_folder.modelType);
        const JsonValue json = config.take();
        readParts({*m_folder.family, json, tensors,
                   [&config](const std::string &field) { return config.whereOf(field); }},
                  m_folder, m_findings, m_stop);
        for (const Warning &note : config.notes())
            addWarning(m_findings, note.what, note.where);
        for (const std::string &key : config.unknownKeys())
            addWarning(m_findings, {"unknown key of %1, ignored", std::string(architecture.name)},
                       m_file.path() + ": " + key);
        m_folder.numberTypes = tensors.types();
        m_folder.bytes = m_file.bytes();
        ModelHash hash;
        hash.add(m_file.metadata().bytes());
        m_folder.hash = hash.text();
    }

    /// Returns a number of heads or blocks; 0 if it is missing or too large. The family reads it
    /// too, and reports the problem.
    static Index countOf(GgufConfig &config, std::string_view key, Index most) {
        const double count = config.whole(key).value_or(0);
        return count >= 1 && count <= static_cast<double>(most) ? static_cast<Index>(count) : 0;
    }

    void readTokens() {
        Model &model = m_folder.model;
        const Parameter &embeddings = model.parameters.main.embeddings;
        Result<TokenizerPointer> tokenizer = hasTokens(m_file)
                                                 ? readGgufTokenizer(m_file, m_stop)
                                                 : Result<TokenizerPointer>(TokenizerPointer());
        if (!tokenizer && isCancelled(tokenizer.error()))
            throw Cancelled{};
        if (!tokenizer)
            addWarning(m_findings,
                       {"its tokenizer cannot be read, so tokens are shown as ids: %1",
                        tokenizer.error().what},
                       tokenizer.error().where);
        if (tokenizer && *tokenizer && embeddings && (*tokenizer)->size() != embeddings->rows())
            return fail({"there are %1 tokens, but %2 rows of embeddings", (*tokenizer)->size(),
                         embeddings->rows()},
                        "tokenizer.ggml.tokens", "get the file again");
        auto words = wordsFor(tokenizer ? tokenizer->get() : nullptr, embeddings);
        if (!words) {
            m_findings.problems.push_back(words.error());
            return;
        }
        model.vocabulary = *words;
        if (!*words || (tokenizer && !*tokenizer))
            return;
        if (tokenizer)
            m_folder.tokenizer = *tokenizer;
        const Parameter &types = model.parameters.main.tokenTypes;
        const StackTexts texts{tokenizer, *words, *words, types ? types->rows() : 0};
        model.reader = makeTextReader({m_file.path(), texts, texts, m_folder.decoderStart});
    }

    const GgufFile &m_file;
    PretrainedFolder &m_folder;
    const std::stop_token &m_stop;
    Findings m_findings;
};

} // namespace

Findings readGgufModel(const std::string &path, PretrainedFolder &folder,
                       const std::stop_token &stop) {
    folder.path = path;
    const Result<GgufFile> file = GgufFile::open(path, stop);
    if (!file)
        return {{file.error()}, {}};
    return GgufReading(*file, folder, stop).read();
}

} // namespace headlight::core
