//! The complete programs of the lessons, as on the page.

use bindpose_lesson::{Lesson, LessonBlock, LessonSet, MentionKind};

/// A named listing.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) language: String,
    pub(crate) name: String,
    /// Text without the last newline.
    pub(crate) text: String,
}

/// Returns the listings of all lessons, in their order.
pub(crate) fn all_shown() -> Vec<Shown> {
    let set = LessonSet::embedded();
    set.lessons.iter().flat_map(of_lesson).collect()
}

/// Returns the names of all listings, in the order of the lessons.
pub(crate) fn all_named() -> Vec<String> {
    let set = LessonSet::embedded();
    let mentions = set.outlined().flat_map(|(_, outline)| &outline.mentions);
    let names = mentions.filter_map(|mention| match &mention.what {
        MentionKind::Listing(name) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

fn of_lesson(lesson: &Lesson) -> Vec<Shown> {
    let steps = lesson.steps.iter().flat_map(|step| &step.blocks);
    let blocks = lesson.intro.iter().chain(steps);
    blocks.filter_map(of_block).collect()
}

fn of_block(block: &LessonBlock) -> Option<Shown> {
    let LessonBlock::Code { language, name: Some(name), text } = block else {
        return None;
    };
    Some(Shown { language: language.clone(), name: name.clone(), text: text.clone() })
}
