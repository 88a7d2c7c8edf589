//! What each command does.

use bindpose_lesson::Setting;
use bindpose_notebook::{Edit, PageSnapshot};
use bindpose_page::command::Command;
use eframe::egui::Context;

use super::Shell;
use crate::app::opening::FilePurpose;

impl Shell {
    /// What opens a window would lie over that of the links, and Escape close this first.
    fn put_link_away(&mut self, command: Command) {
        use Command as C;
        if matches!(command, C::Open | C::Export | C::Present | C::Search | C::Notes | C::Keys) {
            self.view.links.open = false;
        }
    }

    /// Does what a button or a key asks for.
    pub(super) fn command(&mut self, ctx: &Context, command: Command) {
        self.gesture += 1;
        #[cfg(not(target_arch = "wasm32"))]
        crate::app::crash_report::note_command(command.text());
        self.put_link_away(command);
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
