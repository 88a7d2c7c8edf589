//! Morph targets: shapes that are added to the stored vertices before skinning.

use glam::Vec3;

use super::{Mesh, MorphTarget};

/// Stored vertices with shapes added, in bind space.
#[derive(Clone, Debug, PartialEq)]
pub struct Morphed {
    /// By slot: what each target was multiplied with.
    pub weights: Vec<f32>,
    /// As many as the mesh has.
    pub positions: Vec<Vec3>,
    /// As many as the mesh has; those that a target moves are of unit length
    /// again, or zero where nothing is left.
    pub normals: Vec<Vec3>,
}

impl Mesh {
    /// Each vertex plus the differences of all targets, times their weights;
    /// glTF 2.0, section 3.7.2.2. A weight that is missing counts as 0. `None`
    /// when no target has a weight: the vertices are as stored.
    pub fn morphed(&self, weights: &[f32]) -> Option<Morphed> {
        let weight_of = |target: &MorphTarget| weights.get(target.slot).copied().unwrap_or(0.0);
        let at_work = || {
            let all = self.targets.iter();
            all.map(|target| (target, weight_of(target))).filter(|&(_, weight)| weight != 0.0)
        };
        at_work().next()?;
        let mut positions = self.positions.clone();
        let mut normals = self.normals.clone();
        for (target, weight) in at_work() {
            let first = target.first_vertex as usize;
            add(&mut positions, first, &target.positions, weight);
            add(&mut normals, first, &target.normals, weight);
        }
        for (target, _) in at_work() {
            let moved = normals.iter_mut().skip(target.first_vertex as usize);
            for normal in moved.take(target.normals.len()) {
                *normal = normal.normalize_or_zero();
            }
        }
        Some(Morphed { weights: weights.to_vec(), positions, normals })
    }
}

fn add(stored: &mut [Vec3], first: usize, differences: &[Vec3], weight: f32) {
    let moved = stored.iter_mut().skip(first);
    for (value, &difference) in moved.zip(differences) {
        *value += difference * weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(slot: usize, first_vertex: u32, by: Vec3, turned: Option<Vec3>) -> MorphTarget {
        MorphTarget {
            name: String::new(),
            slot,
            first_vertex,
            positions: vec![by; 2],
            normals: turned.map_or_else(Vec::new, |by| vec![by; 2]),
        }
    }

    #[test]
    fn targets_add_up_where_they_reach_and_normals_keep_their_length() {
        let mesh = Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            targets: vec![
                target(0, 0, Vec3::X, None),
                target(1, 1, Vec3::Y, Some(Vec3::X)),
                // Reaches past the last vertex, and has no weight of its own.
                target(7, 2, Vec3::Z, Some(Vec3::ONE)),
            ],
            ..Mesh::default()
        };
        assert_eq!(mesh.morphed(&[]), None);
        assert_eq!(mesh.morphed(&[0.0, 0.0]), None);
        let morphed = mesh.morphed(&[0.5, 1.0]).unwrap();
        let expected =
            [Vec3::new(0.5, 0.0, 0.0), Vec3::new(1.5, 1.0, 0.0), Vec3::new(0.0, 2.0, 0.0)];
        assert_eq!(morphed.positions, expected);
        let aslant = Vec3::new(1.0, 0.0, 1.0).normalize_or_zero();
        for (found, expected) in morphed.normals.iter().zip([Vec3::Z, aslant, aslant]) {
            assert!(found.abs_diff_eq(expected, 1e-6), "{found}");
        }
        let weights = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0];
        let past = mesh.morphed(&weights).unwrap();
        assert_eq!(past.positions[2], Vec3::new(0.0, 1.0, 2.0));
        assert_eq!(past.positions[..2], mesh.positions[..2]);
    }
}
