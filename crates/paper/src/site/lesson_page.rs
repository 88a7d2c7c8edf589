//! What stands around the text of a lesson: ways to the others.

use std::fmt::Write as _;

use bindpose_lesson::{Lesson, LessonSet};

use crate::handout::{HtmlPlace, escaped};

/// What a search engine shows of a lesson.
pub(super) fn lesson_description(lesson: &Lesson) -> String {
    format!("Lesson {}: {} {}", lesson.number, lesson.title, lesson.about)
}

/// The page of a lesson, by its index, around its text.
pub(super) fn lesson_body(set: &LessonSet, index: usize, text: &str) -> String {
    let mut out = String::from(
        "<nav class=\"bar\" aria-label=\"Lessons\"><a class=\"home\" href=\"../\">Bindpose</a>\n\
         <details><summary>All lessons</summary><ol>\n",
    );
    for (at, lesson) in set.lessons.iter().enumerate() {
        let current = if at == index { " aria-current=\"page\"" } else { "" };
        let _ = writeln!(
            out,
            "<li><a href=\"{}\"{current}>{} {}</a></li>",
            escaped(&HtmlPlace::Pages.lesson_url(lesson, None)),
            lesson.number,
            escaped(&lesson.title)
        );
    }
    let _ = write!(out, "</ol></details></nav>\n<main>\n{text}</main>\n");
    out.push_str("<nav class=\"pager\" aria-label=\"Other lessons\">");
    let before = index.checked_sub(1).and_then(|at| set.lessons.get(at));
    let after = set.lessons.get(index + 1);
    for (lesson, rel, words) in [(before, "prev", "Before"), (after, "next", "Next")] {
        if let Some(lesson) = lesson {
            let _ = write!(
                out,
                "<a rel=\"{rel}\" href=\"{}\">{words}: {}</a>",
                escaped(&HtmlPlace::Pages.lesson_url(lesson, None)),
                escaped(&lesson.title)
            );
        }
    }
    out.push_str("</nav>\n");
    out.push_str(
        "<noscript><footer class=\"foot\"><p>This is the text of an interactive notebook, with \
         its pictures as each step opens. To run, the notebook needs JavaScript, which is \
         switched off here, WebAssembly and WebGL 2.</p></footer></noscript>\n",
    );
    out
}
