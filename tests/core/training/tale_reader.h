// Reads a tale sentence by sentence, with its own word lists and rules, and derives which words are
// determined by the words before them. Shares no code with the grammar.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace headlight::core::test {

struct DeterminedWord {
    std::string word, rule;
    bool operator==(const DeterminedWord &) const = default;
};

class TaleReader {
  public:
    /// Reads the whole tale, up to [EOS].
    explicit TaleReader(std::vector<std::string> words);

    /// Returns the sentence that the reader does not understand. Empty if it understands all.
    const std::string &problem() const { return m_problem; }
    /// The determined words, by position in the tale.
    const std::map<std::size_t, DeterminedWord> &determined() const { return m_determined; }
    /// The thing and the place of each child that has them, by the child's name.
    const std::map<std::string, std::string> &things() const { return m_things; }
    const std::map<std::string, std::string> &places() const { return m_places; }
    /// The kinds of sentences that were read.
    const std::set<std::string> &kinds() const { return m_kinds; }

  private:
    bool readSentence();
    bool readIntroduction();
    bool readJourney();
    bool readColour();
    bool readComparison();
    bool readAgreement();
    bool readQuestion();
    bool readBecause();
    bool readBack();
    bool readList();
    bool readGame();
    bool readChant();
    bool readPhrase(const std::string &kind, const std::string &pattern);

    /// True if the words from the current one on match the pattern, in which "_" is any word.
    bool startsWith(const std::string &pattern) const;
    const std::string &at(std::size_t offset) const;
    void determine(std::size_t offset, const std::string &word, const std::string &rule);
    void determinePronoun(std::size_t offset, const std::string &girls, const std::string &boys,
                          const std::string &name);
    std::string otherName(const std::string &name) const;
    bool isName(const std::string &word) const;
    bool advance(const std::string &kind, std::size_t count);
    /// Returns the words from the offset to the next ".".
    std::vector<std::string> listAt(std::size_t offset) const;

    std::vector<std::string> m_words;
    std::size_t m_place = 0;
    std::string m_problem;
    std::map<std::size_t, DeterminedWord> m_determined;
    std::map<std::string, std::string> m_things, m_places, m_sizes, m_colours;
    std::set<std::string> m_names, m_kinds;
};

} // namespace headlight::core::test
