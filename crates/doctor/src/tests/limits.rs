//! Bounded time and bounded lists for any file.

use serde_json::json;

use super::made::Model;
use super::*;

#[test]
fn accessors_that_share_much_data_are_examined_in_part() {
    let mut model = Model::sound();
    model.floats("VEC4", &vec![0.5; 1 << 18]);
    let accessor = model.list("accessors").last().unwrap().clone();
    for _ in 0..400 {
        model.list("accessors").push(accessor.clone());
    }
    let report = report(&model.source());
    finding(&report, "EXAMINED_IN_PART");
}

/// The doctor reports more implicit zeros than the reader accepts, with the reader's text.
#[test]
fn too_many_implicit_zeros_are_an_error() {
    let mut model = Model::sound();
    model.put(
        "/accessors/0",
        json!({"componentType": 5126, "type": "VEC3", "count": (1 << 20) + 1}),
    );
    let source = model.source();
    let report = report(&source);
    let finding = finding(&report, "ACCESSOR_TOO_LARGE");
    let refused = bindpose_gltf::open(&source, &TaskProgress::default()).unwrap_err();
    let refused = Diagnostic::from(refused);
    assert_eq!(refused.expected, finding.expected);
    assert_eq!(refused.found, finding.found);
}

#[test]
fn deep_and_wide_hierarchies_terminate() {
    let count = 50_000;
    for children in [
        |node: usize, _| vec![node + 1],
        |node: usize, count| {
            if node == 0 { (1..count).collect() } else { vec![] }
        },
    ] {
        let nodes: Vec<_> = (0..count)
            .map(|node| {
                let children: Vec<usize> = children(node, count);
                let children: Vec<_> = children.into_iter().filter(|&c| c < count).collect();
                if children.is_empty() { json!({}) } else { json!({"children": children}) }
            })
            .collect();
        let root = json!({"asset": {"version": "2.0"}, "nodes": nodes});
        let report = report(&ModelSource::alone("a.gltf", serde_json::to_vec(&root).unwrap()));
        assert_eq!(report.errors, 0, "{report:?}");
    }
}

#[test]
fn long_lists_of_faults_are_cut() {
    let names: Vec<_> = (0..1000).map(|n| format!("X_{n}")).collect();
    let root = json!({"asset": {"version": "2.0"}, "extensionsUsed": names});
    let report = report(&ModelSource::alone("a.gltf", serde_json::to_vec(&root).unwrap()));
    finding(&report, "MORE_FINDINGS");
    assert!(report.findings.len() <= 200);
}

#[test]
fn json_that_is_nested_too_deeply_or_no_object_is_rejected() {
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    finding(&report(&ModelSource::alone("a.gltf", deep)), "TYPE_MISMATCH");
    let open = vec![b'['; 100_000];
    finding(&report(&ModelSource::alone("a.gltf", open)), "INVALID_JSON");
    let list = report(&ModelSource::alone("a.gltf", *b"[1]"));
    finding(&list, "TYPE_MISMATCH");
}

#[test]
fn a_cancelled_examination_ends_early() {
    let progress = TaskProgress::default();
    progress.cancel();
    let mut model = Model::sound();
    model.remove("/skins/0/inverseBindMatrices");
    let report = examine(&model.source(), &progress);
    assert!(report.findings.is_empty(), "{report:?}");
}

#[test]
fn long_lists_report_progress_and_stop_when_cancelled() {
    let progress = TaskProgress::default();
    let work = WorkTracker::new(&progress);
    assert!(work.begin_stage(0.5, 1.0));
    let list = vec![json!(1); 2000];
    let mut seen = 0;
    for _ in work.entries(&list) {
        seen += 1;
        if seen == 1500 {
            progress.cancel();
        }
    }
    assert_eq!(seen, 1500);
    assert!((0.8..0.9).contains(&progress.fraction()));
    assert!(!work.begin_stage(0.0, 1.0) && !work.try_spend(1));
}

/// Data that many primitives share is examined once.
#[test]
fn faults_of_shared_data_are_reported_once() {
    let mut model = Model::sound();
    model.write(super::made::NORMALS, 2, &[4.0]);
    let primitive = model.root["meshes"][0]["primitives"][0].clone();
    model.put("/meshes/0/primitives", json!(vec![primitive; 500]));
    let report = report(&model.source());
    assert_eq!(finding(&report, "ACCESSOR_VECTOR3_NON_UNIT").count, 1);
    assert!(report.findings.len() < 5, "{report:?}");
}
