//! The hand of `docs/examples/hands`: a model that a lesson brings along, made by code
//! and in no program. `UPDATE_SNAPSHOTS=1 cargo test -p bindpose-asset example_hand` writes it anew.
//!
//! It lies in the plane z = 0 with the wrist at the origin and the fingers along +y, the
//! palm towards +z. Joints of fingers turn about their own x: a positive angle bends
//! them towards the palm.

use std::path::Path;

use bindpose_skin::{Influences, Joint, JointIndex, Skeleton, Trs};
use glam::{DVec3, Mat4, Quat, Vec3};

use super::arm;
use super::mesh_builder::{LoftRing, MeshBuilder, palette, smooth_step, weights};
use crate::{Rig, write};

const FILE: &str = "docs/examples/hands/10-hands/hand.glb";
const SEGMENTS: u32 = 14;
/// Half the length over which one joint hands over to the next, as a share of the
/// shorter bone.
const BLEND: f64 = 0.35;

/// Name, knuckle, direction, lengths of the bones, radius at knuckle and tip.
struct Finger {
    name: &'static str,
    knuckle: [f64; 3],
    along: [f64; 3],
    bones: [f64; 3],
    radii: [f64; 2],
}

const FINGERS: [Finger; 5] = [
    finger("thumb", [0.36, 0.26, 0.06], [0.78, 0.62, 0.12], [0.34, 0.3, 0.24], [0.16, 0.11]),
    finger("index", [0.345, 0.98, 0.0], [0.08, 1.0, 0.0], [0.42, 0.27, 0.22], [0.125, 0.09]),
    finger("middle", [0.115, 1.03, 0.0], [0.02, 1.0, 0.0], [0.46, 0.31, 0.23], [0.13, 0.092]),
    finger("ring", [-0.115, 0.99, 0.0], [-0.04, 1.0, 0.0], [0.42, 0.28, 0.22], [0.122, 0.088]),
    finger("little", [-0.33, 0.9, 0.0], [-0.12, 1.0, 0.0], [0.33, 0.2, 0.19], [0.105, 0.075]),
];

const fn finger(
    name: &'static str,
    knuckle: [f64; 3],
    along: [f64; 3],
    bones: [f64; 3],
    radii: [f64; 2],
) -> Finger {
    Finger { name, knuckle, along, bones, radii }
}

impl Finger {
    fn along(&self) -> DVec3 {
        DVec3::from_array(self.along).normalize()
    }

    /// Where its joints stand.
    fn joint(&self, index: usize) -> DVec3 {
        let before: f64 = self.bones.iter().take(index).sum();
        DVec3::from_array(self.knuckle) + self.along() * before
    }

    /// Local y along the finger, local z out of the palm.
    fn world_from_joint(&self) -> Quat {
        let y = self.along().as_vec3();
        let x = y.cross(Vec3::Z).normalize_or_zero();
        Quat::from_mat3(&glam::Mat3::from_cols(x, y, x.cross(y)))
    }

    /// How far along the finger a point is, from its knuckle.
    fn height(&self, at: DVec3) -> f64 {
        (at - DVec3::from_array(self.knuckle)).dot(self.along())
    }

    /// `first`: the number of its first joint.
    fn influences(&self, first: u16, at: DVec3) -> Influences {
        let [one, two, three] = self.bones;
        let height = self.height(at);
        let blend = |at: f64, shorter: f64| {
            let half = BLEND * shorter;
            smooth_step(at - half, at + half, height)
        };
        let (a, b, c) = (blend(0.0, 0.4 * one), blend(one, two), blend(one + two, three));
        weights(&[
            (0, 1.0 - a),
            (first, a * (1.0 - b)),
            (first + 1, a * b * (1.0 - c)),
            (first + 2, a * b * c),
        ])
    }
}

fn skeleton() -> Skeleton {
    let mut joints = vec![Joint {
        name: "wrist".to_owned(),
        parent: None,
        parent_from_joint_at_rest: Trs::IDENTITY,
        joint_from_bind: Mat4::IDENTITY,
    }];
    for finger in &FINGERS {
        let turned = finger.world_from_joint();
        for index in 0..3 {
            let at = finger.joint(index).as_vec3();
            let bone = index.checked_sub(1).map(|before| finger.bones[before] as f32);
            let below_wrist = Trs { rotation: turned, ..Trs::at(at) };
            joints.push(Joint {
                name: format!("{}_{}", finger.name, index + 1),
                parent: Some(JointIndex(match index {
                    0 => 0,
                    _ => joints.len() as u16 - 1,
                })),
                parent_from_joint_at_rest: bone.map_or(below_wrist, |bone| Trs::at(Vec3::Y * bone)),
                joint_from_bind: below_wrist.matrix().inverse(),
            });
        }
    }
    Skeleton::new(joints).expect("a sound skeleton")
}

fn rig() -> Rig {
    let (image, [skin]) = palette([[0xD9, 0xB8, 0x9C]]);
    let mut builder = MeshBuilder::default();
    let palm = [
        (-0.42, 0.0, 0.0, 0.0),
        (-0.4, 0.17, 0.12, 0.0),
        (-0.25, 0.22, 0.15, 0.0),
        (0.0, 0.25, 0.155, 0.0),
        (0.2, 0.37, 0.17, 0.03),
        (0.5, 0.455, 0.175, 0.02),
        (0.8, 0.475, 0.165, 0.0),
        (0.98, 0.45, 0.135, 0.0),
        (1.06, 0.32, 0.08, 0.0),
        (1.08, 0.0, 0.0, 0.0),
    ];
    let rings = palm.map(|(y, width, depth, x)| LoftRing {
        center: DVec3::new(x, y, 0.0),
        u: DVec3::Z * depth,
        v: DVec3::X * width,
    });
    builder.loft(&rings, 2 * SEGMENTS, skin, |_| weights(&[(0, 1.0)]));
    for (number, finger) in (0_u16..).zip(&FINGERS) {
        let first = 1 + 3 * number;
        builder.loft(&finger_rings(finger), SEGMENTS, skin, |at| finger.influences(first, at));
    }
    Rig { clips: vec![fist()], ..Rig::new("hand", "Hand", skeleton(), builder.finish(image)) }
}

/// From within the palm to the tip, closer together where it bends.
fn finger_rings(finger: &Finger) -> Vec<LoftRing> {
    let long: f64 = finger.bones.iter().sum();
    let [knuckle, tip] = finger.radii;
    let along = finger.along();
    let v = along.cross(DVec3::Z).normalize();
    let u = v.cross(along);
    let steps = 34;
    let begin = -0.3;
    (0..=steps)
        .map(|step| {
            let t = f64::from(step) / f64::from(steps);
            let height = begin + (long - begin) * t;
            let usual = knuckle + (tip - knuckle) * (height / long).clamp(0.0, 1.0);
            // Round at the tip, and grown out of the palm.
            let left = ((long - height) / tip).clamp(0.0, 1.0);
            let round = (1.0 - (1.0 - left) * (1.0 - left)).max(0.0).sqrt();
            let grown = smooth_step(begin, 0.05, height).sqrt();
            let radius = match step {
                0 => 0.0,
                _ if step == steps => 0.0,
                _ => usual * round * grown,
            };
            LoftRing {
                center: DVec3::from_array(finger.knuckle) + along * height,
                u: u * radius,
                v: v * radius,
            }
        })
        .collect()
}

/// All fingers close and open again.
fn fist() -> bindpose_skin::Clip {
    let times = [0.0, 1.0, 2.0];
    let mut channels = Vec::new();
    for (number, finger) in (0_u16..).zip(&FINGERS) {
        for index in 0..3 {
            let rest = match index {
                0 => finger.world_from_joint(),
                _ => Quat::IDENTITY,
            };
            let degrees = match (finger.name, index) {
                ("thumb", 0) => 25.0,
                ("thumb", _) => 40.0,
                (_, 0) => 80.0,
                _ => 75.0_f32,
            };
            let closed = rest * Quat::from_rotation_x(degrees.to_radians());
            channels.push(arm::rotation_track(
                1 + 3 * number + index,
                &times,
                &[rest, closed, rest],
            ));
        }
    }
    arm::keyed_clip("fist", channels)
}

#[test]
fn the_hand_of_the_examples_is_what_this_makes() {
    let bytes = write::glb(&rig()).expect("a file");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&file, &bytes).expect("the folder is there");
    }
    let committed = std::fs::read(&file).unwrap_or_default();
    let hint = "UPDATE_SNAPSHOTS=1 cargo test -p bindpose-asset example_hand writes it anew";
    assert!(committed == bytes, "{FILE} is not what the code makes: {hint}");
}

#[test]
fn a_positive_angle_bends_each_finger_towards_the_palm() {
    let rig = rig();
    let at_rest = rig.skeleton.world_from_joint(&rig.skeleton.rest_pose());
    for (joint, matrix) in at_rest.iter().enumerate() {
        let back = *matrix * rig.skeleton.joint_from_bind()[joint];
        assert!(back.abs_diff_eq(Mat4::IDENTITY, 1e-5), "joint {joint} rests as it is bound");
    }
    for finger in 0..FINGERS.len() {
        let [first, last] = [1 + 3 * finger, 3 + 3 * finger];
        let mut pose = rig.skeleton.rest_pose();
        let turn = Quat::from_rotation_x(0.5);
        pose.parent_from_joint[first] = pose.parent_from_joint[first].turned(turn);
        let bent = rig.skeleton.world_from_joint(&pose);
        assert!(bent[last].w_axis.z > at_rest[last].w_axis.z + 0.1, "{finger}");
    }
}

#[test]
fn its_surfaces_face_outwards() {
    let rig = rig();
    let enclosed = |of_joint: &dyn Fn(JointIndex) -> bool| -> f32 {
        let is_of = |corner: u32| of_joint(rig.mesh.influences[corner as usize].strongest());
        let triangles = rig.mesh.triangles.iter();
        let volumes = triangles.filter(|corners| is_of(corners[0])).map(|corners| {
            let [a, b, c] = corners.map(|corner| rig.mesh.positions[corner as usize]);
            // Seen from the middle of the hand.
            let middle = Vec3::new(0.1, 0.6, 0.0);
            (a - middle).dot((b - middle).cross(c - middle)) / 6.0
        });
        volumes.sum()
    };
    let (palm, fingers) = (enclosed(&|joint| joint.0 == 0), enclosed(&|joint| joint.0 > 0));
    assert!(palm > 0.2 && fingers > 0.1, "{palm} {fingers}");
}
