#include "ui/figures/files/pdf_writer.h"

#include "core/formats/figure/figure_session.h"
#include "ui/figures/files/xml_text.h"

#include <QCryptographicHash>
#include <QRegularExpression>

#include <algorithm>
#include <optional>
#include <vector>

namespace headlight::ui {

namespace {

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

/// Encodes a PDF text string as UTF-16 in hexadecimal digits, which need no escaping.
QByteArray pdfText(const QString &text) {
    QByteArray bytes("\xFE\xFF");
    for (const QChar c : text) {
        bytes += static_cast<char>(c.unicode() >> 8);
        bytes += static_cast<char>(c.unicode() & 0xFF);
    }
    return '<' + bytes.toHex().toUpper() + '>';
}

/// Parses the digits at `place`; −1 if there are none.
qlonglong numberAt(const QByteArray &bytes, qsizetype place) {
    qsizetype end = place;
    while (end < bytes.size() && bytes.at(end) >= '0' && bytes.at(end) <= '9')
        ++end;
    bool isNumber = false;
    const qlonglong number = bytes.mid(place, end - place).toLongLong(&isNumber);
    return isNumber ? number : -1;
}

QByteArray reference(qlonglong number) {
    return QByteArray::number(number) + " 0 R";
}

/// The objects of a PDF, each from "1 0 obj" to the end of the line with "endobj". Index 0 is
/// unused.
class PdfObjects {
  public:
    /// Parses the output of QPdfWriter. Returns nothing if its structure is not as expected.
    static std::optional<PdfObjects> read(const QByteArray &pdf);

    qsizetype count() const { return static_cast<qsizetype>(m_objects.size()); }
    QByteArray &operator[](qlonglong number) { return m_objects[static_cast<std::size_t>(number)]; }
    /// Returns the number of the object that `by` (the trailer or an object) references by name: 3
    /// for "/Root 3 0 R". Returns −1 if there is none.
    qlonglong called(const QByteArray &name, const QByteArray &by) const {
        const qsizetype place = by.indexOf('/' + name + ' ');
        const qlonglong number = place < 0 ? -1 : numberAt(by, place + name.size() + 2);
        return number > 0 && number < count() ? number : -1;
    }
    const QByteArray &trailer() const { return m_trailer; }
    /// Removes all objects that cannot be reached from `first`.
    void keepOnlyWhatIsUsedBy(qlonglong first);

    void set(qlonglong number, const QByteArray &content) {
        (*this)[number] = QByteArray::number(number) + " 0 obj\n" + content + "\nendobj\n";
    }
    qlonglong add(const QByteArray &content) {
        m_objects.emplace_back();
        set(count() - 1, content);
        return count() - 1;
    }
    /// Returns a file with these objects. Its identifier is computed from the content.
    QByteArray file(qlonglong root, qlonglong info) const;

  private:
    QByteArray m_header, m_trailer;
    std::vector<QByteArray> m_objects{1};
    std::vector<std::size_t> m_order; // indices into m_objects in the order of the original file
    std::size_t m_read = 1; // number of parsed objects including index 0; later ones were added
};

std::optional<PdfObjects> PdfObjects::read(const QByteArray &pdf) {
    constexpr QByteArrayView kStart = "startxref\n", kTable = "xref\n0 ";
    constexpr qsizetype kEntry = 20;
    const qsizetype start = pdf.lastIndexOf(kStart);
    const qlonglong table = start < 0 ? -1 : numberAt(pdf, start + kStart.size());
    if (table < 0 || table > start || !QByteArrayView(pdf).sliced(table).startsWith(kTable))
        return std::nullopt;
    const qlonglong count = numberAt(pdf, table + kTable.size());
    const qsizetype entries = pdf.indexOf('\n', table + kTable.size()) + 1;
    if (count < 1 || entries < 1 || count > (start - entries) / kEntry)
        return std::nullopt;
    PdfObjects result;
    result.m_trailer = pdf.mid(entries + count * kEntry, start - entries - count * kEntry);
    result.m_read = static_cast<std::size_t>(count);
    result.m_objects.resize(result.m_read);
    std::vector<std::pair<qlonglong, std::size_t>> places;
    for (qlonglong i = 1; i < count; ++i)
        if (pdf.at(entries + i * kEntry + 17) == 'n')
            places.emplace_back(numberAt(pdf, entries + i * kEntry), static_cast<std::size_t>(i));
    std::ranges::sort(places);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto [place, number] = places[i];
        const qlonglong end = i + 1 < places.size() ? places[i + 1].first : table;
        if (place < 0 || place > end || end > table ||
            !QByteArrayView(pdf).sliced(place).startsWith(QByteArray::number(qlonglong(number)) +
                                                          " 0 obj"))
            return std::nullopt;
        result.m_objects[number] = pdf.mid(place, end - place);
        result.m_order.push_back(number);
    }
    result.m_header = places.empty() ? QByteArray() : pdf.left(places.front().first);
    return result;
}

void PdfObjects::keepOnlyWhatIsUsedBy(qlonglong first) {
    static const QRegularExpression reference("\\b(\\d{1,9}) 0 R\\b");
    std::vector<bool> used(m_objects.size());
    std::vector<qlonglong> open{first};
    while (!open.empty()) {
        const qlonglong number = open.back();
        open.pop_back();
        if (number >= count() || used[static_cast<std::size_t>(number)])
            continue;
        used[static_cast<std::size_t>(number)] = true;
        const QByteArray &object = (*this)[number];
        const qsizetype stream = object.indexOf("\nstream\n");
        const QString words = QString::fromLatin1(stream < 0 ? object : object.left(stream));
        for (const QRegularExpressionMatch &match : reference.globalMatch(words))
            open.push_back(match.capturedView(1).toLongLong());
    }
    for (std::size_t i = 0; i < used.size(); ++i)
        if (!used[i])
            m_objects[i].clear();
}

QByteArray PdfObjects::file(qlonglong root, qlonglong info) const {
    std::vector<std::size_t> order = m_order;
    for (std::size_t added = m_read; added < m_objects.size(); ++added)
        order.push_back(added);
    QByteArray pdf = m_header;
    QByteArrayList entries(count(), "0000000000 00000 f \n");
    entries[0] = "0000000000 65535 f \n";
    for (const std::size_t number : order) {
        if (m_objects[number].isEmpty())
            continue;
        entries[static_cast<qsizetype>(number)] =
            QByteArray::number(pdf.size()).rightJustified(10, '0') + " 00000 n \n";
        pdf += m_objects[number];
    }
    const qsizetype table = pdf.size();
    const QByteArray id = QCryptographicHash::hash(pdf, QCryptographicHash::Md5).toHex().toUpper();
    pdf += "xref\n0 " + QByteArray::number(count()) + '\n' + entries.join() +
           "trailer\n<<\n/Size " + QByteArray::number(count()) + "\n/Info " + reference(info) +
           "\n/Root " + reference(root) + "\n/ID [<" + id + "> <" + id + ">]\n>>\nstartxref\n" +
           QByteArray::number(table) + "\n%%EOF\n";
    return pdf;
}

/// Adds a stream with its length in a separate object, as Qt writes it. core::textInPdf() expects
/// this form.
qlonglong addStream(PdfObjects &objects, const QByteArray &dictionary, const QByteArray &content) {
    const qlonglong length = objects.add(QByteArray::number(content.size()));
    return objects.add("<<\n" + dictionary + "\n/Length " + reference(length) + "\n>>\nstream\n" +
                       content + "\nendstream");
}

/// Attaches a file. Returns the number of the object with the file's name.
qlonglong attach(PdfObjects &objects, const std::string &text) {
    constexpr int kQtsLength = 4; // bytes; qCompress() puts the length before the zlib stream
    const QByteArray content =
        qCompress(reinterpret_cast<const uchar *>(text.data()), static_cast<qsizetype>(text.size()))
            .mid(kQtsLength);
    const QByteArray name(core::kPdfAttachment.data(),
                          static_cast<qsizetype>(core::kPdfAttachment.size()));
    const qlonglong data = addStream(
        objects, "/Type /EmbeddedFile\n/Subtype /application#2Fjson\n/Filter /FlateDecode",
        content);
    const qlonglong file = objects.add("<<\n/F (" + name + ")\n/EF <</F " + reference(data) +
                                       ">>\n/Type /Filespec\n>>");
    return objects.add("<</EmbeddedFiles <</Names [(" + name + ") " + reference(file) + "]>>>>");
}

/// Sets the exact page size. The content is anchored at the top edge.
QByteArray withSize(QByteArray page, QSizeF points) {
    static const QRegularExpression box(R"(/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\])");
    const QRegularExpressionMatch match = box.match(QString::fromLatin1(page));
    if (!match.hasMatch())
        return page;
    const auto number = [](double length) { return QByteArray::number(length, 'f', 6); };
    const double top = match.capturedView(2).toDouble();
    return page.replace(match.capturedStart(), match.capturedLength(),
                        "/MediaBox [0 " + number(top - points.height()) + ' ' +
                            number(points.width()) + ' ' + number(top) + ']');
}

} // namespace

QByteArray finishedPdf(const QByteArray &written, const PdfText &words) {
    std::optional<PdfObjects> objects = PdfObjects::read(written);
    if (!objects)
        return written;
    const qlonglong info = objects->called("Info", objects->trailer());
    const qlonglong root = objects->called("Root", objects->trailer());
    const qlonglong pages = root < 0 ? -1 : objects->called("Pages", (*objects)[root]);
    if (info < 0 || pages < 0)
        return written;
    objects->keepOnlyWhatIsUsedBy(pages);
    if (words.points)
        for (qlonglong i = 1; i < objects->count(); ++i)
            if (const qsizetype type = (*objects)[i].indexOf("/Type /Page\n"); type >= 0)
                (*objects)[i] = withSize((*objects)[i], *words.points);
    const qlonglong metadata = addStream(*objects, "/Type /Metadata\n/Subtype /XML",
                                         xmpOf(words.title, words.description));
    QByteArray catalog =
        "<<\n/Type /Catalog\n/Pages " + reference(pages) + "\n/Metadata " + reference(metadata);
    if (!words.session.empty())
        catalog += "\n/Names " + reference(attach(*objects, words.session));
    objects->set(root, catalog + "\n>>");
    objects->set(info, "<<\n/Title " + pdfText(words.title) +
                           "\n/Creator (Headlight)\n/Producer (Headlight)"
                           "\n/CreationDate (D:20000101000000Z)\n>>");
    return objects->file(root, info);
}

} // namespace headlight::ui
