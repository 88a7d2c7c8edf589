//! The files of `assets/` that the program needs at run time, by their path below that folder.
//!
//! A native program embeds all of them. A browser build embeds only the fonts of every page, and
//! fetches the others when they are first needed.

#![forbid(unsafe_code)]

#[cfg(any(target_arch = "wasm32", test))]
mod fetched_files;
mod shipped_file;

#[cfg(any(target_arch = "wasm32", test))]
pub use fetched_files::{arrivals, arrived, take_wanted};
pub use shipped_file::Shipped;

/// The typeset formulas of the built-in lessons. Generated for browsers only, so it is not a file
/// of `assets/`. See `lesson::FormulaTable`.
pub const FORMULAS_FILE: &str = "formulas.txt";

macro_rules! bytes {
    ($path:literal) => {
        include_bytes!(concat!(env!("BINDPOSE_ASSETS"), "/", $path)).as_slice()
    };
}

type EmbeddedFile = (&'static str, &'static [u8]);

/// Files that native and browser builds embed, because every page needs them at once.
const BUILT_IN: &[EmbeddedFile] = &[
    ("fonts/Inter-Regular.ttf", bytes!("fonts/Inter-Regular.ttf")),
    ("fonts/Inter-SemiBold.ttf", bytes!("fonts/Inter-SemiBold.ttf")),
    ("fonts/Phosphor-subset.ttf", bytes!("fonts/Phosphor-subset.ttf")),
];

macro_rules! fetched {
    ($($path:literal),* $(,)?) => {
        /// The files that a browser build fetches, and a native program embeds.
        pub const FETCHED: &[&str] = &[$($path),*];

        #[cfg(not(target_arch = "wasm32"))]
        const EMBEDDED: &[EmbeddedFile] = &[$(($path, bytes!($path))),*];
    };
}

fetched!(
    "fonts/Inter-Italic.ttf",
    "fonts/Inter-SemiBoldItalic.ttf",
    "fonts/JetBrainsMonoNL-Regular.ttf",
    "fonts/JetBrainsMonoNL-Bold.ttf",
    "fonts/Inter-Supplement.ttf",
    "fonts/JetBrainsMonoNL-Supplement.ttf",
    "fonts/KaTeX_Main-Regular.ttf",
    "fonts/KaTeX_Main-Bold.ttf",
    "fonts/KaTeX_Main-Italic.ttf",
    "fonts/KaTeX_Math-Italic.ttf",
    "fonts/KaTeX_Math-BoldItalic.ttf",
    "fonts/KaTeX_AMS-Regular.ttf",
    "fonts/KaTeX_Size1-Regular.ttf",
    "fonts/KaTeX_Size2-Regular.ttf",
    "fonts/KaTeX_Size3-Regular.ttf",
    "fonts/KaTeX_Size4-Regular.ttf",
    "fonts/KaTeX_Caligraphic-Regular.ttf",
    "licences/third-party.txt",
    "models/whale/whale.glb",
);

/// The files that a browser fetches before it opens the notebook. Text would be laid out anew if
/// these fonts arrived later. The layout of formulas does not depend on whether their fonts are
/// loaded.
pub const PRELOADED_FILES: &[&str] = &[
    FORMULAS_FILE,
    "fonts/Inter-Italic.ttf",
    "fonts/JetBrainsMonoNL-Regular.ttf",
    "fonts/JetBrainsMonoNL-Bold.ttf",
];

/// Returns a file by its path below `assets/`. In a browser, requests it if it is not loaded.
pub fn file(path: &'static str) -> Shipped {
    if let Some(bytes) = find_embedded(BUILT_IN, path) {
        return Shipped::Here(bytes);
    }
    #[cfg(target_arch = "wasm32")]
    return fetched_files::file(path);
    #[cfg(not(target_arch = "wasm32"))]
    match find_embedded(EMBEDDED, path) {
        Some(bytes) => Shipped::Here(bytes),
        None => Shipped::Failed(format!("there is no file {path}")),
    }
}

fn find_embedded(files: &[EmbeddedFile], path: &str) -> Option<&'static [u8]> {
    files.iter().find(|(name, _)| *name == path).map(|&(_, bytes)| bytes)
}

/// Returns the reason for which a file could not be fetched. Returns `None` if fetching it has not
/// failed, and always in a native program.
pub fn failure(path: &str) -> Option<String> {
    #[cfg(target_arch = "wasm32")]
    return fetched_files::failure(path);
    #[cfg(not(target_arch = "wasm32"))]
    {
        let _ = path;
        None
    }
}

/// Returns whether fonts are being fetched. Always `false` in a native program.
pub fn are_faces_coming() -> bool {
    #[cfg(target_arch = "wasm32")]
    return fetched_files::is_any_coming("fonts/");
    #[cfg(not(target_arch = "wasm32"))]
    false
}

/// Returns whether any files are being fetched. Always `false` in a native program.
pub fn is_any_coming() -> bool {
    #[cfg(target_arch = "wasm32")]
    return fetched_files::is_any_coming("");
    #[cfg(not(target_arch = "wasm32"))]
    false
}

/// Requests a file again that could not be fetched.
pub fn try_again(path: &'static str) {
    #[cfg(target_arch = "wasm32")]
    fetched_files::try_again(path);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = path;
}

/// Returns the bytes of a file without requesting it. Returns `None` if it is not loaded.
pub fn if_here(path: &'static str) -> Option<&'static [u8]> {
    #[cfg(target_arch = "wasm32")]
    return find_embedded(BUILT_IN, path).or_else(|| fetched_files::if_here(path));
    #[cfg(not(target_arch = "wasm32"))]
    file(path).bytes()
}
