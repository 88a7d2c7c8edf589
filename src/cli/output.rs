//! Writing to the standard streams.

use std::io::{self, BufWriter, Write};

use super::Failure;

/// Gives `write` the locked standard output. A reader that has gone away, as
/// `head` does, is not a failure.
pub(super) fn to_stdout(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::failed(
            format_args!("the output could not be written: {error}"),
        )),
        _ => Ok(()),
    }
}

/// A line that begins with the program's name, on the standard error stream.
pub(super) fn to_stderr(line: &str) {
    // A closed one cannot be told of.
    let _ = writeln!(io::stderr().lock(), "bindpose: {line}");
}
