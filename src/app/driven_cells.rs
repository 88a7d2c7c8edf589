//! Tests of every kind of cell by role, name and keys, on a whole page: the effect of its
//! smallest example on the document, and one undo for each edit. Cells that need a GPU
//! (`proof`, `shader`) are tested in `tests/gl`.

use std::f64::consts::FRAC_PI_2;

use bindpose_lesson::{ComparedModel, written_parts};
use bindpose_notebook::{Document, Preferences};
use bindpose_skin::{InverseBind, JointIndex, SkinStage, Vectors};
use bindpose_testkit::ReaderActions as _;
use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::host::{cell_examples, example_set};
use super::testing::{Page, page_with};

/// A reader's input at an element.
#[derive(Clone, Copy)]
enum Input {
    Press(Key),
    Type(&'static str),
    /// Click by a screen reader. For joints in a picture, which Tab skips because the lists
    /// of joints have them, too.
    AccessKitClick,
}
use Input::{AccessKitClick, Press, Type};

/// The expected outcome.
enum Outcome {
    /// The document changes, and one undo restores it. The function is true afterwards only.
    Edits(fn(&Document) -> bool),
    /// A choice or a time in the document changes, without an undo step.
    Chooses(fn(&Document) -> bool),
    /// The document is unchanged, and the page shows this text in this role.
    Shows(Role, &'static str),
}
use Outcome::{Chooses, Edits, Shows};

/// Inputs at one element, found by role and name.
struct ElementInputs {
    role: Role,
    name: &'static str,
    inputs: &'static [Input],
}

struct CellTest {
    kind: &'static str,
    elements: &'static [ElementInputs],
    outcome: Outcome,
}

const fn at(role: Role, name: &'static str, inputs: &'static [Input]) -> ElementInputs {
    ElementInputs { role, name, inputs }
}

fn joint_1(document: &Document) -> bool {
    document.state.joint == JointIndex(1)
}

fn param(document: &Document, name: &str) -> f64 {
    document.state.params.get(name).copied().unwrap_or_default()
}

const JOINT_1: ElementInputs = at(Role::Button, "joint 1: lower", &[AccessKitClick]);

const CELL_TESTS: &[CellTest] = &[
    CellTest { kind: "viewport", elements: &[JOINT_1], outcome: Chooses(joint_1) },
    CellTest {
        kind: "angles",
        elements: &[at(Role::Slider, "bend", &[Press(Key::ArrowRight)])],
        outcome: Edits(|document| param(document, "bend") > 0.0),
    },
    CellTest {
        kind: "weights",
        elements: &[at(Role::SpinButton, "weight of joint 0 on v2", &[Press(Key::ArrowUp)])],
        outcome: Edits(|document| !document.state.weights.is_empty()),
    },
    CellTest {
        kind: "brush",
        elements: &[at(Role::Button, "brush here", &[Press(Key::Enter)])],
        outcome: Edits(|document| !document.state.weights.is_empty()),
    },
    CellTest {
        kind: "quantiser",
        elements: &[at(Role::RadioButton, "shorts: c / 65535", &[Press(Key::Enter)])],
        outcome: Shows(Role::Label, "× 65535"),
    },
    CellTest {
        kind: "matrix",
        elements: &[at(
            Role::SpinButton,
            "joint 1 from bind, row 1, column 4",
            &[Press(Key::ArrowUp)],
        )],
        outcome: Edits(|document| document.state.inverse_binds.contains_key(&JointIndex(1))),
    },
    CellTest {
        kind: "chain",
        elements: &[at(Role::Button, "invert", &[Press(Key::Enter)])],
        outcome: Edits(|document| !document.state.chains.is_empty()),
    },
    CellTest {
        kind: "conventions",
        elements: &[at(Role::RadioButton, "columns: M · v", &[Press(Key::Enter)])],
        outcome: Edits(|document| document.state.written_as.vectors == Some(Vectors::Columns)),
    },
    CellTest {
        kind: "stages",
        elements: &[at(Role::RadioButton, "1  bind space", &[Press(Key::Enter)])],
        outcome: Edits(|document| document.state.stage == SkinStage::Bind),
    },
    CellTest {
        kind: "stops",
        elements: &[at(Role::RadioButton, "bent", &[Press(Key::Enter)])],
        outcome: Edits(|document| (param(document, "bend") - FRAC_PI_2).abs() < 1e-9),
    },
    CellTest {
        kind: "indices",
        elements: &[at(Role::Button, "place 1: node 2", &[Press(Key::Enter)])],
        outcome: Chooses(joint_1),
    },
    CellTest { kind: "learnt", elements: &[], outcome: Shows(Role::Button, "← Example") },
    CellTest {
        kind: "histogram",
        elements: &[at(Role::DisclosureTriangle, "as a table", &[Press(Key::Enter)])],
        outcome: Shows(Role::Label, "1.00"),
    },
    CellTest {
        kind: "vertex",
        elements: &[at(Role::DisclosureTriangle, "row by row: M₀ p", &[Press(Key::Enter)])],
        outcome: Shows(Role::DisclosureTriangle, "row by row: M₀ p"),
    },
    CellTest {
        kind: "plot",
        elements: &[at(Role::Slider, "twist in the plot", &[Press(Key::ArrowLeft)])],
        outcome: Edits(|document| param(document, "twist") < FRAC_PI_2 - 1e-9),
    },
    CellTest {
        kind: "texture",
        elements: &[at(Role::SpinButton, "x of texel 3 of joint 0", &[Press(Key::ArrowUp)])],
        outcome: Edits(|document| document.state.texels.contains_key(&JointIndex(0))),
    },
    CellTest {
        kind: "budget",
        elements: &[at(Role::Button, "64", &[Press(Key::Enter)])],
        outcome: Edits(|document| (param(document, "vec4s") - 64.0).abs() < 1e-9),
    },
    CellTest {
        kind: "errata",
        elements: &[at(Role::Button, "A common error", &[Press(Key::Enter)])],
        outcome: Shows(Role::Label, "The average of two rotation matrices is none."),
    },
    CellTest {
        kind: "note",
        elements: &[],
        outcome: Shows(Role::Label, "What is called a joint here is a bone there."),
    },
    CellTest {
        kind: "picture",
        elements: &[],
        outcome: Shows(Role::Label, "Each joint turns what hangs on it."),
    },
    CellTest {
        kind: "shader",
        elements: &[],
        outcome: Shows(Role::Label, "The shader's text needs OpenGL 3.3, which is not there."),
    },
    CellTest {
        kind: "proof",
        elements: &[],
        outcome: Shows(Role::Label, "What the GPU computes needs OpenGL 3.3"),
    },
    CellTest { kind: "compare", elements: &[JOINT_1], outcome: Chooses(joint_1) },
    CellTest {
        kind: "pose",
        elements: &[at(Role::MultilineTextInput, "Text of the program", &[Type("# bent\n")])],
        outcome: Edits(|document| {
            let mut texts = document.state.texts.values();
            texts.any(|text| text.text.contains("# bent"))
        }),
    },
    CellTest {
        kind: "tree",
        elements: &[at(
            Role::TreeItem,
            "node 1: outer ring, joint 0, at (−1.60, 0.00, 0.00), level 2",
            &[Press(Key::ArrowDown)],
        )],
        outcome: Chooses(joint_1),
    },
    CellTest {
        kind: "doctor",
        elements: &[at(Role::Button, "Show all 2", &[Press(Key::Enter)])],
        outcome: Shows(Role::Label, "note"),
    },
    CellTest {
        kind: "bytes",
        elements: &[at(Role::SpinButton, "x of element 0", &[Press(Key::ArrowUp)])],
        outcome: Edits(|document| !document.state.bytes.is_empty()),
    },
    CellTest {
        kind: "check",
        elements: &[at(Role::Button, "Show the solution", &[Press(Key::Enter)])],
        outcome: Edits(|document| (param(document, "bend") - 35_f64.to_radians()).abs() < 1e-9),
    },
    CellTest {
        kind: "engine-numbers",
        elements: &[at(
            Role::MultilineTextInput,
            "Paste a 4 × 4, a palette or positions",
            &[Type("[[1, 2, 3]]")],
        )],
        outcome: Edits(|document| {
            let mut texts = document.state.texts.values();
            texts.any(|text| text.text.contains("[[1, 2, 3]]"))
        }),
    },
    CellTest {
        kind: "model-difference",
        elements: &[at(Role::Button, "in centimetres", &[Press(Key::Enter)])],
        outcome: Edits(
            |document| matches!(&document.state.model_b, ComparedModel::Written(done) if done.len() == 1),
        ),
    },
    CellTest {
        kind: "ask",
        elements: &[
            at(Role::RadioButton, "both", &[Press(Key::Enter)]),
            at(Role::Button, "Answer", &[Press(Key::Enter)]),
        ],
        outcome: Edits(|document| document.state.answers.values().any(|answer| answer.given)),
    },
    CellTest {
        kind: "faults",
        elements: &[at(Role::CheckBox, "The inverse bind matrix left out", &[Press(Key::Space)])],
        outcome: Edits(|document| document.state.inverse_bind == InverseBind::LeftOut),
    },
    CellTest {
        kind: "timeline",
        elements: &[at(Role::CheckBox, "loop", &[Press(Key::Space)])],
        outcome: Edits(|document| !document.state.playback.repeats),
    },
    CellTest {
        kind: "predict",
        elements: &[
            at(Role::SpinButton, "x of the guess for v817", &[Press(Key::ArrowUp)]),
            at(Role::Button, "Reveal", &[Press(Key::Enter)]),
        ],
        outcome: Edits(|document| document.state.predictions.values().any(|guess| guess.revealed)),
    },
];

fn open_example(kind: &str, size: [f32; 2]) -> Harness<'static, Page> {
    let examples = cell_examples().expect("examples");
    let lesson = examples[kind].lesson(kind);
    let set = example_set(&[("10-example", &*lesson, "Notes.\n")]);
    page_with(size, set, Preferences::default())
}

fn run_test(test: &CellTest, size: [f32; 2], presenting: bool) {
    let kind = test.kind;
    let mut harness = open_example(kind, size);
    if presenting {
        harness.press(Key::F5);
        // Shows all of the text at once.
        harness.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    }
    let before = harness.state_mut().document();
    for &ElementInputs { role, name, inputs } in test.elements {
        for input in inputs {
            let elements: Vec<_> = harness.query_all_by_role_and_label(role, name).collect();
            let Some(element) = elements.first() else { panic!("{kind}: no {role:?} {name}") };
            match input {
                AccessKitClick => element.click_accesskit(),
                Press(_) | Type(_) if element.accesskit_node().is_focused() => {}
                Press(_) | Type(_) => element.focus(),
            }
            drop(elements);
            harness.run();
            match input {
                Press(key) => harness.key_press(*key),
                Type(text) => harness.event(Event::Text((*text).to_owned())),
                AccessKitClick => {}
            }
            harness.run();
        }
    }
    let after = harness.state_mut().document();
    match test.outcome {
        Edits(holds) => {
            assert!(!holds(&before) && holds(&after), "{kind}: {:?}", after.state);
            for _ in test.elements {
                harness.press(Key::Escape);
                harness.press_with(Modifiers::COMMAND, Key::Z);
            }
            let undone = harness.state_mut().document();
            assert_eq!(undone.state, before.state, "{kind}: undone");
        }
        Chooses(holds) => {
            assert!(!holds(&before) && holds(&after), "{kind}: {:?}", after.state);
        }
        Shows(role, text) => {
            assert_eq!(after.state, before.state, "{kind}");
            let is_shown = harness.query_all_by_role(role).any(|node| {
                let node = node.accesskit_node();
                let label = node.label().or_else(|| node.value());
                label.is_some_and(|label| label.contains(text))
            });
            assert!(is_shown, "{kind}: {text}");
        }
    }
}

#[test]
fn every_kind_is_tested() {
    let parts = written_parts();
    let mut kinds: Vec<&str> =
        parts.iter().filter(|part| part.is_cell()).map(|part| part.name).collect();
    let mut tested_kinds: Vec<&str> = CELL_TESTS.iter().map(|test| test.kind).collect();
    kinds.sort_unstable();
    tested_kinds.sort_unstable();
    assert_eq!(tested_kinds, kinds);
}

fn run_all_tests(size: [f32; 2], presenting: bool) {
    for test in CELL_TESTS {
        run_test(test, size, presenting);
    }
}

#[test]
fn every_kind_of_cell_works_by_keys_on_the_page_and_undo_restores_edits() {
    run_all_tests([1280.0, 900.0], false);
}

#[test]
fn every_kind_of_cell_works_by_keys_in_presenter_mode() {
    run_all_tests([1280.0, 720.0], true);
}

#[test]
fn every_kind_of_cell_works_by_keys_on_a_phone() {
    run_all_tests([390.0, 844.0], false);
}
