#include "core/formats/pretrained/families/whisper_transcript.h"

#include "core/in_quotes.h"

#include <algorithm>
#include <iterator>

namespace headlight::core {

namespace {

struct WhisperLanguage {
    std::string_view name, code;
};
/// The names of languages in transformers' tokenization_whisper.py.
constexpr WhisperLanguage kLanguages[] = {
    {"english", "en"},        {"chinese", "zh"},     {"german", "de"},        {"spanish", "es"},
    {"russian", "ru"},        {"korean", "ko"},      {"french", "fr"},        {"japanese", "ja"},
    {"portuguese", "pt"},     {"turkish", "tr"},     {"polish", "pl"},        {"catalan", "ca"},
    {"dutch", "nl"},          {"arabic", "ar"},      {"swedish", "sv"},       {"italian", "it"},
    {"indonesian", "id"},     {"hindi", "hi"},       {"finnish", "fi"},       {"vietnamese", "vi"},
    {"hebrew", "he"},         {"ukrainian", "uk"},   {"greek", "el"},         {"malay", "ms"},
    {"czech", "cs"},          {"romanian", "ro"},    {"danish", "da"},        {"hungarian", "hu"},
    {"tamil", "ta"},          {"norwegian", "no"},   {"thai", "th"},          {"urdu", "ur"},
    {"croatian", "hr"},       {"bulgarian", "bg"},   {"lithuanian", "lt"},    {"latin", "la"},
    {"maori", "mi"},          {"malayalam", "ml"},   {"welsh", "cy"},         {"slovak", "sk"},
    {"telugu", "te"},         {"persian", "fa"},     {"latvian", "lv"},       {"bengali", "bn"},
    {"serbian", "sr"},        {"azerbaijani", "az"}, {"slovenian", "sl"},     {"kannada", "kn"},
    {"estonian", "et"},       {"macedonian", "mk"},  {"breton", "br"},        {"basque", "eu"},
    {"icelandic", "is"},      {"armenian", "hy"},    {"nepali", "ne"},        {"mongolian", "mn"},
    {"bosnian", "bs"},        {"kazakh", "kk"},      {"albanian", "sq"},      {"swahili", "sw"},
    {"galician", "gl"},       {"marathi", "mr"},     {"punjabi", "pa"},       {"sinhala", "si"},
    {"khmer", "km"},          {"shona", "sn"},       {"yoruba", "yo"},        {"somali", "so"},
    {"afrikaans", "af"},      {"occitan", "oc"},     {"georgian", "ka"},      {"belarusian", "be"},
    {"tajik", "tg"},          {"sindhi", "sd"},      {"gujarati", "gu"},      {"amharic", "am"},
    {"yiddish", "yi"},        {"lao", "lo"},         {"uzbek", "uz"},         {"faroese", "fo"},
    {"haitian creole", "ht"}, {"pashto", "ps"},      {"turkmen", "tk"},       {"nynorsk", "nn"},
    {"maltese", "mt"},        {"sanskrit", "sa"},    {"luxembourgish", "lb"}, {"myanmar", "my"},
    {"tibetan", "bo"},        {"tagalog", "tl"},     {"malagasy", "mg"},      {"assamese", "as"},
    {"tatar", "tt"},          {"hawaiian", "haw"},   {"lingala", "ln"},       {"hausa", "ha"},
    {"bashkir", "ba"},        {"javanese", "jw"},    {"sundanese", "su"},     {"cantonese", "yue"},
    {"burmese", "my"},        {"valencian", "ca"},   {"flemish", "nl"},       {"haitian", "ht"},
    {"letzeburgesch", "lb"},  {"pushto", "ps"},      {"panjabi", "pa"},       {"moldavian", "ro"},
    {"moldovan", "ro"},       {"sinhalese", "si"},   {"castilian", "es"},     {"mandarin", "zh"}};

std::string codeOf(const std::string &language) {
    const auto *found = std::ranges::find(kLanguages, language, &WhisperLanguage::name);
    return found == std::end(kLanguages) ? language : std::string(found->code);
}

std::string lowerOf(std::string text) {
    for (char &letter : text)
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    return text;
}

constexpr std::string_view kTasks[] = {"transcribe", "translate"};
constexpr std::size_t kMaxForced = 16; // real folders have 3

/// The tokens that generate() of transformers (_retrieve_init_tokens) puts before a transcript.
class StartOfTranscript {
  public:
    explicit StartOfTranscript(const FamilyFields &fields) : m_fields(fields) {}

    /// Returns the ids after decoder_start_token_id.
    std::vector<Index> read() {
        const std::optional<std::string> language = textOf("language"), task = textOf("task");
        const auto forced = forcedIds(); // always read, so that the field counts as known
        if (!language && !task)
            m_ids = forced;
        const std::optional<Index> token = languageToken(language);
        if (token && m_ids.empty())
            m_ids.push_back(token);
        else if (token)
            m_ids.front() = token;
        if (task)
            addTask("task", *task);
        else if (token && m_fields.has("task_to_id") && !hasTask())
            addTask("task_to_id", "transcribe");
        addTimes();
        std::vector<Index> ids;
        for (const std::optional<Index> id : m_ids)
            if (id)
                ids.push_back(*id);
        return ids;
    }

  private:
    using Ids = std::vector<std::optional<Index>>;

    std::optional<std::string> textOf(const char *name) const {
        return m_fields.has(name) ? m_fields.field(name).text() : std::nullopt;
    }

    /// Returns an id from an object that maps names to ids; nullopt if it is missing.
    std::optional<Index> entryOf(const char *object, std::string_view name) const {
        const Field ids = m_fields.field(object);
        if (!m_fields.has(object) || !ids.isObject())
            return std::nullopt;
        for (const JsonMember &member : ids.value().members())
            if (member.name == name) // with member(), all other names would count as unknown
                return ids.entry(member).whole(0, kMaxVocabulary);
        return std::nullopt;
    }

    /// Returns the ids of forced_decoder_ids, which are pairs of a position, from 1, and an id or
    /// null. As in transformers, a list that does not begin with position 1 is ignored.
    Ids forcedIds() const {
        const Field forced = m_fields.field("forced_decoder_ids");
        Ids ids;
        if (!m_fields.has("forced_decoder_ids") || !forced.isArray())
            return ids;
        if (forced.size() > kMaxForced) {
            forced.fail({"it has %1 entries", forced.size()}, {"use at most %1", kMaxForced});
            return ids;
        }
        for (std::size_t i = 0; i < forced.size(); ++i) {
            const Field pair = forced.element(i);
            if (!pair.isArray())
                return ids;
            if (pair.size() != 2) {
                pair.expected("a position and an id");
                return ids;
            }
            const std::optional<Index> at = pair.element(0).whole(0, kMaxVocabulary);
            if (!at || (i == 0 && at != 1))
                return ids;
            if (*at != static_cast<Index>(i) + 1) {
                pair.fail({"position %1 is missing", i + 1}, "give an id for each position");
                return ids;
            }
            const bool isOpen = pair.element(1).is(JsonValue::Kind::Null);
            ids.push_back(isOpen ? std::nullopt : pair.element(1).whole(0, kMaxVocabulary));
        }
        return ids;
    }

    /// Returns the token of the language. If the folder does not specify the language, transformers
    /// lets the model predict it. Headlight takes the folder's only language, or else English.
    std::optional<Index> languageToken(const std::optional<std::string> &language) const {
        if (language) {
            const std::string lower = lowerOf(*language);
            std::optional<Index> id = entryOf("lang_to_id", lower);
            if (!id)
                id = entryOf("lang_to_id", "<|" + codeOf(lower) + "|>");
            if (!id)
                m_fields.refuse("language", {"lang_to_id has no language %1", inQuotes(*language)},
                                "use one of lang_to_id, such as \"<|en|>\", or remove it");
            return id;
        }
        const Field all = m_fields.field("lang_to_id");
        if (!m_fields.has("lang_to_id") || !all.isObject() || (!m_ids.empty() && m_ids.front()))
            return std::nullopt;
        if (all.size() == 1)
            return all.entry(all.value().members().front()).whole(0, kMaxVocabulary);
        return entryOf("lang_to_id", "<|en|>");
    }

    bool hasTask() const {
        return std::ranges::any_of(kTasks, [this](std::string_view task) {
            const std::optional<Index> id = entryOf("task_to_id", task);
            return id && std::ranges::find(m_ids, id) != m_ids.end();
        });
    }

    void addTask(const char *field, const std::string &task) {
        const std::optional<Index> id = std::ranges::find(kTasks, task) != std::end(kTasks)
                                            ? entryOf("task_to_id", task)
                                            : std::nullopt;
        if (!id)
            m_fields.refuse(field, {"task_to_id has no task %1", inQuotes(task)},
                            "use \"transcribe\" or \"translate\", or remove it");
        m_ids.push_back(id);
    }

    /// Adds the token for a text without timestamps, or removes it.
    void addTimes() {
        const bool hasTimes = m_fields.flag("return_timestamps", false);
        if (!m_fields.has("no_timestamps_token_id"))
            return;
        const std::optional<Index> none =
            m_fields.field("no_timestamps_token_id").whole(0, kMaxVocabulary);
        const bool isLast = !m_ids.empty() && m_ids.back() == none;
        if (hasTimes && isLast)
            m_ids.pop_back();
        else if (!hasTimes && !isLast)
            m_ids.push_back(none);
    }

    const FamilyFields &m_fields;
    Ids m_ids;
};

} // namespace

std::vector<Index> startOfTranscript(const FamilyFields &fields) {
    return StartOfTranscript(fields).read();
}

} // namespace headlight::core
