//! Small files with one fault each, and the collection of broken ones where it
//! is at hand.

mod as_meant;
mod bind;
mod clips;
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

/// The vertex and the joint that a finding is about.
fn vertex_and_joint(finding: &Diagnostic) -> (Option<u32>, Option<u32>) {
    match &finding.at {
        Place::Model(ModelPlace { vertex, joint, .. }) => (*vertex, *joint),
        other => panic!("{other}"),
    }
}

#[test]
fn the_catalogue_teaches_and_its_lessons_are_there() {
    let lessons = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons");
    let folders: Vec<String> = std::fs::read_dir(lessons)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let announced = ["gltf-joint-matrices", "gltf-bytes", "scene-graph", "time", "your-model"];
    let mut codes = std::collections::BTreeSet::new();
    for fault in catalog::ALL {
        assert!(codes.insert(fault.code), "{} twice", fault.code);
        let words = fault.words();
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
    let counted = format!("{} faults", catalog::ALL.len());
    assert!(include_str!("../../../README.md").contains(&counted), "{counted}");
}
