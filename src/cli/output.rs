//! Writing to the standard output.

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
