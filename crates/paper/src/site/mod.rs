//! The notebook as a web site: a folder of files that any web server can serve under any path, or a
//! single file that opens without a server. Each page is text first, which the notebook replaces.
//!
//! This module needs neither egui nor OpenGL: the caller passes in colors, fonts, pictures and the
//! output of wasm-bindgen. Equal inputs give equal bytes.
//!
//! # How a page of the site opens
//!
//! The page of a lesson starts as text. `handout` writes each step with the id `step=slug`, which
//! equals the fragment of its address, so that the browser scrolls to it by itself. `text.js`
//! tracks how far the reader scrolls, and the notebook opens at that step. Pictures load when they
//! scroll into view; on a slow connection the first one is visible long before the notebook.
//! `start.js` puts the notebook on a canvas over the text and then hides the text. Formulas are SVG
//! from the notebook's own layout with one outline per glyph and page, so they look the same in
//! every browser and need no font; lesson 20 is 30 kB gzipped with its style sheet. Scripts and the
//! program have content hashes in their names. Pages have not, so browsers revalidate them.
//!
//! `offline.js`, the service worker, caches everything except pictures and the part of the program
//! that only a class needs, under a version computed from all pages. A new version is cached beside
//! the current one. It becomes active when no page is open, or when the reader confirms it in the
//! line that `updates.js` shows. Assets of the same name are copied from the old cache and not
//! fetched again. Responses marked `no-store`, such as the page by which students join a class, are
//! not cached, and addresses with `?class=` are left to the network.

mod assets;
mod folder;
mod front_page;
mod lesson_page;
mod single_file;
mod template;

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::LessonSet;

use crate::handout::{HandoutLook, PictureSource, site_style};

pub use folder::folder;
pub use single_file::one_file;

/// Name of the part of the program that only a class needs, among the fetched files.
pub const CLASS_PART_FILE_NAME: &str = "bindpose-class.wasm";

/// Description of the site in search results and link previews.
const DESCRIPTION: &str = "How joints move a mesh, in lessons whose every number can be dragged: \
                           bind pose, weights, joint matrices, glTF.";

const ICON_SVG: &str = include_str!("../../../../assets/icon/bindpose.svg");

/// Modules that `start.js` imports besides the glue code, by their names in its template.
const MODULES: [(&str, &str); 6] = [
    ("class", include_str!("../../../../web/page/class.js")),
    ("failure", include_str!("../../../../web/page/failure.js")),
    ("frames", include_str!("../../../../web/page/frames.js")),
    ("links", include_str!("../../../../web/page/links.js")),
    ("loading", include_str!("../../../../web/page/loading.js")),
    ("reading", include_str!("../../../../web/page/reading.js")),
];

/// The inputs from which a site is built.
pub struct SiteParts<'a> {
    /// The lessons.
    pub set: &'a LessonSet,
    /// Colors, and the fonts of formulas.
    pub look: HandoutLook,
    /// Looks up a built-in rig by its id.
    pub rigs: &'a dyn Fn(&str) -> Option<Arc<Rig>>,
    /// The pictures of cells.
    pub pictures: &'a mut dyn PictureSource,
    /// Address of the published site, such as `https://example.org/skinning/`. Link previews and
    /// the sitemap need absolute URLs, and are omitted if it is `None`.
    pub url: Option<String>,
    /// Picture on the front page, if any.
    pub front: Option<FrontPicture>,
    /// The notebook as WebAssembly.
    pub program: SiteProgram,
    /// Files that the program fetches when it first needs them: path below `assets/`, and content.
    pub fetched: Vec<(String, Vec<u8>)>,
    /// Paths of the files in `fetched` that pages load before the program runs.
    pub preloaded: &'a [&'a str],
}

/// The notebook for browsers, as written by wasm-bindgen.
pub struct SiteProgram {
    /// Content of `bindpose_bg.wasm`.
    pub wasm: Vec<u8>,
    /// Content of `bindpose.js`, the JavaScript glue code.
    pub glue: String,
}

/// A picture of the notebook, in both themes.
pub struct FrontPicture {
    /// PNG file of the light theme.
    pub light: Vec<u8>,
    /// PNG file of the dark theme.
    pub dark: Vec<u8>,
    /// Width and height of both files, in pixels.
    pub size: [u32; 2],
    /// Text alternative for screen readers.
    pub words: String,
}

/// A file of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// Path from the root of the site, such as `20-bind-pose/index.html`.
    pub path: String,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

/// Returns the style sheet of all pages.
fn page_style(look: &HandoutLook) -> String {
    site_style(look) + include_str!("../../../../web/page/page.css")
}
