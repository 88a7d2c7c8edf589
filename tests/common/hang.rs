//! Runs code that may hang on a thread of its own, so that a hang fails one test and does not block
//! all.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Generous, because it must distinguish a hang from a busy machine.
const TIMEOUT: Duration = Duration::from_mins(5);

/// Returns the result of `work`.
///
/// # Panics
///
/// Panics if `work` panics or does not end. `what` names it in the message.
pub(crate) fn must_end<T: Send + 'static>(
    what: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    let (send, answer) = channel();
    let worker = thread::spawn(move || {
        // After the timeout nobody receives.
        let _ = send.send(work());
    });
    match answer.recv_timeout(TIMEOUT) {
        Ok(answer) => answer,
        Err(RecvTimeoutError::Timeout) => panic!("{what} does not end"),
        Err(RecvTimeoutError::Disconnected) => match worker.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => unreachable!("it answers before it ends"),
        },
    }
}
