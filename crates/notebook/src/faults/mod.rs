//! Known faults at work: as switches of the page, in what is read of a file, in the
//! joints' matrices, in what the shader gets; one that is hidden; and the numbers
//! that tell one from another.
//!
//! # Known faults
//!
//! Known bugs of skinning are a table, `assets/words/faults.toml`: words, and the
//! settings that make each. One that is a setting of the page anyway, such as
//! `inverse-bind=left-out`, is that setting; all others are `lesson::Fault`s in the
//! state's set. `notebook/faults/` has what these do: to the rig as it is read and to
//! influences (worked out once and shared), to matrices, to the palette; what goes wrong
//! in a texture is the renderer's and `palette_texture`'s, and one is in a shader. Where
//! none is on, nothing is copied and nothing is asked but whether the set is empty. A
//! hidden one follows from its cell and the number of the draw: `Derived` alone knows
//! it, and whoever draws asks `Derived::in_force`. `Evidence` has all numbers of a page,
//! and the first in which two pages differ: cards, replies and the content check say
//! that one.

mod attributes;
mod diagnosis;
mod evidence;
mod hidden;
mod matrices;
mod offers;
mod reading;
mod switches;
#[cfg(test)]
mod tests;

pub(super) use attributes::influences_as_read;
pub use diagnosis::{Diagnosed, difference_to_right, evidence_with, judge_fault};
pub use evidence::{Evidence, EvidenceDifference, sent_palette};
pub(super) use hidden::with_hidden_fault;
pub(super) use matrices::{pose_of_palette, put_wrong_matrices, put_wrong_palette, turned_too_far};
pub use offers::{fault_of_draw, offered, offered_by_id};
pub(super) use reading::rig_as_read;
pub use switches::FaultSwitch;
