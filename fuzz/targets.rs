//! Fuzz targets as plain functions. The fuzzer calls them with its own bytes, the tests with the
//! corpora that it has kept.

mod reach;
mod write;

use std::sync::{Arc, OnceLock};

use bindpose_check::check_lessons;
use bindpose_diagnostic::Severity;
use bindpose_doctor::{Container, examine, mend};
use bindpose_gltf::{
    ClipAt, FileLayout, ModelOpening, ModelSource, OpenError, Rig, TaskProgress, open,
};
use bindpose_lesson::{LessonSet, PictureContent};
use bindpose_notebook::cell_text::value_of_text;
use bindpose_notebook::{Edit, Notebook, encoded_picture};
use bindpose_rigs::builtin;
use bindpose_skin::Method;

/// Numbers that are read in each piece of an opening.
const NUMBERS_PER_PIECE: usize = 100;

/// Reads bytes as a GLB, both at once and in pieces.
pub fn glb(data: &[u8]) {
    let source = ModelSource::alone("fuzzed.glb", data);
    let whole = use_model(&source);
    let mut opening = ModelOpening::new(&source, &TaskProgress::default());
    let pieces = std::iter::from_fn(|| Some(opening.advance(NUMBERS_PER_PIECE)));
    let pieces = pieces.flatten().next().expect("it ends");
    // NaN differs from itself, but is formatted alike.
    let is_same = whole == pieces || format!("{whole:?}") == format!("{pieces:?}");
    assert!(is_same, "at once: {whole:?}, in pieces: {pieces:?}");
}

/// Reads bytes as a GLB, and checks its exports if it opens.
pub fn write(data: &[u8]) {
    write::check_exports(&ModelSource::alone("fuzzed.glb", data));
}

/// Reads bytes as the JSON of a glTF file without other files.
pub fn gltf_json(data: &[u8]) {
    let _ = use_model(&ModelSource::alone("fuzzed.gltf", data));
}

/// Reads the bytes as the hierarchy of a glTF file, with loops, nodes with several parents and
/// children that do not exist. Random changes to JSON rarely produce any of these.
pub fn graph(data: &[u8]) {
    let _ = use_model(&ModelSource::alone("fuzzed.gltf", hierarchy_json(data).into_bytes()));
}

/// Converts bytes to the JSON of a hierarchy. The first byte is the count of nodes, the second that
/// of skins. Each node has a byte for its properties and its count of children, up to three, and a
/// byte for each child. The remaining bytes are joints.
fn hierarchy_json(data: &[u8]) -> String {
    let mut bytes = data.iter().copied();
    let mut next = || bytes.next().unwrap_or_default();
    let count = 1 + usize::from(next() % 64);
    let skins = usize::from(next() % 4);
    // Up to two beyond the last.
    let node = |byte: u8| usize::from(byte) % (count + 2);
    let joined = |list: &[usize]| {
        let words: Vec<String> = list.iter().map(usize::to_string).collect();
        words.join(",")
    };
    let nodes = (0..count).map(|_| {
        let kind = next();
        let children: Vec<usize> = (0..kind % 4).map(|_| node(next())).collect();
        let mut parts = Vec::new();
        if !children.is_empty() {
            parts.push(format!("\"children\":[{}]", joined(&children)));
        }
        if kind & 4 != 0 {
            parts.push("\"mesh\":0".to_owned());
        }
        if kind & 8 != 0 {
            parts.push("\"skin\":0".to_owned());
        }
        if kind & 16 != 0 {
            parts.push("\"scale\":[0,0,0]".to_owned());
        }
        format!("{{{}}}", parts.join(","))
    });
    let nodes: Vec<String> = nodes.collect();
    let roots = [node(next()), node(next())];
    let joints: Vec<usize> = bytes.map(node).collect();
    let joints = joints.chunks(joints.len().div_ceil(skins.max(1)).max(1)).take(skins);
    let skins: Vec<String> =
        joints.map(|joints| format!("{{\"joints\":[{}]}}", joined(joints))).collect();
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[{}]}}],\
         \"nodes\":[{}],\"skins\":[{}],\"meshes\":[{{\"primitives\":[{{\"attributes\":\
         {{\"POSITION\":0}}}}]}}],\"accessors\":[{{\"componentType\":5126,\"type\":\"VEC3\",\
         \"count\":3,\"min\":[0,0,0],\"max\":[0,0,0]}}]}}",
        joined(&roots),
        nodes.join(","),
        skins.join(",")
    )
}

/// Reads bytes as an EZMesh file.
pub fn ezm(data: &[u8]) {
    let _ = use_model(&ModelSource::alone("fuzzed.ezm", data));
}

/// Examines, opens, poses, skins and mends a model.
fn use_model(source: &ModelSource) -> Result<Rig, OpenError> {
    let progress = TaskProgress::default();
    let report = examine(source, &progress);
    let opened = open(source, &progress);
    match &opened {
        Ok(rig) => use_rig(rig),
        Err(error) => {
            // A file with lights alone is valid, but is no model.
            let is_reported = report.findings.iter().any(|finding| {
                finding.severity == Severity::Error || finding.code == "NOTHING_TO_SHOW"
            });
            assert!(is_reported, "no finding explains: {error}");
        }
    }
    if report.is_mendable()
        && let Ok(mended) = mend(source, Container::Glb, &progress)
    {
        let _ = open(&ModelSource::alone("mended.glb", mended.bytes), &progress);
    }
    opened
}

fn use_rig(rig: &Rig) {
    let mesh = &rig.mesh;
    let vertices = mesh.positions.len();
    assert_eq!((mesh.normals.len(), mesh.influences.len()), (vertices, vertices));
    for corner in mesh.triangles.iter().flatten().chain(mesh.lines.iter().flatten()) {
        assert!((*corner as usize) < vertices);
    }
    for (_, joint, _) in mesh.influences.iter().flat_map(|influences| influences.used()) {
        assert!(joint.index() < rig.skeleton.len());
    }
    let clips = 0..rig.clips.len().min(3);
    let times = clips.flat_map(|clip| [0.0, 0.3, 1e9].map(|time_secs| (clip, time_secs)));
    for (clip, time_secs) in times {
        let at = ClipAt { clip, time_secs, share: 1.0 };
        let posed = rig.posed_in(&[at], |_| Some(0.1));
        assert_eq!(posed.pose.parent_from_joint.len(), rig.skeleton.len());
        let _ = rig.skeleton.world_from_joint(&posed.pose);
    }
    let world_from_bind = rig.world_from_bind(|_| None);
    for method in [Method::Linear, Method::DualQuaternion] {
        let moved = mesh.moved(&world_from_bind, &rig.morph_weights, method);
        assert_eq!(moved.positions.len(), vertices);
    }
    for image in &mesh.images {
        let _ = image.pixels();
    }
    let _ = rig.origin.as_ref().and_then(FileLayout::of_origin);
}

/// Reads bytes as a picture of a lesson: its header and, if that is valid, its pixels.
pub fn picture(data: &[u8]) {
    let Ok(content) = PictureContent::of_file(data.into()) else {
        return;
    };
    assert!(content.size.iter().all(|side| *side > 0.0));
    let picture = encoded_picture(&content);
    let size_px = picture.pixels_for([48.0, 48.0]);
    if let Ok(image) = picture.pixels(size_px) {
        let pixels = image.width as usize * image.height as usize;
        assert_eq!(image.rgba.len(), 4 * pixels);
    }
}

/// Reads bytes as a lesson, and runs the content check.
pub fn lesson(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let set = LessonSet::from_memory(&[("10-fuzzed", &text, &text)], &text);
    let _ = check_lessons(&set, &small_rigs);
    if let Some(mut notebook) = Notebook::new(set, small_rigs) {
        while notebook.turn_page(true) {}
        let link = notebook.link();
        notebook.follow(&link, 2).expect("a page's own link leads to it");
    }
}

/// Follows bytes as a link. The link of the page that it opens must open the same page.
pub fn link(data: &[u8]) {
    static LESSONS: OnceLock<LessonSet> = OnceLock::new();
    let text = String::from_utf8_lossy(data);
    let lessons = LESSONS.get_or_init(LessonSet::embedded).clone();
    let Some(mut notebook) = Notebook::new(lessons, builtin) else {
        return;
    };
    let before = notebook.document().clone();
    if notebook.follow(&text, 1).is_err() {
        assert_eq!(*notebook.document(), before, "a bad link changes nothing");
    } else {
        let (document, link) = (notebook.document().clone(), notebook.link());
        notebook.follow(&link, 2).expect("a page's own link");
        assert_eq!(*notebook.document(), document, "{link}");
    }
}

/// Enters a text as the formula of a matrix and as a program that poses. Joints must stay finite,
/// and the page's link must open the same page.
pub fn language(data: &[u8]) {
    const LESSON: &str = "+++\ntitle = \"t\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## One\n\
        ```matrix own\nexpr = \"world(0)\"\n```\n```pose mover\nprogram = \"a = 1\"\n```\n";
    let text = String::from_utf8_lossy(data);
    let set = LessonSet::from_memory(&[("10-one", LESSON, "notes")], "");
    let Some(mut notebook) = Notebook::new(set, builtin) else {
        return;
    };
    for cell in ["own", "mover"] {
        let edit =
            Edit::Text { cell: cell.to_owned(), text: text.clone().into_owned(), typed: true };
        // A text that is too long is refused.
        let _ = notebook.edit(&edit, 1);
    }
    let derived = notebook.derived();
    assert!(derived.joints.world_from_joint.iter().all(|matrix| matrix.is_finite()));
    if let Ok(outcome) = value_of_text(&text, derived) {
        assert!(outcome.value.is_finite());
    }
    let (document, link) = (notebook.document().clone(), notebook.link());
    notebook.follow(&link, 2).expect("a page's own link");
    assert_eq!(*notebook.document(), document, "{link}");
}

/// Returns built-in rigs with few vertices.
fn small_rigs(id: &str) -> Option<Arc<Rig>> {
    ["head", "bone_grid", "simple_skin", "ball"].contains(&id).then(|| builtin(id))?
}
