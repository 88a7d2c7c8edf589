//! Tests with small files, and with the collection of models if it is available.

mod as_meant;
mod bind;
mod clips;
mod creature_faults;
mod creatures;
mod examined;
mod faults;
mod hierarchies;
mod limits;
mod made;
mod mending;
mod page;
mod reports;
mod rest_shape;
mod shared;
mod skeletons;
mod skin_fit;
mod surfaces;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, Severity};

use super::*;

fn report(source: &ModelSource) -> DoctorReport {
    examine(source, &TaskProgress::default())
}

#[track_caller]
fn finding<'a>(report: &'a DoctorReport, code: &str) -> &'a Diagnostic {
    let mut found = report.findings.iter();
    found.find(|finding| finding.code == code).unwrap_or_else(|| {
        let codes: Vec<_> = report.findings.iter().map(|f| (f.code, &f.at)).collect();
        panic!("no {code} in {codes:?}")
    })
}

/// Returns the vertex and the joint of a finding.
fn vertex_and_joint(finding: &Diagnostic) -> (Option<u32>, Option<u32>) {
    match &finding.at {
        Place::Model(ModelPlace { vertex, joint, .. }) => (*vertex, *joint),
        other => panic!("{other}"),
    }
}

#[test]
fn texts_of_the_catalogue_are_sentences_and_its_lessons_exist() {
    let lessons = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons");
    let folders: Vec<String> = std::fs::read_dir(lessons)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let announced = ["gltf-joint-matrices", "gltf-bytes", "scene-graph", "time", "your-model"];
    let mut codes = std::collections::BTreeSet::new();
    for fault in catalog::ALL_FAULTS {
        assert!(codes.insert(fault.code), "{} twice", fault.code);
        let words = fault.texts();
        for words in [words.title, words.effect, words.remedy] {
            assert!(words.ends_with('.'), "{}: {words}", fault.code);
            assert!(!words.contains("  "), "{}: {words}", fault.code);
        }
        if let Some(slug) = fault.lesson {
            let there = folders
                .iter()
                .any(|folder| folder.split_once('-').is_some_and(|(_, rest)| rest == slug));
            assert!(there || announced.contains(&slug), "{}: {slug}", fault.code);
        }
    }
}

#[test]
fn the_readme_counts_the_faults() {
    let counted = format!("{} faults", catalog::ALL_FAULTS.len());
    assert!(include_str!("../../README.md").contains(&counted), "{counted}");
}
