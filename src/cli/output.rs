//! Output of commands: text on the standard streams, files, and failures with their exit codes.
//!
//! Text is escaped so that the content of a file cannot send control sequences to a terminal.
//!
//! Files follow the same rules in all commands: an existing file is replaced only with `--force`,
//! the folder must exist, and the extension must fit the content. Devices and pipes may have any
//! name.

use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bindpose_diagnostic::{Diagnostic, Place, is_obeyed, printable};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use crate::app::{HandoutError, ShotError, folder_of, is_stream, write_file};

/// The syntax of a command's output, which determines how control characters are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputForm {
    /// Text for people. Control characters are written as Rust escapes.
    Text,
    /// Control characters are written as JSON escapes.
    Json,
    /// CSV has no escapes. It is escaped as text on a terminal, and not at all elsewhere.
    Csv,
}

/// Returns a parser for the `--format` option with the given values.
pub(super) fn output_form<const N: usize>(
    names: [&'static str; N],
) -> impl TypedValueParser<Value = OutputForm> {
    PossibleValuesParser::new(names).map(|name| match &*name {
        "json" => OutputForm::Json,
        "csv" => OutputForm::Csv,
        _ => OutputForm::Text,
    })
}

/// Writes to standard output. A closed pipe, such as `head` leaves, is not a failure.
pub(super) fn write_to_stdout(
    form: OutputForm,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CommandFailure> {
    let stdout = io::stdout().lock();
    let is_raw = form == OutputForm::Csv && !stdout.is_terminal();
    let mut out = BufWriter::new(stdout);
    let result =
        if is_raw { write(&mut out) } else { write(&mut EscapingWriter { out: &mut out, form }) };
    match result.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CommandFailure::failed(format_args!("the output could not be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes pretty-printed JSON and a newline.
pub(super) fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Writes a report to standard output: all of it as JSON, or its findings as lines of text.
pub(super) fn write_findings_to_stdout<'a>(
    form: OutputForm,
    report: &impl Serialize,
    findings: impl Iterator<Item = &'a str>,
) -> Result<(), CommandFailure> {
    write_to_stdout(form, |out| {
        if form == OutputForm::Json {
            return write_json(out, report);
        }
        for finding in findings {
            writeln!(out, "{finding}")?;
        }
        Ok(())
    })
}

/// Prints a line to standard error, after the name of the program.
pub(super) fn print_to_stderr(line: &str) {
    // If standard error is closed, the failure cannot be reported anywhere.
    let _ = writeln!(io::stderr().lock(), "bindpose: {line}");
}

/// Prints an error in the arguments, or the help if that was requested.
pub(super) fn print_usage(error: &clap::Error) {
    // If the stream is closed, the failure cannot be reported anywhere.
    let _ = if error.use_stderr() {
        // The error quotes arguments, and a shell may have expanded these to names of files.
        let mut out = EscapingWriter { out: io::stderr().lock(), form: OutputForm::Text };
        write!(out, "{}", error.render())
    } else {
        error.print()
    };
}

/// Starts logging to standard error, for this program and its dependencies.
pub(super) fn start_log() {
    // rfd warns if the system has no file dialog. The window reports that itself.
    let filter = env_logger::Env::default().default_filter_or("warn,rfd=off");
    let mut log = env_logger::Builder::from_env(filter);
    log.format(|out, record| {
        let text = record.args().to_string();
        let lines: Vec<_> = text.lines().map(printable).collect();
        let text = lines.join("\n    ");
        writeln!(out, "[{:<5} {}] {text}", record.level(), record.target())
    });
    log.init();
}

/// Escapes control characters other than newlines and tabs. Each call of `write` must get whole
/// characters.
struct EscapingWriter<W> {
    out: W,
    form: OutputForm,
}

fn is_escaped(c: char) -> bool {
    is_obeyed(c) && !matches!(c, '\n' | '\t')
}

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let mut rest = &*text;
        while let Some(index) = rest.find(is_escaped) {
            self.out.write_all(&rest.as_bytes()[..index])?;
            let mut chars = rest[index..].chars();
            if let Some(c) = chars.next() {
                self.write_escape(c)?;
            }
            rest = chars.as_str();
        }
        self.out.write_all(rest.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> EscapingWriter<W> {
    fn write_escape(&mut self, c: char) -> io::Result<()> {
        if self.form != OutputForm::Json {
            return write!(self.out, "{}", c.escape_unicode());
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(self.out, "\\u{unit:04x}")?;
        }
        Ok(())
    }
}

/// The reason why the exit code of a command is not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandFailure {
    /// The command succeeded and has already reported that something is wrong.
    Findings,
    /// The command failed. The error is printed before the program exits.
    Cannot(Box<Diagnostic>),
}

impl CommandFailure {
    pub(super) fn cannot(wrong: impl Into<Diagnostic>) -> Self {
        Self::Cannot(Box::new(wrong.into()))
    }

    /// Creates the failure for an invalid argument, given as the user typed it: `--set b0=x`.
    pub(super) fn argument(argument: impl Into<String>, wrong: Diagnostic) -> Self {
        Self::cannot(wrong.at(Place::Argument(argument.into())))
    }

    pub(super) fn failed(error: impl std::fmt::Display) -> Self {
        Self::cannot(Diagnostic::said("FAILED", error.to_string()))
    }

    /// Returns [`Self::Findings`] if the command has reported findings.
    pub(super) fn if_found(has_findings: bool) -> Result<(), Self> {
        if has_findings { Err(Self::Findings) } else { Ok(()) }
    }

    pub(super) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Findings => 1,
            Self::Cannot(_) => 2,
        })
    }
}

impl From<ShotError> for CommandFailure {
    fn from(error: ShotError) -> Self {
        Self::failed(error)
    }
}

impl From<HandoutError> for CommandFailure {
    fn from(error: HandoutError) -> Self {
        match error {
            HandoutError::Lessons(wrong) => Self::cannot(wrong),
            other => Self::failed(other),
        }
    }
}

/// A file that a command is going to write.
pub(super) struct OutputFile {
    path: PathBuf,
    /// Whether to replace an existing file.
    replace: bool,
}

impl OutputFile {
    /// Validates the path before the command does any work. `extensions` are without their dot.
    pub(super) fn new(
        path: impl Into<PathBuf>,
        replace: bool,
        extensions: &[&str],
    ) -> Result<Self, CommandFailure> {
        let file = Self { path: path.into(), replace };
        if is_stream(&file.path) {
            return Ok(file);
        }
        let extension = file.path.extension().unwrap_or_default();
        if !extensions.iter().any(|allowed| extension.eq_ignore_ascii_case(allowed)) {
            let endings: Vec<String> =
                extensions.iter().map(|extension| format!(".{extension}")).collect();
            let expected = format!("a name that ends in {}", endings.join(" or "));
            let wrong = Diagnostic::expected(expected, "");
            return Err(CommandFailure::argument(file.path.display().to_string(), wrong));
        }
        if !folder_of(&file.path).is_dir() {
            return Err(file.write_failure(&ErrorKind::NotFound.into()));
        }
        if !replace && file.path.symlink_metadata().is_ok() {
            return Err(file.write_failure(&ErrorKind::AlreadyExists.into()));
        }
        Ok(file)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), CommandFailure> {
        write_file(&self.path, bytes, self.replace).map_err(|error| self.write_failure(&error))
    }

    fn write_failure(&self, error: &io::Error) -> CommandFailure {
        let file = self.path.display();
        let folder = folder_of(&self.path).display();
        let wrong = match error.kind() {
            ErrorKind::AlreadyExists => {
                Diagnostic::said("FILE_EXISTS", format!("{file} is there already"))
                    .help("name another file, or add --force")
            }
            ErrorKind::NotFound => {
                Diagnostic::said("NO_FOLDER", format!("there is no folder {folder} for {file}"))
                    .help("make it first, or name another")
            }
            _ => Diagnostic::said("IO_ERROR", format!("{file} was not written: {error}")),
        };
        CommandFailure::cannot(wrong)
    }
}

/// Prints the path and size of a file that was written.
pub(super) fn print_written_file(path: &Path, bytes: usize) -> Result<(), CommandFailure> {
    write_to_stdout(OutputForm::Text, |stdout| {
        writeln!(stdout, "{} ({} KiB)", path.display(), bytes.div_ceil(1024))
    })
}

/// Creates a folder for output files unless it exists. Its parent must exist.
pub(super) fn create_folder(folder: &Path) -> Result<(), CommandFailure> {
    match std::fs::create_dir(folder) {
        Err(error) if !folder.is_dir() => {
            let title = format!("the folder {} was not made: {error}", folder.display());
            Err(CommandFailure::cannot(Diagnostic::said("NO_FOLDER", title)))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escape(form: OutputForm, text: &str) -> String {
        let mut out = Vec::new();
        write!(EscapingWriter { out: &mut out, form }, "{text}").unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn text_and_json_have_their_own_escapes() {
        let evil = "a\u{9b}\t\u{202e}\n\u{e0041}z";
        assert_eq!(escape(OutputForm::Text, evil), "a\\u{9b}\t\\u{202e}\n\\u{e0041}z");
        let json = serde_json::to_string(evil).unwrap();
        let safe = escape(OutputForm::Json, &json);
        assert_eq!(safe, r#""a\u009b\t\u202e\n\udb40\udc41z""#);
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), evil);
    }
}
