#include "script.h"

#include "core/formats/safetensors/writer.h"
#include "picture.h"

#include <QFileInfo>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>

namespace headlight::test {

namespace {

QString withEscapes(QString text) {
    return text.replace("\\n", "\n").replace("\\t", "\t").replace("\\e", "\x1b");
}

/// Returns the text for a message, shortened if it is long.
QString quoted(const QString &text) {
    constexpr qsizetype kMax = 1000;
    return "“" + (text.size() > kMax ? text.left(kMax) + "…" : text) + "”";
}

/// Returns what is wrong with the text, or an empty string.
QString textProblem(const QString &what, const QString &text, const QString &check) {
    const QString verb = check.section(' ', 0, 0);
    const QString expected = withEscapes(check.section(' ', 1));
    if (expected.isEmpty() && verb != "=")
        return "nothing is expected: " + check;
    bool holds = false;
    if (verb == "has")
        holds = text.contains(expected);
    else if (verb == "lacks")
        holds = !text.contains(expected);
    else if (verb == "=")
        holds = text == expected;
    else if (verb == "matches")
        holds = text.contains(QRegularExpression(expected, QRegularExpression::MultilineOption));
    else if (verb == "counts")
        holds = expected.contains(' ') && text.count(withEscapes(expected.section(' ', 1))) ==
                                              expected.section(' ', 0, 0).toInt();
    else
        return "unknown check: " + check;
    return holds ? QString()
                 : QString("%1 should satisfy “%2”, but is %3").arg(what, check, quoted(text));
}

QJsonValue jsonAt(QJsonValue value, const QString &path) {
    for (const QString &name : path.split('.'))
        if (value.isArray())
            value = name == "size" ? QJsonValue(value.toArray().size()) : value[name.toInt()];
        else
            value = value[name];
    return value;
}

QString asText(const QJsonValue &value) {
    if (value.isUndefined())
        return "missing";
    const QByteArray array = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(array.mid(1, array.size() - 2));
}

QString jsonProblem(const QByteArray &out, const QString &check) {
    const QString path = check.section(' ', 0, 0), verb = check.section(' ', 1, 1);
    const QString expected = check.section(' ', 2);
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(out, &error);
    if (error.error != QJsonParseError::NoError)
        return "not JSON: " + quoted(QString::fromUtf8(out));
    const QJsonValue value =
        jsonAt(document.isArray() ? QJsonValue(document.array()) : document.object(), path);
    bool holds = false;
    if (verb == "=") {
        const QJsonArray parsed = QJsonDocument::fromJson(('[' + expected + ']').toUtf8()).array();
        if (parsed.size() != 1)
            return "not a JSON value: " + expected;
        holds = value == parsed[0];
    } else if (verb == "has" && !expected.isEmpty()) {
        holds = value.isArray() ? value.toArray().contains(expected)
                                : value.toString().contains(expected);
    } else if (verb == ">" && !expected.isEmpty()) {
        holds = value.isDouble() && value.toDouble() > expected.toDouble();
    } else if (verb == "is" && expected == "missing") {
        holds = value.isUndefined();
    } else {
        return "unknown check: json " + check;
    }
    return holds ? QString() : QString("JSON: %1, but it is %2").arg(check, asText(value));
}

/// Returns what is wrong with a picture. `expected` is "whole", or a size such as 640x480.
QString picturePropertyProblem(const Program &program, const QString &name,
                               const QString &expected) {
    const QString format = QFileInfo(name).suffix().toLower();
    const auto [problem, size] = readPicture(program.read(name), format);
    if (!problem.isEmpty() || expected == "whole")
        return problem;
    const auto number = QRegularExpression("^(\\d+)x(\\d+)$").match(expected);
    if (!number.hasMatch())
        return "unknown check: picture … is " + expected;
    // Page sizes are rounded, but pixel sizes are not.
    const double allowed = format == "png" ? 0 : 1.4;
    const bool holds = qAbs(size.width() - number.captured(1).toInt()) <= allowed &&
                       qAbs(size.height() - number.captured(2).toInt()) <= allowed;
    return holds ? QString()
                 : QString("%1 is %2 × %3").arg(name).arg(size.width()).arg(size.height());
}

QString pictureProblem(const Program &program, const QString &check) {
    const QString name = check.section(' ', 0, 0), verb = check.section(' ', 1, 1);
    const QString other = check.section(' ', 2);
    if (verb == "is")
        return picturePropertyProblem(program, name, other);
    if ((verb != "=" && verb != "!=") || other.isEmpty())
        return "unknown check: picture " + check;
    QImage images[2];
    for (int i = 0; i < 2; ++i) {
        const QString file = i == 0 ? name : other;
        images[i] = QImage::fromData(program.read(file)).convertToFormat(QImage::Format_RGB32);
        if (images[i].isNull())
            return file + " is not a picture";
    }
    return (images[0] == images[1]) == (verb == "=") ? QString()
                                                     : "the pictures should be " + check;
}

QString checkProblem(const Program &program, const Run &run, const QString &check) {
    const QString subject = check.section(' ', 0, 0), rest = check.section(' ', 1);
    if (subject == "out")
        return textProblem("standard output", QString::fromUtf8(run.out), rest);
    if (subject == "err")
        return textProblem("standard error", QString::fromUtf8(run.err), rest);
    if (subject == "json")
        return jsonProblem(run.out, rest);
    if (subject == "picture")
        return pictureProblem(program, rest);
    if (subject == "files") {
        QStringList expected = rest.split(' ', Qt::SkipEmptyParts);
        expected.sort();
        const QString found = program.listing().join(' ');
        return found == expected.join(' ') ? QString() : "there are the files: " + found;
    }
    if (subject == "file") {
        const QString name = rest.section(' ', 0, 0);
        if (!program.has(name))
            return "there is no file " + name;
        return textProblem(name, QString::fromUtf8(program.read(name)), rest.section(' ', 1));
    }
    return "unknown check: " + check;
}

/// Returns what is wrong with the run itself, ignoring the streams that `checks` examine.
QString runProblem(const Run &run, int code, const QStringList &mentions,
                   const QStringList &checks) {
    const auto checked = [&](const QString &stream) {
        for (const QString &check : checks)
            if (check.startsWith(stream))
                return true;
        return false;
    };
    const QString out = QString::fromUtf8(run.out), err = QString::fromUtf8(run.err);
    if (run.code != code)
        return QString("exit code %1, expected %2: %3").arg(run.code).arg(code).arg(quoted(err));
    if (!checked("err ")) {
        const QString problem = code == 0 ? success(run) : refusal(run, code);
        if (!problem.isEmpty())
            return problem;
    }
    if (err.contains('\x1b') || err.contains('\r'))
        return "standard error has control characters: " + quoted(err);
    if (code != 0 && !run.out.isEmpty() && !checked("out ") && !checked("json "))
        return "it failed, but printed " + quoted(out);
    for (const QString &mention : mentions)
        if (!(code == 0 ? out : err).contains(mention))
            return QString("“%1” is missing in %2").arg(mention, quoted(code == 0 ? out : err));
    return {};
}

QString shellQuoted(QString text) {
    return "'" + text.replace("'", "'\\''") + "'";
}

/// Runs a command and checks it. Returns the problems.
QStringList problemsOf(const Program &program, const QString &command, const QString &expected,
                       const QStringList &checks) {
    bool isNumber = true;
    const int code = expected.isEmpty() ? 0 : expected.section(' ', 0, 0).toInt(&isNumber);
    if (!isNumber)
        return {"no exit code: " + expected};
    const Run run = program.shell(QString("DATA=%1; LESSONS=%2; headlight() { \"$H\" \"$@\"; }\n%3")
                                      .arg(shellQuoted(QFileInfo(HEADLIGHT_TEST_DATA).filePath()),
                                           shellQuoted(HEADLIGHT_LESSONS), command));
    const QString mentions = expected.section(' ', 1);
    QStringList problems{runProblem(run, code, mentions.split(" | ", Qt::SkipEmptyParts), checks)};
    for (const QString &check : checks)
        problems << checkProblem(program, run, check);
    problems.removeAll({});
    return problems;
}

/// Returns a capture with one tensor or metadata entry per line. Empty if a line is invalid.
QByteArray captureOf(const QStringList &lines) {
    std::vector<core::NamedTensor> tensors;
    core::Metadata metadata;
    for (const QString &line : lines) {
        const std::string name = line.section(' ', 0, 0).toStdString();
        const QStringList words = line.section(' ', 1).split(' ');
        std::vector<core::Index> sizes;
        bool isShape = true;
        for (const QString &size : words[0].split('x'))
            sizes.push_back(isShape ? size.toLongLong(&isShape) : 0);
        if (!isShape) {
            metadata[name] = words.join(' ').toStdString();
            continue;
        }
        std::vector<float> numbers;
        for (const QString &word : words.mid(1))
            numbers.push_back(word.toFloat());
        const core::Shape shape(sizes);
        const auto count = static_cast<std::size_t>(shape.count());
        if (numbers.size() == 1)
            numbers.resize(count, numbers[0]);
        if (numbers.size() != count)
            return {};
        tensors.push_back({name, core::Tensor(shape, numbers)});
    }
    const auto bytes = core::safetensorsBytes(tensors, metadata);
    return bytes.ok() ? QByteArray::fromStdString(*bytes) : QByteArray();
}

/// Replaces each loop with its lines, once for each value.
QList<ScriptLine> unrolled(const QList<ScriptLine> &lines, QStringList &problems) {
    QList<ScriptLine> all;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const ScriptLine &line = lines[i];
        if (!line.text.startsWith("for ")) {
            all << line;
            continue;
        }
        QList<ScriptLine> body;
        int depth = 1;
        while (++i < lines.size()) {
            depth += lines[i].text.startsWith("for ");
            depth -= lines[i].text == "end";
            if (depth == 0)
                break;
            body << lines[i];
        }
        const QStringList values = line.text.section(' ', 3).split(" | ", Qt::SkipEmptyParts);
        if (line.text.section(' ', 2, 2) != "in" || values.isEmpty())
            problems << QString("%1: not “for NAME in VALUES”").arg(line.number);
        if (depth > 0)
            problems << QString("%1: a loop without end").arg(line.number);
        for (const QString &value : values) {
            QList<ScriptLine> replaced = body;
            for (ScriptLine &each : replaced)
                each.text.replace('{' + line.text.section(' ', 1, 1) + '}', value);
            all << unrolled(replaced, problems);
        }
    }
    return all;
}

} // namespace

Script readScript(const QString &text) {
    Script script;
    QList<ScriptLine> before;
    int number = 0;
    for (QString line : text.split('\n')) {
        ++number;
        while (line.endsWith(' '))
            line.chop(1);
        if (line.isEmpty() || line.startsWith('#'))
            continue;
        if (line.startsWith("== "))
            script.sections << ScriptSection{line.mid(3), before};
        else
            (script.sections.isEmpty() ? before : script.sections.last().lines)
                << ScriptLine{number, line};
    }
    if (script.sections.isEmpty())
        script.problems << "it has no section";
    for (ScriptSection &section : script.sections) {
        if (section.lines.size() == before.size())
            script.problems << "nothing is in the section: " + section.title;
        section.lines = unrolled(section.lines, script.problems);
    }
    return script;
}

QString missingFor(const ScriptSection &section) {
    for (const ScriptLine &line : section.lines) {
        if (!line.text.startsWith("needs "))
            continue;
        QString needed = line.text.mid(6);
        needed.replace("$DATA", HEADLIGHT_TEST_DATA);
        const bool isThere = needed.contains('/')
                                 ? QFileInfo::exists(needed)
                                 : !QStandardPaths::findExecutable(needed).isEmpty();
        if (!isThere)
            return needed;
    }
    return {};
}

QStringList run(const ScriptSection &section, const Program &program) {
    QStringList problems;
    QString beginning; // added before the lines that begin with a plus
    const QList<ScriptLine> &lines = section.lines;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const auto &[number, text] = lines[i];
        const auto say = [&problems, number = number](const QString &problem) {
            problems << QString("%1: %2").arg(number).arg(problem);
        };
        const auto followers = [&](const char *mark) { // `mark` has two characters
            QStringList found;
            while (i + 1 < lines.size() && lines[i + 1].text.startsWith(mark))
                found << lines[++i].text.mid(2);
            return found;
        };
        if (text.startsWith("needs ")) {
            continue;
        } else if (text.startsWith("with ")) {
            beginning = text.mid(5) + ' ';
        } else if (text.startsWith("file ") || text.startsWith("capture ")) {
            const bool isCapture = text.startsWith("capture ");
            const QStringList content = followers("| ");
            const QByteArray bytes =
                isCapture ? captureOf(content) : (content.join('\n') + '\n').toUtf8();
            if (content.isEmpty() || bytes.isEmpty())
                say("not the lines of a file: " + text);
            program.write(text.section(' ', 1), bytes);
        } else if (text.startsWith(' ')) {
            say("a check without a command: " + text);
        } else {
            QString command = text.section(" => ", 0, 0);
            const QString expected = text.section(" => ", 1);
            if (command.startsWith("$ "))
                command = command.mid(2);
            else if (command.startsWith("+ ") && !beginning.isEmpty())
                command = "headlight " + beginning + command.mid(2);
            else if (command[0].isLower() || command[0] == '-' || command[0] == '\'')
                command = "headlight " + command;
            else
                command.clear();
            if (command.isEmpty()) {
                say("unknown line: " + text);
                continue;
            }
            for (const QString &problem : problemsOf(program, command, expected, followers("  ")))
                say(command + "\n    " + problem);
        }
    }
    return problems;
}

} // namespace headlight::test
