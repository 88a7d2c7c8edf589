//! Weights that were saved as a file, opened again: on the model that is open, by the
//! order of its vertices and the names of its joints.

mod content;
mod csv;
mod json;
#[cfg(test)]
mod tests;

use std::fmt;

use bindpose_asset::checked_size;
use bindpose_diagnostic::{Diagnostic, ModelPlace, did_you_mean};
use bindpose_skin::{Influences, JointIndex, LANES, Skeleton};

use super::Derived;
pub use content::WeightsFile;

/// Why weights do not fit a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsMisfit {
    /// They are of more or fewer vertices.
    Vertices {
        /// How many the model has that have weights.
        expected: usize,
        /// How many the file has.
        found: usize,
    },
    /// A joint that has a weight is not in the model.
    NoJoint {
        /// Its name in the file.
        name: String,
        /// The first vertex that follows it.
        vertex: usize,
        /// What may be meant, or nothing.
        nearest: String,
    },
    /// Several joints of the model have the name, and none of them the number.
    ManyJoints {
        /// Their name.
        name: String,
        /// How many have it.
        count: usize,
    },
    /// More joints than an edited vertex can have.
    ManyInfluences {
        /// The first such vertex.
        vertex: usize,
        /// How many it has in the file.
        found: usize,
    },
}

impl WeightsFile {
    /// What is in a file that was saved as `weights-json` or `weights-csv`; `None`: it is
    /// none, by the names in it.
    ///
    /// Fails where such a file holds something else than expected, and what to do.
    pub fn read(bytes: &[u8]) -> Option<Result<Self, Diagnostic>> {
        let text = std::str::from_utf8(bytes).ok()?;
        let text = text.trim_start_matches('\u{feff}');
        let is_json = json::is_weights(text);
        if !is_json && !csv::is_weights(text) {
            return None;
        }
        let size = checked_size(bytes, "save the weights of a smaller model");
        Some(size.and_then(|()| if is_json { json::read(text) } else { csv::read(text) }))
    }

    /// Vertices whose influences in the file are other ones than they are now, in rising
    /// order, with those of the file. Joints are those of the same name; where several
    /// have it, the one of the same number.
    ///
    /// Fails when the file is of another model.
    pub fn fitting(&self, derived: &Derived) -> Result<Vec<(u32, Influences)>, WeightsMisfit> {
        let now = derived.meant_influences();
        let (expected, found) = (now.len(), self.vertices.len());
        if expected != found {
            return Err(WeightsMisfit::Vertices { expected, found });
        }
        let mesh = &derived.rig.mesh;
        let joints = self.joints_in(&derived.rig.skeleton)?;
        let mut changes = Vec::new();
        let all = self.vertices.iter().zip(now.iter()).zip(&mesh.influences);
        for (vertex, ((in_file, now), stored)) in (0_u32..).zip(all) {
            let pairs = in_file.iter().filter_map(|&(joint, weight)| {
                let joint = joints.get(usize::from(joint)).copied().flatten()?;
                Some((joint, weight))
            });
            let pairs: Vec<(JointIndex, f32)> = pairs.collect();
            let is_edited = now != stored;
            let many = mesh.many.get(&vertex);
            // Of more than eight the strongest stand in the list.
            let is_stored = match many {
                Some(many) => {
                    let many = many.iter().filter(|(_, weight)| *weight != 0.0);
                    many.eq(&pairs)
                }
                None => is_of(stored, &pairs),
            };
            if is_stored {
                if is_edited {
                    changes.push((vertex, *stored));
                }
                continue;
            }
            if pairs.len() > LANES {
                return Err(WeightsMisfit::ManyInfluences {
                    vertex: vertex as usize,
                    found: pairs.len(),
                });
            }
            let is_now = (is_edited || many.is_none()) && is_of(now, &pairs);
            if !is_now {
                changes.push((vertex, Influences::new(&pairs)));
            }
        }
        Ok(changes)
    }

    /// The joint of the model for each of the file's; `None`: no weight asks for it.
    fn joints_in(&self, skeleton: &Skeleton) -> Result<Vec<Option<JointIndex>>, WeightsMisfit> {
        let mut first_use: Vec<Option<usize>> = vec![None; self.joints.len()];
        for (vertex, pairs) in self.vertices.iter().enumerate() {
            for &(joint, _) in pairs {
                if let Some(first) = first_use.get_mut(usize::from(joint)) {
                    first.get_or_insert(vertex);
                }
            }
        }
        let named = |(number, (name, first)): (usize, (&String, Option<usize>))| {
            let Some(vertex) = first else { return Ok(None) };
            joint_named(skeleton, name, number, vertex).map(Some)
        };
        let all = self.joints.iter().zip(first_use);
        all.enumerate().map(named).collect()
    }
}

fn joint_named(
    skeleton: &Skeleton,
    name: &str,
    number: usize,
    vertex: usize,
) -> Result<JointIndex, WeightsMisfit> {
    let all = skeleton.joints();
    let mut same =
        skeleton.indices().zip(all).filter(|(_, joint)| joint.name == name).map(|(joint, _)| joint);
    match (same.next(), same.count()) {
        (Some(only), 0) => Ok(only),
        (Some(first), more) => {
            let by_number = all.get(number).filter(|joint| joint.name == name);
            let by_number = by_number.and(u16::try_from(number).ok()).map(JointIndex);
            by_number.ok_or_else(|| WeightsMisfit::ManyJoints {
                name: all.get(first.index()).map_or_else(String::new, |joint| joint.name.clone()),
                count: more + 1,
            })
        }
        (None, _) => {
            let names: Vec<&str> = all.iter().map(|joint| joint.name.as_str()).collect();
            Err(WeightsMisfit::NoJoint {
                name: name.to_owned(),
                vertex,
                nearest: did_you_mean(name, &names),
            })
        }
    }
}

/// Are these the used influences, in their order?
fn is_of(influences: &Influences, pairs: &[(JointIndex, f32)]) -> bool {
    let used = influences.used().map(|(_, joint, weight)| (joint, weight));
    used.eq(pairs.iter().copied())
}

impl From<WeightsMisfit> for Diagnostic {
    fn from(misfit: WeightsMisfit) -> Self {
        let at = |vertex: usize| ModelPlace::at("").vertex(vertex).into();
        match misfit {
            WeightsMisfit::Vertices { expected: 0, found } => {
                Self::expected("a model with weights", format!("weights of {found} vertices"))
                    .help("open the model that these weights are of, then the file")
            }
            WeightsMisfit::Vertices { expected, found } => Self::expected(
                format!("weights of {expected} vertices, as many as the model has"),
                found.to_string(),
            )
            .help("open the model that these weights are of, then the file"),
            WeightsMisfit::NoJoint {
                name,
                vertex,
                nearest,
            } => Self::expected("the name of a joint of the model", format!("`{name}`"))
                .at(at(vertex))
                .help(if nearest.is_empty() {
                    "open the model that these weights are of, or name the joints in the file as the model does".to_owned()
                } else {
                    nearest
                }),
            WeightsMisfit::ManyJoints { name, count } => Self::expected(
                format!("joint `{name}` at the place where the file has it"),
                format!("{count} joints of that name at other places"),
            )
            .help("give the joints of the model names of their own"),
            WeightsMisfit::ManyInfluences { vertex, found } => Self::expected(
                format!("at most {LANES} joints at an edited vertex"),
                found.to_string(),
            )
            .at(at(vertex))
            .help(format!("leave out the weakest, and divide the others by their sum; up to {LANES} can be painted")),
        }
    }
}

impl fmt::Display for WeightsMisfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagnostic::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for WeightsMisfit {}
