#include "tale_reader.h"

#include <algorithm>
#include <sstream>

namespace headlight::core::test {

namespace {

const std::set<std::string> kGirls{"Mia", "Anna", "Lily", "Emma", "Zoe", "Nora", "Ella", "Ruth"};
const std::set<std::string> kBoys{"Tom", "Ben", "Max", "Leo", "Sam", "Paul", "Finn", "Hugo"};
const std::set<std::string> kColours{"red",   "blue",  "green", "yellow",
                                     "white", "black", "brown", "pink"};
const std::set<std::string> kSizes{"small", "big"};
const std::set<std::string> kOne{"bird", "tree", "chair", "stone", "flower", "house", "dog", "cat"};
const std::set<std::string> kMany{"birds",   "trees",  "chairs", "stones",
                                  "flowers", "houses", "dogs",   "cats"};

std::vector<std::string> wordsIn(const std::string &text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

} // namespace

TaleReader::TaleReader(std::vector<std::string> words) : m_words(std::move(words)) {
    while (m_place < m_words.size() && m_words[m_place] != "[EOS]") {
        if (readSentence())
            continue;
        for (std::size_t i = m_place; i < std::min(m_place + 12, m_words.size()); ++i)
            m_problem += m_words[i] + " ";
        return;
    }
    if (m_place + 1 != m_words.size())
        m_problem = "it does not end with [EOS]";
}

const std::string &TaleReader::at(std::size_t offset) const {
    static const std::string none;
    return m_place + offset < m_words.size() ? m_words[m_place + offset] : none;
}

bool TaleReader::startsWith(const std::string &pattern) const {
    std::size_t offset = 0;
    for (const std::string &word : wordsIn(pattern)) {
        if (at(offset).empty() || (word != "_" && word != at(offset)))
            return false;
        ++offset;
    }
    return true;
}

void TaleReader::determine(std::size_t offset, const std::string &word, const std::string &rule) {
    m_determined[m_place + offset] = {word, rule};
}

void TaleReader::determinePronoun(std::size_t offset, const std::string &girls,
                                  const std::string &boys, const std::string &name) {
    determine(offset, kGirls.contains(name) ? girls : boys, "the pronoun of a name");
}

bool TaleReader::isName(const std::string &word) const {
    return kGirls.contains(word) || kBoys.contains(word);
}

std::string TaleReader::otherName(const std::string &name) const {
    for (const std::string &other : m_names)
        if (other != name)
            return other;
    return {};
}

bool TaleReader::advance(const std::string &kind, std::size_t count) {
    m_kinds.insert(kind);
    m_place += count;
    return true;
}

bool TaleReader::readSentence() {
    return readPhrase("weather", "It was a _ day .") || readPhrase("end", "The end .") ||
           readIntroduction() || readJourney() || readColour() || readComparison() ||
           readAgreement() || readQuestion() || readBecause() || readBack() || readList() ||
           readGame() || readChant();
}

bool TaleReader::readPhrase(const std::string &kind, const std::string &pattern) {
    return startsWith(pattern) && advance(kind, wordsIn(pattern).size());
}

/// Reads "One day Mia found a big red kite ." or "Mia and Tom played a word game ."
bool TaleReader::readIntroduction() {
    const std::size_t start = startsWith("One day") ? 2 : 0;
    const std::string &name = at(start);
    if (!isName(name))
        return false;
    if (at(start + 1) == "and") {
        if (!isName(at(start + 2)) || at(start + 2) == name || at(start + 3) != "played" ||
            at(start + 4) != "a" || at(start + 5) != "word" || at(start + 6) != "game" ||
            at(start + 7) != ".")
            return false;
        m_names = {name, at(start + 2)};
        return advance("games", start + 8);
    }
    if (!std::set<std::string>{"had", "found", "got", "made"}.contains(at(start + 1)) ||
        at(start + 2) != "a" || !kSizes.contains(at(start + 3)))
        return false;
    const std::size_t thing = start + 5;
    if (!kColours.contains(at(start + 4)) || at(thing + 1) != "." || m_things.contains(name) ||
        m_names.size() == 2)
        return false;
    m_names.insert(name);
    m_things[name] = at(thing);
    m_sizes[name] = at(start + 3);
    m_colours[name] = at(start + 4);
    return advance("introduction", thing + 2);
}

bool TaleReader::readJourney() {
    if (!startsWith("_ took _ _ to the _ .") || !m_names.contains(at(0)))
        return false;
    determinePronoun(2, "her", "his", at(0));
    determine(3, m_things.at(at(0)), "the thing of its owner");
    m_places[at(0)] = at(6);
    return advance("journey", 8);
}

bool TaleReader::readColour() {
    if (!startsWith("_ said that _ _ was _ .") || !m_things.contains(at(0)))
        return false;
    determinePronoun(3, "her", "his", at(0));
    determine(4, m_things.at(at(0)), "the thing of its owner");
    determine(6, m_colours.at(at(0)), "the colour of a thing");
    return advance("colour", 8);
}

bool TaleReader::readComparison() {
    if (!startsWith("_ had the _ thing .") || !m_sizes.contains(at(0)))
        return false;
    determine(3, m_sizes.at(at(0)) == "big" ? "bigger" : "smaller", "a comparison of sizes");
    return advance("comparison", 6);
}

bool TaleReader::readAgreement() {
    const bool isMany = kMany.contains(at(1));
    if (at(0) != "The" || (!isMany && !kOne.contains(at(1))))
        return false;
    const auto isNoun = [](const std::string &word) {
        return kOne.contains(word) || kMany.contains(word);
    };
    std::size_t verb = 0;
    if (startsWith("The _ near the _ _ _ .") && isNoun(at(4)))
        verb = 5;
    else if (startsWith("The _ that _ drew _ _ .") && m_names.contains(at(3)))
        verb = 5;
    else if (startsWith("The _ that _ saw near the _ _ _ .") && m_names.contains(at(3)) &&
             isNoun(at(7)))
        verb = 8;
    else
        return false;
    determine(verb, isMany ? "were" : "was", "was or were, over a clause");
    return advance("agreement", verb + 3);
}

bool TaleReader::readQuestion() {
    if (!startsWith("Where was _ ? At the _ .") || !m_places.contains(at(2)))
        return false;
    determine(6, m_places.at(at(2)), "the place of a child");
    return advance("where", 8);
}

bool TaleReader::readBecause() {
    if (!startsWith("_ _ because _ _ _ _ .") || !m_things.contains(at(0)))
        return false;
    determinePronoun(3, "she", "he", at(0));
    determinePronoun(5, "her", "his", at(0));
    determine(6, m_things.at(at(0)), "the thing of its owner");
    return advance("because", 8);
}

bool TaleReader::readBack() {
    if (!startsWith("Then _ went back to the _ with _ _ .") || !m_places.contains(at(1)))
        return false;
    determine(6, m_places.at(at(1)), "the place of a child");
    determinePronoun(8, "her", "his", at(1));
    determine(9, m_things.at(at(1)), "the thing of its owner");
    return advance("back", 11);
}

std::vector<std::string> TaleReader::listAt(std::size_t offset) const {
    std::vector<std::string> list;
    for (; !at(offset).empty() && at(offset) != "."; ++offset)
        list.push_back(at(offset));
    return list;
}

bool TaleReader::readList() {
    if (!startsWith("_ wrote a list :") || !m_names.contains(at(0)))
        return false;
    const std::vector<std::string> list = listAt(5);
    const std::size_t copy = 5 + list.size() + 1;
    determinePronoun(copy, "She", "He", at(0));
    if (at(copy + 1) != "read" || at(copy + 2) != "it" || at(copy + 3) != "to" ||
        at(copy + 4) != otherName(at(0)) || at(copy + 5) != ":")
        return false;
    for (std::size_t i = 0; i < list.size(); ++i)
        determine(copy + 6 + i, list[i], "a list copied in order");
    determine(copy + 6 + list.size(), ".", "a list copied in order");
    return advance("list", copy + 6 + list.size() + 1);
}

bool TaleReader::readGame() {
    if (!startsWith("_ said :") || !m_names.contains(at(0)))
        return false;
    const std::vector<std::string> list = listAt(3);
    const std::size_t copy = 3 + list.size() + 1;
    if (at(copy) != otherName(at(0)) || at(copy + 1) != "repeated" || at(copy + 2) != ":")
        return false;
    for (std::size_t i = 0; i < list.size(); ++i)
        determine(copy + 3 + i, list[i], "a list copied in order");
    determine(copy + 3 + list.size(), ".", "a list copied in order");
    return advance("game", copy + 3 + list.size() + 1);
}

/// Reads "Mia said twice : moon cake moon cake ." The first word of the second copy is not
/// determined, because nothing marks the end of the first copy.
bool TaleReader::readChant() {
    if (!startsWith("_ said twice :") || !m_names.contains(at(0)))
        return false;
    const std::vector<std::string> both = listAt(4);
    const std::size_t half = both.size() / 2;
    for (std::size_t i = 1; i < half; ++i)
        determine(4 + half + i, both[i], "a list copied in order");
    determine(4 + 2 * half, ".", "a list copied in order");
    const std::set<std::string> different(both.begin(), both.end());
    return different.size() == half && both.size() == 2 * half &&
           advance("chant", 4 + 2 * half + 1);
}

} // namespace headlight::core::test
