//! The XML of a file, and the problems found in it.

use std::borrow::Cow;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use roxmltree::{Document, Node, ParsingOptions, TextPos};

use crate::budget::FileBudget;
use crate::read_error::{code, read_error};

const MAX_FILE_BYTES: usize = 128 << 20;
/// Limit for elements and texts together.
const MAX_NODES: u32 = 1 << 20;
/// Limit for quotation marks in one tag, of which each attribute has two. The parser compares all
/// attributes of a tag with each other.
const MAX_TAG_QUOTES: usize = 256;
/// Limit for namespaces. The format has none, and the parser copies them from tag to tag.
const MAX_NAMESPACES: usize = 16;
/// Limit for separate errors. Further ones only increase the count of the last.
const MAX_ERRORS: usize = 20;

/// Decodes a file, and rejects sizes that would take the parser too long.
pub(super) fn decode_text(bytes: &[u8]) -> Result<&str, Diagnostic> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(too_large(format!("at most {MAX_FILE_BYTES} bytes"), &bytes.len().to_string()));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count() as u32;
        read_error(code::EZM_XML, "text in UTF-8", "bytes that are none")
            .help("the file is damaged, or no EZMesh file")
            .at(xml_place("/".to_owned(), TextPos::new(line, 1)))
    })?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if text.matches("xmlns").nth(MAX_NAMESPACES).is_some() {
        return Err(too_large(format!("at most {MAX_NAMESPACES} namespaces"), "more"));
    }
    if text.split('<').skip(1).any(|tag| count_quotes(tag) > MAX_TAG_QUOTES) {
        let expected = format!("at most {} attributes in a tag", MAX_TAG_QUOTES / 2);
        return Err(too_large(expected, "more"));
    }
    Ok(text)
}

fn too_large(expected: String, found: &str) -> Diagnostic {
    read_error(code::EZM_TOO_LARGE, expected, found)
        .help("open a smaller model")
        .at(xml_place("/".to_owned(), TextPos::new(1, 1)))
}

/// Counts the quotation marks from the beginning of a tag to its end. Attributes contain no `<`,
/// so the next one begins another tag.
fn count_quotes(tag: &str) -> usize {
    let mut open = None;
    let mut count = 0;
    if tag.starts_with("!--") {
        return 0;
    }
    for byte in tag.bytes() {
        match (open, byte) {
            (None, b'>') => break,
            (None, b'"' | b'\'') => {
                open = Some(byte);
                count += 1;
            }
            (Some(quote), _) if quote == byte => {
                open = None;
                count += 1;
            }
            _ => {}
        }
    }
    count
}

/// Parses without a DTD, so that there are no entities except the five of XML itself.
pub(super) fn parse(text: &str) -> Result<Document<'_>, Diagnostic> {
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let diagnostic = match &error {
            roxmltree::Error::NodesLimitReached => {
                let expected = format_args!("at most {MAX_NODES} elements and texts");
                read_error(code::EZM_TOO_LARGE, expected, &error).help("open a smaller model")
            }
            roxmltree::Error::DtdDetected => {
                read_error(code::EZM_XML, "XML without a document type", &error)
                    .help("take the <!DOCTYPE …> out")
            }
            _ => read_error(code::EZM_XML, "well-formed XML", &error)
                .help("the file is cut off, damaged, or no EZMesh file"),
        };
        diagnostic.at(xml_place("/".to_owned(), error.pos()))
    })
}

fn xml_place(path: String, position: TextPos) -> Place {
    let at = LineColumn { line: position.row as usize, column: position.col as usize };
    Place::Xml { path, at }
}

/// A place in the file.
#[derive(Clone, Copy)]
pub(super) enum XmlPlace<'d> {
    Element(Node<'d, 'd>),
    Attribute(Node<'d, 'd>, &'static str),
    /// A byte of the file in the text of an element, if it is known.
    Text(Node<'d, 'd>, Option<usize>),
}

/// Collects errors and notes while a file is read.
pub(super) struct XmlReader<'d> {
    document: &'d Document<'d>,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) notes: Vec<Diagnostic>,
    budget: FileBudget,
}

impl<'d> XmlReader<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Self {
        Self {
            document,
            errors: Vec::new(),
            notes: Vec::new(),
            budget: FileBudget::new(document.input_text().len()),
        }
    }

    /// Adds an error. Reading continues to find the others.
    pub(super) fn add_error(&mut self, at: XmlPlace<'d>, error: Diagnostic) {
        let is_full = self.errors.len() >= MAX_ERRORS;
        match self.errors.last_mut() {
            Some(last) if is_full => last.count += 1,
            _ => self.errors.push(error.at(self.place(at))),
        }
    }

    /// Adds an error, and returns `None` in place of the value that could not be read.
    pub(super) fn fail<T>(&mut self, at: XmlPlace<'d>, error: Diagnostic) -> Option<T> {
        self.add_error(at, error);
        None
    }

    /// Adds a note on something that was skipped or repaired. Further notes with the same code
    /// only increase the count of the first.
    pub(super) fn add_note(&mut self, at: XmlPlace<'d>, note: Diagnostic) {
        match self.notes.iter_mut().find(|known| known.code == note.code) {
            Some(known) => known.count += 1,
            None => self.notes.push(note.at(self.place(at))),
        }
    }

    fn place(&self, at: XmlPlace<'d>) -> Place {
        let (node, byte) = match at {
            XmlPlace::Element(node) => (node, None),
            XmlPlace::Attribute(node, name) => {
                (node, node.attribute_node(name).map(|attribute| attribute.range().start))
            }
            XmlPlace::Text(node, byte) => (node, byte),
        };
        let mut path = path_of(node);
        if let XmlPlace::Attribute(_, name) = at {
            path.push_str("/@");
            path.push_str(name);
        }
        xml_place(path, self.document.text_pos_at(byte.unwrap_or(node.range().start)))
    }

    /// Checks a count against a limit. Adds an error if it is exceeded.
    pub(super) fn check_limit(
        &mut self,
        at: XmlPlace<'d>,
        max: usize,
        noun: &str,
        count: usize,
    ) -> bool {
        if count > max {
            let expected = format_args!("at most {max} {noun}");
            let error = read_error(code::EZM_TOO_LARGE, expected, count);
            self.add_error(at, error.help("open a smaller model"));
        }
        count <= max
    }

    /// Charges the memory of `count` elements of `bytes` bytes each. Adds an error if it exceeds
    /// the budget.
    pub(super) fn check_memory(&mut self, at: XmlPlace<'d>, count: usize, bytes: usize) -> bool {
        let charged = self.budget.hold(count, bytes);
        if let Err(over) = &charged {
            let error = read_error(code::EZM_TOO_LARGE, over.expected(), over.found());
            self.add_error(at, error.help(over.remedy()));
        }
        charged.is_ok()
    }

    /// Returns an attribute. Adds an error if it is absent or blank.
    pub(super) fn required(&mut self, node: Node<'d, 'd>, name: &'static str) -> Option<&'d str> {
        let value = node.attribute(name).filter(|value| !value.trim().is_empty());
        if value.is_none() {
            let expected = format_args!("{name}=\"…\" of {}", node.tag_name().name());
            let error = read_error(code::EZM_MISSING, expected, "nothing");
            self.add_error(XmlPlace::Attribute(node, name), error);
        }
        value
    }

    /// Reads `N` finite numbers of an attribute. Returns `None` if it is absent, or after an
    /// error.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        node: Node<'d, 'd>,
        name: &'static str,
    ) -> Option<[f64; N]> {
        let at = XmlPlace::Attribute(node, name);
        let mut numbers = Vec::new();
        for token in node.attribute(name)?.split(is_separator).filter(|token| !token.is_empty()) {
            numbers.push(self.number(at, token)?);
        }
        let count = numbers.len();
        if let Ok(numbers) = numbers.try_into() {
            Some(numbers)
        } else {
            let expected = format_args!("{N} numbers");
            self.fail(at, read_error(code::EZM_NUMBER, expected, count))
        }
    }

    /// Parses a number that is finite, also as an `f32`. Adds an error if it is not.
    pub(super) fn number(&mut self, at: XmlPlace<'d>, token: &str) -> Option<f64> {
        let number = token.parse::<f64>().ok().filter(|number| (*number as f32).is_finite());
        if number.is_none() {
            let shown: String = token.chars().take(40).collect();
            let found = format_args!("“{shown}”");
            let error = read_error(code::EZM_NUMBER, "a finite number", found)
                .help("repair the model in the program that made it, and export it again");
            self.add_error(at, error);
        }
        number
    }

    /// Checks the count of numbers in a row. Returns `None` after an error.
    pub(super) fn check_width(&mut self, at: XmlPlace<'d>, row: &str, width: usize) -> Option<()> {
        let count = row.split_ascii_whitespace().count();
        if count == width {
            return Some(());
        }
        let expected = format_args!("{width} numbers between two commas");
        self.fail(at, read_error(code::EZM_NUMBER, expected, count))
    }

    /// Checks an attribute that declares a count, if it is there.
    pub(super) fn check_count(
        &mut self,
        node: Node<'d, 'd>,
        name: &'static str,
        noun: &str,
        count: usize,
    ) -> bool {
        let Some(declared) = node.attribute(name) else {
            return true;
        };
        let is_right = declared.trim().parse() == Ok(count);
        if !is_right {
            let expected = format_args!("{count}, as there are {noun}");
            let error = read_error(code::EZM_WRONG_COUNT, expected, format_args!("“{declared}”"))
                .help("the file is cut off or was edited by hand; export it again");
            self.add_error(XmlPlace::Attribute(node, name), error);
        }
        is_right
    }
}

fn is_separator(c: char) -> bool {
    c == ',' || c.is_ascii_whitespace()
}

/// Formats a path such as `/MeshSystem/Meshes/Mesh[2]`, with numbers where siblings have the same
/// name.
fn path_of(node: Node<'_, '_>) -> String {
    let mut parts: Vec<String> = node
        .ancestors()
        .filter(Node::is_element)
        .map(|node| {
            let name = node.tag_name().name();
            let before = node.prev_siblings().skip(1).filter(|it| is_named(it, name)).count();
            let after = node.next_siblings().skip(1).filter(|it| is_named(it, name)).count();
            if before + after > 0 { format!("{name}[{}]", before + 1) } else { name.to_owned() }
        })
        .collect();
    parts.reverse();
    format!("/{}", parts.join("/"))
}

/// Returns the child elements with a name.
pub(super) fn children<'d>(
    node: Node<'d, 'd>,
    name: &'static str,
) -> impl Iterator<Item = Node<'d, 'd>> {
    node.children().filter(move |child| is_named(child, name))
}

/// Returns whether a node is an element with a name.
fn is_named(node: &Node<'_, '_>, name: &str) -> bool {
    node.tag_name().name() == name
}

/// Returns all elements with a name in the sections with a name.
pub(super) fn section_items<'d>(
    root: Node<'d, 'd>,
    section: &'static str,
    name: &'static str,
) -> impl Iterator<Item = Node<'d, 'd>> {
    children(root, section).flat_map(move |section| children(section, name))
}

/// The text of an element: rows of numbers, with commas between them.
pub(super) struct RowText<'d> {
    node: Node<'d, 'd>,
    text: Cow<'d, str>,
    /// The byte of the file at which the text begins. `None` if it is not stored literally.
    start: Option<usize>,
}

impl<'d> RowText<'d> {
    pub(super) fn new(node: Node<'d, 'd>) -> Self {
        let texts: Vec<Node<'d, 'd>> = node.children().filter(Node::is_text).collect();
        if let [only] = texts[..] {
            let text = only.text().unwrap_or_default();
            let range = only.range();
            let start = (range.len() == text.len()).then_some(range.start);
            return Self { node, text: Cow::Borrowed(text), start };
        }
        let parts: Vec<&str> = texts.iter().filter_map(Node::text).collect();
        Self { node, text: Cow::Owned(parts.join(" ")), start: None }
    }

    /// Returns the rows with their places. The last comma is optional.
    pub(super) fn rows(&self) -> impl Iterator<Item = (XmlPlace<'d>, &str)> {
        let text_start = self.text.as_ptr() as usize;
        self.text.split(',').map(str::trim_ascii).filter(|row| !row.is_empty()).map(move |row| {
            let offset = row.as_ptr() as usize - text_start;
            (XmlPlace::Text(self.node, self.start.map(|start| start + offset)), row)
        })
    }
}
