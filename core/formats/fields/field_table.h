// Field tables. Each field of an object in a file has one row, which determines how the field is
// read, written, validated and documented. docs/architecture.md shows how to add one ("Adding a
// session field").
#pragma once

#include "core/formats/fields/codec.h"
#include "core/formats/json/reader.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace headlight::core {

/// The description of a field.
struct FieldInfo {
    std::string name;
    std::string words;   ///< description for docs/session-file.md: one line of Markdown
    std::string schema;  ///< JSON Schema of the value
    std::string limits;  ///< valid values as text for the documentation
    std::string usual{}; ///< default, as JSON or in words; empty: none
    bool isRequired = false;
    int version = 1; ///< first format version with this field
    ValidValues valid{};
};

/// A row of the table of T.
template <typename T>
struct FieldRow : FieldInfo {
    /// Reads the value of `field`. Returns false after a problem. `read`, `isSet` and `write` are
    /// null if other code reads and writes the field.
    std::function<bool(const Field &field, T &into)> read{};
    /// True if the value is not the default.
    std::function<bool(const T &)> isSet{};
    std::function<std::string(const T &, const std::string &lines)> write{};
    /// Sets the default.
    std::function<void(T &into)> clear{};
    bool mayBeUnset = false;      ///< the value may be unset, and is then not written
    bool isAlwaysWritten = false; ///< written even if it is the default
    bool isOnLines = false;
    bool isOmittedIfDefault = false; ///< omitted if default, even if the table writes all fields

    /// Makes the field required. It is always written.
    FieldRow required() const {
        FieldRow row = always();
        row.isRequired = true;
        row.usual.clear();
        return row;
    }
    FieldRow always() const {
        FieldRow row = *this;
        row.isAlwaysWritten = true;
        return row;
    }
    /// Omits the field if it has its default, even if the table writes all fields. Reading an
    /// object without the field therefore sets the default, while other missing fields keep their
    /// values.
    FieldRow onlyIfSet() const {
        FieldRow row = *this;
        row.isOmittedIfDefault = true;
        return row;
    }
    /// Sets the format version that files with this field need.
    FieldRow since(int first) const {
        FieldRow row = *this;
        row.version = first;
        return row;
    }
    /// Sets the documented meaning of a missing value.
    FieldRow usually(const char *what) const {
        FieldRow row = *this;
        row.usual = what;
        return row;
    }
    /// Writes each member or element of the value on its own line, if the object is written in
    /// lines.
    FieldRow onLines() const {
        FieldRow row = *this;
        row.isOnLines = true;
        return row;
    }
};

enum class Written {
    Changed, ///< omits fields that have their defaults
    All,
};

/// All fields of an object, in the order in which they are read and written.
template <typename T>
struct FieldTable {
    std::string name; ///< name of its definition in the schema
    Written written;
    std::vector<FieldRow<T>> rows;
    /// Additional members of the schema, for rules that involve several fields.
    std::vector<JsonMemberText> constraints{};

    const FieldRow<T> &row(std::string_view name) const;
};

/// The field table of T. Each type defines table() in one .cpp file.
template <typename T>
struct Fields {
    static const FieldTable<T> &table();
};

/// Returns a row for the member to which `access` returns a reference.
template <typename T, typename Value, typename Access>
FieldRow<T> fieldAt(const char *name, Access access, const Codec<Value> &codec, const char *words) {
    FieldRow<T> row{{name, words, codec.schema, codec.limits}};
    row.valid = codec.valid;
    row.read = [=, read = codec.read](const Field &field, T &into) {
        return read(field, access(into));
    };
    row.isSet = [=](const T &value) {
        const T usual{};
        return !(access(value) == access(usual));
    };
    row.write = [=, write = codec.write](const T &value, const std::string &lines) {
        return write(access(value), lines);
    };
    row.clear = [=](T &into) {
        const T usual{};
        access(into) = access(usual);
    };
    const T usual{};
    row.usual = codec.write(access(usual), {});
    return row;
}

template <typename T, typename Value>
FieldRow<T> field(const char *name, Value T::*member,
                  const std::type_identity_t<Codec<Value>> &codec, const char *words) {
    return fieldAt<T, Value>(
        name, [member](auto &owner) -> auto & { return owner.*member; }, codec, words);
}

/// Returns a row for a value that may be unset. `access` returns a reference to its optional.
template <typename T, typename Value, typename Access>
FieldRow<T> optionalAt(const char *name, Access access, const Codec<Value> &codec,
                       const char *words) {
    FieldRow<T> row{{name, words, codec.schema, codec.limits}};
    row.valid = codec.valid;
    row.read = [=, read = codec.read](const Field &field, T &into) {
        Value value{};
        if (!read(field, value))
            return false;
        access(into) = std::move(value);
        return true;
    };
    row.mayBeUnset = true;
    row.isSet = [=](const T &value) { return access(value).has_value(); };
    row.write = [=, write = codec.write](const T &value, const std::string &lines) {
        return write(*access(value), lines);
    };
    return row;
}

template <typename T, typename Value>
FieldRow<T> field(const char *name, std::optional<Value> T::*member,
                  const std::type_identity_t<Codec<Value>> &codec, const char *words) {
    return optionalAt<T, Value>(
        name, [member](auto &owner) -> auto & { return owner.*member; }, codec, words);
}

/// Returns a row for a field with its own functions for reading and writing.
template <typename T>
FieldRow<T> ownField(const char *name, std::type_identity_t<decltype(FieldRow<T>::read)> read,
                     std::type_identity_t<decltype(FieldRow<T>::isSet)> isSet,
                     std::type_identity_t<decltype(FieldRow<T>::write)> write, std::string schema,
                     std::string limits, const char *words) {
    FieldRow<T> row{{name, words, std::move(schema), std::move(limits)}};
    row.mayBeUnset = true;
    row.read = std::move(read);
    row.isSet = std::move(isSet);
    row.write = std::move(write);
    return row;
}

template <typename T>
const FieldRow<T> &FieldTable<T>::row(std::string_view wanted) const {
    const auto found = std::ranges::find(rows, wanted, &FieldRow<T>::name);
    assert(found != rows.end());
    return *found;
}

/// Reads all fields of an object. Invalid fields keep their previous value. Returns false after a
/// problem.
template <typename T>
bool readInto(const Field &object, T &into) {
    if (!object.isObject())
        return false;
    bool isGood = true;
    for (const FieldRow<T> &row : Fields<T>::table().rows) {
        if (!row.read)
            continue;
        // A required field that is missing is reported like an invalid one.
        if (const Field field = object.member(row.name); field.present() || row.isRequired)
            isGood &= row.read(field, into);
        else if (row.isOmittedIfDefault)
            row.clear(into);
    }
    return isGood;
}

/// Reads a field from a word, such as one from the command line or from settings. Errors: an
/// invalid value; `into` then stays unchanged.
template <typename T>
Outcome readWord(const FieldRow<T> &row, const std::string &word, T &into) {
    Reading reading;
    for (const JsonValue &value : jsonValuesOf(word))
        if (row.read(Field(&value, row.name, reading), into))
            return Done{};
    return reading.problems.back();
}

/// Returns the field of `value` as the word that readWord() reads.
template <typename T>
std::string wordOf(const FieldRow<T> &row, const T &value) {
    return wordOfJson(row.write(value, {}));
}

/// Returns the object's members as JSON.
template <typename T>
std::vector<JsonMemberText> writtenMembers(const T &value, const std::string &lines = {}) {
    const FieldTable<T> &table = Fields<T>::table();
    const std::string deeper = lines.empty() ? lines : lines + "  ";
    std::vector<JsonMemberText> members;
    for (const FieldRow<T> &row : table.rows) {
        const bool isOptional = row.mayBeUnset || row.isOmittedIfDefault;
        const bool isWritten =
            row.isAlwaysWritten || (table.written == Written::All && !isOptional);
        if (row.write && (isWritten || row.isSet(value)))
            members.push_back({row.name, row.write(value, row.isOnLines ? deeper : std::string())});
    }
    return members;
}

template <typename T>
std::string written(const T &value, const std::string &lines = {}) {
    return jsonObject(writtenMembers(value, lines), lines);
}

/// Checks the fields of `value` by writing and reading it. `path`: its path in a file, for errors.
/// The error names the first field outside its limits.
template <typename T>
Outcome checkFields(const T &value, const std::string &path) {
    const Result<JsonValue> document = readJson(written(value));
    if (!document)
        return document.error();
    Reading reading;
    T again{};
    readInto(Field(&*document, path, reading), again);
    return reading.problems.empty() ? Outcome(Done{}) : Outcome(reading.problems.front());
}

/// Returns the lowest format version that supports all fields that are set in the value.
template <typename T>
int versionOfFields(const T &value) {
    int version = 1;
    for (const FieldRow<T> &row : Fields<T>::table().rows)
        if (row.isSet && row.isSet(value))
            version = std::max(version, row.version);
    return version;
}

/// Returns {"$ref": …} for a definition of the schema.
std::string schemaReference(std::string_view definition);

/// A codec of objects with the fields of T.
template <typename T>
Codec<T> objectOf() {
    return {[](const Field &field, T &into) {
                readInto(field, into);
                return field.is(JsonValue::Kind::Object);
            },
            [](const T &value, const std::string &lines) { return written(value, lines); },
            schemaReference(Fields<T>::table().name), "object, see below"};
}

/// The description of a table, for the schema and docs/session-file.md. Also describes objects
/// without a FieldTable: other code reads and writes these, because they depend on the model, the
/// text, or the trace.
struct TableInfo {
    std::string name;
    std::vector<FieldInfo> rows;
    std::vector<JsonMemberText> constraints{};
};

template <typename T>
TableInfo describedTable() {
    const FieldTable<T> &table = Fields<T>::table();
    return {table.name, {table.rows.begin(), table.rows.end()}, table.constraints};
}

/// Returns the schema of an object with these fields.
std::string schemaOf(const TableInfo &table);
/// Returns the rows of a Markdown table: name, limits and default, description.
std::string markdownOf(const TableInfo &table);

} // namespace headlight::core
