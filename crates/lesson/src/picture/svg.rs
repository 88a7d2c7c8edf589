//! Size of an SVG file, and checks that it references no other files, expands no entities,
//! and neither nests nor repeats its elements without limit.

use std::collections::HashMap;

use roxmltree::{Document, Node, ParsingOptions};

use bindpose_diagnostic::Diagnostic;

/// Maximum size of an SVG file.
pub(super) const MAX_SVG_BYTES: usize = 2 << 20;
/// Maximum number of drawn elements. One that `use` repeats counts each time.
const MAX_ELEMENTS: u64 = 50_000;
/// Maximum nesting depth of elements, including those that `use` inserts.
const MAX_DEPTH: u32 = 48;
const MAX_SIDE_POINTS: f32 = 20_000.0;
/// Maximum ratio of the longer to the shorter side.
const MAX_ASPECT: f32 = 100.0;
/// Elements that are not supported: other files, web pages, scripts.
const UNSUPPORTED_ELEMENTS: [&str; 7] =
    ["image", "feImage", "foreignObject", "script", "iframe", "video", "audio"];
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Returns width and height in points. Lengths are in CSS units, with 96 points per inch.
pub(super) fn svg_size(bytes: &[u8]) -> Result<[f32; 2], Diagnostic> {
    let document = parse(bytes)?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        let found = format!("<{}>", root.tag_name().name());
        let error = Diagnostic::expected("an SVG file, which begins with <svg>", found);
        return Err(error.help("save the drawing as SVG"));
    }
    check_drawn(&document)?;
    check_growth(root)?;
    let [width, height] = size_of(root).ok_or_else(|| {
        let expected = "width and height of the drawing, or its viewBox";
        let error = Diagnostic::expected(expected, "none, or one that is not above 0");
        error.help("write them into <svg …>: viewBox=\"0 0 400 300\"")
    })?;
    let long = width.max(height);
    let short = width.min(height);
    if long > MAX_SIDE_POINTS || long > MAX_ASPECT * short {
        let expected = format!(
            "at most {MAX_SIDE_POINTS} points along a side, and one side at most {MAX_ASPECT} times the other"
        );
        let error = Diagnostic::expected(expected, format!("{width} × {height}"));
        return Err(error.help("make the drawing smaller"));
    }
    Ok([width, height])
}

fn parse(bytes: &[u8]) -> Result<Document<'_>, Diagnostic> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        let error = Diagnostic::expected("an SVG file in UTF-8", "other bytes");
        return Err(error.help("save it as plain SVG, not compressed, in UTF-8"));
    };
    if text.contains("<!ENTITY") {
        let error = Diagnostic::expected("an SVG file without entities", "<!ENTITY");
        return Err(error.help("save it as plain SVG, or write what they stand for"));
    }
    let options = ParsingOptions {
        // Many programs write a document type, which is harmless without entities.
        allow_dtd: true,
        nodes_limit: 4 * MAX_ELEMENTS as u32,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| {
        let error = Diagnostic::said("INVALID_SVG", format!("this is no SVG file: {error}"));
        error.help("save the drawing again as plain SVG")
    })
}

/// Rejects unsupported elements and references to other files.
fn check_drawn(document: &Document<'_>) -> Result<(), Diagnostic> {
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        let at = document.text_pos_at(node.range().start);
        if UNSUPPORTED_ELEMENTS.contains(&name) {
            let title = format!("the page does not draw <{name}> in an SVG, line {}", at.row);
            let help = "take it out; a photograph is a picture of its own";
            return Err(Diagnostic::said("NOT_SHOWN", title).help(help));
        }
        if let Some(href) = href(node).filter(|href| !href.starts_with('#') && name != "a") {
            let shown: String = href.chars().take(60).collect();
            let title =
                format!("an SVG shows nothing of other files: `{shown}` in line {}", at.row);
            let help = "put what it names into the file itself";
            return Err(Diagnostic::said("NOT_SHOWN", title).help(help));
        }
    }
    Ok(())
}

fn href<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let href = node.attribute("href");
    href.or_else(|| node.attribute((XLINK, "href")))
}

/// Size of the tree below an element after each `use` is replaced by its target.
#[derive(Clone, Copy, Default)]
struct ExpandedSize {
    elements: u64,
    depth: u32,
}

/// Rejects documents that are nested too deeply or repeat their elements too often.
fn check_growth(root: Node<'_, '_>) -> Result<(), Diagnostic> {
    let mut named = HashMap::new();
    let mut depth = 0;
    // Without recursion, because the nesting depth is not limited yet.
    let mut next = Some(root);
    while let Some(node) = next {
        if let Some(id) = node.attribute("id") {
            named.entry(id).or_insert(node);
        }
        next = node.first_child().inspect(|_| depth += 1);
        let mut here = node;
        while next.is_none() && here != root {
            next = here.next_sibling();
            if next.is_none() {
                let Some(parent) = here.parent() else { break };
                here = parent;
                depth -= 1;
            }
        }
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
    }
    let size = expanded_size(root, &named, &mut HashMap::new(), 0).ok_or_else(too_deep)?;
    if size.elements > MAX_ELEMENTS {
        let expected = format!("at most {MAX_ELEMENTS} elements, each as often as it is drawn");
        let error = Diagnostic::expected(expected, size.elements.to_string());
        return Err(error.help("simplify the drawing, or save it as PNG"));
    }
    Ok(())
}

fn too_deep() -> Diagnostic {
    let expected = format!("elements nested at most {MAX_DEPTH} deep, with what <use> repeats");
    Diagnostic::expected(expected, "more").help("ungroup the drawing, or save it anew")
}

/// Computes the expanded size of an element. Returns `None` if it is nested too deeply, perhaps
/// infinitely. Each element is visited once, with its size stored in `known`.
fn expanded_size<'a, 'input>(
    node: Node<'a, 'input>,
    named: &HashMap<&'a str, Node<'a, 'input>>,
    known: &mut HashMap<roxmltree::NodeId, ExpandedSize>,
    depth: u32,
) -> Option<ExpandedSize> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(&known) = known.get(&node.id()) {
        return (depth + known.depth <= MAX_DEPTH).then_some(known);
    }
    let is_use = node.tag_name().name() == "use";
    let target =
        if is_use { href(node).and_then(|href| named.get(href.strip_prefix('#')?)) } else { None };
    let mut sum = ExpandedSize::default();
    for child in node.children().filter(Node::is_element).chain(target.copied()) {
        let child = expanded_size(child, named, known, depth + 1)?;
        sum.elements = sum.elements.saturating_add(child.elements);
        sum.depth = sum.depth.max(child.depth);
    }
    sum.elements = sum.elements.saturating_add(1);
    sum.depth += 1;
    known.insert(node.id(), sum);
    Some(sum)
}

/// Computes the size from `width`, `height` and `viewBox`. Returns `None` if they are missing
/// or malformed.
fn size_of(root: Node<'_, '_>) -> Option<[f32; 2]> {
    use SideLength::{FromViewBox, Points};

    let view_box = root.attribute("viewBox").and_then(view_box_size);
    let size = match (side_length(root, "width")?, side_length(root, "height")?, view_box) {
        (Points(width), Points(height), _) => [width, height],
        (Points(width), FromViewBox, Some([across, down])) => [width, width * down / across],
        (FromViewBox, Points(height), Some([across, down])) => [height * across / down, height],
        (FromViewBox, FromViewBox, Some(sides)) => sides,
        _ => return None,
    };
    is_area(size).then_some(size)
}

enum SideLength {
    Points(f32),
    FromViewBox,
}

/// Returns the length of a side, or `None` if it is malformed.
fn side_length(root: Node<'_, '_>, name: &str) -> Option<SideLength> {
    match root.attribute(name).map(str::trim) {
        None | Some("auto") => Some(SideLength::FromViewBox),
        Some(percent) if percent.ends_with('%') => Some(SideLength::FromViewBox),
        Some(length) => to_points(length).map(SideLength::Points),
    }
}

fn view_box_size(written: &str) -> Option<[f32; 2]> {
    let numbers: Vec<Option<f32>> = written
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|part| !part.is_empty())
        .map(|part| part.parse::<f32>().ok())
        .take(5)
        .collect();
    match numbers[..] {
        [Some(_), Some(_), Some(width), Some(height)] => {
            Some([width, height]).filter(|&sides| is_area(sides))
        }
        _ => None,
    }
}

fn is_area(sides: [f32; 2]) -> bool {
    sides.iter().all(|side| side.is_finite() && *side > 0.0)
}

/// Converts a CSS length to points.
fn to_points(written: &str) -> Option<f32> {
    const UNITS: [(&str, f32); 9] = [
        ("px", 1.0),
        ("pt", 96.0 / 72.0),
        ("pc", 16.0),
        ("mm", 96.0 / 25.4),
        ("cm", 96.0 / 2.54),
        ("in", 96.0),
        ("rem", 16.0),
        ("em", 16.0),
        ("ex", 8.0),
    ];
    let unit = UNITS.iter().find_map(|(unit, points)| Some((written.strip_suffix(unit)?, *points)));
    let (number, unit) = unit.unwrap_or((written, 1.0));
    Some(number.trim().parse::<f32>().ok()? * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "xmlns='http://www.w3.org/2000/svg' \
                         xmlns:xlink='http://www.w3.org/1999/xlink'";

    fn size(attributes: &str) -> Option<[f32; 2]> {
        svg_size(format!("<svg {NAMES} {attributes}/>").as_bytes()).ok()
    }

    fn refused(inside: &str) -> String {
        let text = format!("<svg {NAMES} viewBox='0 0 9 9'>{inside}</svg>");
        svg_size(text.as_bytes()).unwrap_err().sentence()
    }

    #[test]
    fn computes_sizes_in_points() {
        assert_eq!(size("width='40' height='30px'"), Some([40.0, 30.0]));
        assert_eq!(size("width='1in' height='72pt'"), Some([96.0, 96.0]));
        assert_eq!(size("viewBox='1,2 30 20'"), Some([30.0, 20.0]));
        assert_eq!(size("width='60' viewBox='0 0 30 20'"), Some([60.0, 40.0]));
        let whole = "width='100%' height='100%' viewBox='0 0 30 20'";
        assert_eq!(size(whole), Some([30.0, 20.0]));
        for none in [
            "",
            "width='4'",
            "width='0' height='4'",
            "width='-1' height='4'",
            "width='NaN' height='4'",
            "width='1e30' height='1e30'",
            "width='10000' height='1'",
            "viewBox='0 0 0 3'",
            "viewBox='0 0 3'",
            "width='many' height='4'",
        ] {
            assert_eq!(size(none), None, "{none}");
        }
    }

    #[test]
    fn rejects_references_to_other_files() {
        for inside in [
            "<image href='/etc/hostname'/>",
            "<image xlink:href='data:image/png;base64,AAAA'/>",
            "<use href='other.svg#a'/>",
            "<rect fill='red'/><g><feImage href='#x'/></g>",
            "<linearGradient xlink:href='https://example.org/a.svg#g'/>",
            "<foreignObject/>",
            "<script>alert(1)</script>",
        ] {
            assert!(refused(inside).contains("line 1"), "{inside}");
        }
        let link = "<a href='https://example.org'><rect id='r'/></a><use href='#r'/>";
        let text = format!("<svg {NAMES} viewBox='0 0 9 9'>{link}</svg>");
        assert_eq!(svg_size(text.as_bytes()), Ok([9.0, 9.0]));
    }

    #[test]
    fn rejects_unlimited_growth() {
        let deep = 100_000;
        let nested = "<g>".repeat(deep) + &"</g>".repeat(deep);
        assert!(refused(&nested).contains("deep"));
        let tenfold = (1..20).map(|level| {
            let one = format!("<use href='#a{}'/>", level - 1);
            format!("<g id='a{level}'>{}</g>", one.repeat(10))
        });
        let lol: String =
            std::iter::once("<g id='a0'><rect/></g>".to_owned()).chain(tenfold).collect();
        let sentence = refused(&lol);
        assert!(sentence.contains("50000 elements"), "{sentence}");
        assert!(refused("<g id='a'><use href='#a'/></g>").contains("deep"));
        let many = "<rect/>".repeat(MAX_ELEMENTS as usize + 1);
        assert!(refused(&many).contains("elements"));
        let bomb = "<!DOCTYPE svg [<!ENTITY a 'aaaa'>]><svg>&a;</svg>";
        let error = svg_size(bomb.as_bytes()).unwrap_err();
        assert!(error.sentence().contains("entities"));
    }

    #[test]
    fn rejects_files_that_are_no_svg() {
        for text in ["<html/>", "<svg", "<svg></g>", "<p>a</p>"] {
            assert!(svg_size(text.as_bytes()).is_err(), "{text}");
        }
        let told = svg_size(b"<svg viewBox='0 0 1 1'>\xff</svg>").unwrap_err();
        assert!(told.help.contains("UTF-8"));
        let doctype = "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/a.dtd'>\
                       <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 3'/>";
        assert_eq!(svg_size(doctype.as_bytes()), Ok([2.0, 3.0]));
    }
}
