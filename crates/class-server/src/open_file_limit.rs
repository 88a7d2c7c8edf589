//! Raises the limit of open files, which also limits the number of connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Number of open files that the server needs for all its connections, the pages and the files
/// of a window. The default is 1,024 on most desktops, and 256 on macOS.
const REQUIRED_OPEN_FILES: u64 = 8192;

/// Raises the soft limit of this process to [`REQUIRED_OPEN_FILES`], or to the hard limit if that
/// is lower. Ignores errors: the server then has fewer connections.
pub(super) fn raise_open_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    if let Some(raised) = raised_limit(&limit) {
        let _ = setrlimit(Resource::Nofile, raised);
    }
}

/// Returns the raised limit, or `None` if the limit is high enough or cannot be raised.
fn raised_limit(limit: &Rlimit) -> Option<Rlimit> {
    // `None` means unlimited.
    let current = limit.current?;
    let target =
        limit.maximum.map_or(REQUIRED_OPEN_FILES, |maximum| maximum.min(REQUIRED_OPEN_FILES));
    (target > current).then_some(Rlimit { current: Some(target), maximum: limit.maximum })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_is_raised_but_never_lowered() {
        for (current, maximum, expected) in [
            (Some(1024), Some(1_048_576), Some(REQUIRED_OPEN_FILES)),
            (Some(256), None, Some(REQUIRED_OPEN_FILES)),
            (Some(1024), Some(4096), Some(4096)),
            (Some(4096), Some(4096), None),
            (Some(65_536), Some(1_048_576), None),
            (None, None, None),
        ] {
            let raised = raised_limit(&Rlimit { current, maximum });
            let expected = expected.map(|expected| Rlimit { current: Some(expected), maximum });
            assert_eq!(raised, expected, "{current:?} of {maximum:?}");
        }
    }

    #[test]
    fn a_running_server_has_the_raised_limit() {
        raise_open_file_limit();
        assert!(raised_limit(&getrlimit(Resource::Nofile)).is_none());
    }
}
