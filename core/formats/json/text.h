// Writes JSON text and replaces members of a document in place. Everything else keeps its original
// text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Returns a quoted string with JSON's escapes. `text` is UTF-8.
std::string jsonText(std::string_view text);

/// Returns the shortest text that Headlight reads as the same finite float, including the sign of
/// zero.
std::string jsonNumber(float number);

struct JsonMemberText {
    std::string name;
    std::string value; ///< JSON text
};

/// Returns an object. `separator` is a line break with indentation before each member. If it is
/// empty, everything is on one line.
std::string jsonObject(const std::vector<JsonMemberText> &members,
                       const std::string &separator = {});

/// Position of an object's member in the text.
struct JsonSpan {
    std::string name;
    std::size_t begin = 0; ///< offset of the name's opening quote
    std::size_t value = 0; ///< offset of the value
    std::size_t end = 0;   ///< offset after the value
};

/// Returns the members of an object. `json` must be valid.
std::vector<JsonSpan> membersOf(std::string_view json);

/// Returns the text of each element of an array. `json` must be valid.
std::vector<std::string_view> elementsOf(std::string_view json);

/// Returns the white space before the first member. New members get the same white space.
std::string separatorOf(std::string_view object);

/// Changes to members: a new value, or an empty `value` to remove the member. New names are
/// appended.
using JsonEdits = std::vector<JsonMemberText>;

/// Applies the edits and leaves everything else unchanged. Adding and then removing a member
/// restores the original bytes.
std::string spliced(std::string_view object, const JsonEdits &edits);

/// Returns an array of the elements in order, separated as in jsonObject().
std::string jsonArray(const std::vector<std::string> &elements, const std::string &separator = {});

/// Applies the changes from `before` to `after`, both as Headlight writes them, to the user's text.
/// Unchanged values and unknown members keep their text. Also adds unchanged members of `after`
/// that `typed` lacks. Other members implied their values, and those members may have changed.
std::string jsonMerged(std::string_view typed, std::string_view before, std::string_view after);

} // namespace headlight::core
