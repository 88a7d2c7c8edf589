//! View state that belongs to one class of readers: snapshots, strokes, a held picture.
//! Beginning anew replaces it, and undo restores it.

use std::collections::BTreeMap;
use std::mem::swap;

use bindpose_page::view::bench::BenchState;
use bindpose_page::view::presenter::Presenter;
use bindpose_page::view::{ClipMotion, Motion, ViewState};

/// The current class, and the view state of others that undo or redo may restore, by the
/// notebook's class number.
#[derive(Debug, Default)]
pub(super) struct Classes {
    current: u64,
    inactive_views: BTreeMap<u64, ClassView>,
}

/// View state of one class. The default is that of a new class.
#[derive(Debug, Default)]
struct ClassView {
    bench: BenchState,
    presenter: Presenter,
    motion: Motion,
    clip: ClipMotion,
    keep_sum: bool,
}

impl ClassView {
    /// Swaps this with the state in the view. The teacher's own choices stay: whether the
    /// bench is open, the selected tool, and prose by paragraph.
    fn swap(&mut self, view: &mut ViewState) {
        swap(&mut self.bench.compared, &mut view.bench.compared);
        swap(&mut self.bench.snapshots, &mut view.bench.snapshots);
        swap(&mut self.bench.shows_pictures, &mut view.bench.shows_pictures);
        swap(&mut self.presenter.strokes, &mut view.presenter.strokes);
        swap(&mut self.presenter.frozen, &mut view.presenter.frozen);
        swap(&mut self.presenter.reading, &mut view.presenter.reading);
        swap(&mut self.motion, &mut view.playing.motion);
        swap(&mut self.clip, &mut view.playing.clip);
        swap(&mut self.keep_sum, &mut view.keep_sum);
    }
}

impl Classes {
    /// Puts the state of the current class into the view. To be called after everything was
    /// begun anew, and after undo and redo.
    pub(super) fn follow(&mut self, class: u64, view: &mut ViewState) {
        if class == self.current {
            return;
        }
        let mut class_view = self.inactive_views.remove(&class).unwrap_or_default();
        class_view.swap(view);
        self.inactive_views.insert(self.current, class_view);
        self.current = class;
        if !view.presenting {
            // Strokes are drawn in presenter mode alone.
            view.presenter.clear_stage();
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_notebook::PageSnapshot;
    use bindpose_page::command::Command;
    use bindpose_page::view::bench::{BenchMoment, ComparedMatrix};
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::{Key, Modifiers, pos2};
    use egui_kittest::Harness;

    use crate::app::shell::steps::BEGIN_ANEW_OFFER;
    use crate::app::testing::{self, Page};

    fn run_command(harness: &mut Harness<'_, Page>, command: Command) {
        let ctx = harness.ctx.clone();
        harness.state_mut().shell().run_command(&ctx, command);
        harness.run();
    }

    /// Returns which snapshots are remembered, the number of strokes, and if there is a held
    /// picture and a comparison with A.
    fn class_view_summary(harness: &mut Harness<'_, Page>) -> ([bool; 2], usize, bool, bool) {
        let shell = harness.state_mut().shell();
        let view = &shell.view;
        (
            shell.preferences().snapshots.map(|link| link.is_some()),
            view.presenter.strokes.len(),
            view.presenter.frozen.is_some(),
            view.bench.compared[1].moment == BenchMoment::Snapshot(PageSnapshot::A),
        )
    }

    #[test]
    fn a_new_class_sees_no_snapshot_stroke_or_held_picture_of_the_one_before() {
        let mut harness = testing::page([1280.0, 800.0], Vec::new());
        run_command(&mut harness, Command::Bookmark);
        run_command(&mut harness, Command::KeepA);
        assert!(!harness.state_mut().shell().notebook.lesson_keeps_work());
        run_command(&mut harness, Command::Present);
        run_command(&mut harness, Command::KeepB);
        run_command(&mut harness, Command::Freeze);
        let shell = harness.state_mut().shell();
        let line = vec![pos2(400.0, 400.0), pos2(500.0, 420.0)];
        shell.view.presenter.strokes.push(line);
        shell.view.bench.compared[1] = ComparedMatrix {
            moment: BenchMoment::Snapshot(PageSnapshot::A),
            ..ComparedMatrix::default()
        };
        harness.run();
        let all = ([true; 2], 1, true, true);
        assert_eq!(class_view_summary(&mut harness), all);

        let none = ([false; 2], 0, false, false);
        run_command(&mut harness, Command::BeginAnew);
        assert_eq!(class_view_summary(&mut harness), none);
        assert!(!harness.state_mut().shell().notebook.marks.is_empty());
        run_command(&mut harness, Command::Undo);
        assert_eq!(class_view_summary(&mut harness), all);
        run_command(&mut harness, Command::Redo);
        assert_eq!(class_view_summary(&mut harness), none);

        // Beginning anew once more starts a new class, not the one that was undone.
        run_command(&mut harness, Command::KeepA);
        run_command(&mut harness, Command::Undo);
        run_command(&mut harness, Command::BeginAnew);
        assert_eq!(class_view_summary(&mut harness), none);
    }

    #[test]
    fn a_snapshot_alone_is_reason_enough_to_offer_to_begin_anew() {
        use egui_kittest::kittest::Queryable as _;
        let mut harness = testing::page([1280.0, 800.0], Vec::new());
        harness.press_with(Modifiers::COMMAND, Key::Num1);
        harness.press(Key::F5);
        harness.get_by_label(BEGIN_ANEW_OFFER);
    }
}
