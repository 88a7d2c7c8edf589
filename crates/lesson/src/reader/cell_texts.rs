//! The texts of cells, read as prose is, and where their characters stand in the TOML
//! that they come from.

use bindpose_diagnostic::Diagnostic;
use toml::de::DeTable;

use super::LessonReader;
use crate::cell_texts::{TextForm, TextMoment, TextPlace, texts_mut};
use crate::drawn_body::filled_places;
use crate::outline::Mention;
use crate::toml_body::{Body, value_at};
use crate::{CellKind, Inline, LessonBlock, LinkTarget, LinkWhen, Passage};

impl LessonReader<'_> {
    /// Puts Markdown in the place of the plain words of a cell.
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
            // What is wrong with one draw is so with the others, as a rule.
            let is_other = numbers.replace(place.numbers.clone()) != Some(place.numbers.clone());
            let quiet = is_other && self.findings.len() > before;
            let span = value.span();
            let written = body.text.get(span.clone()).unwrap_or_default();
            let at = |in_written: usize| body.at(span.start + in_written);
            let places = written_places(written, words);
            let filled = filled_places(words, &place.numbers, &text.source);
            let places = filled.into_iter().map(|byte| {
                let written = places.get(byte).or(places.last());
                at(written.copied().unwrap_or(0))
            });
            let source = text.source.clone();
            let source = self.source.part(&source, places.collect());
            let mut reader = LessonReader::new(&source, 0, self.place, self.params);
            let blocks = reader.blocks(1);
            text.passages = reader.passages(blocks, &place);
            let after = match &place.said {
                TextMoment::After(done) => Some(done.clone()),
                TextMoment::AtOnce | TextMoment::Later => None,
            };
            let mentions = reader.mentions.into_iter();
            self.mentions
                .extend(mentions.map(|mention| Mention { after: after.clone(), ..mention }));
            if !quiet {
                for finding in reader.findings {
                    self.find(finding);
                }
            }
        }
    }

    /// What of blocks fits in the place of a text; the rest is told.
    fn passages(&mut self, blocks: Vec<LessonBlock>, place: &TextPlace) -> Vec<Passage> {
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
                // A finding of its own says why.
                LessonBlock::Broken(_) => continue,
            };
            match passage {
                Ok(passage) => passages.push(passage),
                Err(what) => self.unfit(what, "write paragraphs, lists and formulas there"),
            }
        }
        if place.form != TextForm::Text && !matches!(&passages[..], [] | [Passage::Paragraph(_)]) {
            let help = "write one paragraph there, and a formula in it between single $";
            self.unfit("more than one paragraph, or a list or a formula of its own", help);
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

    /// A label is part of something that is pressed, or of a drawing.
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
            self.unfit(what, "write words, emphasis, code and formulas there");
        }
    }

    fn unfit(&mut self, what: &str, help: &str) {
        let title = format!("this text of a cell cannot show {what}");
        self.wrong(0, Diagnostic::said("NOT_SHOWN", title).help(help));
    }
}

/// Items that are single paragraphs; `None` where one is not.
fn paragraphs(items: Vec<Vec<LessonBlock>>) -> Option<Vec<Vec<Inline>>> {
    let items = items.into_iter().map(|mut item| match item.pop() {
        None => Some(Vec::new()),
        Some(LessonBlock::Paragraph(inlines)) if item.is_empty() => Some(inlines),
        Some(_) => None,
    });
    items.collect()
}

/// For each byte of a string as TOML gives it, and for its end, the byte of what is
/// written, quotes and escapes included.
fn written_places(written: &str, text: &str) -> Vec<usize> {
    let literal = written.starts_with('\'');
    let many_lines = written.starts_with("\"\"\"") || written.starts_with("'''");
    let mut at = if many_lines { 3 } else { 1 };
    let rest = |at: usize| written.get(at..).unwrap_or_default();
    if many_lines {
        // A line break right after the quotes is none of the text.
        let line = rest(at);
        let first = line.strip_prefix('\r').unwrap_or(line);
        if let Some(first) = first.strip_prefix('\n') {
            at += line.len() - first.len();
        }
    }
    let mut places = Vec::with_capacity(text.len() + 1);
    for c in text.chars() {
        let length = if literal {
            plain_length(rest(at), c)
        } else {
            at += joined_lines(rest(at));
            escape_length(rest(at)).unwrap_or_else(|| plain_length(rest(at), c))
        };
        places.extend(std::iter::repeat_n(at, c.len_utf8()));
        at = (at + length).min(written.len());
    }
    places.push(at);
    places
}

/// A line break may be two characters where TOML makes it one.
fn plain_length(rest: &str, c: char) -> usize {
    if c == '\n' && rest.starts_with("\r\n") { 2 } else { c.len_utf8() }
}

/// Of a backslash at the end of a line, and all space up to the next word.
fn joined_lines(rest: &str) -> usize {
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
    fn every_kind_of_string_is_followed() {
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
        // What does not fit together comes to no harm.
        assert_eq!(written_places("\"", "long").len(), 5);
    }
}
