//! Footnotes: numbered in each section as it refers to them, wherever in the file
//! they are written.

use bindpose_diagnostic::Diagnostic;

use super::{Footnote, LessonReader, Reference};
use crate::Block;

impl LessonReader<'_> {
    /// The number of a footnote in this section.
    pub(super) fn footnote_number(&mut self, label: &str, offset: usize) -> usize {
        let references = &mut self.section.footnotes;
        let known = references.iter().position(|(known, _)| known == label);
        known.map_or_else(
            || {
                references.push((label.to_owned(), offset));
                references.len()
            },
            |index| index + 1,
        )
    }

    pub(super) fn define_footnote(&mut self, label: &str, offset: usize, text: Vec<Block>) {
        let footnote = Footnote { offset, text, used: false };
        if self.footnotes.insert(label.to_owned(), footnote).is_some() {
            let wrong = format!("the footnote `{label}` is written twice");
            let wrong = Diagnostic::said("NAME_TAKEN", wrong);
            self.wrong(offset, wrong.help("keep one of the two"));
        }
    }

    /// Puts the footnotes of a section at its end, once all of the file is read.
    pub(super) fn put_footnotes(&mut self, references: &[Reference], blocks: &mut Vec<Block>) {
        let mut texts = Vec::new();
        for (label, offset) in references {
            if let Some(footnote) = self.footnotes.get_mut(label) {
                footnote.used = true;
                texts.push(footnote.text.clone());
            } else {
                texts.push(Vec::new());
                let wrong =
                    Diagnostic::said("MISSING", format!("no footnote `{label}` is written"));
                let help =
                    format!("write a line [^{label}]: and what it says, below an empty line");
                self.wrong(*offset, wrong.help(help));
            }
        }
        if !texts.is_empty() {
            blocks.push(Block::Footnotes(texts));
        }
    }

    /// Tells of footnotes that nothing refers to.
    pub(super) fn check_footnotes(&mut self) {
        let unused = self.footnotes.iter().filter(|(_, one)| !one.used);
        let unused: Vec<(String, usize)> =
            unused.map(|(label, one)| (label.clone(), one.offset)).collect();
        for (label, offset) in unused {
            let wrong = format!("nothing refers to the footnote `{label}`");
            let help = format!("write [^{label}] where it belongs, or leave it out");
            self.wrong(offset, Diagnostic::said("NOT_SHOWN", wrong).help(help));
        }
    }
}
