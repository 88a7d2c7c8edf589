//! The texts of a first lesson, filled in. A template has words such as `@title@` in
//! the places of what is said of one lesson or one model.

use bindpose_asset::Rig;
use bindpose_diagnostic::Diagnostic;

use super::of_model::ModelFacts;
use super::words::{ascii_slug, in_toml};

const COURSE: &str = include_str!("templates/lessons.toml");
const ARM: [&str; 2] =
    [include_str!("templates/arm-lesson.md"), include_str!("templates/arm-notes.md")];
const MODEL: [&str; 2] =
    [include_str!("templates/model-lesson.md"), include_str!("templates/model-notes.md")];

/// A lesson in its two files.
pub(super) struct LessonTexts {
    pub(super) title: String,
    pub(super) lesson: String,
    pub(super) notes: String,
}

/// The texts of a lesson on a rig, which its front matter calls `rig_name`. For the arm
/// there is a lesson about arms; any other has one of its own joints.
///
/// Fails when no joint can be turned such that something moves.
pub(super) fn lesson_texts(
    title: Option<&str>,
    rig_name: &str,
    rig: &Rig,
) -> Result<LessonTexts, Diagnostic> {
    let (usual, [lesson, notes], mut words) = if rig_name == "arm" {
        ("A twisted arm", ARM, Vec::new())
    } else {
        let facts = ModelFacts::of(rig)?;
        ("One joint of a model", MODEL, facts.words())
    };
    let title = title.unwrap_or(usual);
    words.push(("title", in_toml(title)));
    words.push(("rig", in_toml(rig_name)));
    Ok(LessonTexts {
        title: title.to_owned(),
        lesson: filled(lesson, &words),
        notes: filled(notes, &words),
    })
}

/// `lessons.toml` of a course in a folder of that name.
pub(super) fn course_text(folder: &str) -> String {
    let name = ascii_slug(folder, "course");
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    let title: String = first.into_iter().chain(letters).collect();
    filled(COURSE, &[("name", name), ("title", in_toml(&title))])
}

/// Each `@word@` by what stands for it. What is filled in is not looked at again.
fn filled(template: &str, words: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('@') {
        text.push_str(before);
        let known = after.split_once('@').and_then(|(word, behind)| {
            let (_, value) = words.iter().find(|(known, _)| *known == word)?;
            Some((value, behind))
        });
        if let Some((value, behind)) = known {
            text.push_str(value);
            rest = behind;
        } else {
            text.push('@');
            rest = after;
        }
    }
    text.push_str(rest);
    text
}
