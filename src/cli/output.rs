//! What a command gives: text on the standard streams, files, and how it ends when it does
//! not end well. Nothing that comes out of a file reaches a terminal as a command to it.
//!
//! Files are written by one rule: what is there stays without `--force`, the folder must be
//! there, and the name must end as the content asks for. Devices and pipes may have any name.

use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bindpose_diagnostic::{Diagnostic, Place, is_obeyed, printable};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use crate::app::{HandoutError, ShotError, folder_of, is_stream, write_file};

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputForm {
    /// For reading.
    Text,
    /// What a terminal would obey is escaped as JSON does it.
    Json,
    /// CSV has no escapes: as it is, but on a terminal for reading.
    Csv,
}

/// Reads `--format`, of which these are the names.
pub(super) fn form<const N: usize>(
    names: [&'static str; N],
) -> impl TypedValueParser<Value = OutputForm> {
    PossibleValuesParser::new(names).map(|name| match &*name {
        "json" => OutputForm::Json,
        "csv" => OutputForm::Csv,
        _ => OutputForm::Text,
    })
}

/// Gives `write` the locked standard output. A reader that has gone away, as
/// `head` does, is not a failure.
pub(super) fn to_stdout(
    form: OutputForm,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CommandFailure> {
    let out = io::stdout().lock();
    let as_it_is = form == OutputForm::Csv && !out.is_terminal();
    let mut out = BufWriter::new(out);
    let written =
        if as_it_is { write(&mut out) } else { write(&mut Escaping { out: &mut out, form }) };
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CommandFailure::failed(format_args!("the output could not be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// What was found: all of it for programs, its sentences for reading.
pub(super) fn findings_to_stdout<'a>(
    form: OutputForm,
    found: &impl Serialize,
    mut findings: impl Iterator<Item = &'a str>,
) -> Result<(), CommandFailure> {
    to_stdout(form, |out| match form {
        OutputForm::Json => {
            serde_json::to_writer_pretty(&mut *out, found)?;
            writeln!(out)
        }
        OutputForm::Csv | OutputForm::Text => {
            findings.try_for_each(|finding| writeln!(out, "{finding}"))
        }
    })
}

/// A line that begins with the program's name, on the standard error stream.
pub(super) fn to_stderr(line: &str) {
    // A closed one cannot be told of.
    let _ = writeln!(io::stderr().lock(), "bindpose: {line}");
}

/// What is wrong with the arguments, which a shell may have made of the names of
/// files; or the help that was asked for.
pub(super) fn print_usage(error: &clap::Error) {
    // A closed stream cannot be told of.
    let _ = if error.use_stderr() {
        let (out, form) = (io::stderr().lock(), OutputForm::Text);
        write!(Escaping { out, form }, "{}", error.render())
    } else {
        error.print()
    };
}

/// Begins to write what is logged, by this program and by what it is made of, to
/// the standard error stream.
pub(super) fn start_log() {
    // That a system has no file dialog is said in the window.
    let filter = env_logger::Env::default().default_filter_or("warn,rfd=off");
    let mut log = env_logger::Builder::from_env(filter);
    log.format(|out, record| {
        let text = record.args().to_string();
        let lines: Vec<_> = text.lines().map(printable).collect();
        let (level, from) = (record.level(), record.target());
        writeln!(out, "[{level:<5} {from}] {}", lines.join("\n    "))
    });
    log.init();
}

/// Takes whole characters; ends of lines and tabs stay.
struct Escaping<W> {
    out: W,
    form: OutputForm,
}

fn is_escaped(c: char) -> bool {
    is_obeyed(c) && !matches!(c, '\n' | '\t')
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let mut rest = &*text;
        while let Some(at) = rest.find(is_escaped) {
            let (plain, from) = rest.split_at(at);
            self.out.write_all(plain.as_bytes())?;
            let mut chars = from.chars();
            if let Some(c) = chars.next() {
                self.escape(c)?;
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

impl<W: Write> Escaping<W> {
    fn escape(&mut self, c: char) -> io::Result<()> {
        if self.form != OutputForm::Json {
            return write!(self.out, "{}", c.escape_unicode());
        }
        let mut units = [0; 2];
        let mut units = c.encode_utf16(&mut units).iter();
        units.try_for_each(|unit| write!(self.out, "\\u{unit:04x}"))
    }
}

/// Why a command does not end with 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandFailure {
    /// It did what was asked and found something wrong, which is said already.
    Findings,
    /// What was asked cannot be done.
    Cannot(Box<Diagnostic>),
}

impl CommandFailure {
    pub(super) fn cannot(wrong: impl Into<Diagnostic>) -> Self {
        Self::Cannot(Box::new(wrong.into()))
    }

    /// Something is wrong with an argument, written as `--set b0=x`.
    pub(super) fn argument(written: impl Into<String>, wrong: Diagnostic) -> Self {
        Self::cannot(wrong.at(Place::Argument(written.into())))
    }

    pub(super) fn failed(error: impl std::fmt::Display) -> Self {
        Self::cannot(Diagnostic::said("FAILED", error.to_string()))
    }

    /// Something wrong was found, and said.
    pub(super) fn if_found(found: bool) -> Result<(), Self> {
        if found { Err(Self::Findings) } else { Ok(()) }
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

/// A file that will be written.
pub(super) struct WrittenFile {
    path: PathBuf,
    replace: bool,
}

impl WrittenFile {
    /// Refused before any work is done; `endings` without their point.
    pub(super) fn new(
        path: impl Into<PathBuf>,
        replace: bool,
        endings: &[&str],
    ) -> Result<Self, CommandFailure> {
        let file = Self { path: path.into(), replace };
        if is_stream(&file.path) {
            return Ok(file);
        }
        let ending = file.path.extension().unwrap_or_default();
        if !endings.iter().any(|fits| ending.eq_ignore_ascii_case(fits)) {
            let endings: Vec<String> = endings.iter().map(|end| format!(".{end}")).collect();
            let expected = format!("a name that ends in {}", endings.join(" or "));
            let wrong = Diagnostic::expected(expected, "");
            return Err(CommandFailure::argument(file.path.display().to_string(), wrong));
        }
        if !folder_of(&file.path).is_dir() {
            return Err(file.refused(&ErrorKind::NotFound.into()));
        }
        if !replace && file.path.symlink_metadata().is_ok() {
            return Err(file.refused(&ErrorKind::AlreadyExists.into()));
        }
        Ok(file)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), CommandFailure> {
        write_file(&self.path, bytes, self.replace).map_err(|error| self.refused(&error))
    }

    fn refused(&self, error: &std::io::Error) -> CommandFailure {
        let (file, folder) = (self.path.display(), folder_of(&self.path).display());
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

/// Makes a folder for files to write, if it is not there; the folder that it lies
/// in must be there.
pub(super) fn make_folder(folder: &Path) -> Result<(), CommandFailure> {
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

    fn shown(form: OutputForm, text: &str) -> String {
        let mut out = Vec::new();
        write!(Escaping { out: &mut out, form }, "{text}").unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn text_and_json_escape_each_in_its_own_way() {
        let evil = "a\u{9b}\t\u{202e}\n\u{e0041}z";
        assert_eq!(shown(OutputForm::Text, evil), "a\\u{9b}\t\\u{202e}\n\\u{e0041}z");
        let json = serde_json::to_string(evil).unwrap();
        let safe = shown(OutputForm::Json, &json);
        assert_eq!(safe, r#""a\u009b\t\u202e\n\udb40\udc41z""#);
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), evil);
    }
}
