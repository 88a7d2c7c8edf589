//! Executes long work in a browser, which has no threads for it: a few milliseconds at a
//! time, with frames in between.

use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_futures::js_sys::{Date, Promise};

use super::progress::Paced;
use super::{ModelOpening, ModelSource, OpenError, Rig, TaskProgress};

/// Work between two pauses, in milliseconds. Short enough not to delay a frame.
const MAX_WORK_MS: f64 = 10.0;
/// Numbers in the first piece. The size of later ones depends on the time it took.
const FIRST_PIECE_NUMBERS: usize = 40_000;
/// Numbers in the smallest piece.
const MIN_PIECE_NUMBERS: usize = 4_000;

/// Yields to the browser, so that it can draw and process input.
pub async fn pause() {
    let timeout = Promise::new(&mut |resolve, _| {
        if let Some(window) = web_sys::window() {
            // Without timers the promise never resolves, and the work never continues.
            let _ = window.set_timeout_with_callback(&resolve);
        }
    });
    let _ = JsFuture::from(timeout).await;
}

/// Executes a task to its end, with pauses.
pub async fn finish<T>(mut work: Paced<T>) -> T {
    let mut numbers = FIRST_PIECE_NUMBERS;
    let mut last_pause = Date::now();
    loop {
        let start = Date::now();
        if let Some(done) = work.advance(numbers) {
            return done;
        }
        let now = Date::now();
        numbers = next_piece_numbers(numbers, now - start);
        if now - last_pause >= MAX_WORK_MS {
            pause().await;
            last_pause = Date::now();
        }
    }
}

/// Opens a model, with pauses. See [`super::open`].
///
/// # Errors
///
/// Returns an [`OpenError`] for the same reasons as [`super::open`].
pub async fn open(source: &ModelSource, progress: &TaskProgress) -> Result<Rig, OpenError> {
    finish(ModelOpening::new(source, progress).into_paced()).await
}

/// Computes the size of the next piece from the size and the duration of the last one.
fn next_piece_numbers(numbers: usize, elapsed_ms: f64) -> usize {
    // The clock of some browsers has a resolution of one millisecond.
    let wanted = numbers as f64 * (0.5 * MAX_WORK_MS) / elapsed_ms.max(1.0);
    (wanted as usize).clamp(MIN_PIECE_NUMBERS, 2 * numbers)
}
