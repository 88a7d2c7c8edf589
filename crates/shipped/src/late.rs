//! Files that come later: which are wanted, and what became of them. Whoever can
//! fetch looks here for what is wanted, and puts the bytes here.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::shipped_file::Shipped;

#[derive(Default)]
struct Late {
    files: BTreeMap<&'static str, LateState>,
    arrivals: u64,
}

enum LateState {
    Wanted,
    Fetching,
    Here(&'static [u8]),
    Failed(String),
}

static LATE: Mutex<Late> = Mutex::new(Late { files: BTreeMap::new(), arrivals: 0 });

fn late() -> MutexGuard<'static, Late> {
    LATE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn file(path: &'static str) -> Shipped {
    match late().files.entry(path).or_insert(LateState::Wanted) {
        LateState::Wanted | LateState::Fetching => Shipped::Coming,
        LateState::Here(bytes) => Shipped::Here(bytes),
        LateState::Failed(why) => Shipped::Failed(why.clone()),
    }
}

/// Without asking for it.
pub(super) fn if_here(path: &str) -> Option<&'static [u8]> {
    match late().files.get(path) {
        Some(LateState::Here(bytes)) => Some(bytes),
        _ => None,
    }
}

/// Files that were asked for and that nobody fetches yet; from now on the caller
/// does.
pub fn take_wanted() -> Vec<&'static str> {
    let mut late = late();
    let wanted = late.files.iter_mut().filter_map(|(path, state)| {
        matches!(state, LateState::Wanted).then(|| {
            *state = LateState::Fetching;
            *path
        })
    });
    wanted.collect()
}

/// What came of fetching a file: its bytes, which stay as long as the program, or
/// in words why there are none.
pub fn arrived(path: &'static str, bytes: Result<Vec<u8>, String>) {
    let mut late = late();
    let state = match bytes {
        Ok(bytes) => LateState::Here(bytes.leak()),
        Err(why) => LateState::Failed(why),
    };
    late.files.insert(path, state);
    late.arrivals += 1;
}

/// How many came so far, those included that failed.
pub fn arrivals() -> u64 {
    late().arrivals
}

/// Are files on their way whose paths begin so?
pub(super) fn is_any_coming(begin: &str) -> bool {
    let coming = |state: &LateState| matches!(state, LateState::Wanted | LateState::Fetching);
    let late = late();
    let mut files = late.files.iter().map(|(path, state)| (*path, coming(state)));
    files.any(|(path, coming)| coming && path.starts_with(begin))
}

pub(super) fn failure(path: &str) -> Option<String> {
    match late().files.get(path) {
        Some(LateState::Failed(why)) => Some(why.clone()),
        _ => None,
    }
}

/// What failed is wanted again.
pub(super) fn try_again(path: &'static str) {
    let mut late = late();
    if let Some(state @ LateState::Failed(_)) = late.files.get_mut(path) {
        *state = LateState::Wanted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_wanted_once_and_is_here_when_it_has_come() {
        let (path, before) = ("fonts/of a test", arrivals());
        assert!(if_here(path).is_none() && take_wanted().is_empty());
        assert_eq!(file(path), Shipped::Coming);
        assert_eq!(take_wanted(), [path]);
        assert_eq!(file(path), Shipped::Coming);
        assert!(take_wanted().is_empty());
        assert!(is_any_coming("fonts/of a") && !is_any_coming("models/of a"));
        arrived(path, Err("no network".to_owned()));
        assert_eq!(file(path), Shipped::Failed("no network".to_owned()));
        assert_eq!(failure(path).as_deref(), Some("no network"));
        try_again(path);
        assert_eq!(take_wanted(), [path]);
        arrived(path, Ok(vec![1, 2]));
        assert_eq!(file(path).bytes(), Some([1, 2].as_slice()));
        assert_eq!(if_here(path), Some([1, 2].as_slice()));
        try_again(path);
        assert!(take_wanted().is_empty() && failure(path).is_none());
        assert_eq!(arrivals(), before + 2);
    }
}
