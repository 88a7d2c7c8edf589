//! The files of `assets/` that the program needs while it runs, by their path
//! below that folder. A program of its own has all of them in it. A page of a
//! browser has the few that every page needs; the others are asked for when they
//! are first needed, and come later.

#![forbid(unsafe_code)]

#[cfg(any(target_arch = "wasm32", test))]
mod late;
mod shipped_file;

#[cfg(any(target_arch = "wasm32", test))]
pub use late::{arrivals, arrived, take_wanted};
pub use shipped_file::Shipped;

/// The formulas of the built-in lessons, laid out: made for a browser alone, so it
/// is no file of `assets/`. See `lesson::FormulaTable`.
pub const FORMULAS: &str = "formulas.txt";

macro_rules! bytes {
    ($path:literal) => {
        include_bytes!(concat!(env!("BINDPOSE_ASSETS"), "/", $path)).as_slice()
    };
}

/// In the program everywhere: what each page shows before it shows anything else.
const BUILT_IN: &[(&str, &[u8])] = &[
    ("fonts/Inter-Regular.ttf", bytes!("fonts/Inter-Regular.ttf")),
    ("fonts/Inter-SemiBold.ttf", bytes!("fonts/Inter-SemiBold.ttf")),
    ("fonts/Phosphor-subset.ttf", bytes!("fonts/Phosphor-subset.ttf")),
];

macro_rules! fetched {
    ($($path:literal),* $(,)?) => {
        /// Those that a page of a browser fetches: names below `assets/`.
        pub const FETCHED: &[&str] = &[$($path),*];

        #[cfg(not(target_arch = "wasm32"))]
        const EMBEDDED: &[(&str, &[u8])] = &[$(($path, bytes!($path))),*];
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

/// Those that a browser fetches before the notebook opens: lines would break
/// elsewhere when these faces came later. The parts of formulas stay where they are
/// when their faces come.
pub const FIRST: &[&str] = &[
    FORMULAS,
    "fonts/Inter-Italic.ttf",
    "fonts/JetBrainsMonoNL-Regular.ttf",
    "fonts/JetBrainsMonoNL-Bold.ttf",
];

/// The file of that path below `assets/`. In a browser, asking for one that is not
/// there is asking for it to be fetched.
pub fn file(path: &'static str) -> Shipped {
    let named = |files: &'static [(&str, &[u8])]| {
        let found = files.iter().find(|(known, _)| *known == path);
        found.map(|&(_, bytes)| Shipped::Here(bytes))
    };
    named(BUILT_IN).unwrap_or_else(|| other(path, named))
}

/// In words, why it could not be fetched; `None`: nothing went wrong so far.
pub fn failure(path: &str) -> Option<String> {
    #[cfg(target_arch = "wasm32")]
    return late::failure(path);
    #[cfg(not(target_arch = "wasm32"))]
    {
        // What is in the program cannot fail.
        let _ = path;
        None
    }
}

/// Are faces on their way? Never in a program of its own.
pub fn are_faces_coming() -> bool {
    #[cfg(target_arch = "wasm32")]
    return late::is_any_coming("fonts/");
    #[cfg(not(target_arch = "wasm32"))]
    false
}

/// Are files of any kind on their way? Never in a program of its own.
pub fn is_any_coming() -> bool {
    #[cfg(target_arch = "wasm32")]
    return late::is_any_coming("");
    #[cfg(not(target_arch = "wasm32"))]
    false
}

/// What could not be fetched is fetched again.
pub fn try_again(path: &'static str) {
    #[cfg(target_arch = "wasm32")]
    late::try_again(path);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = path;
}

/// The bytes of the file, without asking for it; `None` where it is not here.
pub fn if_here(path: &'static str) -> Option<&'static [u8]> {
    #[cfg(target_arch = "wasm32")]
    {
        let mut built_in = BUILT_IN.iter().filter(|(known, _)| *known == path);
        let built_in = built_in.next().map(|&(_, bytes)| bytes);
        built_in.or_else(|| late::if_here(path))
    }
    #[cfg(not(target_arch = "wasm32"))]
    file(path).bytes()
}

#[cfg(not(target_arch = "wasm32"))]
fn other(
    path: &'static str,
    named: impl Fn(&'static [(&'static str, &'static [u8])]) -> Option<Shipped>,
) -> Shipped {
    named(EMBEDDED).unwrap_or_else(|| Shipped::Failed(format!("there is no file {path}")))
}

#[cfg(target_arch = "wasm32")]
fn other<N>(path: &'static str, _: N) -> Shipped {
    late::file(path)
}
