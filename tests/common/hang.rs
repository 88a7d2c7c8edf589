//! What must end, on a thread of its own: a hang is told by name instead of
//! holding all tests up.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// No measure of speed: on a busy machine everything takes longer than one would
/// think, and only what never ends takes this long.
const PATIENCE: Duration = Duration::from_mins(5);

/// The answer of `work`.
///
/// # Panics
/// When it panics, or does not end.
pub(crate) fn must_end<T: Send + 'static>(
    what: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    let (send, answer) = channel();
    let worker = thread::spawn(move || {
        // Nobody waits any more once patience is at its end.
        let _ = send.send(work());
    });
    match answer.recv_timeout(PATIENCE) {
        Ok(answer) => answer,
        Err(RecvTimeoutError::Timeout) => panic!("{what} does not end"),
        Err(RecvTimeoutError::Disconnected) => match worker.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => unreachable!("it answers before it ends"),
        },
    }
}
