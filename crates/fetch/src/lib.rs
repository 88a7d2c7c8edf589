//! Files of `assets/` that a native program embeds, and a browser fetches when they are first
//! needed.
//!
//! The crate that uses a file declares it by [`fetched_file`]. In a browser, the program requests
//! it here, and the browser host polls the requests and stores the bytes.

#![forbid(unsafe_code)]

mod file_bytes;
#[cfg(any(target_arch = "wasm32", test))]
mod requests;

pub use file_bytes::FileBytes;
#[cfg(any(target_arch = "wasm32", test))]
pub use requests::{finished_count, request, store_result, take_requests};

/// A file of `assets/`.
#[derive(Clone, Copy, Debug)]
pub struct FetchedFile {
    /// Path below `assets/`.
    pub path: &'static str,
    /// Whether a browser fetches the file.
    pub is_fetched: bool,
    embedded: Option<&'static [u8]>,
}

/// Declares a [`FetchedFile`] by the folder `assets`, relative to the crate's, and the path below
/// it.
#[cfg(not(target_arch = "wasm32"))]
#[macro_export]
macro_rules! fetched_file {
    ($assets:literal, $path:literal) => {
        $crate::embedded_file!($assets, $path).fetched_by_browsers()
    };
}

/// Declares a [`FetchedFile`] by the folder `assets`, relative to the crate's, and the path below
/// it.
#[cfg(target_arch = "wasm32")]
#[macro_export]
macro_rules! fetched_file {
    ($assets:literal, $path:literal) => {
        $crate::FetchedFile::fetched($path)
    };
}

/// Declares a [`FetchedFile`] that browsers embed too, because every page needs it at once.
/// Arguments as for [`fetched_file`].
#[macro_export]
macro_rules! embedded_file {
    ($assets:literal, $path:literal) => {
        $crate::FetchedFile::embedded(
            $path,
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $assets, "/", $path)),
        )
    };
}

impl FetchedFile {
    /// Creates a file that every program embeds.
    pub const fn embedded(path: &'static str, bytes: &'static [u8]) -> Self {
        Self { path, is_fetched: false, embedded: Some(bytes) }
    }

    /// Marks an embedded file as one that browsers fetch.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub const fn fetched_by_browsers(self) -> Self {
        Self { is_fetched: true, ..self }
    }

    /// Creates a file that has to be fetched.
    #[cfg(target_arch = "wasm32")]
    pub const fn fetched(path: &'static str) -> Self {
        Self { path, is_fetched: true, embedded: None }
    }

    /// Returns the bytes. In a browser, requests the file if it is not loaded.
    pub fn request(&self) -> FileBytes {
        match self.embedded {
            Some(bytes) => FileBytes::Loaded(bytes),
            #[cfg(target_arch = "wasm32")]
            None => requests::request(self.path),
            #[cfg(not(target_arch = "wasm32"))]
            None => FileBytes::Failed(format!("there is no file {}", self.path)),
        }
    }

    /// Returns the bytes without requesting the file. Returns `None` if it is not loaded.
    pub fn if_loaded(&self) -> Option<&'static [u8]> {
        #[cfg(target_arch = "wasm32")]
        return self.embedded.or_else(|| requests::if_loaded(self.path));
        #[cfg(not(target_arch = "wasm32"))]
        self.embedded
    }
}

/// Returns the reason for which a file could not be fetched. Returns `None` if fetching it has not
/// failed, and always in a native program.
pub fn failure(path: &str) -> Option<String> {
    #[cfg(target_arch = "wasm32")]
    return requests::failure(path);
    #[cfg(not(target_arch = "wasm32"))]
    {
        let _ = path;
        None
    }
}

/// Returns whether fonts are being fetched. Always `false` in a native program.
pub fn is_any_font_pending() -> bool {
    #[cfg(target_arch = "wasm32")]
    return requests::is_any_pending("fonts/");
    #[cfg(not(target_arch = "wasm32"))]
    false
}

/// Returns whether any files are being fetched. Always `false` in a native program.
pub fn is_any_pending() -> bool {
    #[cfg(target_arch = "wasm32")]
    return requests::is_any_pending("");
    #[cfg(not(target_arch = "wasm32"))]
    false
}

/// Requests a file again that could not be fetched.
pub fn try_again(path: &'static str) {
    #[cfg(target_arch = "wasm32")]
    requests::try_again(path);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = path;
}
