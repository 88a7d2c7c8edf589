//! Drawing of the cover, and the effect of keys and choices on it.

use bindpose_fetch as fetch;
use bindpose_notebook::{GpuLimits, Navigation, PageAddress, cover_routes, cover_ways};
use bindpose_page::PageContext;
use bindpose_page::command::Command;
use bindpose_page::cover::{self, CoverChoice, CoverNotebook};
use bindpose_page::requests::Requests;
use bindpose_page::view::classroom::ClassRole;
use bindpose_rigs::{builtin, builtin_file};
use eframe::egui::{CentralPanel, Frame, Ui};

use super::Shell;
use super::cover::Cover;
use super::rendered_viewports::RenderedViewports;

/// Returns true if the cover stays open after a command.
fn keeps_cover_open(command: Command) -> bool {
    use Command as C;
    matches!(
        command,
        C::Open
            | C::Search
            | C::Keys
            | C::Motion
            | C::Theme
            | C::Escape
            | C::ZoomIn
            | C::ZoomOut
            | C::ZoomReset
            | C::Blank
            | C::EyesUp
            | C::ClassWall
    )
}

impl Shell {
    /// Opens the cover in front of the page, which is kept as it is. In a browser it opens as
    /// soon as the whale's model is loaded.
    pub fn open_cover(&mut self) {
        self.changes += 1;
        if let Some(file) = builtin_file(cover::RIG) {
            fetch::try_again(file);
        }
        self.cover = Cover::new(self.cover_notebook(), self.notebook.own());
        self.is_cover_pending = self.cover.is_none();
    }

    pub fn is_on_cover(&self) -> bool {
        self.cover.is_some()
    }

    /// Opens a pending cover once the whale's model is loaded, or reports why it is not.
    pub(super) fn open_pending_cover(&mut self) {
        if !self.is_cover_pending {
            return;
        }
        if let Some(why) = builtin_file(cover::RIG).and_then(fetch::failure) {
            self.is_cover_pending = false;
            self.notices.add_error(format!("The whale of the cover could not be loaded: {why}."));
        } else if builtin(cover::RIG).is_some() {
            self.open_cover();
        }
    }

    pub(super) fn draw_cover(&mut self, ui: &mut Ui) {
        let Some(cover) = &mut self.cover else { return };
        let mut requests = Requests::default();
        // A software renderer draws the whale at a lower frame rate, which leaves time for full
        // resolution.
        let in_software = self.pictures.limits.as_ref().is_some_and(GpuLimits::draws_in_software);
        let mut viewports = RenderedViewports {
            renderer: self.pictures.renderer.as_mut(),
            full_resolution: in_software,
            first_viewport: &mut None,
        };
        cover.view.before_frame();
        cover.view.pictures.is_still = self.view.pictures.is_still;
        let background = Frame::NONE.fill(self.appearance.theme.cover);
        let choice = CentralPanel::no_frame().frame(background).show(ui, |ui| {
            let mut page = PageContext::new(
                &cover.notebook,
                &self.appearance.theme,
                &mut cover.linked,
                &mut requests,
                &mut cover.view,
                &mut viewports,
                self.pictures.limits.as_ref(),
            );
            cover::ui(ui, &mut page, &mut cover.state, &cover.contents)
        });
        cover.apply(ui.ctx(), &requests);
        if let Some(choice) = choice.inner {
            self.apply_cover_choice(choice);
        }
    }

    /// Applies the keys that turn the page to the cover, and drops those without effect there.
    pub(super) fn handle_commands_on_cover(&mut self) {
        use Command as C;
        let Some(cover) = &self.cover else { return };
        let mut commands = std::mem::take(&mut self.requests.commands);
        if commands.iter().any(|command| matches!(command, C::Next | C::ReadOn | C::GoOn)) {
            let choice = cover.contents.main_choice();
            self.apply_cover_choice(choice);
            return;
        }
        commands
            .retain(|&command| keeps_cover_open(command) || self.opens_page_from_cover(command));
        self.requests.commands = commands;
    }

    /// Returns true if the key of a command leads from the cover to the page. Keys that change
    /// values have no effect, because the page is out of sight.
    fn opens_page_from_cover(&self, command: Command) -> bool {
        use Command as C;
        match command {
            C::Present
            | C::Notes
            | C::Contents
            | C::Bench
            | C::Export
            | C::CopyLink
            | C::OpenModelB => true,
            C::InviteClass => !matches!(self.view.classroom.role, ClassRole::Student(_)),
            C::CallClass | C::AskClass => self.view.classroom.is_teacher(),
            _ => false,
        }
    }

    /// Closes the cover for a command with a visible effect on the page, from any source: a
    /// key, the search, the strip of a class.
    pub(super) fn leave_cover_for_command(&mut self, command: Command) {
        if !keeps_cover_open(command) {
            self.cover = None;
        }
    }

    fn apply_cover_choice(&mut self, choice: CoverChoice) {
        match choice {
            CoverChoice::Begin => {
                let first = self.notebook.set.lessons.first();
                let lesson = first.map(|lesson| lesson.slug.clone()).unwrap_or_default();
                self.requests.navigation.push(Navigation::LeaveRoute);
                self.requests.go_to(PageAddress { lesson, step: None });
            }
            CoverChoice::Continue => {}
            CoverChoice::Follow(route) => {
                self.requests.navigation.push(Navigation::Follow(route));
            }
            CoverChoice::Do(command) => return self.requests.commands.push(command),
        }
        self.changes += 1;
        self.cover = None;
    }

    fn cover_notebook(&self) -> CoverNotebook {
        let set = &self.notebook.set;
        let document = self.notebook.document();
        let lesson = self.notebook.lesson();
        let is_first_lesson = set.lessons.first().is_some_and(|first| first.slug == lesson.slug);
        let has_last_page = !is_first_lesson || document.step > 0;
        CoverNotebook {
            last: has_last_page.then(|| format!("{} · {}", lesson.number, document.step + 1)),
            ways: cover_ways(set),
            routes: cover_routes(set),
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_class_protocol::{
        Invitation, InvitedAddress, RoomCode, ServerMessage, TeacherSecret,
    };
    use eframe::egui::{Key, Modifiers};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::super::class_host::ClassNews;
    use crate::app::testing::{Page, page};

    #[test]
    fn the_readers_own_model_moves_on_the_cover_by_its_first_clip() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        let shell = harness.state_mut().shell();
        let arm = bindpose_rigs::builtin("arm").expect("a built-in rig");
        let points = bindpose_diagnostic::grouped(arm.mesh.positions.len());
        shell.notebook.open_model(arm, 0).expect("it opens");
        shell.open_cover();
        harness.run_steps(3);
        harness.get_by_label(&format!("{points} points. Nobody stored how they move."));
        harness.get_by_label("Your model in motion. Drag a part to pull it.");
    }

    #[test]
    fn the_cover_leads_to_the_first_step_to_a_route_and_to_where_the_reader_was() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        harness.state_mut().shell().open_cover();
        harness.run_steps(3);
        harness.get_by_label("4,968 points. Nobody stored how they swim.");
        assert!(harness.query_by_label("Next").is_none(), "no bar");
        let before = harness.state_mut().shell().notebook().progress.clone();
        harness.get_by_label("Show the joints").click();
        harness.run_steps(3);
        harness.get_by_label("Hide the joints");
        let after = harness.state_mut().shell().notebook().progress.clone();
        assert_eq!(after, before, "the page behind is not counted");
        harness.get_by_label("Begin").click();
        harness.run_steps(3);
        harness.get_by_label("Next");
        let route = harness.state_mut().shell().notebook().route().map(|route| route.name.clone());
        assert_eq!(route.as_deref(), Some("essentials"), "what the marked way says");

        let shell = harness.state_mut().shell();
        shell.open_link("bindpose://bone-grid/half-of-each").unwrap();
        shell.open_cover();
        harness.run_steps(3);
        harness.get_by_label("Continue: 40 · 5").click();
        harness.run_steps(3);
        assert_eq!(harness.state_mut().document().lesson, "bone-grid");

        harness.state_mut().shell().open_cover();
        harness.run_steps(3);
        harness.get_by_label("The essentials: 36 steps, 90 minutes").click();
        harness.run_steps(3);
        let shell = harness.state_mut().shell();
        assert_eq!(shell.notebook().route().map(|route| &*route.name), Some("essentials"));
        assert_eq!(harness.state_mut().document().lesson, "what-skinning-is");
    }

    /// The keys that the README and the cover's page for teachers name.
    #[test]
    fn documented_keys_work_on_the_cover() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        let is_on_cover_after =
            |harness: &mut Harness<'_, Page>, key: Key, modifiers: Modifiers| {
                harness.state_mut().shell().open_cover();
                harness.run_steps(3);
                harness.key_press_modifiers(modifiers, key);
                harness.run_steps(3);
                harness.state_mut().shell().cover.is_some()
            };
        assert!(!is_on_cover_after(&mut harness, Key::E, Modifiers::COMMAND));
        assert!(harness.state_mut().shell().view.files.export.open);
        assert!(!is_on_cover_after(&mut harness, Key::L, Modifiers::COMMAND));
        assert!(harness.state_mut().shell().link_window.open);
        for key in [Key::F5, Key::F5] {
            assert!(!is_on_cover_after(&mut harness, key, Modifiers::NONE));
        }
        for key in [Key::M, Key::X, Key::G, Key::Q, Key::H] {
            assert!(is_on_cover_after(&mut harness, key, Modifiers::NONE), "{key:?} has no page");
        }
        let shell = harness.state_mut().shell();
        assert!(shell.notebook.marks.is_empty(), "the page behind stays as it is");
    }

    /// The teacher's class is led from a browser, because a window would open a port.
    #[test]
    fn a_class_is_invited_and_asked_from_the_cover() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        let shell = harness.state_mut().shell();
        let code = RoomCode::from_random(1);
        let secret = TeacherSecret::from_random(2);
        shell.handle_class_news(ClassNews::LeadAsTeacher { code, secret });
        let host = "192.168.1.20:8080".to_owned();
        let addresses = vec![InvitedAddress { host, squares: Vec::new() }];
        let invitation = Invitation { addresses, ..Invitation::default() };
        shell.handle_class_news(ClassNews::Message {
            message: ServerMessage::Leading { invitation },
        });
        shell.open_cover();
        harness.run_steps(3);
        harness.key_press(Key::J);
        harness.run_steps(3);
        harness.get_by_label("Join the class at");
        harness.key_press(Key::J);
        harness.run_steps(3);
        assert!(harness.query_by_label("Join the class at").is_none());
        harness.get_by_label("Next");

        let shell = harness.state_mut().shell();
        shell.open_link("bindpose://what-skinning-is/guess-half-of-two-joints").unwrap();
        shell.open_cover();
        harness.run_steps(3);
        harness.get_by_label("Ask all").click();
        harness.run_steps(3);
        let shell = harness.state_mut().shell();
        assert!(shell.view.classroom.question().is_some() && shell.cover.is_none());
    }

    #[test]
    fn the_cover_leads_teachers_to_handouts_and_esc_closes_it() {
        let mut harness = page([390.0, 844.0], Vec::new());
        harness.state_mut().shell().open_cover();
        harness.run_steps(3);
        // A phone scrolls to it.
        harness.get_by_label_contains("I teach a class").scroll_to_me();
        harness.run_steps(3);
        harness.get_by_label_contains("I teach a class").click();
        harness.run_steps(3);
        harness.get_by_label("Ways through, with minutes");
        harness.get_by_label("Handouts").click();
        harness.run_steps(3);
        let shell = harness.state_mut().shell();
        assert!(shell.view.files.export.open && shell.cover.is_none());
        shell.open_cover();
        harness.key_press(Key::Escape);
        harness.run_steps(3);
        assert!(harness.state_mut().shell().cover.is_some(), "first what lies over it");
        harness.key_press(Key::Escape);
        harness.run_steps(3);
        assert!(harness.state_mut().shell().cover.is_none());
    }
}
