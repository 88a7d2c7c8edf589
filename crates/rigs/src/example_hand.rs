//! The hand of `docs/examples/hands`, a model that belongs to a lesson and is not part of the
//! program. `UPDATE_SNAPSHOTS=1 cargo test -p bindpose-rigs example_hand` regenerates its file.
//!
//! The hand lies in the plane z = 0 with the wrist at the origin, the fingers along +y and the palm
//! facing +z. A positive rotation of a finger joint about its x axis bends it towards the palm.

use std::path::Path;

use bindpose_gltf::Rig;
use bindpose_gltf::encoding::encode_glb;
use bindpose_skin::{Influences, Joint, JointIndex, Skeleton, Trs};
use glam::{DVec3, Mat4, Quat, Vec3};

use super::keyed_clips::{keyed_clip, rotation_track};
use super::mesh_builder::{LoftRing, MeshBuilder, palette_image, rounded_influences, smooth_step};

const FILE: &str = "docs/examples/hands/10-hands/hand.glb";
const SEGMENTS: u32 = 14;
/// Half the length of the blend between two joints, relative to the shorter bone.
const BLEND: f64 = 0.35;

struct Finger {
    name: &'static str,
    knuckle: [f64; 3],
    /// Direction of the finger, not normalized.
    along: [f64; 3],
    /// Lengths of the bones.
    bones: [f64; 3],
    /// Radius at the knuckle and at the tip.
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

    fn joint_position(&self, index: usize) -> DVec3 {
        let distance: f64 = self.bones.iter().take(index).sum();
        DVec3::from_array(self.knuckle) + self.along() * distance
    }

    /// Returns the rotation of all joints, with y along the finger and z out of the palm.
    fn world_from_joint(&self) -> Quat {
        let y = self.along().as_vec3();
        let x = y.cross(Vec3::Z).normalize_or_zero();
        Quat::from_mat3(&glam::Mat3::from_cols(x, y, x.cross(y)))
    }

    /// Returns the distance of a point from the knuckle along the finger.
    fn height(&self, position: DVec3) -> f64 {
        (position - DVec3::from_array(self.knuckle)).dot(self.along())
    }

    /// Returns the influences of a vertex. `first` is the index of the finger's first joint.
    fn influences(&self, first: u16, position: DVec3) -> Influences {
        let [one, two, three] = self.bones;
        let height = self.height(position);
        let [a, b, c] =
            [(0.0, 0.4 * one), (one, two), (one + two, three)].map(|(joint, shorter_bone)| {
                let half = BLEND * shorter_bone;
                smooth_step(joint - half, joint + half, height)
            });
        rounded_influences(&[
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
        let rotation = finger.world_from_joint();
        for index in 0..3 {
            let position = finger.joint_position(index).as_vec3();
            let world_from_bind = Trs { rotation, ..Trs::at(position) };
            let (parent, parent_from_joint) = if index == 0 {
                (0, world_from_bind)
            } else {
                let bone = finger.bones[index - 1] as f32;
                (joints.len() as u16 - 1, Trs::at(Vec3::Y * bone))
            };
            joints.push(Joint {
                name: format!("{}_{}", finger.name, index + 1),
                parent: Some(JointIndex(parent)),
                parent_from_joint_at_rest: parent_from_joint,
                joint_from_bind: world_from_bind.matrix().inverse(),
            });
        }
    }
    Skeleton::new(joints).expect("a sound skeleton")
}

fn rig() -> Rig {
    let (image, [skin]) = palette_image([[0xD9, 0xB8, 0x9C]]);
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
    builder.loft(&rings, 2 * SEGMENTS, skin, |_| rounded_influences(&[(0, 1.0)]));
    for (number, finger) in (0_u16..).zip(&FINGERS) {
        let first = 1 + 3 * number;
        builder.loft(&finger_rings(finger), SEGMENTS, skin, |position| {
            finger.influences(first, position)
        });
    }
    Rig { clips: vec![fist_clip()], ..Rig::new("hand", "Hand", skeleton(), builder.finish(image)) }
}

/// Returns the rings of a finger, from within the palm to the tip.
fn finger_rings(finger: &Finger) -> Vec<LoftRing> {
    let length: f64 = finger.bones.iter().sum();
    let [knuckle, tip] = finger.radii;
    let along = finger.along();
    let v = along.cross(DVec3::Z).normalize();
    let u = v.cross(along);
    let steps = 34;
    let start = -0.3;
    (0..=steps)
        .map(|step| {
            let t = f64::from(step) / f64::from(steps);
            let height = start + (length - start) * t;
            let base_radius = knuckle + (tip - knuckle) * (height / length).clamp(0.0, 1.0);
            // Rounds the tip.
            let rest = ((length - height) / tip).clamp(0.0, 1.0);
            let tip_factor = (1.0 - (1.0 - rest) * (1.0 - rest)).max(0.0).sqrt();
            // Widens the finger from a point within the palm.
            let palm_factor = smooth_step(start, 0.05, height).sqrt();
            let radius = if step == 0 || step == steps {
                0.0
            } else {
                base_radius * tip_factor * palm_factor
            };
            LoftRing {
                center: DVec3::from_array(finger.knuckle) + along * height,
                u: u * radius,
                v: v * radius,
            }
        })
        .collect()
}

/// Creates a clip in which all fingers close and open again.
fn fist_clip() -> bindpose_skin::Clip {
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
            channels.push(rotation_track(1 + 3 * number + index, &times, &[rest, closed, rest]));
        }
    }
    keyed_clip("fist", channels)
}

#[test]
fn the_committed_hand_equals_the_generated_one() {
    let bytes = encode_glb(&rig()).expect("a file");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&file, &bytes).expect("the folder is there");
    }
    let committed = std::fs::read(&file).unwrap_or_default();
    let hint = "UPDATE_SNAPSHOTS=1 cargo test -p bindpose-rigs example_hand writes it anew";
    assert!(committed == bytes, "{FILE} is not what the code makes: {hint}");
}

#[test]
fn positive_angles_bend_fingers_towards_the_palm() {
    let rig = rig();
    let at_rest = rig.skeleton.world_from_joint(&rig.skeleton.rest_pose());
    for (joint, matrix) in at_rest.iter().enumerate() {
        let world_from_bind = *matrix * rig.skeleton.joint_from_bind()[joint];
        assert!(world_from_bind.abs_diff_eq(Mat4::IDENTITY, 1e-5), "joint {joint}");
    }
    for finger in 0..FINGERS.len() {
        let first = 1 + 3 * finger;
        let last = first + 2;
        let mut pose = rig.skeleton.rest_pose();
        let rotation = Quat::from_rotation_x(0.5);
        pose.parent_from_joint[first] = pose.parent_from_joint[first].turned(rotation);
        let bent = rig.skeleton.world_from_joint(&pose);
        assert!(bent[last].w_axis.z > at_rest[last].w_axis.z + 0.1, "{finger}");
    }
}

#[test]
fn surfaces_face_outwards() {
    let rig = rig();
    let centre = Vec3::new(0.1, 0.6, 0.0);
    let mut palm_volume = 0.0;
    let mut finger_volume = 0.0;
    for corners in &rig.mesh.triangles {
        let [a, b, c] = corners.map(|corner| rig.mesh.positions[corner as usize] - centre);
        let volume = a.dot(b.cross(c)) / 6.0;
        if rig.mesh.influences[corners[0] as usize].strongest() == JointIndex(0) {
            palm_volume += volume;
        } else {
            finger_volume += volume;
        }
    }
    assert!(palm_volume > 0.2 && finger_volume > 0.1, "{palm_volume} {finger_volume}");
}
