//! Lookup of lessons and steps by name or number.

use bindpose_diagnostic::{Diagnostic, did_you_mean};

use super::Lesson;

/// Returns the index of a lesson by its number, slug or folder: `20`, `bind-pose`,
/// `20-bind-pose`. The course in a slug, `hands.squash`, can be omitted.
///
/// # Errors
/// If there is no such lesson. The error suggests the nearest names.
pub fn find_lesson(lessons: &[Lesson], name: &str) -> Result<usize, Diagnostic> {
    find_lesson_from(lessons, name, "")
}

/// Like [`find_lesson`], for a name in the lesson with slug `from`. Prefers lessons of the
/// same course.
///
/// # Errors
/// If there is no such lesson. The error suggests the nearest names.
pub fn find_lesson_from(lessons: &[Lesson], name: &str, from: &str) -> Result<usize, Diagnostic> {
    let wanted = name.trim();
    let course = course_of(from);
    lessons
        .iter()
        .position(|lesson| lesson.slug == wanted && wanted.contains('.'))
        .or_else(|| {
            lessons
                .iter()
                .position(|lesson| course_of(&lesson.slug) == course && has_name(lesson, wanted))
        })
        .or_else(|| lessons.iter().position(|lesson| has_name(lesson, wanted)))
        .ok_or_else(|| {
            // Suggests folders for a number, slugs for a word.
            let slugs: Vec<&str> = lessons.iter().map(|lesson| lesson.slug.as_str()).collect();
            let folders: Vec<&str> = lessons.iter().map(Lesson::site_folder).collect();
            let names =
                if wanted.starts_with(|c: char| c.is_ascii_digit()) { folders } else { slugs };
            let unknown = Diagnostic::unknown("lesson", wanted, &names);
            let course = course_of(wanted);
            if course.is_empty() || lessons.iter().any(|l| course_of(&l.slug) == course) {
                return unknown;
            }
            unknown
                .title(format!("the course `{course}` is not open"))
                .help("open its file, or give its folder to --lessons; then open the link again")
        })
}

/// Whether the name is the number, the slug without course, or the folder of the lesson.
fn has_name(lesson: &Lesson, name: &str) -> bool {
    own_slug(&lesson.slug) == name || lesson.has_folder(name) || name.parse() == Ok(lesson.number)
}

/// Returns the course in a slug. Empty if it has none.
pub fn course_of(slug: &str) -> &str {
    slug.split_once('.').map_or("", |(course, _)| course)
}

/// Returns a slug without its course.
fn own_slug(slug: &str) -> &str {
    slug.split_once('.').map_or(slug, |(_, own)| own)
}

/// Returns the index of a step by its slug, or by its number from 1.
///
/// # Errors
/// If there is no such step. The error suggests the nearest slugs.
pub fn find_step(lesson: &Lesson, name: &str) -> Result<usize, Diagnostic> {
    let wanted = name.trim();
    if let Some(index) = lesson.steps.iter().position(|step| step.slug == wanted) {
        return Ok(index);
    }
    let index = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    index.filter(|&index| index < lesson.steps.len()).ok_or_else(|| {
        let slugs: Vec<&str> = lesson.steps.iter().map(|step| step.slug.as_str()).collect();
        Diagnostic::unknown("step", wanted, &slugs).help(format!(
            "write a number from 1 to {}, or {}",
            slugs.len(),
            did_you_mean(wanted, &slugs)
        ))
    })
}

/// Returns the indices of a lesson and its step, named as for [`find_lesson`] and
/// [`find_step`]. Without a step, that of the first. Also finds steps by their former names.
///
/// # Errors
/// If there is no such lesson or step. The error suggests the nearest names.
pub fn find_page(
    lessons: &[Lesson],
    lesson: &str,
    step: Option<&str>,
) -> Result<(usize, usize), Diagnostic> {
    let index = find_lesson(lessons, lesson)?;
    let Some(step) = step else {
        return Ok((index, 0));
    };
    let there = &lessons[index];
    find_step(there, step).map(|step| (index, step)).or_else(|unknown| {
        let former_name = format!("{}/{}", there.slug, step.trim());
        moved_steps(lessons).find_map(|(was, at)| (was == former_name).then_some(at)).ok_or(unknown)
    })
}

/// Former names of steps, `lesson/step`, with their current indices of lesson and step.
pub fn moved_steps(lessons: &[Lesson]) -> impl Iterator<Item = (&str, (usize, usize))> {
    lessons.iter().enumerate().flat_map(|(lesson, there)| {
        let steps = there.steps.iter().enumerate();
        steps.flat_map(move |(step, one)| {
            one.was.iter().map(move |was| (was.as_str(), (lesson, step)))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_lesson;

    fn lessons() -> Vec<Lesson> {
        let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"r\"\n+++\n## Two plus two\n\n## 2\n";
        ["20-bind-pose", "40-bone-grid", "110-whale"]
            .map(|folder| parse_lesson(folder, text, ""))
            .to_vec()
    }

    #[test]
    fn finds_lessons_by_number_slug_and_folder() {
        let lessons = lessons();
        for name in ["40", "bone-grid", "40-bone-grid", " 40 "] {
            assert_eq!(find_lesson(&lessons, name), Ok(1), "{name}");
        }
        let error = find_lesson(&lessons, "bindpose").unwrap_err();
        assert!(error.to_string().contains("write `bind-pose`"), "{error}");
        let error = find_lesson(&lessons, "20-bind").unwrap_err();
        assert!(error.help.contains("write `20-bind-pose`"), "{error}");
        assert!(find_lesson(&lessons, "").is_err());
        assert!(find_lesson(&[], "20").is_err());
    }

    #[test]
    fn distinguishes_lessons_with_one_slug_by_their_course() {
        let mut lessons = lessons();
        lessons.extend(lessons.clone());
        for lesson in &mut lessons[3..] {
            lesson.slug = format!("hands.{}", lesson.slug);
        }
        let found = |name: &str, from: &str| find_lesson_from(&lessons, name, from);
        assert_eq!(found("bone-grid", ""), Ok(1));
        assert_eq!(found("bone-grid", "whale"), Ok(1));
        assert_eq!(found("bone-grid", "hands.whale"), Ok(4));
        assert_eq!(found("40", "hands.whale"), Ok(4));
        assert_eq!(found("hands.bone-grid", ""), Ok(4));
        let error = found("feet.bone-grid", "").unwrap_err();
        assert!(error.to_string().contains("the course `feet` is not open"), "{error}");
        let error = found("hands.grid", "").unwrap_err();
        assert!(error.to_string().contains("no lesson"), "{error}");
    }

    #[test]
    fn finds_steps_by_former_names() {
        let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"r\"\n+++\n## Now\n\n\
            ```set\nwas = [\"bind-pose/then\", \"whale/there\"]\n```\n\n## There\n";
        let lessons =
            ["20-bind-pose", "110-whale"].map(|folder| parse_lesson(folder, text, "")).to_vec();
        let found = |lesson: &str, step| find_page(&lessons, lesson, step);
        assert_eq!(found("20", Some("then")), Ok((0, 0)));
        assert_eq!(found("whale", Some("there")), Ok((1, 1)), "what is there comes first");
        assert_eq!(found("bind-pose", None), Ok((0, 0)));
        assert!(found("bind-pose", Some("thence")).is_err());
    }

    #[test]
    fn finds_steps_by_slug_and_number() {
        let lesson = &lessons()[0];
        assert_eq!(find_step(lesson, "two-plus-two"), Ok(0));
        assert_eq!(find_step(lesson, "1"), Ok(0));
        assert_eq!(find_step(lesson, "2"), Ok(1));
        let error = find_step(lesson, "two-plus").unwrap_err();
        assert!(error.help.contains("`two-plus-two`"), "{error}");
        assert!(find_step(lesson, "0").is_err());
        assert!(find_step(lesson, "3").is_err());
    }
}
