//! Parses the texts of cells as Markdown, and maps their characters to positions in the
//! TOML of the cell.

use bindpose_diagnostic::Diagnostic;
use toml::de::DeTable;

use super::LessonReader;
use crate::cell_texts::{TextForm, TextMoment, TextPlace, texts_mut};
use crate::drawn_body::filled_places;
use crate::outline::Mention;
use crate::toml_body::{Body, value_at};
use crate::{CellKind, Inline, LessonBlock, LinkTarget, LinkWhen, Passage};

impl LessonReader<'_> {
    /// Replaces the plain texts of a cell by parsed Markdown.
    pub(super) fn read_texts(&mut self, kind: &mut CellKind, body: &Body<'_>, table: &DeTable<'_>) {
        let before = self.findings.len();
        let mut numbers = None;
        for (place, text) in texts_mut(kind) {
            let Some(value) = value_at(table, &place.key) else {
                continue;
            };
            let Some(words) = value.get_ref().as_str() else {
                continue;
            };
            // An error in a text usually repeats in its other draws: it is reported once.
            let is_other_draw =
                numbers.replace(place.numbers.clone()) != Some(place.numbers.clone());
            let is_quiet = is_other_draw && self.findings.len() > before;
            let span = value.span();
            let written = body.text.get(span.clone()).unwrap_or_default();
            let written_places = written_places(written, words);
            let last_place = written_places.last().copied().unwrap_or(0);
            let places = filled_places(words, &place.numbers, &text.source)
                .into_iter()
                .map(|byte| {
                    let in_written = written_places.get(byte).copied().unwrap_or(last_place);
                    body.at(span.start + in_written)
                })
                .collect();
            let source = text.source.clone();
            let source = self.source.part(&source, places);
            let mut reader = LessonReader::new(&source, 0, self.place, self.params);
            let blocks = reader.read_blocks(1);
            text.passages = reader.convert_to_passages(blocks, &place);
            let after = match &place.moment {
                TextMoment::After(done) => Some(done.clone()),
                TextMoment::AtOnce | TextMoment::Later => None,
            };
            self.mentions.extend(
                reader
                    .mentions
                    .into_iter()
                    .map(|mention| Mention { after: after.clone(), ..mention }),
            );
            if !is_quiet {
                for finding in reader.findings {
                    self.push_finding(finding);
                }
            }
        }
    }

    /// Converts blocks to passages, reporting those that a text of a cell cannot hold.
    fn convert_to_passages(&mut self, blocks: Vec<LessonBlock>, place: &TextPlace) -> Vec<Passage> {
        let mut passages = Vec::new();
        for block in blocks {
            let passage = match block {
                LessonBlock::Paragraph(inlines) => Ok(Passage::Paragraph(inlines)),
                LessonBlock::Math(tex) => Ok(Passage::Math(tex)),
                LessonBlock::List { first, items } => paragraphs(items)
                    .map(|items| Passage::List { first, items })
                    .ok_or("a list of more than single paragraphs"),
                LessonBlock::Heading { .. } => Err("a heading"),
                LessonBlock::Quote(_) => Err("a quote"),
                LessonBlock::Table { .. } => Err("a table"),
                LessonBlock::Code { .. } => Err("a listing"),
                LessonBlock::Rule => Err("a rule"),
                LessonBlock::Cell(_) => Err("a cell"),
                // Already reported.
                LessonBlock::Broken(_) => continue,
            };
            match passage {
                Ok(passage) => passages.push(passage),
                Err(what) => {
                    self.report_unsupported(what, "write paragraphs, lists and formulas there");
                }
            }
        }
        if place.form != TextForm::Text && !matches!(&passages[..], [] | [Passage::Paragraph(_)]) {
            let help = "write one paragraph there, and a formula in it between single $";
            self.report_unsupported(
                "more than one paragraph, or a list or a formula of its own",
                help,
            );
        }
        if place.form == TextForm::Label {
            for passage in &passages {
                if let Passage::Paragraph(inlines) = passage {
                    self.check_label(inlines);
                }
            }
        }
        passages
    }

    /// Reports inlines that a label cannot hold, because labels stand on buttons and in
    /// drawings.
    fn check_label(&mut self, inlines: &[Inline]) {
        let what =
            inlines.iter().find_map(|inline| match inline {
                Inline::Link {
                    target:
                        LinkTarget::Value(_, _, LinkWhen::Always | LinkWhen::Now)
                        | LinkTarget::Param(..),
                    ..
                } => Some("a live number"),
                Inline::Link { .. } => Some("a link"),
                Inline::Break => Some("a break of the line"),
                Inline::Task(_) => Some("a task"),
                Inline::Text { .. } | Inline::Struck(_) | Inline::Code(_) | Inline::Math(_) => None,
            });
        if let Some(what) = what {
            self.report_unsupported(what, "write words, emphasis, code and formulas there");
        }
    }

    fn report_unsupported(&mut self, what: &str, help: &str) {
        let title = format!("this text of a cell cannot show {what}");
        self.report(0, Diagnostic::said("NOT_SHOWN", title).help(help));
    }
}

/// Returns the items as inlines, or `None` if one is more than a single paragraph.
fn paragraphs(items: Vec<Vec<LessonBlock>>) -> Option<Vec<Vec<Inline>>> {
    let items = items.into_iter().map(|mut item| match item.pop() {
        None => Some(Vec::new()),
        Some(LessonBlock::Paragraph(inlines)) if item.is_empty() => Some(inlines),
        Some(_) => None,
    });
    items.collect()
}

/// Maps each byte of a string value, and its end, to the byte in its TOML source, where
/// quotes and escapes count.
fn written_places(written: &str, text: &str) -> Vec<usize> {
    let literal = written.starts_with('\'');
    let many_lines = written.starts_with("\"\"\"") || written.starts_with("'''");
    let mut at = if many_lines { 3 } else { 1 };
    if many_lines {
        // TOML drops a line break directly after the opening quotes.
        let line = written.get(at..).unwrap_or_default();
        let first = line.strip_prefix('\r').unwrap_or(line);
        if let Some(first) = first.strip_prefix('\n') {
            at += line.len() - first.len();
        }
    }
    let mut places = Vec::with_capacity(text.len() + 1);
    for c in text.chars() {
        if !literal {
            at += joined_lines_length(written.get(at..).unwrap_or_default());
        }
        let rest = written.get(at..).unwrap_or_default();
        let escape = if literal { None } else { escape_length(rest) };
        let length = escape.unwrap_or_else(|| plain_char_length(rest, c));
        places.extend(std::iter::repeat_n(at, c.len_utf8()));
        at = (at + length).min(written.len());
    }
    places.push(at);
    places
}

/// Length of a plain character. TOML reads the two characters `\r\n` as one line break.
fn plain_char_length(rest: &str, c: char) -> usize {
    if c == '\n' && rest.starts_with("\r\n") { 2 } else { c.len_utf8() }
}

/// Length of a backslash at the end of a line, with all space up to the next word.
fn joined_lines_length(rest: &str) -> usize {
    let Some(after) = rest.strip_prefix('\\') else {
        return 0;
    };
    let words = after.trim_start();
    if after.len() == words.len() { 0 } else { rest.len() - words.len() }
}

fn escape_length(rest: &str) -> Option<usize> {
    let letter = rest.strip_prefix('\\')?.chars().next()?;
    Some(match letter {
        'x' => 4,
        'u' => 6,
        'U' => 10,
        other => 1 + other.len_utf8(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_positions_in_every_kind_of_string() {
        for (written, character, expected) in [
            ("\"ab c\"", "c", "c\""),
            ("'a\\b c'", "c", "c'"),
            ("\"\\\\frac \\\"x\\\" y\"", "y", "y\""),
            ("\"\\u00e9 \\U0001F600 z\"", "z", "z\""),
            ("\"\"\"\nab\n  c\"\"\"", "c", "c\"\""),
            ("\"\"\"a \\\n   b\"\"\"", "b", "b\"\""),
            ("'''\r\na\r\nb'''", "b", "b''"),
            ("\"é x\"", "x", "x\""),
        ] {
            let table: toml::Table = toml::from_str(&format!("key = {written}")).expect(written);
            let text = table["key"].as_str().expect("a string").to_owned();
            let places = written_places(written, &text);
            let place = places[text.find(character).expect(character)];
            let found: String = written[place..].chars().take(3).collect();
            assert!(found.starts_with(expected), "{written}: {found}");
        }
        assert_eq!(written_places("\"ab\"", "ab"), [1, 2, 3], "and the end");
        // Mismatched arguments do not panic.
        assert_eq!(written_places("\"", "long").len(), 5);
    }
}
