//! What cells, keys and buttons asked for, done: after the pass in which they asked, but
//! for a number that is dragged, which is put before; and what each command does.

use bindpose_lesson::Setting;
use bindpose_notebook::{Edit, LinkedHighlight, Navigation, PageSnapshot};
use bindpose_page::command::Command;
use bindpose_page::widgets::{is_number_put, moved_number};
use eframe::egui::Context;

use super::Shell;
use crate::app::opening::FilePurpose;

impl Shell {
    /// Puts the number that is dragged to where the pointer is now, so that the page is laid
    /// out once with it. What cannot be told from the last move alone is left to the pass.
    pub(super) fn move_dragged_number(&mut self, ctx: &Context) -> Option<Edit> {
        self.dragged.before_pass = None;
        let moved = moved_number(ctx)?;
        let last = self.dragged.last.as_ref();
        let (_, edit) = last.filter(|(pass, _)| *pass == moved.put_in_pass)?;
        let edit = edit.with_number(moved.from, moved.to)?;
        self.notebook.edit(&edit, self.gesture).ok()?;
        self.dragged.last = Some((ctx.cumulative_pass_nr(), edit.clone()));
        self.dragged.before_pass = Some(edit.clone());
        Some(edit)
    }

    /// What a pass of the page asked for.
    pub(super) fn apply(
        &mut self,
        ctx: &Context,
        commands: &[Command],
        edits: &[Edit],
        navigation: &[Navigation],
    ) {
        self.changes +=
            u64::from(!edits.is_empty() || !commands.is_empty() || !navigation.is_empty());
        if self.cover.is_none() {
            self.count_seen(ctx);
        }
        if let Some(note) = self.view.note.written.take() {
            self.notebook.write_note(&note);
            self.changes += 1;
        }
        let before = self.page_in_sight();
        let own = self.notebook.own().cloned();
        let before_pass = self.dragged.before_pass.take();
        let put_in_pass = || edits.iter().filter(|edit| Some(*edit) != before_pass.as_ref());
        for edit in put_in_pass() {
            if let Err(refused) = self.notebook.edit(edit, self.gesture) {
                self.notices.wrong(refused.to_string());
            }
        }
        if edits.iter().any(|edit| !matches!(edit, Edit::PlayTo { .. })) {
            self.notices.drop_offers();
        }
        if let ([edit], true) = (edits, is_number_put(ctx)) {
            self.dragged.last = Some((ctx.cumulative_pass_nr(), edit.clone()));
        }
        for command in commands {
            self.command(ctx, *command);
        }
        self.navigate(ctx, navigation);
        if !navigation.is_empty() || self.notebook.own() != own.as_ref() {
            (self.cover, self.cover_is_awaited) = (None, false);
        }
        self.turned_from(&before, ctx);
        self.take_waiting_snapshots();
        self.note_bench();
        self.note_progress(ctx);
        self.after_model(own.as_ref());
        if self.exporting.takes_picture() {
            // A picture of the page shows no hover: where the pointer lies is no part
            // of the document.
            self.linked = LinkedHighlight::default();
        }
        let plays = |edit: &Edit| matches!(edit, Edit::PlayTo { .. });
        let by_hand = !edits.iter().all(plays) || !commands.is_empty() || !navigation.is_empty();
        self.tell_class(ctx, by_hand);
        let lit = self.linked.turn();
        // What plays comes again with the next frame: laying every page out twice
        // would halve the rate.
        let goes_on = |edit: &&Edit| matches!(edit, Edit::PlayTo { begins: false, .. });
        // The picture has moved already.
        if !put_in_pass().all(|edit| goes_on(&edit))
            || !commands.is_empty()
            || navigation.iter().any(Navigation::shows_another_page)
        {
            // The same frame once more, with everything that follows.
            ctx.request_discard("the document changed");
        } else if lit || put_in_pass().next().is_some() {
            ctx.request_repaint();
        }
    }
}

impl Shell {
    /// Does what a button or a key asks for.
    pub(super) fn command(&mut self, ctx: &Context, command: Command) {
        self.gesture += 1;
        #[cfg(not(target_arch = "wasm32"))]
        crate::app::diagnosis::note_command(command.text());
        self.put_link_away(command);
        self.leave_cover_by(command);
        match command {
            Command::Next | Command::Back => {
                let forward = command == Command::Next;
                if !self.turn_paragraph(forward) {
                    self.turn_page(forward);
                }
            }
            Command::ReadOn | Command::ReadBack => {
                let forward = command == Command::ReadOn;
                // Paragraphs come first, then a guess, then what is below.
                let stays = self.turn_paragraph(forward)
                    || (forward && self.reveal_guess(ctx))
                    || self.view.scroll.prose.turn(forward);
                if !stays {
                    self.turn_page(forward);
                }
            }
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::CarryOn => self.carry_on(),
            Command::Reset => self.reset(),
            Command::ResetView => self.notebook.put_views_back(),
            Command::BeginAnew => self.begin_anew(),
            Command::Open => self.opening.ask(ctx, FilePurpose::Page),
            Command::OpenModelB => self.opening.ask(ctx, FilePurpose::ModelB),
            Command::Export => self.view.files.export.open = !self.view.files.export.open,
            Command::CopyLink => self.copy_link(ctx),
            Command::Present => self.set_presenting(ctx, !self.view.presenting),
            Command::Motion => self.toggle_motion(),
            Command::Theme => self.look.dark = Some(!self.look.theme.dark),
            Command::ZoomIn => self.zoom_by(1.1),
            Command::ZoomOut => self.zoom_by(1.0 / 1.1),
            Command::ZoomReset => self.zoom_by(0.0),
            Command::Contents => self.toggle_contents(ctx),
            Command::Cover => self.open_cover(),
            Command::Search => self.view.search.toggle(ctx),
            Command::Bookmark => self.toggle_bookmark(),
            Command::OwnNote => {
                let (note, presenting) = (self.notebook.own_note(), self.view.presenting);
                self.view.note.toggle(note, presenting);
            }
            Command::Notes => self.view.windows.notes = !self.view.windows.notes,
            Command::PictureAlone => self.toggle_pictures(),
            Command::Bench => self.view.bench.open = !self.view.bench.open,
            Command::KeepA => self.keep(PageSnapshot::A),
            Command::KeepB => self.keep(PageSnapshot::B),
            Command::Flip => self.flip(),
            Command::Gizmo | Command::GizmoFrame => {
                let state = &self.notebook.document().state;
                let setting = match command {
                    Command::Gizmo => Setting::Gizmo(state.gizmo.next()),
                    _ => Setting::GizmoFrame(state.gizmo_frame.next()),
                };
                let _ = self.notebook.edit(&Edit::set(setting), self.gesture);
            }
            Command::Keys => self.view.windows.keys = !self.view.windows.keys,
            Command::Loop | Command::FrameBack | Command::FrameForward
                if self.view.playing.clip.driven =>
            {
                self.view.playing.clip.playing &= command == Command::Loop;
                let (document, derived) = (self.notebook.document(), self.notebook.derived());
                let edit = match command {
                    Command::Loop => document.toggle_loop(),
                    _ => document.step_frame(&derived.rig, command == Command::FrameForward),
                };
                let _ = self.notebook.edit(&edit, self.gesture);
            }
            // Many clickers send a full stop to blank the screen.
            Command::FrameForward => self.present_with(Command::Blank),
            Command::Loop | Command::FrameBack => {}
            Command::GoOn if self.turn_paragraph(true) => {}
            Command::Play | Command::GoOn => self.view.playing.toggle(),
            Command::Paragraphs => {
                let presenter = &mut self.view.presenter;
                let now = presenter.by_paragraph.unwrap_or(self.view.presenting);
                presenter.by_paragraph = Some(!now);
            }
            Command::Pen | Command::Spotlight | Command::Freeze | Command::Blank => {
                self.present_with(command);
            }
            Command::InviteClass
            | Command::CallClass
            | Command::EyesUp
            | Command::AskClass
            | Command::ClassWall => self.class_command(ctx, command),
            Command::Escape => self.leave(ctx),
        }
    }

    /// What opens a window would lie over that of the links, and Escape close this first.
    fn put_link_away(&mut self, command: Command) {
        use Command as C;
        if matches!(command, C::Open | C::Export | C::Present | C::Search | C::Notes | C::Keys) {
            self.view.links.open = false;
        }
    }

    fn toggle_bookmark(&mut self) {
        let words = if self.notebook.toggle_bookmark() {
            "Bookmarked: the list of contents has it."
        } else {
            "The bookmark is gone."
        };
        self.notices.say_instead(words);
    }

    fn toggle_pictures(&mut self) {
        let (lesson, step) = (self.notebook.lesson(), self.notebook.document().step);
        self.view.toggle_pictures(lesson, step);
    }

    /// Larger or smaller by a factor; 0: as at first.
    fn zoom_by(&mut self, factor: f32) {
        let zoom = self.look.zoom_by(factor, self.view.presenting);
        let words = format!("Text size {:.0}%", zoom * 100.0);
        self.notices.say_instead(words);
    }
}
