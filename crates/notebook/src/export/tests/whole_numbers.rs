//! Weights exported as integers, parsed by the gltf crate and by this program.

use std::sync::Arc;

use bindpose_lesson::Lesson;
use bindpose_rigs::builtin;
use bindpose_skin::{Influences, JointIndex, WeightFormat};
use gltf::mesh::util::ReadWeights;

use super::reopened;
use crate::test_sample::exported;
use crate::{Derived, Document, Edit, apply};

const FORMATS: [(&str, WeightFormat); 2] =
    [("rig-glb-bytes", WeightFormat::Bytes), ("rig-glb-shorts", WeightFormat::Shorts)];

/// Joint and integer weight of every lane of a vertex.
type Lanes = Vec<(u16, u16)>;

/// The tentacle painted with seven joints on one vertex, and two with 0.2 each on
/// another; and the same with a vertex of ten.
fn painted() -> [Derived; 2] {
    let rig = builtin("tentacle").unwrap();
    let mut document = Document::default();
    let sevenths: Vec<_> = (0..7).map(|joint| (JointIndex(joint), 1.0 / 7.0)).collect();
    let fifths = [(JointIndex(3), 0.2), (JointIndex(1), 0.2)];
    let painted = [(505, &sevenths[..]), (9, &fifths)];
    let painted = painted.map(|(vertex, pairs)| (vertex, Influences::new(pairs)));
    let edit = Edit::Paint(painted.into());
    apply(&mut document, &edit, &Lesson::default(), &rig).unwrap();
    let mut many = (*rig).clone();
    let ten: Vec<_> = (0..10).map(|joint| (JointIndex(joint), 0.1)).collect();
    Arc::make_mut(&mut many.mesh).many.insert(7, ten);
    [rig, Arc::new(many)].map(|rig| Derived::of_document(&document, None, &rig))
}

/// The lanes as the gltf crate parses them.
fn lanes_in(file: &[u8], format: WeightFormat) -> Vec<Lanes> {
    let file = gltf::Gltf::from_slice(file).unwrap();
    let blob = file.blob.as_deref().unwrap();
    let primitive = file.meshes().next().unwrap().primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(blob));
    let mut vertices: Vec<Lanes> = Vec::new();
    for set in 0.. {
        let Some(weights) = reader.read_weights(set) else {
            break;
        };
        let weights: Vec<[u16; 4]> = match (format, weights) {
            (WeightFormat::Bytes, ReadWeights::U8(all)) => {
                all.map(|four| four.map(u16::from)).collect()
            }
            (WeightFormat::Shorts, ReadWeights::U16(all)) => all.collect(),
            _ => panic!("{format:?}: other numbers"),
        };
        let joints = reader.read_joints(set).unwrap().into_u16();
        vertices.resize(weights.len(), Vec::new());
        for (lanes, (joints, weights)) in vertices.iter_mut().zip(joints.zip(weights)) {
            lanes.extend(joints.into_iter().zip(weights));
        }
    }
    vertices
}

fn used(lanes: &Lanes) -> Lanes {
    let lanes = lanes.iter().copied();
    lanes.filter(|(_, weight)| *weight > 0).collect()
}

#[test]
fn integer_weights_keep_their_sum() {
    for (derived, most_lanes) in painted().iter().zip([8, 12]) {
        for (key, format) in FORMATS {
            let vertices = lanes_in(&exported(key, derived), format);
            assert_eq!(vertices.len(), derived.influences.len());
            for (vertex, lanes) in vertices.iter().enumerate() {
                assert_eq!(lanes.len(), most_lanes, "{key}");
                let sum: u32 = lanes.iter().map(|&(_, weight)| u32::from(weight)).sum();
                assert_eq!(sum, u32::from(format.most()), "{key} v{vertex}");
                let mut unused = lanes.iter().filter(|(_, weight)| *weight == 0);
                assert!(unused.all(|&(joint, _)| joint == 0), "{key} v{vertex}");
            }
            let halves = [(3, format.most().div_ceil(2)), (1, format.most() / 2)];
            assert_eq!(used(&vertices[9]), halves, "{key}");
        }
    }
}

#[test]
fn integer_weights_are_parsed_with_a_sum_of_1() {
    for derived in &painted() {
        for (key, format) in FORMATS {
            let vertices = lanes_in(&exported(key, derived), format);
            let read = reopened(key, derived);
            for (vertex, lanes) in vertices.iter().enumerate() {
                let sum = read.mesh.stored_sums[vertex];
                assert!((sum - 1.0).abs() < 1e-6, "{key} v{vertex}: {sum}");
                for (joint, number) in used(lanes) {
                    let exact = f32::from(number) / f32::from(format.most());
                    let eight = read.mesh.influences[vertex].used();
                    let eight: Vec<_> = eight.map(|(_, joint, weight)| (joint, weight)).collect();
                    let all = read.mesh.many.get(&(vertex as u32)).unwrap_or(&eight);
                    let found = all.iter().find(|one| one.0.0 == joint).map(|one| one.1);
                    let found = found.unwrap();
                    assert!((found - exact).abs() < 1e-6, "{key} v{vertex}: {found} {exact}");
                }
            }
        }
    }
}
