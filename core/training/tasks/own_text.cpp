// The last tenth of the text is held out, and no training window overlaps it. Repeated phrases
// occur in both parts, as in any text. Accuracy counts single answers, because no model predicts a
// whole window. Chance: guessing a word at random. Best: unknown, so 1.
#include "core/training/tasks/own_text.h"

#include "core/cancelled.h"
#include "core/formats/files/regular_file.h"
#include "core/in_quotes.h"
#include "core/tokenizers/text/unicode.h"
#include "core/tokenizers/word_tokenizer.h"
#include "core/training/recipe/character_reader.h"
#include "core/training/tasks/draw.h"

#include <algorithm>
#include <unordered_map>

namespace headlight::core {

namespace {

constexpr std::string_view kUnknownWord = "[UNK]";
constexpr Index kMaxCharacters = 512; // maximum vocabulary size, including [PAD] and [UNK]
constexpr Index kMaxWords = 2000;
constexpr Index kCharactersInWindow = 64;
constexpr Index kWordsInWindow = 32;

/// The distinct units of a text, numbered in the order of their first occurrence.
struct Units {
    std::vector<std::string> different;
    std::vector<Index> counts;
    std::vector<Index> text;

    void add(std::string_view unit) {
        const auto [found, isNew] = m_numbers.emplace(unit, std::ssize(different));
        if (isNew) {
            different.emplace_back(unit);
            counts.push_back(0);
        }
        ++counts[static_cast<std::size_t>(found->second)];
        text.push_back(found->second);
    }

  private:
    std::unordered_map<std::string, Index> m_numbers;
};

/// Returns the end of the next piece to tokenize, because the tokenizer limits the size of its
/// input. The piece ends at a line end or at white space if possible, otherwise within a word.
std::size_t endOfPiece(std::string_view text) {
    constexpr std::size_t kPiece = std::size_t(1) << 20;
    if (text.size() <= kPiece)
        return text.size();
    for (const char *const cuts : {"\n", " \t\r"})
        if (const std::size_t at = text.find_last_of(cuts, kPiece); at != text.npos && at > 0)
            return at + 1;
    std::size_t end = kPiece;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end; // do not cut within a character
    return end;
}

Outcome addWords(std::string_view text, Units &units, const std::stop_token &stop) {
    while (!text.empty()) {
        const std::size_t end = endOfPiece(text);
        const std::string_view piece = text.substr(0, end);
        text.remove_prefix(end);
        const auto isSpace = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
        if (std::ranges::all_of(piece, isSpace))
            continue; // splitIntoWords() would return an error for empty text
        const Result<std::vector<Token>> tokens = splitIntoWords(piece, stop);
        if (!tokens)
            return tokens.error();
        for (const Token &token : *tokens)
            units.add(token.text);
    }
    return Done{};
}

/// Assigns ids, starting at 2, to the most frequent units. All others become [UNK].
void makeVocabulary(Units &units, Index most, std::vector<std::string> &words) {
    std::vector<Index> order(units.different.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<Index>(i);
    std::ranges::stable_sort(order, std::greater<>(), [&units](Index number) {
        return units.counts[static_cast<std::size_t>(number)];
    });
    words = {std::string(kPadToken), std::string(kUnknownWord)};
    std::vector<Index> ids(order.size(), 1);
    for (const Index number : order) {
        const std::string &unit = units.different[static_cast<std::size_t>(number)];
        if (std::ssize(words) == most || unit == kPadToken || unit == kUnknownWord)
            continue;
        ids[static_cast<std::size_t>(number)] = std::ssize(words);
        words.push_back(unit);
    }
    for (Index &unit : units.text)
        unit = ids[static_cast<std::size_t>(unit)];
}

class OwnTextTask final : public Task {
  public:
    OwnTextTask(TaskInfo info, std::vector<Index> text, std::string kept)
        : Task(std::move(info)),
          m_text(std::move(text)),
          m_learned(std::ssize(m_text) * 9 / 10),
          m_kept(std::move(kept)) {}

    const std::string *kept() const { return m_kept.empty() ? nullptr : &m_kept; }

    Example example(Split split, Random &random) const override {
        const Index length = info().length;
        const Index first = split == Split::Train ? 0 : m_learned;
        const Index end = split == Split::Train ? m_learned : std::ssize(m_text);
        // The example is a window and the token after it.
        const auto at = m_text.begin() + between(random, first, end - length - 1);
        Example example;
        example.tokens.assign(at, at + length);
        example.answers.assign(at + 1, at + length + 1);
        return example;
    }

  private:
    std::vector<Index> m_text;
    Index m_learned;    ///< number of units in the training split, which comes first
    std::string m_kept; ///< the original text; empty if too large
};

Outcome isText(std::string_view text) {
    if (text.empty())
        return Error{"it is empty", "", "use a text of at least a page"};
    if (text.find('\0') != text.npos)
        return Error{"it is not text, because it contains zero bytes", "", "use a text in UTF-8"};
    if (const auto invalid = firstInvalidByte(text))
        return Error{{"it is not UTF-8 (byte %1)", *invalid}, "", "save it as UTF-8"};
    return Done{};
}

} // namespace

std::string_view idOf(TextUnits units) {
    return units == TextUnits::Characters ? "characters" : "words";
}

std::optional<TextUnits> findTextUnits(std::string_view id) {
    for (const TextUnits units : {TextUnits::Characters, TextUnits::Words})
        if (id == idOf(units))
            return units;
    return std::nullopt;
}

TaskInfo ownTextInfo(TextUnits units) {
    const bool characters = units == TextUnits::Characters;
    TaskInfo info;
    info.id = idOf(units);
    if (characters) {
        info.title = "Characters of a text";
        info.description =
            "At each character the model predicts the next one. A small model learns how the words "
            "are spelt and which often follow each other, but not what they mean: the text it "
            "writes looks like yours and makes no sense.";
    } else {
        info.title = "Words of a text";
        info.description = "At each word the model predicts the next one; rare words are [UNK]. A "
                           "small model learns which words often follow each other. To learn what "
                           "they mean, it would need far more text than one file has.";
    }
    info.counts = AccuracyUnit::Answers;
    info.readsCharacters = characters;
    info.length = characters ? kCharactersInWindow : kWordsInWindow;
    info.recipe.task = info.id;
    // Generation continues beyond one window. Learned positions end with the window, and rotary
    // positions do not work for distances that did not occur in training.
    info.recipe.architecture.positions = Positions::Alibi;
    info.recipe.architecture.heads = 4;
    info.recipe.architecture.width = 64;
    info.recipe.architecture.feedForward = 256;
    info.recipe.optimizer.learningRate = 3e-3f;
    info.recipe.steps = 3000;
    return info;
}

Result<TaskPointer> ownTextTask(std::string_view text, TextUnits units, std::stop_token stop) {
    if (Outcome good = isText(text); !good)
        return good.error();
    const bool characters = units == TextUnits::Characters;
    Units found;
    if (characters)
        forEachCharacter(text, [&found](std::string_view character, std::size_t) {
            found.add(shownCharacter(character));
        });
    else if (Outcome split = addWords(text, found, stop); !split)
        return split.error();
    if (stop.stop_requested())
        return cancelled();
    if (found.different.size() == 1)
        return Error{{characters ? "its only character is %1" : "its only word is %1",
                      inQuotes(found.different.front())},
                     "",
                     "use a text with more variety"};
    TaskInfo info = ownTextInfo(units);
    const Index least = 10 * (info.length + 1); // a tenth must hold a window and a token
    if (std::ssize(found.text) < least)
        return Error{{characters ? "its %1 characters are too few to hold out a tenth"
                                 : "its %1 words are too few to hold out a tenth",
                      found.text.size()},
                     "",
                     {characters ? "use a text of at least %1 characters"
                                 : "use a text of at least %1 words",
                      least}};
    makeVocabulary(found, characters ? kMaxCharacters : kMaxWords, info.words);
    info.chance = 1 / static_cast<double>(info.words.size());
    const std::size_t kept = text.size() <= kMaxKeptTextBytes ? text.size() : 0;
    return TaskPointer(std::make_shared<const OwnTextTask>(std::move(info), std::move(found.text),
                                                           std::string(text.substr(0, kept))));
}

const std::string *keptTextOf(const Task &task) {
    const auto *own = dynamic_cast<const OwnTextTask *>(&task);
    return own ? own->kept() : nullptr;
}

Result<TaskPointer> readOwnTextTask(const std::string &path, TextUnits units,
                                    std::stop_token stop) {
    const Error tooLarge{
        {"it is larger than %1 MB", kMaxOwnTextBytes >> 20}, path, "use a part of it"};
    const Result<std::string> text = readRegularFile(path, kMaxOwnTextBytes, tooLarge, stop);
    if (!text)
        return text.error();
    Result<TaskPointer> task = ownTextTask(*text, units, std::move(stop));
    if (task || isCancelled(task.error()))
        return task;
    return Error{task.error().what, path, task.error().remedy};
}

} // namespace headlight::core
