//! Markdown that forges show and the page does not: it is read, and told.

use std::ops::Range;

use bindpose_diagnostic::Diagnostic;
use pulldown_cmark::{Alignment, CowStr, Event, Tag};

use super::LessonReader;

impl LessonReader<'_> {
    /// Tells what the page would leave out or show as plain words.
    pub(super) fn check_shown(&mut self, event: &Event<'_>, range: &Range<usize>) {
        let (what, help) = match event {
            Event::Start(Tag::BlockQuote(Some(_))) => {
                ("an alert", "write a plain block quote, or a note cell")
            }
            Event::Start(Tag::DefinitionList) => {
                ("a definition list", "write a table or a plain list")
            }
            Event::Start(Tag::Table(alignments)) if alignments.contains(&Alignment::Center) => {
                ("a centred column", "columns stand to the left, or to the right for numbers")
            }
            Event::Start(Tag::Link { title, .. }) if !title.is_empty() => {
                ("a title of a link", "leave out the words in quotes behind the target")
            }
            Event::FootnoteReference(_) => ("a footnote", "say it in the text, or in a note cell"),
            Event::Text(text) => return self.check_for_bare_address(text, range),
            _ => return,
        };
        self.unshown(what, help, range.start);
    }

    /// In the words of a link and in the heading of a step, all is plain text.
    pub(super) fn check_plain(&mut self, event: &Event<'_>, range: &Range<usize>) {
        let what = match event {
            Event::InlineMath(_) | Event::DisplayMath(_) => "a formula",
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough) => "emphasis",
            Event::Start(Tag::Image { .. }) => "an image",
            Event::FootnoteReference(_) => "a footnote",
            _ => return,
        };
        let what = format!(
            "{what} in struck-out words, the words of a link or an image, or a step’s heading"
        );
        self.unshown(&what, "write plain words there", range.start);
    }

    fn unshown(&mut self, what: &str, help: &str, offset: usize) {
        let wrong = Diagnostic::said("NOT_SHOWN", format!("the page does not show {what}"));
        self.wrong(offset, wrong.help(help));
    }

    fn check_for_bare_address(&mut self, text: &CowStr<'_>, range: &Range<usize>) {
        let at = text.find("https://").or_else(|| text.find("http://"));
        if let Some(at) = at {
            let help = "write [words](https://…)";
            self.unshown("a bare address as a link", help, range.start + at);
        }
    }
}
