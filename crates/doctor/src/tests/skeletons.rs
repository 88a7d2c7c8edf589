//! Random skeletons, as files.

use glam::{DMat4, DQuat, DVec3};
use serde_json::{Value, json};

use super::made::{BINDS, Model};

/// A deterministic generator of pseudorandom numbers.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    /// Returns a number from −1 to 1.
    pub(super) fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        ((f64::midpoint(self.next(), 1.0) * count as f64) as usize).min(count - 1)
    }

    pub(super) fn place(&mut self, size: f64) -> DVec3 {
        size * DVec3::new(self.next(), self.next(), self.next())
    }

    pub(super) fn turn(&mut self, most_rad: f64) -> DQuat {
        let axis = DVec3::new(self.next(), self.next(), self.next() + 0.01).normalize();
        DQuat::from_axis_angle(axis, most_rad * self.next())
    }
}

/// A hierarchy of joints, which are the nodes of a file from 0 on.
#[derive(Clone)]
pub(super) struct Skeleton {
    pub(super) parents: Vec<Option<usize>>,
    pub(super) places: Vec<DVec3>,
    pub(super) turns: Vec<DQuat>,
}

impl Skeleton {
    fn random(numbers: &mut Numbers, joints: usize) -> Self {
        let size = 10.0_f64.powf(2.0 * numbers.next());
        Self {
            parents: (0..joints).map(|joint| (joint > 0).then(|| numbers.below(joint))).collect(),
            places: (0..joints).map(|_| numbers.place(size)).collect(),
            turns: (0..joints).map(|_| numbers.turn(2.5)).collect(),
        }
    }

    pub(super) fn local(&self, joint: usize) -> DMat4 {
        DMat4::from_rotation_translation(self.turns[joint], self.places[joint])
    }

    pub(super) fn world(&self) -> Vec<DMat4> {
        let mut world: Vec<DMat4> = Vec::new();
        for (joint, parent) in self.parents.iter().enumerate() {
            let above = parent.map_or(DMat4::IDENTITY, |parent| world[parent]);
            world.push(above * self.local(joint));
        }
        world
    }

    pub(super) fn inverse_binds(&self) -> Vec<DMat4> {
        self.world().iter().map(DMat4::inverse).collect()
    }

    /// Returns a file of the skeleton with these inverse bind matrices.
    pub(super) fn model(&self, binds: &[DMat4]) -> Model {
        let mut model = Model::sound();
        let joints = self.parents.len();
        let nodes = (0..joints).map(|joint| {
            let below = (0..joints).filter(|&below| self.parents[below] == Some(joint));
            let children: Vec<usize> = below.collect();
            let mut node = json!({
                "name": format!("joint {joint}"),
                "translation": self.places[joint].to_array(),
                "rotation": self.turns[joint].to_array(),
            });
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            node
        });
        let body = json!({"name": "body", "mesh": 0, "skin": 0});
        let nodes: Vec<Value> = nodes.chain([body]).collect();
        model.put("/nodes", json!(nodes));
        model.put("/scenes/0/nodes", json!([0, joints]));
        let numbers: Vec<f32> =
            binds.iter().flat_map(|matrix| matrix.to_cols_array()).map(|x| x as f32).collect();
        model.floats("MAT4", &numbers);
        let accessor = model.list("accessors").len() - 1;
        let joints: Vec<usize> = (0..joints).collect();
        model.put("/skins/0", json!({"joints": joints, "inverseBindMatrices": accessor}));
        assert_ne!(accessor, BINDS);
        model
    }
}

/// Returns skeletons of two to sixty joints.
pub(super) fn skeletons() -> impl Iterator<Item = (Numbers, Skeleton)> {
    (0..60).map(|seed| {
        let mut numbers = Numbers(seed * 977 + 5);
        let joints = 2 + numbers.below(if seed % 5 == 0 { 59 } else { 9 });
        let skeleton = Skeleton::random(&mut numbers, joints);
        (numbers, skeleton)
    })
}
