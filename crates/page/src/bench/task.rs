//! The task of the open step above the bench, where the bench takes the place of the prose:
//! its exercises and questions, or what its prose asks to drag.

use bindpose_lesson::{LessonBlock, LinkTarget};
use bindpose_notebook::demonstration::targets_of_block;
use bindpose_notebook::exercise_cells::Exercise;
use eframe::egui::{Frame, Margin, ScrollArea, Ui};

use crate::PageContext;
use crate::cells::cell_ui;
use crate::prose::blocks_ui;

/// Draws the task in at most `max_height` points. Draws nothing if the step has none.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, max_height: f32) {
    let blocks = task_blocks(page);
    if blocks.is_empty() {
        return;
    }
    ScrollArea::vertical()
        .id_salt(("task", page.document.step))
        .max_height(max_height)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            let margin = Margin { right: 6, ..Margin::ZERO };
            Frame::NONE.inner_margin(margin).show(ui, |ui| {
                for (index, block) in blocks.into_iter().enumerate() {
                    ui.push_id(index, |ui| {
                        let block = std::slice::from_ref(block);
                        blocks_ui(ui, block, page, &mut |ui, cell, page| {
                            cell_ui(ui, cell, page, 300.0);
                        });
                    });
                }
            });
        });
    ui.separator();
}

/// Returns the exercises of the step, or if there are none, the paragraphs with something to
/// drag or to press.
fn task_blocks<'a>(page: &PageContext<'a>) -> Vec<&'a LessonBlock> {
    let Some(step) = page.lesson.steps.get(page.document.step) else {
        return Vec::new();
    };
    let exercises: Vec<&LessonBlock> = step
        .blocks
        .iter()
        .filter(
            |block| matches!(block, LessonBlock::Cell(cell) if Exercise::from_cell(cell).is_some()),
        )
        .collect();
    if !exercises.is_empty() {
        return exercises;
    }
    step.blocks
        .iter()
        .filter(|block| {
            targets_of_block(block)
                .iter()
                .any(|target| matches!(target, LinkTarget::Param(..) | LinkTarget::Set(_)))
        })
        .collect()
}
