//! The font faces of the page, and the families by which they are named.

use std::sync::Arc;

use eframe::egui::{FontData, FontDefinitions, FontFamily};

use bindpose_fetch::{FetchedFile, embedded_file, fetched_file};

/// Font families besides those of egui.
pub mod family {
    use eframe::egui::FontFamily;

    use super::face;

    pub fn strong() -> FontFamily {
        FontFamily::Name("strong".into())
    }
    pub fn italic() -> FontFamily {
        FontFamily::Name("italic".into())
    }
    pub fn strong_italic() -> FontFamily {
        request_face("strong-italic");
        FontFamily::Name("strong-italic".into())
    }
    pub fn mono_strong() -> FontFamily {
        request_face("mono-strong");
        FontFamily::Name("mono-strong".into())
    }
    pub fn text(strong: bool) -> FontFamily {
        if strong { super::family::strong() } else { FontFamily::Proportional }
    }
    pub fn mono(strong: bool) -> FontFamily {
        if strong { mono_strong() } else { FontFamily::Monospace }
    }
    pub fn icons() -> FontFamily {
        FontFamily::Name("icons".into())
    }
    /// Returns the family of a mathematics face.
    pub fn mathematics(name: &str) -> FontFamily {
        request_face(name);
        FontFamily::Name(name.into())
    }

    /// Requests a face that a browser has not loaded yet.
    fn request_face(name: &str) {
        let _ = face(name);
    }
}

/// Font ids besides egui's `FontId::proportional` and `FontId::monospace`. Sizes are in
/// points.
pub mod font {
    use eframe::egui::FontId;

    use super::family;

    pub fn strong(size: f32) -> FontId {
        FontId::new(size, family::strong())
    }
    pub fn text(size: f32, strong: bool) -> FontId {
        FontId::new(size, family::text(strong))
    }
    pub fn mono_strong(size: f32) -> FontId {
        mono(size, true)
    }
    pub fn mono(size: f32, strong: bool) -> FontId {
        FontId::new(size, family::mono(strong))
    }
    pub fn icon(size: f32) -> FontId {
        FontId::new(size, family::icons())
    }

    /// Returns the width of monospaced text, in points.
    pub fn mono_width(char_count: usize, size: f32) -> f32 {
        char_count as f32 * size * 0.6
    }
}

/// Names of the faces, and their files. The mathematics faces have the names that `RaTeX` uses.
static FACES: [(&str, FetchedFile); 20] = [
    ("regular", embedded_file!("../../assets", "fonts/Inter-Regular.ttf")),
    ("strong", embedded_file!("../../assets", "fonts/Inter-SemiBold.ttf")),
    ("italic", fetched_file!("../../assets", "fonts/Inter-Italic.ttf")),
    ("strong-italic", fetched_file!("../../assets", "fonts/Inter-SemiBoldItalic.ttf")),
    ("mono", fetched_file!("../../assets", "fonts/JetBrainsMonoNL-Regular.ttf")),
    ("mono-strong", fetched_file!("../../assets", "fonts/JetBrainsMonoNL-Bold.ttf")),
    ("icons", embedded_file!("../../assets", "fonts/Phosphor-subset.ttf")),
    ("supplement", fetched_file!("../../assets", "fonts/Inter-Supplement.ttf")),
    ("mono-supplement", fetched_file!("../../assets", "fonts/JetBrainsMonoNL-Supplement.ttf")),
    ("Main-Regular", fetched_file!("../../assets", "fonts/KaTeX_Main-Regular.ttf")),
    ("Main-Bold", fetched_file!("../../assets", "fonts/KaTeX_Main-Bold.ttf")),
    ("Main-Italic", fetched_file!("../../assets", "fonts/KaTeX_Main-Italic.ttf")),
    ("Math-Italic", fetched_file!("../../assets", "fonts/KaTeX_Math-Italic.ttf")),
    ("Math-BoldItalic", fetched_file!("../../assets", "fonts/KaTeX_Math-BoldItalic.ttf")),
    ("AMS-Regular", fetched_file!("../../assets", "fonts/KaTeX_AMS-Regular.ttf")),
    ("Size1-Regular", fetched_file!("../../assets", "fonts/KaTeX_Size1-Regular.ttf")),
    ("Size2-Regular", fetched_file!("../../assets", "fonts/KaTeX_Size2-Regular.ttf")),
    ("Size3-Regular", fetched_file!("../../assets", "fonts/KaTeX_Size3-Regular.ttf")),
    ("Size4-Regular", fetched_file!("../../assets", "fonts/KaTeX_Size4-Regular.ttf")),
    ("Caligraphic-Regular", fetched_file!("../../assets", "fonts/KaTeX_Caligraphic-Regular.ttf")),
];

/// Returns the names of the mathematics faces, and their paths below `assets`.
pub fn mathematics() -> impl Iterator<Item = (&'static str, &'static str)> {
    FACES.iter().map(|(name, file)| (*name, file.path)).filter(|(_, path)| path.contains("KaTeX"))
}

/// Returns the files of all faces.
pub fn face_files() -> impl Iterator<Item = &'static FetchedFile> {
    FACES.iter().map(|(_, file)| file)
}

/// Returns the file of a face by its name, such as `regular` for text.
///
/// Returns `None` if there is no such face or a browser has not loaded it. In the second case
/// the face is requested.
pub fn face(name: &str) -> Option<&'static [u8]> {
    let (_, file) = FACES.iter().find(|(other, _)| *other == name)?;
    file.request().loaded()
}

/// Returns all loaded faces as families, each with its fallback faces.
///
/// Does not request missing faces. That is done by [`face`], where they are used.
pub fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, file) in &FACES {
        if let Some(data) = file.if_loaded() {
            let data = Arc::new(FontData::from_static(data));
            fonts.font_data.insert((*name).to_owned(), data);
        }
        fonts.families.insert(FontFamily::Name((*name).into()), with_fallbacks(name));
    }
    // Removes the faces that are not loaded.
    for faces in fonts.families.values_mut() {
        faces.retain(|face| fonts.font_data.contains_key(face));
    }
    for (family, name) in [(FontFamily::Proportional, "regular"), (FontFamily::Monospace, "mono")] {
        let faces = fonts.families[&FontFamily::Name(name.into())].clone();
        fonts.families.insert(family, faces);
    }
    fonts
}

/// Requests the faces with the characters that no lesson contains, but that a reader's own
/// text or model may.
pub fn request_supplementary_faces() {
    for name in ["supplement", "mono-supplement"] {
        let _ = face(name);
    }
}

/// Returns a face and its fallbacks: the regular face of the same widths, which also replaces
/// a bold one that is not loaded, then the text faces, then the icons.
fn with_fallbacks(name: &str) -> Vec<String> {
    let (regular, supplement) = match name {
        "mono" | "mono-strong" => ("mono", "mono-supplement"),
        "strong-italic" => ("strong", "supplement"),
        _ => ("regular", "supplement"),
    };
    let mut faces = vec![name.to_owned()];
    let fallbacks =
        [regular, "regular", "mono", "icons", supplement, "mono-supplement", "Main-Regular"];
    for fallback in fallbacks {
        if !faces.iter().any(|face| face == fallback) {
            faces.push(fallback.to_owned());
        }
    }
    faces
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use skrifa::{FontRef, MetadataProvider as _};

    use super::face;

    /// A browser loads the supplements later than the lessons.
    #[test]
    fn lessons_need_no_character_of_the_supplements() {
        let lessons = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lessons");
        let folders = fs::read_dir(lessons).expect("the lessons");
        let files = folders.flat_map(|folder| {
            ["lesson.md", "notes.md", "inventory.toml"]
                .map(|name| folder.as_ref().expect("a lesson").path().join(name))
        });
        let text: String = files.filter_map(|file| fs::read_to_string(file).ok()).collect();
        let characters: BTreeSet<char> = text.chars().collect();
        assert!(characters.contains(&'−'));
        for name in ["supplement", "mono-supplement"] {
            let supplement = FontRef::new(face(name).expect("it is loaded")).expect("a face");
            let charmap = supplement.charmap();
            assert!(charmap.map('ж').is_some() || charmap.map('ő').is_some());
            let needed: String =
                characters.iter().filter(|character| charmap.map(**character).is_some()).collect();
            assert_eq!(needed, "", "{name}");
        }
    }
}
