//! Numbers and formulas: do they hold at the start of their step?

use bindpose_asset::Rig;
use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within, did_you_mean, nearest};
use bindpose_lesson::{
    BudgetCell, Cell, CellKind, DataEdit, EvalError, Expr, Lesson, LessonSet, LessonStep,
    LinkTarget, LinkWhen, MatrixRef, Mention, Mentioned, NumberFormat, OutlinePlace, Setting,
    StagesCell, Symbol, SymbolTable, Values, WeightsCell, WrittenSymbol, find_lesson,
    formula_error, written_in,
};
use bindpose_skin::{InverseBind, JointIndex, SkinStage};

use super::checker::Checker;
use crate::demonstration::{DemonstratedPart, Demonstration, targets};
use crate::exercise::solution;
use crate::exercise_cells::cells_at;
use crate::matrix::joint_of;
use crate::{Derived, Document, Edit, FADE, TIME};

impl Checker<'_> {
    /// The words of a `param` link are its value at the start of the step.
    pub(super) fn param_words(
        &mut self,
        at: LineColumn,
        text: &str,
        name: &str,
        format: &NumberFormat,
    ) {
        let value = self.state().and_then(|state| Values::param(state, name));
        if let Some(value) = value {
            self.words(at, text, &format.print(value));
        }
    }

    /// The words of a `value` link are its value at the start of the step.
    pub(super) fn value_words(
        &mut self,
        (at, expr_at): (LineColumn, LineColumn),
        text: &str,
        (expr, when): (&Expr, LinkWhen),
        format: &NumberFormat,
    ) {
        if self.not_formula_of_all(expr_at, expr) {
            return;
        }
        let state = match when {
            LinkWhen::AtStart => self.start(),
            LinkWhen::Always | LinkWhen::Now => self.state(),
        };
        let Some(result) = state.map(|state| expr.eval(state)) else {
            return;
        };
        match result {
            Ok(value) => self.words(at, text, &format.print(value)),
            Err(error) => self.eval_error(expr_at, &error),
        }
    }

    fn words(&mut self, at: LineColumn, text: &str, prints: &str) {
        // Notes stand at no step: their numbers may be of any.
        if text != prints && self.place != OutlinePlace::Notes {
            let when = match self.place {
                _ if self.after.is_some() => "when this is read",
                OutlinePlace::Step(_) => "at the start of this step",
                OutlinePlace::Intro | OutlinePlace::Notes | OutlinePlace::Glossary => {
                    "at the start of the lesson"
                }
            };
            let wrong = Diagnostic::expected(prints, text)
                .title(format!("{when} this prints {prints}, the text says {text}"))
                .help(format!("write [{prints}](…), or set what it depends on in this step"));
            self.error(at, wrong);
        }
    }

    pub(super) fn eval_error(&mut self, at: LineColumn, error: &EvalError) {
        let help = match error {
            EvalError::UnknownParam { name, .. } => {
                let mut names = self.param_names();
                names.extend(["all", "pi"]);
                did_you_mean(name, &names)
            }
            EvalError::NoVertex { .. } => self.known_rig.as_ref().map_or_else(String::new, |rig| {
                let count = rig.mesh.positions.len();
                format!("the rig has {count} vertices, numbered from 0")
            }),
            EvalError::UnknownJoint { name, .. } => {
                self.known_rig.as_ref().map_or_else(String::new, |rig| {
                    let joints = rig.skeleton.joints().iter();
                    let names: Vec<&str> = joints.map(|joint| joint.name.as_str()).collect();
                    did_you_mean(name, &names)
                })
            }
            other => other.help().to_owned(),
        };
        let wrong = Diagnostic::said("NO_VALUE", error.to_string()).help(help);
        self.error(at.right(error.column() - 1), wrong);
    }

    /// The formula of a matrix must come to something as the step opens.
    pub(super) fn matrix_formula(&mut self, at: LineColumn, expr: &Expr) {
        if self.not_formula_of_all(at, expr) {
            return;
        }
        let value = self.state().map(|state| expr.value(state));
        if let Some(Err(error)) = value {
            self.eval_error(at, &error);
        }
    }

    /// The program of a step must come to its end as the step opens.
    pub(super) fn pose_program(&mut self, at: LineColumn) {
        let cells = cells_at(self.lesson, self.step());
        if cells.filter(|cell| matches!(cell.kind, CellKind::Pose(_))).count() > 1 {
            let wrong = Diagnostic::expected("one program that poses a step", "a second one");
            let help = "make one program of them, or leave one out with hide";
            return self.error(at, wrong.help(help));
        }
        let run = self.state().and_then(|state| state.joints.program_run.as_ref());
        if let Some(error) = run.and_then(|run| run.error.clone()) {
            let wrong = Diagnostic::said("NO_VALUE", error.to_string());
            self.error(at, wrong.help(error.error.help().to_owned()));
        }
    }

    pub(super) fn math(&mut self, at: LineColumn, formula: &str) {
        if let Some((at, wrong)) = math_error(formula, at) {
            return self.error(at, wrong);
        }
        for (at, wrong) in unknown_symbols(formula, at, &self.set.symbols) {
            self.error(at, wrong);
        }
    }
}

/// Where, and what is wrong, when the formula, which begins at `begin`, cannot be
/// typeset.
pub(super) fn math_error(formula: &str, begin: LineColumn) -> Option<(LineColumn, Diagnostic)> {
    let error = formula_error(formula)?;
    let start = error.at;
    // A token has the space before it.
    let spaces = formula.get(start..).unwrap_or_default();
    let spaces = spaces.len() - spaces.trim_start().len();
    let at = place_in_formula(formula, start + spaces, begin);
    let title = format!("the formula cannot be typeset: {}", error.message);
    let wrong = Diagnostic::said("INVALID_LATEX", title);
    Some((at, wrong.help("write LaTeX as KaTeX takes it")))
}

// Symbols in formulas: each stands in the glossary's table, and the table says
// rightly in which lesson it is seen first.

/// What is wrong with the symbols of a formula that begins at `begin`; nothing
/// where there is no table. Words in upright letters need no row.
pub(super) fn unknown_symbols(
    formula: &str,
    begin: LineColumn,
    table: &SymbolTable,
) -> Vec<(LineColumn, Diagnostic)> {
    if table.symbols.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<(LineColumn, Diagnostic)> = Vec::new();
    for written in written_in(formula) {
        if written.is_upright() || table.find(&written).is_some() {
            continue;
        }
        let tex = written.tex();
        let unknown = Diagnostic::unknown("symbol", &tex, &[])
            .title(format!("the table of symbols has no `{tex}`"))
            .help(instead(&written, table));
        let mut earlier = found.iter();
        if !earlier.any(|(_, other)| other.title == unknown.title) {
            found.push((place_in_formula(formula, written.at, begin), unknown));
        }
    }
    found
}

/// What to write for a symbol that the table lacks: what has the same letter, else
/// what is like it.
fn instead(written: &WrittenSymbol, table: &SymbolTable) -> String {
    let rows = table.symbols.iter().flat_map(|row| &row.written);
    let of_letter = |row: &&WrittenSymbol| row.letter() == written.letter();
    let mut names: Vec<String> = rows.clone().filter(of_letter).map(WrittenSymbol::tex).collect();
    if names.is_empty() {
        let all: Vec<String> = rows.map(WrittenSymbol::tex).collect();
        let tex = written.tex();
        names =
            nearest(&tex, all.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let row = "a row to the table in glossary.md";
    if names.is_empty() {
        format!("add {row}")
    } else {
        format!("write {}, or add {row}", names.join(" or "))
    }
}

/// What is wrong with the tables of the glossaries that are looked at.
pub(super) fn table_findings(set: &LessonSet) -> Vec<Diagnostic> {
    let place = |is_it: &dyn Fn(&str) -> bool| {
        let mut mentions = set.own_glossary_mentions();
        mentions.find_map(|(file, mention)| match &mention.what {
            Mentioned::Math(other) if is_it(other) => Some(Within::text(file, mention.at)),
            _ => None,
        })
    };
    let wrong = set.symbols.wrong.iter().map(|(tex, wrong)| {
        let at = place(&|other| other == tex);
        let at = at.unwrap_or_else(|| Within::text(own_glossary(set), START));
        wrong.clone().at(at)
    });
    let mut findings: Vec<Diagnostic> = wrong.collect();
    for symbol in &set.symbols.symbols {
        let tex = symbol.written.first().map(WrittenSymbol::tex);
        let written_so =
            |other: &str| matches!(&written_in(other)[..], [one] if Some(one.tex()) == tex);
        // A row of a glossary that is not looked at has no place here.
        if let Some(at) = place(&written_so)
            && let Some(wrong) = wrong_lesson(symbol, set)
        {
            findings.push(wrong.at(at));
        }
    }
    findings
}

/// The lesson of the row is not the first whose formulas have the symbol.
fn wrong_lesson(symbol: &Symbol, set: &LessonSet) -> Option<Diagnostic> {
    let named = find_lesson(&set.lessons, symbol.first_seen.as_deref()?).ok()?;
    let first = set.outlined().position(|(_, outline)| {
        let mut mentions = outline.mentions.iter();
        mentions.any(|mention| mention.place != OutlinePlace::Notes && has(mention, symbol, set))
    });
    let tex = symbol.written.first().map(WrittenSymbol::tex).unwrap_or_default();
    match first {
        Some(first) if first == named => None,
        Some(first) => {
            let lesson = set.lessons.get(first)?;
            let title = format!("`{tex}` is first seen in lesson {}", lesson.folder);
            let help = format!("write [{}](lesson:{})", lesson.number, lesson.slug);
            Some(Diagnostic::said("SYMBOLS", title).help(help))
        }
        None => {
            let title = format!("no formula of a lesson has `{tex}`");
            Some(Diagnostic::said("SYMBOLS", title).help("take its row out of the table"))
        }
    }
}

fn has(mention: &Mention, symbol: &Symbol, set: &LessonSet) -> bool {
    let Mentioned::Math(formula) = &mention.what else {
        return false;
    };
    written_in(formula).iter().any(|written| {
        let found = set.symbols.find(written);
        found.is_some_and(|(row, _)| std::ptr::eq(row, symbol))
    })
}

// The file of the glossary that is looked at.

/// Where what is wrong with a whole file is told.
pub(super) const START: LineColumn = LineColumn { line: 1, column: 1 };
/// In the folder of the lessons.
pub(super) const GLOSSARY: &str = "glossary.md";

/// The glossary of the course that is looked at: the last one that does not come with
/// the program.
pub(super) fn own_glossary(set: &LessonSet) -> String {
    let last = set.own_lessons().last();
    last.map_or_else(|| GLOSSARY.to_owned(), |lesson| set.file_name(lesson, GLOSSARY))
}

// Where in the text of a lesson something in a formula stands.

/// The place of a byte of a formula that begins at `begin`.
pub(super) fn place_in_formula(formula: &str, byte: usize, begin: LineColumn) -> LineColumn {
    let before = formula.get(..byte).unwrap_or(formula);
    match before.rsplit_once('\n') {
        None => begin.right(before.chars().count()),
        // Only the first line of a formula begins where the formula does.
        Some((_, line)) => LineColumn {
            line: begin.line + before.matches('\n').count(),
            column: line.chars().count() + 1,
        },
    }
}

// What a step invites its reader to change, by its words and by what stands on
// its stage: settings to choose among, parameters to drag, data to edit. Joints
// dragged in a picture, and tables that nothing points to, are not counted.

/// A table that lists every vertex of a large mesh invites to edit the chosen one.
const FEW_VERTICES: usize = 64;

/// What there is to change at a step.
#[derive(Debug, Default)]
pub(super) struct Invited {
    /// Names of parameters, each once.
    pub(super) params: Vec<String>,
    /// Everything else, one change at a time.
    pub(super) edits: Vec<Edit>,
}

impl Invited {
    /// By the step of that index; the introduction stands above the first.
    pub(super) fn at(lesson: &Lesson, step: usize, start: &Document, derived: &Derived) -> Self {
        let mut invited = Self::default();
        let Some(here) = lesson.steps.get(step) else {
            return invited;
        };
        let cells: Vec<&Cell> = cells_at(lesson, step).collect();
        invited.by_words(lesson, step, here);
        for cell in &cells {
            invited.by_cell(cell, start, derived);
        }
        for part in Demonstration::at(lesson, step, &derived.rig).drag {
            match part {
                DemonstratedPart::Param(name) => invited.params.push(name),
                DemonstratedPart::Vertex(vertex) => invited.weights(vertex, derived),
                DemonstratedPart::Bytes => {}
                DemonstratedPart::Cell(id) => {
                    if let Some(cell) = cells.iter().find(|cell| cell.id == id) {
                        invited.by_editor(&cell.kind, start, derived);
                    }
                }
            }
        }
        invited.params.sort_unstable();
        invited.params.dedup();
        invited
    }

    fn by_words(&mut self, lesson: &Lesson, step: usize, here: &LessonStep) {
        let intro = if step == 0 { &*lesson.intro } else { &[] };
        for target in [intro, &here.blocks].into_iter().flat_map(targets) {
            match target {
                LinkTarget::Param(name, _) => self.params.push(name.clone()),
                LinkTarget::Set(settings) => self.edits.push(Edit::Settings(settings.clone())),
                _ => {}
            }
        }
    }

    fn by_cell(&mut self, cell: &Cell, start: &Document, derived: &Derived) {
        let rig = &derived.stored_rig;
        match &cell.kind {
            CellKind::Angles(angles) => {
                self.params.extend(sliders(&angles.params, rig));
                if angles.all {
                    self.params.push("all".to_owned());
                }
            }
            CellKind::Timeline(_) => self.params.extend([TIME, FADE].map(str::to_owned)),
            CellKind::Budget(BudgetCell { limit, others, .. }) => {
                self.params.push(limit.as_deref().unwrap_or("vec4s").to_owned());
                self.params.extend(others.clone());
            }
            CellKind::Weights(weights) if weights.sliders => {
                self.table(weights, start, derived);
            }
            CellKind::Stages(cell) => self.stages(cell, rig),
            CellKind::Stops(cell) => {
                let stops = cell.stops.iter().map(|stop| stop.set.0.clone());
                self.edits.extend(stops.map(Edit::Settings));
            }
            CellKind::Check(cell) => {
                let draws = cell.iter().map(|draw| solution(&draw.cell));
                self.edits.extend(draws);
            }
            CellKind::Predict(cell) => {
                let draws = cell.iter().map(|draw| draw.cell.set.0.clone());
                self.edits.extend(draws.map(Edit::Settings));
            }
            _ => {}
        }
    }

    /// A cell that the step names as something to drag.
    fn by_editor(&mut self, kind: &CellKind, start: &Document, derived: &Derived) {
        match kind {
            CellKind::Weights(weights) => self.table(weights, start, derived),
            CellKind::Plot(plot) if !plot.sweep.is_empty() => {
                self.params.push(plot.sweep.clone());
            }
            CellKind::Matrix(matrix) => {
                for shown in &matrix.show {
                    if let MatrixRef::JointFromBind(joint) = shown
                        && let Ok(joint) = joint_of(joint, start, &derived.rig)
                    {
                        self.inverse_bind(joint, derived);
                    }
                }
            }
            _ => {}
        }
    }

    fn stages(&mut self, cell: &StagesCell, rig: &Rig) {
        let mut settings: Vec<Setting> = SkinStage::ALL.map(Setting::Stage).into();
        if !cell.stage_only {
            settings.extend(InverseBind::ALL.map(Setting::InverseBind));
        }
        if cell.through {
            let joints = (0..rig.skeleton.joints().len().min(8) as u16).map(JointIndex);
            settings.extend(joints.map(|joint| Setting::Through(Some(joint.into()))));
        }
        self.edits.extend(settings.into_iter().map(Edit::set));
    }

    fn table(&mut self, cell: &WeightsCell, start: &Document, derived: &Derived) {
        let count = derived.influences.len();
        let all = cell.vertices.is_empty();
        if all && (cell.sliders || count > FEW_VERTICES) {
            self.weights(start.state.vertex, derived);
        } else if all {
            (0..count as u32).for_each(|vertex| self.weights(vertex, derived));
        } else {
            let vertices = cell.vertices.iter();
            vertices.for_each(|&vertex| self.weights(vertex, derived));
        }
    }

    /// All to one lane or the other, and nothing at all.
    fn weights(&mut self, vertex: u32, derived: &Derived) {
        let Some(influences) = derived.influences.get(vertex as usize) else {
            return;
        };
        for lane in 0..influences.used().count().max(2) {
            for weight in [0.0, 0.3, 1.0] {
                self.edits.push(Edit::Weight { vertex, lane, weight });
            }
        }
    }

    /// Each cell of the upper three rows, farther by one.
    fn inverse_bind(&mut self, joint: JointIndex, derived: &Derived) {
        let Some(matrix) = derived.joints.joint_from_bind.get(joint.index()) else {
            return;
        };
        let cells = matrix.to_cols_array();
        for at in (0..16).filter(|at| at % 4 != 3) {
            let mut cells = cells;
            if let Some(cell) = cells.get_mut(at) {
                *cell += 1.0;
            }
            self.edits.push(Edit::Data(DataEdit::InverseBind(joint.into(), cells)));
        }
    }
}

/// As an `angles` cell shows them.
fn sliders(named: &[String], rig: &Rig) -> Vec<String> {
    if named.is_empty() {
        let all = rig.angles().chain(rig.morphs());
        all.map(|param| param.name.clone()).collect()
    } else {
        named.to_vec()
    }
}
