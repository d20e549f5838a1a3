// JSON as text: values written, and members of a document's objects replaced where they stand, so
// that everything around them stays as somebody typed it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// In quotes, with the escapes that JSON asks for. `text` is UTF-8.
std::string jsonText(std::string_view text);

/// The shortest text that a reader of ours makes the same finite float of, the sign of zero
/// included.
std::string jsonNumber(float number);

struct JsonMemberText {
    std::string name;
    std::string value; ///< JSON
};

/// An object. Each member stands after `separator`, a line's end and an indentation; where that is
/// empty, all stand on one line.
std::string jsonObject(const std::vector<JsonMemberText> &members,
                       const std::string &separator = {});

/// Where a member of an object stands in the text.
struct JsonSpan {
    std::string name;
    std::size_t begin = 0; ///< of its name, with the quote
    std::size_t value = 0; ///< where its value begins
    std::size_t end = 0;   ///< behind its value
};

/// The members of the object that `json` is. `json` must have been read without an error.
std::vector<JsonSpan> membersOf(std::string_view json);

/// The elements of the array that `json` is, as they are spelled. As with membersOf().
std::vector<std::string_view> elementsOf(std::string_view json);

/// The white space before an object's first member: what separates its members.
std::string separatorOf(std::string_view object);

/// What becomes of one member: another value, or none where `value` is empty. A name that the
/// object does not have is put at its end.
using JsonEdits = std::vector<JsonMemberText>;

/// `object` with the edits, everything else as it is. Taking away what was put in gives the bytes
/// before.
std::string spliced(std::string_view object, const JsonEdits &edits);

/// Elements in the order given, each behind `separator` as with jsonObject().
std::string jsonArray(const std::vector<std::string> &elements, const std::string &separator = {});

/// What somebody typed, with what changed from `before` to `after`, which are two values as they
/// would be written. What says the same is left as it was typed, and members that only `typed` has,
/// which nobody here knows, are kept; but what `typed` left out because something else implied it
/// is said now.
std::string jsonMerged(std::string_view typed, std::string_view before, std::string_view after);

} // namespace headlight::core
