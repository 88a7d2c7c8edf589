//! Check of exercises: they must be unsolved when their step starts, and solved by their stored
//! solution.

use bindpose_diagnostic::{Diagnostic, LineColumn, Severity};
use bindpose_lesson::{
    CellDraws, CellKind, ChainCell, CheckCell, CompareCell, Condition, Factor, FaultName,
    FaultsCell, LearntCell, LessonBlock, MatrixProduct, MatrixRef, NamedThing, OutlinePlace,
    PredictCell, Settings, StopsCell, find_step, key_of_condition, numbers_text,
};

use super::checker::{Checker, KeyPositions, edit_finding};
use bindpose_notebook::chain::comes_to_goal;
use bindpose_notebook::exercise::{
    MeasuredCondition, WrongPlaceError, is_solved, position_with, solution, wrong_position,
};
use bindpose_notebook::exercise_cells::{Exercise, cells_at, exercises_at};
use bindpose_notebook::fault_evidence::{Evidence, evidence_with};
use bindpose_notebook::faults::{FaultSwitch, offered};
use bindpose_notebook::{
    Derived, Edit, apply, apply_setting, is_same_setting, learnt_viewport, step_document,
};
use glam::Vec3;

/// Minimum number of wrong places that a guess must name.
const MIN_WRONG_PLACES: usize = 2;

impl Checker<'_> {
    /// Checks a cell with each of its draws. Only the findings of the first failing draw
    /// are reported.
    pub(super) fn check_each_draw<T>(
        &mut self,
        cell: &CellDraws<T>,
        check: impl Fn(&mut Self, &T),
    ) {
        let found = self.findings.len();
        for (index, draw) in cell.iter().enumerate() {
            check(self, &draw.cell);
            let Some(wrong) = self.findings.get_mut(found..).filter(|new| !new.is_empty()) else {
                continue;
            };
            if cell.count() > 1 {
                for wrong in wrong {
                    let numbers = numbers_text(&draw.numbers);
                    let sentence = wrong.sentence();
                    wrong.title = format!("with draw {} ({numbers}): {sentence}", index + 1);
                }
            }
            return;
        }
    }

    /// Checks that every condition has a value, that the exercise is unsolved at the
    /// start, and that the stored solution solves it.
    pub(super) fn check_exercise_cell(&mut self, cell: &CheckCell, keys: KeyPositions<'_>) {
        self.check_printed_goal(cell, keys.at("ask"));
        let found = self.findings.len();
        for index in 0..cell.conditions.len() {
            self.check_condition(cell, index, keys);
        }
        self.check_settings(&cell.solution, "solution", keys);
        if self.findings.len() > found {
            return;
        }
        if self.current_state().is_some_and(|derived| is_solved(cell, derived)) {
            let title = "the exercise is solved when its step begins";
            let wrong = Diagnostic::said("EXERCISE", title)
                .help("choose another goal, or begin the step elsewhere");
            self.error(keys.at("goal"), wrong);
            return;
        }
        self.check_stored_solution(cell, keys);
    }

    fn check_condition(&mut self, cell: &CheckCell, index: usize, keys: KeyPositions<'_>) {
        let Some(condition) = cell.conditions.get(index) else {
            return;
        };
        for (key, expr) in [("measure", &condition.measure), ("goal", &condition.goal)] {
            if self.reject_model_formula(keys.at(&key_of_condition(index, key)), expr) {
                continue;
            }
            let result = self.current_state().map(|derived| expr.eval(derived));
            if let Some(Err(error)) = result {
                // Skips the opening quote of the string.
                let at = keys.at(&key_of_condition(index, key)).right(1);
                self.report_eval_error(at, &error);
            }
        }
        self.check_unit(condition, index, keys);
    }

    fn check_stored_solution(&mut self, cell: &CheckCell, keys: KeyPositions<'_>) {
        if cell.solution.0.is_empty() && cell.solution_edits.0.is_empty() {
            let wrong = Diagnostic::said("NO_SOLUTION", "the exercise has no solution");
            let help = "write what solves it: solution = { b1 = \"30deg\" }, or \
                        solution-edits = { \"weights.3\" = \"0,1,0,0\" }";
            return self.error(keys.at("solution"), wrong.help(help));
        }
        let Some(rig) = self.rig_with_numbers() else {
            return;
        };
        let mut document = step_document(self.lesson, self.step_index(), Some(&rig));
        for edit in &cell.solution_edits.0 {
            let alone = Edit::data(edit.clone());
            if let Err(refused) = apply(&mut document.clone(), &alone, self.lesson, &rig) {
                let at = keys.at(&format!("solution-edits.{}", edit.key()));
                self.error(at, edit_finding(refused));
                return;
            }
        }
        let key = if cell.solution.0.is_empty() { "solution-edits" } else { "solution" };
        if let Err(refused) = apply(&mut document, &solution(cell), self.lesson, &rig) {
            self.error(keys.at(key), edit_finding(refused));
            return;
        }
        let derived = Derived::of_document(&document, Some(self.lesson), &rig);
        for condition in &cell.conditions {
            let label = condition.label.words();
            let (title, help) = match MeasuredCondition::from_condition(condition, &derived) {
                Ok(measured) if measured.holds() => continue,
                Ok(measured) => (
                    format!(
                        "the stored solution does not solve the exercise: `{label}` comes to {:.4}, the goal is {:.4} ± {}",
                        measured.value, measured.goal, measured.tolerance
                    ),
                    "correct the solution, the goal or the tolerance",
                ),
                Err(error) => (
                    format!("with the stored solution `{label}` has no value: {error}"),
                    "correct the solution",
                ),
            };
            let wrong = Diagnostic::said("EXERCISE", title).help(help);
            self.error(keys.at(key), wrong);
            return;
        }
        self.check_reach(cell, keys);
    }

    /// Checks that the vertex exists and moves farther than the tolerance of the guess.
    pub(super) fn check_predict_cell(&mut self, cell: &PredictCell, keys: KeyPositions<'_>) {
        let found = self.findings.len();
        self.check_vertex(keys.at("vertex"), cell.vertex);
        self.check_settings(&cell.set, "set", keys);
        if self.findings.len() > found {
            return;
        }
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let document = step_document(self.lesson, self.step_index(), Some(&rig));
        let Some(begin) = self.current_state() else {
            return;
        };
        let before = begin.position(cell.vertex as usize);
        let after = position_with(&cell.set.0, cell.vertex, &document, self.lesson, begin);
        let wrong = match (before, after) {
            (_, Err(refused)) => Some(edit_finding(refused)),
            (Some(before), Ok(Some(after))) if before.distance(after) > cell.close.0 => None,
            (Some(before), Ok(Some(after))) => {
                let title = format!(
                    "v{} moves by {:.4}, and a guess within {} is right: there is nothing to predict",
                    cell.vertex,
                    before.distance(after),
                    cell.close.0
                );
                let help = "set what moves it farther, or a smaller `close`";
                Some(Diagnostic::said("EXERCISE", title).help(help))
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            return self.error(keys.at("set"), wrong);
        }
        self.check_wrong_places(cell, keys);
    }

    /// Checks that a guess names at least two wrong places, and that none of them coincides
    /// with the right place or with an earlier wrong one.
    fn check_wrong_places(&mut self, cell: &PredictCell, keys: KeyPositions<'_>) {
        if cell.wrong.len() < MIN_WRONG_PLACES {
            let count = cell.wrong.len();
            let title = format!(
                "a guess names at least {MIN_WRONG_PLACES} wrong places, this one has {count}"
            );
            let help = "write the mistakes that readers will make: wrong = [{ set = { b1 = 0 }, \
                        reply = \"That is where it was.\" }, …]";
            // Courses of older versions have none.
            let finding = Diagnostic {
                severity: Severity::Warning,
                ..Diagnostic::said("EXERCISE", title).help(help)
            };
            return self.error(keys.at("wrong"), finding);
        }
        let Some(begin) = self.current_state() else {
            return;
        };
        let step = self.step_index();
        let document = step_document(self.lesson, step, Some(&begin.stored_rig));
        let right = position_with(&cell.set.0, cell.vertex, &document, self.lesson, begin);
        let positions: Vec<_> = cell
            .wrong
            .iter()
            .map(|wrong| wrong_position(wrong, cell, &document, self.lesson, begin))
            .collect();
        let mut earlier: Vec<(Vec3, String)> = Vec::new();
        earlier.extend(right.ok().flatten().map(|right| (right, "the right one".to_owned())));
        for (index, (wrong, position)) in cell.wrong.iter().zip(positions).enumerate() {
            let path = format!("wrong[{index}]");
            self.check_settings(&wrong.set, &format!("{path}.set"), keys);
            let place_at = keys.at(&format!("{path}.place"));
            if let Some(place) = &wrong.place
                && self.reject_model_formula(place_at, place)
            {
                continue;
            }
            match position {
                Ok(position) => {
                    let same =
                        earlier.iter().find(|(other, _)| other.distance(position) <= cell.close.0);
                    if let Some((other, name)) = same {
                        let title = format!(
                            "wrong place {} is {:.4} from {name}, and `close` is {}",
                            index + 1,
                            other.distance(position),
                            cell.close.0
                        );
                        let help = "name another mistake, or write a smaller `close`";
                        let at = keys.at(&format!("{path}.reply"));
                        self.error(at, Diagnostic::said("EXERCISE", title).help(help));
                    }
                    earlier.push((position, format!("wrong place {}", index + 1)));
                }
                Err(WrongPlaceError::Formula(error)) => {
                    // Skips the opening quote of the string.
                    self.report_eval_error(place_at.right(1), &error);
                }
                Err(WrongPlaceError::NotAPoint(type_name)) => {
                    let wrong = Diagnostic::expected("a point", type_name);
                    let help = "write a point, such as joint_matrix(1) * stored(6)";
                    self.error(place_at, wrong.help(help));
                }
                // Reported where the setting or the vertex is checked.
                Err(WrongPlaceError::Setting(_) | WrongPlaceError::NoVertex) => {}
            }
        }
    }

    /// Checks the settings of each variant, and that no two variants set the same.
    pub(super) fn check_compare_cell(&mut self, cell: &CompareCell, keys: KeyPositions<'_>) {
        for (index, variant) in cell.variants.iter().enumerate() {
            let mut earlier = cell.variants[..index].iter();
            if earlier.any(|other| self.is_same_settings(&other.set, &variant.set)) {
                let label = variant.label.words();
                let title = format!("the variant `{label}` shows what an earlier one shows");
                let wrong = Diagnostic::said("REPEATED", title)
                    .help("leave one of them out, or write in `set` what is different");
                self.error(keys.at(&format!("variants[{index}].label")), wrong);
            }
            self.check_settings(&variant.set, &format!("variants[{index}].set"), keys);
        }
    }

    /// Checks the settings of each stop, and that no two stops set the same.
    pub(super) fn check_stops_cell(&mut self, cell: &StopsCell, keys: KeyPositions<'_>) {
        for (index, stop) in cell.stops.iter().enumerate() {
            self.check_settings(&stop.set, &format!("stops[{index}].set"), keys);
            let mut earlier = cell.stops[..index].iter();
            if earlier.any(|other| self.is_same_settings(&other.set, &stop.set)) {
                let title =
                    format!("the stop `{}` sets what an earlier one sets", stop.label.words());
                let wrong = Diagnostic::said("REPEATED", title).help("leave one of them out");
                self.error(keys.at(&format!("stops[{index}].label")), wrong);
            }
            if !stop.line.is_empty() && !self.has_listing_with(&stop.line) {
                let title = format!("no line of a listing in this step has `{}`", stop.line);
                let wrong = Diagnostic::said("UNKNOWN_LINE", title)
                    .help("copy a part of the line that is to be lit");
                self.error(keys.at(&format!("stops[{index}].line")), wrong);
            }
        }
    }

    /// Returns true if a listing of the step has a line with this text.
    fn has_listing_with(&self, text: &str) -> bool {
        let step = self.lesson.steps.get(self.step_index());
        step.is_some_and(|step| step.blocks.iter().any(|block| is_listing_with(block, text)))
    }

    /// Checks that each line names a viewport of its step, and settings that exist there.
    pub(super) fn check_learnt_cell(&mut self, cell: &LearntCell, keys: KeyPositions<'_>) {
        let here = self.place;
        for (index, line) in cell.lines.iter().enumerate() {
            let path = format!("lines[{index}]");
            let step = match find_step(self.lesson, &line.step) {
                Ok(step) => step,
                Err(unknown) => {
                    self.error(keys.at(&format!("{path}.step")), unknown);
                    continue;
                }
            };
            let lesson = self.lesson;
            let ids: Vec<&str> = lesson
                .on_stage(step)
                .filter(|cell| learnt_viewport(cell).is_some())
                .map(|cell| cell.id.as_str())
                .collect();
            let named = line.viewport.as_deref();
            if named.map_or(ids.is_empty(), |named| !ids.contains(&named)) {
                let key = if named.is_some() { "viewport" } else { "step" };
                let wrong = Diagnostic::unknown("viewport", named.unwrap_or_default(), &ids);
                let title = format!("step `{}` shows no such viewport", line.step);
                self.error(keys.at(&format!("{path}.{key}")), wrong.title(title));
            }
            self.enter_place(OutlinePlace::Step(step));
            self.check_settings(&line.set, &format!("{path}.set"), keys);
            if let Some(name) = &line.sways {
                self.check_swaying_param(keys.at(&format!("{path}.sways")), name);
            }
            self.enter_place(here);
        }
    }

    /// Do two variants set the same, whether joints are named by index or by name?
    fn is_same_settings(&self, a: &Settings, b: &Settings) -> bool {
        let rig = self.known_rig.as_deref();
        a.0.len() == b.0.len()
            && a.0
                .iter()
                .zip(&b.0)
                .all(|(a, b)| a == b || rig.is_some_and(|rig| is_same_setting(a, b, rig)))
    }

    pub(super) fn check_settings(
        &mut self,
        settings: &Settings,
        path: &str,
        keys: KeyPositions<'_>,
    ) {
        for setting in &settings.0 {
            self.check_setting(keys.at(&format!("{path}.{}", setting.key())), setting);
        }
    }
}

impl Checker<'_> {
    /// Reports a step with several questions that are answered in the picture. Only one of
    /// them would receive the clicks.
    pub(super) fn check_single_question(&mut self, step: usize, at: LineColumn) {
        let mut guesses = 0;
        let mut open = 0;
        for (_, exercise) in exercises_at(self.lesson, step) {
            match exercise {
                Exercise::Predict(_) => guesses += 1,
                Exercise::Check(cell) => {
                    let conditions = &cell.with(0).conditions;
                    open += usize::from(conditions.iter().any(|condition| condition.secret));
                }
                Exercise::Chain(_) | Exercise::Diagnose(_) => {}
                // Other questions are answered in their own cell.
                Exercise::Ask(cell) => {
                    let cell = cell.with(0);
                    open += usize::from(cell.vertex.is_some() || cell.joint.is_some());
                }
            }
        }
        if guesses + open < 2 {
            return;
        }
        let title = if guesses > 1 {
            format!("the step has {guesses} cells `predict`")
        } else {
            format!("the step asks {} questions", guesses + open)
        };
        let wrong = Diagnostic::said("TWO_QUESTIONS", title);
        let help = "ask one question a step: make two steps of it";
        self.error(at, wrong.help(help));
    }

    /// Reports an angle without a unit, which would be shown in radians.
    pub(super) fn check_unit(
        &mut self,
        condition: &Condition,
        index: usize,
        keys: KeyPositions<'_>,
    ) {
        if !condition.unit.is_empty() || !self.is_angle_condition(condition) {
            return;
        }
        let goal = self.current_state().and_then(|state| condition.goal.eval(state).ok());
        let shown = goal.unwrap_or_default();
        let title = format!("the goal is an angle and is shown as {shown:.2}, in radians");
        let wrong = Diagnostic::said("UNIT", title).help("add unit = \"°\"");
        self.error(keys.at(&key_of_condition(index, "goal")), wrong);
    }

    /// Is the goal written in degrees, or the measure a single angle?
    fn is_angle_condition(&self, condition: &Condition) -> bool {
        let goal = &condition.goal.source;
        // A function such as the sine of an angle is no angle.
        let in_degrees = !goal.contains('(') && (goal.contains("deg") || goal.contains('°'));
        let measure = condition.measure.source.trim();
        let is_angle_param = match condition.measure.named().as_slice() {
            [NamedThing::Param(name)] => name == measure && self.is_angle(name),
            _ => false,
        };
        let is_between = measure.starts_with("angle_between(") && measure.ends_with(')');
        in_degrees || is_angle_param || is_between
    }
}

impl Checker<'_> {
    pub(super) fn check_chain_cell(&mut self, cell: &ChainCell, keys: KeyPositions<'_>) {
        let found = self.findings.len();
        for (key, product) in [("product", &cell.product), ("solution", &cell.solution)] {
            for factor in product.0.iter().flatten() {
                self.check_matrix(keys.at(key), &factor.matrix);
            }
        }
        for (index, matrix) in cell.tray.iter().enumerate() {
            self.check_matrix(keys.at(&format!("tray[{index}]")), matrix);
        }
        if let Some(vertex) = cell.vertex {
            self.check_vertex(keys.at("vertex"), vertex);
        }
        if let Some(goal) = &cell.goal {
            self.check_matrix(keys.at("goal"), goal);
            if self.findings.len() == found {
                self.check_chain_goal(cell, goal, keys);
            }
        }
    }

    /// Reports a solution that does not equal the goal, a rung that starts with a product
    /// equal to the goal, and a product near the solution that equals the goal too.
    fn check_chain_goal(&mut self, cell: &ChainCell, goal: &MatrixRef, keys: KeyPositions<'_>) {
        let Some(rig) = self.rig_with_numbers() else {
            return;
        };
        let document = step_document(self.lesson, self.step_index(), Some(&rig));
        let Some(derived) = self.start_state() else {
            return;
        };
        let equals_goal =
            |product: &MatrixProduct| comes_to_goal(product, goal, &document, self.lesson, derived);
        let key = if cell.ladder { "product" } else { "solution" };
        let solution = cell.solution();
        let wrong = if equals_goal(solution) {
            let open = cell.rungs().map(|rung| cell.at_rung(rung)).find(&equals_goal);
            if let Some(open) = open {
                Some(("product", format!("it opens as {open}, which comes to the goal already")))
            } else {
                similar_products(cell)
                    .find(&equals_goal)
                    .map(|other| (key, format!("{other} comes to the goal too")))
            }
        } else {
            let title = format!("{solution} does not come to {goal} in every pose");
            Some((key, title))
        };
        if let Some((key, title)) = wrong {
            let help = "correct the product, the goal, or the step’s rig and pose";
            let wrong = Diagnostic::said("EXERCISE", title).help(help);
            self.error(keys.at(key), wrong);
        }
    }
}

/// Returns the products with one mistake: two neighbouring factors swapped, or one factor
/// replaced with another matrix of the tray.
fn similar_products(cell: &ChainCell) -> impl Iterator<Item = MatrixProduct> {
    let solution = cell.solution();
    let count = solution.0.len();
    let swapped = (1..count).filter_map(|right| {
        let mut product = solution.clone();
        product.0.swap(right - 1, right);
        (product != *solution).then_some(product)
    });
    let others = cell.tray.iter().flat_map(move |matrix| {
        (0..count).filter_map(move |place| {
            let mut product = solution.clone();
            let other = Some(Factor::from(matrix.clone()));
            if product.0[place] == other {
                return None;
            }
            product.0[place] = other;
            Some(product)
        })
    });
    swapped.chain(others)
}

impl Checker<'_> {
    /// Checks the faults that the cells of a step offer: each changes a number there, and
    /// no two faults of a diagnosis look alike.
    pub(super) fn check_faults(&mut self, step: usize, at: LineColumn) {
        let Some(rig) = self.rig_with_numbers() else {
            return;
        };
        let lesson = self.lesson;
        for cell in cells_at(lesson, step) {
            let CellKind::Faults(faults) = &cell.kind else {
                continue;
            };
            let switches: Vec<FaultSwitch> =
                offered(faults).into_iter().map(FaultSwitch::new).collect();
            // A fault may be on when the step starts.
            let mut document = step_document(lesson, step, Some(&rig));
            for setting in FaultSwitch::all_off(&switches, &document.state) {
                apply_setting(&mut document, &setting, Some(&rig));
            }
            let derived = Derived::of_document(&document, Some(lesson), &rig);
            let Some(right) = evidence_with(None, &document, lesson, &derived) else {
                continue;
            };
            let mut shown: Vec<(FaultName, Evidence)> = Vec::new();
            for switch in &switches {
                let fault = Some(switch.fault);
                if let Some(evidence) = evidence_with(fault, &document, lesson, &derived) {
                    shown.push((switch.fault, evidence));
                }
            }
            self.check_each_fault_acts(at, &right, &shown);
            self.check_faults_differ(at, faults, &shown);
        }
    }

    fn check_each_fault_acts(
        &mut self,
        at: LineColumn,
        right: &Evidence,
        shown: &[(FaultName, Evidence)],
    ) {
        for (fault, there) in shown {
            if there.difference(right, 0).is_none() {
                let title = format!("the fault `{}` changes no number at this step", fault.id);
                let help = "pose the rig so that it shows, or leave it out of `faults`";
                let wrong = Diagnostic::said("FAULT", title).help(help);
                self.error(at, wrong);
            }
        }
    }

    fn check_faults_differ(
        &mut self,
        at: LineColumn,
        cell: &FaultsCell,
        shown: &[(FaultName, Evidence)],
    ) {
        if !cell.diagnose {
            return;
        }
        for (nth, (one, here)) in shown.iter().enumerate() {
            for (other, there) in shown.iter().skip(nth + 1) {
                if here.difference(there, 0).is_none() {
                    let title = format!(
                        "the faults `{}` and `{}` give the same numbers at this step",
                        one.id, other.id
                    );
                    let help = "pose the rig so that they differ, or leave one out of `faults`";
                    let wrong = Diagnostic::said("FAULT", title).help(help);
                    self.error(at, wrong);
                }
            }
        }
    }
}

fn is_listing_with(block: &LessonBlock, text: &str) -> bool {
    match block {
        LessonBlock::Code { text: listing, .. } => listing.lines().any(|line| line.contains(text)),
        LessonBlock::Quote(blocks) => blocks.iter().any(|block| is_listing_with(block, text)),
        _ => false,
    }
}
