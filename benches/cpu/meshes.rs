//! Meshes that are made up: always the same.

use std::collections::BTreeMap;

use bindpose_skin::{BindVertices, Influences, JointIndex, Skinner, VertexGroups, WorldVertices};
use glam::{Mat4, Vec3};

const JOINTS: u16 = 64;
/// By how many influences there are.
const WEIGHTS: [&[f32]; 4] = [&[1.0], &[0.7, 0.3], &[0.5, 0.3, 0.2], &[0.4, 0.3, 0.2, 0.1]];

/// How many influences a vertex has.
#[derive(Clone, Copy)]
pub(crate) enum Counts {
    Four,
    /// One to four, as in files.
    Mixed,
    /// Four, by joints that no neighbour has.
    Scattered,
}

/// A mesh, its palette, and where it is moved to.
pub(crate) struct SkinnedMesh {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    groups: VertexGroups,
    /// As tight as four of them can be.
    four: Vec<([u16; 4], [f32; 4])>,
    pub(crate) world_from_bind: Vec<Mat4>,
    moved: [Vec<Vec3>; 2],
    copied: (Vec<[f32; 12]>, Vec<[f32; 6]>),
}

impl SkinnedMesh {
    pub(crate) fn new(vertices: usize, counts: Counts) -> Self {
        let at = |index: usize| {
            let turn = index as f32 * 0.01;
            Vec3::new(turn.cos(), (index % 1000) as f32 * 0.002, turn.sin())
        };
        let mut seed = 1_u64;
        let mut count = || match counts {
            Counts::Four | Counts::Scattered => 4,
            Counts::Mixed => {
                // Knuth's MMIX.
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                match (seed >> 40) % 100 {
                    0..40 => 1,
                    40..75 => 2,
                    75..90 => 3,
                    _ => 4,
                }
            }
        };
        let pairs = |index: usize, count: usize| -> Vec<(JointIndex, f32)> {
            let first = match counts {
                Counts::Scattered => (index * 37 % usize::from(JOINTS)) as u16,
                _ => (index * usize::from(JOINTS) / vertices) as u16,
            };
            let joints = (first..).map(|joint| JointIndex(joint % JOINTS));
            joints.zip(WEIGHTS[count - 1].iter().copied()).collect()
        };
        let all: Vec<_> = (0..vertices).map(|index| pairs(index, count())).collect();
        let influences: Vec<Influences> = all.iter().map(|pairs| Influences::new(pairs)).collect();
        let four = |influences: &Influences| {
            let [a, b, c, d, ..] = influences.joints;
            let [e, f, g, h, ..] = influences.weights;
            ([a.0, b.0, c.0, d.0], [e, f, g, h])
        };
        Self {
            positions: (0..vertices).map(at).collect(),
            normals: (0..vertices).map(|index| at(index).normalize_or(Vec3::Y)).collect(),
            groups: VertexGroups::new(&influences, &BTreeMap::new()),
            four: influences.iter().map(four).collect(),
            world_from_bind: (0..JOINTS)
                .map(|joint| {
                    Mat4::from_rotation_z(f32::from(joint) * 0.05) * Mat4::from_translation(Vec3::X)
                })
                .collect(),
            moved: [vec![Vec3::ZERO; vertices], vec![Vec3::ZERO; vertices]],
            copied: (vec![[1.0; 12]; vertices], vec![[0.0; 6]; vertices]),
        }
    }

    pub(crate) fn vertices(&self) -> usize {
        self.positions.len()
    }

    /// Ours, by one of the ways that a skinner has.
    pub(crate) fn ours(
        &mut self,
        with_normals: bool,
        way: impl FnOnce(&VertexGroups, &[Mat4], BindVertices<'_>, WorldVertices<'_>),
    ) {
        let [positions, normals] = &mut self.moved;
        let stored = BindVertices {
            positions: &self.positions,
            normals: &self.normals,
            ..BindVertices::default()
        };
        let normals = if with_normals { &mut normals[..] } else { &mut [] };
        way(
            &self.groups,
            &self.world_from_bind,
            stored,
            WorldVertices { positions, normals, ..WorldVertices::default() },
        );
    }

    pub(crate) fn linear(&mut self, skinner: &mut Skinner, with_normals: bool) {
        self.ours(with_normals, |groups, palette, stored, moved| {
            skinner.linear(groups, palette, stored, moved);
        });
    }

    /// The formula as it stands in books: each joint moves the vertex, and the
    /// results are averaged. Normals are moved like positions, and their length is
    /// left as it comes.
    pub(crate) fn textbook(&mut self) {
        let [positions, normals] = &mut self.moved;
        let stored = self.positions.iter().zip(&self.normals).zip(&self.four);
        for (((&position, &normal), (joints, weights)), to) in
            stored.zip(positions.iter_mut().zip(normals))
        {
            let (mut moved, mut turned) = (Vec3::ZERO, Vec3::ZERO);
            for (&joint, &weight) in joints.iter().zip(weights) {
                let world_from_bind = &self.world_from_bind[usize::from(joint)];
                moved += world_from_bind.transform_point3(position) * weight;
                turned += world_from_bind.transform_vector3(normal) * weight;
            }
            (*to.0, *to.1) = (moved, turned);
        }
    }

    /// As many bytes read and written as four influences, a position and a normal
    /// take.
    pub(crate) fn copy(&mut self) {
        let (from, to) = &mut self.copied;
        for (from, to) in from.iter().zip(to) {
            for (lane, to) in to.iter_mut().enumerate() {
                *to = from[lane] + from[lane + 6];
            }
        }
    }

    /// One of what was computed, so that it cannot be left out.
    pub(crate) fn one(&self) -> (Vec3, Vec3, f32) {
        let at = self.vertices() / 3;
        (self.moved[0][at], self.moved[1][at], self.copied.1[at][0])
    }
}
