//! Limits on the memory and the work that a file may cause.
//!
//! A file declares sizes in a few bytes and can declare anything. Therefore memory is
//! charged to a budget before it is allocated, and elements before they are read.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use bindpose_diagnostic::Diagnostic;

/// Memory limit for a model if the free memory of the machine is unknown.
const MAX_MEMORY_BYTES: u64 = 1 << 30;
/// Numbers that any file may cause to be read.
const BASE_MAX_NUMBERS: u64 = 1 << 27;
/// Additional numbers per byte of the file, because its parts may be used several times.
const MAX_NUMBERS_PER_BYTE: u64 = 4;

/// Memory and numbers that a file may still use.
#[derive(Debug)]
pub(super) struct FileBudget {
    bytes: BudgetAllowance,
    numbers: BudgetAllowance,
}

#[derive(Debug)]
struct BudgetAllowance {
    unit: BudgetUnit,
    max: u64,
    left: Cell<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BudgetUnit {
    Bytes,
    Numbers,
}

/// Error of a file that needs more than its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OverBudget {
    unit: BudgetUnit,
    max: u64,
    wanted: u64,
}

impl FileBudget {
    /// Creates the budget of a model whose files have `source_bytes` together. The memory
    /// limit is half of the machine's free memory at most, unless the user has set one.
    pub(super) fn new(source_bytes: usize) -> Self {
        let extra_numbers = MAX_NUMBERS_PER_BYTE.saturating_mul(source_bytes as u64);
        let max_numbers = BASE_MAX_NUMBERS.saturating_add(extra_numbers);
        Self {
            bytes: BudgetAllowance::new(BudgetUnit::Bytes, memory_cap(MAX_MEMORY_BYTES, 2)),
            numbers: BudgetAllowance::new(BudgetUnit::Numbers, max_numbers),
        }
    }

    /// Charges memory for `count` items of `bytes` each.
    pub(super) fn hold(&self, count: usize, bytes: usize) -> Result<(), OverBudget> {
        self.bytes.charge((count as u64).saturating_mul(bytes as u64))
    }

    /// Charges the reading of `count` elements of `numbers` numbers each.
    pub(super) fn read(&self, count: usize, numbers: usize) -> Result<(), OverBudget> {
        self.numbers.charge((count as u64).saturating_mul(numbers as u64))
    }
}

impl BudgetAllowance {
    fn new(unit: BudgetUnit, max: u64) -> Self {
        Self { unit, max, left: Cell::new(max) }
    }

    fn charge(&self, wanted: u64) -> Result<(), OverBudget> {
        let left = self.left.get();
        match left.checked_sub(wanted) {
            Some(rest) => {
                self.left.set(rest);
                Ok(())
            }
            None => Err(OverBudget {
                unit: self.unit,
                max: self.max,
                wanted: (self.max - left).saturating_add(wanted),
            }),
        }
    }
}

impl OverBudget {
    /// Returns the expectation for the error message.
    pub(super) fn expected(&self) -> String {
        match self.unit {
            BudgetUnit::Bytes => format!("a model that takes at most {}", Mebibytes(self.max)),
            BudgetUnit::Numbers => format!("at most {} numbers to read", self.max),
        }
    }

    /// Returns the finding for the error message.
    pub(super) fn found(&self) -> String {
        match self.unit {
            BudgetUnit::Bytes => format!("{} with this", Mebibytes(self.wanted)),
            BudgetUnit::Numbers => format!("{} with these", self.wanted),
        }
    }

    /// Returns the remedy for the error message.
    pub(super) fn remedy(&self) -> &'static str {
        match self.unit {
            BudgetUnit::Bytes => {
                "open a smaller model, close other programs, or allow more with --memory"
            }
            BudgetUnit::Numbers => {
                "the file names the same data over and over; open a smaller model"
            }
        }
    }
}

struct Mebibytes(u64);

impl fmt::Display for Mebibytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB", self.0.div_ceil(1 << 20))
    }
}

/// Memory limit set by the user, in bytes. 0 if none is set.
static MEMORY_CAP_BYTES: AtomicU64 = AtomicU64::new(0);

/// Sets the memory limit for models loaded from now on, in bytes. Replaces the limit that
/// depends on the free memory of the machine.
pub fn set_memory_cap(bytes: u64) {
    MEMORY_CAP_BYTES.store(bytes, Ordering::Relaxed);
}

/// Returns the limit set by the user. If there is none, returns `max_bytes` or the free
/// memory divided by `divisor`, whichever is less.
pub(super) fn memory_cap(max_bytes: u64, divisor: u64) -> u64 {
    match MEMORY_CAP_BYTES.load(Ordering::Relaxed) {
        0 => available_bytes().map_or(max_bytes, |free| max_bytes.min(free / divisor)),
        cap => cap,
    }
}

/// Returns the bytes that can be allocated without swapping. Returns `None` if the system
/// does not report them.
#[cfg(target_os = "linux")]
fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(not(target_os = "linux"))]
fn available_bytes() -> Option<u64> {
    None
}

/// Limit for a file of weights, or of numbers of an engine.
const MAX_NUMBERS_FILE_MIB: usize = 256;

/// Checks the size of a file of numbers that is no model.
///
/// # Errors
///
/// Returns a [`Diagnostic`] with `help` as its remedy if the file has more than 256 MiB.
pub fn checked_size(bytes: &[u8], help: &str) -> Result<(), Diagnostic> {
    if bytes.len() <= MAX_NUMBERS_FILE_MIB << 20 {
        return Ok(());
    }
    let found = format!("{} bytes", bytes.len());
    Err(Diagnostic::expected(format!("at most {MAX_NUMBERS_FILE_MIB} MiB"), found).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_charge_reports_both_numbers_and_is_not_counted() {
        let budget = FileBudget {
            bytes: BudgetAllowance::new(BudgetUnit::Bytes, 3 << 20),
            numbers: BudgetAllowance::new(BudgetUnit::Numbers, 10),
        };
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
