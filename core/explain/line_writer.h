// Builds a line piece by piece.
#pragma once

#include "core/explain/line.h"
#include "core/tensor/matrix.h"

#include <cmath>
#include <limits>
#include <optional>

namespace headlight::core {

class LineWriter {
  public:
    /// Returns the line. The writer is empty afterwards.
    Line take() {
        m_terms = m_vectors = 0;
        return std::move(m_line);
    }
    std::size_t size() const { return m_line.size(); }

    /// Marks the pieces since `first` as the next term of a sum.
    void endTerm(std::size_t first, double value) { endTerm(first, value, std::abs(value)); }
    /// Like endTerm(), but for a vector of this size.
    void endVectorTerm(std::size_t first, double size) {
        endTerm(first, std::numeric_limits<double>::quiet_NaN(), size);
    }

    void plain(std::string text) { m_line.push_back({Piece::Kind::Plain, std::move(text)}); }
    void number(std::string text, Role role, std::optional<NumberOrigin> origin = {}) {
        m_line.push_back({Piece::Kind::Number, std::move(text), role});
        m_line.back().origin = std::move(origin);
    }
    void term(double value, Role role) { number(termText(value), role); }
    /// Writes a number, in brackets if it is negative, because an operator precedes it.
    void bracketed(double value, Role role) { number(inBrackets(value), role); }
    void result(double value) { result(resultText(value)); }
    void result(std::string text) { m_line.push_back({Piece::Kind::Result, std::move(text)}); }
    void equals(double value) {
        plain(" = ");
        result(value);
    }
    void symbol(std::string text, Role role) {
        m_line.push_back({Piece::Kind::Symbol, std::move(text), role});
    }
    /// Writes a subscript of the preceding symbol.
    void beneath(std::string text, Role role) {
        m_line.push_back({Piece::Kind::Beneath, std::move(text), role});
    }
    /// Writes W with a subscript: W_Q.
    void weight(std::string letter, Role role) {
        symbol("W", role);
        beneath(std::move(letter), role);
    }
    void words(Note note, std::vector<std::string> arguments = {}) {
        m_line.push_back({Piece::Kind::Words, {}, {}, note, std::move(arguments)});
    }
    void aside(Note note, std::vector<std::string> arguments = {}) {
        words(note, std::move(arguments));
        m_line.back().isAside = true;
    }
    void asidePlain(std::string text) {
        plain(std::move(text));
        m_line.back().isAside = true;
    }
    void name(Piece::Kind kind, Index index, bool isAside = true) {
        m_line.push_back({kind, {}, {}, {}, {}, index, isAside});
    }

    void product(double a, Role roleOfA, double b, Role roleOfB) {
        term(a, roleOfA);
        plain("·");
        bracketed(b, roleOfB);
    }
    /// Writes "( 0.11 0.42 )". `stressed`: the element to emphasise. `first`: the origin of the
    /// first element.
    void vector(std::span<const float> numbers, Role role, std::optional<Index> stressed = {},
                std::optional<NumberOrigin> first = {}) {
        startVector();
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const std::size_t begin = size();
            if (stressed == static_cast<Index>(i))
                result(static_cast<double>(numbers[i]));
            else
                term(static_cast<double>(numbers[i]), role);
            if (first) {
                m_line.back().origin = first;
                ++first->column;
            }
            endElement(begin, static_cast<Index>(i));
        }
        plain(")");
    }
    void startVector() {
        plain("( ");
        ++m_vectors;
    }
    /// Marks the pieces since `first` as an element of the vector.
    void endElement(std::size_t first, Index element) {
        plain(" ");
        for (std::size_t i = first; i < m_line.size(); ++i) {
            m_line[i].vector = m_vectors;
            m_line[i].element = element;
        }
    }

    static std::string inBrackets(double value) {
        return value < 0 ? "(" + termText(value) + ")" : termText(value);
    }

  private:
    void endTerm(std::size_t first, double value, double size) {
        ++m_terms;
        for (std::size_t i = first; i < m_line.size(); ++i) {
            m_line[i].term = m_terms;
            m_line[i].termValue = value;
            m_line[i].termSize = size;
        }
    }

    Line m_line;
    int m_terms = 0, m_vectors = 0;
};

} // namespace headlight::core
