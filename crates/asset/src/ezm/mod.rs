//! EZMesh (`.ezm`), XML with its numbers as text, as a rig.
//!
//! What skinning and drawing need is read, the rest is passed over and told.
//! Whatever the bytes, reading ends, with a rig or with all that is wrong, each
//! fault with its place.

mod error;
mod mesh;
mod skeleton;
#[cfg(test)]
mod tests;
mod vertices;
mod xml;

use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::sync::Arc;

use bindpose_skin::{
    Channel, ChannelTarget, Clip, Interpolation, JointIndex, Skeleton, Track, TrackProperty,
};
use glam::Vec3;
use roxmltree::{Node as Element, Node};

use self::error::EzmErrorKind as Kind;
use self::mesh::PlacedMesh;
use self::skeleton::Skeletons;
use self::xml::{XmlPlace, XmlReader};
use super::gltf::Names;
use super::{
    GraphNode, Mesh, ModelSource, NodeIndex, NodeSkin, NodeTransform, Param, ParamKind, Rig,
    RigOrigin, SceneGraph,
};
use skeleton::unit;
use xml::{children, items, text, tokens};

pub use error::{EzmError, EzmErrorKind, EzmFault};

/// Sections that are read.
const READ: [&str; 6] = [
    "Skeletons",
    "Animations",
    "Materials",
    "Meshes",
    "MeshInstances",
    // Follows from the positions.
    "MeshAABB",
];

/// Reads all skeletons, meshes and animations of a file as one rig. Bones become
/// joints in the file's order, one skeleton after the other; every joint gets a
/// parameter of its name, a turn about its own x axis on top of the rest pose.
/// What was passed over, or might surprise, stands in the notes of its origin.
///
/// Fails when the bytes are no EZMesh file, or a damaged one. See [`EzmError`].
pub fn read_ezm(bytes: &[u8]) -> Result<Rig, EzmError> {
    let text = xml::text_of(bytes)?;
    let document = xml::parse(text)?;
    let root = document.root_element();
    let mut reader = XmlReader::new(&document);
    if root.tag_name().name() != "MeshSystem" {
        let wrong = Kind::Format
            .expected(
                "MeshSystem, the root of an EZMesh file",
                format_args!("<{}>", root.tag_name().name()),
            )
            .help("open an EZMesh file, or a glTF file under its own name");
        reader.fault(XmlPlace::Element(root), wrong);
        return Err(reader.error);
    }
    tell_what_is_passed_over(&mut reader, root);
    let mut skeletons = skeleton::skeletons(&mut reader, root);
    let clips = clips_of_animations(&mut reader, root, &skeletons);
    let bones = skeletons.joints.len();
    let (mesh, placed) = mesh::meshes(&mut reader, root, &mut skeletons, bones);
    if mesh.positions.is_empty() && reader.error.is_empty() {
        let wrong = Kind::Missing.expected("a mesh with vertices", "none");
        reader.fault(XmlPlace::Element(root), wrong.help("export the model with its meshes"));
    }
    if !reader.error.is_empty() {
        return Err(reader.error);
    }
    let graph = graph(&skeletons, &placed);
    let title = root.attribute("asset_name").map(str::trim);
    let skeleton = Skeleton::in_any_order(skeletons.joints).map_err(|error| {
        EzmError::whole((1, 1), Kind::Format.expected("a sound skeleton", error))
    })?;
    let title = title_of(title, &mesh).to_owned();
    let rig = Rig {
        params: params(&skeleton),
        clips,
        origin: Some(Arc::new(RigOrigin {
            source: ModelSource::alone("model.ezm", bytes),
            graph,
            notes: reader.findings,
        })),
        ..Rig::new("model", &title, skeleton, mesh)
    };
    Ok(rig)
}

/// One angle a joint.
fn params(skeleton: &Skeleton) -> Vec<Param> {
    let mut names = Names::default();
    let joints = skeleton.indices().zip(skeleton.joints());
    joints
        .map(|(index, joint)| Param {
            name: names.take(&joint.name, index.index()),
            label: joint.name.clone(),
            kind: ParamKind::Angle { joint: index, axis: Vec3::X },
            default: 0.0,
            range: (-PI, PI),
        })
        .collect()
}

/// The asset's name, or its first mesh's.
fn title_of<'a>(asset: Option<&'a str>, mesh: &'a Mesh) -> &'a str {
    let of_mesh = mesh.parts.first().map(|part| part.name.as_str());
    asset.filter(|name| !name.is_empty()).or(of_mesh).unwrap_or("Model")
}

fn tell_what_is_passed_over<'d>(reader: &mut XmlReader<'d>, root: Element<'d, 'd>) {
    for section in root.children().filter(Element::is_element) {
        let name = section.tag_name().name();
        if !READ.contains(&name) {
            reader.finding(
                "EZM_SECTION_IGNORED",
                XmlPlace::Element(section),
                [
                    "skeletons, animations, materials, meshes and their instances",
                    &format!("<{name}>"),
                    "it is passed over",
                ],
            );
        }
    }
}

/// A node a bone, in the order of the joints, then one a mesh.
fn graph(skeletons: &Skeletons<'_>, placed: &[PlacedMesh]) -> SceneGraph {
    let bones: usize = skeletons.list.iter().map(|skeleton| skeleton.count).sum();
    let index = |at: usize| NodeIndex(at as u32);
    let joints = (0..).map(JointIndex).zip(&skeletons.joints[..bones]);
    let joints = joints.map(|(index, joint)| GraphNode::of_joint(index, joint));
    let mut nodes: Vec<GraphNode> = joints.collect();
    nodes.extend(placed.iter().map(|placed| GraphNode {
        name: Some(placed.name.clone()),
        parent: None,
        children: Vec::new(),
        local: NodeTransform::Trs(placed.local),
        mesh: Some(placed.mesh),
        skin: placed.skeleton,
        joint: placed.joint,
    }));
    let skins = skeletons.list.iter().map(|skeleton| {
        let range = skeleton.first..skeleton.first + skeleton.count;
        NodeSkin {
            name: skeleton.name.map(str::to_owned),
            joints: range.clone().map(index).collect(),
            ours: range.map(|at| JointIndex(at as u16)).collect(),
            has_inverse_binds: false,
        }
    });
    SceneGraph::of_nodes(nodes, skins.collect())
}

// Animations: a pose a frame and bone.

/// Keys of all tracks of a file.
const MOST_KEYS: usize = 1 << 23;
/// A translation, a rotation and a scale.
const BYTES_A_FRAME: usize = 10 * size_of::<f32>();

/// Reads every `Animation`. Frame k stands at k × `dtime`; poses are absolute
/// local transforms, straight between frames and by slerp for rotations.
fn clips_of_animations<'d>(
    reader: &mut XmlReader<'d>,
    root: Node<'d, 'd>,
    skeletons: &Skeletons<'d>,
) -> Vec<Clip> {
    let mut clips = Vec::new();
    let mut keys = 0;
    for section in children(root, "Animations") {
        let there = children(section, "Animation").count();
        reader.counted_loosely(section, "count", "animations", there);
        for node in children(section, "Animation") {
            clips.extend(clip(reader, node, skeletons, &mut keys));
        }
    }
    clips
}

fn clip<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    skeletons: &Skeletons<'d>,
    keys: &mut usize,
) -> Option<Clip> {
    let tracks = children(node, "AnimTrack").count();
    reader.counted_loosely(node, "trackcount", "tracks", tracks);
    let frames = whole(reader, node, "framecount")?;
    let [step_secs] = seconds(reader, node, "dtime")?;
    if step_secs <= 0.0 && frames > 1 {
        let wrong = Kind::Number
            .expected("more than 0 seconds a frame", step_secs)
            .help("give the time between two frames");
        reader.fault(XmlPlace::Attribute(node, "dtime"), wrong);
        return None;
    }
    let last_secs = step_secs * frames.saturating_sub(1) as f64;
    if frames > MOST_KEYS || !(last_secs as f32).is_finite() {
        let wrong = Kind::TooLarge.expected(format_args!("at most {MOST_KEYS} frames"), frames);
        return reader.damaged(XmlPlace::Attribute(node, "framecount"), wrong);
    }
    check_duration(reader, node, step_secs, last_secs);
    let mut channels = Vec::new();
    let mut seen = BTreeSet::new();
    for track in children(node, "AnimTrack") {
        if let Some(name) = track.attribute("name")
            && !seen.insert(name)
        {
            let wrong = Kind::Repeated
                .expected("one track a bone", format_args!("a second one for “{name}”"));
            reader.fault(XmlPlace::Attribute(track, "name"), wrong.help("keep one of the two"));
        }
        channels.extend(track_channels(reader, track, skeletons, frames, step_secs, keys));
    }
    Some(Clip {
        name: node.attribute("name").unwrap_or_default().to_owned(),
        duration_secs: last_secs as f32,
        frame_secs: Some(step_secs).filter(|secs| *secs > 0.0),
        channels,
    })
}

/// Writers disagree whether the last frame's own time counts.
fn check_duration<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    step_secs: f64,
    last_secs: f64,
) {
    let Some([duration_secs]) = reader.numbers::<1>(node, "duration") else {
        return;
    };
    let slack = 1.01 * step_secs.max(1e-6);
    if (duration_secs - last_secs).abs() > slack + 1e-3 * last_secs {
        reader.finding(
            "EZM_DURATION",
            XmlPlace::Attribute(node, "duration"),
            [
                &format!("{last_secs:.3} seconds, as framecount and dtime say"),
                &format!("{duration_secs:.3}"),
                "none: the frames count",
            ],
        );
    }
}

fn whole<'d>(reader: &mut XmlReader<'d>, node: Node<'d, 'd>, name: &'static str) -> Option<usize> {
    let said = reader.required(node, name)?;
    let number = said.trim().parse().ok();
    if number.is_none() {
        let wrong = Kind::Number.expected("a whole number", format_args!("“{said}”"));
        reader.fault(XmlPlace::Attribute(node, name), wrong);
    }
    number
}

fn seconds<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    name: &'static str,
) -> Option<[f64; 1]> {
    reader.required(node, name)?;
    reader.numbers::<1>(node, name)
}

/// Position, rotation and scale of one bone, in every skeleton that has it.
fn track_channels<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    skeletons: &Skeletons<'d>,
    frames: usize,
    step_secs: f64,
    keys: &mut usize,
) -> Vec<Channel> {
    let Some(name) = reader.required(node, "name") else {
        return Vec::new();
    };
    let joints: Vec<JointIndex> =
        skeletons.list.iter().filter_map(|skeleton| skeleton.joint(name)).collect();
    if joints.is_empty() {
        reader.finding(
            "EZM_TRACK_WITHOUT_BONE",
            XmlPlace::Attribute(node, "name"),
            ["the name of a bone", &format!("“{name}”"), "the track moves nothing"],
        );
        return Vec::new();
    }
    let Some(poses) = poses(reader, node, frames, keys) else {
        return Vec::new();
    };
    let times_secs: Vec<f32> = (0..frames).map(|frame| (frame as f64 * step_secs) as f32).collect();
    let tracks = [
        (TrackProperty::Translation, 3, poses.positions),
        (TrackProperty::Rotation, 4, poses.rotations),
        (TrackProperty::Scale, 3, poses.scales),
    ]
    .into_iter()
    .filter(|(_, _, values)| !values.is_empty())
    .map(|(property, width, values)| {
        Arc::new(Track {
            property,
            interpolation: Interpolation::Linear,
            times_secs: times_secs.clone(),
            values,
            width,
        })
    });
    tracks
        .flat_map(|track| {
            joints.iter().map(move |&joint| Channel {
                target: ChannelTarget::Joint(joint),
                track: Arc::clone(&track),
            })
        })
        .collect()
}

#[derive(Default)]
struct EzmPoses {
    positions: Vec<f32>,
    rotations: Vec<f32>,
    /// Empty when the track has none.
    scales: Vec<f32>,
}

fn poses<'d>(
    reader: &mut XmlReader<'d>,
    node: Node<'d, 'd>,
    frames: usize,
    keys: &mut usize,
) -> Option<EzmPoses> {
    let has_scale = match node.attribute("has_scale").map(str::trim) {
        Some("true" | "1") => true,
        Some("false" | "0") => false,
        said => {
            let wrong = Kind::Missing
                .expected(
                    "true or false",
                    said.map_or("nothing".to_owned(), |said| format!("“{said}”")),
                )
                .help("say whether each pose ends in three factors");
            reader.fault(XmlPlace::Attribute(node, "has_scale"), wrong);
            return None;
        }
    };
    let width = if has_scale { 10 } else { 7 };
    let (text, begins) = text(node);
    let found = items(&text).count();
    if !reader.counted(node, "count", "poses", found) {
        return None;
    }
    if found != frames {
        let wrong = Kind::Count.expected(format_args!("{frames} poses, as framecount says"), found);
        return reader.damaged(XmlPlace::Element(node), wrong);
    }
    *keys = keys.saturating_add(frames.saturating_mul(3));
    if !reader.holds(XmlPlace::Element(node), frames, BYTES_A_FRAME) {
        return None;
    }
    if *keys > MOST_KEYS {
        let wrong =
            Kind::TooLarge.expected(format_args!("at most {MOST_KEYS} keys in all"), "more");
        reader.fault(XmlPlace::Element(node), wrong.help("open a smaller model"));
        return None;
    }
    if let Some((frame, (offset, count))) =
        items(&text).enumerate().find(|(_, (_, count))| *count != width)
    {
        let wrong = Kind::Number.expected(format_args!("{width} numbers in frame {frame}"), count);
        return reader.damaged(XmlPlace::Text(node, begins.map(|start| start + offset)), wrong);
    }
    let mut poses = EzmPoses::default();
    let mut pose = Vec::with_capacity(width);
    for (offset, token) in tokens(&text) {
        let at = XmlPlace::Text(node, begins.map(|start| start + offset));
        let Some(number) = token.parse::<f64>().ok().filter(|x| x.is_finite()) else {
            reader.no_number(at, token);
            return None;
        };
        pose.push(number);
        if pose.len() < width {
            continue;
        }
        let rotation = unit(reader, at, [pose[3], pose[4], pose[5], pose[6]])?;
        poses.positions.extend(pose[..3].iter().map(|&x| x as f32));
        poses.rotations.extend(rotation.to_array().map(|x| x as f32));
        poses.scales.extend(pose[7..].iter().map(|&x| x as f32));
        pose.clear();
    }
    Some(poses)
}
