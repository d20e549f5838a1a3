// The manual page headlight(1).
#include "app/printed_pages.h"

namespace headlight::app {

namespace {

/// Escapes a text for troff. Produces ASCII, so the page looks the same in every locale.
QString inTroff(const QString &text) {
    QString escaped;
    for (const char32_t letter : text.toUcs4()) {
        if (letter == U'\\')
            escaped += "\\e";
        else if (letter == U'-')
            escaped += "\\-";
        else if (letter == U'\'')
            escaped += "\\(aq";
        else if (letter > 126)
            escaped += QString("\\[u%1]").arg(QString::number(letter, 16).toUpper(), 4, '0');
        else
            escaped += QChar(static_cast<char16_t>(letter));
    }
    return escaped.startsWith('.') ? "\\&" + escaped : escaped;
}

QString synopsisOf(Command command) {
    const QString usage = helpOf(command).usage;
    const QString bold = QStringList{"headlight", commandWord(command)}.join(' ').trimmed();
    return QString("\\fB%1\\fR%2").arg(bold, inTroff(usage.mid(bold.size())));
}

QString entryOf(const Option &option) {
    QString text = ".TP\n";
    if (option.letter)
        text += QString("\\fB\\-%1\\fR, ").arg(option.letter);
    text += QString("\\fB%1\\fR").arg(inTroff(QString("--%1").arg(option.name)));
    if (option.value)
        text += QString(" \\fI%1\\fR").arg(inTroff(option.value));
    return text + '\n' + inTroff(option.meaning) + '\n';
}

const char *kBeginning =
    R"(headlight \- see and step through the attention mechanism of transformers
.SH SYNOPSIS
)";

const char *kDescription = R"(.SH DESCRIPTION
Headlight shows how a transformer computes attention, with the real numbers of every stage.
Without a command it opens a window.
With a command it works without a display.
.PP
A
.I SOURCE
is one of these:
.IP \(bu 2
the id of a built\-in lesson or model
.RB ( "headlight lessons"
lists them),
.IP \(bu 2
a session file
.RI ( .headlight ),
.IP \(bu 2
a capture
.RI ( .safetensors " or " .npz ),
.IP \(bu 2
a pretrained model: its folder, or a
.I .gguf
file,
.IP \(bu 2
a course: a folder of lessons or a
.I .headlight\-course
file.
.PP
.I ./x
is always a path.
All indices count from 0; the window counts a lesson's steps from 1.
)";

const char *kEnd = R"(.SH "EXIT STATUS"
.TP
.B 0
Everything went well.
.TP
.B 1
The request is impossible. For example, there is no such head, or a file cannot be written.
.TP
.B 2
The command line is wrong.
.TP
.B 130
Ctrl\-C stopped the command.
.TP
.B 143
The command was asked to end (SIGTERM).
.SH FILES
.TP
.I ~/.config/headlight/headlight.conf
The settings of the window.
.TP
.I ~/.local/share/headlight/headlight/recovery
Unsaved work, which is recovered after a crash.
.TP
.I /usr/share/headlight/headlight_capture.py
Writes captures from PyTorch.
.SH ENVIRONMENT
.TP
.BR DISPLAY ", " WAYLAND_DISPLAY ", " QT_QPA_PLATFORM
Where the window opens. One of them must be set.
.TP
.BR XDG_CONFIG_HOME ", " XDG_DATA_HOME
Replace
.I ~/.config
and
.IR ~/.local/share .
.SH EXAMPLES
.TP
.B headlight
Opens the window.
.TP
.B headlight figure cat \-o cat.png
Paints the first step of a lesson.
.TP
.B headlight figure sentence \-\-text \(dqThe early bird\(dq \-\-mask causal \-\-view whole \-o bird.pdf
Paints the attention of a sentence.
.TP
.B headlight trace bank \-o bank.safetensors
Writes every stage of the computation.
.TP
.B headlight train repeat \-\-steps 500 \-o repeat.headlight
Trains a small model.
.SH "SEE ALSO"
The menu Help of the window has a glossary of every term, and a page with every key.
)";

} // namespace

QString manualPage() {
    QString text = QString(".\\\" Printed by `headlight \\-\\-print man`.\n"
                           ".TH HEADLIGHT 1 \"%1\" \"headlight %2\" \"User Commands\"\n"
                           ".SH NAME\n")
                       .arg(HEADLIGHT_RELEASE_DATE, HEADLIGHT_VERSION);
    text += kBeginning;
    QString commands = ".SH COMMANDS\n", options = ".SH OPTIONS\n";
    for (const Command command : allCommands()) {
        const bool isWindow = command == Command::Window;
        text += (isWindow ? "" : ".br\n") + synopsisOf(command) + '\n';
        commands += ".TP\n" + synopsisOf(command) + '\n' + inTroff(helpOf(command).meaning) + '\n';
        options += QString(".SS \"%1\"\n")
                       .arg(isWindow ? "The window" : "headlight " + commandWord(command));
        for (const Option &option : optionsOf(command))
            options += entryOf(option);
        options += ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint the help\n";
        if (isWindow)
            options += ".TP\n\\fB\\-v\\fR, \\fB\\-\\-version\\fR\nprint the version\n";
    }
    return text + kDescription + commands + options + kEnd;
}

} // namespace headlight::app
