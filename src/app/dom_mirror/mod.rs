//! What the page says of itself (its AccessKit tree), as elements of a web page:
//! which elements there are to be, and what has to be done to those of the last
//! frame. Plain values; a browser's part is `src/app/browser/accessibility/`.

mod attributes;
mod changes;
mod element;
mod html;
mod page;
mod roles;
#[cfg(test)]
mod tests;

pub(super) use changes::{Change, changes};
pub(super) use element::Value;
pub(super) use html::{dom_id, html, node_id};
pub(super) use page::MirroredPage;
