//! The notebook as a site: a folder of files that any web server can hand out, under
//! any path, or one file that opens without a server. Each page of it is text first,
//! and the notebook takes its place.
//!
//! No egui and no GL: colours, faces and pictures are handed in, as is what
//! wasm-bindgen wrote. Equal parts make equal bytes.
//!
//! # How a page of the site opens
//!
//! The page of a lesson is text first: `handout` writes each step with the id
//! `step=slug`, which is what the address says, so a browser scrolls there by itself.
//! `text.js` follows the reader on (the notebook opens where they are by then). Pictures
//! come when they are in sight: on slow data the first stands long before the notebook.
//! `start.js` puts the notebook on a canvas over the text and then hides that. Formulas
//! are SVG from the notebook's own layout, each glyph once a page: no browser differs,
//! no face is fetched, and lesson 20 is 30 kB gzipped with its style. Scripts and the
//! program are named by their content; the pages are not, and hosts are asked for them
//! again.
//!
//! `offline.js`, the service worker, keeps all but the pictures and the part of the program
//! that runs in a class, under the version that the pages have together. A new version is
//! kept beside the one in use and takes over when no page is open, or when the reader says
//! so in the line that `updates.js` shows; assets of the same name are taken over, not
//! fetched again. It keeps nothing that its server marks `no-store`, such as the page by which
//! a class is joined, and leaves addresses with `?class=` to the network.

mod folder;
mod template;

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::LessonSet;

use crate::handout::{HandoutLook, Pictures};

pub use folder::{folder, one_file};
pub use template::SiteFile;

/// The part of the program that runs in a class alone, by its name among what is fetched.
pub const CLASS_PART: &str = "bindpose-class.wasm";

/// What a site is made of.
pub struct SiteParts<'a> {
    /// The lessons.
    pub set: &'a LessonSet,
    /// Colours, and faces of the formulas.
    pub look: HandoutLook,
    /// Looks up a built-in rig by its id.
    pub rigs: &'a dyn Fn(&str) -> Option<Arc<Rig>>,
    /// Where pictures of cells come from.
    pub pictures: &'a mut dyn Pictures,
    /// Where the site will be, `https://example.org/skinning/`: for previews of links and
    /// the list of pages for search engines, which take whole addresses. Absent: without.
    pub url: Option<String>,
    /// For the page of the contents; absent: it goes without.
    pub front: Option<FrontPicture>,
    /// The notebook.
    pub program: SiteProgram,
    /// What the program fetches when it is first needed: path below `assets/`, and
    /// bytes.
    pub fetched: Vec<(String, Vec<u8>)>,
}

/// The notebook for browsers, as wasm-bindgen wrote it.
pub struct SiteProgram {
    /// `bindpose_bg.wasm`
    pub wasm: Vec<u8>,
    /// `bindpose.js`, which joins it to JavaScript.
    pub glue: String,
}

/// A page of the notebook, in both themes.
pub struct FrontPicture {
    /// A PNG file.
    pub light: Vec<u8>,
    /// A PNG file.
    pub dark: Vec<u8>,
    /// Both are of this size, in pixels.
    pub size: [u32; 2],
    /// What it shows, for those who do not see it.
    pub words: String,
}
