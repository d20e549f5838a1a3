// A row of the table of command line options. The parser, the help, the manual pages and the
// commands stored in figures are derived from this table.
#pragma once

#include "ui/command_line/codecs.h"
#include "ui/figures/table/views.h"

#include <utility>

namespace headlight::ui {

enum class Command {
    Window,
    Lessons,
    Figure,
    Trace,
    Generate,
    Verify,
    Info,
    Tokenize,
    Check,
    Tasks,
    Train,
    Measure,
    Measures,
    Ablate,
    Worksheet,
    Course,
    Handout,
    Rollout,
    Flow,
    Compare,
    Cosine
};

/// Permission to set the option from the command line stored in a figure. The figure may come from
/// another author, so it may set the appearance, but never which files are read or written.
enum class StoredInFigure { Never, Look };

struct Option {
    const char *name;    ///< "output": --output
    const char *letter;  ///< "o", or nullptr
    const char *value;   ///< placeholder in the help; nullptr: a switch
    const char *meaning; ///< one line for the help
    StoredInFigure stored;
    QList<Command> commands;
    /// Possible words of the value. The list is complete if `value` is NAME or SWITCH; other
    /// options also accept other values.
    QStringList values = {};
    std::optional<Choice> choice = {}; ///< the view's choice that the option sets, if any
};

/// An option, with functions that read it into a request and write it from one.
template <class Request>
struct OptionRow : Option {
    /// Stores the typed value in the request. Throws OptionError. Null if the command reads the
    /// option itself.
    std::function<void(const TypedValue &, Request &)> read;
    /// Returns the option's value for the request; empty for a switch, nullopt if the member has
    /// its default.
    std::function<std::optional<QString>(const Request &)> write;

    explicit OptionRow(Option option) : Option(std::move(option)) {}
    /// Converts a row for a base class of the request.
    template <class Part>
    OptionRow(const OptionRow<Part> &row) : Option(row), read(row.read), write(row.write) {}
};

namespace detail {

template <class Object, class Member, class... Members>
auto &memberOf(Object &object, Member member, Members... members) {
    if constexpr (sizeof...(Members) == 0)
        return object.*member;
    else
        return memberOf(object.*member, members...);
}

template <class Value>
inline constexpr bool isOptional = false;
template <class Value>
inline constexpr bool isOptional<std::optional<Value>> = true;

} // namespace detail

/// Returns a row for request.*members, which may be a std::optional. The values come from the codec
/// unless `option` lists others.
template <class Request, class Value, class... Members>
OptionRow<Request> row(Option option, const Codec<Value> &codec, Members... members) {
    if (option.values.isEmpty())
        option.values = codec.words;
    OptionRow<Request> made(std::move(option));
    made.read = [=](const TypedValue &typed, Request &request) {
        detail::memberOf(request, members...) = codec.read(typed);
    };
    made.write = [=](const Request &request) -> std::optional<QString> {
        const auto &value = detail::memberOf(request, members...);
        if constexpr (detail::isOptional<std::remove_cvref_t<decltype(value)>>)
            return value ? std::optional(codec.write(*value)) : std::nullopt;
        else if (static const Request usual; value == detail::memberOf(usual, members...))
            return std::nullopt;
        else
            return codec.write(value);
    };
    return made;
}

/// Returns a row for a switch that sets request.*members to a value other than the default.
template <class Request, class... Members>
OptionRow<Request> switchRow(Option option, bool value, Members... members) {
    OptionRow<Request> made(std::move(option));
    made.read = [=](const TypedValue &, Request &request) {
        detail::memberOf(request, members...) = value;
    };
    made.write = [=](const Request &request) -> std::optional<QString> {
        return detail::memberOf(request, members...) == value ? std::optional(QString(""))
                                                              : std::nullopt;
    };
    return made;
}

} // namespace headlight::ui
