//! A quadruped and a tentacle of random proportions, as files: tubes around bones, whose first
//! vertices share their weights with the bone before.

use std::f64::consts::TAU;

use glam::{DMat4, DQuat, DVec3};
use serde_json::{Value, json};

use super::made::Model;
use super::skeletons::Numbers;

const SIDES: usize = 8;
const RINGS: usize = 7;

/// A bone of a creature. Positions are in bind space.
struct Bone {
    name: String,
    parent: Option<usize>,
    from: DVec3,
    to: DVec3,
    radius: f64,
}

/// A skinned creature with one clip, in parts that a test may falsify.
#[derive(Clone)]
pub(super) struct Creature {
    pub(super) names: Vec<String>,
    pub(super) parents: Vec<Option<usize>>,
    /// Far ends of the bones.
    pub(super) ends: Vec<DVec3>,
    pub(super) translations: Vec<DVec3>,
    /// Rotations as stored.
    pub(super) rotations: Vec<[f64; 4]>,
    /// `joint_from_bind`.
    pub(super) binds: Vec<DMat4>,
    pub(super) positions: Vec<DVec3>,
    pub(super) joints: Vec<[usize; 2]>,
    pub(super) weights: Vec<[f64; 2]>,
    pub(super) triangles: Vec<[usize; 3]>,
    pub(super) times_secs: Vec<f64>,
    /// Rotation keys of each joint.
    pub(super) keys: Vec<Vec<[f64; 4]>>,
}

/// Returns a creature of one of the two kinds, with its own random proportions.
pub(super) fn creature(seed: u64, numbers: &mut Numbers) -> Creature {
    let bones = if seed.is_multiple_of(2) { quadruped(numbers) } else { tentacle(numbers) };
    Creature::new(&bones, numbers)
}

fn quadruped(numbers: &mut Numbers) -> Vec<Bone> {
    let size = 10.0_f64.powf(numbers.next());
    let mut bones: Vec<Bone> = Vec::new();
    let mut add = |name: &str, parent: Option<usize>, from: [f64; 3], to: [f64; 3], radius: f64| {
        let jitter = 0.02 * numbers.next();
        bones.push(Bone {
            name: name.to_owned(),
            parent,
            from: size * (DVec3::from_array(from) + DVec3::new(0.0, jitter, jitter)),
            to: size * (DVec3::from_array(to) + DVec3::new(0.0, jitter, 0.5 * jitter)),
            radius: size * radius * (1.0 + 0.2 * numbers.next()),
        });
        bones.len() - 1
    };
    let hips = add("hips", None, [0.0, 1.0, -0.6], [0.0, 1.02, -0.1], 0.16);
    let chest = add("chest", Some(hips), [0.0, 1.02, -0.1], [0.0, 1.05, 0.45], 0.17);
    let neck = add("neck", Some(chest), [0.0, 1.1, 0.5], [0.0, 1.45, 0.75], 0.08);
    add("head", Some(neck), [0.0, 1.45, 0.75], [0.0, 1.4, 1.1], 0.09);
    let tail = add("tail", Some(hips), [0.0, 1.05, -0.65], [0.0, 0.9, -1.0], 0.04);
    add("tail_end", Some(tail), [0.0, 0.9, -1.0], [0.0, 0.65, -1.25], 0.03);
    for (side, x) in [("L", 0.17), ("R", -0.17)] {
        for (pair, parent, z) in [("fore", chest, 0.4), ("hind", hips, -0.5)] {
            let name = |part: &str| format!("{pair}_{part}.{side}");
            let upper = add(&name("thigh"), Some(parent), [x, 0.92, z], [x, 0.5, z + 0.06], 0.07);
            let lower =
                add(&name("shin"), Some(upper), [x, 0.5, z + 0.06], [x, 0.14, z - 0.03], 0.05);
            add(&name("paw"), Some(lower), [x, 0.14, z - 0.03], [x, 0.04, z + 0.14], 0.045);
        }
    }
    bones
}

fn tentacle(numbers: &mut Numbers) -> Vec<Bone> {
    let size = 10.0_f64.powf(numbers.next());
    let count = 7 + numbers.below(5);
    let mut from = size * numbers.place(0.5);
    let mut direction = (DVec3::Y + 0.3 * numbers.place(1.0)).normalize();
    let mut bones = Vec::new();
    for bone in 0..count {
        let length = size * (0.5 + 0.1 * numbers.next());
        let to = from + length * direction;
        bones.push(Bone {
            name: format!("segment{bone}"),
            parent: bone.checked_sub(1),
            from,
            to,
            radius: size * 0.16 * (1.0 - 0.6 * bone as f64 / count as f64),
        });
        from = to;
        direction = (direction + 0.55 * numbers.place(1.0)).normalize();
    }
    bones
}

/// Returns a frame at the beginning of a bone whose y axis runs along it.
fn frame_of(bone: &Bone, roll_rad: f64) -> DMat4 {
    let along = (bone.to - bone.from).normalize();
    let turn = DQuat::from_rotation_arc(DVec3::Y, along) * DQuat::from_rotation_y(roll_rad);
    DMat4::from_rotation_translation(turn, bone.from)
}

impl Creature {
    fn new(bones: &[Bone], numbers: &mut Numbers) -> Self {
        let world: Vec<DMat4> =
            bones.iter().map(|bone| frame_of(bone, 1.2 * numbers.next())).collect();
        let mut creature = Self {
            names: bones.iter().map(|bone| bone.name.clone()).collect(),
            parents: bones.iter().map(|bone| bone.parent).collect(),
            ends: bones.iter().map(|bone| bone.to).collect(),
            translations: Vec::new(),
            rotations: Vec::new(),
            binds: Vec::new(),
            positions: Vec::new(),
            joints: Vec::new(),
            weights: Vec::new(),
            triangles: Vec::new(),
            times_secs: vec![0.0, 0.5, 1.0],
            keys: Vec::new(),
        };
        creature.bind(&world);
        for (joint, bone) in bones.iter().enumerate() {
            creature.add_tube(joint, bone, world[joint]);
        }
        creature
    }

    /// Places nodes, inverse bind matrices and keys for joints with these world transforms.
    pub(super) fn bind(&mut self, world: &[DMat4]) {
        self.binds = world.iter().map(DMat4::inverse).collect();
        self.set_local(&local_of(world, &self.parents));
        self.keys = self
            .rotations
            .iter()
            .enumerate()
            .map(|(joint, rest)| {
                let turn = DQuat::from_rotation_x(if joint % 2 == 0 { 0.5 } else { -0.4 });
                let moved = (DQuat::from_array(*rest) * turn).to_array();
                vec![*rest, moved, *rest]
            })
            .collect();
    }

    /// Replaces the transforms of the nodes.
    pub(super) fn set_local(&mut self, local: &[DMat4]) {
        self.translations.clear();
        self.rotations.clear();
        for matrix in local {
            let (_, rotation, translation) = matrix.to_scale_rotation_translation();
            self.translations.push(translation);
            self.rotations.push(rotation.normalize().to_array());
        }
    }

    pub(super) fn local(&self) -> Vec<DMat4> {
        let parts = self.rotations.iter().zip(&self.translations);
        parts
            .map(|(rotation, translation)| {
                DMat4::from_rotation_translation(DQuat::from_array(*rotation), *translation)
            })
            .collect()
    }

    /// Returns `world_from_joint` in the bind pose.
    pub(super) fn bound(&self) -> Vec<DMat4> {
        self.binds.iter().map(DMat4::inverse).collect()
    }

    /// Returns vertices as skinned by nodes with these world transforms.
    pub(super) fn skinned(&self, world: &[DMat4]) -> Vec<DVec3> {
        let influences = self.joints.iter().zip(&self.weights);
        let vertices = self.positions.iter().zip(influences);
        vertices
            .map(|(position, (joints, weights))| {
                let lanes = joints.iter().zip(weights);
                lanes
                    .map(|(&joint, &weight)| {
                        weight * (world[joint] * self.binds[joint]).transform_point3(*position)
                    })
                    .sum()
            })
            .collect()
    }

    fn add_tube(&mut self, joint: usize, bone: &Bone, frame: DMat4) {
        let first = self.positions.len();
        let length = bone.from.distance(bone.to);
        for ring in 0..RINGS {
            let fraction = ring as f64 / (RINGS - 1) as f64;
            let radius = bone.radius * (1.0 - 0.3 * fraction);
            for side in 0..SIDES {
                let angle_rad = TAU * side as f64 / SIDES as f64;
                let place = DVec3::new(
                    radius * angle_rad.cos(),
                    fraction * length,
                    radius * angle_rad.sin(),
                );
                let shared =
                    if bone.parent.is_some() { (0.45 - 2.0 * fraction).max(0.0) } else { 0.0 };
                let other = if shared > 0.0 { bone.parent.unwrap_or(0) } else { 0 };
                self.positions.push(frame.transform_point3(place));
                self.joints.push([joint, other]);
                self.weights.push([1.0 - shared, shared]);
            }
        }
        for ring in 0..RINGS - 1 {
            for side in 0..SIDES {
                let a = first + ring * SIDES + side;
                let b = first + ring * SIDES + (side + 1) % SIDES;
                self.triangles.extend([[a, a + SIDES, b], [b, a + SIDES, b + SIDES]]);
            }
        }
    }

    /// Returns the file.
    pub(super) fn model(&self) -> Model {
        let mut model = Model::sound();
        for list in ["accessors", "bufferViews", "nodes", "meshes", "skins", "animations"] {
            model.put(&format!("/{list}"), json!([]));
        }
        model.put("/scenes/0/nodes", json!([]));
        model.bin.clear();
        self.append_to(&mut model);
        model
    }

    /// Adds nodes, a mesh, a skin and a clip to a file. The nodes of the joints come first, that
    /// of the mesh last.
    pub(super) fn append_to(&self, model: &mut Model) {
        let first_node = model.list("nodes").len();
        let mesh = model.list("meshes").len();
        let skin = model.list("skins").len();
        let primitive = self.put_primitive(model);
        model.list("meshes").push(json!({"primitives": [primitive]}));
        let count = self.names.len();
        for joint in 0..count {
            let children: Vec<usize> = (0..count)
                .filter(|&child| self.parents[child] == Some(joint))
                .map(|child| first_node + child)
                .collect();
            let mut node = json!({
                "name": self.names[joint],
                "translation": self.translations[joint].to_array(),
                "rotation": self.rotations[joint],
            });
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            model.list("nodes").push(node);
        }
        model.list("nodes").push(json!({"name": "body", "mesh": mesh, "skin": skin}));
        let scene = model.root.pointer_mut("/scenes/0/nodes").unwrap().as_array_mut().unwrap();
        scene.extend([json!(first_node), json!(first_node + count)]);
        let binds = put_floats(model, "MAT4", self.binds.iter().flat_map(DMat4::to_cols_array));
        let joints: Vec<usize> = (first_node..first_node + count).collect();
        model.list("skins").push(json!({"joints": joints, "inverseBindMatrices": binds}));
        self.put_clip(model, first_node);
    }

    /// Adds the data of the vertices. Returns the primitive.
    pub(super) fn put_primitive(&self, model: &mut Model) -> Value {
        let positions = put_floats(model, "VEC3", self.positions.iter().flat_map(DVec3::to_array));
        put_bounds(model, positions, &self.positions);
        let joints = self.joints.iter().flat_map(|[a, b]| [*a as u16, *b as u16, 0, 0]);
        let bytes: Vec<u8> = joints.flat_map(u16::to_le_bytes).collect();
        model.accessor(5123, "VEC4", self.joints.len(), &bytes);
        let joints = model.list("accessors").len() - 1;
        let weights = self.weights.iter().flat_map(|[a, b]| [*a, *b, 0.0, 0.0]);
        let weights = put_floats(model, "VEC4", weights);
        let corners = self.triangles.iter().flatten().flat_map(|&at| (at as u16).to_le_bytes());
        let bytes: Vec<u8> = corners.collect();
        model.accessor(5123, "SCALAR", 3 * self.triangles.len(), &bytes);
        let indices = model.list("accessors").len() - 1;
        json!({
            "attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights},
            "indices": indices,
        })
    }

    fn put_clip(&self, model: &mut Model, first_node: usize) {
        let input = put_floats(model, "SCALAR", self.times_secs.iter().copied());
        model.put(&format!("/accessors/{input}/min"), json!([self.times_secs[0]]));
        let last = self.times_secs[self.times_secs.len() - 1];
        model.put(&format!("/accessors/{input}/max"), json!([last]));
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        for (joint, keys) in self.keys.iter().enumerate() {
            let output = put_floats(model, "VEC4", keys.iter().flatten().copied());
            let node = first_node + joint;
            samplers.push(json!({"input": input, "output": output}));
            channels.push(json!({"sampler": joint, "target": {"node": node, "path": "rotation"}}));
        }
        model.list("animations").push(json!({"channels": channels, "samplers": samplers}));
    }

    /// Splits the vertices of the second half of the joints off, as a creature with the same
    /// nodes.
    pub(super) fn split(&mut self) -> Self {
        let half = self.names.len() / 2;
        let mut other = self.clone();
        self.keep_vertices(|joint| joint < half);
        other.keep_vertices(|joint| joint >= half);
        other
    }

    /// Keeps only the vertices of one joint, which becomes joint 0.
    pub(super) fn keep_joint(&mut self, kept: usize) {
        self.keep_vertices(|joint| joint == kept);
        self.joints.fill([0, 0]);
        self.weights.fill([1.0, 0.0]);
    }

    fn keep_vertices(&mut self, keeps: impl Fn(usize) -> bool) {
        let mut new_indices = Vec::new();
        let mut kept_count = 0;
        for joints in &self.joints {
            let is_kept = keeps(joints[0]);
            new_indices.push(is_kept.then_some(kept_count));
            kept_count += usize::from(is_kept);
        }
        let kept: Vec<usize> =
            (0..self.joints.len()).filter(|&vertex| new_indices[vertex].is_some()).collect();
        self.positions = kept.iter().map(|&vertex| self.positions[vertex]).collect();
        self.joints = kept.iter().map(|&vertex| self.joints[vertex]).collect();
        self.weights = kept.iter().map(|&vertex| self.weights[vertex]).collect();
        let triangles = self.triangles.iter().filter_map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| new_indices[vertex]);
            Some([a?, b?, c?])
        });
        self.triangles = triangles.collect();
    }
}

/// Returns transforms relative to parents of joints with these world transforms.
pub(super) fn local_of(world: &[DMat4], parents: &[Option<usize>]) -> Vec<DMat4> {
    let joints = world.iter().zip(parents);
    joints
        .map(|(own, parent)| match *parent {
            Some(parent) => world[parent].inverse() * *own,
            None => *own,
        })
        .collect()
}

/// Returns world transforms of joints with these transforms relative to their parents.
pub(super) fn world_of(local: &[DMat4], parents: &[Option<usize>]) -> Vec<DMat4> {
    let mut world: Vec<DMat4> = Vec::new();
    for (own, parent) in local.iter().zip(parents) {
        world.push(parent.map_or(DMat4::IDENTITY, |parent| world[parent]) * *own);
    }
    world
}

fn put_floats(model: &mut Model, kind: &str, numbers: impl Iterator<Item = f64>) -> usize {
    let numbers: Vec<f32> = numbers.map(|number| number as f32).collect();
    model.floats(kind, &numbers);
    model.list("accessors").len() - 1
}

fn put_bounds(model: &mut Model, accessor: usize, positions: &[DVec3]) {
    let mut min = DVec3::splat(f64::INFINITY);
    let mut max = DVec3::splat(f64::NEG_INFINITY);
    for position in positions {
        let stored = position.as_vec3().as_dvec3();
        min = min.min(stored);
        max = max.max(stored);
    }
    model.put(&format!("/accessors/{accessor}/min"), json!(min.to_array()));
    model.put(&format!("/accessors/{accessor}/max"), json!(max.to_array()));
}
