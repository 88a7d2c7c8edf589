//! Hierarchies of any shape: loops, nodes with two parents, missing children.

use serde_json::{Value, json};

use super::made::Model;
use super::skeletons::Numbers;
use super::*;

/// Number of random files.
const FILE_COUNT: u64 = 2000;
/// Maximum number of visits of an examination for each node of the file.
const MAX_VISITS_PER_NODE: usize = 4;

/// Returns the report with the number of visited nodes.
fn examined_with_visits(source: &ModelSource) -> (DoctorReport, usize) {
    let source = source.clone();
    let examination = Paced::new(&TaskProgress::default(), async move |pace| {
        let mut findings = Findings::default();
        let doc = open_document(&source, pace.progress(), &mut findings).expect("it is JSON");
        let graph = NodeGraph::new(&doc, &mut findings);
        examine_gltf(&doc, &graph, &source, &pace, &mut findings).await;
        let examined = findings.examined;
        (DoctorReport::from_findings(findings.into_sorted(), examined), graph.forest.visits())
    });
    examination.finish()
}

/// Examines, opens and mends a file, all of which walk its nodes.
#[track_caller]
fn assert_few_visits(name: &str, source: &ModelSource, nodes: usize) -> DoctorReport {
    let (report, visits) = examined_with_visits(source);
    let most = MAX_VISITS_PER_NODE * nodes;
    assert!(visits <= most, "{name}: {visits} visits, {nodes} nodes");
    let opens = bindpose_gltf::open(source, &TaskProgress::default()).is_ok();
    let is_empty = report.findings.iter().any(|finding| finding.code == NOTHING_TO_SHOW.code);
    assert!(opens || is_empty || report.errors > 0, "{name}: {report:?}");
    let _ = mend(source, Container::Glb, &TaskProgress::default());
    report
}

/// Returns a sound model with random nodes instead of its own.
fn random_model(numbers: &mut Numbers) -> (Model, usize) {
    let mut model = Model::sound();
    // Two triangles, because the doctor does not report the collapse of a single one.
    model.accessor(5123, "SCALAR", 6, &[0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 0, 0]);
    let both_sides = model.list("accessors").len() - 1;
    model.put("/meshes/0/primitives/0/indices", json!(both_sides));
    let count = 1 + numbers.below(40);
    // Up to three indices beyond the last node.
    let node = |numbers: &mut Numbers| numbers.below(count + 3);
    let some = |numbers: &mut Numbers, most: usize| -> Vec<usize> {
        let length = numbers.below(most + 1);
        (0..length).map(|_| node(numbers)).collect()
    };
    let nodes = (0..count).map(|_| {
        let mut one = json!({});
        let children = some(numbers, 2);
        if !children.is_empty() {
            one["children"] = json!(children);
        }
        match numbers.below(6) {
            0 => one["scale"] = json!([0, 0, 0]),
            1 => one["translation"] = json!([1, 2, 3]),
            _ => {}
        }
        if numbers.below(3) == 0 {
            one["mesh"] = json!(0);
            one["skin"] = json!(numbers.below(4));
        }
        one
    });
    let nodes: Vec<Value> = nodes.collect();
    model.put("/nodes", json!(nodes));
    let skins = (0..numbers.below(4)).map(|_| json!({"joints": some(numbers, 5)}));
    let skins: Vec<Value> = skins.collect();
    model.put("/skins", json!(skins));
    model.put("/scenes/0/nodes", json!(some(numbers, 4)));
    model.put("/animations/0/channels/0/target/node", json!(node(numbers)));
    (model, count)
}

#[test]
fn random_hierarchies_are_walked_in_bounded_steps() {
    let mut numbers = Numbers(1);
    let mut codes = std::collections::BTreeMap::new();
    for file in 0..FILE_COUNT {
        let (model, count) = random_model(&mut numbers);
        let report = assert_few_visits(&format!("file {file}"), &model.source(), count);
        for finding in report.findings {
            *codes.entry(finding.code).or_insert(0) += 1;
        }
    }
    // Makes sure that the random files have the faults under test.
    let count = |code: &str| codes.get(code).copied().unwrap_or(0);
    for (code, least) in [
        ("NODE_LOOP", FILE_COUNT / 20),
        ("NODE_PARENT_OVERRIDE", FILE_COUNT / 20),
        ("UNRESOLVED_REFERENCE", FILE_COUNT / 20),
        ("ALL_IN_ONE_POINT", 1),
        ("NODE_SKINNED_MESH_NON_ROOT", 1),
    ] {
        assert!(count(code) >= least, "{code}: {codes:?}");
    }
}

/// A skin whose joint is below two nodes that are each other's children.
#[test]
fn a_joint_below_a_loop_is_reported_with_the_loop() {
    let file = json!({
        "asset": {"version": "2.0"},
        "nodes": [{"children": [1]}, {"children": [0, 2]}, {}],
        "skins": [{"joints": [2]}],
    });
    let source = ModelSource::alone("loop.gltf", file.to_string().into_bytes());
    let report = assert_few_visits("loop.gltf", &source, 3);
    let found = finding(&report, "NODE_LOOP");
    assert_eq!(found.at.pointer(), "/nodes/0");
    assert_eq!((found.severity, found.count), (Severity::Error, 2));
}

/// A chain of nodes with meshes and joints at every level, which no check may walk once for
/// each of them.
#[test]
fn deep_chains_need_no_more_visits_than_flat_hierarchies() {
    const DEPTH: usize = 3000;
    for joints in [vec![DEPTH - 1; 1], (0..DEPTH).rev().collect(), vec![DEPTH - 1, 0, DEPTH / 2]] {
        let mut model = Model::sound();
        let nodes = (0..DEPTH).map(|node| {
            let mut one = json!({"mesh": 0, "skin": node % 50});
            if node + 1 < DEPTH {
                one["children"] = json!([node + 1]);
            }
            one
        });
        let nodes: Vec<Value> = nodes.collect();
        model.put("/nodes", json!(nodes));
        model.put("/scenes/0/nodes", json!([0]));
        model.put("/skins", json!(vec![json!({"joints": joints}); 50]));
        assert_few_visits("a chain", &model.source(), DEPTH);
    }
}
