//! What is held against what.

use std::sync::Arc;

use bindpose_lesson::Lesson;
use bindpose_skin::JointIndex;
use glam::{Mat4, Vec3};

use super::read::EngineNumbers;
use crate::faults::Evidence;
use crate::{Derived, Document};

/// An engine's numbers, and the page that they are held against.
#[derive(Debug)]
pub struct HeldAgainst {
    /// What the engine gave.
    pub given: Arc<EngineNumbers>,
    /// The page.
    pub document: Document,
    /// `None` where nothing of the lesson moves the joints.
    pub lesson: Option<Lesson>,
    /// What follows from both.
    pub derived: Derived,
}

/// What the page has, with its stage, its edits and the faults that are on: to be ours
/// is to be equal to these, and to nothing else.
pub(super) struct Ours<'a> {
    /// What they were worked out from.
    pub(super) derived: &'a Derived,
    /// The chosen joint.
    pub(super) chosen: JointIndex,
    numbers: Evidence,
}

impl<'a> Ours<'a> {
    pub(super) fn new(derived: &'a Derived, document: &Document) -> Self {
        Self { derived, chosen: document.state.joint, numbers: Evidence::new(derived, document) }
    }

    /// By joint, as the shader gets them.
    pub(super) fn palette(&self) -> &[Mat4] {
        self.numbers.palette()
    }

    /// By vertex, in world space, as drawn.
    pub(super) fn positions(&self) -> &[Vec3] {
        self.numbers.positions()
    }
}
