//! A picture before it is decoded, in how many pixels that is done, and, for browsers, an
//! SVG that says so itself.

use std::sync::Arc;

/// Pixels along a side.
const MOST_SIDE: u32 = 4096;
/// Pixels of all of it.
const MOST_PIXELS: f32 = 8e6;
/// What an SVG is called.
pub(super) const SVG: &str = "image/svg+xml";

/// A PNG, JPEG or SVG file that is a picture by its header.
#[derive(Clone, Debug)]
pub struct EncodedPicture {
    /// The whole file.
    pub bytes: Arc<[u8]>,
    /// `image/png`, `image/jpeg` or `image/svg+xml`.
    pub media_type: &'static str,
    /// In points; above 0.
    pub size: [f32; 2],
}

impl EncodedPicture {
    /// In how many pixels it is decoded to be shown in so many, without more than it
    /// has or than are held.
    pub fn pixels_for(&self, shown: [f32; 2]) -> [u32; 2] {
        let is_svg = self.media_type == SVG;
        let most = |side: usize| {
            let own = if is_svg { f32::MAX } else { self.size[side] };
            shown[side].min(own)
        };
        let wanted = [most(0), most(1)];
        let shrink = (MOST_PIXELS / (wanted[0] * wanted[1])).sqrt().min(1.0);
        wanted.map(|side| ((side * shrink).ceil() as u32).clamp(1, MOST_SIDE))
    }
}

/// An SVG, whose own size in points is `own`, that says another size of itself, in pixels:
/// browsers draw one in the size that it says.
///
/// Errors: in words: why it cannot be read.
#[cfg(any(target_arch = "wasm32", test))]
pub(super) fn svg_at_size(
    bytes: &[u8],
    own: [f32; 2],
    [width, height]: [u32; 2],
) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let options =
        roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(text, options)
        .map_err(|error| error.to_string())?;
    let root = document.root_element();
    let mut said: Vec<_> = root
        .attributes()
        .filter(|one| one.namespace().is_none() && matches!(one.name(), "width" | "height"))
        .map(|one| one.range())
        .collect();
    // From the back: what stands before keeps its place.
    said.sort_by_key(|range| std::cmp::Reverse(range.start));
    let mut sized = text.to_owned();
    for range in said {
        sized.replace_range(range, "");
    }
    let view_box = match root.attribute("viewBox") {
        Some(_) => String::new(),
        None => format!(" viewBox=\"0 0 {} {}\"", own[0], own[1]),
    };
    let new = format!(" width=\"{width}\" height=\"{height}\"{view_box}");
    let start = root.range().start;
    let tag = text.get(start..).unwrap_or_default();
    let name = tag
        .find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))
        .ok_or("it ends too early")?;
    sized.insert_str(start + name, &new);
    Ok(sized)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_pixels_are_made_than_are_there_shown_and_held() {
        let of = |media_type, size| EncodedPicture { bytes: Arc::default(), media_type, size };
        let png = of("image/png", [400.0, 300.0]);
        assert_eq!(png.pixels_for([200.0, 150.0]), [200, 150]);
        assert_eq!(png.pixels_for([800.0, 600.0]), [400, 300]);
        let svg = of(SVG, [4.0, 3.0]);
        assert_eq!(svg.pixels_for([800.0, 600.0]), [800, 600]);
        let [width, height] = svg.pixels_for([40_000.0, 30_000.0]);
        assert!(width <= MOST_SIDE && height <= MOST_SIDE);
        assert!((width * height) as f32 <= 1.01 * MOST_PIXELS);
        assert_eq!(svg.pixels_for([0.0, 0.0]), [1, 1]);
    }

    #[test]
    fn another_size_is_written_into_a_drawing() {
        let names = "xmlns='http://www.w3.org/2000/svg'";
        let text = format!("<?xml version='1.0'?><svg width = '4mm' {names} height='3'><g/></svg>");
        let sized = svg_at_size(text.as_bytes(), [15.5, 3.0], [800, 600]).unwrap();
        let document = roxmltree::Document::parse(&sized).unwrap();
        let root = document.root_element();
        let said = ["width", "height", "viewBox"].map(|name| root.attribute(name));
        assert_eq!(said, [Some("800"), Some("600"), Some("0 0 15.5 3")]);
        let text = format!("<svg {names} viewBox='1 2 3 4'/>");
        let sized = svg_at_size(text.as_bytes(), [3.0, 4.0], [6, 8]).unwrap();
        assert!(sized.contains("viewBox='1 2 3 4'") && sized.contains("<svg width=\"6\""));
        assert!(svg_at_size(b"<svg", [3.0, 4.0], [6, 8]).is_err());
    }
}
