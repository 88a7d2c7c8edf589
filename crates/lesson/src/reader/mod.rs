//! From Markdown to blocks: the text of a lesson, of its notes, of the glossary.
//! Never fails: what is wrong becomes a finding, and the rest is read.

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
use super::outline::{IncludedParts, LessonOutline, Mention, Mentioned, OutlinePlace};
use super::toml_body::{LessonSource, MAX_BYTES};
use super::{Cell, Inventory, Lesson, LessonBlock, LessonParam, LessonStep, Setting, Term};

/// What the page shows, and what is read so that `blocks` can tell of it.
const READ: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_MATH)
    .union(Options::ENABLE_OLD_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM)
    .union(Options::ENABLE_DEFINITION_LIST);
/// Further findings in one text are not listed.
const MAX_FINDINGS: usize = 100;
/// Lists and quotes nested more deeply than this are left out.
const MAX_DEPTH: usize = 12;

/// Reads a lesson: `folder` is `20-bind-pose`, `text` its `lesson.md`, `notes`
/// its `notes.md`. Never fails; what is wrong stands in [`Lesson::findings`].
pub fn parse_lesson(folder: &str, text: &str, notes: &str) -> Lesson {
    parse_outlined(folder, text, notes).0
}

/// As [`parse_lesson`], with the places of all names for the content check.
pub fn parse_outlined(folder: &str, text: &str, notes: &str) -> (Lesson, LessonOutline) {
    let mut findings = Vec::new();
    let file = format!("{folder}/lesson.md");
    let text = match short_enough(&file, text) {
        Ok(text) => text,
        Err(wrong) => return unread(folder, wrong),
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
    let intro = reader.blocks(0);
    let stage = std::mem::take(&mut reader.section.stage);
    let mut steps: Vec<LessonStep> = Vec::new();
    let mut step_places = Vec::new();
    while let Some((title, slug, at)) = reader.section_heading(&steps.len().to_string()) {
        reader.place = OutlinePlace::Step(steps.len());
        step_places.push(at);
        let blocks = reader.blocks(0);
        let section = std::mem::take(&mut reader.section);
        steps.push(section.into_step(title, slug, blocks));
    }
    if steps.is_empty() && !reader.incomplete {
        reader.wrong(
            source.text.len(),
            Diagnostic::expected("at least one step", "none")
                .help("write a heading: ## Two plus two"),
        );
    }
    let (mut findings, mut mentions) = (reader.findings, reader.mentions);
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

/// The teacher’s notes. Findings go into one list with those of the lesson, since
/// broken blocks know theirs by its index.
fn read_notes(
    folder: &str,
    notes: &str,
    params: &[LessonParam],
    findings: &mut Vec<Diagnostic>,
    mentions: &mut Vec<Mention>,
) -> Vec<LessonBlock> {
    let file = format!("{folder}/notes.md");
    let notes = short_enough(&file, notes).unwrap_or_else(|wrong| {
        findings.push(wrong);
        ""
    });
    let source = LessonSource::new(file, notes);
    let mut reader = LessonReader::new(&source, 0, OutlinePlace::Notes, params);
    reader.findings = std::mem::take(findings);
    let notes = reader.blocks(0);
    *findings = reader.findings;
    mentions.append(&mut reader.mentions);
    notes
}

/// A lesson whose text cannot be read, with the one finding that says why.
pub(crate) fn unread(folder: &str, wrong: Diagnostic) -> (Lesson, LessonOutline) {
    let source = LessonSource::new(format!("{folder}/lesson.md"), "");
    let (number, slug) = number_and_slug(folder, &mut Vec::new(), &source);
    let lesson = Lesson {
        number,
        title: slug.clone(),
        slug,
        folder: folder.to_owned(),
        findings: vec![wrong],
        ..Lesson::default()
    };
    let outline = LessonOutline { incomplete: true, ..LessonOutline::default() };
    (lesson, outline)
}

/// The glossary, read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Glossary {
    pub(crate) terms: Vec<Term>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) findings: Vec<Diagnostic>,
    /// A block that is not closed may have swallowed terms.
    pub(crate) incomplete: bool,
}

/// Reads `glossary.md`: every `##` is a term.
pub(crate) fn parse_glossary(text: &str) -> Glossary {
    let file = "glossary.md".to_owned();
    let text = match short_enough(&file, text) {
        Ok(text) => text,
        Err(wrong) => {
            return Glossary { findings: vec![wrong], ..Glossary::default() };
        }
    };
    let source = LessonSource::new(file, text);
    let mut reader = LessonReader::new(&source, 0, OutlinePlace::Glossary, &[]);
    // A title and words about the glossary itself.
    reader.blocks(0);
    let mut terms: Vec<Term> = Vec::new();
    while let Some((title, slug, _)) = reader.section_heading(&terms.len().to_string()) {
        let blocks = reader.blocks(0);
        terms.push(Term { slug, title, blocks });
    }
    Glossary {
        terms,
        mentions: reader.mentions,
        findings: reader.findings,
        incomplete: reader.incomplete,
    }
}

/// The text, if it is not absurdly long.
fn short_enough<'t>(file: &str, text: &'t str) -> Result<&'t str, Diagnostic> {
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
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        (!slug.is_empty() && slug.chars().all(plain)).then(|| (number, slug.to_owned()))
    });
    parts.unwrap_or_else(|| {
        let wrong = Diagnostic::expected("a folder named NN-slug", format!("`{folder}`"))
            .help("name it with a number, a hyphen, and a-z, 0-9 and hyphens: 20-bind-pose");
        findings.push(source.error(0, wrong));
        (0, slug_of(folder))
    })
}

/// `Two plus two` becomes `two-plus-two`.
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

/// `base-N` with the next N, from `first` on, that is free; it is taken then.
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

/// What a section collects beside its blocks.
#[derive(Default)]
struct SectionParts {
    rig: Option<String>,
    set: Vec<Setting>,
    stage: Vec<Cell>,
    hide: Vec<String>,
    carry: bool,
    drag: Option<Vec<String>>,
    watch: Option<Vec<String>>,
    sways: Option<String>,
    was: Vec<String>,
}

impl SectionParts {
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
    /// Ids of cells so far.
    ids: BTreeSet<String>,
    /// Slugs of sections so far.
    slugs: BTreeSet<String>,
    /// The last number given after each base of a slug or an id.
    counts: BTreeMap<String, usize>,
    mentions: Vec<Mention>,
    findings: Vec<Diagnostic>,
    /// Something is not closed, and what follows it was not read.
    incomplete: bool,
    /// Offset of the last `$` that belongs to no formula.
    lone_dollar: Option<usize>,
}

impl<'a> LessonReader<'a> {
    /// Reads the Markdown from byte `start` on.
    fn new(
        source: &'a LessonSource<'a>,
        start: usize,
        place: OutlinePlace,
        params: &'a [LessonParam],
    ) -> Self {
        let text = source.text.get(start..).unwrap_or_default();
        let events: Vec<_> = Parser::new_ext(text, READ)
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

    /// The heading that begins the next section: title, slug, place. `number` is
    /// for headings without letters.
    fn section_heading(&mut self, number: &str) -> Option<(String, String, LineColumn)> {
        let (_, range) = self.events.next_if(|(event, _)| is_section_heading(event))?;
        let title = self.plain_text(TagEnd::Heading(HeadingLevel::H2));
        let mut slug = slug_of(&title);
        if slug.is_empty() {
            slug = format!("part-{number}");
            let wrong = Diagnostic::expected("words after ##", "").help("write ## Two plus two");
            self.wrong(range.start, wrong);
        }
        if !self.slugs.insert(slug.clone()) {
            let (wrong, help) = if self.is_glossary() {
                (format!("the term `{title}` is explained twice"), "keep one of the two")
            } else {
                let wrong = format!("there is a step `{title}` already");
                (wrong, "give each step a heading of its own")
            };
            self.wrong(range.start, Diagnostic::said("NAME_TAKEN", wrong).help(help));
            slug = unique(&slug, 2, &mut self.slugs, &mut self.counts);
        }
        Some((title, slug, self.source.at(range.start)))
    }

    fn sections_matter(&self) -> bool {
        self.place != OutlinePlace::Notes
    }

    fn wrong(&mut self, offset: usize, wrong: Diagnostic) {
        if self.findings.len() < MAX_FINDINGS {
            let finding = self.source.error(offset, wrong);
            self.find(finding);
        }
    }

    fn find(&mut self, finding: Diagnostic) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(finding);
        }
    }

    fn mention(&mut self, offset: usize, what: Mentioned) {
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
    /// What stands in the place of a block that could not be read.
    fn broken(&mut self, finding: Diagnostic) -> LessonBlock {
        // Past the limit, the last finding stands for all further ones.
        let index = self.findings.len().min(MAX_FINDINGS - 1);
        self.find(finding);
        LessonBlock::Broken(index)
    }
}
