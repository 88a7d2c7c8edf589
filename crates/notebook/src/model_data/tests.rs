//! Tests of steps, links and stops that edit the model's data.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{CellKind, Lesson, Setting, parse_lesson, parse_settings};
use bindpose_rigs::builtin;

use crate::exercise::position_with;
use crate::exercise_cells::cells_at;
use crate::test_sample;
use crate::{
    Cameras, Derived, Document, Edit, EditTarget, apply, carried_on, holds, link, step_changes,
    step_document,
};

/// Steps that edit vertex 1, whose stored weights are ½ and ½.
fn lesson() -> Lesson {
    let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"pair\"\n+++\n\n## One\n\nWords.\n\n\
        ```set\nweights.1 = \"0.25,0.75,0,0\"\n\"inverse-bind.1\" = \"1,0,0,0,0,1,0,0,0,0,1,0,0,-1,0,1\"\n\
        texel.0.3 = \"1,2,3,1\"\n```\n\n## Two\n\nWords.\n\n```set\nnod = 0.5\n```\n\n\
        ## Three\n\nWords.\n\n```set\nedits = \"none\"\nweights.0 = \"0,1,0,0\"\njoints.0 = \"1,0,0,0\"\n\
        carry = true\n```\n\n```predict aim\nask = \"Where?\"\nvertex = 1\n\
        set = { nod = 1.0, \"weights.1\" = \"0,1,0,0\" }\nclose = 0.1\nwhy = \"There.\"\n```\n";
    let lesson = parse_lesson("10-t", text, "Notes.");
    assert_eq!(lesson.findings, []);
    lesson
}

fn labels(document: &Document, rig: &Rig) -> Vec<String> {
    let changes = step_changes(document, &lesson(), rig);
    changes.into_iter().map(|change| change.label).collect()
}

#[test]
fn steps_open_with_edits_of_all_steps_so_far() {
    let (lesson, rig) = (lesson(), Arc::new(test_sample::rig()));
    let first = step_document(&lesson, 0, Some(&rig));
    let weights = Derived::of_document(&first, Some(&lesson), &rig).influences[1].weights;
    assert_eq!(weights[..2], [0.25, 0.75]);
    assert_eq!(first.state.inverse_binds.len(), 1);
    assert_eq!(first.state.texels.len(), 1);
    let second = step_document(&lesson, 1, Some(&rig));
    assert_eq!(second.state.weights, first.state.weights, "none takes it away");
    let third = step_document(&lesson, 2, Some(&rig));
    assert!(third.state.inverse_binds.is_empty() && third.state.texels.is_empty());
    assert_eq!(
        third.state.weights.iter().map(|(vertex, _)| vertex).collect::<Vec<_>>(),
        [0],
        "the order counts"
    );

    let mut left = second.clone();
    left.state.weights.insert(2, [0.5; 8].into());
    let carried = carried_on(&left, &lesson, 2, Some(&rig));
    assert_eq!(carried.state, third.state, "all is taken away that was left");
}

#[test]
fn changes_are_relative_to_edits_of_the_step() {
    let (lesson, rig) = (lesson(), test_sample::rig());
    let begin = step_document(&lesson, 0, Some(&rig));
    assert!(labels(&begin, &rig).is_empty(), "as its author meant it");
    let mut document = begin.clone();
    let edits = [
        Edit::Reset(EditTarget::Weights(None)),
        Edit::Reset(EditTarget::InverseBind(None)),
        Edit::Reset(EditTarget::Texels(None)),
        Edit::Settings(parse_settings("weights.2=0+0.5+0+0").unwrap()),
    ];
    for edit in &edits {
        apply(&mut document, edit, &lesson, &rig).unwrap();
    }
    let told = labels(&document, &rig);
    let expected =
        ["weights of v1", "weights of v2", "inverse bind matrix of head", "texels of body"];
    assert_eq!(told, expected);
    for (index, change) in step_changes(&document, &lesson, &rig).iter().enumerate() {
        let mut back = document.clone();
        apply(&mut back, &change.put_back, &lesson, &rig).unwrap();
        let mut left = told.clone();
        left.remove(index);
        assert_eq!(labels(&back, &rig), left);
    }
    let mut all = document.clone();
    for change in step_changes(&document, &lesson, &rig) {
        apply(&mut all, &change.put_back, &lesson, &rig).unwrap();
    }
    assert_eq!(all, begin);
}

#[test]
fn links_contain_and_clear_edits_of_the_step() {
    let (lesson, rig) = (lesson(), test_sample::rig());
    let begin = step_document(&lesson, 0, Some(&rig));
    let there = |document: &Document| {
        let text = link::write(document, &Cameras::new(), &lesson, &rig);
        let values = link::address(&text).unwrap().values;
        let mut read = begin.clone();
        link::read(&values, &mut read, &mut Cameras::new(), &lesson, &rig).unwrap();
        assert_eq!(read, *document, "{text}");
        text
    };
    assert_eq!(there(&begin), "bindpose://t/one");
    let mut document = begin.clone();
    let more = Edit::Settings(parse_settings("weights.2=0+0.5+0+0").unwrap());
    apply(&mut document, &more, &lesson, &rig).unwrap();
    assert_eq!(there(&document), "bindpose://t/one?weights.2=0,0.5,0,0");
    apply(&mut document, &Edit::Reset(EditTarget::Weights(Some(1))), &lesson, &rig).unwrap();
    assert!(there(&document).contains("?edits=none&weights.2="));
    let none = Edit::Settings(vec![Setting::NoEdits]);
    apply(&mut document, &none, &lesson, &rig).unwrap();
    assert_eq!(there(&document), "bindpose://t/one?edits=none");
    assert_eq!(document.state.weights.len(), 0);
}

#[test]
fn byte_changes_are_relative_to_the_step() {
    let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"simple_skin_file\"\n+++\n\n## One\n\nWords.\n\n\
        ```set\nbytes.0.0 = \"0102\"\n```\n";
    let lesson = parse_lesson("10-t", text, "");
    assert_eq!(lesson.findings, []);
    let rig = builtin("simple_skin_file").unwrap();
    let begin = step_document(&lesson, 0, Some(&rig));
    assert_eq!(begin.state.bytes.len(), 2);
    let mut document = begin.clone();
    let edit = Edit::Reset(EditTarget::Bytes { buffer: 0, offset: 1, length: 1 });
    apply(&mut document, &edit, &lesson, &rig).unwrap();
    let changes = step_changes(&document, &lesson, &rig);
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].label, "byte 1 of the file");
    let text = link::write(&document, &Cameras::new(), &lesson, &rig);
    assert_eq!(text, "bindpose://t/one?edits=none&bytes.0.0=01");
    apply(&mut document, &changes[0].put_back, &lesson, &rig).unwrap();
    assert_eq!(document, begin);
}

#[test]
fn links_and_answers_see_edits() {
    let (lesson, rig) = (lesson(), Arc::new(test_sample::rig()));
    let start = step_document(&lesson, 2, Some(&rig));
    let page = Derived::of_document(&start, Some(&lesson), &rig);
    let set = parse_settings("weights.1=0+1+0+0").unwrap();
    assert!(!holds(&set, &start, &page));
    let none = [Setting::NoEdits];
    assert!(!holds(&none, &start, &page), "the step itself puts weights");
    let own = parse_settings("edits=none,weights.0=0+1+0+0,joints.0=1+0+0+0").unwrap();
    assert!(holds(&own, &start, &page), "one after the other, as they are put");
    let mut done = start.clone();
    apply(&mut done, &Edit::Settings(set.clone()), &lesson, &rig).unwrap();
    assert!(holds(&set, &done, &Derived::of_document(&done, Some(&lesson), &rig)));
    apply(&mut done, &Edit::ResetSettings(set), &lesson, &rig).unwrap();
    assert_eq!(done, start);

    let cells = cells_at(&lesson, 2);
    let predict = cells.into_iter().find_map(|cell| match &cell.kind {
        CellKind::Predict(cell) => Some(cell.with(0)),
        _ => None,
    });
    let set = &predict.expect("a question").set.0;
    let with = position_with(set, 1, &start, &lesson, &page).unwrap().unwrap();
    let without = position_with(&set[..1], 1, &start, &lesson, &page);
    assert_eq!(set[0], Setting::Param("nod".to_owned(), 1.0));
    assert_ne!(Some(with), without.unwrap(), "its weights count");
}

#[test]
fn data_settings_are_parsed_with_helpful_errors() {
    let read = parse_settings("edits=none,bytes.0.48=00,joints.3=1+2+0+0").unwrap();
    let texts = read.iter().map(|one| format!("{}={}", one.key(), one.text()));
    let texts: Vec<String> = texts.collect();
    assert_eq!(texts, ["edits=none", "bytes.0.48=00", "joints.3=1,2,0,0"]);
    for (text, expected) in [
        ("edits=some", "expected `none`"),
        ("weights.3=1+2", "numbers with commas between"),
        ("weights.x=1+0+0+0", "the number of a vertex, as in weights.3"),
    ] {
        let wrong = parse_settings(text).expect_err(text).to_string();
        assert!(wrong.contains(expected), "{wrong}");
    }
}
