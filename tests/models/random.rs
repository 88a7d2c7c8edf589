//! Random models as files: nodes in any order, with matrices that shear or with translations,
//! rotations and scales; several skins that share joints or list one twice; meshes with and without
//! a skin, with morph targets, with more than eight influences; clips of all kinds.

use proptest::prelude::*;
use serde_json::{Value, json};

/// The random numbers that determine a model.
pub(super) fn model() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u16>(), 64..512).prop_map(|numbers| {
        let mut dice = Dice { numbers, next: 0 };
        File::default().filled(&mut dice)
    })
}

/// Cycles through the numbers.
struct Dice {
    numbers: Vec<u16>,
    next: usize,
}

impl Dice {
    fn number(&mut self) -> usize {
        self.next += 1;
        // Numbers change with each round through the list.
        let round = self.next / self.numbers.len();
        usize::from(self.numbers[self.next % self.numbers.len()]) + 31 * round
    }

    fn below(&mut self, end: usize) -> usize {
        self.number() % end
    }

    /// Returns a number from −1 to 1, in steps of 1/64.
    fn fraction(&mut self) -> f32 {
        self.below(129) as f32 / 64.0 - 1.0
    }

    fn fractions(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.fraction()).collect()
    }
}

#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

const VERTICES: usize = 9;

impl File {
    fn filled(mut self, dice: &mut Dice) -> Vec<u8> {
        let joints = 2 + dice.below(6);
        let mut nodes: Vec<Value> = (0..joints).map(|at| node(dice, at)).collect();
        let mut children = vec![Vec::new(); joints];
        for at in 1..joints {
            if dice.below(4) > 0 {
                children[dice.below(at)].push(at);
            }
        }
        let skins: Vec<Value> = (0..=dice.below(3)).map(|_| self.skin(dice, joints)).collect();
        let mut meshes = Vec::new();
        let mut weighted = Vec::new();
        for _ in 0..=dice.below(3) {
            let skin = dice.below(skins.len() + 1);
            let joints = skins.get(skin).map(|skin| skin["joints"].as_array().unwrap().len());
            let targets = dice.below(3);
            let mut node = json!({"mesh": meshes.len(), "name": format!("mesh {}", meshes.len())});
            if joints.is_some() {
                node["skin"] = json!(skin);
            } else {
                node["translation"] = json!(dice.fractions(3));
            }
            if targets > 0 {
                weighted.push((nodes.len(), targets));
            }
            meshes.push(self.mesh(dice, joints, targets));
            if dice.below(2) == 0 {
                let above = dice.below(children.len());
                children[above].push(nodes.len());
            }
            nodes.push(node);
        }
        for (node, children) in nodes.iter_mut().zip(&children) {
            if !children.is_empty() {
                node["children"] = json!(children);
            }
        }
        let below: Vec<usize> = children.concat();
        let roots: Vec<usize> = (0..nodes.len()).filter(|node| !below.contains(node)).collect();
        let animation = self.animation(dice, &nodes[..joints], &weighted);
        let root = json!({
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"name": "all", "nodes": roots}],
            "nodes": nodes,
            "skins": skins,
            "meshes": meshes,
            "animations": [animation],
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{"byteLength": self.bytes.len()}],
        });
        glb(root.to_string().into_bytes(), self.bytes)
    }

    fn skin(&mut self, dice: &mut Dice, nodes: usize) -> Value {
        let joints: Vec<usize> = (0..=dice.below(nodes)).map(|_| dice.below(nodes)).collect();
        let mut skin = json!({"joints": joints, "name": format!("skin {}", dice.below(9))});
        if dice.below(3) > 0 {
            let matrices: Vec<f32> = joints.iter().flat_map(|_| affine(dice)).collect();
            skin["inverseBindMatrices"] = json!(self.floats("MAT4", 16, &matrices));
        }
        skin
    }

    fn mesh(&mut self, dice: &mut Dice, joints: Option<usize>, targets: usize) -> Value {
        let primitives: Vec<Value> =
            (0..=dice.below(2)).map(|_| self.primitive(dice, joints, targets)).collect();
        let mut mesh = json!({"primitives": primitives, "name": "shape"});
        if targets > 0 {
            mesh["weights"] = json!(dice.fractions(targets));
        }
        mesh
    }

    fn primitive(&mut self, dice: &mut Dice, joints: Option<usize>, targets: usize) -> Value {
        let positions = self.positions(dice);
        let mut attributes = json!({"POSITION": positions});
        let sets = dice.below(4);
        for set in (0..sets).filter(|_| joints.is_some()) {
            let joints = joints.unwrap_or(1);
            // An unused lane may have any joint, and a joint may occur twice.
            let names: Vec<u8> = (0..4 * VERTICES).map(|_| dice.below(joints) as u8).collect();
            let weights: Vec<f32> = (0..4 * VERTICES)
                .map(
                    |lane| {
                        if set == 0 && lane % 4 == 0 { 0.25 } else { dice.below(4) as f32 / 8.0 }
                    },
                )
                .collect();
            let names = self.accessor("VEC4", 5121, VERTICES, &names);
            attributes[format!("JOINTS_{set}")] = json!(names);
            attributes[format!("WEIGHTS_{set}")] = json!(self.floats("VEC4", 4, &weights));
        }
        let mut primitive = json!({"attributes": attributes});
        if targets > 0 {
            let targets = (0..targets).map(|_| json!({"POSITION": self.positions(dice)}));
            primitive["targets"] = Value::Array(targets.collect());
        }
        primitive
    }

    fn positions(&mut self, dice: &mut Dice) -> usize {
        let mut numbers = dice.fractions(3 * VERTICES);
        // Ensures that the model has a size.
        numbers[0] = 2.0;
        let accessor = self.floats("VEC3", 3, &numbers);
        let bound = |lane: usize, pick: fn(f32, f32) -> f32| {
            let lanes = numbers.iter().skip(lane).step_by(3).copied();
            lanes.reduce(pick).unwrap()
        };
        self.accessors[accessor]["min"] = json!([0, 1, 2].map(|lane| bound(lane, f32::min)));
        self.accessors[accessor]["max"] = json!([0, 1, 2].map(|lane| bound(lane, f32::max)));
        accessor
    }

    fn animation(
        &mut self,
        dice: &mut Dice,
        nodes: &[Value],
        weighted: &[(usize, usize)],
    ) -> Value {
        let mut animation = json!({"name": "moves", "channels": [], "samplers": []});
        for _ in 0..=dice.below(6) {
            let (node, path, width) = match (dice.below(4), weighted) {
                (0, [_, ..]) => {
                    let (node, targets) = weighted[dice.below(weighted.len())];
                    (node, "weights", targets)
                }
                (kind, _) => {
                    let (path, width) =
                        [("translation", 3), ("rotation", 4), ("scale", 3)][kind % 3];
                    (dice.below(nodes.len()), path, width)
                }
            };
            if nodes.get(node).is_some_and(|node| node.get("matrix").is_some()) {
                continue;
            }
            let interpolation = ["STEP", "LINEAR", "CUBICSPLINE"][dice.below(3)];
            let keys = 1 + dice.below(4);
            // Some keys share a time, and some are before the start, where the reader cuts the clip
            // off. A rotation spline would have a value there that is not of unit length, which no
            // file can store, so its keys are not before the start.
            let whole = interpolation == "CUBICSPLINE" && path == "rotation";
            let mut time = 0.5 * dice.fraction();
            time = if whole { time.abs() } else { time };
            let times = (0..keys).map(|_| {
                time += dice.below(3) as f32 * 0.25;
                time
            });
            let times: Vec<f32> = times.collect();
            let parts = if interpolation == "CUBICSPLINE" { 3 } else { 1 };
            let mut values = dice.fractions(keys * parts * width);
            if path == "rotation" {
                // Rotations of splines must be of unit length. Others only need a direction.
                for value in values.chunks_exact_mut(4).skip(parts / 2).step_by(parts) {
                    value[3] = 2.0;
                    let length = value.iter().map(|x| x * x).sum::<f32>().sqrt();
                    let by = if parts == 3 { length } else { 1.0 };
                    for x in value {
                        *x /= by;
                    }
                }
            }
            let input = self.floats("SCALAR", 1, &times);
            let (kind, each) = match path {
                "weights" => ("SCALAR", 1),
                "rotation" => ("VEC4", 4),
                _ => ("VEC3", 3),
            };
            let output = self.floats(kind, each, &values);
            let samplers = animation["samplers"].as_array_mut().unwrap();
            samplers
                .push(json!({"input": input, "output": output, "interpolation": interpolation}));
            let sampler = samplers.len() - 1;
            let target = json!({"node": node, "path": path});
            let channels = animation["channels"].as_array_mut().unwrap();
            channels.push(json!({"sampler": sampler, "target": target}));
        }
        animation
    }

    fn floats(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(kind, 5126, values.len() / width, &bytes)
    }

    fn accessor(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        let view = json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        self.views.push(view);
        self.bytes.extend_from_slice(bytes);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1,
            "componentType": component,
            "count": count,
            "type": kind,
        }));
        self.accessors.len() - 1
    }
}

fn node(dice: &mut Dice, at: usize) -> Value {
    let name = format!("joint {at}");
    if dice.below(3) == 0 {
        // Three independent columns usually shear.
        let matrix = affine(dice);
        return json!({"name": name, "matrix": matrix});
    }
    let mut rotation = dice.fractions(4);
    rotation[3] = 1.5;
    let length = rotation.iter().map(|x| x * x).sum::<f32>().sqrt();
    let rotation: Vec<f32> = rotation.iter().map(|x| x / length).collect();
    let scale: Vec<f32> = dice.fractions(3).iter().map(|x| 1.0 + x / 4.0).collect();
    json!({"name": name, "translation": dice.fractions(3), "rotation": rotation, "scale": scale})
}

/// Returns a value near the identity.
fn affine(dice: &mut Dice) -> Vec<f32> {
    let mut numbers = Vec::new();
    for column in 0..4 {
        for row in 0..4 {
            numbers.push(match (column, row) {
                (3, 3) => 1.0,
                (_, 3) => 0.0,
                _ if column == row => 1.0 + dice.fraction() / 4.0,
                _ => dice.fraction() / 4.0,
            });
        }
    }
    numbers
}

fn glb(mut text: Vec<u8>, mut bin: Vec<u8>) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    let length = 12 + 8 + text.len() + 8 + bin.len();
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend_from_slice(&(length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", text), (b"BIN\0", bin)] {
        file.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
        file.extend_from_slice(kind);
        file.extend(chunk);
    }
    file
}
