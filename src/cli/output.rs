//! Writing to the standard streams. Nothing that comes out of a file reaches a
//! terminal as a command to it.

use std::io::{self, BufWriter, IsTerminal as _, Write};

use bindpose_diagnostic::{is_obeyed, printable};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::Failure;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
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
) -> impl TypedValueParser<Value = Form> {
    PossibleValuesParser::new(names).map(|name| match &*name {
        "json" => Form::Json,
        "csv" => Form::Csv,
        _ => Form::Text,
    })
}

/// Gives `write` the locked standard output. A reader that has gone away, as
/// `head` does, is not a failure.
pub(super) fn to_stdout(
    form: Form,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let out = io::stdout().lock();
    let as_it_is = form == Form::Csv && !out.is_terminal();
    let mut out = BufWriter::new(out);
    let written =
        if as_it_is { write(&mut out) } else { write(&mut Escaping { out: &mut out, form }) };
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(format_args!("the output could not be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// What was found: all of it for programs, its sentences for reading.
pub(super) fn findings_to_stdout<'a>(
    form: Form,
    found: &impl Serialize,
    mut findings: impl Iterator<Item = &'a str>,
) -> Result<(), Failure> {
    to_stdout(form, |out| match form {
        Form::Json => {
            serde_json::to_writer_pretty(&mut *out, found)?;
            writeln!(out)
        }
        Form::Csv | Form::Text => findings.try_for_each(|finding| writeln!(out, "{finding}")),
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
        let (out, form) = (io::stderr().lock(), Form::Text);
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
    form: Form,
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
        if self.form != Form::Json {
            return write!(self.out, "{}", c.escape_unicode());
        }
        let mut units = [0; 2];
        let mut units = c.encode_utf16(&mut units).iter();
        units.try_for_each(|unit| write!(self.out, "\\u{unit:04x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(form: Form, text: &str) -> String {
        let mut out = Vec::new();
        write!(Escaping { out: &mut out, form }, "{text}").unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn text_and_json_escape_each_in_its_own_way() {
        let evil = "a\u{9b}\t\u{202e}\n\u{e0041}z";
        assert_eq!(shown(Form::Text, evil), "a\\u{9b}\t\\u{202e}\n\\u{e0041}z");
        let json = serde_json::to_string(evil).unwrap();
        let safe = shown(Form::Json, &json);
        assert_eq!(safe, r#""a\u009b\t\u202e\n\udb40\udc41z""#);
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), evil);
    }
}
