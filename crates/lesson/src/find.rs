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

/// The indices of a lesson and its step, as [`find_lesson`] and [`find_step`] take them; no
/// step is the first. A step that was renamed or moved is found by what it was called.
///
/// Errors: with the nearest names when there is none.
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
    let moved = || {
        let called = format!("{}/{}", there.slug, step.trim());
        let mut names = moved_steps(lessons);
        names.find_map(|(was, at)| (was == called).then_some(at))
    };
    find_step(there, step).map(|step| (index, step)).or_else(|unknown| moved().ok_or(unknown))
}

/// What steps were called before, `lesson/step`, and the indices of lesson and step now.
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
    fn a_step_is_found_by_what_it_was_called() {
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
