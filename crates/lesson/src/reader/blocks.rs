//! Paragraphs, lists, tables and their inlines. Markdown that GitHub renders and the page
//! does not is parsed too, so that it can be reported.

use std::ops::Range;

use bindpose_diagnostic::Diagnostic;
use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, Tag, TagEnd};

use super::{LessonReader, MAX_DEPTH, MAX_FINDINGS, is_section_heading};
use crate::outline::MentionKind;
use crate::{Inline, LessonBlock};

/// Inlines collected for the current paragraph.
#[derive(Default)]
struct InlineRun {
    inlines: Vec<Inline>,
    strong: usize,
    emphasis: usize,
    start: usize,
}

impl InlineRun {
    fn text(&mut self, words: &str) {
        let is_strong = self.strong > 0;
        let is_emphasis = self.emphasis > 0;
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

    /// Takes the collected inlines, trimmed at both ends.
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
    /// Reads blocks up to and including the end of the enclosing element. At depth 0, stops
    /// before the heading of the next section.
    pub(super) fn read_blocks(&mut self, depth: usize) -> Vec<LessonBlock> {
        let mut blocks = Vec::new();
        let mut run = InlineRun::default();
        loop {
            let at_section = depth == 0 && self.has_sections();
            if at_section && self.events.peek().is_some_and(|(e, _)| is_section_heading(e)) {
                break;
            }
            let Some((event, range)) = self.events.next() else {
                break;
            };
            self.check_shown(&event, &range);
            match event {
                Event::DisplayMath(formula) => {
                    self.flush_paragraph(&mut run, &mut blocks);
                    self.add_mention(range.start + 2, MentionKind::Math(formula.to_string()));
                    blocks.push(LessonBlock::Math(formula.trim().to_owned()));
                }
                Event::Start(Tag::Paragraph) => {
                    self.flush_paragraph(&mut run, &mut blocks);
                    run.start = range.start;
                    if depth == 0 && self.is_lone_picture(&range) {
                        blocks.extend(self.read_picture());
                    }
                }
                Event::End(TagEnd::Paragraph) => self.flush_paragraph(&mut run, &mut blocks),
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
                | Event::InlineHtml(_) => self.read_inline(event, range, &mut run),
                Event::End(_) => break,
                Event::Start(tag) => {
                    self.flush_paragraph(&mut run, &mut blocks);
                    self.read_container(tag, range, depth, &mut blocks);
                }
                Event::Rule => {
                    self.flush_paragraph(&mut run, &mut blocks);
                    blocks.push(LessonBlock::Rule);
                }
                Event::Html(_) => {}
            }
        }
        self.flush_paragraph(&mut run, &mut blocks);
        blocks
    }

    fn flush_paragraph(&mut self, run: &mut InlineRun, blocks: &mut Vec<LessonBlock>) {
        let inlines = run.take();
        for inline in &inlines {
            if let Inline::Text { text, .. } = inline {
                self.check_for_broken_link(text, run.start);
            }
        }
        if !inlines.is_empty() {
            blocks.push(LessonBlock::Paragraph(inlines));
        }
    }

    /// Reports a link with a space in its target, which Markdown reads as plain text.
    fn check_for_broken_link(&mut self, text: &str, start: usize) {
        let Some((_, after)) = text.split_once("](") else {
            return;
        };
        if self.findings.len() >= MAX_FINDINGS {
            return;
        }
        let word: String = after.chars().take_while(|c| !c.is_whitespace()).collect();
        let needle = format!("]({word}");
        let found = self.source.text.get(start..).and_then(|t| t.find(&needle));
        self.report(
            found.map_or(start, |at| start + at + 2),
            Diagnostic::expected("a link", format!("the plain text `{needle}`"))
                .help("leave no spaces between the parentheses of a link"),
        );
    }

    /// Reports a dollar sign that neither begins nor ends a formula, because it would be
    /// shown literally.
    fn check_for_lone_dollar(&mut self, range: &Range<usize>) {
        let text = self.source.text;
        let words = text.get(range.clone()).unwrap_or_default();
        let lone = words.match_indices('$').map(|(at, _)| range.start + at).find(|&at| {
            let is_escaped = text.get(..at).is_some_and(|before| before.ends_with('\\'));
            !is_escaped
        });
        let Some(at) = lone else { return };
        // Reported once per paragraph: the second `$` usually belongs to the first.
        let previous = self.lone_dollar.replace(at);
        let between = previous.and_then(|previous| text.get(previous..at));
        if between.is_none_or(|between| between.contains("\n\n")) {
            let error = Diagnostic::expected("a formula between two signs `$`", "one `$` alone");
            let help = "close the formula, and each { in it, without a space before its last $; \
                        or write \\$ for a dollar";
            self.report(at, error.help(help));
        }
    }

    fn read_container(
        &mut self,
        tag: Tag<'a>,
        range: Range<usize>,
        depth: usize,
        blocks: &mut Vec<LessonBlock>,
    ) {
        if depth >= MAX_DEPTH && !matches!(tag, Tag::CodeBlock(_)) {
            self.report(
                range.start,
                Diagnostic::expected(format!("at most {MAX_DEPTH} levels of lists and quotes"), "")
                    .help("nest less deeply"),
            );
            return self.skip_element();
        }
        match tag {
            Tag::Heading { level, .. } => {
                let level = self.heading_level(level, range.start);
                let inlines = self.read_inlines();
                blocks.push(LessonBlock::Heading { level, inlines });
            }
            Tag::BlockQuote(_) => {
                let inner = self.read_blocks(depth + 1);
                blocks.push(LessonBlock::Quote(inner));
            }
            Tag::CodeBlock(kind) => blocks.extend(self.read_code_block(&kind, &range)),
            Tag::List(first) => {
                let mut items = Vec::new();
                while let Some((Event::Start(_), _)) = self.events.next() {
                    items.push(self.read_blocks(depth + 1));
                }
                blocks.push(LessonBlock::List { first, items });
            }
            Tag::Table(alignments) => blocks.push(self.read_table(&alignments)),
            Tag::HtmlBlock => {
                self.check_html(&range);
                self.skip_element();
            }
            _ => self.skip_element(),
        }
    }

    fn heading_level(&mut self, level: HeadingLevel, offset: usize) -> u8 {
        let level = level as u8;
        if level < 3 && self.has_sections() {
            let error = if level == 1 && self.is_glossary() {
                return 3;
            } else if level == 1 {
                Diagnostic::expected("## or ###", "#")
                    .help("the title is in the front matter; steps begin with ##")
            } else {
                let title = "a step cannot begin inside a list or quote";
                Diagnostic::said("MISPLACED", title).help("move the ## heading out, or write ###")
            };
            self.report(offset, error);
        }
        level.max(3)
    }

    fn read_table(&mut self, alignments: &[Alignment]) -> LessonBlock {
        let mut rows: Vec<Vec<Vec<Inline>>> = Vec::new();
        while let Some((event, _)) = self.events.next() {
            match event {
                Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
                Event::Start(Tag::TableCell) => {
                    let cell = self.read_inlines();
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

    /// Reads inlines up to and including the end of the enclosing element.
    fn read_inlines(&mut self) -> Vec<Inline> {
        let mut run = InlineRun::default();
        while let Some((event, range)) = self.events.next() {
            self.check_shown(&event, &range);
            match event {
                Event::End(TagEnd::Emphasis | TagEnd::Strong) => {
                    self.read_inline(event, range, &mut run);
                }
                Event::End(_) => break,
                _ => self.read_inline(event, range, &mut run),
            }
        }
        run.take()
    }

    fn read_inline(&mut self, event: Event<'a>, range: Range<usize>, run: &mut InlineRun) {
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
                self.add_mention(range.start + dollars, MentionKind::Math(formula.to_string()));
                run.inlines.push(Inline::Math(formula.to_string()));
            }
            Event::Start(Tag::Emphasis) => run.emphasis += 1,
            Event::Start(Tag::Strong) => run.strong += 1,
            Event::End(TagEnd::Emphasis) => run.emphasis = run.emphasis.saturating_sub(1),
            Event::End(TagEnd::Strong) => run.strong = run.strong.saturating_sub(1),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let text = self.read_plain_text(TagEnd::Link);
                match self.parse_link(&text, &dest_url, &range) {
                    Some(target) => run.inlines.push(Inline::Link { text, target }),
                    None => run.text(&text),
                }
            }
            Event::Start(Tag::Image { .. }) => {
                let text = self.read_plain_text(TagEnd::Image);
                self.report(
                    range.start,
                    Diagnostic::expected("words", "an image")
                        .help("write it as a paragraph of its own, outside of lists and quotes"),
                );
                run.text(&text);
            }
            Event::InlineHtml(_) => self.check_html(&range),
            Event::Start(Tag::Strikethrough) => {
                let words = self.read_plain_text(TagEnd::Strikethrough);
                run.inlines.push(Inline::Struck(words));
            }
            Event::TaskListMarker(done) => run.inlines.push(Inline::Task(done)),
            Event::Start(_) => self.skip_element(),
            _ => {}
        }
    }

    /// Reads plain text up to and including `end`, dropping all markup.
    pub(super) fn read_plain_text(&mut self, end: TagEnd) -> String {
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

    /// Reports HTML other than comments.
    fn check_html(&mut self, range: &Range<usize>) {
        let html = self.source.text.get(range.clone()).unwrap_or_default();
        if !html.trim_start().starts_with("<!--") {
            self.report(
                range.start,
                Diagnostic::expected("Markdown", "HTML")
                    .help("HTML is not shown; write Markdown, or a backslash before a plain <"),
            );
        }
    }

    /// Skips the rest of the element whose start was just read.
    fn skip_element(&mut self) {
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
    /// Reports Markdown that the page would drop or show as plain text.
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
        self.report_not_shown(what, help, range.start);
    }

    /// Reports markup in link texts and step headings, which are plain text.
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
        self.report_not_shown(&what, "write plain words there", range.start);
    }

    fn report_not_shown(&mut self, what: &str, help: &str, offset: usize) {
        let error = Diagnostic::said("NOT_SHOWN", format!("the page does not show {what}"));
        self.report(offset, error.help(help));
    }

    fn check_for_bare_address(&mut self, text: &CowStr<'_>, range: &Range<usize>) {
        let at = text.find("https://").or_else(|| text.find("http://"));
        if let Some(at) = at {
            let help = "write [words](https://…)";
            self.report_not_shown("a bare address as a link", help, range.start + at);
        }
    }
}
