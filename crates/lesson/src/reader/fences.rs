//! Fenced blocks: listings, cells, `set`.

use std::ops::Range;

use bindpose_diagnostic::{Diagnostic, Place as Within, nearest};
use pulldown_cmark::{CodeBlockKind, Event, TagEnd};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{LessonReader, unique};
use crate::cell_sense::{InvalidCell, check_sense};
use crate::drawn_body::ReadBody as _;
use crate::outline::{Mentioned, OutlinePlace};
use crate::settings::{is_data_kind, limit_of, setting};
use crate::toml_body::{Body, Entry, WrittenValue, strings};

use crate::{Cell, CellKind, Claim, LessonBlock, Setting, cells};

/// Languages of listings that could be taken for misspelt kinds of cells.
const LISTINGS: [&str; 12] = [
    "glsl", "rust", "json", "toml", "text", "c", "cpp", "js", "sh", "console", "python", "markdown",
];

/// Blocks that say something and show nothing.
const UNSHOWN: [&str; 2] = ["set", "claim"];

impl LessonReader<'_> {
    /// A fenced block; `None` when nothing is shown in its place.
    pub(super) fn code_block(
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
            let wrong =
                Diagnostic::expected("a line that closes this block", "the next block or the end")
                    .help("write the same ``` on a line of its own where the block ends");
            let block = self.broken(self.source.error(range.start, wrong));
            return (!self.is_glossary()).then_some(block);
        }
        let kind = info.split_whitespace().next().unwrap_or_default();
        let is_live = UNSHOWN.contains(&kind) || cells::reader(kind).is_some();
        if is_live && matches!(self.place, OutlinePlace::Notes | OutlinePlace::Glossary) {
            let wrong = Diagnostic::expected("a listing", format!("`{kind}`"))
                .help("cells live in lesson.md");
            let block = self.broken(self.source.error(range.start, wrong));
            // The glossary has no findings of its own to show in place.
            return (self.place == OutlinePlace::Notes).then_some(block);
        }
        match kind {
            "set" => return self.set_block(&body, range.start),
            "claim" => return self.claim(&body, range.start),
            _ => {}
        }
        if let Some(read) = cells::reader(kind) {
            return self.cell(info, read, &body, range.start);
        }
        self.check_listing(kind, range);
        let text = body.text.strip_suffix('\n').unwrap_or(&body.text);
        Some(LessonBlock::Code {
            language: if kind.is_empty() { "text" } else { kind }.to_owned(),
            name: self.listing_name(info, kind, range.start),
            text: text.to_owned(),
        })
    }

    /// What stands after the language: the name of a whole program.
    fn listing_name(&mut self, info: &str, language: &str, offset: usize) -> Option<String> {
        let name = info.strip_prefix(language)?.trim();
        if name.is_empty() {
            return None;
        }
        let at = self.info_offset(offset) + info.len() - name.len();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.chars().all(plain) {
            self.mention(at, Mentioned::Listing(name.to_owned()));
            return Some(name.to_owned());
        }
        let wrong = Diagnostic::expected("the name of a listing", format!("`{name}`"));
        self.wrong(at, wrong.help("use a-z, 0-9 and hyphens: bone-grid-loop"));
        None
    }

    /// Does a fenced block end in a fence? One that does not goes on to the end of
    /// what holds it.
    fn is_closed(&self, range: &Range<usize>) -> bool {
        let block = self.source.text.get(range.clone()).unwrap_or_default();
        let fence_of = |line: &str| {
            let line = line.trim_start_matches([' ', '\t', '>']).trim_end().to_owned();
            let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
            let rest = line.trim_start_matches(mark);
            Some((mark, line.len() - rest.len(), rest.is_empty()))
        };
        let mut lines = block.trim_end().lines();
        let (first, last) = (lines.next().and_then(fence_of), lines.last().and_then(fence_of));
        first.zip(last).is_some_and(|((mark, long, _), (other, longer, bare))| {
            mark == other && longer >= long && bare
        })
    }

    /// Does another block begin within? Then this one was not closed: with as many
    /// marks and words behind them, a fence opens and closes nothing.
    fn begins_another(&self, range: &Range<usize>) -> bool {
        let block = self.source.text.get(range.clone()).unwrap_or_default();
        let marks = |line: &str| {
            let line = line.trim_start_matches([' ', '\t', '>']);
            let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
            let words = line.trim_start_matches(mark);
            let long = line.len() - words.len();
            // Words may stand between marks, as `code` does.
            let opens = long >= 3 && !words.contains(mark) && !words.trim().is_empty();
            Some((mark, long, opens))
        };
        let mut lines = block.lines();
        let Some((mark, long, _)) = lines.next().and_then(marks) else {
            return false;
        };
        lines
            .filter_map(marks)
            .any(|(other, longer, opens)| opens && other == mark && longer >= long)
    }

    /// A language that is not in [`LISTINGS`], and near to a kind of cell, is a slip.
    fn check_listing(&mut self, language: &str, range: &Range<usize>) {
        if language.is_empty() || LISTINGS.contains(&language) {
            return;
        }
        let kinds = || cells::KINDS.iter().map(|&(name, _)| name).chain(UNSHOWN);
        if nearest(language, kinds()).is_empty() {
            return;
        }
        let kinds: Vec<&str> = kinds().collect();
        self.wrong(
            self.info_offset(range.start),
            Diagnostic::unknown("kind of cell", language, &kinds),
        );
    }

    /// Where the info string of a fence at `offset` begins.
    fn info_offset(&self, offset: usize) -> usize {
        let fence = self.source.text.get(offset..).unwrap_or_default();
        offset + fence.len() - fence.trim_start_matches([' ', '`', '~']).len()
    }

    fn cell(
        &mut self,
        info: &str,
        read: cells::Read,
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
            self.wrong(
                self.info_offset(offset),
                Diagnostic::expected("a kind, a name and `stage`", format!("`{info}`"))
                    .help(format!("write {kind} {} stage", name.unwrap_or("main"))),
            );
        }
        let cell_kind = match self.read_cell(kind, read, body, offset) {
            Ok(kind) => kind,
            Err(finding) => return Some(self.broken(finding)),
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
        read: cells::Read,
        body: &Body<'_>,
        offset: usize,
    ) -> Result<CellKind, Diagnostic> {
        let table = body.table()?;
        let keys = body.keys(&table);
        let thing = format!("a cell `{kind}`");
        let mut cell_kind =
            read(&table).map_err(|error| body.value_error(error, offset, &thing))?;
        check_sense(&cell_kind).map_err(|InvalidCell { key, wrong }| {
            let place = keys.iter().find(|(path, _)| *path == key);
            let at = place.map_or_else(|| self.source.at(offset), |&(_, at)| at);
            wrong.at(Within::text(&self.source.file, at))
        })?;
        self.read_texts(&mut cell_kind, body, &table);
        let what = Mentioned::Cell { kind: Box::new(cell_kind.clone()), keys };
        self.mention(offset, what);
        Ok(cell_kind)
    }

    /// The cell's name, or `kind-N`; a name that is taken or malformed is
    /// replaced.
    pub(super) fn cell_id(&mut self, kind: &str, name: Option<&str>, offset: usize) -> String {
        if let Some(name) = name {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            let after_kind = self.info_offset(offset) + kind.len();
            let line = self.source.text.get(after_kind..).unwrap_or_default();
            let name_offset = after_kind + line.find(name).unwrap_or(0);
            if !name.chars().all(plain) {
                let wrong = Diagnostic::expected("the name of a cell", format!("`{name}`"));
                self.wrong(name_offset, wrong.help("use letters, digits and hyphens"));
            } else if self.ids.insert(name.to_owned()) {
                return name.to_owned();
            } else {
                let title = format!("there is a cell `{name}` already");
                let wrong = Diagnostic::said("NAME_TAKEN", title);
                self.wrong(name_offset, wrong.help("give each cell a name of its own"));
            }
        }
        unique(kind, 1, &mut self.ids, &mut self.counts)
    }

    fn claim(&mut self, body: &Body<'_>, offset: usize) -> Option<LessonBlock> {
        if !matches!(self.place, OutlinePlace::Step(_)) {
            let wrong = Diagnostic::said("MISPLACED", "a claim stands before the first step")
                .help("move it below the ## heading of the step whose words it proves");
            return Some(self.broken(self.source.error(offset, wrong)));
        }
        let read = body.table().and_then(|table| {
            let read = Claim::read_body(&table);
            let claim = read.map_err(|error| body.value_error(error, offset, "a claim"))?;
            Ok((claim, body.keys(&table)))
        });
        match read {
            Ok((claim, keys)) => {
                self.mention(offset, Mentioned::Claim { claim: Box::new(claim), keys });
                None
            }
            Err(finding) => Some(self.broken(finding)),
        }
    }

    fn set_block(&mut self, body: &Body<'_>, offset: usize) -> Option<LessonBlock> {
        if self.place == OutlinePlace::Intro {
            let wrong = Diagnostic::said("MISPLACED", "a set block stands before the first step")
                .help("move it below the first ## heading");
            return Some(self.broken(self.source.error(offset, wrong)));
        }
        let table = match body.table() {
            Ok(table) => table,
            Err(finding) => return Some(self.broken(finding)),
        };
        let mut broken = None;
        for (name, (key, value)) in entries(&table) {
            if let Err(finding) = self.set_entry(&name, (key, value), body) {
                broken = Some(self.broken(finding));
            }
        }
        broken
    }

    fn set_entry(
        &mut self,
        name: &str,
        (key, value): Entry<'_, '_>,
        body: &Body<'_>,
    ) -> Result<(), Diagnostic> {
        let value_at = value.span().start;
        if name == "hide" {
            let ids = strings(value.get_ref()).ok_or_else(|| {
                let wrong = Diagnostic::expected("a list of names of cells", "");
                body.error(value_at, wrong.help("write hide = [\"weights\"]"))
            })?;
            for (id, at) in ids {
                self.section.hide.push(id.to_owned());
                self.mention(body.offset(at + 1), Mentioned::Hide(id.to_owned()));
            }
            return Ok(());
        }
        if name == "carry" {
            return self.carry_entry(value, body);
        }
        if name == "rig" {
            return self.rig_entry(value, body);
        }
        if matches!(name, "drag" | "watch") {
            let names = strings(value.get_ref()).ok_or_else(|| {
                let wrong = Diagnostic::expected("a list of names of parameters and cells", "");
                body.error(value_at, wrong.help(format!("write {name} = [\"main\"]")))
            })?;
            for &(part, at) in &names {
                self.mention(body.offset(at + 1), Mentioned::Part(part.to_owned()));
            }
            let parts = names.into_iter().map(|(part, _)| part.to_owned()).collect();
            match name {
                "drag" => self.section.drag = Some(parts),
                _ => self.section.watch = Some(parts),
            }
            return Ok(());
        }
        if name == "was" {
            let names = strings(value.get_ref()).filter(|names| {
                names
                    .iter()
                    .all(|(name, _)| name.split('/').filter(|part| !part.is_empty()).count() == 2)
            });
            let Some(names) = names else {
                let wrong = Diagnostic::expected("a list of slugs of lessons and steps", "");
                return Err(body.error(value_at, wrong.help("write was = [\"lesson/step\"]")));
            };
            self.section.was = names.into_iter().map(|(name, _)| name.to_owned()).collect();
            return Ok(());
        }
        if name == "sways" {
            let DeValue::String(param) = value.get_ref() else {
                let wrong = Diagnostic::expected("the name of a parameter", "");
                return Err(body.error(value_at, wrong.help("write sways = \"nod\"")));
            };
            self.mention(body.offset(value_at), Mentioned::Sways(param.to_string()));
            self.section.sways = Some(param.to_string());
            return Ok(());
        }
        let setting =
            setting(name, &WrittenValue::from_toml(value.get_ref()), limit_of(name, self.params))
                .map_err(|wrong| body.error(value_at, wrong))?;
        let place = match setting {
            Setting::Param(..) | Setting::Data(_) => key.span().start,
            _ => value_at,
        };
        self.mention(body.offset(place), Mentioned::Set(setting.clone()));
        self.section.set.push(setting);
        Ok(())
    }

    /// `carry = true`: the step opens with what the reader changed at the one
    /// before.
    fn carry_entry(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        body: &Body<'_>,
    ) -> Result<(), Diagnostic> {
        let wrong = |wrong: Diagnostic, help| Err(body.error(value.span().start, wrong.help(help)));
        let DeValue::Boolean(carry) = value.get_ref() else {
            let expected = Diagnostic::expected("true or false", "");
            return wrong(expected, "write carry = true");
        };
        if *carry && self.place == OutlinePlace::Step(0) {
            let title = "the first step has none before it to carry on from";
            return wrong(Diagnostic::said("MISPLACED", title), "leave out carry");
        }
        self.section.carry = *carry;
        Ok(())
    }

    /// `rig = "whale"`: from this step on, another rig stands on the stage.
    fn rig_entry(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        body: &Body<'_>,
    ) -> Result<(), Diagnostic> {
        let at = value.span().start;
        let rig = match value.get_ref() {
            DeValue::String(rig) if !rig.trim().is_empty() => rig.to_string(),
            _ => {
                let wrong = Diagnostic::expected("the name of a rig, or of a model's file", "");
                return Err(body.error(at, wrong.help("write rig = \"whale\"")));
            }
        };
        self.mention(body.offset(at + 1), Mentioned::Rig(rig.clone()));
        self.section.rig = Some(rig);
        Ok(())
    }

    pub(super) fn is_glossary(&self) -> bool {
        self.place == OutlinePlace::Glossary
    }
}

/// The entries of a `set` block in the order of the text. `weights.3 = "…"` without
/// quotes around the key is a table to TOML.
fn entries<'a, 't>(table: &'a DeTable<'t>) -> Vec<(String, Entry<'a, 't>)> {
    fn collect<'a, 't>(
        name: String,
        (key, value): Entry<'a, 't>,
        all: &mut Vec<(String, Entry<'a, 't>)>,
    ) {
        match value.get_ref() {
            DeValue::Table(inner) if is_data_kind(&name) => {
                for entry in inner {
                    collect(format!("{name}.{}", entry.0.get_ref()), entry, all);
                }
            }
            _ => all.push((name, (key, value))),
        }
    }
    let mut all = Vec::new();
    for entry in table {
        collect(entry.0.get_ref().to_string(), entry, &mut all);
    }
    all.sort_by_key(|(_, (key, _))| key.span().start);
    all
}
