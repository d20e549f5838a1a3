#include "core/formats/word_vectors.h"

#include "core/cancelled.h"
#include "core/format_number.h"
#include "core/formats/files/regular_file.h"
#include "core/in_quotes.h"
#include "core/tokenizers/text/unicode.h"
#include "core/transformer/model/config.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <new>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace headlight::core {

namespace {

/// Maximum length of a number, longer than any in practice.
constexpr std::size_t kMaxNumber = 40;
constexpr std::size_t kMaxLine = 1024 + static_cast<std::size_t>(kMaxWidth) * kMaxNumber;

bool isBlank(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r';
}

std::string_view trimmed(std::string_view line) {
    while (!line.empty() && isBlank(line.front()))
        line.remove_prefix(1);
    while (!line.empty() && isBlank(line.back()))
        line.remove_suffix(1);
    return line;
}

Index fieldsIn(std::string_view line) {
    Index fields = 0;
    bool before = true;
    for (const char letter : line) {
        const bool blank = isBlank(letter);
        fields += before && !blank;
        before = blank;
    }
    return fields;
}

/// Removes and returns the last field of the line.
std::string_view takeLast(std::string_view &line) {
    std::size_t begin = line.size();
    while (begin > 0 && !isBlank(line[begin - 1]))
        --begin;
    const std::string_view field = line.substr(begin);
    line = trimmed(line.substr(0, begin));
    return field;
}

template <typename Number>
std::optional<Number> numberIn(std::string_view field) {
    Number number{};
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error != std::errc() || end != field.data() + field.size())
        return std::nullopt;
    return number;
}

/// Parses a whole number with any number of digits.
std::optional<double> wholeIn(std::string_view field) {
    const auto number = numberIn<double>(field);
    return number && std::trunc(*number) == *number ? number : std::nullopt;
}

struct Header {
    double count = 0;
    double width = 0;
};

/// Returns the header if there is one: word2vec starts with two whole numbers, GloVe with the first
/// vector.
std::optional<Header> headerIn(std::string_view line) {
    if (fieldsIn(line) != 2)
        return std::nullopt;
    const auto width = wholeIn(takeLast(line));
    const auto count = wholeIn(line);
    if (!count || !width)
        return std::nullopt;
    return Header{*count, *width};
}

class Reader {
  public:
    Reader(const std::set<std::string> &wanted, bool ignoreCase, std::uintmax_t bytes)
        : m_ignoreCase(ignoreCase), m_bytes(bytes) {
        for (const std::string &word : wanted)
            m_wanted[keyOf(word)].push_back(word);
    }

    Outcome takeLine(std::string_view line) {
        ++m_line;
        line = trimmed(line);
        if (line.empty())
            return Done{};
        if (m_line == 1)
            if (const auto header = headerIn(line))
                return takeHeader(*header);
        if (m_width == 0)
            if (Outcome outcome = setWidth(static_cast<double>(fieldsIn(line) - 1)); !outcome)
                return outcome;
        if (fieldsIn(line) <= m_width) // GloVe words may contain blanks
            return wrong(
                {"found %1 numbers, expected %2", std::max<Index>(fieldsIn(line) - 1, 0), m_width},
                "every line needs a word and as many numbers as the first line");
        ++m_vectors;
        return takeVector(line);
    }

    /// Returns the error for a line that is too long to be a vector.
    Error tooLong() {
        ++m_line;
        return wrong("the line is longer than any vector can be",
                     "this may not be a file of word vectors in text form");
    }

    Result<WordVectors> finished() {
        if (m_vectors == 0)
            return Error{"it contains no vectors", "",
                         "every line should be a word and its numbers"};
        if (m_header && m_header->count != static_cast<double>(m_vectors))
            return Error{
                {"it declares %1 vectors but contains %2", fixed(m_header->count, 0), m_vectors},
                "line 1",
                "the file may be truncated; get it again"};
        for (const auto &[key, spellings] : m_wanted)
            for (const std::string &word : spellings)
                if (!m_found.words.contains(word))
                    m_found.missing.push_back(word);
        m_found.width = m_width;
        return std::move(m_found);
    }

  private:
    Error wrong(Message what, Message remedy) const {
        return {std::move(what), "line " + std::to_string(m_line), std::move(remedy)};
    }

    std::string keyOf(std::string_view word) const {
        return m_ignoreCase ? foldCase(word) : normalized(word);
    }

    Outcome setWidth(double width) {
        if (!(width >= 1 && width <= static_cast<double>(kMaxWidth)))
            return wrong({"vectors of %1 numbers are not supported", fixed(width, 0)},
                         {"Headlight reads vectors of 1 to %1 numbers", kMaxWidth});
        m_width = static_cast<Index>(width);
        return Done{};
    }

    Outcome takeHeader(const Header &header) {
        if (Outcome outcome = setWidth(header.width); !outcome)
            return outcome;
        // A vector has at least one letter, plus a space and a digit for each number.
        const double least = header.count * (1 + 2 * header.width);
        if (header.count < 1 || least > static_cast<double>(m_bytes))
            return wrong({"it declares %1 vectors of %2 numbers in %3 bytes",
                          fixed(header.count, 0), fixed(header.width, 0), m_bytes},
                         "the file may be truncated; get it again");
        m_header = header;
        return Done{};
    }

    Outcome takeVector(std::string_view line) {
        std::string_view word = line;
        for (Index i = 0; i < m_width; ++i)
            takeLast(word);
        if (const auto bad = firstInvalidByte(word))
            return wrong("the word is not UTF-8", "save the file in UTF-8");
        const auto asked = m_wanted.find(keyOf(word));
        if (asked == m_wanted.end())
            return Done{};
        std::vector<float> numbers(static_cast<std::size_t>(m_width));
        for (std::size_t i = numbers.size(); i-- > 0;) {
            const std::string_view field = takeLast(line);
            const auto number = numberIn<float>(field);
            if (!number || !std::isfinite(*number))
                return wrong({"%1 is not a finite number",
                              inQuotes(std::string(field.substr(0, kMaxNumber)))},
                             "correct the line, or remove it");
            numbers[i] = *number;
        }
        // The exact spelling has priority. Otherwise the first matching line counts.
        for (const std::string &spelling : asked->second)
            if (spelling == word || !m_found.words.contains(spelling))
                m_found.words[spelling] = numbers;
        return Done{};
    }

    bool m_ignoreCase;
    std::uintmax_t m_bytes;
    std::map<std::string, std::vector<std::string>> m_wanted; // spellings by their case-folded form
    std::optional<Header> m_header;
    Index m_width = 0;
    Index m_line = 0;
    Index m_vectors = 0;
    WordVectors m_found;
};

Result<WordVectors> read(const RegularFile &file, Reader &reader,
                         const std::function<void(double)> &progress, std::stop_token stop) {
    std::vector<char> block(std::size_t(1) << 18);
    std::string rest; // incomplete last line of the previous block
    std::uint64_t done = 0;
    double reported = 0;
    for (;;) {
        if (stop.stop_requested())
            return cancelled();
        const ssize_t count = ::read(file.descriptor.number(), block.data(), block.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return Error{"it cannot be read to its end", "", ""};
        if (count == 0)
            break;
        std::string_view view(block.data(), static_cast<std::size_t>(count));
        done += view.size();
        for (std::size_t end = view.find('\n'); end != view.npos; end = view.find('\n')) {
            rest.append(view.substr(0, end));
            view.remove_prefix(end + 1);
            if (Outcome outcome = reader.takeLine(rest); !outcome)
                return outcome.error();
            rest.clear();
        }
        rest.append(view);
        if (rest.size() > kMaxLine)
            return reader.tooLong();
        const double share =
            file.size > 0 ? static_cast<double>(done) / static_cast<double>(file.size) : 1;
        if (progress && share >= reported + 0.01)
            progress(reported = share);
    }
    if (!rest.empty())
        if (Outcome outcome = reader.takeLine(rest); !outcome)
            return outcome.error();
    return reader.finished();
}

} // namespace

Result<WordVectors> readWordVectors(const std::string &path, const std::set<std::string> &wanted,
                                    bool ignoreCase, const std::function<void(double)> &progress,
                                    std::stop_token stop) try {
    const auto inFile = [&path](Error error) {
        error.where = error.where.empty() ? path : path + ": " + error.where;
        return error;
    };
    std::error_code code;
    if (std::filesystem::is_directory(path, code))
        return Error{"it is a folder, not a file of word vectors", path, ""};
    const Result<RegularFile> file = openRegularFile(path);
    if (!file)
        return file.error();
    Reader reader(wanted, ignoreCase, file->size);
    Result<WordVectors> vectors = read(*file, reader, progress, std::move(stop));
    if (!vectors)
        return inFile(vectors.error());
    return vectors;
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory to read it", path, ""};
}

} // namespace headlight::core
