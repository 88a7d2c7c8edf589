//! Numbers that nobody else has.

use std::io;

/// Digits of a number that pages keep, whose programs know no longer ones.
const BITS: u32 = 53;

/// One of them.
///
/// Fails when the system gives no random numbers.
pub(super) fn random() -> io::Result<u64> {
    let mut bits = [0; 8];
    getrandom::fill(&mut bits).map_err(io::Error::from)?;
    Ok(u64::from_le_bytes(bits) >> (u64::BITS - BITS))
}
