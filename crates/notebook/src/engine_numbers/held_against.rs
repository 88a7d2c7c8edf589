//! What is held against what.

use std::sync::Arc;

use bindpose_lesson::{FaultName, Lesson};
use bindpose_skin::JointIndex;
use glam::{Mat4, Vec3};
use serde::{Serialize, Serializer};

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

// What is said of an engine's numbers.

/// What was found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Matched {
    /// Are they ours, to the precision of 32-bit floats?
    pub equal: bool,
    /// The most telling one first.
    pub findings: Vec<NumbersFinding>,
    /// Known faults, by their names, that give exactly these numbers.
    pub faults: Vec<&'static str>,
    /// Of a matrix alone: whose it is, or whose it is nearest to.
    #[serde(skip)]
    pub joint: Option<JointIndex>,
}

/// One thing that was found; in JSON its words.
#[derive(Clone, Debug, Default)]
pub struct NumbersFinding {
    /// In sentences.
    pub words: String,
    /// What the words name, to be chosen.
    pub joints: Vec<JointIndex>,
    /// The same of vertices.
    pub vertices: Vec<u32>,
    /// The fault that the words name.
    pub fault: Option<FaultName>,
}

impl Matched {
    pub(super) fn say(&mut self, words: String) -> &mut NumbersFinding {
        self.findings.push(NumbersFinding { words, ..NumbersFinding::default() });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    pub(super) fn say_fault(&mut self, fault: FaultName) {
        self.faults.push(fault.id);
        let words = format!(
            "The fault “{}” (`{}`) gives exactly these. {}",
            fault.title, fault.id, fault.tell
        );
        self.say(words).fault = Some(fault);
    }

    /// All findings, one after the other.
    #[cfg(test)]
    pub(crate) fn words(&self) -> String {
        let words: Vec<&str> = self.findings.iter().map(|one| one.words.as_str()).collect();
        words.join(" ")
    }
}

impl Serialize for NumbersFinding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.words)
    }
}

/// Numbers of joints; others a skin cannot name.
pub(super) fn joint_index(joint: usize) -> Option<JointIndex> {
    u16::try_from(joint).ok().map(JointIndex)
}
