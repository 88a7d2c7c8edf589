//! Vertices that are marked in pictures of large models, since they are spoken of.

use std::collections::BTreeSet;

use bindpose_lesson::{CellKind, Inline, LinkTarget, Text, cells_in};
use bindpose_notebook::Entity;

use crate::PageContext;

/// The vertices that exercises of the open step speak of, and the one that is lit.
pub(super) fn named_vertices(page: &PageContext<'_>) -> BTreeSet<u32> {
    let step = page.lesson.steps.get(page.document.step);
    let cells = step.into_iter().flat_map(|step| cells_in(&step.blocks));
    let asked = cells.filter_map(|cell| match &cell.kind {
        CellKind::Check(check) => Some(check.iter().map(|draw| &draw.cell.ask)),
        _ => None,
    });
    let inlines = asked.flatten().flat_map(Text::inlines).flatten();
    let named = inlines.filter_map(|inline| match inline {
        Inline::Link { target: LinkTarget::Vertex(vertex), .. } => Some(*vertex),
        _ => None,
    });
    let lit = page.linked.hovered().and_then(|lit| match lit {
        Entity::Vertex(vertex) => Some(vertex),
        _ => None,
    });
    named.chain(lit).collect()
}
