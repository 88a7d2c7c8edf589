//! Encoded pictures and the resolution at which they are decoded. For browsers, also changes
//! the size in an SVG.

use std::sync::Arc;

/// Maximum width and height of a decoded picture.
const MAX_SIDE_PX: u32 = 4096;
/// Maximum number of pixels of a decoded picture.
const MAX_PIXELS: f32 = 8e6;
/// Media type of SVG files.
pub(super) const SVG: &str = "image/svg+xml";

/// A PNG, JPEG or SVG file with a valid header.
#[derive(Clone, Debug)]
pub struct EncodedPicture {
    /// Content of the file.
    pub bytes: Arc<[u8]>,
    /// One of `image/png`, `image/jpeg` and `image/svg+xml`.
    pub media_type: &'static str,
    /// Natural width and height in points, above 0.
    pub size: [f32; 2],
}

impl EncodedPicture {
    /// Computes the resolution at which to decode the picture for a displayed size in pixels.
    /// It exceeds neither the limits of memory nor the resolution of the picture.
    pub fn pixels_for(&self, shown: [f32; 2]) -> [u32; 2] {
        let [mut width, mut height] = shown;
        if self.media_type != SVG {
            width = width.min(self.size[0]);
            height = height.min(self.size[1]);
        }
        let scale = (MAX_PIXELS / (width * height)).sqrt().min(1.0);
        [width, height].map(|side| ((side * scale).ceil() as u32).clamp(1, MAX_SIDE_PX))
    }
}

/// Sets the size of an SVG to a number of pixels, because browsers draw an SVG at the size
/// that it declares. `own` is its natural size in points.
///
/// # Errors
///
/// Returns a description of the mistake if the SVG cannot be parsed.
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
    let mut declared: Vec<_> = root
        .attributes()
        .filter(|attribute| {
            attribute.namespace().is_none() && matches!(attribute.name(), "width" | "height")
        })
        .map(|attribute| attribute.range())
        .collect();
    // From back to front, so that earlier ranges stay valid.
    declared.sort_by_key(|range| std::cmp::Reverse(range.start));
    let mut sized = text.to_owned();
    for range in declared {
        sized.replace_range(range, "");
    }
    let view_box = match root.attribute("viewBox") {
        Some(_) => String::new(),
        None => format!(" viewBox=\"0 0 {} {}\"", own[0], own[1]),
    };
    let attributes = format!(" width=\"{width}\" height=\"{height}\"{view_box}");
    let tag_start = root.range().start;
    let tag = text.get(tag_start..).unwrap_or_default();
    let name_length = tag
        .find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))
        .ok_or("it ends too early")?;
    sized.insert_str(tag_start + name_length, &attributes);
    Ok(sized)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolution_is_limited_by_display_file_and_memory() {
        let bytes: Arc<[u8]> = Arc::default();
        let png = EncodedPicture {
            bytes: Arc::clone(&bytes),
            media_type: "image/png",
            size: [400.0, 300.0],
        };
        assert_eq!(png.pixels_for([200.0, 150.0]), [200, 150]);
        assert_eq!(png.pixels_for([800.0, 600.0]), [400, 300]);
        let svg = EncodedPicture { bytes, media_type: SVG, size: [4.0, 3.0] };
        assert_eq!(svg.pixels_for([800.0, 600.0]), [800, 600]);
        let [width, height] = svg.pixels_for([40_000.0, 30_000.0]);
        assert!(width <= MAX_SIDE_PX && height <= MAX_SIDE_PX);
        assert!((width * height) as f32 <= 1.01 * MAX_PIXELS);
        assert_eq!(svg.pixels_for([0.0, 0.0]), [1, 1]);
    }

    #[test]
    fn the_size_of_an_svg_is_replaced() {
        let names = "xmlns='http://www.w3.org/2000/svg'";
        let text = format!("<?xml version='1.0'?><svg width = '4mm' {names} height='3'><g/></svg>");
        let sized = svg_at_size(text.as_bytes(), [15.5, 3.0], [800, 600]).unwrap();
        let document = roxmltree::Document::parse(&sized).unwrap();
        let root = document.root_element();
        let attributes = ["width", "height", "viewBox"].map(|name| root.attribute(name));
        assert_eq!(attributes, [Some("800"), Some("600"), Some("0 0 15.5 3")]);
        let text = format!("<svg {names} viewBox='1 2 3 4'/>");
        let sized = svg_at_size(text.as_bytes(), [3.0, 4.0], [6, 8]).unwrap();
        assert!(sized.contains("viewBox='1 2 3 4'") && sized.contains("<svg width=\"6\""));
        assert!(svg_at_size(b"<svg", [3.0, 4.0], [6, 8]).is_err());
    }
}
