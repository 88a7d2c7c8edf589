//! An SVG that says another size of itself: browsers draw one in the size that it says.

use roxmltree::{Document, ParsingOptions};

/// The same drawing, whose own size in points is `own`, with another size in pixels.
///
/// Errors: in words: why it cannot be read.
pub(super) fn svg_at_size(
    bytes: &[u8],
    own: [f32; 2],
    [width, height]: [u32; 2],
) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(text, options).map_err(|error| error.to_string())?;
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
    fn another_size_is_written_into_a_drawing() {
        let names = "xmlns='http://www.w3.org/2000/svg'";
        let text = format!("<?xml version='1.0'?><svg width = '4mm' {names} height='3'><g/></svg>");
        let sized = svg_at_size(text.as_bytes(), [15.5, 3.0], [800, 600]).unwrap();
        let document = Document::parse(&sized).unwrap();
        let root = document.root_element();
        let said = ["width", "height", "viewBox"].map(|name| root.attribute(name));
        assert_eq!(said, [Some("800"), Some("600"), Some("0 0 15.5 3")]);
        let text = format!("<svg {names} viewBox='1 2 3 4'/>");
        let sized = svg_at_size(text.as_bytes(), [3.0, 4.0], [6, 8]).unwrap();
        assert!(sized.contains("viewBox='1 2 3 4'") && sized.contains("<svg width=\"6\""));
        assert!(svg_at_size(b"<svg", [3.0, 4.0], [6, 8]).is_err());
    }
}
