//! The XML of a file, and what is said of places in it.

use std::borrow::Cow;

use bindpose_diagnostic::{Diagnostic, LineColumn as TextAt, Place, Severity};
use roxmltree::{Document, Node, ParsingOptions};

use super::error::{EXPORT_AGAIN, EzmError, EzmErrorKind as Kind, EzmFault};
use crate::budget::FileBudget;

/// Larger files are refused before anything is read.
const MOST_BYTES: usize = 128 << 20;
/// Elements and pieces of text.
const MOST_NODES: u32 = 1 << 20;
/// Quotation marks in one tag: twice as many as attributes. The parser compares
/// all attributes of a tag with each other.
const MOST_QUOTES: usize = 256;
/// The format has no namespaces; the parser copies them from tag to tag.
const MOST_NAMESPACES: usize = 16;

/// The text of a file, if its size allows to parse it.
pub(super) fn text_of(bytes: &[u8]) -> Result<&str, EzmError> {
    let too_large = |expected: String, found: String| {
        let wrong = Kind::TooLarge.expected(expected, found);
        EzmError::whole((1, 1), wrong.help("open a smaller model"))
    };
    if bytes.len() > MOST_BYTES {
        return Err(too_large(format!("at most {MOST_BYTES} bytes"), bytes.len().to_string()));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let lines = before.split(|&byte| byte == b'\n').count();
        let wrong = Kind::Xml.expected("text in UTF-8", "bytes that are none");
        let help = "the file is damaged, or no EZMesh file";
        EzmError::whole((lines as u32, 1), wrong.help(help))
    })?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if text.matches("xmlns").nth(MOST_NAMESPACES).is_some() {
        return Err(too_large(format!("at most {MOST_NAMESPACES} namespaces"), "more".to_owned()));
    }
    if text.split('<').skip(1).any(|tag| quotes(tag) > MOST_QUOTES) {
        return Err(too_large(
            format!("at most {} attributes in a tag", MOST_QUOTES / 2),
            "more".to_owned(),
        ));
    }
    Ok(text)
}

/// Quotation marks from the beginning of a tag to its end. No attribute holds a
/// `<`, so what follows the next one is another tag.
fn quotes(tag: &str) -> usize {
    let (mut open, mut count) = (None, 0);
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

/// Parses without a DTD: there are no entities but the five of XML itself.
pub(super) fn parse(text: &str) -> Result<Document<'_>, EzmError> {
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        let (kind, expected, remedy) = match &error {
            roxmltree::Error::NodesLimitReached => (
                Kind::TooLarge,
                format!("at most {MOST_NODES} elements and texts"),
                "open a smaller model",
            ),
            roxmltree::Error::DtdDetected => {
                (Kind::Xml, "XML without a document type".to_owned(), "take the <!DOCTYPE …> out")
            }
            _ => (
                Kind::Xml,
                "well-formed XML".to_owned(),
                "the file is cut off, damaged, or no EZMesh file",
            ),
        };
        EzmError::whole((at.row, at.col), kind.expected(expected, error).help(remedy))
    })
}

/// A place in the file.
#[derive(Clone, Copy)]
pub(super) enum XmlPlace<'d> {
    Element(Node<'d, 'd>),
    Attribute(Node<'d, 'd>, &'static str),
    /// In the text of an element, at this byte of the file if it is known.
    Text(Node<'d, 'd>, Option<usize>),
}

/// What is met while a file is read.
pub(super) struct XmlReader<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) error: EzmError,
    pub(super) findings: Vec<Diagnostic>,
    budget: FileBudget,
}

impl<'d> XmlReader<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Self {
        Self {
            document,
            error: EzmError::default(),
            findings: Vec::new(),
            budget: FileBudget::new(document.input_text().len()),
        }
    }

    /// Notes a fault; reading goes on, so that all of them are found.
    pub(super) fn fault(&mut self, at: XmlPlace<'d>, wrong: EzmFault) {
        if self.error.is_full() {
            self.error.more += 1;
            return;
        }
        let (path, line, column) = self.place(at);
        self.error.faults.push(EzmFault { path, line, column, ..wrong });
    }

    /// The same where what was to be read is not there: `None`.
    pub(super) fn damaged<T>(&mut self, at: XmlPlace<'d>, wrong: EzmFault) -> Option<T> {
        self.fault(at, wrong);
        None
    }

    /// Notes what is passed over, or was mended, in words of its own: what was
    /// expected, what was found, what it does to the picture.
    pub(super) fn finding(
        &mut self,
        code: &'static str,
        at: XmlPlace<'d>,
        [expected, found, effect]: [&str; 3],
    ) {
        if let Some(known) = self.findings.iter_mut().find(|known| known.code == code) {
            known.count += 1;
            return;
        }
        let (path, line, column) = self.place(at);
        let (line, column) = (line as usize, column as usize);
        let at = TextAt { line, column };
        let (severity, title) = severity_and_title(code);
        self.findings.push(Diagnostic {
            severity,
            code,
            title: title.to_owned(),
            effect: effect.to_owned(),
            ..Diagnostic::expected(expected, found).help(EXPORT_AGAIN).at(Place::Xml { path, at })
        });
    }

    fn place(&self, at: XmlPlace<'d>) -> (String, u32, u32) {
        let (node, byte, attribute) = match at {
            XmlPlace::Element(node) => (node, node.range().start, None),
            XmlPlace::Attribute(node, name) => {
                let attribute = node.attribute_node(name);
                let byte = attribute.map_or(node.range().start, |found| found.range().start);
                (node, byte, Some(name))
            }
            XmlPlace::Text(node, byte) => (node, byte.unwrap_or(node.range().start), None),
        };
        let position = self.document.text_pos_at(byte);
        let mut path = path_of(node);
        if let Some(name) = attribute {
            path.push_str("/@");
            path.push_str(name);
        }
        (path, position.row, position.col)
    }

    /// Are there at most so many of something? If not, it is told.
    pub(super) fn at_most(
        &mut self,
        at: XmlPlace<'d>,
        most: usize,
        what: &str,
        there: usize,
    ) -> bool {
        if there > most {
            let wrong = Kind::TooLarge.expected(format_args!("at most {most} {what}"), there);
            self.fault(at, wrong.help("open a smaller model"));
        }
        there <= most
    }

    /// May so many things of so many bytes each be held? If not, it is told.
    pub(super) fn holds(&mut self, at: XmlPlace<'d>, count: usize, bytes: usize) -> bool {
        let held = self.budget.hold(count, bytes);
        if let Err(over) = held {
            let wrong = Kind::TooLarge.expected(over.expected(), over.found());
            self.fault(at, wrong.help(over.remedy()));
        }
        held.is_ok()
    }

    /// An attribute that must be there and say something.
    pub(super) fn required(&mut self, node: Node<'d, 'd>, name: &'static str) -> Option<&'d str> {
        let found = node.attribute(name).filter(|value| !value.trim().is_empty());
        if found.is_none() {
            let what = format!("{name}=\"…\" of {}", node.tag_name().name());
            let wrong = Kind::Missing.expected(what, "nothing");
            self.fault(XmlPlace::Attribute(node, name), wrong);
        }
        found
    }

    /// `N` finite numbers of an attribute; `None` where there is none, or a fault
    /// has been noted.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        node: Node<'d, 'd>,
        name: &'static str,
    ) -> Option<[f64; N]> {
        let text = node.attribute(name)?;
        let mut numbers = [0.0; N];
        let mut count = 0;
        for (_, token) in tokens(text) {
            let number = token.parse::<f64>().ok().filter(|x| x.is_finite());
            let Some(number) = number else {
                self.no_number(XmlPlace::Attribute(node, name), token);
                return None;
            };
            if let Some(place) = numbers.get_mut(count) {
                *place = number;
            }
            count += 1;
        }
        if count != N {
            let wrong = Kind::Number.expected(format_args!("{N} numbers"), count);
            return self.damaged(XmlPlace::Attribute(node, name), wrong);
        }
        Some(numbers)
    }

    pub(super) fn no_number(&mut self, at: XmlPlace<'d>, token: &str) {
        let shown: String = token.chars().take(40).collect();
        let wrong = Kind::Number
            .expected("a finite number", format_args!("“{shown}”"))
            .help("repair the model in the program that made it, and export it again");
        self.fault(at, wrong);
    }

    /// Does an attribute count what is there? Absent counts are no fault.
    pub(super) fn counted(
        &mut self,
        node: Node<'d, 'd>,
        name: &'static str,
        what: &str,
        there: usize,
    ) -> bool {
        let Some(said) = node.attribute(name) else {
            return true;
        };
        let agrees = said.trim().parse() == Ok(there);
        if !agrees {
            let wrong = Kind::Count
                .expected(format_args!("{there}, as there are {what}"), format_args!("“{said}”"))
                .help("the file is cut off or was edited by hand; export it again");
            self.fault(XmlPlace::Attribute(node, name), wrong);
        }
        agrees
    }

    /// The same where nothing depends on it: no fault, but told.
    pub(super) fn counted_loosely(
        &mut self,
        node: Node<'d, 'd>,
        name: &'static str,
        what: &str,
        there: usize,
    ) {
        if let Some(said) = node.attribute(name)
            && said.trim().parse() != Ok(there)
        {
            self.finding(
                "EZM_COUNT",
                XmlPlace::Attribute(node, name),
                [
                    &format!("{there}, as there are {what}"),
                    &format!("“{said}”"),
                    "something may be missing",
                ],
            );
        }
    }
}

/// How bad it is that something was passed over or mended, and what it was in one sentence.
fn severity_and_title(code: &str) -> (Severity, &'static str) {
    use Severity::{Note, Warning};
    match code {
        "EZM_COUNT" => (Warning, "A count is not the number of things"),
        "EZM_ROTATION_NON_UNIT" => (Warning, "A rotation has not the length 1"),
        "EZM_DURATION" => (Warning, "The duration is not that of the frames"),
        "EZM_TRACK_WITHOUT_BONE" => (Warning, "A track is for a bone that is not there"),
        "EZM_SEMANTIC_IGNORED" => (Note, "Vertices hold something that is not shown"),
        "EZM_MATERIAL_DATA_IGNORED" => (Note, "A material holds data that is not read"),
        "EZM_MATERIAL_UNKNOWN" => (Warning, "A section names a material that is not there"),
        "EZM_SKELETON_GUESSED" => (Warning, "A mesh has weights but names no skeleton"),
        "EZM_INSTANCE_OF_SKINNED_MESH" => (Warning, "An instance moves a skinned mesh"),
        _ => (Note, "A section of the file is passed over"),
    }
}

/// `/MeshSystem/Meshes/Mesh[2]`; numbers where several elements have the name.
fn path_of(node: Node<'_, '_>) -> String {
    let mut parts: Vec<String> = node
        .ancestors()
        .filter(Node::is_element)
        .map(|node| {
            let name = node.tag_name().name();
            let alike = |other: &Node<'_, '_>| other.tag_name().name() == name;
            let before = node.prev_siblings().skip(1).filter(alike).count();
            let after = node.next_siblings().skip(1).any(|other| alike(&other));
            if before > 0 || after { format!("{name}[{}]", before + 1) } else { name.to_owned() }
        })
        .collect();
    parts.reverse();
    format!("/{}", parts.join("/"))
}

/// Child elements of a name.
pub(super) fn children<'d>(
    node: Node<'d, 'd>,
    name: &'static str,
) -> impl Iterator<Item = Node<'d, 'd>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The text of an element, and where it begins in the file if it stands there
/// as it is.
pub(super) fn text<'d>(node: Node<'d, 'd>) -> (Cow<'d, str>, Option<usize>) {
    let mut texts = node.children().filter(Node::is_text);
    let Some(first) = texts.next() else {
        return (Cow::Borrowed(""), None);
    };
    let only = first.text().unwrap_or_default();
    let Some(second) = texts.next() else {
        let range = first.range();
        let as_is = range.len() == only.len();
        return (Cow::Borrowed(only), as_is.then_some(range.start));
    };
    let mut whole = only.to_owned();
    for more in std::iter::once(second).chain(texts) {
        whole.push(' ');
        whole.push_str(more.text().unwrap_or_default());
    }
    (Cow::Owned(whole), None)
}

/// What stands between commas and blanks, each with its place.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    text.split(|c: char| c == ',' || c.is_ascii_whitespace())
        .filter(|token| !token.is_empty())
        .map(move |token| (token.as_ptr() as usize - start, token))
}

/// Items between commas: how many tokens each has, and where it begins. The last
/// comma may be missing.
pub(super) fn items(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let start = text.as_ptr() as usize;
    text.split(',')
        .map(move |item| {
            let trimmed = item.trim_start();
            let count = item.split_ascii_whitespace().count();
            (trimmed.as_ptr() as usize - start, count)
        })
        .filter(|&(_, count)| count > 0)
}
