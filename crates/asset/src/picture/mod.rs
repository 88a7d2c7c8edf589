//! Pictures of lessons as pixels, in the size in which they are shown: decoded and
//! drawn on a worker, or by the browser.

mod encoded;
#[cfg(target_arch = "wasm32")]
mod in_browser;
#[cfg(not(target_arch = "wasm32"))]
mod on_worker;

use super::{Image, Task};
pub use encoded::EncodedPicture;

impl EncodedPicture {
    /// Begins to make its pixels, straight alpha, in this size; `then` is called when
    /// they are there. The answer says in words why there are none.
    pub fn start(
        &self,
        size_px: [u32; 2],
        then: impl FnOnce() + Send + 'static,
    ) -> Task<Result<Image, String>> {
        let picture = self.clone();
        #[cfg(not(target_arch = "wasm32"))]
        return Task::start("picture", move |_| on_worker::pixels(&picture, size_px), then);
        #[cfg(target_arch = "wasm32")]
        Task::between_frames(async move |_| in_browser::pixels(&picture, size_px).await, then)
    }

    /// As [`Self::start`], at once.
    ///
    /// Errors: in words: why there are no pixels.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn pixels(&self, size_px: [u32; 2]) -> Result<Image, String> {
        on_worker::pixels(self, size_px)
    }
}
