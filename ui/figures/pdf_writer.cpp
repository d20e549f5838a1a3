#include "ui/figures/pdf_writer.h"

#include "ui/figures/xml_text.h"

#include <algorithm>
#include <cctype>

namespace headlight::ui {

namespace {

/// Where the entries of the table of objects begin: "xref", the count, then 20 bytes an object.
/// −1 where there is none.
qsizetype findTable(const QByteArray &pdf, qsizetype place) {
    if (!pdf.mid(place).startsWith("xref\n0 "))
        return -1;
    const qsizetype end = pdf.indexOf('\n', place + 5);
    return end < 0 ? -1 : end + 1;
}

/// Takes bytes out and corrects the places of all objects behind them; leaves alone what is built
/// otherwise than Qt does it.
void takeOut(QByteArray &pdf, qsizetype first, qsizetype count) {
    constexpr QByteArrayView kStart = "startxref\n";
    constexpr qsizetype kEntry = 20;
    constexpr qsizetype kDigits = 10;
    const qsizetype start = pdf.lastIndexOf(kStart);
    if (start < 0)
        return;
    const qsizetype number = start + kStart.size();
    qsizetype numberEnd = number;
    while (numberEnd < pdf.size() && pdf.at(numberEnd) >= '0' && pdf.at(numberEnd) <= '9')
        ++numberEnd;
    const qlonglong place = pdf.mid(number, numberEnd - number).toLongLong();
    const qsizetype table = findTable(pdf, place);
    if (place < first || table < 0)
        return;
    for (qsizetype entry = table; entry + kEntry <= start; entry += kEntry) {
        const char kind = pdf.at(entry + 17);
        if (kind != 'n' && kind != 'f')
            break; // the trailer
        const qlonglong old = pdf.mid(entry, kDigits).toLongLong();
        if (kind == 'n' && old > first)
            pdf.replace(entry, kDigits,
                        QByteArray::number(old - count).rightJustified(kDigits, '0'));
    }
    pdf.replace(number, numberEnd - number, QByteArray::number(place - count));
    pdf.remove(first, count);
}

/// The first second of 2000 in UTC, whenever and wherever it was written.
void fixDate(QByteArray &pdf) {
    constexpr QByteArrayView kKey = "/CreationDate (D:";
    constexpr QByteArrayView kDate = "20000101000000";
    constexpr qsizetype kLongestZone = 10;
    const qsizetype key = pdf.indexOf(kKey); // among the first objects: no text of ours before it
    if (key < 0)
        return;
    const qsizetype zone = key + kKey.size() + kDate.size();
    const qsizetype end = pdf.indexOf(')', key);
    if (end <= zone || end - zone > kLongestZone)
        return;
    pdf.replace(zone - kDate.size(), kDate.size(), kDate.data(), kDate.size());
    pdf[zone] = 'Z'; // or the sign of "+09'00'"
    if (end > zone + 1)
        takeOut(pdf, zone + 1, end - zone - 1);
}

/// Replaces the hexadecimal digits of the identifiers in the trailer by zeros.
void fixIdentifiers(QByteArray &pdf) {
    const qsizetype trailer = std::max<qsizetype>(0, pdf.lastIndexOf("\ntrailer\n"));
    const qsizetype first = pdf.indexOf("/ID [", trailer);
    const qsizetype last = first < 0 ? -1 : pdf.indexOf(']', first);
    for (qsizetype i = first + 5; i < last; ++i)
        if (std::isxdigit(static_cast<unsigned char>(pdf.at(i))))
            pdf[i] = '0';
}

} // namespace

QByteArray xmpOf(const QString &title, const QString &description) {
    constexpr char kBefore[] = R"(<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
   <dc:format>application/pdf</dc:format>
   <xmp:CreatorTool>Headlight</xmp:CreatorTool>
   <xmp:CreateDate>2000-01-01T00:00:00Z</xmp:CreateDate>
)";
    constexpr char kAfter[] = R"(  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>
)";
    QByteArray xmp(kBefore);
    const auto add = [&](const QByteArray &name, const QString &text) {
        if (!text.isEmpty())
            xmp += "   <dc:" + name + "><rdf:Alt><rdf:li xml:lang=\"x-default\">" +
                   xmlText(text).toUtf8() + "</rdf:li></rdf:Alt></dc:" + name + ">\n";
    };
    add("title", title);
    add("description", description);
    return xmp + kAfter;
}

QByteArray withoutChance(QByteArray pdf) {
    fixDate(pdf);
    fixIdentifiers(pdf);
    return pdf;
}

} // namespace headlight::ui
