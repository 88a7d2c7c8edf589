//! A file of a site.

/// A file of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// From the folder of the site: `20-bind-pose/index.html`.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}
