// Builds a config.json from the metadata of a GGUF file.
#pragma once

#include "core/formats/gguf/gguf_file.h"
#include "core/formats/json/value.h"
#include "core/formats/warning.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Keys are passed without the architecture: "embedding_length". Keys that are never requested are
/// reported to the user.
class GgufConfig {
  public:
    GgufConfig(const GgufFile &file, std::string_view architecture, std::string_view type)
        : m_file(file), m_architecture(architecture), m_type(type) {}

    const GgufFile &file() const { return m_file; }
    bool has(std::string_view key) const;

    // These functions return nullopt if the key is missing. A value of another type is a problem.
    /// Also reads a list that has the same number for every block.
    std::optional<double> whole(std::string_view key);
    std::optional<double> real(std::string_view key); ///< must be finite
    std::optional<bool> flag(std::string_view key);
    std::optional<std::string> text(std::string_view key);
    /// Marks keys as known, although they have no effect.
    void ignore(std::span<const std::string_view> keys);

    /// Sets the key that whereOf() returns for a field. The file need not contain the key.
    void place(const std::string &field, std::string_view key);
    // Each set() adds a field.
    void set(const std::string &field, double number);
    void set(const std::string &field, bool flag);
    void set(const std::string &field, const char *text);
    void set(const std::string &field, JsonValue value);

    /// Sets the model_type, if it is not the architecture's default.
    void setType(std::string type) { m_type = std::move(type); }
    const std::string &type() const { return m_type; }

    /// Record a problem with a key, or with a tensor.
    void fail(std::string_view key, Message what, Message remedy = {});
    void failAt(const GgufTensor &tensor, Message what, Message remedy = {});
    const std::vector<Error> &problems() const { return m_problems; }

    /// Records a message to the user that is not a problem.
    void note(Message what);
    const std::vector<Warning> &notes() const { return m_notes; }

    /// Returns the key from which the field was set, for messages; otherwise the field itself.
    std::string whereOf(const std::string &field) const;
    /// Returns the architecture's keys that were not requested, with their full names.
    std::vector<std::string> unknownKeys() const;
    /// Returns the config. Call it once, at the end.
    JsonValue take();

  private:
    std::string fullKey(std::string_view key) const;
    /// Marks the key as known. Reports a problem if the key exists but `isRead` is false.
    void check(std::string_view key, bool isRead, const char *expected);

    const GgufFile &m_file;
    std::string m_architecture, m_type;
    JsonValue m_config{JsonValue::Kind::Object};
    std::map<std::string, std::string> m_places; ///< full names of keys, by field
    std::set<std::string, std::less<>> m_known;  ///< full names of keys
    std::vector<Error> m_problems;
    std::vector<Warning> m_notes;
};

/// Sets the fields of rotary positions (readRotary()) from rope.*: the base, the rotated part of a
/// head, and scaling for long texts. Heads have `headSize` dimensions; `usualShare` is the family's
/// default for the rotated part. Reports unsupported kinds of scaling.
void addRotaryFields(GgufConfig &config, double headSize, double usualShare = 1);

/// Sets the fields that all families related to Llama have: the head size, rotary positions, the
/// vocabulary size, and whether the embeddings are tied. Reports mixtures of experts. Returns the
/// head size.
double addLlamaFields(GgufConfig &config);

// Set a size in `field`: the number of rows of the tensor, or the value in the metadata if there is
// no tensor.
void addVocabularySize(GgufConfig &config, const std::string &field);
void addPositionCount(GgufConfig &config, const std::string &field);

} // namespace headlight::core
