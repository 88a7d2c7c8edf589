//! What is saved, undone and linked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lesson::{Show, View};
use crate::skin::{InverseBind, JointIndex, LANES, Stage};

/// The state of the open page. Everything on screen is a function of this and
/// of the lesson.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Slug.
    pub lesson: String,
    /// Index of the step.
    pub step: usize,
    /// Values that differ from the defaults; radians for angles.
    pub params: BTreeMap<String, f64>,
    /// Influences that were edited, by vertex.
    pub weights: BTreeMap<u32, [f32; LANES]>,
    /// Inverse bind matrices that were edited.
    pub inverse_binds: BTreeMap<JointIndex, InverseBindEdit>,
    /// How far vertices have come.
    pub stage: Stage,
    /// What is put in the place of the inverse bind matrix.
    pub inverse_bind: InverseBind,
    /// One joint for the whole mesh during the stages *joint* and *posed*;
    /// `None`: each vertex through its strongest.
    pub through: Option<JointIndex>,
    /// The chosen joint.
    pub joint: JointIndex,
    /// The chosen vertex.
    pub vertex: u32,
    /// What the viewports draw; `None`: what their cells say.
    pub show: Option<Vec<Show>>,
    /// Where the viewports look from; `None`: what their cells say.
    pub view: Option<View>,
}

/// Column-major, as stored in glTF.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct InverseBindEdit(pub [f32; 16]);
