//! What is fuzzed, as plain functions: the fuzzer calls them with bytes of its
//! own, the tests with those that it found worth keeping.

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

/// Numbers that one piece of an opening reads.
const PIECE: usize = 100;

/// Bytes of a GLB, as a model: at once, and in pieces.
pub fn glb(data: &[u8]) {
    let source = ModelSource::alone("fuzzed.glb", data);
    let whole = model(&source);
    let mut opening = ModelOpening::new(&source, &TaskProgress::default());
    let pieces = std::iter::from_fn(|| Some(opening.advance(PIECE)));
    let pieces = pieces.flatten().next().expect("it ends");
    // What is no number equals nothing, but is written as it is.
    let same = whole == pieces || format!("{whole:?}") == format!("{pieces:?}");
    assert!(same, "at once: {whole:?}, in pieces: {pieces:?}");
}

/// Bytes of a GLB: if it opens, its exports.
pub fn write(data: &[u8]) {
    write::exports(&ModelSource::alone("fuzzed.glb", data));
}

/// The JSON of a glTF file that names no other, as a model.
pub fn gltf_json(data: &[u8]) {
    let _ = model(&ModelSource::alone("fuzzed.gltf", data));
}

/// Bytes as the hierarchy of a glTF file: loops, nodes of several parents, children
/// that are not there. JSON changed blindly rarely has any of these.
pub fn graph(data: &[u8]) {
    let _ = model(&ModelSource::alone("fuzzed.gltf", hierarchy(data).into_bytes()));
}

/// The first byte says how many nodes there are, the second what has a skin. Of each
/// node then a byte for what it carries and how many children it has, up to three, and a
/// byte for each of them; what is left are joints.
fn hierarchy(data: &[u8]) -> String {
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

/// The XML of an EZMesh file, as a model.
pub fn ezm(data: &[u8]) {
    let _ = model(&ModelSource::alone("fuzzed.ezm", data));
}

/// Bytes of any model: examined, opened, posed, moved, laid open and mended.
fn model(source: &ModelSource) -> Result<Rig, OpenError> {
    let progress = TaskProgress::default();
    let report = examine(source, &progress);
    let opened = open(source, &progress);
    match &opened {
        Ok(rig) => use_rig(rig),
        Err(error) => {
            // A file of nothing but lights is sound, and no model.
            let told = report.findings.iter().any(|finding| {
                finding.severity == Severity::Error || finding.code == "NOTHING_TO_SHOW"
            });
            assert!(told, "nothing is wrong, and yet: {error}");
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

/// Bytes of a picture of a lesson: its header, and, where that is sound, its pixels.
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

/// Bytes to a lesson, and all that the content check asks of it.
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

/// Bytes to a link, followed; the page it leads to gives a link that leads to
/// the same page.
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

/// A text as the reader's formula of a matrix and as the program that poses: whatever
/// it is, joints stay finite, and the page's link leads to the same page.
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
        // What is absurdly long is refused.
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

/// Those that are checked fast.
fn small_rigs(id: &str) -> Option<Arc<Rig>> {
    ["head", "bone_grid", "simple_skin", "ball"].contains(&id).then(|| builtin(id))?
}
