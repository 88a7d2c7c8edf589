//! Faults of every kind, thirty at random on each of two creatures, and sound creatures without
//! findings.

use std::f64::consts::FRAC_PI_2;

use glam::{DMat4, DQuat, DVec3, EulerRot};
use serde_json::json;

use super::creatures::{Creature, creature, local_of, world_of};
use super::made::Model;
use super::skeletons::Numbers;
use super::*;

/// Number of random files of each kind.
const FILE_COUNT: u64 = 30;
/// Number of files of which the fault must be named, alone. Random numbers may leave a fault
/// without an effect.
const MIN_NAMED: usize = 28;

/// Returns the codes of errors and warnings.
fn problem_codes(model: &Model) -> Vec<&'static str> {
    let report = report(&model.source());
    let problems = report.findings.iter().filter(|finding| finding.severity != Severity::Note);
    problems.map(|finding| finding.code).collect()
}

/// Asserts that the fault is named, and nothing else, in most random files.
#[track_caller]
fn assert_named(code: &str, falsify: impl Fn(&mut Creature, &mut Numbers)) {
    assert_named_in(code, 1, |creature, numbers| {
        let mut creature = creature;
        falsify(&mut creature, numbers);
        creature.model()
    });
}

/// Like [`assert_named`], for every `step`th seed: 2 for quadrupeds alone.
#[track_caller]
fn assert_named_in(code: &str, step: u64, build: impl Fn(Creature, &mut Numbers) -> Model) {
    let mut named_count = 0;
    let mut others = Vec::new();
    for seed in 0..FILE_COUNT {
        let mut numbers = Numbers(seed * 7919 + 13);
        let creature = creature(seed * step, &mut numbers);
        let model = build(creature, &mut numbers);
        let codes = problem_codes(&model);
        if codes == [code] {
            named_count += 1;
            assert_mended(&model, code);
        } else {
            others.push((seed, codes));
        }
    }
    assert!(named_count >= MIN_NAMED, "{code}: {named_count} named, others {others:?}");
}

/// Asserts that mending removes the fault, if it is mendable, and leaves no other.
#[track_caller]
fn assert_mended(model: &Model, code: &str) {
    let source = model.source();
    let report = report(&source);
    if finding(&report, code).mendable {
        let mended = mend(&source, Container::Glb, &TaskProgress::default());
        let mended = mended.unwrap_or_else(|why| panic!("{code}: {why}"));
        assert_eq!(mended.left().count(), 0, "{code}: {:?}", mended.report.findings);
    }
}

#[test]
fn sound_creatures_have_no_findings_in_any_rest_pose() {
    for seed in 0..300 {
        let mut numbers = Numbers(seed * 31 + 7);
        let mut creature = creature(seed, &mut numbers);
        assert_eq!(problem_codes(&creature.model()), [""; 0], "{seed}");
        // Posed joints, and keys that lead back to the bind pose.
        for rotation in creature.rotations.iter_mut().skip(1) {
            *rotation = (DQuat::from_array(*rotation) * numbers.turn(1.2)).to_array();
        }
        assert_eq!(problem_codes(&creature.model()), [""; 0], "posed {seed}");
    }
}

#[test]
fn nodes_that_contradict_matrices_and_mesh_are_blamed() {
    assert_named("NODES_ARE_WORLD", |creature, _| creature.set_local(&creature.bound()));
    assert_named("NODES_OTHER_AXES", |creature, numbers| {
        let angle = if numbers.next() > 0.0 { FRAC_PI_2 } else { -FRAC_PI_2 };
        let turn = DMat4::from_rotation_x(angle);
        let local = creature.local();
        let turned: Vec<DMat4> =
            local.iter().map(|&matrix| turn * matrix * turn.inverse()).collect();
        creature.set_local(&turned);
    });
    assert_named("NODES_OTHER_HAND", |creature, numbers| {
        let mut scale = DVec3::ONE;
        scale[1 + numbers.below(2)] = -1.0;
        let mirror = DMat4::from_scale(scale);
        let local = creature.local();
        let mirrored: Vec<DMat4> = local.iter().map(|&matrix| mirror * matrix * mirror).collect();
        creature.set_local(&mirrored);
    });
    assert_named("NODES_OTHER_UNIT", |creature, numbers| {
        let factor = [100.0, 0.01, 1000.0, 39.370_08][numbers.below(4)];
        creature.translations.iter_mut().for_each(|translation| *translation *= factor);
    });
    assert_named("NODES_WITHOUT_TRANSFORM", |creature, _| {
        creature.set_local(&vec![DMat4::IDENTITY; creature.names.len()]);
    });
}

#[test]
fn rotations_of_nodes_in_another_form_are_recognized() {
    let falsify = |creature: &mut Creature, change: &dyn Fn(DQuat) -> [f64; 4]| {
        for rotation in &mut creature.rotations {
            *rotation = change(DQuat::from_array(*rotation));
        }
    };
    assert_named("NODES_WHOLE_ANGLE", |creature, _| {
        falsify(creature, &|rotation| (rotation * rotation).to_array());
    });
    assert_named("NODES_TURN_BACK", |creature, _| {
        falsify(creature, &|rotation| rotation.inverse().to_array());
    });
    assert_named("NODES_OTHER_ORDER", |creature, numbers| {
        let order = [EulerRot::ZYX, EulerRot::YXZ, EulerRot::ZXY][numbers.below(3)];
        falsify(creature, &|rotation| {
            let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
            match order {
                EulerRot::ZYX => DQuat::from_euler(order, z, y, x),
                EulerRot::YXZ => DQuat::from_euler(order, y, x, z),
                _ => DQuat::from_euler(order, z, x, y),
            }
            .to_array()
        });
    });
    for unit in [57.295_779_513_082_32, 1.0] {
        assert_named("NODES_HOLD_ANGLES", |creature, _| {
            falsify(creature, &|rotation| {
                let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
                [unit * x, unit * y, unit * z, 1.0]
            });
        });
        assert_named("NODES_HOLD_ANGLES", |creature, _| {
            falsify(creature, &|rotation| {
                let (axis, angle_rad) = rotation.to_axis_angle();
                axis.extend(unit * angle_rad).to_array()
            });
        });
    }
}

#[test]
fn node_matrices_by_rows_are_recognized_and_mended() {
    assert_named_in("NODE_MATRIX_BY_ROWS", 1, |creature, _| {
        let mut model = creature.model();
        model.remove("/animations");
        for (joint, matrix) in creature.local().into_iter().enumerate() {
            let node = model.list("nodes")[joint].as_object_mut().unwrap();
            node.remove("translation");
            node.remove("rotation");
            node.insert("matrix".to_owned(), json!(matrix.transpose().to_cols_array()));
        }
        model
    });
}

#[test]
fn meshes_in_other_poses_and_spaces_are_recognized() {
    assert_named("MESH_ALREADY_POSED", |creature, numbers| {
        let mut local = creature.local();
        for matrix in local.iter_mut().skip(1) {
            *matrix *= DMat4::from_quat(numbers.turn(1.2));
        }
        let world = world_of(&local, &creature.parents);
        creature.positions = creature.skinned(&world);
        creature.set_local(&local);
    });
    assert_named("MESH_IN_JOINT_SPACE", |creature, _| {
        for (vertex, position) in creature.positions.iter_mut().enumerate() {
            creature.weights[vertex] = [1.0, 0.0];
            creature.joints[vertex][1] = 0;
            *position = creature.binds[creature.joints[vertex][0]].transform_point3(*position);
        }
    });
    assert_named("JOINTS_AT_TAILS", |creature, _| {
        let mut world = creature.bound();
        for (matrix, end) in world.iter_mut().zip(&creature.ends) {
            matrix.w_axis = end.extend(1.0);
        }
        creature.bind(&world);
    });
    assert_named("IBM_SHEARED", |creature, numbers| {
        let scale = DVec3::new(1.0, 1.8 + 0.3 * numbers.next(), 0.7);
        let above = DMat4::from_scale(scale);
        let world: Vec<DMat4> = creature.bound().iter().map(|&matrix| above * matrix).collect();
        let rigid: Vec<DMat4> = world.iter().map(|&matrix| without_shear(matrix)).collect();
        creature.binds = world.iter().map(DMat4::inverse).collect();
        creature.positions.iter_mut().for_each(|position| *position *= scale);
        creature.set_local(&local_of(&rigid, &creature.parents));
    });
}

/// Returns a rotation and a translation near a matrix.
fn without_shear(matrix: DMat4) -> DMat4 {
    let x = matrix.x_axis.truncate().normalize();
    let y = matrix.y_axis.truncate();
    let y = (y - y.dot(x) * x).normalize();
    let axes = glam::DMat3::from_cols(x, y, x.cross(y));
    DMat4::from_mat3_translation(axes, matrix.w_axis.truncate())
}

#[test]
fn joints_of_vertices_that_are_coded_otherwise_are_recognized() {
    assert_named_in("SIDES_SWAPPED", 2, |mut creature, _| {
        let names = creature.names.clone();
        let other = |joint: usize| {
            let name = names[joint].replace(".L", ".X").replace(".R", ".L").replace(".X", ".R");
            names.iter().position(|other| *other == name).unwrap()
        };
        for joints in &mut creature.joints {
            *joints = joints.map(other);
        }
        creature.model()
    });
    assert_named("JOINTS_SHIFTED", |creature, numbers| {
        let offset = 2 + numbers.below(5);
        for (joints, weights) in creature.joints.iter_mut().zip(&creature.weights) {
            joints[0] += offset;
            joints[1] = if weights[1] > 0.0 { joints[1] + offset } else { 0 };
        }
    });
    assert_named("JOINTS_OF_NEIGHBOUR", |creature, numbers| {
        if numbers.next() > 0.0 {
            creature.joints.rotate_right(1);
            creature.weights.rotate_right(1);
        } else {
            creature.joints.rotate_left(1);
            creature.weights.rotate_left(1);
        }
    });
    assert_named("ACCESSOR_WEIGHTS_NON_NORMALIZED", |creature, _| {
        for weights in &mut creature.weights {
            let length = weights[0].hypot(weights[1]);
            *weights = weights.map(|weight| weight / length);
        }
    });
}

/// Returns a file whose skin has helpers before the joints of the creature.
fn with_helpers(creature: &Creature, helper_count: usize) -> Model {
    let count = creature.names.len();
    let mut model = creature.model();
    let away = creature.bound()[0].w_axis.truncate() - DVec3::new(0.0, 0.0, 9.0);
    let mut binds = vec![DMat4::from_translation(-away); helper_count];
    binds.extend(&creature.binds);
    let first = model.list("nodes").len();
    for _ in 0..helper_count {
        model.list("nodes").push(json!({"translation": away.to_array()}));
    }
    let helpers: Vec<usize> = (first..first + helper_count).collect();
    let rig: Vec<usize> = helpers.iter().copied().chain([0]).collect();
    model.list("nodes").push(json!({"name": "rig", "children": rig}));
    let joints: Vec<usize> = helpers.into_iter().chain(0..count).collect();
    let numbers: Vec<f32> =
        binds.iter().flat_map(DMat4::to_cols_array).map(|number| number as f32).collect();
    model.floats("MAT4", &numbers);
    let accessor = model.list("accessors").len() - 1;
    model.put("/skins/0", json!({"joints": joints, "inverseBindMatrices": accessor}));
    model.put("/scenes/0/nodes", json!([first + helper_count, count]));
    model
}

/// Renumbers the joints of all influences with a weight.
fn renumber(creature: &mut Creature, numbering: impl Fn(usize) -> usize) {
    for (joints, weights) in creature.joints.iter_mut().zip(&creature.weights) {
        joints[0] = numbering(joints[0]);
        joints[1] = if weights[1] > 0.0 { numbering(joints[1]) } else { 0 };
    }
}

#[test]
fn joints_that_did_not_fit_into_a_byte_are_recognized_and_mended() {
    for is_signed in [false, true] {
        assert_named_in("JOINTS_WRAPPED", 1, |mut creature, numbers| {
            let least = if is_signed { 130 } else { 256 };
            let helper_count = least + numbers.below(40);
            renumber(&mut creature, |joint| {
                let joint = joint + helper_count;
                // A signed byte that is written as a short has a high byte of ones.
                if is_signed { joint + 0xFF00 } else { joint % 256 }
            });
            with_helpers(&creature, helper_count)
        });
    }
}

#[test]
fn rotation_keys_in_another_form_are_recognized() {
    let falsify = |creature: &mut Creature, change: &dyn Fn(usize, DQuat) -> DQuat| {
        for (joint, keys) in creature.keys.iter_mut().enumerate() {
            for key in keys {
                *key = change(joint, DQuat::from_array(*key)).to_array();
            }
        }
    };
    assert_named("CLIP_OF_CHANGES", |creature, _| {
        let rest = creature.rotations.clone();
        falsify(creature, &|joint, key| DQuat::from_array(rest[joint]).inverse() * key);
    });
    assert_named("CLIP_OTHER_ROTATIONS", |creature, _| falsify(creature, &|_, key| key * key));
    assert_named("CLIP_OTHER_ROTATIONS", |creature, _| {
        falsify(creature, &|_, key| key.inverse());
    });
    assert_named("CLIP_IN_WORLD", |creature, _| {
        let world = world_of(&creature.local(), &creature.parents);
        let parents = creature.parents.clone();
        falsify(creature, &|joint, key| {
            let above =
                parents[joint].map_or(DQuat::IDENTITY, |parent| DQuat::from_mat4(&world[parent]));
            above * key
        });
    });
}

#[test]
fn times_and_interpolations_of_other_meaning_are_recognized() {
    assert_named("CLIP_TIMES_ARE_TICKS", |creature, numbers| {
        let frame = [160.0, 200.0, 80.0][numbers.below(3)];
        creature.times_secs = [0.0, 7.0, 20.0].map(|frames| frame * frames).to_vec();
    });
    assert_named("CLIP_OTHER_INTERPOLATION", |creature, _| {
        for keys in &mut creature.keys {
            *keys = keys.iter().flat_map(|key| [[0.0; 4], *key, [0.0; 4]]).collect();
        }
    });
}

#[test]
fn big_endian_files_have_a_single_finding_and_are_mended() {
    assert_named_in("BYTES_REVERSED", 1, |creature, _| {
        let mut model = creature.model();
        for accessor in 0..model.list("accessors").len() {
            let size =
                if model.root["accessors"][accessor]["componentType"] == 5123 { 2 } else { 4 };
            let view = &model.root["bufferViews"][accessor];
            let [from, length] =
                ["byteOffset", "byteLength"].map(|name| view[name].as_u64().unwrap() as usize);
            for number in model.bin[from..from + length].chunks_exact_mut(size) {
                number.reverse();
            }
        }
        model
    });
}

#[test]
fn seams_that_open_in_a_clip_are_recognized() {
    assert_named_in("SEAM_OPENS", 1, |mut creature, numbers| {
        // A seam along the first side of the second tube, with a few wrong influences.
        let first = 56;
        let wrong = numbers.below(creature.names.len() / 2) + creature.names.len() / 2;
        for ring in 0..7 {
            let vertex = first + 8 * ring;
            let twin = creature.positions.len();
            creature.positions.push(creature.positions[vertex]);
            let is_wrong = (2..4).contains(&ring);
            creature.joints.push(if is_wrong { [wrong, 0] } else { creature.joints[vertex] });
            creature.weights.push(if is_wrong { [1.0, 0.0] } else { creature.weights[vertex] });
            // Triangles of the last side use the twin.
            let side = first + 8 * ring + 7;
            for triangle in &mut creature.triangles {
                let is_last_side = triangle.contains(&vertex)
                    && triangle.iter().any(|&at| at == side || at == side + 8);
                if is_last_side {
                    for corner in triangle {
                        if *corner == vertex {
                            *corner = twin;
                        }
                    }
                }
            }
        }
        creature.model()
    });
}

#[test]
fn meshes_that_fit_another_skin_are_recognized_and_mended() {
    assert_named_in("NODE_OTHER_SKIN", 1, |first, numbers| {
        let mut model = first.model();
        let mut second = creature(numbers.below(2) as u64, numbers);
        let away = DMat4::from_translation(DVec3::new(9.0, 0.0, 3.0));
        let world: Vec<DMat4> = second.bound().iter().map(|&matrix| away * matrix).collect();
        second.positions.iter_mut().for_each(|place| *place = away.transform_point3(*place));
        second.bind(&world);
        second.append_to(&mut model);
        let last = model.list("nodes").len() - 1;
        // A skin with fewer joints than the mesh uses has an error of its own.
        let (joints, own) = (first.names.len(), second.names.len());
        if own <= joints {
            model.put(&format!("/nodes/{last}/skin"), json!(0));
        } else {
            model.put(&format!("/nodes/{joints}/skin"), json!(1));
        }
        model
    });
}

#[test]
fn skins_in_another_order_than_their_mesh_are_recognized_and_mended() {
    assert_named_in("SKIN_OTHER_ORDER", 1, |first, numbers| {
        let mut model = first.model();
        let count = first.names.len();
        first.append_to(&mut model);
        model.put(&format!("/nodes/{}/mesh", 2 * count + 1), json!(0));
        let mut order: Vec<usize> = (0..count).collect();
        for joint in (1..count).rev() {
            order.swap(joint, numbers.below(joint + 1));
        }
        let binds: Vec<f32> = order
            .iter()
            .flat_map(|&joint| first.binds[joint].to_cols_array())
            .map(|number| number as f32)
            .collect();
        model.floats("MAT4", &binds);
        let accessor = model.list("accessors").len() - 1;
        let joints: Vec<usize> = order.iter().map(|joint| count + 1 + joint).collect();
        model.put("/skins/1", json!({"joints": joints, "inverseBindMatrices": accessor}));
        model.list("meshes").truncate(1);
        model
    });
}

#[test]
fn a_part_that_counts_in_a_list_of_its_own_is_recognized() {
    assert_named_in("JOINTS_OF_A_PART", 1, |mut creature, numbers| {
        let mut part = creature.split();
        let count = part.names.len();
        let first = count / 2;
        let mut list: Vec<usize> = (first..count).collect();
        for joint in (1..list.len()).rev() {
            list.swap(joint, numbers.below(joint + 1));
        }
        list.extend(0..first);
        for (joints, weights) in part.joints.iter_mut().zip(&part.weights) {
            *joints = joints.map(|joint| list.iter().position(|&listed| listed == joint).unwrap());
            joints[1] = if weights[1] > 0.0 { joints[1] } else { 0 };
        }
        let mut model = creature.model();
        let primitive = part.put_primitive(&mut model);
        let primitives = model.root.pointer_mut("/meshes/0/primitives").unwrap();
        primitives.as_array_mut().unwrap().push(primitive);
        model
    });
}

#[test]
fn a_small_skin_is_held_against_the_skeleton_that_it_belongs_to() {
    for code in ["MESH_OFF_SKELETON", "IBM_MISSING"] {
        assert_named_in(code, 1, |creature, numbers| {
            let mut model = creature.model();
            let joint = creature.names.len() - 1 - numbers.below(2);
            let mut crest = creature.clone();
            crest.keys.clear();
            crest.keep_joint(joint);
            let mut binds = creature.binds[joint].to_cols_array().map(|number| number as f32);
            if code == "MESH_OFF_SKELETON" {
                let factor = [100.0, 39.370_08][numbers.below(2)];
                crest.positions.iter_mut().for_each(|place| *place *= factor);
            } else {
                binds = DMat4::IDENTITY.to_cols_array().map(|number| number as f32);
            }
            let primitive = crest.put_primitive(&mut model);
            model.list("meshes").push(json!({"primitives": [primitive]}));
            model.floats("MAT4", &binds);
            let accessor = model.list("accessors").len() - 1;
            model.list("skins").push(json!({"joints": [joint], "inverseBindMatrices": accessor}));
            let node = model.list("nodes").len();
            model.list("nodes").push(json!({"name": "crest", "mesh": 1, "skin": 1}));
            let scene = model.root.pointer_mut("/scenes/0/nodes").unwrap();
            scene.as_array_mut().unwrap().push(json!(node));
            model
        });
    }
}
