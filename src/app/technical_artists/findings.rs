//! The twelve findings of the page. Each is produced by breaking a bundled model in the way that
//! other programs do.

use glam::{Quat, Vec3};
use serde_json::{Value, json};

use super::Model;

/// A finding and its pictures: the problem on the left, the correct model on the right.
pub(super) struct PicturedFinding {
    pub(super) code: &'static str,
    /// Makes the model with the finding.
    pub(super) broken: fn() -> Model,
    /// Makes the correct model.
    pub(super) right: fn() -> Model,
    /// Makes the model of the left picture if this program shows the broken model correctly.
    pub(super) elsewhere: Option<fn() -> Model>,
    /// Settings of the steps of both pictures.
    pub(super) set: [&'static str; 2],
    /// Body of both viewports.
    pub(super) view: &'static str,
}

const LEGS: &str =
    "view = \"three-quarter\"\ntarget = [0, 2.5, 0]\nheight = 6.6\nshow = [\"mesh\"]";
const LEGS_WITH_JOINTS: &str =
    "view = \"three-quarter\"\ntarget = [0, 2.5, 0]\nheight = 6.6\nshow = [\"mesh\", \"joints\"]";

pub(super) const FINDINGS: [PicturedFinding; 12] = [
    PicturedFinding {
        code: "SIZE_AT_REST",
        broken: in_centimetres,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: LEGS,
    },
    PicturedFinding {
        code: "REST_IS_NOT_BIND",
        broken: in_a_pose,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: LEGS_WITH_JOINTS,
    },
    PicturedFinding {
        code: "WEIGHTS_ZERO",
        broken: without_weights,
        right: arm,
        elsewhere: None,
        set: ["clip = \"wave\"\ntime = 0.5"; 2],
        view: "view = \"front\"\ntarget = [1.7, 0.6, 0]\nheight = 4\nshow = [\"mesh\"]",
    },
    PicturedFinding {
        code: "ACCESSOR_WEIGHTS_NON_NORMALIZED",
        broken: weights_below_one,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: LEGS,
    },
    PicturedFinding {
        code: "INFLUENCES_BEYOND_FIRST_SET",
        broken: tentacle,
        right: four_influences,
        elsewhere: Some(first_set_alone),
        set: ["all = 0.1"; 2],
        view: "view = \"right\"\ntarget = [0, 2, 0]\nheight = 5\nshow = [\"mesh\"]",
    },
    PicturedFinding {
        code: "NODE_SKINNED_MESH_LOCAL_TRANSFORMS",
        broken: whale,
        right: whale_without_transform,
        elsewhere: None,
        set: ["mesh-node = \"applied\"", ""],
        view: "view = \"three-quarter\"\ntarget = [0.7, 0.3, 0]\nheight = 5.5\nshow = [\"mesh\", \"joints\"]",
    },
    PicturedFinding {
        code: "MESH_OFF_SKELETON",
        broken: mesh_on_its_back,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: "view = \"three-quarter\"\ntarget = [0, 2, 0]\nheight = 9\nshow = [\"mesh\", \"joints\"]",
    },
    PicturedFinding {
        code: "IBM_OTHER_UNIT",
        broken: binds_in_metres,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: "view = \"three-quarter\"\ntarget = [0, 4.5, 0]\nheight = 11\nshow = [\"mesh\", \"joints\"]",
    },
    PicturedFinding {
        code: "CLIP_OTHER_UNIT",
        broken: clip_in_centimetres,
        right: arm,
        elsewhere: None,
        set: ["clip = \"reach\"\ntime = 0.4"; 2],
        view: "view = \"front\"\ntarget = [2.5, -0.4, 0]\nheight = 4.5\nshow = [\"mesh\", \"joints\"]",
    },
    PicturedFinding {
        code: "CLIP_MOVES_NOTHING",
        broken: clip_of_a_copy,
        right: whale,
        elsewhere: None,
        set: ["clip = \"turn\"\ntime = 0.5"; 2],
        view: "view = \"top\"\nshow = [\"mesh\"]",
    },
    PicturedFinding {
        code: "FACES_INSIDE_OUT",
        broken: inside_out,
        right: legs,
        elsewhere: None,
        set: ["faults = [\"one-sided\"]"; 2],
        view: LEGS,
    },
    PicturedFinding {
        code: "COLORS_BLACK",
        broken: black,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: LEGS,
    },
];

fn legs() -> Model {
    Model::bundled("legs")
}

fn arm() -> Model {
    Model::bundled("arm")
}

fn whale() -> Model {
    Model::bundled("whale")
}

fn tentacle() -> Model {
    Model::bundled("tentacle")
}

/// Adds an armature with a scale of 0.01 above the joints, as in models in centimetres.
fn in_centimetres() -> Model {
    let mut model = legs();
    let armature = model.push("/nodes", json!({"scale": [0.01, 0.01, 0.01], "children": [1]}));
    *model.value_mut("/scenes/0/nodes") = json!([0, armature]);
    model
}

/// Poses the joints as if the model had been exported in the middle of a step.
fn in_a_pose() -> Model {
    let mut model = legs();
    for (node, degrees) in [(2, -50.0_f32), (3, 60.0), (4, 25.0), (5, 15.0)] {
        let turn = Quat::from_rotation_x(degrees.to_radians()).to_array();
        model.value_mut(&format!("/nodes/{node}"))["rotation"] = json!(turn);
    }
    model
}

/// Removes the weights of some vertices near the hand.
fn without_weights() -> Model {
    let mut model = arm();
    let position_accessor = model.attribute("POSITION");
    let positions = model.floats(position_accessor);
    let weight_accessor = model.attribute("WEIGHTS_0");
    model.change_floats(weight_accessor, |weights| {
        let vertices = weights.chunks_exact_mut(4).zip(positions.chunks_exact(3));
        for (vertex, (weights, position)) in vertices.enumerate() {
            if position[0] > 3.2 && vertex % 9 == 0 {
                weights.fill(0.0);
            }
        }
    });
    model
}

/// Reduces the weights of vertices that two joints share.
fn weights_below_one() -> Model {
    let mut model = legs();
    let weights = model.attribute("WEIGHTS_0");
    model.change_floats(weights, |weights| {
        for weights in weights.chunks_exact_mut(4).filter(|weights| weights[1] > 0.0) {
            for weight in weights {
                *weight *= 0.85;
            }
        }
    });
    model
}

/// Removes the second set of influences, which some programs do not read.
fn first_set_alone() -> Model {
    let mut model = tentacle();
    let attributes = model.value_mut("/meshes/0/primitives/0/attributes").as_object_mut();
    attributes.expect("an object").retain(|name, _| !name.ends_with("_1"));
    model
}

/// Limits influences to four and normalises them, as exporters do.
fn four_influences() -> Model {
    let mut model = first_set_alone();
    let weights = model.attribute("WEIGHTS_0");
    model.change_floats(weights, |weights| {
        for weights in weights.chunks_exact_mut(4) {
            let sum: f32 = weights.iter().sum();
            for weight in weights {
                *weight /= sum;
            }
        }
    });
    model
}

fn whale_without_transform() -> Model {
    let mut model = whale();
    model.value_mut("/nodes/0").as_object_mut().expect("an object").remove("matrix");
    model
}

/// Rotates the mesh, but not the skeleton, to z up.
fn mesh_on_its_back() -> Model {
    let mut model = legs();
    for attribute in ["POSITION", "NORMAL"] {
        let accessor = model.attribute(attribute);
        model.change_floats(accessor, |numbers| {
            for place in numbers.chunks_exact_mut(3) {
                let turned = Vec3::new(place[0], -place[2], place[1]);
                place.copy_from_slice(&turned.to_array());
            }
        });
    }
    model
}

/// Converts translations of the inverse bind matrices to metres, but not those of the nodes.
fn binds_in_metres() -> Model {
    let mut model = legs();
    let binds = model.index("/skins/0/inverseBindMatrices");
    model.change_floats(binds, |numbers| {
        for matrix in numbers.chunks_exact_mut(16) {
            matrix[12..15].iter_mut().for_each(|number| *number /= 100.0);
        }
    });
    model
}

/// Converts the translations of a clip to centimetres.
fn clip_in_centimetres() -> Model {
    let mut model = arm();
    let clips = model.value_mut("/animations").as_array_mut().expect("clips");
    clips.retain(|clip| clip["name"] == "reach");
    let channels = clips[0]["channels"].as_array().expect("channels");
    let translation = channels
        .iter()
        .find(|channel| channel["target"]["path"] == "translation")
        .expect("a translation");
    let sampler = translation["sampler"].clone();
    let keys = model.index(&format!("/animations/0/samplers/{sampler}/output"));
    model.change_floats(keys, |keys| keys.iter_mut().for_each(|number| *number *= 100.0));
    model
}

/// Makes the clip move a copy of the armature, which no mesh follows.
fn clip_of_a_copy() -> Model {
    let mut model = whale();
    let nodes = model.value_mut("/nodes").as_array_mut().expect("nodes");
    let index_offset = nodes.len() - 1;
    let mut copies = nodes[1..].to_vec();
    for copy in &mut copies {
        if let Some(children) = copy.get_mut("children").and_then(Value::as_array_mut) {
            for child in children {
                *child = offset_index(child, index_offset);
            }
        }
    }
    nodes.extend(copies);
    model.push("/scenes/0/nodes", json!(1 + index_offset));
    for clip in model.value_mut("/animations").as_array_mut().expect("clips") {
        for channel in clip["channels"].as_array_mut().expect("channels") {
            let node = &mut channel["target"]["node"];
            *node = offset_index(node, index_offset);
        }
    }
    model
}

fn offset_index(index: &Value, offset: usize) -> Value {
    json!(index.as_u64().expect("an index") as usize + offset)
}

/// Reverses the winding, as an applied negative scale does.
fn inside_out() -> Model {
    let mut model = legs();
    model.reverse_winding();
    model
}

/// Adds a layer of unpainted, black vertex colours.
fn black() -> Model {
    let mut model = legs();
    let colors = model.add_black_colors();
    model.value_mut("/meshes/0/primitives/0/attributes")["COLOR_0"] = json!(colors);
    model
}
