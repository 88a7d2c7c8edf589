//! Recording of progress: seen, tried and solved steps. An exercise is solved
//! when the reader has moved its values to the goal and released them. Values
//! from a link, undo or the stored solution do not count.

use bindpose_lesson::ChainCell;

use super::super::chain::{chain_of, comes_to_goal};
use super::super::exercise::{Nearness, is_solved, nearest, position_with, reveal, solution};
use super::super::exercise_cells::{Exercise, exercises_at};
use super::super::faults::{fault_of_draw, offered_by_id};
use super::super::progress::{ExerciseAnswer, Guess, StepRecord};
use super::super::question::{answer_words, judge};
use super::super::setting::{SettingGroup, group_of};
use super::super::{Cameras, Edit, EditTarget, link};
use super::Notebook;

/// Current state of an answered exercise.
struct ExerciseState {
    cell: String,
    draw: usize,
    solved: bool,
    guess: Option<Guess>,
    /// The answer to a question, as submitted and in words.
    given: Option<(String, String)>,
}

impl ExerciseState {
    /// Key of the answer. Different answers to a question have different keys.
    fn key(&self) -> String {
        match &self.given {
            Some((text, _)) => format!("{}={text}", self.cell),
            None => self.cell.clone(),
        }
    }
}

impl Notebook {
    /// Sets the date for new entries of the record, such as `2026-11-22`. If
    /// `None`, they carry none.
    pub fn set_today(&mut self, today: Option<String>) {
        self.answers.today = today;
    }

    /// Sets how long the step has been visible, in seconds.
    pub fn set_secs_in_sight(&mut self, secs: f64) {
        let answers = &mut self.answers;
        if answers.secs_in_sight.is_none_or(|before| secs < before) {
            answers.secs_before_draw = 0.0;
        }
        answers.secs_in_sight = Some(secs);
    }

    /// Returns the record of the open step. Returns `None` if there is none
    /// yet.
    pub fn record(&self) -> Option<&StepRecord> {
        self.progress.record(&self.document.lesson, &self.step()?.slug)
    }

    /// Marks the open step as seen. Returns true if it was not before.
    pub fn mark_seen(&mut self) -> bool {
        let today = self.answers.today.clone();
        let Some(record) = self.record_here() else {
            return false;
        };
        let is_new = !record.seen;
        if is_new {
            record.seen = true;
            record.day = today;
        }
        is_new
    }

    /// Records answers on the open step since the last call. Returns true if
    /// there were any. Must not be called during a drag, because a value that
    /// only passes through the goal does not count.
    pub fn note_answers(&mut self) -> bool {
        if !std::mem::take(&mut self.answers.pending) {
            return false;
        }
        let before = std::mem::take(&mut self.answers.answered);
        let found = self.answers_here();
        self.answers.answered = found.iter().map(ExerciseState::key).collect();
        let mut has_new = false;
        for answer in found {
            if !before.contains(&answer.key()) {
                self.record_answer(&answer);
                has_new = true;
            }
        }
        has_new
    }

    /// Ignores current answers, which were recorded before or are not the
    /// reader's.
    pub(super) fn ignore_current_answers(&mut self) {
        self.answers.answered = self.answers_here().iter().map(ExerciseState::key).collect();
        self.answers.pending = false;
    }

    /// Called before an edit by the reader is applied.
    pub(super) fn before_edit(&mut self, edit: &Edit) {
        if matches!(edit, Edit::Solve(_) | Edit::Restore(_) | Edit::Recall(..)) {
            self.note_answers();
        }
    }

    /// Reveals the guess on the page. Returns false if there is none, or it is
    /// already revealed.
    pub fn reveal_guess(&mut self, gesture: u64) -> bool {
        if self.forms().open.is_some() {
            return false;
        }
        let Some(edits) = reveal(self.lesson(), &self.document, &self.rig) else {
            return false;
        };
        edits.iter().all(|edit| self.edit(edit, gesture).is_ok())
    }

    /// Called after an edit by the reader is applied.
    pub(super) fn after_edit(&mut self, edit: &Edit) {
        match edit {
            // Continued playback is not an action of the reader.
            Edit::PlayTo { begins: false, .. } => return,
            Edit::PlayTo { .. } => {}
            Edit::Solve(_) => {
                self.record_shown_solution(edit);
                self.ignore_current_answers();
            }
            Edit::Draw(..) | Edit::Reset(EditTarget::Draw(_)) => {
                self.answers.secs_before_draw = self.answers.secs_in_sight.unwrap_or(0.0);
                self.ignore_current_answers();
            }
            Edit::Restore(_) | Edit::Recall(..) => self.ignore_current_answers(),
            _ => self.answers.pending = true,
        }
        self.mark_seen();
        if is_attempt(edit) && exercises_at(self.lesson(), self.document.step).next().is_some() {
            self.update_record(|record| record.tried = true);
        }
    }

    /// Returns true if the step lets a parameter sway, and all its questions
    /// are answered and its exercises solved.
    pub fn can_sway(&self) -> bool {
        let sways = self.step().is_some_and(|step| step.sways.is_some());
        let exercise_count = exercises_at(self.lesson(), self.document.step).count();
        sways && self.answers_here().len() == exercise_count
    }

    /// Returns true if the page shows the right answer to an exercise of the
    /// open step, or the place that it lets the reader guess.
    pub fn is_answered(&self, cell: &str) -> bool {
        let mut exercises = exercises_at(self.lesson(), self.document.step);
        let state = exercises
            .find(|(id, _)| *id == cell)
            .and_then(|(id, exercise)| self.exercise_state(id, exercise));
        state.is_some_and(|state| state.solved || state.guess.is_some())
    }

    /// Returns the answered exercises of this step.
    fn answers_here(&self) -> Vec<ExerciseState> {
        let exercises = exercises_at(self.lesson(), self.document.step);
        let mut found = Vec::new();
        for (cell, exercise) in exercises {
            if let Some(answer) = self.exercise_state(cell, exercise) {
                found.push(answer);
            }
        }
        found
    }

    /// Returns the state of an exercise. Returns `None` if it is not answered.
    fn exercise_state(&self, cell: &str, exercise: Exercise<'_>) -> Option<ExerciseState> {
        let state = &self.document.state;
        let draw = self.document.draw_of(cell);
        let answer = state.answers.get(cell).filter(|answer| answer.given);
        let mut guess = None;
        let mut given = None;
        let solved = match exercise {
            Exercise::Ask(asked) => {
                let answer = answer?;
                let asked = asked.with(draw);
                given = Some((answer.text.clone(), answer_words(asked, &answer.text)));
                judge(asked, &answer.text, &self.derived).is_ok_and(|judged| judged.right)
            }
            Exercise::Chain(chain) => self.is_climbed(cell, chain).then_some(true)?,
            Exercise::Diagnose(offer) => {
                let answer = answer?;
                let fault = offered_by_id(offer, &answer.text)?;
                given = Some((answer.text.clone(), fault.title.to_owned()));
                fault_of_draw(offer, cell, draw) == Some(fault)
            }
            Exercise::Check(check) => is_solved(check.with(draw), &self.derived).then_some(true)?,
            Exercise::Predict(predict) => {
                let prediction = state.predictions.get(cell).filter(|guess| guess.revealed)?;
                let predict = predict.with(draw);
                let truth = position_with(
                    &predict.set.0,
                    predict.vertex,
                    &self.document,
                    self.lesson(),
                    &self.derived,
                );
                let (position, off) = nearest(prediction, truth.ok()??);
                guess = Some(Guess { position, off });
                Nearness::from_distance(off, predict.close.0).is_right()
            }
        };
        Some(ExerciseState { cell: cell.to_owned(), draw, solved, guess, given })
    }

    /// Returns true if the product equals its goal, on the last rung if it is a
    /// ladder.
    fn is_climbed(&self, id: &str, cell: &ChainCell) -> bool {
        let chain = chain_of(&self.document, id, cell);
        let Some(goal) = cell.goal.as_ref().filter(|_| chain.rung == *cell.rungs().end()) else {
            return false;
        };
        comes_to_goal(&chain.product, goal, &self.document, self.lesson(), &self.derived)
    }

    fn record_answer(&mut self, found: &ExerciseState) {
        let link = link::write(&self.document, &Cameras::new(), self.lesson(), &self.rig);
        let today = self.answers.today.clone();
        let secs = self.secs_of_diagnosis(&found.cell);
        self.update_answer(&found.cell, found.draw, |answer| {
            if found.solved && !answer.solved {
                answer.secs = secs;
            }
            answer.solved |= found.solved;
            answer.link = link;
            answer.day = today;
            if let Some(guess) = found.guess {
                answer.add_guess(guess);
            }
            if let Some((_, words)) = &found.given {
                answer.add_given(words.clone());
            }
        });
    }

    /// Seconds that the reader has searched for a fault. Returns `None` for
    /// other exercises, and if time is not measured.
    fn secs_of_diagnosis(&self, cell: &str) -> Option<u32> {
        let mut here = exercises_at(self.lesson(), self.document.step);
        let is_diagnosis =
            here.any(|(id, exercise)| id == cell && matches!(exercise, Exercise::Diagnose(_)));
        let secs = self.answers.secs_in_sight? - self.answers.secs_before_draw;
        is_diagnosis.then_some(secs.max(0.0).round() as u32)
    }

    /// Records which exercise's solution the edit shows.
    fn record_shown_solution(&mut self, edit: &Edit) {
        let shown = exercises_at(self.lesson(), self.document.step).find_map(|(cell, exercise)| {
            let draw = self.document.draw_of(cell);
            match exercise {
                Exercise::Check(check) if solution(check.with(draw)) == *edit => {
                    Some((cell.to_owned(), draw))
                }
                _ => None,
            }
        });
        if let Some((cell, draw)) = shown {
            self.update_answer(&cell, draw, |answer| answer.shown |= !answer.solved);
        }
    }

    pub(super) fn update_answer(
        &mut self,
        cell: &str,
        draw: usize,
        update: impl FnOnce(&mut ExerciseAnswer),
    ) {
        let cell = cell.to_owned();
        self.update_record(|record| {
            record.tried = true;
            update(record.answers.entry(cell).or_default().entry(draw + 1).or_default());
        });
    }

    fn update_record(&mut self, update: impl FnOnce(&mut StepRecord)) {
        if let Some(record) = self.record_here() {
            update(record);
        }
    }

    /// `None` only in a broken lesson without steps.
    fn record_here(&mut self) -> Option<&mut StepRecord> {
        let step = self.step()?.slug.clone();
        let lesson = self.lesson().slug.clone();
        Some(self.progress.step_mut(&lesson, &step))
    }
}

/// Returns true if an edit starts an exercise. Selecting, changing the display
/// and resetting do not.
fn is_attempt(edit: &Edit) -> bool {
    match edit {
        Edit::Settings(settings) => settings.iter().any(|setting| {
            !matches!(group_of(setting), Some(SettingGroup::Selection | SettingGroup::Display))
        }),
        Edit::PlayTo { .. }
        | Edit::Reset(_)
        | Edit::ResetSettings(_)
        | Edit::ResetStep
        | Edit::Draw(..)
        | Edit::Restore(_)
        | Edit::Recall(..) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{LessonSet, Setting};
    use bindpose_rigs::builtin;

    use super::*;
    use crate::StepProgress;

    fn at(link: &str) -> Notebook {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
        notebook.set_today(Some("2026-11-22".to_owned()));
        notebook.follow(link, 1).unwrap();
        notebook
    }

    fn progress(notebook: &Notebook) -> StepProgress {
        let step = notebook.document().step;
        notebook.progress.of_step(notebook.lesson(), step)
    }

    fn put(notebook: &mut Notebook, values: &[(&str, f64)]) {
        let settings = values.iter();
        let settings =
            settings.map(|&(name, degrees)| Setting::Param(name.to_owned(), degrees.to_radians()));
        notebook.edit(&Edit::Settings(settings.collect()), 2).unwrap();
    }

    fn answer(notebook: &Notebook, cell: &str, draw: usize) -> Option<ExerciseAnswer> {
        let step = notebook.step().unwrap().slug.clone();
        let record = notebook.progress.record(&notebook.lesson().slug, &step)?;
        record.answers.get(cell)?.get(&draw).cloned()
    }

    const REACH: &str = "bindpose://bone-grid/reach-for-it";
    const SOLVED: [(&str, f64); 3] = [("b0", 0.0), ("b1", 90.0), ("b2", -90.0)];

    #[test]
    fn exercise_is_solved_when_released_at_the_goal() {
        let mut notebook = at(REACH);
        assert_eq!(progress(&notebook), StepProgress::NotSeen);
        let choose = Edit::set(Setting::Vertex(3));
        notebook.edit(&choose, 2).unwrap();
        assert_eq!(progress(&notebook), StepProgress::Seen, "choosing is looking");
        put(&mut notebook, &SOLVED);
        put(&mut notebook, &[("b1", 95.0)]);
        assert!(!notebook.note_answers(), "a drag that passed through the goal");
        assert_eq!(progress(&notebook), StepProgress::Tried);
        put(&mut notebook, &SOLVED);
        assert!(notebook.note_answers());
        assert_eq!(progress(&notebook), StepProgress::Solved);
        let noted = answer(&notebook, "reach", 1).unwrap();
        assert!(noted.solved && !noted.shown);
        assert_eq!(noted.day.as_deref(), Some("2026-11-22"));
        // Answers can be opened again.
        let state = notebook.document().state.clone();
        assert_eq!(at(&noted.link).document().state, state);

        notebook.edit(&Edit::ResetStep, 3).unwrap();
        assert!(!notebook.note_answers());
        assert_eq!(progress(&notebook), StepProgress::Solved, "putting back keeps it");
        notebook.reset_progress(4);
        assert_eq!(progress(&notebook), StepProgress::NotSeen);
        notebook.undo();
        assert_eq!(progress(&notebook), StepProgress::Solved);
    }

    #[test]
    fn links_undo_and_solution_do_not_count() {
        let mut notebook = at(REACH);
        put(&mut notebook, &SOLVED);
        let link = notebook.link();
        notebook.turn_page(false);
        assert!(notebook.turn_page(true));
        assert_eq!(progress(&notebook), StepProgress::Solved);

        let mut notebook = at(&link);
        notebook.edit(&Edit::set(Setting::Vertex(3)), 2).unwrap();
        assert!(!notebook.note_answers(), "a link brought it");
        assert_eq!(progress(&notebook), StepProgress::Seen);

        let mut notebook = at(REACH);
        let (_, Exercise::Check(check)) =
            exercises_at(notebook.lesson(), notebook.document().step).next().unwrap()
        else {
            panic!("a check");
        };
        let shown = solution(check.with(0));
        notebook.edit(&shown, 2).unwrap();
        notebook.edit(&Edit::set(Setting::Vertex(3)), 3).unwrap();
        assert!(!notebook.note_answers());
        assert_eq!(progress(&notebook), StepProgress::Tried);
        assert!(answer(&notebook, "reach", 1).is_some_and(|one| one.shown && !one.solved));
        notebook.undo();
        notebook.redo();
        notebook.edit(&Edit::set(Setting::Vertex(2)), 4).unwrap();
        assert!(!notebook.note_answers(), "redo brought it");
    }

    #[test]
    fn guesses_of_a_class_are_revealed_together() {
        let mut notebook = at("bindpose://bone-grid/guess-half-of-two-joints");
        assert!(!notebook.reveal_guess(1), "nothing is guessed");
        let places = [[6.5, 0.5, 0.0], [6.5, -0.4, 0.0], [6.0, 1.0, 0.0]];
        for (index, place) in places.into_iter().enumerate() {
            notebook.edit(&Edit::Predict("half".to_owned(), place), 2).unwrap();
            if index < 2 {
                notebook.edit(&Edit::KeepGuess("half".to_owned()), 3).unwrap();
            }
        }
        let all = |notebook: &Notebook| -> Vec<[f32; 3]> {
            notebook.document().state.predictions["half"].all_in_world().collect()
        };
        assert_eq!(all(&notebook), places);
        let link = notebook.link();
        let there = at(&link);
        assert_eq!(there.document(), notebook.document(), "{link}");

        notebook.undo();
        assert_eq!(all(&notebook), places[..2], "the last guess");
        notebook.edit(&Edit::KeepGuess("half".to_owned()), 4).unwrap();
        assert_eq!(all(&notebook), places[..2], "it is kept already");
        notebook.redo();

        assert!(notebook.reveal_guess(5) && notebook.note_answers());
        let guess = answer(&notebook, "half", 1).unwrap().guesses[0];
        assert_eq!(guess.position, [6.5, -0.4, 0.0], "the nearest counts");
        assert!(!notebook.reveal_guess(6), "it is revealed");
        notebook.undo();
        assert!(notebook.document().state.params.is_empty(), "one step of undo");
        assert!(!notebook.document().state.predictions["half"].revealed);
    }

    #[test]
    fn revealed_guess_is_recorded_with_distance() {
        let mut notebook = at("bindpose://bone-grid/guess-half-of-two-joints");
        let guess = |notebook: &mut Notebook, at: [f32; 3], turn: f64| {
            notebook.edit(&Edit::Predict("half".to_owned(), at), 2).unwrap();
            notebook.edit(&Edit::Reveal("half".to_owned()), 3).unwrap();
            put(notebook, &[("b2", turn)]);
            assert!(notebook.note_answers());
        };
        guess(&mut notebook, [6.5, 0.5, 0.0], 90.0);
        assert_eq!(progress(&notebook), StepProgress::Tried, "a unit off");
        let again = Edit::Draw("half".to_owned(), 1);
        notebook.edit(&again, 4).unwrap();
        assert!(notebook.link().ends_with("?draw.half=2"), "{}", notebook.link());
        guess(&mut notebook, [6.07, -0.12, 0.0], 60.0);
        assert_eq!(progress(&notebook), StepProgress::Solved);
        let offs = [1, 2].map(|draw| answer(&notebook, "half", draw).unwrap().guesses[0].off);
        assert!((offs[0] - 1.0).abs() < 1e-5 && offs[1] < 0.01, "{offs:?}");
        let nine = "bindpose://bone-grid/guess-half-of-two-joints?draw.half=9";
        let wrong = notebook.follow(nine, 5).expect_err("no such draw");
        assert!(wrong.to_string().contains("from 1 to 4"), "{wrong}");
    }
}
