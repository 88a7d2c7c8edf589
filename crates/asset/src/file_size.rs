//! How long a file of numbers may be that is no model: weights, or an engine's numbers.

use bindpose_diagnostic::Diagnostic;

const MOST_MIB: usize = 256;

/// Refuses longer ones.
///
/// Errors: what was expected and found, with `help`: what to do instead.
pub fn checked_size(bytes: &[u8], help: &str) -> Result<(), Diagnostic> {
    if bytes.len() <= MOST_MIB << 20 {
        return Ok(());
    }
    let found = format!("{} bytes", bytes.len());
    Err(Diagnostic::expected(format!("at most {MOST_MIB} MiB"), found).help(help))
}
