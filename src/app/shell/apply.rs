//! Applies the edits, navigation and commands of cells, keys and buttons, after the pass
//! that produced them. Only a dragged number is applied before the next pass.

use bindpose_kit::widgets::{compute_number_move, is_number_set};
use bindpose_lesson::Setting;
use bindpose_notebook::{Edit, LinkedHighlight, Navigation, PageSnapshot};
use bindpose_page::command::Command;
use bindpose_page::requests::Requests;
use eframe::egui::Context;

use super::Shell;
use crate::app::host;
use crate::app::opening::FilePurpose;

impl Shell {
    /// Sets the dragged number to the pointer's position before the pass, so that the page
    /// is laid out only once. Returns `None` if the last move alone does not determine the
    /// edit; the pass then produces it.
    pub(super) fn move_dragged_number(&mut self, ctx: &Context) -> Option<Edit> {
        self.dragged.before_pass = None;
        let moved = compute_number_move(ctx)?;
        let last = self.dragged.last.as_ref();
        let (_, edit) = last.filter(|(pass, _)| *pass == moved.put_in_pass)?;
        let edit = edit.with_number(moved.from, moved.to)?;
        self.notebook.edit(&edit, self.gesture).ok()?;
        self.dragged.last = Some((ctx.cumulative_pass_nr(), edit.clone()));
        self.dragged.before_pass = Some(edit.clone());
        Some(edit)
    }

    /// Applies the requests of a pass.
    pub(super) fn apply_requests(&mut self, ctx: &Context) {
        let requests = std::mem::take(&mut self.requests);
        self.changes += u64::from(!requests.is_empty());
        let Requests { edits, navigation, commands } = requests;
        if self.cover.is_none() {
            self.mark_step_seen(ctx);
        }
        if let Some(note) = self.view.note.new_text.take() {
            self.notebook.write_note(&note);
            self.changes += 1;
        }
        let before = self.current_page();
        let own = self.notebook.own().cloned();
        let before_pass = self.dragged.before_pass.take();
        let new_edits: Vec<&Edit> =
            edits.iter().filter(|edit| Some(*edit) != before_pass.as_ref()).collect();
        for edit in &new_edits {
            if let Err(refused) = self.notebook.edit(edit, self.gesture) {
                self.notices.add_error(refused.to_string());
            }
        }
        let only_plays = edits.iter().all(|edit| matches!(edit, Edit::PlayTo { .. }));
        if !only_plays {
            self.notices.drop_offers();
        }
        if let [edit] = &edits[..]
            && is_number_set(ctx)
        {
            self.dragged.last = Some((ctx.cumulative_pass_nr(), edit.clone()));
        }
        for command in &commands {
            self.run_command(ctx, *command);
        }
        self.navigate(ctx, &navigation);
        if !navigation.is_empty() || self.notebook.own() != own.as_ref() {
            self.cover = None;
            self.is_cover_pending = false;
        }
        self.reset_view_after_turn(&before, ctx);
        self.restore_snapshots();
        self.track_bench_changes();
        self.record_progress(ctx);
        self.reset_view_after_model_change(own.as_ref());
        if self.exporting.has_pending_screenshot() {
            // A picture of the page shows no hover, because the pointer's position is not
            // part of the document.
            self.linked = LinkedHighlight::default();
        }
        let by_hand = !only_plays || !commands.is_empty() || !navigation.is_empty();
        self.update_class(ctx, by_hand);
        let highlight_changed = self.linked.turn();
        // Running playback needs no second layout: the next frame shows it, and laying every
        // page out twice would halve the frame rate.
        let continues_playback =
            new_edits.iter().all(|edit| matches!(edit, Edit::PlayTo { begins: false, .. }));
        if !continues_playback
            || !commands.is_empty()
            || navigation.iter().any(Navigation::shows_another_page)
        {
            // Lays the same frame out again with all derived values.
            ctx.request_discard("the document changed");
        } else if highlight_changed || !new_edits.is_empty() {
            ctx.request_repaint();
        }
    }
}

impl Shell {
    /// Runs the command of a button or a key.
    pub(super) fn run_command(&mut self, ctx: &Context, command: Command) {
        self.gesture += 1;
        host::record_command(command.text());
        self.close_link_window_for(command);
        self.leave_cover_for_command(command);
        match command {
            Command::Next | Command::Back => {
                let forward = command == Command::Next;
                if !self.turn_within_step(ctx, forward) {
                    self.turn_page(forward);
                }
            }
            Command::ReadOn | Command::ReadBack => {
                let forward = command == Command::ReadOn;
                let stays = self.turn_within_step(ctx, forward)
                    || (forward && !self.view.presenting && self.reveal_guess(ctx))
                    || self.view.scroll.prose.scroll_by_page(forward);
                if !stays {
                    self.turn_page(forward);
                }
            }
            Command::Skip => self.skip_answer(),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::CarryOn => self.carry_on(),
            Command::Reset => self.reset(),
            Command::ResetView => self.notebook.reset_views(),
            Command::BeginAnew => self.begin_anew(),
            Command::Open => self.opening.open_dialog(ctx, FilePurpose::Page),
            Command::OpenModelB => self.opening.open_dialog(ctx, FilePurpose::ModelB),
            Command::Export => self.view.files.export.open = !self.view.files.export.open,
            Command::CopyLink => self.copy_link(ctx),
            Command::Present => self.set_presenting(ctx, !self.view.presenting),
            Command::Motion => self.toggle_motion(),
            Command::Theme => self.appearance.dark = Some(!self.appearance.theme.is_dark),
            Command::ZoomIn => self.zoom_by(1.1),
            Command::ZoomOut => self.zoom_by(1.0 / 1.1),
            Command::ZoomReset => self.zoom_by(0.0),
            Command::Contents => self.toggle_contents(ctx),
            Command::Cover => self.open_cover(),
            Command::Search => self.search.toggle(ctx),
            Command::Bookmark => self.toggle_bookmark(),
            Command::OwnNote => {
                let note = self.notebook.own_note();
                let presenting = self.view.presenting;
                self.view.note.toggle(note, presenting);
            }
            Command::Notes => self.windows.notes = !self.windows.notes,
            Command::PictureAlone => self.toggle_pictures(),
            Command::TaskAlone => self.toggle_tasks(),
            Command::Bench => self.view.bench.is_open = !self.view.bench.is_open,
            Command::KeepA => self.keep_snapshot(PageSnapshot::A),
            Command::KeepB => self.keep_snapshot(PageSnapshot::B),
            Command::Flip => self.flip_snapshot(),
            Command::Gizmo | Command::GizmoFrame => {
                let state = &self.notebook.document().state;
                let setting = match command {
                    Command::Gizmo => Setting::Gizmo(state.gizmo.next()),
                    _ => Setting::GizmoFrame(state.gizmo_frame.next()),
                };
                let _ = self.notebook.edit(&Edit::set(setting), self.gesture);
            }
            Command::Keys => self.windows.keys = !self.windows.keys,
            Command::Loop | Command::FrameBack | Command::FrameForward
                if self.view.playing.clip.driven =>
            {
                self.view.playing.clip.playing &= command == Command::Loop;
                let document = self.notebook.document();
                let derived = self.notebook.derived();
                let edit = match command {
                    Command::Loop => document.toggle_loop(),
                    _ => document.step_frame(&derived.rig, command == Command::FrameForward),
                };
                let _ = self.notebook.edit(&edit, self.gesture);
            }
            // Many clickers send a full stop to blank the screen.
            Command::FrameForward => self.run_presenter_command(Command::Blank),
            Command::Loop | Command::FrameBack => {}
            Command::GoOn if self.turn_within_step(ctx, true) => {}
            Command::Play | Command::GoOn => self.view.playing.toggle(),
            Command::Paragraphs => {
                let presenter = &mut self.view.presenter;
                let now = presenter.by_paragraph.unwrap_or(self.view.presenting);
                presenter.by_paragraph = Some(!now);
            }
            Command::Pen | Command::Spotlight | Command::Freeze | Command::Blank => {
                self.run_presenter_command(command);
            }
            Command::InviteClass
            | Command::CallClass
            | Command::EyesUp
            | Command::AskClass
            | Command::ClassWall => self.class_command(ctx, command),
            Command::Escape => self.handle_escape(ctx),
        }
    }

    /// Closes the window with the links for commands that open another window. Otherwise the
    /// new one would cover it, and Escape would close the covered one first.
    fn close_link_window_for(&mut self, command: Command) {
        use Command as C;
        if matches!(command, C::Open | C::Export | C::Present | C::Search | C::Notes | C::Keys) {
            self.link_window.open = false;
        }
    }

    fn toggle_bookmark(&mut self) {
        let text = if self.notebook.toggle_bookmark() {
            "Bookmarked: the list of contents has it."
        } else {
            "The bookmark is gone."
        };
        self.notices.set_status(text);
    }

    fn toggle_pictures(&mut self) {
        let lesson = self.notebook.lesson();
        let step = self.notebook.document().step;
        self.view.toggle_pictures(lesson, step);
    }

    fn toggle_tasks(&mut self) {
        let lesson = self.notebook.lesson();
        let step = self.notebook.document().step;
        self.view.toggle_tasks(lesson, step);
    }

    /// Multiplies the text size by a factor. A factor of 0 restores the default.
    fn zoom_by(&mut self, factor: f32) {
        let zoom = self.appearance.zoom_by(factor, self.view.presenting);
        self.notices.set_status(format!("Text size {:.0}%", zoom * 100.0));
    }
}
