//! Short strings with a little markup, where a lesson gives no blocks: what is
//! said of a mistake.

use super::{Inline, Passage, Text};

/// A text of one paragraph, written so.
pub fn short_text(text: &str) -> Text {
    Text { source: text.to_owned(), passages: vec![Passage::Paragraph(inlines_of(text))] }
}

/// Text with `` `code` ``, `$mathematics$`, `**strong**` and `*emphasis*`, but
/// no links. Splits at the markers; one without its partner is just a character.
pub fn inlines_of(text: &str) -> Vec<Inline> {
    type Make = fn(String) -> Inline;
    const MARKERS: [(&str, Make); 4] = [
        ("`", Inline::Code),
        ("$", Inline::Math),
        ("**", |text| words(text, true, false)),
        ("*", |text| words(text, false, true)),
    ];
    let plain = |text: &str| words(text.to_owned(), false, false);
    let mut out = Vec::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(['`', '$', '*']) {
        let start = at + found;
        let marked = MARKERS.iter().find_map(|(marker, make)| {
            let inside = text[start..].strip_prefix(marker)?;
            let length = inside.find(marker)?;
            let closed = length > 0 && !inside.starts_with(' ');
            closed.then(|| (make(inside[..length].to_owned()), length + 2 * marker.len()))
        });
        let Some((piece, length)) = marked else {
            at = start + 1;
            continue;
        };
        if done < start {
            out.push(plain(&text[done..start]));
        }
        out.push(piece);
        at = start + length;
        done = at;
    }
    if done < text.len() {
        out.push(plain(&text[done..]));
    }
    out
}

fn words(text: String, strong: bool, emphasis: bool) -> Inline {
    Inline::Text { text, strong, emphasis }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_mark_and_lone_ones_are_characters() {
        let plain = |text: &str| words(text.to_owned(), false, false);
        assert_eq!(
            inlines_of("a `b` $c$ **d** *e*"),
            [
                plain("a "),
                Inline::Code("b".to_owned()),
                plain(" "),
                Inline::Math("c".to_owned()),
                plain(" "),
                words("d".to_owned(), true, false),
                plain(" "),
                words("e".to_owned(), false, true),
            ]
        );
        for text in ["2 * 3 * 4", "5 $", "a ` b", "**"] {
            assert_eq!(inlines_of(text), [plain(text)]);
        }
        assert_eq!(inlines_of(""), []);
    }
}
