//! Meshes and skeletons for tests.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use glam::{Mat4, Vec3};

use super::computed::{BindSurface, WorkPace, computed_weights};
use super::{WeightSource, WeightsBy, WeightsError};
use crate::{Influences, Joint, JointIndex, Skeleton, Trs};

#[derive(Clone)]
pub(super) struct TestMesh {
    pub(super) positions: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// A [`WorkPace`] that never waits.
struct UnlimitedPace;

impl WorkPace for UnlimitedPace {
    async fn spend(&self, _: usize, done: f32) -> Result<(), WeightsError> {
        assert!((0.0..=1.0).contains(&done), "{done}");
        Ok(())
    }
}

impl TestMesh {
    /// A flat strip in the plane z = `height`, from −`length` to `length` along x.
    pub(super) fn strip(length: f32, steps: u32, width: f32, height: f32) -> Self {
        let positions = (0..=steps).flat_map(|step| {
            let x = length * (2.0 * step as f32 / steps as f32 - 1.0);
            [-0.5, 0.5].map(|side| Vec3::new(x, side * width, height))
        });
        let triangles = (0..steps).flat_map(|step| {
            let a = 2 * step;
            [[a, a + 2, a + 1], [a + 1, a + 2, a + 3]]
        });
        Self { positions: positions.collect(), triangles: triangles.collect() }
    }

    /// A closed tube of six sides along y, around (`x`, y, 0), from 0 to `length`.
    pub(super) fn tube(x: f32, radius: f32, length: f32, rings: u32) -> Self {
        const SIDES: u32 = 6;
        let mut mesh = Self { positions: Vec::new(), triangles: Vec::new() };
        for ring in 0..=rings {
            let y = length * ring as f32 / rings as f32;
            for side in 0..SIDES {
                let angle = std::f32::consts::TAU * side as f32 / SIDES as f32;
                let (sin, cos) = angle.sin_cos();
                mesh.positions.push(Vec3::new(x + radius * cos, y, radius * sin));
            }
        }
        let corner = |ring: u32, side: u32| ring * SIDES + side % SIDES;
        for ring in 0..rings {
            for side in 0..SIDES {
                let [a, b] = [corner(ring, side), corner(ring, side + 1)];
                let [c, d] = [corner(ring + 1, side), corner(ring + 1, side + 1)];
                mesh.triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
        for ring in [0, rings] {
            for side in 1..SIDES - 1 {
                let fan = [corner(ring, 0), corner(ring, side), corner(ring, side + 1)];
                mesh.triangles.push(fan);
            }
        }
        mesh
    }

    /// Adds another mesh without connecting the two.
    pub(super) fn and(mut self, other: Self) -> Self {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions);
        for corners in other.triangles {
            self.triangles.push(corners.map(|corner| corner + first));
        }
        self
    }

    /// Gives every triangle its own vertices.
    pub(super) fn unwelded(&self) -> Self {
        let corners = self.triangles.iter().flatten();
        Self {
            positions: corners.map(|&corner| self.positions[corner as usize]).collect(),
            triangles: (0..self.triangles.len() as u32)
                .map(|triangle| [3 * triangle, 3 * triangle + 1, 3 * triangle + 2])
                .collect(),
        }
    }

    pub(super) fn weights(
        &self,
        skeleton: &Skeleton,
        source: WeightSource,
    ) -> Result<Vec<Influences>, WeightsError> {
        let by = WeightsBy { source, ..WeightsBy::default() };
        self.weights_by(skeleton, &by)
    }

    pub(super) fn weights_by(
        &self,
        skeleton: &Skeleton,
        by: &WeightsBy,
    ) -> Result<Vec<Influences>, WeightsError> {
        let surface = BindSurface { positions: &self.positions, triangles: &self.triangles };
        let future = pin!(computed_weights(&surface, skeleton, by, &UnlimitedPace));
        match future.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(weights) => weights,
            Poll::Pending => panic!("an unlimited pace never waits"),
        }
    }
}

/// Creates a skeleton from the parent and the origin in bind space of each joint.
pub(super) fn skeleton(joints: &[(Option<u16>, Vec3)]) -> Skeleton {
    let joints = joints
        .iter()
        .map(|&(parent, origin)| Joint {
            name: "j".to_owned(),
            parent: parent.map(JointIndex),
            parent_from_joint_at_rest: Trs::IDENTITY,
            joint_from_bind: Mat4::from_translation(-origin),
        })
        .collect();
    Skeleton::new(joints).unwrap()
}

pub(super) fn weight(influences: &Influences, joint: u16) -> f32 {
    influences
        .used()
        .filter(|&(_, other, _)| other == JointIndex(joint))
        .map(|(_, _, weight)| weight)
        .sum()
}
