//! The faces of the page and the families they are called by.

use std::sync::Arc;

use eframe::egui::{FontData, FontDefinitions, FontFamily};

/// Font families beyond egui's two.
pub mod family {
    use eframe::egui::FontFamily;

    /// Semi-bold.
    #[must_use]
    pub fn strong() -> FontFamily {
        FontFamily::Name("strong".into())
    }
    /// Italic.
    #[must_use]
    pub fn italic() -> FontFamily {
        FontFamily::Name("italic".into())
    }
    /// Semi-bold italic.
    #[must_use]
    pub fn strong_italic() -> FontFamily {
        FontFamily::Name("strong-italic".into())
    }
    /// Bold monospace.
    #[must_use]
    pub fn mono_strong() -> FontFamily {
        FontFamily::Name("mono-strong".into())
    }
    /// Text, bold where it is `strong`.
    #[must_use]
    pub fn text(strong: bool) -> FontFamily {
        if strong {
            super::family::strong()
        } else {
            FontFamily::Proportional
        }
    }
    /// Monospace, bold where it is `strong`.
    #[must_use]
    pub fn mono(strong: bool) -> FontFamily {
        if strong {
            mono_strong()
        } else {
            FontFamily::Monospace
        }
    }
    /// Icons.
    #[must_use]
    pub fn icons() -> FontFamily {
        FontFamily::Name("icons".into())
    }
}

/// Faces in a size, in points, beyond egui's `FontId::proportional` and
/// `FontId::monospace`.
pub mod font {
    use eframe::egui::FontId;

    use super::family;

    /// Semi-bold.
    #[must_use]
    pub fn strong(size: f32) -> FontId {
        FontId::new(size, family::strong())
    }
    /// Text, semi-bold where it is `strong`.
    #[must_use]
    pub fn text(size: f32, strong: bool) -> FontId {
        FontId::new(size, family::text(strong))
    }
    /// Bold monospace.
    #[must_use]
    pub fn mono_strong(size: f32) -> FontId {
        mono(size, true)
    }
    /// Monospace, bold where it is `strong`.
    #[must_use]
    pub fn mono(size: f32, strong: bool) -> FontId {
        FontId::new(size, family::mono(strong))
    }
    /// Icons.
    #[must_use]
    pub fn icon(size: f32) -> FontId {
        FontId::new(size, family::icons())
    }
}

macro_rules! faces {
    ($($name:literal => $file:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!("../../../assets/fonts/", $file)).as_slice())),*]
    };
}

/// Our faces, and the mathematics faces under the names that `RaTeX` gives.
const FACES: [(&str, &[u8]); 18] = faces! {
    "regular" => "Inter-Regular.ttf",
    "strong" => "Inter-SemiBold.ttf",
    "italic" => "Inter-Italic.ttf",
    "strong-italic" => "Inter-SemiBoldItalic.ttf",
    "mono" => "JetBrainsMonoNL-Regular.ttf",
    "mono-strong" => "JetBrainsMonoNL-Bold.ttf",
    "icons" => "Phosphor-subset.ttf",
    "Main-Regular" => "KaTeX_Main-Regular.ttf",
    "Main-Bold" => "KaTeX_Main-Bold.ttf",
    "Main-Italic" => "KaTeX_Main-Italic.ttf",
    "Math-Italic" => "KaTeX_Math-Italic.ttf",
    "Math-BoldItalic" => "KaTeX_Math-BoldItalic.ttf",
    "AMS-Regular" => "KaTeX_AMS-Regular.ttf",
    "Size1-Regular" => "KaTeX_Size1-Regular.ttf",
    "Size2-Regular" => "KaTeX_Size2-Regular.ttf",
    "Size3-Regular" => "KaTeX_Size3-Regular.ttf",
    "Size4-Regular" => "KaTeX_Size4-Regular.ttf",
    "Caligraphic-Regular" => "KaTeX_Caligraphic-Regular.ttf",
};

/// The file of a face, by its name; `regular` is that of the text.
#[must_use]
pub fn face(name: &str) -> Option<&'static [u8]> {
    let found = FACES.iter().find(|(known, _)| *known == name);
    found.map(|&(_, data)| data)
}

/// All faces, each with what it lacks from others.
#[must_use]
pub fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, data) in FACES {
        fonts
            .font_data
            .insert(name.to_owned(), Arc::new(FontData::from_static(data)));
        // Whatever a face lacks comes from the text faces, then the icons.
        let mut fallback = vec![name.to_owned()];
        for other in ["regular", "mono", "icons", "Main-Regular"] {
            if other != name {
                fallback.push(other.to_owned());
            }
        }
        fonts
            .families
            .insert(FontFamily::Name(name.into()), fallback);
    }
    let of = |name: &str| fonts.families[&FontFamily::Name(name.into())].clone();
    let (proportional, monospace) = (of("regular"), of("mono"));
    fonts
        .families
        .insert(FontFamily::Proportional, proportional);
    fonts.families.insert(FontFamily::Monospace, monospace);
    fonts
}
