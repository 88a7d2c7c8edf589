//! Lessons and steps by the names people use.

use bindpose_diagnostic::{Diagnostic, did_you_mean};

use super::Lesson;

/// The index of a lesson by its number, slug or folder: `20`, `bind-pose`,
/// `20-bind-pose`. The course before a slug, `hands.squash`, may be left out.
///
/// Errors: with the nearest names when there is none.
pub fn find_lesson(lessons: &[Lesson], name: &str) -> Result<usize, Diagnostic> {
    find_lesson_from(lessons, name, "")
}

/// As [`find_lesson`], for a name in the lesson of slug `from`: those of the same course
/// are found first.
///
/// Errors: with the nearest names when there is none.
pub fn find_lesson_from(lessons: &[Lesson], name: &str, from: &str) -> Result<usize, Diagnostic> {
    let wanted = name.trim();
    let number = wanted.parse::<u32>().ok();
    let is_named = |lesson: &Lesson| {
        own_slug(&lesson.slug) == wanted || lesson.folder == wanted || Some(lesson.number) == number
    };
    let in_course = |lesson: &&Lesson| course_of(&lesson.slug) == course_of(from);
    let position = |wanted: &dyn Fn(&Lesson) -> bool| lessons.iter().position(wanted);
    let exact = position(&|lesson| lesson.slug == wanted && wanted.contains('.'));
    exact
        .or_else(|| position(&|lesson| in_course(&lesson) && is_named(lesson)))
        .or_else(|| position(&is_named))
        .ok_or_else(|| {
            // Of number, slug and folder, the one that is written most alike.
            let slugs: Vec<&str> = lessons.iter().map(|lesson| lesson.slug.as_str()).collect();
            let folders: Vec<&str> = lessons.iter().map(|l| l.folder.as_str()).collect();
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

/// The name of the course in a slug; empty where it has none.
pub fn course_of(slug: &str) -> &str {
    slug.split_once('.').map_or("", |(course, _)| course)
}

/// A slug without its course.
fn own_slug(slug: &str) -> &str {
    slug.split_once('.').map_or(slug, |(_, own)| own)
}

/// The index of a step by its slug, or by its number from 1.
///
/// Errors: with the nearest slugs when there is none.
pub fn find_step(lesson: &Lesson, name: &str) -> Result<usize, Diagnostic> {
    let wanted = name.trim();
    let by_slug = lesson.steps.iter().position(|step| step.slug == wanted);
    let by_number = || {
        let index = wanted.parse::<usize>().ok()?.checked_sub(1)?;
        (index < lesson.steps.len()).then_some(index)
    };
    by_slug.or_else(by_number).ok_or_else(|| {
        let slugs: Vec<&str> = lesson.steps.iter().map(|step| step.slug.as_str()).collect();
        Diagnostic::unknown("step", wanted, &slugs).help(format!(
            "write a number from 1 to {}, or {}",
            slugs.len(),
            did_you_mean(wanted, &slugs)
        ))
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
    fn lessons_are_found_by_number_slug_and_folder() {
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
    fn two_lessons_of_one_slug_are_told_apart_by_their_course() {
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
    fn steps_are_found_by_slug_and_by_number_from_one() {
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
