//! Parses Markdown into blocks: lessons, teacher's notes and the glossary. Never fails:
//! an error becomes a finding, and parsing goes on after it.

mod blocks;
mod cell_texts;
mod fences;
mod links;
mod pictures;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use std::ops::Range;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::front_matter::{self, FrontMatter};
use super::outline::{IncludedParts, LessonOutline, Mention, MentionKind, OutlinePlace};
use super::plain_name::is_plain_name;
use super::toml_body::{LessonSource, MAX_BYTES};
use super::{
    Cell, Inventory, Lesson, LessonBlock, LessonParam, LessonStep, Setting, StepSubject, Term,
};

/// Extensions of Markdown. Some are not shown on the page, and are enabled only so that
/// `blocks` can report them.
const MARKDOWN_OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_MATH)
    .union(Options::ENABLE_OLD_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM)
    .union(Options::ENABLE_DEFINITION_LIST);
/// Maximum number of findings reported for one text.
const MAX_FINDINGS: usize = 100;
/// Maximum nesting depth of lists and quotes.
const MAX_DEPTH: usize = 12;

/// Parses a lesson. `folder` is its folder name such as `20-bind-pose`, `text` its
/// `lesson.md` and `notes` its `notes.md`. Never fails: errors are listed in
/// [`Lesson::findings`].
pub fn parse_lesson(folder: &str, text: &str, notes: &str) -> Lesson {
    parse_outlined(folder, text, notes).0
}

/// Like [`parse_lesson`], and also returns the positions of all names for the content check.
pub fn parse_outlined(folder: &str, text: &str, notes: &str) -> (Lesson, LessonOutline) {
    let mut findings = Vec::new();
    let file = format!("{folder}/lesson.md");
    let text = match check_size(&file, text) {
        Ok(text) => text,
        Err(error) => return unreadable_lesson(folder, error),
    };
    let source = LessonSource::new(file, text);
    let (number, slug) = number_and_slug(folder, &mut findings, &source);
    let FrontMatter {
        title,
        about,
        minutes,
        needs,
        rig,
        params,
        drive,
        mentions,
        findings: front_findings,
        end,
        incomplete,
    } = front_matter::read(&source);
    findings.extend(front_findings);

    let mut reader = LessonReader::new(&source, end, OutlinePlace::Intro, &params);
    reader.findings = findings;
    reader.mentions = mentions;
    reader.incomplete = incomplete;
    let intro = reader.read_blocks(0);
    let stage = std::mem::take(&mut reader.section.stage);
    let mut steps: Vec<LessonStep> = Vec::new();
    let mut step_places = Vec::new();
    while let Some((title, slug, at)) = reader.read_section_heading(&steps.len().to_string()) {
        reader.place = OutlinePlace::Step(steps.len());
        step_places.push(at);
        let blocks = reader.read_blocks(0);
        let mut section = std::mem::take(&mut reader.section);
        section.hide_others(&stage);
        steps.push(section.into_step(title, slug, blocks));
    }
    if steps.is_empty() && !reader.incomplete {
        reader.report(
            source.text.len(),
            Diagnostic::expected("at least one step", "none")
                .help("write a heading: ## Two plus two"),
        );
    }
    let mut findings = reader.findings;
    let mut mentions = reader.mentions;
    let cell_ids = reader.ids.into_iter().collect();
    let incomplete = reader.incomplete;

    let notes = read_notes(folder, notes, &params, &mut findings, &mut mentions);

    let lesson = Lesson {
        number,
        folder: folder.to_owned(),
        title: if title.is_empty() { slug.clone() } else { title },
        slug,
        about,
        minutes,
        needs,
        rig,
        params,
        drive,
        intro,
        stage,
        steps,
        notes,
        inventory: Inventory::default(),
        findings,
    };
    let outline = LessonOutline {
        mentions,
        steps: step_places,
        cell_ids,
        inventory: Vec::new(),
        parts: IncludedParts::default(),
        incomplete,
    };
    (lesson, outline)
}

/// Reads the teacher's notes. Their findings share one list with those of the lesson,
/// because broken blocks refer to a finding by its index.
fn read_notes(
    folder: &str,
    notes: &str,
    params: &[LessonParam],
    findings: &mut Vec<Diagnostic>,
    mentions: &mut Vec<Mention>,
) -> Vec<LessonBlock> {
    let file = format!("{folder}/notes.md");
    let notes = check_size(&file, notes).unwrap_or_else(|error| {
        findings.push(error);
        ""
    });
    let source = LessonSource::new(file, notes);
    let mut reader = LessonReader::new(&source, 0, OutlinePlace::Notes, params);
    reader.findings = std::mem::take(findings);
    let notes = reader.read_blocks(0);
    *findings = reader.findings;
    mentions.append(&mut reader.mentions);
    notes
}

/// A lesson whose text cannot be read at all, with the finding that explains why.
pub(crate) fn unreadable_lesson(folder: &str, error: Diagnostic) -> (Lesson, LessonOutline) {
    let source = LessonSource::new(format!("{folder}/lesson.md"), "");
    let (number, slug) = number_and_slug(folder, &mut Vec::new(), &source);
    let lesson = Lesson {
        number,
        title: slug.clone(),
        slug,
        folder: folder.to_owned(),
        findings: vec![error],
        ..Lesson::default()
    };
    let outline = LessonOutline { incomplete: true, ..LessonOutline::default() };
    (lesson, outline)
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Glossary {
    pub(crate) terms: Vec<Term>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) findings: Vec<Diagnostic>,
    /// Set if a fenced block is not closed and may have swallowed terms.
    pub(crate) incomplete: bool,
}

/// Parses `glossary.md`, in which every `##` heading begins a term.
pub(crate) fn parse_glossary(text: &str) -> Glossary {
    let file = "glossary.md".to_owned();
    let text = match check_size(&file, text) {
        Ok(text) => text,
        Err(error) => {
            return Glossary { findings: vec![error], ..Glossary::default() };
        }
    };
    let source = LessonSource::new(file, text);
    let mut reader = LessonReader::new(&source, 0, OutlinePlace::Glossary, &[]);
    // Skips the title and the introduction of the glossary.
    reader.read_blocks(0);
    let mut terms: Vec<Term> = Vec::new();
    while let Some((title, slug, _)) = reader.read_section_heading(&terms.len().to_string()) {
        let blocks = reader.read_blocks(0);
        terms.push(Term { slug, title, blocks });
    }
    Glossary {
        terms,
        mentions: reader.mentions,
        findings: reader.findings,
        incomplete: reader.incomplete,
    }
}

/// Returns the text unless it exceeds [`MAX_BYTES`].
fn check_size<'t>(file: &str, text: &'t str) -> Result<&'t str, Diagnostic> {
    if text.len() <= MAX_BYTES {
        return Ok(text);
    }
    let expected = format!("at most {MAX_BYTES} bytes");
    Err(Diagnostic::expected(expected, text.len().to_string())
        .help("split the text")
        .at(Within::text(file, LineColumn { line: 1, column: 1 })))
}

fn number_and_slug(
    folder: &str,
    findings: &mut Vec<Diagnostic>,
    source: &LessonSource<'_>,
) -> (u32, String) {
    let parts = folder.split_once('-').and_then(|(number, slug)| {
        let number: u32 = number.parse().ok()?;
        is_plain_name(slug).then(|| (number, slug.to_owned()))
    });
    parts.unwrap_or_else(|| {
        let error = Diagnostic::expected("a folder named NN-slug", format!("`{folder}`"))
            .help("name it with a number, a hyphen, and a-z, 0-9 and hyphens: 20-bind-pose");
        findings.push(source.error(0, error));
        (0, slug_of(folder))
    })
}

/// Turns a title into a slug: `Two plus two` becomes `two-plus-two`.
pub(crate) fn slug_of(title: &str) -> String {
    let mut slug = String::new();
    for c in title.chars().take(200) {
        if c.is_alphanumeric() {
            slug.extend(c.to_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// Returns `base-N` with the next free number N, at least `first`, and adds it to `taken`.
fn unique(
    base: &str,
    first: usize,
    taken: &mut BTreeSet<String>,
    counts: &mut BTreeMap<String, usize>,
) -> String {
    let count = counts.entry(base.to_owned()).or_insert(first - 1);
    loop {
        *count += 1;
        let name = format!("{base}-{count}");
        if taken.insert(name.clone()) {
            return name;
        }
    }
}

/// Parts of a step that are not among its blocks.
#[derive(Default)]
struct SectionParts {
    rig: Option<String>,
    set: Vec<Setting>,
    stage: Vec<Cell>,
    hide: Vec<String>,
    only: Option<Vec<String>>,
    carry: bool,
    drag: Option<Vec<String>>,
    watch: Option<Vec<String>>,
    sways: Option<String>,
    subject: Option<StepSubject>,
    was: Vec<String>,
}

impl SectionParts {
    /// Hides the cells of the lesson's stage that are not among those of `only`.
    fn hide_others(&mut self, stage: &[Cell]) {
        if let Some(only) = self.only.take() {
            let others = stage.iter().map(|cell| &cell.id).filter(|id| !only.contains(id));
            self.hide.extend(others.cloned());
        }
    }

    fn into_step(self, title: String, slug: String, blocks: Vec<LessonBlock>) -> LessonStep {
        LessonStep {
            title,
            slug,
            rig: self.rig,
            set: self.set,
            blocks,
            stage: self.stage,
            hide: self.hide,
            carry: self.carry,
            drag: self.drag,
            watch: self.watch,
            sways: self.sways,
            subject: self.subject,
            was: self.was,
        }
    }
}

type Events<'a> = Peekable<std::vec::IntoIter<(Event<'a>, Range<usize>)>>;

struct LessonReader<'a> {
    source: &'a LessonSource<'a>,
    events: Events<'a>,
    place: OutlinePlace,
    params: &'a [LessonParam],
    section: SectionParts,
    /// Ids of all cells so far.
    ids: BTreeSet<String>,
    /// Slugs of all sections so far.
    slugs: BTreeSet<String>,
    /// Last number used for each base of a slug or id.
    counts: BTreeMap<String, usize>,
    mentions: Vec<Mention>,
    findings: Vec<Diagnostic>,
    /// Set if a block is not closed, so that the text after it was not read.
    incomplete: bool,
    /// Byte offset of the last `$` outside any formula.
    lone_dollar: Option<usize>,
}

impl<'a> LessonReader<'a> {
    /// Creates a reader of the Markdown from byte `start` to the end.
    fn new(
        source: &'a LessonSource<'a>,
        start: usize,
        place: OutlinePlace,
        params: &'a [LessonParam],
    ) -> Self {
        let text = source.text.get(start..).unwrap_or_default();
        let events: Vec<_> = Parser::new_ext(text, MARKDOWN_OPTIONS)
            .into_offset_iter()
            .map(|(event, range)| (event, range.start + start..range.end + start))
            .collect();
        Self {
            source,
            events: events.into_iter().peekable(),
            place,
            params,
            section: SectionParts::default(),
            ids: BTreeSet::new(),
            slugs: BTreeSet::new(),
            counts: BTreeMap::new(),
            mentions: Vec::new(),
            findings: Vec::new(),
            incomplete: false,
            lone_dollar: None,
        }
    }

    /// Reads the heading of the next section: title, slug and position. `number` forms the
    /// slug of a heading without letters.
    fn read_section_heading(&mut self, number: &str) -> Option<(String, String, LineColumn)> {
        let (_, range) = self.events.next_if(|(event, _)| is_section_heading(event))?;
        let title = self.read_plain_text(TagEnd::Heading(HeadingLevel::H2));
        let mut slug = slug_of(&title);
        if slug.is_empty() {
            slug = format!("part-{number}");
            let error = Diagnostic::expected("words after ##", "").help("write ## Two plus two");
            self.report(range.start, error);
        }
        if !self.slugs.insert(slug.clone()) {
            let (error, help) = if self.is_glossary() {
                (format!("the term `{title}` is explained twice"), "keep one of the two")
            } else {
                let error = format!("there is a step `{title}` already");
                (error, "give each step a heading of its own")
            };
            self.report(range.start, Diagnostic::said("NAME_TAKEN", error).help(help));
            slug = unique(&slug, 2, &mut self.slugs, &mut self.counts);
        }
        Some((title, slug, self.source.at(range.start)))
    }

    /// Whether `##` headings divide this text into sections.
    fn has_sections(&self) -> bool {
        self.place != OutlinePlace::Notes
    }

    fn report(&mut self, offset: usize, error: Diagnostic) {
        if self.findings.len() < MAX_FINDINGS {
            let finding = self.source.error(offset, error);
            self.push_finding(finding);
        }
    }

    fn push_finding(&mut self, finding: Diagnostic) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(finding);
        }
    }

    fn add_mention(&mut self, offset: usize, what: MentionKind) {
        self.mentions.push(Mention {
            at: self.source.at(offset),
            place: self.place,
            what,
            after: None,
        });
    }
}

fn is_section_heading(event: &Event<'_>) -> bool {
    matches!(event, Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }))
}

impl LessonReader<'_> {
    /// Records the finding and returns the block that shows it in place.
    fn broken_block(&mut self, finding: Diagnostic) -> LessonBlock {
        // Past the limit, further broken blocks share the last finding.
        let index = self.findings.len().min(MAX_FINDINGS - 1);
        self.push_finding(finding);
        LessonBlock::Broken(index)
    }
}
