//! Formulas and programs of cells, by their authors or by readers.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place, did_you_mean};
use bindpose_lesson::number_text::capitalised;
use bindpose_lesson::{
    CellKind, EvalError, Expr, FormulaOutcome, Lesson, PageAtPoint, PoseProgram, Values as _,
};

use super::exercise_cells::cells_at;
use super::joint_names;
use super::{CellText, Derived, Document, EditError, GivenFile};

/// Maximum stored length of a text. Above the maximum for parsing, so that the
/// parser's error is shown at its position.
const MAX_TEXT_CHARS: usize = 6000;

/// Maximum length of an engine's numbers: a palette of some hundred joints.
/// Longer ones are given as a file.
const MAX_NUMBERS_CHARS: usize = 60_000;

/// Maximum length of an engine's numbers that are part of links.
const MAX_LINKED_NUMBERS_BYTES: usize = 8000;

/// Stores a reader's text for a cell. If it equals the cell's own text, the own
/// text is restored.
///
/// # Errors
///
/// Fails if the lesson has no such cell, or the text is absurdly long.
pub(super) fn store_text(
    document: &mut Document,
    cell: &str,
    text: &str,
    lesson: &Lesson,
) -> Result<(), EditError> {
    let mut cells = lesson.cells();
    let kind = cells.find(|other| other.id == cell).map(|cell| &cell.kind);
    let own = kind.and_then(own_text).ok_or(EditError::NoText)?;
    if text == own {
        document.state.texts.remove(cell);
        return Ok(());
    }
    let found = text.chars().count();
    match kind {
        Some(CellKind::EngineNumbers(_)) if found > MAX_NUMBERS_CHARS => {
            return Err(EditError::LongNumbers { most: MAX_NUMBERS_CHARS, found });
        }
        Some(CellKind::EngineNumbers(_)) => {}
        _ if found > MAX_TEXT_CHARS => {
            return Err(EditError::LongText { most: MAX_TEXT_CHARS, found });
        }
        _ => {}
    }
    document.state.given_files.remove(cell);
    let program = match kind {
        Some(CellKind::Pose(_)) => match PoseProgram::parse(text) {
            Ok(program) => Some(Arc::new(program)),
            // Keep the last valid program while the text is being edited.
            Err(_) => document.state.texts.get(cell).and_then(|before| before.program.clone()),
        },
        _ => None,
    };
    let text = text.into();
    let texts = &mut document.state.texts;
    texts.insert(cell.to_owned(), CellText { text, program });
    Ok(())
}

/// Gives a file to a cell, replacing its text.
///
/// # Errors
///
/// Fails if the lesson has no such cell, or the cell does not accept files.
pub(super) fn store_file(
    document: &mut Document,
    cell: &str,
    file: &GivenFile,
    lesson: &Lesson,
) -> Result<(), EditError> {
    let accepts_files = lesson
        .cells()
        .any(|other| other.id == cell && matches!(other.kind, CellKind::EngineNumbers(_)));
    if !accepts_files {
        return Err(EditError::NoText);
    }
    document.state.texts.remove(cell);
    document.state.given_files.insert(cell.to_owned(), file.clone());
    Ok(())
}

/// Returns the lesson's own text of a cell whose text readers may rewrite.
fn own_text(kind: &CellKind) -> Option<&str> {
    match kind {
        CellKind::EngineNumbers(_) => Some(""),
        CellKind::Pose(cell) => Some(&cell.program.source),
        CellKind::Plot(cell) => cell.editable_line().map(|(_, expr)| expr.source.as_str()),
        CellKind::Matrix(cell) => cell.expr.as_ref().map(|expr| expr.source.as_str()),
        _ => None,
    }
}

/// Returns the texts that are part of a link, with their cell names. Long
/// numbers of an engine are not.
pub(super) fn linked_texts<'a>(
    texts: &'a BTreeMap<String, CellText>,
    lesson: &'a Lesson,
) -> impl Iterator<Item = (&'a String, &'a CellText)> {
    texts.iter().filter(move |(cell, text)| {
        let is_long = text.text.len() > MAX_LINKED_NUMBERS_BYTES;
        let is_numbers = lesson
            .cells()
            .any(|other| other.id == **cell && matches!(other.kind, CellKind::EngineNumbers(_)));
        !(is_long && is_numbers)
    })
}

impl Document {
    /// Returns the reader's text of a cell, or `own`.
    pub fn text_of<'a>(&'a self, cell: &str, own: &'a str) -> &'a str {
        let text = self.state.texts.get(cell);
        text.map_or(own, |text| &text.text)
    }

    /// Returns the program that poses at the document's step. It is the
    /// reader's last valid program of the first pose cell, or the lesson's own.
    /// Returns `None` if there is no pose cell.
    pub fn pose_program<'a>(&'a self, lesson: &'a Lesson) -> Option<&'a PoseProgram> {
        let (id, own) = cells_at(lesson, self.step).find_map(|cell| match &cell.kind {
            CellKind::Pose(pose) => Some((&cell.id, &pose.program)),
            _ => None,
        })?;
        let rewritten = self.state.texts.get(id).and_then(|text| text.program.as_deref());
        Some(rewritten.unwrap_or(own))
    }
}

/// An error in a text, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Position in the text.
    pub at: LineColumn,
    /// Expected and suggested text, as sentences.
    pub words: String,
}

impl TextError {
    fn from_eval_error(text: &str, error: &EvalError, derived: &Derived) -> Self {
        let at = PoseProgram::place(text, error.column());
        Self { at, words: eval_message(error, derived) }
    }
}

/// Evaluates a formula on the page.
///
/// # Errors
///
/// Fails if it cannot be parsed, or has no finite value.
pub fn value_of_text(text: &str, derived: &Derived) -> Result<FormulaOutcome, TextError> {
    let expr = formula_of_text(text)?;
    expr.value(derived).map_err(|error| TextError::from_eval_error(text, &error, derived))
}

/// Returns the error if a formula of a plot uses an unknown parameter or joint.
pub fn wrong_with_names(expr: &Expr, derived: &Derived) -> Option<TextError> {
    let here = PageAtPoint { page: derived, here: 0.0 };
    match expr.value(&here) {
        Err(error @ (EvalError::UnknownParam { .. } | EvalError::UnknownJoint { .. })) => {
            Some(TextError::from_eval_error(&expr.source, &error, derived))
        }
        _ => None,
    }
}

/// Returns the error of a program: from parsing, or from running it on this
/// page.
pub fn wrong_with_program(text: &str, derived: &Derived) -> Option<TextError> {
    if let Err(wrong) = PoseProgram::parse(text) {
        return Some(from_diagnostic(text, &wrong));
    }
    let error = derived.joints.program_run.as_ref()?.error.as_ref()?;
    Some(TextError { at: error.at, words: eval_message(&error.error, derived) })
}

/// Parses a formula.
///
/// # Errors
///
/// Fails if it cannot be parsed.
pub fn formula_of_text(text: &str) -> Result<Expr, TextError> {
    Expr::parse(text).map_err(|wrong| from_diagnostic(text, &wrong))
}

fn from_diagnostic(text: &str, wrong: &Diagnostic) -> TextError {
    let character = match wrong.at {
        Place::Character(character) => character,
        _ => 1,
    };
    let words = with_help(&wrong.sentence(), &wrong.help);
    TextError { at: PoseProgram::place(text, character), words }
}

fn eval_message(error: &EvalError, derived: &Derived) -> String {
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

/// Formats `What is wrong: what to write.`
fn with_help(wrong: &str, help: &str) -> String {
    let wrong = capitalised(wrong.trim_end_matches('.'));
    match help {
        "" => format!("{wrong}."),
        help => format!("{wrong}: {}.", help.trim_end_matches('.')),
    }
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;

    use super::*;
    use crate::test_sample::notebook_of;
    use crate::{Cameras, Edit, Notebook, link, step_changes};

    const LESSON: &str = "+++\ntitle = \"t\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## One\n\
        ```matrix own\nexpr = \"world(b1) * inverse(bind(b1))\"\n```\n\
        ```pose mover\nprogram = \"rotate_z(b1, 1)\"\n```\n";

    fn notebook() -> Notebook {
        notebook_of(&[("10-one", LESSON)])
    }

    fn text(cell: &str, text: &str) -> Edit {
        Edit::Text { cell: cell.to_owned(), text: text.to_owned(), typed: true }
    }

    fn turned(notebook: &Notebook) -> f32 {
        notebook.derived().joints.parent_from_joint[1].x_axis.y.asin()
    }

    #[test]
    fn texts_are_stored_linked_listed_and_reverted() {
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
    fn long_engine_numbers_are_not_linked() {
        let lesson = LESSON.replace("```matrix own", "```engine-numbers given\n```\n```matrix own");
        let mut notebook = notebook_of(&[("10-one", &lesson)]);
        let begin = notebook.document().clone();
        notebook.edit(&text("given", "1 0 0"), 1).unwrap();
        assert!(notebook.link().contains("text.given=1%200%200"));
        let long = "1 0 0\n".repeat(2000);
        notebook.edit(&text("given", &long), 2).unwrap();
        assert!(!notebook.link().contains("text.given"));
        assert!(notebook.edit(&text("given", &"1".repeat(70_000)), 3).is_err());

        let file = GivenFile::read("palette.json", b"[[1, 2, 3]]");
        let give = |cell: &str| Edit::GiveFile(cell.to_owned(), file.clone());
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
    fn last_valid_program_poses() {
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
    fn formula_errors_have_position_and_suggestion() {
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
