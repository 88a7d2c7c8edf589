//! Damaged and hostile files: each is rejected at the right place, without a panic or a hang.

#[path = "../../../../../tests/common/hang.rs"]
mod hang;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use proptest::prelude::*;

use super::{SAMPLE, skinned};
use crate::ezm::read_ezm;
use crate::read_error::code::{
    EZM_CYCLE, EZM_DANGLING, EZM_FORMAT, EZM_MISSING, EZM_NUMBER, EZM_REPEATED, EZM_UNSUPPORTED,
    EZM_WRONG_COUNT, EZM_XML,
};
use crate::{ModelSource, OpenError, TaskProgress, open};

/// Asserts that the sample with one edit is rejected, with this code and place.
#[track_caller]
fn refused(from: &str, to: &str, code: &str, path: &str, line: usize) {
    assert!(SAMPLE.contains(from), "{from}");
    let edited = SAMPLE.replacen(from, to, 1);
    let error = &read_ezm(edited.as_bytes()).unwrap_err()[0];
    let Place::Xml { path: found_path, at: LineColumn { line: found_line, column } } = &error.at
    else {
        panic!("{error}");
    };
    assert_eq!((error.code, &**found_path, *found_line), (code, path, line), "{error}");
    assert!(*column > 0 && !error.expected.is_empty() && !error.help.is_empty());
}

#[test]
fn damage_is_reported_with_its_place() {
    let bone = |n: u32| format!("/MeshSystem/Skeletons/Skeleton/Bone[{n}]");
    let mesh = |n: u32| format!("/MeshSystem/Meshes/Mesh[{n}]");
    let buffer = format!("{}/vertexbuffer", mesh(1));
    let track = "/MeshSystem/Animations/Animation/AnimTrack";
    refused("<MeshSystem ", "<Scene ", EZM_XML, "/", 39);
    refused("</MeshSystem>", "", EZM_XML, "/", 1);
    // Names.
    refused("name=\"tip\" parent", "parent", EZM_MISSING, &format!("{}/@name", bone(1)), 5);
    refused("name=\"root\"", "name=\"tip\"", EZM_REPEATED, &format!("{}/@name", bone(2)), 6);
    refused("parent=\"root\"", "parent=\"toor\"", EZM_DANGLING, &format!("{}/@parent", bone(1)), 5);
    refused("parent=\"root\"", "parent=\"tip\"", EZM_CYCLE, &format!("{}/@parent", bone(1)), 5);
    refused(
        "</Skeletons>",
        "<Skeleton name=\"second\"/></Skeletons>",
        EZM_UNSUPPORTED,
        "/MeshSystem/Skeletons/Skeleton[2]",
        9,
    );
    refused(
        "skeleton=\"first\"",
        "skeleton=\"third\"",
        EZM_DANGLING,
        &format!("{}/@skeleton", mesh(1)),
        18,
    );
    refused("AnimTrack name=\"tip\"", "AnimTrack", EZM_MISSING, &format!("{track}/@name"), 12);
    // Counts.
    refused(
        "count=\"3\">\n      <Bone",
        "count=\"4\">\n      <Bone",
        EZM_WRONG_COUNT,
        "/MeshSystem/Skeletons/Skeleton/@count",
        4,
    );
    refused(
        "count=\"3\" ctype",
        "count=\"30000000000\" ctype",
        EZM_WRONG_COUNT,
        &format!("{buffer}/@count"),
        19,
    );
    refused(
        "triangle_count=\"1\"",
        "triangle_count=\"2\"",
        EZM_WRONG_COUNT,
        &format!("{}/MeshSection[1]/indexbuffer/@triangle_count", mesh(1)),
        24,
    );
    refused("framecount=\"2\"", "framecount=\"3\"", EZM_WRONG_COUNT, track, 12);
    refused("count=\"2\" has", "count=\"1\" has", EZM_WRONG_COUNT, &format!("{track}/@count"), 12);
    // Numbers.
    refused(
        "0.7071068 0.7071068",
        "0.7071068",
        EZM_NUMBER,
        &format!("{}/@orientation", bone(1)),
        5,
    );
    refused(
        "position=\"0 2 0\"",
        "position=\"0 nan 0\"",
        EZM_NUMBER,
        &format!("{}/@position", bone(1)),
        5,
    );
    refused("scale=\"2 2 2\"", "scale=\"0 2 2\"", EZM_NUMBER, &bone(3), 7);
    refused(
        "orientation=\"0 0 0 2\"",
        "orientation=\"0 0 0 0\"",
        EZM_NUMBER,
        &format!("{}/@orientation", bone(2)),
        6,
    );
    refused("        1 0 0 ffffffff", "        1 0 ffffffff", EZM_NUMBER, &buffer, 21);
    refused("1 0 0 ffffffff", "1 x 0 ffffffff", EZM_NUMBER, &buffer, 21);
    refused("0 3 0 0 0 0 1,", "0 3 0 0 0 1,", EZM_NUMBER, track, 12);
    refused("0 3 0 0 0 0 1,", "0 3 0 0 0 0 inf,", EZM_NUMBER, track, 12);
    refused(
        "dtime=\"0.5\"",
        "dtime=\"-1\"",
        EZM_NUMBER,
        "/MeshSystem/Animations/Animation/@dtime",
        11,
    );
    // Indices.
    refused("0 1 77 99", "0 3 77 99", EZM_DANGLING, &buffer, 21);
    refused(
        ">0 2 1<",
        ">0 3 1<",
        EZM_DANGLING,
        &format!("{}/MeshSection[2]/indexbuffer", mesh(1)),
        25,
    );
    // Structure.
    refused(
        "ctype=\"fff fff\"",
        "ctype=\"fff\"",
        EZM_FORMAT,
        &format!("{}/vertexbuffer/@ctype", mesh(2)),
        28,
    );
    refused(
        "ctype=\"fff fff\"",
        "ctype=\"fff ff\"",
        EZM_FORMAT,
        &format!("{}/vertexbuffer/@ctype", mesh(2)),
        28,
    );
}

#[test]
fn errors_beyond_the_twentieth_are_counted() {
    let two =
        SAMPLE.replacen("parent=\"root\"", "parent=\"toor\"", 1).replacen(">0 2 1<", ">0 3 1<", 1);
    let source = ModelSource::alone("two.ezm", two.into_bytes());
    let Err(error @ OpenError::Ezm { .. }) = open(&source, &TaskProgress::default()) else {
        panic!("the file is damaged");
    };
    let OpenError::Ezm { errors, .. } = &error else { unreachable!() };
    assert_eq!(errors.len(), 2, "{error}");
    assert!(error.to_string().ends_with("(and one more fault)"), "{error}");

    let bone = "<Bone orientation=\"0 0 0 1\" position=\"0 0 0\"/>".repeat(5000);
    let text = format!(
        "<MeshSystem><Skeletons><Skeleton name=\"s\">{bone}</Skeleton></Skeletons></MeshSystem>"
    );
    let errors = read_ezm(text.as_bytes()).unwrap_err();
    let counts: Vec<usize> = errors.iter().map(|error| error.count).collect();
    assert_eq!((counts.len(), counts[0], counts[19]), (20, 1, 4981));
}

#[test]
fn files_made_to_hurt_are_refused_without_a_hang() {
    let lots = 200_000;
    let deep = format!("{}{}", "<a>".repeat(lots), "</a>".repeat(lots));
    let attributes: Vec<String> = (0..lots).map(|at| format!("a{at}=\"\" ")).collect();
    let attributes = attributes.concat();
    let namespaces: Vec<String> = (0..20_000).map(|at| format!("<a xmlns:n{at}=\"u\">")).collect();
    let namespaces = namespaces.concat();
    let entities = "<!DOCTYPE a [<!ENTITY b \"bbbbbbbb\"><!ENTITY c \"&b;&b;&b;\">]>\
        <MeshSystem>&c;</MeshSystem>";
    let many = format!(
        "<MeshSystem><Skeletons>{}</Skeletons><Meshes>{}</Meshes></MeshSystem>",
        "<Skeleton name=\"s\"/>".repeat(lots),
        "<Mesh skeleton=\"t\"><vertexbuffer ctype=\"fff\" semantic=\"position\"/></Mesh>"
            .repeat(lots)
    );
    for (name, text) in [
        ("deep", format!("<MeshSystem>{deep}</MeshSystem>")),
        ("many nodes", format!("<MeshSystem>{}</MeshSystem>", "<a/>".repeat(2_000_000))),
        ("attributes", format!("<MeshSystem {attributes}/>")),
        ("namespaces", format!("<MeshSystem>{namespaces}")),
        ("entities", entities.to_owned()),
        ("not text", "\u{0}\u{1}".to_owned()),
        ("nothing", String::new()),
        ("skeletons and meshes", many),
    ] {
        let errors = hang::must_end(name, move || read_ezm(text.as_bytes())).unwrap_err();
        assert!(!errors.is_empty(), "{name}");
    }
    assert!(read_ezm(b"\xFF\xFE\x00").is_err());
}

#[test]
fn a_file_cut_anywhere_is_refused_in_words() {
    let end = SAMPLE.trim_end().len();
    for length in 0..end {
        let error: Diagnostic = read_ezm(&SAMPLE.as_bytes()[..length]).unwrap_err().remove(0);
        assert!(error.to_string().contains("expected"), "{length}: {error}");
    }
    assert!(read_ezm(&SAMPLE.as_bytes()[..end]).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_is_written_into_a_file_reading_ends(
        at in 0..SAMPLE.len(),
        length in 0_usize..12,
        put in "[ -~]{0,12}",
    ) {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, put.into_bytes());
        if let Ok(rig) = read_ezm(&bytes) {
            prop_assert!(skinned(&rig, &[]).len() == rig.mesh.positions.len());
        }
    }
}
