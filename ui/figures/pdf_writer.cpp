#include "ui/figures/pdf_writer.h"

#include <algorithm>
#include <cctype>

namespace headlight::ui {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isHex(char c) {
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

/// Replaces the digits between `key` and `end` by those of the first second of 2000; what else
/// stands there stays.
void fixDates(QByteArray &pdf, QByteArrayView key, char end) {
    constexpr char kDigits[] = "20000101000000";
    constexpr qsizetype kLongest = 40;
    for (qsizetype at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + 1)) {
        const qsizetype first = at + key.size();
        const qsizetype last = pdf.indexOf(end, first);
        if (last < 0 || last - first > kLongest)
            continue;
        qsizetype count = 0;
        for (qsizetype i = first; i < last; ++i)
            if (isDigit(pdf.at(i))) {
                const char digit = count < qsizetype(sizeof(kDigits)) - 1 ? kDigits[count] : '0';
                pdf[i] = digit;
                ++count;
            }
    }
}

/// Replaces the hexadecimal digits between `key` and `end` by zeros, where there is nothing else
/// but separators.
void fixIdentifiers(QByteArray &pdf, QByteArrayView key, char end, QByteArrayView separators) {
    constexpr qsizetype kLongest = 100;
    for (qsizetype at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + 1)) {
        const qsizetype first = at + key.size();
        const qsizetype last = pdf.indexOf(end, first);
        if (last < 0 || last - first > kLongest)
            continue;
        const auto *begin = pdf.constData() + first;
        const bool plain = std::all_of(begin, pdf.constData() + last,
                                       [&](char c) { return isHex(c) || separators.contains(c); });
        for (qsizetype i = first; plain && i < last; ++i)
            if (isHex(pdf.at(i)))
                pdf[i] = '0';
    }
}

} // namespace

QByteArray withoutChance(QByteArray pdf) {
    fixDates(pdf, "/CreationDate (D:", ')');
    fixDates(pdf, "/ModDate (D:", ')');
    for (const char *tag : {"<xmp:CreateDate>", "<xmp:ModifyDate>", "<xmp:MetadataDate>"})
        fixDates(pdf, tag, '<');
    fixIdentifiers(pdf, "/ID [", ']', "<> \n");
    fixIdentifiers(pdf, "uuid:", '<', "-{}");
    fixIdentifiers(pdf, "uuid:", '"', "-{}");
    return pdf;
}

} // namespace headlight::ui
