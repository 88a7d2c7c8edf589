use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::Lesson;
use bindpose_rigs::builtin;

use super::*;
use crate::export::Export;
use crate::{Document, Edit, apply};

const KEYS: [&str; 2] = ["weights-json", "weights-csv"];

fn saved(key: &str, derived: &Derived) -> Vec<u8> {
    Export::from_key(key).unwrap().bytes(derived, 0).unwrap()
}

fn read(bytes: &[u8]) -> WeightsFile {
    WeightsFile::read(bytes).unwrap().unwrap()
}

/// Edited weights: other joints, sums other than 1, and no weights.
fn painted(rig: &Rig) -> Document {
    let mut document = Document::default();
    let third = Influences::new(&[(JointIndex(1), 1.0 / 3.0), (JointIndex(0), 0.1)]);
    let edit = Edit::Paint(vec![(3, third), (5, Influences::default())]);
    apply(&mut document, &edit, &Lesson::default(), rig).unwrap();
    document
}

#[test]
fn saved_weights_are_restored_exactly() {
    for name in ["tentacle", "whale", "arm", "legs"] {
        let rig = builtin(name).unwrap();
        let document = painted(&rig);
        let here = Derived::of_document(&document, None, &rig);
        let plain = Derived::of_document(&Document::default(), None, &rig);
        for key in KEYS {
            let file = read(&saved(key, &here));
            assert_eq!(file.fitting(&here), Ok(Vec::new()), "{name} {key}");
            let changes = file.fitting(&plain).unwrap();
            let vertices: Vec<u32> = changes.iter().map(|change| change.0).collect();
            assert_eq!(vertices, [3, 5], "{name} {key}");
            let mut opened = Document::default();
            let edit = Edit::OpenWeights(changes);
            apply(&mut opened, &edit, &Lesson::default(), &rig).unwrap();
            let opened = Derived::of_document(&opened, None, &rig);
            for vertex in 0..opened.influences.len() {
                let pairs = |derived: &Derived| -> Vec<_> {
                    let used = derived.used_influences(vertex);
                    used.map(|(_, joint, weight)| (joint, weight)).collect()
                };
                assert_eq!(pairs(&opened), pairs(&here), "{name} {key} v{vertex}");
            }
            // The file of the unedited model removes all edits.
            let changes = read(&saved(key, &plain)).fitting(&here).unwrap();
            let mut back = document.clone();
            let edit = Edit::OpenWeights(changes);
            apply(&mut back, &edit, &Lesson::default(), &rig).unwrap();
            assert_eq!(back.state.weights, Document::default().state.weights);
        }
    }
}

#[test]
fn joints_are_matched_by_name_then_index() {
    let rig = builtin("tentacle").unwrap();
    let name = |joint: usize| rig.skeleton.joints()[joint].name.clone();
    let with_names = |names: &[(usize, String)]| {
        let mut joints = rig.skeleton.joints().to_vec();
        for (joint, name) in names {
            joints[*joint].name.clone_from(name);
        }
        let skeleton = Skeleton::new(joints).unwrap();
        let rig = Arc::new(Rig { skeleton, ..(*rig).clone() });
        Derived::of_document(&Document::default(), None, &rig)
    };
    let plain = Derived::of_document(&Document::default(), None, &rig);
    let file = read(&saved("weights-json", &plain));

    let swapped = with_names(&[(1, name(2)), (2, name(1))]);
    let changes = file.fitting(&swapped).unwrap();
    assert!(!changes.is_empty());
    for (vertex, found) in changes {
        let other = |joint: JointIndex| match joint.0 {
            1 => JointIndex(2),
            2 => JointIndex(1),
            _ => joint,
        };
        let stored = rig.mesh.influences[vertex as usize].used();
        let stored = stored.map(|(_, joint, weight)| (other(joint), weight));
        let found = found.used().map(|(_, joint, weight)| (joint, weight));
        assert!(found.eq(stored), "v{vertex}");
    }

    let shared = with_names(&[(2, name(1))]);
    let of_shared = read(&saved("weights-json", &shared));
    assert_eq!(of_shared.fitting(&shared), Ok(Vec::new()));
    let elsewhere = with_names(&[(1, name(2)), (3, name(2)), (2, name(1))]);
    let many = file.fitting(&elsewhere).unwrap_err();
    let expected = format!("joint `{}` at the place where the file has it", name(2));
    assert_eq!(many.expected, expected);
    assert_eq!(many.found, "2 joints of that name at other places");
}

#[test]
fn weights_of_another_model_are_rejected() {
    let [tentacle, arm] = ["tentacle", "arm"].map(|name| builtin(name).unwrap());
    let [of_tentacle, of_arm] =
        [&tentacle, &arm].map(|rig| Derived::of_document(&Document::default(), None, rig));
    let file = read(&saved("weights-csv", &of_tentacle));
    let [expected, found] = [&of_arm, &of_tentacle].map(|derived| derived.influences.len());
    let misfit = file.fitting(&of_arm).unwrap_err();
    let expected = format!("weights of {expected} vertices, as many as the model has");
    assert_eq!((misfit.expected.clone(), misfit.found.clone()), (expected, found.to_string()));
    assert!(misfit.to_string().contains("open the model that these weights are of"));

    let mut renamed = file.clone();
    renamed.joints[1] = "segmnt 1".to_owned();
    let misfit = renamed.fitting(&of_tentacle).unwrap_err();
    let words = misfit.to_string();
    assert!(words.contains("`segmnt 1`") && words.contains("segment 1"), "{words}");

    let mut nine = file.clone();
    nine.vertices[7] = (0..9).map(|joint| (joint, 1.0 / 9.0)).collect();
    let misfit = nine.fitting(&of_tentacle).unwrap_err();
    assert_eq!((misfit.at, &*misfit.found), (at_vertex(7), "9"));
    assert_eq!(misfit.expected, format!("at most {LANES} joints at an edited vertex"));

    let mut bare = (*arm).clone();
    Arc::make_mut(&mut bare.mesh).influences.clear();
    let bare = Derived::of_document(&Document::default(), None, &Arc::new(bare));
    let words = file.fitting(&bare).unwrap_err().to_string();
    assert!(words.contains("expected a model with weights"), "{words}");
}

#[test]
fn damaged_files_are_rejected_and_other_files_ignored() {
    let wrong = |text: &str| WeightsFile::read(text.as_bytes()).unwrap().unwrap_err().to_string();
    let json = |vertex: &str| format!("{{\"joints\":[\"a\"],\n\"vertices\":[\n{vertex}\n]}}");
    for (text, words) in [
        (json(r#"{"joints":[0],"weights":[]}"#), "/vertices/0/weights: expected 1 weights"),
        (
            json(r#"{"joints":[3],"weights":[1]}"#),
            "/vertices/0/joints/0: expected a number below 1",
        ),
        (
            json(r#"{"joints":[0],"weights":[1e9]}"#),
            "/vertices/0/weights/0: expected a weight between",
        ),
        (json(r#"{"joints":[0],"weights":[null]}"#), "JSON:3:"),
        (json(r#"{"joints":[-1],"weights":[1]}"#), "JSON:3:"),
        (
            "vertex,lane,joint,name,weight\n0,0,0,a,x\n".to_owned(),
            "2:5: error: expected a weight, found `x`",
        ),
        (
            "vertex,lane,joint,name,weight\n0,0,0,a,NaN\n".to_owned(),
            "line 2: expected a weight between",
        ),
        (
            "vertex,lane,joint,name,weight\n0,0,0,a,1\n2,0,0,a,1\n".to_owned(),
            "3:1: error: expected vertex 1",
        ),
        ("vertex,lane,joint,name,weight\n0,0,0\n".to_owned(), "2:1: error: expected vertex, lane"),
        (
            "vertex,lane,joint,name,weight\n0,0,70000,a,1\n".to_owned(),
            "2:3: error: expected the number of a joint",
        ),
    ] {
        let found = wrong(&text);
        assert!(found.contains(words), "{found}");
    }
    let quoted = "vertex,lane,joint,name,weight\n0,0,0,\"a \"\"b\"\",\n c\",1\n0,1,1,d,0.5\n";
    let read = read(quoted.as_bytes());
    assert_eq!(read.joints, ["a \"b\",\n c", "d"]);
    assert_eq!(read.vertices, [[(0, 1.0), (1, 0.5)]]);
    for other in ["{}", "", "x,y\n1,2", "{\"version\":1}", "\u{0}"] {
        assert_eq!(WeightsFile::read(other.as_bytes()), None, "{other}");
    }
    assert_eq!(WeightsFile::read(b"\xff\xfe"), None);
}
