//! The fault that is on and hidden, where a step asks which it is. It follows from
//! lesson and document, so that undo and links keep it, and nothing tells it.

use std::borrow::Cow;

use bindpose_lesson::{CellKind, Lesson};

use super::offers::fault_of_draw;
use super::switches::FaultSwitch;
use crate::Document;
use crate::exercise_cells::cells_at;
use crate::setting::put_setting;

/// The document with the hidden fault of its step, if there is one.
pub(crate) fn with_hidden_fault<'a>(
    document: &'a Document,
    lesson: Option<&Lesson>,
) -> Cow<'a, Document> {
    let asked = lesson.filter(|lesson| lesson.slug == document.lesson).and_then(|lesson| {
        cells_at(lesson, document.step).find_map(|cell| match &cell.kind {
            CellKind::Faults(faults) if faults.diagnose => Some((&cell.id, faults)),
            _ => None,
        })
    });
    let fault = asked.and_then(|(id, cell)| fault_of_draw(cell, id, document.draw_of(id)));
    let Some(fault) = fault else {
        return Cow::Borrowed(document);
    };
    let mut hidden = document.clone();
    for setting in FaultSwitch::new(fault).switched(true, &document.state) {
        // None names a part of the rig, so each fits.
        let fits = put_setting(&mut hidden.state, &setting, None);
        debug_assert!(fits.is_ok(), "{setting:?}");
    }
    Cow::Owned(hidden)
}
