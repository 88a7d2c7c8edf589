//! What is fuzzed, as plain functions: the fuzzer calls them with bytes of its
//! own, the tests with those that it found worth keeping.

use std::sync::{Arc, OnceLock};

use bindpose::asset::{Rig, builtin};
use bindpose::lesson::LessonSet;
use bindpose::notebook::Notebook;
use bindpose::notebook::check::check;

/// Bytes to a lesson, and all that the content check asks of it.
pub fn lesson(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let set = LessonSet::from_memory(&[("10-fuzzed", &text, &text)], &text);
    let _ = check(&set, &small_rigs);
    if let Some(mut notebook) = Notebook::new(set, small_rigs) {
        while notebook.turn_page(true, 1) {}
        let link = notebook.link();
        notebook
            .follow(&link, 2)
            .expect("a page's own link leads to it");
    }
}

/// Bytes to a link, followed; the page it leads to gives a link that leads to
/// the same page.
pub fn link(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    static LESSONS: OnceLock<LessonSet> = OnceLock::new();
    let lessons = LESSONS.get_or_init(LessonSet::embedded).clone();
    let Some(mut notebook) = Notebook::new(lessons, builtin) else {
        return;
    };
    let before = notebook.document().clone();
    match notebook.follow(&text, 1) {
        Err(_) => assert_eq!(*notebook.document(), before, "a bad link changes nothing"),
        Ok(()) => {
            let (document, link) = (notebook.document().clone(), notebook.link());
            notebook.follow(&link, 2).expect("a page's own link");
            assert_eq!(*notebook.document(), document, "{link}");
        }
    }
}

/// Those that are checked fast.
fn small_rigs(id: &str) -> Option<Arc<Rig>> {
    ["head", "bone_grid", "simple_skin", "ball"]
        .contains(&id)
        .then(|| builtin(id))?
}
