//! The prose of a step as its reader meets it: not too long, and not telling the
//! answer of a guess before it is revealed. And what cells name, kind by kind.

use bindpose_asset::FileLayout;
use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{
    BytesCell, Cell, CellKind, CheckCell, ClipName, DataEdit, Expr, IndicesCell, Inline, JointName,
    LessonBlock, LessonStep, Mention, Mentioned, NamedThing, OutlinePlace, QuantiserCell,
    open_texts,
};
use bindpose_skin::JointIndex;

use super::checker::Checker;
use crate::OWN_RIG;

/// A step with more words than this takes more than a minute and a half to read.
const MOST_WORDS: usize = 220;

impl Checker<'_> {
    pub(super) fn prose(&mut self, index: usize, step: &LessonStep, at: LineColumn) {
        let words = words_of(&step.blocks);
        if words > MOST_WORDS {
            let title = format!("the step has {words} words, more than {MOST_WORDS}");
            let wrong = Diagnostic::said("LONG_STEP", title)
                .help("shorten it, link to what is told elsewhere, or make two steps of it");
            self.error(at, wrong);
        }
        let guess = step.blocks.iter().position(is_guess);
        let Some((guess, below)) = guess.and_then(|at| step.blocks.get(at..)?.split_first()) else {
            return;
        };
        if below.iter().any(tells) {
            let title = "text below a guess is read before the answer is revealed";
            let help = "put it above the guess if it does not tell the answer, else into its `why` or a later step";
            let wrong = Diagnostic::said("TOLD_ANSWER", title).help(help);
            let at = self.place_of_cell(index, guess).unwrap_or(at);
            self.error(at, wrong);
        }
    }

    /// Who is asked a question finds the answer: the page does not print it.
    pub(super) fn printed_goal(&mut self, cell: &CheckCell, at: LineColumn) {
        let printed = !cell.conditions.iter().any(|condition| condition.secret);
        if printed && cell.ask.source.contains('?') {
            let title = "the exercise asks a question and prints its answer as the goal";
            let help = "add `secret = true`, or say what to bring to which goal";
            let wrong = Diagnostic::said("TOLD_ANSWER", title).help(help);
            self.error(at, wrong);
        }
    }

    fn place_of_cell(&self, step: usize, block: &LessonBlock) -> Option<LineColumn> {
        let LessonBlock::Cell(cell) = block else {
            return None;
        };
        let mut mentions = self.outline.mentions.iter();
        let mention = mentions.find(|mention| {
            let same = |kind: &CellKind| *kind == cell.kind;
            mention.place == OutlinePlace::Step(step)
                && matches!(&mention.what, Mentioned::Cell { kind, .. } if same(kind.as_ref()))
        });
        mention.map(|mention| mention.at)
    }
}

fn is_guess(block: &LessonBlock) -> bool {
    matches!(block, LessonBlock::Cell(cell) if matches!(cell.kind, CellKind::Predict(_)))
}

/// Running text. What an errata card says is of the articles, and may stand.
fn tells(block: &LessonBlock) -> bool {
    let is_note = |cell: &Cell| matches!(cell.kind, CellKind::Note(_));
    matches!(block, LessonBlock::Cell(cell) if is_note(cell))
        || matches!(
            block,
            LessonBlock::Heading { .. }
                | LessonBlock::Paragraph(_)
                | LessonBlock::List { .. }
                | LessonBlock::Quote(_)
                | LessonBlock::Table { .. }
        )
}

/// The words that are open on the page: running text, tables and errata cards. A
/// formula within a sentence is a word. Listings, formulas of their own and what
/// other cells say are not counted.
fn words_of(blocks: &[LessonBlock]) -> usize {
    let each = blocks.iter().map(|block| match block {
        LessonBlock::Heading { inlines, .. } | LessonBlock::Paragraph(inlines) => words_in(inlines),
        LessonBlock::List { items, .. } => items.iter().map(|item| words_of(item)).sum(),
        LessonBlock::Quote(blocks) => words_of(blocks),
        LessonBlock::Table { header, rows, .. } => {
            let cells = header.iter().chain(rows.iter().flatten());
            cells.map(|cell| words_in(cell)).sum()
        }
        LessonBlock::Cell(cell) => match &cell.kind {
            CellKind::Errata(_) | CellKind::Note(_) => {
                let texts = open_texts(&cell.kind);
                texts.map(|text| words_of(&text.blocks())).sum()
            }
            _ => 0,
        },
        LessonBlock::Code { .. }
        | LessonBlock::Math(_)
        | LessonBlock::Rule
        | LessonBlock::Broken(_) => 0,
    });
    each.sum()
}

fn words_in(inlines: &[Inline]) -> usize {
    let mut text = String::new();
    for inline in inlines {
        match inline {
            Inline::Text { text: words, .. }
            | Inline::Code(words)
            | Inline::Struck(words)
            | Inline::Link { text: words, .. } => text.push_str(words),
            Inline::Math(_) => text.push('x'),
            Inline::Break | Inline::Task(_) => text.push(' '),
        }
    }
    words(&text)
}

/// What stands between spaces and has a letter or a digit.
fn words(text: &str) -> usize {
    let words = text.split_whitespace();
    words.filter(|word| word.contains(char::is_alphanumeric)).count()
}

// What cells name, kind by kind: parameters, vertices, clips, rigs, attributes.

impl Checker<'_> {
    pub(super) fn cell(&mut self, at: LineColumn, kind: &CellKind, keys: &[(String, LineColumn)]) {
        let key_at = |path: &str| keys.iter().find(|(key, _)| key == path).map_or(at, |k| k.1);
        self.speak_after(None);
        match kind {
            CellKind::Angles(cell) => {
                for (index, name) in cell.params.iter().enumerate() {
                    self.param(key_at(&format!("params[{index}]")), name, false);
                }
            }
            CellKind::Weights(cell) => {
                for (index, &vertex) in cell.vertices.iter().enumerate() {
                    self.vertex(key_at(&format!("vertices[{index}]")), vertex);
                }
            }
            CellKind::Matrix(cell) => self.matrix_cell(cell, &key_at),
            CellKind::Pose(_) => self.pose_program(key_at("program")),
            CellKind::Vertex(cell) => {
                if let Some(vertex) = cell.vertex {
                    self.vertex(key_at("vertex"), vertex);
                }
            }
            CellKind::Plot(cell) => self.plot(cell, &key_at),
            CellKind::Budget(cell) => {
                let limit = cell.limit.as_deref().unwrap_or("vec4s");
                for (key, name) in [("limit", Some(limit)), ("others", cell.others.as_deref())] {
                    if let Some(name) = name {
                        self.lesson_param(key_at(key), name);
                    }
                }
            }
            CellKind::Chain(cell) => self.chain_cell(cell, &key_at),
            CellKind::Indices(IndicesCell { vertex, .. })
            | CellKind::Quantiser(QuantiserCell { vertex, .. }) => {
                let vertex = vertex.iter();
                vertex.for_each(|&vertex| self.vertex(key_at("vertex"), vertex));
            }
            CellKind::Stops(cell) => self.stops_cell(cell, &key_at),
            CellKind::Learnt(cell) => self.learnt_cell(cell, &key_at),
            CellKind::Timeline(cell) => {
                for (index, name) in cell.clips.iter().enumerate() {
                    let name = ClipName::Name(name.clone());
                    self.clip(key_at(&format!("clips[{index}]")), &name);
                }
            }
            CellKind::Check(cell) => self.each_draw(cell, |checker, cell| {
                checker.check_cell(cell, &key_at);
            }),
            CellKind::Predict(cell) => self.each_draw(cell, |checker, cell| {
                checker.predict_cell(cell, &key_at);
            }),
            CellKind::Ask(cell) => self.each_draw(cell, |checker, cell| {
                checker.ask_cell(cell, &key_at);
            }),
            CellKind::Compare(cell) => self.compare_cell(cell, &key_at),
            CellKind::Picture(cell) => self.picture_cell(cell, &key_at),
            CellKind::Bytes(cell) => {
                if let Some(of) = &cell.of {
                    self.bytes_of(key_at("of"), of);
                }
            }
            CellKind::Viewport(cell) => {
                for (index, [_, last]) in cell.rings.iter().enumerate() {
                    self.vertex(key_at(&format!("rings[{index}]")), *last);
                }
            }
            CellKind::Tree(_)
            | CellKind::Conventions(_)
            | CellKind::Brush(_)
            | CellKind::Doctor(_)
            | CellKind::EngineNumbers(_)
            | CellKind::ModelDifference(_)
            | CellKind::Stages(_)
            | CellKind::Histogram(_)
            | CellKind::Texture(_)
            | CellKind::Shader(_)
            | CellKind::Proof(_)
            | CellKind::Faults(_)
            | CellKind::Note(_)
            | CellKind::Errata(_) => {}
        }
    }

    /// What a `bytes` cell shows first must be in the rig's file.
    fn bytes_of(&mut self, at: LineColumn, of: &str) {
        let Some(rig) = &self.known_rig else {
            return;
        };
        let Some(layout) = rig.origin.as_ref().and_then(FileLayout::of_origin) else {
            let title = "the rig has no file whose bytes could be shown";
            let wrong = Diagnostic::said("NO_FILE", title);
            self.error(at, wrong.help("choose a rig that is read from a file"));
            return;
        };
        let attributes = layout.primitives.iter().flat_map(|p| p.attributes.keys());
        let mut known: Vec<&str> = attributes.map(String::as_str).collect();
        known.sort_unstable();
        known.dedup();
        known.push(BytesCell::INVERSE_BIND);
        if !known.contains(&of) {
            let wrong = Diagnostic::unknown("attribute", of, &known)
                .title(format!("the file has no `{of}`"));
            self.error(at, wrong);
        }
    }
}

// Lessons for the reader's own model name what every model has: joint 0, vertex 0,
// the parameters of the lesson and `all`; no clip, and no byte of a file.

/// The code of what not every model has.
const OWN_MODEL: &str = "OWN_MODEL";

impl Checker<'_> {
    /// Says so, and answers true, where a lesson for any model names this parameter.
    pub(super) fn not_in_all_models(&mut self, at: LineColumn, name: &str) -> bool {
        let own = self.lesson.params.iter().any(|param| param.name == name);
        let wrong = self.own_model && !own && name != "all";
        if wrong {
            self.no_model_has(at, &format!("parameter `{name}`"));
        }
        wrong
    }

    /// As [`Self::not_in_all_models`], of a joint. No name is one that every model has.
    pub(super) fn not_joint_of_all(&mut self, at: LineColumn, joint: &JointName) -> bool {
        let what = match joint {
            JointName::Index(JointIndex(0)) => return false,
            JointName::Index(joint) => format!("joint {}", joint.0),
            JointName::Name(name) => format!("joint `{name}`"),
        };
        if self.own_model {
            self.no_model_has(at, &what);
        }
        self.own_model
    }

    /// As [`Self::not_in_all_models`], of a vertex.
    pub(super) fn not_vertex_of_all(&mut self, at: LineColumn, vertex: u32) -> bool {
        let wrong = self.own_model && vertex > 0;
        if wrong {
            self.no_model_has(at, &format!("vertex {vertex}"));
        }
        wrong
    }

    /// As [`Self::not_in_all_models`], of an edit of data.
    pub(super) fn not_data_of_all(&mut self, at: LineColumn, edit: &DataEdit) -> bool {
        match edit {
            DataEdit::Weights(vertex, _) => self.not_vertex_of_all(at, *vertex),
            DataEdit::Joints(vertex, joints) => {
                let mut joints = joints.iter();
                self.not_vertex_of_all(at, *vertex)
                    || joints.any(|joint| self.not_joint_of_all(at, joint))
            }
            DataEdit::InverseBind(joint, _)
            | DataEdit::Texel(joint, ..)
            | DataEdit::Turn(joint, _)
            | DataEdit::Shift(joint, _) => self.not_joint_of_all(at, joint),
            DataEdit::Bytes { .. } => {
                let wrong = self.own_model;
                if wrong {
                    self.no_model_has(at, "bytes that could be told");
                }
                wrong
            }
        }
    }

    /// As [`Self::not_in_all_models`], of everything that a formula names.
    pub(super) fn not_formula_of_all(&mut self, at: LineColumn, expr: &Expr) -> bool {
        self.own_model
            && expr.named().into_iter().any(|named| match named {
                NamedThing::Param(name) => self.not_in_all_models(at, &name),
                NamedThing::Vertex(vertex) => self.not_vertex_of_all(at, vertex),
                NamedThing::Joint(joint) => self.not_joint_of_all(at, &JointIndex(joint).into()),
                NamedThing::JointNamed(name) => self.not_joint_of_all(at, &JointName::Name(name)),
            })
    }

    /// Says that a lesson for any model names something that not all have.
    pub(super) fn no_model_has(&mut self, at: LineColumn, what: &str) {
        let title = format!("not every model has {what}");
        let help = "rig = \"own\" stands for any model: name joint 0, vertex 0, `all` and the \
                    lesson’s own parameters, or choose a rig";
        self.error(at, Diagnostic::said(OWN_MODEL, title).help(help));
    }
}

// Steps on rigs of their own: what stands on the stage of the whole lesson makes
// sense on each of them, and with a rig all begins anew.

impl Checker<'_> {
    /// A cell of the whole lesson is looked at on every rig that it stands with: at the
    /// first step on each that does not leave it out.
    pub(super) fn on_other_rigs(&mut self, mention: &Mention) {
        let is_of_lesson = mention.place == OutlinePlace::Intro;
        if !is_of_lesson || !matches!(mention.what, Mentioned::Cell { .. }) {
            return;
        }
        let mut seen = vec![self.lesson.rig_at(0)];
        for step in 1..self.lesson.steps.len() {
            let rig = self.lesson.rig_at(step);
            let mut shown = self.lesson.on_stage(step);
            if seen.contains(&rig) || !shown.any(|cell| cell.line == mention.at.line) {
                continue;
            }
            seen.push(rig);
            let known = self.findings.len();
            self.seen_at = step;
            self.stand_in(mention.place);
            self.mention(mention);
            self.seen_at = 0;
            let title = &self.lesson.steps[step].title;
            for finding in &mut self.findings[known..] {
                finding.title = format!("at the step `{title}`, on another rig: {}", finding.title);
            }
        }
    }

    /// What the rig of a step does not go with.
    pub(super) fn step_rig(&mut self, index: usize, at: LineColumn) {
        let Some(step) = self.lesson.steps.get(index) else {
            return;
        };
        let Some(rig) = &step.rig else {
            return;
        };
        if self.own_model || rig == OWN_RIG {
            let title = "a lesson stands on the reader’s own model in all of its steps, or in none";
            let wrong = Diagnostic::said("OWN_MODEL", title);
            let help = "write rig = \"own\" in the front matter alone";
            self.error(at, wrong.help(help));
        }
        if step.carry {
            let title = format!("`{}` stands on a rig of its own, and begins anew", step.title);
            let wrong = Diagnostic::said("MISPLACED", title);
            self.error(at, wrong.help("leave out `carry`, or `rig`"));
        }
    }
}
