//! What tests read of HTML that the program writes, and pictures for it.

use bindpose_paper::handout::{Picture, Pictures, Wanted};

/// The same small picture for everything.
pub(super) struct Dots;

impl Pictures for Dots {
    fn picture(&mut self, wanted: &Wanted) -> Option<Picture> {
        assert!(wanted.width > 0, "{wanted:?}");
        Some(Picture {
            png: b"a picture".to_vec(),
            size: [wanted.width as f32, 100.0],
            words: "A <dot> & \"more\".".to_owned(),
        })
    }
}

/// Elements that have no end.
const VOID: [&str; 6] = ["meta", "br", "hr", "img", "link", "source"];

/// Checks that each element ends in its place; `open` are those that have begun.
pub(super) fn each_element_is_closed(open: &[&str], html: &str) {
    let mut open = open.to_vec();
    for (name, rest) in tags(html) {
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closes what is open");
        } else if !VOID.contains(&name) && !rest.ends_with('/') {
            open.push(name);
        }
        assert_eq!(rest.matches('"').count() % 2, 0, "<{name} {rest}>");
    }
    assert!(open.is_empty(), "{open:?}");
}

/// The name and the rest of each tag between `<` and `>`.
fn tags(html: &str) -> impl Iterator<Item = (&str, &str)> {
    html.split('<').skip(1).map(|piece| {
        let (tag, _) = piece.split_once('>').expect("a tag that is closed");
        tag.split_once([' ', '\n']).unwrap_or((tag, ""))
    })
}

/// The values of an attribute, wherever it stands.
pub(super) fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    let parts = html.split(opening.as_str()).skip(1);
    parts.map(|rest| rest.split_once('"').expect("a value that is closed").0).collect()
}
