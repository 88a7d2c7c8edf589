//! The twelve findings of the page, each made out of a model of ours as programs make it.

use glam::{Quat, Vec3};
use serde_json::{Value, json};

use super::Model;

/// A finding, and how it is pictured: on the left what is wrong, on the right what is
/// right.
pub(super) struct Shown {
    pub(super) code: &'static str,
    /// The model that gets it.
    pub(super) broken: fn() -> Model,
    /// The model as it should be.
    pub(super) right: fn() -> Model,
    /// What is pictured on the left, where this program shows the broken model right.
    pub(super) elsewhere: Option<fn() -> Model>,
    /// What the step of each picture sets.
    pub(super) set: [&'static str; 2],
    /// The body of both viewports.
    pub(super) view: &'static str,
}

const LEGS: &str =
    "view = \"three-quarter\"\ntarget = [0, 2.5, 0]\nheight = 6.6\nshow = [\"mesh\"]";
const LEGS_WITH_JOINTS: &str =
    "view = \"three-quarter\"\ntarget = [0, 2.5, 0]\nheight = 6.6\nshow = [\"mesh\", \"joints\"]";

pub(super) const SHOWN: [Shown; 12] = [
    Shown {
        code: "SIZE_AT_REST",
        broken: in_centimetres,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: LEGS,
    },
    Shown {
        code: "REST_IS_NOT_BIND",
        broken: in_a_pose,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: LEGS_WITH_JOINTS,
    },
    Shown {
        code: "WEIGHTS_ZERO",
        broken: without_weights,
        right: arm,
        elsewhere: None,
        set: ["clip = \"wave\"\ntime = 0.5"; 2],
        view: "view = \"front\"\ntarget = [1.7, 0.6, 0]\nheight = 4\nshow = [\"mesh\"]",
    },
    Shown {
        code: "ACCESSOR_WEIGHTS_NON_NORMALIZED",
        broken: weights_below_one,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: LEGS,
    },
    Shown {
        code: "INFLUENCES_BEYOND_FIRST_SET",
        broken: tentacle,
        right: four_influences,
        elsewhere: Some(first_set_alone),
        set: ["all = 0.1"; 2],
        view: "view = \"right\"\ntarget = [0, 2, 0]\nheight = 5\nshow = [\"mesh\"]",
    },
    Shown {
        code: "NODE_SKINNED_MESH_LOCAL_TRANSFORMS",
        broken: whale,
        right: whale_without_transform,
        elsewhere: None,
        set: ["mesh-node = \"applied\"", ""],
        view: "view = \"three-quarter\"\ntarget = [0.7, 0.3, 0]\nheight = 5.5\nshow = [\"mesh\", \"joints\"]",
    },
    Shown {
        code: "MESH_OFF_SKELETON",
        broken: mesh_on_its_back,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: "view = \"three-quarter\"\ntarget = [0, 2, 0]\nheight = 9\nshow = [\"mesh\", \"joints\"]",
    },
    Shown {
        code: "IBM_OTHER_UNIT",
        broken: binds_in_metres,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: "view = \"three-quarter\"\ntarget = [0, 4.5, 0]\nheight = 11\nshow = [\"mesh\", \"joints\"]",
    },
    Shown {
        code: "CLIP_OTHER_UNIT",
        broken: clip_in_centimetres,
        right: arm,
        elsewhere: None,
        set: ["clip = \"reach\"\ntime = 0.4"; 2],
        view: "view = \"front\"\ntarget = [2.5, -0.4, 0]\nheight = 4.5\nshow = [\"mesh\", \"joints\"]",
    },
    Shown {
        code: "CLIP_MOVES_NOTHING",
        broken: clip_of_a_copy,
        right: whale,
        elsewhere: None,
        set: ["clip = \"turn\"\ntime = 0.5"; 2],
        view: "view = \"top\"\nshow = [\"mesh\"]",
    },
    Shown {
        code: "FACES_INSIDE_OUT",
        broken: inside_out,
        right: legs,
        elsewhere: None,
        set: ["faults = [\"one-sided\"]"; 2],
        view: LEGS,
    },
    Shown {
        code: "COLORS_BLACK",
        broken: black,
        right: legs,
        elsewhere: None,
        set: [""; 2],
        view: LEGS,
    },
];

fn legs() -> Model {
    Model::of("legs")
}

fn arm() -> Model {
    Model::of("arm")
}

fn whale() -> Model {
    Model::of("whale")
}

fn tentacle() -> Model {
    Model::of("tentacle")
}

/// An armature of 0.01 above the joints, as models in centimetres have it.
fn in_centimetres() -> Model {
    let mut model = legs();
    let armature = model.push("/nodes", json!({"scale": [0.01, 0.01, 0.01], "children": [1]}));
    *model.at("/scenes/0/nodes") = json!([0, armature]);
    model
}

/// Exported in the middle of a step.
fn in_a_pose() -> Model {
    let mut model = legs();
    for (node, degrees) in [(2, -50.0_f32), (3, 60.0), (4, 25.0), (5, 15.0)] {
        let turn = Quat::from_rotation_x(degrees.to_radians()).to_array();
        model.at(&format!("/nodes/{node}"))["rotation"] = json!(turn);
    }
    model
}

/// Some vertices near the hand are in no vertex group.
fn without_weights() -> Model {
    let mut model = arm();
    let positions = model.attribute("POSITION");
    let positions = model.floats(positions);
    let far = positions.chunks_exact(3).map(|place| place[0] > 3.2);
    let bare: Vec<bool> = far.enumerate().map(|(vertex, far)| far && vertex % 9 == 0).collect();
    let weights = model.attribute("WEIGHTS_0");
    model.change_floats(weights, |weights| {
        for (weights, _) in weights.chunks_exact_mut(4).zip(&bare).filter(|(_, bare)| **bare) {
            weights.fill(0.0);
        }
    });
    model
}

/// Where two joints share a vertex, a part of the weights was cut.
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

/// The second four influences are not read.
fn first_set_alone() -> Model {
    let mut model = tentacle();
    let attributes = model.at("/meshes/0/primitives/0/attributes").as_object_mut();
    attributes.expect("an object").retain(|name, _| !name.ends_with("_1"));
    model
}

/// As an exporter limits them to four.
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
    model.at("/nodes/0").as_object_mut().expect("an object").remove("matrix");
    model
}

/// The mesh alone is z up.
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

/// The translations of the inverse bind matrices were made metres, the nodes not.
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

/// A clip of a program that counts in centimetres.
fn clip_in_centimetres() -> Model {
    let mut model = arm();
    let clips = model.at("/animations").as_array_mut().expect("clips");
    clips.retain(|clip| clip["name"] == "reach");
    let moved = |channel: &Value| channel["target"]["path"] == "translation";
    let channels = clips[0]["channels"].as_array().expect("channels");
    let sampler = channels.iter().find(|channel| moved(channel)).expect("one")["sampler"].clone();
    let keys = model.index(&format!("/animations/0/samplers/{sampler}/output"));
    model.change_floats(keys, |keys| keys.iter_mut().for_each(|number| *number *= 100.0));
    model
}

/// The clip moves a copy of the armature, which no mesh follows.
fn clip_of_a_copy() -> Model {
    let mut model = whale();
    let nodes = model.at("/nodes").as_array_mut().expect("nodes");
    let further = nodes.len() - 1;
    let moved = |index: &Value| json!(index.as_u64().expect("an index") as usize + further);
    let mut copies = nodes[1..].to_vec();
    for copy in &mut copies {
        if let Some(children) = copy.get_mut("children").and_then(Value::as_array_mut) {
            for child in children {
                *child = moved(child);
            }
        }
    }
    nodes.extend(copies);
    model.push("/scenes/0/nodes", json!(1 + further));
    for clip in model.at("/animations").as_array_mut().expect("clips") {
        for channel in clip["channels"].as_array_mut().expect("channels") {
            let node = &mut channel["target"]["node"];
            *node = moved(node);
        }
    }
    model
}

/// Mirrored by a negative scale that was applied to the corners alone.
fn inside_out() -> Model {
    let mut model = legs();
    model.turn_corners();
    model
}

/// A layer of vertex colours that nobody painted.
fn black() -> Model {
    let mut model = legs();
    let colors = model.black();
    model.at("/meshes/0/primitives/0/attributes")["COLOR_0"] = json!(colors);
    model
}
