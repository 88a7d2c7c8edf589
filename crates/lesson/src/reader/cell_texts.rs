//! The texts of cells, read as prose is.

use bindpose_diagnostic::Diagnostic;
use toml::de::DeTable;

use super::LessonReader;
use crate::cell_texts::{TextForm, TextMoment, TextPlace, texts_mut};
use crate::drawn_body::filled_places;
use crate::outline::Mention;
use crate::toml_body::{Body, value_at};
use crate::toml_text::written_places;
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
