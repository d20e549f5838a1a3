// A config.json made from the metadata of a GGUF file.
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

/// Keys are given without the architecture: "embedding_length". Requested keys are known; the
/// others are reported to the user.
class GgufConfig {
  public:
    GgufConfig(const GgufFile &file, std::string_view architecture, std::string_view type)
        : m_file(file), m_architecture(architecture), m_type(type) {}

    const GgufFile &file() const { return m_file; }
    bool has(std::string_view key) const;

    // Return nullopt if the key is missing. Another kind of value is a problem.
    /// Also reads a list with an equal number for every block.
    std::optional<double> whole(std::string_view key);
    std::optional<double> real(std::string_view key); ///< finite
    std::optional<bool> flag(std::string_view key);
    std::optional<std::string> text(std::string_view key);
    /// Marks keys as known and without effect.
    void ignore(std::span<const std::string_view> keys);

    /// Sets the place that whereOf() returns for a field: a key, with or without a value.
    void place(const std::string &field, std::string_view key);
    // Add a field.
    void set(const std::string &field, double number);
    void set(const std::string &field, bool flag);
    void set(const std::string &field, const char *text);
    void set(const std::string &field, JsonValue value);

    /// Sets the model_type, if it is not the usual one of the architecture.
    void setType(std::string type) { m_type = std::move(type); }
    const std::string &type() const { return m_type; }

    /// Record a problem of a key, or of a tensor.
    void fail(std::string_view key, Message what, Message remedy = {});
    void failAt(const GgufTensor &tensor, Message what, Message remedy = {});
    const std::vector<Error> &problems() const { return m_problems; }

    /// Records what the user should know about a model without problems.
    void note(Message what);
    const std::vector<Warning> &notes() const { return m_notes; }

    /// Returns the place of a field for messages: its key, or else the field.
    std::string whereOf(const std::string &field) const;
    /// Returns the architecture's keys that were not requested, in full.
    std::vector<std::string> unknownKeys() const;
    /// Returns the config. Call once, at the end.
    JsonValue take();

  private:
    std::string fullKey(std::string_view key) const;
    /// Marks the key as known. Reports a value of another kind than the one expected.
    void check(std::string_view key, bool isRead, const char *expected);

    const GgufFile &m_file;
    std::string m_architecture, m_type;
    JsonValue m_config{JsonValue::Kind::Object};
    std::map<std::string, std::string> m_places; ///< keys in full, by field
    std::set<std::string, std::less<>> m_known;  ///< keys in full
    std::vector<Error> m_problems;
    std::vector<Warning> m_notes;
};

/// Sets the fields of rotary positions (readRotary()) from rope.*: the base, the part of a head
/// that turns, and scaling for long texts. Heads have `headSize` dimensions. Without a field, the
/// family turns `usualShare` of them. Refuses kinds of scaling that Headlight does not compute.
void addRotaryFields(GgufConfig &config, double headSize, double usualShare = 1);

/// Sets the fields that all relatives of Llama have: the head's size, which is returned, rotary
/// positions, the vocabulary's size, whether the embeddings are tied. Refuses mixtures of experts.
double addLlamaFields(GgufConfig &config);

// Set a size under `field`: the rows of the tensor, or what the metadata say if it is missing.
void addVocabularySize(GgufConfig &config, const std::string &field);
void addPositionCount(GgufConfig &config, const std::string &field);

} // namespace headlight::core
