//! How much memory the machine has free.

/// Bytes that could be taken without others being pushed out; `None` where the
/// system does not say.
#[cfg(target_os = "linux")]
pub(super) fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

/// Bytes that could be taken without others being pushed out; `None` where the
/// system does not say.
#[cfg(not(target_os = "linux"))]
pub(super) fn available_bytes() -> Option<u64> {
    None
}
