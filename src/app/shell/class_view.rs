//! What the page shows of a class beside its steps: snapshots, strokes, a held
//! picture. It goes when everything is begun anew, and comes back with the rest.

use std::collections::BTreeMap;
use std::mem::swap;

use bindpose_page::bench::BenchState;
use bindpose_page::presenter::Presenter;
use bindpose_page::view::{ClipMotion, Motion, ViewState};

/// The class in sight, and what was left of others that undo or redo may bring
/// back; by the notebook's numbers of classes.
#[derive(Debug, Default)]
pub(super) struct Classes {
    in_sight: u64,
    left: BTreeMap<u64, ClassView>,
}

/// As a new class finds it.
#[derive(Debug, Default)]
struct ClassView {
    bench: BenchState,
    presenter: Presenter,
    motion: Motion,
    clip: ClipMotion,
    keep_sum: bool,
}

impl ClassView {
    /// Puts this into the view, and takes what was there. Whether the bench is
    /// open, the tool in the hand and how prose comes are the teacher's, and stay.
    fn swap(&mut self, view: &mut ViewState) {
        let (bench, presenter) = (&mut view.bench, &mut view.presenter);
        swap(&mut self.bench.compared, &mut bench.compared);
        swap(&mut self.bench.snapshots, &mut bench.snapshots);
        swap(&mut self.bench.pictures, &mut bench.pictures);
        swap(&mut self.presenter.strokes, &mut presenter.strokes);
        swap(&mut self.presenter.held, &mut presenter.held);
        swap(&mut self.presenter.reading, &mut presenter.reading);
        swap(&mut self.motion, &mut view.playing.motion);
        swap(&mut self.clip, &mut view.playing.clip);
        swap(&mut self.keep_sum, &mut view.keep_sum);
    }
}

impl Classes {
    /// After everything was begun anew, or that was undone or done again: shows
    /// what belongs to the class that is in sight now.
    pub(super) fn follow(&mut self, class: u64, view: &mut ViewState) {
        if class == self.in_sight {
            return;
        }
        let mut other = self.left.remove(&class).unwrap_or_default();
        other.swap(view);
        self.left.insert(self.in_sight, other);
        self.in_sight = class;
        if !view.presenting {
            // Nothing lies over a stage that is not presented.
            view.presenter.wipe();
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_notebook::PageSnapshot;
    use bindpose_page::bench::{BenchMoment, ComparedMatrix};
    use bindpose_page::command::Command;
    use eframe::egui::{Key, Modifiers, pos2};
    use egui_kittest::Harness;

    use crate::app::testing::{self, Page};

    fn command(harness: &mut Harness<'_, Page>, command: Command) {
        let ctx = harness.ctx.clone();
        harness.state_mut().shell().command(&ctx, command);
        harness.run();
    }

    /// Snapshots to remember, strokes, a held picture, and a comparison with A.
    fn shown(harness: &mut Harness<'_, Page>) -> ([bool; 2], usize, bool, bool) {
        let shell = harness.state_mut().shell();
        let view = &shell.view;
        (
            shell.preferences().snapshots.map(|link| link.is_some()),
            view.presenter.strokes.len(),
            view.presenter.held.is_some(),
            view.bench.compared[1].when == BenchMoment::Snapshot(PageSnapshot::A),
        )
    }

    #[test]
    fn a_new_class_sees_no_snapshot_stroke_or_held_picture_of_the_one_before() {
        let mut harness = testing::page([1280.0, 800.0], Vec::new());
        command(&mut harness, Command::Bookmark);
        command(&mut harness, Command::KeepA);
        assert!(!harness.state_mut().shell().notebook.keeps_anything());
        command(&mut harness, Command::Present);
        command(&mut harness, Command::KeepB);
        command(&mut harness, Command::Freeze);
        let shell = harness.state_mut().shell();
        let line = vec![pos2(400.0, 400.0), pos2(500.0, 420.0)];
        shell.view.presenter.strokes.push(line);
        shell.view.bench.compared[1] = ComparedMatrix {
            when: BenchMoment::Snapshot(PageSnapshot::A),
            ..ComparedMatrix::default()
        };
        harness.run();
        let all = ([true; 2], 1, true, true);
        assert_eq!(shown(&mut harness), all);

        let none = ([false; 2], 0, false, false);
        command(&mut harness, Command::BeginAnew);
        assert_eq!(shown(&mut harness), none);
        assert!(!harness.state_mut().shell().notebook.marks.is_empty());
        command(&mut harness, Command::Undo);
        assert_eq!(shown(&mut harness), all);
        command(&mut harness, Command::Redo);
        assert_eq!(shown(&mut harness), none);

        // Again from there: a class of its own, not the one that was undone.
        command(&mut harness, Command::KeepA);
        command(&mut harness, Command::Undo);
        command(&mut harness, Command::BeginAnew);
        assert_eq!(shown(&mut harness), none);
    }

    #[test]
    fn a_snapshot_alone_is_reason_enough_to_offer_to_begin_anew() {
        use egui_kittest::kittest::Queryable as _;
        let mut harness = testing::page([1280.0, 800.0], Vec::new());
        let offer = "Answers and changes of earlier are kept.";
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Num1);
        harness.run();
        harness.key_press(Key::F5);
        harness.run();
        harness.get_by_label(offer);
    }
}
