//! Check of numbers, formulas and symbols in the text. Also collects the changes that a step
//! invites the reader to make.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within, did_you_mean, nearest};
use bindpose_gltf::Rig;
use bindpose_lesson::{
    BudgetCell, Cell, CellKind, DataEdit, EvalError, Expr, Lesson, LessonSet, LessonStep,
    LinkTarget, LinkWhen, MatrixRef, Mention, MentionKind, NumberFormat, OutlinePlace, Setting,
    StagesCell, Symbol, SymbolForm, SymbolTable, Values, WeightsCell, find_lesson, formula_error,
    written_in,
};
use bindpose_skin::{InverseBind, JointIndex, SkinStage};

use super::checker::Checker;
use bindpose_notebook::demonstration::{DemonstratedPart, Demonstration, targets};
use bindpose_notebook::exercise::solution;
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::matrix::joint_of;
use bindpose_notebook::{Derived, Document, Edit, FADE_PARAM, TIME_PARAM};

impl Checker<'_> {
    /// Checks that the words of a `param` link are the value at the start of the step.
    pub(super) fn check_param_text(
        &mut self,
        at: LineColumn,
        text: &str,
        name: &str,
        format: &NumberFormat,
    ) {
        let value = self.current_state().and_then(|state| Values::param(state, name));
        if let Some(value) = value {
            self.check_printed_text(at, text, &format.print(value));
        }
    }

    /// Checks that the words of a `value` link are the value of its formula, at the time
    /// that the link names.
    pub(super) fn check_value_text(
        &mut self,
        at: LineColumn,
        text: &str,
        expr_at: LineColumn,
        expr: &Expr,
        when: LinkWhen,
        format: &NumberFormat,
    ) {
        if self.reject_model_formula(expr_at, expr) {
            return;
        }
        let state = match when {
            LinkWhen::AtStart => self.start_state(),
            LinkWhen::Always | LinkWhen::Now => self.current_state(),
        };
        let Some(result) = state.map(|state| expr.eval(state)) else {
            return;
        };
        match result {
            Ok(value) => self.check_printed_text(at, text, &format.print(value)),
            Err(error) => self.report_eval_error(expr_at, &error),
        }
    }

    fn check_printed_text(&mut self, at: LineColumn, text: &str, prints: &str) {
        // Notes belong to no step, and may quote the numbers of any.
        if text != prints && self.place != OutlinePlace::Notes {
            let when = match self.place {
                _ if self.page_change.is_some() => "when this is read",
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

    pub(super) fn report_eval_error(&mut self, at: LineColumn, error: &EvalError) {
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

    /// Checks that the formula of a matrix has a value when the step starts.
    pub(super) fn check_matrix_formula(&mut self, at: LineColumn, expr: &Expr) {
        if self.reject_model_formula(at, expr) {
            return;
        }
        let value = self.current_state().map(|state| expr.value(state));
        if let Some(Err(error)) = value {
            self.report_eval_error(at, &error);
        }
    }

    /// Checks that the pose program of a step is the only one, and runs without an error
    /// when the step starts.
    pub(super) fn check_pose_program(&mut self, at: LineColumn) {
        let cells = cells_at(self.lesson, self.step_index());
        if cells.filter(|cell| matches!(cell.kind, CellKind::Pose(_))).count() > 1 {
            let wrong = Diagnostic::expected("one program that poses a step", "a second one");
            let help = "make one program of them, or leave one out with hide";
            return self.error(at, wrong.help(help));
        }
        let run = self.current_state().and_then(|state| state.joints.program_run.as_ref());
        if let Some(error) = run.and_then(|run| run.error.clone()) {
            let wrong = Diagnostic::said("NO_VALUE", error.to_string());
            self.error(at, wrong.help(error.error.help().to_owned()));
        }
    }

    pub(super) fn check_math(&mut self, at: LineColumn, formula: &str) {
        if let Some((at, wrong)) = math_error(formula, at) {
            return self.error(at, wrong);
        }
        for (at, wrong) in unknown_symbols(formula, at, &self.set.symbols) {
            self.error(at, wrong);
        }
    }
}

/// Returns the position and description of the error if the formula that starts at `begin`
/// cannot be typeset.
pub(super) fn math_error(formula: &str, begin: LineColumn) -> Option<(LineColumn, Diagnostic)> {
    let error = formula_error(formula)?;
    // Tokens include the spaces before them.
    let token = formula.get(error.at..).unwrap_or_default();
    let space_count = token.len() - token.trim_start().len();
    let at = place_in_formula(formula, error.at + space_count, begin);
    let title = format!("the formula cannot be typeset: {}", error.message);
    let wrong = Diagnostic::said("INVALID_LATEX", title);
    Some((at, wrong.help("write LaTeX as KaTeX takes it")))
}

/// Returns a finding for each symbol of a formula that the table of symbols lacks. The
/// formula starts at `begin`. Returns none without a table. Words in upright letters need
/// no row.
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
            .help(suggest_symbols(&written, table));
        if !found.iter().any(|(_, other)| other.title == unknown.title) {
            found.push((place_in_formula(formula, written.at, begin), unknown));
        }
    }
    found
}

/// Suggests symbols of the table with the same letter, or else with a similar spelling.
fn suggest_symbols(written: &SymbolForm, table: &SymbolTable) -> String {
    let rows = table.symbols.iter().flat_map(|row| &row.written);
    let mut names: Vec<String> =
        rows.clone().filter(|row| row.letter() == written.letter()).map(SymbolForm::tex).collect();
    if names.is_empty() {
        let all: Vec<String> = rows.map(SymbolForm::tex).collect();
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

/// Checks the tables of symbols of the glossaries under check: their syntax, and the
/// lesson that each row names as the first with its symbol.
pub(super) fn symbol_table_findings(set: &LessonSet) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (tex, wrong) in &set.symbols.wrong {
        let place = find_glossary_formula(set, |other| other == tex)
            .unwrap_or_else(|| Within::text(own_glossary(set), START));
        findings.push(wrong.clone().at(place));
    }
    for symbol in &set.symbols.symbols {
        let tex = symbol.written.first().map(SymbolForm::tex);
        let place = find_glossary_formula(
            set,
            |other| matches!(&written_in(other)[..], [one] if Some(one.tex()) == tex),
        );
        // Rows of other glossaries have no place.
        if let Some(place) = place
            && let Some(wrong) = wrong_first_lesson(symbol, set)
        {
            findings.push(wrong.at(place));
        }
    }
    findings
}

/// Returns the place of the first formula in the glossaries under check that matches.
fn find_glossary_formula(set: &LessonSet, is_match: impl Fn(&str) -> bool) -> Option<Within> {
    set.own_glossary_mentions().find_map(|(file, mention)| match &mention.what {
        MentionKind::Math(formula) if is_match(formula) => Some(Within::text(file, mention.at)),
        _ => None,
    })
}

/// Returns a finding if the lesson of the row is not the first with the symbol in a formula.
fn wrong_first_lesson(symbol: &Symbol, set: &LessonSet) -> Option<Diagnostic> {
    let named = find_lesson(&set.lessons, symbol.first_seen.as_deref()?).ok()?;
    let first = set.outlined().position(|(_, outline)| {
        outline.mentions.iter().any(|mention| {
            mention.place != OutlinePlace::Notes && mentions_symbol(mention, symbol, set)
        })
    });
    let tex = symbol.written.first().map(SymbolForm::tex).unwrap_or_default();
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

fn mentions_symbol(mention: &Mention, symbol: &Symbol, set: &LessonSet) -> bool {
    let MentionKind::Math(formula) = &mention.what else {
        return false;
    };
    written_in(formula).iter().any(|written| {
        let found = set.symbols.find(written);
        found.is_some_and(|(row, _)| std::ptr::eq(row, symbol))
    })
}

/// Position of findings about a whole file.
pub(super) const START: LineColumn = LineColumn { line: 1, column: 1 };
/// File name of the glossary in the folder of the lessons.
pub(super) const GLOSSARY: &str = "glossary.md";

/// Returns the glossary of the course under check: the last one that is not built in.
pub(super) fn own_glossary(set: &LessonSet) -> String {
    let last = set.own_lessons().last();
    last.map_or_else(|| GLOSSARY.to_owned(), |lesson| set.file_name(lesson, GLOSSARY))
}

/// Returns the position in the text of a byte of a formula that starts at `begin`.
pub(super) fn place_in_formula(formula: &str, byte: usize, begin: LineColumn) -> LineColumn {
    let before = formula.get(..byte).unwrap_or(formula);
    match before.rsplit_once('\n') {
        None => begin.right(before.chars().count()),
        // The column of `begin` applies to the first line only.
        Some((_, line)) => LineColumn {
            line: begin.line + before.matches('\n').count(),
            column: line.chars().count() + 1,
        },
    }
}

/// Maximum vertex count at which a table of all vertices invites to edit each of them. In
/// larger tables only the selected vertex counts.
const MAX_LISTED_VERTICES: usize = 64;

/// The changes that a step invites its reader to make, by its text and by the cells on its
/// stage.
///
/// Does not include joints dragged in a picture, and tables that the step does not point to.
#[derive(Debug, Default)]
pub(super) struct InvitedChanges {
    /// Names of parameters to drag, without duplicates.
    pub(super) params: Vec<String>,
    /// All other changes, to be applied one at a time.
    pub(super) edits: Vec<Edit>,
}

impl InvitedChanges {
    /// Collects the changes of a step. The introduction belongs to the first step.
    pub(super) fn at(lesson: &Lesson, step: usize, start: &Document, derived: &Derived) -> Self {
        let mut invited = Self::default();
        let Some(here) = lesson.steps.get(step) else {
            return invited;
        };
        let cells: Vec<&Cell> = cells_at(lesson, step).collect();
        invited.add_links(lesson, step, here);
        for cell in &cells {
            invited.add_cell(cell, start, derived);
        }
        for part in Demonstration::at(lesson, step, &derived.rig).drag {
            match part {
                DemonstratedPart::Param(name) => invited.params.push(name),
                DemonstratedPart::Vertex(vertex) => invited.add_weights(vertex, derived),
                DemonstratedPart::Bytes => {}
                DemonstratedPart::Cell(id) => {
                    if let Some(cell) = cells.iter().find(|cell| cell.id == id) {
                        invited.add_demonstrated_cell(&cell.kind, start, derived);
                    }
                }
            }
        }
        invited.params.sort_unstable();
        invited.params.dedup();
        invited
    }

    fn add_links(&mut self, lesson: &Lesson, step: usize, here: &LessonStep) {
        let intro = if step == 0 { &*lesson.intro } else { &[] };
        for target in [intro, &here.blocks].into_iter().flat_map(targets) {
            match target {
                LinkTarget::Param(name, _) => self.params.push(name.clone()),
                LinkTarget::Set(settings) => self.edits.push(Edit::Settings(settings.clone())),
                _ => {}
            }
        }
    }

    fn add_cell(&mut self, cell: &Cell, start: &Document, derived: &Derived) {
        let rig = &derived.stored_rig;
        match &cell.kind {
            CellKind::Angles(angles) => {
                self.params.extend(slider_params(&angles.params, rig));
                if angles.all {
                    self.params.push("all".to_owned());
                }
            }
            CellKind::Timeline(_) => {
                self.params.extend([TIME_PARAM, FADE_PARAM].map(str::to_owned));
            }
            CellKind::Budget(BudgetCell { limit, others, .. }) => {
                self.params.push(limit.as_deref().unwrap_or("vec4s").to_owned());
                self.params.extend(others.clone());
            }
            CellKind::Weights(weights) if weights.sliders => {
                self.add_weights_table(weights, start, derived);
            }
            CellKind::Stages(cell) => self.add_stages(cell, rig),
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

    /// Adds the changes of a cell that the step points to as something to drag.
    fn add_demonstrated_cell(&mut self, kind: &CellKind, start: &Document, derived: &Derived) {
        match kind {
            CellKind::Weights(weights) => self.add_weights_table(weights, start, derived),
            CellKind::Plot(plot) if !plot.sweep.is_empty() => {
                self.params.push(plot.sweep.clone());
            }
            CellKind::Matrix(matrix) => {
                for shown in &matrix.show {
                    if let MatrixRef::JointFromBind(joint) = shown
                        && let Ok(joint) = joint_of(joint, start, &derived.rig)
                    {
                        self.add_inverse_bind(joint, derived);
                    }
                }
            }
            _ => {}
        }
    }

    fn add_stages(&mut self, cell: &StagesCell, rig: &Rig) {
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

    fn add_weights_table(&mut self, cell: &WeightsCell, start: &Document, derived: &Derived) {
        let count = derived.influences.len();
        let all = cell.vertices.is_empty();
        if all && (cell.sliders || count > MAX_LISTED_VERTICES) {
            self.add_weights(start.state.vertex, derived);
        } else if all {
            (0..count as u32).for_each(|vertex| self.add_weights(vertex, derived));
            for vertex in 0..count as u32 {
                self.add_weights(vertex, derived);
            }
        } else {
            for &vertex in &cell.vertices {
                self.add_weights(vertex, derived);
            }
        }
    }

    /// Adds the weights 0, 0.3 and 1 in each lane of a vertex.
    fn add_weights(&mut self, vertex: u32, derived: &Derived) {
        let Some(influences) = derived.influences.get(vertex as usize) else {
            return;
        };
        for lane in 0..influences.used().count().max(2) {
            for weight in [0.0, 0.3, 1.0] {
                self.edits.push(Edit::Weight { vertex, lane, weight });
            }
        }
    }

    /// Adds an edit for each element of the upper three rows, larger by 1.
    fn add_inverse_bind(&mut self, joint: JointIndex, derived: &Derived) {
        let Some(matrix) = derived.joints.joint_from_bind.get(joint.index()) else {
            return;
        };
        let cells = matrix.to_cols_array();
        for at in (0..16).filter(|at| at % 4 != 3) {
            let mut cells = cells;
            if let Some(cell) = cells.get_mut(at) {
                *cell += 1.0;
            }
            self.edits.push(Edit::data(DataEdit::InverseBind(joint.into(), cells)));
        }
    }
}

/// Returns the parameters that an `angles` cell shows.
fn slider_params(named: &[String], rig: &Rig) -> Vec<String> {
    if named.is_empty() {
        let all = rig.angles().chain(rig.morphs());
        all.map(|param| param.name.clone()).collect()
    } else {
        named.to_vec()
    }
}
