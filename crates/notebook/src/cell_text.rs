//! Formulas and programs of cells, as their authors or their readers wrote them.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place, did_you_mean};
use bindpose_lesson::{
    CellKind, EvalError, Expr, FormulaOutcome, Here, Lesson, PoseProgram, Values as _,
};

use super::exercise_cells::cells_at;
use super::joint_names;
use super::number_text::capitalised;
use super::{CellText, Derived, Document, EditError, GivenFile};

/// Characters of a text that is kept: somewhat more than can be read, so that what is
/// too long is told in its place.
const LIMIT: usize = 6000;

/// The same of numbers of an engine: a palette of some hundred joints. More is given as
/// a file.
const NUMBERS_LIMIT: usize = 60_000;

/// Of them, what links have.
const LINKED_NUMBERS: usize = 8000;

/// Puts a reader's text into a cell; `None`, and the cell's own text: as the lesson has
/// it.
///
/// Fails when the lesson has no such cell, or the text is absurdly long.
pub(super) fn put_text(
    document: &mut Document,
    cell: &str,
    text: Option<&str>,
    lesson: &Lesson,
) -> Result<(), EditError> {
    let mut cells = lesson.cells();
    let kind = cells.find(|other| other.id == cell).map(|cell| &cell.kind);
    let own = kind.and_then(own_text).ok_or(EditError::NoText)?;
    let Some(text) = text.filter(|text| *text != own) else {
        document.state.texts.remove(cell);
        return Ok(());
    };
    let found = text.chars().count();
    match kind {
        Some(CellKind::EngineNumbers(_)) if found > NUMBERS_LIMIT => {
            let most = NUMBERS_LIMIT;
            return Err(EditError::LongNumbers { most, found });
        }
        Some(CellKind::EngineNumbers(_)) => {}
        _ if found > LIMIT => return Err(EditError::LongText { most: LIMIT, found }),
        _ => {}
    }
    document.state.given_files.remove(cell);
    let program = if let Some(CellKind::Pose(_)) = kind {
        let before = document.state.texts.get(cell);
        let before = || before.and_then(|before| before.program.clone());
        PoseProgram::parse(text).map_or_else(|_| before(), |program| Some(Arc::new(program)))
    } else {
        None
    };
    let text = text.into();
    let texts = &mut document.state.texts;
    texts.insert(cell.to_owned(), CellText { text, program });
    Ok(())
}

/// Gives a file to a cell, in the place of a text; `None`: takes it away.
///
/// Fails when the lesson has no such cell that takes files.
pub(super) fn put_file(
    document: &mut Document,
    cell: &str,
    file: Option<&GivenFile>,
    lesson: &Lesson,
) -> Result<(), EditError> {
    let mut cells = lesson.cells();
    let takes_files = |kind: &CellKind| matches!(kind, CellKind::EngineNumbers(_));
    if !cells.any(|other| other.id == cell && takes_files(&other.kind)) {
        return Err(EditError::NoText);
    }
    let state = &mut document.state;
    match file {
        Some(file) => {
            state.texts.remove(cell);
            state.given_files.insert(cell.to_owned(), file.clone());
        }
        None => drop(state.given_files.remove(cell)),
    }
    Ok(())
}

/// What the lesson wrote, of a cell whose text readers may rewrite.
fn own_text(kind: &CellKind) -> Option<&str> {
    match kind {
        CellKind::EngineNumbers(_) => Some(""),
        CellKind::Pose(cell) => Some(&cell.program.source),
        CellKind::Plot(cell) => cell.editable_line().map(|(_, expr)| expr.source.as_str()),
        CellKind::Matrix(cell) => cell.expr.as_ref().map(|expr| expr.source.as_str()),
        _ => None,
    }
}

/// The texts that a link has, with the names of their cells: numbers of an engine only
/// where they are few.
pub(super) fn linked_texts<'a>(
    texts: &'a BTreeMap<String, CellText>,
    lesson: &'a Lesson,
) -> impl Iterator<Item = (&'a String, &'a CellText)> {
    let is_long = |cell: &String, text: &CellText| {
        let mut cells = lesson.cells();
        text.text.len() > LINKED_NUMBERS
            && cells
                .any(|other| other.id == *cell && matches!(other.kind, CellKind::EngineNumbers(_)))
    };
    texts.iter().filter(move |(cell, text)| !is_long(cell, text))
}

impl Document {
    /// The text of a cell: the reader's, or `own`.
    pub fn text_of<'a>(&'a self, cell: &str, own: &'a str) -> &'a str {
        let text = self.state.texts.get(cell);
        text.map_or(own, |text| &text.text)
    }

    /// The program that poses at the document's step: of the first cell with one, the
    /// reader's last that could be read, or the lesson's; `None`: there is no such cell.
    pub fn pose_program<'a>(&'a self, lesson: &'a Lesson) -> Option<&'a PoseProgram> {
        let (id, own) = cells_at(lesson, self.step).find_map(|cell| match &cell.kind {
            CellKind::Pose(pose) => Some((&cell.id, &pose.program)),
            _ => None,
        })?;
        let rewritten = self.state.texts.get(id);
        let rewritten = rewritten.and_then(|text| text.program.as_deref());
        Some(rewritten.unwrap_or(own))
    }
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// In the text.
    pub at: LineColumn,
    /// What was expected and what to write, as sentences.
    pub words: String,
}

impl TextError {
    fn of_value(text: &str, error: &EvalError, derived: &Derived) -> Self {
        let at = PoseProgram::place(text, error.column());
        Self { at, words: eval_words(error, derived) }
    }
}

/// What a formula comes to on the page.
///
/// Fails where it cannot be read, or has no finite value.
pub fn value_of_text(text: &str, derived: &Derived) -> Result<FormulaOutcome, TextError> {
    let expr = formula_of_text(text)?;
    expr.value(derived).map_err(|error| TextError::of_value(text, &error, derived))
}

/// What is wrong with the names of a formula that a plot draws.
pub fn wrong_with_names(expr: &Expr, derived: &Derived) -> Option<TextError> {
    let here = Here { page: derived, here: 0.0 };
    match expr.value(&here) {
        Err(error @ (EvalError::UnknownParam { .. } | EvalError::UnknownJoint { .. })) => {
            Some(TextError::of_value(&expr.source, &error, derived))
        }
        _ => None,
    }
}

/// What is wrong with the program of a cell, whose text the page shows: that it cannot
/// be read, or why it stopped when it posed this page.
pub fn wrong_with_program(text: &str, derived: &Derived) -> Option<TextError> {
    if let Err(wrong) = PoseProgram::parse(text) {
        return Some(unread(text, &wrong));
    }
    let error = derived.joints.program_run.as_ref()?.error.as_ref()?;
    Some(TextError { at: error.at, words: eval_words(&error.error, derived) })
}

/// Reads a formula.
///
/// Fails where it cannot be read.
pub fn formula_of_text(text: &str) -> Result<Expr, TextError> {
    Expr::parse(text).map_err(|wrong| unread(text, &wrong))
}

fn unread(text: &str, wrong: &Diagnostic) -> TextError {
    let character = match wrong.at {
        Place::Character(character) => character,
        _ => 1,
    };
    let words = with_help(&wrong.sentence(), &wrong.help);
    TextError { at: PoseProgram::place(text, character), words }
}

fn eval_words(error: &EvalError, derived: &Derived) -> String {
    let help = match error {
        EvalError::UnknownParam { name, .. } => {
            let names = derived.params.iter().map(|(name, _)| name.as_str());
            did_you_mean(name, &names.collect::<Vec<_>>())
        }
        EvalError::UnknownJoint { name, .. } => {
            let turned = derived.rig.angles().map(|param| param.name.as_str());
            let names = joint_names(&derived.rig).into_iter().chain(turned);
            did_you_mean(name, &names.collect::<Vec<_>>())
        }
        EvalError::NoVertex { .. } => {
            format!("the model has {}, numbered from 0", derived.vertices())
        }
        other => other.help().to_owned(),
    };
    with_help(&error.to_string(), &help)
}

/// `What is wrong: what to write.`
fn with_help(wrong: &str, help: &str) -> String {
    let wrong = capitalised(wrong.trim_end_matches('.'));
    match help {
        "" => format!("{wrong}."),
        help => format!("{wrong}: {}.", help.trim_end_matches('.')),
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_lesson::LessonSet;

    use super::*;
    use crate::{Cameras, Edit, Notebook, link, step_changes};

    const LESSON: &str = "+++\ntitle = \"t\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## One\n\
        ```matrix own\nexpr = \"world(b1) * inverse(bind(b1))\"\n```\n\
        ```pose mover\nprogram = \"rotate_z(b1, 1)\"\n```\n";

    fn notebook() -> Notebook {
        let set = LessonSet::from_memory(&[("10-one", LESSON, "notes")], "");
        Notebook::new(set, builtin).unwrap()
    }

    fn text(cell: &str, text: &str) -> Edit {
        Edit::Text { cell: cell.to_owned(), text: Some(text.to_owned()), typed: true }
    }

    fn turned(notebook: &Notebook) -> f32 {
        notebook.derived().joints.parent_from_joint[1].x_axis.y.asin()
    }

    #[test]
    fn a_readers_text_is_kept_linked_told_undone_and_put_back() {
        let mut notebook = notebook();
        let begin = notebook.document().clone();
        assert!((turned(&notebook) - 1.0).abs() < 1e-6);
        notebook.edit(&text("mover", "rotate_z(b1, 0.5) // half"), 1).unwrap();
        notebook.edit(&text("own", "skinned(v2)"), 2).unwrap();
        assert!((turned(&notebook) - 0.5).abs() < 1e-6);
        let changed = notebook.document().clone();
        assert_eq!(changed.text_of("own", "else"), "skinned(v2)");

        let link = notebook.link();
        let mut other = self::notebook();
        other.follow(&link, 3).unwrap();
        assert_eq!(*other.document(), changed, "{link}");

        let rig = builtin("bone_grid").unwrap();
        let lesson = notebook.lesson().clone();
        let labels: Vec<String> = step_changes(&changed, &lesson, &rig)
            .iter()
            .map(|change| change.label.clone())
            .collect();
        assert_eq!(labels, ["program of the pose", "formula"]);
        let mut back = changed.clone();
        for change in step_changes(&changed, &lesson, &rig) {
            crate::apply(&mut back, &change.put_back, &lesson, &rig).unwrap();
        }
        assert_eq!(back, begin);
        notebook.edit(&text("own", "world(b1) * inverse(bind(b1))"), 4).unwrap();
        assert!(!notebook.document().state.texts.contains_key("own"), "the lesson’s own");
        let plain = link::write(&begin, &Cameras::new(), &lesson, &rig);
        assert!(!plain.contains("text."), "{plain}");
    }

    #[test]
    fn numbers_of_an_engine_are_texts_or_files_and_long_ones_stand_in_no_link() {
        let lesson = LESSON.replace("```matrix own", "```engine-numbers given\n```\n```matrix own");
        let set = LessonSet::from_memory(&[("10-one", &lesson, "notes")], "");
        let mut notebook = Notebook::new(set, builtin).unwrap();
        let begin = notebook.document().clone();
        notebook.edit(&text("given", "1 0 0"), 1).unwrap();
        assert!(notebook.link().contains("text.given=1%200%200"));
        let long = "1 0 0\n".repeat(2000);
        notebook.edit(&text("given", &long), 2).unwrap();
        assert!(!notebook.link().contains("text.given"));
        assert!(notebook.edit(&text("given", &"1".repeat(70_000)), 3).is_err());

        let file = GivenFile::read("palette.json", b"[[1, 2, 3]]");
        let give = |cell: &str| Edit::GiveFile(cell.to_owned(), Some(file.clone()));
        assert!(notebook.edit(&give("own"), 4).is_err(), "a formula takes no file");
        notebook.edit(&give("given"), 5).unwrap();
        let state = &notebook.document().state;
        assert!(state.texts.is_empty() && state.given_files["given"] == file);
        let lesson = notebook.lesson().clone();
        let rig = builtin("bone_grid").unwrap();
        let changes = step_changes(notebook.document(), &lesson, &rig);
        assert_eq!(changes[0].label, "numbers of an engine");
        let mut back = notebook.document().clone();
        crate::apply(&mut back, &changes[0].put_back, &lesson, &rig).unwrap();
        assert_eq!(back, begin);
        notebook.undo();
        assert_eq!(notebook.document().text_of("given", ""), long);
        assert!(notebook.document().state.given_files.is_empty());
    }

    #[test]
    fn while_a_program_cannot_be_read_the_last_one_that_could_poses() {
        let mut notebook = notebook();
        notebook.edit(&text("mover", "rotate_z(b1, 0.5)"), 1).unwrap();
        notebook.edit(&text("mover", "rotate_z(b1, 0.5"), 2).unwrap();
        assert!((turned(&notebook) - 0.5).abs() < 1e-6);
        let shown = notebook.document().text_of("mover", "").to_owned();
        let wrong = wrong_with_program(&shown, notebook.derived()).unwrap();
        assert_eq!((wrong.at.line, wrong.at.column), (1, 17));
        assert!(wrong.words.contains("`)`"), "{}", wrong.words);
        for (cell, long) in [("mover", "x".repeat(7000)), ("nobody", "1".to_owned())] {
            assert!(notebook.edit(&text(cell, &long), 3).is_err());
        }
    }

    #[test]
    fn a_formula_says_where_it_goes_wrong_and_what_was_probably_meant() {
        let notebook = notebook();
        for (source, column, words) in [
            ("world(b9)", 7, "b0"),
            ("1 +\u{a0}2", 4, "a value"),
            ("amplitud * 2", 1, "There is no parameter `amplitud`"),
            ("2 * deg", 8, "write 45deg"),
            ("skinned(v99)", 1, "10"),
            ("inverse(scale(0))", 1, "no inverse"),
            ("bind(b1) * world(b1)", 0, ""),
        ] {
            match value_of_text(source, notebook.derived()) {
                Ok(outcome) => assert_eq!((outcome.seams.len(), column), (1, 0), "{source}"),
                Err(wrong) => {
                    assert_eq!((wrong.at.line, wrong.at.column), (1, column), "{source}");
                    assert!(wrong.words.contains(words), "{source}: {}", wrong.words);
                }
            }
        }
    }
}
