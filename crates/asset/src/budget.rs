//! What a file may make the program hold and do, asked before it happens.
//!
//! Files say how much there is in a few bytes, and may say anything. So memory is
//! counted before it is taken, and elements before they are read or decoded: what
//! does not fit is refused, in both numbers.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use bindpose_diagnostic::Diagnostic;

/// What a model may take where nothing is known about the machine, in bytes.
const MOST_BYTES: u64 = 1 << 30;
/// Numbers that any file may make us read.
const MOST_NUMBERS: u64 = 1 << 27;
/// And for each of its bytes: parts of it may be used several times over.
const NUMBERS_A_BYTE: u64 = 4;

/// What is left of both for the rest of a file.
#[derive(Debug)]
pub(super) struct FileBudget {
    bytes: Account,
    numbers: Account,
}

#[derive(Debug)]
struct Account {
    most: u64,
    left: Cell<u64>,
}

/// More than a file may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OverBudget {
    /// In bytes, or in numbers.
    is_bytes: bool,
    most: u64,
    wanted: u64,
}

impl FileBudget {
    /// For files of `source_bytes` together. No more memory than half of what the
    /// machine has free, unless the user allowed so much.
    pub(super) fn new(source_bytes: usize) -> Self {
        let of_bytes = NUMBERS_A_BYTE.saturating_mul(source_bytes as u64);
        Self::of_numbers(MOST_NUMBERS.saturating_add(of_bytes))
    }

    /// For who reads at most so many numbers, whatever the file.
    pub(super) fn of_numbers(most: u64) -> Self {
        Self { bytes: Account::new(memory_cap(MOST_BYTES, 2)), numbers: Account::new(most) }
    }

    /// Counts `count` things of `bytes` each that are to be held.
    pub(super) fn hold(&self, count: usize, bytes: usize) -> Result<(), OverBudget> {
        let wanted = (count as u64).saturating_mul(bytes as u64);
        self.bytes.take(wanted).map_err(|(most, wanted)| OverBudget {
            is_bytes: true,
            most,
            wanted,
        })
    }

    /// Counts `count` elements of so many numbers that are to be read.
    pub(super) fn read(&self, count: usize, numbers: usize) -> Result<(), OverBudget> {
        let wanted = (count as u64).saturating_mul(numbers as u64);
        self.numbers.take(wanted).map_err(|(most, wanted)| OverBudget {
            is_bytes: false,
            most,
            wanted,
        })
    }
}

impl Account {
    fn new(most: u64) -> Self {
        Self { most, left: Cell::new(most) }
    }

    fn take(&self, wanted: u64) -> Result<(), (u64, u64)> {
        let left = self.left.get();
        let rest = left
            .checked_sub(wanted)
            .ok_or_else(|| (self.most, (self.most - left).saturating_add(wanted)))?;
        self.left.set(rest);
        Ok(())
    }
}

impl OverBudget {
    /// What would have been right.
    pub(super) fn expected(&self) -> String {
        if self.is_bytes {
            format!("a model that takes at most {}", Mebibytes(self.most))
        } else {
            format!("at most {} numbers to read", self.most)
        }
    }

    /// What the file asks for.
    pub(super) fn found(&self) -> String {
        if self.is_bytes {
            format!("{} with this", Mebibytes(self.wanted))
        } else {
            format!("{} with these", self.wanted)
        }
    }

    /// What to do about it.
    pub(super) fn remedy(&self) -> &'static str {
        if self.is_bytes {
            "open a smaller model, close other programs, or allow more with --memory"
        } else {
            "the file names the same data over and over; open a smaller model"
        }
    }
}

struct Mebibytes(u64);

impl fmt::Display for Mebibytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB", self.0.div_ceil(1 << 20))
    }
}

// How much memory a model may take: of what the machine has free, or what the user allows.

/// Bytes that a model may take, as they were asked for; 0 where nothing was.
static CAP: AtomicU64 = AtomicU64::new(0);

/// Lets every model that is read from now on take so many bytes, whatever the
/// machine has free.
pub fn set_memory_cap(bytes: u64) {
    CAP.store(bytes, Ordering::Relaxed);
}

/// What was asked for; else `most`, or one of so many parts of what is free, if
/// that is less.
pub(super) fn memory_cap(most: u64, parts: u64) -> u64 {
    match CAP.load(Ordering::Relaxed) {
        0 => available_bytes().map_or(most, |free| most.min(free / parts)),
        asked => asked,
    }
}

/// Bytes that could be taken without others being pushed out; `None` where the
/// system does not say.
#[cfg(target_os = "linux")]
fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

/// Bytes that could be taken without others being pushed out; `None` where the
/// system does not say.
#[cfg(not(target_os = "linux"))]
fn available_bytes() -> Option<u64> {
    None
}

// How long a file of numbers may be that is no model.

/// What a file of weights, or of an engine’s numbers, may have.
const MOST_MIB: usize = 256;

/// Refuses a longer file of numbers.
///
/// Errors: what was expected and found, with `help`: what to do instead.
pub fn checked_size(bytes: &[u8], help: &str) -> Result<(), Diagnostic> {
    if bytes.len() <= MOST_MIB << 20 {
        return Ok(());
    }
    let found = format!("{} bytes", bytes.len());
    Err(Diagnostic::expected(format!("at most {MOST_MIB} MiB"), found).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_in_both_numbers_and_takes_nothing() {
        let budget = FileBudget { bytes: Account::new(3 << 20), numbers: Account::new(10) };
        budget.hold(1 << 10, 1 << 11).unwrap();
        let over = budget.hold(1 << 11, 1 << 10).unwrap_err();
        assert!(over.expected().contains("3 MiB"), "{over:?}");
        assert!(over.found().contains("4 MiB"), "{over:?}");
        budget.hold(1 << 10, 1 << 10).unwrap();
        assert!(budget.hold(1, 1).is_err());
        assert!(budget.hold(usize::MAX, usize::MAX).is_err());
        budget.read(3, 3).unwrap();
        let over = budget.read(1, 2).unwrap_err();
        assert!(over.expected().contains("10") && over.found().contains("11"), "{over:?}");
        budget.read(1, 1).unwrap();
    }
}
