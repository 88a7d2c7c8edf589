//! Copies of settings files that could not be read.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// Keeps these bytes of a file beside it, under a name that nothing has; under
/// that of an earlier copy where it holds the same.
pub(super) fn set_aside(file: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let mut number = 1_u64;
    loop {
        let ending = match number {
            1 => "json.unreadable".to_owned(),
            _ => format!("json.unreadable-{number}"),
        };
        let aside = file.with_extension(ending);
        match fs::OpenOptions::new().write(true).create_new(true).open(&aside) {
            Ok(mut copy) => {
                copy.write_all(bytes)?;
                copy.sync_all()?;
                return Ok(aside);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if fs::read(&aside).is_ok_and(|kept| kept == bytes) {
                    return Ok(aside);
                }
                number += 1;
            }
            Err(error) => return Err(error),
        }
    }
}
