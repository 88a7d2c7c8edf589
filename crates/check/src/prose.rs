//! Check of the length of the prose, of answers revealed too early, of the names in cells, and of
//! lessons for the reader's own model.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_gltf::FileLayout;
use bindpose_lesson::{
    BytesCell, CellKind, CheckCell, ClipName, DataEdit, Expr, IndicesCell, Inline, JointName,
    LessonBlock, LessonStep, Mention, MentionKind, NamedThing, OutlinePlace, QuantiserCell,
    open_texts,
};
use bindpose_skin::JointIndex;

use super::checker::{Checker, KeyPositions};
use bindpose_notebook::OWN_RIG;

/// Maximum number of words of a step, which take about a minute and a half to read.
const MAX_STEP_WORDS: usize = 220;

impl Checker<'_> {
    pub(super) fn check_prose(&mut self, index: usize, step: &LessonStep, at: LineColumn) {
        let words = count_block_words(&step.blocks);
        if words > MAX_STEP_WORDS {
            let title = format!("the step has {words} words, more than {MAX_STEP_WORDS}");
            let wrong = Diagnostic::said("LONG_STEP", title)
                .help("shorten it, link to what is told elsewhere, or make two steps of it");
            self.error(at, wrong);
        }
        let guess = step.blocks.iter().position(is_guess);
        let Some((guess, below)) = guess.and_then(|at| step.blocks.get(at..)?.split_first()) else {
            return;
        };
        if below.iter().any(is_running_text) {
            let title = "text below a guess is read before the answer is revealed";
            let help = "put it above the guess if it does not tell the answer, else into its `why` or a later step";
            let wrong = Diagnostic::said("TOLD_ANSWER", title).help(help);
            let at = self.guess_position(index, guess).unwrap_or(at);
            self.error(at, wrong);
        }
    }

    /// Reports an exercise that asks a question and prints its answer as the goal.
    pub(super) fn check_printed_goal(&mut self, cell: &CheckCell, at: LineColumn) {
        let printed = !cell.conditions.iter().any(|condition| condition.secret);
        if printed && cell.ask.source.contains('?') {
            let title = "the exercise asks a question and prints its answer as the goal";
            let help = "add `secret = true`, or say what to bring to which goal";
            let wrong = Diagnostic::said("TOLD_ANSWER", title).help(help);
            self.error(at, wrong);
        }
    }

    fn guess_position(&self, step: usize, block: &LessonBlock) -> Option<LineColumn> {
        let LessonBlock::Cell(cell) = block else {
            return None;
        };
        let mention = self.outline.mentions.iter().find(|mention| {
            mention.place == OutlinePlace::Step(step)
                && matches!(&mention.what, MentionKind::Cell { kind, .. } if **kind == cell.kind)
        });
        mention.map(|mention| mention.at)
    }
}

fn is_guess(block: &LessonBlock) -> bool {
    matches!(block, LessonBlock::Cell(cell) if matches!(cell.kind, CellKind::Predict(_)))
}

/// Does the block show running text? Errata cards do not count, because they quote the
/// statements of articles.
fn is_running_text(block: &LessonBlock) -> bool {
    matches!(block, LessonBlock::Cell(cell) if matches!(cell.kind, CellKind::Note(_)))
        || matches!(
            block,
            LessonBlock::Heading { .. }
                | LessonBlock::Paragraph(_)
                | LessonBlock::List { .. }
                | LessonBlock::Quote(_)
                | LessonBlock::Table { .. }
        )
}

/// Counts the visible words: running text, tables, notes and errata cards. An inline
/// formula counts as a word. Listings, displayed formulas and other cells do not count.
fn count_block_words(blocks: &[LessonBlock]) -> usize {
    let counts = blocks.iter().map(|block| match block {
        LessonBlock::Heading { inlines, .. } | LessonBlock::Paragraph(inlines) => {
            count_inline_words(inlines)
        }
        LessonBlock::List { items, .. } => items.iter().map(|item| count_block_words(item)).sum(),
        LessonBlock::Quote(blocks) => count_block_words(blocks),
        LessonBlock::Table { header, rows, .. } => {
            let cells = header.iter().chain(rows.iter().flatten());
            cells.map(|cell| count_inline_words(cell)).sum()
        }
        LessonBlock::Cell(cell) => match &cell.kind {
            CellKind::Errata(_) | CellKind::Note(_) => {
                let texts = open_texts(&cell.kind);
                texts.map(|text| count_block_words(&text.blocks())).sum()
            }
            _ => 0,
        },
        LessonBlock::Code { .. }
        | LessonBlock::Math(_)
        | LessonBlock::Rule
        | LessonBlock::Broken(_) => 0,
    });
    counts.sum()
}

fn count_inline_words(inlines: &[Inline]) -> usize {
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
    count_words(&text)
}

/// Counts the space-separated words with a letter or a digit.
fn count_words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

impl Checker<'_> {
    /// Checks the names in a cell: parameters, vertices, clips, rigs and attributes.
    /// `keys` are the positions of the keys that the cell sets.
    pub(super) fn check_cell(
        &mut self,
        at: LineColumn,
        kind: &CellKind,
        keys: &[(String, LineColumn)],
    ) {
        let keys = KeyPositions { keys, cell_at: at };
        self.set_page_change(None);
        match kind {
            CellKind::Angles(cell) => {
                for (index, name) in cell.params.iter().enumerate() {
                    self.check_param(keys.at(&format!("params[{index}]")), name, false);
                }
            }
            CellKind::Weights(cell) => {
                for (index, &vertex) in cell.vertices.iter().enumerate() {
                    self.check_vertex(keys.at(&format!("vertices[{index}]")), vertex);
                }
            }
            CellKind::Matrix(cell) => self.check_matrix_cell(cell, keys),
            CellKind::Pose(_) => self.check_pose_program(keys.at("program")),
            CellKind::Vertex(cell) => {
                if let Some(vertex) = cell.vertex {
                    self.check_vertex(keys.at("vertex"), vertex);
                }
            }
            CellKind::Plot(cell) => self.check_plot(cell, keys),
            CellKind::Budget(cell) => {
                let limit = cell.limit.as_deref().unwrap_or("vec4s");
                for (key, name) in [("limit", Some(limit)), ("others", cell.others.as_deref())] {
                    if let Some(name) = name {
                        self.check_lesson_param(keys.at(key), name);
                    }
                }
            }
            CellKind::Chain(cell) => self.check_chain_cell(cell, keys),
            CellKind::Indices(IndicesCell { vertex, .. })
            | CellKind::Quantiser(QuantiserCell { vertex, .. }) => {
                if let Some(vertex) = vertex {
                    self.check_vertex(keys.at("vertex"), *vertex);
                }
            }
            CellKind::Stops(cell) => self.check_stops_cell(cell, keys),
            CellKind::Learnt(cell) => self.check_learnt_cell(cell, keys),
            CellKind::Timeline(cell) => {
                for (index, name) in cell.clips.iter().enumerate() {
                    let name = ClipName::Name(name.clone());
                    self.check_clip(keys.at(&format!("clips[{index}]")), &name);
                }
            }
            CellKind::Check(cell) => self.check_each_draw(cell, |checker, cell| {
                checker.check_exercise_cell(cell, keys);
            }),
            CellKind::Predict(cell) => self.check_each_draw(cell, |checker, cell| {
                checker.check_predict_cell(cell, keys);
            }),
            CellKind::Ask(cell) => self.check_each_draw(cell, |checker, cell| {
                checker.check_ask_cell(cell, keys);
            }),
            CellKind::Compare(cell) => self.check_compare_cell(cell, keys),
            CellKind::Picture(cell) => self.check_picture_cell(cell, keys),
            CellKind::Bytes(cell) => {
                if let Some(of) = &cell.of {
                    self.check_bytes_attribute(keys.at("of"), of);
                }
            }
            CellKind::Viewport(cell) => {
                for (index, [_, last]) in cell.rings.iter().enumerate() {
                    self.check_vertex(keys.at(&format!("rings[{index}]")), *last);
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

    /// Reports an attribute that the file of the rig does not have.
    fn check_bytes_attribute(&mut self, at: LineColumn, of: &str) {
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

/// Diagnostic code of names that not every model has.
const OWN_MODEL: &str = "OWN_MODEL";

// Lessons for the reader's own model can name joint 0, vertex 0, the parameters of the
// lesson and `all`, which every model has.
impl Checker<'_> {
    /// Reports a parameter that not every model has, in a lesson for the reader's own
    /// model. Returns whether it was reported.
    pub(super) fn reject_model_param(&mut self, at: LineColumn, name: &str) -> bool {
        let own = self.lesson.params.iter().any(|param| param.name == name);
        let wrong = self.own_model && !own && name != "all";
        if wrong {
            self.report_not_in_every_model(at, &format!("parameter `{name}`"));
        }
        wrong
    }

    /// Like [`Self::reject_model_param`], for a joint. Joint names differ between models.
    pub(super) fn reject_model_joint(&mut self, at: LineColumn, joint: &JointName) -> bool {
        let what = match joint {
            JointName::Index(JointIndex(0)) => return false,
            JointName::Index(joint) => format!("joint {}", joint.0),
            JointName::Name(name) => format!("joint `{name}`"),
        };
        if self.own_model {
            self.report_not_in_every_model(at, &what);
        }
        self.own_model
    }

    /// Like [`Self::reject_model_param`], for a vertex.
    pub(super) fn reject_model_vertex(&mut self, at: LineColumn, vertex: u32) -> bool {
        let wrong = self.own_model && vertex > 0;
        if wrong {
            self.report_not_in_every_model(at, &format!("vertex {vertex}"));
        }
        wrong
    }

    /// Like [`Self::reject_model_param`], for an edit of data.
    pub(super) fn reject_model_data(&mut self, at: LineColumn, edit: &DataEdit) -> bool {
        match edit {
            DataEdit::Weights(vertex, _) => self.reject_model_vertex(at, *vertex),
            DataEdit::Joints(vertex, joints) => {
                let mut joints = joints.iter();
                self.reject_model_vertex(at, *vertex)
                    || joints.any(|joint| self.reject_model_joint(at, joint))
            }
            DataEdit::InverseBind(joint, _)
            | DataEdit::Texel(joint, ..)
            | DataEdit::Turn(joint, _)
            | DataEdit::Shift(joint, _) => self.reject_model_joint(at, joint),
            DataEdit::Bytes { .. } => {
                let wrong = self.own_model;
                if wrong {
                    self.report_not_in_every_model(at, "bytes that could be told");
                }
                wrong
            }
        }
    }

    /// Like [`Self::reject_model_param`], for all names in a formula.
    pub(super) fn reject_model_formula(&mut self, at: LineColumn, expr: &Expr) -> bool {
        self.own_model
            && expr.named().into_iter().any(|named| match named {
                NamedThing::Param(name) => self.reject_model_param(at, &name),
                NamedThing::Vertex(vertex) => self.reject_model_vertex(at, vertex),
                NamedThing::Joint(joint) => self.reject_model_joint(at, &JointIndex(joint).into()),
                NamedThing::JointNamed(name) => self.reject_model_joint(at, &JointName::Name(name)),
            })
    }

    /// Adds a finding about a name that not every model has.
    pub(super) fn report_not_in_every_model(&mut self, at: LineColumn, what: &str) {
        let title = format!("not every model has {what}");
        let help = "rig = \"own\" stands for any model: name joint 0, vertex 0, `all` and the \
                    lesson’s own parameters, or choose a rig";
        self.error(at, Diagnostic::said(OWN_MODEL, title).help(help));
    }
}

// Steps can have rigs of their own.
impl Checker<'_> {
    /// Checks a cell of the whole lesson on each other rig that it is shown with, at the
    /// first step with that rig that does not hide the cell.
    pub(super) fn check_on_other_rigs(&mut self, mention: &Mention) {
        let is_of_lesson = mention.place == OutlinePlace::Intro;
        if !is_of_lesson || !matches!(mention.what, MentionKind::Cell { .. }) {
            return;
        }
        let mut seen = vec![self.lesson.rig_at(0)];
        for step in 1..self.lesson.steps.len() {
            let rig = self.lesson.rig_at(step);
            let is_shown = self.lesson.on_stage(step).any(|cell| cell.line == mention.at.line);
            if seen.contains(&rig) || !is_shown {
                continue;
            }
            seen.push(rig);
            let finding_count = self.findings.len();
            self.stage_step = step;
            self.enter_place(mention.place);
            self.check_mention(mention);
            self.stage_step = 0;
            let title = &self.lesson.steps[step].title;
            for finding in &mut self.findings[finding_count..] {
                finding.title = format!("at the step `{title}`, on another rig: {}", finding.title);
            }
        }
    }

    /// Reports settings of a step that contradict its rig.
    pub(super) fn check_step_rig(&mut self, index: usize, at: LineColumn) {
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
