//! Does the reader open it? A file that does not open has an error that says
//! why.

use super::catalog::container::CANNOT_OPEN;
use super::findings::Findings;
use crate::asset::{Source, read_gltf};

/// Adds what the reader stumbles over, unless the examination has found the
/// cause already.
pub(super) fn examine(source: &Source, found: &mut Findings) {
    if found.any_error() {
        return;
    }
    let beside = |path: &str| source.beside(path).map(|bytes| bytes.to_vec());
    if let Err(error) = read_gltf(&source.main, &beside) {
        // The reader also names parts of the file that are not in its JSON.
        let pointer = if error.path.starts_with('/') {
            error.path.as_str()
        } else {
            ""
        };
        let told = (error.expected, error.found);
        found.add_with_remedy(&CANNOT_OPEN, pointer, told, error.remedy);
    }
}
