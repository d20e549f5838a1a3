// Random choices that do not depend on the standard library.
#pragma once

#include <QList>

#include <random>

namespace headlight::test {

class Dice {
  public:
    Dice(quint64 seed, int number) : m_random(seed * 1'000'003 + static_cast<quint64>(number)) {}

    /// Returns 0 … count − 1, or 0 if `count` is 0.
    int below(qsizetype count) {
        return count > 0 ? static_cast<int>(m_random() % static_cast<quint64>(count)) : 0;
    }
    int between(int least, int most) { return least + below(most - least + 1); }
    bool outOf(int count) { return below(count) == 0; } // true with probability 1/count
    template <typename List>
    const auto &of(const List &list) {
        return list[static_cast<decltype(list.size())>(below(static_cast<qsizetype>(list.size())))];
    }

  private:
    std::mt19937_64 m_random;
};

} // namespace headlight::test
