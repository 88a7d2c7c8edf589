//! Pictures: their headers were read with the lesson; here they are decoded too.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{OutlinePlace, PictureCell, PictureContent};

use super::checker::Checker;

impl Checker<'_> {
    /// Tells of files whose pixels cannot be made.
    pub(super) fn picture_cell(
        &mut self,
        place: OutlinePlace,
        cell: &PictureCell,
        key_at: &dyn Fn(&str) -> LineColumn,
    ) {
        let dark = cell.dark.as_ref().map(|dark| ("dark", dark));
        for (key, file) in [("file", &cell.file)].into_iter().chain(dark) {
            let why = file.content.as_ref().and_then(why_undrawn);
            if let Some(why) = why {
                let title = format!("`{}` cannot be shown: {why}", file.name);
                let wrong = Diagnostic::said("INVALID_PICTURE", title);
                self.error_in(place, key_at(key), wrong.help("save the picture again"));
            }
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn why_undrawn(content: &PictureContent) -> Option<String> {
    /// Pixels of the longer side of a picture that nobody sees.
    const SIDE: f32 = 64.0;
    let [width, height] = content.size;
    let scale = SIDE / width.max(height);
    let picture = crate::encoded_picture(content);
    let size_px = picture.pixels_for([width * scale, height * scale]);
    picture.pixels(size_px).err()
}

/// Nothing is checked in a browser, which decodes pictures itself.
#[cfg(target_arch = "wasm32")]
fn why_undrawn(_: &PictureContent) -> Option<String> {
    None
}
