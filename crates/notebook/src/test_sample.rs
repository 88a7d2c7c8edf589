//! A small rig and lesson for tests, and parsers of exported files.

#![expect(clippy::missing_panics_doc, clippy::unwrap_used, reason = "for tests alone")]

use std::sync::Arc;

use glam::{Mat4, Vec3};

use bindpose_gltf::{Mesh, Param, ParamKind, Rig};
use bindpose_lesson::{
    Cell, CellDraws, CellKind, CloseDistance, Drive, Expr, Inventory, Lesson, LessonBlock,
    LessonParam, LessonSet, LessonStep, PredictCell, Setting, Settings, parse_lesson,
};
use bindpose_rigs::builtin;
use bindpose_skin::{Influences, Joint, JointIndex, Skeleton, SkinStage, Trs};

use crate::export::Export;
use crate::{Derived, Document, Notebook};

/// Rig of two joints, the second two units above the first, and three vertices.
pub fn rig() -> Rig {
    let joint = |name: &str, parent: Option<u16>, y: f32| Joint {
        name: name.to_owned(),
        parent: parent.map(JointIndex),
        parent_from_joint_at_rest: Trs::at(Vec3::Y * y),
        joint_from_bind: Mat4::from_translation(Vec3::Y * -y),
    };
    let influences = |pairs: &[(u16, f32)]| {
        let pairs: Vec<_> = pairs.iter().map(|&(j, w)| (JointIndex(j), w)).collect();
        Influences::new(&pairs)
    };
    Rig {
        id: "sample".to_owned(),
        title: "Sample".to_owned(),
        skeleton: Skeleton::new(vec![joint("body", None, 0.0), joint("head", Some(0), 2.0)])
            .unwrap(),
        mesh: Arc::new(Mesh {
            positions: vec![Vec3::new(0.25, 2.0, 0.0), Vec3::Y, Vec3::ZERO],
            normals: vec![Vec3::Z; 3],
            influences: vec![
                influences(&[(1, 1.0)]),
                influences(&[(0, 0.5), (1, 0.5)]),
                influences(&[(0, 1.0)]),
            ]
            .into(),
            triangles: vec![[0, 1, 2]],
            ..Mesh::default()
        }),
        params: vec![Param {
            name: "nod".to_owned(),
            label: "nod".to_owned(),
            kind: ParamKind::Angle { joint: JointIndex(1), axis: Vec3::Z },
            default: 0.0,
            range: (-1.5, 1.5),
        }],
        flat: false,
        world_from_mesh_node: Mat4::IDENTITY,
        clips: Vec::new(),
        morph_weights: Vec::new(),
        origin: None,
    }
}

/// A prediction of the first vertex for a nod of half a radian.
fn prediction() -> LessonBlock {
    let cell = PredictCell {
        ask: "Where?".into(),
        vertex: 0,
        set: Settings(vec![Setting::Param("nod".to_owned(), 0.5)]),
        close: CloseDistance(0.05),
        why: "There.".into(),
        wrong: Vec::new(),
    };
    LessonBlock::Cell(Box::new(Cell {
        id: "aim".to_owned(),
        line: 1,
        kind: CellKind::Predict(CellDraws::alone(cell)),
    }))
}

/// Lesson of three steps: the first sets nothing, the second the nod, the third
/// the stage.
pub fn lesson() -> Lesson {
    let step = |title: &str, set: Vec<Setting>| LessonStep {
        title: title.to_owned(),
        slug: title.to_owned(),
        set,
        ..LessonStep::default()
    };
    Lesson {
        number: 20,
        slug: "sample".to_owned(),
        folder: "20-sample".to_owned(),
        title: "Sample".to_owned(),
        about: String::new(),
        minutes: 5,
        needs: Vec::new(),
        rig: "sample".to_owned(),
        params: vec![
            LessonParam {
                name: "vec4s".to_owned(),
                label: "vec4 uniforms".to_owned(),
                default: 128.0,
                range: (16.0, 4096.0),
                whole: true,
                ..LessonParam::default()
            },
            LessonParam {
                name: "amplitude".to_owned(),
                label: "amplitude".to_owned(),
                default: 0.8,
                range: (0.0, 1.5),
                ..LessonParam::default()
            },
        ],
        drive: Vec::new(),
        intro: Vec::new(),
        stage: Vec::new(),
        steps: vec![
            LessonStep { blocks: vec![prediction()], ..step("one", vec![]) },
            step("two", vec![Setting::Param("nod".to_owned(), 0.5)]),
            step("three", vec![Setting::Stage(SkinStage::Posed)]),
        ],
        notes: Vec::new(),
        inventory: Inventory::default(),
        findings: Vec::new(),
    }
}

/// The sample lesson with a parameter `k` from 0 to 2 that drives the nod.
pub fn driven_lesson() -> Lesson {
    let mut driven = lesson();
    driven.params.push(LessonParam {
        name: "k".to_owned(),
        label: "amount".to_owned(),
        default: 0.0,
        range: (0.0, 2.0),
        unit: "cm".to_owned(),
        step: Some(0.25),
        ..LessonParam::default()
    });
    driven
        .drive
        .push(Drive { param: "nod".to_owned(), formula: Expr::parse("k * 45deg").unwrap() });
    driven.steps[1].set = vec![Setting::Param("k".to_owned(), 1.0)];
    driven
}

/// Returns a lesson of one step with this text, for a built-in rig.
pub fn lesson_on(rig: &str, step: &str) -> Lesson {
    let text = format!("+++\ntitle = \"T\"\nminutes = 5\nrig = \"{rig}\"\n+++\n## S\n\n{step}\n");
    let lesson = parse_lesson("20-t", &text, "");
    assert_eq!(lesson.findings, []);
    lesson
}

/// Returns a notebook of lessons, each the name of a folder and the text in it.
pub fn notebook_of(lessons: &[(&str, &str)]) -> Notebook {
    Notebook::new(lesson_set(lessons), builtin).unwrap()
}

/// Returns a set of lessons, each the name of a folder and the text in it.
pub fn lesson_set(lessons: &[(&str, &str)]) -> LessonSet {
    let lessons: Vec<_> = lessons.iter().map(|&(folder, text)| (folder, text, "")).collect();
    LessonSet::from_memory(&lessons, "")
}

/// Returns a document with these values of parameters.
pub fn document_with(params: &[(&str, f64)]) -> Document {
    let mut document = Document::default();
    for (name, value) in params {
        document.state.params.insert((*name).to_owned(), *value);
    }
    document
}

/// Computes the values of a document of the sample lesson.
pub fn derive(document: &Document) -> Derived {
    Derived::of_document(document, Some(&lesson()), &Arc::new(rig()))
}

/// Computes the values of a document on a built-in rig, without a lesson.
pub fn derive_on(rig: &str, document: &Document) -> Derived {
    Derived::of_document(document, None, &builtin(rig).unwrap())
}

/// Returns the bytes of an export, of the first skin if the model has several.
pub fn exported(key: &str, derived: &Derived) -> Vec<u8> {
    Export::from_key(key).unwrap().bytes(derived, 0).unwrap()
}

/// Returns an export as text.
pub fn exported_text(key: &str, derived: &Derived) -> String {
    String::from_utf8(exported(key, derived)).unwrap()
}

/// Parses our `.npy` files as shape and numbers.
pub fn parse_npy(bytes: &[u8]) -> (Vec<usize>, Vec<f32>) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    assert!(header.contains("'descr': '<f4'") && header.contains("'fortran_order': False"));
    let (_, shape) = header.split_once("'shape': (").unwrap();
    let (shape, _) = shape.split_once(')').unwrap();
    let shape = shape.split(',').map(str::trim).filter(|axis| !axis.is_empty());
    let values = bytes[10 + length..].chunks_exact(4);
    (
        shape.map(|axis| axis.parse().unwrap()).collect(),
        values.map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect(),
    )
}
