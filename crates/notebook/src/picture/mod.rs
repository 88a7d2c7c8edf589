//! Decodes the pictures of lessons at the size at which they are shown: on a worker thread,
//! or by the browser.

mod encoded;
#[cfg(target_arch = "wasm32")]
mod in_browser;
#[cfg(not(target_arch = "wasm32"))]
mod on_worker;

use bindpose_gltf::{Image, Task};

pub use encoded::EncodedPicture;

impl EncodedPicture {
    /// Starts to decode the picture at a size in pixels, with straight alpha. Calls `then` at
    /// the end. The task returns a description of the mistake if the picture cannot be
    /// decoded.
    pub fn start(
        &self,
        size_px: [u32; 2],
        then: impl FnOnce() + Send + 'static,
    ) -> Task<Result<Image, String>> {
        let picture = self.clone();
        #[cfg(not(target_arch = "wasm32"))]
        return Task::start("picture", move |_| on_worker::decode_picture(&picture, size_px), then);
        #[cfg(target_arch = "wasm32")]
        Task::between_frames(
            async move |_| in_browser::decode_picture(&picture, size_px).await,
            then,
        )
    }

    /// Decodes the picture at a size in pixels, on the current thread.
    ///
    /// # Errors
    ///
    /// Returns a description of the mistake if the picture cannot be decoded.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn pixels(&self, size_px: [u32; 2]) -> Result<Image, String> {
        on_worker::decode_picture(self, size_px)
    }
}
