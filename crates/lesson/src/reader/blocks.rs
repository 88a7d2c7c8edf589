//! Paragraphs, lists, tables and what is in them. Markdown that forges show and the page
//! does not is read, and told.

use std::ops::Range;

use bindpose_diagnostic::Diagnostic;
use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, Tag, TagEnd};

use super::{LessonReader, MAX_DEPTH, MAX_FINDINGS, is_section_heading};
use crate::outline::Mentioned;
use crate::{Inline, LessonBlock};

/// Inlines on their way to a paragraph.
#[derive(Default)]
struct InlineRun {
    inlines: Vec<Inline>,
    strong: usize,
    emphasis: usize,
    start: usize,
}

impl InlineRun {
    fn text(&mut self, words: &str) {
        let (is_strong, is_emphasis) = (self.strong > 0, self.emphasis > 0);
        if let Some(Inline::Text { text, strong, emphasis }) = self.inlines.last_mut()
            && (*strong, *emphasis) == (is_strong, is_emphasis)
        {
            text.push_str(words);
        } else {
            self.inlines.push(Inline::Text {
                text: words.to_owned(),
                strong: is_strong,
                emphasis: is_emphasis,
            });
        }
    }

    /// The inlines so far, without spaces at both ends.
    fn take(&mut self) -> Vec<Inline> {
        let mut inlines = std::mem::take(&mut self.inlines);
        if let Some(Inline::Text { text, .. }) = inlines.first_mut() {
            *text = text.trim_start().to_owned();
        }
        if let Some(Inline::Text { text, .. }) = inlines.last_mut() {
            text.truncate(text.trim_end().len());
        }
        inlines.retain(|inline| !matches!(inline, Inline::Text { text, .. } if text.is_empty()));
        inlines
    }
}

impl<'a> LessonReader<'a> {
    /// Blocks up to the end of what holds them, which is read too; at depth 0 up
    /// to the heading of the next section, which is not.
    pub(super) fn blocks(&mut self, depth: usize) -> Vec<LessonBlock> {
        let mut blocks = Vec::new();
        let mut run = InlineRun::default();
        loop {
            let at_section = depth == 0 && self.sections_matter();
            if at_section && self.events.peek().is_some_and(|(e, _)| is_section_heading(e)) {
                break;
            }
            let Some((event, range)) = self.events.next() else {
                break;
            };
            self.check_shown(&event, &range);
            match event {
                Event::DisplayMath(formula) => {
                    self.flush(&mut run, &mut blocks);
                    self.mention(range.start + 2, Mentioned::Math(formula.to_string()));
                    blocks.push(LessonBlock::Math(formula.trim().to_owned()));
                }
                Event::Start(Tag::Paragraph) => {
                    self.flush(&mut run, &mut blocks);
                    run.start = range.start;
                    if depth == 0 && self.is_picture_alone(&range) {
                        blocks.extend(self.picture_paragraph());
                    }
                }
                Event::End(TagEnd::Paragraph) => self.flush(&mut run, &mut blocks),
                Event::End(TagEnd::Emphasis | TagEnd::Strong)
                | Event::Start(
                    Tag::Emphasis
                    | Tag::Strong
                    | Tag::Strikethrough
                    | Tag::Link { .. }
                    | Tag::Image { .. },
                )
                | Event::Text(_)
                | Event::Code(_)
                | Event::InlineMath(_)
                | Event::SoftBreak
                | Event::HardBreak
                | Event::FootnoteReference(_)
                | Event::TaskListMarker(_)
                | Event::InlineHtml(_) => self.inline(event, range, &mut run),
                Event::End(_) => break,
                Event::Start(tag) => {
                    self.flush(&mut run, &mut blocks);
                    self.container(tag, range, depth, &mut blocks);
                }
                Event::Rule => {
                    self.flush(&mut run, &mut blocks);
                    blocks.push(LessonBlock::Rule);
                }
                Event::Html(_) => {}
            }
        }
        self.flush(&mut run, &mut blocks);
        blocks
    }

    fn flush(&mut self, run: &mut InlineRun, blocks: &mut Vec<LessonBlock>) {
        let inlines = run.take();
        for inline in &inlines {
            if let Inline::Text { text, .. } = inline {
                self.check_for_lost_link(text, run.start);
            }
        }
        if !inlines.is_empty() {
            blocks.push(LessonBlock::Paragraph(inlines));
        }
    }

    /// Links with a space in them are no links to Markdown.
    fn check_for_lost_link(&mut self, text: &str, start: usize) {
        let Some((_, after)) = text.split_once("](") else {
            return;
        };
        if self.findings.len() >= MAX_FINDINGS {
            return;
        }
        let word: String = after.chars().take_while(|c| !c.is_whitespace()).collect();
        let needle = format!("]({word}");
        let found = self.source.text.get(start..).and_then(|t| t.find(&needle));
        self.wrong(
            found.map_or(start, |at| start + at + 2),
            Diagnostic::expected("a link", format!("the plain text `{needle}`"))
                .help("leave no spaces between the parentheses of a link"),
        );
    }

    /// A dollar sign begins or ends a formula; one that does neither would be shown
    /// as it is.
    fn check_for_lone_dollar(&mut self, range: &Range<usize>) {
        let text = self.source.text;
        let escaped = |at: usize| text.get(..at).is_some_and(|before| before.ends_with('\\'));
        let words = text.get(range.clone()).unwrap_or_default();
        let dollars = words.match_indices('$').map(|(at, _)| range.start + at);
        let lone = dollars.into_iter().find(|&at| !escaped(at));
        let Some(at) = lone else { return };
        // Two of them in a paragraph are one mistake.
        let since = self.lone_dollar.replace(at);
        let since = since.and_then(|last| text.get(last..at));
        if since.is_none_or(|between| between.contains("\n\n")) {
            let wrong = Diagnostic::expected("a formula between two signs `$`", "one `$` alone");
            let help = "close the formula, and each { in it, without a space before its last $; \
                        or write \\$ for a dollar";
            self.wrong(at, wrong.help(help));
        }
    }

    fn container(
        &mut self,
        tag: Tag<'a>,
        range: Range<usize>,
        depth: usize,
        blocks: &mut Vec<LessonBlock>,
    ) {
        if depth >= MAX_DEPTH && !matches!(tag, Tag::CodeBlock(_)) {
            self.wrong(
                range.start,
                Diagnostic::expected(format!("at most {MAX_DEPTH} levels of lists and quotes"), "")
                    .help("nest less deeply"),
            );
            return self.skip();
        }
        match tag {
            Tag::Heading { level, .. } => {
                let level = self.heading_level(level, range.start);
                let inlines = self.inlines();
                blocks.push(LessonBlock::Heading { level, inlines });
            }
            Tag::BlockQuote(_) => {
                let inner = self.blocks(depth + 1);
                blocks.push(LessonBlock::Quote(inner));
            }
            Tag::CodeBlock(kind) => blocks.extend(self.code_block(&kind, &range)),
            Tag::List(first) => {
                let mut items = Vec::new();
                while let Some((Event::Start(_), _)) = self.events.next() {
                    items.push(self.blocks(depth + 1));
                }
                blocks.push(LessonBlock::List { first, items });
            }
            Tag::Table(alignments) => blocks.push(self.table(&alignments)),
            Tag::HtmlBlock => {
                self.check_html(&range);
                self.skip();
            }
            _ => self.skip(),
        }
    }

    fn heading_level(&mut self, level: HeadingLevel, offset: usize) -> u8 {
        let level = level as u8;
        if level < 3 && self.sections_matter() {
            let wrong = if level == 1 && self.is_glossary() {
                return 3;
            } else if level == 1 {
                Diagnostic::expected("## or ###", "#")
                    .help("the title is in the front matter; steps begin with ##")
            } else {
                let title = "a step cannot begin inside a list or quote";
                Diagnostic::said("MISPLACED", title).help("move the ## heading out, or write ###")
            };
            self.wrong(offset, wrong);
        }
        level.max(3)
    }

    fn table(&mut self, alignments: &[Alignment]) -> LessonBlock {
        let mut rows: Vec<Vec<Vec<Inline>>> = Vec::new();
        while let Some((event, _)) = self.events.next() {
            match event {
                Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
                Event::Start(Tag::TableCell) => {
                    let cell = self.inlines();
                    if let Some(row) = rows.last_mut() {
                        row.push(cell);
                    }
                }
                Event::End(TagEnd::Table) => break,
                _ => {}
            }
        }
        for row in &mut rows {
            row.resize(alignments.len(), Vec::new());
        }
        let mut rows = rows.into_iter();
        LessonBlock::Table {
            header: rows.next().unwrap_or_default(),
            right: alignments.iter().map(|a| *a == Alignment::Right).collect(),
            rows: rows.collect(),
        }
    }

    /// Inlines up to the end of what holds them, which is read too.
    fn inlines(&mut self) -> Vec<Inline> {
        let mut run = InlineRun::default();
        while let Some((event, range)) = self.events.next() {
            self.check_shown(&event, &range);
            match event {
                Event::End(TagEnd::Emphasis | TagEnd::Strong) => {
                    self.inline(event, range, &mut run);
                }
                Event::End(_) => break,
                _ => self.inline(event, range, &mut run),
            }
        }
        run.take()
    }

    fn inline(&mut self, event: Event<'a>, range: Range<usize>, run: &mut InlineRun) {
        match event {
            Event::Text(text) => {
                self.check_for_lone_dollar(&range);
                run.text(&text);
            }
            Event::SoftBreak => run.text(" "),
            Event::HardBreak => run.inlines.push(Inline::Break),
            Event::Code(code) => run.inlines.push(Inline::Code(code.to_string())),
            Event::InlineMath(formula) | Event::DisplayMath(formula) => {
                let text = self.source.text.get(range.clone()).unwrap_or_default();
                let dollars = text.len() - text.trim_start_matches('$').len();
                self.mention(range.start + dollars, Mentioned::Math(formula.to_string()));
                run.inlines.push(Inline::Math(formula.to_string()));
            }
            Event::Start(Tag::Emphasis) => run.emphasis += 1,
            Event::Start(Tag::Strong) => run.strong += 1,
            Event::End(TagEnd::Emphasis) => run.emphasis = run.emphasis.saturating_sub(1),
            Event::End(TagEnd::Strong) => run.strong = run.strong.saturating_sub(1),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let text = self.plain_text(TagEnd::Link);
                match self.link(&text, &dest_url, &range) {
                    Some(target) => run.inlines.push(Inline::Link { text, target }),
                    None => run.text(&text),
                }
            }
            Event::Start(Tag::Image { .. }) => {
                let text = self.plain_text(TagEnd::Image);
                self.wrong(
                    range.start,
                    Diagnostic::expected("words", "an image")
                        .help("write it as a paragraph of its own, outside of lists and quotes"),
                );
                run.text(&text);
            }
            Event::InlineHtml(_) => self.check_html(&range),
            Event::Start(Tag::Strikethrough) => {
                let words = self.plain_text(TagEnd::Strikethrough);
                run.inlines.push(Inline::Struck(words));
            }
            Event::TaskListMarker(done) => run.inlines.push(Inline::Task(done)),
            Event::Start(_) => self.skip(),
            _ => {}
        }
    }

    /// The words up to an end, which is read too; markup is dropped.
    pub(super) fn plain_text(&mut self, end: TagEnd) -> String {
        let mut words = String::new();
        while let Some((event, range)) = self.events.next() {
            if let Event::Text(_) = event {
                self.check_for_lone_dollar(&range);
            }
            self.check_plain(&event, &range);
            match event {
                Event::End(found) if found == end => break,
                Event::Text(text) | Event::Code(text) | Event::InlineMath(text) => {
                    words.push_str(&text);
                }
                Event::SoftBreak | Event::HardBreak => words.push(' '),
                _ => {}
            }
        }
        words.trim().to_owned()
    }

    /// HTML is not shown; comments may stand.
    fn check_html(&mut self, range: &Range<usize>) {
        let html = self.source.text.get(range.clone()).unwrap_or_default();
        if !html.trim_start().starts_with("<!--") {
            self.wrong(
                range.start,
                Diagnostic::expected("Markdown", "HTML")
                    .help("HTML is not shown; write Markdown, or a backslash before a plain <"),
            );
        }
    }

    /// Reads to the end of what was just begun.
    fn skip(&mut self) {
        let mut open = 1usize;
        for (event, _) in self.events.by_ref() {
            match event {
                Event::Start(_) => open += 1,
                Event::End(_) => open -= 1,
                _ => {}
            }
            if open == 0 {
                break;
            }
        }
    }
}

impl LessonReader<'_> {
    /// Tells what the page would leave out or show as plain words.
    fn check_shown(&mut self, event: &Event<'_>, range: &Range<usize>) {
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
    fn check_plain(&mut self, event: &Event<'_>, range: &Range<usize>) {
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
