//! Known faults at work: as switches of the page, in what is read of a file, in the
//! joints' matrices, in what the shader gets; one that is hidden; and the numbers
//! that tell one from another.

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
