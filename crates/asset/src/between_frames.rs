//! Long work in a browser, which has no threads for it: some milliseconds at a
//! time, with frames in between.

use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_futures::js_sys::{Date, Promise};

use super::progress::Paced;
use super::{ModelOpening, ModelSource, OpenError, Rig, TaskProgress};

/// What a piece may take, in milliseconds: a frame comes in between in time.
const SPEND_MS: f64 = 10.0;
/// Numbers in the first piece; the others are as large as time allows.
const FIRST: usize = 40_000;
/// Numbers in the smallest piece.
const LEAST: usize = 4_000;

/// Lets the browser draw, and take what the reader does.
pub async fn pause() {
    let soon = Promise::new(&mut |resolve, _| {
        if let Some(window) = web_sys::window() {
            // Where there are no timers, the promise stays open, and so does the work.
            let _ = window.set_timeout_with_callback(&resolve);
        }
    });
    let _ = JsFuture::from(soon).await;
}

/// Does all of it.
pub async fn finish<T>(mut work: Paced<T>) -> T {
    let mut numbers = FIRST;
    let mut began = Date::now();
    loop {
        let piece = Date::now();
        if let Some(done) = work.advance(numbers) {
            return done;
        }
        let now = Date::now();
        numbers = next_piece(numbers, now - piece);
        if now - began >= SPEND_MS {
            pause().await;
            began = Date::now();
        }
    }
}

/// Reads a model.
///
/// Errors: [`OpenError`].
pub async fn open(source: &ModelSource, progress: &TaskProgress) -> Result<Rig, OpenError> {
    finish(ModelOpening::new(source, progress).into_paced()).await
}

/// Numbers of a piece that comes after one that took so many milliseconds.
fn next_piece(numbers: usize, took_ms: f64) -> usize {
    // The clock of some browsers counts whole milliseconds.
    let wanted = numbers as f64 * (0.5 * SPEND_MS) / took_ms.max(1.0);
    (wanted as usize).clamp(LEAST, 2 * numbers)
}
