//! Every kind of cell by role, name and keys, on a whole page: what its smallest
//! example does to the document, and that one undo brings back what was edited. What
//! only a GPU shows (`proof`, `shader`) is driven beside one, in `tests/gl`.

use std::f64::consts::FRAC_PI_2;

use bindpose_lesson::{ComparedModel, written_parts};
use bindpose_notebook::{Document, Preferences};
use bindpose_skin::{InverseBind, JointIndex, SkinStage, Vectors};
use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::gallery::{cell_examples, example_set};
use super::testing::{Page, page_with};

/// What a reader does at an element that has the focus.
#[derive(Clone, Copy)]
enum Does {
    Press(Key),
    Type(&'static str),
    /// As a screen reader does it where Tab passes by: joints in a picture, of which the
    /// lists of joints are the keyboard's way.
    Ask,
}
use Does::{Ask, Press, Type};

/// What then is so.
enum Then {
    /// An edit: of the document, and one undo brings it back.
    Edits(fn(&Document) -> bool),
    /// A choice or a place in time: of the document, and no matter of undo.
    Chooses(fn(&Document) -> bool),
    /// Nothing of the document: these words stand on the page, in that role.
    Shows(Role, &'static str),
}
use Then::{Chooses, Edits, Shows};

struct DrivenCells {
    kind: &'static str,
    /// Role and name of an element, and what is done there; one after the other.
    does: &'static [(Role, &'static str, &'static [Does])],
    then: Then,
}

fn joint_1(document: &Document) -> bool {
    document.state.joint == JointIndex(1)
}

fn param(document: &Document, name: &str) -> f64 {
    document.state.params.get(name).copied().unwrap_or_default()
}

const LOWER: (Role, &str, &[Does]) = (Role::Button, "joint 1: lower", &[Ask]);

const DRIVEN: &[DrivenCells] = &[
    DrivenCells { kind: "viewport", does: &[LOWER], then: Chooses(joint_1) },
    DrivenCells {
        kind: "angles",
        does: &[(Role::Slider, "bend", &[Press(Key::ArrowRight)])],
        then: Edits(|document| param(document, "bend") > 0.0),
    },
    DrivenCells {
        kind: "weights",
        does: &[(Role::SpinButton, "weight of joint 0 on v2", &[Press(Key::ArrowUp)])],
        then: Edits(|document| !document.state.weights.is_empty()),
    },
    DrivenCells {
        kind: "brush",
        does: &[(Role::Button, "brush here", &[Press(Key::Enter)])],
        then: Edits(|document| !document.state.weights.is_empty()),
    },
    DrivenCells {
        kind: "quantiser",
        does: &[(Role::RadioButton, "shorts: c / 65535", &[Press(Key::Enter)])],
        then: Shows(Role::Label, "× 65535"),
    },
    DrivenCells {
        kind: "matrix",
        does: &[(Role::SpinButton, "joint 1 from bind, row 1, column 4", &[Press(Key::ArrowUp)])],
        then: Edits(|document| document.state.inverse_binds.contains_key(&JointIndex(1))),
    },
    DrivenCells {
        kind: "chain",
        does: &[(Role::Button, "invert", &[Press(Key::Enter)])],
        then: Edits(|document| !document.state.chains.is_empty()),
    },
    DrivenCells {
        kind: "conventions",
        does: &[(Role::RadioButton, "columns: M · v", &[Press(Key::Enter)])],
        then: Edits(|document| document.state.written_as.vectors == Some(Vectors::Columns)),
    },
    DrivenCells {
        kind: "stages",
        does: &[(Role::RadioButton, "1  bind space", &[Press(Key::Enter)])],
        then: Edits(|document| document.state.stage == SkinStage::Bind),
    },
    DrivenCells {
        kind: "stops",
        does: &[(Role::RadioButton, "bent", &[Press(Key::Enter)])],
        then: Edits(|document| (param(document, "bend") - FRAC_PI_2).abs() < 1e-9),
    },
    DrivenCells {
        kind: "indices",
        does: &[(Role::Button, "place 1: node 2", &[Press(Key::Enter)])],
        then: Chooses(joint_1),
    },
    DrivenCells { kind: "learnt", does: &[], then: Shows(Role::Button, "← Example") },
    DrivenCells {
        kind: "histogram",
        does: &[(Role::DisclosureTriangle, "as a table", &[Press(Key::Enter)])],
        then: Shows(Role::Label, "1.00"),
    },
    DrivenCells {
        kind: "vertex",
        does: &[(Role::DisclosureTriangle, "row by row: M₀ p", &[Press(Key::Enter)])],
        then: Shows(Role::DisclosureTriangle, "row by row: M₀ p"),
    },
    DrivenCells {
        kind: "plot",
        does: &[(Role::Slider, "twist in the plot", &[Press(Key::ArrowLeft)])],
        then: Edits(|document| param(document, "twist") < FRAC_PI_2 - 1e-9),
    },
    DrivenCells {
        kind: "texture",
        does: &[(Role::SpinButton, "x of texel 3 of joint 0", &[Press(Key::ArrowUp)])],
        then: Edits(|document| document.state.texels.contains_key(&JointIndex(0))),
    },
    DrivenCells {
        kind: "budget",
        does: &[(Role::Button, "64", &[Press(Key::Enter)])],
        then: Edits(|document| (param(document, "vec4s") - 64.0).abs() < 1e-9),
    },
    DrivenCells {
        kind: "errata",
        does: &[(Role::Button, "A common error", &[Press(Key::Enter)])],
        then: Shows(Role::Label, "The average of two rotation matrices is none."),
    },
    DrivenCells {
        kind: "note",
        does: &[],
        then: Shows(Role::Label, "What is called a joint here is a bone there."),
    },
    DrivenCells {
        kind: "picture",
        does: &[],
        then: Shows(Role::Label, "Each joint turns what hangs on it."),
    },
    DrivenCells {
        kind: "shader",
        does: &[],
        then: Shows(Role::Label, "The shader's text needs OpenGL 3.3, which is not there."),
    },
    DrivenCells {
        kind: "proof",
        does: &[],
        then: Shows(Role::Label, "What the GPU computes needs OpenGL 3.3"),
    },
    DrivenCells { kind: "compare", does: &[LOWER], then: Chooses(joint_1) },
    DrivenCells {
        kind: "pose",
        does: &[(Role::MultilineTextInput, "Text of the program", &[Type("# bent\n")])],
        then: Edits(|document| {
            let mut texts = document.state.texts.values();
            texts.any(|text| text.text.contains("# bent"))
        }),
    },
    DrivenCells {
        kind: "tree",
        does: &[(
            Role::TreeItem,
            "node 1: outer ring, joint 0, at (−1.60, 0.00, 0.00), level 2",
            &[Press(Key::ArrowDown)],
        )],
        then: Chooses(joint_1),
    },
    DrivenCells {
        kind: "doctor",
        does: &[(Role::Button, "Show all 2", &[Press(Key::Enter)])],
        then: Shows(Role::Label, "note"),
    },
    DrivenCells {
        kind: "bytes",
        does: &[(Role::SpinButton, "x of element 0", &[Press(Key::ArrowUp)])],
        then: Edits(|document| !document.state.bytes.is_empty()),
    },
    DrivenCells {
        kind: "check",
        does: &[(Role::Button, "Show the solution", &[Press(Key::Enter)])],
        then: Edits(|document| (param(document, "bend") - 35_f64.to_radians()).abs() < 1e-9),
    },
    DrivenCells {
        kind: "engine-numbers",
        does: &[(
            Role::MultilineTextInput,
            "Paste a 4 × 4, a palette or positions",
            &[Type("[[1, 2, 3]]")],
        )],
        then: Edits(|document| {
            let mut texts = document.state.texts.values();
            texts.any(|text| text.text.contains("[[1, 2, 3]]"))
        }),
    },
    DrivenCells {
        kind: "model-difference",
        does: &[(Role::Button, "in centimetres", &[Press(Key::Enter)])],
        then: Edits(
            |document| matches!(&document.state.model_b, ComparedModel::Written(done) if done.len() == 1),
        ),
    },
    DrivenCells {
        kind: "ask",
        does: &[
            (Role::RadioButton, "both", &[Press(Key::Enter)]),
            (Role::Button, "Answer", &[Press(Key::Enter)]),
        ],
        then: Edits(|document| document.state.answers.values().any(|answer| answer.given)),
    },
    DrivenCells {
        kind: "faults",
        does: &[(Role::CheckBox, "The inverse bind matrix left out", &[Press(Key::Space)])],
        then: Edits(|document| document.state.inverse_bind == InverseBind::LeftOut),
    },
    DrivenCells {
        kind: "timeline",
        does: &[(Role::CheckBox, "loop", &[Press(Key::Space)])],
        then: Edits(|document| !document.state.playback.repeats),
    },
    DrivenCells {
        kind: "predict",
        does: &[
            (Role::SpinButton, "x of the guess for v817", &[Press(Key::ArrowUp)]),
            (Role::Button, "Reveal", &[Press(Key::Enter)]),
        ],
        then: Edits(|document| document.state.predictions.values().any(|guess| guess.revealed)),
    },
];

fn open(kind: &str, size: [f32; 2]) -> Harness<'static, Page> {
    let examples = cell_examples().expect("examples");
    let lesson = examples[kind].lesson(kind);
    let set = example_set(&[("10-example", &*lesson, "Notes.\n")]);
    page_with(size, set, Preferences::default())
}

fn drive(driven: &DrivenCells, size: [f32; 2], presents: bool) {
    let kind = driven.kind;
    let mut harness = open(kind, size);
    if presents {
        harness.key_press(Key::F5);
        harness.run();
        // All of the text at once.
        harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
        harness.run();
    }
    let before = harness.state_mut().document();
    for (role, name, does) in driven.does {
        for act in *does {
            let elements: Vec<_> = harness.query_all_by_role_and_label(*role, name).collect();
            let element = elements.first();
            let element = element.unwrap_or_else(|| panic!("{kind}: no {role:?} {name}"));
            match act {
                Ask => element.click_accesskit(),
                Press(_) | Type(_) if element.accesskit_node().is_focused() => {}
                Press(_) | Type(_) => element.focus(),
            }
            drop(elements);
            harness.run();
            match act {
                Press(key) => harness.key_press(*key),
                Type(text) => harness.event(Event::Text((*text).to_owned())),
                Ask => {}
            }
            harness.run();
        }
    }
    let after = harness.state_mut().document();
    match driven.then {
        Edits(is_so) => {
            assert!(!is_so(&before) && is_so(&after), "{kind}: {:?}", after.state);
            for _ in driven.does {
                harness.key_press(Key::Escape);
                harness.run();
                harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
                harness.run();
            }
            let undone = harness.state_mut().document();
            assert_eq!(undone.state, before.state, "{kind}: undone");
        }
        Chooses(is_so) => {
            assert!(!is_so(&before) && is_so(&after), "{kind}: {:?}", after.state);
        }
        Shows(role, words) => {
            assert_eq!(after.state, before.state, "{kind}");
            let mut found = harness.query_all_by_role(role);
            let shown = found.any(|node| {
                let node = node.accesskit_node();
                let label = node.label().or_else(|| node.value());
                label.is_some_and(|label| label.contains(words))
            });
            assert!(shown, "{kind}: {words}");
        }
    }
}

#[test]
fn every_kind_is_driven() {
    let parts = written_parts();
    let kinds = parts.iter().filter(|part| part.is_cell());
    let mut kinds: Vec<&str> = kinds.map(|part| part.name).collect();
    let mut driven: Vec<&str> = DRIVEN.iter().map(|driven| driven.kind).collect();
    kinds.sort_unstable();
    driven.sort_unstable();
    assert_eq!(driven, kinds);
}

fn drive_all(size: [f32; 2], presents: bool) {
    for driven in DRIVEN {
        drive(driven, size, presents);
    }
}

#[test]
fn a_cell_of_every_kind_answers_to_keys_on_the_page_and_undo_brings_back_what_was_edited() {
    drive_all([1280.0, 900.0], false);
}

#[test]
fn a_cell_of_every_kind_answers_to_keys_in_presenter_mode() {
    drive_all([1280.0, 720.0], true);
}

#[test]
fn a_cell_of_every_kind_answers_to_keys_on_a_phone() {
    drive_all([390.0, 844.0], false);
}
