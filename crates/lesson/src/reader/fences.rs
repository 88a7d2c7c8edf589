//! Fenced blocks: listings, cells, `set` and `claim`.

use std::ops::Range;

use bindpose_diagnostic::{Diagnostic, Place as Within, nearest};
use pulldown_cmark::{CodeBlockKind, Event, TagEnd};
use toml::de::{DeTable, DeValue};

use super::{LessonReader, unique};
use crate::cell_validation::{InvalidCell, check_cell};
use crate::drawn_body::ReadBody as _;
use crate::outline::{MentionKind, OutlinePlace};
use crate::plain_name::is_plain_name;
use crate::setting::read_named;
use crate::settings::{StepKey, is_data_kind, limit_of, setting};
use crate::toml_body::{Body, Entry, RawValue, strings};

use crate::{Cell, CellKind, Claim, LessonBlock, Setting, cells};

/// Languages of listings. Some resemble a kind of cell, and none is reported as misspelt.
const LISTING_LANGUAGES: [&str; 12] = [
    "glsl", "rust", "json", "toml", "text", "c", "cpp", "js", "sh", "console", "python", "markdown",
];

/// Blocks that show nothing on the page.
const HIDDEN_BLOCKS: [&str; 2] = ["set", "claim"];

impl LessonReader<'_> {
    /// Reads a fenced block. Returns `None` if the page shows nothing for it.
    pub(super) fn read_code_block(
        &mut self,
        kind: &CodeBlockKind<'_>,
        range: &Range<usize>,
    ) -> Option<LessonBlock> {
        let mut body = Body::new(self.source, range.end);
        for (event, range) in self.events.by_ref() {
            match event {
                Event::Text(text) => body.push(&text, range.start),
                Event::End(TagEnd::CodeBlock) => break,
                _ => {}
            }
        }
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.trim(),
            CodeBlockKind::Indented => "",
        };
        let is_fenced = matches!(kind, CodeBlockKind::Fenced(_));
        if is_fenced && (!self.is_closed(range) || self.begins_another(range)) {
            self.incomplete = true;
            let error =
                Diagnostic::expected("a line that closes this block", "the next block or the end")
                    .help("write the same ``` on a line of its own where the block ends");
            let block = self.broken_block(self.source.error(range.start, error));
            return (!self.is_glossary()).then_some(block);
        }
        let kind = info.split_whitespace().next().unwrap_or_default();
        let is_live = HIDDEN_BLOCKS.contains(&kind) || cells::reader(kind).is_some();
        if is_live && matches!(self.place, OutlinePlace::Notes | OutlinePlace::Glossary) {
            let error = Diagnostic::expected("a listing", format!("`{kind}`"))
                .help("cells live in lesson.md");
            let block = self.broken_block(self.source.error(range.start, error));
            // The glossary does not show its findings in place.
            return (self.place == OutlinePlace::Notes).then_some(block);
        }
        match kind {
            "set" => return self.set_block(&body, range.start),
            "claim" => return self.claim_block(&body, range.start),
            _ => {}
        }
        if let Some(read) = cells::reader(kind) {
            return self.cell_block(info, read, &body, range.start);
        }
        self.check_listing(kind, range);
        let text = body.text.strip_suffix('\n').unwrap_or(&body.text);
        Some(LessonBlock::Code {
            language: if kind.is_empty() { "text" } else { kind }.to_owned(),
            name: self.listing_name(info, kind, range.start),
            text: text.to_owned(),
        })
    }

    /// Returns the name after the language, which marks the listing of a whole program.
    fn listing_name(&mut self, info: &str, language: &str, offset: usize) -> Option<String> {
        let name = info.strip_prefix(language)?.trim();
        if name.is_empty() {
            return None;
        }
        let at = self.info_offset(offset) + info.len() - name.len();
        if is_plain_name(name) {
            self.add_mention(at, MentionKind::Listing(name.to_owned()));
            return Some(name.to_owned());
        }
        let error = Diagnostic::expected("the name of a listing", format!("`{name}`"));
        self.report(at, error.help("use a-z, 0-9 and hyphens: bone-grid-loop"));
        None
    }

    /// Whether the fenced block ends with a closing fence. One without extends to the end
    /// of the enclosing element.
    fn is_closed(&self, range: &Range<usize>) -> bool {
        let block = self.source.text.get(range.clone()).unwrap_or_default();
        let mut lines = block.trim_end().lines();
        let opening = lines.next().and_then(Fence::parse);
        let closing = lines.last().and_then(Fence::parse);
        opening.zip(closing).is_some_and(|(opening, closing)| {
            closing.mark == opening.mark
                && closing.length >= opening.length
                && closing.info.is_empty()
        })
    }

    /// Whether another block begins inside this one, which then was not closed: a fence
    /// with as many marks and an info string opens a block and never closes one.
    fn begins_another(&self, range: &Range<usize>) -> bool {
        let block = self.source.text.get(range.clone()).unwrap_or_default();
        let mut lines = block.lines();
        let Some(opening) = lines.next().and_then(Fence::parse) else {
            return false;
        };
        lines.filter_map(Fence::parse).any(|other| {
            // Marks on both sides of a word are inline code.
            let opens_block = other.length >= 3
                && !other.info.contains(other.mark)
                && !other.info.trim().is_empty();
            opens_block && other.mark == opening.mark && other.length >= opening.length
        })
    }

    /// Reports a language that is not in [`LISTING_LANGUAGES`] and resembles a kind of cell.
    fn check_listing(&mut self, language: &str, range: &Range<usize>) {
        if language.is_empty() || LISTING_LANGUAGES.contains(&language) {
            return;
        }
        let kinds: Vec<&str> =
            cells::KINDS.iter().map(|&(name, _)| name).chain(HIDDEN_BLOCKS).collect();
        if nearest(language, kinds.iter().copied()).is_empty() {
            return;
        }
        self.report(
            self.info_offset(range.start),
            Diagnostic::unknown("kind of cell", language, &kinds),
        );
    }

    /// Byte offset of the info string of the fence at `offset`.
    fn info_offset(&self, offset: usize) -> usize {
        let fence = self.source.text.get(offset..).unwrap_or_default();
        offset + fence.len() - fence.trim_start_matches([' ', '`', '~']).len()
    }

    fn cell_block(
        &mut self,
        info: &str,
        read: cells::BodyReader,
        body: &Body<'_>,
        offset: usize,
    ) -> Option<LessonBlock> {
        let mut words = info.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let mut rest: Vec<&str> = words.collect();
        let on_stage = rest.last() == Some(&"stage") && rest.pop().is_some();
        let name = rest.first().copied();
        let id = self.cell_id(kind, name, offset);
        if rest.len() > 1 {
            self.report(
                self.info_offset(offset),
                Diagnostic::expected("a kind, a name and `stage`", format!("`{info}`"))
                    .help(format!("write {kind} {} stage", name.unwrap_or("main"))),
            );
        }
        let cell_kind = match self.read_cell(kind, read, body, offset) {
            Ok(kind) => kind,
            Err(finding) => return Some(self.broken_block(finding)),
        };
        let cell = Cell { id, line: self.source.at(offset).line, kind: cell_kind };
        if on_stage || self.place == OutlinePlace::Intro {
            self.section.stage.push(cell);
            None
        } else {
            Some(LessonBlock::Cell(Box::new(cell)))
        }
    }

    fn read_cell(
        &mut self,
        kind: &str,
        read: cells::BodyReader,
        body: &Body<'_>,
        offset: usize,
    ) -> Result<CellKind, Diagnostic> {
        let table = body.table()?;
        let keys = body.keys(&table);
        let thing = format!("a cell `{kind}`");
        let mut cell_kind =
            read(&table).map_err(|error| body.value_error(error, offset, &thing))?;
        check_cell(&cell_kind).map_err(|InvalidCell { key, error }| {
            let place = keys.iter().find(|(path, _)| *path == key);
            let at = place.map_or_else(|| self.source.at(offset), |&(_, at)| at);
            error.at(Within::text(&self.source.file, at))
        })?;
        self.read_texts(&mut cell_kind, body, &table);
        let what = MentionKind::Cell { kind: Box::new(cell_kind.clone()), keys };
        self.add_mention(offset, what);
        Ok(cell_kind)
    }

    /// Returns the name of the cell, or `kind-N` if it has none. A name that is taken or
    /// malformed is reported and replaced.
    pub(super) fn cell_id(&mut self, kind: &str, name: Option<&str>, offset: usize) -> String {
        if let Some(name) = name {
            let is_valid = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            let after_kind = self.info_offset(offset) + kind.len();
            let line = self.source.text.get(after_kind..).unwrap_or_default();
            let name_offset = after_kind + line.find(name).unwrap_or(0);
            if !is_valid {
                let error = Diagnostic::expected("the name of a cell", format!("`{name}`"));
                self.report(name_offset, error.help("use letters, digits and hyphens"));
            } else if self.ids.insert(name.to_owned()) {
                return name.to_owned();
            } else {
                let title = format!("there is a cell `{name}` already");
                let error = Diagnostic::said("NAME_TAKEN", title);
                self.report(name_offset, error.help("give each cell a name of its own"));
            }
        }
        unique(kind, 1, &mut self.ids, &mut self.counts)
    }

    fn claim_block(&mut self, body: &Body<'_>, offset: usize) -> Option<LessonBlock> {
        if !matches!(self.place, OutlinePlace::Step(_)) {
            let error = Diagnostic::said("MISPLACED", "a claim stands before the first step")
                .help("move it below the ## heading of the step whose words it proves");
            return Some(self.broken_block(self.source.error(offset, error)));
        }
        let read = body.table().and_then(|table| {
            let read = Claim::read_body(&table);
            let claim = read.map_err(|error| body.value_error(error, offset, "a claim"))?;
            Ok((claim, body.keys(&table)))
        });
        match read {
            Ok((claim, keys)) => {
                self.add_mention(offset, MentionKind::Claim { claim: Box::new(claim), keys });
                None
            }
            Err(finding) => Some(self.broken_block(finding)),
        }
    }

    fn set_block(&mut self, body: &Body<'_>, offset: usize) -> Option<LessonBlock> {
        if self.place == OutlinePlace::Intro {
            let error = Diagnostic::said("MISPLACED", "a set block stands before the first step")
                .help("move it below the first ## heading");
            return Some(self.broken_block(self.source.error(offset, error)));
        }
        let table = match body.table() {
            Ok(table) => table,
            Err(finding) => return Some(self.broken_block(finding)),
        };
        let mut broken = None;
        for (name, entry) in entries(&table) {
            if let Err(finding) = self.set_entry(&name, entry, body) {
                broken = Some(self.broken_block(finding));
            }
        }
        broken
    }

    fn set_entry(
        &mut self,
        name: &str,
        entry: Entry<'_, '_>,
        body: &Body<'_>,
    ) -> Result<(), Diagnostic> {
        let Entry { key, value } = entry;
        let value_at = value.span().start;
        match StepKey::from_key(name) {
            Some(key @ (StepKey::Hide | StepKey::Only)) => {
                let ids = strings(value.get_ref()).ok_or_else(|| {
                    let error = Diagnostic::expected("a list of names of cells", "");
                    body.error(value_at, error.help(format!("write {name} = [\"weights\"]")))
                })?;
                for &(id, at) in &ids {
                    self.add_mention(body.offset(at + 1), MentionKind::StageCell(id.to_owned()));
                }
                let ids: Vec<String> = ids.into_iter().map(|(id, _)| id.to_owned()).collect();
                if key == StepKey::Hide {
                    self.section.hide = ids;
                } else {
                    self.section.only = Some(ids);
                }
            }
            Some(StepKey::Carry) => {
                let DeValue::Boolean(carry) = value.get_ref() else {
                    let error = Diagnostic::expected("true or false", "");
                    return Err(body.error(value_at, error.help("write carry = true")));
                };
                if *carry && self.place == OutlinePlace::Step(0) {
                    let title = "the first step has none before it to carry on from";
                    let error = Diagnostic::said("MISPLACED", title).help("leave out carry");
                    return Err(body.error(value_at, error));
                }
                self.section.carry = *carry;
            }
            Some(StepKey::Rig) => {
                let name = value.get_ref().as_str().filter(|rig| !rig.trim().is_empty());
                let Some(rig) = name else {
                    let expected = "the name of a rig, or of a model's file";
                    let error = Diagnostic::expected(expected, "").help("write rig = \"whale\"");
                    return Err(body.error(value_at, error));
                };
                self.add_mention(body.offset(value_at + 1), MentionKind::Rig(rig.to_owned()));
                self.section.rig = Some(rig.to_owned());
            }
            Some(key @ (StepKey::Drag | StepKey::Watch)) => {
                let names = strings(value.get_ref()).ok_or_else(|| {
                    let error = Diagnostic::expected("a list of names of parameters and cells", "");
                    body.error(value_at, error.help(format!("write {name} = [\"main\"]")))
                })?;
                for &(part, at) in &names {
                    self.add_mention(body.offset(at + 1), MentionKind::Part(part.to_owned()));
                }
                let parts = names.into_iter().map(|(part, _)| part.to_owned()).collect();
                if key == StepKey::Drag {
                    self.section.drag = Some(parts);
                } else {
                    self.section.watch = Some(parts);
                }
            }
            Some(StepKey::Was) => {
                let names = strings(value.get_ref()).filter(|names| {
                    names.iter().all(|(name, _)| {
                        name.split('/').filter(|part| !part.is_empty()).count() == 2
                    })
                });
                let Some(names) = names else {
                    let error = Diagnostic::expected("a list of slugs of lessons and steps", "");
                    return Err(body.error(value_at, error.help("write was = [\"lesson/step\"]")));
                };
                self.section.was = names.into_iter().map(|(name, _)| name.to_owned()).collect();
            }
            Some(StepKey::Subject) => {
                let written = RawValue::from_toml(value.get_ref());
                let subject = read_named(&written).map_err(|error| body.error(value_at, error))?;
                self.section.subject = Some(subject);
            }
            Some(StepKey::Sways) => {
                let DeValue::String(param) = value.get_ref() else {
                    let error = Diagnostic::expected("the name of a parameter", "");
                    return Err(body.error(value_at, error.help("write sways = \"nod\"")));
                };
                self.add_mention(body.offset(value_at), MentionKind::Sways(param.to_string()));
                self.section.sways = Some(param.to_string());
            }
            None => {
                let written = RawValue::from_toml(value.get_ref());
                let setting = setting(name, &written, limit_of(name, self.params))
                    .map_err(|error| body.error(value_at, error))?;
                let place = match setting {
                    Setting::Param(..) | Setting::Data(_) => key.span().start,
                    _ => value_at,
                };
                self.add_mention(body.offset(place), MentionKind::Set(setting.clone()));
                self.section.set.push(setting);
            }
        }
        Ok(())
    }

    pub(super) fn is_glossary(&self) -> bool {
        self.place == OutlinePlace::Glossary
    }
}

/// A fence of a fenced block: a run of backticks or tildes, and the text after it.
struct Fence<'a> {
    mark: char,
    length: usize,
    info: &'a str,
}

impl<'a> Fence<'a> {
    /// Returns `None` if the line does not begin with a mark.
    fn parse(line: &'a str) -> Option<Self> {
        let line = line.trim_start_matches([' ', '\t', '>']).trim_end();
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = line.trim_start_matches(mark);
        Some(Self { mark, length: line.len() - info.len(), info })
    }
}

/// The entries of a `set` block in the order of the text, each with its full name. TOML
/// reads `weights.3 = "…"`, without quotes around the key, as a table, which is flattened
/// here.
fn entries<'a, 't>(table: &'a DeTable<'t>) -> Vec<(String, Entry<'a, 't>)> {
    fn collect<'a, 't>(name: String, entry: Entry<'a, 't>, all: &mut Vec<(String, Entry<'a, 't>)>) {
        match entry.value.get_ref() {
            DeValue::Table(inner) if is_data_kind(&name) => {
                for (key, value) in inner {
                    let name = format!("{name}.{}", key.get_ref());
                    collect(name, Entry { key, value }, all);
                }
            }
            _ => all.push((name, entry)),
        }
    }
    let mut all = Vec::new();
    for (key, value) in table {
        collect(key.get_ref().to_string(), Entry { key, value }, &mut all);
    }
    all.sort_by_key(|(_, entry)| entry.key.span().start);
    all
}
