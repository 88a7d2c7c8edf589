//! The faces of the page and the families they are called by.

use std::sync::Arc;

use eframe::egui::{FontData, FontDefinitions, FontFamily};

use bindpose_shipped as shipped;

/// Font families beyond egui's two.
pub mod family {
    use eframe::egui::FontFamily;

    use super::face;

    /// Semi-bold.
    pub fn strong() -> FontFamily {
        FontFamily::Name("strong".into())
    }
    /// Italic.
    pub fn italic() -> FontFamily {
        FontFamily::Name("italic".into())
    }
    /// Semi-bold italic.
    pub fn strong_italic() -> FontFamily {
        ask_for("strong-italic");
        FontFamily::Name("strong-italic".into())
    }
    /// Bold monospace.
    pub fn mono_strong() -> FontFamily {
        ask_for("mono-strong");
        FontFamily::Name("mono-strong".into())
    }
    /// Text, bold where it is `strong`.
    pub fn text(strong: bool) -> FontFamily {
        if strong { super::family::strong() } else { FontFamily::Proportional }
    }
    /// Monospace, bold where it is `strong`.
    pub fn mono(strong: bool) -> FontFamily {
        if strong { mono_strong() } else { FontFamily::Monospace }
    }
    /// Icons.
    pub fn icons() -> FontFamily {
        FontFamily::Name("icons".into())
    }
    /// The mathematics face of that name.
    pub fn mathematics(name: &str) -> FontFamily {
        ask_for(name);
        FontFamily::Name(name.into())
    }

    /// A face that is yet to come is asked for where it is used.
    fn ask_for(name: &str) {
        let _ = face(name);
    }
}

/// Faces in a size, in points, beyond egui's `FontId::proportional` and
/// `FontId::monospace`.
pub mod font {
    use eframe::egui::FontId;

    use super::family;

    /// Semi-bold.
    pub fn strong(size: f32) -> FontId {
        FontId::new(size, family::strong())
    }
    /// Text, semi-bold where it is `strong`.
    pub fn text(size: f32, strong: bool) -> FontId {
        FontId::new(size, family::text(strong))
    }
    /// Bold monospace.
    pub fn mono_strong(size: f32) -> FontId {
        mono(size, true)
    }
    /// Monospace, bold where it is `strong`.
    pub fn mono(size: f32, strong: bool) -> FontId {
        FontId::new(size, family::mono(strong))
    }
    /// Icons.
    pub fn icon(size: f32) -> FontId {
        FontId::new(size, family::icons())
    }
}

/// Our faces by the names that fonts are called by, and where they lie below
/// `assets`. The mathematics faces have the names that `RaTeX` gives.
const FACES: [(&str, &str); 20] = [
    ("regular", "fonts/Inter-Regular.ttf"),
    ("strong", "fonts/Inter-SemiBold.ttf"),
    ("italic", "fonts/Inter-Italic.ttf"),
    ("strong-italic", "fonts/Inter-SemiBoldItalic.ttf"),
    ("mono", "fonts/JetBrainsMonoNL-Regular.ttf"),
    ("mono-strong", "fonts/JetBrainsMonoNL-Bold.ttf"),
    ("icons", "fonts/Phosphor-subset.ttf"),
    ("supplement", "fonts/Inter-Supplement.ttf"),
    ("mono-supplement", "fonts/JetBrainsMonoNL-Supplement.ttf"),
    ("Main-Regular", "fonts/KaTeX_Main-Regular.ttf"),
    ("Main-Bold", "fonts/KaTeX_Main-Bold.ttf"),
    ("Main-Italic", "fonts/KaTeX_Main-Italic.ttf"),
    ("Math-Italic", "fonts/KaTeX_Math-Italic.ttf"),
    ("Math-BoldItalic", "fonts/KaTeX_Math-BoldItalic.ttf"),
    ("AMS-Regular", "fonts/KaTeX_AMS-Regular.ttf"),
    ("Size1-Regular", "fonts/KaTeX_Size1-Regular.ttf"),
    ("Size2-Regular", "fonts/KaTeX_Size2-Regular.ttf"),
    ("Size3-Regular", "fonts/KaTeX_Size3-Regular.ttf"),
    ("Size4-Regular", "fonts/KaTeX_Size4-Regular.ttf"),
    ("Caligraphic-Regular", "fonts/KaTeX_Caligraphic-Regular.ttf"),
];

/// The mathematics faces: their names, and where they lie below `assets`.
pub fn mathematics() -> impl Iterator<Item = (&'static str, &'static str)> {
    FACES.into_iter().filter(|(_, path)| path.contains("KaTeX"))
}

/// The file of a face, by its name; `regular` is that of the text. `None`: there is
/// no such face, or it is yet to come; then it was asked for.
pub fn face(name: &str) -> Option<&'static [u8]> {
    let (_, path) = FACES.iter().find(|(known, _)| *known == name)?;
    shipped::file(path).bytes()
}

/// All faces, each with what it lacks from others. One that is yet to come is
/// asked for by whoever draws with it, through [`face`], not by this.
pub fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, path) in FACES {
        if let Some(data) = shipped::if_here(path) {
            let data = Arc::new(FontData::from_static(data));
            fonts.font_data.insert(name.to_owned(), data);
        }
        fonts.families.insert(FontFamily::Name(name.into()), faces_of(name));
    }
    // Of those that are here.
    for faces in fonts.families.values_mut() {
        faces.retain(|face| fonts.font_data.contains_key(face));
    }
    let of = |name: &str| fonts.families[&FontFamily::Name(name.into())].clone();
    let (proportional, monospace) = (of("regular"), of("mono"));
    fonts.families.insert(FontFamily::Proportional, proportional);
    fonts.families.insert(FontFamily::Monospace, monospace);
    fonts
}

/// Asks for the letters and signs that no lesson shows, but that a reader's own text or
/// model may.
pub fn ask_for_supplements() {
    for name in ["supplement", "mono-supplement"] {
        let _ = face(name);
    }
}

/// A face, and those that have what it lacks: until a bold one comes, the regular
/// one of the same widths, then the text faces, then the icons.
fn faces_of(name: &str) -> Vec<String> {
    let (like, supplement) = match name {
        "mono" | "mono-strong" => ("mono", "mono-supplement"),
        "strong-italic" => ("strong", "supplement"),
        _ => ("regular", "supplement"),
    };
    let mut faces = vec![name.to_owned()];
    let others = [like, "regular", "mono", "icons", supplement, "mono-supplement", "Main-Regular"];
    for other in others {
        if !faces.iter().any(|face| face == other) {
            faces.push(other.to_owned());
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

    /// What comes later in a browser must not be missed before.
    #[test]
    fn no_lesson_shows_what_is_in_a_supplement_alone() {
        let lessons = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lessons");
        let folders = fs::read_dir(lessons).expect("the lessons");
        let files = folders.flat_map(|folder| {
            ["lesson.md", "notes.md", "inventory.toml"]
                .map(|name| folder.as_ref().expect("a lesson").path().join(name))
        });
        let text: String = files.filter_map(|file| fs::read_to_string(file).ok()).collect();
        let shown: BTreeSet<char> = text.chars().collect();
        assert!(shown.contains(&'−'));
        for name in ["supplement", "mono-supplement"] {
            let supplement = FontRef::new(face(name).expect("it is here")).expect("a face");
            let charmap = supplement.charmap();
            assert!(charmap.map('ж').is_some() || charmap.map('ő').is_some());
            let only: String = shown.iter().filter(|c| charmap.map(**c).is_some()).collect();
            assert_eq!(only, "", "{name}");
        }
    }
}
