//! How many files and connections this program may have open at once.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Every connection that the server takes, the pages, and what a window has open. Shells of
/// desktops begin with 1,024, on a Mac with 256.
const NEEDED: u64 = 8192;

/// Raises the limit of this process as far as the system allows and the server needs it. A
/// refusal is no failure: fewer browsers are served at once.
pub(super) fn raise_open_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    if let Some(raised) = raised_limit(&limit) {
        let _ = setrlimit(Resource::Nofile, raised);
    }
}

/// Returns `None` if the limit is high enough, or can't be raised.
fn raised_limit(limit: &Rlimit) -> Option<Rlimit> {
    // Absent: without limit.
    let current = limit.current?;
    let wanted = limit.maximum.map_or(NEEDED, |maximum| maximum.min(NEEDED));
    (wanted > current).then_some(Rlimit { current: Some(wanted), maximum: limit.maximum })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_raised_to_what_is_needed_and_allowed() {
        let raised = |current, maximum| {
            let raised = raised_limit(&Rlimit { current, maximum });
            raised.map(|limit| {
                assert_eq!(limit.maximum, maximum, "the hard limit stays");
                limit.current.unwrap()
            })
        };
        assert_eq!(raised(Some(1024), Some(1_048_576)), Some(NEEDED));
        assert_eq!(raised(Some(256), None), Some(NEEDED));
        assert_eq!(raised(Some(1024), Some(4096)), Some(4096));
        assert_eq!(raised(Some(4096), Some(4096)), None);
        assert_eq!(raised(Some(65_536), Some(1_048_576)), None, "never lowered");
        assert_eq!(raised(None, None), None);
    }

    /// Other tests of this process need no more than they had.
    #[test]
    fn a_running_server_has_the_raised_limit() {
        raise_open_file_limit();
        assert!(raised_limit(&getrlimit(Resource::Nofile)).is_none());
    }
}
