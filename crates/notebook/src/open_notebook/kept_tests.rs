//! Tests that change every step of every lesson, leave it and return in any
//! order.

use std::collections::BTreeMap;

use bindpose_lesson::{DataEdit, LessonSet, Setting, Tint};
use bindpose_rigs::builtin;
use bindpose_skin::{JointIndex, Method};

use super::Notebook;
use crate::exercise::predictions_at;
use crate::glsl::ShaderKind;
use crate::playback::{TIME_PARAM, playback_param};
use crate::{Edit, PageAddress, ReaderProgress, StepMarks, StepState, step_document};

/// Deterministic pseudo-random numbers.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % end.max(1)
    }

    fn number(&mut self) -> f32 {
        self.below(2000) as f32 / 997.0 - 1.0
    }

    fn numbers<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| self.number())
    }
}

/// A random edit that a reader could make on the open step.
fn edit(notebook: &Notebook, draw: &mut Draw) -> Edit {
    let rig = &notebook.derived().rig;
    let joint = JointIndex(draw.below(rig.skeleton.len()) as u16);
    let vertex = draw.below(rig.mesh.positions.len()) as u32;
    match draw.below(9) {
        0 => Edit::data(DataEdit::Weights(vertex, draw.numbers())),
        1 => Edit::data(DataEdit::InverseBind(joint.into(), draw.numbers())),
        2 => Edit::data(DataEdit::Texel(joint.into(), draw.below(4), draw.numbers())),
        3 => Edit::set(Setting::Method(Method::DualQuaternion)),
        4 => Edit::set(Setting::Tint(Some(Tint::SumError))),
        5 => Edit::Settings(vec![Setting::Joint(joint.into()), Setting::Vertex(vertex)]),
        6 => Edit::Shader {
            kind: ShaderKind::from_key("texel-fetch.linear.inverse-transpose").expect("a kind"),
            text: format!("void main() {{ {} }} // &=?#ü", draw.number()),
            typed: false,
        },
        7 => {
            let asked = predictions_at(notebook.lesson(), notebook.document(), rig);
            let asked = asked.last().map_or("none", |(id, _)| id).to_owned();
            Edit::Predict(asked, draw.numbers())
        }
        _ => {
            let names = notebook.derived().params.iter().map(|(name, _)| name);
            // The time of a program is set by buttons.
            let is_set =
                |name: &&String| *name != TIME_PARAM || playback_param(TIME_PARAM, rig).is_some();
            let names: Vec<&String> = names.filter(is_set).collect();
            let name = names[draw.below(names.len())].clone();
            Edit::param(name, draw.number().abs().into())
        }
    }
}

fn pages(set: &LessonSet) -> Vec<PageAddress> {
    let lessons = set.lessons.iter();
    let steps = lessons.flat_map(|lesson| {
        let step = |step: &bindpose_lesson::LessonStep| PageAddress::step(&lesson.slug, &step.slug);
        lesson.steps.iter().map(step)
    });
    steps.collect()
}

#[test]
fn steps_restore_changes_and_others_open_unchanged() {
    let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
    let pages = pages(&notebook.set);
    assert!(pages.len() > 80, "all lessons");
    let mut draw = Draw(7);
    let mut left: BTreeMap<usize, StepState> = BTreeMap::new();
    for visit in 0..3 * pages.len() {
        let index = draw.below(pages.len());
        notebook.go(&pages[index]).unwrap();
        let there = format!("visit {visit}: {:?}", pages[index]);
        match left.get(&index) {
            Some(state) => assert_eq!(&notebook.document().state, state, "{there}"),
            None if notebook.step().unwrap().carry => {}
            None => {
                let (step, rig) = (notebook.document().step, &notebook.rig);
                let meant = step_document(notebook.lesson(), step, Some(rig));
                assert_eq!(*notebook.document(), meant, "{there}");
            }
        }
        for _ in 0..draw.below(4) {
            let edit = edit(&notebook, &mut draw);
            let known = !matches!(&edit, Edit::Predict(cell, _) if cell == "none");
            if known {
                notebook.edit(&edit, draw.0).unwrap();
                left.insert(index, notebook.document().state.clone());
            }
        }
    }
    assert!(left.len() > pages.len() / 2);

    // The same holds after a restart.
    let mut again = Notebook::new(LessonSet::embedded(), builtin).unwrap();
    again.take_kept(&notebook.kept_links());
    for (index, page) in pages.iter().enumerate() {
        again.go(page).unwrap();
        if let Some(state) = left.get(&index) {
            assert_eq!(&again.document().state, state, "{page:?}");
        }
    }
    again.reset_progress(1);
    assert_eq!(again.kept_links(), Vec::<String>::new());
}

/// Two steps, the second of which was moved from another lesson.
fn with_a_moved_step() -> LessonSet {
    let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n\n```viewport main\n```\n\n\
        ## One\n\nText.\n\n## Two\n\n```set\nwas = [\"t/second\", \"whale/there\"]\n```\n\nText.\n";
    let other = text.replace("was =", "# was =");
    LessonSet::from_memory(&[("10-t", text, ""), ("20-whale", &other, "")], "")
}

#[test]
fn links_notes_and_progress_follow_moved_steps() {
    let mut notebook = Notebook::new(with_a_moved_step(), builtin).unwrap();
    for link in ["bindpose://t/second", "bindpose://whale/there?bend=0.5"] {
        notebook.go(&PageAddress::step("whale", "one")).unwrap();
        assert_eq!(notebook.follow(link, 1).unwrap(), None, "{link}");
        assert_eq!((notebook.lesson().slug.as_str(), notebook.document().step), ("t", 1), "{link}");
    }
    assert_eq!(notebook.document().state.params["bend"], 0.5, "values go along");

    let (mut progress, mut marks) = (ReaderProgress::default(), StepMarks::default());
    progress.step_mut("whale", "there").seen = true;
    marks.toggle_bookmark("t", "second");
    marks.write_note("t", "two", "mine");
    marks.write_note("whale", "there", "of old");
    notebook.take_memory(progress, marks);
    assert!(notebook.progress.record("t", "two").unwrap().seen);
    assert!(notebook.marks.is_bookmarked("t", "two"));
    assert_eq!(notebook.marks.note("t", "two"), "mine\n\nof old");
    assert_eq!(notebook.marks.notes().count(), 1);
}
