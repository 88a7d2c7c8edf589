//! The files that a browser fetches at run time.
//!
//! The program requests them here. The browser host polls the requests and stores the bytes.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::file_bytes::FileBytes;

struct FetchedFiles {
    states: BTreeMap<&'static str, FetchState>,
    /// Number of finished fetches, including failed ones.
    finished_count: u64,
}

enum FetchState {
    Requested,
    Fetching,
    Loaded(&'static [u8]),
    /// Holds the reason as a sentence.
    Failed(String),
}

static FETCHED_FILES: Mutex<FetchedFiles> =
    Mutex::new(FetchedFiles { states: BTreeMap::new(), finished_count: 0 });

fn lock() -> MutexGuard<'static, FetchedFiles> {
    FETCHED_FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the bytes of a file. Requests it if it is not loaded.
pub fn request(path: &'static str) -> FileBytes {
    match lock().states.entry(path).or_insert(FetchState::Requested) {
        FetchState::Requested | FetchState::Fetching => FileBytes::Pending,
        FetchState::Loaded(bytes) => FileBytes::Loaded(bytes),
        FetchState::Failed(reason) => FileBytes::Failed(reason.clone()),
    }
}

/// Returns the bytes of a file if it is loaded. Does not request it.
pub(super) fn if_loaded(path: &str) -> Option<&'static [u8]> {
    match lock().states.get(path) {
        Some(FetchState::Loaded(bytes)) => Some(bytes),
        _ => None,
    }
}

/// Takes the requests for files. The caller must fetch these, and report each result to
/// [`store_result`].
pub fn take_requests() -> Vec<&'static str> {
    let mut requested = Vec::new();
    for (path, state) in &mut lock().states {
        if matches!(state, FetchState::Requested) {
            *state = FetchState::Fetching;
            requested.push(*path);
        }
    }
    requested
}

/// Stores the result of fetching a file: its bytes, which are never freed, or the reason for the
/// failure as a sentence.
pub fn store_result(path: &'static str, bytes: Result<Vec<u8>, String>) {
    let mut files = lock();
    let state = match bytes {
        Ok(bytes) => FetchState::Loaded(bytes.leak()),
        Err(reason) => FetchState::Failed(reason),
    };
    files.states.insert(path, state);
    files.finished_count += 1;
}

/// Returns the number of finished fetches, including failed ones.
pub fn finished_count() -> u64 {
    lock().finished_count
}

/// Returns whether files whose paths start with `prefix` are requested or being fetched.
pub(super) fn is_any_pending(prefix: &str) -> bool {
    lock().states.iter().any(|(path, state)| {
        matches!(state, FetchState::Requested | FetchState::Fetching) && path.starts_with(prefix)
    })
}

pub(super) fn failure(path: &str) -> Option<String> {
    match lock().states.get(path) {
        Some(FetchState::Failed(reason)) => Some(reason.clone()),
        _ => None,
    }
}

/// Requests a file again if fetching it failed.
pub(super) fn try_again(path: &'static str) {
    if let Some(state @ FetchState::Failed(_)) = lock().states.get_mut(path) {
        *state = FetchState::Requested;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_requested_once_and_available_when_loaded() {
        let path = "fonts/of a test";
        let before = finished_count();
        assert!(if_loaded(path).is_none() && take_requests().is_empty());
        assert_eq!(request(path), FileBytes::Pending);
        assert_eq!(take_requests(), [path]);
        assert_eq!(request(path), FileBytes::Pending);
        assert!(take_requests().is_empty());
        assert!(is_any_pending("fonts/of a") && !is_any_pending("models/of a"));
        store_result(path, Err("no network".to_owned()));
        assert_eq!(request(path), FileBytes::Failed("no network".to_owned()));
        assert_eq!(failure(path).as_deref(), Some("no network"));
        try_again(path);
        assert_eq!(take_requests(), [path]);
        store_result(path, Ok(vec![1, 2]));
        assert_eq!(request(path).loaded(), Some([1, 2].as_slice()));
        assert_eq!(if_loaded(path), Some([1, 2].as_slice()));
        try_again(path);
        assert!(take_requests().is_empty() && failure(path).is_none());
        assert_eq!(finished_count(), before + 2);
    }
}
