// Test scripts: commands as typed in a shell, and what they must print and write.
//
//   # A comment.
//   == A promise                     a section: a separate test, which begins in an empty folder
//   info cat                         words of `headlight`, quoted as in a shell. It must
//                                    succeed and write nothing to standard error
//   info cat => 0 heads | tokens     … and standard output must contain these texts
//   info kat => 2 kat | cat          it must fail with this exit code and a one-line message with
//                                    these texts, and write nothing to standard output
//   needs pdftotext                  skips the section if this program is not installed, or
//                                    if this file (with a slash) does not exist
//   $ rm a.png; headlight lessons    any shell command; `headlight` is the program, "$DATA" is
//                                    tests/data, and "$LESSONS" the folder of the built-in lessons
//   with figure cat -o a.png         prepended to the following lines that begin with a plus
//   + --head 2 => 1 --head | 0 to 1
//   file my.txt                      writes a file with the following lines that begin with a bar
//   | its text
//   capture my.safetensors           writes tensors (name, shape, its numbers or one for all) and
//   | attentions.0 1x2x2 0.5         metadata
//   | tokens ["a","b"]
//   for V in flow | heads            repeats the lines until `end` for each value of {V}
//   end
//
// Lines before the first section are run at the beginning of each section. Indented lines check the
// command above them. They replace the usual expectations for the stream that they check:
//
//     out has TEXT                   standard output contains the text. Also: err (standard error),
//                                    file NAME
//     out lacks TEXT
//     out = TEXT                     … is the text. \n is a line break, \t a tab, \e an escape
//     out matches EXPRESSION         regular expression; ^ and $ match at lines
//     out counts N TEXT              … contains the text N times
//     json a.0.b = VALUE             standard output is JSON with this value. Also: `has TEXT` of a
//                                    string or an array, `> NUMBER`, `is missing`; size as the last
//                                    name is the length of an array
//     files NAME NAME …              the folder contains these files and no others
//     picture A = B                  the files show the same pixels. Also: !=
//     picture A is whole             the PNG, SVG or PDF is complete. Also: is 640x480
//
// Anything else in a script is an error.
#pragma once

#include "process.h"

namespace headlight::test {

struct ScriptLine {
    int number = 0;
    QString text;
};

struct ScriptSection {
    QString title;
    QList<ScriptLine> lines;
};

struct Script {
    QList<ScriptSection> sections;
    QStringList problems; ///< reasons why it cannot be run, with line numbers
};

Script readScript(const QString &text);

/// Returns the requirement of the section that this machine lacks; empty if none is missing.
QString missingFor(const ScriptSection &section);

/// Returns the problems, each with its line number in the script.
QStringList run(const ScriptSection &section, const Program &program);

} // namespace headlight::test
