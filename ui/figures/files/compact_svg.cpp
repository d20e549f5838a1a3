#include "ui/figures/files/compact_svg.h"

#include <QList>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace headlight::ui {

namespace {

using Bytes = QByteArrayView;

struct Attribute {
    Bytes name, value;
};
using Attributes = std::vector<Attribute>;

Bytes valueOf(const Attributes &attributes, Bytes name) {
    for (const Attribute &attribute : attributes)
        if (attribute.name == name)
            return attribute.value;
    return {};
}

bool isOneOf(Bytes name, std::initializer_list<const char *> names) {
    return std::ranges::any_of(names, [name](const char *each) { return name == Bytes(each); });
}

/// `<name a="b">`, or `<name a="b"/>` if closed.
struct Tag {
    Bytes name;
    Attributes attributes;
    bool isClosed = false;
};

/// Parses the SVG subset that Qt writes.
class SvgReader {
  public:
    explicit SvgReader(Bytes text) : m_text(text) {}

    bool take(Bytes word) {
        if (!m_text.sliced(m_at).startsWith(word))
            return false;
        m_at += word.size();
        return true;
    }
    void skipSpace() {
        while (m_at < m_text.size() && isSpace(m_text[m_at]))
            ++m_at;
    }
    /// Returns the text up to the next tag.
    Bytes content() {
        const qsizetype begin = m_at;
        while (m_at < m_text.size() && m_text[m_at] != '<')
            ++m_at;
        return m_text.sliced(begin, m_at - begin);
    }
    std::optional<Tag> tag() {
        Tag tag;
        if (!take("<"))
            return std::nullopt;
        tag.name = word();
        if (tag.name.isEmpty())
            return std::nullopt;
        for (;;) {
            skipSpace();
            if (take(">"))
                return tag;
            if (take("/>")) {
                tag.isClosed = true;
                return tag;
            }
            const Bytes name = word();
            if (name.isEmpty() || !take("=\""))
                return std::nullopt;
            const qsizetype begin = m_at;
            while (m_at < m_text.size() && m_text[m_at] != '"')
                ++m_at;
            tag.attributes.push_back({name, m_text.sliced(begin, m_at - begin)});
            if (!take("\""))
                return std::nullopt;
        }
    }
    qsizetype place() const { return m_at; }

  private:
    static bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
    static bool isOfName(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == ':' || c == '_';
    }
    Bytes word() {
        const qsizetype begin = m_at;
        while (m_at < m_text.size() && isOfName(m_text[m_at]))
            ++m_at;
        return m_text.sliced(begin, m_at - begin);
    }

    Bytes m_text;
    qsizetype m_at = 0;
};

enum class Form { Rect, Lines, Text, Other };

/// A shape with its style.
struct Shape {
    Form form = Form::Other;
    QByteArray style; ///< attributes of the shape's group except the fill
    Bytes fill;
    Tag tag;
    Bytes content;        ///< content of a text element
    bool isAlone = false; ///< needs a separate group because of an opacity or unknown attributes
};

bool isOfFont(Bytes name) {
    return name.startsWith("font-");
}

/// True if the attribute is redundant, because it is SVG's default or is set by Qt's outermost
/// group.
bool isSaidAnyway(const Attribute &attribute) {
    static constexpr std::array<std::pair<const char *, const char *>, 10> kDefaults{{
        {"fill-opacity", "1"},
        {"stroke-opacity", "1"},
        {"stroke-width", "1"},
        {"stroke-linecap", "square"},
        {"stroke-linejoin", "bevel"},
        {"transform", "matrix(1,0,0,1,0,0)"},
        {"font-style", "normal"},
        {"font-weight", "400"},
        {"vector-effect", "none"},
        {"fill-rule", "evenodd"},
    }};
    return std::ranges::any_of(kDefaults, [&](const auto &usual) {
        return attribute.name == Bytes(usual.first) && attribute.value == Bytes(usual.second);
    });
}

void append(QByteArray &out, const Attribute &attribute) {
    if (!out.isEmpty() && out.back() != '<')
        out += ' ';
    out += attribute.name;
    out += "=\"";
    out += attribute.value;
    out += '"';
}

/// True if an SVG reader would collapse some of the spaces. Single spaces between words are always
/// kept.
bool needsItsSpaces(Bytes text) {
    return text.startsWith(' ') || text.endsWith(' ') || text.contains("  ") ||
           text.contains('\n') || text.contains('\t');
}

bool isPlainColour(Bytes fill) {
    return fill.size() == 7 && fill.front() == '#';
}

double shorterSide(const Tag &rect) {
    return std::min(valueOf(rect.attributes, "width").toDouble(),
                    valueOf(rect.attributes, "height").toDouble());
}

/// Returns an element of a group, including the attributes that it inherits from the group.
Shape shapeOf(const Attributes &group, Tag tag, Bytes content) {
    Shape shape;
    shape.content = content;
    const bool isText = tag.name == Bytes("text");
    const Bytes fill = valueOf(tag.attributes, "fill");
    shape.fill = fill.isEmpty() ? valueOf(group, "fill") : fill;
    const bool isFilled = shape.fill != Bytes("none");
    const bool hasNoLine = valueOf(isText ? tag.attributes : group, "stroke") == Bytes("none");
    const auto isStyle = [&](Bytes name) {
        return isOneOf(name, {"fill", "fill-opacity", "fill-rule", "vector-effect", "stroke"}) ||
               isOfFont(name);
    };
    for (const Attribute &attribute : group) {
        // A text element sets these attributes itself. For other shapes, the fill is stored
        // separately and fonts are irrelevant.
        const bool isOwn = isText ? isStyle(attribute.name) || attribute.name.startsWith("stroke")
                                  : attribute.name == Bytes("fill") || isOfFont(attribute.name);
        const bool isUnused = (hasNoLine && attribute.name.startsWith("stroke-")) ||
                              (!isFilled && attribute.name == Bytes("fill-opacity"));
        if (isOwn || isUnused || isSaidAnyway(attribute))
            continue;
        if (!isOneOf(attribute.name, {"fill-opacity", "transform"}) &&
            !attribute.name.startsWith("stroke"))
            shape.isAlone = true;
        append(shape.style, attribute);
    }
    Attributes own;
    for (const Attribute &attribute : tag.attributes) {
        if (attribute.name == Bytes("fill") ||
            (attribute.name == Bytes("xml:space") ? !needsItsSpaces(content)
                                                  : isSaidAnyway(attribute)))
            continue;
        if (isStyle(attribute.name))
            append(shape.style, attribute);
        else
            own.push_back(attribute);
    }
    tag.attributes = std::move(own);
    const bool isSolid =
        hasNoLine && isPlainColour(shape.fill) && valueOf(group, "fill-opacity") == Bytes("1");
    if (isText) {
        shape.form = Form::Text;
    } else if (tag.name == Bytes("rect") && tag.attributes.size() == 4 && isSolid &&
               shorterSide(tag) > 0) {
        shape.form = Form::Rect;
        append(shape.style, {"fill-rule", "nonzero"}); // subpaths may overlap
        if (shorterSide(tag) >= 1) // a thinner rectangle could vanish between two pixels
            append(shape.style, {"shape-rendering", "crispEdges"});
    } else if (tag.name == Bytes("polyline") && tag.attributes.size() == 1 && !isFilled &&
               valueOf(group, "stroke-opacity") == Bytes("1")) {
        shape.form = Form::Lines;
    }
    shape.tag = std::move(tag);
    return shape;
}

/// Converts "1,2 3,4 " to "M1 2L3 4".
QByteArray linesOf(Bytes points) {
    QByteArray path;
    bool isFirst = true;
    for (QByteArray point : points.toByteArray().split(' ')) {
        if (point.isEmpty())
            continue;
        path += isFirst ? 'M' : 'L';
        path += point.replace(',', ' ');
        isFirst = false;
    }
    return path;
}

/// Returns a path such as "M1 2h3v4h-3z".
QByteArray rectOf(const Attributes &sides) {
    const Bytes width = valueOf(sides, "width");
    QByteArray path("M");
    path += valueOf(sides, "x");
    path += ' ';
    path += valueOf(sides, "y");
    path += 'h';
    path += width;
    path += 'v';
    path += valueOf(sides, "height");
    path += "h-";
    path += width;
    path += 'z';
    return path;
}

/// Removes the spaces before the letters of Qt's path.
QByteArray dense(Bytes path) {
    QByteArray result;
    result.reserve(path.size());
    for (qsizetype i = 0; i < path.size(); ++i)
        if (path[i] != ' ' || (i + 1 < path.size() && (path[i + 1] < 'A' || path[i + 1] > 'Z')))
            result += path[i];
    return result;
}

class SvgWriter {
  public:
    void add(const std::vector<Shape> &shapes) {
        for (std::size_t first = 0; first < shapes.size();) {
            std::size_t end = first + 1;
            while (end < shapes.size() && !shapes[first].isAlone && !shapes[end].isAlone &&
                   shapes[end].style == shapes[first].style &&
                   (shapes[end].form == Form::Text) == (shapes[first].form == Form::Text))
                ++end;
            addGroup(shapes, first, end);
            first = end;
        }
    }
    const QByteArray &text() const { return m_text; }

  private:
    void addGroup(const std::vector<Shape> &shapes, std::size_t first, std::size_t end) {
        const Bytes fill = shapes[first].fill;
        m_text += "<g";
        if (!shapes[first].style.isEmpty())
            m_text += ' ' + shapes[first].style;
        if (!fill.isEmpty() && fill != Bytes("none"))
            addFill(fill);
        m_text += ">\n";
        const bool isAlone = end == first + 1;
        while (first < end) {
            const Shape &shape = shapes[first];
            std::size_t next = first + 1;
            if (shape.form == Form::Rect || shape.form == Form::Lines)
                while (next < end && shapes[next].form == shape.form &&
                       shapes[next].fill == shape.fill)
                    ++next;
            if (shape.form == Form::Lines || (shape.form == Form::Rect && !isAlone))
                addPath(shapes, first, next, fill);
            else
                addElement(shape, fill);
            first = next;
        }
        m_text += "</g>\n";
    }
    void addFill(Bytes fill) {
        m_text += " fill=\"";
        m_text += fill;
        m_text += '"';
    }
    void addPath(const std::vector<Shape> &shapes, std::size_t first, std::size_t end,
                 Bytes groupFill) {
        m_text += "<path";
        if (shapes[first].fill != groupFill)
            addFill(shapes[first].fill);
        m_text += " d=\"";
        for (; first < end; ++first)
            m_text += shapes[first].form == Form::Rect
                          ? rectOf(shapes[first].tag.attributes)
                          : linesOf(valueOf(shapes[first].tag.attributes, "points"));
        m_text += "\"/>\n";
    }
    void addElement(const Shape &shape, Bytes groupFill) {
        QByteArray words("<");
        words += shape.tag.name;
        for (const Attribute &attribute : shape.tag.attributes) {
            if (attribute.name == Bytes("d"))
                append(words, {"d", dense(attribute.value)});
            else
                append(words, attribute);
        }
        m_text += words;
        if (shape.fill != groupFill)
            addFill(shape.fill);
        if (shape.form == Form::Text) {
            m_text += '>';
            m_text += shape.content;
            m_text += "</text>\n";
        } else {
            m_text += "/>\n";
        }
    }

    QByteArray m_text;
};

/// Parses the shapes. Returns nothing if the SVG is not in the expected form.
std::optional<std::vector<Shape>> shapesIn(SvgReader &reader) {
    std::vector<Shape> shapes;
    for (;;) {
        reader.skipSpace();
        if (reader.take("</g>"))
            return shapes;
        const auto group = reader.tag();
        if (!group || group->name != Bytes("g") || group->isClosed)
            return std::nullopt;
        for (;;) {
            reader.skipSpace();
            if (reader.take("</g>"))
                break;
            auto element = reader.tag();
            if (!element || element->isClosed == (element->name == Bytes("text")) ||
                element->name == Bytes("g"))
                return std::nullopt;
            Bytes content;
            if (!element->isClosed) {
                content = reader.content();
                if (!reader.take("</text>"))
                    return std::nullopt;
            }
            shapes.push_back(shapeOf(group->attributes, *std::move(element), content));
        }
    }
}

} // namespace

QByteArray compactSvg(const QByteArray &svg) {
    constexpr Bytes kAll = "<g fill=\"none\" stroke=\"black\" stroke-width=\"1\" "
                           "fill-rule=\"evenodd\" stroke-linecap=\"square\" "
                           "stroke-linejoin=\"bevel\"";
    const qsizetype defs = svg.indexOf("</defs>");
    const qsizetype all = defs < 0 ? -1 : svg.indexOf(kAll, defs);
    const qsizetype begin = all < 0 ? 0 : svg.indexOf('>', all) + 1;
    if (begin == 0)
        return svg;
    SvgReader reader(Bytes(svg).sliced(begin));
    const auto shapes = shapesIn(reader);
    if (!shapes)
        return svg;
    SvgWriter writer;
    writer.add(*shapes);
    return svg.first(begin) + '\n' + writer.text() + "</g>" + svg.mid(begin + reader.place());
}

} // namespace headlight::ui
