//! Numbers that nobody else has.

use std::io;

/// One of them.
///
/// Fails when the system gives no random numbers.
pub(super) fn random() -> io::Result<u64> {
    let mut bits = [0; 8];
    getrandom::fill(&mut bits).map_err(io::Error::from)?;
    Ok(u64::from_le_bytes(bits))
}
